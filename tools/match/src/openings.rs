//! What games start from: nothing, random plies, or a file of lines of moves, positions, or PGN.
//!
//! - *Lines.* One opening a line: moves in any notation of the game, with or without move numbers
//!   and a result, Othello's squares with or without spaces; a `#` begins a comment.
//! - *Positions.* One a line, as the game's set-up text: in chess EPD, whose `hmvc` and `fmvn` are
//!   read, or FEN. Lines of moves and positions may be mixed.
//! - *PGN* of chess, *PDN* of draughts: the main line of each game, from its `FEN` if it has one, to
//!   its end.
//!
//! Openings in which the game is over, or in which a move isn't legal, are errors that name them.

mod pgn;

use crate::error::Error;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use tabia::{Keyed, mix};
use tabia_engines::MoveHistory;
use tabia_games::{Game, after_number, is_chess};
use tabia_play::choice::GameHistory;

/// Openings that are read of a file.
const MOST: usize = 1_000_000;
/// Bytes of a line.
const LONGEST_LINE: u64 = 1 << 16;
/// Plies of an opening.
const MOST_PLIES: u32 = 1000;
/// How often another random opening is tried.
const TRIES: u64 = 1000;

/// What games start from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Openings {
    /// The game's start position.
    #[default]
    None,
    /// Moves drawn from all legal ones, another opening for each pair of games.
    Random {
        /// How many.
        plies: u32,
    },
    /// A file.
    File(PathBuf),
}

/// A text that names no openings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` names no openings: give a file, none, or random:PLIES with 1 to 1000 plies")]
pub struct BadOpenings(String);

impl FromStr for Openings {
    type Err = BadOpenings;

    fn from_str(text: &str) -> Result<Self, BadOpenings> {
        let bad = || BadOpenings(text.to_owned());
        match text.split_once(':') {
            _ if text == "none" => Ok(Self::None),
            _ if text.is_empty() => Err(bad()),
            Some(("random", plies)) => {
                let plies = plies.parse().ok().filter(|plies| (1..=MOST_PLIES).contains(plies));
                plies.map(|plies| Self::Random { plies }).ok_or_else(bad)
            }
            _ => Ok(Self::File(text.into())),
        }
    }
}

impl Openings {
    /// The file that they come from, if they come from one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::None | Self::Random { .. } => None,
        }
    }

    /// The openings of a match, at least one and `pairs` at most; those of a file in an order
    /// drawn by the seed if they are `shuffled`.
    pub(crate) fn read<G: Game>(
        &self,
        start: &G,
        seed: u64,
        shuffled: bool,
        pairs: usize,
    ) -> Result<Vec<MoveHistory<G>>, Error> {
        match self {
            Self::None => Ok(vec![MoveHistory::new(start.clone())]),
            Self::Random { plies } => random(start, *plies, seed, pairs),
            Self::File(path) => {
                let mut openings = from_file(start, path, if shuffled { MOST } else { pairs })?;
                if shuffled {
                    shuffle(&mut openings, seed);
                }
                openings.truncate(pairs);
                if openings.is_empty() { Err(Error::NoOpening(path.clone())) } else { Ok(openings) }
            }
        }
    }
}

/// Numbers that look random and follow from a seed.
struct Rng(u64);

impl Rng {
    /// The next one below `count`, which is small beside 2^64, so that all come about equally
    /// often.
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (mix(self.0) % count.max(1) as u64) as usize
    }
}

/// So many different openings of random moves. The n-th one doesn't depend on how many there are.
fn random<G: Game>(
    start: &G,
    plies: u32,
    seed: u64,
    count: usize,
) -> Result<Vec<MoveHistory<G>>, Error> {
    let (mut openings, mut seen) = (Vec::new(), BTreeSet::new());
    for number in 0..count as u64 {
        let fresh = (0..TRIES).find_map(|attempt| {
            let rng = Rng(mix(seed ^ mix(number.wrapping_mul(TRIES).wrapping_add(attempt))));
            random_course(start, plies, rng)
                .filter(|history| seen.insert(history.position().setup()))
        });
        openings.push(fresh.ok_or(Error::NoRandomOpening(plies))?);
    }
    Ok(openings)
}

/// An opening of random moves after which the game goes on. Passes aren't moves that openings are
/// made of.
fn random_course<G: Game>(start: &G, plies: u32, mut rng: Rng) -> Option<MoveHistory<G>> {
    let (mut history, mut moves) = (MoveHistory::new(start.clone()), Vec::new());
    for _ in 0..plies {
        history.position().legal_moves(&mut moves);
        moves.retain(|played| history.position().coordinates(played) != "pass");
        let number = rng.below(moves.len());
        let played = moves.get(number)?;
        history.play(played);
    }
    history.position().outcome().is_none().then_some(history)
}

/// Fisher and Yates.
fn shuffle<T>(openings: &mut [T], seed: u64) {
    let mut rng = Rng(mix(seed));
    for last in (1..openings.len()).rev() {
        openings.swap(last, rng.below(last + 1));
    }
}

/// The first openings of a file.
fn from_file<G: Game>(start: &G, path: &Path, most: usize) -> Result<Vec<MoveHistory<G>>, Error> {
    let failed = || Error::file(path, "read the openings");
    let mut file = BufReader::new(File::open(path).map_err(failed())?);
    let first = file.fill_buf().map_err(failed())?.trim_ascii_start().first().copied();
    file.rewind().map_err(failed())?;
    let is_pgn = first == Some(b'[')
        || path.extension().is_some_and(|ending| {
            ["pgn", "pdn"].iter().any(|usual| ending.eq_ignore_ascii_case(usual))
        });
    let fault = |number: usize, why: String| Error::Opening { path: path.to_owned(), number, why };
    let mut openings = Vec::new();
    if is_pgn {
        let mut games = pgn::Games::new(start, file);
        while openings.len() < most
            && let Some(opening) = games.next_game().map_err(failed())?
        {
            openings.push(opening.and_then(checked).map_err(|why| fault(openings.len() + 1, why))?);
        }
        return Ok(openings);
    }
    let mut line = Vec::new();
    while openings.len() < most {
        line.clear();
        if file.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(failed())? == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&line);
        if let Some(opening) = of_line(start, &text) {
            openings.push(opening.and_then(checked).map_err(|why| fault(openings.len() + 1, why))?);
        }
    }
    Ok(openings)
}

/// An opening from which a game can be played.
fn checked<G: Game>(history: MoveHistory<G>) -> Result<MoveHistory<G>, String> {
    if history.position().outcome().is_some() {
        return Err("the game is over behind it".to_owned());
    }
    Ok(history)
}

/// The opening that a line says; none if it says nothing.
fn of_line<G: Game>(start: &G, line: &str) -> Option<Result<MoveHistory<G>, String>> {
    let line = line.trim_start_matches('\u{feff}').trim();
    let text = line.split_once(" #").map_or(line, |(text, _)| text);
    let mut words: Vec<&str> = text.split_ascii_whitespace().collect();
    let first = after_number(words.first()?);
    if first.starts_with('#') {
        return None;
    }
    if start.read_move(first.as_bytes()).is_err()
        && let Ok(position) = start.set_up(&set_up_text(start, text))
    {
        return Some(Ok(MoveHistory::new(position)));
    }
    words.retain(|word| !matches!(*word, "1-0" | "0-1" | "1/2-1/2" | "*"));
    let mut game = GameHistory::start(start.clone(), Keyed::Position);
    if let Err((ply, error)) = game.play_text(&words.join(" ")) {
        return Some(Err(format!("ply {ply}: {error}")));
    }
    let mut history = MoveHistory::new(start.clone());
    game.moves().iter().for_each(|played| history.play(played));
    Some(Ok(history))
}

/// A line of EPD as a FEN: its move counters are operations. Set-up texts of other games are what
/// they are.
fn set_up_text<G: Game>(start: &G, line: &str) -> String {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    // Three-check has the checks that may still be given behind the four.
    let fields = if words.get(4).is_some_and(|word| word.contains('+')) { 5 } else { 4 };
    let is_fen =
        words.get(fields).is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    if !is_chess(start.name()) || is_fen || words.len() < fields {
        return line.to_owned();
    }
    let operations = words[fields..].join(" ");
    let counter = |name: &str| {
        let values =
            operations.split(';').filter_map(|operation| operation.trim().strip_prefix(name));
        values.filter_map(|value| value.trim().parse::<u32>().ok()).next()
    };
    let (halfmoves, fullmoves) = (counter("hmvc ").unwrap_or(0), counter("fmvn ").unwrap_or(1));
    format!("{} {halfmoves} {fullmoves}", words[..fields].join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Write;
    use tabia_games::go::Symmetry;
    use tabia_games::{Checkers, Chess, Go, Othello};

    fn file(text: &str) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file
    }

    /// The set-up texts that the openings of a file lead to.
    fn read<G: Game>(start: &G, text: &str) -> Result<Vec<String>, String> {
        let openings =
            from_file(start, file(text).path(), MOST).map_err(|error| error.to_string())?;
        Ok(openings.iter().map(|history| history.position().setup()).collect())
    }

    const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

    #[test]
    fn lines_of_moves_and_positions() {
        let text = "# a comment\n\n1.e4 e5 2. Nf3 1/2-1/2\ne2e4 # king's pawn\n\
                    rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - hmvc 3; id \"x; y\"; fmvn 7;\n\
                    rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 5 9\n";
        let found = read(&Chess::start(), text).unwrap();
        assert_eq!(found[0], "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
        assert_eq!(found[1], AFTER_E4);
        assert_eq!(found[2], AFTER_E4.replace("0 1", "3 7"));
        assert_eq!(found[3..], [AFTER_E4.replace("0 1", "5 9")]);
    }

    #[test]
    fn other_games_have_lines_too() {
        let othello = read(&Othello::start(), "f5d6c3\nf5 d6 c3\n").unwrap();
        assert_eq!((othello.len(), &othello[0]), (2, &othello[1]));
        let go = read(&Go::start(9, Symmetry::Board).unwrap(), "E5 C3\n9/9/9/9/4X4/9/2O6/9/9 b\n")
            .unwrap();
        assert_eq!(go[0], go[1]);
    }

    #[test]
    fn draughts_have_lines_and_pdn() {
        let start = Checkers::english();
        let lines =
            read(&start, "1. 11-15 22-18 2. 15x22\n11-15 22-18 15x22 # a comment\n").unwrap();
        let pdn = "[GameType \"21\"]\n\n1. 11-15 {best} 22-18 (23-19 8-11) 2.15x22! 1/2-1/2\n\n\
                   1. 11-15 22-18 15x22 1-1\n\n[FEN \"W:W21-32:B1-12\"]\n\n1... 22-18 *\n";
        let pdn = read(&start, pdn).unwrap();
        assert_eq!((lines[0].as_str(), &lines[1]), (pdn[0].as_str(), &pdn[1]));
        assert_eq!(lines[0], lines[1]);
        assert!(pdn[2].starts_with("B:W18,"), "{}", pdn[2]);
        assert_eq!(random(&start, 4, 1, 20).unwrap().len(), 20);
        let error = read(&start, "11-15 11-16\n").unwrap_err();
        assert!(error.contains("ply 2: `11-16` is not legal"), "{error}");
    }

    #[test]
    fn what_is_no_opening_is_named() {
        for (text, why) in [
            ("e4\ne4 e4\n", "opening 2: ply 2: `e4` is not legal"),
            ("f3 e5 g4 Qh4#\n", "opening 1: the game is over"),
            ("what is this\n", "`what` is not a move"),
            (
                "[Event \"x\"]\n[FEN \"nonsense\"]\n\n1. e4 *\n",
                "opening 1: `nonsense` is not a position",
            ),
        ] {
            let error = read(&Chess::start(), text).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
        assert_eq!(read(&Chess::start(), ""), Ok(vec![]));
    }

    #[test]
    fn random_openings_follow_from_the_seed_and_differ() {
        let of = |seed, count| {
            random(&Chess::start(), 4, seed, count)
                .unwrap()
                .iter()
                .map(|history| history.position().setup())
                .collect::<Vec<_>>()
        };
        let twenty = of(1, 20);
        assert_eq!(twenty[..5], of(1, 5)[..], "more of them change nothing");
        assert_ne!(twenty, of(2, 20));
        assert_eq!(twenty.iter().collect::<BTreeSet<_>>().len(), 20);
        // White has twenty first moves.
        assert_eq!(random(&Chess::start(), 1, 7, 20).unwrap().len(), 20);
        assert!(matches!(random(&Chess::start(), 1, 7, 21), Err(Error::NoRandomOpening(1))));
    }

    #[test]
    fn openings_are_named_by_words() {
        assert_eq!("none".parse(), Ok(Openings::None));
        assert_eq!("random:8".parse(), Ok(Openings::Random { plies: 8 }));
        assert_eq!("suite.epd".parse(), Ok(Openings::File("suite.epd".into())));
        for bad in ["", "random:", "random:0", "random:1001", "random:x"] {
            assert!(bad.parse::<Openings>().is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn any_file_is_read_or_refused(text in "([a-h][1-8]|[KQRBN/1-8wbkq -]{1,40}|\\[FEN \"|\"\\]|\\PC{0,10}|\n){0,20}") {
            let _ = read(&Chess::start(), &text);
            let _ = read(&Othello::start(), &text);
        }
    }
}
