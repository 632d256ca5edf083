//! What commands of GTP change.

use tabia_games::Side;
use tabia_games::gtp::{self, Command, GtpGame};

/// A change of the position, once the engine has accepted it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The board has this size, and is empty.
    Size(usize),
    Clear,
    /// The game has this name. Whether the board is cleared is the engine's affair: GRhino's isn't.
    Game(String),
    Play {
        side: Side,
        vertex: String,
    },
    Undo,
    /// Handicap stones on these vertices, or on those that the engine answers.
    Handicap(Option<String>),
    Unknown,
}

/// Commands that put up a position, or play, in a way that isn't followed here.
const UNKNOWN: &str = "loadsgf set_position kata-set-position gogui-setup gogui-setup_player \
    gogui-play_sequence grhino-setup_board grhino-auto_play gg-undo black white genmove_black \
    genmove_white restricted_genmove trymove tryko popgo kata-genmove_debug";

/// What a command changes in this game, if the engine accepts it.
pub fn change<G: GtpGame>(game: &G, command: &Command<'_>) -> Option<Change> {
    let change = match (command.name, command.args.as_slice()) {
        ("boardsize", [size, ..]) => size.parse().map_or(Change::Unknown, Change::Size),
        ("clear_board", _) => Change::Clear,
        ("set_game", [game, ..]) => Change::Game((*game).to_owned()),
        ("play", [color, vertex, ..]) => match gtp::side(game, color) {
            Some(side) => Change::Play { side, vertex: (*vertex).to_owned() },
            None => Change::Unknown,
        },
        ("undo", _) => Change::Undo,
        ("fixed_handicap" | "place_free_handicap", _) => Change::Handicap(None),
        ("set_free_handicap", vertices) => Change::Handicap(Some(vertices.join(" "))),
        (name, _) if UNKNOWN.split(' ').any(|unknown| unknown == name) => Change::Unknown,
        _ => return None,
    };
    Some(change)
}
