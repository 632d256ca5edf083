//! An engine that answers from a recording.

use crate::answer::{Ranking, Thought};
use crate::engine::{Choice, Engine, Query};
use crate::error::{Error, shown};
use crate::recorded::{Question, Recorded, Said};
use std::collections::HashMap;
use std::io::BufRead;
use tabia_games::Game;

/// An engine that gives the answers which another one gave while [`crate::Recording`] wrote them
/// down, in whatever order it is asked. Of several answers to one question it gives one after the
/// other, then the last again and again; a question that isn't in the recording is an error.
#[derive(Debug)]
pub struct Replay {
    name: String,
    /// The answers to each question, and how many of them were given.
    answers: HashMap<Question, (Vec<Said>, usize)>,
    seed: Option<u32>,
}

impl Replay {
    /// Reads a recording.
    ///
    /// # Errors
    /// [`Error::BadRecording`] if it can't be read, or a line is none of a recording.
    pub fn read(recording: impl BufRead) -> Result<Self, Error> {
        let mut replay = Self { name: String::new(), answers: HashMap::new(), seed: None };
        for (number, line) in (1_u64..).zip(recording.lines()) {
            let bad = |why: String| Error::BadRecording { line: number, why };
            let line = line.map_err(|error| bad(error.to_string()))?;
            let recorded: Recorded =
                serde_json::from_str(&line).map_err(|error| bad(shown(&error.to_string())))?;
            if number == 1 {
                replay.name = shown(&recorded.engine);
            }
            replay.answers.entry(recorded.question).or_default().0.push(recorded.answer);
        }
        Ok(replay)
    }

    fn answer(&mut self, question: &Question) -> Result<&Said, Error> {
        let found = self.answers.get_mut(question).and_then(|(answers, given)| {
            let at = *given;
            *given = (at + 1).min(answers.len() - 1);
            answers.get(at)
        });
        found.ok_or_else(|| not_recorded(&self.name, question))
    }
}

fn not_recorded(engine: &str, question: &Question) -> Error {
    let question = serde_json::to_string(question).unwrap_or_default();
    Error::NotRecorded { engine: engine.to_owned(), question: shown(&question) }
}

impl<G: Game> Engine<G> for Replay {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, _start: &G) -> Result<(), Error> {
        self.seed = None;
        Ok(())
    }

    fn seed(&mut self, seed: u32) -> Result<(), Error> {
        self.seed = Some(seed);
        Ok(())
    }

    fn best_move(&mut self, query: &Query<'_, G>) -> Result<Thought<G::Move>, Error> {
        let question = Question::of_move(query, self.seed);
        let thought = self.answer(&question)?.as_thought(query.history.position());
        thought.ok_or_else(|| not_recorded(&self.name, &question))
    }

    fn best_moves(&mut self, choice: &Choice<'_, G>) -> Result<Ranking<G::Move>, Error> {
        let question = Question::of_moves(choice, self.seed);
        let ranking = self.answer(&question)?.as_ranking(choice.query.history.position());
        ranking.ok_or_else(|| not_recorded(&self.name, &question))
    }
}
