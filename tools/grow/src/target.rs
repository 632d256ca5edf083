//! Where moves lead, as rows have it.

use serde::{Deserialize, Serialize};
use tabia::{Flags, Key};
use tabia_games::{Game, Node};

/// Where a move leads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// The move's code.
    pub code: u16,
    /// The position.
    pub key: Key,
    /// Whether the other side is to move there.
    pub turns: bool,
    /// The flags that say how the game ended, if it did, seen by the side to move there.
    pub ended: u8,
}

impl Target {
    /// Whether the move wins at once.
    pub fn wins(&self) -> bool {
        let winner = if self.turns { Flags::PROVEN_LOSS } else { Flags::PROVEN_WIN };
        self.ended == winner.bits()
    }
}

/// Where a move with this code leads.
pub fn target<G: Game>(from: &Node<G>, code: u16, next: &Node<G>) -> Target {
    let side = next.position.side();
    let ended = next.position.outcome().map_or(Flags::empty(), |outcome| match outcome.winner() {
        None => Flags::PROVEN_DRAW,
        Some(winner) if winner == side => Flags::PROVEN_WIN,
        Some(_) => Flags::PROVEN_LOSS,
    });
    Target { code, key: next.key, turns: side != from.position.side(), ended: ended.bits() }
}
