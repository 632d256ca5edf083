//! The file with all skipped games, which gets its name when it is complete.

use super::archives::LeftOut;
use crate::disk::Disk;
use crate::failure::{Done, Failure, one_line};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tabia::storage::{Missing, Storage};
use tabia::{AtomicFile, AtomicWriter, Existing};
use tabia_archives::Skipped;

/// The file.
pub struct List {
    path: PathBuf,
    file: BufWriter<AtomicWriter<'static>>,
    /// The first failure to write.
    failed: Option<io::Error>,
}

impl List {
    /// A list to be put at this path, that begins with these files or, if an interrupted build left one, as that.
    pub fn create(path: &Path, begun: Option<&Path>, left_out: &[LeftOut]) -> Done<Self> {
        let failed = |error| Failure::system(path, "make this file", &error);
        let file = AtomicFile::create(&Disk, path)?.into_writer();
        let mut list = Self { path: path.to_owned(), file: BufWriter::new(file), failed: None };
        match begun {
            Some(begun) => drop(io::copy(&mut std::fs::File::open(begun).map_err(failed)?, &mut list.file).map_err(failed)?),
            None => {
                list.line(format_args!("#archive\toffset\treason\twhat\tplayers\tline\ttags"));
                left_out.iter().for_each(|left_out| list.add_archive(left_out));
            }
        }
        Ok(list)
    }

    /// Adds an archive that was left out as a whole: a comment, so that all other lines are games.
    pub fn add_archive(&mut self, left_out: &LeftOut) {
        self.line(format_args!("#left out\t{}\t{}", one_line(&left_out.path.to_string_lossy()), one_line(&left_out.why)));
    }

    /// Adds a game.
    pub fn add(&mut self, skipped: &Skipped) {
        let Skipped { archive, offset, line, reason, detail, players, tags } = skipped;
        let [archive, detail, players, tags] = [archive, detail.as_str(), players, tags].map(one_line);
        self.line(format_args!("{archive}\t{offset}\t{reason}\t{detail}\t{players}\t{line}\t{tags}"));
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        if let Err(error) = writeln!(self.file, "{line}") {
            self.failed.get_or_insert(error);
        }
    }

    /// Copies what is in it so far to another file, and makes that durable.
    pub fn copy_to(&mut self, path: &Path) -> io::Result<()> {
        self.file.flush()?;
        let copy = Disk.open(path, Missing::Create)?;
        copy.set_len(0)?;
        let mut at = 0;
        self.file.get_ref().read_all(|bytes| {
            copy.write_all_at(bytes, at)?;
            at += bytes.len() as u64;
            Ok(())
        })?;
        copy.sync()
    }

    /// Puts it in its place.
    pub fn publish(self) -> Done<()> {
        let Self { path, file, failed } = self;
        let written = failed.map_or(Ok(()), Err);
        let file = written.and_then(|()| file.into_inner().map_err(io::IntoInnerError::into_error));
        file.map_err(|error| Failure::system(&path, "write", &error))?.publish(Existing::Replace)?;
        Ok(())
    }
}
