//! Every verb with every game: Othello, Go, English and international draughts.

use crate::stage::{Ran, Stage};
use serde_json::Value;

/// Three short games of each, of which the second is the first in another image where there are
/// such; their book, their archive, and the first move of most.
struct Case {
    game: &'static str,
    archive: &'static str,
    games: [&'static str; 3],
    first: &'static str,
}

const CASES: [Case; 4] = [
    Case {
        game: "othello",
        archive: "games.pgn",
        games: [
            "[Black \"A\"]\n[White \"B\"]\n[Result \"40-24\"]\n\n1. F5 D6\n2. C3 D3\n3. C4\n\n",
            "[Black \"A\"]\n[White \"C\"]\n[Result \"40-24\"]\n\n1. d3 c5 2. f6 f5 3. e6\n\n",
            "[Black \"B\"]\n[White \"C\"]\n[Result \"20-44\"]\n\n1. f5 f6 2. e6 f4\n",
        ],
        // All four first moves are images of each other; f5 stands for them.
        first: "f5",
    },
    Case {
        game: "go-9",
        archive: "games.sgf",
        games: [
            "(;GM[1]FF[4]SZ[9]RE[B+2.5];B[ee];W[ge](;B[cc];W[gc])(;B[gg]))\n",
            "(;GM[1]SZ[9]RE[B+R];B[ee];W[ce];B[gc];W[cc])\n",
            "(;GM[1]SZ[9]KM[5.5]RE[W+3.5];B[cc];W[];B[])\n",
        ],
        first: "E5",
    },
    Case {
        game: "checkers",
        archive: "games.pdn",
        games: [
            "[Event \"x\"]\n[Result \"1-0\"]\n\n1. 11-15 23-19 2. 8-11 22-17 1-0\n\n",
            "[Result \"1/2-1/2\"]\n\n1. 11-15 22-18 2. 15x22 25x18 1/2-1/2\n\n",
            "[Result \"0-1\"]\n\n1. 9-14 22-18 2. 5-9 0-1\n",
        ],
        first: "11-15",
    },
    Case {
        game: "draughts-10",
        archive: "international.pdn",
        games: [
            "[GameType \"20\"]\n[Result \"2-0\"]\n\n1. 32-28 19-23 2. 28x19 14x23 2-0\n\n",
            "[GameType \"20\"]\n[Result \"1-1\"]\n\n1. 32-28 18-23 1-1\n\n",
            "[GameType \"20\"]\n[Result \"0-2\"]\n\n1. 33-29 0-2\n",
        ],
        first: "32-28",
    },
];

/// A stage with the archive and the book of each game.
fn stage() -> Stage {
    let stage = Stage::new();
    for Case { game, archive, games, .. } in CASES {
        stage.write(archive, games.concat());
        let built = stage.json(&format!("build -q -o {game}.tabia {archive}"));
        assert_eq!((&built["game"], &built["games"]), (&game.into(), &3.into()), "{built}");
    }
    stage
}

/// What the command prints as JSON, given these words.
fn asked(stage: &Stage, args: &[&str]) -> Value {
    let ran = Ran::of(stage.command(args).output().unwrap());
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

#[test]
fn the_archives_tell_the_game_and_images_count_together() {
    let stage = stage();
    for (game, keys, positions, apart) in [
        ("othello", "zobrist-8", [9, 14], "zobrist"),
        // A pass after a pass comes back to a position.
        ("go-9", "zobrist-8", [7, 10], "zobrist"),
        ("checkers", "zobrist-2", [11, 11], "zobrist"),
        ("draughts-10", "zobrist-2", [7, 7], "zobrist"),
    ] {
        let archive = CASES.iter().find(|case| case.game == game).unwrap().archive;
        stage.good(&format!("build -q -o apart.tabia --force --symmetry none {archive}"));
        let [together, alone] = [format!("{game}.tabia"), "apart.tabia".to_owned()]
            .map(|book| stage.json(&format!("info {book}")));
        assert_eq!([&together["keys"], &alone["keys"]], [keys, apart]);
        assert_eq!(
            [&together["positions"], &alone["positions"]].map(|number| number.as_u64().unwrap()),
            positions,
            "{game}"
        );
    }
    stage.bad(
        "build -o both.tabia games.pgn club.pgn",
        &["club.pgn seems to be of chess", "games.pgn of othello", "--game"],
    );
    stage.bad("build -o b.tabia --game go-20 games.sgf", &["go-20", "give chess, othello, go-9"]);
    stage.bad("build -o b.tabia --symmetry colors games.pgn", &["othello has no keys"]);
    stage.bad("build -o b.tabia --symmetry board club.pgn", &["chess has no keys"]);
    // Named, the game needs no guess.
    let other = stage.json("build -q -o none.tabia --game go-13 games.sgf");
    assert_eq!(
        (&other["games"], &other["skipped"]["other_game"]),
        (&0.into(), &3.into()),
        "{other}"
    );
}

#[test]
fn all_verbs_work() {
    let stage = stage();
    for Case { game, archive, games, first } in CASES {
        let book = format!("{game}.tabia");
        stage.good(&format!("check {book}"));
        // As text and back.
        stage.good(&format!("dump {book} -o {game}.tsv"));
        stage.good(&format!("load {game}.tsv -o again.tabia --force"));
        assert!(stage.read(&book) == stage.read("again.tabia"), "{game}");
        // Added in two parts it is what it is built at once.
        stage.write(&format!("one-{archive}"), games[..2].concat());
        stage.write(&format!("two-{archive}"), games[2]);
        stage.good(&format!("build -q --force -o added.tabia one-{archive}"));
        stage.good(&format!("add -q added.tabia two-{archive}"));
        assert_eq!(
            stage.good(&format!("diff added.tabia {book} --json")).matches("\"changed\":0").count(),
            2,
            "{game}"
        );
        stage.good("compact added.tabia");
        stage.good(&format!("build -q --force -o two.tabia two-{archive}"));
        stage.good(&format!("build -q --force -o one.tabia one-{archive}"));
        stage.good("merge --force -o merged.tabia one.tabia two.tabia");
        assert_eq!(
            stage.json("info merged.tabia")["digest"],
            stage.json("info added.tabia")["digest"],
            "{game}"
        );
        // Drawn, with the move that was played most.
        let shown = stage.good(&format!("explore {book}"));
        assert!(shown.contains(&format!(" {first} ")) && shown.contains("3 games"), "{shown}");
        let after = stage.json(&format!("explore {book} --moves {first}"));
        assert!(
            after["games"].as_u64().unwrap() > 0 && after["moves"][0]["san"].is_string(),
            "{after}"
        );
        assert_eq!(
            stage.json(&format!("get {book} {}", after["key"].as_str().unwrap()))[0]["position"]["wins"],
            after["wins"]
        );
        // The setup text leads to the same place.
        let there =
            asked(&stage, &["explore", &book, "--json", "--fen", after["fen"].as_str().unwrap()]);
        assert_eq!(there["moves"], after["moves"], "{game}");
        // A tree for each side.
        for side in ["black", "white"] {
            let trimmed =
                stage.json(&format!("trim {book} --force -o tree.tabia --solution {side}"));
            assert!(
                trimmed["positions"]
                    .as_u64()
                    .or(trimmed["after"]["positions"].as_u64())
                    .unwrap_or(1)
                    > 0,
                "{trimmed}"
            );
            stage.good("check tree.tabia");
        }
    }
}

#[test]
fn a_book_answers_for_the_board_asked_for() {
    let stage = stage();
    // The first moves of Othello are images of each other, and so are the answers to them.
    for (line, answers) in
        [("f5", ["d6", "f6"]), ("d3", ["c5", "c3"]), ("c4", ["e3", "c3"]), ("e6", ["f4", "f6"])]
    {
        let found = stage.json(&format!("explore othello.tabia --moves {line}"));
        let moves: Vec<_> = found["moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(|played| (played["san"].as_str().unwrap(), played["games"].as_u64().unwrap()))
            .collect();
        assert_eq!(moves, [(answers[0], 2), (answers[1], 1)], "{line}");
    }
    // Squares may be run together, as transcripts have them.
    let spaced =
        asked(&stage, &["explore", "othello.tabia", "--json", "--moves", "1. f5 d6 2. c3"]);
    assert_eq!(stage.json("explore othello.tabia --moves f5d6C3"), spaced);
    // Where a book has no moves, those that lead to its positions are shown, and f5 stands for its
    // images.
    stage.good("build -q -o positions.tabia --tables positions games.pgn");
    let found = stage.json("explore positions.tabia");
    let first = &found["moves"];
    assert_eq!(
        (first.as_array().unwrap().len(), &first[0]["san"], &first[0]["games"]),
        (1, &"f5".into(), &3.into())
    );
    for (line, answer, counts) in [
        ("E5 G5", ["C7", "C3"], 2),
        ("E5 C5", ["G3", "G7"], 2),
        ("E5 E7", ["C3", "G3"], 2),
        ("C7", ["pass", "pass"], 1),
    ] {
        let found = asked(&stage, &["explore", "go-9.tabia", "--json", "--moves", line]);
        assert!(answer.contains(&found["moves"][0]["san"].as_str().unwrap()), "{line}: {found}");
        assert_eq!(found["moves"][0]["games"], counts, "{line}: {found}");
    }
}

#[test]
fn a_move_of_the_other_side_is_seen_turned() {
    let stage = Stage::new();
    // After 11-15 and 22-18 the board is its own image but for who moves.
    stage.write("games.pdn", "[Result \"1-0\"]\n\n1. 11-15 22-18 2. 15x22 25x18 1-0\n");
    stage.good("build -q -o b.tabia games.pdn");
    let white = stage.json("explore b.tabia --moves 11-15");
    assert_eq!(
        (&white["moves"][0]["san"], &white["losses"]),
        (&"22-18".into(), &1.into()),
        "{white}"
    );
}

#[test]
fn what_is_for_one_game_is_refused_for_others() {
    let stage = stage();
    stage.bad("build -o b.tabia --variant chess960 games.sgf", &["--variant", "go-9"]);
    stage.bad("build -o b.tabia --komi 7 games.pgn", &["--komi", "othello"]);
    stage.bad("build -o b.tabia --set-up club.pgn", &["--set-up", "chess"]);
    stage.bad("build -o b.tabia --corners 4 games.sgf", &["--corners", "--keyed line"]);
    stage.bad("merge -o b.tabia othello.tabia checkers.tabia", &["othello", "checkers"]);
    stage.bad("add othello.tabia games.sgf", &["games.sgf", "no game"]);
}

#[test]
fn go_has_handicaps_scores_and_corners() {
    let stage = Stage::new();
    stage.write("handicap.sgf", "(;SZ[9]HA[2]AB[gc][cg]RE[B+R];W[ee];B[ec])");
    stage.write(
        "unfinished.sgf",
        "(;SZ[9];B[ee];W[];B[])(;SZ[9]KM[99];B[ee];W[];B[])(;SZ[9];B[ee])",
    );
    let skipped = stage.json("build -q -o none.tabia handicap.sgf");
    assert_eq!((&skipped["games"], &skipped["skipped"]["set_up"]), (&0.into(), &1.into()));
    assert_eq!(stage.json("build -q -o one.tabia --set-up handicap.sgf")["games"], 1);
    for (options, games, wins) in [
        ("", 2, 1),
        ("--area-score never", 0, 0),
        ("--area-score unknown", 3, 2),
        ("--komi 99", 2, 0),
        ("--komi 0.5", 2, 2),
    ] {
        let built =
            stage.json(&format!("build -q --force -o scored.tabia {options} unfinished.sgf"));
        assert_eq!(built["games"], games, "{options}");
        assert_eq!(stage.json("explore scored.tabia")["wins"], wins, "{options}");
    }
    stage.write("large.sgf", "(;SZ[19]RE[B+R];B[qd];W[dp];B[oc];W[fq];B[cn])");
    let built =
        stage.json("build -q -o joseki.tabia --keyed line --symmetry colors --corners 9 large.sgf");
    assert_eq!(built["game"], "go-19", "{built}");
    let start = stage.json("explore joseki.tabia");
    assert_eq!(start["games"], 2, "{start}");
}
