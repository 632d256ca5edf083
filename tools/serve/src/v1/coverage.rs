//! How far a book answers what is played in another one, and where games leave it.

use super::asked;
use crate::query::Request;
use crate::reply::{Answered, Refusal, Reply};
use crate::selection::Selection;
use crate::sources::Sources;
use serde::Serialize;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use tabia::{Keyed, TableKind};
use tabia_games::{Game, Known, Node, Side};
use tabia_play::explore::{Explorable, Named};
use tabia_play::{Hole, Holes, HolesPlan};

/// The plies that are looked at where the client doesn't say, and the most.
const PLIES: [u32; 2] = [10, 16];
/// The holes that are told where the client doesn't say, and the most.
const HOLES: [usize; 2] = [20, 200];

/// How long it may take: then the client is told to ask for less.
const LONGEST: Duration = Duration::from_secs(20);

/// How far the book answers.
#[derive(Debug, Serialize)]
struct Covered<'a> {
    book: &'a str,
    by: &'a str,
    /// Games of the other book.
    games: u64,
    /// The share, from 0 to 1, of the other book's games that the book answers within so many
    /// plies: the first for one ply.
    answered: Vec<f64>,
    /// How many of the other book's moves it lacks.
    holes: u64,
    /// Those with the most games.
    top: Vec<Exit>,
}

/// A move that the book lacks.
#[derive(Debug, Serialize)]
struct Exit {
    line: Vec<Named>,
    lacks: Option<Named>,
    games: u64,
    share: f64,
    /// Whether the book has other moves there; if not, its lines end there.
    answered: bool,
}

/// Walks the book of the parameter `book` by the games of the book `by`; what is chosen of the latter,
/// if it is a shelf, is `by_speeds`, `by_ratings`, `by_since` and `by_until`.
pub fn coverage(sources: &Sources, request: &Request) -> Answered {
    if request.text("by").is_none() {
        return Err(Refusal::Bad("by names the book whose games are followed".to_owned()));
    }
    let (book, by) = (asked(sources, request, "book", "")?, asked(sources, request, "by", "by_")?);
    let kind = |books: &Selection| {
        let header = books.header();
        (header.keys, header.keyed, books.rows().has(TableKind::Moves))
    };
    if kind(&book.books) != kind(&by.books) || !kind(&book.books).2 {
        return Err(Refusal::Bad("both books must have moves, and the same keys".to_owned()));
    }
    let plan = HolesPlan {
        max_ply: request.number("plies", PLIES[0])?.min(PLIES[1]),
        side: side(request, book.game)?,
        count: request.number("top", HOLES[0])?.min(HOLES[1]),
    };
    let root = Node::start(book.game.clone(), book.books.header().keyed == Keyed::Line);
    let until = Instant::now() + LONGEST;
    let watch = |_| match Instant::now() < until {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    };
    let found = match Holes::of(book.books.rows(), by.books.rows(), &root, &plan, &watch) {
        Err(tabia::Error::Interrupted) => {
            let much = format!("{} plies take too long here: ask for fewer", plan.max_ply);
            return Err(Refusal::Bad(much));
        }
        found => found?,
    };
    let all = found.coverage.games;
    let reply = Reply::json(&Covered {
        book: book.name,
        by: by.name,
        games: all,
        answered: (1..=plan.max_ply as usize).map(|plies| found.coverage.answered(plies)).collect(),
        holes: found.holes,
        top: found.top.iter().map(|hole| Exit::new(&root, hole, all)).collect(),
    })?;
    Ok(reply.of_books(&book.books).of_books(&by.books))
}

/// Whose book it is, if it is of one side: as people call the side.
fn side(request: &Request, game: &Known) -> Result<Option<Side>, Refusal> {
    let Some(text) = request.text("side") else { return Ok(None) };
    let sides = game.sides();
    let at = sides.iter().position(|side| side.eq_ignore_ascii_case(text));
    match at {
        Some(0) => Ok(Some(Side::First)),
        Some(_) => Ok(Some(Side::Second)),
        None => Err(Refusal::Bad(format!("side is {} or {}", sides[0], sides[1]))),
    }
}

impl Exit {
    fn new(root: &Node<Known>, hole: &Hole, all: u64) -> Self {
        let (mut node, mut line) = (root.clone(), Vec::new());
        for &code in &hole.line {
            let Some(played) = node.move_of_code(code) else { break };
            line.push(Named::of(&node.position, &played));
            node = node.after(&played);
        }
        let lacks = node.move_of_code(hole.code);
        Self {
            line,
            lacks: lacks.map(|played| Named::of(&node.position, &played)),
            games: hole.games,
            share: hole.games as f64 / all.max(1) as f64,
            answered: hole.is_answered,
        }
    }
}
