//! One move from a book, and why.

use crate::console::Console;
use crate::failure::{Done, Verdict, failure};
use crate::games;
use crate::numbers::grouped;
use crate::output::Output;
use comfy_table::{CellAlignment, Table, presets};
use std::io::{self, Write};
use tabia_build::one_line;
use tabia_games::{Game, WithGame};
use tabia_play::choice::{Figure, Limits, Seed};
use tabia_play::explore::{Decided, Judgement};
use tabia_proxy::BookStack;

/// Chooses a move, and shows it.
pub fn run(args: &super::Args, console: &Console) -> Done {
    let stack = args.stack()?;
    let known = stack.known().ok_or_else(|| {
        let missing = games::missing(stack.game());
        failure!("{}: the rules of its game {missing}", stack.lowest().display())
    })?;
    known.with(Deciding { args, stack: &stack, console })
}

/// A choice to be made, in any game.
struct Deciding<'a> {
    args: &'a super::Args,
    stack: &'a BookStack,
    console: &'a Console,
}

impl WithGame for Deciding<'_> {
    type Output = Done;

    fn with<G: Game>(self, start: &G) -> Done {
        let Self { args, stack, console } = self;
        let history = args.decide.at.history(start, stack.keyed())?;
        args.decide.at.note_castling(start, console);
        let rule = args.rule()?;
        let seed = Seed { seed: args.seed(), game: args.decide.game_number };
        let player = stack.player(&rule, &history.nodes()[0], seed)?;
        let limits = Limits {
            among: None,
            plies: args.max_ply,
            avoids_repetition: args.avoid_repetition,
            min_games: args.min_games,
        };
        let decided = Decided::new(&rule, &history, &player.decide(&history, &limits)?);
        if let Some(note) = player.note().filter(|_| !console.quiet) {
            writeln!(io::stderr(), "tabia: {}", one_line(&note))?;
        }
        let mut out = Output::new();
        if args.decide.json {
            out.json(&decided)?;
        } else {
            if args.decide.why {
                draw(&decided, &mut out)?
            } else {
                name(&decided, &mut out, console)?
            }
            out.finish()?;
        }
        Ok(Verdict::found(decided.played.is_none()))
    }
}

/// The move alone, for scripts; why there is none goes to standard error.
fn name(decided: &Decided, out: &mut impl Write, console: &Console) -> io::Result<()> {
    match &decided.played {
        Some(played) => writeln!(out, "{}", played.san),
        None if console.quiet => Ok(()),
        None => writeln!(io::stderr(), "tabia: no move: {}", one_line(&decided.why)),
    }
}

/// The move, why, and a table of all.
fn draw(decided: &Decided, out: &mut impl Write) -> io::Result<()> {
    let played = decided.played.as_ref().map_or("no move", |played| played.san.as_str());
    writeln!(out, "{played}\n{}: {}", decided.rule, decided.why)?;
    if decided.candidates.is_empty() {
        return Ok(());
    }
    // What is long, and told of the chosen move alone, stands above the table: in a column it would
    // widen every row.
    for (name, figure) in decided.candidates.iter().flat_map(|judgement| &judgement.figures) {
        if *name == "line" {
            writeln!(out, "line: {}", text(figure))?;
        }
    }
    let columns = columns(decided);
    let mut table = Table::new();
    table
        .load_preset(presets::NOTHING)
        .set_header([&["move"], &columns[..], &["why not"]].concat());
    table.add_rows(decided.candidates.iter().map(|judgement| row(judgement, &columns)));
    for column in table.column_iter_mut().skip(1).take(columns.len()) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    writeln!(out)?;
    table.lines().try_for_each(|line| writeln!(out, "{}", line.trim_end()))
}

/// The names of all figures, in the order of their first use.
fn columns(decided: &Decided) -> Vec<&'static str> {
    let mut columns = Vec::new();
    for (name, _) in decided.candidates.iter().flat_map(|judgement| &judgement.figures) {
        if *name != "line" && !columns.contains(name) {
            columns.push(*name);
        }
    }
    columns
}

fn row(judgement: &Judgement, columns: &[&str]) -> Vec<String> {
    let figure = |column: &&str| {
        let mut figures = judgement.figures.iter();
        figures.find(|(name, _)| name == column).map_or("-".to_owned(), |(_, figure)| text(figure))
    };
    let name = [&[judgement.name.san.as_str()], &judgement.marks[..]].concat().join(" ");
    let mut row = vec![name];
    row.extend(columns.iter().map(figure));
    let chosen = if judgement.chosen { "chosen" } else { "" };
    row.push(judgement.out.clone().unwrap_or_else(|| chosen.to_owned()));
    row
}

fn text(figure: &Figure) -> String {
    match figure {
        Figure::Count(count) => grouped(*count),
        Figure::Score(score) => format!("{:.1}%", score * 100.0),
        Figure::Value(number) => format!("{number}"),
        Figure::Word(word) => word.clone(),
    }
}
