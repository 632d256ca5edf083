//! Walking through books from the start of the game, along shortest lines, to find which line leads
//! to a position: rows know only keys.

use crate::choice::RowLookup;
use crate::explore::Numbers;
use crate::text::lines::{named, replayed};
use crate::watch::{Step, Watch, report};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::ops::ControlFlow;
use tabia::{Result, Row, TableKind};
use tabia_games::{Game, Node};

/// The most positions that are gone to, so that large books end, too.
const MOST: usize = 200_000;
/// How many positions are gone to between reports of progress.
const REPORT_EVERY: u64 = 256;

/// A walk through one book or several as if they were one, breadth first: by the fewest plies, and
/// of as many by the moves with the most games. It goes to 200,000 positions at most.
pub(crate) struct Passage<'a, G> {
    books: &'a [&'a dyn RowLookup],
    start: &'a Node<G>,
    numbers: Numbers,
    /// Every position that was reached: from which place, and by the move with this code.
    ways: Vec<(u32, u16)>,
    reached: HashSet<u64>,
    next: VecDeque<(u32, u32, Node<G>)>,
}

/// A position on the way.
pub(crate) struct Stop<'a, G> {
    pub node: &'a Node<G>,
    passage: &'a Passage<'a, G>,
    place: u32,
    ply: u32,
}

impl<G: Game> Stop<'_, G> {
    /// The moves that lead there from the start, as people write them, with their numbers.
    pub fn line(&self) -> String {
        let Passage { start, numbers, ways, .. } = self.passage;
        let replayed = replayed(start, &way_to(ways, 1, self.place).1);
        replayed.map_or_else(String::new, |(_, moves)| numbers.line(0, &moves))
    }

    /// The line with a move of this position at its end, if it is legal here.
    pub fn line_with(&self, code: u16) -> Option<String> {
        let moved = self.moved(code, self.ply == 0)?;
        Some([self.line(), moved].join(" ").trim().to_owned())
    }

    /// A move of this position, if it is legal here; with its number if it opens what is said.
    pub fn moved(&self, code: u16, opens: bool) -> Option<String> {
        let name = named(self.node, code)?;
        Some(self.passage.numbers.moved(self.ply as usize, &name, opens))
    }
}

impl<'a, G: Game> Passage<'a, G> {
    /// A walk that begins here.
    pub fn new(books: &'a [&'a dyn RowLookup], start: &'a Node<G>) -> Self {
        Self {
            books,
            start,
            numbers: Numbers::after(start.position.side(), 0),
            ways: vec![(0, 0)],
            reached: HashSet::from([start.key]),
            next: VecDeque::from([(0, 0, start.clone())]),
        }
    }

    /// Goes on until `arrive` has seen enough or there is nothing more.
    pub fn run(
        mut self,
        watch: Watch<'_>,
        mut arrive: impl FnMut(&Stop<'_, G>) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        let mut gone = 0;
        while let Some((place, ply, node)) = self.next.pop_front() {
            if gone % REPORT_EVERY == 0 {
                report(watch, Step::Walking { reached: gone, ply })?;
            }
            gone += 1;
            if arrive(&Stop { node: &node, passage: &self, place, ply })?.is_break() {
                break;
            }
            for code in self.codes(&node)? {
                self.follow(place, ply, &node, code);
            }
        }
        Ok(())
    }

    /// Comes to where a move leads, if it is legal and leads to another position.
    fn follow(&mut self, place: u32, ply: u32, node: &Node<G>, code: u16) {
        let Some(played) = node.move_of_code(code) else { return };
        let next = node.after(&played);
        if self.reached.len() < MOST && self.reached.insert(next.key) {
            self.next.push_back((self.ways.len() as u32, ply + 1, next));
            self.ways.push((place, code));
        }
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

/// Where the way to a place began, which is one of so many roots, and the codes of the moves from
/// there. Of every other place `ways` says from which it was reached, and by which move.
pub(crate) fn way_to(ways: &[(u32, u16)], roots: usize, mut place: u32) -> (usize, Vec<u16>) {
    let mut codes = Vec::new();
    while place as usize >= roots {
        let (before, code) = ways[place as usize];
        codes.push(code);
        place = before;
    }
    codes.reverse();
    (place as usize, codes)
}
