//! Which game an archive holds, as far as its beginning shows.
//!
//! Only archives are guessed from: a book's header names its game.

use crate::error::ArchiveError;
use crate::files::Files;
use crate::format::Format;
use crate::input::Input;
use crate::reading::{leading_number, parsed};
use memchr::memmem;
use std::collections::BTreeMap;
use std::path::Path;
use tabia_games::{Game, Known, names, variant_named, with_game};

/// Bytes of a file that are looked at.
const LOOKED_AT: usize = 64 << 10;
/// Files of a tar archive that are looked at.
const FILES: usize = 200;
/// Words of moves that are looked at.
const WORDS: usize = 12;

/// What an archive seems to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Guess {
    /// A game whose rules are known, by its name in books.
    Game(&'static str),
    /// A game whose rules aren't known.
    Other,
}

/// Guesses the game of an archive: that of most of its first files, if they show any. Fails if it
/// can't be opened or read.
pub fn guess(path: &Path) -> Result<Option<Guess>, ArchiveError> {
    let (mut files, mut found, mut start) =
        (Files::new(Input::open(path)?, None), BTreeMap::new(), Vec::new());
    for _ in 0..FILES {
        let Some(file) = files.open_next()? else { break };
        start.clear();
        files.read(LOOKED_AT, &mut start)?;
        let is_draughts = file.name.as_deref().or(path.to_str()).is_some_and(is_pdn);
        let guess = guess_of(file.format, &start);
        if let Some(guess) = if is_draughts { of_draughts(guess) } else { guess } {
            *found.entry(guess).or_insert(0) += 1;
        }
    }
    Ok(found.into_iter().rev().max_by_key(|&(_, files)| files).map(|(guess, _)| guess))
}

/// Whether a file is called as archives of draughts are, compressed or not.
fn is_pdn(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let plain =
        [".zst", ".gz", ".bz2"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
    plain.ends_with(".pdn")
}

/// What an archive of draughts seems to hold, given what its moves look like: those like moves of
/// chess are of rules that name squares by letters.
fn of_draughts(guess: Option<Guess>) -> Option<Guess> {
    match guess {
        Some(Guess::Game("chess" | "othello")) => Some(Guess::Other),
        None => Some(Guess::Game("checkers")),
        guess => guess,
    }
}

fn guess_of(format: Format, start: &[u8]) -> Option<Guess> {
    match format {
        Format::Ggf | Format::Wthor | Format::Transcript => Some(Guess::Game("othello")),
        Format::Sgf => Some(of_sgf(start)),
        Format::Tagged => of_tagged(start),
        Format::Lines => None,
    }
}

/// By the properties GM (1: Go, and so without it) and SZ (19 without it) of an SGF's root.
fn of_sgf(start: &[u8]) -> Guess {
    if property(start, b"GM").is_some_and(|game| game != b"1") {
        return Guess::Other;
    }
    let size = property(start, b"SZ").map_or(Some(19), |size| {
        let size = size.split(|&byte| byte == b':').next().unwrap_or_default();
        std::str::from_utf8(size).ok()?.trim().parse::<usize>().ok()
    });
    let name = size.map(|size| format!("go-{size}"));
    let known = names().map(|(known, _)| known).find(|known| name.as_deref() == Some(known));
    known.map_or(Guess::Other, Guess::Game)
}

fn property<'a>(start: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let opened = [name, b"["].concat();
    let found = |&at: &usize| !start[..at].last().is_some_and(u8::is_ascii_uppercase);
    let at = memmem::find_iter(start, &opened).find(found)? + opened.len();
    start[at..].split(|&byte| byte == b']').next().map(<[u8]>::trim_ascii)
}

/// By the first game's tag Variant, if that is one of chess, the tag GameType, or the first moves.
fn of_tagged(start: &[u8]) -> Option<Guess> {
    let lines = start.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let mut tags = lines.take_while(|line| line.is_empty() || line.starts_with(b"["));
    let tag = tags.find_map(|line| line.strip_prefix(b"[Variant \""));
    let tag = tag.and_then(|tag| tag.split(|&byte| byte == b'"').next());
    if let Some(variant) = tag.and_then(variant_named) {
        return Some(Guess::Game(variant.game));
    }
    if let Some(kind) = behind(start, b"[GameType \"").and_then(leading_number) {
        return Some(match kind {
            20 => Guess::Game("draughts-10"),
            21 => Guess::Game("checkers"),
            _ => Guess::Other,
        });
    }
    if let Some(squares) = draughts_position(start) {
        return Some(Guess::Game(if squares > 32 { "draughts-10" } else { "checkers" }));
    }
    let words = words(start);
    let squares: Vec<u32> = words.iter().filter_map(|word| squares(word)).flatten().collect();
    if let (Some(&first), Some(&largest)) = (squares.first(), squares.iter().max()) {
        // On the larger board the squares from 31 to 35 are those that games begin from.
        let is_large = largest > 32 || first > 30;
        return Some(Guess::Game(if is_large { "draughts-10" } else { "checkers" }));
    }
    if words.is_empty() {
        return None;
    }
    Some(Guess::Game(if are_othello(&words) { "othello" } else { "chess" }))
}

/// What stands behind the first place where this is written.
fn behind<'a>(start: &'a [u8], what: &[u8]) -> Option<&'a [u8]> {
    memmem::find(start, what).map(|at| &start[at + what.len()..])
}

/// The largest square in the first FEN tag, if that is one of draughts: `W:W31-50:B1-20`.
fn draughts_position(start: &[u8]) -> Option<u32> {
    let fen = behind(start, b"[FEN \"")?.split(|&byte| byte == b'"').next()?.trim_ascii();
    let is_one = matches!(fen, [b'W' | b'B' | b'w' | b'b' | b'?', b':', ..]);
    let numbers = fen.split(|byte| !byte.is_ascii_digit()).filter_map(parsed);
    is_one.then(|| numbers.max().unwrap_or_default())
}

/// The first words of the first game that can be moves: without comments and numbers.
fn words(start: &[u8]) -> Vec<&[u8]> {
    let mut words = Vec::new();
    let mut in_comment = false;
    for line in start.split(|&byte| byte == b'\n') {
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii();
        if line.starts_with(b"[") && !words.is_empty() {
            break;
        }
        if line.starts_with(b"[") || line.starts_with(b"%") || line.starts_with(b";") {
            continue;
        }
        for word in line.split(|byte| byte.is_ascii_whitespace() || matches!(byte, b'(' | b')')) {
            let (opens, closes) = (word.contains(&b'{'), word.contains(&b'}'));
            if in_comment || opens {
                in_comment = !closes;
                continue;
            }
            let number = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let word = if word.get(number) == Some(&b'.') { &word[number..] } else { word };
            let word = &word[word.iter().take_while(|&&byte| byte == b'.').count()..];
            let is_result = matches!(
                word,
                b"1-0" | b"0-1" | b"1/2-1/2" | b"1/2" | b"*" | b"2-0" | b"0-2" | b"1-1" | b"0-0"
            );
            if is_result && !words.is_empty() {
                return words;
            }
            if word.iter().any(u8::is_ascii_alphanumeric)
                && number < word.len().max(1)
                && !is_result
            {
                words.push(word);
            }
        }
        if words.len() >= WORDS {
            break;
        }
    }
    words
}

/// The numbers of the squares in a move of draughts: `11-15`, `11x18x25`.
fn squares(word: &[u8]) -> Option<Vec<u32>> {
    let word = word.split(|byte| matches!(byte, b'!' | b'?' | b'*' | b'(')).next()?;
    let squares: Option<Vec<u32>> = word
        .split(|byte| matches!(byte, b'-' | b'x' | b'X' | b':'))
        .map(|square| parsed(square).filter(|square| (1..=50).contains(square)))
        .collect();
    squares.filter(|squares| squares.len() > 1)
}

/// Whether words are the first moves of a game of Othello; never, if its rules are not there.
fn are_othello(words: &[&[u8]]) -> bool {
    let known = Known::of("othello", "zobrist").filter(|_| words.len() > 3);
    known.is_some_and(|known| with_game!(known, start => are_moves(start, words)))
}

fn are_moves<G: Game>(start: &G, words: &[&[u8]]) -> bool {
    let mut game = start.clone();
    words.iter().take(WORDS).all(|word| {
        let played = game.read_move(word);
        played.map(|played| game.play(&played)).is_ok()
    })
}

#[cfg(all(test, feature = "default"))]
mod tests {
    use super::*;

    #[test]
    fn text_with_tags_tells_its_game_by_its_moves() {
        let cases: [(&str, Option<Guess>); 18] = [
            ("[Variant \"Three-check\"]\n\n1. e4 e5", Some(Guess::Game("three-check"))),
            ("1. e4 1-0\n\n[Variant \"Horde\"]\n\n1. e4", Some(Guess::Game("chess"))),
            ("[Event \"x\"]\n\n1. e4 e5 2. Nf3 1-0", Some(Guess::Game("chess"))),
            ("1. c4 c5 2. d4 d5 3. e4 e5 1-0", Some(Guess::Game("chess"))),
            ("1.e4 1-0", Some(Guess::Game("chess"))),
            ("[Black \"A\"]\n\n1. 11-15 24-20 2. 8-11 28-24 0-1", Some(Guess::Game("checkers"))),
            ("1.11-15 23-19 {a 1-0 game} 2.8-11", Some(Guess::Game("checkers"))),
            ("1. 32-28 19-23 2. 28x19 14x23", Some(Guess::Game("draughts-10"))),
            ("[GameType \"20\"]\n1. 1-2", Some(Guess::Game("draughts-10"))),
            ("[GameType \"25,W,8,8,A1,0\"]\n1. c3-d4", Some(Guess::Other)),
            ("[Result \"26-38\"]\n1. F5 F6\n2. E6 F4\n3. E3 C5", Some(Guess::Game("othello"))),
            (
                "[Result \"40-24\"]\n1. f5 d6 2. c3 d3\n\n[Result \"40-24\"]\n1. d3 c5",
                Some(Guess::Game("othello")),
            ),
            ("1. f5 d6 2. c3 d3 3. c4", Some(Guess::Game("othello"))),
            ("[FEN \"W:W31-50:B1-20\"]\n*\n", Some(Guess::Game("draughts-10"))),
            ("[FEN \"B:W18,24,K10:B12\"]\n1. 12-16", Some(Guess::Game("checkers"))),
            ("[Event \"x\"]\n", None),
            ("[Event \"x\"]\n\n1-0\n", None),
            ("{a comment\nof two lines} 1. d4 d5", Some(Guess::Game("chess"))),
        ];
        for (text, expected) in cases {
            assert_eq!(guess_of(Format::Tagged, text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn a_file_called_pdn_is_no_chess() {
        for (name, is_one) in [
            ("a.pdn", true),
            ("x/A.PDN.zst", true),
            ("pdn", false),
            ("a.pdn.txt", false),
            ("a.pgn", false),
        ] {
            assert_eq!(is_pdn(name), is_one, "{name}");
        }
        let chess = guess_of(Format::Tagged, b"1. c3-d4 b6-a5 2. d2-c3 a7-b6");
        assert_eq!((chess, of_draughts(chess)), (Some(Guess::Game("chess")), Some(Guess::Other)));
        assert_eq!(of_draughts(None), Some(Guess::Game("checkers")));
    }

    #[test]
    fn an_sgf_tells_its_game_by_its_root() {
        let cases: [(&str, Guess); 6] = [
            ("(;GM[1]FF[4]SZ[9];B[ee])", Guess::Game("go-9")),
            ("(;SZ[13:13])", Guess::Game("go-13")),
            ("(;B[aa])", Guess::Game("go-19")),
            ("(;GM[2];B[f5])", Guess::Other),
            ("(;SZ[99])", Guess::Other),
            ("(;MYSZ[5]SZ[7])", Guess::Game("go-7")),
        ];
        for (text, expected) in cases {
            assert_eq!(guess_of(Format::Sgf, text.as_bytes()), Some(expected), "{text}");
        }
    }
}
