//! A game that Tabia doesn't know, in one file: its rules, and a book of it, built, explored and
//! trimmed. Two players in turn add 1, 2 or 3 to a total, and whoever reaches 21 wins.
//!
//! `cargo run -p tabia-play --example own_game -- [GAMES]`, where GAMES is a text with a game a line,
//! such as `3 2 3 1 3 2 3 1 3 1-0`; without it the games are random ones.
//!
//! What a game is to Tabia is the trait [`Game`]; all else (reading games, counting them, merging,
//! walking, trimming) works on keys and codes and is here already. [`tabia_games::ConnectFour`] is a
//! game with images that count together.

use std::error::Error;
use std::ops::ControlFlow;
use std::path::Path;
use tabia::storage::System;
use tabia::{Book, Companions, Counts, Env, Existing, Keyed, MoveRow, NewBook, Row};
use tabia_archives::lines::LineReader;
use tabia_archives::reading::{Fault, Games, Reads, Stopped};
use tabia_archives::{GameRecord, Wanted};
use tabia_build::{BuildPlan, GameCounter, Occurrence, SortedRows};
use tabia_games::{Chess, Game, GameNames, Known, Node, Outcome, SetupError, Side, Trouble};
use tabia_play::choice::Seed;
use tabia_play::{Order, Solution, Thresholds, Trim, TrimPlan};

/// Who reaches it wins.
const LAST: u8 = 21;

/// A position: the total, and whose turn it is.
#[derive(Clone, Debug)]
pub struct Race {
    total: u8,
    side: Side,
}

impl Race {
    /// Nothing is added yet.
    pub fn start() -> Self {
        Self { total: 0, side: Side::First }
    }
}

impl Game for Race {
    /// What is added.
    type Move = u8;

    fn names(&self) -> GameNames {
        GameNames { game: "race", keys: "exact", sides: ["First", "Second"], examples: "1, 2 or 3" }
    }

    fn set_up(&self, text: &str) -> Result<Self, SetupError> {
        let text = text.trim();
        let read = || {
            let total = text.split(' ').next()?.parse().ok().filter(|total| *total <= LAST)?;
            let sides = [Side::First, Side::Second].map(|side| Self { total, side });
            sides.into_iter().find(|race| race.setup() == text)
        };
        let start = (text == "startpos").then(Self::start);
        start.or_else(read).ok_or_else(|| SetupError {
            game: self.name(),
            text: text.to_owned(),
            why: "it is no total and side".to_owned(),
            expected: "a total and a side, such as 4 second",
        })
    }

    fn setup(&self) -> String {
        format!("{} {}", self.total, self.sides()[self.side.index()].to_lowercase())
    }

    fn side(&self) -> Side {
        self.side
    }

    /// A key that never collides. Games with more positions take Zobrist's.
    fn key(&self) -> u64 {
        u64::from(self.total) * 2 + self.side.index() as u64
    }

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        moves.clear();
        moves.extend((1..=3).filter(|added| self.total + added <= LAST));
    }

    fn play(&mut self, played: &u8) {
        self.total += played;
        self.side = self.side.other();
    }

    fn image(&self, played: &u8, _symmetry: u32) -> u16 {
        (*played).into()
    }

    fn read_move(&self, text: &[u8]) -> Result<u8, Trouble> {
        let [digit @ b'1'..=b'3'] = text else { return Err(Trouble::Unreadable) };
        let added = digit - b'0';
        (self.total + added <= LAST).then_some(added).ok_or(Trouble::Illegal)
    }

    fn notation(&self, played: &u8) -> String {
        played.to_string()
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.total == LAST).then(|| Outcome::won_by(self.side.other()))
    }

    fn diagram(&self) -> String {
        format!("{}\n", self.total)
    }
}

/// Counts the positions and moves of games as they are read, and keeps what is wrong with others.
struct Taker<'a> {
    counter: GameCounter<'a, Occurrence>,
    faults: Vec<String>,
}

impl Games for Taker<'_> {
    fn played(&mut self, _at: usize, game: &GameRecord) -> Result<(), Stopped> {
        Ok(self.counter.add(game)?)
    }

    fn skipped(&mut self, at: usize, fault: Fault, _players: String) {
        self.faults.push(format!("byte {at}: {}", fault.detail));
    }
}

/// Builds a book of the games in a text, one a line; with what is wrong with skipped games.
///
/// # Errors
/// The system's, from writing.
pub fn build(text: &str, path: &Path) -> Result<(Book, Vec<String>), Box<dyn Error>> {
    let start = Race::start();
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

/// The moves that a book knows at a position, those played most often first, with their counts.
///
/// # Errors
/// Those of reading the book.
pub fn explore(book: &Book, node: &Node<Race>) -> tabia::Result<Vec<(String, Counts)>> {
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
pub fn trim(book: &Book, path: &Path) -> Result<u64, tabia_play::Error> {
    let own =
        Thresholds { min_games: 5, keep: Some(1), order: Order::Bound, ..Thresholds::default() };
    let solution = Solution { sides: vec![Side::First], reply: Thresholds::default() };
    let plan = TrimPlan { own, solution: Some(solution), max_ply: None, packed: false };
    let watch = |_| ControlFlow::Continue(());
    let trim = Trim::by_walk(book, plan, &[Race::start()], &watch)?;
    let stats = trim.stats(&watch)?;
    trim.write(&stats, &Env::default(), path, true, Companions::default())?;
    Ok(stats.moves.map_or(0, |moves| moves.kept))
}

/// Random games, a line each.
pub fn played(games: u32) -> String {
    let (mut random, mut text) = (Seed::default().of_game(), String::from("# random games\n"));
    for _ in 0..games {
        let (mut race, mut legal) = (Race::start(), Vec::new());
        race.legal_moves(&mut legal);
        while !legal.is_empty() {
            let played = legal[random.below(legal.len() as u64) as usize];
            text += &format!("{played} ");
            race.play(&played);
            race.legal_moves(&mut legal);
        }
        text += if race.side == Side::Second { "1-0\n" } else { "0-1\n" };
    }
    text
}

fn main() -> Result<(), Box<dyn Error>> {
    let text =
        std::env::args().nth(1).map_or_else(|| Ok(played(20_000)), std::fs::read_to_string)?;
    let folder = tempfile::tempdir()?;
    let (book, faults) = build(&text, &folder.path().join("games.tabia"))?;
    faults.iter().for_each(|fault| println!("skipped: {fault}"));
    let root = Node::start(Race::start(), book.header().keyed == Keyed::Line);
    for (played, counts) in explore(&book, &root)? {
        let (games, wins) = (counts.games(), f64::from(counts.wins));
        println!("{played} {games:>8} games, won {:>4.1} %", 100.0 * wins / games as f64);
    }
    let kept = trim(&book, &folder.path().join("first.tabia"))?;
    println!("{kept} moves are what the first player needs");
    Ok(())
}
