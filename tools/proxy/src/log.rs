//! Everything that is said, written down.

use crate::error::Error;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::time::Duration;

/// Everything that is said, a line each: seconds since the start, from whom or to whom, what. Nothing
/// if nobody wants it, or once it can't be written.
pub struct Log(Option<BufWriter<File>>);

impl Log {
    /// At the end of this file.
    pub fn open(path: Option<PathBuf>) -> Result<Self, Error> {
        let open = |path: PathBuf| match OpenOptions::new().create(true).append(true).open(&path) {
            Ok(file) => Ok(BufWriter::new(file)),
            Err(error) => Err(Error::Log(path, error)),
        };
        path.map(open).transpose().map(Self)
    }

    /// Writes down what was said: `way` is one of `gui >`, `> engine`, `engine >`, `> gui`.
    pub fn write(&mut self, now: Duration, way: &str, said: &[u8]) -> io::Result<()> {
        let mut lines = said.strip_suffix(b"\n").unwrap_or(said).split(|&byte| byte == b'\n');
        self.with(|to| {
            lines.try_for_each(|line| {
                write!(to, "{:12.6} {way:8} ", now.as_secs_f64())?;
                to.write_all(line)?;
                to.write_all(b"\n")
            })
        })
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.with(BufWriter::flush)
    }

    fn with(
        &mut self,
        work: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> io::Result<()> {
        let done = self.0.as_mut().map_or(Ok(()), work);
        if done.is_err() {
            self.0 = None;
        }
        done
    }
}
