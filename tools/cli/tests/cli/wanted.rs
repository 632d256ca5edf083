//! Which games go into a book, and what kind of book it is: filters, one color, lines, games
//! without a result.

use crate::stage::{Stage, words};
use serde_json::Value;

/// Four games that differ in all that filters ask for, one without a result and one that is broken.
const GAMES: &str = r#"[White "Ada, Anna"]
[Black "Bela"]
[WhiteElo "2500"]
[BlackElo "2400"]
[Date "2019.05.01"]
[TimeControl "180+2"]
[Result "1-0"]

1. e4! e5 2. Nf3 Nc6 1-0

[White "Bela"]
[Black "Anna Ada"]
[WhiteElo "2400"]
[BlackElo "2600"]
[Date "2020.??.??"]
[TimeControl "5400+30"]
[Result "0-1"]

1. d4 d5 2. c4 e6 3. Nc3 0-1

[White "Cleo"]
[Black "Dag"]
[WhiteElo "1500"]
[BlackElo "?"]
[Date "2021.01.31"]
[TimeControl "-"]
[Result "1/2-1/2"]

1. Nf3 d5 1/2-1/2

[White "Dag"]
[Black "Ada, Bea"]
[Variant "Chess960"]
[FEN "nrkrbbnq/pppppppp/8/8/8/8/PPPPPPPP/NRKRBBNQ w DBdb - 0 1"]
[Result "1-0"]

1. a4 a5 1-0

[White "Ada, Anna"]
[Black "Cleo"]
[WhiteElo "2500"]
[BlackElo "2500"]
[Date "2022.02.02"]
[TimeControl "60"]
[Result "*"]

1. c4 c5 *

[White "Ada, Anna"]
[Black "Cleo"]
[WhiteElo "1000"]
[BlackElo "1000"]
[Result "1-0"]

1. e4 e4 1-0
"#;

fn stage() -> Stage {
    let stage = Stage::new();
    stage.write("games.pgn", GAMES);
    stage
}

/// Games in, skipped, and filtered by reason, of the six.
fn counts(built: &Value) -> (u64, u64, Vec<(String, u64)>) {
    let number = |value: &Value| value.as_u64().unwrap();
    let all = |which: &str| {
        built[which]
            .as_object()
            .unwrap()
            .iter()
            .map(|(reason, games)| (reason.clone(), number(games)))
            .collect::<Vec<_>>()
    };
    let filtered: Vec<_> = all("filtered").into_iter().filter(|(_, games)| *games > 0).collect();
    let skipped = all("skipped").iter().map(|pair| pair.1).sum::<u64>();
    let total = number(&built["games"]) + skipped + filtered.iter().map(|pair| pair.1).sum::<u64>();
    assert_eq!((number(&built["games_read"]), total), (6, 6), "{built}");
    (number(&built["games"]), skipped, filtered)
}

#[test]
fn every_filter_takes_some_and_counts_the_others() {
    let stage = stage();
    for (options, games, skipped, filtered) in [
        ("", 4, 2, vec![]),
        ("--min-rating 2400", 2, 1, vec![("rating", 3)]),
        ("--min-rating 2500 --rating-of either", 2, 1, vec![("rating", 3)]),
        ("--min-rating 2451 --rating-of average", 1, 1, vec![("rating", 4)]),
        ("--max-rating 2000 --rating-of either", 1, 1, vec![("rating", 4)]),
        ("--since 2020 --until 2020", 1, 0, vec![("date", 5)]),
        ("--since 2020.01.02", 1, 1, vec![("date", 4)]),
        ("--until 2021-01", 3, 0, vec![("date", 3)]),
        ("--time-control blitz", 1, 0, vec![("time_control", 5)]),
        ("--time-control bullet,classical,correspondence", 2, 1, vec![("time_control", 3)]),
        ("--player ada", 3, 2, vec![("player", 1)]),
        ("--player anna --player dag", 4, 2, vec![]),
        ("--player ada --color white", 1, 2, vec![("color", 2), ("player", 1)]),
        ("--player ada --color black", 2, 0, vec![("color", 3), ("player", 1)]),
        ("--result 1-0", 2, 2, vec![("result", 2)]),
        ("--result 0-1,1/2-1/2", 2, 1, vec![("result", 3)]),
        ("--variant chess960", 1, 0, vec![("variant", 5)]),
        ("--variant standard", 3, 2, vec![("variant", 1)]),
        ("--min-plies 4", 2, 2, vec![("plies", 2)]),
        ("--min-plies 5", 1, 2, vec![("plies", 3)]),
        (
            "--min-rating 2000 --player bela --result 1-0 --time-control blitz",
            1,
            0,
            vec![("rating", 3), ("time_control", 2)],
        ),
    ] {
        let built = stage.json(&format!("build -q --force -o b.tabia {options} games.pgn"));
        let filtered: Vec<_> =
            filtered.into_iter().map(|(reason, games)| (reason.to_owned(), games)).collect();
        assert_eq!(counts(&built), (games, skipped, filtered), "{options}");
        assert_eq!(stage.json("info b.tabia")["sources"][0]["games"], games, "{options}");
    }
}

#[test]
fn filtered_games_are_shown_and_not_listed_as_errors() {
    let stage = stage();
    let ran = stage.run("build -o b.tabia --errors errors.tsv --min-rating 2000 games.pgn");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.out.contains("  filtered               3  rating unknown, or not within --min-rating"),
        "{}",
        ran.out
    );
    let list = String::from_utf8(stage.read("errors.tsv")).unwrap();
    assert_eq!(list.lines().count(), 2, "{list}");
    assert!(list.contains("no_result") && !ran.err.contains("Dag"), "{list} {}", ran.err);
}

#[test]
fn add_filters_too() {
    let stage = stage();
    stage.good("build -q -o b.tabia club.pgn");
    let added = stage.json("add -q b.tabia --player bela games.pgn");
    assert_eq!(added["games"], 2);
    assert_eq!(stage.json("explore b.tabia")["games"], 8);
}

#[test]
fn filters_that_make_no_sense_are_refused() {
    let stage = stage();
    for (options, said) in [
        ("--min-rating 2500 --max-rating 2400", &["--min-rating 2500", "--max-rating 2400"][..]),
        ("--since 2021 --until 2020.12", &["--since 2021", "--until 2020.12"]),
        ("--since 2020.13", &["2020.13", "is no date"]),
        ("--since 2021.02.29", &["2021.02.29"]),
        ("--until yesterday", &["yesterday"]),
        ("--min-rating 0", &["--min-rating"]),
        ("--min-rating 10000", &["--min-rating"]),
        ("--time-control fast", &["fast", "--time-control"]),
        ("--result 2-0", &["2-0", "--result"]),
        ("--color white", &["--player"]),
        ("--player ?", &["no letter or digit"]),
        ("--variant atomic", &["atomic"]),
        ("--white-only --black-only", &["--black-only"]),
        ("--min-plies -1", &["-1"]),
        ("--keyed move", &["move", "--keyed"]),
        ("--results draw", &["draw"]),
    ] {
        stage.bad_args(words(&format!("build -o b.tabia {options} games.pgn")), said);
    }
}

/// What is for White and what is for Black are the whole book together, and have no row in common.
#[test]
fn a_book_for_each_color() {
    let stage = Stage::new();
    stage.good("build -q -o white.tabia --white-only club.pgn");
    stage.good("build -q -o black.tabia --black-only club.pgn");
    stage.good("build -q -o both.tabia club.pgn");
    stage.good("merge -q --allow-duplicate-sources -o united.tabia white.tabia black.tabia");
    let rows = |book: &str| {
        stage
            .good(&format!("dump {book}"))
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(rows("united.tabia"), rows("both.tabia"));
    assert_eq!(rows("white.tabia").len() + rows("black.tabia").len(), rows("both.tabia").len());
    let explored = |book: &str, line: &str| stage.json(&format!("explore {book} --moves {line}"));
    assert_eq!(
        (
            explored("white.tabia", "e4")["known"].clone(),
            explored("black.tabia", "e4")["known"].clone()
        ),
        (false.into(), true.into())
    );
    assert!(explored("black.tabia", "e4")["moves"].as_array().unwrap().len() > 1);
    assert_eq!(explored("black.tabia", "f3")["moves"][0]["san"], "e5");
    assert!(!stage.good("explore white.tabia").is_empty());
}

#[test]
fn a_book_of_lines_is_a_tree() {
    let stage = Stage::new();
    stage.write(
        "meet.pgn",
        "[Result \"1-0\"]\n\n1. d4 Nf6 2. c4 e6 1-0\n\n[Result \"0-1\"]\n\n1. c4 Nf6 2. d4 e6 0-1\n\n[Result \"1-0\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. e4 1-0\n",
    );
    stage.good("build -q -o lines.tabia --keyed line meet.pgn");
    stage.good("build -q -o positions.tabia meet.pgn");
    assert_eq!(stage.json("info lines.tabia")["keyed"], "line");
    assert_eq!(stage.json("check lines.tabia")["ok"], true);
    let explored = |book: &str, line: &str| {
        let ran = stage.command(["explore", book, "--json", "--moves", line]).output().unwrap();
        serde_json::from_slice::<Value>(&ran.stdout)
            .unwrap_or_else(|error| panic!("{error}: {ran:?}"))
    };
    let games = |book: &str, line: &str| explored(book, line)["games"].as_u64().unwrap();
    for (line, by_position, by_line) in [
        ("", 3, 3),
        ("d4 Nf6 c4", 2, 1),
        ("c4 Nf6 d4", 2, 1),
        ("d4 Nf6 c4 e6", 2, 1),
        ("Nf3 Nf6 Ng1 Ng8", 3, 1),
    ] {
        assert_eq!(
            (games("positions.tabia", line), games("lines.tabia", line)),
            (by_position, by_line),
            "{line}"
        );
    }
    let start = explored("lines.tabia", "");
    assert_eq!(start["key"], "3aa0f82ca23c21ea");
    let moves = start["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 3, "{start}");
    assert!(
        moves.iter().all(|played| played["games"] == 1 && played["position"]["games"] == 1),
        "{start}"
    );
    let back = explored("lines.tabia", "Nf3 Nf6 Ng1 Ng8");
    assert_eq!(
        (back["moves"].as_array().unwrap().len(), &back["moves"][0]["san"]),
        (1, &"e4".into())
    );
    assert!(stage.good("explore lines.tabia").contains("3 games"));
}

#[test]
fn books_of_lines_grow_and_merge_with_their_like_only() {
    let stage = Stage::new();
    stage.good("build -q -o all.tabia --keyed line club.pgn league.pgn");
    stage.good("build -q -o club.tabia --keyed line club.pgn");
    stage.good("build -q -o league.tabia --keyed line league.pgn");
    stage.good("merge -q -o merged.tabia club.tabia league.tabia");
    assert!(stage.read("merged.tabia") == stage.read("all.tabia"));
    stage.good("add -q club.tabia league.pgn");
    stage.good("compact -q club.tabia");
    assert_eq!(stage.json("info club.tabia")["digest"], stage.json("info all.tabia")["digest"]);
    stage.good("build -q -o positions.tabia odd.pgn");
    stage.bad("merge -o other.tabia all.tabia positions.tabia", &["line", "position"]);
}

#[test]
fn a_line_starts_at_a_given_position() {
    let stage = Stage::new();
    stage.good("build -q -o club.tabia --keyed line club.pgn");
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let explored = |moves: &str| {
        let ran = stage
            .command(["explore", "club.tabia", "--json", "--fen", fen, "--moves", moves])
            .output()
            .unwrap();
        serde_json::from_slice::<Value>(&ran.stdout)
            .unwrap_or_else(|error| panic!("{error}: {ran:?}"))
    };
    assert_eq!(explored("")["games"], 1);
    assert_eq!(explored("e4 Ke7 Kf2")["games"], 1);
    assert_eq!(explored("e3")["known"], false);
}

#[test]
fn games_without_a_result_count_as_games() {
    let stage = stage();
    let built = stage.json("build -q -o counts.tabia --results unknown games.pgn");
    assert_eq!(
        (built["games"].as_u64(), built["skipped"]["no_result"].as_u64()),
        (Some(5), Some(0))
    );
    let start = stage.json("get counts.tabia 463b96181691fc9c");
    let position = &start[0]["position"];
    assert_eq!(
        [&position["wins"], &position["draws"], &position["losses"]].map(Value::as_u64),
        [Some(0), Some(4), Some(0)]
    );
    assert_eq!(stage.json("check counts.tabia")["ok"], true);
    stage.good("add -q counts.tabia club.pgn");
    let added = stage.json("get counts.tabia 463b96181691fc9c");
    assert_eq!(
        (&added[0]["position"]["draws"], &added[0]["position"]["wins"]),
        (&10.into(), &0.into())
    );
    stage.good("build -q -o all.tabia --results unknown games.pgn club.pgn");
    stage.good("compact -q counts.tabia");
    assert_eq!(stage.json("info counts.tabia")["digest"], stage.json("info all.tabia")["digest"]);
    stage.good("build -q -o results.tabia league.pgn");
    stage.bad("merge -o both.tabia counts.tabia results.tabia", &["results"]);
}

#[test]
fn evals_of_comments_are_kept_if_wanted() {
    let stage = Stage::new();
    stage.write(
        "evals.pgn",
        "[Result \"1-0\"]\n\n1. e4 {[%eval 0.31,20]} e5 {[%eval 0.2,18]} 1-0\n\n[Result \"1-0\"]\n\n1. e4 {+0.40/25 3s} c5 {-0.10/30 2s} 1-0\n",
    );
    stage.good("build -q -o plain.tabia evals.pgn");
    let explored = |book: &str, line: &str| stage.json(&format!("explore {book} --moves {line}"));
    assert_eq!(explored("plain.tabia", "e4")["eval"], Value::Null);
    for kind in ["position", "line"] {
        stage.good(&format!("build -q --force --evals --keyed {kind} -o evals.tabia evals.pgn"));
        let worth = |line: &str| {
            (
                explored("evals.tabia", line)["eval"].as_i64(),
                explored("evals.tabia", line)["depth"].as_u64(),
            )
        };
        assert_eq!(stage.json("explore evals.tabia")["eval"], 40, "{kind}");
        assert_eq!(
            (worth("e4"), worth("d4"), worth("c4")),
            ((Some(-10), Some(30)), (None, Some(0)), (None, Some(0))),
            "{kind}"
        );
    }
    stage.good("build -q --force --evals --white-only -o white.tabia evals.pgn");
    assert_eq!(
        (
            stage.json("explore white.tabia")["eval"].as_i64(),
            explored("white.tabia", "e4")["eval"].as_i64()
        ),
        (Some(40), None)
    );
}

/// Games that are looked for twice go another way to the book, by spools, and count there just the
/// same.
#[test]
fn what_is_wanted_is_the_same_with_dedup() {
    let stage = stage();
    for options in [
        "--keyed line",
        "--white-only",
        "--black-only --evals",
        "--results unknown",
        "--player ada --evals",
        "--min-plies 3 --keyed line --ratings",
    ] {
        stage.good(&format!("build -q --force -o straight.tabia {options} club.pgn games.pgn"));
        stage.good(&format!(
            "build -q --force --dedup exact -o spooled.tabia {options} club.pgn games.pgn"
        ));
        // The facts tell how each was made.
        let rows = |book: &str| {
            stage
                .good(&format!("dump {book}"))
                .lines()
                .filter(|line| !line.starts_with("#fact"))
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert!(rows("straight.tabia") == rows("spooled.tabia"), "{options}");
    }
    stage.write("again.pgn", GAMES.replace("Bela", "Boris"));
    let games = |by: &str| {
        stage.json(&format!(
            "build -q --force --dedup exact --dedup-by {by} -o d.tabia games.pgn again.pgn"
        ))["games"]
            .as_u64()
    };
    assert_eq!((games("moves"), games("moves+players")), (Some(4), Some(6)));
}
