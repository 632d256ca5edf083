//! Standard output: facts for a person, or JSON for a program.

use crate::console::Console;
use crate::facts::Facts;
use crate::failure::{AfterAll, Done, Verdict};
use serde::Serialize;
use std::io::{self, BufWriter, StdoutLock, Write};

/// Standard output, buffered. What is written is only sure to be out after [`Output::finish`].
pub struct Output {
    out: BufWriter<StdoutLock<'static>>,
    /// Whether nothing but JSON is to be written.
    is_quiet: bool,
    /// Whether what is written sums up what was done.
    is_summary: bool,
}

impl Output {
    /// Takes standard output, for what was asked for.
    pub fn new() -> Self {
        let out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
        Self { out, is_quiet: false, is_summary: false }
    }

    /// Takes it for a summary of what was done, which is left out with `--quiet` unless it is JSON;
    /// if it can't be written, that is done nevertheless ([`AfterAll`]).
    pub fn of_summary(console: &Console) -> Self {
        Self { is_quiet: console.quiet, is_summary: true, ..Self::new() }
    }

    /// Shows something, as JSON or as `write` says it to people.
    pub fn show<T: Serialize>(
        mut self,
        json: bool,
        shown: &T,
        write: impl FnOnce(&T, &mut Self) -> io::Result<()>,
    ) -> Done {
        if json {
            self.json(shown)?;
        } else {
            write(shown, &mut self)?;
            self.finish()?;
        }
        Ok(Verdict::Fine)
    }

    pub fn facts(self, json: bool, facts: &Facts) -> Done {
        self.show(json, facts, Facts::write)
    }

    /// Writes facts as one JSON value, and a newline.
    pub fn json(mut self, facts: &impl Serialize) -> Done<()> {
        self.is_quiet = false;
        serde_json::to_writer(&mut self, facts).map_err(io::Error::from)?;
        self.write_all(b"\n")?;
        self.finish()
    }

    /// Makes sure that all is written.
    pub fn finish(mut self) -> Done<()> {
        Ok(self.flush()?)
    }

    fn told<T>(&self, written: io::Result<T>) -> io::Result<T> {
        let after_all = |error: io::Error| io::Error::new(error.kind(), AfterAll(error));
        if self.is_summary { written.map_err(after_all) } else { written }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = if self.is_quiet { Ok(bytes.len()) } else { self.out.write(bytes) };
        self.told(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.out.flush();
        self.told(flushed)
    }
}
