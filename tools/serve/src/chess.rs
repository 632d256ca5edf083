//! The interfaces that are of chess alone: lichess's explorer and cloud evals, chessdb's queries.

pub mod chessdb;
pub mod cloud_eval;
mod eval;
pub mod explorer;
mod model;
pub mod player;

use crate::place;
use crate::query::Request;
use crate::reply::Refusal;
use crate::selection::Selection;
use crate::source::{Snapshot, Source};
use crate::sources::Sources;
use std::sync::Arc;
use tabia_games::Chess;
use tabia_interop::opening_names::OpeningNames;
use tabia_play::choice::GameHistory;
use tabia_play::explore::{Explorable, Explored};

/// A position of chess that was asked for, and what books know of it.
struct Found<'a> {
    names: &'a OpeningNames,
    /// The books whose games are summed; at least one.
    books: Selection,
    history: GameHistory<Chess>,
    explored: Explored,
}

impl<'a> Found<'a> {
    /// What the book called by this name knows, or else the first one of chess. A client that has
    /// the answer already is told so at once.
    fn new(
        sources: &'a Sources,
        preferred: Option<&str>,
        request: &Request,
    ) -> Result<Self, Refusal> {
        let source = sources
            .of("chess", preferred)
            .or_else(|| sources.of("chess", None))
            .ok_or_else(|| Refusal::Missing("no book of chess is served here".to_owned()))?;
        Self::of(source, request)
    }

    /// What this book knows.
    fn of(source: &'a Source, request: &Request) -> Result<Self, Refusal> {
        Self::sum(source.names(), vec![source.now()], request)
    }

    /// What these books know together; there is at least one.
    fn sum(
        names: &'a OpeningNames,
        books: Vec<Arc<Snapshot>>,
        request: &Request,
    ) -> Result<Self, Refusal> {
        let books = Selection::of(books)
            .ok_or_else(|| Refusal::Failed("there is no book to be asked".to_owned()))?;
        let keyed = books.first().book.header().keyed;
        let history = place::asked(request, &Chess::start(), keyed)?;
        let explored = Explored::new(&books, history.present())?;
        Ok(Self { names, books, history, explored })
    }
}
