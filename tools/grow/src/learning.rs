//! Learning from lost games: an overlay of scaled counts, which makes a player leave the lines of its
//! book that it loses with (Rollason 2007, "Creating Book Knowledge", "Using this for Tuning").
//!
//! The paper: "When it loses, then the book can be adjusted to reduce the chance of that same line
//! being played. This can be by scaling the win and loss counts. E.g. the win count can be multiplied
//! by 80% and losses by 120%. [...] A move deep into the game needs to be heavily adjusted, whereas
//! moves at the start should be marginally adjusted." Games that were won or drawn change nothing.
//!
//! What it leaves open is decided here so:
//!
//! - *Where.* Counts of a book are games, so they are never scaled there. What is learned stands in a
//!   book of its own, the overlay, whose facts say `counts` = `learned`: it is laid over the book for
//!   playing, and can't be merged with books of games.
//! - *How finely.* Before a position is scaled for the first time all its moves are copied from the
//!   book, and the rows of all positions behind them, [`COPIES`] for each game: so whole numbers
//!   suffice. If a count would become too large, all counts of the position are halved.
//! - *Which moves.* Those that the book's side played and the book knows; how much the i-th of n of
//!   them is scaled says [`Scaling`].
//! - *Once.* A game is learned once, however often it is read: a list beside the overlay says which
//!   were.
//!
//! A position behind a move may be reached by others too, whose other positions are then still
//! unscaled: rules that compare the numbers of games behind moves (`by=positions`), and not their
//! scores, see it larger than it is. Rules by moves don't.

mod learned_list;
mod lost_games;
mod overlay;
mod scaling;
mod summary;
mod text;

use learned_list::LearnedList;
pub use learned_list::Occurrences;
use lost_games::knows;
pub use lost_games::{LostGame, LostGames, Whose};
pub use overlay::Overlay;
pub use scaling::{COPIES, Scaling, Shape};
pub use summary::{Span, Summary};

use scaling::Mover;
use std::io;
use std::path::{Path, PathBuf};
use tabia::{Book, Counts, Env, Key, MoveRow, Row, TableKind};
use tabia_archives::ArchiveError;
use tabia_games::{Game, Node};
use tabia_play::choice::RowLookup;

/// Why nothing can be learned, or no more. What was learned before is in the overlay.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// Reading or writing a book.
    #[error(transparent)]
    Book(#[from] tabia::Error),
    /// Reading archives.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// A book whose counts are games, where what is learned should go.
    #[error("{}: its counts are games, which learning doesn't change: give the name of an overlay, which is made if it isn't there", .0.display())]
    Games(PathBuf),
    /// An overlay, where a book of games should be.
    #[error("{}: its counts were learned: give the book that it lies over", .0.display())]
    Overlay(PathBuf),
    /// A book that doesn't know who won.
    #[error("{}: doesn't know how its games ended: there is nothing to scale", .0.display())]
    NoResults(PathBuf),
    /// An overlay and a book that don't belong together.
    #[error("{}: {what}", overlay.display())]
    OtherKind {
        /// The overlay.
        overlay: PathBuf,
        /// In what they differ.
        what: String,
    },
    /// The list of learned games can't be read or written.
    #[error("{}: cannot {action}: {source}", path.display())]
    List {
        /// The list.
        path: PathBuf,
        /// What was to be done with it.
        action: &'static str,
        /// What the system says.
        source: io::Error,
    },
    /// A file that is no list of learned games has its name.
    #[error("{}: is no list of learned games by this version; move it away", .0.display())]
    InTheWay(PathBuf),
    /// An overlay that has learned something, without the list of what.
    #[error("{}: the list of the games that were learned is missing: put it beside the overlay again, or begin a new overlay", .0.display())]
    NoList(PathBuf),
}

/// What came of a lost game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lesson {
    /// It was learned.
    Learned(Learned),
    /// It was learned before.
    Known,
    /// The book's side played no move of the book.
    OutOfBook,
    /// It begins in another position than all games do.
    SetUp,
}

/// What learning a game changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Learned {
    /// Moves that the book's side played from the book.
    pub moves: u32,
    /// Positions that were copied from the book, having been in no game that was learned before.
    pub positions: u64,
    /// Rows whose counts were scaled.
    pub rows: u64,
}

/// A move that the book's side played from the book.
struct BookMove<G> {
    before: Node<G>,
    code: u16,
    after: Node<G>,
}

/// An overlay that learns games one after the other, each once.
pub struct Lessons<'a> {
    book: &'a Book,
    overlay: Overlay<'a>,
    list: LearnedList,
    scaling: Scaling,
}

impl<'a> Lessons<'a> {
    /// Opens the overlay of a book, with the list of what it has learned beside it.
    ///
    /// # Errors
    /// As [`Overlay::open`]; [`LearnError::NoList`] if something was learned and there is no list;
    /// [`LearnError::InTheWay`]; the system's.
    pub fn open(
        env: Env<'a>,
        path: &Path,
        book: &'a Book,
        scaling: Scaling,
    ) -> Result<Self, LearnError> {
        let overlay = Overlay::open(env, path, book)?;
        let list = LearnedList::open(path, overlay.sequence())?;
        Ok(Self { book, overlay, list, scaling })
    }

    /// The book that the overlay is laid over.
    pub fn book(&self) -> &'a Book {
        self.book
    }

    /// The overlay.
    pub fn overlay(&self) -> &Overlay<'a> {
        &self.overlay
    }

    /// Learns a game that the book's side lost, as one batch of the overlay's journal, which is
    /// durable then. The same games in the same order make the same overlay, byte by byte.
    ///
    /// # Errors
    /// Those of reading the book and of writing the overlay and the list.
    pub fn learn<G: Game>(&mut self, start: &G, game: &LostGame) -> Result<Lesson, LearnError> {
        if self.list.knows(game.digest) {
            return Ok(Lesson::Known);
        }
        let by_line = self.overlay.header().keyed == tabia::Keyed::Line;
        let start = Node::start(start.clone(), by_line);
        if game.plies.first().is_some_and(|&(key, _)| key != start.key) {
            return Ok(Lesson::SetUp);
        }
        let played = book_moves(start, self.book, game)?;
        if played.is_empty() {
            return Ok(Lesson::OutOfBook);
        }
        let mut learned = Learned { moves: played.len() as u32, ..Learned::default() };
        let overlay = &mut self.overlay;
        for (place, made) in (1..).zip(&played) {
            let is_new = copy(self.book, overlay, &made.before)?;
            learned.positions += u64::from(is_new);
            let shares = self.scaling.shares(place, learned.moves);
            learned.rows += scale(overlay, made, |counts, mover| shares.of_lost(counts, mover))?;
        }
        self.list.begin(overlay.sequence() + 1, game.digest)?;
        overlay.commit()?;
        Ok(Lesson::Learned(learned))
    }
}

/// The moves of the game that its book's side played from the book, in order.
fn book_moves<G: Game>(
    start: Node<G>,
    book: &Book,
    game: &LostGame,
) -> Result<Vec<BookMove<G>>, LearnError> {
    let (mut node, mut played) = (start, Vec::new());
    for &(key, code) in &game.plies {
        let legal = node.move_of_code(code).filter(|_| key == node.key);
        let Some(legal) = legal else { return Ok(played) };
        let after = node.after(&legal);
        if node.position.side() == game.side && knows(book, key, code, after.key)? {
            played.push(BookMove { before: node, code, after: after.clone() });
        }
        node = after;
    }
    Ok(played)
}

/// Copies what the book knows of a position's moves into the overlay, where it isn't there yet;
/// whether something was.
fn copy<G: Game>(
    book: &Book,
    overlay: &mut Overlay<'_>,
    node: &Node<G>,
) -> Result<bool, LearnError> {
    let mut is_new = false;
    if book.has(TableKind::Moves) && overlay.rows().moves(node.key)?.is_empty() {
        let rows: Vec<MoveRow> = book.moves(node.key)?.into_owned();
        let counts = scaling::fitting(rows.iter().map(|row| copies(row.counts())).collect());
        let copy = |(row, counts): (&MoveRow, Counts)| MoveRow::new(row.key(), row.code(), counts);
        overlay.put_moves(node.key, rows.iter().zip(counts).map(copy).collect());
        is_new = true;
    }
    if book.has(TableKind::Positions) {
        let behind = behind(node);
        let mut rows = Vec::new();
        for key in behind {
            if overlay.rows().position(key)?.is_none() {
                rows.extend(book.position(key)?);
            }
        }
        is_new |= !rows.is_empty();
        let counts = scaling::fitting(rows.iter().map(|row| copies(row.counts())).collect());
        rows.iter()
            .zip(counts)
            .for_each(|(row, counts)| overlay.put_position(row.with_counts(counts)));
    }
    Ok(is_new)
}

/// The positions behind a position's legal moves, each once, in the order of their keys.
fn behind<G: Game>(node: &Node<G>) -> Vec<Key> {
    let mut keys: Vec<Key> =
        node.position.legal().iter().map(|played| node.after(played).key).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// Scales a move that was played and the position behind it; how many rows these are.
fn scale<G: Game>(
    overlay: &mut Overlay<'_>,
    made: &BookMove<G>,
    scaled: impl Fn(Counts, Mover) -> [u64; 3],
) -> Result<u64, LearnError> {
    let mut rows = 0;
    let mut moves = overlay.rows().moves(made.before.key)?.into_owned();
    if let Some(at) = moves.iter().position(|row| row.code() == made.code) {
        let mut counts: Vec<[u64; 3]> = moves.iter().map(|row| wide(row.counts())).collect();
        counts[at] = scaled(moves[at].counts(), Mover::Us);
        let counts = scaling::fitting(counts);
        moves = moves.iter().zip(counts).map(|(row, counts)| row.with_counts(counts)).collect();
        overlay.put_moves(made.before.key, moves);
        rows += 1;
    }
    if let Some(row) = overlay.rows().position(made.after.key)? {
        let is_same_side = made.after.position.side() == made.before.position.side();
        let mover = if is_same_side { Mover::Us } else { Mover::Them };
        let mut all = vec![(row, scaled(row.counts(), mover))];
        for key in behind(&made.before).into_iter().filter(|&key| key != made.after.key) {
            all.extend(overlay.rows().position(key)?.map(|row| (row, wide(row.counts()))));
        }
        let counts = scaling::fitting(all.iter().map(|(_, counts)| *counts).collect());
        for ((row, _), counts) in all
            .iter()
            .zip(counts)
            .filter(|((row, _), counts)| row.key() == made.after.key || row.counts() != *counts)
        {
            overlay.put_position(row.with_counts(counts));
        }
        rows += 1;
    }
    Ok(rows)
}

fn wide(counts: Counts) -> [u64; 3] {
    [counts.wins, counts.draws, counts.losses].map(u64::from)
}

/// The counts of a book's row as an overlay has them at first.
fn copies(counts: Counts) -> [u64; 3] {
    wide(counts).map(|count| count * u64::from(COPIES))
}
