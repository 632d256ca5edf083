//! A graph as one of the sides sees it who chooses moves from it.

use crate::negamax::solve::seen;
use crate::negamax::{Arena, Edge, Graph, Proof, Replies, Unit, Value};
use tabia::Key;
use tabia_games::Side;

/// What a draw is worth to a side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DrawValue {
    /// Nothing, as to the other side.
    #[default]
    Even,
    /// As much as a win.
    Win,
    /// As little as a loss.
    Loss,
}

/// What draws are worth (Buro 1999, sections 4 and 6): when a win is needed they are lost, when a
/// draw is enough they are won. With public draws lost and private ones won a player keeps away
/// from draws that everybody knows, and has more to try.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DrawPolicy {
    /// Those that everybody knows.
    pub public: DrawValue,
    /// All others, repetition too.
    pub private: DrawValue,
    /// To whom; if none, to the side that chooses.
    pub side: Option<Side>,
}

/// What a position is worth that isn't flagged `EXPANDED`: the book lacks the best deviation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unexpanded {
    /// What is known of the position itself: its eval, or a move of the book that is better for the
    /// side to move; or the record of its games, whatever the book has behind it.
    #[default]
    Own,
    /// The best of its moves, as if the book had all that matter. Single games then decide whole
    /// subtrees, unless positions of few games are left out ([`crate::negamax::GraphOptions`]).
    Moves,
}

/// A graph with all that a choice of moves from it depends on.
#[derive(Clone, Copy, Debug)]
pub struct GraphView<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// What its values are told in.
    pub unit: Unit,
    /// Who chooses. For this side the book maker's marks hold.
    pub side: Side,
    /// What draws are worth.
    pub draws: DrawPolicy,
    /// What positions are worth that aren't flagged `EXPANDED`.
    pub unexpanded: Unexpanded,
    /// What the other side is expected to play, if it has a book of its own.
    pub replies: Option<&'a Replies>,
}

impl<'a> GraphView<'a> {
    /// A graph of evals, as this side sees it who chooses, with draws even.
    pub fn of_evals(graph: &'a Graph, side: Side) -> Self {
        let (draws, unexpanded) = (DrawPolicy::default(), Unexpanded::Own);
        Self { graph, unit: Unit::Eval, side, draws, unexpanded, replies: None }
    }

    /// The moves that values are backed up by, in ascending order of their codes: those that may be
    /// played, or none where the moves of the book don't say what a position is worth. Where its eval
    /// stands for the moves that the book lacks, those don't count that were searched less deeply.
    pub fn played(&self, at: u32) -> impl Iterator<Item = &'a Edge> + use<'a> {
        let (graph, counts) = (self.graph, self.is_backed_up(at));
        let searched = self.has_open_eval(at).then(|| graph.depth(at));
        let is_known_better = move |to: u32| {
            searched.is_none_or(|depth| {
                graph.proof(to).is_some()
                    || graph.is_expanded(to)
                    || graph.own(to, Unit::Eval).is_none()
                    || graph.depth(to).saturating_add(1) >= depth
            })
        };
        self.playable(at).filter(move |played| counts && is_known_better(played.to))
    }

    /// Whether a position's eval stands for moves that the book lacks, and any others may come.
    fn has_open_eval(&self, at: u32) -> bool {
        self.told(at).is_none()
            && self.own_is_a_move(at)
            && self.graph.own(at, Unit::Eval).is_some()
    }

    /// What is expected of the other side here says this of the position's own value, if anything.
    fn told(&self, at: u32) -> Option<bool> {
        let replies = self.replies.filter(|_| self.graph.side(at) != self.side);
        replies.and_then(|replies| replies.own_is_a_move(at))
    }

    /// Whether the moves of a position say what it is worth: they are complete, or the best of them
    /// is as good as the position at least.
    pub(crate) fn is_backed_up(&self, at: u32) -> bool {
        let is_own = self.graph.side(at) == self.side;
        self.unexpanded == Unexpanded::Moves
            || self.graph.is_expanded(at)
            || self.unit == Unit::Eval && self.graph.own(at, self.unit).is_some()
            || is_own && self.graph.has_always(at)
            || self.told(at).is_some()
    }

    /// The moves that may be played, in ascending order of their codes: none where the end is sure.
    pub(crate) fn playable(&self, at: u32) -> impl Iterator<Item = &'a Edge> + use<'a> {
        let (graph, replies, is_own) = (self.graph, self.replies, self.graph.side(at) == self.side);
        let all = if graph.proof(at).is_some() { 0..0 } else { graph.move_range(at) };
        let may_be = move |place: &usize| {
            if is_own {
                !graph.moves[*place].is_barred
            } else {
                replies.is_none_or(|replies| replies.may_be(*place))
            }
        };
        all.filter(may_be).map(|place| &graph.moves[place])
    }

    /// What a draw is worth, as the first player sees it.
    fn draw(&self, worth: DrawValue) -> Value {
        let value = match worth {
            DrawValue::Even => Value::EVEN,
            DrawValue::Win => Value::WIN,
            DrawValue::Loss => Value::LOSS,
        };
        seen(value, self.draws.side.unwrap_or(self.side))
    }
}

impl Arena for GraphView<'_> {
    fn len(&self) -> u32 {
        self.graph.len()
    }

    fn side(&self, at: u32) -> Side {
        self.graph.side(at)
    }

    fn moves(&self, at: u32) -> impl Iterator<Item = u32> {
        self.played(at).map(|played| played.to)
    }

    fn own(&self, at: u32) -> Option<Value> {
        let to_mover = |value| seen(value, self.side(at));
        match self.graph.proof(at) {
            Some(Proof::Win) => Some(to_mover(Value::WIN)),
            Some(Proof::Loss) => Some(to_mover(Value::LOSS)),
            Some(Proof::PublicDraw) => Some(self.draw(self.draws.public)),
            Some(Proof::PrivateDraw) => Some(self.draw(self.draws.private)),
            None => self.graph.own(at, self.unit).map(to_mover),
        }
    }

    fn own_is_a_move(&self, at: u32) -> bool {
        match self.told(at) {
            Some(is_one) => is_one,
            None if self.side(at) == self.side && self.graph.has_always(at) => false,
            None => {
                self.unit == Unit::Eval
                    && self.unexpanded == Unexpanded::Own
                    && !self.graph.is_expanded(at)
            }
        }
    }

    fn name(&self, at: u32) -> (Key, usize) {
        (self.graph.key(at), self.side(at).index())
    }

    fn repetition(&self) -> Value {
        self.draw(self.draws.private)
    }
}
