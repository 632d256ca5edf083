//! Files of a site that are made of several, or of a book and its journal.

use crate::site::Site;
use std::path::{Path, PathBuf};
use tabia::{Beside, Book, Env, Existing, MergeOptions, NewBook, merge};
use tabia_gamefile::{GameFile, GameFileError, merge_games};

/// Bytes of memory for uniting files of games.
const MEMORY: usize = 256 << 20;

impl Site {
    /// Writes a book with what its journal adds, or all shares of one, packed or plain as it is; how many
    /// bytes it has. Its games are a file of the site by themselves.
    ///
    /// # Errors
    /// Those of reading the books and of writing.
    pub fn merge_books(
        env: &Env<'_>,
        books: &[Book],
        path: &Path,
        existing: Existing,
    ) -> tabia::Result<u64> {
        let beside = Beside::Leave;
        if let [only] = books {
            let new = NewBook::copy_of(only)?.beside(beside).packed(only.header().packed);
            return Ok(new.write(env, path, existing)?.file_length);
        }
        let options = MergeOptions { existing, beside, ..MergeOptions::default() };
        Ok(merge(env, path, books, options)?.file_length)
    }

    /// Writes the games of all shares as one file; how many bytes it has.
    ///
    /// # Errors
    /// Those of reading the files and of writing.
    pub fn merge_games(
        env: &Env<'_>,
        files: &[PathBuf],
        path: &Path,
        existing: Existing,
    ) -> Result<u64, GameFileError> {
        let files = files.iter().map(GameFile::open).collect::<Result<Vec<_>, _>>()?;
        let made = merge_games(env, path, &files, None, None, MEMORY, 1)?;
        Ok(made.publish(existing)?.file_length)
    }
}
