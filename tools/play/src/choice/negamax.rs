//! The rule of negamax: the move that leads to the position that is worst for the other side, by
//! all that the book knows behind it (Buro 1999).
//!
//! What positions are worth is told in [`crate::negamax`]. Here is what is made of it where a move
//! is to be chosen:
//!
//! - The best move is played. Of several that are worth the same, where that is better than a
//!   repetition the one that comes to where it stands in the fewest moves (so that a won circle
//!   isn't run round for ever), where it is worse the one that takes most; then the one with most
//!   games, then the least code. That they are worth the same is told.
//! - No move is played where the book says that one it lacks is better: where the position isn't
//!   `EXPANDED` and its eval is better than its moves, and where all its moves lose and there are
//!   others.
//! - No move is played where another was played more often of which nothing is known, unless that
//!   is to be ignored ([`Unknown`](crate::choice::Unknown)).
//! - With a tolerance (`epsilon`, section 6) all lines that are at most so much worse than the best
//!   that could be reached in this game so far are equally likely: that best is taken over all
//!   earlier positions of the game with the same side to move, so that it can't drop by the
//!   tolerance with every move. If there is no such line any more, because the game took another
//!   way than the book, the present best counts.

mod options;
mod weighing;

pub use options::{BadOption, NegamaxOptions};

use crate::Error;
use crate::choice::player::WITHOUT_RESULTS;
use crate::choice::{Choice, RowLookup, Select, Situation};
use crate::negamax::{Graph, GraphOptions, GraphView, Replies, Solved, Unexpanded, Unit, solve};
use std::sync::{Mutex, PoisonError};
use tabia::format::Results;
use tabia_games::{Game, Node, Side};
use weighing::Weighing;

/// The rule, with the graph of its books.
pub struct Negamax<'a> {
    ours: &'a dyn RowLookup,
    /// The opponent's book, if it is known.
    theirs: Option<&'a dyn RowLookup>,
    options: NegamaxOptions,
    known: Mutex<Known>,
}

/// What was read and solved so far.
#[derive(Default)]
struct Known {
    ours: Graph,
    theirs: Graph,
    /// Solved as each side sees it.
    sights: [Option<Sight>; 2],
}

/// A graph as one side sees it.
struct Sight {
    unit: Unit,
    solved: Solved,
    replies: Option<Replies>,
}

impl<'a> Negamax<'a> {
    /// Reads all that books hold of games from this position, and what an opponent's book does if
    /// it is known (section 7, [`Replies`]). Positions that games begin with elsewhere are read when
    /// they are met.
    ///
    /// # Errors
    /// The books'; [`Error::TooLarge`].
    pub fn prepare<G: Game>(
        ours: &'a dyn RowLookup,
        theirs: Option<&'a dyn RowLookup>,
        start: &Node<G>,
        options: NegamaxOptions,
    ) -> Result<Self, Error> {
        let rule = Self { ours, theirs, options, known: Mutex::default() };
        rule.known().grow(&rule, start)?;
        Ok(rule)
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Known> {
        // Whoever panicked with the lock left at most a graph that has to be solved again.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<G: Game> Select<G> for Negamax<'_> {
    fn select(&self, at: &Situation<'_, G>) -> Result<Choice, Error> {
        let mut known = self.known();
        known.grow(self, at.history.present())?;
        let side = at.history.present().position.side();
        let (graph, sight) = known.sight(self, side);
        if sight.unit == Unit::Score && at.rows.results() == Results::Unknown {
            return Ok(Choice::none(at.candidates.len(), WITHOUT_RESULTS));
        }
        let view = self.options.view(graph, sight.unit, side, sight.replies.as_ref());
        Ok(Weighing { at, view, solved: &sight.solved, options: &self.options }.choice())
    }

    fn note(&self) -> Option<String> {
        let is_backed_up =
            self.options.unexpanded == Unexpanded::Moves || self.known().ours.has_expanded();
        (!is_backed_up).then(|| NOTHING_EXPANDED.to_owned())
    }
}

/// What to know of a book whose moves say nothing of what its positions are worth.
const NOTHING_EXPANDED: &str = "negamax found no position flagged EXPANDED, so it judges moves by \
     the eval or the games of the position behind them and backs nothing up; \
     negamax(unexpanded=moves) backs up what positions of 20 games lead to";

impl Known {
    fn grow<G: Game>(&mut self, rule: &Negamax<'_>, from: &Node<G>) -> Result<(), Error> {
        // Where the opponent goes by their book, values are backed up through all that they know.
        let reading = GraphOptions {
            only_backed_up: rule.options.reading().only_backed_up && rule.theirs.is_none(),
            ..rule.options.reading()
        };
        let mut has_grown = self.ours.grow(rule.ours, from, reading)?;
        if let Some(theirs) = rule.theirs {
            has_grown |= self.theirs.grow(theirs, from, reading)?;
        }
        if has_grown {
            self.sights = [None, None];
        }
        Ok(())
    }

    /// The graph, solved as this side sees it.
    fn sight(&mut self, rule: &Negamax<'_>, side: Side) -> (&Graph, &Sight) {
        let Self { ours, theirs, sights } = self;
        let sight = sights[side.index()].get_or_insert_with(|| {
            let unit = rule.options.values.unwrap_or(ours.unit());
            let replies = rule.theirs.map(|_| {
                let seen =
                    NegamaxOptions::default().view(theirs, theirs.unit(), side.other(), None);
                Replies::new(ours, unit, &seen, &solve(&seen))
            });
            let solved = solve(&rule.options.view(ours, unit, side, replies.as_ref()));
            Sight { unit, solved, replies }
        });
        (ours, sight)
    }
}

impl NegamaxOptions {
    fn view<'a>(
        &self,
        graph: &'a Graph,
        unit: Unit,
        side: Side,
        replies: Option<&'a Replies>,
    ) -> GraphView<'a> {
        GraphView { graph, unit, side, draws: self.draws, unexpanded: self.unexpanded, replies }
    }
}
