//! `build`: what goes in, what is skipped, and that nothing but the games shows in the bytes.

use crate::stage::{Stage, random_games, words};
use std::io::Write;
use std::process::Stdio;

const START: &str = "463b96181691fc9c";

#[test]
fn a_book_of_the_clubs_games() {
    let stage = Stage::new();
    let built = stage.json("build -o club.tabia club.pgn");
    assert_eq!(
        (built["games"].as_u64(), built["games_read"].as_u64(), built["plies"].as_u64()),
        (Some(7), Some(7), Some(73))
    );
    assert!(built["skipped"].as_object().unwrap().values().all(|games| games == 0));
    let info = stage.json("info club.tabia");
    for number in ["positions", "moves", "bytes", "games"] {
        assert_eq!(info[number], built[number], "{number}");
    }
    assert_eq!(stage.read("club.tabia").len() as u64, built["bytes"].as_u64().unwrap());
    assert!(built["seconds"].is_number());
    assert_eq!(stage.json("check club.tabia")["ok"], true);
}

#[test]
fn odd_games_are_skipped_counted_and_reported() {
    let stage = Stage::new();
    let ran = stage.run("build -o odd.tabia --errors skipped.tsv odd.pgn --json");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let built: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((built["games_read"].as_u64(), built["games"].as_u64()), (Some(8), Some(2)));
    for reason in
        ["no_result", "illegal_move", "null_move", "not_chess", "bad_position", "no_moves"]
    {
        assert_eq!(built["skipped"][reason], 1, "{reason}");
    }
    assert_eq!(
        ran.err.lines().count(),
        6,
        "five games and a line that there is one more: {}",
        ran.err
    );
    assert!(ran.err.contains("odd.pgn, line 8, byte 77: "), "{}", ran.err);

    let list = String::from_utf8(stage.read("skipped.tsv")).unwrap();
    let lines: Vec<Vec<&str>> = list.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(lines[0], ["#archive", "offset", "reason", "what", "players", "line", "tags"]);
    assert_eq!(lines.len(), 7);
    assert_eq!((lines[1][0], lines[1][1], lines[1][2]), ("odd.pgn", "77", "no_result"));
    assert_eq!(
        lines[1][4..],
        ["C - D", "8", r#"[Event "Not finished"] [White "C"] [Black "D"] [Result "*"]"#]
    );

    let text = stage.good("build -q --force -o odd.tabia odd.pgn");
    assert!(
        text.contains("games in                 2") && text.contains("an illegal move"),
        "{text}"
    );
}

#[test]
fn quiet_says_nothing_but_the_facts() {
    let stage = Stage::new();
    let ran = stage.run("build --quiet -o odd.tabia odd.pgn");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
}

#[test]
fn filters_keep_what_they_say() {
    let stage = Stage::new();
    let all = stage.json("build -q -o all.tabia club.pgn league.pgn");
    let two = stage.json("build -q -o two.tabia --max-ply 2 club.pgn league.pgn");
    stage.good("build -q -o often.tabia --min-games 3 club.pgn league.pgn");
    assert_eq!(
        (&all["games"], &all["plies"]),
        (&two["games"], &two["plies"]),
        "games are judged whole"
    );
    let moves = |book: &str, line: &str| {
        let explored =
            stage.command(["explore", book, "--json", "--moves", line]).output().unwrap();
        let explored: serde_json::Value = serde_json::from_slice(&explored.stdout).unwrap();
        explored["moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(|played| played["san"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(moves("all.tabia", "e4"), ["e5", "c5", "e6"]);
    assert_eq!(moves("two.tabia", "e4"), ["e5", "c5", "e6"]);
    assert_eq!(moves("often.tabia", "e4"), ["e5"]);
    assert_eq!(moves("all.tabia", "e4 e5"), ["Nf3", "Qh5"]);
    assert!(moves("two.tabia", "e4 e5").is_empty());
}

#[test]
fn tables_are_those_wanted() {
    let stage = Stage::new();
    for (tables, positions, moves) in
        [("positions", true, false), ("moves", false, true), ("moves,positions", true, true)]
    {
        let built = stage.json(&format!("build -q --force -o t.tabia --tables {tables} club.pgn"));
        assert_eq!(
            (built["positions"].as_u64() > Some(0), built["moves"].as_u64() > Some(0)),
            (positions, moves),
            "{tables}"
        );
        assert_eq!(stage.json("check t.tabia")["ok"], true);
    }
}

#[test]
fn the_load_shows_in_the_size() {
    let stage = Stage::new();
    stage.write("many.pgn", random_games(1, 60, 40));
    let size = |load: &str| {
        stage.json(&format!("build -q --force -o t.tabia --load {load} many.pgn"))["bytes"].as_u64()
    };
    assert!(size("0.98") < size("0.8") && size("0.8") < size("0.5"));
    assert_eq!(stage.json("info t.tabia")["load"], 0.5);
}

#[test]
fn archives_are_told_by_content() {
    let stage = Stage::new();
    let plain = stage.read("club.pgn");
    stage.write("zstd", zstd::encode_all(&plain[..], 3).unwrap());
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(&plain).unwrap();
    stage.write("gzip", gzip.finish().unwrap());
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
    bzip2.write_all(&plain).unwrap();
    stage.write("bzip2", bzip2.finish().unwrap());
    stage.good("build -q -o club.tabia club.pgn");
    for archive in ["zstd", "gzip", "bzip2"] {
        stage.good(&format!("build -q --force -o other.tabia {archive}"));
        assert_eq!(stage.run("diff club.tabia other.tabia").code, Some(0), "{archive}");
        let digest =
            |book: &str| stage.json(&format!("info {book}"))["sources"][0]["digest"].clone();
        assert_eq!(
            digest("other.tabia"),
            digest("club.tabia"),
            "{archive}: the digest is of what was compressed"
        );
    }
    let ran = stage.run_with("build -o piped.tabia -", &stage.read("zstd"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(stage.json("info piped.tabia")["sources"][0]["name"], "-");
    assert_eq!(stage.run("diff club.tabia piped.tabia").code, Some(0));
}

/// Threads, memory and the order of archives leave no trace. So many threads that each has little
/// memory make sorters spill.
#[test]
fn nothing_but_the_games_shows_in_the_bytes() {
    let stage = Stage::new();
    stage.write("many.pgn", random_games(7, 900, 50));
    let archives = "many.pgn club.pgn league.pgn";
    stage.good(&format!("build -q -o one.tabia --threads 1 --memory 2G {archives}"));
    let one = stage.read("one.tabia");
    for options in [
        "--threads 2 --memory 16M",
        "--threads 1 --memory 16M",
        "--threads 2 --memory 2G",
        "--threads 64 --memory 16M",
        "",
    ] {
        stage.good(&format!("build -q --force -o other.tabia {options} {archives}"));
        assert!(stage.read("other.tabia") == one, "{options}");
    }
    stage.good("build -q --force -o other.tabia league.pgn many.pgn club.pgn");
    assert!(stage.read("other.tabia") == one, "in another order");
    let left: Vec<_> =
        stage.files().into_keys().filter(|name| !name.to_string_lossy().contains('.')).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_game_that_comes_back_counts_once() {
    let stage = Stage::with_books();
    let start = stage.json(&format!("get club.tabia {START}"));
    let games: u64 = ["wins", "draws", "losses"]
        .iter()
        .map(|count| start[0]["position"][count].as_u64().unwrap())
        .sum();
    assert_eq!(games, 6, "one of the seven starts elsewhere, one comes back to the start");
}

#[test]
fn the_same_archive_twice_is_refused_unless_wanted() {
    let stage = Stage::new();
    stage.copy("club.pgn", "copy.pgn");
    stage.bad(
        "build -o b.tabia club.pgn ./club.pgn",
        &["./club.pgn", "given twice", "--allow-duplicate-sources"],
    );
    stage.bad(
        "build -o b.tabia club.pgn copy.pgn",
        &["copy.pgn", "already", "--allow-duplicate-sources"],
    );
    let built = stage.json("build -o b.tabia --allow-duplicate-sources club.pgn copy.pgn");
    assert_eq!(built["games"], 14);
    assert_eq!(stage.json("info b.tabia")["sources"].as_array().unwrap().len(), 2);
}

#[test]
fn an_existing_book_is_replaced_only_by_force() {
    let stage = Stage::with_books();
    stage.bad("build -o club.tabia league.pgn", &["club.tabia", "exists already", "--force"]);
    stage.good("build -q --force -o club.tabia league.pgn");
    assert_eq!(stage.read("club.tabia"), stage.read("league.tabia"));
}

#[test]
fn progress_is_not_shown_in_a_pipe() {
    let stage = Stage::new();
    let output =
        stage.command(words("build -o b.tabia club.pgn")).stderr(Stdio::piped()).output().unwrap();
    assert!(output.stderr.is_empty());
}

#[test]
fn tags_and_moves_apart_are_joined_if_wanted() {
    let stage = Stage::new();
    stage.write("apart.pgn", "[White \"A\"]\n[Result \"1-0\"]\n\n\n1. e4 e5 1-0\n");
    let apart = stage.json("build -q -o a.tabia apart.pgn");
    assert_eq!(
        (&apart["games_read"], &apart["games"], &apart["skipped"]["no_moves"]),
        (&2.into(), &0.into(), &1.into())
    );
    let joined = stage.json("build -q -o j.tabia --join-split apart.pgn");
    assert_eq!((&joined["games_read"], &joined["games"]), (&1.into(), &1.into()));
}
