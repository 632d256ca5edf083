//! A position and its moves, drawn for a terminal.

use super::facts::{Explored, Move};
use crate::bars::Ink;
use crate::numbers::{counted, grouped, percent};
use comfy_table::{CellAlignment, Table, presets};
use std::io::{self, Write};
use tabia::{BestGame, Column, Counts};
use tabia_games::Game;

/// Characters of a position's bar.
const WIDE: usize = 40;
/// Characters of a move's bar, and where the book's columns need room.
const NARROW: usize = 20;
const NARROWEST: usize = 8;
/// The column of the bars.
const BAR: usize = 6;

/// Draws it.
pub fn draw<G: Game>(
    out: &mut impl Write,
    explored: &Explored,
    position: &G,
    ink: Ink,
) -> io::Result<()> {
    writeln!(out, "{}", position.diagram())?;
    writeln!(
        out,
        "{}\nkey {}, {} to move",
        explored.fen,
        explored.position.key,
        position.sides()[position.side().index()]
    )?;
    writeln!(out)?;
    draw_position(out, explored, ink)?;
    if explored.moves.is_empty() {
        return writeln!(out, "no moves are known here");
    }
    let total = explored.moves.iter().map(|played| played.games).sum();
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_header(header(explored, ink));
    for (index, column) in table.column_iter_mut().enumerate().skip(1) {
        // Names and bars stand left.
        if !(explored.results && index == BAR) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.add_rows(explored.moves.iter().map(|played| row(explored, played, total, ink)));
    table.lines().try_for_each(|line| writeln!(out, "{}", line.trim_end()))?;
    if explored.results && is_wide(explored) {
        writeln!(out, "\n{}", ink.legend())?;
    }
    let best = explored
        .moves
        .iter()
        .filter_map(|played| Some((played.best_game()?, played)))
        .max_by_key(|(game, _)| *game);
    if let Some((BestGame { rank, digest }, played)) = best {
        let ratings = if rank > 0 {
            format!(", both players' ratings {} together", grouped(rank.into()))
        } else {
            String::new()
        };
        writeln!(out, "\nbest game {digest:012x}: {}{ratings}", name(played))?;
    }
    if explored.moves_from == "positions" {
        writeln!(
            out,
            "\nthe book has no moves table: these are the moves that lead to known positions"
        )?;
    }
    Ok(())
}

/// What is known of the position itself.
fn draw_position(out: &mut impl Write, explored: &Explored, ink: Ink) -> io::Result<()> {
    let position = &explored.position;
    if !explored.known {
        return writeln!(out, "the position is not in the book\n");
    }
    if explored.results {
        let [win, draw, loss] = shares(position.counts());
        writeln!(
            out,
            "{}: wins {win}, draws {draw}, losses {loss} for the side to move",
            counted(position.games, "game")
        )?;
        writeln!(out, "{}", ink.bar(position.counts(), WIDE))?;
    } else {
        writeln!(out, "{}, of unknown results", counted(position.games, "game"))?;
    }
    if let Some(eval) = position.eval {
        writeln!(out, "eval {eval:+}, depth {}", position.depth)?;
    }
    if !position.flags.is_empty() {
        writeln!(out, "{}", position.flags.join(", "))?;
    }
    writeln!(out)
}

/// Whether the book's columns are among those of the table, so that its bars give way.
fn is_wide(explored: &Explored) -> bool {
    [Column::RATINGS, Column::YEARS].iter().any(|column| explored.columns.contains(&column.name))
}

/// The names of the columns of [`row`].
fn header(explored: &Explored, ink: Ink) -> Vec<String> {
    let legend = if is_wide(explored) { String::new() } else { ink.legend() };
    let score: &[&str] = if explored.results { &["win", "draw", "loss", &legend] } else { &[] };
    let years: &[&str] =
        if explored.columns.contains(&Column::YEARS.name) { &["years"] } else { &[] };
    let rated = explored.columns.contains(&Column::RATINGS.name);
    let strength: &[&str] = match (rated, explored.results) {
        (false, _) => &[],
        (true, true) => &["rating", "performance", "gain"],
        (true, false) => &["rating"],
    };
    let there: &[&str] = if explored.results { &["leads to", "win"] } else { &["leads to"] };
    [&["move", "games", "share"], score, strength, years, there]
        .concat()
        .into_iter()
        .map(str::to_owned)
        .collect()
}

/// A move with its score, if the book knows results, the strength of its players, if it has
/// ratings, and its years, if it has them.
fn row(explored: &Explored, played: &Move, total: u64, ink: Ink) -> Vec<String> {
    let there = played.leads_to();
    let mut cells = vec![name(played), grouped(played.games), percent(played.games, total)];
    if explored.results {
        cells.extend(shares(played.counts()));
        cells.push(ink.bar(played.counts(), if is_wide(explored) { NARROWEST } else { NARROW }));
    }
    if let Some(strength) = &played.strength {
        cells.push(points(strength.average_rating, false));
        if explored.results {
            cells.extend([points(strength.performance, false), points(strength.gain, true)]);
        }
    }
    cells.extend(played.years());
    cells.push(there.map_or_else(|| "-".to_owned(), |counts| grouped(counts.games())));
    if explored.results {
        cells.push(
            there.map_or_else(
                || "-".to_owned(),
                |counts| percent(counts.wins.into(), counts.games()),
            ),
        );
    }
    cells
}

/// A rating, or with its sign a difference of ratings, without decimals.
fn points(rating: Option<f64>, signed: bool) -> String {
    match rating.map(f64::round) {
        None => "-".to_owned(),
        // No difference has no sign.
        Some(rating) if signed && rating != 0.0 => format!("{rating:+.0}"),
        Some(rating) => format!("{:.0}", rating.abs()),
    }
}

/// The move as people write it, with its marks.
fn name(played: &Move) -> String {
    let san = played.san.clone().unwrap_or_else(|| format!("(code {})", played.code));
    let (signs, words): (Vec<&str>, Vec<&str>) =
        played.marks.iter().partition(|mark| mark.starts_with(['!', '?']));
    [vec![san + &signs.join(",")], words.into_iter().map(str::to_owned).collect()]
        .concat()
        .join(" ")
}

fn shares(counts: Counts) -> [String; 3] {
    let games = counts.games();
    [counts.wins, counts.draws, counts.losses].map(|count| percent(count.into(), games))
}
