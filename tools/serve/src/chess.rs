//! The interfaces that are of chess alone: lichess's explorer and cloud evals, chessdb's queries.

pub mod chessdb;
pub mod cloud_eval;
mod eval;
pub mod explorer;
mod model;

use crate::place;
use crate::query::Request;
use crate::reply::Refusal;
use crate::source::{Snapshot, Source, Sources};
use std::sync::Arc;
use tabia_explore::Explored;
use tabia_games::Chess;
use tabia_play::choice::GameHistory;

/// A position of chess that was asked for, and what a book knows of it.
struct Found<'a> {
    source: &'a Source,
    snapshot: Arc<Snapshot>,
    history: GameHistory<Chess>,
    explored: Explored,
}

impl<'a> Found<'a> {
    /// What the book called one of these names knows, or else the first one of chess. A client that
    /// has the answer already is told so at once.
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
        let snapshot = source.now();
        request.check_new(&snapshot.version)?;
        let keyed = snapshot.book.header().keyed;
        let history = place::asked(request, &Chess::start(), keyed)?;
        let explored = Explored::new(&snapshot.book, history.present())?;
        Ok(Self { source, snapshot, history, explored })
    }
}
