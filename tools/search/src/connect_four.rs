//! Connect Four: cells that would complete a line of four, and forced replies.
//!
//! Above a cell that neither side wants to fill, the rest of the board is filled in pairs: so the
//! first player gets cells in rows 1, 3 and 5, the second those in rows 2, 4 and 6 (Allis 1988,
//! "zugzwang"), and a threat in a row of one's own is worth more.

use crate::evaluate::{End, Evaluate, Unrest};
use tabia_games::connect_four::Drop;
use tabia_games::{ConnectFour, Game, Side};

/// What a search knows of Connect Four.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConnectFourKnowledge;

impl Evaluate<ConnectFour> for ConnectFourKnowledge {
    fn value(&mut self, position: &ConnectFour) -> i32 {
        let [first, second] = [Side::First, Side::Second].map(|side| prospects(position, side));
        if position.side() == Side::First { first - second } else { second - first }
    }

    fn end(&self, position: &ConnectFour, moves: &[Drop]) -> Option<End> {
        moves.is_empty().then(|| {
            let outcome = position.outcome().unwrap_or(tabia_games::Outcome::Draw);
            End::of(outcome, position.side())
        })
    }

    /// Who can win at once does so, and who would lose at once prevents it: only these moves count.
    fn unrest(&self, position: &ConnectFour, moves: &mut Vec<Drop>) -> Unrest {
        for side in [position.side(), position.side().other()] {
            let now = position.threats(side) & position.playable();
            if now != 0 {
                moves.retain(|played| now & column(position, *played) != 0);
                return Unrest::Must;
            }
        }
        Unrest::Quiet
    }

    /// Wins, what prevents the other's, and then from the center outwards.
    fn order(&self, position: &ConnectFour, played: &Drop) -> i32 {
        let cell = position.playable() & column(position, *played);
        let wins = |side| position.threats(side) & cell != 0;
        let width = position.columns() as i32;
        let off_center = (2 * i32::from(played.column()) - (width - 1)).abs();
        if wins(position.side()) {
            200
        } else if wins(position.side().other()) {
            100
        } else {
            width - off_center
        }
    }

    fn repeats(&self) -> bool {
        false
    }
}

/// The cells of the column that a move is made in.
fn column(position: &ConnectFour, played: Drop) -> u64 {
    let height = position.cells() + 1;
    ((1 << height) - 1) << (u32::from(played.column()) * height)
}

/// What a side can hope for, in hundredths of a point.
fn prospects(position: &ConnectFour, side: Side) -> i32 {
    let (width, height) = (position.columns(), position.cells() + 1);
    let row = |row: u32| (0..width).fold(0u64, |cells, x| cells | 1 << (x * height + row));
    let own_rows = (side.index() as u32..position.cells()).step_by(2);
    let own_rows = own_rows.fold(0, |cells, y| cells | row(y));
    let threats = position.threats(side);
    let center = (width - 1) / 2..=width / 2;
    let center = center.fold(0u64, |cells, x| cells | ((1 << (height - 1)) - 1) << (x * height));
    let count = |cells: u64| cells.count_ones() as i32;
    30 * count(threats)
        + 30 * count(threats & own_rows)
        + 100 * count(threats & threats << 1)
        + 4 * count(position.stones()[side.index()] & center)
}
