//! `check`, `salvage` and `diff`: damage is found and placed, what is sound is kept, changes are
//! shown.

use crate::stage::{Stage, random_games};
use serde_json::Value;

/// A book with several blocks in each table.
fn large() -> Stage {
    let stage = Stage::new();
    stage.write("many.pgn", random_games(21, 60, 40));
    stage.good("build -q -o many.tabia many.pgn");
    stage
}

fn flip(stage: &Stage, name: &str, at: usize) {
    let mut bytes = stage.read(name);
    bytes[at] ^= 0x10;
    stage.write(name, bytes);
}

fn check(stage: &Stage, book: &str) -> (Option<i32>, Value) {
    let ran = stage.run(&format!("check {book} --json"));
    (ran.code, serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}")))
}

#[test]
fn a_sound_book_is_ok() {
    let stage = large();
    let (code, report) = check(&stage, "many.tabia");
    assert_eq!(
        (code, &report["ok"], &report["bad"]),
        (Some(0), &true.into(), &serde_json::json!([]))
    );
    let info = stage.json("info many.tabia");
    let blocks: u64 = info["tables"]
        .as_array()
        .unwrap()
        .iter()
        .map(|table| table["bytes"].as_u64().unwrap().div_ceil(4096))
        .sum();
    assert_eq!(report["blocks"].as_u64(), Some(blocks));
    assert!(stage.good("check many.tabia").starts_with("ok: "));
}

#[test]
fn a_flipped_bit_is_found_and_placed() {
    let stage = large();
    let length = stage.read("many.tabia").len();
    for at in (0..length).step_by(4096 * 3 + 777).chain([length - 1, length - 4096, 4096]) {
        stage.copy("many.tabia", "bad.tabia");
        flip(&stage, "bad.tabia", at);
        let (code, report) = check(&stage, "bad.tabia");
        assert_eq!((code, &report["ok"]), (Some(1), &false.into()), "byte {at}");
        let bad = &report["bad"][0];
        assert!(
            bad["file"] == "bad.tabia" && bad["rule"].as_str().unwrap().starts_with("B-"),
            "byte {at}: {bad}"
        );
        let block = bad["block"]
            .as_u64()
            .is_none_or(|_| at as u64 / 4096 == bad["offset"].as_u64().unwrap() / 4096);
        assert!(block, "byte {at}: {bad}");
    }
    let ran = stage.run("check bad.tabia");
    assert!(
        ran.code == Some(1) && ran.out.contains("bad.tabia") && ran.out.contains("salvage"),
        "{ran:?}"
    );
}

#[test]
fn damage_in_the_header_counts_as_found() {
    let stage = large();
    stage.copy("many.tabia", "bad.tabia");
    flip(&stage, "bad.tabia", 300);
    let (code, report) = check(&stage, "bad.tabia");
    assert_eq!(
        (code, &report["ok"], report["bad"].as_array().unwrap().len()),
        (Some(1), &false.into(), 1)
    );
    stage.write("cut.tabia", &stage.read("many.tabia")[..9000]);
    assert_eq!(check(&stage, "cut.tabia").0, Some(1));
    stage.bad("check club.pgn", &["club.pgn", "not a Tabia book"]);
    stage.bad("check missing.tabia", &["missing.tabia"]);
}

#[test]
fn a_damaged_journal_is_found_and_a_torn_one_is_fine() {
    let stage = Stage::with_books();
    stage.good("add -q club.tabia league.pgn");
    let journal = stage.read("club.tabia-journal");
    stage.write("club.tabia-journal", &journal[..journal.len() - 3]);
    let (code, report) = check(&stage, "club.tabia");
    assert_eq!((code, &report["ok"], &report["frames"]), (Some(0), &true.into(), &0.into()));
    assert!(report["torn"].as_u64() > Some(0));
    stage.write("more.pgn", random_games(2, 5, 10));
    stage.write("club.tabia-journal", &journal);
    stage.good("add -q club.tabia more.pgn");
    flip(&stage, "club.tabia-journal", 120);
    let (code, report) = check(&stage, "club.tabia");
    assert_eq!((code, &report["bad"][0]["section"]), (Some(1), &"journal".into()));
    stage.bad("info club.tabia", &["club.tabia-journal", "J-5"]);
    stage.bad("compact club.tabia", &["club.tabia-journal", "J-5"]);
    stage.bad("add club.tabia odd.pgn", &["club.tabia-journal", "J-5"]);
}

#[test]
fn salvage_keeps_all_of_a_sound_book() {
    let stage = large();
    stage.good("salvage many.tabia -o same.tabia");
    assert_eq!(
        stage.read("same.tabia"),
        stage.read("many.tabia"),
        "nothing is lost of a sound book"
    );
}

#[test]
fn salvage_loses_the_damaged_block_only() {
    let stage = large();
    stage.copy("many.tabia", "bad.tabia");
    flip(&stage, "bad.tabia", 4096 * 3 + 50);
    let saved = stage.json("salvage bad.tabia -o saved.tabia");
    let lost = saved["positions"]["lost"].as_u64().unwrap();
    assert!((1..=172).contains(&lost), "{saved}");
    assert_eq!(
        (&saved["moves"]["lost"], &saved["sources"], &saved["bad"][0]["block"]),
        (&0.into(), &true.into(), &2.into())
    );
    assert_eq!(check(&stage, "saved.tabia").0, Some(0));
    let ran = stage.run("diff many.tabia saved.tabia --json");
    let diff: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        (ran.code, &diff["positions"]["removed"], &diff["positions"]["changed"]),
        (Some(1), &lost.into(), &0.into())
    );
    assert_eq!((&diff["positions"]["added"], &diff["moves"]["removed"]), (&0.into(), &0.into()));
    stage.bad("salvage bad.tabia -o saved.tabia", &["saved.tabia", "--force"]);
    stage.bad(
        "salvage --force bad.tabia -o bad.tabia",
        &["bad.tabia", "another argument names the same file"],
    );
    stage.bad("salvage club.pgn -o x.tabia", &["club.pgn"]);
    assert!(stage.good("salvage --force bad.tabia -o saved.tabia").contains("rows kept"));
}

#[test]
fn diff_shows_what_changed() {
    let stage = Stage::with_books();
    stage.good("build -q -o all.tabia club.pgn league.pgn");
    let same = stage.run("diff club.tabia club.tabia");
    assert_eq!(same.code, Some(0), "{same:?}");
    let ran = stage.run("diff club.tabia all.tabia --limit 3");
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.out.lines().filter(|line| line.starts_with('+')).count(), 3, "{}", ran.out);
    let diff: Value =
        serde_json::from_str(&stage.run("diff club.tabia all.tabia --json --limit 100000").out)
            .unwrap();
    let count = |table: &str, what: &str| diff[table][what].as_u64().unwrap();
    let (club, all) = (stage.json("info club.tabia"), stage.json("info all.tabia"));
    for table in ["positions", "moves"] {
        assert_eq!(count(table, "same") + count(table, "changed"), club[table].as_u64().unwrap());
        assert_eq!(
            club[table].as_u64().unwrap() + count(table, "added"),
            all[table].as_u64().unwrap()
        );
        assert_eq!(count(table, "removed"), 0);
    }
    let listed = diff["differences"].as_array().unwrap();
    assert_eq!(
        listed.len() as u64,
        ["positions", "moves"]
            .map(|table| count(table, "changed") + count(table, "added"))
            .iter()
            .sum::<u64>()
    );
    let start = listed
        .iter()
        .find(|pair| pair["key"] == "463b96181691fc9c" && pair["table"] == "positions")
        .unwrap();
    assert_eq!(
        (&start["first"], &start["second"]),
        (
            &"463b96181691fc9c\t2\t2\t2\t-\t0\t0".into(),
            &"463b96181691fc9c\t4\t3\t3\t-\t0\t0".into()
        )
    );
    assert_eq!((&diff["same"], &diff["same_sources"]), (&false.into(), &false.into()));
}
