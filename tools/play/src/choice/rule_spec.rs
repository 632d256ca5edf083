//! Rules as users write them: a name, what it takes in parentheses, and conditions behind commas,
//! as in `reg(2,4),min-games=5`.

mod composed;
mod policy;
pub(super) mod syntax;

pub use composed::Mixture;
pub(crate) use syntax::{decimal, decimal_text};

use crate::Error;
use crate::choice::rules::Policy;
use crate::choice::{BadOption, Negamax, NegamaxOptions, RowLookup, Select};
use crate::score::Percent;
use composed::{Always, Exploring, FirstOf};
use std::fmt::{self, Write as _};
use std::str::FromStr;
use tabia_games::{Game, Node};

/// A rule as users write it: [`RuleSpec::help`] lists rules and conditions, with their papers. Any
/// condition goes with any rule; with negamax only `explore`, as its own stand in parentheses.
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
    /// Several rules, one of which is drawn for a game, from a file of `tabia-match mix`.
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

/// What can be given for a rule.
const GIVE_ONE: &str = "give games, best, v, q, rote, lcb, nr, progress, reg, reg2, reg(a,b), wilson, random, softmax(t=0.1), eval, negamax, rating, performance, gain, marks or always, \
     and behind commas what else is asked, such as min-games=5 (`help` explains them)";

/// Each rule as it is written, with what it plays in a line and where it comes from.
const RULES: [(&str, &str); 24] = [
    ("games", "most games"),
    ("best", "most points, two for a win and one for a draw (Polyglot)"),
    ("v", "best score of the position behind it, 50 % or more (Gaudel 2010, Alg. 1)"),
    ("q", "best score of the move as it was played here, 50 % or more (Gaudel 2010)"),
    ("rote", "the same of games that came this way; needs a book keyed by line"),
    ("lcb", "best score less 2/sqrt(games), 50 % or more (Gaudel 2010, Algorithm 2)"),
    ("nr, nr+lcb ...", "no move once the game has left the book (Gaudel 2010, Algorithm 3)"),
    ("progress+lcb ...", "only a better score than at the last move (Gaudel 2010, Algorithm 4)"),
    ("reg, reg(a,b)", "best (points + a)/(games + b), 1/2 and 1 (Gaudel 2010, Algorithm 5)"),
    ("reg2", "the same with 100 and 200 (Gaudel 2010, Algorithm 5)"),
    ("wilson", "best lower end of the 95 % interval, 45 % or more (Chen and Zhang 2012)"),
    ("random", "drawn in proportion to points (Polyglot)"),
    ("random(games)", "drawn in proportion to games, or to score, lcb, wilson ..."),
    ("softmax(t=0.1)", "drawn in proportion to exp(score/t), of moves of 20 games"),
    ("softmax(t=10,of=eval)", "the same of evals, or of lcb, wilson, rating ..."),
    ("eval", "best eval of the position behind the move; proofs come first"),
    ("eval(margin=20)", "drawn from the moves at most 20 worse than the best"),
    ("negamax(...)", "best by all that the book knows behind the moves (Buro 1999)"),
    ("rating", "played by the highest rated players, in 20 rated games (Fierz 2005)"),
    ("performance", "best performance rating, in 20 rated games (Fierz 2005)"),
    ("gain", "best performance less rating, in 20 rated games (Fierz 2005)"),
    ("marks", "best annotated, ! before none before ?; then most games (Fierz 2005)"),
    ("always", "what is marked so, and nothing else: a book grown by playing"),
    ("lcb else games ...", "the first of several rules that has an answer"),
];

/// Each condition that can stand behind a rule, with what it asks.
const CONDITIONS: [(&str, &str); 10] = [
    ("min-games=N", "moves of N games (rated games, where ratings are compared)"),
    ("min-share=P", "moves of P percent of the most played one's games; usually 1"),
    ("min-score=P", "moves that scored P percent"),
    ("min=N", "N of what the rule compares by; min=none takes its own away"),
    ("margin=N", "drawn from the moves at most N below the best"),
    ("progress=yes|no", "only a better value than at the player's last move"),
    ("nr=yes|no|known", "no move once the game has left the book (known: is out of it)"),
    ("by=positions|moves|line|known", "which games count: all that came there, or those here"),
    ("unknown=ignore", "choose though a move was played more of which nothing is known"),
    ("explore=P", "no move in P percent of its turns, by any rule (Rollason 2007)"),
];

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
    let bad = |one| format!("explore={one}: give a percentage from 0 to 100, such as 5");
    match given[..] {
        [] => Ok((None, others)),
        [one] => one.parse().map(|share| (Some(share), others)).map_err(|_| bad(one)),
        _ => Err("explore is given twice".to_owned()),
    }
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
    /// All rules, conditions and words of negamax, explained in lines of 98 columns at most.
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
