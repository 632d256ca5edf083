//! Books whose keys collide.

use crate::stage::Stage;
use serde_json::json;
use tabia::{mix, unmix};

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
    let holds = ran.code == Some(0) && ran.out.contains("crowded") && ran.out.contains("\nok: ");
    assert!(holds, "{ran:?}");
    let check = stage.json("check crowded.tabia");
    assert_eq!((&check["ok"], &check["crowded"]), (&true.into(), &json!(["positions"])));
    let quiet = stage.run("load -q -o quiet.tabia rows.tsv --json");
    assert!(quiet.err.is_empty() && quiet.out.contains("\"crowded\":[\"positions\"]"), "{quiet:?}");
    // What the warning advises: the book of that share is as fast as any.
    let share = stage.run("merge --share 1/8 -o share.tabia crowded.tabia");
    assert!(share.code == Some(0) && share.err.is_empty(), "{share:?}");
    let check = stage.json("check share.tabia");
    let found = (&check["crowded"], &stage.json("info share.tabia")["positions"]);
    assert_eq!(found, (&json!([]), &20_000.into()));
    assert_eq!(stage.json("check again.tabia")["crowded"], json!(["positions"]));
}
