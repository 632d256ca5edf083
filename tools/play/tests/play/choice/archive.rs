//! The paper's algorithms read naively, with an archive of games in place of a book: for random
//! games, and for courses that leave them and come back.

use crate::memory::history;
use crate::shared::{Content, Shelf, player, random_games};
use num_bigint::BigInt;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use tabia::{Keyed, Row};
use tabia_games::{Chess, Game, Side};
use tabia_play::choice::{GameHistory, Limits, Seed};

/// For every position of an archive: its games, and half points of White.
struct Archive(HashMap<u64, (u64, u64)>);

impl Archive {
    fn of_games(games: &[String]) -> Self {
        let mut archive = HashMap::<u64, (u64, u64)>::new();
        for game in games {
            let (result, moves) = game.split_once(' ').unwrap();
            let half_points = match result {
                "1" => 2,
                "0" => 0,
                _ => 1,
            };
            let seen: HashSet<u64> = history(moves, Keyed::Position)
                .nodes()
                .iter()
                .map(|node| node.position.key())
                .collect();
            for key in seen {
                let entry = archive.entry(key).or_default();
                *entry = (entry.0 + 1, entry.1 + half_points);
            }
        }
        Self(archive)
    }

    /// Games and half points of a side, if there are any games.
    fn worth(&self, position: &Chess, side: Side) -> Option<(u64, u64)> {
        let &(games, white) = self.0.get(&position.key())?;
        Some((games, if side == Side::First { white } else { 2 * games - white }))
    }
}

/// V̂ times 2^300, rounded down, or one below.
fn estimate(rule: &str, (games, half): (u64, u64)) -> BigInt {
    let scaled = |over: u64, under: u64| (BigInt::from(over) << 300) / BigInt::from(under);
    match rule {
        "lcb" => {
            let square: BigInt = (BigInt::from(4) << 600) / BigInt::from(games);
            scaled(half, 2 * games) - square.sqrt()
        }
        "reg" => scaled(half + 1, 2 * games + 2),
        "reg2" => scaled(half + 200, 2 * games + 400),
        _ => scaled(half, 2 * games),
    }
}

fn compare(one: &BigInt, other: &BigInt) -> Ordering {
    let difference: BigInt = one - other;
    if difference.magnitude() <= BigInt::from(4).magnitude() {
        Ordering::Equal
    } else {
        one.cmp(other)
    }
}

/// The move's code that an algorithm returns; `rules` are the words of a spec.
fn naive(archive: &Archive, history: &GameHistory<Chess>, rules: &[&str]) -> Option<u16> {
    let (s, side) = (&history.present().position, history.present().position.side());
    if rules.contains(&"nr")
        && history.nodes().iter().any(|node| archive.worth(&node.position, side).is_none())
    {
        return None;
    }
    let rule = rules
        .iter()
        .copied()
        .find(|rule| !matches!(*rule, "nr" | "progress" | "min=none"))
        .unwrap_or("v");
    let progress = rules.contains(&"progress") || rule.starts_with("reg");
    let grandparent = history
        .plies()
        .checked_sub(2)
        .map(|ply| &history.nodes()[ply].position)
        .filter(|_| progress);
    let before =
        grandparent.and_then(|s| archive.worth(s, side)).map(|worth| estimate(rule, worth));
    let half = Some(BigInt::from(1) << 299).filter(|_| !rules.contains(&"min=none"));
    let legal = s.legal();
    let mut best: Option<(BigInt, u64, u16)> = None;
    for played in legal {
        let next = s.after(&played);
        let Some(worth) = archive.worth(&next, side) else { continue };
        let value = estimate(rule, worth);
        let passes = half.as_ref().is_none_or(|half| compare(&value, half).is_ge())
            && before.as_ref().is_none_or(|before| compare(&value, before).is_gt());
        let code = s.code(&played);
        let better = best.as_ref().is_none_or(|(most, games, least)| {
            compare(&value, most).then(worth.0.cmp(games)).then(least.cmp(&code)).is_gt()
        });
        if passes && better {
            best = Some((value, worth.0, code));
        }
    }
    best.map(|(.., code)| code)
}

/// Courses: beginnings of games, and what legal moves lead to from there.
fn courses(games: &[String]) -> Vec<GameHistory<Chess>> {
    let mut random = Seed { seed: 11, game: 0 }.of_game();
    let mut courses = Vec::new();
    for game in games {
        let moves: Vec<&str> = game.split(' ').skip(1).collect();
        let mut history =
            history(&moves[..random.below(moves.len() as u64) as usize].join(" "), Keyed::Position);
        for _ in 0..random.below(3) {
            let legal = history.present().position.legal();
            if let Some(played) = legal.get(random.below(legal.len().min(9) as u64) as usize) {
                history.play(played);
            }
        }
        courses.push(history);
    }
    courses
}

/// Games of which three of four end as their first moves say: by chance no score would be sure.
fn decided(games: Vec<String>) -> Vec<String> {
    let end = |(index, game): (usize, String)| {
        let sum: usize = game.bytes().skip(2).take(9).map(usize::from).sum();
        if index % 4 == 0 { game } else { format!("{}{}", ["1", "0", "="][sum % 3], &game[1..]) }
    };
    games.into_iter().enumerate().map(end).collect()
}

#[test]
fn algorithms_choose_what_their_naive_reading_chooses() {
    let games = decided(random_games(5, 1500, 7));
    let stack = Shelf::new();
    let book = stack.book("all", &Content::of_games(&games));
    let archive = Archive::of_games(&games);
    assert_eq!(
        archive.0.len(),
        Content::of_book(&book).positions.iter().map(Row::key).collect::<HashSet<_>>().len()
    );
    let specs = "v lcb nr nr+lcb progress nr+progress reg reg2 nr+reg nr+reg2 lcb,progress=yes";
    for text in specs.split(' ') {
        let player = player(&book, text, &history("", Keyed::Position));
        let words: Vec<&str> = text.trim_end_matches("=yes").split(['+', ',']).collect();
        let (mut moves, mut none) = (0, 0);
        for history in courses(&games) {
            let decision = player.decide(&history, &Limits::default()).unwrap();
            let chosen = decision.choice.chosen.map(|place| decision.candidates[place].code);
            assert_eq!(
                chosen,
                naive(&archive, &history, &words),
                "{text} {} {:?}",
                history.present().position.setup(),
                decision.choice
            );
            if chosen.is_some() { moves += 1 } else { none += 1 }
        }
        assert!(moves > 20 && none > 20, "{text}: {moves} moves, {none} times none");
    }
}
