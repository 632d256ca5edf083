//! What a search may still use.

use std::time::{Duration, Instant};
use tabia_engines::Limit;
use tabia_games::Side;

/// Positions and time. Time is only looked at if a limit of it was given.
#[derive(Debug)]
pub struct Budget {
    nodes: u64,
    most: u64,
    deadline: Option<Instant>,
}

/// After how many positions the clock is looked at.
const GLANCE: u64 = 256;

impl Budget {
    /// So many positions.
    pub fn of_nodes(most: u64) -> Self {
        Self { nodes: 0, most, deadline: None }
    }

    /// What a limit leaves for a move: without one `usual` positions, `patience` for a depth.
    pub fn of(limit: &Limit, side: Side, usual: u64, patience: Duration) -> Self {
        let clock = limit.clock.map(|clock| {
            let moves = clock.moves_to_go.unwrap_or(30).max(1);
            let left = clock.of(side);
            (left / moves + clock.control.increment / 2).min(left / 2)
        });
        let time = [limit.movetime, clock].into_iter().flatten().min();
        let (most, time) = match (limit.nodes, time, limit.depth) {
            (Some(nodes), time, _) => (nodes, time),
            (None, Some(time), _) => (u64::MAX, Some(time)),
            (None, None, Some(_)) => (u64::MAX, Some(patience)),
            (None, None, None) => (usual, None),
        };
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        Self { nodes: 0, most, deadline }
    }

    /// Takes one position; none if nothing is left.
    #[inline]
    pub fn take(&mut self) -> Option<()> {
        if self.nodes >= self.most {
            return None;
        }
        if self.nodes.is_multiple_of(GLANCE) && self.is_over() {
            self.most = self.nodes;
            return None;
        }
        self.nodes += 1;
        Some(())
    }

    /// Whether the time is over, if there is a limit of it.
    pub fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// How many positions were taken.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How many positions are left.
    pub fn left(&self) -> u64 {
        self.most - self.nodes
    }
}
