//! Standard output: facts for a person, or JSON for a program.

use crate::console::Console;
use crate::failure::{Done, Failure, Verdict};
use serde::Serialize;
use std::io::{self, BufWriter, StdoutLock, Write};

/// Standard output, buffered. What is written is only sure to be out after [`Output::finish`].
pub struct Output {
    out: BufWriter<StdoutLock<'static>>,
    /// Whether nothing but JSON is to be written.
    is_quiet: bool,
}

impl Output {
    /// Takes standard output, for what was asked for.
    pub fn new() -> Self {
        Self { out: BufWriter::with_capacity(1 << 16, io::stdout().lock()), is_quiet: false }
    }

    /// Takes it for a summary of what was done, which is left out with `--quiet` unless it is JSON.
    pub fn of_summary(console: &Console) -> Self {
        Self { is_quiet: console.quiet, ..Self::new() }
    }

    /// Reports what was done, as JSON or as `write` says it to people.
    pub fn summary<T: Serialize>(
        console: &Console,
        json: bool,
        facts: &T,
        write: impl FnOnce(&T, &mut Self) -> io::Result<()>,
    ) -> Done {
        let mut out = Self::of_summary(console);
        let written = if json {
            out.json(facts)
        } else {
            write(facts, &mut out).map_err(Failure::from).and_then(|()| out.finish())
        };
        match written {
            // What it sums up is done.
            Err(Failure::Output(error)) => {
                Err(Failure::AfterAll(format!("it is done, but {}", Failure::Output(error))))
            }
            written => written.map(|()| Verdict::Fine),
        }
    }

    /// Writes facts as one JSON value, and a newline.
    pub fn json(mut self, facts: &impl Serialize) -> Done<()> {
        serde_json::to_writer(&mut self.out, facts).map_err(io::Error::from)?;
        self.out.write_all(b"\n")?;
        self.finish()
    }

    /// Makes sure that all is written.
    pub fn finish(mut self) -> Done<()> {
        Ok(self.out.flush()?)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_quiet { Ok(bytes.len()) } else { self.out.write(bytes) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
