//! What several tests share: random games, and searches without any cleverness.

use std::time::Duration;
use tabia_engines::{Ending, Engine, Eval, Limit, MoveHistory, Ranking};
use tabia_games::Game;
use tabia_search::{End, Evaluate, Unrest};

/// The score of a game just won; each ply before it takes 1.
pub const WON: i32 = 1_000_000;

pub use tabia_testing::Rng;

/// A position so many random plies behind the start, or the last one before the game's end.
pub fn random<G: Game>(start: &G, plies: usize, rng: &mut Rng) -> G {
    let mut position = start.clone();
    for _ in 0..plies {
        let moves = position.legal();
        let next = position.after(rng.pick(&moves));
        if next.legal().is_empty() {
            break;
        }
        position = next;
    }
    position
}

pub fn nodes(nodes: u64) -> Limit {
    Limit { nodes: Some(nodes), ..Limit::default() }
}

pub fn depth(depth: u32) -> Limit {
    Limit { depth: Some(depth), ..Limit::default() }
}

/// All moves of a position, ranked.
pub fn ranked<G: Game>(
    engine: &mut dyn Engine<G>,
    position: &G,
    count: usize,
    limit: &Limit,
) -> Ranking<G::Move> {
    let history = MoveHistory::new(position.clone());
    engine
        .rank(&history, &position.legal(), count, limit, Duration::from_secs(600))
        .expect("an answer")
}

/// What the end of a game is worth to the side to move.
pub fn score(end: End, ply: i32) -> i32 {
    match end {
        End::Ending(Ending::Win) => WON - ply,
        End::Ending(Ending::Draw) => 0,
        End::Ending(Ending::Loss) => ply - WON,
        End::Hundredths(hundredths) => hundredths,
    }
}

/// As a search tells a score.
pub fn eval(score: i32) -> Eval {
    let plies = WON - score.abs();
    match score {
        s if s > WON / 2 => Eval::Mate((plies + 1) / 2),
        s if s < -WON / 2 => Eval::Mate(-(plies / 2)),
        s => Eval::Hundredths(s),
    }
}

/// The value of a position for its side to move, by looking at every move to this depth, and on
/// where the evaluation is unrest.
pub fn plain<G: Game, E: Evaluate<G>>(evaluate: &mut E, position: &G, depth: i32, ply: i32) -> i32 {
    let mut moves = position.legal();
    if let Some(end) = evaluate.end(position, &moves) {
        return score(end, ply);
    }
    let mut best = -WON;
    if depth <= 0 {
        let unrest = evaluate.unrest(position, &mut moves);
        if unrest != Unrest::Must {
            best = evaluate.value(position);
        }
        if unrest == Unrest::Quiet {
            return best;
        }
    } else {
        evaluate.narrow(position, &mut moves);
    }
    for played in &moves {
        best = best.max(plain_move(evaluate, position, played, depth, ply));
    }
    best
}

/// The same of a move, for the side that makes it.
pub fn plain_move<G: Game, E: Evaluate<G>>(
    evaluate: &mut E,
    position: &G,
    played: &G::Move,
    depth: i32,
    ply: i32,
) -> i32 {
    let next = position.after(played);
    let value = plain(evaluate, &next, depth - 1, ply + 1);
    if next.side() == position.side() { value } else { -value }
}
