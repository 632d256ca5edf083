//! What a book has at each ply.

use super::{Args, show};
use crate::console::Console;
use crate::failure::Done;
use tabia::Book;
use tabia_games::{Game, Known, WithGame};
use tabia_play::Survey;
use tabia_play::text::Surveyed;

/// Walks the book, and shows what was found.
pub fn run(args: &Args, console: &Console, game: &Known, book: &Book) -> Done {
    // Whose book it is makes no difference; that the game has this side does.
    args.side(game)?;
    let found = Surveyed::new(&game.with(Surveying { console, book })?);
    show(args, &found, |out, plies| found.write(out, plies))
}

struct Surveying<'a> {
    console: &'a Console,
    book: &'a Book,
}

impl WithGame for Surveying<'_> {
    type Output = Done<Survey>;

    fn with<G: Game>(self, start: &G) -> Self::Output {
        let meter = self.console.meter();
        Ok(Survey::of(self.book, start, &|step| meter.trimming(step))?)
    }
}
