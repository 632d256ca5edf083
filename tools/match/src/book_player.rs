//! A book in front of an engine: the command `tabia play` as a player of a match.

use crate::error::Error;
use std::path::{Path, PathBuf};
use tabia_engines::{Command, Launch};
use tabia_play::choice::RuleSpec;

/// Plays from a book, and by an engine where the book ends.
#[derive(Clone, Debug)]
pub struct BookPlayer {
    /// The command `tabia`.
    pub program: PathBuf,
    /// The book.
    pub book: PathBuf,
    /// A book that is laid over it.
    pub overlay: Option<PathBuf>,
    /// How it chooses among the book's moves.
    pub rule: RuleSpec,
    /// Where chance comes from.
    pub seed: u64,
}

impl BookPlayer {
    /// How the book is started in front of this engine.
    ///
    /// # Errors
    /// [`Error::NotText`] if the name of a file is no text.
    pub fn before(&self, engine: &Launch) -> Result<Launch, Error> {
        let not_text = |path: &Path| Error::NotText(path.to_owned());
        let text = |path: &Path| path.to_str().map(str::to_owned).ok_or_else(|| not_text(path));
        let mut words = vec![text(&self.program)?];
        words.extend(["play", "--quiet", "--protocol"].map(str::to_owned));
        words.extend([engine.protocol.to_string(), "--rule".to_owned(), self.rule.to_string()]);
        words.extend(["--seed".to_owned(), self.seed.to_string()]);
        if let Some(overlay) = &self.overlay {
            words.extend(["--overlay".to_owned(), text(overlay)?]);
        }
        words.extend([text(&self.book)?, "--".to_owned(), engine.command.program().to_owned()]);
        words.extend(engine.command.arguments().iter().cloned());
        let command = Command::new(words).ok_or_else(|| not_text(&self.program))?;
        Ok(Launch { command, ..engine.clone() })
    }
}
