//! Walking through books from the start of the game, along shortest lines, to find which line leads
//! to a position: rows know only keys.

use crate::breadth_first::{BreadthFirst, Place};
use crate::choice::RowLookup;
use crate::explore::Numbers;
use crate::text::lines::named;
use crate::watch::Watch;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use tabia::{Result, Row, TableKind};
use tabia_games::{Game, Node};

/// The most positions that are gone to, so that large books end, too.
const MOST: u64 = 200_000;

/// A walk through one book or several as if they were one, breadth first: by the fewest plies, and
/// of as many by the moves with the most games. It goes to 200,000 positions at most.
pub(crate) struct Passage<'a, G> {
    books: &'a [&'a dyn RowLookup],
    numbers: Numbers,
    walk: BreadthFirst<G>,
}

/// A position on the way.
pub(crate) struct Stop<'a, G> {
    pub node: &'a Node<G>,
    place: &'a Place<G>,
    passage: &'a Passage<'a, G>,
}

impl<G: Game> Stop<'_, G> {
    /// The moves that lead there from the start, as people write them, with their numbers.
    pub fn line(&self) -> String {
        self.passage.numbers.line(0, &self.passage.walk.line(self.place.number))
    }

    /// The line with a move of this position at its end, if it is legal here.
    pub fn line_with(&self, code: u16) -> Option<String> {
        let moved = self.moved(code, self.place.ply == 0)?;
        Some([self.line(), moved].join(" ").trim().to_owned())
    }

    /// A move of this position, if it is legal here; with its number if it opens what is said.
    pub fn moved(&self, code: u16, opens: bool) -> Option<String> {
        let name = named(self.node, code)?;
        Some(self.passage.numbers.moved(self.place.ply as usize, &name, opens))
    }
}

impl<'a, G: Game> Passage<'a, G> {
    /// A walk that begins here.
    pub fn new(books: &'a [&'a dyn RowLookup], start: Node<G>) -> Self {
        let numbers = Numbers::after(start.position.side(), 0);
        Self { books, numbers, walk: BreadthFirst::from(vec![start]) }
    }

    /// Goes on until `arrive` has seen enough or there is nothing more.
    pub fn run(
        mut self,
        watch: Watch<'_>,
        mut arrive: impl FnMut(&Stop<'_, G>) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        while let Some(place) = self.walk.next(watch)? {
            let node = &place.node;
            if arrive(&Stop { node, place: &place, passage: &self })?.is_break() {
                break;
            }
            for code in self.codes(node)? {
                if self.walk.reached() < MOST
                    && let Some(played) = node.move_of_code(code)
                {
                    self.walk.arrive(&place, code, node.after(&played));
                }
            }
        }
        Ok(())
    }

    /// The moves that the books have here, those with the most games first. Where a book has no
    /// moves, those that lead to positions it has.
    fn codes(&self, node: &Node<G>) -> Result<Vec<u16>> {
        let mut games: BTreeMap<u16, u64> = BTreeMap::new();
        for book in self.books {
            if book.has(TableKind::Moves) {
                for row in book.moves(node.key)?.iter() {
                    *games.entry(row.code()).or_default() += row.counts().games();
                }
                continue;
            }
            for played in node.position.legal() {
                if let Some(row) = book.position(node.after(&played).key)? {
                    *games.entry(node.code(&played)).or_default() += row.counts().games();
                }
            }
        }
        let mut codes: Vec<(u16, u64)> = games.into_iter().collect();
        codes.sort_by_key(|&(code, games)| (Reverse(games), code));
        Ok(codes.into_iter().map(|(code, _)| code).collect())
    }
}
