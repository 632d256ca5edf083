//! What a client asks, read as leniently as its public models read it: what isn't known is passed
//! over, what is empty isn't there.

use crate::reply::Refusal;
use std::str::FromStr;
use tabia::Keyed;
use tabia_games::{Game, SetupError, is_chess};
use tabia_play::choice::GameHistory;

/// The most moves that a request may play.
const MOST_PLIES: usize = 1024;

/// A request, taken apart.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The parameters in the path, by their names.
    pub path: Vec<(String, String)>,
    /// The parameters behind the question mark.
    pub query: Vec<(String, String)>,
    /// `If-None-Match`.
    pub if_none_match: Option<String>,
    /// What stands behind `Bearer` in `Authorization`.
    pub token: Option<String>,
    pub body: Vec<u8>,
}

impl Request {
    /// The parameters of a query as they stand in an address.
    pub fn pairs(query: &str) -> Vec<(String, String)> {
        form_urlencoded::parse(query.as_bytes()).into_owned().collect()
    }

    /// A parameter of the path, refused if there is none.
    pub fn part(&self, name: &str) -> Result<&str, Refusal> {
        let found = self.path.iter().find(|(known, _)| known == name);
        found
            .map(|(_, value)| value.as_str())
            .ok_or_else(|| Refusal::Missing("not found".to_owned()))
    }

    /// A parameter, if it is there and not empty; of several the last.
    pub fn text(&self, name: &str) -> Option<&str> {
        let found = self.query.iter().rev().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    /// A number, or what it is where it isn't given.
    pub fn number<T: FromStr>(&self, name: &'static str, usual: T) -> Result<T, Refusal> {
        let Some(text) = self.text(name) else { return Ok(usual) };
        text.trim().parse().map_err(|_| undeserializable(name, text, "a number"))
    }

    /// Yes or no, or what it is where it isn't given.
    pub fn flag(&self, name: &'static str, usual: bool) -> Result<bool, Refusal> {
        match self.text(name) {
            None => Ok(usual),
            Some("true" | "True" | "on" | "1" | "yes") => Ok(true),
            Some("false" | "False" | "off" | "0" | "no") => Ok(false),
            Some(text) => Err(undeserializable(name, text, "true or false")),
        }
    }

    /// The words of a list with commas; none if it isn't given.
    pub fn list(&self, name: &str) -> Vec<&str> {
        let text = self.text(name).unwrap_or_default();
        text.split(',').map(str::trim).filter(|word| !word.is_empty()).collect()
    }
}

/// In the words of the public explorer's program.
fn undeserializable(name: &str, text: &str, expected: &str) -> Refusal {
    Refusal::Bad(format!(
        "Failed to deserialize query string: {name}: `{}` is not {expected}",
        text.escape_debug()
    ))
}

/// The game up to the position that `fen` and `play` ask for: a position as its game writes it (the
/// start without it), and moves with commas or spaces between.
pub fn history<G: Game>(
    request: &Request,
    start: &G,
    keyed: Keyed,
) -> Result<GameHistory<G>, Refusal> {
    let set_up = |text: &str| match is_chess(start.name()) {
        true => start.set_up(&text.replace('_', " ")),
        false => start.set_up(text),
    };
    history_read_by(request, start, keyed, set_up)
}

/// The same, of positions that are read in a way of their own.
pub fn history_read_by<G: Game>(
    request: &Request,
    start: &G,
    keyed: Keyed,
    set_up: impl Fn(&str) -> Result<G, SetupError>,
) -> Result<GameHistory<G>, Refusal> {
    let start = match request.text("fen") {
        None => start.clone(),
        Some(text) => set_up(text).map_err(|error| Refusal::Bad(format!("fen: {error}")))?,
    };
    let mut history = GameHistory::start(start, keyed);
    let words = request.text("play").unwrap_or_default().split([',', ' ']);
    for (place, word) in words.filter(|word| !word.is_empty()).enumerate() {
        if place == MOST_PLIES {
            return Err(Refusal::Bad(format!("play has more than {MOST_PLIES} moves")));
        }
        let played = history.present().position.parse_move(word);
        let played =
            played.map_err(|error| Refusal::Bad(format!("move {} of play: {error}", place + 1)))?;
        history.play(&played);
    }
    Ok(history)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(query: &str) -> Request {
        Request { query: Request::pairs(query), ..Request::default() }
    }

    #[test]
    fn parameters_are_read_leniently() {
        let asked = request("play=e2e4%2Ce7e5&moves=&history=True&moves=5&x&fen=a+b%20c");
        assert_eq!(asked.list("play"), ["e2e4", "e7e5"]);
        assert_eq!(asked.number("moves", 12), Ok(5));
        assert_eq!(asked.number("topGames", 15), Ok(15));
        assert_eq!(asked.flag("history", false), Ok(true));
        assert_eq!(asked.text("fen"), Some("a b c"));
        assert_eq!((asked.text("x"), request("moves=").number("moves", 12)), (None, Ok(12)));
        assert!(request("moves=-1").number::<u32>("moves", 12).is_err());
        assert!(request("history=maybe").flag("history", true).is_err());
    }
}
