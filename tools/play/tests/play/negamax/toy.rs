//! Games made up for tests: a graph drawn by hand or at random, on which two sides move as it says.

use std::sync::Arc;
use tabia_games::{Game, GameNames, Node, Outcome, SetupError, Side, Trouble};

/// A position of such a game: where it stands, and the graph.
#[derive(Clone, Debug)]
pub struct Toy {
    pub at: usize,
    graph: Arc<Vec<Place>>,
}

/// A position: who is to move, where the moves lead by their codes, and how the game ends if it
/// does.
#[derive(Clone, Debug)]
pub struct Place {
    pub side: Side,
    pub moves: Vec<usize>,
    pub outcome: Option<Outcome>,
}

/// The number of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step(pub u16);

impl Toy {
    pub fn new(graph: Vec<Place>) -> Self {
        Self { at: 0, graph: Arc::new(graph) }
    }

    /// The position with this number.
    pub fn stand(&self, at: usize) -> Self {
        Self { at, graph: Arc::clone(&self.graph) }
    }

    pub fn node(&self) -> Node<Self> {
        Node::start(self.clone(), false)
    }

    pub fn place(&self) -> &Place {
        &self.graph[self.at]
    }
}

pub fn key(at: usize) -> u64 {
    at as u64 + 1
}

impl Game for Toy {
    type Move = Step;

    fn names(&self) -> GameNames {
        GameNames { game: "toy", keys: "number", sides: ["First", "Second"], examples: "0" }
    }

    fn set_up(&self, text: &str) -> Result<Self, SetupError> {
        if text == "0" || text == "startpos" {
            return Ok(self.stand(0));
        }
        Err(SetupError {
            game: "toy",
            text: text.to_owned(),
            why: "it has one start".to_owned(),
            expected: "nothing",
        })
    }

    fn setup(&self) -> String {
        self.at.to_string()
    }

    fn side(&self) -> Side {
        self.place().side
    }

    fn key(&self) -> u64 {
        key(self.at)
    }

    fn legal_moves(&self, moves: &mut Vec<Step>) {
        moves.clear();
        moves.extend((0..self.place().moves.len() as u16).map(Step));
    }

    fn play(&mut self, played: &Step) {
        self.at = self.place().moves[usize::from(played.0)];
    }

    fn image(&self, played: &Step, _symmetry: u32) -> u16 {
        played.0
    }

    fn read_move(&self, text: &[u8]) -> Result<Step, Trouble> {
        let number = std::str::from_utf8(text).ok().and_then(|text| text.strip_prefix('m'));
        let number: u16 = number.and_then(|text| text.parse().ok()).ok_or(Trouble::Unreadable)?;
        let is_legal = usize::from(number) < self.place().moves.len();
        is_legal.then_some(Step(number)).ok_or(Trouble::Illegal)
    }

    fn coordinates(&self, played: &Step) -> String {
        format!("m{}", played.0)
    }

    fn notation(&self, played: &Step) -> String {
        self.place().moves[usize::from(played.0)].to_string()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.place().outcome
    }

    fn diagram(&self) -> String {
        self.at.to_string()
    }
}
