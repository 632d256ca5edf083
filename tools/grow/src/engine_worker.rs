//! An engine of this process, or started by it, as a worker.

use crate::answers::is_decided;
use crate::task::{Answer, Question, Task, Valued, Worker, WorkerError};
use std::time::Duration;
use tabia_engines::{Engine, Error, Limit, MoveHistory, StartEngine};
use tabia_games::Game;

/// The seed of an engine's random choices, if it has any.
const SEED: u32 = 1;

/// An engine that is asked with one limit. It is told of a new game before each question, so that
/// an answer doesn't depend on what was asked before, and started anew after an error.
pub struct EngineWorker<G: Game> {
    start: G,
    launch: StartEngine<G>,
    engine: Option<Box<dyn Engine<G>>>,
    name: String,
    limit: Limit,
    patience: Duration,
}

impl<G: Game> EngineWorker<G> {
    /// An engine for games from this position, which is started now. Each search has the whole
    /// limit, and is waited for `patience`.
    ///
    /// # Errors
    /// If it can't be started.
    pub fn new(
        start: &G,
        mut launch: StartEngine<G>,
        limit: Limit,
        patience: Duration,
    ) -> Result<Self, Error> {
        let engine = launch()?;
        let name = engine.name().to_owned();
        Ok(Self { start: start.clone(), launch, engine: Some(engine), name, limit, patience })
    }

    fn ask(&mut self, question: &Question) -> Result<Answer, WorkerError> {
        let mut history = MoveHistory::new(self.start.clone());
        for word in &question.line {
            let played = self.read(history.position(), word)?;
            history.play(&played);
        }
        let position = history.position();
        let among = question.among.iter().map(|word| self.read(position, word));
        let among: Vec<G::Move> = among.collect::<Result<_, _>>()?;
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => (self.launch)()?,
        };
        engine.new_game(&self.start)?;
        engine.seed(SEED)?;
        let (mut answer, mut left) = (Answer::default(), among);
        let mut wanted = question.count;
        while !left.is_empty() && wanted > 0 {
            let ranking = engine.rank(&history, &left, wanted, &self.limit, self.patience)?;
            if ranking.moves.is_empty() {
                return Err(self.wrong("no move".to_owned()));
            }
            let before = answer.nodes.unwrap_or(0);
            answer.nodes = ranking.nodes.map(|nodes| before.saturating_add(nodes));
            left.retain(|played| ranking.moves.iter().all(|ranked| ranked.played != *played));
            answer.moves.extend(ranking.moves.into_iter().map(|ranked| Valued {
                played: position.coordinates(&ranked.played),
                eval: ranked.eval,
                depth: ranked.depth,
                sure: ranked.sure,
            }));
            wanted = usize::from(is_decided(&answer.moves));
        }
        self.engine = Some(engine);
        Ok(answer)
    }

    fn read(&self, position: &G, word: &str) -> Result<G::Move, WorkerError> {
        position.parse_move(word).map_err(|error| self.wrong(error.to_string()))
    }

    fn wrong(&self, what: String) -> WorkerError {
        WorkerError::Wrong { worker: self.name.clone(), what }
    }
}

impl<G: Game> Worker for EngineWorker<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn answer(&mut self, task: &Task) -> Result<Vec<Answer>, WorkerError> {
        task.questions.iter().map(|question| self.ask(question)).collect()
    }
}
