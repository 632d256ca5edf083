//! What is played in another book and not answered in this one.

use super::{Args, show};
use crate::console::Console;
use crate::failure::{Done, failure};
use tabia::Book;
use tabia::format::Keyed;
use tabia_games::{Game, Known, Node, WithGame};
use tabia_play::text::Lacking;
use tabia_play::{Holes, HolesPlan};

/// Walks both books, and shows what was found.
pub fn run(args: &Args, console: &Console, game: &Known, books: [&Book; 2]) -> Done {
    let [book, other] = books;
    check_alike(book, other)?;
    let plan =
        HolesPlan { max_ply: args.max_ply, side: args.side(game)?, count: args.limit as usize };
    let found = game.with(Walking { console, books, plan })?;
    show(args, &found, |out, plies| found.write(out, plies))
}

/// Makes sure that both books have the same keys.
fn check_alike(book: &Book, other: &Book) -> Done<()> {
    let of = |book: &Book| {
        let header = book.header();
        (header.game, header.keys, header.keyed)
    };
    let said = |book: &Book| {
        let (game, keys, keyed) = of(book);
        let by = if keyed == Keyed::Line { "line" } else { "position" };
        format!("{game} with {keys} keys by {by}")
    };
    if of(book) == of(other) {
        return Ok(());
    }
    Err(failure!(
        "{}: it is of {}, and {} of {}: give a book of the same kind",
        other.path().display(),
        said(other),
        book.path().display(),
        said(book)
    ))
}

struct Walking<'a> {
    console: &'a Console,
    books: [&'a Book; 2],
    plan: HolesPlan,
}

impl WithGame for Walking<'_> {
    type Output = Done<Lacking>;

    fn with<G: Game>(self, start: &G) -> Self::Output {
        let [book, other] = self.books;
        let meter = self.console.meter();
        let root = Node::start(start.clone(), book.header().keyed == Keyed::Line);
        let found = Holes::of(book, other, &root, &self.plan, &|step| meter.trimming(step))?;
        if found.coverage.games == 0 {
            return Err(failure!("{}: it knows no games from the start", other.path().display()));
        }
        Ok(Lacking::new(&root, &found))
    }
}
