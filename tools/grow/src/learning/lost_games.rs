//! Games of archives that a player lost, as far as they are to be learned.

use crate::learning::LearnError;
use crate::learning::learned_list::Occurrences;
use std::path::PathBuf;
use tabia::{Book, Key, TableKind};
use tabia_archives::filter::PlayerName;
use tabia_archives::{GameRecord, GameSink, IngestError, Observer, Options, Origin, ingest};
use tabia_games::{Outcome, Side};
use xxhash_rust::xxh3::Xxh3;

/// The key of each position and the code of the move played there.
type Plies = Vec<(Key, u16)>;

/// A game that the book's side lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostGame {
    /// The side that played from the book, and lost.
    pub side: Side,
    /// The key of each position from the start and the code of the move played there, as far as moves
    /// of the book were played.
    pub plies: Vec<(Key, u16)>,
    /// What the game is known by; see [`Occurrences`].
    pub digest: u64,
}

impl LostGame {
    /// The next game of a file that a side lost, with all its moves.
    pub fn of(side: Side, plies: Vec<(Key, u16)>, before: &mut Occurrences) -> Self {
        Self { side, digest: before.next(content(side, &plies)), plies }
    }
}

/// A digest of a game's moves and of who lost it.
fn content(side: Side, plies: &[(Key, u16)]) -> u64 {
    let mut digest = Xxh3::new();
    digest.update(&[side.index() as u8]);
    for (key, code) in plies {
        digest.update(&key.to_le_bytes());
        digest.update(&code.to_le_bytes());
    }
    digest.digest()
}

/// Who played from the book.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Whose {
    /// This player.
    pub player: Option<PlayerName>,
    /// Who had this color; if a player is named too, he in the games in which he had it.
    pub side: Option<Side>,
}

/// The games that the book's side lost, and how many there are in all.
#[derive(Debug, Default)]
pub struct LostGames {
    /// In the order of the archives.
    pub games: Vec<LostGame>,
    /// Games in which the book's side played.
    pub played: u64,
    /// Games that can't be read.
    pub skipped: u64,
    /// The lost games of the last archive, for whoever adds games to it.
    pub occurrences: Occurrences,
}

impl LostGames {
    /// Reads archives. Of each lost game what is needed stays in memory: the moves up to the last one
    /// from the book. Archives are read once for each color, so standard input can be read only where
    /// the color is known.
    ///
    /// # Errors
    /// If archives or book can't be read, or the observer asks to stop.
    pub fn read(
        archives: &[PathBuf],
        options: &Options,
        whose: &Whose,
        book: &Book,
        observer: &mut dyn Observer,
    ) -> Result<Self, LearnError> {
        let mut options = options.clone();
        options.wanted.keyed = book.header().keyed;
        let mut found = Self::default();
        let mut lost: Vec<(Origin, Side, Plies, u64)> = Vec::new();
        let sides = match whose.side {
            Some(side) => vec![side],
            None => vec![Side::First, Side::Second],
        };
        for side in sides {
            options.wanted.filter.players = whose.player.iter().cloned().collect();
            options.wanted.filter.color = Some(side);
            let mut sink = Sink { side, book, lost: Vec::new() };
            let stats = ingest(archives, &options, std::slice::from_mut(&mut sink), observer);
            let stats = stats.map_err(|error| match error {
                IngestError::Archive(error) => LearnError::Archive(error),
                IngestError::Sink(error) => error,
                IngestError::Stopped => LearnError::Interrupted,
            })?;
            found.played += stats.games.games_in;
            found.skipped = stats.games.skipped_games();
            let of_side = |(origin, plies, digest)| (origin, side, plies, digest);
            lost.extend(sink.lost.into_iter().map(of_side));
        }
        lost.sort_by_key(|(origin, ..)| *origin);
        let mut source = None;
        for (origin, side, plies, content) in lost {
            if source.replace(origin.source) != Some(origin.source) {
                found.occurrences = Occurrences::default();
            }
            let digest = found.occurrences.next(content);
            found.games.push(LostGame { side, plies, digest });
        }
        Ok(found)
    }
}

/// Keeps the games that a side lost.
struct Sink<'a> {
    side: Side,
    book: &'a Book,
    lost: Vec<(Origin, Plies, u64)>,
}

impl GameSink for Sink<'_> {
    type Error = LearnError;

    fn game(&mut self, game: &GameRecord, origin: Origin) -> Result<(), LearnError> {
        if game.outcome != Outcome::won_by(self.side.other()) {
            return Ok(());
        }
        let mut wanted = 0;
        for (at, ply) in game.plies.iter().enumerate().filter(|(_, ply)| ply.side == self.side) {
            let to = game.plies.get(at + 1).map_or(game.last.0, |next| next.key);
            if knows(self.book, ply.key, ply.code, to)? {
                wanted = at + 1;
            }
        }
        let mut plies: Vec<(Key, u16)> = game.plies.iter().map(|ply| (ply.key, ply.code)).collect();
        let content = content(self.side, &plies);
        plies.truncate(wanted);
        self.lost.push((origin, plies, content));
        Ok(())
    }
}

/// Whether a move is in a book: of a position, by its code, to another. Without a table of moves it is
/// if both positions are.
pub fn knows(book: &Book, key: Key, code: u16, to: Key) -> tabia::Result<bool> {
    if book.has(TableKind::Moves) {
        return Ok(book.moves(key)?.iter().any(|row| row.code() == code));
    }
    Ok(book.position(key)?.is_some() && book.position(to)?.is_some())
}
