//! What lichess's explorer answers, as JSON.

use serde::Serialize;
use tabia_archives::filter::TimeClass;
use tabia_gamefile::{GameId, GameResult, StoredGame};
use tabia_games::Side;
use tabia_interop::opening_names::OpeningName;

/// A position.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Node {
    /// Games that White won, of all moves together.
    pub white: u64,
    pub draws: u64,
    pub black: u64,
    /// `unknown` where the book doesn't know how its games ended, all of which are in `draws` then:
    /// lichess's format has no other place for them, and clients order moves by their sums.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub results: Option<&'static str>,
    pub moves: Vec<Move>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_games: Option<Vec<PlayedGame>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recent_games: Option<Vec<PlayedGame>>,
    /// Always there, and null without a name.
    pub opening: Option<Name>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue_position: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<History>,
}

pub type History = Vec<MonthOfGames>;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Move {
    /// Castling is the king's move to its own rook.
    pub uci: String,
    pub san: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average_rating: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average_opponent_rating: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub performance: Option<i64>,
    pub white: u64,
    pub draws: u64,
    pub black: u64,
    /// The game, if there is only one; else null.
    pub game: Option<Game>,
    /// The name of the position behind the move; null if it has none.
    pub opening: Option<Name>,
}

/// What an opening is called.
#[derive(Debug, Serialize)]
pub struct Name {
    pub eco: String,
    pub name: String,
}

impl Name {
    pub fn of(name: &OpeningName) -> Self {
        Self { eco: name.eco.clone(), name: name.name.clone() }
    }
}

/// A game, with the move that it went on by.
#[derive(Debug, Serialize)]
pub struct PlayedGame {
    pub uci: String,
    #[serde(flatten)]
    pub game: Game,
}

#[derive(Debug, Serialize)]
pub struct Game {
    pub id: String,
    /// `white`, `black`, or null.
    pub winner: Option<&'static str>,
    /// Not of masters, nor where it isn't known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed: Option<&'static str>,
    /// `rated` or `casual`. Not of masters, nor where it isn't known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<&'static str>,
    pub white: Player,
    pub black: Player,
    /// 0 if it isn't known.
    pub year: u16,
    /// Such as `2015-09`. If it isn't known, games of masters leave it out, others say null.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub month: Option<Option<String>>,
}

/// Whose games are told.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Told {
    Masters,
    Lichess,
    /// Those of a player who has this side.
    Player(Side),
}

impl Game {
    /// This game, whose speed may be known, as it is told.
    pub fn of(game: &StoredGame, told: Told, speed: Option<TimeClass>) -> Self {
        let month = (game.month > 0).then(|| format!("{:04}-{:02}", game.year, game.month));
        let player = |place: usize| Player {
            name: game.players[place].clone(),
            rating: game.ratings[place],
        };
        let (mode, said) = mode_and_speed(&game.event);
        let is_masters = told == Told::Masters;
        Self {
            id: GameId::of(game.digest).to_string(),
            winner: match game.result {
                Some(GameResult::FirstWins) => Some("white"),
                Some(GameResult::SecondWins) => Some("black"),
                Some(GameResult::Draw) | None => None,
            },
            speed: speed.or(said).filter(|_| !is_masters).map(spelled),
            mode: mode.filter(|_| !is_masters),
            white: player(0),
            black: player(1),
            year: game.year,
            month: if is_masters { month.map(Some) } else { Some(month) },
        }
    }
}

/// What lichess's archives say by the name of an event: `Rated Blitz game`, `Casual Rapid tournament
/// https://...`, `Classical swiss https://...`. A file of games has no time controls.
fn mode_and_speed(event: &str) -> (Option<&'static str>, Option<TimeClass>) {
    let mut words = event.split_ascii_whitespace().peekable();
    let mode = words.peek().and_then(|word| {
        ["rated", "casual"].into_iter().find(|mode| mode.eq_ignore_ascii_case(word))
    });
    if mode.is_some() {
        words.next();
    }
    let (Some(speed), Some("game" | "tournament" | "swiss" | "simul")) =
        (words.next(), words.next())
    else {
        return (None, None);
    };
    let speed = TimeClass::ALL.into_iter().find(|one| one.name().eq_ignore_ascii_case(speed));
    (mode, speed)
}

/// A speed in the public explorer's spelling.
fn spelled(speed: TimeClass) -> &'static str {
    if speed == TimeClass::Ultrabullet { "ultraBullet" } else { speed.name() }
}

/// Who played.
#[derive(Debug, Serialize)]
pub struct Player {
    pub name: String,
    /// 0 if it isn't known.
    pub rating: u16,
}

#[derive(Debug, Serialize)]
pub struct MonthOfGames {
    pub month: String,
    pub white: u64,
    pub draws: u64,
    pub black: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_events_say_how_games_were_played() {
        for (event, expected) in [
            ("Rated Blitz game", (Some("rated"), Some(TimeClass::Blitz))),
            ("rated rapid game", (Some("rated"), Some(TimeClass::Rapid))),
            (
                "Casual UltraBullet tournament https://x",
                (Some("casual"), Some(TimeClass::Ultrabullet)),
            ),
            ("Classical swiss https://x", (None, Some(TimeClass::Classical))),
            ("Rated Antichess game", (Some("rated"), None)),
            ("Rapid Open", (None, None)),
            ("Rated", (None, None)),
            ("", (None, None)),
        ] {
            assert_eq!(mode_and_speed(event), expected, "{event}");
        }
        assert_eq!(TimeClass::ALL.map(spelled)[0], "ultraBullet");
    }
}
