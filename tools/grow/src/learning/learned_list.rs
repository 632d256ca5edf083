//! The list of the games that an overlay has learned, a file beside it: a line a game.
//!
//! `12 89ab...`: the sequence of the batch that the game became, and the digest of the game. The line
//! is durable before the batch is; a line whose batch never came, because a crash was faster, is
//! told by its sequence and taken back. So a game is learned once, whatever happens in between; and
//! where `tabia undo` takes a batch back, its game may be learned again.

use crate::learning::LearnError;
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The first line of the file.
const MARK: &str = "tabia-learned 1\n";
/// Bytes that such a file may have: some 40 million games.
const LONGEST: u64 = 1 << 30;

/// The list of the games that an overlay has learned.
#[derive(Debug)]
pub struct LearnedList {
    path: PathBuf,
    /// Made when there is something to write.
    file: Option<File>,
    games: HashSet<u64>,
}

impl LearnedList {
    /// The file beside an overlay.
    pub fn path_of(overlay: &Path) -> PathBuf {
        let mut name = OsString::from(overlay);
        name.push("-learned");
        name.into()
    }

    /// The list of an overlay whose last batch has this sequence.
    pub fn open(overlay: &Path, sequence: u64) -> Result<Self, LearnError> {
        let path = Self::path_of(overlay);
        let failed = |source| LearnError::List { path: path.clone(), action: "read", source };
        let mut file = match OpenOptions::new().read(true).write(true).open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound && sequence == 0 => {
                return Ok(Self { path, file: None, games: HashSet::new() });
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(LearnError::NoList(path));
            }
            Err(error) => return Err(failed(error)),
        };
        let mut bytes = Vec::new();
        (&mut file).take(LONGEST).read_to_end(&mut bytes).map_err(failed)?;
        let Some((games, end)) = entries(&bytes, sequence) else {
            return Err(LearnError::InTheWay(path));
        };
        let kept = file.set_len(end as u64).and_then(|()| file.seek(SeekFrom::End(0)));
        kept.map_err(|source| LearnError::List { path: path.clone(), action: "write", source })?;
        Ok(Self { path, file: Some(file), games })
    }

    /// Whether a game was learned.
    pub fn knows(&self, digest: u64) -> bool {
        self.games.contains(&digest)
    }

    /// Writes down that a game becomes the batch of this sequence.
    pub fn begin(&mut self, sequence: u64, digest: u64) -> Result<(), LearnError> {
        let failed = |source| LearnError::List { path: self.path.clone(), action: "write", source };
        let mut text = format!("{sequence} {digest:016x}\n");
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                text = format!("{MARK}{text}");
                let made = OpenOptions::new().write(true).create_new(true).open(&self.path);
                self.file.insert(made.map_err(failed)?)
            }
        };
        file.write_all(text.as_bytes()).and_then(|()| file.sync_data()).map_err(failed)?;
        self.games.insert(digest);
        Ok(())
    }
}

/// The games whose batches there are, and where the lines of these end; none if it is no such file.
fn entries(bytes: &[u8], sequence: u64) -> Option<(HashSet<u64>, usize)> {
    let mut rest = match bytes.strip_prefix(MARK.as_bytes()) {
        Some(rest) => rest,
        // A crash before the first line was whole.
        None if MARK.as_bytes().starts_with(bytes) => return Some((HashSet::new(), 0)),
        None => return None,
    };
    let (mut games, mut last) = (HashSet::new(), 0);
    while let Some(length) = rest.iter().position(|&byte| byte == b'\n') {
        let (number, digest) = std::str::from_utf8(&rest[..length]).ok()?.split_once(' ')?;
        let number: u64 = number.parse().ok()?;
        let digest = u64::from_str_radix(digest, 16).ok()?;
        if number <= last {
            return None;
        }
        if number > sequence {
            break;
        }
        last = number;
        games.insert(digest);
        rest = &rest[length + 1..];
    }
    Some((games, bytes.len() - rest.len()))
}

/// Tells games of a file apart that were played move by move alike, by counting them: the same file
/// read again has the same games.
#[derive(Clone, Debug, Default)]
pub struct Occurrences(HashMap<u64, u32>);

impl Occurrences {
    /// The digest of the next game of the file, whose moves and loser have this digest.
    pub fn next(&mut self, content: u64) -> u64 {
        let seen = self.0.entry(content).or_default();
        *seen += 1;
        tabia::mix(tabia::mix(content).wrapping_add(u64::from(*seen)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_without_a_batch_and_torn_ones_are_taken_back() {
        let text = format!("{MARK}1 0a\n2 0b\n5 0c\n6 0");
        let read = |sequence| {
            entries(text.as_bytes(), sequence).map(|(games, end)| (games.len(), end - MARK.len()))
        };
        let found = [read(0), read(1), read(4), read(5), read(9)].map(Option::unwrap);
        assert_eq!(found, [(0, 0), (1, 5), (2, 10), (3, 15), (3, 15)]);
        assert_eq!(entries(b"tabia-lea", 3), Some((HashSet::new(), 0)));
        for bad in
            ["x", "tabia-learned 2\n", "tabia-learned 1\n1 0a\n1 0b\n", "tabia-learned 1\nx\n"]
        {
            assert_eq!(entries(bad.as_bytes(), 9), None, "{bad}");
        }
    }

    #[test]
    fn a_list_is_made_with_its_first_game() {
        let folder = tempfile::tempdir().unwrap();
        let overlay = folder.path().join("o");
        let mut list = LearnedList::open(&overlay, 0).unwrap();
        assert!(!LearnedList::path_of(&overlay).exists());
        list.begin(1, 9).unwrap();
        list.begin(2, 8).unwrap();
        assert!(list.knows(9) && list.knows(8) && !list.knows(7));
        let list = LearnedList::open(&overlay, 1).unwrap();
        assert!(list.knows(9) && !list.knows(8), "its batch never came");
        std::fs::remove_file(LearnedList::path_of(&overlay)).unwrap();
        let lost = LearnedList::open(&overlay, 1).unwrap_err();
        assert!(matches!(lost, LearnError::NoList(_)));
    }
}
