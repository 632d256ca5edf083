//! One move from a book, and why.

use crate::console::Console;
use crate::failure::{Done, Verdict, failure};
use crate::games;
use crate::labels;
use crate::numbers::grouped;
use crate::output::Output;
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use tabia_build::one_line;
use tabia_games::{Game, WithGame};
use tabia_play::choice::{
    Candidate, Decision, Figure, GameHistory, Judged, Limits, RuleSpec, Seed,
};
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
                decided.draw(&mut out)?
            } else {
                decided.name(&mut out, console)?
            }
            out.finish()?;
        }
        Ok(Verdict::found(decided.played.is_none()))
    }
}

/// What was decided, as it is shown.
#[derive(Debug, Serialize)]
struct Decided {
    fen: String,
    /// How many moves of the game were played before.
    ply: usize,
    rule: String,
    /// None if there is none that the rule would play.
    #[serde(rename = "move")]
    played: Option<Named>,
    why: String,
    /// All moves that the book knows, the chosen one first, then those that nothing speaks against,
    /// by their games.
    candidates: Vec<Shown>,
}

/// A move as people and as programs write it.
#[derive(Clone, Debug, Serialize)]
struct Named {
    san: String,
    uci: String,
}

/// A candidate.
#[derive(Debug, Serialize)]
struct Shown {
    #[serde(flatten)]
    name: Named,
    code: u16,
    chosen: bool,
    marks: Vec<&'static str>,
    figures: Map<String, Value>,
    /// Why it is out of the question, if it is.
    out: Option<String>,
    /// The figures for people, in their order.
    #[serde(skip)]
    texts: Vec<(&'static str, String)>,
    #[serde(skip)]
    games: u64,
}

impl Decided {
    fn new<G: Game>(
        rule: &RuleSpec,
        history: &GameHistory<G>,
        decision: &Decision<G::Move>,
    ) -> Self {
        let position = &history.present().position;
        let choice = &decision.choice;
        let judged = decision.candidates.iter().zip(&choice.judged).enumerate();
        let mut candidates: Vec<Shown> = judged
            .map(|(place, (candidate, judged))| {
                Shown::new(position, candidate, judged, choice.chosen == Some(place))
            })
            .collect();
        candidates.sort_by_key(|shown| {
            (!shown.chosen, shown.out.is_some(), std::cmp::Reverse(shown.games), shown.code)
        });
        Self {
            fen: position.setup(),
            ply: history.plies(),
            rule: rule.to_string(),
            played: decision.played().map(|played| Named::of(position, played)),
            why: choice.why.clone(),
            candidates,
        }
    }

    /// The move alone, for scripts; why there is none goes to standard error.
    fn name(&self, out: &mut impl Write, console: &Console) -> io::Result<()> {
        match &self.played {
            Some(played) => writeln!(out, "{}", played.san),
            None if console.quiet => Ok(()),
            None => writeln!(io::stderr(), "tabia: no move: {}", one_line(&self.why)),
        }
    }

    /// The move, why, and a table of all.
    fn draw(&self, out: &mut impl Write) -> io::Result<()> {
        let played = self.played.as_ref().map_or("no move", |played| played.san.as_str());
        writeln!(out, "{played}\n{}: {}", self.rule, self.why)?;
        if self.candidates.is_empty() {
            return Ok(());
        }
        // What is long, and told of the chosen move alone, stands above the table: in a column it
        // would widen every row.
        for (name, text) in self.candidates.iter().flat_map(|shown| &shown.texts) {
            if *name == "line" {
                writeln!(out, "line: {text}")?;
            }
        }
        let columns = self.columns();
        let mut table = Table::new();
        table
            .load_preset(presets::NOTHING)
            .set_header([&["move"], &columns[..], &["why not"]].concat());
        table.add_rows(self.candidates.iter().map(|shown| shown.row(&columns)));
        for column in table.column_iter_mut().skip(1).take(columns.len()) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        writeln!(out)?;
        table.lines().try_for_each(|line| writeln!(out, "{}", line.trim_end()))
    }

    /// The names of all figures, in the order of their first use.
    fn columns(&self) -> Vec<&'static str> {
        let mut columns = Vec::new();
        for (name, _) in self.candidates.iter().flat_map(|shown| &shown.texts) {
            if *name != "line" && !columns.contains(name) {
                columns.push(*name);
            }
        }
        columns
    }
}

impl Named {
    fn of<G: Game>(position: &G, played: &G::Move) -> Self {
        Self { san: position.notation(played), uci: position.coordinates(played) }
    }
}

impl Shown {
    fn new<G: Game>(
        position: &G,
        candidate: &Candidate<G::Move>,
        judged: &Judged,
        chosen: bool,
    ) -> Self {
        Self {
            name: Named::of(position, &candidate.played),
            code: candidate.code,
            chosen,
            marks: labels::of_marks(candidate.marks),
            figures: judged
                .figures
                .iter()
                .map(|(name, figure)| ((*name).to_owned(), value(figure)))
                .collect(),
            out: judged.out.clone(),
            texts: judged.figures.iter().map(|(name, figure)| (*name, text(figure))).collect(),
            games: candidate
                .games()
                .max(candidate.reached.map_or(0, |reached| reached.counts.games())),
        }
    }

    fn row(&self, columns: &[&str]) -> Vec<String> {
        let figure = |column: &&str| {
            self.texts
                .iter()
                .find(|(name, _)| name == column)
                .map_or("-", |(_, text)| text)
                .to_owned()
        };
        let name = [&[self.name.san.as_str()], &self.marks[..]].concat().join(" ");
        let mut row = vec![name];
        row.extend(columns.iter().map(figure));
        row.push(
            self.out
                .clone()
                .unwrap_or_else(|| if self.chosen { "chosen".to_owned() } else { String::new() }),
        );
        row
    }
}

fn value(figure: &Figure) -> Value {
    match figure {
        Figure::Count(count) => json!(count),
        Figure::Score(number) | Figure::Value(number) => json!(number),
        Figure::Word(word) => json!(word),
    }
}

fn text(figure: &Figure) -> String {
    match figure {
        Figure::Count(count) => grouped(*count),
        Figure::Score(score) => format!("{:.1}%", score * 100.0),
        Figure::Value(number) => format!("{number}"),
        Figure::Word(word) => word.clone(),
    }
}
