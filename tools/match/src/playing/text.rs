//! How far growing by playing has come, and what came of it, in words.

use super::Grown;
use std::io::{self, Write};
use std::path::Path;
use tabia_play::text::numbers::counted;

impl Grown {
    /// How far it has come, in words.
    pub fn facts(&self) -> Vec<String> {
        let rate = self.games as f64 / self.time.as_secs_f64().max(0.001);
        let [first, second] = self.sides.each_ref().map(|side| side.book_moves);
        vec![
            counted(self.expansions, "expansion"),
            format!("{}, {rate:.1}/s", counted(self.games, "game")),
            counted(self.moves(), "move"),
            format!("{first:.1} and {second:.1} book moves a game"),
        ]
    }

    fn moves(&self) -> u64 {
        self.sides.iter().map(|side| side.moves).sum()
    }

    /// Says for people what came of it in this book, by these players.
    ///
    /// # Errors
    /// Those of writing.
    pub fn write(&self, out: &mut impl Write, book: &Path, who: &str) -> io::Result<()> {
        let (book, games) = (book.display(), counted(self.games, "game"));
        let (expansions, moves) =
            (counted(self.expansions, "expansion"), counted(self.moves(), "move"));
        writeln!(out, "{book}: {expansions}, {moves} that win more, by {games}")?;
        writeln!(out, "by {who}")?;
        writeln!(out, "seconds  {:.1}", self.time.as_secs_f64())?;
        if self.void > 0 {
            writeln!(out, "void     {}", counted(self.void, "game"))?;
        }
        for (name, side) in ["first", "second"].iter().zip(&self.sides) {
            let Some(alone) = side.alone else { continue };
            let [score, error] = [alone.score, alone.score_error].map(|part| 100.0 * part);
            let home = |ply: usize| side.covered.get(ply).map_or(0.0, |part| 100.0 * part);
            writeln!(
                out,
                "{name:6}   {} without a book {score:.1} % \u{b1} {error:.1}, {} lines of 8 plies in 100 games; {} moves, {:.1} a game; known {:.0} % to ply 4, {:.0} % to 8, {:.0} % to 12",
                counted(side.games, "game"),
                side.lines,
                side.moves,
                side.book_moves,
                home(3),
                home(7),
                home(11)
            )?;
        }
        Ok(())
    }
}
