//! Expanded positions of a book, in words.

use super::numbers::{counted, grouped};
use crate::Expanded;
use crate::explore::Numbers;
use tabia_games::Game;

impl Expanded {
    /// The lines to those that are incomplete, as far as they are listed.
    pub fn examples<G: Game>(&self, start: &G) -> Vec<String> {
        let numbers = Numbers::after(start.side(), 0);
        let line = |moves: &[String]| match moves {
            [] => "the start".to_owned(),
            moves => numbers.line(0, moves),
        };
        self.incomplete.iter().map(|one| line(&one.line)).collect()
    }

    /// How many there are, how many of them have no deviation, such as these, and how many weren't
    /// looked at.
    pub fn said(&self, examples: &[String]) -> String {
        let without = self.without_deviation();
        let positions = counted(self.positions, "position");
        let some = if without == 0 { "none".to_owned() } else { grouped(without) };
        let mut text = format!("{positions}, {some} without a deviation");
        if self.unreached > 0 {
            let unreached = grouped(self.unreached);
            text += &format!(", {unreached} not reached from the start and not looked at");
        }
        if without > 0 {
            let more = if without > examples.len() as u64 { "; ..." } else { "" };
            text += &format!(": {}{more}", examples.join("; "));
        }
        text
    }
}
