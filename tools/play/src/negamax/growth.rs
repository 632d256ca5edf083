//! Finding the graph of a book: a walk with boards, breadth-first, each position once.

use crate::Error;
use crate::choice::{RowLookup, is_always};
use crate::negamax::graph::{Facts, Record, UNREAD};
use crate::negamax::{Edge, Graph, Unit};
use std::collections::VecDeque;
use tabia::{Key, Marks, MoveRow, NO_EVAL, PositionRow, Row, TableKind};
use tabia_games::{Game, Node, Side};

/// What of a book is read into a graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GraphOptions {
    /// Only positions that so many games came to, or of which an eval or something sure is known.
    pub min_games: u64,
    /// Drawn games that are added to every position before its score is taken ([`Unit::score`]); if
    /// none, few games are held against who went there ([`Unit::bound`]).
    pub prior: Option<u32>,
    /// Whether moves are found that nobody played but that lead to known positions. It takes many
    /// times as long, and is done anyway where a book has no moves. If it isn't said they are found
    /// in positions that have an eval or are flagged `EXPANDED`, and where the walk begins.
    pub transpositions: Option<bool>,
    /// Whether the walk goes on only from positions that values are backed up through: that are
    /// flagged `EXPANDED`, or have an eval, or a move marked `always`. Of all others only what is
    /// known of themselves is read.
    pub only_backed_up: bool,
    /// Whether it can be changed afterwards ([`Graph::refresh`]): it remembers where its positions
    /// were found, from where they are reached, and which legal moves lead out of the book, for some
    /// 17 bytes each and 4 a move. The walk then goes on, too, from positions
    /// in which it is sure how the game ends, if they have moves in the book.
    pub can_change: bool,
    /// How many legal moves may be looked at; more are [`Error::TooLarge`], and the graph is void.
    pub most_looked: Option<u64>,
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
        graph.links.are_kept = reading.can_change;
        graph.grow(rows, start, reading)?;
        Ok(graph)
    }

    /// Walks on from another position; whether its moves hadn't been read yet.
    ///
    /// # Errors
    /// The books'; [`Error::TooLarge`].
    pub fn grow<G: Game>(
        &mut self,
        rows: &dyn RowLookup,
        from: &Node<G>,
        reading: GraphOptions,
    ) -> Result<bool, Error> {
        let there = self.find(from.key, from.position.side());
        if there.is_some_and(|at| self.is_read(at)) {
            return Ok(false);
        }
        let mut growth = Growth::of(self, rows, reading);
        let at = match there {
            Some(at) => at,
            None => growth.insert(from, rows.position(from.key)?.as_ref(), None)?,
        };
        growth.expand(from, at, true)?;
        growth.expand_waiting()?;
        growth.read_stale(from)?;
        growth.score_rowless();
        self.order_links();
        Ok(true)
    }

    /// Reads the positions with these keys again, of which the books say something new, with their
    /// moves, and goes on to what is new behind them; also where a legal move leads there from a
    /// position of the graph. The graph then says what reading it from the start would, but for the
    /// numbers of positions, which stay, as do positions that nothing leads to any more; and the
    /// records of positions without a row aren't counted again: it is for graphs of evals.
    ///
    /// # Errors
    /// The books'; [`Error::TooLarge`].
    ///
    /// # Panics
    /// Without [`GraphOptions::can_change`].
    pub fn refresh<G: Game>(
        &mut self,
        rows: &dyn RowLookup,
        start: &Node<G>,
        reading: GraphOptions,
        keys: &[Key],
    ) -> Result<(), Error> {
        let mut growth = Growth::of(self, rows, reading);
        for &key in keys {
            for side in [Side::First, Side::Second] {
                match growth.graph.find(key, side) {
                    Some(at) => growth.stale.push(at),
                    None => growth.look_again_before(key, side),
                }
            }
        }
        growth.read_stale(start)?;
        growth.score_rowless();
        self.drop_dead_moves();
        self.order_links();
        Ok(())
    }
}

struct Growth<'a, G: Game> {
    graph: &'a mut Graph,
    rows: &'a dyn RowLookup,
    reading: GraphOptions,
    /// Positions that are in the graph but weren't looked at yet, with their numbers.
    waiting: VecDeque<(Node<G>, u32)>,
    /// The first position that wasn't in the graph before.
    first: u32,
    /// Positions without a row, once for each move that leads there: the games it was won in less
    /// those lost in, as seen there, and all games.
    rowless: Vec<(u32, i64, u64)>,
    /// Positions to be read again, as a move that led out of the book no longer does.
    stale: Vec<u32>,
}

impl<'a, G: Game> Growth<'a, G> {
    fn of(graph: &'a mut Graph, rows: &'a dyn RowLookup, reading: GraphOptions) -> Self {
        Self {
            first: graph.len(),
            graph,
            rows,
            reading,
            waiting: VecDeque::new(),
            rowless: Vec::new(),
            stale: Vec::new(),
        }
    }

    /// Takes a position in, found by the move with this code from another one.
    fn insert(
        &mut self,
        node: &Node<G>,
        row: Option<&PositionRow>,
        from: Option<(u32, u16)>,
    ) -> Result<u32, Error> {
        if self.graph.len() == u32::MAX {
            return Err(Error::TooLarge);
        }
        let side = node.position.side();
        self.graph.links.found(from);
        self.graph.links.change(self.graph.keys.len() as u32);
        self.look_again_before(node.key, side);
        Ok(self.graph.insert(node.key, Facts::new(side, row, self.reading.prior)))
    }

    /// Positions from which a move led out of the book to this one are read again.
    fn look_again_before(&mut self, key: Key, side: Side) {
        self.graph.links.take_missing(key, side, &mut self.stale);
    }

    fn expand_waiting(&mut self) -> Result<(), Error> {
        while let Some((node, at)) = self.waiting.pop_front() {
            self.expand(&node, at, false)?;
        }
        Ok(())
    }

    /// Reads positions again for which that was asked.
    fn read_stale(&mut self, start: &Node<G>) -> Result<(), Error> {
        while let Some(at) = self.stale.pop() {
            self.read_again(start, at)?;
            self.expand_waiting()?;
        }
        Ok(())
    }

    /// Reads a position of the graph again, and its moves.
    fn read_again(&mut self, start: &Node<G>, at: u32) -> Result<(), Error> {
        let node = self.graph.node(start, at);
        let row = self.rows.position(node.key)?;
        let facts = Facts::new(node.position.side(), row.as_ref(), self.reading.prior);
        if row.is_some() && !self.graph.has_row(at) {
            self.look_again_before(node.key, node.position.side());
        }
        self.graph.links.change(at);
        self.graph.note(facts);
        self.graph.facts[at as usize] = facts;
        self.graph.dead_moves += self.graph.move_range(at).len();
        self.graph.ranges[at as usize] = [UNREAD; 2];
        self.expand(&node, at, at == 0)
    }

    /// Reads the moves of a position, if values are backed up through it or the walk begins there.
    fn expand(&mut self, node: &Node<G>, at: u32, is_start: bool) -> Result<(), Error> {
        let (place, begin) = (at as usize, self.graph.moves.len());
        let rows = self.rows.moves(node.key)?;
        let has_always = rows.iter().any(|row| is_always(row.marks()));
        if has_always {
            self.graph.facts[place].note(Facts::ALWAYS);
        }
        if rows.iter().any(|row| row.counts().games() >= self.reading.min_games.max(1)) {
            self.graph.facts[place].note(Facts::PLAYED);
        }
        let facts = self.graph.facts[place];
        let is_backed_up = facts.is_expanded() || facts.eval != NO_EVAL || has_always;
        let goes_on = match facts.is_sure() {
            _ if is_start || !self.reading.only_backed_up => true,
            // What was added behind it is to stay complete.
            true => self.reading.can_change && !rows.is_empty(),
            false => is_backed_up,
        };
        let looks = goes_on && self.looks(facts, is_start);
        if looks || goes_on && !rows.is_empty() {
            let legal = node.coded_moves();
            self.graph.looked += legal.len() as u64;
            if self.reading.most_looked.is_some_and(|most| self.graph.looked > most) {
                return Err(Error::TooLarge);
            }
            for (code, played) in &legal {
                let row =
                    rows.binary_search_by_key(code, MoveRow::code).ok().map(|place| &rows[place]);
                if row.is_some() || looks {
                    self.follow((node, at), played, *code, row, has_always)?;
                }
            }
            if looks && self.graph.moves.len() - begin == legal.len() {
                self.graph.facts[place].note(Facts::FULL);
            }
        }
        let end = self.graph.moves.len();
        if goes_on {
            self.graph.ranges[place] = [begin as u32, end as u32];
        }
        if begin == end
            && (goes_on || rows.is_empty())
            && let Some(outcome) = node.position.outcome()
        {
            self.graph.facts[place].end(outcome);
        }
        Ok(())
    }

    /// Whether all legal moves of a position are looked at.
    fn looks(&self, facts: Facts, is_start: bool) -> bool {
        let by_itself = is_start || facts.eval != NO_EVAL || facts.is_expanded();
        self.reading.transpositions.unwrap_or(by_itself) || !self.rows.has(TableKind::Moves)
    }

    /// Takes a move in if it leads to a position that is worth knowing.
    fn follow(
        &mut self,
        (node, at): (&Node<G>, u32),
        played: &G::Move,
        code: u16,
        row: Option<&MoveRow>,
        has_always: bool,
    ) -> Result<(), Error> {
        let next = node.after(played);
        let (side, by) = (next.position.side(), node.position.side());
        let Some(to) = self.reach(&next, row, (at, code))? else {
            self.graph.links.miss(next.key, side, at);
            return Ok(());
        };
        if !self.graph.has_row(to) {
            self.graph.links.miss(next.key, side, at);
        }
        if row.is_some() && !self.graph.has_row(to) && next.position.outcome().is_none() {
            self.graph.facts[at as usize].note_incomplete();
        }
        if let Some(counts) =
            row.map(Row::counts).filter(|_| to >= self.first && !self.graph.has_row(to))
        {
            let won = i64::from(counts.wins) - i64::from(counts.losses);
            self.rowless.push((to, if side == by { won } else { -won }, counts.games()));
        }
        if self.graph.moves.len() == UNREAD as usize - 1 {
            return Err(Error::TooLarge);
        }
        let all_marks = row.map_or(Marks::empty(), MoveRow::marks);
        let is_barred = all_marks.contains(Marks::NEVER) || has_always && !is_always(all_marks);
        let record = match row {
            None => Record::None,
            Some(row) if row.counts().games() < self.reading.min_games.max(1) => Record::Unplayed,
            Some(_) => Record::Played,
        };
        self.graph.moves.push(Edge { to, code, is_barred, record });
        self.graph.links.lead(at, to);
        Ok(())
    }

    /// The number of the position that a move leads to, if it is worth knowing. A move that the
    /// book lacks must lead to one that it has.
    fn reach(
        &mut self,
        next: &Node<G>,
        row: Option<&MoveRow>,
        from: (u32, u16),
    ) -> Result<Option<u32>, Error> {
        if let Some(to) = self.graph.find(next.key, next.position.side()) {
            let is_there = row.is_some() || self.graph.has_row(to) || self.has_only_moves(next)?;
            return Ok(is_there.then_some(to));
        }
        let position = self.rows.position(next.key)?;
        let is_worth_it = match (&position, row) {
            (Some(position), _) => self.is_known(position),
            (None, Some(row)) => row.counts().games() >= self.reading.min_games,
            (None, None) => self.has_only_moves(next)?,
        };
        if !is_worth_it {
            return Ok(None);
        }
        let to = self.insert(next, position.as_ref(), Some(from))?;
        self.waiting.push_back((next.clone(), to));
        Ok(Some(to))
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
            let score = Unit::record(won, games, self.reading.prior);
            self.graph.facts[of_one[0].0 as usize].score =
                score.and_then(|value| value.number()).unwrap_or(NO_EVAL);
        }
    }
}
