//! Our reading of PGN against pgn-reader and shakmaty's own replay, on real archives: where both
//! can read a game they read the same.

use crate::shared::{take_path, unpacked};
use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::fen::Fen;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use tabia_archives::Options;
use tabia_testing::data;

/// A game as pgn-reader sees it: the keys of its positions, if it is one that should go in.
#[derive(Default)]
struct Oracle {
    games: Vec<Vec<u64>>,
}

struct Seen {
    result: Vec<u8>,
    position: Option<Chess>,
    keys: Vec<u64>,
}

impl Visitor for Oracle {
    type Tags = Seen;
    type Movetext = Seen;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Seen> {
        ControlFlow::Continue(Seen {
            result: Vec::new(),
            position: Some(Chess::default()),
            keys: Vec::new(),
        })
    }

    fn tag(&mut self, tags: &mut Seen, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        match name {
            b"Result" => tags.result = value.as_bytes().to_vec(),
            b"FEN" => {
                tags.position = Fen::from_ascii(value.as_bytes())
                    .ok()
                    .and_then(|fen| fen.into_position(CastlingMode::Chess960).ok())
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Seen) -> ControlFlow<(), Seen> {
        ControlFlow::Continue(tags)
    }

    fn san(&mut self, game: &mut Seen, san: SanPlus) -> ControlFlow<()> {
        if let Some(mut position) = game.position.take() {
            if game.keys.is_empty() {
                game.keys.push(key(&position));
            }
            if let Ok(played) = san.san.to_move(&position) {
                position.play_unchecked(played);
                game.keys.push(key(&position));
                game.position = Some(position);
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Seen) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, game: Seen) {
        let is_decided = matches!(game.result.as_slice(), b"1-0" | b"0-1" | b"1/2-1/2");
        if game.position.is_some() && is_decided && game.keys.len() > 1 {
            self.games.push(game.keys);
        }
    }
}

fn key(position: &Chess) -> u64 {
    position.zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0
}

/// Games a position has, by the keys of each game, each position once a game.
fn counts(games: &[Vec<u64>]) -> BTreeMap<u64, u32> {
    let mut counts = BTreeMap::new();
    for game in games {
        let mut keys = game.clone();
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            *counts.entry(key).or_default() += 1;
        }
    }
    counts
}

fn compare(path: &str) {
    let Some(path) = data(path) else { return };
    let bytes = unpacked(&path);
    let mut oracle = Oracle::default();
    Reader::new(bytes.as_slice()).visit_all_games(&mut oracle).expect("readable PGN");
    let taken = take_path(&path, &Options::default(), 2);
    assert_eq!(taken.games_in(), oracle.games.len() as u64, "{}", path.display());
    let mut ours: BTreeMap<u64, u32> = BTreeMap::new();
    for row in taken.rows.iter().filter(|row| row.1 == 0xffff) {
        *ours.entry(row.0).or_default() += row.2.iter().sum::<u32>();
    }
    assert!(ours == counts(&oracle.games), "{}", path.display());
}

/// Engine games with long comments, Chess960, samples of live sources cut off at their ends.
#[test]
fn games_of_many_kinds() {
    for name in [
        "engines-tcec.pgn.zst",
        "engines-chess960.pgn.zst",
        "sample/lichess.pgn",
        "sample/twic.pgn",
    ] {
        compare(&format!("chess/{name}"));
    }
}

/// Not among them: files in which pgn-reader ends a game at a blank line inside it (newyork1924,
/// human_computer), or passes over text that it can't read.
#[test]
fn annotated_games() {
    for name in
        ["GM_games", "bali02", "hartwig", "kramnik", "moscow64", "perle", "polgar", "semicomm"]
    {
        compare(&format!("chess/annotated/{name}.pgn"));
    }
}
