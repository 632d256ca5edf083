//! The games of archives as lines of moves, in memory.

use crate::error::Error;
use crate::played::Counted;
use crate::tree::along;
use std::path::PathBuf;
use tabia::{Digest, Key, Keyed, Source};
use tabia_archives::{GameRecord, GameSink, IngestError, Options, Origin, Wanted, ingest};
use tabia_games::{Game, Known, Outcome};
use tabia_play::choice::GameHistory;
use xxhash_rust::xxh3::Xxh3;

/// A game of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameLine {
    /// The key of the position that it starts from.
    pub start: Key,
    /// The codes of its moves.
    pub codes: Vec<u16>,
    /// How it ended.
    pub outcome: Outcome,
    /// A hash of its players and date.
    pub players: u64,
}

impl GameLine {
    /// Reads the games of archives whose result is known, in their order.
    ///
    /// # Errors
    /// If an archive can't be read.
    pub fn read(known: &Known, keyed: Keyed, archives: &[PathBuf]) -> Result<Vec<Self>, Error> {
        let wanted = Wanted { keyed, players: true, ..Wanted::default() };
        let options = Options { wanted, ..Options::new(known.clone()) };
        // One thread keeps them in order.
        let mut lines = [Lines::default()];
        ingest(archives, &options, &mut lines, &mut ()).map_err(|error| match error {
            IngestError::Archive(error) => Error::Archive(error),
            IngestError::Sink(error) => error,
            IngestError::Stopped => Error::Book(tabia::Error::Interrupted),
        })?;
        let [Lines(lines)] = lines;
        Ok(lines)
    }

    /// The game, as far as its moves are legal, from where games start; none if it starts elsewhere.
    pub fn history<G: Game>(&self, opening: &GameHistory<G>) -> Option<GameHistory<G>> {
        (self.start == opening.present().key).then(|| along(opening.clone(), &self.codes))
    }

    /// How it counts: it is told from others by its moves, its end, its players and their date.
    pub fn counted(&self) -> Counted {
        let mut hasher = Xxh3::new();
        hasher.update(b"tabia played game");
        hasher.update(&self.start.to_le_bytes());
        self.codes.iter().for_each(|code| hasher.update(&code.to_le_bytes()));
        hasher.update(format!("{:?} {:016x}", self.outcome, self.players).as_bytes());
        let digest = Digest(hasher.digest128().to_be_bytes());
        let source = Source { digest, games: 1, name: format!("game {digest}") };
        Counted { outcome: self.outcome, source }
    }
}

#[derive(Default)]
struct Lines(Vec<GameLine>);

impl GameSink for Lines {
    type Error = Error;

    fn game(&mut self, game: &GameRecord, _: Origin) -> Result<(), Error> {
        let Some(first) = game.plies.first() else { return Ok(()) };
        self.0.push(GameLine {
            start: first.key,
            codes: game.plies.iter().map(|ply| ply.code).collect(),
            outcome: game.outcome,
            players: game.players,
        });
        Ok(())
    }
}
