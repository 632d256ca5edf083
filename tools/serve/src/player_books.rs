//! Books of players in a folder of their own, which goes with them.

use crate::players::Players;
use std::io;
use std::sync::Arc;
use tabia_build::ArchiveList;
use tabia_games::Known;
use tabia_interop::opening_names::OpeningNames;
use tempfile::TempDir;

/// Books of players, until this is dropped.
pub struct PlayerBooks {
    /// What makes them.
    pub players: Arc<Players>,
    _folder: TempDir,
}

impl PlayerBooks {
    /// Those of the games in these archives, whose openings have these names, in a new folder that only we
    /// can look into, in the system's folder for what may go.
    ///
    /// # Errors
    /// The system's, if the folder can't be made.
    pub fn new(game: Known, archives: ArchiveList, names: OpeningNames) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("tabia-players-").tempdir()?;
        let players = Arc::new(Players::new(game, archives, names, folder.path().to_owned()));
        Ok(Self { players, _folder: folder })
    }
}

impl Drop for PlayerBooks {
    fn drop(&mut self) {
        self.players.end();
    }
}
