//! A position and its moves, drawn for a terminal.

use super::bars::Ink;
use super::columns::{Moves, name};
use super::lines::wrapped;
use super::numbers::{counted, grouped, percent};
use super::paint::Paint;
use crate::explore::{Answer, Explored, Share};
use std::io::{self, Write};
use tabia::{BestGame, Counts};

/// Characters of a position's bar.
const WIDE: usize = 40;

/// How facts are drawn: with which characters and colors, in how many columns.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// The characters of bars.
    pub ink: Ink,
    /// The colors.
    pub paint: Paint,
    /// The characters of a line.
    pub columns: usize,
}

/// Draws what was asked for and, if a line left the book before, the last position in it.
pub fn draw_position(out: &mut impl Write, answer: &Answer, style: Style) -> io::Result<()> {
    let asked = &answer.explored;
    writeln!(out, "{}", asked.diagram)?;
    write_lines(out, &heading(answer, style))?;
    writeln!(out)?;
    write_lines(out, &position(asked, style))?;
    writeln!(out)?;
    if let Some(last) = &answer.last_in_book {
        write_lines(out, &wrapped(&last.said(), style.columns))?;
        writeln!(out, "\n{}", last.explored.diagram)?;
        writeln!(out, "{}\nkey {}\n", last.explored.fen, last.explored.position.key)?;
        write_lines(out, &position(&last.explored, style))?;
        writeln!(out)?;
        return draw_moves(out, &last.explored, style);
    }
    draw_moves(out, asked, style)
}

fn write_lines(out: &mut impl Write, lines: &[String]) -> io::Result<()> {
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))
}

/// Which position it is.
fn heading(answer: &Answer, style: Style) -> Vec<String> {
    let Explored { fen, position, to_move, .. } = &answer.explored;
    let key = format!("key {}, {to_move} to move", position.key);
    [vec![fen.clone(), key], opening(answer, style)].concat()
}

/// The name of the opening, if there is one.
pub(super) fn opening(answer: &Answer, style: Style) -> Vec<String> {
    let name = answer.opening.as_ref().map(|opening| wrapped(&opening.to_string(), style.columns));
    name.unwrap_or_default().iter().map(|line| style.paint.bold(line)).collect()
}

/// What is known of the position itself.
pub(super) fn position(explored: &Explored, style: Style) -> Vec<String> {
    let position = &explored.position;
    let legend = style.ink.legend();
    if !explored.known {
        let mut lines = vec!["the position is not in the book".to_owned()];
        if explored.results && !explored.moves.is_empty() {
            lines.push(legend);
        }
        return lines;
    }
    let mut lines = Vec::new();
    if explored.results {
        let [win, draw, loss] = shares(position.counts());
        let counts = format!(
            "{}: wins {win}, draws {draw}, losses {loss} for the side to move",
            counted(position.games, "game")
        );
        lines.extend(wrapped(&counts, style.columns));
        let width = WIDE.min(style.columns);
        let bar = style.ink.painted(position.counts(), width, style.paint);
        if position.games > 0 && WIDE + 2 + legend.chars().count() <= style.columns {
            lines.push(format!("{bar}  {legend}"));
        } else {
            lines.extend([bar.trim_end().to_owned(), legend]);
        }
    } else {
        lines.push(format!("{}, of unknown results", counted(position.games, "game")));
    }
    if let Some(eval) = position.eval {
        lines.push(format!("eval {eval:+}, depth {}", position.depth));
    }
    if !position.flags.is_empty() {
        lines.push(position.flags.join(", "));
    }
    if let Some(behind) = &explored.behind {
        let said = match (behind.value, behind.positions) {
            (Some(value), Some(positions)) => {
                let positions = counted(positions.into(), "position");
                format!("value {value:+} by negamax, of {positions} from here on")
            }
            (_, Some(_)) => "no value by negamax: nothing is known of the position itself".to_owned(),
            (_, None) => "no value: the book has too much behind the position; see `tabia play --rule negamax --why`".to_owned(),
        };
        lines.extend(wrapped(&said, style.columns));
        let made = evals_made(&behind.evals);
        lines.extend(made.iter().flat_map(|line| wrapped(line, style.columns)));
    }
    lines
}

/// How evals were made, a line for each way.
pub(super) fn evals_made(made: &[String]) -> Vec<String> {
    let line = |made: &String| format!("evals: {}", made.escape_debug());
    made.iter().map(line).collect()
}

fn draw_moves(out: &mut impl Write, explored: &Explored, style: Style) -> io::Result<()> {
    if explored.moves.is_empty() {
        return writeln!(out, "no moves are known here");
    }
    let moves = Moves::new(explored, style.ink, style.paint, style.columns);
    writeln!(out, "{}", moves.header)?;
    write_lines(out, &moves.lines)?;
    for note in notes(explored, &moves) {
        writeln!(out)?;
        write_lines(out, &wrapped(&note, style.columns))?;
    }
    Ok(())
}

/// What the columns don't say themselves.
fn notes(explored: &Explored, moves: &Moves) -> Vec<String> {
    let mut notes = Vec::new();
    notes.extend(best_game(explored));
    if explored.moves_from == "positions" {
        notes.push(
            "the book has no moves table: these are the moves that lead to known positions"
                .to_owned(),
        );
    }
    notes.extend(of_shares(explored));
    if !moves.left_out.is_empty() {
        notes.push(format!(
            "no room for: {}; --json has all, and so have {} columns (COLUMNS={} tabia ...)",
            moves.left_out.join(", "),
            moves.room,
            moves.room
        ));
    }
    notes
}

/// The best game of all moves, if the book knows such.
fn best_game(explored: &Explored) -> Option<String> {
    let all = explored.moves.iter().filter_map(|played| Some((played.best_game()?, played)));
    let (BestGame { rank, digest }, played) = all.max_by_key(|(game, _)| *game)?;
    let ratings = if rank > 0 {
        format!(", both players' ratings {} together", grouped(rank.into()))
    } else {
        String::new()
    };
    Some(format!("best game {digest:012x}: {}{ratings}", name(played)))
}

/// Which part of the position's games the moves don't have, if any.
fn of_shares(explored: &Explored) -> Option<String> {
    let whole = explored.whole();
    let listed: u64 = explored.moves.iter().map(|played| played.games).sum();
    (whole.of == Share::OfPosition && listed < whole.games).then(|| {
        format!(
            "shares are of the position's {}: {} of them ended here, or went on by moves that the book doesn't have",
            counted(whole.games, "game"),
            percent(whole.games - listed, whole.games)
        )
    })
}

fn shares(counts: Counts) -> [String; 3] {
    let games = counts.games();
    [counts.wins, counts.draws, counts.losses].map(|count| percent(count.into(), games))
}
