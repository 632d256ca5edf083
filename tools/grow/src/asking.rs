//! What is asked in a position of a game.

use crate::expansion::{Asked, Expansion, Found, target};
use crate::task::Question;
use tabia_games::{Game, Side};
use tabia_play::choice::GameHistory;

/// How many moves that the book doesn't have are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// None: what ends the game is enough.
    Ends,
    /// So many of the best of them, or one besides those that end the game.
    Best(usize),
    /// All, one by one, each searched as deep as the others.
    All,
}

/// Takes legal moves at the end of a game into an expansion that the book doesn't have: those that end
/// the game, and the question what the others are worth, of which so many are wanted. Where one wins,
/// it is all.
pub fn find<G: Game>(
    game: &GameHistory<G>,
    moves: Vec<(u16, G::Move)>,
    wanted: Wanted,
    expansion: &mut Expansion,
) {
    let (node, side) = (game.present(), game.present().position.side());
    let (mut ends, mut open) = (Vec::new(), Vec::new());
    for (code, played) in moves {
        let next = node.after(&played);
        let found = Found { from: node.key, target: target(node, code, &next) };
        match next.position.outcome() {
            None => open.push((code, played)),
            Some(end) if end.winner() == Some(side) => return expansion.ends.push(found),
            Some(_) => ends.push(found),
        }
    }
    let has_ends = !ends.is_empty();
    expansion.ends.extend(ends);
    match wanted {
        _ if open.is_empty() => {}
        Wanted::Ends => {}
        Wanted::Best(most) => {
            let count = if has_ends { 1 } else { most.min(open.len()) };
            expansion.asked.push(ask(game, &open, count, true));
        }
        Wanted::All => expansion.asked.extend(open.chunks(1).map(|one| ask(game, one, 1, true))),
    }
}

/// The question what the best of these moves are worth at the end of a game.
pub fn ask<G: Game>(
    game: &GameHistory<G>,
    among: &[(u16, G::Move)],
    count: usize,
    is_new: bool,
) -> Asked {
    let node = game.present();
    let moves = game.nodes().iter().zip(game.moves());
    let line = moves.map(|(node, played)| node.position.coordinates(played)).collect();
    let words = among.iter().map(|(_, played)| node.position.coordinates(played)).collect();
    let leads = |(code, played): &(u16, G::Move)| target(node, *code, &node.after(played));
    Asked {
        question: Question { line, among: words, count },
        from: node.key,
        second: node.position.side() == Side::Second,
        targets: among.iter().map(leads).collect(),
        is_new,
    }
}
