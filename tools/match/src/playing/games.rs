//! Games as a tree counts them: just played, or read back from the file that they are kept in.

use crate::played::PlayedGame;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use tabia::Key;
use tabia_archives::{Format, GameRecord, GameSink, IngestError, Options, Origin, ingest};
use tabia_games::{Game, Known, Node, Outcome, Side};

/// A game by its keys and codes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Record {
    /// Of each ply the position, the move and who made it.
    pub plies: Vec<(Key, u16, Side)>,
    pub outcome: Outcome,
    /// From which ply on moves were chosen by whoever made them.
    pub free: usize,
}

impl Record {
    pub fn of<G: Game>(game: &PlayedGame<G>, max_ply: usize) -> Self {
        let mut node = Node::start(game.history.start().clone(), false);
        let mut plies = Vec::new();
        for (side, played) in game.history.plies().iter().take(max_ply) {
            plies.push((node.key, node.code(played), *side));
            node = node.after(played);
        }
        Self { plies, outcome: game.facts.outcome, free: game.facts.from as usize }
    }

    /// The games of a file, in its order; how many plies of each were given isn't known.
    pub fn read(path: &Path, known: &Known, max_ply: usize) -> Result<Vec<Self>, String> {
        struct Sink(BTreeMap<Origin, Record>, usize);
        impl GameSink for Sink {
            type Error = Infallible;

            fn game(&mut self, game: &GameRecord, origin: Origin) -> Result<(), Infallible> {
                let plies = game.plies.iter().take(self.1);
                let plies = plies.map(|ply| (ply.key, ply.code, ply.side)).collect();
                self.0.insert(origin, Record { plies, outcome: game.outcome, free: 0 });
                Ok(())
            }
        }
        let mut sink = Sink(BTreeMap::new(), max_ply);
        let archives: [PathBuf; 1] = [path.to_owned()];
        let mut options = Options::new(known.clone());
        options.format = Some(match known {
            Known::Chess(_) | Known::Checkers(_) => Format::Tagged,
            Known::Go(_) => Format::Sgf,
            Known::Othello(_) => Format::Ggf,
            _ => Format::Lines,
        });
        match ingest(&archives, &options, std::slice::from_mut(&mut sink), &mut ()) {
            Ok(_) => Ok(sink.0.into_values().collect()),
            Err(IngestError::Archive(error)) => Err(error.to_string()),
            Err(IngestError::Stopped | IngestError::Sink(_)) => Err("it can't be read".to_owned()),
        }
    }
}
