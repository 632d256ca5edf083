//! Shares of the hashes: made by several processes, checked as a set, asked as one book, and merged
//! to the book that one build makes. That this holds of all books, parts and shares is proven by the
//! engine's `sets`.

use crate::stage::{Stage, random_games};
use serde_json::json;

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

/// Makes the books of four shares, in a folder, each from the parts in another order.
fn make_shares(stage: &Stage, folder: &str) {
    std::fs::create_dir(stage.path(folder)).unwrap();
    let orders = ["a.tabia b.tabia c.tabia", "c.tabia b.tabia a.tabia", "b.tabia a.tabia c.tabia"];
    for (number, parts) in orders.iter().cycle().take(4).enumerate() {
        let share = number + 1;
        stage.good(&format!("merge -q --share {share}/4 -o {folder}/{number}.tabia {parts}"));
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
fn shares_are_checked_asked_and_merged_as_the_book_of_one_build() {
    let stage = parts();
    make_shares(&stage, "set");
    let checked = stage.good("check set");
    assert!(checked.contains("ok: all 4 shares of one book"), "{checked}");
    let keys = keys(&stage, "whole.tabia").join(" ");
    for verb in ["get", "get --json"] {
        let [shares, whole] =
            ["set", "whole.tabia"].map(|book| stage.good(&format!("{verb} {book} {keys}")));
        assert_eq!(shares, whole, "{verb}");
    }
    let files = "set/3.tabia set/2.tabia set/1.tabia set/0.tabia";
    for (books, line) in [("set", ""), (files, "--moves a3")] {
        let [shares, whole] = [books, "whole.tabia"].map(|book| {
            let mut explored = stage.json(&format!("explore {book} {line}"));
            explored.as_object_mut().unwrap().remove("share");
            explored
        });
        assert_eq!(shares, whole, "{books}");
        let merged = stage.json(&format!("merge --force -o joined.tabia {books}"));
        assert_eq!((&merged["books"], &merged["share"]), (&4.into(), &json!("1/1")));
        assert!(stage.read("joined.tabia") == stage.read("whole.tabia"), "{books}");
    }
}

#[test]
fn damage_in_one_share_is_placed() {
    let stage = parts();
    make_shares(&stage, "set");
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
    make_shares(&stage, "set");
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
