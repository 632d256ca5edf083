//! Books of players in a folder of their own, which goes with them.

use crate::players::Players;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::sync::Arc;
use tabia_build::ArchiveList;
use tabia_games::Known;
use tabia_interop::opening_names::OpeningNames;

/// Books of players, until this is dropped.
#[derive(Debug)]
pub struct PlayerBooks {
    /// What makes them.
    pub players: Arc<Players>,
    folder: PathBuf,
}

impl PlayerBooks {
    /// Those of the games in these archives, whose openings have these names, in a new folder that only we
    /// can look into, in the system's folder for what may go.
    ///
    /// # Errors
    /// The folder, and why it can't be made.
    pub fn new(
        game: Known,
        archives: ArchiveList,
        names: OpeningNames,
    ) -> Result<Self, (PathBuf, io::Error)> {
        let folder = (0u32..).find_map(|number| {
            let name = format!("tabia-players-{}-{number}", std::process::id());
            let folder = std::env::temp_dir().join(name);
            match DirBuilder::new().mode(0o700).create(&folder) {
                Ok(()) => Some(Ok(folder)),
                // A process of our number that was killed may have left one.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => None,
                Err(error) => Some(Err((folder, error))),
            }
        });
        let full = || Err((std::env::temp_dir(), io::ErrorKind::AlreadyExists.into()));
        let folder = folder.unwrap_or_else(full)?;
        let players = Arc::new(Players::new(game, archives, names, folder.clone()));
        Ok(Self { players, folder })
    }
}

impl Drop for PlayerBooks {
    fn drop(&mut self) {
        self.players.end();
        let _ = fs::remove_dir_all(&self.folder);
    }
}
