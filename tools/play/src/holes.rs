//! What another book knows and this one doesn't: its holes, and how far it covers the other.
//!
//! Both books are walked together from the start, by the other's moves that this book goes on with
//! (see [`crate::Coverage`]). A move of the other book at such a position with which this book
//! doesn't go on is a *hole*, worth the games that the other book has of it.
//!
//! Rows are counted, not games: each once, at the least ply at which its position is reached. The
//! games in this book at a ply are those of the other's moves at the positions reached there, also
//! those that left by a hole and came back. Where none does, and none ends, the shares answered are
//! those of games that are followed. Rows that the other book has dropped can't be counted.

use crate::breadth_first::{BreadthFirst, Place};
use crate::choice::RowLookup;
use crate::coverage::Coverage;
use crate::survey::at;
use crate::tree::games_of;
use crate::watch::Watch;
use std::cmp::Reverse;
use tabia::{Key, Result, Row};
use tabia_games::{Game, Node, Side};

/// How many holes are kept at least until the list is cut.
const FEW: usize = 1024;

/// Where holes are looked for.
#[derive(Clone, Copy, Debug)]
pub struct HolesPlan {
    /// The number of plies within which moves are looked at.
    pub max_ply: u32,
    /// Whose book it is, if it is of one side: that side's moves are no holes.
    pub side: Option<Side>,
    /// How many holes are kept, those with the most games.
    pub count: usize,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Holes {
    /// The holes with the most games, of equal ones those with the shorter lines first.
    pub top: Vec<Hole>,
    /// How many there are in all.
    pub holes: u64,
    /// How many of the other book's games leave this one, and when.
    pub coverage: Coverage,
    /// Positions that both books reach together.
    pub reached: u64,
    /// Moves of the other book that aren't legal where they stand.
    pub illegal: u64,
}

/// A move that this book lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hole {
    /// The moves that lead to its position, as codes.
    pub line: Vec<u16>,
    /// The key of the position.
    pub key: Key,
    /// The move's code.
    pub code: u16,
    /// Its games in the other book.
    pub games: u64,
    /// Whether the book has other moves here; if not, its lines end here.
    pub is_answered: bool,
}

impl Holes {
    /// Looks for the holes of a book of this game in another one, from the start on. Both must have
    /// moves and be of the same keys.
    ///
    /// Memory: 24 bytes for each position that both books reach, and the boards of two plies.
    ///
    /// # Errors
    /// Those of probing; [`tabia::Error::Interrupted`].
    pub fn of<G: Game>(
        book: &dyn RowLookup,
        other: &dyn RowLookup,
        root: &Node<G>,
        plan: &HolesPlan,
        watch: Watch<'_>,
    ) -> Result<Self> {
        let row = other.position(root.key)?.map_or(0, |row| row.counts().games());
        let games = if row > 0 { row } else { games_of(&other.moves(root.key)?) };
        let found = Self { coverage: Coverage { games, ..Coverage::default() }, ..Self::default() };
        let walk = BreadthFirst::from(vec![root.clone()]);
        let mut search = Search { book, other, plan, walk, places: Vec::new(), found };
        while let Some(place) = search.walk.next(watch)?.filter(|place| place.ply < plan.max_ply) {
            search.expand(&place)?;
        }
        Ok(search.finish())
    }
}

struct Search<'a, G> {
    book: &'a dyn RowLookup,
    other: &'a dyn RowLookup,
    plan: &'a HolesPlan,
    walk: BreadthFirst<G>,
    /// Holes without their lines, with the numbers of their positions and the plies before them.
    places: Vec<(u32, u32, Hole)>,
    found: Holes,
}

impl<G: Game> Search<'_, G> {
    /// Looks at the other book's moves of a position.
    fn expand(&mut self, place: &Place<G>) -> Result<()> {
        let Place { node, ply, number } = place;
        let ours = self.book.moves(node.key)?;
        let mut rows = self.other.moves(node.key)?.into_owned();
        // So that a position is reached by the move that most games come by.
        rows.sort_by_key(|row| (Reverse(row.counts().games()), row.code()));
        for row in rows {
            let Some(played) = node.move_of_code(row.code()) else {
                self.found.illegal += 1;
                continue;
            };
            let after = node.after(&played);
            let games = row.counts().games();
            *at(&mut self.found.coverage.on, *ply as usize) += games;
            let is_ours = ours.binary_search_by_key(&row.code(), |ours| ours.code()).is_ok();
            if is_ours || !self.book.moves(after.key)?.is_empty() {
                // More positions than can be numbered don't fit into memory.
                let _ = self.walk.arrive(place, row.code(), after);
                continue;
            }
            let is_own = self.plan.side == Some(node.position.side());
            self.found.coverage.leaves(*ply as usize, is_own, games);
            if !is_own {
                let (key, code, is_answered) = (node.key, row.code(), !ours.is_empty());
                let hole = Hole { line: Vec::new(), key, code, games, is_answered };
                self.found.holes += 1;
                self.places.push((*number, *ply, hole));
                if self.places.len() / 2 > self.plan.count.max(FEW) {
                    self.keep_top();
                }
            }
        }
        Ok(())
    }

    fn keep_top(&mut self) {
        self.places.sort_unstable_by_key(|(_, ply, hole)| {
            (Reverse(hole.games), *ply, hole.key, hole.code)
        });
        self.places.truncate(self.plan.count);
    }

    fn finish(mut self) -> Holes {
        self.keep_top();
        let lined =
            |(number, _, hole): (u32, u32, Hole)| Hole { line: self.walk.codes(number), ..hole };
        let top = self.places.into_iter().map(lined).collect();
        Holes { top, reached: self.walk.reached(), ..self.found }
    }
}
