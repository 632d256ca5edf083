//! What a book knows of a position and of the moves played there.

use crate::ratings::Strength;
use crate::words;
use serde::Serialize;
use tabia::format::Results;
use tabia::{Book, Counts, PositionRow, RatedMoveRow, Result, Row, TableKind};
use tabia_games::Game;
use tabia_play::Node;

/// A position, and its moves by the number of their games.
#[derive(Debug, Serialize)]
pub struct Explored {
    pub fen: String,
    #[serde(flatten)]
    pub worth: Worth,
    /// Whether the position is in the positions table.
    pub known: bool,
    /// Whether the book knows how games ended. If not, there are games and no wins, draws or losses.
    pub results: bool,
    /// Whether its moves have ratings.
    pub rated: bool,
    /// The table the moves come from: `moves`, or `positions` if the book has no other.
    pub moves_from: &'static str,
    pub moves: Vec<Move>,
}

/// What a position is worth, seen from the side to move there.
#[derive(Debug, Serialize)]
pub struct Worth {
    /// 16 hexadecimal digits.
    pub key: String,
    pub games: u64,
    #[serde(flatten)]
    pub score: Score,
    pub eval: Option<i16>,
    pub depth: u8,
    pub flags: Vec<&'static str>,
}

/// How games ended, where the book knows it.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Score {
    wins: Option<u32>,
    draws: Option<u32>,
    losses: Option<u32>,
    #[serde(skip)]
    counts: Counts,
}

impl Score {
    fn new(counts: Counts, results: bool) -> Self {
        let known = |count| Some(count).filter(|_| results);
        Self { wins: known(counts.wins), draws: known(counts.draws), losses: known(counts.losses), counts }
    }
}

/// A move, seen from the side that plays it.
#[derive(Debug, Serialize)]
pub struct Move {
    /// The code in the book.
    pub code: u16,
    /// None, like `san`, if the code is no legal move here.
    pub uci: Option<String>,
    pub san: Option<String>,
    pub games: u64,
    #[serde(flatten)]
    pub score: Score,
    pub marks: Vec<&'static str>,
    /// Only in a book that has them.
    #[serde(flatten)]
    pub strength: Option<Strength>,
    /// The position it leads to, if the book knows it.
    pub position: Option<Worth>,
    /// Whether the other side is to move there.
    #[serde(skip)]
    pub passes_turn: bool,
}

impl Explored {
    /// Looks a position up.
    pub fn new<G: Game>(book: &Book, node: &Node<G>) -> Result<Self> {
        let row = book.position(node.key)?;
        let (results, rated) = (knows_results(book), book.header().is_rated());
        let worth = Worth::new(&row.unwrap_or_else(|| PositionRow::new(node.key, Counts::default())), results);
        let has_moves = book.has(TableKind::Moves);
        let mut moves = if has_moves { played(book, node)? } else { leading_to_known(book, node)? };
        moves.sort_by_key(|played| (std::cmp::Reverse(played.games), played.code));
        let moves_from = if has_moves { "moves" } else { "positions" };
        Ok(Self { fen: node.position.setup(), worth, known: row.is_some(), results, rated, moves_from, moves })
    }
}

impl Worth {
    fn new(row: &PositionRow, results: bool) -> Self {
        Self {
            key: format!("{:016x}", row.key()),
            games: row.counts().games(),
            score: Score::new(row.counts(), results),
            eval: row.eval(),
            depth: row.depth(),
            flags: words::of_flags(row.flags()),
        }
    }

    /// Its counts.
    pub fn counts(&self) -> Counts {
        self.score.counts
    }
}

impl Move {
    fn new(code: u16, counts: Counts, marks: u8, results: bool) -> Self {
        Self {
            code,
            uci: None,
            san: None,
            games: counts.games(),
            score: Score::new(counts, results),
            marks: words::of_marks(marks),
            strength: None,
            position: None,
            passes_turn: true,
        }
    }

    /// The same move with its names and the position it leads to.
    fn named<G: Game>(mut self, node: &Node<G>, played: &G::Move, next: &Node<G>, book: &Book, row: Option<&PositionRow>) -> Self {
        let position = &node.position;
        self.uci = Some(position.coordinates(played));
        self.san = Some(position.notation(played));
        self.position = row.map(|row| Worth::new(row, knows_results(book)));
        self.passes_turn = next.position.side() != position.side();
        self
    }

    /// Its counts.
    pub fn counts(&self) -> Counts {
        self.score.counts
    }

    /// The counts of the position it leads to, as the side that plays it sees them.
    pub fn leads_to(&self) -> Option<Counts> {
        self.position.as_ref().map(|worth| if self.passes_turn { flipped(worth.counts()) } else { worth.counts() })
    }
}

/// The moves of the moves table. A code that is no legal move (two positions of one key, a foreign book) is kept.
fn played<G: Game>(book: &Book, node: &Node<G>) -> Result<Vec<Move>> {
    book.rated_moves(node.key)?.iter().map(|row| from_row(book, node, row)).collect()
}

fn from_row<G: Game>(book: &Book, node: &Node<G>, row: &RatedMoveRow) -> Result<Move> {
    let results = knows_results(book);
    let strength = book.header().is_rated().then(|| Strength::of(&row.ratings(), results));
    let found = Move { strength, ..Move::new(row.code(), row.counts(), row.marks(), results) };
    let Some(played) = node.move_of_code(row.code()) else { return Ok(found) };
    let next = node.after(&played);
    Ok(found.named(node, &played, &next, book, book.position(next.key)?.as_ref()))
}

/// The legal moves whose position is known, with its counts.
fn leading_to_known<G: Game>(book: &Book, node: &Node<G>) -> Result<Vec<Move>> {
    let position = &node.position;
    let mut legal = Vec::new();
    position.legal_moves(&mut legal);
    let mut moves: Vec<Move> = Vec::new();
    for played in &legal {
        let (code, next) = (node.code(played), node.after(played));
        if moves.iter().any(|other| other.code == code) {
            continue;
        }
        // Of moves that are images of each other the one that a book with moves would show.
        let played = &node.move_of_code(code).unwrap_or_else(|| played.clone());
        if let Some(row) = book.position(next.key)? {
            let counts = if next.position.side() == position.side() { row.counts() } else { flipped(row.counts()) };
            moves.push(Move::new(code, counts, 0, knows_results(book)).named(node, played, &next, book, Some(&row)));
        }
    }
    Ok(moves)
}

/// Whether a book knows how games ended.
fn knows_results(book: &Book) -> bool {
    book.header().results() == Results::Known
}

/// Counts as the other side sees them.
fn flipped(counts: Counts) -> Counts {
    Counts { wins: counts.losses, draws: counts.draws, losses: counts.wins }
}
