//! Played games with evaluated deviations: the invariant after each, counts as a replay has them, no
//! game counted twice, whoever works.

use crate::laws::{Drawn, drawn, place, start, workers};
use crate::shelf::{Nobody, Shelf, bytes, plan};
use crate::toy::{Place, Toy, key};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use tabia::{Book, Digest, Env, Flags, Keyed, Row, Source};
use tabia_games::{Game, Outcome, Side};
use tabia_grow::{Counted, Error, GrowingBook, PlayedGames};
use tabia_play::choice::GameHistory;
use tabia_play::explore::{Explorable, OpenBook};

/// A game: choices of moves, and the result if the rules don't say it.
type Choices = (Vec<usize>, u8);

/// The game that choices make, and how it ended.
fn game(drawn: &Drawn, (choices, result): &Choices) -> (GameHistory<Toy>, Outcome) {
    let mut history = GameHistory::start(drawn.toy(), Keyed::Position);
    for choice in choices {
        let legal = history.present().position.legal();
        let Some(played) = legal.get(choice % legal.len().max(1)) else { break };
        history.play(played);
    }
    let given_up =
        [Outcome::FirstWins, Outcome::Draw, Outcome::SecondWins][usize::from(*result % 3)];
    let outcome = history.present().position.outcome().unwrap_or(given_up);
    (history, outcome)
}

fn counted(number: usize, outcome: Outcome) -> Counted {
    let digest = Digest([number as u8 + 1; 16]);
    Counted { outcome, source: Source { digest, games: 1, name: format!("game {number}") } }
}

fn add(path: &Path, drawn: &Drawn, games: &[Choices], in_flight: usize, check: bool) {
    let mut book = GrowingBook::open(Env::default(), path, 1 << 12).unwrap();
    let (plan, workers) = (plan(1_000), workers(drawn, in_flight, &[1, 0, 2]));
    let mut played = PlayedGames::new(&mut book, &plan, &drawn.toy(), workers, &Nobody).unwrap();
    for (number, choices) in games.iter().enumerate() {
        let (history, outcome) = game(drawn, choices);
        let stop = played.add(&history, Some(&counted(number, outcome))).unwrap();
        assert_eq!(stop, None);
        if check {
            assert_eq!(drawn.lacking(&Book::open(path).unwrap()), Vec::<usize>::new());
        }
    }
    let _ = played.finish();
}

/// What games count for positions and moves: wins, draws and losses of the side to move.
fn expected(drawn: &Drawn, games: &[Choices]) -> BTreeMap<(u64, Option<u16>), [u32; 3]> {
    let mut all = BTreeMap::new();
    for choices in games {
        let (history, outcome) = game(drawn, choices);
        let mut seen = BTreeSet::new();
        let moves = history.moves().iter().map(Some).chain([None]);
        for (node, played) in history.nodes().iter().zip(moves) {
            let code = played.map(|played| node.code(played));
            for name in [Some(None), code.map(Some)].into_iter().flatten() {
                if seen.insert((node.key, name)) {
                    let sum: &mut [u32; 3] = all.entry((node.key, name)).or_default();
                    let counts = outcome.counts_for(node.position.side());
                    sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
                }
            }
        }
    }
    all
}

/// Game 1 has it shown that 1 is won, by 3; game 2 goes to 2 all the same, with 4 as its deviation; game 3
/// plays 4.
#[test]
fn positions_behind_a_proven_one_stay_complete() {
    let end = |outcome| Place { outcome: Some(outcome), ..place(Side::First, &[]) };
    let places = vec![
        place(Side::First, &[1]),
        place(Side::First, &[2, 4, 3]),
        place(Side::Second, &[6, 0, 4, 3]),
        place(Side::First, &[5]),
        place(Side::First, &[6]),
        end(Outcome::FirstWins),
        end(Outcome::Draw),
    ];
    let drawn = Drawn { evals: vec![0; places.len()], places, is_sure: true };
    let shelf = Shelf::new();
    let path = shelf.book("games.tabia", &[], &[]);
    add(&path, &drawn, &[(vec![0], 0), (vec![0, 0, 0], 0), (vec![0, 1, 0], 0)], 1, true);
    let passed = [2, 4].map(|at| Book::open(&path).unwrap().position(key(at)).unwrap().unwrap());
    assert!(passed.iter().all(|row| row.flags().contains(Flags::EXPANDED)));
}

/// Games that were counted already, by `tabia add`, are completed; none is counted in some shares alone.
#[test]
fn a_set_counts_no_game_and_is_completed_along_it() {
    let places = [[1, 2], [2, 3], [3, 4], [4, 0], [0, 1]].map(|moves| place(Side::First, &moves));
    let places = places.to_vec();
    let drawn = Drawn { evals: vec![0; places.len()], places, is_sure: false };
    let shelf = Shelf::new();
    let folder = shelf.shares();
    let mut book = GrowingBook::open_set(Env::default(), &folder, 1 << 12).unwrap();
    let (plan, workers) = (plan(1_000), workers(&drawn, 1, &[]));
    let mut played = PlayedGames::new(&mut book, &plan, &drawn.toy(), workers, &Nobody).unwrap();
    let (history, outcome) = game(&drawn, &(vec![0, 0, 0], 0));
    let refused = played.add(&history, Some(&counted(0, outcome)));
    assert!(matches!(refused, Err(Error::Book(tabia::Error::Shares { .. }))));
    let rows = || OpenBook::at(&folder).unwrap();
    assert_eq!(rows().rows().position(key(0)).unwrap(), None);
    assert_eq!(played.add(&history, None).unwrap(), None);
    assert_eq!(played.finish().expansions, 3);
    assert_eq!(drawn.lacking(rows().rows()), Vec::<usize>::new());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn games_go_in_once_with_deviations(
        drawn in drawn().prop_filter("it ends at once", start),
        games in prop::collection::vec((prop::collection::vec(0usize..5, 1..12), any::<u8>()), 1..6),
        in_flight in 1usize..4,
    ) {
        let shelf = Shelf::new();
        let path = shelf.book("games.tabia", &[], &[]);
        add(&path, &drawn, &games, 1, true);
        let book = Book::open(&path).unwrap();
        let expected = expected(&drawn, &games);
        for at in 0..drawn.places.len() {
            let row = book.position(key(at)).unwrap();
            let of = |counts: tabia::Counts| [counts.wins, counts.draws, counts.losses];
            let known = expected.get(&(key(at), None)).copied().unwrap_or_default();
            prop_assert_eq!(row.map(|row| of(row.counts())).unwrap_or_default(), known);
            for code in 0..drawn.places[at].moves.len() as u16 {
                let rows = book.moves(key(at)).unwrap();
                let row = rows.iter().find(|row| row.code() == code);
                let known = expected.get(&(key(at), Some(code))).copied().unwrap_or_default();
                prop_assert_eq!(row.map(|row| of(row.counts())).unwrap_or_default(), known);
            }
        }
        for choices in &games {
            let (history, outcome) = game(&drawn, choices);
            for node in &history.nodes()[..history.plies()] {
                let row = book.position(node.key).unwrap().unwrap();
                let is_decided = drawn.is_sure && row.flags().intersects(Flags::PROOFS);
                prop_assert!(row.flags().contains(Flags::EXPANDED) || is_decided);
            }
            let last = book.position(history.present().key).unwrap().unwrap();
            let ended = history.present().position.outcome().is_some();
            let is_public = last.flags().contains(Flags::PROVEN_DRAW | Flags::PUBLIC_DRAW);
            prop_assert_eq!(ended && outcome == Outcome::Draw, is_public && ended);
            let is_decided = last.flags().intersects(Flags::PROOFS);
            prop_assert!(is_decided == ended || is_decided && drawn.is_sure);
            prop_assert!(is_decided || last.eval().is_some() || last.flags().contains(Flags::EXPANDED));
        }
        drop(book);
        // Again: nothing is new. By others: the same bytes.
        let sources = |path: &Path| Book::open(path).unwrap().sources().unwrap().len();
        let before = sources(&path);
        add(&path, &drawn, &games, 2, false);
        prop_assert_eq!(sources(&path), before);
        let by_others = shelf.book("others.tabia", &[], &[]);
        add(&by_others, &drawn, &games, in_flight, false);
        prop_assert!(bytes(&by_others) == bytes(&path));
    }
}
