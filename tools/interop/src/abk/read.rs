//! Reading a tree as rows: each node once, with the boards of one line in memory.

use super::{DEEPEST, FIRST, Header, NODE, Node, ReadError, START, lost};
use crate::Losses;
use crate::row::{AnyRow, seen_from, sum};
use tabia::{Counts, Keyed, Marks, MoveRow, PositionRow, Results};
use tabia_games::{Chess, Game, Node as Place, Side};

/// The priority of most moves.
const USUAL: u8 = 5;

/// The result of reading an Arena book: what was read, and what was lost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Read {
    /// What the header says.
    pub header: Header,
    /// Nodes that made rows.
    pub nodes: u64,
    /// The moves of the longest line.
    pub plies: usize,
    /// The games of all first moves.
    pub games: u64,
    /// Whether the file says how games ended; if not, all games are draws in the rows.
    pub results: Results,
    /// What the file holds and the rows don't say.
    pub lost: Losses,
}

/// Reads an Arena book, and hands on the rows that it makes, keyed by position or by line. They
/// have to be sorted and merged.
///
/// Each node makes a row for its move, and one for what that leads to; the start has the games of
/// all first moves. Memory: a byte for each node, and the boards of one line, at most [`DEEPEST`].
///
/// # Errors
/// [`ReadError`]; whatever `take` gives.
pub fn read<E: From<ReadError>>(
    bytes: &[u8],
    keyed: Keyed,
    take: impl FnMut(AnyRow) -> Result<(), E>,
) -> Result<Read, E> {
    let header = Header::read(bytes)?;
    let nodes = bytes[START..].as_chunks().0;
    let has_results = nodes.iter().map(Node::read).any(|node| node.won != 0 || node.lost != 0);
    let results = if has_results { Results::Known } else { Results::Unknown };
    let says_never = nodes.iter().map(Node::read).any(|node| node.priority != 0);
    let met = vec![false; nodes.len()];
    let read = Read { header, results, lost: Losses::new(lost::ALL), ..Read::default() };
    let mut reader =
        Reader { nodes, says_never, met, first: Counts::default(), lines: Vec::new(), read, take };
    reader.walk(Place::start(Chess::start(), keyed == Keyed::Line))?;
    Ok(reader.read)
}

/// A position and the next of its moves.
struct Open {
    place: Place<Chess>,
    next: Option<u32>,
}

struct Reader<'a, T> {
    nodes: &'a [[u8; NODE]],
    /// Priority 0 means something.
    says_never: bool,
    met: Vec<bool>,
    /// What all first moves are worth for White.
    first: Counts,
    lines: Vec<Open>,
    read: Read,
    take: T,
}

impl<T: FnMut(AnyRow) -> Result<(), E>, E> Reader<'_, T> {
    fn walk(&mut self, start: Place<Chess>) -> Result<(), E> {
        let (key, next) = (start.key, (!self.nodes.is_empty()).then_some(FIRST));
        self.lines.push(Open { place: start, next });
        while let Some(open) = self.lines.last_mut() {
            match open.next.take() {
                None => drop(self.lines.pop()),
                Some(slot) => self.meet(slot)?,
            }
        }
        self.read.games = self.first.games();
        self.read.lost.add(lost::UNREACHED, self.met.iter().filter(|met| !**met).count() as u64);
        if self.read.nodes > 0 {
            (self.take)(AnyRow::Position(PositionRow::new(key, self.first)))
        } else {
            Ok(())
        }
    }

    /// Comes to a move of the last line.
    fn meet(&mut self, slot: u32) -> Result<(), E> {
        let place = slot.checked_sub(FIRST).map(|place| place as usize);
        let place = place.filter(|&place| self.met.get(place) == Some(&false));
        let (Some(place), Some(open)) = (place, self.lines.last_mut()) else {
            self.read.lost.add(lost::TANGLED, 1);
            return Ok(());
        };
        self.met[place] = true;
        let node = Node::read(&self.nodes[place]);
        open.next = node.sibling;
        if node.is_deleted {
            self.read.lost.add(lost::DELETED, 1);
            return Ok(());
        }
        self.play(&node)
    }

    fn play(&mut self, node: &Node) -> Result<(), E> {
        let Some(Open { place, .. }) = self.lines.last() else { return Ok(()) };
        let Some(played) = node.played(&place.position) else {
            self.read.lost.add(lost::ILLEGAL, 1);
            return Ok(());
        };
        let behind = place.after(&played);
        let (key, code, side) = (place.key, place.code(&played), place.position.side());
        let (whites, marks) = (self.counts(node), self.marks(node));
        let movers = seen_from(side, whites, Side::First);
        (self.take)(MoveRow::new(key, code, movers).with_marks(marks).into())?;
        let others = seen_from(behind.position.side(), whites, Side::First);
        (self.take)(PositionRow::new(behind.key, others).into())?;
        self.read.nodes += 1;
        self.go_on(behind, node.child, whites);
        Ok(())
    }

    /// Continues after a move, which is worth this for White.
    fn go_on(&mut self, place: Place<Chess>, child: Option<u32>, whites: Counts) {
        let plies = self.lines.len();
        self.read.plies = self.read.plies.max(plies);
        if plies == 1 {
            self.first = sum(self.first, whites);
        }
        if plies < DEEPEST {
            self.lines.push(Open { place, next: child });
        } else {
            self.read.lost.add(lost::TANGLED, u64::from(child.is_some()));
        }
    }

    /// What a node is worth for White.
    fn counts(&mut self, node: &Node) -> Counts {
        if self.read.results == Results::Unknown {
            return Counts::new(0, node.games, 0);
        }
        let draws = i64::from(node.games) - i64::from(node.won) - i64::from(node.lost);
        self.read.lost.add(lost::CONTRADICTORY, u64::from(draws < 0));
        Counts::new(node.won, u32::try_from(draws).unwrap_or(0), node.lost)
    }

    fn marks(&mut self, node: &Node) -> Marks {
        let is_never = node.priority == 0 && self.says_never;
        self.read.lost.add(lost::PRIORITIES, u64::from(!matches!(node.priority, 0 | USUAL)));
        if is_never { Marks::NEVER } else { Marks::empty() }
    }
}
