//! A game as the file holds it, its texts, and how long things may be.

use std::borrow::Cow;
use std::cmp::Ordering;
use tabia::{Digest, Key, mix};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameResult {
    /// The first player won (White in chess, Black in Othello and Go).
    FirstWins,
    /// A draw.
    Draw,
    /// The second player won.
    SecondWins,
}

/// A game as a file of games holds it. Texts are UTF-8 without control characters, empty where
/// nothing is known; numbers are 0 there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredGame {
    /// What identifies it: 48 bits of a digest of its start, moves, players and date, as the column
    /// `game` of a book's moves has it.
    pub digest: u64,
    /// How it ended, if that is known.
    pub result: Option<GameResult>,
    /// The ratings of the first and the second player.
    pub ratings: [u16; 2],
    /// The year.
    pub year: u16,
    /// The month, from 1.
    pub month: u8,
    /// The day of the month, from 1.
    pub day: u8,
    /// The names of the first and the second player.
    pub players: [String; 2],
    /// The event.
    pub event: String,
    /// The place.
    pub site: String,
    /// The round.
    pub round: String,
    /// The set-up text of the position it starts from; empty if that is the usual one.
    pub setup: String,
    /// The archive it comes from, as a book's sources name it.
    pub source: Digest,
    /// Its first byte there, after decompression.
    pub offset: u64,
    /// 32 bits of the key that the book has for where the game ends, or where the book stops
    /// counting it; see [`end_of_key`].
    pub end: u32,
    /// The codes of its moves, on the board as it is.
    pub moves: Vec<u16>,
}

/// The upper 32 bits of the hash of a book's key: what [`StoredGame::end`] is for the last position
/// of a game, or the last line in a book keyed by line.
///
/// ```
/// assert_eq!(tabia_gamefile::end_of_key(0x463b_9618_1691_fc9c), 0x3aa0_f82c);
/// ```
pub fn end_of_key(key: Key) -> u32 {
    (mix(key) >> 32) as u32
}

impl StoredGame {
    /// How much the game is worth showing: the sum of both ratings, at most 65,535; 0 if one of them
    /// isn't known. The rank of the column `game`.
    pub fn rank(&self) -> u16 {
        let [first, second] = self.ratings;
        if first == 0 || second == 0 { 0 } else { first.saturating_add(second) }
    }

    /// How it ended as PGN says it, the first player's points first; `*` if that isn't known.
    pub fn result_text(&self) -> &'static str {
        match self.result {
            Some(GameResult::FirstWins) => "1-0",
            Some(GameResult::Draw) => "1/2-1/2",
            Some(GameResult::SecondWins) => "0-1",
            None => "*",
        }
    }

    /// What games are ordered by, the best last: rank, then digest.
    pub fn order(&self) -> (u16, u64) {
        (self.rank(), self.digest)
    }

    /// Its names, in the order in which files have their numbers.
    pub(crate) fn names(&self) -> [&String; 5] {
        [&self.players[0], &self.players[1], &self.event, &self.site, &self.round]
    }

    pub(crate) fn names_mut(&mut self) -> [&mut String; 5] {
        let [first, second] = &mut self.players;
        [first, second, &mut self.event, &mut self.site, &mut self.round]
    }

    fn known(&self) -> usize {
        let numbers =
            [self.ratings[0], self.ratings[1], self.year, self.month.into(), self.day.into()];
        self.names().iter().filter(|text| !text.is_empty()).count()
            + numbers.iter().filter(|&&number| number > 0).count()
            + usize::from(self.result.is_some())
    }

    /// Which of two entries with one digest stays (G-M1): `Greater` if this one. It is a total
    /// order, so that it doesn't matter in which order files are merged.
    pub(crate) fn precedence(&self, other: &Self) -> Ordering {
        let parts = |game: &Self| (game.rank(), game.known());
        parts(self).cmp(&parts(other)).then_with(|| other.content().cmp(&self.content()))
    }

    /// All of it but the digest, in the order in which contents are compared.
    fn content(&self) -> impl Ord + '_ {
        (
            (self.result, self.ratings, self.year, self.month, self.day),
            (&self.players, &self.event, &self.site, &self.round, &self.setup),
            (self.source, self.offset, self.end, &self.moves),
        )
    }
}

/// The most bytes of a name: of a player, an event, a place, a round.
pub const LONGEST_NAME: usize = 255;
/// The most bytes of a set-up text.
pub const LONGEST_SETUP: usize = 4096;
/// The most moves of a game.
pub const MOST_PLIES: usize = 1 << 20;

/// A text as names are stored: control characters are spaces, none at the beginning and the end, and
/// no more than [`LONGEST_NAME`] bytes.
pub fn stored_text(text: &str) -> Cow<'_, str> {
    let trimmed = text.trim();
    if trimmed.len() <= LONGEST_NAME && !trimmed.contains(char::is_control) {
        return Cow::Borrowed(trimmed);
    }
    let plain: String =
        trimmed.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let plain = plain.trim();
    Cow::Owned(plain[..plain.floor_char_boundary(LONGEST_NAME)].trim_end().to_owned())
}

/// Whether this may stand in a file as a name.
pub(crate) fn is_stored_name(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes).ok()?;
    let is_one = !text.is_empty() && text.len() <= LONGEST_NAME && !text.contains(char::is_control);
    is_one.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gm1_of_two_entries_the_better_known_stays_whichever_comes_first() {
        let plain = StoredGame { digest: 1, ..StoredGame::default() };
        let rated = StoredGame { ratings: [2700, 2600], ..plain.clone() };
        let half = StoredGame { ratings: [2700, 0], event: "e".into(), ..plain.clone() };
        let named = StoredGame { event: "a".into(), ..plain.clone() };
        let other = StoredGame { event: "b".into(), ..plain.clone() };
        for (better, worse) in
            [(&rated, &half), (&half, &named), (&named, &plain), (&named, &other), (&rated, &plain)]
        {
            assert_eq!(better.precedence(worse), Ordering::Greater);
            assert_eq!(worse.precedence(better), Ordering::Less);
        }
        assert_eq!((rated.rank(), half.rank()), (5300, 0));
    }

    #[test]
    fn g12_names_have_no_control_characters_and_an_end() {
        assert_eq!(stored_text("a\nb\u{85}c\u{7f}"), "a b c");
        assert_eq!(stored_text("M\u{fc}ller\u{1b}[2J "), "M\u{fc}ller [2J");
        let long = "é".repeat(200);
        let stored = stored_text(&long);
        assert_eq!(stored.len(), 254);
        assert!(is_stored_name(stored.as_bytes()).is_some());
        for bad in [&b""[..], b"a\x00", b"\xff", b"\xc2\x85", &[b'a'; 256]] {
            assert_eq!(is_stored_name(bad), None, "{bad:?}");
        }
        assert_eq!(stored_text(" \t "), "");
    }
}
