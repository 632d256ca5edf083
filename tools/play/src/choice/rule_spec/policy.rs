//! The text of rules that look at each candidate by itself.

use super::GIVE_ONE;
use super::syntax::{Call, decimal, decimal_text, one_of, option, yes_or_no};
use crate::choice::rules::{
    By, Conditions, Criterion, FLOOR, FLOOR_SHARE, Pick, Policy, Prior, Reentry, Unknown,
};
use crate::score::Percent;
use std::fmt;
use std::num::NonZeroU64;

/// Conditions, by their names.
const CONDITIONS: [&str; 9] =
    ["min-games", "min-share", "min-score", "min", "margin", "progress", "nr", "by", "unknown"];

/// A rule, and what is asked besides.
pub fn read(base: &str, conditions: &[&str]) -> Result<Policy, String> {
    let mut policy = of_base(base)?;
    let mut seen = Vec::new();
    for condition in conditions {
        let known = option(condition).filter(|(name, _)| CONDITIONS.contains(name));
        let (name, value) = known.ok_or_else(|| {
            format!(
                "`{condition}` is no condition: give {}, explore=...",
                CONDITIONS.map(|name| name.to_owned() + "=...").join(", ")
            )
        })?;
        if seen.contains(&name) {
            return Err(format!("{name} is given twice"));
        }
        seen.push(name);
        set(&mut policy, name, value)?;
    }
    if policy.conditions.progress
        && !policy.criterion.is_part()
        && policy.criterion != Criterion::Eval
    {
        return Err("progress compares scores or evals: it can't be asked of a rule that counts points or games, or compares ratings or marks".to_owned());
    }
    Ok(policy)
}

/// A rule joined with `nr` and `progress` by `+`; `v` if nothing else is named.
fn of_base(text: &str) -> Result<Policy, String> {
    let words: Vec<&str> = text.split('+').map(str::trim).collect();
    let named: Vec<&str> =
        words.iter().copied().filter(|word| !matches!(*word, "nr" | "progress")).collect();
    let mut policy = match named[..] {
        [] => of_call(&Call::of("v")?)?,
        [name] => of_call(&Call::of(name)?)?,
        _ => return Err("only nr and progress can be joined to a rule by +".to_owned()),
    };
    policy.conditions.progress |= words.contains(&"progress");
    if words.contains(&"nr") {
        policy.conditions.reentry = Reentry::Never;
    }
    Ok(policy)
}

fn of_call(call: &Call<'_>) -> Result<Policy, String> {
    let score = |by| call.options(&[]).map(|_| paper(Criterion::Score, by));
    let by_positions =
        |conditions| Ok(Policy { conditions, ..paper(criterion(call)?, By::Positions) });
    match call.name {
        "random" => random(call),
        "softmax" => softmax(call),
        "eval" => eval(call),
        "v" => score(By::Positions),
        "q" => score(By::Moves),
        "rote" => score(By::Line),
        "best" => call.options(&[]).map(|_| free(Criterion::Points, Pick::Best)),
        "games" | "marks" => Ok(free(criterion(call)?, Pick::Best)),
        "rating" | "performance" | "gain" => Ok(by_ratings(criterion(call)?)),
        "lcb" => by_positions(HALF),
        "reg" | "reg2" => by_positions(Conditions { progress: true, ..HALF }),
        "wilson" => {
            let min_score = Percent::hundredths_of(4500);
            by_positions(Conditions { min: None, min_score, ..HALF })
        }
        _ => call.options(&[]).and(Err(GIVE_ONE.to_owned())),
    }
}

/// 50 % at least.
const HALF: Conditions = Conditions {
    min: Some(5000),
    min_score: Percent::NONE,
    min_games: 0,
    min_share: FLOOR_SHARE,
    progress: false,
    reentry: Reentry::Free,
    unknown: Unknown::Heed,
};

/// The best, 50 % at least.
fn paper(criterion: Criterion, by: By) -> Policy {
    Policy { criterion, by, conditions: HALF, pick: Pick::Best }
}

/// Without a least value; where scores are drawn by, with a floor of games.
fn free(criterion: Criterion, pick: Pick) -> Policy {
    let draws = matches!(pick, Pick::Proportion | Pick::Softmax(_));
    let min_games = if draws && criterion.is_part() { FLOOR } else { 0 };
    // Who goes by points or games goes by many, and an eval is no matter of games.
    let by_number = matches!(criterion, Criterion::Points | Criterion::Games | Criterion::Eval);
    let min_share = if by_number { Percent::NONE } else { FLOOR_SHARE };
    let conditions = Conditions { min_games, min_share, ..Conditions::default() };
    Policy { criterion, by: By::Known, conditions, pick }
}

/// The best by ratings, with a floor of rated games.
fn by_ratings(criterion: Criterion) -> Policy {
    let conditions =
        Conditions { min_games: FLOOR, min_share: FLOOR_SHARE, ..Conditions::default() };
    Policy { criterion, by: By::Moves, conditions, pick: Pick::Best }
}

fn random(call: &Call<'_>) -> Result<Policy, String> {
    let of = match call.given[..] {
        [] => Criterion::Points,
        [name] => criterion(&Call::of(name)?)?,
        _ => return Err("random takes one word".to_owned()),
    };
    if of == Criterion::Eval {
        Err("random(eval): evals are no weights: take softmax(t=10,of=eval)".to_owned())
    } else {
        Ok(free(of, Pick::Proportion))
    }
}

fn softmax(call: &Call<'_>) -> Result<Policy, String> {
    let options = call.options(&["t", "of"])?;
    let value =
        |wanted| options.iter().rev().find(|(name, _)| *name == wanted).map(|&(_, value)| value);
    let millionths = decimal(value("t").unwrap_or("0.1"), 6);
    let temperature = millionths
        .and_then(NonZeroU64::new)
        .ok_or("t: give a temperature above 0, such as 0.1, with 6 decimals at most")?;
    let of = value("of").map_or(Ok(Criterion::Score), |name| criterion(&Call::of(name)?))?;
    let by = if of == Criterion::Eval { By::Positions } else { By::Known };
    Ok(Policy { by, ..free(of, Pick::Softmax(temperature)) })
}

fn eval(call: &Call<'_>) -> Result<Policy, String> {
    let options = call.options(&["margin"])?;
    let mut policy = Policy { by: By::Positions, ..free(Criterion::Eval, Pick::Best) };
    options.into_iter().try_for_each(|(name, value)| set(&mut policy, name, value))?;
    Ok(policy)
}

/// All that candidates can be compared by.
const CRITERIA: [Criterion; 12] = [
    Criterion::Score,
    Criterion::Regularized(Prior::EVEN),
    Criterion::Regularized(Prior::STRONG),
    Criterion::LowerConfidence,
    Criterion::Wilson,
    Criterion::Points,
    Criterion::Games,
    Criterion::Eval,
    Criterion::Rating,
    Criterion::Performance,
    Criterion::Gain,
    Criterion::Marks,
];

/// What candidates are compared by, by its name.
fn criterion(call: &Call<'_>) -> Result<Criterion, String> {
    if call.name == "reg" && !call.given.is_empty() {
        return prior(&call.given).map(Criterion::Regularized);
    }
    call.options(&[])?;
    CRITERIA.into_iter().find(|known| name_of(*known) == call.name).ok_or_else(|| {
        format!(
            "`{}` is nothing that candidates can be compared by: give score, reg, reg2, reg(a,b), lcb, wilson, points, games, eval, rating, performance, gain or marks",
            call.name
        )
    })
}

fn prior(given: &[&str]) -> Result<Prior, String> {
    let number = |text: &str| {
        decimal(text, 2)
            .and_then(|number| u32::try_from(number).ok())
            .filter(|&number| number <= 100_000_000)
    };
    let numbers: Vec<_> = given.iter().map(|text| number(text)).collect();
    match numbers[..] {
        [Some(points), Some(games)] if points <= games => Ok(Prior { points, games }),
        _ => {
            Err("reg takes points and games, such as reg(0.5,1): two decimals and a million at most, no more points than games".to_owned())
        }
    }
}

/// Sets what a condition asks.
fn set(policy: &mut Policy, name: &str, value: &str) -> Result<(), String> {
    set_value(policy, name, value).map_err(|expected| format!("{name}={value}: give {expected}"))
}

/// Sets what a condition asks; else what can be given.
fn set_value(policy: &mut Policy, name: &str, value: &str) -> Result<(), &'static str> {
    let conditions = &mut policy.conditions;
    match name {
        "min-games" => conditions.min_games = decimal(value, 0).ok_or("a number of games")?,
        "min-share" => conditions.min_share = value.parse().map_err(|_| PERCENTAGE)?,
        "min-score" => conditions.min_score = value.parse().map_err(|_| PERCENTAGE)?,
        "min" => conditions.min = least(policy.criterion, value)?,
        "margin" => policy.pick = Pick::Near(margin(policy, value)?),
        "progress" => conditions.progress = yes_or_no(value)?,
        "nr" => {
            let known = [("yes", Reentry::Never), ("no", Reentry::Free), ("known", Reentry::Known)];
            conditions.reentry = one_of(known, value, "yes, no or known")?;
        }
        "unknown" => conditions.unknown = one_of(Unknown::NAMES, value, "heed or ignore")?,
        _ => policy.by = one_of(BYS, value, "positions, moves, line or known")?,
    }
    Ok(())
}

const PERCENTAGE: &str = "a percentage from 0 to 100, such as 45";

const BYS: [(&str, By); 4] =
    [("positions", By::Positions), ("moves", By::Moves), ("line", By::Line), ("known", By::Known)];

/// Decimals of what is compared: parts are given in percent to the hundredth.
fn decimals(criterion: Criterion) -> usize {
    if criterion.is_part() { 2 } else { 0 }
}

fn least(criterion: Criterion, text: &str) -> Result<Option<i32>, &'static str> {
    if text == "none" {
        return Ok(None);
    }
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let number = decimal(digits, decimals(criterion)).and_then(|number| i32::try_from(number).ok());
    number.map(|number| Some(sign * number)).ok_or(if criterion.is_part() {
        "a percentage, such as 50, or none"
    } else {
        "a whole number or none"
    })
}

fn margin(policy: &Policy, text: &str) -> Result<u32, &'static str> {
    if !matches!(policy.pick, Pick::Best | Pick::Near(_)) {
        return Err("no margin with a rule that draws");
    }
    let number =
        decimal(text, decimals(policy.criterion)).and_then(|number| u32::try_from(number).ok());
    number.ok_or(if policy.criterion.is_part() {
        "percentage points, such as 2.5"
    } else {
        "a whole number"
    })
}

impl fmt::Display for Policy {
    /// Writes a rule so that it can be read again: its name, and what isn't as the name has it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let base = base(self);
        f.write_str(&base)?;
        let Ok(named) = of_base(&base) else { return Ok(()) };
        let (is, was) = (&self.conditions, &named.conditions);
        if is.min_games != was.min_games {
            write!(f, ",min-games={}", is.min_games)?;
        }
        if is.min_share != was.min_share {
            write!(f, ",min-share={}", is.min_share)?;
        }
        if is.min_score != was.min_score {
            write!(f, ",min-score={}", is.min_score)?;
        }
        if is.min != was.min {
            match is.min {
                None => f.write_str(",min=none")?,
                Some(min) => {
                    let sign = if min < 0 { "-" } else { "" };
                    let digits = decimal_text(min.unsigned_abs().into(), decimals(self.criterion));
                    write!(f, ",min={sign}{digits}")?;
                }
            }
        }
        if let Pick::Near(margin) = self.pick {
            write!(f, ",margin={}", decimal_text(margin.into(), decimals(self.criterion)))?;
        }
        if is.progress != was.progress {
            write!(f, ",progress={}", if is.progress { "yes" } else { "no" })?;
        }
        if is.reentry != was.reentry {
            write!(f, ",nr={}", if is.reentry == Reentry::Known { "known" } else { "no" })?;
        }
        if is.unknown != was.unknown {
            f.write_str(",unknown=ignore")?;
        }
        let by = BYS.iter().find(|(_, by)| *by == self.by && *by != named.by);
        by.map_or(Ok(()), |(name, _)| write!(f, ",by={name}"))
    }
}

/// The name that is nearest to a rule.
fn base(policy: &Policy) -> String {
    let name = match (policy.pick, policy.criterion) {
        (Pick::Best | Pick::Near(_), Criterion::Score) => match policy.by {
            By::Line => "rote".to_owned(),
            By::Moves => "q".to_owned(),
            By::Positions | By::Known => "v".to_owned(),
        },
        (Pick::Best | Pick::Near(_), Criterion::Points) => "best".to_owned(),
        (Pick::Best | Pick::Near(_), criterion) => name_of(criterion),
        (Pick::Proportion, Criterion::Points) => "random".to_owned(),
        (Pick::Proportion, criterion) => format!("random({})", name_of(criterion)),
        (Pick::Softmax(temperature), criterion) => {
            let score = criterion == Criterion::Score;
            let of = if score { String::new() } else { format!(",of={}", name_of(criterion)) };
            format!("softmax(t={}{of})", decimal_text(temperature.get(), 6))
        }
    };
    match policy.conditions.reentry {
        Reentry::Never if name == "v" => "nr".to_owned(),
        Reentry::Never => "nr+".to_owned() + &name,
        Reentry::Free | Reentry::Known => name,
    }
}

fn name_of(criterion: Criterion) -> String {
    match criterion {
        Criterion::Regularized(Prior::STRONG) => "reg2".to_owned(),
        Criterion::Regularized(prior) if prior != Prior::EVEN => {
            let [points, games] =
                [prior.points, prior.games].map(|number| decimal_text(number.into(), 2));
            format!("reg({points},{games})")
        }
        criterion => criterion.name().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::RuleSpec;
    use proptest::prelude::*;

    #[test]
    fn rules_are_written_as_people_would() {
        for line in include_str!("written.txt").lines() {
            let (given, expected) = line.split_once(" | ").unwrap();
            assert_eq!(given.parse::<RuleSpec>().unwrap().to_string(), expected);
        }
        for same in ["lcb+nr", "nr + lcb", " lcb , nr = yes "] {
            assert_eq!(same.parse::<RuleSpec>(), "nr+lcb".parse(), "{same}");
        }
        assert!("default".parse::<RuleSpec>().is_err(), "the command's default is `games`");
    }

    #[test]
    fn errors_say_what_to_give() {
        for line in include_str!("refused.txt").lines() {
            let (bad, said) = line.split_once(" | ").unwrap();
            let error = bad.parse::<RuleSpec>().unwrap_err().to_string();
            let holds = error.contains(said) && error.starts_with(&format!("`{bad}` is no rule: "));
            assert!(holds, "{error}");
        }
        let error = "x".repeat(100_000).parse::<RuleSpec>().unwrap_err().to_string();
        assert!(error.contains("more than 200 bytes") && error.len() < 300);
    }

    fn criteria() -> impl Strategy<Value = Criterion> {
        let prior = (0u32..=100_000_000, 0u32..=100_000_000)
            .prop_map(|(a, b)| Criterion::Regularized(Prior { points: a.min(b), games: a.max(b) }));
        let named = prop::sample::select(CRITERIA.to_vec());
        prop_oneof![prior, named]
    }

    fn picks() -> impl Strategy<Value = Pick> {
        let softmax = (1..999_999_999_999_999u64)
            .prop_map(|millionths| Pick::Softmax(NonZeroU64::new(millionths).unwrap()));
        prop_oneof![
            Just(Pick::Best),
            Just(Pick::Proportion),
            (0u32..=999_999_999).prop_map(Pick::Near),
            softmax
        ]
    }

    fn conditions() -> impl Strategy<Value = Conditions> {
        let min = prop::option::of(-999_999_999i32..=999_999_999);
        let reentry = prop::sample::select(vec![Reentry::Free, Reentry::Known, Reentry::Never]);
        let percent = (0u32..=10_000)
            .prop_map(|part| format!("{}.{:02}", part / 100, part % 100).parse().unwrap());
        let unknown = prop::sample::select(vec![Unknown::Heed, Unknown::Ignore]);
        let percents = (percent.clone(), percent);
        (min, percents, 0u64..=999_999_999, any::<bool>(), reentry, unknown).prop_map(
            |(min, (min_score, min_share), min_games, progress, reentry, unknown)| Conditions {
                min,
                min_score,
                min_games,
                min_share,
                progress,
                reentry,
                unknown,
            },
        )
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(criterion in criteria(), pick in picks(), mut conditions in conditions(), by in prop::sample::select(BYS.map(|(_, by)| by).to_vec())) {
            let pick = if criterion == Criterion::Eval && pick == Pick::Proportion { Pick::Best } else { pick };
            conditions.progress &= criterion.is_part() || criterion == Criterion::Eval;
            let spec = RuleSpec::Policy(Policy { criterion, by, conditions, pick });
            prop_assert_eq!(spec.to_string().parse::<RuleSpec>(), Ok(spec));
        }

        #[test]
        fn no_text_makes_it_panic(text in "[a-z0-9(),=+. -]{0,40}|.{0,40}|(lcb|reg|softmax|eval|negamax|random)[(]?[a-z=0-9,.]{0,12}[)]?(,[a-z-]{1,9}=[0-9a-z.-]{0,9}){0,3}") {
            if let Ok(spec) = text.parse::<RuleSpec>() {
                prop_assert_eq!(spec.to_string().parse::<RuleSpec>(), Ok(spec));
            }
        }
    }

    fn policy(text: &str) -> Policy {
        match text.parse() {
            Ok(RuleSpec::Policy(policy)) => policy,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn the_papers_rules_are_what_they_are() {
        let default = Policy {
            criterion: Criterion::Score,
            by: By::Positions,
            conditions: HALF,
            pick: Pick::Best,
        };
        assert_eq!(policy("v"), default);
        assert!("default".parse::<RuleSpec>().is_err(), "the command's default is `games`");
        assert_eq!(policy("q"), Policy { by: By::Moves, ..default });
        assert_eq!(policy("rote"), Policy { by: By::Line, ..default });
        assert_eq!(policy("lcb"), Policy { criterion: Criterion::LowerConfidence, ..default });
        let never = Conditions { reentry: Reentry::Never, ..HALF };
        assert_eq!(policy("nr"), Policy { conditions: never, ..default });
        assert!(
            ["nr+lcb", "lcb+nr", "lcb,nr=yes", " lcb , nr = yes "].iter().all(|text| policy(text)
                == Policy { criterion: Criterion::LowerConfidence, conditions: never, ..default })
        );
        let progress = Conditions { progress: true, ..HALF };
        assert_eq!(policy("progress"), Policy { conditions: progress, ..default });
        let reg = |points, games| Policy {
            criterion: Criterion::Regularized(Prior { points, games }),
            conditions: progress,
            ..default
        };
        let found = [policy("reg"), policy("reg2"), policy("reg(3,4.25)")];
        assert_eq!(found, [reg(50, 100), reg(10_000, 20_000), reg(300, 425)]);
        assert_eq!((policy("reg(0.5,1)"), policy("reg(100,200)")), (policy("reg"), policy("reg2")));
        assert_eq!(policy("reg,progress=no").conditions, HALF);
        assert_eq!(
            policy("wilson").conditions,
            Conditions {
                min_score: "45".parse().unwrap(),
                min_share: FLOOR_SHARE,
                ..Conditions::default()
            }
        );
    }
}
