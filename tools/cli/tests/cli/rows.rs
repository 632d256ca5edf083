//! `dump` and `load` in all formats: rows that lead back to the same book, byte for byte, and bad
//! rows that are refused.

use crate::stage::{Stage, random_games};
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
    let made = stage.json(&format!("-q dump --force {book} --format {format} -o rows.{format}"));
    let (mut files, mut rows) = (Vec::new(), 0);
    for made in made.as_array().unwrap() {
        let file = made["file"].as_str().unwrap();
        assert_eq!(made["bytes"], stage.read(file).len());
        files.push(file);
        rows += made["rows"].as_u64().unwrap();
    }
    let loaded = stage.json(&format!("load --force -o again.tabia {}", files.join(" ")));
    let found = (loaded["rows"].as_u64().unwrap(), &loaded["digest"]);
    assert_eq!(found, (rows, &stage.json(&format!("info {book}"))["digest"]));
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
                let holds = stage.read("bad.tabia") == stage.read("small.tabia");
                assert!(holds, "the flip at {at} went in");
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
