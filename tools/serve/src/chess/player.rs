//! `/player`: the games of a player, of books that are there or are made when they are asked for.

use super::explorer::{GAMES, latest_games, node};
use super::model::{Node, Told};
use super::{Found, position, start};
use crate::players::State;
use crate::query::Request;
use crate::reply::{Answered, Refusal, Reply, json_line};
use crate::selection::Selection;
use crate::shelf::{Choice, Shelf};
use crate::sources::Sources;
use tabia::format::Keyed;
use tabia_archives::filter::{Dates, Filter, Variant};
use tabia_build::shelf::{Facets, Month};
use tabia_games::{Game, Side};
use tokio::sync::watch;

/// How many moves are told where the client doesn't say: all.
const ALL: usize = usize::MAX;

/// What `/player` asks for.
///
/// `ratings` is no parameter of this address: en-croissant sends what is chosen for lichess's games
/// here too, and the public explorer passes it over.
struct Asked<'a> {
    player: &'a str,
    color: Side,
    /// The speeds and months.
    choice: Choice,
    /// Whether only rated games are asked for, or only casual ones.
    is_of_mode: bool,
}

impl<'a> Asked<'a> {
    fn of(request: &'a Request) -> Result<Self, Refusal> {
        let game = start(request)?.name();
        if game != "chess" {
            return Err(Refusal::Bad(format!(
                "variant: players' books are of chess, not of {game}"
            )));
        }
        let bad = |what| Refusal::Bad(format!("Failed to deserialize query string: {what}"));
        let (Some(player), Some(color)) = (request.text("player"), request.text("color")) else {
            return Err(bad("player and color are needed"));
        };
        let color = match color {
            "white" => Side::First,
            "black" => Side::Second,
            _ => return Err(bad("color is white or black")),
        };
        let modes = request.list("modes");
        if let Some(other) = modes.iter().find(|mode| !["rated", "casual"].contains(*mode)) {
            return Err(Refusal::Bad(format!("modes: `{}` is no mode", other.escape_debug())));
        }
        let is_of_mode = modes.contains(&"rated") != modes.contains(&"casual");
        let choice = Choice { ratings: Vec::new(), ..Choice::of(request, "")? };
        Ok(Self { player, color, choice, is_of_mode })
    }

    /// Makes sure that no mode is asked for: games in archives don't say theirs in a way that they
    /// could be filtered by.
    fn check_mode(&self, sources: &Sources) -> Result<(), Refusal> {
        if self.is_of_mode && !sources.is_lenient {
            let (player, what) = (self.player.escape_debug(), "were rated or casual");
            return Err(Refusal::Bad(format!("modes: which games of {player} {what} isn't known")));
        }
        Ok(())
    }

    /// What a book of these games is called: `carlsen-white`.
    fn book(&self) -> String {
        let color = if self.color == Side::First { "white" } else { "black" };
        format!("{}-{color}", self.player.to_lowercase().replace(' ', "-"))
    }

    /// The book of this name, if it is there.
    fn found<'s>(&self, sources: &'s Sources) -> Option<&'s Shelf> {
        sources.find("chess", Some(&self.book())).filter(|found| found.book().is_some())
    }

    /// Which games of archives they are, with the speeds and months that were asked for too.
    fn filter(&self, request: &Request) -> Result<Filter, Refusal> {
        let Choice { speeds, since, until, .. } = self.choice.clone();
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
pub fn making(
    sources: &Sources,
    request: &Request,
) -> Result<Option<watch::Receiver<State>>, Refusal> {
    let asked = Asked::of(request)?;
    let Some(players) = &sources.players else { return Ok(None) };
    if asked.found(sources).is_some() {
        return Ok(None);
    }
    position(request, Keyed::Position)?;
    asked.check_mode(sources)?;
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
    asked.check_mode(sources)?;
    if let Some(book) = asked.found(sources) {
        return told(Found::of(sources, book, &asked.choice, request)?, request, &asked);
    }
    let name = asked.book();
    let players = sources
        .players
        .as_ref()
        .ok_or_else(|| Refusal::Missing(format!("no book is called {name} here")))?;
    let state = players.book(asked.filter(request)?)?.borrow().clone();
    match state {
        State::Made(source) => {
            // The games were chosen when the book was made.
            let speed = asked.choice.speeds.first().filter(|_| asked.choice.speeds.len() == 1);
            let facets = Facets { speed: speed.copied(), ..Facets::default() };
            let (books, all) =
                (Selection::new([(source.now(), facets)], || source.now()), Choice::default());
            let called = (&players.names, name);
            let found = Found::among(sources, called, books, &Facets::default(), &all, request)?;
            told(found, request, &asked)
        }
        State::Making => Err(Refusal::Busy("the book is being made".to_owned())),
        State::Failed(why) => Err(Refusal::Failed(why)),
    }
}

fn told(mut found: Found<'_>, request: &Request, asked: &Asked<'_>) -> Answered {
    let limit = request.number("moves", ALL)?;
    let recent = request.number("recentGames", GAMES)?.min(GAMES);
    let whose = Told::Player(asked.color);
    let counting = found.counted()?;
    let mut games = found.told(&latest_games(&found, &counting, recent, &[])?, whose)?;
    // Clients need the month.
    games.retain(|played| !matches!(played.game.month, Some(None)));
    let node = node(&found, &counting, limit, whose)?;
    let node = Node { recent_games: Some(games), queue_position: Some(0), ..node };
    let reply = Reply::new("application/x-ndjson", json_line(&node)?);
    found.ignored.extend(asked.is_of_mode.then_some("modes"));
    found.ignored.extend(request.text("ratings").map(|_| "ratings"));
    Ok(reply.of_books(&found.books).ignoring(found.ignored))
}

/// What is told while the book is being made: no games yet.
pub fn unfinished() -> Result<Vec<u8>, Refusal> {
    json_line(&Node { recent_games: Some(Vec::new()), queue_position: Some(0), ..Node::default() })
}
