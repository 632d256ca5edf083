//! What `position` and `go` say.

use crate::session::shown;
use tabia::format::Keyed;
use tabia_games::{Chess, Game};
use tabia_play::choice::GameHistory;

/// The game that these words describe, of which the first is `position`: chess, or the variant that
/// starts so.
pub fn history(usual: &Chess, words: &[&str], keyed: Keyed) -> Result<GameHistory<Chess>, String> {
    let (setup, moves) = match words.iter().position(|&word| word == "moves") {
        Some(at) => (&words[1..at], &words[at + 1..]),
        None => (words.get(1..).unwrap_or_default(), &[][..]),
    };
    let start = match setup {
        ["startpos"] => usual.clone(),
        ["fen", fen @ ..] => {
            usual.set_up(&fen.join(" ")).map_err(|error| shown_long(&error.to_string()))?
        }
        _ => return Err("`position` has neither `startpos` nor `fen`".to_owned()),
    };
    let mut history = GameHistory::start(start, keyed);
    for (index, text) in moves.iter().enumerate() {
        let read = read_move(&history.present().position, text);
        let played = read.ok_or_else(|| {
            format!("move {} of the position, `{}`, is not legal", index + 1, shown(text))
        })?;
        history.play(&played);
    }
    Ok(history)
}

/// The legal move of a text such as `e2e4`, `e7e8q`, `e1g1`, (Chess960) `e1h1` or (Crazyhouse) `N@f3`.
pub fn read_move(position: &Chess, text: &str) -> Option<<Chess as Game>::Move> {
    let is_square =
        |file: u8, rank: u8| (b'a'..=b'h').contains(&file) && (b'1'..=b'8').contains(&rank);
    match *text.as_bytes() {
        [a, b, c, d] | [a, b, c, d, b'q' | b'r' | b'b' | b'n' | b'k']
            if is_square(a, b) && is_square(c, d) =>
        {
            position.read_move(text.as_bytes()).ok()
        }
        [_, b'@', c, d] if is_square(c, d) => position.read_move(text.as_bytes()).ok(),
        _ => None,
    }
}

fn shown_long(text: &str) -> String {
    text.chars().take(200).flat_map(char::escape_debug).collect()
}

/// The words that may follow `go`.
const WORDS: &str = "searchmoves ponder wtime btime winc binc movestogo depth nodes mate movetime \
    infinite perft";

/// What `go` asks for, as far as a book has to know.
#[derive(Default)]
pub struct Go<'a> {
    pub ponder: bool,
    pub infinite: bool,
    pub is_mate: bool,
    /// Stockfish's count of moves, which has no `bestmove`.
    pub is_perft: bool,
    /// The moves to choose from, if they are named.
    among: Option<Vec<&'a str>>,
}

impl<'a> Go<'a> {
    /// What the words say, of which the first is `go`.
    pub fn of(words: &[&'a str]) -> Self {
        let mut go = Self::default();
        let mut in_moves = false;
        for &word in words.iter().skip(1) {
            let is_keyword = WORDS.split(' ').any(|known| known == word);
            in_moves = if is_keyword { word == "searchmoves" } else { in_moves };
            match word {
                "searchmoves" => go.among = Some(Vec::new()),
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                "mate" => go.is_mate = true,
                "perft" => go.is_perft = true,
                word if in_moves => go.among.iter_mut().for_each(|among| among.push(word)),
                _ => {}
            }
        }
        go
    }

    /// The moves to choose from, if they are named; none if one of them can't be read.
    pub fn among(&self, position: &Chess) -> Option<Option<Vec<<Chess as Game>::Move>>> {
        let Some(among) = &self.among else { return Some(None) };
        let moves = among.iter().map(|text| read_move(position, text));
        moves.collect::<Option<_>>().map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(text: &str) -> Result<String, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        history(&Chess::start(), &words, Keyed::Position)
            .map(|history| history.present().position.setup())
    }

    /// The positions are python-chess 1.11's.
    #[test]
    fn positions_are_followed() {
        let cases = [
            ("position startpos", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
            (
                "position startpos moves e2e4 c7c5",
                "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
            ),
            (
                "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1 e8c8",
                "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2",
            ),
            (
                "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1h1 e8a8",
                "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2",
            ),
            (
                "position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8n",
                "N7/7k/8/8/8/8/8/K7 b - - 0 1",
            ),
            (
                "position fen k7/8/8/8/8/8/8/1RK4R w BH - 0 1 moves c1h1",
                "k7/8/8/8/8/8/8/1R3RK1 b - - 1 1",
            ),
        ];
        for (text, fen) in cases {
            assert_eq!(setup(text).as_deref(), Ok(fen), "{text}");
        }
    }

    #[test]
    fn what_is_no_position_is_told() {
        for text in [
            "position",
            "position startpos e2e4",
            "position startpos moves e2e5",
            "position startpos moves Nf3",
            "position startpos moves 0000",
            "position fen",
            "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
            "position fen x\u{1b}[2J w - - 0 1 moves e2e4",
        ] {
            let why = setup(text).unwrap_err();
            assert!(!why.is_empty() && !why.chars().any(char::is_control), "{text}: {why}");
        }
    }
}
