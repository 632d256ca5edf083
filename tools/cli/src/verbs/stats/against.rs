//! What is played in another book and not answered in this one.

use super::cover::{Cover, Gap, GapMove, write_gaps};
use super::{Args, Figures, show};
use crate::console::Console;
use crate::failure::{Done, failure};
use crate::lines::{named, replayed};
use crate::newfile::NewFile;
use crate::numbers::grouped;
use crate::output::Output;
use serde::Serialize;
use std::io::{self, Write};
use tabia::Book;
use tabia::format::Keyed;
use tabia_games::{Game, Known, Node, WithGame};
use tabia_play::explore::Numbers;
use tabia_play::{Hole, Holes, HolesPlan};

/// Walks both books, and shows what was found.
pub fn run(args: &Args, console: &Console, game: &Known, books: [&Book; 2]) -> Done {
    let [book, other] = books;
    check_alike(book, other)?;
    let plan =
        HolesPlan { max_ply: args.max_ply, side: args.side(game)?, count: args.limit as usize };
    show(args, &game.with(Walking { console, books, plan })?)
}

/// Makes sure that both books have the same keys.
fn check_alike(book: &Book, other: &Book) -> Done<()> {
    let of = |book: &Book| {
        let header = book.header();
        (header.game, header.keys, header.keyed)
    };
    let said = |book: &Book| {
        let (game, keys, keyed) = of(book);
        let by = if keyed == Keyed::Line { "line" } else { "position" };
        format!("{game} with {keys} keys by {by}")
    };
    if of(book) == of(other) {
        return Ok(());
    }
    Err(failure!(
        "{}: it is of {}, and {} of {}: give a book of the same kind",
        other.path().display(),
        said(other),
        book.path().display(),
        said(book)
    ))
}

struct Walking<'a> {
    console: &'a Console,
    books: [&'a Book; 2],
    plan: HolesPlan,
}

impl WithGame for Walking<'_> {
    type Output = Done<Lacking>;

    fn with<G: Game>(self, start: &G) -> Self::Output {
        let [book, other] = self.books;
        let meter = self.console.meter();
        let root = Node::start(start.clone(), book.header().keyed == Keyed::Line);
        let found = Holes::of(book, other, &root, &self.plan, &|step| meter.trimming(step))?;
        if found.coverage.games == 0 {
            return Err(failure!("{}: it knows no games from the start", other.path().display()));
        }
        let all = found.coverage.games;
        Ok(Lacking {
            cover: Cover::new(&found.coverage),
            reached: found.reached,
            holes: found.holes,
            illegal_moves: found.illegal,
            top: found.top.iter().map(|hole| gap(&root, hole, all)).collect(),
        })
    }
}

/// A hole for people.
fn gap<G: Game>(root: &Node<G>, hole: &Hole, all: u64) -> Gap {
    let found = replayed(root, &hole.line);
    let san = found.as_ref().and_then(|(node, _)| named(node, hole.code));
    Gap {
        games: hole.games,
        share: hole.games as f64 / all.max(1) as f64,
        key: format!("{:016x}", hole.key),
        line: found.map(|(_, moves)| moves),
        answered: hole.is_answered,
        moves: vec![GapMove { san, code: hole.code, games: hole.games }],
        numbers: Numbers::after(root.position.side(), 0),
    }
}

#[derive(Serialize)]
struct Lacking {
    #[serde(flatten)]
    cover: Cover,
    /// Positions that both books reach together.
    reached: u64,
    /// How many holes there are.
    holes: u64,
    illegal_moves: u64,
    /// Those with the most games.
    top: Vec<Gap>,
}

impl Figures for Lacking {
    fn write(&self, out: &mut Output, plies: usize) -> io::Result<()> {
        writeln!(out, "games       {:>14}  of the other book", grouped(self.cover.games))?;
        writeln!(out, "positions   {:>14}  that both books reach together", grouped(self.reached))?;
        writeln!(out, "holes       {:>14}\n", grouped(self.holes))?;
        self.cover.write_plies(out, plies)?;
        if self.top.is_empty() {
            return Ok(());
        }
        write_gaps(out, "holes with the most games", &self.top, self.cover.games)
    }

    fn draw(&self, out: &mut NewFile, title: &str, plies: usize) -> io::Result<()> {
        self.cover.draw(out, &format!("{title}: answered within so many plies"), plies)
    }
}
