//! The names of players and tournaments, which WTHOR keeps in files of their own beside those of
//! games.
//!
//! The format is that of the text by Quin and Nicolet: 16 bytes of header, then 20 bytes for each
//! player or 26 for each tournament, NUL after the last letter.

use crate::pgn::tags::decoded;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Bytes of the header of a file.
const HEADER: usize = 16;
/// Bytes of a player's name, and of a tournament's.
const PLAYER: usize = 20;
const TOURNAMENT: usize = 26;
/// As many names as numbers can distinguish.
const MOST: usize = 1 << 16;

/// Names by their numbers.
#[derive(Debug, Default)]
pub(super) struct Directory {
    players: Vec<String>,
    tournaments: Vec<String>,
}

impl Directory {
    /// The names in the folder of an archive, as far as they can be read; none where there are
    /// none.
    pub(super) fn beside(archive: &Path) -> Self {
        let folder = match archive.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let read = |ending, length| {
            found_in(folder, ending).map(|path| names(&path, length)).unwrap_or_default()
        };
        Self { players: read("jou", PLAYER), tournaments: read("trn", TOURNAMENT) }
    }

    /// The player with this number, or an empty text.
    pub(super) fn player(&self, number: u16) -> &str {
        self.players.get(usize::from(number)).map_or("", String::as_str)
    }

    /// The tournament with this number, or an empty text.
    pub(super) fn tournament(&self, number: u16) -> &str {
        self.tournaments.get(usize::from(number)).map_or("", String::as_str)
    }
}

/// The file in a folder whose name ends like this, in any case; of several the first in the order
/// of names.
fn found_in(folder: &Path, ending: &str) -> Option<PathBuf> {
    let paths = std::fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    paths
        .filter(|path| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending)))
        .min()
}

/// The names in a file, of `length` bytes each.
fn names(path: &Path, length: usize) -> Vec<String> {
    let mut bytes = Vec::new();
    let most = (HEADER + MOST * length) as u64;
    if File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes)).is_err() {
        return Vec::new();
    }
    bytes.get(HEADER..).unwrap_or_default().chunks_exact(length).map(name).collect()
}

fn name(bytes: &[u8]) -> String {
    let letters = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
    decoded(letters.trim_ascii()).into_owned()
}
