//! The best games that pass a position, found by walking down a book from there.
//!
//! The column `game` names the best game behind each move. A walk that goes on at the best game
//! named so far therefore comes to every game of the position before any worse one: each move that
//! a game makes from the position on names that game or a better one. What is named below may have
//! come there by another way, so each game is replayed. A game that no move names, since another
//! one makes all its moves and is better, is found where it ends, by the file's list of ends.

use crate::choice::RowLookup;
use std::collections::{BinaryHeap, HashSet};
use tabia::bytes::Bytes;
use tabia::{BestGame, Book, Fact, Keyed, MoveRow, Row, Source};
use tabia_gamefile::{GameFileError, GameLookup, StoredGame, end_of_key};
use tabia_games::{Game, Node, Replay, Side};

/// Which games of a position are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TopGamesPlan {
    /// How many at most.
    pub count: usize,
    /// Within how many plies of a game the book counts, and games pass positions; all if none.
    pub max_ply: Option<u32>,
    /// The side whose moves alone the book has, if it is a book for one.
    pub side: Option<Side>,
    /// How many moves of the book are looked at, at most: below a rare position that leads into a
    /// frequent one there are many games that didn't pass it.
    pub most_rows: u64,
}

impl Default for TopGamesPlan {
    fn default() -> Self {
        Self { count: 10, max_ply: None, side: None, most_rows: 200_000 }
    }
}

impl TopGamesPlan {
    /// The plan for a book, by what it says of how its archives were read; `sides` are the names of
    /// the first and the second player, as [`Game::sides`] gives them.
    ///
    /// # Errors
    /// As [`Book::facts`].
    pub fn of_book<S: Bytes>(book: &Book<S>, sides: [&str; 2]) -> tabia::Result<Self> {
        let (sources, facts) = (book.sources()?, book.facts()?);
        // What all archives were read with.
        let option = |name: &str| {
            let of = |source: &Source| {
                let is_it = |fact: &&Fact| {
                    fact.subject() == source.digest
                        && fact.name().strip_prefix(Fact::PLAN) == Some(name)
                };
                facts.iter().find(is_it).map(|fact| fact.value().to_owned())
            };
            let values: Option<Vec<String>> = sources.iter().map(of).collect();
            values.unwrap_or_default()
        };
        let max_ply = option("max-ply").iter().filter_map(|plies| plies.parse().ok()).max();
        let colors = option("side");
        let is_one = colors.windows(2).all(|pair| pair[0] == pair[1]);
        let color = colors.first().filter(|_| is_one);
        let is_first = color.map(|color| color.eq_ignore_ascii_case(sides[0]));
        let side = is_first.map(|is_first| if is_first { Side::First } else { Side::Second });
        Ok(Self { max_ply, side, ..Self::default() })
    }
}

/// A game that passes a position.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TopGame<G: Game> {
    /// The game.
    pub game: StoredGame,
    /// After how many plies it comes to the position first.
    pub plies: usize,
    /// The move it makes there, on the board that was asked for; none if it ends there.
    pub played: Option<G::Move>,
}

/// The best games that pass a position.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TopGames<G: Game> {
    /// The games, the best first: by rank, then by digest.
    pub games: Vec<TopGame<G>>,
    /// Games that moves name and that are not there.
    pub missing: u64,
    /// Whether the walk came to its end. If not, there may be other games, and better ones.
    pub is_complete: bool,
    /// How many moves of the book were looked at.
    pub rows: u64,
}

impl<G: Game> TopGames<G> {
    /// The best games of a file that pass this node of a book, in whatever order of moves (in a book
    /// keyed by line: by just these moves).
    ///
    /// They are those of greatest [`StoredGame::order`] among all games of the file that the book
    /// counts there, if it has all their moves (not trimmed, nor built with `--min-games`).
    ///
    /// # Errors
    /// Those of the book and the file.
    pub fn of(
        rows: &dyn RowLookup,
        file: &dyn GameLookup,
        node: &Node<G>,
        plan: &TopGamesPlan,
    ) -> Result<Self, GameFileError> {
        let top = Self { games: Vec::new(), missing: 0, is_complete: true, rows: 0 };
        // Once as many games are found as the book counts there can be no more.
        let counted = match rows.position(node.key)? {
            Some(row) => usize::try_from(row.counts().games()).unwrap_or(usize::MAX),
            None => usize::MAX,
        };
        let mut walk = Walk {
            rows,
            file,
            asked: node,
            plan,
            wanted: plan.count.min(counted),
            nodes: Vec::new(),
            seen: HashSet::new(),
            judged: HashSet::new(),
            heap: BinaryHeap::new(),
            top,
        };
        if walk.wanted > 0 {
            walk.expand(node.clone(), (u16::MAX, u64::MAX))?;
            walk.run()?;
        }
        Ok(walk.top)
    }
}

/// Rank and digest of a game.
type Order = (u16, u64);

/// Something that may lead to games no better than its bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    bound: Order,
    what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    /// A move of a node, by its code, for which there is no row: nothing is named.
    Unknown { node: usize, code: u16 },
    /// A move of a node that names the game of the bound; whether other games made it.
    Row { node: usize, code: u16, has_others: bool },
    /// A game that ends somewhere.
    Ends,
}

struct Walk<'w, G: Game> {
    rows: &'w dyn RowLookup,
    file: &'w dyn GameLookup,
    asked: &'w Node<G>,
    plan: &'w TopGamesPlan,
    /// How many games there can be.
    wanted: usize,
    nodes: Vec<Node<G>>,
    /// Their keys.
    seen: HashSet<u64>,
    /// Games that were looked at.
    judged: HashSet<u64>,
    heap: BinaryHeap<Candidate>,
    top: TopGames<G>,
}

impl<G: Game> Walk<'_, G> {
    fn run(&mut self) -> Result<(), GameFileError> {
        while self.top.games.len() < self.wanted {
            let Some(Candidate { bound, what }) = self.heap.pop() else { return Ok(()) };
            self.top.rows += 1;
            if self.top.rows > self.plan.most_rows {
                self.top.is_complete = false;
                return Ok(());
            }
            match what {
                What::Ends => self.judge(bound.1)?,
                What::Row { node, code, has_others } => {
                    self.judge(bound.1)?;
                    if has_others {
                        self.follow(node, code, bound)?;
                    }
                }
                What::Unknown { node, code } => self.follow(node, code, bound)?,
            }
        }
        Ok(())
    }

    /// Takes a game that wasn't looked at before, if it passes the node.
    fn judge(&mut self, digest: u64) -> Result<(), GameFileError> {
        if !self.judged.insert(digest) {
            return Ok(());
        }
        match self.file.find(digest)? {
            Some(game) => self.top.games.extend(self.passing(game)),
            None => self.top.missing += 1,
        }
        Ok(())
    }

    /// The game, if it passes the node within the plies that count.
    fn passing(&self, game: StoredGame) -> Option<TopGame<G>> {
        let (position, by_line) = (&self.asked.position, self.asked.is_by_line());
        let mut replay = Replay::start(position, &game.setup, &game.moves, by_line).ok()?;
        let most = self.plan.max_ply.map_or(usize::MAX, |plies| plies as usize);
        let mut plies = 0;
        loop {
            let next = replay.next_move();
            if replay.node().key == self.asked.key {
                let code = next.filter(|_| plies < most).map(|played| replay.node().code(&played));
                let played = code.and_then(|code| self.asked.move_of_code(code));
                return Some(TopGame { game, plies, played });
            }
            if plies == most {
                return None;
            }
            replay.play(&next?);
            plies += 1;
        }
    }

    /// Goes to the node behind a move.
    fn follow(&mut self, node: usize, code: u16, bound: Order) -> Result<(), GameFileError> {
        let node = &self.nodes[node];
        match node.move_of_code(code).map(|played| node.after(&played)) {
            Some(next) => self.expand(next, bound),
            None => Ok(()),
        }
    }

    /// Takes what is known of a node.
    fn expand(&mut self, node: Node<G>, bound: Order) -> Result<(), GameFileError> {
        if !self.seen.insert(node.key) {
            return Ok(());
        }
        let keyed = if node.is_by_line() { Keyed::Line } else { Keyed::Position };
        let ends = self.file.ending_at(end_of_key(node.key), node.position.keys(), keyed)?;
        for digest in ends {
            if !self.judged.contains(&digest)
                && let Some(game) = self.file.find(digest)?
            {
                self.heap.push(Candidate { bound: game.order(), what: What::Ends });
            }
        }
        let number = self.nodes.len();
        let named = self.rows.best_games(node.key)?;
        let is_others = self.plan.side.is_some_and(|side| side != node.position.side());
        if is_others && named.is_empty() {
            let codes = node.coded_moves().into_iter().map(|(code, _)| code);
            let candidate = |code| Candidate { bound, what: What::Unknown { node: number, code } };
            self.heap.extend(codes.map(candidate));
        }
        let candidate = |(row, game): (MoveRow, BestGame)| Candidate {
            bound: (game.rank, game.digest),
            what: What::Row {
                node: number,
                code: row.code(),
                has_others: row.counts().games() != 1,
            },
        };
        self.heap.extend(named.into_iter().map(candidate));
        self.nodes.push(node);
        Ok(())
    }
}
