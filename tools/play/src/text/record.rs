//! A tree as the record of one game with variations, which other programs read and `tabia build
//! --variations` does: PGN, SGF of Go, PDN of draughts.

use crate::explore::ShownTree;
use crate::game_text::sgf::{escaped, point};
use crate::game_text::tagged::{of_game, tag};
use crate::{Edge, TreeNode};
use std::io::{self, Write};
use tabia::Marks;
use tabia_games::Side;

/// The most characters of a line of PGN.
const WIDTH: usize = 79;

/// The marks that a record can have, as PGN and SGF write them.
static MARKS: [(Marks, &str, &str); 6] = [
    (Marks::GOOD, "$1", "TE[1]"),
    (Marks::BAD, "$2", "BM[1]"),
    (Marks::BRILLIANT, "$3", "TE[2]"),
    (Marks::BLUNDER, "$4", "BM[2]"),
    (Marks::INTERESTING, "$5", "IT[]"),
    (Marks::DUBIOUS, "$6", "DO[]"),
];

/// Writes it: of several moves of a position the first is that of the main line. A position that
/// comes up again elsewhere ends its line there, with a comment. Where [`ShownTree::has_record`] says
/// that there is none, SGF leaves out the position that the lines start from.
pub fn write_record(out: &mut impl Write, shown: &ShownTree) -> io::Result<()> {
    match shown.game.strip_prefix("go-") {
        Some(size) => Sgf { out, size: size.parse().unwrap_or(19) }.tree(shown),
        None => Movetext { out, column: 0, prefix: "", opens: true }.game(shown),
    }
}

/// Those of a move.
fn marks(edge: &Edge) -> impl Iterator<Item = &'static (Marks, &'static str, &'static str)> {
    MARKS.iter().filter(|(mark, ..)| edge.marks.contains(*mark))
}

/// What is to be written next.
enum Step {
    /// The move to a node.
    Move(usize),
    /// What follows it.
    Behind(usize),
    Open,
    Close,
}

/// What follows a node, the last step first: a move, the variations to it, what follows the move.
fn behind(node: &TreeNode) -> Vec<Step> {
    let [main, others @ ..] = &node.children[..] else { return Vec::new() };
    let mut steps = vec![Step::Move(*main)];
    for &other in others {
        steps.extend([Step::Open, Step::Move(other), Step::Behind(other), Step::Close]);
    }
    steps.push(Step::Behind(*main));
    steps.reverse();
    steps
}

/// Tags and moves, in lines that are not too long.
struct Movetext<'a, W> {
    out: &'a mut W,
    /// Characters in this line.
    column: usize,
    /// What stands before the next word.
    prefix: &'static str,
    /// Whether the next move has its number even if it is the second player's.
    opens: bool,
}

impl<W: Write> Movetext<'_, W> {
    fn game(&mut self, shown: &ShownTree) -> io::Result<()> {
        self.tags(shown)?;
        for (ply, played) in shown.lead.moves.iter().enumerate() {
            let number = shown.lead.numbers.moved(ply, played, ply == 0);
            self.word(&number)?;
            self.opens = false;
        }
        let nodes = &shown.tree.nodes;
        let mut todo = vec![Step::Behind(0)];
        while let Some(step) = todo.pop() {
            match step {
                Step::Move(node) => self.played(shown, &nodes[node])?,
                Step::Behind(node) if nodes[node].same_as.is_some() => {
                    self.word("{transposes}")?;
                    self.opens = true;
                }
                Step::Behind(node) => todo.extend(behind(&nodes[node])),
                Step::Open => (self.prefix, self.opens) = ("(", true),
                Step::Close => {
                    write!(self.out, ")")?;
                    self.column += 1;
                    self.opens = true;
                }
            }
        }
        self.word("*")?;
        writeln!(self.out)
    }

    fn tags(&mut self, shown: &ShownTree) -> io::Result<()> {
        let mut tags = vec![("Event", shown.title.as_str()), ("Site", "?"), ("Date", "????.??.??")];
        tags.extend([("Round", "?"), ("White", "?"), ("Black", "?"), ("Result", "*")]);
        tags.extend(of_game(shown.game));
        if let Some(setup) = &shown.setup {
            tags.extend([("SetUp", "1"), ("FEN", setup.as_str())]);
        }
        tags.iter().try_for_each(|(name, value)| write!(self.out, "{}", tag(name, value)))?;
        writeln!(self.out)
    }

    fn played(&mut self, shown: &ShownTree, node: &TreeNode) -> io::Result<()> {
        let Some(edge) = &node.edge else { return Ok(()) };
        let text = shown.numbers.moved(node.ply as usize - 1, &edge.san, self.opens);
        text.split(' ').try_for_each(|word| self.word(word))?;
        self.opens = false;
        marks(edge).try_for_each(|(_, glyph, _)| self.word(glyph))
    }

    fn word(&mut self, word: &str) -> io::Result<()> {
        let length = self.prefix.len() + word.chars().count();
        if self.column > 0 {
            let breaks = self.column + 1 + length > WIDTH;
            write!(self.out, "{}", if breaks { '\n' } else { ' ' })?;
            self.column = if breaks { 0 } else { self.column + 1 };
        }
        self.column += length;
        write!(self.out, "{}{word}", std::mem::take(&mut self.prefix))
    }
}

/// A tree of nodes.
struct Sgf<'a, W> {
    out: &'a mut W,
    /// Of the board.
    size: usize,
}

impl<W: Write> Sgf<'_, W> {
    fn tree(&mut self, shown: &ShownTree) -> io::Result<()> {
        let name = escaped(&shown.title);
        writeln!(self.out, "(;GM[1]FF[4]CA[UTF-8]AP[Tabia]SZ[{}]GN[{name}]", self.size)?;
        for (ply, played) in shown.lead.moves.iter().enumerate() {
            self.played(if ply % 2 == 0 { Side::First } else { Side::Second }, played)?;
        }
        let nodes = &shown.tree.nodes;
        let mut todo = vec![Step::Behind(0)];
        while let Some(step) = todo.pop() {
            match step {
                Step::Move(node) => self.node(nodes[node].edge.as_ref())?,
                Step::Behind(node) if nodes[node].same_as.is_some() => {
                    write!(self.out, "C[transposes]")?;
                }
                Step::Behind(node) => match &nodes[node].children[..] {
                    [only] => todo.extend([Step::Behind(*only), Step::Move(*only)]),
                    several => todo.extend(several.iter().rev().flat_map(|&child| {
                        [Step::Close, Step::Behind(child), Step::Move(child), Step::Open]
                    })),
                },
                Step::Open => write!(self.out, "\n(")?,
                Step::Close => write!(self.out, ")")?,
            }
        }
        writeln!(self.out, ")")
    }

    fn node(&mut self, edge: Option<&Edge>) -> io::Result<()> {
        let Some(edge) = edge else { return Ok(()) };
        self.played(edge.side, &edge.san)?;
        marks(edge).try_for_each(|(.., property)| write!(self.out, "{property}"))
    }

    fn played(&mut self, side: Side, san: &str) -> io::Result<()> {
        let color = if side == Side::First { 'B' } else { 'W' };
        write!(self.out, ";{color}[{}]", point(san, self.size))
    }
}
