//! The text of the rule negamax.

use super::words::Call;
use crate::choice::{Rows, Select};
use crate::error::Error;
use crate::node::Node;
use std::fmt;
use tabia_games::Game;

/// What the rule negamax takes: `negamax(values=score,draws=win,epsilon=50)`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NegamaxRecipe {
    /// Names and values as they were given, each name once, in the order of [`NegamaxRecipe::NAMES`].
    pub given: Vec<(&'static str, String)>,
}

impl NegamaxRecipe {
    /// What it takes.
    pub const NAMES: [&str; 5] = ["values", "draws", "public-draws", "private-draws", "epsilon"];
    /// What it takes, for people.
    pub(super) const TAKES: &str = "values=eval|score, draws=zero|win|loss, public-draws=..., private-draws=..., epsilon=N";

    pub(super) fn read(call: &Call<'_>) -> Result<Self, String> {
        let options = call.options(&Self::NAMES).map_err(|_| format!("negamax takes {}", Self::TAKES))?;
        let mut given = Vec::new();
        for name in Self::NAMES {
            let values: Vec<&str> = options.iter().filter(|(option, _)| *option == name).map(|&(_, value)| value).collect();
            match values[..] {
                [] => {}
                [value] if is_value(name, value) => given.push((name, value.to_owned())),
                [value] => return Err(format!("{name}={value}: negamax takes {}", Self::TAKES)),
                _ => return Err(format!("{name} is given twice")),
            }
        }
        Ok(Self { given })
    }

    /// The value that was given for a name.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&str> {
        self.given.iter().find(|(given, _)| *given == name).map(|(_, value)| value.as_str())
    }

    pub(super) fn prepare<'a, G: Game>(&self, _rows: &'a dyn Rows, _start: &Node<G>) -> Result<Box<dyn Select<G> + 'a>, Error> {
        Err(Error::Rule { rule: self.to_string(), why: "it isn't there yet: take another rule" })
    }
}

fn is_value(name: &str, value: &str) -> bool {
    match name {
        "values" => matches!(value, "eval" | "score"),
        "epsilon" => value.parse::<u16>().is_ok_and(|number| number.to_string() == value),
        _ => matches!(value, "zero" | "win" | "loss"),
    }
}

impl fmt::Display for NegamaxRecipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("negamax")?;
        for (index, (name, value)) in self.given.iter().enumerate() {
            write!(f, "{}{name}={value}", if index == 0 { '(' } else { ',' })?;
        }
        f.write_str(if self.given.is_empty() { "" } else { ")" })
    }
}
