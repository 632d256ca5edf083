//! Which move a rule would play from a book, and why.

use super::asked;
use crate::place;
use crate::query::Request;
use crate::reply::{Answered, Refusal, Reply};
use crate::sources::Sources;
use tabia_play::choice::{Limits, Player, RuleSpec, Seed};
use tabia_play::explore::{Decided, Explorable};

/// The rule where none is asked for: that of `tabia play`.
const RULE: &str = "games";

pub fn play(sources: &Sources, request: &Request) -> Answered {
    let asked = asked(sources, request, "book", "")?;
    let rule = request.text("rule").unwrap_or(RULE);
    let rule: RuleSpec = rule.parse().map_err(|error| Refusal::Bad(format!("rule: {error}")))?;
    if reads_whole(&rule) {
        return Err(Refusal::Bad(
            "rule: negamax reads a book whole: it is for `tabia play`".to_owned(),
        ));
    }
    let history = place::asked(request, asked.game, asked.books.header().keyed)?;
    let rows = asked.books.rows();
    let seed = Seed { seed: request.number("seed", 1)?, game: 0 };
    let player = Player::new(rows, rule.prepare(rows, None, &history.nodes()[0])?, seed);
    let decision = player.decide(&history, &Limits::default())?;
    Ok(Reply::json(&Decided::new(&rule, &history, &decision))?.of_books(&asked.books))
}

/// Whether a rule reads all of a book before it can choose.
fn reads_whole(rule: &RuleSpec) -> bool {
    match rule {
        RuleSpec::Negamax(_) => true,
        RuleSpec::Exploring { rule, .. } => reads_whole(rule),
        RuleSpec::First(rules) => rules.iter().any(reads_whole),
        RuleSpec::Policy(_) | RuleSpec::Mixture(_) | RuleSpec::Always => false,
    }
}
