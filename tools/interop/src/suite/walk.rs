//! Walking a book from the start, ply by ply, to the positions of a suite.

use super::Error;
use crate::row::{needs_moves, seen_from, sum};
use std::cmp::Reverse;
use std::collections::HashSet;
use tabia::{Counts, Keyed, Marks, MoveRow, ReadBook, Row};
use tabia_games::{Game, Node, Side};

/// The most positions that are held at a ply, each with its board.
pub(super) const MOST: usize = 1 << 20;

/// Which positions are openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SuiteOptions {
    /// How many plies they are from the start, on the shortest way.
    pub plies: u32,
    /// The games they need, and those on the way to them.
    pub min_games: u64,
}

/// A position to play from.
#[derive(Clone, Debug)]
pub struct Opening<G: Game> {
    /// Where the line leads.
    pub node: Node<G>,
    /// The line: of several the one that comes from the position with the most games.
    pub line: Vec<G::Move>,
    /// Its games, as the first player sees them.
    pub counts: Counts,
}

/// The openings that were found.
#[derive(Debug)]
pub struct FoundOpenings<G: Game> {
    /// The openings, those with the most games first, then by key.
    pub openings: Vec<Opening<G>>,
    /// Positions that were reached on the way, these among them.
    pub reached: u64,
    /// Positions in which the game is over: they are no openings.
    pub over: u64,
}

/// Looks for such positions that legal moves of the book lead to from the start. Moves
/// marked `never` are not followed.
///
/// A position's games are those of its row, or, in a book that has none, of its moves, or of the
/// move that leads there. `watch` receives the number of positions reached and the ply from time to
/// time. Memory: the boards of two plies, of 1,048,576 positions each at most, and a few bytes for
/// each position on the way.
///
/// # Errors
/// [`Error`]; what `watch` gives.
pub fn openings<G: Game>(
    book: &dyn ReadBook,
    start: &G,
    options: &SuiteOptions,
    mut watch: impl FnMut(u64, u32) -> tabia::Result<()>,
) -> Result<FoundOpenings<G>, Error> {
    let root = Node::start(start.clone(), book.header().keyed == Keyed::Line);
    needs_moves(book)?;
    let moves = book.moves(root.key)?;
    if moves.is_empty() {
        return Err(Error::NoStart(book.path().to_owned()));
    }
    let counts = counts_of(book, &root, &moves, Counts::default())?;
    let mut walk = Walk { book, options, seen: HashSet::from([root.key]), steps: Vec::new() };
    let mut now = vec![Stand { node: root, counts }];
    for ply in 1..=options.plies {
        now = walk.next(&now, ply, &mut watch)?;
    }
    Ok(walk.found(now))
}

/// A position of the ply that is expanded.
struct Stand<G> {
    node: Node<G>,
    counts: Counts,
}

/// A move of a line: the place of the position before it in its ply, and the move.
struct Step<M> {
    before: u32,
    played: M,
}

struct Walk<'a, G: Game> {
    book: &'a dyn ReadBook,
    options: &'a SuiteOptions,
    /// Keys of positions that were reached.
    seen: HashSet<u64>,
    /// How the positions of each ply were reached, from the first on.
    steps: Vec<Vec<Step<G::Move>>>,
}

impl<G: Game> Walk<'_, G> {
    /// The positions that one move more leads to, those with the most games first.
    fn next(
        &mut self,
        now: &[Stand<G>],
        ply: u32,
        watch: &mut impl FnMut(u64, u32) -> tabia::Result<()>,
    ) -> Result<Vec<Stand<G>>, Error> {
        let mut next = Vec::new();
        for (before, stand) in now.iter().enumerate() {
            if before % 1024 == 0 {
                watch(self.seen.len() as u64, ply)?;
            }
            self.expand(before as u32, stand, &mut next)?;
            if next.len() > MOST {
                return Err(Error::TooMany(ply));
            }
        }
        next.sort_by_key(|(stand, _): &(Stand<G>, _)| {
            (Reverse(stand.counts.games()), stand.node.key)
        });
        let (stands, steps) = next.into_iter().unzip();
        self.steps.push(steps);
        Ok(stands)
    }

    /// Visits the positions that a position's moves lead to, if they weren't visited before.
    fn expand(
        &mut self,
        before: u32,
        stand: &Stand<G>,
        next: &mut Vec<(Stand<G>, Step<G::Move>)>,
    ) -> Result<(), Error> {
        for row in self
            .book
            .moves(stand.node.key)?
            .iter()
            .filter(|row| !row.marks().contains(Marks::NEVER))
        {
            let Some(played) = stand.node.move_of_code(row.code()) else { continue };
            let node = stand.node.after(&played);
            if self.seen.contains(&node.key) {
                continue;
            }
            let by_move = seen_from(Side::First, row.counts(), stand.node.position.side());
            let moves = self.book.moves(node.key)?;
            let counts = counts_of(self.book, &node, &moves, by_move)?;
            if counts.games() >= self.options.min_games {
                self.seen.insert(node.key);
                next.push((Stand { node, counts }, Step { before, played }));
            }
        }
        Ok(())
    }

    fn found(self, last: Vec<Stand<G>>) -> FoundOpenings<G> {
        let reached = self.seen.len() as u64;
        let of = |(place, stand): (usize, Stand<G>)| Opening {
            line: self.line(place),
            node: stand.node,
            counts: stand.counts,
        };
        let all: Vec<_> = last.into_iter().enumerate().map(of).collect();
        let (over, openings): (Vec<_>, _) =
            all.into_iter().partition(|opening| opening.node.position.outcome().is_some());
        FoundOpenings { openings, reached, over: over.len() as u64 }
    }

    /// The moves that lead to a position of the last ply.
    fn line(&self, mut place: usize) -> Vec<G::Move> {
        let mut line = Vec::with_capacity(self.steps.len());
        for ply in self.steps.iter().rev() {
            let step = &ply[place];
            line.push(step.played.clone());
            place = step.before as usize;
        }
        line.reverse();
        line
    }
}

/// The games of a position as the first player sees them: those of its row, else of its moves, else
/// `by_move`.
fn counts_of<G: Game>(
    book: &dyn ReadBook,
    node: &Node<G>,
    moves: &[MoveRow],
    by_move: Counts,
) -> tabia::Result<Counts> {
    let side = node.position.side();
    let row = book.position(node.key)?.map(|row| row.counts()).filter(|counts| counts.games() > 0);
    let by_moves = || moves.iter().map(Row::counts).reduce(sum).filter(|counts| counts.games() > 0);
    Ok(row.or_else(by_moves).map_or(by_move, |counts| seen_from(Side::First, counts, side)))
}
