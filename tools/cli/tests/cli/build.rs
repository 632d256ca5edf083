//! `build`, `add` and `merge`: nothing but the games shows in the bytes, however they come together.

use crate::stage::{Stage, data, random_games};

#[test]
fn the_load_shows_in_the_size() {
    let stage = Stage::new();
    stage.write("many.pgn", random_games(1, 60, 40));
    let size = |load: &str| {
        stage.json(&format!("build -q --force -o t.tabia --load {load} many.pgn"))["bytes"].as_u64()
    };
    assert!(size("0.98") < size("0.8") && size("0.8") < size("0.5"));
    assert_eq!(stage.json("info t.tabia")["load"], 0.5);
}

#[test]
fn standard_input_is_an_archive_told_by_its_content() {
    let stage = Stage::new();
    let packed = zstd::encode_all(&stage.read("club.pgn")[..], 3).unwrap();
    let ran = stage.run_with("build -o piped.tabia -", &packed);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(stage.json("info piped.tabia")["sources"][0]["name"], "-");
    stage.good("build -q -o club.tabia club.pgn");
    assert_eq!(stage.run("diff club.tabia piped.tabia").code, Some(0));
}

#[test]
fn fifty_archives_added_one_by_one_and_compacted_are_one_build() {
    let stage = Stage::new();
    let names: Vec<String> = (0..50).map(|week| format!("week-{week:02}.pgn")).collect();
    for (week, name) in names.iter().enumerate() {
        stage.write(name, random_games(week as u64, 5, 20));
    }
    stage.good(&format!("build -q -o all.tabia {}", names.join(" ")));
    stage.good("build -q -o grown.tabia week-00.pgn");
    names[1..].iter().for_each(|name| drop(stage.good(&format!("add -q grown.tabia {name}"))));
    stage.good("compact -q grown.tabia");
    assert_eq!(stage.json("info grown.tabia")["digest"], stage.json("info all.tabia")["digest"]);
    assert_eq!(stage.good("diff grown.tabia all.tabia"), stage.good("diff all.tabia all.tabia"));
}

/// Games that are looked for twice go another way to the book, by spools, and count there just the
/// same.
#[test]
fn what_is_wanted_is_the_same_with_dedup() {
    let stage = Stage::new();
    std::fs::copy(data("players.pgn"), stage.path("games.pgn")).unwrap();
    for options in [
        "--keyed line",
        "--white-only",
        "--black-only --evals",
        "--results unknown",
        "--player ada --evals",
        "--min-plies 3 --keyed line --ratings",
    ] {
        stage.good(&format!("build -q --force -o straight.tabia {options} club.pgn games.pgn"));
        stage.good(&format!(
            "build -q --force --dedup exact -o spooled.tabia {options} club.pgn games.pgn"
        ));
        // The facts tell how each was made.
        let [straight, spooled] =
            ["straight", "spooled"].map(|book| stage.dump(&format!("{book}.tabia"), &["#fact"]));
        assert!(straight == spooled, "{options}");
    }
}
