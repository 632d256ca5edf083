//! The file with all skipped games, which gets its name when it is complete.

use crate::archive_list::LeftOut;
use crate::error::{BuildError, Result};
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tabia::storage::{Missing, Storage};
use tabia::{AtomicFile, AtomicWriter, Existing};
use tabia_archives::Skipped;

/// A list that is written while others may want to copy it.
pub(crate) type SharedList<'a> = Arc<Mutex<SkippedList<'a>>>;

/// The list, even if a thread panicked with it: that shows elsewhere.
pub(crate) fn locked<'l, 'a>(list: &'l SharedList<'a>) -> MutexGuard<'l, SkippedList<'a>> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) struct SkippedList<'a> {
    path: PathBuf,
    file: BufWriter<AtomicWriter<'a>>,
    /// The first failure to write.
    failed: Option<io::Error>,
}

impl<'a> SkippedList<'a> {
    /// A list to be put at this path, that begins with these files or, if an interrupted build left
    /// one, as that.
    pub fn create(storage: &'a dyn Storage, path: &Path, begun: Option<&Path>) -> Result<Self> {
        let failed =
            |source| BuildError::List { path: path.to_owned(), action: "make this file", source };
        let file = AtomicFile::create(storage, path)?.into_writer();
        let mut list = Self { path: path.to_owned(), file: BufWriter::new(file), failed: None };
        match begun {
            Some(begun) => drop(
                io::copy(&mut std::fs::File::open(begun).map_err(failed)?, &mut list.file)
                    .map_err(failed)?,
            ),
            None => list.line(format_args!("#archive\toffset\treason\twhat\tplayers\tline\ttags")),
        }
        Ok(list)
    }

    /// Adds an archive that was left out as a whole: a comment, so that all other lines are games.
    pub fn add_archive(&mut self, left_out: &LeftOut) {
        self.line(format_args!(
            "#left out\t{}\t{}",
            one_line(&left_out.path.to_string_lossy()),
            one_line(&left_out.why)
        ));
    }

    pub fn add(&mut self, skipped: &Skipped) {
        let Skipped { archive, offset, line, reason, detail, players, tags } = skipped;
        let [archive, detail, players, tags] =
            [archive, detail.as_str(), players, tags].map(one_line);
        self.line(format_args!(
            "{archive}\t{offset}\t{reason}\t{detail}\t{players}\t{line}\t{tags}"
        ));
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        if let Err(error) = writeln!(self.file, "{line}") {
            self.failed.get_or_insert(error);
        }
    }

    /// Copies what is in it so far to another file, and makes that durable.
    pub fn copy_to(&mut self, storage: &dyn Storage, path: &Path) -> io::Result<()> {
        self.file.flush()?;
        let copy = storage.open(path, Missing::Create)?;
        copy.set_len(0)?;
        let mut at = 0;
        self.file.get_ref().read_all(|bytes| {
            copy.write_all_at(bytes, at)?;
            at += bytes.len() as u64;
            Ok(())
        })?;
        copy.sync()
    }

    /// Makes durable what is in it so far.
    pub fn sync(&mut self) -> Result<()> {
        let failed = self.failed.take().map_or(Ok(()), Err);
        let written = failed.and_then(|()| self.file.flush());
        let path = || self.path.clone();
        written.map_err(|source| BuildError::List { path: path(), action: "write", source })?;
        Ok(self.file.get_ref().sync()?)
    }

    /// Puts it in its place.
    pub fn publish(mut self) -> Result<()> {
        self.sync()?;
        let Self { path, file, .. } = self;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error);
        file.map_err(|source| BuildError::List { path, action: "write", source })?
            .publish(Existing::Replace)?;
        Ok(())
    }
}

/// The text with control characters escaped, as names of files may hold them: for messages and
/// lists of a line each.
///
/// ```
/// assert_eq!(tabia_build::one_line("a\nb\x1b[2J.pgn: Zürich"), "a\\nb\\u{1b}[2J.pgn: Zürich");
/// ```
pub fn one_line(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut line, letter| {
        let _ = if letter.is_control() {
            write!(line, "{}", letter.escape_default())
        } else {
            line.write_char(letter)
        };
        line
    })
}
