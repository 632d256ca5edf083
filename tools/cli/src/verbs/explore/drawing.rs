//! A position and its moves, drawn for a terminal.

use super::facts::{Explored, Move};
use crate::bars::Ink;
use crate::numbers::{counted, grouped, percent};
use comfy_table::{CellAlignment, Table, presets};
use std::io::{self, Write};
use tabia::Counts;
use tabia_games::Game;

/// Characters of a position's bar.
const WIDE: usize = 40;
/// Characters of a move's bar.
const NARROW: usize = 20;

/// Draws it.
pub fn draw<G: Game>(out: &mut impl Write, explored: &Explored, position: &G, ink: Ink) -> io::Result<()> {
    writeln!(out, "{}", position.diagram())?;
    writeln!(out, "{}\nkey {}, {} to move", explored.fen, explored.worth.key, G::SIDES[position.side().index()])?;
    writeln!(out)?;
    draw_worth(out, explored, ink)?;
    if explored.moves.is_empty() {
        return writeln!(out, "no moves are known here");
    }
    let total = explored.moves.iter().map(|played| played.games).sum();
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_header([
        "move",
        "games",
        "share",
        "win",
        "draw",
        "loss",
        ink.legend().as_str(),
        "leads to",
        "win",
    ]);
    for column in [1, 2, 3, 4, 5, 7, 8] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.add_rows(explored.moves.iter().map(|played| row(played, total, ink)));
    table.lines().try_for_each(|line| writeln!(out, "{}", line.trim_end()))?;
    if explored.moves_from == "positions" {
        writeln!(out, "\nthe book has no moves table: these are the moves that lead to known positions")?;
    }
    Ok(())
}

/// What is known of the position itself.
fn draw_worth(out: &mut impl Write, explored: &Explored, ink: Ink) -> io::Result<()> {
    let worth = &explored.worth;
    if !explored.known {
        return writeln!(out, "the position is not in the book\n");
    }
    let [win, draw, loss] = shares(worth.counts());
    writeln!(out, "{}: wins {win}, draws {draw}, losses {loss} for the side to move", counted(worth.games, "game"))?;
    writeln!(out, "{}", ink.bar(worth.counts(), WIDE))?;
    if let Some(eval) = worth.eval {
        writeln!(out, "eval {eval:+}, depth {}", worth.depth)?;
    }
    if !worth.flags.is_empty() {
        writeln!(out, "{}", worth.flags.join(", "))?;
    }
    writeln!(out)
}

fn row(played: &Move, total: u64, ink: Ink) -> [String; 9] {
    let [win, draw, loss] = shares(played.counts());
    let there = played.leads_to();
    [
        name(played),
        grouped(played.games),
        percent(played.games, total),
        win,
        draw,
        loss,
        ink.bar(played.counts(), NARROW),
        there.map_or_else(|| "-".to_owned(), |counts| grouped(counts.games())),
        there.map_or_else(|| "-".to_owned(), |counts| percent(counts.wins.into(), counts.games())),
    ]
}

/// The move as people write it, with its marks.
fn name(played: &Move) -> String {
    let san = played.san.clone().unwrap_or_else(|| format!("(code {})", played.code));
    let (signs, words): (Vec<&str>, Vec<&str>) = played.marks.iter().partition(|mark| mark.starts_with(['!', '?']));
    [vec![san + &signs.join(",")], words.into_iter().map(str::to_owned).collect()].concat().join(" ")
}

fn shares(counts: Counts) -> [String; 3] {
    let games = counts.games();
    [counts.wins, counts.draws, counts.losses].map(|count| percent(count.into(), games))
}
