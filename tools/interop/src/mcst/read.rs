//! Reading a tree as rows, node by node, with the boards of one line in memory.

use super::scan::Scanner;
use super::{DEEPEST, Fault, ReadError, TextPosition};
use crate::AnyRow;
use crate::row::seen_from;
use std::collections::HashSet;
use std::io::BufRead;
use tabia::{Counts, MoveRow, PositionRow};
use tabia_games::{Game, Node, Side};

/// The rows that a node makes: of the line that leads to it, and of its move in the line before it,
/// if it isn't the root.
type NodeRows = (PositionRow, Option<MoveRow>);

/// The result of reading a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Read {
    /// Nodes, the root among them.
    pub nodes: u64,
    /// The moves of the longest line.
    pub plies: usize,
    /// The games of the root.
    pub games: u64,
    /// How many points of the board have a stone somewhere in the tree, a pass counting as one.
    pub points: u64,
    /// The greatest number of these points.
    pub greatest: u64,
}

/// Reads a tree of games that start from this position, and hands on the rows that its nodes make,
/// for a book keyed by line. They have to be sorted and merged.
///
/// Memory: a board and its legal moves for each move of a line, at most [`DEEPEST`].
///
/// # Errors
/// [`ReadError`], with the place in the text; whatever `take` gives.
pub fn read<G: Game, E: From<ReadError>>(
    input: impl BufRead,
    start: &G,
    mut take: impl FnMut(AnyRow) -> Result<(), E>,
) -> Result<Read, E> {
    let mut reader = Reader {
        words: Scanner::new(input),
        lines: Vec::new(),
        read: Read::default(),
        met: HashSet::new(),
    };
    let mut node = Some(reader.root(start)?);
    while !reader.lines.is_empty() {
        if let Some((position, played)) = node {
            take(position.into())?;
            played.map_or(Ok(()), |played| take(played.into()))?;
        }
        node = reader.next()?;
    }
    reader.end()?;
    Ok(reader.read)
}

pub(super) fn number<G: Game>(position: &G, played: &G::Move) -> u64 {
    u64::from(position.image(played, 0)) + 1
}

/// A line whose node is open.
struct Open<G: Game> {
    node: Node<G>,
    /// Its legal moves, once one of them was asked for.
    moves: Option<Vec<G::Move>>,
}

impl<G: Game> Open<G> {
    fn new(node: Node<G>) -> Self {
        Self { node, moves: None }
    }

    /// The legal move that has this number, or the word for a pass.
    fn legal(&mut self, point: Point) -> Option<G::Move> {
        let position = &self.node.position;
        let Point::Number(wanted) = point else { return position.read_move(b"pass").ok() };
        let moves = self.moves.get_or_insert_with(|| {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            moves
        });
        moves.iter().find(|played| number(position, played) == wanted).cloned()
    }
}

/// Where a stone is put.
#[derive(Clone, Copy)]
enum Point {
    Number(u64),
    Pass,
}

struct Reader<R, G: Game> {
    words: Scanner<R>,
    lines: Vec<Open<G>>,
    read: Read,
    /// The numbers of the points that were met.
    met: HashSet<u64>,
}

impl<R: BufRead, G: Game> Reader<R, G> {
    fn root(&mut self, start: &G) -> Result<NodeRows, ReadError> {
        if self.words.advance()? != b"{" {
            return Err(self.words.unexpected("`{`, with which a tree begins,"));
        }
        if self.words.advance()? != b"0" {
            return Err(self.words.unexpected("0, the move of the root,"));
        }
        let (wins, losses) = self.counts()?;
        self.read.games = u64::from(wins) + u64::from(losses);
        let open = Open::new(Node::start(start.clone(), true));
        Ok(self.open(open, None, Counts::new(losses, 0, wins)))
    }

    /// Reads to the end of the next node's head, or of the node that is open.
    fn next(&mut self) -> Result<Option<NodeRows>, ReadError> {
        match self.words.advance()? {
            b"{" => self.node().map(Some),
            b"}" => {
                self.lines.pop();
                Ok(None)
            }
            _ => Err(self.words.unexpected("`{` or `}`")),
        }
    }

    fn node(&mut self) -> Result<NodeRows, ReadError> {
        let (mover, before, next, code) = self.played()?;
        let (wins, losses) = self.counts()?;
        let counts = Counts::new(wins, 0, losses);
        let played = MoveRow::new(before, code, counts);
        let seen = seen_from(next.node.position.side(), counts, mover);
        Ok(self.open(next, Some(played), seen))
    }

    /// Reads a move and makes it: whose it is, the key of the line before it, what it leads to, and
    /// its code in the line.
    fn played(&mut self) -> Result<(Side, u64, Open<G>, u16), ReadError> {
        let (side, point, text, at) = self.point()?;
        if self.lines.len() > DEEPEST {
            return Err(ReadError::Fault(at, Fault::Deep));
        }
        let Some(open) = self.lines.last_mut() else {
            return Err(self.words.unexpected("nothing"));
        };
        let name = |side: Side| open.node.position.sides()[side.index()];
        if side != open.node.position.side() {
            return Err(ReadError::Fault(at, Fault::Side(text, name(side))));
        }
        let illegal = Fault::Illegal(text, name(side));
        let Some(played) = open.legal(point) else {
            return Err(ReadError::Fault(at, illegal));
        };
        let number = number(&open.node.position, &played);
        if self.met.insert(number) {
            self.read.points += 1;
            self.read.greatest = self.read.greatest.max(number);
        }
        let next = Open::new(open.node.after(&played));
        Ok((side, open.node.key, next, open.node.code(&played)))
    }

    /// Reads a sign and a point: whose, where, as it is written, and its place.
    fn point(&mut self) -> Result<(Side, Point, String, TextPosition), ReadError> {
        const EXPECTED: &str = "a move, such as +41, -32 or +pass,";
        let (side, sign) = match self.words.advance()? {
            b"+" => (Side::First, "+"),
            b"-" => (Side::Second, "-"),
            _ => (Side::First, ""),
        };
        let at = self.words.at;
        if !sign.is_empty() {
            self.words.advance()?;
        }
        let point = match self.words.number() {
            _ if self.words.word.eq_ignore_ascii_case(b"pass") => Point::Pass,
            Some(number) if (1..=1 << 16).contains(&number) => Point::Number(number),
            Some(_) => {
                return Err(ReadError::Fault(at, Fault::OffBoard(self.words.shown())));
            }
            None => return Err(self.words.unexpected(EXPECTED)),
        };
        Ok((side, point, sign.to_owned() + &self.words.shown(), at))
    }

    /// Reads wins and games; wins and losses.
    fn counts(&mut self) -> Result<(u32, u32), ReadError> {
        let wins = self.count("a number of wins")?;
        let wins = self.countable(wins)?;
        let games = self.count("a number of games")?;
        let Some(losses) = games.checked_sub(wins.into()) else {
            return Err(self.words.fault(Fault::Wins(wins, games)));
        };
        Ok((wins, self.countable(losses)?))
    }

    fn count(&mut self, expected: &'static str) -> Result<u64, ReadError> {
        self.words.advance()?;
        self.words.number().ok_or_else(|| self.words.unexpected(expected))
    }

    /// What a row can hold.
    fn countable(&self, number: u64) -> Result<u32, ReadError> {
        u32::try_from(number).map_err(|_| self.words.fault(Fault::Count(self.words.shown())))
    }

    /// Goes into a node, which is worth this for the side to move.
    fn open(&mut self, open: Open<G>, played: Option<MoveRow>, counts: Counts) -> NodeRows {
        let position = PositionRow::new(open.node.key, counts);
        self.read.nodes += 1;
        self.read.plies = self.read.plies.max(self.lines.len());
        self.lines.push(open);
        (position, played)
    }

    fn end(&mut self) -> Result<(), ReadError> {
        if self.words.advance()?.is_empty() {
            Ok(())
        } else {
            Err(self.words.unexpected("the end of the text"))
        }
    }
}
