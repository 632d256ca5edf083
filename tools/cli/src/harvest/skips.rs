//! The games that were skipped: a handful on the terminal, all of them in a file if that is wanted.

use crate::console::{Console, Meter};
use crate::failure::{Done, Failure, one_line};
use crate::numbers::grouped;
use crate::place;
use std::fs::Permissions;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tabia_archives::{Observer, Progress, Skipped, Warning};
use tempfile::NamedTempFile;

/// How many games are listed on the terminal.
const LISTED: u64 = 5;

/// Hears of skipped games while archives are read.
pub struct Skips<'a> {
    meter: &'a Meter,
    quiet: bool,
    skipped: u64,
    list: Option<List>,
}

impl<'a> Skips<'a> {
    /// Writes all of them to this file, if any.
    pub fn new(console: &Console, meter: &'a Meter, file: Option<&Path>) -> Done<Self> {
        let list = file.map(List::create).transpose()?;
        Ok(Self { meter, quiet: console.quiet, skipped: 0, list })
    }

    /// Says how many games were not listed; the file with all of them is returned, to be put in its place.
    pub fn finish(self) -> Option<List> {
        if self.skipped > LISTED && !self.quiet {
            let hint = if self.list.is_some() { "" } else { " (--errors FILE lists all)" };
            self.meter.note(&format!("skipped: {} more{hint}", grouped(self.skipped - LISTED)));
        }
        self.list
    }
}

impl Observer for Skips<'_> {
    fn skipped(&mut self, skipped: &Skipped) {
        self.skipped += 1;
        if self.skipped <= LISTED && !self.quiet {
            self.meter.note(&format!("skipped: {skipped}"));
        }
        if let Some(list) = &mut self.list {
            list.add(skipped);
        }
    }

    fn warned(&mut self, warning: &Warning) {
        self.meter.note(&format!("warning: {warning}"));
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.meter.reading(progress)
    }
}

/// The file with all of them, without its name until it is complete.
pub struct List {
    path: PathBuf,
    file: BufWriter<NamedTempFile>,
    /// The first failure to write.
    failed: Option<io::Error>,
}

impl List {
    fn create(path: &Path) -> Done<Self> {
        let mut unnamed = tempfile::Builder::new();
        unnamed.permissions(Permissions::from_mode(0o666));
        let file = unnamed.tempfile_in(place::folder_of(path)).map_err(|error| Failure::system(path, "make this file", &error))?;
        let mut list = Self { path: path.to_owned(), file: BufWriter::new(file), failed: None };
        list.line(format_args!("#archive\toffset\treason\twhat\tplayers"));
        Ok(list)
    }

    fn add(&mut self, skipped: &Skipped) {
        let Skipped { archive, offset, reason, detail, players } = skipped;
        self.line(format_args!("{}\t{offset}\t{reason}\t{}\t{}", one_line(archive), one_line(detail), one_line(players)));
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        if let Err(error) = writeln!(self.file, "{line}") {
            self.failed.get_or_insert(error);
        }
    }

    /// Puts it in its place.
    pub fn publish(self) -> Done<()> {
        let Self { path, file, failed } = self;
        let written = failed.map_or(Ok(()), Err);
        let file = written.and_then(|()| file.into_inner().map_err(io::IntoInnerError::into_error));
        let placed = file.and_then(|file| file.persist(&path).map_err(|error| error.error));
        placed.map(drop).map_err(|error| Failure::system(&path, "write", &error))
    }
}
