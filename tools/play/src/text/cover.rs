//! How many games are answered within so many plies, and the list of where they leave: what
//! `--archives` and `--against` show alike.

use super::bars::Ink;
use super::lines::{named, replayed, wrapped};
use super::numbers::{grouped, percent, write_fact};
use crate::explore::Numbers;
use crate::{Coverage, Exit, GamesInBook, Hole, Holes};
use serde::Serialize;
use std::io::{self, Write};
use tabia_games::{Game, Node};

/// Characters of a line, and those before a list's moves.
const WIDTH: usize = 80;
const BEFORE_MOVES: usize = 20;
const BAR: usize = 26;
/// How many moves of an exit are named.
const NAMED: usize = 4;

/// How far the games stay in the book.
#[derive(Debug, Serialize)]
pub struct Cover {
    /// All games.
    pub games: u64,
    /// Games that left by moves that the book should have known.
    pub left: u64,
    /// Games that left by moves of the book's own side.
    pub left_by_own_side: u64,
    plies: Vec<Ply>,
}

#[derive(Debug, Serialize)]
struct Ply {
    /// Counted from 1: the ply with which games left.
    ply: usize,
    /// Games in the book before.
    games: u64,
    left: u64,
    left_by_own_side: u64,
    /// The share of games answered within these plies, from 0 to 1.
    answered: f64,
}

impl Cover {
    /// From what was counted.
    pub fn new(coverage: &Coverage) -> Self {
        let at = |plies: &[u64], ply: usize| plies.get(ply - 1).copied().unwrap_or(0);
        let ply = |ply: usize| Ply {
            ply,
            games: at(&coverage.on, ply),
            left: at(&coverage.left, ply),
            left_by_own_side: at(&coverage.own, ply),
            answered: coverage.answered(ply),
        };
        Self {
            games: coverage.games,
            left: coverage.left.iter().sum(),
            left_by_own_side: coverage.own.iter().sum(),
            plies: (1..=coverage.plies()).map(ply).collect(),
        }
    }

    /// Writes how many games left at each ply.
    pub fn write_plies(&self, out: &mut impl Write, plies: usize) -> io::Result<()> {
        let ink = Ink::of_locale();
        let (shown, later) = self.plies.split_at(self.plies.len().min(plies));
        let has_own = self.left_by_own_side > 0;
        let own = |text: &str| if has_own { format!(" {text:>11}") } else { String::new() };
        let line = |ply: &str, games: &str, left: u64, own_side: u64, answered: f64| {
            let (left, own) = (grouped(left), own(&grouped(own_side)));
            format!("{ply:>5} {games:>11} {left:>11}{own} {:>8.1}%", answered * 100.0)
        };
        writeln!(out, "\n  ply in the book        left{}  answered", own("own side"))?;
        for ply in shown {
            let (number, games) = (ply.ply.to_string(), grouped(ply.games));
            let facts = line(&number, &games, ply.left, ply.left_by_own_side, ply.answered);
            let part = (ply.answered * 1e6).round() as u64;
            let bar = ink.shaded([part, 0], 1_000_000, BAR);
            writeln!(out, "{}", format!("{facts}  {bar}").trim_end())?;
        }
        let Some((first, last)) = later.first().zip(later.last()) else { return Ok(()) };
        let sum = |of: fn(&Ply) -> u64| later.iter().map(of).sum::<u64>();
        let (left, own_side) = (sum(|ply| ply.left), sum(|ply| ply.left_by_own_side));
        let number = format!("{}+", first.ply);
        writeln!(out, "{}", line(&number, &grouped(first.games), left, own_side, last.answered))
    }
}

/// A position, and moves there that the book doesn't go on with.
#[derive(Debug, Serialize)]
pub struct Gap {
    /// Games that left here.
    pub games: u64,
    /// Of all games, from 0 to 1.
    pub share: f64,
    /// The position's key.
    pub key: String,
    /// The moves that lead there, as people write them; none if the games started elsewhere.
    pub line: Option<Vec<String>>,
    /// Whether the book has other moves there.
    pub answered: bool,
    /// The moves.
    pub moves: Vec<GapMove>,
    #[serde(skip)]
    numbers: Numbers,
}

/// A move that the book doesn't go on with.
#[derive(Debug, Serialize)]
pub struct GapMove {
    /// As people write it; none if that isn't known.
    pub san: Option<String>,
    /// Its code in the book.
    pub code: u16,
    /// Games that left by it.
    pub games: u64,
}

impl Gap {
    fn new<G: Game>(
        root: &Node<G>,
        line: Option<&[u16]>,
        moves: &[(u16, u64)],
        [games, all]: [u64; 2],
        (key, answered): (u64, bool),
    ) -> Self {
        let found = line.and_then(|line| replayed(root, line));
        let san = |code| found.as_ref().and_then(|(node, _)| named(node, code));
        let moves = moves.iter().map(|&(code, games)| GapMove { san: san(code), code, games });
        Self {
            games,
            share: games as f64 / all.max(1) as f64,
            key: format!("{key:016x}"),
            moves: moves.collect(),
            line: found.map(|(_, moves)| moves),
            answered,
            numbers: Numbers::after(root.position.side(), 0),
        }
    }

    /// Where games leave a book, of `all` games.
    pub fn of_exit<G: Game>(root: &Node<G>, exit: &Exit, all: u64) -> Self {
        let line = (exit.from == root.key).then_some(&*exit.line);
        Self::new(root, line, &exit.moves, [exit.games, all], (exit.key, exit.is_answered))
    }

    /// A move that another book has, of `all` games.
    pub fn of_hole<G: Game>(root: &Node<G>, hole: &Hole, all: u64) -> Self {
        let moves = [(hole.code, hole.games)];
        Self::new(root, Some(&hole.line), &moves, [hole.games, all], (hole.key, hole.is_answered))
    }

    /// Writes it, in lines.
    fn write(&self, out: &mut impl Write, all: u64) -> io::Result<()> {
        let text = self.text();
        let facts = format!("{:>11} {:>6}  ", grouped(self.games), percent(self.games, all));
        for (number, line) in wrapped(&text, WIDTH - BEFORE_MOVES).iter().enumerate() {
            let before = if number == 0 { facts.clone() } else { " ".repeat(BEFORE_MOVES + 2) };
            writeln!(out, "{before}{line}")?;
        }
        Ok(())
    }

    fn text(&self) -> String {
        let plies = self.line.as_ref().map_or(0, Vec::len);
        let mut text = match &self.line {
            None => format!("position {}:", self.key),
            Some(line) if line.is_empty() => "at the start:".to_owned(),
            Some(line) => self.numbers.line(0, line) + ":",
        };
        let is_one = self.moves.len() == 1;
        for (number, played) in self.moves.iter().take(NAMED).enumerate() {
            let name = played.san.clone().unwrap_or_else(|| format!("(code {})", played.code));
            let name = match (&self.line, number) {
                (Some(_), 0) => self.numbers.moved(plies, &name, true),
                _ => name,
            };
            text = text + if number > 0 { ", " } else { " " } + &name;
            if !is_one {
                text = text + " " + &grouped(played.games);
            }
        }
        match self.moves.len().saturating_sub(NAMED) {
            0 => {}
            more => {
                let games: u64 = self.moves[NAMED..].iter().map(|played| played.games).sum();
                text += &format!(", {more} more {}", grouped(games));
            }
        }
        if !self.answered {
            text += " (the book has no move here)";
        }
        text
    }
}

/// Writes a list of gaps with a heading, if there are any; of all games these.
fn write_gaps(out: &mut impl Write, heading: &str, gaps: &[Gap], all: u64) -> io::Result<()> {
    if gaps.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{heading}\n{:>11} {:>6}  line: move", "games", "share")?;
    gaps.iter().try_for_each(|gap| gap.write(out, all))
}

/// What is played in another book and not answered in this one.
#[derive(Debug, Serialize)]
pub struct Lacking {
    /// How far the other book's games are answered.
    #[serde(flatten)]
    pub cover: Cover,
    /// Positions that both books reach together.
    pub reached: u64,
    /// How many holes there are.
    pub holes: u64,
    /// Moves of the books that aren't legal.
    pub illegal_moves: u64,
    /// The holes with the most games.
    pub top: Vec<Gap>,
}

impl Lacking {
    /// What was found from this position on.
    pub fn new<G: Game>(root: &Node<G>, found: &Holes) -> Self {
        let all = found.coverage.games;
        Self {
            cover: Cover::new(&found.coverage),
            reached: found.reached,
            holes: found.holes,
            illegal_moves: found.illegal,
            top: found.top.iter().map(|hole| Gap::of_hole(root, hole, all)).collect(),
        }
    }

    /// Writes it, and the first plies of it.
    pub fn write(&self, out: &mut impl Write, plies: usize) -> io::Result<()> {
        write_fact(out, "games", self.cover.games, "of the other book")?;
        write_fact(out, "positions", self.reached, "that both books reach together")?;
        write_fact(out, "holes", self.holes, "")?;
        self.cover.write_plies(out, plies)?;
        write_gaps(out, "holes with the most games", &self.top, self.cover.games)
    }
}

/// How games of archives stay in a book.
#[derive(Debug, Serialize)]
pub struct Followed<T> {
    /// How far they stay.
    #[serde(flatten)]
    pub cover: Cover,
    /// Games that were in the book to their end.
    pub stayed: u64,
    /// Games that left, and came later to a position again at which the book has a move.
    pub returned: u64,
    /// Games that can't be read.
    pub skipped: u64,
    /// What else is known of the archives.
    #[serde(flatten)]
    pub archives: T,
    /// How many exits there are.
    pub exits: u64,
    /// Those by which most games left.
    pub top: Vec<Gap>,
}

impl<T> Followed<T> {
    /// What was found of games that start here or elsewhere, of which so many were skipped.
    pub fn new<G: Game>(
        root: &Node<G>,
        games: &GamesInBook<'_>,
        top: usize,
        skipped: u64,
        archives: T,
    ) -> Self {
        let cover = Cover::new(&games.coverage());
        let exits = games.top(top);
        Self {
            stayed: cover.games - cover.left - cover.left_by_own_side,
            returned: games.returned,
            skipped,
            archives,
            exits: games.exits() as u64,
            top: exits.iter().map(|exit| Gap::of_exit(root, exit, cover.games)).collect(),
            cover,
        }
    }

    /// Writes it, and the first plies of it.
    pub fn write(&self, out: &mut impl Write, plies: usize) -> io::Result<()> {
        let all = self.cover.games;
        let own = self.cover.left_by_own_side;
        let lines = [
            (true, "  stayed", self.stayed, "in the book to the end"),
            (true, "  left", self.cover.left, "by a move the book doesn't go on with"),
            (own > 0, "  own side", own, "by a move of the book's own side"),
        ];
        write_fact(out, "games", all, "")?;
        for (_, name, games, what) in lines.into_iter().filter(|line| line.0) {
            write_fact(out, name, games, &format!("{:>6}  {what}", percent(games, all)))?;
        }
        if self.returned > 0 {
            let said = "of those left, to where the book has a move";
            write_fact(out, "  came back", self.returned, said)?;
        }
        if self.skipped > 0 {
            write_fact(out, "skipped", self.skipped, "games that can't be read")?;
        }
        write_fact(out, "exits", self.exits, "")?;
        self.cover.write_plies(out, plies)?;
        write_gaps(out, "exits by which most games left", &self.top, self.cover.games)
    }
}
