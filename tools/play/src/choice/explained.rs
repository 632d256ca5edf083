//! What was chosen, and why.

/// What a rule says of the candidates it was given.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Which of them is played; none: the book has nothing good to say here.
    pub chosen: Option<usize>,
    /// What was found out about each, in the order of the candidates.
    pub judged: Vec<Judged>,
    /// Why, in one sentence without a full stop.
    pub why: String,
}

/// What was found out about a candidate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judged {
    /// What it was judged by: names and figures.
    pub figures: Vec<(&'static str, Figure)>,
    /// Why it was out of the question, if it was.
    pub out: Option<String>,
}

/// A figure of a candidate.
#[derive(Clone, Debug, PartialEq)]
pub enum Figure {
    /// A number of things.
    Count(u64),
    /// A part of the whole, from 0 to 1; bounds and regularized scores may lie outside.
    Score(f64),
    /// A value in the game's own unit, or a weight.
    Value(f64),
    /// A word, such as `win`, or a line of moves.
    Word(String),
}

/// Why a rule that goes by results has no move of a book that doesn't know any.
pub(super) const WITHOUT_RESULTS: &str =
    "the book doesn't know how its games ended: take the rule `games` or `random`";

impl Choice {
    /// No move, for this reason.
    #[must_use]
    pub fn none(candidates: usize, why: impl Into<String>) -> Self {
        Self { chosen: None, judged: vec![Judged::default(); candidates], why: why.into() }
    }
}
