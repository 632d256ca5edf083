//! A decision in one line.

use std::cmp::Reverse;
use tabia_play::choice::{Decision, Figure, Judged};

/// How long the line may become, in characters.
const LONGEST: usize = 600;

/// What was decided and why, then the candidates with their figures: what was chosen, others from
/// the most games on, those that were out of the question.
pub fn explanation<M>(decision: &Decision<M>, name: impl Fn(&M) -> String) -> String {
    let mut line = decision.played().map_or_else(|| "no move".to_owned(), &name);
    line += &format!(": {}", decision.choice.why);
    let candidates = decision.candidates.iter().zip(&decision.choice.judged);
    let mut order: Vec<_> = candidates.enumerate().collect();
    order.sort_by_key(|&(place, (candidate, judged))| {
        let is_chosen = decision.choice.chosen == Some(place);
        (!is_chosen, judged.out.is_some(), Reverse(candidate.games()))
    });
    for (_, (candidate, judged)) in order {
        let part = format!("; {} {}", name(&candidate.played), figures(judged, candidate.games()));
        if line.len() + part.len() > LONGEST {
            return line + "; ...";
        }
        line += &part;
    }
    line.chars().filter(|letter| !letter.is_control()).collect()
}

fn figures(judged: &Judged, games: u64) -> String {
    if let Some(why) = &judged.out {
        return format!("out, {why}");
    }
    let figures = judged.figures.iter().map(|(name, figure)| match figure {
        Figure::Count(number) => format!("{name} {number}"),
        Figure::Score(score) => format!("{name} {score:.3}"),
        Figure::Value(value) => format!("{name} {value:.2}"),
        Figure::Word(word) => format!("{name} {word}"),
    });
    let told: Vec<String> = figures.collect();
    if told.is_empty() { format!("games {games}") } else { told.join(" ") }
}
