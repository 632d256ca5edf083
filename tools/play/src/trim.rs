//! Smaller books of books: what is kept is found by thresholds or a walk, reported, and written.
//!
//! Rows that are kept stay as they are, but for one flag: a position stays `EXPANDED` only where all
//! its moves stay, since what is dropped may be the best deviation, or a move that is better than
//! it (finding it is what the flag says is not needed). Where the rules are known it loses the flag
//! too if its deviation goes and had no move of its own: a position that other moves led to. A solution tree is that of Chen and Zhang (2012, "Trim an
//! opening tree to an opening book"): where the book's side is to move its best moves are kept,
//! where the other side is to move all replies that the book knows, so that a player who follows
//! the book has a move against every reply for as long as it knows an acceptable one.

use crate::Error;
use crate::breadth_first::Place;
use crate::choice::RowLookup;
use crate::expanded::{ExpandedWalk, is_complete, min_games};
use crate::kept::{KeptLookup, KeptRows};
use crate::leaves::Leaves;
use crate::move_graph::{MoveGraph, State};
use crate::stats::{TableStats, TrimReason, TrimStats};
use crate::thresholds::Thresholds;
use crate::walk::{Walk, Walked};
use crate::watch::{Step, Watch, each_row, each_row_of_both, report};
use std::collections::HashSet;
use std::path::Path;
use tabia::{
    Companions, Env, Flags, Header, Keyed, MoveRow, NewBook, PositionRow, ReadBook, Row, TableKind,
    mix,
};
use tabia_games::{Game, Node, Side};

/// What is to be kept of a book.
#[derive(Clone, Debug, Default)]
pub struct TrimPlan {
    /// What moves need to be kept; in a solution tree, those of the book's own side. Positions need
    /// the games too, but in a solution tree.
    pub own: Thresholds,
    /// Whether solution trees are to be kept, and whose.
    pub solution: Option<Solution>,
    /// The most plies from where a walk starts.
    pub max_ply: Option<u32>,
    /// Whether the trimmed book is to be packed; it is anyway if the book is.
    pub packed: bool,
}

/// Solution trees.
#[derive(Clone, Debug)]
pub struct Solution {
    /// For whom the book is; what is kept for two is the union of the tree of each.
    pub sides: Vec<Side>,
    /// What replies of the other side need to be kept: nothing, by default; `keep` means nothing.
    pub reply: Thresholds,
}

/// What is kept of a book.
pub struct Trim<'a> {
    book: &'a dyn ReadBook,
    plan: TrimPlan,
    /// The moves in memory, if a row alone doesn't show whether it is kept.
    graph: Option<MoveGraph>,
    /// Positions that were reached and are not in the graph.
    leaves: Leaves,
    /// How far a walk came, if there was one.
    pub walked: Option<Walked>,
    /// Positions that stay with the flag `EXPANDED`, and without: their hashes in ascending order.
    expanded: Vec<u64>,
    incomplete: Vec<u64>,
    /// Whether any position goes.
    drops_positions: bool,
}

impl<'a> Trim<'a> {
    /// Keeps what passes the thresholds, anywhere in the book. Works for all games and keys; needs
    /// memory only if a number of best moves is asked for.
    ///
    /// # Errors
    /// [`tabia::Error::NoTable`] if something is asked of moves and there are none;
    /// [`tabia::Error::UnknownColumn`]; those of reading the book; [`tabia::Error::Interrupted`].
    pub fn by_rows(
        book: &'a dyn ReadBook,
        plan: TrimPlan,
        watch: Watch<'_>,
    ) -> Result<Self, Error> {
        let plan = TrimPlan { solution: None, max_ply: None, ..plan };
        check_copyable(book)?;
        if plan.own.asks_moves() {
            check_moves(&book, book.path())?;
        }
        let graph = match plan.own.keep {
            Some(keep) => {
                let mut graph = MoveGraph::read(book, &plan.own, None, watch)?;
                graph.keep_best(keep);
                Some(graph)
            }
            None => None,
        };
        Self::new(book, plan, graph, Leaves::default(), None).with_incomplete(watch)
    }

    /// What kept moves lead to from these positions. The book must be of this game. In one that is
    /// keyed by line these are where lines begin, not positions on their way.
    ///
    /// Memory: about 14 bytes for each move that passes the thresholds (of the book, be it reached
    /// or not), and the boards of two plies.
    ///
    /// # Errors
    /// [`tabia::Error::NoTable`] without moves; [`tabia::Error::UnknownColumn`];
    /// [`Error::NotThere`] if the book knows nothing of one of the positions; those of reading it;
    /// [`tabia::Error::Interrupted`].
    pub fn by_walk<G: Game>(
        book: &'a dyn ReadBook,
        plan: TrimPlan,
        from: &[G],
        watch: Watch<'_>,
    ) -> Result<Self, Error> {
        check_copyable(book)?;
        let nodes: Vec<_> = from
            .iter()
            .map(|position| Node::start(position.clone(), book.header().keyed == Keyed::Line))
            .collect();
        check_from(&book, book.path(), &nodes)?;
        let mut graph = MoveGraph::read(
            book,
            &plan.own,
            plan.solution.as_ref().map(|solution| &solution.reply),
            watch,
        )?;
        let mut leaves = Leaves::default();
        let walked = Walk::new(&plan, &mut graph, &mut leaves).run(&nodes, watch)?;
        Self::new(book, plan, Some(graph), leaves, Some(walked))
            .with_incomplete(watch)?
            .with_rules(from, watch)
    }

    fn new(
        book: &'a dyn ReadBook,
        plan: TrimPlan,
        graph: Option<MoveGraph>,
        leaves: Leaves,
        walked: Option<Walked>,
    ) -> Self {
        let (expanded, incomplete) = (Vec::new(), Vec::new());
        Self { book, plan, graph, leaves, walked, expanded, incomplete, drops_positions: false }
    }

    /// Looks by the rules of the book's game, from these positions, whether positions that stay with
    /// the flag `EXPANDED` have a deviation in what is kept if they had one in the book; those that
    /// the book's moves don't lead to lose the flag where any position goes. [`Trim::by_walk`] does
    /// it by itself.
    ///
    /// # Errors
    /// Those of reading the book; [`Error::TooLarge`]; [`tabia::Error::Interrupted`].
    pub fn with_rules<G: Game>(mut self, from: &[G], watch: Watch<'_>) -> Result<Self, Error> {
        if self.expanded.is_empty() {
            return Ok(self);
        }
        let kept = KeptLookup {
            book: self.book,
            keep_position: &|row| self.position_fate(row).is_none(),
            keep_move: &|row| self.move_fate(row).is_none(),
        };
        let mut walk = ExpandedWalk::new(self.book, &self.expanded, from);
        let min_games = min_games(&self.book.facts()?);
        let mut shown = HashSet::new();
        let mut lost = HashSet::new();
        while let Some(Place { node, .. }) = walk.next(watch)? {
            let hash = mix(node.key);
            shown.insert(hash);
            if is_complete(&self.book, &node, min_games)? && !is_complete(&kept, &node, min_games)?
            {
                lost.insert(hash);
            }
        }
        let drops = self.drops_positions;
        let loses = |hash: &u64| lost.contains(hash) || drops && !shown.contains(hash);
        let (incomplete, expanded) =
            self.expanded.iter().partition::<Vec<u64>, _>(|hash| loses(hash));
        self.expanded = expanded;
        self.incomplete.extend(incomplete);
        self.incomplete.sort_unstable();
        Ok(self)
    }

    /// How many positions that stay lose the flag `EXPANDED`, because a move goes, which may be the
    /// best deviation, or what is behind it; in a book without moves all, where any position goes.
    pub fn incomplete(&self) -> u64 {
        self.incomplete.len() as u64
    }

    /// Finds the positions that lose the flag.
    fn with_incomplete(mut self, watch: Watch<'_>) -> Result<Self, Error> {
        if !self.book.has(TableKind::Positions) {
            return Ok(self);
        }
        let (mut expanded, mut goes) = (Vec::new(), false);
        each_row::<PositionRow>(self.book, watch, |row| {
            let stays = self.position_fate(row).is_none();
            goes |= !stays;
            if stays && row.flags().contains(Flags::EXPANDED) {
                expanded.push(row.hash().get());
            }
        })?;
        let mut incomplete = Vec::new();
        if !self.book.has(TableKind::Moves) {
            incomplete = if goes { expanded.clone() } else { Vec::new() };
        } else if !expanded.is_empty() {
            each_row::<MoveRow>(self.book, watch, |row| {
                let hash = row.hash().get();
                if expanded.binary_search(&hash).is_ok() && self.move_fate(row).is_some() {
                    incomplete.push(hash);
                }
            })?;
            incomplete.dedup();
        }
        expanded.retain(|hash| incomplete.binary_search(hash).is_err());
        (self.expanded, self.incomplete, self.drops_positions) = (expanded, incomplete, goes);
        Ok(self)
    }

    /// Bytes of memory that it took to find what is kept, but for buffers of a fixed size.
    pub fn memory(&self) -> u64 {
        self.graph.as_ref().map_or(0, MoveGraph::bytes)
            + self.leaves.bytes()
            + self.walked.map_or(0, |walked| walked.widest_bytes)
    }

    /// Counts what is kept and what goes, by reason.
    ///
    /// # Errors
    /// Those of reading the book; [`tabia::Error::Interrupted`].
    pub fn stats(&self, watch: Watch<'_>) -> Result<TrimStats, Error> {
        let (mut positions, mut moves) = (TableStats::default(), TableStats::default());
        each_row_of_both(
            self.book,
            |judged, all| report(watch, Step::Judging(judged, all)),
            |row| positions.count(self.position_fate(row)),
            |row| moves.count(self.move_fate(row)),
        )?;
        let has = |kind| self.book.has(kind);
        Ok(TrimStats {
            positions: has(TableKind::Positions).then_some(positions),
            moves: has(TableKind::Moves).then_some(moves),
        })
    }

    /// Writes what is kept as a book of the same kind and sources, the journal's among them, with the
    /// games and fingerprints that belong to it. The stats must be this one's.
    ///
    /// # Errors
    /// Those of [`NewBook::write`] and of reading the book.
    pub fn write(
        &self,
        stats: &TrimStats,
        env: &Env<'_>,
        output: &Path,
        replace: bool,
        companions: Companions<'_>,
    ) -> Result<Header, Error> {
        let keep_position = |row: &PositionRow| self.position_fate(row).is_none();
        let keep_move = |row: &MoveRow| self.move_fate(row).is_none();
        let [kept_positions, kept_moves] =
            [stats.positions, stats.moves].map(|stats| stats.map(|stats| stats.kept));
        let without_flag = |row: PositionRow| match self.incomplete.binary_search(&row.hash().get())
        {
            Ok(_) => row.with_flags(row.flags() - Flags::EXPANDED),
            Err(_) => row,
        };
        let change: &(dyn Fn(PositionRow) -> PositionRow + Sync) = &without_flag;
        let positions = KeptRows::<PositionRow> {
            rows: self.book,
            keep: &keep_position,
            exactly: kept_positions,
            change: (!self.incomplete.is_empty()).then_some(change),
        };
        let moves = KeptRows::<MoveRow> {
            rows: self.book,
            keep: &keep_move,
            exactly: kept_moves,
            change: None,
        };
        let mut new = NewBook::like(self.book.header())
            .share(self.book.share())
            .made_of(self.book)
            .packed(self.plan.packed || self.book.header().packed)
            .sources(self.book.sources()?)
            .facts(self.book.facts()?);
        if self.book.has(TableKind::Positions) {
            new = new.positions(&positions);
        }
        if self.book.has(TableKind::Moves) {
            new = new.moves(&moves);
        }
        Ok(new.write_with(env, output, replace.into(), companions)?)
    }

    /// Whether a move stays.
    pub fn keeps(&self, row: &MoveRow) -> bool {
        self.move_fate(row).is_none()
    }

    /// Why a position goes; none if it stays.
    fn position_fate(&self, row: &PositionRow) -> Option<TrimReason> {
        if self.plan.solution.is_none() && row.counts().games() < self.plan.own.min_games {
            return Some(TrimReason::Games);
        }
        if self.walked.is_none() || self.is_reached(row.hash().get()) {
            None
        } else {
            Some(TrimReason::Unreached)
        }
    }

    fn is_reached(&self, hash: u64) -> bool {
        let state = self.graph.as_ref().map_or(State::default(), |graph| graph.look(hash, 0).1);
        state.any(State::AT_OWN.and(State::AT_REPLY)) || self.leaves.get(hash).is_some()
    }

    /// Why a move of the book goes; none if it stays.
    pub fn move_fate(&self, row: &MoveRow) -> Option<TrimReason> {
        let Some(graph) = &self.graph else { return self.plan.own.fault(row) };
        let (mine, position) = graph.look(row.hash().get(), row.code());
        let mine = mine.unwrap_or_default();
        if mine.any(State::KEPT) {
            return None;
        }
        Some(self.reason(row, mine, position))
    }

    /// Why a move isn't kept, by what is known of it and of its position. Thresholds come first,
    /// but in a solution tree, where they hang on whose move it is.
    fn reason(&self, row: &MoveRow, mine: State, position: State) -> TrimReason {
        let is_leaf = self.walked.is_some() && self.leaves.get(row.hash().get()).is_some();
        let rule = match &self.plan.solution {
            Some(_) if position.any(State::AT_OWN) || is_leaf => Some(&self.plan.own),
            Some(solution) if position.any(State::AT_REPLY) => Some(&solution.reply),
            Some(_) => None,
            None => Some(&self.plan.own),
        };
        if let Some(fault) = rule.and_then(|rule| rule.fault(row)) {
            fault
        } else if !position.any(State::AT_OWN.and(State::AT_REPLY)) {
            TrimReason::Unreached
        } else if mine.any(State::ILLEGAL) {
            TrimReason::Illegal
        } else if position.any(State::LAST) {
            TrimReason::Ply
        } else {
            TrimReason::NotBest
        }
    }
}

/// Makes sure that a book made of this one loses nothing.
fn check_copyable(book: &dyn ReadBook) -> tabia::Result<()> {
    match book.header().unknown_columns().next() {
        Some(section) => {
            Err(tabia::Error::UnknownColumn { path: book.path().to_owned(), tag: section.tag })
        }
        None => Ok(()),
    }
}

pub(crate) fn check_moves(book: &dyn RowLookup, path: &Path) -> tabia::Result<()> {
    if book.has(TableKind::Moves) {
        Ok(())
    } else {
        Err(tabia::Error::NoTable { path: path.to_owned(), table: TableKind::Moves })
    }
}

/// Makes sure that the book has moves, and knows something of each of these positions.
pub(crate) fn check_from<G: Game>(
    book: &dyn RowLookup,
    path: &Path,
    from: &[Node<G>],
) -> Result<(), Error> {
    check_moves(book, path)?;
    for node in from {
        if book.position(node.key)?.is_none() && book.moves(node.key)?.is_empty() {
            return Err(Error::NotThere { path: path.to_owned(), setup: node.position.setup() });
        }
    }
    Ok(())
}
