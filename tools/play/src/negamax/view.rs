//! A graph as one of the sides sees it who chooses moves from it.

use crate::negamax::arena::seen;
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

/// What stands for the moves that a book lacks where it lacks the best deviation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unexpanded {
    /// The position's own eval.
    #[default]
    Own,
    /// Nothing: the moves of the book are all there is.
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
    /// What stands for moves that the book lacks.
    pub unexpanded: Unexpanded,
    /// What the other side is expected to play, if it has a book of its own.
    pub replies: Option<&'a Replies>,
}

impl<'a> GraphView<'a> {
    /// The moves that may be played, in ascending order of their codes: none where it is sure how
    /// the game ends.
    pub fn played(&self, at: u32) -> impl Iterator<Item = &'a Edge> + use<'a> {
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
        let is_own = self.side(at) == self.side;
        match self.replies.filter(|_| !is_own).and_then(|replies| replies.own_is_a_move(at)) {
            Some(is_one) => is_one,
            None if is_own && self.graph.has_always(at) => false,
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
