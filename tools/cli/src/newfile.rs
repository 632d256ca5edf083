//! A file in the making, which is there as a whole or not at all.

use crate::disk::Disk;
use crate::failure::Done;
use crate::{interrupt, place};
use std::io::{self, Write};
use std::path::Path;
use tabia::{AtomicFile, AtomicWriter};

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
