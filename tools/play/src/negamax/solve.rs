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
//! Every position is settled once, so it ends; each move is looked at once, and payoffs are sorted, so
//! it takes time in proportion to positions and moves, but for the sorting. On a graph without circles
//! it is negamax. After a change only what follows from it is solved again ([`Solved::update`]).

use crate::negamax::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};
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

    /// Whether that counts as one more move; if not, only where nothing is known of any move.
    fn own_is_a_move(&self, at: u32) -> bool;

    /// Something that tells positions apart and is the same however the graph was found.
    fn name(&self, at: u32) -> (Key, usize);

    /// What play is worth that never ends.
    fn repetition(&self) -> Value;
}

/// A value of the first player as this side sees it, or the other way round.
pub(crate) fn seen(value: Value, by: Side) -> Value {
    if by == Side::First { value } else { -value }
}

/// What positions are worth, and how far it is to where that stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Solved {
    /// As the first player sees it.
    values: Vec<Option<Value>>,
    steps: Vec<u32>,
    /// What play is worth that never ends, as the first player sees it.
    even: Value,
}

impl Solved {
    /// Whether it is of no position.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// What a position is worth to this side; none if nothing is known of it.
    pub fn value(&self, at: u32, by: Side) -> Option<Value> {
        self.values[at as usize].map(|value| seen(value, by))
    }

    /// What a move to a position is worth to this side: the same, a mate one ply further away.
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

    /// How many moves it takes at most to where the value stands, if the side that it is good for
    /// hurries and the other holds out. 0 where it may be had by repetition, or stands here.
    pub fn steps(&self, at: u32) -> u32 {
        self.steps[at as usize]
    }
}

/// Solves it.
pub fn solve(arena: &impl Arena) -> Solved {
    let (values, steps) = Solving::new(arena).solve(|_| None);
    Solved { values, steps, even: arena.repetition() }
}

/// Of so few positions all are looked at rather than solved from the start.
const FEW: usize = 1000;
/// More rounds than this of looking further back cost more than solving all of it again.
const MOST_ROUNDS: u32 = 1000;

impl Solved {
    /// Solves again what follows from changes: `changed` are the positions that are new, or of which the
    /// moves that may be played or the own value changed; `before` says from where each is reached, with
    /// others besides if that is easier. What it is worth then and how far it is are as [`solve`] says.
    ///
    /// Only the changed positions and those before them are looked at whose value or steps change. Those
    /// around them keep what they have, and that is right: steps become fewer with every move to where a
    /// value stands, so no circle of positions can hold up a value that stands nowhere any more.
    pub fn update<I: IntoIterator<Item = u32>>(
        &mut self,
        arena: &impl Arena,
        changed: impl IntoIterator<Item = u32>,
        before: impl Fn(u32) -> I,
    ) {
        let known = self.values.len();
        self.values.resize(arena.len() as usize, None);
        self.steps.resize(arena.len() as usize, 0);
        let mut part: BTreeSet<u32> = changed.into_iter().collect();
        for _ in 0..MOST_ROUNDS {
            if part.len() > FEW.max(self.values.len() / 2) {
                break;
            }
            let (places, within) = Part::of(arena, &part);
            let (values, steps) = Solving::new(&within).solve(|at| {
                let place = *places.get(at as usize).filter(|_| at as usize >= part.len())?;
                Some((self.values[place as usize], self.steps[place as usize]))
            });
            let solved = || part.iter().zip(values.iter().copied().zip(steps.iter().copied()));
            let is_other = |at: usize, new| at >= known || new != (self.values[at], self.steps[at]);
            let others = solved().filter(|&(&at, new)| is_other(at as usize, new));
            let more: Vec<u32> =
                others.flat_map(|(&at, _)| before(at)).filter(|at| !part.contains(at)).collect();
            if more.is_empty() && self.even == arena.repetition() {
                for (&at, (value, steps)) in solved() {
                    (self.values[at as usize], self.steps[at as usize]) = (value, steps);
                }
                return;
            }
            part.extend(more);
        }
        *self = solve(arena);
    }
}

/// Some positions of an arena, and those that are reached from there, which have no moves here.
struct Part<'a, A> {
    arena: &'a A,
    places: Vec<u32>,
    numbers: HashMap<u32, u32>,
    len: usize,
}

impl<'a, A: Arena> Part<'a, A> {
    /// These positions, and the numbers that all have in the arena, theirs first.
    fn of(arena: &'a A, members: &BTreeSet<u32>) -> (Vec<u32>, Self) {
        let mut places: Vec<u32> = members.iter().copied().collect();
        let mut numbers: HashMap<u32, u32> = places.iter().copied().zip(0..).collect();
        for &at in members {
            for to in arena.moves(at) {
                numbers.entry(to).or_insert_with(|| {
                    places.push(to);
                    places.len() as u32 - 1
                });
            }
        }
        (places.clone(), Self { arena, places, numbers, len: members.len() })
    }
}

impl<A: Arena> Arena for Part<'_, A> {
    fn len(&self) -> u32 {
        self.places.len() as u32
    }

    fn side(&self, at: u32) -> Side {
        self.arena.side(self.places[at as usize])
    }

    fn moves(&self, at: u32) -> impl Iterator<Item = u32> {
        let within = (at as usize) < self.len;
        let moves = self.arena.moves(self.places[at as usize]).filter(move |_| within);
        moves.map(|to| self.numbers[&to])
    }

    fn own(&self, at: u32) -> Option<Value> {
        self.arena.own(self.places[at as usize])
    }

    fn own_is_a_move(&self, at: u32) -> bool {
        self.arena.own_is_a_move(self.places[at as usize])
    }

    fn name(&self, at: u32) -> (Key, usize) {
        self.arena.name(self.places[at as usize])
    }

    fn repetition(&self) -> Value {
        self.arena.repetition()
    }
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
    /// Ways to go on that aren't settled yet: moves, and the position's own value if it counts.
    open: Vec<u32>,
    /// Of a position of which nothing is known: how many moves it takes at most to one without any.
    steps: Vec<u32>,
}

/// Positions by what is found out of them, and by the moves that it takes: what comes first is first.
type Arrivals<V> = BTreeMap<(V, u32), Vec<u32>>;

impl<'a, A: Arena> Solving<'a, A> {
    fn new(arena: &'a A) -> Self {
        let all = 0..arena.len();
        Self {
            arena,
            before: Before::of(arena.len(), |at| arena.moves(at)),
            states: vec![State::Open; all.len()],
            open: all.clone().map(|at| arena.moves(at).count() as u32).collect(),
            steps: vec![0; all.len()],
        }
    }

    /// What positions are worth, and how far it is. Of some without moves `outside` says both.
    fn solve(
        mut self,
        outside: impl Fn(u32) -> Option<(Option<Value>, u32)>,
    ) -> (Vec<Option<Value>>, Vec<u32>) {
        let even = self.arena.repetition();
        let mut unknown = Arrivals::new();
        for at in (0..self.arena.len()).filter(|&at| self.open[at as usize] == 0) {
            match outside(at) {
                Some((None, steps)) => unknown.entry(((), steps)).or_default().push(at),
                None if self.arena.own(at).is_none() => {
                    unknown.entry(((), 0)).or_default().push(at);
                }
                _ => {}
            }
        }
        self.leave_out_unknown(unknown);
        let mut payoffs = [Arrivals::new(), Arrivals::new()];
        for at in 0..self.arena.len() {
            let place = at as usize;
            let has_moves = self.open[place] > 0;
            let own = || self.arena.own(at).filter(|_| !has_moves || self.arena.own_is_a_move(at));
            let payoff = match outside(at) {
                Some((value, steps)) => value.map(|value| (value, steps)),
                None => own().map(|value| (value, 0)),
            };
            if let Some((value, steps)) = payoff.filter(|_| self.states[place] == State::Open) {
                self.open[place] += 1;
                let side = if value > even { Side::First } else { Side::Second };
                if value != even {
                    let arrivals = &mut payoffs[side.index()];
                    arrivals.entry((seen(value, side.other()), steps)).or_default().push(at);
                }
            }
        }
        let [first, second] = payoffs;
        self.settle(Side::First, first);
        self.settle(Side::Second, second);
        let value = |state| match state {
            State::Unknown => None,
            State::Open => Some(even),
            State::Settled(value) => Some(value),
        };
        (self.states.into_iter().map(value).collect(), self.steps)
    }

    /// Leaves positions out that have no value and no moves, and so on backwards.
    fn leave_out_unknown(&mut self, mut arrivals: Arrivals<()>) {
        while let Some((((), steps), places)) = arrivals.pop_first() {
            for at in places {
                self.states[at as usize] = State::Unknown;
                self.steps[at as usize] = steps;
                for place in self.before.places(at) {
                    let before = self.before.from[place];
                    self.open[before as usize] -= 1;
                    if self.open[before as usize] == 0 && self.arena.own(before).is_none() {
                        arrivals.entry(((), steps + 1)).or_default().push(before);
                    }
                }
            }
        }
    }

    /// Settles all that is worth as much as one of these payoffs, the best for this side first. Payoffs
    /// are named by what they are worth to the other side.
    fn settle(&mut self, side: Side, mut arrivals: Arrivals<Value>) {
        let even = self.arena.repetition();
        // Positions that have just been settled, worth this, so many moves away.
        let (mut settled, mut now) = (Vec::new(), None);
        while let Some((named, steps)) = now.or(arrivals.keys().next().copied()) {
            let value = seen(named, side.other());
            for at in arrivals.remove(&(named, steps)).unwrap_or_default() {
                if self.reach(at, (value, steps), side) {
                    settled.push(at);
                }
            }
            let earlier = value.a_move_nearer(even);
            let (mut next, mut later, further) = (Vec::new(), Vec::new(), steps.saturating_add(1));
            for at in settled.drain(..) {
                for place in self.before.places(at) {
                    let before = self.before.from[place];
                    if earlier != value {
                        later.push(before);
                    } else if self.reach(before, (value, further), side) {
                        next.push(before);
                    }
                }
            }
            if !later.is_empty() {
                let named = seen(earlier, side.other());
                arrivals.entry((named, further)).or_default().append(&mut later);
            }
            now = Some((named, further)).filter(|_| !next.is_empty());
            settled = next;
        }
    }

    /// One of the ways to go on here is worth this, which is the best for the side that is still to be
    /// had; whether that settles it.
    fn reach(&mut self, at: u32, (value, steps): (Value, u32), side: Side) -> bool {
        let place = at as usize;
        if self.states[place] != State::Open {
            return false;
        }
        if self.arena.side(at) != side {
            self.open[place] -= 1;
            if self.open[place] > 0 {
                return false;
            }
        }
        self.states[place] = State::Settled(value);
        self.steps[place] = steps;
        true
    }
}

/// Where each position is reached from.
#[derive(Debug, Default)]
pub(super) struct Before {
    /// Where the positions before each begin, and one more for the end.
    begins: Vec<u32>,
    from: Vec<u32>,
}

impl Before {
    /// Of so many positions with these moves.
    pub fn of<I: Iterator<Item = u32>>(len: u32, moves: impl Fn(u32) -> I) -> Self {
        let mut begins = vec![0u32; len as usize + 1];
        for at in 0..len {
            moves(at).for_each(|to| begins[to as usize] += 1);
        }
        let mut sum = 0;
        for begin in &mut begins {
            sum += *begin;
            *begin = sum;
        }
        // Each begins where it ends, and is filled from there down.
        let mut from = vec![0; sum as usize];
        for at in (0..len).rev() {
            for to in moves(at) {
                begins[to as usize] -= 1;
                from[begins[to as usize] as usize] = at;
            }
        }
        Self { begins, from }
    }

    /// The positions before one; none of one that there wasn't.
    pub fn at(&self, at: u32) -> &[u32] {
        let range = self.begins.get(at as usize).zip(self.begins.get(at as usize + 1));
        range.map_or(&[], |(&begin, &end)| &self.from[begin as usize..end as usize])
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.begins) + size_of_val(&*self.from)
    }

    fn places(&self, at: u32) -> std::ops::Range<usize> {
        self.begins[at as usize] as usize..self.begins[at as usize + 1] as usize
    }
}
