//! Which openings are taken, and in which order.

use super::walk::Opening;
use tabia::mix;
use tabia_games::Game;

/// The order of a suite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SuiteOrder {
    /// Those with the most games first.
    #[default]
    Games,
    /// As drawn from a hat with this seed, the same on all machines.
    Drawn(u64),
}

/// Orders openings, and keeps the first `count`.
pub fn choose<G: Game>(openings: &mut Vec<Opening<G>>, order: SuiteOrder, count: Option<usize>) {
    if let SuiteOrder::Drawn(seed) = order {
        // A position's place follows from its key and the seed alone: what else the book holds
        // changes no other's order.
        openings
            .sort_by_cached_key(|opening| (mix(opening.node.key ^ mix(seed)), opening.node.key));
    }
    openings.truncate(count.unwrap_or(usize::MAX));
}
