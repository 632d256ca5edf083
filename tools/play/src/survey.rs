//! What a book has at each ply: positions, moves and games.
//!
//! A row's ply is that of its position: the least number of the book's legal moves that lead there
//! from the start. So every row counts once, however many ways lead to its position, and rows that
//! no way leads to are counted apart: those reached and those not are all rows of the table.
//!
//! Games are the sums of the rows' games. A game counts at every position that it came to, at the
//! ply of that position, which is less than the game's own where others came there sooner.
//!
//! Memory: about 14 bytes for a move, 16 for a position without moves, and the boards of two plies.

use crate::Error;
use crate::breadth_first::ply_by_ply;
use crate::explore::{Explorable, OpenBook};
use crate::leaves::Leaves;
use crate::move_graph::MoveGraph;
use crate::thresholds::Thresholds;
use crate::trim::check_from;
use crate::watch::{Step, Watch, each_row_of_both, report};
use tabia::{Keyed, Row, TableKind, mix};
use tabia_games::{Game, Node};

/// What a book has at each ply.
#[derive(Clone, Debug)]
pub struct Survey {
    /// Its positions; none if it has no such table.
    pub positions: Option<Levels>,
    /// Its moves, at the plies of the positions they are played in.
    pub moves: Levels,
    /// At each ply, how many positions are reached from which the book has no move: where its
    /// lines end. They need not be in the positions table.
    pub leaves: Vec<u64>,
    /// Moves that are reached and not legal where they stand.
    pub illegal: u64,
    /// Bytes of memory it took.
    pub memory: u64,
}

/// The rows of a table by ply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    /// Those at each ply, from the start on.
    pub plies: Vec<Level>,
    /// Those that no legal moves of the book lead to from the start.
    pub unreached: Level,
}

/// Rows of a ply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// How many.
    pub rows: u64,
    /// Their games.
    pub games: u64,
    /// How many of them have one game: positions and moves that were seen once.
    pub once: u64,
}

impl Level {
    /// Both together.
    pub fn and(self, other: Self) -> Self {
        Self {
            rows: self.rows + other.rows,
            games: self.games + other.games,
            once: self.once + other.once,
        }
    }
}

impl Levels {
    /// The rows of all plies together.
    pub fn reached(&self) -> Level {
        self.plies.iter().copied().fold(Level::default(), Level::and)
    }

    /// Counts a row at the ply of its position.
    fn count<R: Row>(&mut self, row: &R, reached: &Reached) {
        let games = row.counts().games();
        let level = Level { rows: 1, games, once: u64::from(games == 1) };
        let sum = match reached.ply(row.hash().get()) {
            Some(ply) => at(&mut self.plies, ply.into()),
            None => &mut self.unreached,
        };
        *sum = sum.and(level);
    }

    /// Those at a ply.
    pub fn at(&self, ply: usize) -> Level {
        self.plies.get(ply).copied().unwrap_or_default()
    }
}

impl Survey {
    /// Walks a book of this game from its start, and counts its rows.
    ///
    /// # Errors
    /// [`tabia::Error::NoTable`] without moves; [`Error::NotThere`] if the book knows nothing of
    /// the start; those of reading it; [`tabia::Error::Interrupted`].
    pub fn of<G: Game>(book: &OpenBook, start: &G, watch: Watch<'_>) -> Result<Self, Error> {
        let root = Node::start(start.clone(), book.header().keyed == Keyed::Line);
        check_from(book.rows(), book.first().path(), std::slice::from_ref(&root))?;
        let graph = MoveGraph::read(book.read(), &Thresholds::default(), None, watch)?;
        let mut reached = Reached::new(graph);
        let widest = reached.walk(root, watch)?;
        let (mut positions, mut moves) = (Levels::default(), Levels::default());
        each_row_of_both(
            book.read(),
            |counted, all| report(watch, Step::Counting(counted, all)),
            |row| positions.count(row, &reached),
            |row| moves.count(row, &reached),
        )?;
        Ok(Self {
            positions: book.rows().has(TableKind::Positions).then_some(positions),
            moves,
            leaves: reached.leaves(),
            illegal: reached.illegal,
            memory: reached.bytes() + widest * size_of::<Node<G>>() as u64,
        })
    }

    /// The most plies at which there is anything, plus one.
    pub fn plies(&self) -> usize {
        let positions = self.positions.as_ref().map_or(0, |levels| levels.plies.len());
        positions.max(self.moves.plies.len()).max(self.leaves.len())
    }
}

/// The positions that are reached from the start, and at which ply.
struct Reached {
    graph: MoveGraph,
    /// For the first move of each position the ply of the position.
    plies: Vec<u16>,
    /// Positions without moves, and the least ply of each.
    leaves: Leaves<u16>,
    illegal: u64,
}

impl Reached {
    /// The ply of a position that isn't reached.
    const NEVER: u16 = u16::MAX;

    fn new(graph: MoveGraph) -> Self {
        let plies = vec![Self::NEVER; graph.len()];
        Self { graph, plies, leaves: Leaves::default(), illegal: 0 }
    }

    /// Walks breadth-first; the most positions that were held at once, each with its board.
    fn walk<G: Game>(&mut self, root: Node<G>, watch: Watch<'_>) -> tabia::Result<u64> {
        let mut first = Vec::new();
        self.arrive(root, 0, &mut first);
        let (_, widest) = ply_by_ply(first, watch, |(first, node), ply, next| {
            for place in self.graph.moves_from(*first) {
                match node.move_of_code(self.graph.code(place)) {
                    Some(played) => self.arrive(node.after(&played), ply + 1, next),
                    None => self.illegal += 1,
                }
            }
        })?;
        self.leaves.settle();
        Ok(widest as u64)
    }

    /// Comes to a position; one that has moves and wasn't reached before waits to be expanded.
    fn arrive<G: Game>(&mut self, node: Node<G>, ply: u32, next: &mut Vec<(usize, Node<G>)>) {
        let ply = u16::try_from(ply).unwrap_or(Self::NEVER).min(Self::NEVER - 1);
        let hash = mix(node.key);
        let moves = self.graph.moves(hash);
        if moves.is_empty() {
            self.leaves.insert(hash, ply);
        } else if self.plies[moves.start] == Self::NEVER {
            self.plies[moves.start] = ply;
            next.push((moves.start, node));
        }
    }

    /// The ply of the position with this hash, if it is reached.
    fn ply(&self, hash: u64) -> Option<u16> {
        let moves = self.graph.moves(hash);
        if moves.is_empty() {
            self.leaves.get(hash)
        } else {
            Some(self.plies[moves.start]).filter(|&ply| ply != Self::NEVER)
        }
    }

    /// How many positions without moves are reached at each ply.
    fn leaves(&self) -> Vec<u64> {
        let mut plies = Vec::new();
        self.leaves.iter().for_each(|ply| *at(&mut plies, ply.into()) += 1);
        plies
    }

    fn bytes(&self) -> u64 {
        self.graph.bytes() + size_of_val(self.plies.as_slice()) as u64 + self.leaves.bytes()
    }
}

/// The element at a place, where there is none yet a new one.
pub(crate) fn at<T: Clone + Default>(list: &mut Vec<T>, place: usize) -> &mut T {
    if list.len() <= place {
        list.resize(place + 1, T::default());
    }
    &mut list[place]
}
