//! A game that Tabia doesn't know, in one file: Connect Four's rules, and a book of it, built,
//! explored and trimmed.
//!
//! `cargo run --release -p tabia-play --example connect_four -- [GAMES]`, where GAMES is a text
//! with a game a line, such as `d d c e c e c e 1-0`; without it the games are those of two players
//! who see one move ahead.
//!
//! What a game is to Tabia is the trait [`Game`]; all else (reading games, counting them, merging,
//! walking, trimming) works on keys and codes and is here already. A board and its mirror image are
//! one position: they have one key, and `a` on one is the same move as `g` on the other.

use std::error::Error;
use std::ops::ControlFlow;
use std::path::Path;
use tabia::format::Keyed;
use tabia::storage::System;
use tabia::{Book, Env, Existing, MoveRow, NewBook, Row};
use tabia_archives::lines::LineReader;
use tabia_archives::reading::{Fault, Games, Reads};
use tabia_archives::{GameRecord, Wanted};
use tabia_build::{BuildPlan, GameCounter, Occurrence, SortedRows};
use tabia_games::{Chess, Game, Known, Node, Outcome, SetupError, Side, Trouble};
use tabia_play::{Order, Solution, Thresholds, Trim, TrimPlan};

const WIDTH: u32 = 7;
const HEIGHT: u32 = 6;
/// Bits of a column: its cells from the bottom, and one above them that is always empty, so that no
/// line of four goes on in the next column.
const COLUMN: u32 = HEIGHT + 1;
const COLUMN_MASK: u64 = (1 << COLUMN) - 1;
/// The lowest cells.
const BOTTOM: u64 = 0x0000_0408_1020_4081;

// ---- The rules ----

/// A position of Connect Four.
#[derive(Clone, Debug)]
pub struct ConnectFour {
    /// The stones of the first and the second player, a bit for each cell.
    stones: [u64; 2],
    /// Whether mirror images count together.
    mirrors: bool,
}

/// A stone dropped into a column, counted from the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Drop(u32);

impl ConnectFour {
    /// The empty board; mirror images count together.
    #[must_use]
    pub fn start() -> Self {
        Self { stones: [0; 2], mirrors: true }
    }

    /// The empty board, in a game where mirror images are different positions.
    #[must_use]
    pub fn without_mirrors() -> Self {
        Self { mirrors: false, ..Self::start() }
    }

    /// What no other board has: the first player's stones, and a bit above each column's top stone,
    /// put in by adding. Below 2^49.
    fn number(&self) -> u64 {
        let [first, second] = self.stones;
        first + (first | second) + BOTTOM
    }

    fn mirrored(&self) -> Self {
        Self { stones: self.stones.map(mirrored), ..self.clone() }
    }

    /// The cell that a stone falls to; none in a full column.
    fn cell(&self, column: u32) -> Option<u64> {
        let [first, second] = self.stones;
        let above = ((first | second) + BOTTOM) & COLUMN_MASK << (column * COLUMN);
        (above != 1 << (column * COLUMN + HEIGHT)).then_some(above)
    }

    fn is_won(&self, side: Side) -> bool {
        let stones = self.stones[side.index()];
        [1, COLUMN, COLUMN - 1, COLUMN + 1].into_iter().any(|step| {
            let pairs = stones & stones >> step;
            pairs & pairs >> (2 * step) != 0
        })
    }

    /// Reads the rows of a board, from the top, with `/` between them.
    fn read(text: &str) -> Result<[u64; 2], &'static str> {
        let rows: Vec<&[u8]> = text.split('/').map(str::as_bytes).collect();
        if rows.len() != HEIGHT as usize || rows.iter().any(|row| row.len() != WIDTH as usize) {
            return Err("it doesn't have 6 rows of 7 cells");
        }
        let mut stones = [0; 2];
        for (row, cells) in (0..HEIGHT).rev().zip(rows) {
            for (column, cell) in (0..WIDTH).zip(cells) {
                match cell {
                    b'x' => stones[0] |= 1 << (column * COLUMN + row),
                    b'o' => stones[1] |= 1 << (column * COLUMN + row),
                    b'.' => {}
                    _ => return Err("a cell is none of x, o and ."),
                }
            }
        }
        Ok(stones)
    }

    /// What keeps this from being a board of a game, if anything does.
    fn fault(&self) -> Option<&'static str> {
        let [first, second] = self.stones;
        if (first | second) & !(((first | second) << 1) | BOTTOM) != 0 {
            return Some("a stone hangs in the air");
        }
        if !(0..=1).contains(&(first.count_ones().wrapping_sub(second.count_ones()))) {
            return Some("x has as many stones as o, or one more");
        }
        self.is_won(self.side()).then_some("who is to move has won already")
    }
}

fn mirrored(stones: u64) -> u64 {
    (0..WIDTH)
        .map(|column| {
            (stones >> (column * COLUMN) & COLUMN_MASK) << ((WIDTH - 1 - column) * COLUMN)
        })
        .sum()
}

// ---- What Tabia asks of a game ----

impl Game for ConnectFour {
    type Move = Drop;

    fn name(&self) -> &'static str {
        "connect-four"
    }

    /// Keys of two kinds are two schemes, so that books of them can't be mixed up.
    fn keys(&self) -> &'static str {
        if self.mirrors { "exact-2" } else { "exact" }
    }

    fn sides(&self) -> [&'static str; 2] {
        ["X", "O"]
    }

    fn examples(&self) -> &'static str {
        "d, a column from a to g"
    }

    fn set_up(&self, text: &str) -> Result<Self, SetupError> {
        let text = text.trim();
        let game = |stones| Self { stones, mirrors: self.mirrors };
        if text == "startpos" {
            return Ok(game([0; 2]));
        }
        let read = Self::read(text).map(game).and_then(|game| game.fault().map_or(Ok(game), Err));
        read.map_err(|why| SetupError {
            game: self.name(),
            text: text.to_owned(),
            why: why.to_owned(),
            expected: "its rows from the top, such as ......./......./......./......./...o.../...x...",
        })
    }

    fn setup(&self) -> String {
        self.diagram()
            .lines()
            .take(HEIGHT as usize)
            .map(|row| row.replace(' ', ""))
            .collect::<Vec<_>>()
            .join("/")
    }

    fn side(&self) -> Side {
        let [first, second] = self.stones.map(u64::count_ones);
        if first == second { Side::First } else { Side::Second }
    }

    /// The number of the board is a key that never collides. Other games take Zobrist's.
    fn key(&self) -> u64 {
        let number = self.number();
        if self.mirrors { number.min(self.mirrored().number()) } else { number }
    }

    /// Bit 0 is the identity, bit 1 the mirror. The canonical board is that of the two with the
    /// least number; a board that is its own image has both bits.
    fn symmetries(&self) -> u16 {
        if !self.mirrors {
            return 0b01;
        }
        match self.number().cmp(&self.mirrored().number()) {
            std::cmp::Ordering::Less => 0b01,
            std::cmp::Ordering::Equal => 0b11,
            std::cmp::Ordering::Greater => 0b10,
        }
    }

    fn legal_moves(&self, moves: &mut Vec<Drop>) {
        moves.clear();
        if self.outcome().is_none() {
            moves.extend((0..WIDTH).filter(|&column| self.cell(column).is_some()).map(Drop));
        }
    }

    fn play(&mut self, played: &Drop) {
        let side = self.side().index();
        self.stones[side] |= self.cell(played.0).unwrap_or_default();
    }

    fn image(&self, played: &Drop, symmetry: u32) -> u16 {
        (if symmetry == 0 { played.0 } else { WIDTH - 1 - played.0 }) as u16
    }

    fn read_move(&self, text: &[u8]) -> Result<Drop, Trouble> {
        let [letter @ b'a'..=b'g'] = text else { return Err(Trouble::Unreadable) };
        let column = u32::from(letter - b'a');
        let is_legal = self.outcome().is_none() && self.cell(column).is_some();
        if is_legal { Ok(Drop(column)) } else { Err(Trouble::Illegal) }
    }

    fn notation(&self, played: &Drop) -> String {
        char::from(b'a' + played.0 as u8).to_string()
    }

    fn outcome(&self) -> Option<Outcome> {
        let won = [Side::First, Side::Second].into_iter().find(|&side| self.is_won(side));
        let is_full = (0..WIDTH).all(|column| self.cell(column).is_none());
        won.map(Outcome::won_by).or(is_full.then_some(Outcome::Draw))
    }

    fn diagram(&self) -> String {
        let cell = |row: u32, column: u32| match self
            .stones
            .map(|stones| stones >> (column * COLUMN + row) & 1)
        {
            [1, _] => 'x',
            [_, 1] => 'o',
            _ => '.',
        };
        let rows = (0..HEIGHT).rev().map(|row| {
            (0..WIDTH).map(|column| format!("{} ", cell(row, column))).collect::<String>()
        });
        rows.chain(["a b c d e f g".to_owned()])
            .map(|row| row.trim_end().to_owned() + "\n")
            .collect()
    }
}

// ---- A book ----

/// Takes games as they are read: their positions and moves are counted, those that can't go in are
/// told of.
struct Taker<'a> {
    counter: GameCounter<'a, Occurrence>,
    faults: Vec<String>,
}

impl Games for Taker<'_> {
    type Error = tabia::Error;

    fn played(&mut self, _at: usize, game: &GameRecord) -> tabia::Result<()> {
        self.counter.add(game)
    }

    fn skipped(&mut self, at: usize, fault: Fault, _players: String) {
        self.faults.push(format!("byte {at}: {}", fault.detail));
    }
}

/// Builds a book of the games in a text, one a line; what was wrong with those that didn't go in is
/// returned too.
///
/// # Errors
/// The system's, from writing.
pub fn build(
    text: &str,
    start: &ConnectFour,
    path: &Path,
) -> Result<(Book, Vec<String>), Box<dyn Error>> {
    let folder = path.parent().unwrap_or(Path::new("."));
    // Of the plan only tables, plies and columns matter here, not the game.
    let plan = BuildPlan::new(Known::Chess(Chess::start()));
    let mut taker =
        Taker { counter: GameCounter::new(&plan, &System, folder, 64 << 20), faults: Vec::new() };
    LineReader::new(start.clone(), Wanted::default()).read(text.as_bytes(), true, &mut taker)?;
    let (env, threads) = (Env::default(), 1);
    let rows = SortedRows::join(&env, vec![taker.counter.into_sorter()], threads)?;
    let new = NewBook::new(start.name().parse()?, start.keys().parse()?);
    new.positions(&rows.positions()).moves(&rows.moves()).write(&env, path, Existing::Replace)?;
    Ok((Book::open(path)?, taker.faults))
}

/// The moves that a book knows at a position, those played most often first: each as it is written
/// here, and its counts.
///
/// # Errors
/// Those of reading the book.
pub fn explore(
    book: &Book,
    node: &Node<ConnectFour>,
) -> tabia::Result<Vec<(String, tabia::Counts)>> {
    let mut rows = book.moves(node.key)?.to_vec();
    rows.sort_by_key(|row| (std::cmp::Reverse(row.counts().games()), row.code()));
    let written = |row: &MoveRow| {
        node.move_of_code(row.code()).map(|played| (node.position.notation(&played), row.counts()))
    };
    Ok(rows.iter().filter_map(written).collect())
}

/// Writes the part of a book that the first player needs: the best move of each of their positions,
/// and every reply. How many moves stay is returned.
///
/// # Errors
/// Those of reading the book and writing the other.
pub fn trim(book: &Book, start: &ConnectFour, path: &Path) -> Result<u64, tabia_play::Error> {
    let own =
        Thresholds { min_games: 5, keep: Some(1), order: Order::Bound, ..Thresholds::default() };
    let solution = Solution { sides: vec![Side::First], reply: Thresholds::default() };
    let plan = TrimPlan { own, solution: Some(solution), max_ply: None, packed: false };
    let watch = |_| ControlFlow::Continue(());
    let trim = Trim::by_walk(book, plan, std::slice::from_ref(start), &watch)?;
    let stats = trim.stats(&watch)?;
    trim.write(&stats, &Env::default(), path, true)?;
    Ok(stats.moves.map_or(0, |moves| moves.kept))
}

/// Games of two players who win where they can, stop the other's win, and else play any move: a
/// text, a game a line.
#[must_use]
pub fn played(games: u32) -> String {
    let mut random = 1u64;
    let mut any = move |below: usize| {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % below
    };
    let mut text = String::from("# Two players who see one move ahead.\n");
    for _ in 0..games {
        let (mut board, mut legal) = (ConnectFour::start(), Vec::new());
        board.legal_moves(&mut legal);
        while !legal.is_empty() {
            let seen = [board.side(), board.side().other()]
                .into_iter()
                .find_map(|side| winning(&board, &legal, side));
            let played = seen.unwrap_or_else(|| legal[any(legal.len())]);
            text += &(board.notation(&played) + " ");
            board.play(&played);
            board.legal_moves(&mut legal);
        }
        text += match board.outcome() {
            Some(Outcome::FirstWins) => "1-0\n",
            Some(Outcome::SecondWins) => "0-1\n",
            _ => "1/2-1/2\n",
        };
    }
    text
}

/// A move with which this side would have four.
fn winning(board: &ConnectFour, legal: &[Drop], side: Side) -> Option<Drop> {
    let wins = |played: &&Drop| {
        let mut next = board.clone();
        next.stones[side.index()] |= next.cell(played.0).unwrap_or_default();
        next.is_won(side)
    };
    legal.iter().find(wins).copied()
}

fn show(book: &Book, node: &Node<ConnectFour>) -> tabia::Result<()> {
    println!("{}", node.position.diagram());
    for (played, counts) in explore(book, node)? {
        println!(
            "{played} {:>8} games, won {:>4.1} %",
            counts.games(),
            100.0 * f64::from(counts.wins) / counts.games() as f64
        );
    }
    println!();
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let text =
        std::env::args().nth(1).map_or_else(|| Ok(played(20_000)), std::fs::read_to_string)?;
    let (start, folder) = (ConnectFour::start(), tempfile::tempdir()?);
    let (book, faults) = build(&text, &start, &folder.path().join("games.tabia"))?;
    faults.iter().for_each(|fault| println!("skipped: {fault}"));
    let root = Node::start(start.clone(), book.header().keyed == Keyed::Line);
    // Four moves, not seven: a is g's mirror image, b is f's, c is e's.
    show(&book, &root)?;
    show(&book, &root.after(&start.parse_move("g")?))?;
    let kept = trim(&book, &start, &folder.path().join("x.tabia"))?;
    let moves = book.header().table(tabia::TableKind::Moves).map_or(0, |table| table.shape.rows);
    println!("{kept} of {moves} moves are what X needs");
    Ok(())
}
