//! Games that can be searched to their end, against plain searches and published results.

use crate::shared::{Rng, depth, eval, nodes, plain_move, random, ranked};
use std::collections::{BTreeSet, HashSet};
use tabia_engines::{Ending, Eval};
use tabia_games::connect_four::Drop;
use tabia_games::{ConnectFour, Game, TicTacToe};
use tabia_search::{ConnectFourKnowledge, Options, Plain, Search, engine};

/// Every move of every position has the value of a plain search, and it is sure.
#[test]
fn tic_tac_toe_is_known() {
    let (mut open, mut seen) = (vec![TicTacToe::start()], HashSet::new());
    let mut engine = engine::<TicTacToe>();
    while let Some(position) = open.pop() {
        let moves = position.legal();
        if moves.is_empty() || !seen.insert(position.key()) {
            continue;
        }
        let ranking = ranked(&mut *engine, &position, moves.len(), &depth(10));
        assert_eq!(ranking.moves.len(), moves.len());
        for ranked in ranking.moves {
            let value = plain_move(&mut Plain, &position, &ranked.played, 10, 0);
            assert_eq!(ranked.eval, eval(value), "{} {:?}", position.setup(), ranked.played);
            let ending = match value.signum() {
                1 => Ending::Win,
                0 => Ending::Draw,
                _ => Ending::Loss,
            };
            assert_eq!(ranked.sure, Some(ending), "{}", position.setup());
        }
        open.extend(moves.iter().map(|played| position.after(played)));
    }
    assert_eq!(seen.len(), 765 - 138, "positions in which the game isn't over");
    let first = ranked(&mut *engine, &TicTacToe::start(), 9, &nodes(1_000_000));
    assert!(first.moves.iter().all(|ranked| ranked.sure == Some(Ending::Draw)));
}

fn board(columns: u32, cells: u32) -> ConnectFour {
    ConnectFour::start(columns, cells).expect("a size")
}

/// 4x4 and 5x4 are draws (Tromp's table of small boards).
#[test]
fn small_boards_of_connect_four_are_draws() {
    for (columns, cells) in [(4, 4), (5, 4)] {
        let start = board(columns, cells);
        let best = ranked(&mut *engine(), &start, 1, &nodes(20_000_000));
        assert_eq!(best.moves[0].sure, Some(Ending::Draw), "{columns}x{cells}");
        assert_eq!(best.moves[0].eval, Eval::Hundredths(0));
    }
}

/// The moves of late positions have the values of a plain search to the end.
#[test]
fn late_positions_of_connect_four_are_known() {
    let (mut engine, mut rng, mut ends) = (engine(), Rng::new(1), BTreeSet::new());
    for (start, plies) in
        [(board(4, 4), 9), (board(5, 4), 13), (board(5, 5), 18), (board(6, 4), 17)]
    {
        for _ in 0..60 {
            let position = random(&start, plies, &mut rng);
            if position.stones().map(u64::count_ones).iter().sum::<u32>() as usize != plies {
                continue; // A game that was over before.
            }
            let moves = position.legal();
            let ranking = ranked(&mut *engine, &position, moves.len(), &depth(30));
            for ranked in ranking.moves {
                let value = plain_move(&mut ConnectFourKnowledge, &position, &ranked.played, 30, 0);
                let ending =
                    ranked.sure.unwrap_or_else(|| panic!("{} is solved", position.setup()));
                assert_eq!(ending as i32 - 1, value.signum(), "{}", position.setup());
                ends.insert(ending);
            }
        }
    }
    assert_eq!(ends.len(), 3, "wins, draws and losses");
}

/// Without a hash table all values are those of a plain search to the same depth, for any number.
#[test]
fn values_are_exact_for_each_of_the_best() {
    let mut rng = Rng::new(2);
    let options = Options { entries: 0, ..Options::default() };
    for plies in 0..20 {
        let position = random(&board(6, 5), plies, &mut rng);
        let moves = position.legal();
        let value =
            |played: &Drop| eval(plain_move(&mut ConnectFourKnowledge, &position, played, 5, 0));
        let mut values: Vec<i64> = moves.iter().map(|played| value(played).hundredths()).collect();
        values.sort_unstable_by_key(|value| -value);
        for count in 1..=moves.len() {
            let mut search = Search::new(ConnectFourKnowledge, options);
            let ranking = ranked(&mut search, &position, count, &depth(5));
            assert_eq!(ranking.moves.len(), count);
            for (ranked, best) in ranking.moves.iter().zip(&values) {
                assert_eq!(ranked.eval, value(&ranked.played), "{}", position.setup());
                assert_eq!(ranked.eval.hundredths(), *best, "{}", position.setup());
            }
        }
    }
}
