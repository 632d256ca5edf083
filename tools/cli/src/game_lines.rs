//! The games of archives as lines of moves, in memory.

use crate::failure::{Done, Failure};
use std::path::PathBuf;
use tabia::format::Keyed;
use tabia_archives::{GameRecord, GameSink, IngestError, Options, Origin, Wanted, ingest};
use tabia_build::ArchiveList;
use tabia_games::{Game, Known, Outcome};
use tabia_play::choice::GameHistory;

/// A game.
pub struct GameLine {
    /// The key of the position that it starts from.
    pub start: u64,
    /// The codes of its moves.
    pub codes: Vec<u16>,
    /// How it ended.
    pub outcome: Outcome,
    /// A hash of its players and date.
    pub players: u64,
}

impl GameLine {
    /// The game, as far as its moves are legal, from where games start; none if it starts elsewhere.
    pub fn history<G: Game>(&self, opening: &GameHistory<G>) -> Option<GameHistory<G>> {
        if self.start != opening.present().key {
            return None;
        }
        let mut history = opening.clone();
        for &code in &self.codes {
            let Some(played) = history.present().move_of_code(code) else { break };
            history.play(&played);
        }
        Some(history)
    }
}

#[derive(Default)]
struct Lines(Vec<GameLine>);

impl GameSink for Lines {
    type Error = Failure;

    fn game(&mut self, game: &GameRecord, _: Origin) -> Done<()> {
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

/// Reads the games of archives whose result is known, in their order.
pub fn read(known: &Known, keyed: Keyed, archives: &[PathBuf]) -> Done<Vec<GameLine>> {
    let mut archives = ArchiveList::of(archives)?;
    archives.leave_out_copies()?;
    let wanted = Wanted { keyed, players: true, ..Wanted::default() };
    let options = Options { wanted, ..Options::new(known.clone()) };
    // One thread keeps them in order.
    let mut lines = [Lines::default()];
    ingest(&archives.paths, &options, &mut lines, &mut ()).map_err(|error| match error {
        IngestError::Archive(error) => error.into(),
        IngestError::Sink(error) => error,
        IngestError::Stopped => Failure::Interrupted,
    })?;
    let [Lines(lines)] = lines;
    Ok(lines)
}
