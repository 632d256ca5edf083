//! Shares of the hashes: made by several processes, checked as a set, asked as one book, and merged
//! to the book that one build makes.

use crate::stage::{Ran, Stage, random_games};
use serde_json::{Value, json};
use std::process::Stdio;

/// A stage with `whole.tabia`, the book of three archives, and books `a`, `b` and `c` of one each.
fn parts() -> Stage {
    let stage = Stage::new();
    for (seed, name) in [(1, "a"), (2, "b"), (3, "c")] {
        stage.write(&format!("{name}.pgn"), games(seed));
        stage.good(&format!("build -q --ratings --years --games -o {name}.tabia {name}.pgn"));
    }
    stage.good("build -q --ratings --years --games -o whole.tabia a.pgn b.pgn c.pgn");
    stage
}

/// Random games of players with ratings, in some year.
fn games(seed: u64) -> String {
    let tags = |number: u64| {
        let (white, black, year) =
            (2000 + number * 7 % 600, 1900 + number * 13 % 700, 1980 + number * 5 % 40);
        format!("[WhiteElo \"{white}\"]\n[BlackElo \"{black}\"]\n[Date \"{year}.01.02\"]\n[Result")
    };
    let text = random_games(seed, 30, 30);
    let mut games = text.split("[Result");
    let first = games.next().unwrap_or_default().to_owned();
    (seed * 100..).zip(games).fold(first, |text, (number, game)| text + &tags(number) + game)
}

/// Makes the books of all shares, in a folder, two processes at a time, each from the parts in
/// another order.
fn make_shares(stage: &Stage, count: usize, folder: &str) {
    std::fs::create_dir(stage.path(folder)).unwrap();
    let orders = [["a", "b", "c"], ["c", "b", "a"], ["b", "a", "c"]];
    let make = |number: usize| {
        let inputs = orders[number % orders.len()].map(|name| format!("{name}.tabia"));
        let (share, output) =
            (format!("{}/{count}", number + 1), format!("{folder}/{number}.tabia"));
        let mut command = stage.command(["merge", "-q", "--share", &share, "-o", &output]);
        command.args(inputs).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    for pair in (0..count).collect::<Vec<_>>().chunks(2) {
        let children: Vec<_> = pair.iter().map(|&number| make(number)).collect();
        for child in children {
            let ran = Ran::of(child.wait_with_output().unwrap());
            assert_eq!(ran.code, Some(0), "{ran:?}");
        }
    }
}

fn keys(stage: &Stage, book: &str) -> Vec<String> {
    let text = stage.good(&format!("dump {book} --table moves"));
    let rows = text.lines().filter(|line| !line.starts_with('#')).step_by(17);
    rows.map(|row| row[..16].to_owned())
        .chain(["463b96181691fc9c".to_owned(), "00000000000000ff".to_owned()])
        .collect()
}

#[test]
fn shares_made_by_two_processes_join_to_the_one_build() {
    let stage = parts();
    let keys = keys(&stage, "whole.tabia").join(" ");
    for count in [1, 4, 8] {
        let folder = format!("of-{count}");
        make_shares(&stage, count, &folder);
        let checked = stage.good(&format!("check {folder}"));
        assert!(
            count == 1 || checked.contains(&format!("ok: all {count} shares of one book")),
            "{checked}"
        );
        for verb in ["get", "get --json"] {
            assert_eq!(
                stage.good(&format!("{verb} {folder} {keys}")),
                stage.good(&format!("{verb} whole.tabia {keys}")),
                "{count}: {verb}"
            );
        }
        let explored = |book: &str, rest: &str| {
            let mut explored: Value =
                serde_json::from_str(&stage.good(&format!("explore {book} --json {rest}")))
                    .unwrap();
            explored.as_object_mut().unwrap().remove("share");
            explored
        };
        let files: Vec<_> =
            (0..count).rev().map(|number| format!("{folder}/{number}.tabia")).collect();
        assert_eq!(explored(&folder, ""), explored("whole.tabia", ""));
        assert_eq!(explored(&files.join(" "), "--moves a3"), explored("whole.tabia", "--moves a3"));
        assert_eq!(stage.good(&format!("explore {folder}")), stage.good("explore whole.tabia"));
        for inputs in [folder.clone(), files.join(" ")] {
            let merged = stage.json(&format!("merge --force -o joined.tabia {inputs}"));
            assert_eq!((&merged["books"], &merged["share"]), (&count.into(), &json!("1/1")));
            assert!(
                stage.read("joined.tabia") == stage.read("whole.tabia"),
                "{count} shares of {inputs}"
            );
        }
    }
}

#[test]
fn shares_of_shares_and_shares_of_one_kind_are_merged() {
    let stage = parts();
    stage.good("merge -q --share 2/4 -o whole-2.tabia whole.tabia");
    for name in ["a", "b", "c"] {
        stage.good(&format!("merge -q --share 2/4 -o {name}-2.tabia {name}.tabia"));
    }
    stage.good("merge -q -o again.tabia c-2.tabia a-2.tabia b-2.tabia");
    assert_eq!(stage.read("again.tabia"), stage.read("whole-2.tabia"));
    stage.good("merge -q --share 1/2 -o half.tabia whole.tabia");
    stage.good("merge -q --share 2/4 -o again-2.tabia half.tabia");
    assert_eq!(stage.read("again-2.tabia"), stage.read("whole-2.tabia"));
    let info = stage.json("info whole-2.tabia");
    assert_eq!(info["share"], json!("2/4"));
    assert!(stage.good("info whole-2.tabia").contains("share      2/4 of the hashes"));
    assert_eq!(
        info["sources"],
        stage.json("info whole.tabia")["sources"],
        "a share names all archives"
    );
}

#[test]
fn damage_in_one_share_is_placed() {
    let stage = parts();
    make_shares(&stage, 4, "set");
    let mut bytes = stage.read("set/2.tabia");
    bytes[4096 + 50] ^= 1;
    stage.write("set/2.tabia", bytes);
    let ran = stage.run("check set");
    assert!(
        ran.code == Some(1)
            && ran.out.contains("set/2.tabia: damaged: ")
            && ran.out.contains("set/1.tabia: ok: "),
        "{ran:?}"
    );
}

/// A share missing, there twice, or older than the others, packed or not: no verb answers from what
/// is left. A share alone is asked for by its own name only.
#[test]
fn a_folder_that_lacks_a_share_or_has_a_wrong_one_is_refused() {
    let stage = parts();
    make_shares(&stage, 4, "set");
    stage.good("merge -q --share 2/4 -o old.tabia a.tabia b.tabia");
    stage.good("pack -q -o packed.tabia set/2.tabia");
    let all = ["set/0", "set/1", "set/2", "set/3", "packed", "old"];
    for (folder, shares) in [
        ("lone", &[1][..]),
        ("missing", &[0, 1, 3]),
        ("lone-packed", &[4]),
        ("double", &[0, 1, 2, 3, 4]),
        ("older", &[0, 5, 2, 3]),
        ("older-packed", &[0, 5, 4, 3]),
    ] {
        std::fs::create_dir(stage.path(folder)).unwrap();
        for (number, &from) in shares.iter().enumerate() {
            for file in ["", "-games"] {
                let bytes = stage.read(&format!("{}.tabia{file}", all[from]));
                stage.write(&format!("{folder}/{number}.tabia{file}"), bytes);
            }
        }
        let said = ["share", folder];
        stage.bad(&format!("get {folder} 463b96181691fc9c"), &said);
        for verb in ["explore", "games", "tree", "serve --bind 127.0.0.1:0"] {
            stage.bad(&format!("{verb} {folder}"), &said);
        }
        if !folder.starts_with("lone") {
            // That archives would count twice may be seen first.
            stage.bad(&format!("merge -o joined.tabia {folder}"), &[folder]);
        }
        let checked = stage.run(&format!("check {folder}"));
        assert!(checked.code == Some(1) && checked.out.contains("no set of shares"), "{checked:?}");
    }
    let shown = stage.run("explore set/1.tabia");
    assert!(shown.code == Some(0) && shown.err.contains("share 2/4 of a book"), "{shown:?}");
}
