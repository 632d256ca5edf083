//! How far games stay in a book.
//!
//! A book *goes on* with a move at a position if it has that move there, or has any move at the
//! position that the move leads to: so a game that transposes into the book is in it. A game is in
//! the book as long as the book goes on with its moves; it leaves with the first that the book
//! doesn't go on with, and the position where that was played is an *exit*. A game that ends before
//! is in the book to its end.
//!
//! In a book of one side (a solution tree, a repertoire) that side plays the book's moves. Games
//! that leave by its moves say nothing of how well the book answers, and are counted apart.

use crate::explore::{Explorable, OpenBook};
use crate::move_graph::MoveGraph;
use crate::survey::at;
use crate::thresholds::Thresholds;
use crate::trim::check_moves;
use crate::watch::Watch;
use std::cmp::Reverse;
use std::collections::HashMap;
use tabia::{Key, Result, mix};
use tabia_games::Side;

/// How many games left a book, and after how many plies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// All games.
    pub games: u64,
    /// By the number of plies that were played before: those that were in the book so far.
    pub on: Vec<u64>,
    /// Of these, those that left with the next ply, by a move that the book should have known.
    pub left: Vec<u64>,
    /// Those that left with it by a move of the book's own side.
    pub own: Vec<u64>,
}

impl Coverage {
    /// The share of games, from 0 to 1, that the book answers for so many plies if its own side
    /// plays its moves: the product, over these plies, of the share of games in the book that
    /// didn't leave with the ply by a move that it should have known.
    ///
    /// If the book is of both sides, and games were followed, this is the share of all games that
    /// didn't leave within these plies.
    pub fn answered(&self, plies: usize) -> f64 {
        let stays =
            |(&left, &on): (&u64, &u64)| if on == 0 { 1.0 } else { 1.0 - left as f64 / on as f64 };
        self.left.iter().zip(&self.on).take(plies).map(stays).product()
    }

    /// After how many plies the last game left; 0 if none did.
    pub fn plies(&self) -> usize {
        self.left.len().max(self.own.len())
    }

    /// Counts a game that leaves after so many plies.
    pub(crate) fn leaves(&mut self, plies: usize, is_own: bool, games: u64) {
        *at(if is_own { &mut self.own } else { &mut self.left }, plies) += games;
    }
}

/// All moves of a book, about twelve bytes each. It can be asked from several threads.
#[derive(Debug)]
pub struct KnownMoves(MoveGraph);

impl KnownMoves {
    /// Reads them.
    ///
    /// # Errors
    /// [`tabia::Error::NoTable`] if the book has no moves; those of reading it;
    /// [`tabia::Error::Interrupted`].
    pub fn read(book: &OpenBook, watch: Watch<'_>) -> Result<Self> {
        check_moves(book.rows(), book.first().path())?;
        MoveGraph::read(book.read(), &Thresholds::default(), None, watch).map(Self)
    }

    /// Whether the book has a move at this position.
    pub fn answers(&self, key: Key) -> bool {
        !self.0.moves(mix(key)).is_empty()
    }

    /// Whether it has the move with this code there.
    pub fn has(&self, key: Key, code: u16) -> bool {
        self.0.look(mix(key), code).0.is_some()
    }

    /// Bytes of memory it takes.
    pub fn bytes(&self) -> u64 {
        self.0.bytes()
    }
}

/// A ply of a game, as books know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// The key of the position, or of the line that led there.
    pub key: Key,
    /// The move's code.
    pub code: u16,
    /// Who plays it.
    pub side: Side,
}

/// Where a game stands among all: the number of its archive, and its place there. The order in which
/// games are followed makes no difference.
pub type GameNumber = (u32, u64);

/// A position where games leave a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exit {
    /// What the book knows it by.
    pub key: Key,
    /// What was played up to there by the first of the games, as codes.
    pub line: Box<[u16]>,
    /// The key of the position that this game started from.
    pub from: Key,
    /// Where this game stands among all.
    pub first: GameNumber,
    /// Games that left the book here.
    pub games: u64,
    /// The moves they left by, as codes, with their games: the most games first, then by code.
    pub moves: Vec<(u16, u64)>,
    /// Whether the book has other moves here; if not, its lines end here.
    pub is_answered: bool,
}

/// Follows games through a book, and counts where they leave: some hundred bytes for each exit.
#[derive(Debug)]
pub struct GamesInBook<'a> {
    known: &'a KnownMoves,
    side: Option<Side>,
    coverage: Coverage,
    /// Games that left, and came later to a position again at which the book has a move.
    pub returned: u64,
    exits: HashMap<Key, Exit>,
}

impl<'a> GamesInBook<'a> {
    /// Before the first game. `side` is whose book it is, if it is of one side.
    pub fn new(known: &'a KnownMoves, side: Option<Side>) -> Self {
        let exits = HashMap::new();
        Self { known, side, coverage: Coverage::default(), returned: 0, exits }
    }

    /// Follows a game that ends at the key `last`; after how many plies it left the book, if it
    /// did.
    pub fn game(&mut self, plies: &[PlayedMove], last: Key, number: GameNumber) -> Option<usize> {
        self.coverage.games += 1;
        let next = |place: usize| plies.get(place + 1).map_or(last, |ply| ply.key);
        let goes_on = |place: usize| {
            let ply = plies[place];
            self.known.has(ply.key, ply.code) || self.known.answers(next(place))
        };
        let left = (0..plies.len()).find(|&place| !goes_on(place))?;
        let returns = (left + 1..plies.len()).any(|place| self.known.answers(next(place)));
        self.returned += u64::from(returns);
        let is_own = self.side == Some(plies[left].side);
        self.coverage.leaves(left, is_own, 1);
        if !is_own {
            self.exit(plies, left, number);
        }
        Some(left)
    }

    /// Counts the exit of a game that left after these many plies.
    fn exit(&mut self, plies: &[PlayedMove], left: usize, number: GameNumber) {
        let PlayedMove { key, code, .. } = plies[left];
        let line = || plies[..left].iter().map(|ply| ply.code).collect();
        let exit = self.exits.entry(key).or_insert_with(|| Exit {
            key,
            line: line(),
            from: plies[0].key,
            first: number,
            games: 0,
            moves: Vec::new(),
            is_answered: self.known.answers(key),
        });
        if number < exit.first {
            (exit.line, exit.from, exit.first) = (line(), plies[0].key, number);
        }
        exit.add(code, 1);
    }

    /// What these and others found together, as if one had followed all games.
    pub fn and(mut self, other: Self) -> Self {
        self.coverage.games += other.coverage.games;
        for (is_own, list) in [(false, &other.coverage.left), (true, &other.coverage.own)] {
            let left = list.iter().enumerate().filter(|it| *it.1 > 0);
            left.for_each(|(plies, &games)| self.coverage.leaves(plies, is_own, games));
        }
        self.returned += other.returned;
        for (key, exit) in other.exits {
            match self.exits.get_mut(&key) {
                Some(mine) => mine.merge(exit),
                None => _ = self.exits.insert(key, exit),
            }
        }
        self
    }

    /// How many games left, and when. A game that ended in the book stays in it.
    pub fn coverage(&self) -> Coverage {
        let mut coverage = self.coverage.clone();
        let mut on = coverage.games;
        for plies in 0..coverage.plies() {
            coverage.on.push(on);
            let of = |list: &[u64]| list.get(plies).copied().unwrap_or(0);
            on -= of(&coverage.left) + of(&coverage.own);
        }
        coverage
    }

    /// How many exits there are.
    pub fn exits(&self) -> usize {
        self.exits.len()
    }

    /// The exits by which most games left, at most so many; of equal ones the shorter lines first.
    pub fn top(&self, count: usize) -> Vec<Exit> {
        let mut all: Vec<&Exit> = self.exits.values().collect();
        all.sort_unstable_by_key(|exit| (Reverse(exit.games), exit.line.len(), exit.key));
        let mut top: Vec<Exit> = all.into_iter().take(count).cloned().collect();
        for exit in &mut top {
            exit.moves.sort_unstable_by_key(|&(code, games)| (Reverse(games), code));
        }
        top
    }
}

impl Exit {
    fn add(&mut self, code: u16, games: u64) {
        self.games += games;
        match self.moves.iter_mut().find(|(other, _)| *other == code) {
            Some((_, sum)) => *sum += games,
            None => self.moves.push((code, games)),
        }
    }

    fn merge(&mut self, other: Self) {
        if other.first < self.first {
            (self.line, self.from, self.first) = (other.line, other.from, other.first);
        }
        other.moves.into_iter().for_each(|(code, games)| self.add(code, games));
    }
}
