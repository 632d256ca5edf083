//! Archives as people have them: in folders, matching patterns, twice; games that are there more
//! than once.

use crate::stage::{Stage, random_games};
use std::fs;
use std::io::Write;

/// A folder `week` with the two shipped archives, a copy, one within a folder, and things that are
/// no archives.
fn week() -> Stage {
    let stage = Stage::new();
    fs::create_dir_all(stage.path("week/old")).unwrap();
    stage.copy("club.pgn", "week/b.pgn");
    stage.copy("club.pgn", "week/copy of b.PGN");
    stage.copy("league.pgn", "week/old/a.pgn");
    stage.write("week/notes.txt", "no games");
    stage.write("week/picture.pgn", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    stage.write("week/words.pgn", "No game either.\n");
    stage
}

#[test]
fn folders_and_patterns_are_read_and_what_is_no_archive_is_left_out_and_said() {
    let stage = week();
    stage.good("build -q -o named.tabia club.pgn league.pgn");
    for (archives, told) in [
        (
            "week",
            vec![
                "1 file in week with other names",
                "picture.pgn",
                "words.pgn",
                "copy of b.PGN is the same as week/b.pgn",
            ],
        ),
        ("week/*.pgn week/*/*.pgn", vec!["picture.pgn", "words.pgn"]),
    ] {
        let ran = stage.run(&format!("build --force -o found.tabia {archives}"));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(told.iter().all(|told| ran.err.contains(told)), "{told:?} {ran:?}");
        let info = stage.json("info found.tabia");
        let names: Vec<_> = info["sources"]
            .as_array()
            .unwrap()
            .iter()
            .map(|source| source["name"].as_str().unwrap())
            .collect();
        assert!(
            names.contains(&"a.pgn") && names.contains(&"b.pgn") && names.len() == 2,
            "{names:?}"
        );
        assert_eq!(stage.json("info named.tabia")["games"], info["games"]);
        assert!(
            stage.good("dump found.tabia").lines().skip_while(|line| line.starts_with('#')).eq(
                stage.good("dump named.tabia").lines().skip_while(|line| line.starts_with('#'))
            )
        );
    }
}

#[test]
fn a_folder_or_pattern_without_archives_is_refused_and_so_is_a_named_file_that_is_none() {
    let stage = week();
    fs::create_dir(stage.path("empty")).unwrap();
    stage.bad("build -o b.tabia empty", &["empty", "no archive of games"]);
    stage.bad("build -o b.tabia nothing-*.pgn", &["nothing-*.pgn", "no archive of games"]);
    stage.bad("build -o b.tabia week/[.pgn", &["week/[.pgn", "not a pattern"]);
    stage.bad("build -o b.tabia club.pgn week/words.pgn", &["words.pgn", "no game"]);
}

/// Two archives with games in common: the first has copies, one with ratings, one without; the
/// second the beginning of a game of the first.
fn with_duplicates() -> Stage {
    let stage = Stage::new();
    let game = |tags: &str, moves: &str| {
        format!("[White \"A\"]\n[Black \"B\"]\n{tags}[Result \"1-0\"]\n\n{moves} 1-0\n\n")
    };
    let long = "1. e4 e5 2. Nf3 Nc6 3. Bb5";
    let rated = "[WhiteElo \"2400\"]\n[BlackElo \"2300\"]\n";
    stage.write(
        "one.pgn",
        game("", long) + &game(rated, "1.e4 e5 2.Nf3 {same} Nc6 3.Bb5") + &game("", "1. d4 d5"),
    );
    stage.write(
        "two.pgn",
        game("", "1. e4 e5 2. Nf3") + &game("[Date \"2020.01.01\"]\n", long) + &game("", "1. c4"),
    );
    stage
}

#[test]
fn copies_count_once_and_beginnings_of_other_games_too_if_asked() {
    let stage = with_duplicates();
    for (options, games, copies, contained) in [
        ("", 6, None, None),
        ("--dedup exact", 4, Some(2), Some(0)),
        ("--dedup prefix", 3, Some(2), Some(1)),
        ("--dedup exact --dedup-by moves+players", 5, Some(1), Some(0)),
        ("--dedup prefix --dedup-by moves+players", 4, Some(1), Some(1)),
        ("--dedup off", 6, None, None),
    ] {
        let built =
            stage.json(&format!("build --force --ratings -o b.tabia {options} one.pgn two.pgn"));
        assert_eq!(
            (&built["games"], built["copies"].as_u64(), built["contained"].as_u64()),
            (&games.into(), copies, contained),
            "{options}"
        );
        let info = stage.json("info b.tabia");
        assert_eq!(info["games"], games, "{options}");
        // The copy with ratings is the one that counts.
        let e4 = stage.json("explore b.tabia");
        let e4 =
            e4["moves"].as_array().unwrap().iter().find(|played| played["san"] == "e4").unwrap();
        assert_eq!(e4["rated_games"], 1, "{options} {e4}");
    }
    let said = stage.good("build --force --dedup prefix -o b.tabia one.pgn two.pgn");
    assert!(
        ["2  copies of others", "1  beginnings of others", "in two.pgn"]
            .iter()
            .all(|part| said.contains(part)),
        "{said}"
    );
}

#[test]
fn without_copies_neither_order_nor_threads_nor_memory_show() {
    let stage = Stage::new();
    let (first, second) = (random_games(1, 60, 30), random_games(2, 60, 12));
    let cut: String = first.replace(" 1-0\n", " 0-1\n").split_inclusive("\n\n").take(80).collect();
    stage.write("one.pgn", first.repeat(3) + &second);
    stage.write("two.pgn", second.replace("Random", "Other").repeat(2) + &cut);
    for dedup in ["exact", "prefix"] {
        stage.good(&format!(
            "build -q --force --dedup {dedup} -o a.tabia --threads 1 one.pgn two.pgn"
        ));
        for options in [
            "--threads 3 one.pgn two.pgn",
            "--threads 2 --memory 16M two.pgn one.pgn",
            "--part-size 0 two.pgn one.pgn",
        ] {
            stage.good(&format!("build -q --force --dedup {dedup} -o b.tabia {options}"));
            let rows = |book: &str| {
                stage
                    .good(&format!("dump {book}"))
                    .lines()
                    .filter(|line| !line.starts_with('#'))
                    .map(str::to_owned)
                    .collect()
            };
            let (a, b): (Vec<String>, Vec<String>) = (rows("a.tabia"), rows("b.tabia"));
            assert!(a == b, "{dedup} {options}");
        }
    }
    assert!(!stage.path("a.tabia-building").exists() && !stage.path("b.tabia-building").exists());
}

#[test]
fn a_build_that_fails_at_its_end_leaves_nothing_behind() {
    let stage = Stage::new();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(&stage.read("club.pgn")).unwrap();
    stage.write("packed.pgn.gz", packed.finish().unwrap());
    // That both hold the same shows only when both have been read.
    for options in ["", "--dedup exact", "--dedup prefix --errors errors.tsv"] {
        stage.bad(
            &format!("build -o b.tabia {options} club.pgn packed.pgn.gz"),
            &["packed.pgn.gz", "already"],
        );
        assert!(!stage.path("b.tabia-building").exists(), "{options}");
    }
}

#[test]
fn add_leaves_out_the_archives_that_are_in_the_book_one_by_one() {
    let stage = Stage::new();
    stage.good("build -q -o b.tabia club.pgn");
    stage.bad("add b.tabia club.pgn", &["club.pgn", "already", "--allow-duplicate-sources"]);
    let ran = stage.run("add b.tabia club.pgn league.pgn");
    assert!(
        ran.code == Some(0)
            && ran.err.contains("left out: club.pgn is in the book already, with 7 games"),
        "{ran:?}"
    );
    stage.good("compact -q b.tabia");
    stage.good("build -q -o both.tabia club.pgn league.pgn");
    assert_eq!(stage.read("b.tabia")[..4096][..104], stage.read("both.tabia")[..4096][..104]);
    // Under another name it is found out later, and nothing changes.
    stage.copy("league.pgn", "new.pgn");
    stage.bad("add b.tabia new.pgn", &["new.pgn", "already"]);
}

#[test]
fn fifty_archives_added_one_by_one_and_compacted_are_one_build() {
    let stage = Stage::new();
    let names: Vec<String> = (0..50).map(|week| format!("week-{week:02}.pgn")).collect();
    for (week, name) in names.iter().enumerate() {
        stage.write(name, random_games(week as u64, 5, 20));
    }
    stage.good(&format!("build -q -o all.tabia {}", names.join(" ")));
    stage.good("build -q -o grown.tabia week-00.pgn");
    names[1..].iter().for_each(|name| drop(stage.good(&format!("add -q grown.tabia {name}"))));
    stage.good("compact -q grown.tabia");
    assert_eq!(stage.json("info grown.tabia")["digest"], stage.json("info all.tabia")["digest"]);
    assert_eq!(stage.good("diff grown.tabia all.tabia"), stage.good("diff all.tabia all.tabia"));
}

#[test]
fn all_that_is_left_out_is_in_the_list_and_a_handful_is_told() {
    let stage = Stage::new();
    fs::create_dir(stage.path("many")).unwrap();
    (0..9).for_each(|number| stage.copy("club.pgn", &format!("many/{number}.pgn")));
    stage.write("many/none.pgn", "No game.\n");
    let ran = stage.run("build -o b.tabia --errors list.tsv many");
    assert!(
        ran.code == Some(0) && ran.err.lines().count() == 6 && ran.err.contains("left out: 4 more"),
        "{ran:?}"
    );
    let list = String::from_utf8(stage.read("list.tsv")).unwrap();
    assert_eq!(
        list.lines().filter(|line| line.starts_with("#left out\tmany/")).count(),
        9,
        "{list}"
    );
    let ran = stage.run("build --quiet --force -o b.tabia many");
    assert!(ran.code == Some(0) && ran.err.is_empty(), "{ran:?}");
}
