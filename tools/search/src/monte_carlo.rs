//! Monte-Carlo tree search as an engine: in Go, of which the other one knows little, it is better.

use crate::budget::Budget;
use crate::uct::{PlayoutTree, Simulation};
use std::time::Instant;
use tabia_engines::{Answer, Choice, Engine, Error, Query, Ranking, Thought};
use tabia_games::{Game, Komi, Node};

/// What the engine calls itself. The number changes whenever its trees do.
pub const TREE_NAME: &str = "tabia-uct 1";

/// Games of a move where no limit says anything.
const GAMES: u64 = 10_000;
/// The most bytes of a tree.
const MEMORY: usize = 256 << 20;

/// An engine that plays the move that most games of a [`PlayoutTree`] went through. A limit of nodes
/// is one of games; one of depth means nothing to it. It can't tell what each of several moves is
/// worth in points. In Go White has 7.5 points of komi, if nothing else is said.
#[derive(Clone, Copy, Debug, Default)]
pub struct MonteCarlo {
    seed: u32,
    komi: Option<Komi>,
}

impl<G: Game> Engine<G> for MonteCarlo {
    fn name(&self) -> &str {
        TREE_NAME
    }

    fn seed(&mut self, seed: u32) -> Result<(), Error> {
        self.seed = seed;
        Ok(())
    }

    fn set_komi(&mut self, komi: Komi) {
        self.komi = Some(komi);
    }

    fn best_move(&mut self, query: &Query<'_, G>) -> Result<Thought<G::Move>, Error> {
        let Query { history, limit, patience } = *query;
        let (position, start) = (history.position(), Instant::now());
        let budget = Budget::of(limit, position.side(), GAMES, patience);
        let simulation = Simulation {
            games: u32::try_from(budget.left()).unwrap_or(u32::MAX),
            seed: u64::from(self.seed) << 32 ^ position.key(),
            memory: MEMORY,
            komi: self.komi.unwrap_or(Komi::SEVEN_AND_A_HALF),
        };
        let root = Node::start(position.clone(), true);
        let tree = PlayoutTree::grow(root, &simulation, &mut |_| !budget.is_over());
        let best = tree.best().map(|(played, _)| Answer::Move(played.clone()));
        let answer = best.unwrap_or_else(|| Answer::no_move(position));
        let nodes = Some(tree.games().into());
        Ok(Thought { nodes, ..Thought::of(answer, start.elapsed()) })
    }

    fn best_moves(&mut self, _: &Choice<'_, G>) -> Result<Ranking<G::Move>, Error> {
        let what = "it knows how often moves win, not what they are worth in points: ask `tabia engine` \
                    without --monte-carlo";
        Err(Error::unsupported(TREE_NAME, what))
    }
}
