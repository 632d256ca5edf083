//! A question to an engine and its answer as a line of JSON.

use crate::answer::{Ranking, Thought};
use crate::engine::{Choice, Query};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use tabia_games::Game;

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Recorded {
    /// The engine's name for itself.
    pub engine: String,
    pub question: Question,
    pub answer: Said,
}

/// All that an answer depends on, as far as a question says it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Question {
    game: String,
    start: String,
    moves: Vec<String>,
    limit: String,
    /// What the clocks show, in nanoseconds, and moves to go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clocks: Option<([u64; 2], Option<u32>)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seed: Option<u32>,
    ask: Ask,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Ask {
    /// Its move.
    Think,
    /// The best of some moves, which are in order: it makes no difference how they were listed.
    Rank { among: Vec<String>, count: usize },
}

impl Question {
    /// For the engine's move.
    pub fn of_move<G: Game>(query: &Query<'_, G>, seed: Option<u32>) -> Self {
        let Query { history, limit, patience: _ } = *query;
        Self {
            game: history.start().name().to_owned(),
            start: history.start().setup(),
            moves: history.replay().map(|(before, played)| before.coordinates(played)).collect(),
            limit: limit.to_string(),
            clocks: limit.clock.map(|clock| (clock.left.map(nanos), clock.moves_to_go)),
            seed,
            ask: Ask::Think,
        }
    }

    /// For the best of some moves.
    pub fn of_moves<G: Game>(choice: &Choice<'_, G>, seed: Option<u32>) -> Self {
        let Choice { ref query, among, count } = *choice;
        let position = query.history.position();
        let mut among: Vec<_> = among.iter().map(|one| position.coordinates(one)).collect();
        among.sort();
        Self { ask: Ask::Rank { among, count }, ..Self::of_move(query, seed) }
    }
}

/// What was answered, with moves as programs write them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Said {
    Thought(Thought<String>),
    Ranking(Ranking<String>),
}

impl Said {
    pub fn thought<G: Game>(position: &G, thought: &Thought<G::Move>) -> Option<Self> {
        thought.try_map(|played| Some(position.coordinates(played))).map(Self::Thought)
    }

    pub fn ranking<G: Game>(position: &G, ranking: &Ranking<G::Move>) -> Option<Self> {
        ranking.try_map(|played| Some(position.coordinates(played))).map(Self::Ranking)
    }

    /// The engine's move in this position, if that is what was answered.
    pub fn as_thought<G: Game>(&self, position: &G) -> Option<Thought<G::Move>> {
        let Self::Thought(thought) = self else { return None };
        thought.try_map(|text| position.read_move(text.as_bytes()).ok())
    }

    /// The ranking of moves of this position, if that is what was answered.
    pub fn as_ranking<G: Game>(&self, position: &G) -> Option<Ranking<G::Move>> {
        let Self::Ranking(ranking) = self else { return None };
        ranking.try_map(|text| position.read_move(text.as_bytes()).ok())
    }
}

fn nanos(time: Duration) -> u64 {
    time.as_nanos().try_into().unwrap_or(u64::MAX)
}
