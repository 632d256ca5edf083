//! Area (Chinese) scoring: a side has its stones and the empty regions that touch no others.
//! Everything on the board is taken for alive.

use super::board::Points;
use super::position::Go;
use crate::komi::Komi;
use crate::outcome::{Outcome, Side};

impl Go {
    /// The area of Black and of White, in points.
    pub fn area(&self) -> [u16; 2] {
        let mut area = [Side::First, Side::Second].map(|side| self.board.stones(side).len() as u16);
        let mut seen = Points::default();
        for point in 0..self.geometry.points() {
            if self.board.at(point).is_none() && !seen.contains(point) {
                let (region, touched) = self.region(point);
                seen.extend(&region);
                match touched {
                    [true, false] => area[0] += region.len() as u16,
                    [false, true] => area[1] += region.len() as u16,
                    _ => {}
                }
            }
        }
        area
    }

    /// By how many points Black is ahead, by area, once White has its komi.
    pub fn score(&self, komi: Komi) -> f64 {
        f64::from(self.hundredths_ahead(komi)) / 100.0
    }

    /// Who has won if the game ends here, by area.
    pub fn scored(&self, komi: Komi) -> Outcome {
        Outcome::of_lead(self.hundredths_ahead(komi))
    }

    fn hundredths_ahead(&self, komi: Komi) -> i32 {
        let [black, white] = self.area();
        100 * (i32::from(black) - i32::from(white)) - komi.hundredths()
    }

    /// The empty region around an empty point, and whether stones of Black and of White touch it.
    fn region(&self, point: u16) -> (Points, [bool; 2]) {
        let (mut region, mut ahead, mut touched) =
            (Points::of(point), Points::of(point), [false; 2]);
        while let Some(point) = ahead.pop() {
            for &beside in self.geometry.neighbors(point) {
                match self.board.at(beside) {
                    Some(side) => touched[side.index()] = true,
                    None if !region.contains(beside) => {
                        region.insert(beside);
                        ahead.insert(beside);
                    }
                    None => {}
                }
            }
        }
        (region, touched)
    }
}
