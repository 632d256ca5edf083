//! Commands of GTP (version 2, sections 2.2 to 2.6): an id or none, a name, arguments.

use super::board::Change;
use tabia_games::Side;

/// Commands that put up a position, or play, in a way that isn't followed here.
const UNKNOWN: [&str; 18] = [
    "loadsgf",
    "set_position",
    "kata-set-position",
    "gogui-setup",
    "gogui-setup_player",
    "gogui-play_sequence",
    "grhino-setup_board",
    "grhino-auto_play",
    "gg-undo",
    "black",
    "white",
    "genmove_black",
    "genmove_white",
    "restricted_genmove",
    "trymove",
    "tryko",
    "popgo",
    "kata-genmove_debug",
];

/// A command.
#[derive(Debug)]
pub struct Command<'a> {
    id: Option<&'a str>,
    pub name: &'a str,
    pub args: Vec<&'a str>,
}

/// A line without control characters and comment; tabs are spaces.
pub fn cleaned(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let text = text.split('#').next().unwrap_or_default();
    text.chars()
        .map(|letter| if letter == '\t' { ' ' } else { letter })
        .filter(|letter| !letter.is_control())
        .collect()
}

impl<'a> Command<'a> {
    /// The command of a cleaned line, if it holds one.
    pub fn of(text: &'a str) -> Option<Self> {
        let mut words = text.split_ascii_whitespace().peekable();
        let is_id = |word: &&str| word.bytes().all(|digit| digit.is_ascii_digit());
        let id = words.next_if(is_id);
        Some(Self { id, name: words.next()?, args: words.collect() })
    }

    /// A success with this text.
    pub fn answered(&self, text: &str) -> Vec<u8> {
        format!("={} {text}\n\n", self.id.unwrap_or_default()).into_bytes()
    }

    /// A failure with this text.
    pub fn refused(&self, text: &str) -> Vec<u8> {
        format!("?{} {text}\n\n", self.id.unwrap_or_default()).into_bytes()
    }

    /// A success with this text on a line of its own.
    pub fn answered_below(&self, text: &str) -> Vec<u8> {
        format!("={}\n{text}\n\n", self.id.unwrap_or_default()).into_bytes()
    }
}

/// The side that a color means.
pub fn side(color: &str) -> Option<Side> {
    match color.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Side::First),
        "w" | "white" => Some(Side::Second),
        _ => None,
    }
}

/// The color of a side.
pub fn color(side: Side) -> char {
    if side == Side::First { 'b' } else { 'w' }
}

/// What a command changes, if the engine accepts it.
pub fn change(command: &Command<'_>) -> Option<Change> {
    let change = match (command.name, command.args.as_slice()) {
        ("boardsize", [size, ..]) => size.parse().map_or(Change::Unknown, Change::Size),
        ("clear_board", _) => Change::Clear,
        ("set_game", [game, ..]) => Change::Game((*game).to_owned()),
        ("play", [color, vertex, ..]) => match side(color) {
            Some(side) => Change::Play { side, vertex: (*vertex).to_owned() },
            None => Change::Unknown,
        },
        ("undo", _) => Change::Undo,
        ("fixed_handicap" | "place_free_handicap", _) => Change::Handicap(None),
        ("set_free_handicap", vertices) => Change::Handicap(Some(vertices.join(" "))),
        (name, _) if UNKNOWN.contains(&name) => Change::Unknown,
        _ => return None,
    };
    Some(change)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_apart_as_the_standard_says() {
        let told = |line: &[u8]| {
            let text = cleaned(line);
            Command::of(&text).map(|command| {
                let args = command.args.iter().map(ToString::to_string).collect::<Vec<_>>();
                (command.id.map(str::to_owned), command.name.to_owned(), args)
            })
        };
        let some = |id: Option<&str>, name: &str, args: &[&str]| {
            Some((
                id.map(str::to_owned),
                name.to_owned(),
                args.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ))
        };
        assert_eq!(told(b"12 play b D4 # a move\r\n"), some(Some("12"), "play", &["b", "D4"]));
        assert_eq!(told(b"\tgen\x01move\tw\n"), some(None, "genmove", &["w"]));
        for nothing in [&b"\n"[..], b"# only\n", b" \t\r\n", b"7\n"] {
            assert_eq!(told(nothing), None);
        }
    }
}
