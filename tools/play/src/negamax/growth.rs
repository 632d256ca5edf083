//! Finding the graph of a book: a walk with boards, breadth-first, each position once.

use crate::choice::RowLookup;
use crate::error::Error;
use crate::negamax::graph::Facts;
use crate::negamax::{Edge, Graph, Unit};
use std::collections::VecDeque;
use tabia::row::NO_EVAL;
use tabia::{Marks, MoveRow, PositionRow, Row, TableKind};
use tabia_games::{Game, Node};

/// What of a book is read into a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphOptions {
    /// Only positions that so many games came to, or of which an eval or something sure is known.
    pub min_games: u64,
    /// Drawn games that are added to those of every position before its score is taken
    /// ([`Unit::score`]).
    pub prior: u32,
    /// Whether moves are found that nobody played but that lead to known positions. It takes many
    /// times as long, and is done anyway where a book has no moves.
    pub transpositions: bool,
}

impl Default for GraphOptions {
    fn default() -> Self {
        Self { min_games: 0, prior: 1, transpositions: false }
    }
}

impl Graph {
    /// Walks books from a position that games begin with, whether they know it or not.
    ///
    /// # Errors
    /// The books'; [`Error::TooLarge`].
    pub fn read<G: Game>(
        rows: &dyn RowLookup,
        start: &Node<G>,
        reading: GraphOptions,
    ) -> Result<Self, Error> {
        let mut graph = Self::default();
        graph.grow(rows, start, reading)?;
        Ok(graph)
    }

    /// Walks on from another position; whether it wasn't there yet.
    ///
    /// # Errors
    /// The books'; [`Error::TooLarge`].
    pub fn grow<G: Game>(
        &mut self,
        rows: &dyn RowLookup,
        from: &Node<G>,
        reading: GraphOptions,
    ) -> Result<bool, Error> {
        if self.find(from.key, from.position.side()).is_some() {
            return Ok(false);
        }
        let row = rows.position(from.key)?;
        let looks = reading.transpositions || !rows.has(TableKind::Moves);
        let first = self.len();
        let mut growth = Growth {
            graph: self,
            first,
            rows,
            reading,
            looks,
            waiting: VecDeque::new(),
            rowless: Vec::new(),
            legal: Vec::new(),
        };
        growth.insert(from.clone(), row.as_ref())?;
        while let Some(node) = growth.waiting.pop_front() {
            growth.expand(&node)?;
        }
        growth.score_rowless();
        Ok(true)
    }
}

struct Growth<'a, G: Game> {
    graph: &'a mut Graph,
    rows: &'a dyn RowLookup,
    reading: GraphOptions,
    /// Whether all legal moves are looked at.
    looks: bool,
    /// Positions that are in the graph but not expanded yet, in the order of their numbers.
    waiting: VecDeque<Node<G>>,
    /// The first position that wasn't in the graph before.
    first: u32,
    /// Positions without a row, once for each move that leads there: the games it was won in less
    /// those lost in, as seen there, and all games.
    rowless: Vec<(u32, i64, u64)>,
    legal: Vec<G::Move>,
}

impl<G: Game> Growth<'_, G> {
    fn insert(&mut self, node: Node<G>, row: Option<&PositionRow>) -> Result<u32, Error> {
        if self.graph.len() == u32::MAX {
            return Err(Error::TooLarge);
        }
        let at =
            self.graph.insert(node.key, Facts::new(node.position.side(), row, self.reading.prior));
        self.waiting.push_back(node);
        Ok(at)
    }

    /// Finds the moves of the next position.
    fn expand(&mut self, node: &Node<G>) -> Result<(), Error> {
        let at = self.graph.begins.len();
        self.graph.begins.push(self.graph.moves.len() as u32);
        let rows = self.rows.moves(node.key)?;
        let has_always = rows.iter().any(|row| is_always(row.marks()));
        if has_always {
            self.graph.facts[at].note_always();
        }
        if self.looks || !rows.is_empty() {
            for (code, played) in self.coded(node) {
                let row =
                    rows.binary_search_by_key(&code, MoveRow::code).ok().map(|place| &rows[place]);
                if row.is_some() || self.looks {
                    self.follow(node, &played, code, row, has_always)?;
                }
            }
        }
        if self.graph.begins[at] as usize == self.graph.moves.len()
            && let Some(outcome) = node.position.outcome()
        {
            self.graph.facts[at].end(outcome);
        }
        Ok(())
    }

    /// The legal moves by their codes, in ascending order; of images of each other one.
    fn coded(&mut self, node: &Node<G>) -> Vec<(u16, G::Move)> {
        node.position.legal_moves(&mut self.legal);
        let mut coded: Vec<_> =
            self.legal.drain(..).map(|played| (node.code(&played), played)).collect();
        coded.sort_by_key(|&(code, _)| code);
        coded.dedup_by_key(|&mut (code, _)| code);
        coded
    }

    /// Takes a move in if it leads to a position that is worth knowing.
    fn follow(
        &mut self,
        node: &Node<G>,
        played: &G::Move,
        code: u16,
        row: Option<&MoveRow>,
        has_always: bool,
    ) -> Result<(), Error> {
        let next = node.after(played);
        let (side, by) = (next.position.side(), node.position.side());
        let Some(to) = self.reach(next, row)? else { return Ok(()) };
        if let Some(counts) =
            row.map(Row::counts).filter(|_| to >= self.first && !self.graph.has_row(to))
        {
            let won = i64::from(counts.wins) - i64::from(counts.losses);
            self.rowless.push((to, if side == by { won } else { -won }, counts.games()));
        }
        if self.graph.moves.len() == u32::MAX as usize {
            return Err(Error::TooLarge);
        }
        let all_marks = row.map_or(Marks::empty(), MoveRow::marks);
        let is_barred = all_marks.contains(Marks::NEVER) || has_always && !is_always(all_marks);
        self.graph.moves.push(Edge { to, code, is_barred });
        Ok(())
    }

    /// The number of the position that a move leads to, if it is worth knowing. A move that the
    /// book lacks must lead to one that it has.
    fn reach(&mut self, next: Node<G>, row: Option<&MoveRow>) -> Result<Option<u32>, Error> {
        if let Some(to) = self.graph.find(next.key, next.position.side()) {
            let is_there = row.is_some() || self.graph.has_row(to) || self.has_only_moves(&next)?;
            return Ok(is_there.then_some(to));
        }
        let position = self.rows.position(next.key)?;
        let is_worth_it = match (&position, row) {
            (Some(position), _) => self.is_known(position),
            (None, Some(row)) => row.counts().games() >= self.reading.min_games,
            (None, None) => self.has_only_moves(&next)?,
        };
        if is_worth_it { self.insert(next, position.as_ref()).map(Some) } else { Ok(None) }
    }

    /// Whether a book without positions has moves here.
    fn has_only_moves(&self, node: &Node<G>) -> Result<bool, Error> {
        Ok(!self.rows.has(TableKind::Positions) && !self.rows.moves(node.key)?.is_empty())
    }

    fn is_known(&self, row: &PositionRow) -> bool {
        row.counts().games() >= self.reading.min_games
            || row.eval().is_some()
            || !row.flags().is_empty()
    }

    /// Scores positions that books have no row for by the games that came to them.
    fn score_rowless(&mut self) {
        self.rowless.sort_unstable();
        for of_one in self.rowless.chunk_by(|a, b| a.0 == b.0) {
            let (won, games) = of_one.iter().fold((0i64, 0u64), |(won, games), one| {
                (won.saturating_add(one.1), games.saturating_add(one.2))
            });
            let score = Unit::score(won, games, self.reading.prior);
            self.graph.facts[of_one[0].0 as usize].score =
                score.and_then(|value| value.number()).unwrap_or(NO_EVAL);
        }
    }
}

/// Whether the book maker said: always play this. `never` is stronger.
fn is_always(all: Marks) -> bool {
    all & (Marks::ALWAYS | Marks::NEVER) == Marks::ALWAYS
}
