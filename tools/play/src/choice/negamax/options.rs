//! What can be said of the rule, and how it is written.

use crate::choice::rule_spec::syntax::{one_of, yes_or_no};
use crate::choice::rules::{FLOOR, Unknown};
use crate::negamax::{DrawPolicy, DrawValue, GraphOptions, Unexpanded, Unit};
use crate::score::Percent;
use std::fmt;
use std::str::FromStr;
use tabia_games::Side;

/// How negamax chooses. Written as words with commas between them, `draws=win,epsilon=50`; what
/// isn't said is as usual. [`NegamaxOptions::HELP`] lists the words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NegamaxOptions {
    /// What values are told in; evals if the book has any, if nothing is said.
    pub values: Option<Unit>,
    /// What draws are worth.
    pub draws: DrawPolicy,
    /// What positions are worth whose best deviation isn't in the book.
    pub unexpanded: Unexpanded,
    /// How much worse a line may be than the best; if none, the best is played.
    pub epsilon: Option<u16>,
    /// Only positions that so many games came to, or of which an eval or something sure is known:
    /// all if it isn't said, but with [`Unexpanded::Moves`] those of [`FLOOR`] games.
    pub min_games: Option<u64>,
    /// Where values are told from records: only moves of this share of the games of the one with
    /// most, unless their end is sure. [`FLOOR_SHARE`], if it isn't said.
    pub min_share: Option<Percent>,
    /// Drawn games added to a record; if none, few games are held against who went there.
    pub prior: Option<u32>,
    /// Whether moves are found that nobody played; if it isn't said, where evals are.
    pub transpositions: Option<bool>,
    /// What becomes of moves of which nothing is known.
    pub unknown: Unknown,
}

/// A word that says nothing of the rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` says nothing of negamax: give {expected}")]
pub struct BadOption {
    /// The word given.
    pub text: String,
    /// What can be given.
    pub expected: &'static str,
}

const DRAWS: &str = "even, win or loss";
const NUMBER: &str = "a number, such as 50";
const ALL: &str = "values=, draws=, public=, private=, for=, unexpanded=, epsilon=, min-games=, min-share=, prior=, transpositions= or unknown=";

impl FromStr for NegamaxOptions {
    type Err = BadOption;

    fn from_str(text: &str) -> Result<Self, BadOption> {
        let mut options = Self::default();
        let words = text.split(',').map(str::trim).filter(|_| !text.trim().is_empty());
        words.into_iter().try_for_each(|word| options.set(word))?;
        Ok(options)
    }
}

impl NegamaxOptions {
    /// The words that can be given, each with what it means in a line.
    pub const HELP: [(&'static str, &'static str); 12] = [
        ("values=eval|score", "what positions are worth: evals if there are any, or the record"),
        ("draws=even|win|loss", "what draws count as; public= for those everybody knows"),
        ("public=even|win|loss", "what draws count as that everybody knows (Buro 1999, section 6)"),
        ("private=even|win|loss", "what all other draws count as, and repetition"),
        ("for=first|second", "to whom draws count so; the side that chooses if not given"),
        ("unexpanded=own|moves", "what a position is worth without the flag EXPANDED: see below"),
        ("epsilon=N", "all lines at most N worse are equally likely (Buro 1999, section 6)"),
        ("min-games=N", "leave out positions of fewer games without eval or proof"),
        ("min-share=P", "of records: P percent of the most played move's games; 1 if not given"),
        ("prior=N", "N drawn games are added to a record; else few games are held against it"),
        ("transpositions=yes|no", "look at all legal moves; where evals are if not given"),
        ("unknown=ignore", "choose though a move was played more of which nothing is known"),
    ];

    /// What of the books is read.
    pub fn reading(&self) -> GraphOptions {
        let floor = if self.unexpanded == Unexpanded::Moves { FLOOR } else { 0 };
        GraphOptions {
            min_games: self.min_games.unwrap_or(floor),
            prior: self.prior,
            transpositions: self.transpositions,
            only_backed_up: self.unexpanded == Unexpanded::Own,
            can_change: false,
            most_looked: None,
        }
    }

    /// Takes one word in.
    ///
    /// # Errors
    /// If it says nothing of the rule.
    pub fn set(&mut self, word: &str) -> Result<(), BadOption> {
        let set = |(name, value)| self.set_value(name, value);
        let bad = |expected| BadOption { text: word.to_owned(), expected };
        word.split_once('=').ok_or(ALL).and_then(set).map_err(bad)
    }

    /// Sets what a word says; else what can be given.
    fn set_value(&mut self, name: &str, value: &str) -> Result<(), &'static str> {
        match name {
            "values" => self.values = Some(one_of(UNITS, value, "eval or score")?),
            "draws" => {
                let value = one_of(DRAW_VALUES, value, DRAWS)?;
                (self.draws.public, self.draws.private) = (value, value);
            }
            "public" => self.draws.public = one_of(DRAW_VALUES, value, DRAWS)?,
            "private" => self.draws.private = one_of(DRAW_VALUES, value, DRAWS)?,
            "for" => self.draws.side = Some(one_of(SIDES, value, "first or second")?),
            "unexpanded" => self.unexpanded = one_of(UNEXPANDED, value, "own or moves")?,
            "epsilon" => self.epsilon = Some(number(value)?),
            "min-games" => self.min_games = Some(number(value)?),
            "min-share" => {
                self.min_share = Some(value.parse().map_err(|_| "a percentage, such as 1")?);
            }
            "prior" => self.prior = Some(number(value)?),
            "transpositions" => self.transpositions = Some(yes_or_no(value)?),
            "unknown" => self.unknown = one_of(Unknown::NAMES, value, "heed or ignore")?,
            _ => return Err(ALL),
        }
        Ok(())
    }
}

const UNITS: [(&str, Unit); 2] = [("eval", Unit::Eval), ("score", Unit::Score)];
const DRAW_VALUES: [(&str, DrawValue); 3] =
    [("even", DrawValue::Even), ("win", DrawValue::Win), ("loss", DrawValue::Loss)];
const SIDES: [(&str, Side); 2] = [("first", Side::First), ("second", Side::Second)];
const UNEXPANDED: [(&str, Unexpanded); 2] =
    [("own", Unexpanded::Own), ("moves", Unexpanded::Moves)];

fn word<T: Copy + PartialEq, const N: usize>(
    words: [(&'static str, T); N],
    meant: T,
) -> &'static str {
    words.iter().find(|&&(_, other)| other == meant).map_or("", |&(word, _)| word)
}

/// Digits only: no sign.
fn number<T: FromStr>(text: &str) -> Result<T, &'static str> {
    let number = text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
    number.ok_or(NUMBER)
}

impl fmt::Display for NegamaxOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn said(name: &str, value: Option<impl fmt::Display>) -> Option<String> {
            value.map(|value| format!("{name}={value}"))
        }
        let draws = |worth| (worth != DrawValue::Even).then(|| word(DRAW_VALUES, worth));
        let unexpanded = Some(self.unexpanded).filter(|usual| *usual != Unexpanded::default());
        let words = [
            said("values", self.values.map(|unit| word(UNITS, unit))),
            said("public", draws(self.draws.public)),
            said("private", draws(self.draws.private)),
            said("for", self.draws.side.map(|side| word(SIDES, side))),
            said("unexpanded", unexpanded.map(|unexpanded| word(UNEXPANDED, unexpanded))),
            said("epsilon", self.epsilon),
            said("min-games", self.min_games),
            said("min-share", self.min_share),
            said("prior", self.prior),
            said(
                "transpositions",
                self.transpositions.map(|looks| if looks { "yes" } else { "no" }),
            ),
            said("unknown", (self.unknown == Unknown::Ignore).then_some("ignore")),
        ];
        f.write_str(&words.into_iter().flatten().collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_help_has_every_word_and_no_other() {
        for (text, _) in NegamaxOptions::HELP {
            let (name, values) = text.split_once('=').unwrap();
            assert!(ALL.contains(&format!("{name}=")), "{text}");
            for value in values.split('|') {
                let is_number = matches!(value, "N" | "P");
                let word = format!("{name}={}", if is_number { "7" } else { value });
                word.parse::<NegamaxOptions>().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        assert_eq!(ALL.matches('=').count(), NegamaxOptions::HELP.len());
    }

    #[test]
    fn every_bad_word_is_told_with_what_can_be_given() {
        for (text, expected) in [
            ("draws=lost", DRAWS),
            ("epsilon=-1", NUMBER),
            ("epsilon=+1", NUMBER),
            ("epsilon=65536", NUMBER),
            ("epsilon=", NUMBER),
            ("draws", ALL),
            ("draw=win", ALL),
            ("values=eval,,", ALL),
            ("values=Eval", "eval or score"),
        ] {
            let found = text.parse::<NegamaxOptions>().map_err(|error| error.expected);
            assert_eq!(found, Err(expected), "{text}");
        }
    }

    proptest! {
        #[test]
        fn options_are_written_as_they_are_read(
            (values, public, private, side) in (0usize..3, 0usize..3, 0usize..3, 0usize..3),
            (own, transpositions, ignore) in (any::<bool>(), any::<Option<bool>>(), any::<bool>()),
            epsilon: Option<u16>, min_games: Option<u64>, prior: Option<u32>, share: bool,
        ) {
            let options = NegamaxOptions {
                values: UNITS.get(values).map(|&(_, unit)| unit),
                draws: DrawPolicy { public: DRAW_VALUES[public].1, private: DRAW_VALUES[private].1, side: SIDES.get(side).map(|&(_, side)| side) },
                unexpanded: UNEXPANDED[usize::from(own)].1,
                epsilon,
                min_games,
                min_share: share.then_some(crate::choice::FLOOR_SHARE),
                prior,
                transpositions,
                unknown: Unknown::NAMES[usize::from(ignore)].1,
            };
            prop_assert_eq!(options.to_string().parse::<NegamaxOptions>(), Ok(options));
        }
    }
}
