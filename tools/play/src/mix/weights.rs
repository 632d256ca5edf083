//! A mixed strategy in a file: what `tabia-match mix` writes and `tabia play` plays.

use crate::mix::matrix::{Guarantees, Matrix, Pair};
use serde::{Deserialize, Serialize};

/// Strategies and how often each is to be played, for either player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// The version of this format: 1.
    pub tabia_mix: u32,
    /// What the first player gets at least, in percent, if the matrix is right.
    pub first_gets: f64,
    /// What the second player gets at least, in percent.
    pub second_gets: f64,
    /// The first player's strategies.
    pub first: Vec<Weighted>,
    /// The second player's strategies.
    pub second: Vec<Weighted>,
}

/// A strategy and how often it is to be played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weighted {
    /// A rule as users write it.
    pub rule: String,
    /// A part of 1.
    pub weight: f64,
}

/// Why a text is no mixed strategy.
#[derive(Debug, thiserror::Error)]
pub enum BadWeights {
    /// It isn't JSON of this form.
    #[error("it is no file of weights as `tabia-match mix -o` writes them: {0}")]
    Json(#[from] serde_json::Error),
    /// It is of a later version.
    #[error("it is of version {0}, and only version 1 is known")]
    Version(u32),
    /// A weight that is none.
    #[error("the weight of {0} is no number from 0 to 1, or all of a side's weights are 0")]
    Weight(String),
}

const VERSION: u32 = 1;

impl Weights {
    /// The strategies of a pair that are played at all.
    pub fn new(matrix: &Matrix, pair: &Pair) -> Self {
        let Guarantees { first, second } = matrix.guarantees(pair);
        let played = |names: &[String], parts: &[f64]| {
            let weighted = names
                .iter()
                .zip(parts)
                .map(|(rule, &weight)| Weighted { rule: rule.clone(), weight });
            weighted.filter(|strategy| strategy.weight > 0.0).collect()
        };
        Self {
            tabia_mix: VERSION,
            first_gets: first,
            second_gets: 100.0 - second,
            first: played(&matrix.rows, &pair.first),
            second: played(&matrix.columns, &pair.second),
        }
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// If it isn't one of [`Weights::to_text`].
    pub fn of_text(text: &str) -> Result<Self, BadWeights> {
        let weights: Self = serde_json::from_str(text)?;
        if weights.tabia_mix != VERSION {
            return Err(BadWeights::Version(weights.tabia_mix));
        }
        for (side, who) in
            [(&weights.first, "the first player"), (&weights.second, "the second player")]
        {
            if let Some(bad) = side.iter().find(|strategy| !(0.0..=1.0).contains(&strategy.weight))
            {
                return Err(BadWeights::Weight(bad.rule.clone()));
            }
            if side.iter().all(|strategy| strategy.weight == 0.0) {
                return Err(BadWeights::Weight(who.to_owned()));
            }
        }
        Ok(weights)
    }

    /// The text for a file.
    ///
    /// # Panics
    /// Never: there is nothing in it that JSON can't say.
    pub fn to_text(&self) -> String {
        serde_json::to_string_pretty(self).expect("names and finite numbers are JSON") + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_texts_say_why_not() {
        let text = |version: u32, weight: &str| {
            let strategy = format!("[{{\"rule\": \"lcb\", \"weight\": {weight}}}]");
            format!(
                "{{\"tabia_mix\": {version}, \"first_gets\": 0, \"second_gets\": 0, \"first\": {strategy}, \"second\": {strategy}}}"
            )
        };
        assert!(Weights::of_text(&text(1, "0.5")).is_ok());
        assert!(matches!(Weights::of_text(&text(2, "0.5")), Err(BadWeights::Version(2))));
        for bad in ["-0.5", "1.5", "0"] {
            assert!(matches!(Weights::of_text(&text(1, bad)), Err(BadWeights::Weight(_))), "{bad}");
        }
        for bad in ["", "{}", "[1]", &text(1, "\"x\"")] {
            assert!(matches!(Weights::of_text(bad), Err(BadWeights::Json(_))), "{bad}");
        }
    }
}
