//! What `go` asks for.

use tabia_games::{Chess, Game};

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
        let moves = among.iter().map(|text| super::position::read_move(position, text));
        moves.collect::<Option<_>>().map(Some)
    }
}
