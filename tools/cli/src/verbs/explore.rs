//! `tabia explore`: a position and its moves, as a table with bars.

mod drawing;
mod facts;

use crate::bars::Ink;
use crate::books::{Opened, ViewChoice};
use crate::console::Console;
use crate::failure::{Done, Verdict};
use crate::games;
use crate::history::CourseChoice;
use crate::output::Output;
use facts::Explored;
use std::path::PathBuf;
use tabia_games::{Game, WithGame};

/// Show a position, and every move known there
///
/// Counts of a position are seen from the side to move there, counts of a move from the side that
/// plays it. `leads to` is the position after the move, however reached, seen from the side that
/// played it. In a book without moves, those that lead to known positions are listed.
///
/// In a book with ratings, `rating` is the average rating of those who played the move,
/// `performance` the rating that their score against their opponents' ratings speaks for, and
/// `gain` the second less the first: how much better than usual players did with the move (Fierz
/// 2005).
///
/// In a book with years, `years` are the first and the last one in which the move was played; in
/// one with best games, the best game of all moves is named below them, by what it is found by.
///
/// In a book of lines (`build --keyed line`) all of it is of the line: the games that came to the
/// position by just these moves.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia explore masters.tabia --moves \"e4 e5 Nf3\"
  tabia explore wthor.tabia --moves f5d6c3
  tabia explore masters.tabia --json \\
      --fen \"rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1\"")]
pub struct Args {
    /// The book; or all shares of one, or a folder with them
    #[arg(value_name = "BOOK", required = true)]
    books: Vec<PathBuf>,
    #[command(flatten)]
    at: CourseChoice,
    #[command(flatten)]
    journal: ViewChoice,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Shows it.
pub fn run(args: &Args, console: &Console) -> Done {
    args.at.check_quotes(&args.books)?;
    let book = Opened::open(&args.books, args.journal.view(), console)?;
    games::of(book.header(), book.first().path())?.with(Exploring { args, book: &book })
}

/// What is shown, of any game.
struct Exploring<'a> {
    args: &'a Args,
    book: &'a Opened,
}

impl WithGame for Exploring<'_> {
    type Output = Done;

    fn with<G: Game>(self, start: &G) -> Done {
        let Self { args, book } = self;
        let history = args.at.history(start, book.header().keyed)?;
        let node = history.present();
        let explored = Explored::new(book, node)?;
        let mut out = Output::new();
        if args.json {
            out.json(&explored)?;
        } else {
            drawing::draw(&mut out, &explored, &node.position, Ink::of_locale())?;
            out.finish()?;
        }
        Ok(Verdict::Fine)
    }
}
