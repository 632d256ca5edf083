//! One move from a book, and why.

use super::Args;
use crate::prelude::*;
use comfy_table::{CellAlignment, Table, presets};
use tabia_play::choice::{Figure, Limits, Seed};
use tabia_play::explore::{Decided, Judgement};

/// Where a move is to be chosen, and how the choice is shown.
#[derive(clap::Args)]
pub struct DecisionArgs {
    #[command(flatten)]
    at: CourseChoice,
    /// The number of the game
    ///
    /// Chance depends on it as on the seed.
    #[arg(long, default_value_t = 0, value_name = "N", conflicts_with = "protocol", help_heading = headings::CHOICE)]
    game_number: u64,
    /// Show all moves, their figures, and why they were chosen
    ///
    /// Or why not.
    #[arg(long, conflicts_with = "protocol")]
    why: bool,
    /// Print JSON
    #[arg(long, conflicts_with = "protocol")]
    json: bool,
}

impl DecisionArgs {
    /// Makes sure that nothing is given that only the choice of one move needs.
    pub fn check_unused(&self) -> Done<()> {
        if self.at.is_given() {
            Err(failure!(
                "--fen and --moves are for choosing one move: with --protocol the GUI tells the position"
            ))
        } else {
            Ok(())
        }
    }
}

/// Chooses a move, and shows it.
pub fn run(args: &Args, console: &Console) -> Done {
    let stack = args.stack()?;
    let start = super::known(&stack)?;
    let history = args.decide.at.history(&start, stack.keyed(), console)?;
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
    player.note().into_iter().for_each(|note| console.note(&note));
    Output::new().show(args.decide.json, &decided, |decided, out| {
        if args.decide.why { draw(decided, out) } else { name(decided, out, console) }
    })?;
    Ok(Verdict::found(decided.played.is_none()))
}

/// The move alone, for scripts; why there is none goes to standard error.
fn name(decided: &Decided, out: &mut impl Write, console: &Console) -> io::Result<()> {
    match &decided.played {
        Some(played) => writeln!(out, "{}", played.san),
        None => {
            console.note(&format!("no move: {}", decided.why));
            Ok(())
        }
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
