//! `tabia explore`: a position and its moves, as a table with bars.

use crate::prelude::*;
use crate::screen::Screen;
use crate::terminal;
use tabia_play::explore::Answer;
use tabia_play::text::{self, Ink, Next, Paint, Style, Walker};

/// Show a position, and every move known there
///
/// Counts of a position are seen from the side to move there, counts of a move from the side that
/// plays it. `leads to` is the position after the move, however reached, seen from the side that
/// played it, as `eval` is. In a book without moves, those that lead to known positions are listed.
/// Moves come by their games; those of as many, as in a book that grew, by their evals. `share` is
/// that of the games at the position (of all moves' games together, where those of the
/// position aren't known). Where moves were left out of the book (trim, --min-games) or games ended
/// here, what is missing is said below.
///
/// Where the book grew, `value` is what `play --rule negamax` makes of all that is behind the position or
/// the move, and `eval` what a search of the position itself said; moves of as many games then come by
/// their values. How evals were made, by which engine within which limit, is said below. Where more is
/// behind the position than 100,000 legal moves, there are no values.
///
/// Of a line that leaves the book, the last position in it is shown, too. The name of the opening
/// is that of the last position on the line that has one.
///
/// In a book with ratings, `rating` is the average rating of those who played the move, `perf`
/// (performance) the rating that their score against their opponents' ratings speaks for, and
/// `gain` the second less the first: how much better than usual players did with the move (Fierz
/// 2005).
///
/// In a book with years, `years` are the first and the last one in which the move was played; in
/// one with best games, the best game of all moves is named below them, by what it is found by.
///
/// In a book of lines (`build --keyed line`) all of it is of the line: the games that came to the
/// position by just these moves.
///
/// The moves fit the columns of the terminal, or 80 in a pipe; the variable COLUMNS sets another
/// number. What there is no room for is named. Colors are for terminals, and not with NO_COLOR or
/// CLICOLOR=0; CLICOLOR_FORCE=1 puts them into pipes.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia explore masters.tabia --moves \"e4 e5 Nf3\"
  tabia explore wthor.tabia --moves f5d6c3
  tabia explore masters.tabia --moves e4 --names openings.tsv
  tabia explore masters.tabia --json \\
      --fen \"rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1\"")]
pub struct Args {
    /// The book; or all shares of one, or a folder with them
    #[arg(value_name = "BOOK", required = true)]
    books: Vec<PathBuf>,
    #[command(flatten)]
    at: CourseChoice,
    #[command(flatten)]
    names: NamesChoice,
    /// Walk through the book with keys, on a terminal
    ///
    /// Arrows choose a move, play it and go back; m types one, f turns the board, q quits; ? shows
    /// all keys.
    #[arg(short, long, conflicts_with = "json")]
    interactive: bool,
    #[command(flatten)]
    journal: ViewChoice,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Shows it.
pub fn run(args: &Args, console: &Console) -> Done {
    let (book, start, history) = args.at.open(&args.books, args.journal.view(), console)?;
    let names = args.names.read(&start, book.first().path(), console)?;
    if args.interactive {
        return walk(Walker::new(&book, &names, history)?);
    }
    let answer = Answer::new(&book, &history, &names)?;
    Output::new().show(args.json, &answer, |answer, out| text::draw_position(out, answer, style()))
}

/// Walks until the user quits.
fn walk(mut walker: Walker<'_, Known>) -> Done {
    let screen = Screen::open()?;
    loop {
        let (columns, rows) = screen.size();
        screen.show(&walker.view(Style { columns, ..style() }, rows))?;
        if let Some(key) = screen.key()?
            && walker.press(key)? == Next::Quit
        {
            return Ok(Verdict::Fine);
        }
    }
}

/// What standard output is to have.
fn style() -> Style {
    Style { ink: Ink::of_locale(), paint: Paint::of_output(), columns: terminal::columns() }
}
