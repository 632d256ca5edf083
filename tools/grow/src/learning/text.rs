//! What was learned, in words.

use crate::learning::Summary;
use std::io::{self, Write};
use tabia_play::text::numbers::{counted, grouped};

impl Summary {
    /// Says it for people.
    ///
    /// # Errors
    /// Those of writing.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for span in &self.curve {
            writeln!(out, "{span}")?;
        }
        let Self { games, lost, learned, moves, positions, rows, .. } = *self;
        writeln!(
            out,
            "{}: {} of {} lost; {} learned: {} from the book, {} new, {} scaled",
            self.overlay.display(),
            grouped(lost),
            counted(games, "game"),
            grouped(learned),
            counted(moves, "move"),
            counted(positions, "position"),
            counted(rows, "row")
        )?;
        for (number, what) in [
            (self.known, "was learned before"),
            (self.out_of_book, "had no move from the book"),
            (self.set_up, "began in a set-up position"),
        ] {
            if number > 0 {
                let what = if number > 1 { what.replace("was ", "were ") } else { what.to_owned() };
                writeln!(out, "Of those lost {} {what}.", grouped(number))?;
            }
        }
        if self.skipped > 0 {
            writeln!(out, "{} could not be read.", counted(self.skipped, "game"))?;
        }
        Ok(())
    }
}
