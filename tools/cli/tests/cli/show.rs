//! `info`, `explore`, `get`, and what is said of the command itself.

use crate::stage::{Stage, words};
use serde_json::Value;

fn explore(stage: &Stage, book: &str, option: &str, value: &str) -> Value {
    let output = stage.command(["explore", book, "--json", option, value]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn info_says_what_is_in_a_book() {
    let stage = Stage::with_books();
    let info = stage.json("info club.tabia");
    assert_eq!(
        (info["game"].as_str(), info["keys"].as_str(), info["keyed"].as_str()),
        (Some("chess"), Some("polyglot"), Some("position"))
    );
    assert_eq!(
        (&info["load"], info["bytes"].as_u64()),
        (&0.8.into(), Some(stage.read("club.tabia").len() as u64))
    );
    assert_eq!(info["digest"].as_str().unwrap().len(), 32);
    assert_eq!(
        (&info["sources"][0]["name"], &info["sources"][0]["games"]),
        (&"club.pgn".into(), &7.into())
    );
    assert_eq!(info["journal"]["frames"], 0);
    assert_eq!(info["tables"][1]["rows"], info["moves"]);
    for count in ["positions", "moves", "wins", "draws", "losses"] {
        assert!(info[count].as_u64().unwrap() > 0, "{count}");
    }
    let text = stage.good("info club.tabia");
    assert!(
        text.contains("chess, polyglot keys, by position") && text.contains("club.pgn"),
        "{text}"
    );
}

#[test]
fn explore_shows_a_position_and_its_moves() {
    let stage = Stage::with_books();
    let start = stage.json("explore club.tabia");
    assert_eq!(start["key"], "463b96181691fc9c");
    assert_eq!(
        (&start["games"], &start["wins"], &start["draws"], &start["losses"]),
        (&6.into(), &2.into(), &2.into(), &2.into())
    );
    assert_eq!(
        (&start["eval"], &start["depth"], &start["known"]),
        (&Value::Null, &0.into(), &true.into())
    );
    let names: Vec<_> = start["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|played| played["san"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["e4", "Nf3", "c4", "d4", "f3"], "by games, then by code");
    let e4 = &start["moves"][0];
    assert_eq!(
        (&e4["uci"], &e4["games"], &e4["wins"], &e4["draws"]),
        (&"e2e4".into(), &3.into(), &2.into(), &1.into())
    );
    assert_eq!(
        (&e4["position"]["losses"], &e4["position"]["games"]),
        (&2.into(), &3.into()),
        "seen from the other side there"
    );
    assert_eq!(e4["position"]["key"], "823c9b50fd114196");
    assert_eq!(start["moves"][4]["marks"], serde_json::json!(["?"]));
}

#[test]
fn moves_of_black_are_seen_from_black() {
    let stage = Stage::with_books();
    let after = explore(&stage, "club.tabia", "--moves", "1. f3 e5 2. g4");
    assert_eq!((&after["wins"], &after["losses"]), (&1.into(), &0.into()));
    let mate = &after["moves"][0];
    assert_eq!(
        (&mate["san"], &mate["uci"], &mate["wins"]),
        (&"Qh4#".into(), &"d8h4".into(), &1.into())
    );
    assert_eq!(mate["position"]["losses"], 1);
}

#[test]
fn transpositions_meet() {
    let stage = Stage::with_books();
    let line = explore(&stage, "club.tabia", "--moves", "c4 e6 d4 d5 Nc3 Nf6");
    let same = explore(
        &stage,
        "club.tabia",
        "--fen",
        "rnbqkb1r/ppp2ppp/4pn2/3p4/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq - 2 4",
    );
    assert_eq!(line["key"], same["key"]);
    assert_eq!(line["games"], 2);
    let later = explore(&stage, "club.tabia", "--moves", "c4 e6");
    assert_eq!(
        (&later["moves"][0]["games"], &later["moves"][0]["position"]["games"]),
        (&1.into(), &1.into())
    );
}

#[test]
fn castling_is_named_as_people_and_programs_do() {
    let stage = Stage::with_books();
    let before = explore(&stage, "club.tabia", "--moves", "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6");
    assert_eq!(
        (&before["moves"][0]["san"], &before["moves"][0]["uci"]),
        (&"O-O".into(), &"e1g1".into())
    );
}

#[test]
fn a_set_up_position_is_found() {
    let stage = Stage::with_books();
    let explored = explore(&stage, "club.tabia", "--fen", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    assert_eq!((&explored["wins"], &explored["moves"][0]["san"]), (&1.into(), &"e4".into()));
    let further = stage.command([
        "explore",
        "club.tabia",
        "--json",
        "--fen",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        "--moves",
        "e4",
    ]);
    let output = { further }.output().unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().contains("\"san\":\"Ke7\""));
}

#[test]
fn what_is_not_in_the_book_is_said() {
    let stage = Stage::with_books();
    let explored = explore(&stage, "club.tabia", "--moves", "a4");
    assert_eq!(
        (&explored["known"], &explored["games"], &explored["moves"]),
        (&false.into(), &0.into(), &serde_json::json!([]))
    );
    let text = stage.good("explore club.tabia --moves a4");
    assert!(text.contains("not in the book") && text.contains("no moves"), "{text}");
}

#[test]
fn without_a_moves_table_known_positions_are_listed() {
    let stage = Stage::new();
    stage.good("build -q -o v.tabia --tables positions club.pgn");
    let explored = stage.json("explore v.tabia");
    assert_eq!(
        (&explored["moves_from"], explored["moves"].as_array().unwrap().len()),
        (&"positions".into(), 5)
    );
    let e4 = &explored["moves"][0];
    assert_eq!(
        (&e4["san"], &e4["wins"], &e4["draws"], &e4["position"]["losses"]),
        (&"e4".into(), &2.into(), &1.into(), &2.into())
    );
    assert!(stage.good("explore v.tabia").contains("no moves table"));
}

#[test]
fn codes_that_are_no_legal_move_are_shown_raw() {
    let stage = Stage::new();
    let rows = "#game\tchess\n#keys\tpolyglot\n#moves\tkey\tmove\twins\tmarks\n463b96181691fc9c\t796\t5\t65\n463b96181691fc9c\t65535\t7\t0\n";
    stage.write("rows.tsv", rows);
    stage.good("load -o odd.tabia rows.tsv");
    let explored = stage.json("explore odd.tabia");
    let raw = &explored["moves"][0];
    assert_eq!(
        (&raw["code"], &raw["san"], &raw["uci"], &raw["games"]),
        (&65535.into(), &Value::Null, &Value::Null, &7.into())
    );
    assert_eq!(
        (&explored["moves"][1]["san"], &explored["moves"][1]["marks"]),
        (&"e4".into(), &serde_json::json!(["!", "never"]))
    );
    let text = stage.good("explore odd.tabia");
    assert!(text.contains("(code 65535)") && text.contains("e4! never"), "{text}");
}

#[test]
fn bars_are_unicode_where_the_terminal_is() {
    let stage = Stage::with_books();
    let draw = |locale: &str| {
        let output =
            stage.command(["explore", "club.tabia"]).env("LC_ALL", locale).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(draw("C").is_ascii());
    let text = draw("de_DE.UTF-8");
    assert!(text.contains('█') && text.contains('░'), "{text}");
    assert!(text.contains("White to move") && text.contains("8 r n b q k b n r"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}

#[test]
fn bad_positions_and_moves_are_refused() {
    let stage = Stage::with_books();
    for (option, value, said) in [
        ("--fen", "banana", "position of chess"),
        ("--fen", "8/8/8/8/8/8/8/8 w - - 0 1", "position of chess"),
        ("--fen", "a\nb", "position of chess"),
        ("--moves", "e4 e5 Ke3", "move 3: `Ke3` is not legal"),
        ("--moves", "xyzzy", "move 1: `xyzzy` is not a move"),
        ("--moves", "e4 --", "move 2"),
    ] {
        stage.bad_args(
            ["explore", "club.tabia", option, value].map(Into::into).to_vec(),
            &[said, option],
        );
    }
    stage.write("go.tsv", "#positions\tkey\twins\n0000000000000001\t1\n");
    stage.good("load -o go.tabia --game go --keys zobrist go.tsv");
    stage.good("load -o line.tabia --game chess --keys polyglot --keyed line go.tsv");
    stage.bad("explore go.tabia", &["go.tabia", "rules of go", "tabia get"]);
    assert_eq!(stage.json("explore line.tabia")["known"], false, "its one row is no line of chess");
}

#[test]
fn get_shows_raw_rows_of_any_game() {
    let stage = Stage::new();
    stage.write(
        "go.tsv",
        "#positions\tkey\twins\teval\tdepth\tflags\nfedcba9876543210\t3\t-7\t9\t17\n#moves\tkey\tmove\tlosses\nfedcba9876543210\t361\t2\n",
    );
    stage.good("load -o go.tabia --game go --keys zobrist go.tsv");
    let text = stage.good("get go.tabia FEDCBA9876543210 0x0000000000000001");
    let rows: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(rows, ["fedcba9876543210\t3\t0\t0\t-7\t9\t17", "fedcba9876543210\t0\t0\t2\t361\t0"]);
    assert!(text.contains("# 0000000000000001 is not in the book"));
    let found = stage.json("get go.tabia fedcba9876543210 0000000000000001");
    assert_eq!(found[0]["position"]["flags"], serde_json::json!(["proven win", "expanded"]));
    assert_eq!((&found[0]["moves"][0]["move"], &found[1]["position"]), (&361.into(), &Value::Null));
    for key in ["", "1", "fedcba987654321g", "fedcba98765432100"] {
        stage.bad_args(
            ["get", "go.tabia", key].map(Into::into).to_vec(),
            &["16 hexadecimal digits"],
        );
    }
}

#[test]
fn help_completions_and_manual_pages() {
    let stage = Stage::new();
    let verbs = "build add merge compact check salvage trim diff info explore get dump load import export completions man";
    let (help, page) = (stage.good("--help"), stage.good("man"));
    for verb in verbs.split(' ') {
        assert!(help.contains(verb) && page.contains(&format!("tabia\\-{verb}")), "{verb}");
        assert!(stage.good(&format!("{verb} --help")).contains(&format!("tabia {verb}")), "{verb}");
        assert!(stage.good(&format!("man {verb}")).contains(".SH SYNOPSIS"), "{verb}");
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(stage.good(&format!("completions {shell}")).contains("explore"), "{shell}");
    }
    assert!(stage.good("--version").starts_with("tabia 0."));
    assert!(stage.good("man export polyglot").contains("min\\-weight"));
    stage.bad("man nonsense", &["nonsense"]);
    stage.bad("man export nonsense", &["nonsense"]);
    stage.bad("completions tcsh", &["tcsh"]);
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    use std::io::Read;
    use std::process::Stdio;
    let stage = Stage::new();
    stage.write("many.pgn", crate::stage::random_games(5, 100, 60));
    stage.good("build -q -o many.tabia many.pgn");
    let mut child = stage
        .command(words("dump many.tabia"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 100];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn a_full_standard_output_is_a_failure() {
    let stage = Stage::with_books();
    for verb in [
        "info club.tabia",
        "info club.tabia --json",
        "dump club.tabia",
        "explore club.tabia",
        "man",
        "completions bash",
        "--help",
    ] {
        let full = std::fs::File::create("/dev/full").unwrap();
        let output = stage.command(words(verb)).stdout(full).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(
            output.status.code() == Some(2) && err.starts_with("tabia: standard output"),
            "{verb}: {err}"
        );
    }
}
