//! Digests of games: 48 bits by which a game is found again in any archive that holds it.
//! What they are made of is fixed by format-spec/keys.md.

use crate::filter::Date;
use std::fmt::Write;
use tabia_games::Game;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// A game's start and moves, as they go into its digest.
#[derive(Clone, Debug)]
pub(crate) struct GameContent {
    start: u64,
    /// The set-up text of the start, if it isn't the usual one and is kept.
    pub setup: String,
    /// Of each move two bytes.
    codes: Vec<u8>,
}

impl GameContent {
    /// A game that starts from this position, whose set-up text is kept if that is wanted.
    pub fn start<G: Game>(position: &G, keeps_setup: bool) -> Self {
        let start = position.board_key();
        let is_usual = || position.set_up("startpos").map(|usual| usual.board_key()) == Ok(start);
        let setup = if keeps_setup && !is_usual() { position.setup() } else { String::new() };
        Self { start, setup, codes: Vec::with_capacity(512) }
    }

    /// The codes of the moves.
    pub fn codes(&self) -> impl Iterator<Item = u16> {
        self.codes.as_chunks().0.iter().map(|&code| u16::from_le_bytes(code))
    }

    /// A move that is made in this position.
    #[inline]
    pub fn push<G: Game>(&mut self, position: &G, played: &G::Move) {
        self.codes.extend_from_slice(&position.image(played, 0).to_le_bytes());
    }

    /// The digest of the game between these players on this day.
    pub fn digest<T: AsRef<str>>(&self, players: [T; 2], date: Option<Date>) -> u64 {
        let mut text = String::new();
        for name in players {
            let letters = name
                .as_ref()
                .chars()
                .filter(|&letter| !matches!(letter, ' ' | '\t' | '\r' | '\n' | '?'));
            text.extend(letters.map(|letter| letter.to_ascii_lowercase()));
            text.push('\n');
        }
        if let Some(date) = date {
            let _ = write!(text, "{date}");
        }
        let moves = (self.codes.len() / 2) as u32;
        let bytes =
            [&self.start.to_le_bytes()[..], &moves.to_le_bytes(), &self.codes, text.as_bytes()]
                .concat();
        (xxh3_128(&bytes) >> 80) as u64
    }
}

/// The hash for [`GameRecord::players`](crate::GameRecord::players), of the names of the first and
/// the second player and the date.
pub(crate) fn hash_of_players<T: AsRef<str>>(players: [T; 2], date: Option<Date>) -> u64 {
    let mut text = String::new();
    for name in players {
        let letters =
            name.as_ref().chars().filter(|letter| !letter.is_whitespace() && *letter != '?');
        text.extend(letters.flat_map(char::to_lowercase));
        text.push('\n');
    }
    text.extend(date.map(|date| date.to_string()));
    xxh3_64(text.as_bytes())
}

#[cfg(all(test, feature = "chess"))]
mod tests {
    use super::*;
    use tabia_games::Chess;

    fn content(moves: &str) -> GameContent {
        let mut game = Chess::start();
        let mut content = GameContent::start(&game, false);
        for text in moves.split_whitespace() {
            let played = game.parse_move(text).unwrap();
            content.push(&game, &played);
            game.play(&played);
        }
        content
    }

    /// Bytes put together by hand: the key of the start, 2 moves, 12-28 and 52-36 as the
    /// specification has chess moves, and the names.
    #[test]
    fn a_digest_is_that_of_these_bytes() {
        let digest = content("e4 e5").digest(["Tal, Mikhail", "?"], Date::of_tag(b"1960.05.??"));
        let codes = [12u16 << 6 | 28, 52 << 6 | 36];
        let mut bytes = 0x463b_9618_1691_fc9c_u64.to_le_bytes().to_vec();
        bytes.extend_from_slice(&[2, 0, 0, 0]);
        codes.iter().for_each(|code| bytes.extend_from_slice(&code.to_le_bytes()));
        bytes.extend_from_slice(b"tal,mikhail\n\n1960.05");
        assert_eq!(digest, (xxh3_128(&bytes) >> 80) as u64);
    }

    #[test]
    fn games_are_told_apart_by_moves_players_and_date_alone() {
        let date = |text: &str| Date::of_tag(text.as_bytes());
        let one = content("e4 e5").digest(["A", "B"], date("2020.05.17"));
        assert_eq!(one, content("e2e4 e7e5").digest([" a ", "B?"], date("2020-05-17")));
        for other in [
            content("e4").digest(["A", "B"], date("2020.05.17")),
            content("e4 e5 Nf3").digest(["A", "B"], date("2020.05.17")),
            content("e4 e5").digest(["B", "A"], date("2020.05.17")),
            content("e4 e5").digest(["AB", ""], date("2020.05.17")),
            content("e4 e5").digest(["A", "B"], date("2020.05")),
            content("e4 e5").digest(["A", "B"], None),
        ] {
            assert_ne!(one, other);
        }
        assert!(one < 1 << 48);
    }
}
