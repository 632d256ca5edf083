//! Opening suites out of a book of random games, against a model.

use std::collections::{BTreeMap, BTreeSet};
use tabia::{Book, Env};
use tabia_build::{ArchiveList, BuildPlan};
use tabia_games::{Chess, Game, Known};
use tabia_interop::suite::{self, FoundOpenings, Opening, SuiteOptions, SuiteOrder};
use tabia_testing::Rng;

/// The keys of a game's positions, and what it is worth for White: 2, 1 or 0.
type Played = (Vec<u64>, u64);

/// A book of random games of ten plies, and the games.
fn book() -> (tempfile::TempDir, Book, Vec<Played>) {
    let (mut rng, mut text, mut legal) = (Rng::new(3), String::new(), Vec::new());
    let game = |_| {
        let (mut position, points) = (Chess::start(), rng.below(3));
        let mut keys = vec![position.key()];
        let result = ["0-1", "1/2-1/2", "1-0"][points as usize];
        text += &format!("[Result \"{result}\"]\n\n");
        for _ in 0..10 {
            position.legal_moves(&mut legal);
            // Few choices at the start of the list, so that games have beginnings in common.
            let played = legal[rng.index(legal.len().min(6))];
            text += &format!("{} ", position.notation(&played));
            position.play(&played);
            keys.push(position.key());
        }
        text += &format!("{result}\n\n");
        (keys, points)
    };
    let games = (0..3000).map(game).collect();
    let folder = tempfile::tempdir().unwrap();
    let [archive, path] = ["games.pgn", "games.tabia"].map(|name| folder.path().join(name));
    std::fs::write(&archive, text).unwrap();
    let archives = ArchiveList::of(&[archive]).unwrap();
    let plan = BuildPlan::new(Known::Chess(Chess::start()));
    plan.build(&Env::default(), &archives, &path, &mut ()).unwrap();
    let book = Book::open(&path).unwrap();
    (folder, book, games)
}

/// Games and points of White by position, and the positions at a ply: what a search over pairs of
/// positions that follow each other in a game finds.
fn model(
    games: &[Played],
    plies: u32,
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

fn found(book: &Book, plies: u32, min_games: u64) -> FoundOpenings<Chess> {
    let options = SuiteOptions { plies, min_games };
    suite::openings(book, &Chess::start(), &options, |_, _| Ok(())).unwrap()
}

fn epd(openings: &[Opening<Chess>]) -> String {
    let mut text = Vec::new();
    suite::write_epd(openings, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// Key, games and score in thousandths of the lines of an EPD.
fn lines(openings: &[Opening<Chess>]) -> Vec<(u64, u64, u64)> {
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
    epd(openings).lines().map(of).collect()
}

#[test]
fn a_suite_has_every_position_of_its_ply_once() {
    let (_folder, book, games) = book();
    for (plies, min_games) in [(0, 1), (1, 1), (4, 1), (4, 9), (6, 2)] {
        let (worth, positions) = model(&games, plies, min_games);
        let mut expected: Vec<_> = positions
            .iter()
            .map(|key| (*key, worth[key].0, worth[key].1 * 500 / worth[key].0))
            .collect();
        expected.sort_by_key(|&(key, games, _)| (std::cmp::Reverse(games), key));
        assert!(plies == 0 || expected.len() > 5);
        let found = found(&book, plies, min_games);
        assert_eq!(lines(&found.openings), expected, "{plies} plies, {min_games} games");
    }
}

#[test]
fn lines_lead_to_the_positions() {
    let (_folder, book, _) = book();
    let found = found(&book, 5, 4);
    let mut text = Vec::new();
    suite::write_pgn(&Chess::start(), &found.openings, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.lines().all(|line| line.len() < 80));
    let tags = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"1\"]\n";
    assert!(text.starts_with(tags), "{text}");
    let last = |moves: &str| {
        assert!(moves.ends_with("%} *"), "{moves}");
        let mut position = Chess::start();
        let words = moves.split('{').next().unwrap().split_whitespace();
        let moves = words.filter(|word| !word.ends_with('.'));
        moves.for_each(|played| position.play(&position.parse_move(played).unwrap()));
        position.key()
    };
    let keys: Vec<u64> =
        text.split("\n\n").filter(|part| part.starts_with("1. ")).map(last).collect();
    let expected: Vec<u64> = lines(&found.openings).iter().map(|line| line.0).collect();
    assert!(!keys.is_empty() && keys == expected);
}

#[test]
fn suites_are_drawn_by_a_number_that_other_positions_do_not_change() {
    let (_folder, book, _) = book();
    let chosen = |min_games, order, count| {
        let mut openings = found(&book, 4, min_games).openings;
        suite::choose(&mut openings, order, count);
        lines(&openings)
    };
    let all = chosen(3, SuiteOrder::Games, None);
    assert_eq!(chosen(3, SuiteOrder::Games, Some(5)), all[..5]);
    let drawn = chosen(3, SuiteOrder::Drawn(1), None);
    assert!(drawn != all && drawn != chosen(3, SuiteOrder::Drawn(2), None));
    assert_eq!(drawn.iter().collect::<BTreeSet<_>>(), all.iter().collect());
    assert_eq!(chosen(3, SuiteOrder::Drawn(1), Some(7)), drawn[..7]);
    let few = chosen(6, SuiteOrder::Drawn(1), None);
    assert_eq!(few, drawn.iter().copied().filter(|line| few.contains(line)).collect::<Vec<_>>());
}
