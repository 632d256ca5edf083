//! Everything that is said, written down.

use std::io::{self, Write};
use std::time::Duration;

/// Everything that is said, a line each: seconds since the start, from whom or to whom, what.
pub struct Log(Option<Box<dyn Write>>);

impl Log {
    /// One written there.
    #[must_use]
    pub fn new(to: Box<dyn Write>) -> Self {
        Self(Some(to))
    }

    /// None.
    #[must_use]
    pub fn none() -> Self {
        Self(None)
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
        let done = self.0.as_mut().map_or(Ok(()), |to| work(to.as_mut()));
        if done.is_err() {
            self.0 = None;
        }
        done
    }
}
