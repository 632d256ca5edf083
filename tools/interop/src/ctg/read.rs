//! Reading a book: all its pages for its positions, then a walk from the start for the sides and
//! the moves.

use super::board::{Board, Turn};
use super::moves::{self, Step};
use super::page::{self, Entry};
use super::{PAGE, ReadError, lost};
use crate::Losses;
use crate::chess::{self, Move};
use crate::row::{AnyRow, seen_from};
use std::collections::{HashMap, HashSet};
use tabia::{Counts, Key, Marks, MoveRow, PositionRow, Results};
use tabia_games::{Chess, Game};

/// A book's files.
#[derive(Clone, Copy, Debug)]
pub struct Files<'a> {
    /// The positions.
    pub ctg: &'a [u8],
    /// The places of pages. With it only pages that have a place are read: a book may have left
    /// others behind.
    pub cto: Option<&'a [u8]>,
    /// The places used, against which the others are checked: two numbers in the bytes 4 to 11.
    /// What is behind them isn't read.
    pub ctb: Option<&'a [u8]>,
}

/// The result of reading a ChessBase book: what was read, and what was lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Read {
    /// Positions in the pages.
    pub positions: u64,
    /// Positions that made rows. A book's position is several if it is reached with sides changed
    /// or mirrored.
    pub reached: u64,
    /// Moves that made rows.
    pub moves: u64,
    /// The games that the header says.
    pub games: u64,
    /// Whether the book says how games ended; if not, all games are draws in the rows.
    pub results: Results,
    /// What the book holds and the rows don't say.
    pub lost: Losses,
}

/// Reads a ChessBase book, and hands on the rows that it makes for a book keyed by position. No two
/// of them are of the same position or move.
///
/// Memory: the files' bytes, and for each position an entry of a hash table with its board.
///
/// # Errors
/// [`ReadError`]; whatever `take` gives.
pub fn read<E: From<ReadError>>(
    files: Files<'_>,
    take: impl FnMut(AnyRow) -> Result<(), E>,
) -> Result<Read, E> {
    let mut read =
        Read { games: games(files.ctg)?, lost: Losses::new(lost::ALL), ..Read::default() };
    let book = collect(files, &mut read)?;
    let decided = |entry: &Entry<'_>| entry.wins != 0 || entry.draws != 0 || entry.losses != 0;
    read.results = if book.values().any(|(entry, _)| decided(entry)) {
        Results::Known
    } else {
        Results::Unknown
    };
    for (entry, _) in book.values() {
        read.lost.add(lost::RATED, u64::from(entry.rated != 0));
        read.lost.add(lost::COMMENTS, u64::from(entry.comment != 0));
    }
    let mut walk = Walk { book, met: HashSet::new(), open: Vec::new(), read, take };
    walk.from(Chess::start())?;
    Ok(walk.read)
}

/// Positions by their boards, and whether they were reached.
type Book<'a> = HashMap<Board, (Entry<'a>, bool)>;

/// The games that the header says.
fn games(ctg: &[u8]) -> Result<u64, ReadError> {
    match ctg.get(28..32) {
        Some(&[a, b, c, d]) if ctg.len().is_multiple_of(PAGE) => {
            Ok(u32::from_be_bytes([a, b, c, d]).into())
        }
        _ => Err(ReadError::Length(ctg.len())),
    }
}

/// All positions of the pages that have a place.
fn collect<'a>(files: Files<'a>, read: &mut Read) -> Result<Book<'a>, ReadError> {
    let listed = files.cto.map(|cto| pages(cto, files.ctb)).transpose()?;
    let mut book = Book::new();
    for (number, bytes) in files.ctg.chunks_exact(PAGE).enumerate().skip(1) {
        if listed.as_ref().is_some_and(|listed| !listed.contains(&(number as u64 - 1))) {
            read.lost.add(lost::UNLISTED, 1);
            continue;
        }
        page::read(number, bytes, |board, entry| {
            read.positions += 1;
            read.lost.add(lost::REPEATED, u64::from(book.insert(board, (entry, false)).is_some()));
        })?;
    }
    Ok(book)
}

/// The pages that have a place, the first after the header being 0.
fn pages(cto: &[u8], ctb: Option<&[u8]>) -> Result<HashSet<u64>, ReadError> {
    let (Some(places), true) = (cto.get(16..), cto.len().is_multiple_of(4)) else {
        return Err(ReadError::Places(cto.len()));
    };
    if let Some(ctb) = ctb {
        check_bounds(ctb, places.len() as u64 / 4)?;
    }
    let places = places.as_chunks().0.iter().map(|place| u32::from_be_bytes(*place));
    Ok(places.filter(|&page| page <= i32::MAX as u32).map(u64::from).collect())
}

/// The .ctb file's places must be there.
fn check_bounds(ctb: &[u8], places: u64) -> Result<(), ReadError> {
    let &[_, _, _, _, a, b, c, d, e, f, g, h, ..] = ctb else {
        return Err(ReadError::Bounds(format!("it has {} bytes, and 12 at least", ctb.len())));
    };
    let (least, greatest) = (u32::from_be_bytes([a, b, c, d]), u32::from_be_bytes([e, f, g, h]));
    if least > greatest || u64::from(greatest) >= places {
        return Err(ReadError::Bounds(format!(
            "it says places {least} to {greatest}, and the .cto file has {places}"
        )));
    }
    Ok(())
}

struct Walk<'a, T> {
    book: Book<'a>,
    met: HashSet<Key>,
    /// Positions of the book that are still to be handed on.
    open: Vec<Chess>,
    read: Read,
    take: T,
}

/// A move of the book.
struct Played {
    played: Move,
    position: Chess,
    board: Board,
}

impl<T: FnMut(AnyRow) -> Result<(), E>, E> Walk<'_, T> {
    fn from(&mut self, start: Chess) -> Result<(), E> {
        if self.book.contains_key(&Board::of(&start).0) {
            self.met.insert(start.key());
            self.open.push(start);
        }
        while let Some(position) = self.open.pop() {
            self.emit(&position)?;
        }
        let unreached = self.book.values().filter(|(_, is_reached)| !is_reached).count();
        self.read.lost.add(lost::UNREACHED, unreached as u64);
        Ok(())
    }

    /// Hands on a position and its moves.
    fn emit(&mut self, position: &Chess) -> Result<(), E> {
        let (board, turn) = Board::of(position);
        let Some((entry, is_reached)) = self.book.get_mut(&board) else { return Ok(()) };
        let (entry, is_first) = (*entry, !std::mem::replace(is_reached, true));
        let counts = self.counts(&entry);
        if is_first {
            self.count_doubts(&entry);
        }
        self.read.reached += 1;
        (self.take)(AnyRow::Position(PositionRow::new(position.key(), counts)))?;
        let mut codes = HashSet::new();
        for &[code, annotation] in entry.moves.as_chunks().0 {
            if moves::steps(code).next().is_none() {
                self.read.lost.add(lost::UNKNOWN, 1);
                continue;
            }
            match self.played(position, &board, turn, code) {
                Some(played) if codes.insert(position.code(&played.played)) => {
                    self.go(position, &played, annotation)?
                }
                _ => self.read.lost.add(lost::ILLEGAL, 1),
            }
        }
        Ok(())
    }

    /// Hands on a move, and goes on after it.
    fn go(&mut self, before: &Chess, played: &Played, annotation: u8) -> Result<(), E> {
        let Played { played, position, board } = played;
        let entry = self.book.get(board).map(|(entry, _)| *entry);
        let behind = entry.map_or(Counts::default(), |entry| self.counts(&entry));
        let counts = seen_from(before.side(), behind, position.side());
        let marks = self.marks(annotation, entry.map_or(0, |entry| entry.recommendation));
        let row = MoveRow::new(before.key(), before.code(played), counts).with_marks(marks);
        (self.take)(row.into())?;
        self.read.moves += 1;
        if entry.is_none() {
            self.read.lost.add(lost::UNCOUNTED, 1);
        } else if self.met.insert(position.key()) {
            self.open.push(position.clone());
        }
        Ok(())
    }

    /// The legal move that a code means: of two the one that leads into the book.
    fn played(&self, position: &Chess, board: &Board, turn: Turn, code: u8) -> Option<Played> {
        let mut legal = moves::steps(code).filter_map(|step| played(position, board, turn, step));
        let first = legal.next()?;
        let Some(second) = legal.next() else { return Some(first) };
        match [&first, &second].map(|played| self.book.contains_key(&played.board)) {
            [true, false] => Some(first),
            [false, true] => Some(second),
            _ => None,
        }
    }

    fn counts(&self, entry: &Entry<'_>) -> Counts {
        match self.read.results {
            Results::Known => Counts::new(entry.wins, entry.draws, entry.losses),
            Results::Unknown => Counts::new(0, entry.games, 0),
        }
    }

    fn count_doubts(&mut self, entry: &Entry<'_>) {
        let Entry { games, wins, draws, losses, .. } = *entry;
        let (games, decided) = (u64::from(games), Counts::new(wins, draws, losses).games());
        if self.read.results == Results::Known {
            self.read.lost.add(lost::UNDECIDED, games.saturating_sub(decided));
        }
        self.read.lost.add(lost::CONTRADICTORY, u64::from(games < decided));
    }

    fn marks(&mut self, annotation: u8, recommendation: u8) -> Marks {
        const SIGNS: [Marks; 7] = [
            Marks::empty(),
            Marks::GOOD,
            Marks::BAD,
            Marks::BRILLIANT,
            Marks::BLUNDER,
            Marks::INTERESTING,
            Marks::DUBIOUS,
        ];
        // What the three high bits mean is not known; a real book has all of them set.
        let sign = SIGNS.get(usize::from(annotation & 31)).copied();
        let has_doubt = sign.is_some_and(|sign| {
            sign.intersects(Marks::BAD | Marks::BLUNDER | Marks::INTERESTING | Marks::DUBIOUS)
        });
        let word = match recommendation {
            0 => Some(Marks::empty()),
            64 => Some(Marks::NEVER),
            128 => (!has_doubt).then_some(Marks::ALWAYS),
            _ => None,
        };
        let unknown = u64::from(sign.is_none()) + u64::from(word.is_none());
        self.read.lost.add(lost::ANNOTATIONS, unknown);
        sign.unwrap_or_default() | word.unwrap_or_default()
    }
}

/// The legal move that a step of the book's board is, with what it leads to.
fn played(position: &Chess, board: &Board, turn: Turn, step: Step) -> Option<Played> {
    let from = board.piece(step.piece, step.number)?;
    let to = (from / 8 + step.forward) % 8 * 8 + (from + step.right) % 8;
    let promotion = if step.piece == b'P' && to >= 56 { 4 } else { 0 };
    let played = chess::between(position, turn.square(from), turn.square(to), promotion)?;
    let mut position = position.clone();
    position.play(&played);
    let board = Board::of(&position).0;
    Some(Played { played, position, board })
}
