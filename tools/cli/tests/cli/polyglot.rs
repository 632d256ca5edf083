//! `import` and `export`: Polyglot's books to books and back.

use crate::stage::{Stage, random_games};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Key, move, weight, learn.
type Entry = (u64, u16, u16, u32);

fn entries(bytes: &[u8]) -> Vec<Entry> {
    let number =
        |bytes: &[u8]| bytes.iter().fold(0u64, |number, &byte| number << 8 | u64::from(byte));
    let entry = |bytes: &[u8]| {
        (
            number(&bytes[..8]),
            number(&bytes[8..10]) as u16,
            number(&bytes[10..12]) as u16,
            number(&bytes[12..]) as u32,
        )
    };
    bytes.chunks_exact(16).map(entry).collect()
}

fn bytes(entries: &[Entry]) -> Vec<u8> {
    let bytes = |&(key, code, weight, learn): &Entry| {
        [&key.to_be_bytes()[..], &code.to_be_bytes(), &weight.to_be_bytes(), &learn.to_be_bytes()]
            .concat()
    };
    entries.iter().flat_map(bytes).collect()
}

/// The key of the start, and codes of moves there.
const START: u64 = 0x463b_9618_1691_fc9c;
const E4: u16 = 0o1434;
const D4: u16 = 0o1333;
const NF3: u16 = 0o0625;
const AFTER_E4: u64 = 0x823c_9b50_fd11_4196;
const E5: u16 = 0o6444;

fn book() -> Vec<Entry> {
    vec![
        (START, E4, 7, 0x0003_0004),
        (START, D4, 4, 0),
        (START, NF3, 0, 0),
        (AFTER_E4, E5, 1, u32::MAX),
        (u64::MAX, 1, 65_535, 0),
    ]
}

fn stage() -> Stage {
    let stage = Stage::new();
    stage.write("book.bin", bytes(&book()));
    stage
}

#[test]
fn a_polyglot_book_becomes_a_book_and_comes_back() {
    let stage = stage();
    let told = stage.json("import polyglot -o book.tabia book.bin --learn keep --check-legal");
    for (what, count) in [
        ("entries", 5),
        ("weightless", 1),
        ("moves", 5),
        ("positions", 0),
        ("legal", 4),
        ("illegal", 0),
        ("unreached", 1),
    ] {
        assert_eq!(told[what].as_u64(), Some(count), "{what}: {told}");
    }
    stage.good("check book.tabia");
    let info = stage.json("info book.tabia");
    assert_eq!(
        (info["game"].as_str(), info["keyed"].as_str()),
        (Some("chess"), Some("position")),
        "{info}"
    );
    let made = stage.json("export polyglot book.tabia -o out.bin --min-weight 0");
    assert_eq!(
        (made["entries"].as_u64(), made["unreached"].as_u64(), made["bytes"].as_u64()),
        (Some(5), Some(1), Some(80)),
        "{made}"
    );
    assert_eq!(entries(&stage.read("out.bin")), book());
    let made = stage.json("export polyglot book.tabia -o out.bin --force --unreached drop");
    assert_eq!((made["entries"].as_u64(), made["light"].as_u64()), (Some(3), Some(1)), "{made}");
    let piped = stage
        .command(["export", "polyglot", "book.tabia", "--unchecked", "--min-weight", "0"])
        .output()
        .unwrap();
    assert_eq!(entries(&piped.stdout), book());
    stage.write("packed.bin.zst", zstd::encode_all(&bytes(&book())[..], 3).unwrap());
    stage.good("import polyglot -o packed.tabia packed.bin.zst --learn keep");
    stage.good("diff book.tabia packed.tabia");
}

#[test]
fn weights_become_games_that_are_worth_them() {
    let stage = stage();
    let told = stage.json("import polyglot -o book.tabia book.bin");
    assert_eq!(told["lost"]["learned"].as_u64(), Some(2), "{told}");
    let moves = stage.json("explore book.tabia")["moves"].clone();
    let of = |moves: &serde_json::Value, at: usize| {
        let field = |name: &str| moves[at][name].as_u64();
        (
            moves[at]["uci"].as_str().map(str::to_owned),
            field("wins"),
            field("draws"),
            field("losses"),
        )
    };
    assert_eq!(of(&moves, 0), (Some("e2e4".into()), Some(3), Some(1), Some(0)));
    assert_eq!(of(&moves, 1), (Some("d2d4".into()), Some(2), Some(0), Some(0)));
    assert_eq!(of(&moves, 2), (Some("g1f3".into()), Some(0), Some(0), Some(0)));
    stage.good("import polyglot -o games.tabia book.bin --weight games");
    let moves = stage.json("explore games.tabia")["moves"].clone();
    assert_eq!(
        (moves[0]["games"].as_u64(), &moves[0]["wins"]),
        (Some(7), &serde_json::Value::Null)
    );
    let told = stage.json("import polyglot -o learned.tabia book.bin --learn results");
    assert_eq!(
        (told["lost"]["weights"].as_u64(), told["lost"]["unpaired"].as_u64()),
        (Some(4), Some(0)),
        "{told}"
    );
    let moves = stage.json("explore learned.tabia")["moves"].clone();
    assert_eq!(of(&moves, 0), (Some("e2e4".into()), Some(2), Some(0), Some(1)));
    for name in ["book", "games"] {
        stage.good(&format!("export polyglot {name}.tabia -o {name}.bin --min-weight 0 --force"));
        let weights = |entries: Vec<Entry>| {
            entries
                .into_iter()
                .map(|(key, code, weight, _)| (key, code, weight))
                .collect::<Vec<_>>()
        };
        assert_eq!(weights(entries(&stage.read(&format!("{name}.bin")))), weights(book()));
    }
}

#[test]
fn odd_books_are_read_and_told() {
    let stage = Stage::new();
    let mut odd =
        b"\0\0\0\0\0\0\0\0@PG@\n1.0\0\0\0\0\0\0\0\0\n1\nnorma\0\0\0\0\0\0\0\0l\nours\x1b\0"
            .to_vec();
    odd.extend(bytes(&[
        (START, E4, 3, 0),
        (START, E4, 3, 0),
        (START, E4, 4, 0),
        (START, 0, 9, 0),
        (9, 7, 1, 0),
        (0, 7, 1, 0),
        (START, 0o1454, 1, 0),
    ]));
    odd.extend(b"tail");
    stage.write("odd", &odd);
    let told = stage.json("import polyglot -o odd.tabia odd --check-legal");
    for (what, count) in [
        ("entries", 4),
        ("united", 1),
        ("header", 1),
        ("disorders", 1),
        ("moves", 3),
        ("legal", 1),
        ("illegal", 1),
        ("unreached", 1),
    ] {
        assert_eq!(told[what].as_u64(), Some(count), "{what}: {told}");
    }
    for (what, count) in [("repeated", 1), ("null_moves", 1), ("key_zero", 1), ("trailing", 4)] {
        assert_eq!(told["lost"][what].as_u64(), Some(count), "{what}: {told}");
    }
    let said = stage.good("import polyglot -o again.tabia odd");
    assert!(
        said.contains("normal: ours\\u{1b}")
            && said.contains("left out    1 entries that only repeat"),
        "{said}"
    );
    let made = stage.json("export polyglot odd.tabia -o odd.bin");
    assert_eq!(
        (made["illegal"].as_u64(), made["unreached"].as_u64()),
        (Some(1), Some(1)),
        "{made}"
    );
    assert_eq!(entries(&stage.read("odd.bin")), [(9, 7, 1, 0), (START, E4, 7, 0)]);
    stage.good("export polyglot odd.tabia -o headed.bin --header ours --unreached drop");
    assert!(stage.read("headed.bin").starts_with(
        b"\0\0\0\0\0\0\0\0@PG@\n1.0\0\0\0\0\0\0\0\0\n1\nnorma\0\0\0\0\0\0\0\0l\nours\0\0"
    ));
    assert_eq!(
        stage.json("import polyglot -o headed.tabia headed.bin")["entries"].as_u64(),
        Some(1)
    );
}

#[test]
fn the_book_makers_word_is_written() {
    let stage = Stage::new();
    stage.write("games.pgn", "[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n[Result \"1-0\"]\n\n1. d4! d5 1-0\n\n[Result \"0-1\"]\n\n1. c4 c5 0-1\n");
    stage.good("build -q -o plain.tabia games.pgn");
    let rows = stage.good("dump plain.tabia");
    let marked = |played: u16, mark: u8| {
        let (key, code) = (format!("{START:016x}"), format!("{played}"));
        let mark_row = |row: &str| {
            let mut fields: Vec<String> = row.split('\t').map(str::to_owned).collect();
            let is_it = fields.len() == 6 && fields[0] == key && fields[4] == code;
            if is_it {
                fields[5] = mark.to_string();
            }
            (fields.join("\t"), is_it)
        };
        let rows: Vec<_> = rows.lines().map(mark_row).collect();
        assert_eq!(
            rows.iter().filter(|row| row.1).count(),
            1,
            "{code} in {:?}",
            rows.iter().map(|row| &row.0).collect::<Vec<_>>()
        );
        rows.into_iter().map(|row| row.0 + "\n").collect::<String>()
    };
    let first = |stage: &Stage| {
        entries(&stage.read("out.bin"))
            .into_iter()
            .filter(|entry| entry.0 == START)
            .collect::<Vec<_>>()
    };
    let made = stage.json("export polyglot plain.tabia -o out.bin");
    assert_eq!(
        (made["lost"]["marked_moves"].as_u64(), made["light"].as_u64()),
        (Some(1), Some(3)),
        "{made}"
    );
    assert_eq!(first(&stage), [(START, D4, 2, 0), (START, E4, 2, 0)]);
    stage.write("never.tsv", marked(E4, 64));
    stage.good("load -o never.tabia never.tsv");
    assert_eq!(
        stage.json("export polyglot never.tabia -o out.bin --force")["never"].as_u64(),
        Some(1)
    );
    assert_eq!(first(&stage), [(START, D4, 2, 0)]);
    stage.write("always.tsv", marked(E4, 128));
    stage.good("load -o always.tabia always.tsv");
    stage.good("export polyglot always.tabia -o out.bin --force --min-games 9");
    assert_eq!(first(&stage), [(START, E4, 65_535, 0)]);
}

/// Books that have the moves of one side only are walked by any reply; positions that nothing leads
/// to can't be checked.
#[test]
fn moves_of_one_side_are_checked_too() {
    let stage = Stage::new();
    stage.good("build -q -o white.tabia --white-only --tables moves club.pgn");
    stage.good("export polyglot white.tabia -o white.bin --min-weight 0");
    let told = stage.json("import polyglot white.bin -o again.tabia --check-legal");
    // Three of White's moves are of a game that starts from another position.
    for (what, count) in [("moves", 35), ("legal", 32), ("illegal", 0), ("unreached", 3)] {
        assert_eq!(told[what].as_u64(), Some(count), "{what}: {told}");
    }
    stage.write("pair.bin", bytes(&[(START, E4, 1, 1 << 16 | 3)]));
    assert_eq!(
        stage.json("import polyglot pair.bin -o pair.tabia --learn results")["lost"]["unpaired"]
            .as_u64(),
        Some(1)
    );
}

/// Weights of random games by a model: results counted by position and move.
#[test]
fn a_book_of_games_is_written_as_a_model_counts() {
    let stage = Stage::new();
    stage.write("games.pgn", random_games(7, 200, 12));
    stage.good("build -q -o games.tabia games.pgn");
    let mut model: BTreeMap<(u64, u16), [u32; 3]> = BTreeMap::new();
    for row in
        stage.good("dump games.tabia --table moves").lines().filter(|line| !line.starts_with('#'))
    {
        let fields: Vec<&str> = row.split('\t').collect();
        let key = u64::from_str_radix(fields[0], 16).unwrap();
        model.insert(
            (key, fields[4].parse().unwrap()),
            [1, 2, 3].map(|field| fields[field].parse().unwrap()),
        );
    }
    for (options, weight) in [
        ("", (|[wins, draws, _]: [u32; 3]| 2 * wins + draws) as fn([u32; 3]) -> u32),
        ("--weight games --min-games 2", |[wins, draws, losses]| {
            Some(wins + draws + losses).filter(|&games| games > 1).unwrap_or(0)
        }),
        ("--weight wins --min-weight 2", |[wins, ..]| if wins > 1 { wins } else { 0 }),
        ("--weight score", |[wins, draws, losses]| {
            (2 * wins + draws) * 5000 / (wins + draws + losses)
        }),
    ] {
        let made = stage.json(&format!("export polyglot games.tabia -o out.bin --force {options}"));
        let mut expected: Vec<Entry> = model
            .iter()
            .map(|(&(key, code), &counts)| (key, code, weight(counts) as u16, 0))
            .collect();
        expected.retain(|entry| entry.2 > 0);
        expected.sort_by_key(|&(key, code, weight, _)| (key, u16::MAX - weight, code));
        assert!(
            expected.len() > 30 && made["illegal"].is_null() && made["unreached"].is_null(),
            "{made}"
        );
        assert_eq!(entries(&stage.read("out.bin")), expected, "{options}");
    }
}

#[test]
fn what_cannot_be_is_one_line() {
    let stage = stage();
    stage.write("short.bin", "no book");
    stage.bad("import polyglot -o x.tabia short.bin", &["short.bin", "no entry"]);
    stage.bad("import polyglot -o x.tabia --game go-9 book.bin", &["--game"]);
    stage.write("tree.mcst", "{0 1 1}");
    stage.bad("import mcst -o x.tabia tree.mcst --learn keep", &["--learn"]);
    stage.bad(
        "import polyglot -o x.tabia tree.mcst",
        &["tree.mcst: it begins as a tree in MCST does, not a Polyglot book"],
    );
    stage.good("import mcst -o go.tabia tree.mcst");
    stage.bad("export polyglot go.tabia -o x.bin", &["go.tabia: a Polyglot book is of chess"]);
    stage.bad("export mcst go.tabia -o x.mcst --weight games", &["--weight"]);
    stage.bad("export mcst go.tabia -o x.mcst --min-games 2", &["--min-games"]);
    stage.good("build -q -o lines.tabia --keyed line club.pgn");
    stage.bad(
        "export polyglot lines.tabia -o x.bin",
        &["lines.tabia: it is keyed by line", "--keyed position"],
    );
    stage.good("build -q -o positions.tabia --tables positions club.pgn");
    stage.bad("export polyglot positions.tabia -o x.bin", &["positions.tabia", "moves"]);
    stage.bad("export polyglot club.tabia -o x.bin --unchecked --unreached drop", &["--unreached"]);
    let packed = zstd::encode_all(&bytes(&book()).repeat(9000)[..], 3).unwrap();
    stage.write("cut.bin.zst", &packed[..packed.len() - 7]);
    stage.bad("import polyglot -o x.tabia cut.bin.zst", &["cut.bin.zst", "whole"]);
}

fn real(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/books").join(name);
    if !path.exists() {
        println!("skipped: {} is not there", path.display());
    }
    path.exists().then_some(path)
}

/// Five real books come in and go out again with equal entries; what differs is named.
#[test]
fn real_books_come_back() {
    let stage = Stage::new();
    for (name, repeated, disorders, learned) in [
        ("donna-gm2001.bin", 0, 0, 0),
        ("donna-rodent.bin", 126, 1, 0),
        ("perfect2021-Perfect2021.bin", 0, 0, 0),
        ("pychess-lasker-trap.bin", 0, 0, 0),
        ("pychess-performance.bin", 0, 0, 88_848),
    ] {
        let Some(path) = real(name) else { return };
        let told = stage.json(&format!(
            "import polyglot -o real.tabia --force --learn keep {} --check-legal",
            path.display()
        ));
        let count = |facts: &serde_json::Value, what: &str| facts[what].as_u64().unwrap_or(0);
        assert_eq!(
            (count(&told["lost"], "repeated"), count(&told, "disorders")),
            (repeated, disorders),
            "{name}: {told}"
        );
        assert_eq!(count(&told, "illegal"), 0, "{name}: {told}");
        let made = stage.json("export polyglot real.tabia -o real.bin --force");
        assert_eq!(
            (count(&made, "learned"), count(&made, "scaled")),
            (learned, 0),
            "{name}: {made}"
        );
        let mut before = entries(&std::fs::read(&path).unwrap());
        before.dedup();
        // Two entries of rodent's stand once more behind its end, out of order: their weights are
        // added.
        let mut sums: BTreeMap<(u64, u16), (u16, u32)> = BTreeMap::new();
        for (key, code, weight, learn) in before {
            let sum = sums.entry((key, code)).or_default();
            *sum = (sum.0 + weight, sum.1 + learn);
        }
        let mut expected: Vec<Entry> = sums
            .into_iter()
            .map(|((key, code), (weight, learn))| (key, code, weight, learn))
            .collect();
        assert_eq!(
            count(&told, "united"),
            count(&told, "entries") - expected.len() as u64,
            "{name}: {told}"
        );
        assert_eq!(count(&told, "united"), if repeated > 0 { 2 } else { 0 }, "{name}: {told}");
        expected.sort_by_key(|&(key, code, weight, _)| (key, u16::MAX - weight, code));
        assert!(entries(&stage.read("real.bin")) == expected, "{name}");
    }
}

#[test]
fn a_rule_weighs_moves() {
    let stage = stage();
    stage.good("import polyglot -o book.tabia book.bin");
    let weights = |rule: &str| -> BTreeMap<u16, u16> {
        stage.good(&format!(
            "export polyglot book.tabia -o ruled.bin --force --unchecked --rule {rule}"
        ));
        entries(&stage.read("ruled.bin"))
            .into_iter()
            .filter(|entry| entry.0 == START)
            .map(|entry| (entry.1, entry.2))
            .collect()
    };
    // Seven points of e4 are three wins and a draw, four of d4 two wins.
    assert_eq!(
        weights("games"),
        BTreeMap::from([(E4, 1)]),
        "a rule that draws nothing has one move"
    );
    assert_eq!(weights("q"), BTreeMap::from([(D4, 1)]));
    let drawn = weights("random(games)");
    assert_eq!((drawn[&E4], drawn[&D4], drawn.len()), (4, 2, 2));
    // exp((7/8 - 1) / 0.125) is 1/e.
    let soft = weights("softmax(t=0.125)");
    assert!((f64::from(soft[&E4]) / f64::from(soft[&D4]) - (-1f64).exp()).abs() < 1e-4, "{soft:?}");
    for (rule, part) in [
        ("lcb", "lcb,by=moves"),
        ("negamax", "a rule by moves"),
        ("eval", "a rule by moves"),
        ("progress,by=moves", "a rule by moves"),
        ("odd", "no rule"),
    ] {
        let refused = stage.run(&format!("export polyglot book.tabia -o no.bin --rule {rule}"));
        assert!(refused.code == Some(2) && refused.err.contains(part), "{refused:?}");
    }
}
