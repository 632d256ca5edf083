//! What of a book is reached from the start of its game by legal moves.

use crate::console::Meter;
use crate::failure::Done;
use tabia::format::Keyed;
use tabia::{Book, MoveRow};
use tabia_games::{Game, Known, Node, WithGame};
use tabia_play::{Trim, TrimPlan, TrimReason};

/// A book that was walked. It takes about 14 bytes of memory a move, and the boards of two plies.
pub struct Reached<'a>(Option<Trim<'a>>);

/// What is known of a move without its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// It is legal in a position that is reached from the start.
    Legal,
    /// It is no legal move of such a position.
    Illegal,
    /// Its position isn't reached: it may be any.
    Unreached,
}

impl<'a> Reached<'a> {
    /// Walks a book of this game from the start.
    pub fn walk(book: &'a Book, game: &Known, meter: &Meter) -> Done<Self> {
        game.with(Walking { book, meter })
    }

    /// Whether a move of the book is legal, as far as that is known.
    pub fn of(&self, row: &MoveRow) -> Reach {
        match self.0.as_ref().map(|trim| trim.move_fate(row)) {
            Some(None) => Reach::Legal,
            Some(Some(TrimReason::Illegal)) => Reach::Illegal,
            _ => Reach::Unreached,
        }
    }
}

struct Walking<'a, 'b> {
    book: &'a Book,
    meter: &'b Meter,
}

impl<'a> WithGame for Walking<'a, '_> {
    type Output = Done<Reached<'a>>;

    fn with<G: Game>(self, start: &G) -> Self::Output {
        let Self { book, meter } = self;
        let root = Node::start(start.clone(), book.header().keyed == Keyed::Line);
        if book.moves(root.key)?.is_empty() {
            return Ok(Reached(None));
        }
        let trim =
            Trim::by_walk(book, TrimPlan::default(), std::slice::from_ref(start), &|step| {
                meter.trimming(step)
            })?;
        Ok(Reached(Some(trim)))
    }
}
