//! A question to an engine and its answer as a line of JSON.

use crate::answer::{Answer, Ending, Eval, Ranked, Ranking, Thought};
use crate::history::MoveHistory;
use crate::limit::Limit;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use tabia_games::Game;

/// A line of a recording.
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
    /// A question about the end of a game; `among` are the moves to be ranked and how many are
    /// wanted, if it isn't the engine's own move that is asked for.
    pub fn new<G: Game>(
        history: &MoveHistory<G>,
        limit: &Limit,
        seed: Option<u32>,
        among: Option<(&[G::Move], usize)>,
    ) -> Self {
        let position = history.position();
        let ask = among.map_or(Ask::Think, |(among, count)| {
            let mut among: Vec<_> = among.iter().map(|one| position.coordinates(one)).collect();
            among.sort();
            Ask::Rank { among, count }
        });
        Self {
            game: history.start().name().to_owned(),
            start: history.start().setup(),
            moves: history.replay().map(|(before, played)| before.coordinates(played)).collect(),
            limit: limit.to_string(),
            clocks: limit.clock.map(|clock| (clock.left.map(nanos), clock.moves_to_go)),
            seed,
            ask,
        }
    }
}

/// What was answered, with moves as programs write them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Said {
    Thought {
        answer: Word,
        nanos: u64,
        eval: Option<Worth>,
        depth: Option<u32>,
        nodes: Option<u64>,
        is_book: bool,
    },
    Ranking {
        moves: Vec<Rank>,
        nanos: u64,
        nodes: Option<u64>,
    },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Word {
    Move(String),
    Resigns,
    Illegal(String),
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Worth {
    Hundredths(i32),
    Mate(i32),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Rank {
    played: String,
    eval: Worth,
    depth: Option<u32>,
    sure: Option<Sure>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Sure {
    Loss,
    Draw,
    Win,
}

impl Said {
    pub fn thought<G: Game>(position: &G, thought: &Thought<G::Move>) -> Self {
        Self::Thought {
            answer: match &thought.answer {
                Answer::Move(played) => Word::Move(position.coordinates(played)),
                Answer::Resigns => Word::Resigns,
                Answer::Illegal(text) => Word::Illegal(text.clone()),
            },
            nanos: nanos(thought.took),
            eval: thought.eval.map(Worth::from),
            depth: thought.depth,
            nodes: thought.nodes,
            is_book: thought.is_book,
        }
    }

    pub fn ranking<G: Game>(position: &G, ranking: &Ranking<G::Move>) -> Self {
        let moves = ranking.moves.iter().map(|one| Rank {
            played: position.coordinates(&one.played),
            eval: one.eval.into(),
            depth: one.depth,
            sure: one.sure.map(Sure::from),
        });
        Self::Ranking { moves: moves.collect(), nanos: nanos(ranking.took), nodes: ranking.nodes }
    }

    /// The engine's move in this position, if that is what was answered.
    pub fn as_thought<G: Game>(&self, position: &G) -> Option<Thought<G::Move>> {
        let Self::Thought { answer, nanos, eval, depth, nodes, is_book } = self else {
            return None;
        };
        let answer = match answer {
            Word::Move(text) => Answer::Move(position.read_move(text.as_bytes()).ok()?),
            Word::Resigns => Answer::Resigns,
            Word::Illegal(text) => Answer::Illegal(text.clone()),
        };
        Some(Thought {
            answer,
            took: Duration::from_nanos(*nanos),
            eval: eval.map(Eval::from),
            depth: *depth,
            nodes: *nodes,
            is_book: *is_book,
        })
    }

    /// The ranking of moves of this position, if that is what was answered.
    pub fn as_ranking<G: Game>(&self, position: &G) -> Option<Ranking<G::Move>> {
        let Self::Ranking { moves, nanos, nodes } = self else { return None };
        let read = |one: &Rank| {
            Some(Ranked {
                played: position.read_move(one.played.as_bytes()).ok()?,
                eval: one.eval.into(),
                depth: one.depth,
                sure: one.sure.map(Ending::from),
            })
        };
        let moves = moves.iter().map(read).collect::<Option<_>>()?;
        Some(Ranking { moves, took: Duration::from_nanos(*nanos), nodes: *nodes })
    }
}

fn nanos(time: Duration) -> u64 {
    time.as_nanos().try_into().unwrap_or(u64::MAX)
}

impl From<Eval> for Worth {
    fn from(eval: Eval) -> Self {
        match eval {
            Eval::Hundredths(hundredths) => Self::Hundredths(hundredths),
            Eval::Mate(moves) => Self::Mate(moves),
        }
    }
}

impl From<Worth> for Eval {
    fn from(worth: Worth) -> Self {
        match worth {
            Worth::Hundredths(hundredths) => Self::Hundredths(hundredths),
            Worth::Mate(moves) => Self::Mate(moves),
        }
    }
}

impl From<Ending> for Sure {
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::Loss => Self::Loss,
            Ending::Draw => Self::Draw,
            Ending::Win => Self::Win,
        }
    }
}

impl From<Sure> for Ending {
    fn from(sure: Sure) -> Self {
        match sure {
            Sure::Loss => Self::Loss,
            Sure::Draw => Self::Draw,
            Sure::Win => Self::Win,
        }
    }
}
