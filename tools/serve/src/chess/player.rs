//! `/player`: the games of a player, of books that are there or are made when they are asked for.

use super::Found;
use super::explorer::{Told, check_variant, ignored, node};
use super::model::Node;
use crate::place;
use crate::players::State;
use crate::query::Request;
use crate::reply::{Answered, Refusal, Reply};
use crate::shelf::Choice;
use crate::sources::Sources;
use tabia::format::Keyed;
use tabia_archives::filter::{Dates, Filter, Variant};
use tabia_build::shelf::Month;
use tabia_games::{Chess, Side};
use tokio::sync::watch;

/// How many moves are told where the client doesn't say: all.
const ALL: usize = usize::MAX;

/// What `/player` asks for.
struct Asked<'a> {
    player: &'a str,
    color: Side,
}

impl<'a> Asked<'a> {
    fn of(request: &'a Request) -> Result<Self, Refusal> {
        check_variant(request)?;
        let bad = |what| Refusal::Bad(format!("Failed to deserialize query string: {what}"));
        let (Some(player), Some(color)) = (request.text("player"), request.text("color")) else {
            return Err(bad("player and color are needed"));
        };
        let color = match color {
            "white" => Side::First,
            "black" => Side::Second,
            _ => return Err(bad("color is white or black")),
        };
        Ok(Self { player, color })
    }

    /// What a book of these games is called: `carlsen-white`.
    fn book(&self) -> String {
        let color = if self.color == Side::First { "white" } else { "black" };
        format!("{}-{color}", self.player.to_lowercase().replace(' ', "-"))
    }

    /// Which games of archives they are, with the speeds and months that were asked for too.
    fn filter(&self, request: &Request) -> Result<Filter, Refusal> {
        let Choice { speeds, since, until, .. } = Choice::of(request)?;
        // Whose name has other words too is somebody else.
        let player = format!("={}", self.player).parse();
        let date = |month: Month| month.to_string().parse().ok();
        let variant = match request.text("variant") {
            Some("chess960") => Variant::Chess960,
            _ => Variant::Standard,
        };
        Ok(Filter {
            players: vec![player.map_err(|error| Refusal::Bad(format!("player: {error}")))?],
            color: Some(self.color),
            time_controls: speeds,
            dates: Dates { since: since.and_then(date), until: until.and_then(date) },
            variant: Some(variant),
            ..Filter::default()
        })
    }
}

/// How far the book is that answers a request, if it is one that is made when it is asked for.
///
/// # Errors
/// What is asked can't be understood, or too many books are waited for.
pub fn making(
    sources: &Sources,
    request: &Request,
) -> Result<Option<watch::Receiver<State>>, Refusal> {
    let asked = Asked::of(request)?;
    let Some(players) = sources.players() else { return Ok(None) };
    if sources.of("chess", Some(&asked.book())).is_some() {
        return Ok(None);
    }
    place::asked(request, &Chess::start(), Keyed::Position)?;
    Ok(Some(players.book(asked.filter(request)?)?))
}

/// Waits until a book isn't being made any more.
pub async fn made(making: Option<watch::Receiver<State>>) {
    if let Some(mut making) = making {
        // If nobody makes it any more the answer says so.
        let _ = making.wait_for(|state| !matches!(state, State::Making)).await;
    }
}

/// The games of a player: of the book called `NAME-white` or `NAME-black`, in small letters, or of one
/// that was made of archives. The book is finished, so that the stream is one line.
pub fn answer(sources: &Sources, request: &Request) -> Answered {
    let asked = Asked::of(request)?;
    let name = asked.book();
    if let Some(source) = sources.of("chess", Some(&name)) {
        let filters = ["speeds", "modes", "since", "until"];
        return told(&Found::of(source, request)?, request, &filters);
    }
    let players = sources
        .players()
        .ok_or_else(|| Refusal::Missing(format!("no book is called {name} here")))?;
    let state = players.book(asked.filter(request)?)?.borrow().clone();
    match state {
        State::Made(source) => {
            told(&Found::sum(players.names(), vec![source.now()], request)?, request, &["modes"])
        }
        State::Making => Err(Refusal::Busy("the book is being made".to_owned())),
        State::Failed(why) => Err(Refusal::Failed(why)),
    }
}

fn told(found: &Found<'_>, request: &Request, filters: &[&'static str]) -> Answered {
    let limit = request.number("moves", ALL)?;
    let node = Node {
        history: request.flag("history", false)?.then(Vec::new),
        ..node(found, limit, Told::Player)?
    };
    let reply = Reply::new("application/x-ndjson", line(node)?);
    Ok(reply.of_books(&found.books).ignoring(ignored(request, filters)))
}

/// What is told while the book is being made: no games yet.
pub fn unfinished() -> Result<Vec<u8>, Refusal> {
    line(Node::default())
}

/// A line of the stream.
fn line(node: Node) -> Result<Vec<u8>, Refusal> {
    let node = Node { recent_games: Some(Vec::new()), queue_position: Some(0), ..node };
    let line = serde_json::to_string(&node).map_err(|error| Refusal::Failed(error.to_string()))?;
    Ok((line + "\n").into_bytes())
}
