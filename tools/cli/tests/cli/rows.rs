//! `dump` and `load` in all formats: rows that lead back to the same book, byte for byte, and bad
//! rows that are refused.

use crate::stage::{Ran, Stage, random_games};
use serde_json::Value;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;
use tabia::format::{Digest, Fact, Keyed, Results, Share, Source};
use tabia::stream::Chunk;
use tabia::{
    BestGame, Cells, Column, Columns, Counts, Env, Existing, Flags, Marks, MoveRow, NO_EVAL,
    NewBook, PositionRow, Ratings, Row, WithCells, Years, sort_and_merge,
};

/// A book with all that all books can hold: counts, evals and flags at their limits, marks,
/// sources, facts, its own load and way of keying, a filter.
fn full_book(stage: &Stage, name: &str, filter: bool) {
    let count = |number: u64| [0, 1, 77, u32::MAX][number as usize % 4];
    let counts = |number: u64| Counts {
        wins: count(number),
        draws: count(number / 4),
        losses: count(number / 16),
    };
    let eval = |number: u64| [NO_EVAL, NO_EVAL + 1, -1, 0, 250, i16::MAX][number as usize % 6];
    let position = |number: u64| {
        let key = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        PositionRow::new(key, counts(number))
            .with_eval(eval(number), (number % 256) as u8)
            .with_flags(Flags::from_bits_truncate((number % 32) as u8))
    };
    let played = |number: u64| {
        MoveRow::new(number / 3, (number * 21_845) as u16, counts(number))
            .with_marks(Marks::from_bits_retain((number % 256) as u8))
    };
    let mut positions: Vec<_> =
        (0..10_000).map(position).chain([PositionRow::new(u64::MAX, counts(1))]).collect();
    let mut moves: Vec<_> = (0..10_000).map(played).collect();
    assert_eq!((sort_and_merge(&mut positions), sort_and_merge(&mut moves)), (10_001, 10_000));
    let source = |number: u8, name: &str| Source {
        digest: Digest([number; 16]),
        games: u64::from(number) << 33,
        name: name.to_owned(),
    };
    let sources = vec![
        source(1, "a\t\"b\"\\ \n\u{fc}\u{0}.pgn"),
        source(200, ""),
        source(1, "the same again"),
    ];
    let book = NewBook::new("go".parse().unwrap(), "z-1".parse().unwrap())
        .keyed(Keyed::Line)
        .load("0.611".parse().unwrap());
    let fact = |subject: u8, name: &str, value: &str| {
        Fact::new(Digest([subject; 16]), name, value).unwrap()
    };
    let long = "\\\t\n\u{0}\"".repeat(13_107);
    let facts = vec![
        fact(0, "counts", "learned"),
        fact(0, "evals", "engine=x; unit=cp"),
        fact(1, "plan.x", ""),
        fact(9, "a", &long),
    ];
    let book =
        book.filter(filter).sources(sources).facts(facts).positions(&positions).moves(&moves);
    book.write(&Env::default(), &stage.path(name), Existing::Refuse).unwrap();
}

/// A book whose moves have these columns, with values at their limits too, and whose counts have no
/// results.
fn book_with(stage: &Stage, name: &str, columns: Columns) {
    let sum = |number: u64| [0, 2000, Ratings::MOST][number as usize % 3];
    let ratings = |number: u64| Ratings {
        mover_sum: sum(number),
        opponent_sum: sum(number / 3),
        games: [0, 1, u32::MAX][number as usize / 9 % 3],
        score: [0, 1 << 40, u64::MAX][number as usize / 27 % 3],
    };
    let game = |number: u64| BestGame {
        rank: [0, 5500, u16::MAX][number as usize / 3 % 3],
        digest: [0, number, BestGame::MOST][number as usize / 5 % 3],
    };
    let year = |number: u64| [None, Some(1), Some(1999), Some(u16::MAX)][number as usize % 4];
    let years = |number: u64| Years { first: year(number / 7), last: year(number) };
    let counts = |number: u64| Counts { wins: 0, draws: number as u32 % 7, losses: 0 };
    let cells = |number: u64| {
        Cells::NONE.with(ratings(number)).with(game(number)).with(years(number)).to(columns)
    };
    let row = |number: u64| {
        MoveRow::new(number / 3, number as u16, counts(number))
            .with_marks(Marks::from_bits_retain(number as u8))
    };
    let mut moves: Chunk<MoveRow> =
        (0..5_000).map(|number| WithCells { row: row(number), cells: cells(number) }).collect();
    moves.sort_and_merge();
    assert_eq!((moves.len(), moves.columns()), (5_000, columns));
    let book = NewBook::new("chess".parse().unwrap(), "polyglot".parse().unwrap())
        .results(Results::Unknown)
        .moves(&moves);
    book.write(&Env::default(), &stage.path(name), Existing::Refuse).unwrap();
}

/// A book that holds the third of four shares of the hashes.
fn share_book(stage: &Stage, name: &str) {
    let share: Share = "3/4".parse().unwrap();
    let position =
        |number: u64| PositionRow::new(number, Counts { wins: number as u32, draws: 0, losses: 1 });
    let mut positions: Vec<_> =
        (0..4_000).map(position).filter(|row| share.holds(row.hash())).collect();
    let kept = sort_and_merge(&mut positions);
    assert!(kept > 900);
    let book = NewBook::new("go".parse().unwrap(), "z".parse().unwrap())
        .share(share)
        .positions(&positions);
    book.write(&Env::default(), &stage.path(name), Existing::Refuse).unwrap();
}

/// Dumps a book in this format and loads what was made.
fn round_trip(stage: &Stage, book: &str, format: &str) {
    let options = format!("-q dump --force {book} --format {format} -o rows.{format} --json");
    let made: Value = serde_json::from_str(&stage.good(&options)).unwrap();
    let files: Vec<&str> =
        made.as_array().unwrap().iter().map(|made| made["file"].as_str().unwrap()).collect();
    for made in made.as_array().unwrap() {
        assert_eq!(made["bytes"], stage.read(made["file"].as_str().unwrap()).len());
    }
    let loaded = stage.json(&format!("load --force -o again.tabia {}", files.join(" ")));
    let rows: u64 =
        made.as_array().unwrap().iter().map(|made| made["rows"].as_u64().unwrap()).sum();
    assert_eq!(
        (loaded["rows"].as_u64().unwrap(), &loaded["digest"]),
        (rows, &stage.json(&format!("info {book}"))["digest"])
    );
    assert!(stage.read("again.tabia") == stage.read(book), "{book} as {format}");
    files.iter().for_each(|file| std::fs::remove_file(stage.path(file)).unwrap());
}

#[test]
fn all_formats_give_back_the_same_bytes() {
    let stage = Stage::with_books();
    stage.write("many.pgn", random_games(11, 50, 40));
    stage.good("build -q -o loaded.tabia --load 0.93 many.pgn club.pgn");
    stage.good("build -q -o moves.tabia --tables moves many.pgn");
    stage.good("build -q -o none.tabia --min-games 1000000 --filter many.pgn");
    full_book(&stage, "full.tabia", false);
    full_book(&stage, "filtered.tabia", true);
    share_book(&stage, "share.tabia");
    stage.good("build -q -o empty.tabia --ratings --min-games 1000000 many.pgn");
    for book in ["club", "loaded", "moves", "none", "full", "filtered", "share", "empty"]
        .map(|name| format!("{name}.tabia"))
    {
        for format in ["tsv", "jsonl", "parquet"] {
            round_trip(&stage, &book, format);
        }
    }
}

#[test]
fn books_with_columns_come_back_in_all_formats() {
    let stage = Stage::new();
    for columns in (0..1 << Column::ALL.len()).map(|set| -> Columns {
        Column::ALL
            .iter()
            .copied()
            .enumerate()
            .filter(|(index, _)| set >> index & 1 == 1)
            .map(|(_, column)| column)
            .collect()
    }) {
        let book =
            format!("{}.tabia", columns.iter().map(|column| column.name).collect::<String>());
        book_with(&stage, &book, columns);
        for format in ["tsv", "jsonl", "parquet"] {
            round_trip(&stage, &book, format);
        }
    }
}

#[test]
fn what_is_written_to_standard_output_is_what_a_file_gets() {
    let stage = Stage::with_books();
    full_book(&stage, "full.tabia", true);
    for (format, options) in
        [("tsv", ""), ("jsonl", ""), ("parquet", "--table moves"), ("parquet", "--table positions")]
    {
        stage.good(&format!("dump full.tabia {options} -o rows.{format} --force"));
        let output = stage
            .command(["dump", "full.tabia", "--format", format, "-o", "-"])
            .args(options.split_whitespace())
            .output()
            .unwrap();
        assert!(
            output.status.success() && output.stdout == stage.read(&format!("rows.{format}")),
            "{format}"
        );
    }
    stage.write("rows.jsonl", stage.good("dump full.tabia --format jsonl"));
    let ran = stage.run_with("load -o again.tabia -", &stage.read("rows.jsonl"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(stage.read("again.tabia") == stage.read("full.tabia"));
}

#[test]
fn a_parquet_file_is_named_after_its_table() {
    let stage = Stage::with_books();
    std::fs::create_dir(stage.path("folder")).unwrap();
    for (options, files) in [
        ("-o a.parquet", &["a.positions.parquet", "a.moves.parquet"][..]),
        ("-o folder/b --format parquet", &["folder/b.positions.parquet", "folder/b.moves.parquet"]),
        (
            "-o folder --format parquet",
            &["folder/club.positions.parquet", "folder/club.moves.parquet"],
        ),
        ("-o c.parquet --table moves", &["c.parquet"]),
    ] {
        let made: Value =
            serde_json::from_str(&stage.good(&format!("dump club.tabia {options} --json")))
                .unwrap();
        assert_eq!(
            made.as_array()
                .unwrap()
                .iter()
                .map(|made| made["file"].as_str().unwrap())
                .collect::<Vec<_>>(),
            files
        );
        assert!(files.iter().all(|file| stage.read(file).starts_with(b"PAR1")));
        stage.bad(&format!("dump club.tabia {options}"), &[files[0], "exists already", "--force"]);
    }
    std::fs::remove_file(stage.path("a.positions.parquet")).unwrap();
    stage.bad("dump club.tabia -o a.parquet", &["a.moves.parquet", "exists already"]);
}

#[test]
fn an_output_that_can_t_be() {
    let stage = Stage::with_books();
    for (options, said) in [
        ("--format parquet", &["one table", "-o NAME"][..]),
        ("--format xml", &["xml"]),
        ("-o club.pgn", &["club.pgn", "exists already"]),
        ("-o club.tabia --force", &["club.tabia", "another argument names the same file"]),
        ("-o club.tabia-journal --force", &["club.tabia-journal", "another argument"]),
        ("-o .", &["folder"]),
        ("-o nowhere/rows.tsv", &["nowhere", "check the path"]),
        ("-o /dev/null --force", &["/dev/null", "no regular file"]),
        ("--force", &["--output"]),
    ] {
        stage.bad(&format!("dump club.tabia {options}"), said);
    }
    stage.good("dump -q club.tabia -o rows.tsv");
    assert_eq!(stage.read("rows.tsv"), stage.good("dump club.tabia").into_bytes());
}

/// No file may grow beyond a few blocks: what a full disk is to a program.
#[test]
fn a_dump_without_space_leaves_nothing() {
    let stage = Stage::new();
    full_book(&stage, "full.tabia", false);
    let before = stage.files();
    for output in ["rows.tsv", "rows.jsonl", "rows.parquet"] {
        let script = format!(
            "trap '' XFSZ; ulimit -f 8; exec {} dump full.tabia -o {output}",
            env!("CARGO_BIN_EXE_tabia")
        );
        let output = Command::new("bash")
            .arg("-c")
            .arg(script)
            .current_dir(stage.path("."))
            .output()
            .unwrap();
        Ran::of(output).is_refusal(&["rows.", "File too large"]);
        assert!(stage.files() == before, "{:?}", stage.files().keys());
    }
}

#[test]
fn several_files_in_several_formats_are_one_book() {
    let stage = Stage::with_books();
    stage.good("merge -o all.tabia club.tabia league.tabia");
    stage.good("dump club.tabia -o club.parquet");
    stage.good("dump league.tabia --table moves -o league.jsonl");
    stage.good("dump league.tabia --table positions -o league.tsv");
    stage.good(
        "load -o again.tabia league.jsonl club.positions.parquet league.tsv club.moves.parquet",
    );
    assert_eq!(stage.read("again.tabia"), stage.read("all.tabia"));
    stage.good("dump club.tabia -o club.tsv");
    stage.bad(
        "load -o twice.tabia club.tsv club.moves.parquet",
        &["club.moves.parquet", "club.pgn", "count twice"],
    );
    stage.good("load -o twice.tabia club.tsv club.positions.parquet club.moves.parquet --allow-duplicate-sources");
    let (once, twice) = (stage.json("info club.tabia"), stage.json("info twice.tabia"));
    assert_eq!(twice["wins"].as_u64(), once["wins"].as_u64().map(|wins| 2 * wins));
    assert_eq!(
        (&twice["positions"], &twice["sources"][1]["name"]),
        (&once["positions"], &"club.pgn".into())
    );
    full_book(&stage, "go.tabia", false);
    stage.good("dump go.tabia -o go.parquet");
    stage.bad(
        "load -o new.tabia club.tsv go.moves.parquet",
        &["go.moves.parquet", "game", "go", "chess"],
    );
    stage.bad("load -o new.tabia --game chess go.moves.parquet", &["go.moves.parquet", "--game"]);
    share_book(&stage, "share.tabia");
    stage.good("dump share.tabia -o share.tsv");
    stage.write(
        "other.tsv",
        String::from_utf8(stage.read("share.tsv")).unwrap().replace("#share\t3/4", "#share\t1/4"),
    );
    stage.bad("load -o new.tabia other.tsv", &["holds share 1/4", "another"]);
    stage.bad("load -o new.tabia share.tsv other.tsv", &["other.tsv", "3/4", "1/4", "merge these"]);
    stage.bad("load -o new.tabia - -", &["only once"]);
    stage.bad("load -o club.tsv --force club.tsv", &["another argument"]);
    stage.bad("load -o new.tabia club.tabia", &["club.tabia", "this is a book"]);
}

#[test]
fn moves_with_ratings_and_without_are_one_table() {
    let stage = Stage::new();
    let rated =
        "#moves\tkey\tmove\twins\tmover_rating_sum\trated_games\n0000000000000001\t7\t1\t2400\t1\n";
    let plain = "#moves\tkey\tmove\twins\n0000000000000001\t7\t1\n0000000000000002\t8\t1\n";
    stage.write("ab.tsv", format!("{rated}{plain}"));
    stage.write("ba.tsv", format!("{plain}{rated}"));
    stage.write("b.tsv", plain);
    stage.write("a.jsonl", "{\"key\":\"0000000000000001\",\"move\":7,\"wins\":1,\"mover_rating_sum\":2400,\"rated_games\":1}");
    for (number, files) in
        ["ab.tsv", "ba.tsv", "a.jsonl b.tsv", "b.tsv a.jsonl"].into_iter().enumerate()
    {
        stage.good(&format!("load -o {number}.tabia --game go --keys z {files}"));
        assert_eq!(stage.read(&format!("{number}.tabia")), stage.read("0.tabia"), "{files}");
    }
    let row = &stage.json("get 0.tabia 0000000000000001")[0]["moves"][0];
    assert_eq!(
        (&row["wins"], &row["mover_rating_sum"], &row["rated_games"]),
        (&2.into(), &2400.into(), &1.into())
    );
    stage.bad(
        "load -o new.tabia --game go --keys z --results unknown b.tsv",
        &["new.tabia", "results"],
    );
}

#[test]
fn json_by_hand() {
    let stage = Stage::new();
    let text = "{\"key\":\"000000000000000f\",\"wins\":3}\n{\"key\":\"000000000000000f\",\"move\":9,\"losses\":1}\n{\"losses\":4,\"key\":\"000000000000000F\"}";
    stage.write("rows.jsonl", text);
    stage.good("load -o new.tabia --game go --keys z rows.jsonl");
    let row = &stage.json("get new.tabia 000000000000000f")[0];
    assert_eq!(
        (&row["position"]["wins"], &row["position"]["losses"], &row["position"]["eval"]),
        (&3.into(), &4.into(), &Value::Null)
    );
    assert_eq!((&row["moves"][0]["move"], &row["moves"][0]["losses"]), (&9.into(), &1.into()));
    let load = |text: &str, said: &[&str]| {
        stage.write("bad.jsonl", text);
        stage.bad("load -o bad.tabia --game go --keys z bad.jsonl", said);
    };
    load(&format!("{text}\n{{\"key\":\"0\"}}"), &["bad.jsonl: line 4: ", "16 hexadecimal digits"]);
    load(
        &format!("{text}\n{{\"key\":\"000000000000000f\",\"win\":3}}"),
        &["bad.jsonl: line 4: ", "`win`"],
    );
    load("{\"table\":\"book\",\"version\":1}\n", &["bad.jsonl: line 1: ", "cut off"]);
    load("{\"table\":\"book\",\"game\":\"chess\",\"tables\":[\"moves\"]}\n", &["chess", "go"]);
    load("{\"table\":\"book\",\"game\":\"go\"}\n", &["no table"]);
}

#[test]
fn a_cut_or_flipped_parquet_file_is_refused_or_read_as_it_was() {
    let stage = Stage::new();
    let row = |number: u64| {
        PositionRow::new(number, Counts { wins: number as u32 % 3, draws: 1, losses: 0 })
    };
    let mut rows: Vec<_> = (0..60).map(row).collect();
    assert_eq!(sort_and_merge(&mut rows), 60);
    let book = NewBook::new("go".parse().unwrap(), "z".parse().unwrap()).positions(&rows);
    book.write(&Env::default(), &stage.path("small.tabia"), Existing::Refuse).unwrap();
    stage.good("dump small.tabia --table positions -o small.parquet");
    let good = stage.read("small.parquet");
    for length in (4..good.len()).step_by(61).chain([good.len() - 1]) {
        stage.write("bad.parquet", &good[..length]);
        stage.bad("load -o bad.tabia bad.parquet", &["bad.parquet: "]);
    }
    let (mut refused, mut same) = (0, 0);
    for at in (4..good.len()).step_by(7) {
        let mut bytes = good.clone();
        bytes[at] ^= 1 << (at % 8);
        stage.write("bad.parquet", &bytes);
        let ran = stage.run("load --force -o bad.tabia bad.parquet");
        match ran.code {
            Some(0) => {
                assert!(
                    stage.read("bad.tabia") == stage.read("small.tabia"),
                    "the flip at {at} went in"
                );
                same += 1;
            }
            _ => {
                ran.is_refusal(&["bad.parquet: "]);
                assert!(!ran.err.contains("panicked"), "{ran:?}");
                refused += 1;
            }
        }
    }
    println!("{refused} flips were refused, {same} were where nothing is read");
    assert!(refused > 0 && same > 0);
}

#[test]
fn a_parquet_file_comes_by_its_name_only() {
    let stage = Stage::with_books();
    stage.good("dump club.tabia --table moves -o rows.parquet");
    stage
        .run_with("load -o new.tabia -", &stage.read("rows.parquet"))
        .is_refusal(&["Parquet", "save it"]);
    stage.write("rows.parquet", b"PAR1");
    stage.bad("load -o new.tabia rows.parquet", &["rows.parquet", "cut off"]);
    stage.write("rows.parquet", b"PAR1\xff\xff\xff\xffPAR1");
    stage.bad("load -o new.tabia rows.parquet", &["rows.parquet", "longer than the file"]);
    stage.write("rows.parquet", b"PAR1\0\0\0\0PAR1");
    stage.bad("load -o new.tabia rows.parquet", &["rows.parquet"]);
}

#[test]
fn an_interrupted_dump_or_load_leaves_nothing() {
    if crate::interrupt::ignored() {
        println!("skipped: signals are ignored here");
        return;
    }
    let stage = Stage::new();
    // A pipe that nobody ends: `load` waits for more of it.
    let mut command =
        stage.command(["load", "-o", "new.tabia", "--game", "go", "--keys", "z", "-"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let before = stage.files();
    let row = "{\"key\":\"000000000000000f\",\"wins\":1}\n".repeat(1000);
    let ran = std::thread::scope(|scope| {
        scope.spawn(|| while stdin.write_all(row.as_bytes()).is_ok() {});
        std::thread::sleep(Duration::from_millis(400));
        assert!(
            Command::new("kill")
                .args(["-INT", &child.id().to_string()])
                .status()
                .unwrap()
                .success()
        );
        Ran::of(child.wait_with_output().unwrap())
    });
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (Some(130), "tabia: interrupted: nothing was changed\n"),
        "{ran:?}"
    );
    assert!(stage.files() == before, "{:?}", stage.files().keys());

    // A dump into a pipe that nobody reads yet.
    let mut many: Vec<_> =
        (0..200_000u64).map(|number| PositionRow::new(number, Counts::default())).collect();
    assert_eq!(sort_and_merge(&mut many), 200_000);
    let book = NewBook::new("go".parse().unwrap(), "z".parse().unwrap()).positions(&many);
    book.write(&Env::default(), &stage.path("many.tabia"), Existing::Refuse).unwrap();
    let mut command = stage.command(["dump", "many.tabia"]);
    let child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(400));
    assert!(
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success()
    );
    let ran = Ran::of(child.wait_with_output().unwrap());
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (Some(130), "tabia: interrupted: nothing was changed\n"),
        "{:?}",
        ran.code
    );
}
