//! Mixing rules for playing from a book: what they score against each other, and a report of what
//! [`tabia_play::mix`] finds of such scores.

mod report;
mod scores;

pub use report::{MixReport, Progress, Resampled};
pub use scores::{RuleMatches, Scores};
