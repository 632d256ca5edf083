//! Any bytes as games one a line, of any game whose rules are known: what goes in is what a model
//! that splits lines and words by itself plays, with the same keys, codes and results; what doesn't
//! go in has a fault; a line counts the same whether it is read alone or with the others.
//!
//! The first byte chooses the game, the second whether keys are those of lines; the rest is the
//! text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::OnceLock;
use tabia::format::Keyed;
use tabia_archives::lines::LineReader;
use tabia_archives::reading::{Content, Fault, Games, Reads, Stopped};
use tabia_archives::{GameRecord, Wanted};
use tabia_games::{Game, Known, Line, Outcome, with_game};

/// A game that went in: where it stands, keys and codes, the last key, and how it ended.
type Taken = (usize, Vec<(u64, u16)>, u64, Outcome);

/// All that becomes of the games.
#[derive(Default, Debug, PartialEq)]
struct Seen {
    played: Vec<Taken>,
    skipped: Vec<usize>,
}

impl Games for Seen {
    fn played(&mut self, at: usize, game: &GameRecord) -> Result<(), Stopped> {
        let plies = game.plies.iter().map(|ply| (ply.key, ply.code)).collect();
        self.played.push((at, plies, game.last.0, game.outcome));
        Ok(())
    }

    fn skipped(&mut self, at: usize, fault: Fault, _: String) {
        assert!(!fault.detail.is_empty() && fault.detail.len() < 400, "{}", fault.detail);
        self.skipped.push(at);
    }
}

/// Reads a text whole and line by line, and compares it with the model.
fn check<G: Game>(start: &G, text: &[u8], keyed: Keyed) {
    let wanted = Wanted { keyed, ..Wanted::default() };
    let mut reader = LineReader::new(start.clone(), wanted);
    let (mut whole, mut apart, mut at) = (Seen::default(), Seen::default(), 0);
    let content = read(&mut reader, text, true, &mut whole);
    let mut contents = Content::Blank;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let mut one = Seen::default();
        contents = contents.max(read(&mut reader, line, at + line.len() == text.len(), &mut one));
        apart.played.extend(
            one.played
                .into_iter()
                .map(|(place, plies, last, outcome)| (at + place, plies, last, outcome)),
        );
        apart.skipped.extend(one.skipped.into_iter().map(|place| at + place));
        at += line.len();
    }
    assert_eq!((&whole, content), (&apart, contents));
    assert_eq!(whole.played, model(start, text, keyed));
    assert!(content == Content::Games || whole.played.is_empty());
}

fn read<G: Game>(
    reader: &mut LineReader<G>,
    text: &[u8],
    is_last: bool,
    seen: &mut Seen,
) -> Content {
    reader.read(text, is_last, seen).expect("nobody stops it")
}

/// The games of a text, by its words.
fn model<G: Game>(start: &G, text: &[u8], keyed: Keyed) -> Vec<Taken> {
    let mut at = 0;
    let mut taken = Vec::new();
    for line in text.split(|&byte| byte == b'\n') {
        let plain = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let first = plain.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(0)
            + line.len()
            - plain.len();
        let words = plain.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
        let words: Vec<&[u8]> = words.take_while(|word| word[0] != b'#').collect();
        taken.extend(
            game(start, &words, keyed)
                .map(|(plies, last, outcome)| (at + first, plies, last, outcome)),
        );
        at += line.len() + 1;
    }
    taken
}

fn game<G: Game>(
    start: &G,
    words: &[&[u8]],
    keyed: Keyed,
) -> Option<(Vec<(u64, u16)>, u64, Outcome)> {
    let (result, moves) = words.split_last()?;
    let outcome = match *result {
        b"1-0" => Outcome::FirstWins,
        b"0-1" => Outcome::SecondWins,
        b"1/2-1/2" | b"1/2" => Outcome::Draw,
        _ => return None,
    };
    let (mut position, mut line, mut plies) = (start.clone(), Line::start(start), Vec::new());
    for word in moves {
        let played = position.read_move(word).ok()?;
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        assert!(legal.contains(&played), "{}: {played:?} isn't legal", position.setup());
        plies.push(match keyed {
            Keyed::Line => (line.key(), line.code(&position, &played)),
            Keyed::Position => (position.key(), position.code(&played)),
        });
        line = line.after(&position, &played);
        position.play(&played);
    }
    let last = if keyed == Keyed::Line { line.key() } else { position.key() };
    (!plies.is_empty()).then_some((plies, last, outcome))
}

fn games() -> &'static [Known] {
    static GAMES: OnceLock<Vec<Known>> = OnceLock::new();
    GAMES.get_or_init(|| Known::all().collect())
}

fuzz_target!(|bytes: &[u8]| {
    let [game, keyed, text @ ..] = bytes else { return };
    let known = &games()[usize::from(*game) % games().len()];
    let keyed = if keyed & 1 == 1 { Keyed::Line } else { Keyed::Position };
    with_game!(known, start => check(start, text, keyed));
});
