//! What all positions of a graph with circles are worth: retrograde analysis of a deterministic
//! graphical game.
//!
//! Such a game (Washburn 1990) has leaves with payoffs, and play that never ends has a payoff as
//! well, here `d`. Payoffs better than `d` for the first player are taken from the best down: to a
//! payoff `v` come all positions of the first player with a move to what is worth `v`, and those of
//! the second player all of whose moves are worth `v` or more; the last of these moves is worth
//! just `v`. Then those worse than `d` from the worst up, with the sides exchanged. What remains is
//! worth `d`: neither side can force more there, and going round is one way to hold it.
//!
//! A mate is one ply longer with every move that is taken back ([`Value::a_move_earlier`]): what it
//! is worth then comes among the payoffs in its turn. It only ever becomes worse for the side that
//! mates, so none comes too late. Where draws count as won or lost, `d` may be better for a side
//! than mating: mates on that side of `d` keep their length, or it would pay to go round before the
//! end.
//!
//! Every position is settled once, so it ends; each move is looked at once and payoffs are sorted
//! by counting, so it takes time in proportion to positions and moves. On a graph without circles
//! it is negamax.

use crate::negamax::Value;
use std::collections::{BTreeMap, VecDeque};
use tabia::Key;
use tabia_games::Side;

/// Positions with numbers from 0, whose they are, where moves lead, and what positions are worth in
/// themselves. Values are seen by the first player.
pub trait Arena {
    /// How many positions there are.
    fn len(&self) -> u32;

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Who is to move.
    fn side(&self, at: u32) -> Side;

    /// Where the moves lead that may be played, one by one; two may lead to one position.
    fn moves(&self, at: u32) -> impl Iterator<Item = u32>;

    /// What the position is worth in itself, if that is known.
    fn own(&self, at: u32) -> Option<Value>;

    /// Whether that counts as one more move. If not, it counts only where nothing is known of any
    /// move.
    fn own_is_a_move(&self, at: u32) -> bool;

    /// Something that tells positions apart and is the same however the graph was found.
    fn name(&self, at: u32) -> (Key, usize);

    /// What play is worth that never ends.
    fn repetition(&self) -> Value;
}

/// A value of the first player as this side sees it, or one of this side as the first player sees
/// it.
pub(crate) fn seen(value: Value, by: Side) -> Value {
    if by == Side::First { value } else { -value }
}

/// What positions are worth, and how far it is to where that stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved {
    /// As the first player sees it.
    values: Vec<Option<Value>>,
    steps: Vec<u32>,
    /// What play is worth that never ends, as the first player sees it.
    even: Value,
}

impl Solved {
    /// What a position is worth to this side; none if nothing is known of it.
    pub fn value(&self, at: u32, by: Side) -> Option<Value> {
        self.values[at as usize].map(|value| seen(value, by))
    }

    /// What a move that leads to a position is worth to this side: what the position is, a mate one
    /// ply further away.
    pub fn value_of_move(&self, to: u32, by: Side) -> Option<Value> {
        self.values[to as usize].map(|value| seen(value.a_move_nearer(self.even), by))
    }

    /// The own value of a position if it counts there, as this side sees it.
    pub fn own(&self, arena: &impl Arena, at: u32, by: Side) -> Option<Value> {
        let knows_moves = || arena.moves(at).any(|to| self.values[to as usize].is_some());
        arena
            .own(at)
            .filter(|_| arena.own_is_a_move(at) || !knows_moves())
            .map(|value| seen(value, by))
    }

    /// How many moves it takes at most to come where the value stands, if the side that it is good
    /// for hurries and the other one holds out. 0 where it may also be had by repetition, or stands
    /// in the position itself.
    pub fn steps(&self, at: u32) -> u32 {
        self.steps[at as usize]
    }
}

/// Solves it.
pub fn solve(arena: &impl Arena) -> Solved {
    let mut solving = Solving::new(arena);
    solving.leave_out_unknown();
    let payoffs = solving.payoffs();
    let even = arena.repetition();
    let from_above = payoffs.iter().rev().take_while(|&&(value, _)| value > even);
    solving.settle(Side::First, from_above.copied());
    let from_below = payoffs.iter().take_while(|&&(value, _)| value < even);
    solving.settle(Side::Second, from_below.copied());
    let values = (solving.states.iter()).map(|state| match state {
        State::Unknown => None,
        State::Open => Some(even),
        State::Settled(value) => Some(*value),
    });
    Solved { values: values.collect(), steps: solving.steps, even }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing is known of it.
    Unknown,
    /// It isn't settled yet.
    Open,
    Settled(Value),
}

struct Solving<'a, A> {
    arena: &'a A,
    before: Before,
    states: Vec<State>,
    /// Ways to go on of which it isn't settled yet what they are worth: moves, and the position's
    /// own value if it counts.
    open: Vec<u32>,
    steps: Vec<u32>,
}

impl<'a, A: Arena> Solving<'a, A> {
    fn new(arena: &'a A) -> Self {
        let all = 0..arena.len();
        let open: Vec<u32> = all.clone().map(|at| arena.moves(at).count() as u32).collect();
        Self {
            arena,
            before: Before::of(arena),
            states: vec![State::Open; all.len()],
            open,
            steps: vec![0; all.len()],
        }
    }

    /// Leaves positions out that have no value and no moves, and so on backwards.
    fn leave_out_unknown(&mut self) {
        let is_unknown = |solving: &Self, at: u32| {
            solving.open[at as usize] == 0 && solving.arena.own(at).is_none()
        };
        let mut unknown: Vec<u32> =
            (0..self.arena.len()).filter(|&at| is_unknown(self, at)).collect();
        while let Some(at) = unknown.pop() {
            self.states[at as usize] = State::Unknown;
            for place in self.before.places(at) {
                let before = self.before.from[place];
                self.open[before as usize] -= 1;
                if is_unknown(self, before) {
                    unknown.push(before);
                }
            }
        }
    }

    /// The positions whose own value counts, with these, the least first.
    fn payoffs(&mut self) -> Vec<(Value, u32)> {
        let mut found = Vec::new();
        for at in 0..self.arena.len() {
            let has_moves = self.open[at as usize] > 0;
            if let Some(own) =
                self.arena.own(at).filter(|_| !has_moves || self.arena.own_is_a_move(at))
            {
                self.open[at as usize] += 1;
                found.push((own, at));
            }
        }
        sorted_by_value(&found)
    }

    /// Settles all that is worth as much as one of these payoffs, which come from the best for this
    /// side on.
    fn settle(&mut self, side: Side, payoffs: impl Iterator<Item = (Value, u32)>) {
        let (mut payoffs, mut queue) = (payoffs.peekable(), VecDeque::new());
        // Positions before mates, by what mates are worth there and then by the moves it takes.
        let mut later = BTreeMap::<(Value, u32), Vec<u32>>::new();
        let even = self.arena.repetition();
        loop {
            let mut waiting = later.keys().map(|&(value, _)| value);
            let waiting = if side == Side::First { waiting.next_back() } else { waiting.next() };
            let next = payoffs.peek().map(|&(value, _)| value);
            let better = if side == Side::First { Value::max } else { Value::min };
            let Some(value) = next.into_iter().chain(waiting).reduce(better) else { return };
            while let Some((_, at)) = payoffs.next_if(|&(other, _)| other == value) {
                self.reach(at, (value, 0), side, &mut queue);
            }
            let due = later.extract_if((value, 0)..=(value, u32::MAX), |_, _| true);
            for ((_, steps), places) in due {
                places.iter().for_each(|&at| self.reach(at, (value, steps), side, &mut queue));
            }
            let earlier = value.a_move_nearer(even);
            while let Some(at) = queue.pop_front() {
                let steps = self.steps[at as usize].saturating_add(1);
                for place in self.before.places(at) {
                    let before = self.before.from[place];
                    if earlier == value {
                        self.reach(before, (value, steps), side, &mut queue);
                    } else {
                        later.entry((earlier, steps)).or_default().push(before);
                    }
                }
            }
        }
    }

    /// One of the ways to go on here is worth this, which is the best for the side that is still to
    /// be had.
    fn reach(
        &mut self,
        at: u32,
        (value, steps): (Value, u32),
        side: Side,
        queue: &mut VecDeque<u32>,
    ) {
        let place = at as usize;
        if self.states[place] != State::Open {
            return;
        }
        if self.arena.side(at) != side {
            self.open[place] -= 1;
            if self.open[place] > 0 {
                return;
            }
        }
        self.states[place] = State::Settled(value);
        self.steps[place] = steps;
        queue.push_back(at);
    }
}

/// Where each position is reached from.
struct Before {
    /// Where the positions before each begin, and one more for the end.
    begins: Vec<u32>,
    from: Vec<u32>,
}

impl Before {
    fn of(arena: &impl Arena) -> Self {
        let mut begins = vec![0u32; arena.len() as usize + 1];
        for at in 0..arena.len() {
            arena.moves(at).for_each(|to| begins[to as usize] += 1);
        }
        let mut sum = 0;
        for begin in &mut begins {
            sum += *begin;
            *begin = sum;
        }
        // Each begins where it ends, and is filled from there down.
        let mut from = vec![0; sum as usize];
        for at in (0..arena.len()).rev() {
            for to in arena.moves(at) {
                begins[to as usize] -= 1;
                from[begins[to as usize] as usize] = at;
            }
        }
        Self { begins, from }
    }

    fn places(&self, at: u32) -> std::ops::Range<usize> {
        self.begins[at as usize] as usize..self.begins[at as usize + 1] as usize
    }
}

/// By value, those of one value as they were: by counting, as there are few different values.
fn sorted_by_value(payoffs: &[(Value, u32)]) -> Vec<(Value, u32)> {
    let mut begins = vec![0usize; Value::COUNT + 1];
    payoffs.iter().for_each(|(value, _)| begins[value.place() + 1] += 1);
    for place in 1..begins.len() {
        begins[place] += begins[place - 1];
    }
    let mut sorted = vec![(Value::EVEN, 0); payoffs.len()];
    for payoff in payoffs {
        let begin = &mut begins[payoff.0.place()];
        sorted[*begin] = *payoff;
        *begin += 1;
    }
    sorted
}
