//! How a book is to grow.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;
use tabia_engines::{EvalUnit, Limit, Protocol};
use tabia_games::Side;

/// Nodes of a search where no limit is said and the engine takes one of nodes.
pub const NODES: u64 = 100_000;

/// What a search may use where nothing is said: [`NODES`], if it is one of our own or of an engine
/// that takes a limit of nodes.
pub fn usual_limit(protocol: Option<Protocol>) -> Limit {
    let takes_nodes = protocol.is_none_or(|protocol| protocol == Protocol::Uci);
    Limit { nodes: takes_nodes.then_some(NODES), ..Limit::default() }
}

/// How a book is to grow.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// How leaves are chosen.
    pub method: Method,
    /// When to stop.
    pub budget: Budget,
    /// Leaves are not expanded further from the start than this, in plies.
    pub max_ply: Option<u32>,
    /// Growing ends when every leaf left is further from the best line than this, in the unit of
    /// evals: for best-first growing by what the root is worth, for drop-out growing by the errors
    /// of the line and its length.
    pub max_error: Option<f64>,
    /// How many leaves are expanded at once. The book depends on it, and on nothing that happens
    /// meanwhile.
    pub in_flight: usize,
    /// Moves of fewer games count as if the book didn't have them, unless they lead to an eval; as many
    /// as the book says if none, or 1.
    pub min_games: Option<u64>,
    /// By whom and how evals are made: the fact that is written to the book.
    pub evals: EvalFact,
}

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
}

/// How leaves are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// The end of the principal variation; its best move and the best deviation are evaluated
    /// (Buro 1999, section 4).
    BestFirst,
    /// The end of the line that costs least to reach, in errors of the side that has no book and in
    /// plies; all its moves are evaluated (Fierz 2005, "drop-out expansion").
    DropOut {
        /// What a ply costs, in the unit of evals: Fierz's constant.
        cost: f64,
        /// The side whose book it is, which makes no errors; both in turn if none.
        side: Option<Side>,
        /// Whether both sides may make errors, which is Lincke's form of it.
        both_err: bool,
        /// By how much the cost of a ply falls where one move is better than all others, as Fierz
        /// suggests: the part of the cost that goes for each `cost` that the second best move is
        /// worse; 0: by nothing. At least a quarter of the cost is left.
        singularity: f64,
    },
}

/// When growing ends: the first that is used up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Leaves to expand.
    pub expansions: Option<u64>,
    /// Positions to add.
    pub positions: Option<u64>,
    /// Time: no expansion is begun after it.
    pub time: Option<Duration>,
}

/// A text that is no budget.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no budget: write 1000 expansions, 5000 positions, 90s, 30m, 2h or 1d")]
pub struct BadBudget(String);

impl Plan {
    /// Best-first growing without bounds, one leaf at a time; a move counts from as many games
    /// on as the book says.
    pub fn new(evals: EvalFact) -> Self {
        Self {
            method: Method::BestFirst,
            budget: Budget::default(),
            max_ply: None,
            max_error: None,
            in_flight: 1,
            min_games: None,
            evals,
        }
    }
}

impl FromStr for Budget {
    type Err = BadBudget;

    fn from_str(text: &str) -> Result<Self, BadBudget> {
        read(text).ok_or_else(|| BadBudget(text.to_owned()))
    }
}

fn read(text: &str) -> Option<Budget> {
    let text = text.trim();
    let digits = text.find(|letter: char| !letter.is_ascii_digit() && letter != ',')?;
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.replace(',', "").parse().ok()?;
    let seconds = |each: u64| {
        let time = Some(Duration::from_secs(number.checked_mul(each)?));
        Some(Budget { time, ..Budget::default() })
    };
    match unit.trim() {
        "expansion" | "expansions" => {
            Some(Budget { expansions: Some(number), ..Budget::default() })
        }
        "position" | "positions" => Some(Budget { positions: Some(number), ..Budget::default() }),
        "s" => seconds(1),
        "m" | "min" => seconds(60),
        "h" => seconds(3600),
        "d" => seconds(86_400),
        _ => None,
    }
}

impl Budget {
    /// Whether so many expansions, positions, or so much time use it up.
    pub fn is_used_up(&self, expansions: u64, positions: u64, time: Duration) -> bool {
        self.expansions.is_some_and(|most| expansions >= most)
            || self.positions.is_some_and(|most| positions >= most)
            || self.time.is_some_and(|most| time >= most)
    }

    /// What is left of it after so many expansions, positions, and so much time.
    pub fn less(self, expansions: u64, positions: u64, time: Duration) -> Self {
        Self {
            expansions: self.expansions.map(|most| most.saturating_sub(expansions)),
            positions: self.positions.map(|most| most.saturating_sub(positions)),
            time: self.time.map(|most| most.saturating_sub(time)),
        }
    }

    /// Both: the first that is used up.
    pub fn and(self, other: Self) -> Self {
        Self {
            expansions: least(self.expansions, other.expansions),
            positions: least(self.positions, other.positions),
            time: least(self.time, other.time),
        }
    }
}

/// As it is written: several with commas.
impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.expansions.map(|most| format!("{most} expansions")),
            self.positions.map(|most| format!("{most} positions")),
            self.time.map(|most| format!("{}s", most.as_secs())),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    one.into_iter().chain(other).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_read_as_people_write_them() {
        let budget = |text: &str| text.parse::<Budget>();
        let of = Budget::default();
        assert_eq!(budget("1000 expansions"), Ok(Budget { expansions: Some(1000), ..of }));
        assert_eq!(budget("1 expansion"), Ok(Budget { expansions: Some(1), ..of }));
        assert_eq!(budget("10,000positions"), Ok(Budget { positions: Some(10_000), ..of }));
        assert_eq!(budget("2h"), Ok(Budget { time: Some(Duration::from_secs(7200)), ..of }));
        assert_eq!(budget("90 s"), Ok(Budget { time: Some(Duration::from_secs(90)), ..of }));
        for bad in ["", "h", "10", "10 games", "-5s", "99999999999999999999s", "9999999999999999d"]
        {
            assert_eq!(budget(bad), Err(BadBudget(bad.to_owned())));
        }
        let both = Budget { expansions: Some(3), ..of }.and(Budget { expansions: Some(2), ..of });
        assert_eq!(both.expansions, Some(2));
    }
}
