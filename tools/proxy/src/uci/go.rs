//! What `go` asks for.

use tabia_games::{Chess, Game};

/// The words that may follow `go`.
const WORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

/// What `go` asks for, as far as a book has to know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
            in_moves = if WORDS.contains(&word) { word == "searchmoves" } else { in_moves };
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
        among
            .iter()
            .map(|text| super::position::read_move(position, text))
            .collect::<Option<Vec<_>>>()
            .map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_end_at_the_next_word() {
        let words = |text: &'static str| text.split(' ').collect::<Vec<_>>();
        let go = Go::of(&words("go searchmoves e2e4 d2d4 wtime 100 ponder"));
        let found = (go.ponder, go.infinite, go.among.clone());
        assert_eq!(found, (true, false, Some(vec!["e2e4", "d2d4"])));
        assert_eq!(go.among(&Chess::start()).unwrap().unwrap().len(), 2);
        assert_eq!(Go::of(&words("go searchmoves e2e5")).among(&Chess::start()), None);
        assert_eq!(Go::of(&words("go wtime 1 btime 1")).among(&Chess::start()), Some(None));
        assert!(
            Go::of(&words("go perft 3")).is_perft
                && Go::of(&words("go infinite")).infinite
                && Go::of(&words("go mate 3")).is_mate
        );
    }
}
