//! What of a book is reached from the start of its game: which of its moves are legal, found out by
//! walking it with boards.
//!
//! Books of other programs often have the moves of one side only, or gaps where a reply was
//! dropped. So the walk follows the moves of the book, and any other legal move that leads to a
//! position of the book. A book whose own moves lead everywhere is walked without trying others.

use crate::hash_index::HashIndex;
use std::collections::HashSet;
use tabia::stream::{RowSet, Rows};
use tabia::{Key, MoveRow, Result, Row, mix};
use tabia_games::Game;

/// How many moves of a book keyed by position are legal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Legality {
    /// Legal moves of positions that were reached.
    pub legal: u64,
    /// Moves of such positions that are not legal.
    pub illegal: u64,
    /// Moves of positions that weren't reached.
    pub unreached: u64,
}

/// What is known of a move of a book without its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// It is legal in a position that is reached from the start.
    Legal,
    /// It is legal in such a position if its code is read as another spelling of the move.
    Respelled,
    /// It is no legal move of such a position.
    Illegal,
    /// Its position isn't reached: it may be any.
    Unreached,
}

/// A book keyed by position that was walked from the start of its game.
#[derive(Debug)]
pub struct Reached {
    book: Index,
    /// What is known of each move of the book.
    moves: Vec<Reach>,
}

impl Reached {
    /// Walks a book from the start of its game. `watch` receives the number of positions reached
    /// from time to time; its error ends the work.
    ///
    /// Memory: 27 bytes at most for each position of the book and 3 for each move, and boards that
    /// wait.
    ///
    /// # Errors
    /// The engine's, from reading the book; what `watch` gives.
    pub fn walk<G: Game>(
        rows: &dyn RowSet<MoveRow>,
        start: &G,
        watch: impl FnMut(u64) -> Result<()>,
    ) -> Result<Self> {
        Self::walk_spelled(rows, start, |_, _| None, watch)
    }

    /// Walks a book as [`Reached::walk`] does, whose moves may have codes of another spelling.
    /// `respelled` receives a position and a code that no legal move has there, and gives the code
    /// of the legal move that it means, if it means one.
    pub(crate) fn walk_spelled<G: Game>(
        rows: &dyn RowSet<MoveRow>,
        start: &G,
        respelled: impl Fn(&G, u16) -> Option<u16>,
        watch: impl FnMut(u64) -> Result<()>,
    ) -> Result<Self> {
        let book = Index::read(rows)?;
        let moves = vec![Reach::Unreached; book.codes.len()];
        let (is_reached, left) = (vec![false; book.hashes.len()], book.hashes.len());
        let mut walk = Walk {
            reached: Self { book, moves },
            respelled,
            watch,
            is_reached,
            left,
            missing: Vec::new(),
            met: HashSet::new(),
        };
        walk.from(start)?;
        if walk.left > 0 {
            walk.missing = walk.unreached();
            walk.from(start)?;
        }
        Ok(walk.reached)
    }

    /// What is known of a move of the book.
    pub fn of(&self, row: &MoveRow) -> Reach {
        let moves = self.book.position(row.hash().get()).map(|position| self.book.moves(position));
        let place = moves.and_then(|moves| {
            let place = self.book.codes[moves.clone()].binary_search(&row.code()).ok()?;
            Some(moves.start + place)
        });
        place.map_or(Reach::Unreached, |place| self.moves[place])
    }

    /// How many of the book's moves are legal, in any spelling.
    pub fn legality(&self) -> Legality {
        let mut found = Legality::default();
        for reach in &self.moves {
            *match reach {
                Reach::Legal | Reach::Respelled => &mut found.legal,
                Reach::Illegal => &mut found.illegal,
                Reach::Unreached => &mut found.unreached,
            } += 1;
        }
        found
    }
}

/// The moves of a book, position by position.
#[derive(Debug, Default)]
struct Index {
    /// The hashes of its positions, in order.
    hashes: Vec<u64>,
    found: HashIndex,
    /// Where the moves of each begin; one more for the end.
    begins: Vec<usize>,
    /// The codes of their moves, in order.
    codes: Vec<u16>,
}

impl Index {
    fn read(rows: &dyn RowSet<MoveRow>) -> Result<Self> {
        let mut index = Self::default();
        rows.rows()?.each_chunk(|chunk| {
            for row in chunk.rows() {
                if index.hashes.last() != Some(&row.hash().get()) {
                    index.hashes.push(row.hash().get());
                    index.begins.push(index.codes.len());
                }
                index.codes.push(row.code());
            }
            Result::Ok(())
        })?;
        index.begins.push(index.codes.len());
        index.found = HashIndex::new(&index.hashes);
        Ok(index)
    }

    /// The number of a position, if it is in the book.
    fn position(&self, hash: u64) -> Option<usize> {
        let place = self.found.find(&self.hashes, hash);
        (self.hashes.get(place) == Some(&hash)).then_some(place)
    }

    fn moves(&self, position: usize) -> std::ops::Range<usize> {
        self.begins[position]..self.begins[position + 1]
    }
}

/// A walk in the making.
struct Walk<F, W> {
    reached: Reached,
    respelled: F,
    watch: W,
    /// Which positions of the book were reached.
    is_reached: Vec<bool>,
    /// How many were not.
    left: usize,
    /// The positions, in order, that no move of the book leads to: those that other moves are tried
    /// for. None while only moves of the book are followed.
    missing: Vec<u64>,
    /// Positions that are not in the book, and were reached by moves that are.
    met: HashSet<Key>,
}

impl<F, W: FnMut(u64) -> Result<()>> Walk<F, W> {
    fn from<G: Game>(&mut self, start: &G) -> Result<()>
    where
        F: Fn(&G, u16) -> Option<u16>,
    {
        let mut is_seen = vec![false; self.is_reached.len()];
        let (mut legal, mut visited) = (Vec::new(), 0u64);
        let first = self.reached.book.position(mix(start.key()));
        if let Some(first) = first {
            self.sees(first, &mut is_seen);
        }
        // Boards, and the numbers of those that are in the book.
        let mut waiting = vec![(start.clone(), first)];
        while let Some((position, number)) = waiting.pop() {
            visited += 1;
            if visited.is_multiple_of(1024) {
                (self.watch)(visited)?;
            }
            position.legal_moves(&mut legal);
            let codes: Vec<u16> = legal.iter().map(|played| position.code(played)).collect();
            let in_book =
                number.map_or_else(Vec::new, |number| self.judge(&position, number, &codes));
            // Once all positions are reached, those that wait are judged and lead nowhere.
            if self.left == 0 {
                continue;
            }
            for (played, code) in legal.iter().zip(&codes) {
                let is_in_book = in_book.contains(code);
                if !is_in_book && self.missing.is_empty() {
                    continue;
                }
                let mut next = position.clone();
                next.play(played);
                let (key, hash) = (next.key(), mix(next.key()));
                if !is_in_book && self.missing.binary_search(&hash).is_err() {
                    continue;
                }
                let number = self.reached.book.position(hash);
                let is_new = match number {
                    Some(number) => self.sees(number, &mut is_seen),
                    None => !self.missing.is_empty() && self.met.insert(key),
                };
                if is_new {
                    waiting.push((next, number));
                }
            }
        }
        Ok(())
    }

    /// Takes note of a position of the book; whether it is new to this round of the walk.
    fn sees(&mut self, number: usize, is_seen: &mut [bool]) -> bool {
        self.left -= usize::from(!std::mem::replace(&mut self.is_reached[number], true));
        !std::mem::replace(&mut is_seen[number], true)
    }

    /// The positions of the book that were not reached.
    fn unreached(&self) -> Vec<u64> {
        let positions = self.reached.book.hashes.iter().zip(&self.is_reached);
        positions.filter(|(_, is_reached)| !**is_reached).map(|(hash, _)| *hash).collect()
    }

    /// Judges the moves that the book has at its position of this number, given the codes of all
    /// legal ones; the codes of those legal moves that it has, in any spelling.
    fn judge<G: Game>(&mut self, position: &G, number: usize, legal: &[u16]) -> Vec<u16>
    where
        F: Fn(&G, u16) -> Option<u16>,
    {
        let Reached { book, moves } = &mut self.reached;
        let mut in_book = Vec::new();
        for place in book.moves(number) {
            let code = book.codes[place];
            moves[place] = if legal.contains(&code) {
                in_book.push(code);
                Reach::Legal
            } else if let Some(meant) = (self.respelled)(position, code) {
                in_book.push(meant);
                Reach::Respelled
            } else {
                Reach::Illegal
            };
        }
        in_book
    }
}
