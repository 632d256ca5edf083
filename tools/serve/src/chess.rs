//! The interfaces that are of chess alone: lichess's explorer and cloud evals, chessdb's queries.

pub mod chessdb;
mod counted;
pub mod eval;
pub mod explorer;
mod model;
mod performance;
pub mod player;

use crate::query::{self, Request};
use crate::reply::Refusal;
use crate::selection::Selection;
use crate::shelf::{Choice, Shelf};
use crate::sources::Sources;
use counted::Period;
use tabia::{Column, Keyed, TableKind};
use tabia_build::shelf::Facets;
use tabia_games::{Chess, Game, variant_named};
use tabia_interop::opening_names::OpeningNames;
use tabia_play::choice::GameHistory;
use tabia_play::explore::{Explorable, Explored};

/// A position of chess that was asked for, and what books know of it.
struct Found<'a> {
    names: &'a OpeningNames,
    /// What was asked is called so.
    called: String,
    /// The books whose games are summed.
    books: Selection,
    history: GameHistory<Chess>,
    explored: Explored,
    /// When the games that are told were played, if the books hold others, too.
    period: Option<Period>,
    /// Whether filters that can't be obeyed are ignored.
    is_lenient: bool,
    /// The parameters that were.
    ignored: Vec<&'static str>,
}

impl<'a> Found<'a> {
    /// What the first book of chess knows, or else its first shelf.
    fn first(sources: &'a Sources, request: &Request) -> Result<Self, Refusal> {
        let asked = first(sources, start(request)?.name(), None)?;
        Self::of(sources, asked, &Choice::default(), request)
    }

    /// What a book or a shelf knows of the games of a choice.
    fn of(
        sources: &Sources,
        asked: &'a Shelf,
        choice: &Choice,
        request: &Request,
    ) -> Result<Self, Refusal> {
        let (books, named) = (asked.chosen(choice), (asked.names(), asked.name.clone()));
        Self::among(sources, named, books, asked.facets(), choice, request)
    }

    /// What these books know that were chosen as far as they are `sliced` so, called so, whose openings
    /// have these names.
    fn among(
        sources: &Sources,
        (names, called): (&'a OpeningNames, String),
        books: Selection,
        sliced: &Facets,
        choice: &Choice,
        request: &Request,
    ) -> Result<Self, Refusal> {
        let (is_lenient, mut ignored) = (sources.is_lenient, choice.beyond(sliced));
        let has_years = books.header().columns(TableKind::Moves).has(Column::YEARS);
        let is_bound = |name: &&str| matches!(*name, "since" | "until");
        let period = ignored.iter().any(is_bound) && has_years;
        let period = period.then_some(Period { since: choice.since, until: choice.until });
        ignored.retain(|name| !is_bound(name) || period.is_none());
        let refused = ignored.iter().find(|name| !is_lenient && !choice.is_usual(name));
        if let Some(name) = refused {
            let called = called.escape_debug();
            return Err(Refusal::Bad(match *name {
                "speeds" => format!("speeds: {called} doesn't know how fast its games were"),
                "ratings" => format!("ratings: {called} isn't sliced by the players' ratings"),
                _ => format!("{name}: {called} doesn't know when its moves were played"),
            }));
        }
        let history = position(request, books.header().keyed)?;
        let explored = Explored::new(&books, history.present())?;
        Ok(Self { names, called, books, history, explored, period, is_lenient, ignored })
    }
}

/// The book or the shelf of a game with this name, or else the first book, or else the first shelf.
fn first<'a>(
    sources: &'a Sources,
    game: &str,
    preferred: Option<&str>,
) -> Result<&'a Shelf, Refusal> {
    let found = preferred.and_then(|name| sources.find(game, Some(name)));
    found
        .or_else(|| sources.find(game, None))
        .ok_or_else(|| Refusal::Missing(format!("no book of {game} is served here")))
}

/// The position that is asked for. As the public explorer does, it takes boards with more pieces than
/// a game can have.
fn position(request: &Request, keyed: Keyed) -> Result<GameHistory<Chess>, Refusal> {
    let start = start(request)?;
    let read = |text: &str| start.set_up_any_material(&text.replace('_', " "));
    query::history_read_by(request, &start, keyed, read)
}

/// What is played: chess, or the variant that is asked for.
fn start(request: &Request) -> Result<Chess, Refusal> {
    let asked = request.text("variant").unwrap_or("chess");
    let game = match asked {
        "chess" | "standard" | "chess960" | "fromPosition" | "Standard" | "Chess960"
        | "From Position" => "chess",
        _ => variant_named(asked.as_bytes()).map_or("", |names| names.game),
    };
    Chess::all().find(|start| start.name() == game).ok_or_else(|| {
        Refusal::Bad(format!("variant: there is no book of `{}` here", asked.escape_debug()))
    })
}
