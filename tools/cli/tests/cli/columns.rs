//! What not every book knows (columns: ratings, best games, years; facts), as `info`, `explore`,
//! `get`, `diff`, `check` and `salvage` show it; and books that are made otherwise: with columns of
//! a later version, by a version that was never released, with keys that collide.

use crate::stage::{Stage, crc32};
use serde_json::{Value, json};
use tabia::format::{Digest, Fact, Header, Source, Tag};
use tabia::stream::Chunk;
use tabia::{
    BestGame, Cells, Counts, Env, Existing, MoveRow, NewBook, PositionRow, Ratings, WithCells,
    Years, mix, sort_and_merge, unmix,
};
use tabia_games::{Chess, Game};

/// The codes of 1. d4 and 1. e4.
const D4: u16 = 731;
const E4: u16 = 796;

fn counts(wins: u32, losses: u32) -> Counts {
    Counts { wins, draws: 0, losses }
}

/// A stage with `full.tabia`: 1. e4 with all columns and 1. d4 with nothing in them, two sources
/// and some facts.
fn full() -> Stage {
    let stage = Stage::new();
    let start = Chess::start().key();
    let ratings = Ratings { mover_sum: 5000, opponent_sum: 4900, games: 2, score: 2 };
    let game = BestGame { rank: 5600, digest: 0x0123_4567_89ab };
    let cells =
        Cells::NONE.with(ratings).with(game).with(Years { first: Some(1990), last: Some(2024) });
    let rows = [
        WithCells { row: MoveRow::new(start, E4, counts(3, 1)), cells },
        MoveRow::new(start, D4, counts(1, 0)).into(),
    ];
    let mut moves: Chunk<MoveRow> = rows.into_iter().collect();
    moves.sort_and_merge();
    let source = |digest: u8, name: &str| Source {
        digest: Digest([digest; 16]),
        games: 3,
        name: name.to_owned(),
    };
    let fact = |subject: u8, name: &str, value: &str| {
        Fact::new(Digest([subject; 16]), name, value).unwrap()
    };
    let plan = |subject, option: &str, value: &str| fact(subject, &format!("plan.{option}"), value);
    let facts = vec![
        fact(0, "evals", "engine=mine; limit=20; unit=cp"),
        plan(1, "max-ply", "40"),
        plan(1, "min-rating", "2600"),
        fact(1, "note", "a\nb"),
        plan(3, "side", "white"),
    ];
    NewBook::new("chess".parse().unwrap(), "polyglot".parse().unwrap())
        .sources(vec![source(1, "a.pgn"), source(2, "b.pgn")])
        .facts(facts)
        .moves(&moves)
        .write(&Env::default(), &stage.path("full.tabia"), Existing::Refuse)
        .unwrap();
    stage
}

#[test]
fn info_shows_columns_and_how_the_book_was_made() {
    let stage = full();
    let info = stage.json("info full.tabia");
    assert_eq!(
        (&info["columns"], &info["share"], &info["unknown_columns"]),
        (&json!(["ratings", "game", "years"]), &json!("1/1"), &json!([]))
    );
    let ones = "01".repeat(16);
    assert_eq!(info["facts"].as_array().unwrap().len(), 5);
    assert_eq!(
        info["facts"][0],
        json!({"subject": null, "name": "evals", "value": "engine=mine; limit=20; unit=cp"})
    );
    assert_eq!(info["facts"][2], json!({"subject": ones, "name": "plan.max-ply", "value": "40"}));
    let text = stage.good("info full.tabia");
    let at = |line: &str| {
        text.lines()
            .position(|other| other.contains(line))
            .unwrap_or_else(|| panic!("{line}: {text}"))
    };
    assert!(
        at("columns    ratings, game, years of the moves")
            < at("made       evals: engine=mine; limit=20; unit=cp")
    );
    assert!(
        at("a.pgn") + 1 == at("plan: max-ply=40, min-rating=2600")
            && at("note: a\\nb") < at("b.pgn"),
        "{text}"
    );
    assert!(text.ends_with(&format!("  {}  plan.side: white\n", "03".repeat(16))), "{text}");
    assert!(!text.contains("share"));
}

#[test]
fn get_shows_all_fields() {
    let stage = full();
    let text = stage.good("get full.tabia 463b96181691fc9c");
    let lines: Vec<_> = text.lines().filter(|line| !line.starts_with("# ")).collect();
    let names = "#moves\tkey\twins\tdraws\tlosses\tmove\tmarks\tmover_rating_sum\topponent_rating_sum\trated_games\trated_score\tgame\tfirst_year\tlast_year";
    let d4 = "463b96181691fc9c\t1\t0\t0\t731\t0\t0\t0\t0\t0\t0000000000000000\t0\t0";
    let e4 = "463b96181691fc9c\t3\t0\t1\t796\t0\t5000\t4900\t2\t2\t15e00123456789ab\t1990\t2024";
    assert_eq!(lines, [names, d4, e4]);
    let e4 = json!({"move": 796, "wins": 3, "draws": 0, "losses": 1, "marks": [], "mover_rating_sum": 5000, "opponent_rating_sum": 4900,
        "rated_games": 2, "rated_score": 2, "game": "15e00123456789ab", "first_year": 1990, "last_year": 2024});
    assert_eq!(stage.json("get full.tabia 463b96181691fc9c")[0]["moves"][1], e4);
}

#[test]
fn explore_shows_years_and_the_best_game() {
    let stage = full();
    let start = stage.json("explore full.tabia");
    let (e4, d4) = (&start["moves"][0], &start["moves"][1]);
    assert_eq!(
        (&e4["first_year"], &e4["last_year"], &e4["game"]),
        (&1990.into(), &2024.into(), &"15e00123456789ab".into())
    );
    assert_eq!(
        (&d4["first_year"], &d4["last_year"], &d4["game"]),
        (&0.into(), &0.into(), &"0000000000000000".into())
    );
    let text = stage.good("explore full.tabia");
    let row = |first: &str| {
        text.lines()
            .find(|line| line.trim_start().starts_with(first))
            .unwrap_or_else(|| panic!("{first}: {text}"))
    };
    assert!(
        row("move").contains("years")
            && row("e4").contains("1990-2024")
            && !row("d4").contains("19"),
        "{text}"
    );
    assert!(
        text.contains("\nbest game 0123456789ab: e4, both players' ratings 5,600 together\n"),
        "{text}"
    );
    let rows = "463b96181691fc9c\t796\t81234\t40012\t1\t1990\t2024\n463b96181691fc9c\t731\t1\t0\t0\t0\t0\n";
    let names = "#game\tchess\n#keys\tpolyglot\n#moves\tkey\tmove\twins\tdraws\tlosses\tfirst_year\tlast_year\n";
    stage.write("years.tsv", names.to_owned() + rows);
    stage.good("load -o years.tabia years.tsv");
    let text = stage.good("explore years.tabia");
    assert!(
        text.contains("1990-2024")
            && text.contains("# wins")
            && text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    let plain = Stage::with_books();
    let text = plain.good("explore club.tabia");
    assert!(!text.contains("years") && !text.contains("best game"));
    assert!(
        !plain.json("explore club.tabia")["moves"][0]
            .as_object()
            .unwrap()
            .contains_key("first_year")
    );
}

#[test]
fn a_mark_leaves_the_cells_of_its_move() {
    let stage = full();
    let cells = || {
        let e4 = stage.json("explore full.tabia")["moves"][0].clone();
        ["average_rating", "first_year", "last_year", "game"].map(|name| e4[name].clone())
    };
    let before = cells();
    for word in ["never", "always", "clear"] {
        stage.good(&format!("mark full.tabia --move e4 {word}"));
        assert_eq!(cells(), before, "{word}");
    }
    stage.good("compact full.tabia");
    assert_eq!(
        (cells(), &stage.json("info full.tabia")["facts"][4]["value"]),
        (before, &"white".into())
    );
}

#[test]
fn diff_shows_cells_and_facts_that_differ() {
    let stage = full();
    stage.good("dump full.tabia -o full.tsv");
    let text = String::from_utf8(stage.read("full.tsv")).unwrap();
    stage.write("cells.tsv", text.replace("\t1990\t", "\t1980\t"));
    stage.write("facts.tsv", text.replace("limit=20", "limit=21"));
    for name in ["cells", "facts"] {
        stage.good(&format!("load -o {name}.tabia {name}.tsv"));
    }
    let ran = stage.run("diff full.tabia cells.tabia");
    let pair: Vec<_> = ran.out.lines().take(2).collect();
    assert!(
        ran.code == Some(1)
            && pair[0].starts_with("-moves\t463b96181691fc9c\t3\t0\t1\t796")
            && pair[0].ends_with("\t1990\t2024"),
        "{ran:?}"
    );
    assert!(
        pair[1].starts_with("+moves\t463b96181691fc9c\t3\t0\t1\t796")
            && pair[1].ends_with("\t1980\t2024"),
        "{ran:?}"
    );
    let ran = stage.run("diff full.tabia facts.tabia");
    assert!(
        ran.code == Some(0) && ran.out.ends_with("sources    the same\nfacts      not the same\n"),
        "{ran:?}"
    );
    let diff: Value =
        serde_json::from_str(&stage.run("diff full.tabia facts.tabia --json").out).unwrap();
    assert_eq!(
        (&diff["same"], &diff["same_sources"], &diff["same_facts"]),
        (&true.into(), &true.into(), &false.into())
    );
}

#[test]
fn a_book_without_a_column_takes_no_cells_of_it() {
    let stage = full();
    stage.good("build -q -o club.tabia --tables moves club.pgn");
    stage.bad(
        "merge --into club.tabia full.tabia",
        &["club.tabia", "ratings, game, years", "tabia merge -o"],
    );
    stage.good("merge -q --into full.tabia club.tabia");
    stage.good("merge -q -o all.tabia full.tabia");
    assert_eq!(stage.json("info all.tabia")["columns"], json!(["ratings", "game", "years"]));
    assert_eq!(stage.json("info all.tabia")["sources"].as_array().unwrap().len(), 3);
}

#[test]
fn learned_counts_are_not_merged_with_games() {
    let stage = Stage::with_books();
    let text = stage.good("dump club.tabia");
    stage.write("learned.tsv", text.replace("#keyed", "#fact\t-\tcounts\tlearned\n#keyed"));
    stage.good("load -o learned.tabia learned.tsv");
    stage.bad("merge -o all.tabia learned.tabia league.tabia", &["learned"]);
}

/// The book with its columns renamed, so that no program of this version knows them.
fn strange(stage: &Stage, from: &str, to: &str) {
    let mut bytes = stage.read(from);
    let mut header = Header::parse(&bytes[..4096], bytes.len() as u64).unwrap();
    for section in &mut header.sections {
        section.tag = match section.tag {
            Tag([b'Y', rest @ ..]) => Tag([b'Z', rest[0], rest[1], rest[2]]),
            Tag([b'y', rest @ ..]) => Tag([b'z', rest[0], rest[1], rest[2]]),
            tag => tag,
        };
    }
    let (page, _) = header.seal();
    let last = bytes.len() - 4096;
    bytes[..4096].copy_from_slice(&page);
    bytes[last..].copy_from_slice(&page);
    stage.write(to, bytes);
}

#[test]
fn columns_of_a_later_version_are_reported_and_never_lost_in_silence() {
    let stage = full();
    strange(&stage, "full.tabia", "later.tabia");
    let info = stage.json("info later.tabia");
    assert_eq!(
        (&info["columns"], &info["unknown_columns"]),
        (&json!(["ratings", "game"]), &json!(["ZEAR"]))
    );
    assert!(stage.good("info later.tabia").contains("ZEAR, which this program doesn't know"));
    let check = stage.json("check later.tabia");
    assert_eq!((&check["ok"], &check["unknown_columns"]), (&true.into(), &json!(["ZEAR"])));
    assert!(stage.good("check later.tabia").contains("column `ZEAR` is not known"));
    assert!(stage.good("get later.tabia 463b96181691fc9c").contains("15e00123456789ab"));
    for verb in [
        "merge -o new.tabia later.tabia",
        "trim -o new.tabia --min-games 1 later.tabia",
        "merge --into full.tabia later.tabia",
    ] {
        stage.bad(verb, &["later.tabia", "ZEAR", "newer tabia"]);
    }
    let saved = stage.json("salvage later.tabia -o saved.tabia");
    assert_eq!(
        (&saved["unknown_columns"], &saved["moves"]["lost"], &saved["facts"], &saved["cells"]),
        (&json!(["ZEAR"]), &0.into(), &true.into(), &0.into())
    );
    assert!(
        stage.good("salvage later.tabia -o saved.tabia --force").contains("`ZEAR` was left out")
    );
    assert_eq!(stage.json("info saved.tabia")["columns"], json!(["ratings", "game"]));
}

#[test]
fn damaged_cells_cost_no_rows() {
    let stage = full();
    let mut bytes = stage.read("full.tabia");
    let header = Header::parse(&bytes[..4096], bytes.len() as u64).unwrap();
    let years = header.section(Tag(*b"YEAR")).unwrap();
    bytes[years.offset as usize..(years.offset + years.length) as usize].fill(1);
    stage.write("bad.tabia", bytes);
    assert_eq!(stage.run("check bad.tabia").code, Some(1));
    let saved = stage.json("salvage bad.tabia -o saved.tabia");
    assert_eq!((&saved["moves"]["lost"], &saved["cells"]), (&0.into(), &2.into()));
    assert!(stage.good("salvage bad.tabia -o saved.tabia --force").contains("2 cells lost"));
    let e4 = &stage.json("explore saved.tabia")["moves"][0];
    assert_eq!((&e4["game"], &e4["first_year"]), (&"15e00123456789ab".into(), &0.into()));
}

/// A book with incompatible feature bit 0, as books with ratings had before the format was final.
#[test]
fn b20_a_book_of_an_unreleased_version_is_refused_in_one_line() {
    let stage = Stage::with_books();
    let mut bytes = stage.read("club.tabia");
    let last = bytes.len() - 4096;
    for page in [0, last] {
        bytes[page + 16] |= 1;
        let crc = crc32(&bytes[page..page + 4092]);
        bytes[page + 4092..page + 4096].copy_from_slice(&crc.to_le_bytes());
    }
    stage.write("old.tabia", bytes);
    for args in [
        "info old.tabia",
        "check old.tabia",
        "explore old.tabia",
        "get old.tabia 463b96181691fc9c",
        "dump old.tabia",
        "salvage old.tabia -o new.tabia",
        "merge -o new.tabia club.tabia old.tabia",
        "merge --into old.tabia club.tabia",
        "add old.tabia league.pgn",
        "compact old.tabia",
        "trim -o new.tabia --min-games 1 old.tabia",
        "diff club.tabia old.tabia",
        "mark old.tabia --move e4 never",
        "play old.tabia",
    ] {
        stage.bad(args, &["old.tabia", "unreleased version of Tabia", "build it again"]);
    }
}

/// Positions whose hashes are in the first of eight shares, as text.
fn close_together() -> String {
    let rows =
        (0..20_000u64).map(|number| unmix(mix(number) >> 3)).map(|key| format!("{key:016x}\t1\n"));
    format!("#game\tgo\n#keys\tz\n#positions\tkey\twins\n{}", rows.collect::<String>())
}

#[test]
fn d7_crowded_tables_are_warned_of() {
    let stage = Stage::new();
    stage.write("rows.tsv", close_together());
    let warned = |ran: crate::stage::Ran| {
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(ran.err.starts_with("tabia: warning: ") && ran.err.lines().count() == 1, "{ran:?}");
        assert!(
            ["crowded", "positions", "collide", "merge --share"]
                .iter()
                .all(|word| ran.err.contains(word)),
            "{ran:?}"
        );
    };
    warned(stage.run("load -o crowded.tabia rows.tsv"));
    warned(stage.run("merge -o again.tabia crowded.tabia"));
    let ran = stage.run("check crowded.tabia");
    assert!(
        ran.code == Some(0) && ran.out.contains("crowded") && ran.out.contains("\nok: "),
        "{ran:?}"
    );
    let check = stage.json("check crowded.tabia");
    assert_eq!((&check["ok"], &check["crowded"]), (&true.into(), &json!(["positions"])));
    let quiet = stage.run("load -q -o quiet.tabia rows.tsv --json");
    assert!(quiet.err.is_empty() && quiet.out.contains("\"crowded\":[\"positions\"]"), "{quiet:?}");
    // What the warning advises: the book of that share is as fast as any.
    let share = stage.run("merge --share 1/8 -o share.tabia crowded.tabia");
    assert!(share.code == Some(0) && share.err.is_empty(), "{share:?}");
    let check = stage.json("check share.tabia");
    assert_eq!(
        (&check["crowded"], &stage.json("info share.tabia")["positions"]),
        (&json!([]), &20_000.into())
    );
    assert_eq!(stage.json("check again.tabia")["crowded"], json!(["positions"]));
}

#[test]
fn random_keys_are_not_crowded() {
    let stage = Stage::with_books();
    let mut rows: Vec<_> =
        (0..5_000).map(|number| PositionRow::new(number, counts(1, 0))).collect();
    sort_and_merge(&mut rows);
    let new = NewBook::new("go".parse().unwrap(), "z".parse().unwrap())
        .load("0.98".parse().unwrap())
        .positions(&rows);
    new.write(&Env::default(), &stage.path("full.tabia"), Existing::Refuse).unwrap();
    for book in ["club", "full"] {
        assert_eq!(stage.json(&format!("check {book}.tabia"))["crowded"], json!([]), "{book}");
    }
    let merged = stage.run("merge -o all.tabia club.tabia league.tabia");
    assert!(merged.code == Some(0) && merged.err.is_empty(), "{merged:?}");
}
