//! `tabia explore`: a position and its moves, as a table with bars.

mod drawing;
mod facts;

use crate::bars::Ink;
use crate::failure::{Done, Verdict, told};
use crate::games;
use crate::output::Output;
use facts::Explored;
use std::path::PathBuf;
use tabia::format::Keyed;
use tabia::{Book, View};
use tabia_games::{Game, WithGame};
use tabia_play::Node;

/// Show a position, what the book knows of it, and every move known there
///
/// Counts of a position are seen from the side to move there, counts of a move from the side that plays it. `leads to` is the position after
/// the move, however reached, seen from the side that played it. In a book without moves, those that lead to known positions are listed.
///
/// In a book with ratings, `rating` is the average rating of those who played the move, `performance` the rating that their score against their
/// opponents' ratings speaks for, and `gain` the second less the first: how much better than usual players did with the move (Fierz 2005).
///
/// In a book of lines (`build --key line`) all of it is of the line: the games that came to the position by just these moves.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  tabia explore masters.tabia --moves \"e4 e5 Nf3\"\n  \
                        tabia explore wthor.tabia --moves f5d6c3\n  tabia explore masters.tabia --json --fen \"rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1\"")]
pub struct Args {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// The position: a FEN in chess and draughts, the board and the side to move in Othello and Go, as it is printed
    #[arg(long, visible_alias = "position", allow_hyphen_values = true)]
    fen: Option<String>,
    /// Moves that lead to the position, from the start or from the position given
    #[arg(long)]
    moves: Option<String>,
    /// Leave the journal out
    #[arg(long)]
    bare: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Shows it.
pub fn run(args: &Args) -> Done {
    let book = Book::open_view(&args.book, if args.bare { View::Bare } else { View::Whole })?;
    games::of(book.header(), &args.book)?.with(Exploring { args, book: &book })
}

/// What is shown, of any game.
struct Exploring<'a> {
    args: &'a Args,
    book: &'a Book,
}

impl WithGame for Exploring<'_> {
    type Output = Done;

    fn with<G: Game>(self, start: &G) -> Done {
        let Self { args, book } = self;
        let node = node(args, start, book.header().keyed)?;
        let explored = Explored::new(book, &node)?;
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

/// The position that is asked for, or in a book of lines the line.
fn node<G: Game>(args: &Args, start: &G, keyed: Keyed) -> Done<Node<G>> {
    let start = args.fen.as_deref().map_or_else(|| Ok(start.clone()), |text| start.set_up(text));
    let start = start.map_err(|error| told!("--fen: {error}"))?;
    let mut node = Node::start(start, keyed);
    let mut number = 0;
    for word in moves(args.moves.as_deref().unwrap_or_default()) {
        let is_one = node.position.read_move(word.as_bytes()).is_ok();
        let several = squares(word).filter(|_| !is_one).unwrap_or_else(|| vec![word]);
        for text in several {
            number += 1;
            let played = node.position.parse_move(text).map_err(|error| told!("--moves: move {number}: {error}"))?;
            node = node.after(&played);
        }
    }
    Ok(node)
}

/// The squares of a word that is made of nothing else, as transcripts of Othello are: `f5d6c3`.
fn squares(word: &str) -> Option<Vec<&str>> {
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8']);
    let are_squares = word.len() > 2 && word.as_bytes().chunks(2).all(is_square);
    are_squares.then(|| (0..word.len()).step_by(2).map(|at| &word[at..at + 2]).collect())
}

/// The moves of a text, without move numbers: `1.e4 e5 2. Nf3` are three.
fn moves(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace().map(after_number).filter(|word| !word.is_empty())
}

fn after_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.len() < word.len() && rest.starts_with('.') { rest.trim_start_matches('.') } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn move_numbers_are_passed_over() {
        assert_eq!(moves("1.e4 e5 2. Nf3 2...Nc6 3... a6 0-0").collect::<Vec<_>>(), ["e4", "e5", "Nf3", "Nc6", "a6", "0-0"]);
        assert_eq!(moves(" ").count(), 0);
    }

    #[test]
    fn squares_run_together_are_taken_apart() {
        assert_eq!(squares("f5D6c3"), Some(vec!["f5", "D6", "c3"]));
        for word in ["f5", "f5d", "f5d9", "\u{e9}5d6", "Nf3"] {
            assert_eq!(squares(word), None, "{word}");
        }
    }
}
