//! Rules as users write them: a name, what it takes in parentheses, and conditions behind commas,
//! as in `reg(2,4),min-games=5`.

mod mixture;
mod names;
mod policy;
pub(super) mod syntax;

pub use mixture::Mixture;
pub(crate) use syntax::{decimal, write_decimal};

use self::names::{CONDITIONS, GIVE_ONE, RULES};
use crate::choice::rules::{Always, Exploring, FirstOf, Policy};
use crate::choice::{BadOption, Negamax, NegamaxOptions, RowLookup, Select};
use crate::error::Error;
use crate::score::Percent;
use std::fmt::{self, Write as _};
use std::str::FromStr;
use tabia_games::{Game, Node};

/// A rule as users write it.
///
/// | text | rule |
/// |---|---|
/// | `v` | the best score of the positions behind the moves, 50 % at least (Gaudel et al. 2010, Algorithm 1) |
/// | `q` | the same of the moves as they were played here |
/// | `rote` | the same of the games that went this way from the start, in a book keyed by line |
/// | `lcb` | the best score less 2/√games, 50 % at least (Algorithm 2) |
/// | `nr`, `nr+lcb`, ... | never once the game has left the book (Algorithm 3) |
/// | `progress`, `progress+lcb`, ... | only a better score than that of the player's last position (Algorithm 4) |
/// | `reg`, `reg2`, `reg(a,b)` | the best (points + a)/(games + b) with progress, a and b being 1/2 and 1, or 100 and 200 (Algorithm 5) |
/// | `wilson` | the best lower end of the score's 95 % interval, with a score of 45 % at least: the winning rate with "the confidence factor" of Chen and Zhang (2012) |
/// | `best`, `games` | most points (two for a win, one for a draw), most games |
/// | `random`, `random(games)` | drawn in proportion to points, or to `games`, `score`, ... |
/// | `softmax(t=0.1)`, `softmax(t=0.1,of=lcb)` | drawn in proportion to exp(score/t), or to that of another criterion |
/// | `eval`, `eval(margin=20)` | the best eval of the positions behind the moves; drawn from those at most so much below it |
/// | `rating`, `performance`, `gain` | the highest average rating of those who played it, their highest performance rating, the greatest difference of these (Fierz 2005); of moves of [`FLOOR`](crate::choice::FLOOR) rated games |
/// | `always` | what is marked so, and nothing else |
/// | `marks` | the best annotated, by [`Criterion::Marks`](crate::choice::Criterion::Marks), then most games |
/// | `negamax(...)` | the best line of the book as a graph, as [`NegamaxOptions`] say: `negamax(draws=win,epsilon=50)` |
///
/// Conditions, any of them with any rule but negamax: `min-games=5`, `min-share=2` (percent of the
/// games of the most played move), `min-score=45` (percent),
/// `min=50` (of what the rule compares by; `min=none` takes a rule's own one away), `progress=yes`
/// or `no`, `nr=yes`, `no` or `known` (the present position alone must be in the book),
/// `by=positions`, `moves`, `line` or `known` (by moves if the books have them), `unknown=ignore`
/// (choose though another move was played more, of which nothing is known).
///
/// With any rule, negamax too: `explore=5` (percent), by which the book's moves are rejected in so
/// many of its turns, so that the engine plays by itself (Rollason 2007): for learning. Moves marked
/// `always` are played all the same.
///
/// Several rules with `else` between them: the first that has an answer, as in
/// `always else lcb,min-games=10 else random(games)`.
///
/// Rules that draw by scores ask for [`FLOOR`](crate::choice::FLOOR) games: else a move that won its
/// only game would be drawn most. All but those by points, games and evals ask for
/// [`FLOOR_SHARE`](crate::choice::FLOOR_SHARE), and so does negamax where it goes by records.
///
/// ```
/// use tabia_play::choice::RuleSpec;
///
/// let spec: RuleSpec = "lcb,min-games=5".parse()?;
/// assert_eq!(spec.to_string(), "lcb,min-games=5");
/// assert!("lbc".parse::<RuleSpec>().unwrap_err().to_string().contains("give games, "));
/// # Ok::<(), tabia_play::choice::BadRuleSpec>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleSpec {
    /// A rule that looks at each candidate by itself.
    Policy(Policy),
    /// A rule that looks at all that can follow.
    Negamax(NegamaxOptions),
    /// What is marked `always`, and nothing else.
    Always,
    /// The first of several rules that has an answer: two at least, none of them of this kind.
    First(Vec<RuleSpec>),
    /// Several rules, one of which is drawn for a game. It has no text of its own: it comes from a
    /// file of `tabia-match mix`.
    Mixture(Mixture),
    /// A rule whose moves are now and then rejected.
    Exploring {
        /// The rule.
        rule: Box<RuleSpec>,
        /// In how many of its turns.
        share: Percent,
    },
}

/// A text that is no rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no rule: {why}")]
pub struct BadRuleSpec {
    /// The text given, or its beginning.
    pub text: String,
    /// What is wrong with it, and what to give.
    pub why: String,
}

/// What `unexpanded` decides.
const EXPANDED: &str = "\
negamax backs values up where the best move outside the book is in it as well (flag EXPANDED). Of
other positions it takes the eval, or a better move of the book, or the record of their games;
with unexpanded=moves it backs up through all positions of 20 games or more.
";

/// Longer texts are no rules.
const LONGEST: usize = 200;

impl FromStr for RuleSpec {
    type Err = BadRuleSpec;

    fn from_str(text: &str) -> Result<Self, BadRuleSpec> {
        let bad = |why| BadRuleSpec { text: text.chars().take(LONGEST).collect(), why };
        if text.len() > LONGEST {
            return Err(bad(format!("it has more than {LONGEST} bytes")));
        }
        let rules: Vec<&str> = text.split(" else ").collect();
        if rules.len() > 1 {
            return rules.into_iter().map(str::parse).collect::<Result<_, _>>().map(Self::First);
        }
        let parts = syntax::parts(text).map_err(bad)?;
        let (name, conditions) = parts.split_first().ok_or_else(|| bad(GIVE_ONE.to_owned()))?;
        let (share, conditions) = exploration(conditions).map_err(bad)?;
        let rule = rule(name, &conditions).map_err(bad)?;
        Ok(match share {
            Some(share) => Self::Exploring { rule: Box::new(rule), share },
            None => rule,
        })
    }
}

/// In how many of its turns a rule's moves are rejected, if that is said, and the other conditions.
fn exploration<'a>(conditions: &[&'a str]) -> Result<(Option<Percent>, Vec<&'a str>), String> {
    let value = |condition: &'a str| {
        syntax::option(condition).filter(|(name, _)| *name == "explore").map(|(_, value)| value)
    };
    let given: Vec<&str> = conditions.iter().copied().filter_map(value).collect();
    let others = conditions.iter().copied().filter(|one| value(one).is_none()).collect();
    let share =
        match given[..] {
            [] => None,
            [one] => Some(one.parse().map_err(|_| {
                format!("explore={one}: give a percentage from 0 to 100, such as 5")
            })?),
            _ => return Err("explore is given twice".to_owned()),
        };
    Ok((share, others))
}

/// A rule by its name, with conditions.
fn rule(name: &str, conditions: &[&str]) -> Result<RuleSpec, String> {
    let call = syntax::Call::of(name)?;
    if call == (syntax::Call { name: "always", given: Vec::new() }) && conditions.is_empty() {
        return Ok(RuleSpec::Always);
    }
    if call.name != "negamax" {
        return policy::read(name, conditions).map(RuleSpec::Policy);
    }
    if let Some(condition) = conditions.first() {
        return Err(format!(
            "`{condition}` behind negamax: what it takes stands in parentheses, as in negamax(draws=win,epsilon=50)"
        ));
    }
    let options = call.given.join(",").parse();
    options.map(RuleSpec::Negamax).map_err(|error: BadOption| error.to_string())
}

impl fmt::Display for RuleSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Policy(policy) => policy.fmt(f),
            Self::Negamax(options) if *options == NegamaxOptions::default() => {
                f.write_str("negamax")
            }
            Self::Negamax(options) => write!(f, "negamax({options})"),
            Self::Always => f.write_str("always"),
            Self::First(rules) => {
                let rules: Vec<_> = rules.iter().map(ToString::to_string).collect();
                f.write_str(&rules.join(" else "))
            }
            Self::Mixture(_) => f.write_str("mixture"),
            Self::Exploring { rule, share } => write!(f, "{rule},explore={share}"),
        }
    }
}

impl RuleSpec {
    /// All rules, conditions and words of negamax with what each means: a line each, of at most 98
    /// columns.
    pub fn help() -> String {
        let mut text = String::new();
        let mut list = |head: &str, lines: &[(&str, &str)]| {
            let widest = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
            // A string can always be written to.
            let _ = writeln!(text, "{head}");
            for (name, means) in lines {
                let _ = writeln!(text, "  {name:widest$}  {means}");
            }
        };
        list("Rules:", &RULES);
        list("Conditions, behind commas:", &CONDITIONS);
        list("In the parentheses of negamax, with commas between:", &NegamaxOptions::HELP);
        text.push_str(EXPANDED);
        text
    }

    /// The rule itself, for games in these books that begin in this position; against an opponent who
    /// plays from `theirs`, if that is known (Buro 1999, section 7), which negamax alone heeds. May read
    /// all of the books that it leads to.
    ///
    /// # Errors
    /// [`Error::Rule`] if it can't be followed in these books, or doesn't heed theirs; the books'.
    pub fn prepare<'a, G: Game>(
        &self,
        rows: &'a dyn RowLookup,
        theirs: Option<&'a dyn RowLookup>,
        start: &Node<G>,
    ) -> Result<Box<dyn Select<G> + 'a>, Error> {
        if theirs.is_some() && !self.heeds_opponents() {
            let why = "it doesn't heed what the opponent knows; choose negamax, or leave the opponent's book out";
            return Err(Error::Rule { rule: self.to_string(), why });
        }
        self.ready(rows, theirs, start)
    }

    fn heeds_opponents(&self) -> bool {
        match self {
            Self::Policy(_) | Self::Always => false,
            Self::First(rules) => rules.iter().any(Self::heeds_opponents),
            Self::Negamax(_) => true,
            Self::Mixture(mixture) => {
                mixture.sides.iter().flatten().any(|(spec, _)| spec.heeds_opponents())
            }
            Self::Exploring { rule, .. } => rule.heeds_opponents(),
        }
    }

    fn ready<'a, G: Game>(
        &self,
        rows: &'a dyn RowLookup,
        theirs: Option<&'a dyn RowLookup>,
        start: &Node<G>,
    ) -> Result<Box<dyn Select<G> + 'a>, Error> {
        match self {
            Self::Policy(policy) => {
                policy.check(rows, start)?;
                Ok(Box::new(*policy))
            }
            Self::Negamax(options) => {
                Ok(Box::new(Negamax::prepare(rows, theirs, start, *options)?))
            }
            Self::Always => Ok(Box::new(Always)),
            Self::First(specs) => {
                let ready = |spec: &Self| Ok((spec.to_string(), spec.ready(rows, theirs, start)?));
                Ok(Box::new(FirstOf(specs.iter().map(ready).collect::<Result<_, Error>>()?)))
            }
            Self::Mixture(mixture) => Ok(Box::new(mixture.ready(rows, theirs, start)?)),
            Self::Exploring { rule, share } => {
                let rule = rule.ready(rows, theirs, start)?;
                Ok(Box::new(Exploring { rule, share: *share }))
            }
        }
    }
}
