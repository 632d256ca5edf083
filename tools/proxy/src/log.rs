//! Everything that is said, written down.

use crate::error::Error;
use std::fs::OpenOptions;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::time::Duration;

/// Everything that is said, a line each: seconds since the start, from whom or to whom, what.
pub struct Log(LogTarget);

enum LogTarget {
    Nowhere,
    /// At the end of a file that isn't open yet.
    Behind(PathBuf),
    There(Box<dyn Write>),
}

impl Log {
    /// One at the end of this file, which is opened once the engine is started.
    pub fn behind(path: PathBuf) -> Self {
        Self(LogTarget::Behind(path))
    }

    /// A log that is written there.
    pub fn new(to: Box<dyn Write>) -> Self {
        Self(LogTarget::There(to))
    }

    /// No log.
    pub fn none() -> Self {
        Self(LogTarget::Nowhere)
    }

    /// Opens its file, if it has one.
    ///
    /// # Errors
    /// [`Error::Log`].
    pub(crate) fn open(&mut self) -> Result<(), Error> {
        if let LogTarget::Behind(path) = &self.0 {
            let file = OpenOptions::new().create(true).append(true).open(path);
            let file = file.map_err(|source| Error::Log { path: path.clone(), source })?;
            self.0 = LogTarget::There(Box::new(BufWriter::new(file)));
        }
        Ok(())
    }

    /// Writes down what was said: `way` is one of `gui >`, `> engine`, `engine >`, `> gui`.
    ///
    /// # Errors
    /// The system's; nothing more is written then.
    pub(crate) fn write(&mut self, now: Duration, way: &str, said: &[u8]) -> io::Result<()> {
        self.with(|to| {
            for line in said.strip_suffix(b"\n").unwrap_or(said).split(|&byte| byte == b'\n') {
                write!(to, "{:12.6} {way:8} ", now.as_secs_f64())?;
                to.write_all(line)?;
                to.write_all(b"\n")?;
            }
            Ok(())
        })
    }

    /// Makes sure that all is written.
    ///
    /// # Errors
    /// As [`Log::write`].
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.with(|to| to.flush())
    }

    fn with(&mut self, work: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let LogTarget::There(to) = &mut self.0 else { return Ok(()) };
        let done = work(to.as_mut());
        if done.is_err() {
            self.0 = LogTarget::Nowhere;
        }
        done
    }
}
