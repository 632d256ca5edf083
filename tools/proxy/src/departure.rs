//! Where a game left the book: after some plies outside it isn't worth looking up any more.

use tabia::Key;
use tabia_games::Game;
use tabia_play::choice::GameHistory;

/// Where the game that was last asked about left the books, if it did.
///
/// A GUI may take moves back, go on elsewhere or begin again: a game counts as the same one as long
/// as it still goes through the position in which the books knew nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Departure(Option<Left>);

/// The first position of a game of which the books knew nothing.
#[derive(Clone, Copy, Debug)]
struct Left {
    /// The position that the game began with.
    start: Key,
    ply: usize,
    key: Key,
}

impl Departure {
    /// How many plies ago this game left the books; none if it isn't known to have left them.
    pub fn plies_since<G: Game>(&self, history: &GameHistory<G>) -> Option<usize> {
        let nodes = history.nodes();
        let left = self.0.filter(|left| nodes[0].key == left.start)?;
        let is_same = nodes.get(left.ply).is_some_and(|node| node.key == left.key);
        is_same.then(|| history.plies() - left.ply)
    }

    /// The books were asked about the present position of a game, and know something of it or not.
    pub fn note<G: Game>(&mut self, history: &GameHistory<G>, is_known: bool) {
        if is_known {
            self.0 = None;
        } else if self.plies_since(history).is_none() {
            let (start, ply) = (history.nodes()[0].key, history.plies());
            self.0 = Some(Left { start, ply, key: history.present().key });
        }
    }
}
