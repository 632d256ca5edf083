//! `trim`: smaller books by thresholds, by reach, and as solution trees.

use crate::stage::{Stage, random_games};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use tabia::format::Results;
use tabia::row::{MoveRow, Row};
use tabia::{Book, Counts, Env, Existing, NewBook};
use tabia_games::{Chess, Game, Side};

/// The moves that a book knows after some moves, as people write them.
fn moves(stage: &Stage, book: &str, after: &str) -> Vec<String> {
    let args = ["explore", book, "--json", "--moves", after];
    let explored: Value =
        serde_json::from_slice(&stage.command(args).output().unwrap().stdout).unwrap();
    explored["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|played| played["san"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn thresholds_are_told_by_reason() {
    let stage = Stage::with_books();
    stage.good("merge -q -o all.tabia club.tabia league.tabia");
    let all = stage.json("info all.tabia");
    let trimmed = stage.json("trim all.tabia -o small.tabia --min-games 2 --min-score 50");
    let small = stage.json("info small.tabia");
    for table in ["positions", "moves"] {
        let (before, kept) =
            (trimmed[table]["before"].as_u64().unwrap(), trimmed[table]["kept"].as_u64().unwrap());
        let gone: u64 = trimmed[table]["gone"]
            .as_object()
            .unwrap()
            .values()
            .map(|rows| rows.as_u64().unwrap())
            .sum();
        assert_eq!((json!(before), json!(kept)), (all[table].clone(), small[table].clone()));
        assert!(kept > 0 && gone > 0 && kept + gone == before);
    }
    let gone = |table: &str| {
        trimmed[table]["gone"].as_object().unwrap().keys().cloned().collect::<Vec<_>>()
    };
    assert_eq!(
        (gone("positions"), gone("moves")),
        (vec!["too_few_games".to_owned()], vec!["score_too_low".into(), "too_few_games".into()])
    );
    assert_eq!(
        (&trimmed["bytes"], &trimmed["plies"], &trimmed["memory"]),
        (&small["bytes"], &Value::Null, &json!(0))
    );
    assert_eq!((&trimmed["digest"], &all["sources"]), (&small["digest"], &small["sources"]));
    let text = stage.good("trim all.tabia -o small.tabia --force --min-games 2 --min-score 50");
    assert!(text.contains("in too few games") && text.contains("with too low a score"), "{text}");
    assert_eq!(stage.json("check small.tabia")["ok"], true);
}

#[test]
fn a_solution_tree_holds_one_sides_best_moves_and_all_replies() {
    let stage = Stage::with_books();
    stage.good("merge -q -o all.tabia club.tabia league.tabia");
    let trimmed = stage.json("trim all.tabia -o white.tabia --solution white");
    assert!(trimmed["memory"].as_u64().unwrap() > 0 && trimmed["plies"].as_u64().unwrap() > 10);
    assert_eq!(moves(&stage, "white.tabia", "").len(), 1);
    let first = moves(&stage, "white.tabia", "")[0].clone();
    assert_eq!(moves(&stage, "white.tabia", &first), moves(&stage, "all.tabia", &first));
    stage.good("trim all.tabia -o two.tabia --solution WHITE --keep 2 --best-by games");
    assert_eq!(moves(&stage, "two.tabia", ""), ["e4", "d4"]);
    stage.good("trim all.tabia -o black.tabia --solution black");
    assert_eq!(moves(&stage, "black.tabia", ""), moves(&stage, "all.tabia", ""));
    assert_eq!(moves(&stage, "black.tabia", "d4").len(), 1);
    stage.good("trim all.tabia -o both.tabia --solution both");
    assert_eq!(moves(&stage, "both.tabia", ""), moves(&stage, "all.tabia", ""));
    stage.good("trim both.tabia -o again.tabia --solution both");
    assert!(
        stage.read("both.tabia") == stage.read("again.tabia"),
        "trimming again changes nothing"
    );
    stage.good("trim all.tabia -o replies.tabia --solution black --min-reply-games 2");
    assert!(moves(&stage, "replies.tabia", "").len() < moves(&stage, "all.tabia", "").len());
}

#[test]
fn what_can_t_be_reached_goes() {
    let stage = Stage::with_books();
    stage.good("trim league.tabia -o same.tabia --reachable");
    assert!(stage.read("same.tabia") == stage.read("league.tabia"));
    let odd = stage.json("trim club.tabia -o club2.tabia --reachable");
    assert_eq!(odd["moves"]["gone"], json!({"unreached": 6}), "a game from a set-up position");
    stage.good("trim league.tabia -o short.tabia --max-ply 4");
    stage.good("build -q -o built.tabia --max-ply 4 league.pgn");
    assert_eq!(
        moves(&stage, "short.tabia", "e4 e5 Nf3"),
        moves(&stage, "built.tabia", "e4 e5 Nf3")
    );
    assert_eq!(
        (
            moves(&stage, "short.tabia", "e4 e5 Nf3").len(),
            moves(&stage, "short.tabia", "e4 e5 Nf3 Nc6").len()
        ),
        (1, 0)
    );
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let from = |book: &'static str| ["trim", "league.tabia", "-o", book, "--fen", fen];
    assert!(stage.command(from("e5.tabia")).status().unwrap().success());
    assert_eq!(
        (moves(&stage, "e5.tabia", "").len(), moves(&stage, "e5.tabia", "e4 e5")),
        (0, moves(&stage, "league.tabia", "e4 e5"))
    );
    assert!(stage.command(from("more.tabia")).arg("--reachable").status().unwrap().success());
    assert!(stage.read("more.tabia") == stage.read("league.tabia"));
}

#[test]
fn a_game_tree_is_walked_by_its_lines() {
    let stage = Stage::new();
    // By transposition the same position; Black's best reply hangs on the way.
    let game = |moves: &str, result: &str| format!("[Result \"{result}\"]\n\n{moves} {result}\n\n");
    stage.write(
        "ways.pgn",
        game("1. d4 Nf6 2. c4 e6", "0-1")
            + &game("1. c4 Nf6 2. d4 g6", "0-1")
            + &game("1. c4 Nf6 2. d4 e6", "1-0"),
    );
    stage.good("build -q -o tree.tabia --keyed line ways.pgn");
    stage.good("build -q -o graph.tabia ways.pgn");
    stage.good("trim tree.tabia -o same.tabia --reachable");
    assert!(stage.read("same.tabia") == stage.read("tree.tabia"));
    for book in ["tree", "graph"] {
        stage.good(&format!("trim {book}.tabia -o {book}-black.tabia --solution black"));
    }
    let replies = |book: &str| [moves(&stage, book, "d4 Nf6 c4"), moves(&stage, book, "c4 Nf6 d4")];
    assert_eq!(replies("tree-black.tabia"), [["e6"], ["g6"]]);
    assert_eq!(replies("graph-black.tabia"), [["g6"], ["g6"]]);
}

#[test]
fn a_journal_counts_and_stays_where_it_is() {
    let stage = Stage::with_books();
    stage.good("merge -q -o all.tabia club.tabia league.tabia");
    stage.good("trim all.tabia -o of-all.tabia --solution both --keep 2");
    stage.good("add -q club.tabia league.pgn");
    let journal = stage.read("club.tabia-journal");
    stage.good("trim club.tabia -o of-club.tabia --solution both --keep 2");
    assert!(
        stage.read("of-all.tabia") == stage.read("of-club.tabia")
            && stage.read("club.tabia-journal") == journal
    );
}

#[test]
fn what_can_t_be_trimmed_is_refused() {
    let stage = Stage::with_books();
    stage.bad("trim club.tabia -o new.tabia", &["nothing to trim by", "--min-games"]);
    stage.bad("trim club.tabia -o new.tabia --min-reply-games 2", &["--solution"]);
    stage.bad("trim club.tabia -o new.tabia --solution red", &["`red`", "white, black or both"]);
    stage.bad("trim club.tabia -o new.tabia --min-score 101", &["101", "from 0 to 100"]);
    stage.bad("trim club.tabia -o new.tabia --keep 0", &["--keep"]);
    stage.bad("trim club.tabia -o new.tabia --fen nonsense", &["--fen", "nonsense", "FEN"]);
    stage.bad(
        "trim club.tabia -o new.tabia --fen 4k3/8/8/8/8/8/8/4K2R",
        &["club.tabia", "isn't in the book", "4k3/"],
    );
    stage.bad(
        "trim club.tabia --force -o ./club.tabia --reachable",
        &["club.tabia", "another argument names the same file"],
    );
    let dump = stage.good("dump club.tabia");
    stage.write("line.tsv", dump.replace("#keyed\tposition", "#keyed\tline"));
    stage.good("load -q -o line.tabia line.tsv");
    stage.bad("trim line.tabia -o new.tabia --reachable", &["line.tabia", "isn't in the book"]);
    stage.good("trim line.tabia -o line2.tabia --min-games 2 --keep 1");
    stage.write("go.tsv", dump.replace("#game\tchess", "#game\tgo"));
    stage.good("load -q -o go.tabia go.tsv");
    stage.bad(
        "trim go.tabia -o new.tabia --solution both",
        &["go.tabia", "rules of go", "--min-games"],
    );
    stage.good("trim go.tabia -o go2.tabia --min-games 2 --keep 1");
    stage.good("build -q -o positions.tabia --tables positions club.pgn");
    for asked in ["--reachable", "--keep 1", "--min-score 10", "--max-ply 3"] {
        stage.bad(
            &format!("trim positions.tabia -o new.tabia {asked}"),
            &["positions.tabia", "no moves table"],
        );
    }
    stage.good("trim positions.tabia -o often.tabia --min-games 2");
    let moves =
        vec![MoveRow::new(Chess::start().key(), 1, Counts { wins: 0, draws: 3, losses: 0 })];
    let new = NewBook::new("chess".parse().unwrap(), "polyglot".parse().unwrap())
        .results(Results::Unknown)
        .moves(&moves);
    new.write(&Env::default(), &stage.path("counts.tabia"), Existing::Refuse).unwrap();
    stage.bad(
        "trim counts.tabia -o new.tabia --min-score 10",
        &["counts.tabia", "without their results"],
    );
}

#[test]
fn trimming_is_free_of_threads_and_of_the_way_the_book_came_about() {
    let stage = Stage::new();
    stage.write("a.pgn", random_games(31, 150, 30));
    stage.write("b.pgn", random_games(32, 150, 30));
    stage.good("build -q -o all.tabia a.pgn b.pgn");
    stage.good("build -q -o a.tabia --load 0.6 a.pgn");
    stage.good("build -q -o b.tabia b.pgn");
    stage.good("merge -q -o merged.tabia b.tabia a.tabia");
    for asked in ["--solution both --keep 2", "--min-games 2 --reachable", "--keep 2 --min-games 2"]
    {
        stage.good(&format!("trim --force all.tabia -o one.tabia {asked}"));
        stage.good(&format!("trim --force merged.tabia -o other.tabia {asked}"));
        assert!(stage.read("one.tabia") == stage.read("other.tabia"), "{asked}");
    }
}

/// The masters' archive, if `../shared/data` is there.
fn masters() -> Option<PathBuf> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/chess/masters.pgn.zst");
    path.exists().then_some(path)
}

/// Plays by a tree against every reply of the book it comes from: how many positions were met, and
/// in how many the book had no acceptable move.
fn play(source: &Book, tree: &Book, side: Side, keep: usize) -> (usize, u64) {
    let (mut waiting, mut seen, mut ends) = (vec![Chess::start()], HashSet::new(), 0);
    while let Some(board) = waiting.pop() {
        if !seen.insert(board.key()) {
            continue;
        }
        let known = source.moves(board.key()).unwrap();
        let kept = tree.moves(board.key()).unwrap();
        if board.side() == side {
            let points = |counts: Counts| 2 * u64::from(counts.wins) + u64::from(counts.draws);
            let is_acceptable = |row: &MoveRow| {
                row.counts().games() >= 20 && 2 * points(row.counts()) >= row.counts().games()
            };
            let acceptable = known.iter().filter(|row| is_acceptable(row)).count();
            assert!(kept.iter().all(is_acceptable));
            assert_eq!(kept.len(), acceptable.min(keep));
            ends += u64::from(acceptable == 0);
        } else {
            assert_eq!(kept, known, "every reply is there, as it was");
        }
        for row in kept.iter() {
            let mut after = board.clone();
            after.play(&board.move_of_code(row.code()).unwrap());
            waiting.push(after);
        }
    }
    (seen.len(), ends)
}

#[test]
fn trees_of_the_masters_are_playable_against_every_reply() {
    let Some(archive) = masters() else {
        println!("skipped: ../shared/data is not there");
        return;
    };
    let stage = Stage::new();
    let built = stage
        .command(["build", "-q", "-o", "masters.tabia", "--memory", "512M"])
        .arg(archive)
        .status()
        .unwrap();
    assert!(built.success());
    let source = Book::open(stage.path("masters.tabia")).unwrap();
    for (name, side) in [("white", Side::First), ("black", Side::Second)] {
        let mut before = 0;
        for keep in 1..=3 {
            let args = format!(
                "trim masters.tabia -o {name}-{keep}.tabia --solution {name} --keep {keep} --min-games 20 --min-score 25"
            );
            let trimmed = stage.json(&args);
            let tree = Book::open(stage.path(format!("{name}-{keep}.tabia"))).unwrap();
            let (met, ends) = play(&source, &tree, side, keep);
            println!("{name}, best {keep}: {met} positions, {ends} ends: {trimmed}");
            assert_eq!(trimmed["positions"]["kept"], met);
            assert!(met > before && ends > 0);
            before = met;
        }
    }
    let both = stage.json(
        "trim masters.tabia -o both.tabia --solution both --keep 2 --min-games 20 --min-score 25",
    );
    let both_book = Book::open(stage.path("both.tabia")).unwrap();
    let mut all = HashSet::new();
    for name in ["white-2.tabia", "black-2.tabia"] {
        let tree = Book::open(stage.path(name)).unwrap();
        let rows =
            tabia::stream::Rows::collect(tabia::stream::RowSet::<MoveRow>::rows(&tree).unwrap())
                .unwrap();
        assert!(rows.rows().iter().all(|row| both_book.moves(row.key()).unwrap().contains(row)));
        all.extend(rows.rows().iter().map(|row| (row.key(), row.code())));
    }
    assert_eq!(both["moves"]["kept"], all.len());
    println!("both, best 2: {both}");
}
