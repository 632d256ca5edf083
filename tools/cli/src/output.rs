//! Standard output: facts for a person, or JSON for a program.

use crate::failure::Done;
use serde::Serialize;
use std::io::{self, BufWriter, StdoutLock, Write};

/// Standard output, buffered. What is written is only sure to be out after [`Output::finish`].
pub struct Output(BufWriter<StdoutLock<'static>>);

impl Output {
    /// Takes standard output.
    pub fn new() -> Self {
        Self(BufWriter::with_capacity(1 << 16, io::stdout().lock()))
    }

    /// Writes facts as one JSON value, and a newline.
    pub fn json(mut self, facts: &impl Serialize) -> Done<()> {
        serde_json::to_writer(&mut self.0, facts).map_err(io::Error::from)?;
        writeln!(self.0)?;
        self.finish()
    }

    /// Makes sure that all is written.
    pub fn finish(mut self) -> Done<()> {
        Ok(self.0.flush()?)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
