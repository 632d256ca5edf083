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
