//! A file in the making, which is there as a whole or not at all; and standard output in place of one,
//! where a dump or an export goes.

use crate::prelude::*;
use serde::Serialize;
use std::io::IsTerminal;
use tabia::{AtomicFile, AtomicWriter, journal_path};
use tabia_interop::WriteError;

/// A file in the making. Dropped before it is published, it is gone.
pub struct NewFile {
    file: AtomicWriter<'static>,
    replace: bool,
    /// Whether it is written though the process was asked to end.
    is_last: bool,
}

impl NewFile {
    /// A file to be put here, for which nothing may be in the way that isn't to be replaced. From
    /// now on Ctrl-C asks the work to stop.
    pub fn create(path: &Path, replace: bool) -> Done<Self> {
        interrupt::listen();
        place::check_output(path, replace)?;
        Ok(Self { file: AtomicFile::create(&Disk, path)?.into_writer(), replace, is_last: false })
    }

    /// The same, written though the process was asked to end: what it says is wanted just then.
    pub fn though_interrupted(self) -> Self {
        Self { is_last: true, ..self }
    }

    /// Where it is to be put.
    pub fn path(&self) -> &Path {
        self.file.target()
    }

    /// Puts it there; how many bytes it has.
    pub fn publish(self) -> Done<u64> {
        Ok(self.file.publish(self.replace.into())?)
    }

    /// Writes all of it and puts it there; how many bytes it has.
    pub fn fill(mut self, write: impl FnOnce(&mut Self) -> io::Result<()>) -> Done<u64> {
        match write(&mut self) {
            Ok(()) => self.publish(),
            Err(error) => Err(Failure::system(self.path(), "write", &error)),
        }
    }

    /// Makes it a file of JSON that people can read, and puts it there.
    pub fn fill_with_json(self, value: &impl Serialize) -> Done<u64> {
        self.fill(|file| {
            serde_json::to_writer_pretty(&mut *file, value)?;
            writeln!(file)
        })
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // An interruption of the system's kind would be tried again.
        if interrupt::wanted() && !self.is_last {
            Err(io::Error::other("interrupted"))
        } else {
            self.file.write(bytes)
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// What rows, or a book of another program, are written to.
pub enum Target {
    Output(io::Stdout),
    File(NewFile),
}

impl Target {
    /// A file that is none of the books and none of their journals; without a path standard output.
    pub fn create<'a>(
        path: Option<&Path>,
        books: impl IntoIterator<Item = &'a Path>,
        replace: bool,
    ) -> Done<Self> {
        let Some(path) = path else { return Ok(Self::Output(io::stdout())) };
        for book in books {
            place::check_distinct(path, [book, journal_path(book).as_path()])?;
        }
        NewFile::create(path, replace).map(Self::File)
    }

    /// The file's path, if it is one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Output(_) => None,
            Self::File(file) => Some(file.path()),
        }
    }

    /// Makes sure that all is written, and where it belongs; how many bytes a file has.
    pub fn publish(mut self) -> Done<u64> {
        self.flush()?;
        match self {
            Self::Output(_) => Ok(0),
            Self::File(file) => file.publish(),
        }
    }

    fn out(&mut self) -> &mut dyn Write {
        match self {
            Self::Output(output) => output,
            Self::File(file) => file,
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out().flush()
    }
}

/// Makes sure that this, which isn't for people, doesn't go to a terminal.
pub fn check_no_terminal(output: Option<&Path>, what: &str) -> Done<()> {
    if output.is_none() && io::stdout().is_terminal() {
        return Err(failure!(
            "standard output is a terminal, and {what} is not for reading: give -o NAME"
        ));
    }
    Ok(())
}

/// Why nothing was written to a target, a file with this path or standard output.
pub fn refused(path: Option<&Path>) -> impl Fn(WriteError) -> Failure {
    move |error| match error {
        WriteError::Book(error) => error.into(),
        WriteError::Io(error) => unwritten(path, error),
        error => Failure::Message(error.to_string()),
    }
}

/// A failure to write to a target: to a file with this path, or to standard output.
pub fn unwritten(path: Option<&Path>, error: io::Error) -> Failure {
    match path {
        Some(path) => Failure::system(path, "write", &error),
        None => Failure::from(error),
    }
}
