//! What a book says of how its evals were made.

use crate::error::Error;
use crate::growing_book::GrowingBook;
use crate::progress::Watch;
use std::fmt;
use tabia::{Digest, Fact};
use tabia_engines::{EvalUnit, Limit};

/// By whom and how evals are made, as the book's fact `evals` says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalFact {
    /// The engine.
    pub engine: String,
    /// What each search may use.
    pub limit: String,
    /// What values are told in.
    pub unit: String,
}

impl fmt::Display for EvalFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clean = |text: &str| text.replace([';', '='], " ");
        let Self { engine, limit, unit } = self;
        write!(f, "engine={}; limit={}; unit={}", clean(engine), clean(limit), clean(unit))
    }
}

impl EvalFact {
    /// By an engine of this name with this limit, in the unit of a game.
    pub fn of(engine: &str, limit: &Limit, game: &str) -> Self {
        let unit = EvalUnit::of(game).name().to_owned();
        Self { engine: engine.to_owned(), limit: limit.to_string(), unit }
    }

    /// What the book doesn't say yet of evals made like this; others are told to the watch.
    ///
    /// # Errors
    /// [`Error::Unit`] if those of the book are in another unit.
    pub(crate) fn new_in(
        &self,
        book: &GrowingBook<'_>,
        watch: &dyn Watch,
    ) -> Result<Vec<Fact>, Error> {
        let known: Vec<&Fact> =
            book.facts().iter().filter(|fact| fact.name() == Fact::EVALS).collect();
        let ours = self.to_string();
        let is_known = known.iter().any(|fact| fact.value() == ours);
        for fact in &known {
            let theirs = fact.value().split("; ").find_map(|part| part.strip_prefix("unit="));
            let theirs = theirs.unwrap_or("none");
            if ![self.unit.as_str(), "none"].contains(&theirs) {
                return Err(Error::Unit {
                    path: book.path().to_owned(),
                    theirs: theirs.to_owned(),
                    ours: self.unit.clone(),
                });
            }
            if !is_known {
                let theirs = fact.value();
                watch.note(&format!("the book has evals made otherwise ({theirs}); now {ours}"));
            }
        }
        let fact = (!is_known).then(|| Fact::new(Digest::NONE, Fact::EVALS, ours).ok()).flatten();
        Ok(fact.into_iter().collect())
    }
}
