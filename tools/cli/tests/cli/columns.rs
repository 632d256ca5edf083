//! Books that are made otherwise: with damaged columns and with columns of a later version, with keys
//! that collide.

use crate::stage::{Stage, data};
use serde_json::json;
use tabia::format::{Header, Tag};
use tabia::{mix, unmix};

/// A stage with `full.tabia`: 1. e4 with all columns and 1. d4 with nothing in them, two sources
/// and some facts.
fn full() -> Stage {
    let stage = Stage::new();
    stage.good(&format!("load -q -o full.tabia {}", data("full.tsv").display()));
    stage
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
