//! `export`: opening suites out of a book.

use crate::stage::{Stage, random_games};
use std::collections::{BTreeMap, BTreeSet};
use tabia_games::{Chess, Game};

/// The games of a text by `random_games`, as keys of positions, and what each is worth for White:
/// 2, 1 or 0.
fn replayed(text: &str) -> Vec<(Vec<u64>, u64)> {
    let games = text.split("[Event").skip(1).map(|game| game.split("\n\n").nth(1).unwrap_or(""));
    let replay = |moves: &str| {
        let (mut position, mut keys, mut points) = (Chess::start(), vec![Chess::start().key()], 1);
        for word in moves.split_whitespace() {
            match word {
                "1-0" => points = 2,
                "0-1" => points = 0,
                "1/2-1/2" => points = 1,
                played => {
                    position.play(&position.parse_move(played).unwrap());
                    keys.push(position.key());
                }
            }
        }
        (keys, points)
    };
    games.map(replay).collect()
}

/// Games and points of White by position, and the positions at each ply: what a search over pairs
/// of positions that follow each other in a game finds.
fn model(
    games: &[(Vec<u64>, u64)],
    plies: usize,
    min_games: u64,
) -> (BTreeMap<u64, (u64, u64)>, BTreeSet<u64>) {
    let (mut worth, mut edges) =
        (BTreeMap::<u64, (u64, u64)>::new(), BTreeMap::<u64, BTreeSet<u64>>::new());
    for (keys, points) in games {
        for key in keys.iter().collect::<BTreeSet<_>>() {
            let sum = worth.entry(*key).or_default();
            *sum = (sum.0 + 1, sum.1 + points);
        }
        for pair in keys.windows(2) {
            edges.entry(pair[0]).or_default().insert(pair[1]);
        }
    }
    let mut now = BTreeSet::from([games[0].0[0]]);
    let mut seen = now.clone();
    for _ in 0..plies {
        let next: BTreeSet<u64> =
            now.iter().filter_map(|key| edges.get(key)).flatten().copied().collect();
        now = next
            .into_iter()
            .filter(|key| worth[key].0 >= min_games && !seen.contains(key))
            .collect();
        seen.extend(&now);
    }
    (worth, now)
}

/// Key, games and score in thousandths of the lines of an EPD.
fn lines(epd: &str) -> Vec<(u64, u64, u64)> {
    let of = |line: &str| {
        let (position, rest) = line.split_once(" hmvc ").unwrap_or_else(|| panic!("{line}"));
        assert_eq!(position.split(' ').count(), 4, "{line}");
        let operations: Vec<&str> = rest.split("; ").collect();
        let [half_moves, moves, comment] = operations.as_slice() else { panic!("{line}") };
        let fen = format!("{position} {half_moves} {}", moves.strip_prefix("fmvn ").unwrap());
        let position = Chess::from_setup(&fen).unwrap();
        assert_eq!(position.setup(), fen);
        let said =
            comment.strip_prefix("c0 \"").and_then(|said| said.strip_suffix("%\";")).unwrap();
        let (games, score) = said.split_once(" games, ").unwrap();
        (position.key(), games.parse().unwrap(), score.replace('.', "").parse().unwrap())
    };
    epd.lines().map(of).collect()
}

fn stage() -> (Stage, Vec<(Vec<u64>, u64)>) {
    let (stage, text) = (Stage::new(), random_games(3, 3000, 10));
    stage.write("games.pgn", &text);
    stage.good("build -q -o games.tabia games.pgn");
    (stage, replayed(&text))
}

#[test]
fn a_suite_has_every_position_of_its_ply_once() {
    let (stage, games) = stage();
    for (plies, min_games) in [(0, 1), (1, 1), (4, 1), (4, 9), (6, 2)] {
        let (worth, positions) = model(&games, plies, min_games);
        let epd = stage.good(&format!(
            "export suite games.tabia --format epd --plies {plies} --min-games {min_games}"
        ));
        let mut expected: Vec<_> = positions
            .iter()
            .map(|key| (*key, worth[key].0, worth[key].1 * 500 / worth[key].0))
            .collect();
        expected.sort_by_key(|&(key, games, _)| (std::cmp::Reverse(games), key));
        assert!(plies == 0 || expected.len() > 5);
        assert_eq!(lines(&epd), expected, "{plies} plies, {min_games} games");
    }
}

#[test]
fn lines_lead_to_the_positions() {
    let (stage, _) = stage();
    let made = stage.json("export suite games.tabia -o suite.pgn --plies 5 --min-games 4");
    stage.good("export suite games.tabia -o suite.epd --plies 5 --min-games 4");
    let text = stage.text("suite.pgn");
    assert!(
        text.lines().all(|line| line.len() < 80)
            && text
                .starts_with("[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"1\"]\n")
    );
    let movetext = text.split("\n\n").filter(|part| part.starts_with("1. "));
    let last = |moves: &str| {
        assert!(moves.ends_with("%} *"), "{moves}");
        let mut position = Chess::start();
        let words =
            moves.split('{').next().unwrap().split_whitespace().filter(|word| !word.ends_with('.'));
        words.for_each(|played| position.play(&position.parse_move(played).unwrap()));
        position.key()
    };
    let keys: Vec<u64> = movetext.map(last).collect();
    assert_eq!(keys, lines(&stage.text("suite.epd")).iter().map(|line| line.0).collect::<Vec<_>>());
    assert_eq!(made["openings"].as_u64(), Some(keys.len() as u64), "{made}");
    let built = stage.json("build -q -o again.tabia --allow-empty suite.pgn");
    assert_eq!(
        built["skipped"]["no_result"].as_u64(),
        Some(keys.len() as u64),
        "games without results are no games of a book: {built}"
    );
}

#[test]
fn suites_are_balanced_and_drawn_as_asked() {
    let (stage, _) = stage();
    let suite = |options: &str| {
        lines(&stage.good(&format!(
            "export suite games.tabia --format epd --plies 4 --min-games 3 {options}"
        )))
    };
    let all = suite("");
    let balanced: Vec<_> =
        all.iter().copied().filter(|line| (450..=550).contains(&line.2)).collect();
    let within = suite("--score 45..55");
    assert!(balanced.len() > 3 && balanced.len() < all.len());
    assert!(
        within.iter().all(|line| balanced.contains(line)) && balanced.len() - within.len() < 3,
        "told to a tenth, asked exactly"
    );
    assert_eq!(suite("--count 5"), all[..5]);
    let drawn = suite("--seed 1");
    assert!(drawn != all && drawn != suite("--seed 2"));
    assert_eq!(drawn.iter().collect::<BTreeSet<_>>(), all.iter().collect());
    assert_eq!(suite("--seed 1 --count 7"), drawn[..7]);
    // Other positions in the book don't change the order of these.
    let few = lines(
        &stage.good("export suite games.tabia --format epd --plies 4 --min-games 6 --seed 1"),
    );
    assert_eq!(few, drawn.iter().copied().filter(|line| few.contains(line)).collect::<Vec<_>>());
    let made = stage
        .json("export suite games.tabia -o x.epd --plies 4 --min-games 3 --score 45..55 --count 2");
    let numbers =
        ["openings", "unbalanced", "more"].map(|name| made[name].as_u64().unwrap() as usize);
    assert_eq!(numbers, [2, all.len() - within.len(), within.len() - 2], "{made}");
}
