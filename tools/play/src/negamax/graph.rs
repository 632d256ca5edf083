//! The graph of a book in memory: positions and moves by number, without pointers.
//!
//! A position takes 24 bytes and about 7 to be found, a move 8. One that is reached with either
//! side to move (Othello's keys don't tell who is Black) is there once for each.

use crate::negamax::links::{Links, hash};
use crate::negamax::{Unit, Value};
use hashbrown::HashTable;
use std::ops::Range;
use tabia::{Flags, Key, NO_EVAL, PositionRow};
use tabia_games::{Outcome, Side};

/// Positions that a walk of a book found, and the moves between them.
#[derive(Debug, Default)]
pub struct Graph {
    pub(super) keys: Vec<Key>,
    pub(super) facts: Vec<Facts>,
    /// Where the moves of each position begin and end; [`UNREAD`] twice where they weren't read.
    pub(super) ranges: Vec<[u32; 2]>,
    pub(super) moves: Vec<Edge>,
    pub(super) index: HashTable<u32>,
    /// What it takes to change it, if that was asked for.
    pub(super) links: Links,
    /// How many of `moves` belong to no position any more.
    pub(super) dead_moves: usize,
    /// How many legal moves were looked at.
    pub(super) looked: u64,
    /// Whether some position has an eval.
    pub(super) has_evals: bool,
    /// Whether some position is flagged `EXPANDED`.
    pub(super) has_expanded: bool,
}

/// Begin and end of moves that weren't read.
pub(super) const UNREAD: u32 = u32::MAX;

/// A move from one position of a graph to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The position it leads to.
    pub to: u32,
    /// What the book knows it by.
    pub code: u16,
    /// Whether the book's own side doesn't play it: it is marked `never`, or another one `always`.
    pub is_barred: bool,
    /// What the book has of the move itself.
    pub record: Record,
}

/// What a book has of a move that leads to a known position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Record {
    /// Nothing: the position is reached in other ways.
    None,
    /// A row without games, or of fewer than count ([`crate::negamax::GraphOptions::min_games`]): a
    /// deviation, if nothing is known of what comes after it.
    Unplayed,
    /// Games that went this way.
    Played,
}

/// What is sure of a position, as the side to move sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The side to move wins.
    Win,
    /// A draw that everybody knows (Buro 1999, section 6): it is flagged so, or a game was drawn.
    PublicDraw,
    /// A draw that isn't known from games played in public.
    PrivateDraw,
    /// The side to move loses.
    Loss,
}

/// What a graph knows of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    pub eval: i16,
    pub score: i16,
    bits: u16,
    /// Of the eval.
    depth: u8,
}

impl Facts {
    const SECOND: u16 = 1;
    const EXPANDED: u16 = 1 << 1;
    /// The book maker marked a move `always`.
    pub const ALWAYS: u16 = 1 << 2;
    const WIN: u16 = 1 << 3;
    const DRAW: u16 = 1 << 4;
    const LOSS: u16 = 1 << 5;
    const PUBLIC: u16 = 1 << 6;
    const ROW: u16 = 1 << 7;
    /// All legal moves are in the graph.
    pub const FULL: u16 = 1 << 8;
    /// Some game was played on from here, or as many as count.
    pub const PLAYED: u16 = 1 << 9;

    /// Of a position with this side to move and, if the book has one, this row.
    pub fn new(side: Side, row: Option<&PositionRow>, prior: Option<u32>) -> Self {
        let score = row.and_then(|row| Unit::record_of(tabia::Row::counts(row), prior));
        let known = row.map_or(Flags::empty(), PositionRow::flags);
        let when = |is_so: bool, bit: u16| if is_so { bit } else { 0 };
        let is = |flag: Flags| known.contains(flag);
        // Whoever has the games of an archive knows how they ended.
        let was_drawn = row.is_some_and(|row| tabia::Row::counts(row).draws > 0);
        let proof = if known.is_conflict() {
            0
        } else {
            when(is(Flags::PROVEN_WIN), Self::WIN)
                | when(is(Flags::PROVEN_DRAW), Self::DRAW)
                | when(is(Flags::PROVEN_LOSS), Self::LOSS)
        };
        Self {
            eval: row.and_then(PositionRow::eval).unwrap_or(NO_EVAL),
            score: score.and_then(Value::number).unwrap_or(NO_EVAL),
            depth: row.map_or(0, PositionRow::depth),
            bits: proof
                | when(row.is_some(), Self::ROW)
                | when(side == Side::Second, Self::SECOND)
                | when(is(Flags::EXPANDED), Self::EXPANDED)
                | when(is(Flags::PUBLIC_DRAW) || was_drawn, Self::PUBLIC),
        }
    }

    pub fn side(self) -> Side {
        if self.bits & Self::SECOND == 0 { Side::First } else { Side::Second }
    }

    /// The rules of the game end it here.
    pub fn end(&mut self, outcome: Outcome) {
        let proof = match outcome.winner() {
            None => Self::DRAW,
            Some(winner) if winner == self.side() => Self::WIN,
            Some(_) => Self::LOSS,
        };
        self.bits = self.bits & !(Self::WIN | Self::DRAW | Self::LOSS) | proof;
    }

    /// Notes one of the bits that moves say.
    pub fn note(&mut self, bit: u16) {
        self.bits |= bit;
    }

    /// Something that the flag `EXPANDED` promises isn't in the book.
    pub fn note_incomplete(&mut self) {
        self.bits &= !Self::EXPANDED;
    }

    /// Whether it is sure how the game ends.
    pub fn is_sure(self) -> bool {
        self.bits & (Self::WIN | Self::DRAW | Self::LOSS) != 0
    }

    /// Whether the best deviation is in the book.
    pub fn is_expanded(self) -> bool {
        self.bits & Self::EXPANDED != 0
    }
}

impl Graph {
    /// How many positions it has.
    pub fn len(&self) -> u32 {
        self.keys.len() as u32
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// How many moves it has.
    pub fn move_count(&self) -> u32 {
        self.moves.len() as u32
    }

    /// Bytes of memory that it takes.
    pub fn bytes(&self) -> u64 {
        let lists = size_of_val(&*self.keys)
            + size_of_val(&*self.facts)
            + size_of_val(&*self.ranges)
            + size_of_val(&*self.moves);
        (lists + self.index.allocation_size() + self.links.bytes()) as u64
    }

    /// The number of a position.
    pub fn find(&self, key: Key, side: Side) -> Option<u32> {
        self.index.find(hash(key, side), |&at| self.is(at, key, side)).copied()
    }

    /// What the book knows a position by.
    pub fn key(&self, at: u32) -> Key {
        self.keys[at as usize]
    }

    /// Who is to move.
    pub fn side(&self, at: u32) -> Side {
        self.facts[at as usize].side()
    }

    /// The moves of a position that lead to others, in ascending order of their codes.
    pub fn moves(&self, at: u32) -> &[Edge] {
        &self.moves[self.move_range(at)]
    }

    /// Where the moves of a position stand in the list of all.
    pub(super) fn move_range(&self, at: u32) -> Range<usize> {
        match self.ranges[at as usize] {
            [UNREAD, _] => 0..0,
            [begin, end] => begin as usize..end as usize,
        }
    }

    /// Whether the moves of a position were read.
    pub(super) fn is_read(&self, at: u32) -> bool {
        self.ranges[at as usize][0] != UNREAD
    }

    /// What is sure of a position.
    pub fn proof(&self, at: u32) -> Option<Proof> {
        if self.has(at, Facts::WIN) {
            Some(Proof::Win)
        } else if self.has(at, Facts::LOSS) {
            Some(Proof::Loss)
        } else if self.has(at, Facts::DRAW) {
            Some(if self.has(at, Facts::PUBLIC) { Proof::PublicDraw } else { Proof::PrivateDraw })
        } else {
            None
        }
    }

    /// The eval of a position or the score of its games, as the side to move sees it.
    pub fn own(&self, at: u32, unit: Unit) -> Option<Value> {
        let facts = self.facts[at as usize];
        let number = if unit == Unit::Eval { facts.eval } else { facts.score };
        (number != NO_EVAL).then(|| Value::new(number))
    }

    /// How much the eval of a position is worth, as its row says.
    pub fn depth(&self, at: u32) -> u8 {
        self.facts[at as usize].depth
    }

    /// Whether the best deviation of a position is in the book: its row is flagged `EXPANDED`, and
    /// something is known of what is behind each of its moves.
    pub fn is_expanded(&self, at: u32) -> bool {
        self.facts[at as usize].is_expanded()
    }

    /// Whether all legal moves of a position were looked at and lead to positions of the graph.
    pub fn is_full(&self, at: u32) -> bool {
        self.has(at, Facts::FULL)
    }

    /// Whether some game of the book was played on from a position.
    pub fn was_played_on(&self, at: u32) -> bool {
        self.has(at, Facts::PLAYED)
    }

    /// Whether some position of the graph is flagged `EXPANDED`.
    pub fn has_expanded(&self) -> bool {
        self.has_expanded
    }

    /// Whether the book maker marked a move of the position `always`.
    pub fn has_always(&self, at: u32) -> bool {
        self.has(at, Facts::ALWAYS)
    }

    /// The unit that all its values are told in if nobody says which: evals if there are any.
    pub fn unit(&self) -> Unit {
        if self.has_evals { Unit::Eval } else { Unit::Score }
    }

    /// Whether the book has a row for a position, and not only for a move that leads there.
    pub fn has_row(&self, at: u32) -> bool {
        self.has(at, Facts::ROW)
    }

    fn has(&self, at: u32, bit: u16) -> bool {
        self.facts[at as usize].bits & bit != 0
    }

    fn is(&self, at: u32, key: Key, side: Side) -> bool {
        self.keys[at as usize] == key && self.side(at) == side
    }

    /// Notes what is known of some position.
    pub(super) fn note(&mut self, facts: Facts) {
        self.has_evals |= facts.eval != NO_EVAL;
        self.has_expanded |= facts.is_expanded();
    }

    /// Puts a position in that isn't there.
    pub(super) fn insert(&mut self, key: Key, facts: Facts) -> u32 {
        let at = self.len();
        self.keys.push(key);
        self.facts.push(facts);
        self.note(facts);
        self.ranges.push([UNREAD; 2]);
        let (keys, all) = (&self.keys, &self.facts);
        self.index.insert_unique(hash(key, facts.side()), at, |&at| {
            hash(keys[at as usize], all[at as usize].side())
        });
        at
    }
}
