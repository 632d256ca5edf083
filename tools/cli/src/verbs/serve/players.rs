//! Books that are made of players' games while books are served.

use crate::console::Console;
use crate::failure::{Done, failure};
use crate::games;
use crate::names::NamesChoice;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::sync::Arc;
use tabia_build::ArchiveList;
use tabia_games::{Game, Known};
use tabia_serve::Players;

/// Books of players, in a folder that goes with them.
pub struct PlayerBooks {
    /// What makes them.
    pub players: Arc<Players>,
    folder: PathBuf,
}

impl PlayerBooks {
    /// Those of the games in these archives, which must be of chess.
    pub fn of(archives: &[PathBuf], names: &NamesChoice, console: &Console) -> Done<Self> {
        let mut list = ArchiveList::of(archives)?;
        list.leave_out_copies()?;
        if let Some(missing) = list.paths.iter().find(|path| !path.is_file()) {
            return Err(failure!("--player-games {}: there is no such file", missing.display()));
        }
        let name = list.game()?;
        if name != "chess" {
            return Err(failure!(
                "--player-games: /player is for chess, and these are games of {name}"
            ));
        }
        let game = Known::all().find(|known| known.name() == name);
        let game = game.ok_or_else(|| failure!("the rules of chess {}", games::missing(name)))?;
        let names = names.read(&game, &list.paths[0], console)?;
        let folder = new_folder()?;
        let players = Arc::new(Players::new(game, list, names, folder.clone()));
        Ok(Self { players, folder })
    }
}

impl Drop for PlayerBooks {
    fn drop(&mut self) {
        self.players.end();
        // What stays is in the system's folder for what may go.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A new folder that only we can look into. A process of our number that was killed may have left
/// one.
fn new_folder() -> Done<PathBuf> {
    let mut number = 0u32;
    loop {
        let name = format!("tabia-players-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        match DirBuilder::new().mode(0o700).create(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(failure!("{}: {error}", folder.display())),
        }
    }
}
