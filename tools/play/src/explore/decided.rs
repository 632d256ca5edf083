//! Which move a rule would play from a book, and why.

use super::labels;
use crate::choice::{Candidate, Decision, Figure, GameHistory, Judged, RuleSpec};
use serde::Serialize;
use std::collections::BTreeMap;
use tabia_games::Game;

/// What was decided.
#[derive(Debug, Serialize)]
pub struct Decided {
    /// The position as `set_up` reads it.
    pub fen: String,
    /// How many moves of the game were played before.
    pub ply: usize,
    /// The rule.
    pub rule: String,
    /// None if there is none that the rule would play.
    #[serde(rename = "move")]
    pub played: Option<Named>,
    /// Why, for people.
    pub why: String,
    /// All moves of the book: the chosen one first, then what is not out, by their games.
    pub candidates: Vec<Judgement>,
}

/// A move as people and as programs write it.
#[derive(Clone, Debug, Serialize)]
pub struct Named {
    /// As people write it.
    pub san: String,
    /// As programs write it.
    pub uci: String,
}

/// What a rule thinks of a move.
#[derive(Debug, Serialize)]
pub struct Judgement {
    /// The move.
    #[serde(flatten)]
    pub name: Named,
    /// Its code in the book.
    pub code: u16,
    /// Whether it is the one that is played.
    pub chosen: bool,
    /// Its marks in words.
    pub marks: Vec<&'static str>,
    /// What the rule compares, by its names.
    #[serde(serialize_with = "as_values")]
    pub figures: Vec<(&'static str, Figure)>,
    /// Why it is out of the question, if it is.
    pub out: Option<String>,
    #[serde(skip)]
    games: u64,
}

impl Decided {
    /// What a rule decided in the present position of a game.
    pub fn new<G: Game>(
        rule: &RuleSpec,
        history: &GameHistory<G>,
        decision: &Decision<G::Move>,
    ) -> Self {
        let position = &history.present().position;
        let choice = &decision.choice;
        let judged = decision.candidates.iter().zip(&choice.judged).enumerate();
        let mut candidates: Vec<Judgement> = judged
            .map(|(place, (candidate, judged))| {
                Judgement::new(position, candidate, judged, choice.chosen == Some(place))
            })
            .collect();
        candidates.sort_by_key(|judgement| {
            let out = judgement.out.is_some();
            (!judgement.chosen, out, std::cmp::Reverse(judgement.games), judgement.code)
        });
        Self {
            fen: position.setup(),
            ply: history.plies(),
            rule: rule.to_string(),
            played: decision.played().map(|played| Named::of(position, played)),
            why: choice.why.clone(),
            candidates,
        }
    }
}

impl Named {
    /// The names of a legal move of a position.
    pub fn of<G: Game>(position: &G, played: &G::Move) -> Self {
        Self { san: position.notation(played), uci: position.coordinates(played) }
    }
}

impl Judgement {
    fn new<G: Game>(
        position: &G,
        candidate: &Candidate<G::Move>,
        judged: &Judged,
        chosen: bool,
    ) -> Self {
        Self {
            name: Named::of(position, &candidate.played),
            code: candidate.code,
            chosen,
            marks: labels::of_marks(candidate.marks),
            figures: judged.figures.clone(),
            out: judged.out.clone(),
            games: candidate.games_there(),
        }
    }
}

/// In the order of their names.
fn as_values<S: serde::Serializer>(
    figures: &[(&'static str, Figure)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let values = figures.iter().map(|(name, figure)| (name, figure));
    values.collect::<BTreeMap<_, _>>().serialize(serializer)
}
