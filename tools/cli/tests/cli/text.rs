//! `dump` and `load`: text that leads back to the same book.

use crate::stage::{Stage, random_games};

#[test]
fn dump_and_load_give_back_the_same_bytes() {
    let stage = Stage::with_books();
    stage.write("many.pgn", random_games(11, 50, 40));
    stage.good("build -q -o a.tabia --load 0.93 many.pgn club.pgn");
    stage.good("build -q -o b.tabia --tables moves many.pgn");
    stage.good("build -q -o c.tabia --tables positions --min-games 1000000 many.pgn");
    for book in ["club.tabia", "a.tabia", "b.tabia", "c.tabia"] {
        stage.write("rows.tsv", stage.good(&format!("dump {book}")));
        stage.good("load --force -o again.tabia rows.tsv");
        assert!(stage.read("again.tabia") == stage.read(book), "{book}");
        let ran =
            stage.run_with("load --force -o again.tabia --memory 16M -", &stage.read("rows.tsv"));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(stage.read("again.tabia") == stage.read(book), "{book} by a pipe");
    }
}

#[test]
fn a_dump_has_the_journal_in_it() {
    let stage = Stage::with_books();
    stage.good("build -q -o all.tabia club.pgn league.pgn");
    stage.good("add -q club.tabia league.pgn");
    stage.write("rows.tsv", stage.good("dump club.tabia"));
    stage.good("load -o again.tabia rows.tsv");
    assert_eq!(stage.read("again.tabia"), stage.read("all.tabia"));
    let bare = stage.good("dump --bare club.tabia");
    assert!(bare.len() < stage.read("rows.tsv").len());
}

#[test]
fn names_of_sources_come_back_whatever_they_are() {
    let stage = Stage::new();
    std::fs::rename(stage.path("club.pgn"), stage.path("a\tb\\ \n\u{fc}.pgn")).unwrap();
    let built =
        stage.command(["build", "-q", "-o", "x.tabia", "a\tb\\ \n\u{fc}.pgn"]).output().unwrap();
    assert!(built.status.success());
    stage.write("rows.tsv", stage.good("dump x.tabia"));
    stage.good("load -o y.tabia rows.tsv");
    assert_eq!(stage.read("x.tabia"), stage.read("y.tabia"));
}

#[test]
fn rows_in_any_order_and_more_than_once_are_merged() {
    let stage = Stage::with_books();
    let dump = stage.good("dump club.tabia");
    let (mut head, mut rows): (Vec<_>, Vec<_>) =
        dump.lines().partition(|line| line.starts_with('#'));
    head.retain(|line| {
        !line.starts_with("#positions") && !line.starts_with("#moves") && *line != "#end"
    });
    rows.reverse();
    let (moves, positions): (Vec<&str>, Vec<&str>) =
        rows.into_iter().partition(|row| row.split('\t').count() == 6);
    let text = [
        head.join("\n"),
        "#moves\tkey\twins\tdraws\tlosses\tmove\tmarks".to_owned(),
        moves.join("\n"),
        "#positions\tkey\twins\tdraws\tlosses\teval\tdepth\tflags".to_owned(),
        positions.join("\r\n"),
        "#end".to_owned(),
    ];
    stage.write("shuffled.tsv", text.join("\n"));
    stage.good("load -o shuffled.tabia shuffled.tsv");
    assert_eq!(stage.read("shuffled.tabia"), stage.read("club.tabia"));

    stage.write(
        "twice.tsv",
        "#game\tgo\n#keys\tz\n#positions\tkey\twins\teval\tdepth\n000000000000000f\t4294967295\t5\t1\n000000000000000f\t9\t3\t2\n",
    );
    let loaded = stage.json("load -o twice.tabia twice.tsv");
    assert_eq!(
        (&loaded["rows"], &loaded["positions"], &loaded["moves"]),
        (&2.into(), &1.into(), &0.into())
    );
    let row = stage.json("get twice.tabia 000000000000000f");
    assert_eq!(
        (&row[0]["position"]["wins"], &row[0]["position"]["eval"]),
        (&4_294_967_295u64.into(), &3.into())
    );
}

#[test]
fn one_table_alone_can_be_dumped() {
    let stage = Stage::with_books();
    stage.write("moves.tsv", stage.good("dump club.tabia --table moves"));
    stage.good("load -o moves.tabia moves.tsv");
    stage.good("build -q -o built.tabia --tables moves club.pgn");
    assert_eq!(stage.read("moves.tabia"), stage.read("built.tabia"));
    stage.bad("dump moves.tabia --table positions", &["moves.tabia", "no positions table"]);
}

#[test]
fn the_columns_are_as_documented() {
    let stage = Stage::with_books();
    let dump = stage.good("dump club.tabia");
    let lines: Vec<_> = dump.lines().collect();
    assert_eq!(
        &lines[..5],
        ["#tabia-rows\t1", "#game\tchess", "#keys\tpolyglot", "#keyed\tposition", "#load\t0.800"]
    );
    assert!(lines.contains(&"#positions\tkey\twins\tdraws\tlosses\teval\tdepth\tflags"));
    assert!(lines.contains(&"#moves\tkey\twins\tdraws\tlosses\tmove\tmarks"));
    assert!(lines.contains(&"463b96181691fc9c\t2\t2\t2\t-\t0\t0"));
    assert!(lines.contains(&"463b96181691fc9c\t2\t1\t0\t796\t0"), "e2e4 is 796");
    assert_eq!(lines.last(), Some(&"#end"));
}

#[test]
fn bad_text_is_refused_with_its_line() {
    let stage = Stage::with_books();
    let dump = stage.good("dump club.tabia");
    let load = |text: &str, options: &str, said: &[&str]| {
        stage.write("bad.tsv", text);
        stage.bad(&format!("load -o bad.tabia {options} bad.tsv"), said);
    };
    load(&dump[..dump.len() / 2], "", &["bad.tsv", "line"]);
    load(dump.trim_end().trim_end_matches("#end"), "", &["bad.tsv", "#end", "cut off"]);
    load("", "", &["bad.tsv", "--game NAME"]);
    load("", "--game go", &["bad.tsv", "--keys NAME"]);
    load("", "--game go --keys z", &["bad.tsv", "no table"]);
    load(&dump, "--game go", &["bad.tsv", "chess", "go"]);
    load(&dump, "--keyed line", &["bad.tsv", "keyed"]);
    load("1. e4 e5 1-0\n", "--game go --keys z", &["bad.tsv: line 1:"]);
    load(
        "#positions\tkey\twins\nzz\t1\n",
        "--game go --keys z",
        &["bad.tsv: line 2:", "16 hexadecimal digits"],
    );
    stage.bad("load -o bad.tabia --game Go --keys z club.pgn", &["Go"]);
    stage.bad("load -o bad.tabia --game go --keys z missing.tsv", &["missing.tsv"]);
    stage.bad("load -o bad.tabia --game go --keys z .", &["folder"]);
    stage.bad("load -o bad.tabia --game go --keys z club.tabia", &["club.tabia"]);
    stage.bad("load -o club.tabia --game go --keys z bad.tsv", &["club.tabia", "--force"]);
    stage.bad(
        "load --force -o bad.tsv --game go --keys z bad.tsv",
        &["bad.tsv", "another argument names the same file"],
    );
}
