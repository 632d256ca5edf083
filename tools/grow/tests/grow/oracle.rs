//! A worker that knows what every position of a toy is worth.

use crate::toy::Toy;
use std::time::Duration;
use tabia_engines::{Ending, Eval};
use tabia_games::Game;
use tabia_grow::{Answer, Task, Valued, Worker, WorkerError};

/// What positions are worth, in hundredths, seen by the side to move.
#[derive(Clone)]
pub struct Oracle {
    pub toy: Toy,
    pub evals: Vec<i16>,
    /// How the game ends from positions on, seen by the side to move, where the oracle is sure.
    pub sure: Vec<Option<Ending>>,
    /// How long it takes for a task: a number of milliseconds for each.
    pub delays: Vec<u64>,
}

impl Oracle {
    pub fn new(toy: &Toy, evals: &[i16]) -> Self {
        Self { toy: toy.clone(), evals: evals.to_vec(), sure: Vec::new(), delays: Vec::new() }
    }

    /// A move and what it is worth to the side that makes it.
    fn valued(&self, position: &Toy, word: &str) -> Valued {
        let next = position.after(&position.parse_move(word).unwrap());
        let is_same_side = next.side() == position.side();
        let sure = self.sure.get(next.at).copied().flatten();
        let sure = match (sure, is_same_side) {
            (Some(Ending::Win), false) => Some(Ending::Loss),
            (Some(Ending::Loss), false) => Some(Ending::Win),
            (sure, _) => sure,
        };
        let eval = match sure {
            Some(Ending::Win) => Eval::Mate(1),
            Some(Ending::Loss) => Eval::Mate(-1),
            _ if is_same_side => Eval::Hundredths(self.evals[next.at].into()),
            _ => Eval::Hundredths((-self.evals[next.at]).into()),
        };
        Valued { played: word.to_owned(), eval, depth: Some(2), sure }
    }
}

impl Worker for Oracle {
    fn name(&self) -> &str {
        "oracle"
    }

    fn answer(&mut self, task: &Task) -> Result<Vec<Answer>, WorkerError> {
        if let Some(delay) = self.delays.get(task.id as usize % self.delays.len().max(1)) {
            std::thread::sleep(Duration::from_millis(*delay));
        }
        let answer = |question: &tabia_grow::Question| {
            let mut position = self.toy.stand(0);
            for word in &question.line {
                let played = position.parse_move(word).unwrap();
                position.play(&played);
            }
            let mut moves: Vec<Valued> =
                question.among.iter().map(|word| self.valued(&position, word)).collect();
            moves.sort_by_key(|valued| std::cmp::Reverse(valued.eval.hundredths()));
            // More than are wanted, as long as all before are decided and none wins.
            let is_decided =
                |valued: &Valued| matches!(valued.sure, Some(Ending::Loss | Ending::Draw));
            let decided = moves.iter().take_while(|valued| is_decided(valued)).count();
            moves.truncate(question.count.max(if decided >= question.count {
                decided + 1
            } else {
                0
            }));
            Answer { moves, nodes: Some(1) }
        };
        Ok(task.questions.iter().map(answer).collect())
    }
}
