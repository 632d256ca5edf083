//! `add`, `merge` and `compact`: however games come together, the book is the same.

use crate::stage::{Stage, random_games};

#[test]
fn add_and_compact_equal_building_at_once() {
    let stage = Stage::with_books();
    stage.good("build -q -o all.tabia club.pgn league.pgn");
    let bare = stage.read("club.tabia");
    let added = stage.json("add club.tabia league.pgn");
    assert_eq!(
        (added["games"].as_u64(), added["sequence"].as_u64(), added["frames"].as_u64()),
        (Some(4), Some(1), Some(1))
    );
    assert_eq!(stage.read("club.tabia"), bare, "adding writes the journal only");
    assert_eq!(stage.good("dump club.tabia"), stage.good("dump all.tabia"));
    assert_ne!(stage.good("dump --bare club.tabia"), stage.good("dump all.tabia"));
    assert_eq!(stage.json("info club.tabia")["journal"]["frames"], 1);
    assert_eq!(stage.json("check club.tabia")["frames"], 1);
    assert_eq!(stage.json("explore club.tabia")["games"], 10);

    let compacted = stage.json("compact club.tabia");
    assert_eq!(
        (compacted["changed"].as_bool(), compacted["frames"].as_u64()),
        (Some(true), Some(1))
    );
    let (club, all) = (stage.json("info club.tabia"), stage.json("info all.tabia"));
    for fact in ["digest", "positions", "moves", "sources", "tables", "bytes"] {
        assert_eq!(club[fact], all[fact], "{fact}");
    }
    assert_eq!(club["journal"]["frames"], 0);
    assert_eq!(stage.good("dump club.tabia"), stage.good("dump all.tabia"));
    assert!(!stage.path("club.tabia-journal").exists());
    assert_eq!(stage.json("check club.tabia")["ok"], true);
    assert!(stage.good("compact club.tabia").contains("nothing to do"));
}

#[test]
fn an_archive_goes_in_once() {
    let stage = Stage::with_books();
    stage.bad("add club.tabia club.pgn", &["club.pgn", "already", "--allow-duplicate-sources"]);
    stage.good("add club.tabia league.pgn");
    stage.bad("add club.tabia league.pgn", &["league.pgn", "already", "--allow-duplicate-sources"]);
    stage.good("add club.tabia --allow-duplicate-sources league.pgn");
    assert_eq!(stage.json("explore club.tabia")["games"], 14);
}

#[test]
fn added_games_go_in_together_or_not_at_all() {
    let stage = Stage::with_books();
    stage.write("noise.bin", (0..=255u8).cycle().take(5000).collect::<Vec<_>>());
    stage.bad("add club.tabia league.pgn noise.bin", &["noise.bin"]);
    stage.bad("add club.tabia league.pgn missing.pgn", &["missing.pgn"]);
}

#[test]
fn add_obeys_max_ply_and_the_books_tables() {
    let stage = Stage::new();
    stage.good("build -q -o two.tabia --max-ply 2 --tables moves club.pgn");
    stage.good("build -q -o both.tabia --max-ply 2 --tables moves club.pgn league.pgn");
    stage.good("add two.tabia --max-ply 2 league.pgn");
    assert_eq!(stage.good("dump two.tabia"), stage.good("dump both.tabia"));
}

#[test]
fn merging_is_free_of_order_and_grouping() {
    let stage = Stage::with_books();
    stage.write("c.pgn", random_games(3, 40, 30));
    stage.write("d.pgn", random_games(4, 40, 30));
    stage.good("build -q -o c.tabia c.pgn");
    stage.good("build -q -o d.tabia d.pgn");
    stage.good("build -q -o all.tabia club.pgn league.pgn c.pgn d.pgn");
    let all = stage.read("all.tabia");
    stage.good("merge -o m1.tabia club.tabia league.tabia c.tabia d.tabia");
    stage.good("merge -o m2.tabia d.tabia c.tabia league.tabia club.tabia");
    stage.good("merge -o left.tabia club.tabia d.tabia");
    stage.good("merge -o right.tabia c.tabia league.tabia");
    let merged = stage.json("merge -o m3.tabia right.tabia left.tabia");
    for book in ["m1.tabia", "m2.tabia", "m3.tabia"] {
        assert!(stage.read(book) == all, "{book}");
    }
    assert_eq!(merged["digest"], stage.json("info all.tabia")["digest"]);
    stage.good("merge -o alone.tabia club.tabia");
    assert_eq!(stage.read("alone.tabia"), stage.read("club.tabia"));
}

#[test]
fn a_filter_stays_with_a_book() {
    let stage = Stage::with_books();
    stage.write("c.pgn", random_games(3, 40, 30));
    stage.good("build -q --filter -o filtered.tabia club.pgn");
    let info = stage.json("info filtered.tabia");
    assert_eq!(
        info["filter"].as_u64(),
        info["tables"][0]["bytes"].as_u64().map(|bytes| bytes / 12),
        "two bytes a slot of 24"
    );
    assert!(stage.good("info filtered.tabia").contains("filter "));
    assert_eq!(stage.json("info club.tabia")["filter"], serde_json::Value::Null);
    stage.good("merge --filter -o merged.tabia club.tabia");
    assert!(stage.read("merged.tabia") == stage.read("filtered.tabia"));
    stage.good("add -q filtered.tabia c.pgn");
    stage.good("compact filtered.tabia");
    stage.good("build -q --filter -o once.tabia club.pgn c.pgn");
    assert_eq!(
        stage.json("info filtered.tabia")["digest"],
        stage.json("info once.tabia")["digest"]
    );
    stage.good("build -q -o c.tabia c.pgn");
    stage.good("merge -o both.tabia c.tabia merged.tabia");
    assert!(stage.read("both.tabia") == stage.read("once.tabia"));
    stage.good("check both.tabia");
    assert_eq!(stage.good("dump both.tabia"), stage.good("dump filtered.tabia"));
}

#[test]
fn merging_into_a_book_equals_merging_to_a_new_one() {
    let stage = Stage::with_books();
    stage.good("merge -o all.tabia club.tabia league.tabia");
    assert_eq!(stage.json("merge --into club.tabia league.tabia")["sequence"], 1);
    assert_eq!(stage.good("dump club.tabia"), stage.good("dump all.tabia"));
    stage.good("compact club.tabia");
    assert_eq!(stage.json("info club.tabia")["digest"], stage.json("info all.tabia")["digest"]);
}

#[test]
fn merging_takes_journals_along() {
    let stage = Stage::with_books();
    stage.write("c.pgn", random_games(3, 10, 10));
    stage.good("add -q club.tabia c.pgn");
    stage.good("merge -o all.tabia club.tabia league.tabia");
    stage.good("build -q -o once.tabia club.pgn league.pgn c.pgn");
    assert_eq!(stage.read("all.tabia"), stage.read("once.tabia"));
}

#[test]
fn books_that_dont_go_together_are_refused() {
    let stage = Stage::with_books();
    stage.good("merge -o all.tabia club.tabia league.tabia");
    stage.bad(
        "merge -o twice.tabia club.tabia all.tabia",
        &["all.tabia", "club.pgn", "--allow-duplicate-sources"],
    );
    stage.bad(
        "merge --into all.tabia club.tabia",
        &["club.tabia", "club.pgn", "--allow-duplicate-sources"],
    );
    stage.bad("merge --into club.tabia ./club.tabia", &["itself"]);
    stage.good("merge --allow-duplicate-sources -o twice.tabia club.tabia all.tabia");
    assert_eq!(stage.json("explore twice.tabia")["games"], 16);
    stage.write("go.tsv", "#positions\tkey\twins\n0000000000000001\t1\n");
    stage.good("load -o go.tabia --game go --keys zobrist go.tsv");
    stage.good("load -o other.tabia --game chess --keys mine go.tsv");
    stage.good("build -q -o bare.tabia --tables positions league.pgn");
    stage.bad("merge -o x.tabia club.tabia go.tabia", &["club.tabia", "go.tabia", "chess"]);
    stage.bad("merge -o x.tabia club.tabia other.tabia", &["club.tabia", "other.tabia", "keys"]);
    stage.bad("merge -o x.tabia club.tabia bare.tabia", &["bare.tabia", "moves"]);
    stage.bad("merge --into club.tabia go.tabia", &["go.tabia", "chess"]);
    stage.bad("diff club.tabia go.tabia", &["club.tabia", "go.tabia"]);
    stage.bad("merge -o league.tabia club.tabia", &["league.tabia", "--force"]);
    stage.bad("merge club.tabia", &["--into"]);
    stage.bad("merge -o x.tabia --into club.tabia league.tabia", &["--into"]);
    stage.bad("add go.tabia club.pgn", &["go.tabia", "rules of go"]);
}
