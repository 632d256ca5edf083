//! Writing a book as a tree: its graph is unrolled from the start, the move of most games first,
//! until the limits are reached.

use super::{DEEPEST, FIRST, Header, Node, left_out};
use crate::chess::Move;
use crate::lost::Written;
use crate::row::{is_judged, is_rated, needs_moves, seen_from};
use crate::{Losses, WriteError};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::io::Write;
use std::ops::Range;
use tabia::stream::{RowSet, Rows};
use tabia::{Key, Keyed, Marks, MoveRow, ReadBook, Row, WithCells};
use tabia_games::{Chess, Game, Node as Place, Side};

/// The most nodes, so that slots are numbers of 31 bits.
const MOST_NODES: usize = i32::MAX as usize - FIRST as usize;

/// Limits of the size of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most moves of a line, at most [`DEEPEST`].
    pub plies: usize,
    /// The most nodes, of 28 bytes in the file. All moves beside them are held in memory too.
    pub nodes: usize,
    /// The most moves of a position, those of most games.
    pub breadth: usize,
    /// The least games of a move.
    pub games: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { plies: 60, nodes: 1_000_000, breadth: 256, games: 0 }
    }
}

/// Writes a chess book from the usual start as an Arena book, with the comment and the author of this
/// header. Of a book keyed by position a
/// transposition is in the tree once for each line that leads there, each time with all of its
/// games.
///
/// Nodes are chosen best first: those of most games, of equally many the shorter line, then in the
/// order of the book's moves, which are by games, then by code. So what the limits cut off is what
/// was played least. A line goes on until the book has no further moves or, in a book keyed by
/// position, until a position is repeated. In the file a move's replies directly follow it. `watch`
/// receives the number of nodes from time to time; its error ends the work.
///
/// A priority is 5, or what a mark says: 0 `never` and `??`, 1 `?`, 3 `?!`, 6 `!?`, 7 `!`, 8 `!!`,
/// 9 `always`, the first of these that is there.
///
/// # Errors
/// [`WriteError`].
pub fn write(
    book: &dyn ReadBook,
    header: Header,
    limits: Limits,
    mut out: impl Write,
    watch: impl Fn(u64) -> tabia::Result<()>,
) -> Result<Written, WriteError> {
    if book.header().game.as_str() != Chess::start().name() {
        let game = book.header().game.as_str().to_owned();
        return Err(WriteError::Game(book.path().to_owned(), game));
    }
    needs_moves(book)?;
    let limits =
        Limits { plies: limits.plies.min(DEEPEST), nodes: limits.nodes.min(MOST_NODES), ..limits };
    let mut tree = Tree::new(book, limits);
    tree.grow(watch)?;
    let order = tree.number();
    let header = Header {
        plies: tree.written.plies as u32,
        nodes: tree.written.nodes as u32,
        least_games: u32::try_from(limits.games).unwrap_or(u32::MAX),
        ..header
    };
    out.write_all(&header.to_bytes())?;
    for index in order {
        out.write_all(&tree.node(index).to_bytes())?;
    }
    out.flush()?;
    Ok(tree.written)
}

/// A move that may become a node.
struct Candidate {
    /// The candidate that it follows; none at the start.
    parent: Option<u32>,
    played: Move,
    row: MoveRow,
    is_rated: bool,
    plies: u16,
    is_chosen: bool,
    /// Where it is in the file.
    slot: Option<u32>,
    /// The candidates after it, most games first.
    replies: Range<u32>,
}

/// The candidates of most games come first, then those of shorter lines, then those found first.
type Rank = (u64, Reverse<u16>, Reverse<u32>);

struct Tree<'a> {
    book: &'a dyn ReadBook,
    limits: Limits,
    candidates: Vec<Candidate>,
    queue: BinaryHeap<Rank>,
    start: Place<Chess>,
    first: Range<u32>,
    met: HashSet<Key>,
    written: Written,
}

impl<'a> Tree<'a> {
    fn new(book: &'a dyn ReadBook, limits: Limits) -> Self {
        Self {
            book,
            limits,
            candidates: Vec::new(),
            queue: BinaryHeap::new(),
            start: Place::start(Chess::start(), book.header().keyed == Keyed::Line),
            first: 0..0,
            met: HashSet::new(),
            written: Written { lost: Losses::new(left_out::ALL), ..Written::default() },
        }
    }

    fn grow(&mut self, watch: impl Fn(u64) -> tabia::Result<()>) -> Result<(), WriteError> {
        self.first = self.expand(&self.walk(None), None)?;
        while self.written.nodes < self.limits.nodes as u64 {
            let Some((.., Reverse(index))) = self.queue.pop() else { break };
            self.choose(index)?;
            watch(self.written.nodes)?;
        }
        self.count_unwritten()
    }

    /// Makes a candidate a node, and its replies candidates.
    fn choose(&mut self, index: u32) -> Result<(), WriteError> {
        let candidate = &mut self.candidates[index as usize];
        candidate.is_chosen = true;
        let plies = usize::from(candidate.plies);
        self.written.nodes += 1;
        self.written.plies = self.written.plies.max(plies);
        let walked = self.walk(Some(index));
        if walked.comes_back && self.book.header().keyed == Keyed::Position {
            self.written.lost.add(left_out::REPEATED, 1);
        } else if plies < self.limits.plies {
            self.candidates[index as usize].replies = self.expand(&walked, Some(index))?;
        }
        Ok(())
    }

    /// The moves that the book has after a line, as candidates.
    fn expand(&mut self, walked: &Walked, parent: Option<u32>) -> Result<Range<u32>, WriteError> {
        let key = walked.place.key;
        if self.met.insert(key) {
            let is_judged = self.book.position(key)?.as_ref().is_some_and(is_judged);
            self.written.lost.add(left_out::JUDGED, u64::from(is_judged));
        }
        let from = self.candidates.len() as u32;
        if self.limits.plies == 0 {
            return Ok(from..from);
        }
        for (WithCells { row, cells }, played) in self.moves(&walked.place)? {
            // More than can be numbered are never chosen either.
            let Ok(index) = u32::try_from(self.candidates.len()) else { break };
            let plies = walked.before.len() as u16 + 1;
            self.queue.push((row.counts().games(), Reverse(plies), Reverse(index)));
            self.candidates.push(Candidate {
                parent,
                played,
                row,
                is_rated: is_rated(&cells),
                plies,
                is_chosen: false,
                slot: None,
                replies: 0..0,
            });
        }
        Ok(from..self.candidates.len() as u32)
    }

    /// The moves within the limits, most games first.
    fn moves(
        &mut self,
        place: &Place<Chess>,
    ) -> Result<Vec<(WithCells<MoveRow>, Move)>, WriteError> {
        let rows = self.book.moves_with_cells(place.key)?;
        let mut legal = Vec::new();
        if !rows.is_empty() {
            place.position.legal_moves(&mut legal);
        }
        let mut moves = Vec::with_capacity(rows.len().min(legal.len()));
        for found in rows {
            match legal.iter().find(|played| place.code(played) == found.row.code()) {
                Some(played) if found.row.counts().games() >= self.limits.games => {
                    moves.push((found, *played))
                }
                Some(_) => {}
                None => self.written.lost.add(left_out::ILLEGAL, 1),
            }
        }
        moves.sort_by_key(|(found, _)| (Reverse(found.row.counts().games()), found.row.code()));
        moves.truncate(self.limits.breadth);
        Ok(moves)
    }

    /// The line that ends with a candidate.
    fn walk(&self, mut end: Option<u32>) -> Walked {
        let mut moves = Vec::new();
        while let Some(index) = end {
            moves.push(self.candidates[index as usize].played);
            end = self.candidates[index as usize].parent;
        }
        let start = self.start.clone();
        let mut walked = Walked { place: start, before: Vec::new(), comes_back: false };
        moves.iter().rev().for_each(|played| walked.play(played));
        walked
    }

    /// Counts the book's moves that became no node.
    fn count_unwritten(&mut self) -> Result<(), WriteError> {
        let chosen = self.candidates.iter().filter(|candidate| candidate.is_chosen);
        let written: HashSet<(tabia::Hash, u16)> =
            chosen.map(|candidate| candidate.row.rank()).collect();
        let all = RowSet::<MoveRow>::rows(self.book)?.count()?;
        self.written.lost.add(left_out::UNWRITTEN, all.saturating_sub(written.len() as u64));
        Ok(())
    }

    /// Gives the nodes their slots: each with all after it, then the next one beside it. They are
    /// returned in that order.
    fn number(&mut self) -> Vec<u32> {
        let (mut order, mut open) = (Vec::new(), vec![self.first.clone()]);
        while let Some(last) = open.last_mut() {
            let Some(index) = last.next() else {
                open.pop();
                continue;
            };
            let candidate = &mut self.candidates[index as usize];
            if candidate.is_chosen {
                candidate.slot = Some(FIRST + order.len() as u32);
                order.push(index);
                open.push(candidate.replies.clone());
            }
        }
        order
    }

    /// The slot of the first of some candidates that is a node.
    fn first_slot(&self, candidates: Range<u32>) -> Option<u32> {
        let candidates = &self.candidates[candidates.start as usize..candidates.end as usize];
        candidates.iter().find_map(|candidate| candidate.slot)
    }

    fn node(&mut self, index: u32) -> Node {
        let candidate = &self.candidates[index as usize];
        let beside = candidate
            .parent
            .map_or(&self.first, |parent| &self.candidates[parent as usize].replies);
        let position = self.walk(candidate.parent).place.position;
        let (row, side) = (candidate.row, position.side());
        let whites = seen_from(Side::First, row.counts(), side);
        let games = u32::try_from(whites.games());
        let node = Node {
            priority: priority(row.marks()),
            games: games.unwrap_or(u32::MAX),
            won: whites.wins,
            lost: whites.losses,
            child: self.first_slot(candidate.replies.clone()),
            sibling: self.first_slot(index + 1..beside.end),
            ..Node::default()
        };
        let node = node.playing(&position, &candidate.played);
        self.written.lost.add(left_out::SATURATED, u64::from(games.is_err()));
        self.written.lost.add(left_out::MARKED, u64::from(!Marks::NEVER.contains(row.marks())));
        self.written.lost.add(left_out::RATED, u64::from(candidate.is_rated));
        node
    }
}

/// A line from the start.
struct Walked {
    place: Place<Chess>,
    /// The keys of all positions before the last.
    before: Vec<Key>,
    /// The last is one of them.
    comes_back: bool,
}

impl Walked {
    fn play(&mut self, played: &Move) {
        self.before.push(self.place.position.key());
        self.place = self.place.after(played);
        self.comes_back = self.before.contains(&self.place.position.key());
    }
}

fn priority(marks: Marks) -> u8 {
    let told = [
        (Marks::NEVER, 0),
        (Marks::ALWAYS, 9),
        (Marks::BLUNDER, 0),
        (Marks::BAD, 1),
        (Marks::DUBIOUS, 3),
        (Marks::BRILLIANT, 8),
        (Marks::GOOD, 7),
        (Marks::INTERESTING, 6),
    ];
    told.into_iter().find(|&(mark, _)| marks.contains(mark)).map_or(5, |(_, priority)| priority)
}
