//! Writing a book as a tree: a walk over its lines, each in its canonical form, a node a line of
//! text.

use super::read::number;
use super::{DEEPEST, lost};
use crate::lost::Written;
use crate::row::{is_judged, is_rated, needs_moves, seen_from, sum};
use crate::{Losses, WriteError};
use std::cmp::Reverse;
use std::io::Write;
use tabia::stream::{RowSet, Rows};
use tabia::{Counts, Key, Keyed, MoveRow, PositionRow, ReadBook, Row, TableKind, WithCells};
use tabia_games::{Game, Node, Side};

/// Writes the lines of a book that start from this position. The book must be of this game, and
/// keyed by line.
///
/// A node's games and wins are those of the move that leads to it; the root's are those of the line
/// without moves, or of all first moves if the book has no such row. The moves of a node are in the
/// order of their games, most first, then of their numbers.
///
/// `watch` receives the number of nodes written from time to time; its error ends the work. Memory:
/// the boards of one line, and the moves of its nodes.
///
/// # Errors
/// [`WriteError`].
pub fn write<G: Game>(
    book: &dyn ReadBook,
    start: &G,
    out: impl Write,
    watch: impl Fn(u64) -> tabia::Result<()>,
) -> Result<Written, WriteError> {
    if book.header().keyed != Keyed::Line {
        return Err(WriteError::ByPosition(book.path().to_owned()));
    }
    needs_moves(book)?;
    let all = Rowed::count(book)?;
    let mut writer = Writer {
        book,
        out,
        all,
        reached: Rowed::default(),
        written: Written { lost: Losses::new(lost::ALL), ..Written::default() },
        lines: Vec::new(),
    };
    writer.root(start)?;
    while writer.step()? {
        watch(writer.written.nodes)?;
    }
    writer.finish()
}

/// Rows of both tables.
#[derive(Clone, Copy, Default)]
struct Rowed {
    positions: u64,
    moves: u64,
}

impl Rowed {
    fn count(book: &dyn ReadBook) -> tabia::Result<Self> {
        let positions = match book.has(TableKind::Positions) {
            true => RowSet::<PositionRow>::rows(book)?.count()?,
            false => 0,
        };
        Ok(Self { positions, moves: RowSet::<MoveRow>::rows(book)?.count()? })
    }
}

/// A line whose node is open, and the moves that are still to be written in it, the first one last.
struct Open<G: Game> {
    node: Node<G>,
    moves: Vec<(MoveRow, G::Move)>,
}

struct Writer<'a, W, G: Game> {
    book: &'a dyn ReadBook,
    out: W,
    all: Rowed,
    reached: Rowed,
    written: Written,
    lines: Vec<Open<G>>,
}

impl<W: Write, G: Game> Writer<'_, W, G> {
    fn root(&mut self, start: &G) -> Result<(), WriteError> {
        let node = Node::start(start.clone(), true);
        let moves = self.moves(&node)?;
        let counts = match self.position(node.key)? {
            Some(row) => row.counts(),
            None => moves.iter().map(|(row, _)| row.counts()).fold(Counts::default(), sum),
        };
        self.written.lost.add(lost::DRAWS, u64::from(counts.draws));
        write!(self.out, "{{0 {} {}", counts.losses, games(counts))?;
        self.written.nodes = 1;
        self.lines.push(Open { node, moves });
        Ok(())
    }

    /// Writes the next node of the line that is open, or closes its own; whether one was open.
    fn step(&mut self) -> Result<bool, WriteError> {
        let Some(open) = self.lines.last_mut() else { return Ok(false) };
        let Some((row, played)) = open.moves.pop() else {
            self.lines.pop();
            write!(self.out, "}}")?;
            return Ok(true);
        };
        let (before, node) = (&open.node.position, open.node.after(&played));
        write_node(&mut self.out, before, &played, row.counts())?;
        let counts = seen_from(node.position.side(), row.counts(), before.side());
        self.compare(node.key, counts)?;
        let moves = self.moves(&node)?;
        self.written.nodes += 1;
        self.written.plies = self.written.plies.max(self.lines.len());
        // Each node is a row of its own; a book whose keys were forged may lead to one row by
        // several lines.
        if self.lines.len() > DEEPEST || self.reached.moves > self.all.moves {
            return Err(WriteError::NoTree(self.book.path().to_owned()));
        }
        self.lines.push(Open { node, moves });
        Ok(true)
    }

    /// The moves of a line with the boards' moves that they are, in reverse order.
    fn moves(&mut self, node: &Node<G>) -> Result<Vec<(MoveRow, G::Move)>, WriteError> {
        let (rows, position) = (self.book.moves_with_cells(node.key)?, &node.position);
        let mut legal = Vec::new();
        if !rows.is_empty() {
            position.legal_moves(&mut legal);
        }
        let mut moves = Vec::with_capacity(rows.len());
        for WithCells { row, cells } in rows {
            self.written.lost.add(lost::RATED, u64::from(is_rated(&cells)));
            let Some(played) = canonical(node, &legal, row.code()) else { continue };
            self.written.lost.add(lost::DRAWS, u64::from(row.counts().draws));
            self.written.lost.add(lost::MARKED, u64::from(!row.marks().is_empty()));
            moves.push((row, played));
        }
        self.reached.moves += moves.len() as u64;
        moves.sort_by_key(|(row, played)| (games(row.counts()), Reverse(number(position, played))));
        Ok(moves)
    }

    /// What the book says of a line.
    fn position(&mut self, key: Key) -> Result<Option<PositionRow>, WriteError> {
        let row = self.book.position(key)?;
        if let Some(row) = &row {
            self.reached.positions += 1;
            self.written.lost.add(lost::JUDGED, u64::from(is_judged(row)));
        }
        Ok(row)
    }

    /// Notes whether a line is worth this, as the move that leads to it is.
    fn compare(&mut self, key: Key, counts: Counts) -> Result<(), WriteError> {
        if self.book.has(TableKind::Positions) {
            let said = self.position(key)?.map(|row| row.counts());
            self.written.lost.add(lost::DIFFERING, u64::from(said != Some(counts)));
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Written, WriteError> {
        writeln!(self.out)?;
        self.out.flush()?;
        let positions = self.all.positions.saturating_sub(self.reached.positions);
        self.written
            .lost
            .add(lost::UNREACHED, positions + self.all.moves.saturating_sub(self.reached.moves));
        Ok(self.written)
    }
}

/// The games that were not drawn.
fn games(counts: Counts) -> u64 {
    u64::from(counts.wins) + u64::from(counts.losses)
}

/// The legal move that a line's code means: the one by which the line stays in its canonical form,
/// if it is.
fn canonical<G: Game>(node: &Node<G>, legal: &[G::Move], code: u16) -> Option<G::Move> {
    let is_meant = |played: &&G::Move| node.code(played) == code;
    let as_it_is =
        legal.iter().find(|played| node.position.image(played, 0) == code && is_meant(played));
    as_it_is.or_else(|| legal.iter().find(is_meant)).cloned()
}

fn write_node<G: Game>(
    out: &mut impl Write,
    position: &G,
    played: &G::Move,
    counts: Counts,
) -> std::io::Result<()> {
    let sign = if position.side() == Side::First { '+' } else { '-' };
    write!(out, "\n{{{sign}")?;
    match position.coordinates(played).as_str() {
        "pass" => write!(out, "pass")?,
        _ => write!(out, "{}", number(position, played))?,
    }
    write!(out, " {} {}", counts.wins, games(counts))
}
