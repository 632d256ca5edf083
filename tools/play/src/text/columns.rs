//! The moves of a position in columns that fit the terminal: what matters less is left out.

use super::bars::Ink;
use super::numbers::{grouped, percent};
use super::paint::Paint;
use crate::explore::{Explored, Move, Strength};
use tabia::{Column as Stored, Counts};

/// Characters of a move's bar, at least and at most.
const NARROWEST: usize = 8;
const WIDEST: usize = 40;

/// The moves as lines, one each.
pub struct Moves {
    /// The names of the columns.
    pub header: String,
    /// The moves; each line begins with a space, in the place of a pointer.
    pub lines: Vec<String>,
    /// The columns that there was no room for.
    pub left_out: Vec<&'static str>,
    /// Columns of a terminal that has room for all of them.
    pub room: usize,
}

struct Column {
    name: &'static str,
    /// Which columns go first where there is no room: those with the least.
    worth: u8,
    content: Content,
}

enum Content {
    /// Text that stands left, or right.
    Left(Vec<String>),
    Right(Vec<String>),
    /// Bars, as wide as there is room.
    Bars(Vec<Counts>),
}

/// What columns are worth that never go.
const ALWAYS: u8 = u8::MAX;

impl Column {
    /// The characters it takes, at least.
    fn width(&self) -> usize {
        let characters = |text: &str| text.chars().count();
        match &self.content {
            Content::Left(cells) | Content::Right(cells) => {
                let widest = cells.iter().map(|cell| characters(cell)).max().unwrap_or(0);
                widest.max(characters(self.name))
            }
            Content::Bars(_) => NARROWEST,
        }
    }
}

impl Moves {
    /// The moves of a position within so many characters.
    pub fn new(explored: &Explored, ink: Ink, paint: Paint, width: usize) -> Self {
        let mut columns = columns(explored);
        let room = total(&columns);
        let mut left_out = Vec::new();
        while total(&columns) > width
            && let Some(least) = columns.iter().map(|column| column.worth).min()
            && least < ALWAYS
        {
            let gone = |column: &mut Column| column.worth == least;
            left_out.extend(columns.extract_if(.., gone).map(|column| column.name));
        }
        left_out.retain(|name| !name.is_empty());
        let bar = (NARROWEST + width.saturating_sub(total(&columns))).min(WIDEST);
        let name = |column: &Column| match column.content {
            Content::Bars(_) => String::new(),
            _ => column.name.to_owned(),
        };
        let line = |cell: &dyn Fn(&Column) -> String| -> String {
            let cells = columns.iter().map(|column| {
                let (text, width) = (cell(column), column.width());
                match column.content {
                    Content::Left(_) => format!("{text:width$}"),
                    Content::Right(_) => format!("{text:>width$}"),
                    Content::Bars(_) if text.chars().count() < bar => format!("{text:bar$}"),
                    Content::Bars(_) => text,
                }
            });
            format!(" {}", cells.collect::<Vec<_>>().join("  "))
        };
        let row = |place: usize| {
            let cell = |column: &Column| match &column.content {
                Content::Left(cells) | Content::Right(cells) => cells[place].clone(),
                Content::Bars(counts) => ink.painted(counts[place], bar, paint),
            };
            line(&cell).trim_end().to_owned()
        };
        Self {
            header: paint.faint(line(&name).trim_end()),
            lines: (0..explored.moves.len()).map(row).collect(),
            left_out,
            room,
        }
    }
}

/// The characters of a line.
fn total(columns: &[Column]) -> usize {
    columns.iter().map(|column| column.width() + 2).sum::<usize>() - 1
}

/// The bars' column; it has no name in the table.
const BARS: &str = "bars";

/// All columns that the book has something for.
fn columns(explored: &Explored) -> Vec<Column> {
    let moves = &explored.moves;
    let has = |column: &Stored| explored.columns.contains(&column.name);
    let is_rated = has(Stored::RATINGS);
    let shares = |count: fn(&Counts) -> u32| {
        let share = |played: &Move| percent(count(&played.counts()).into(), played.games);
        Content::Right(moves.iter().map(share).collect())
    };
    let cells = |cell: &dyn Fn(&Move) -> String| Content::Right(moves.iter().map(cell).collect());
    let whole = explored.whole();
    let has_evals = moves.iter().any(|played| played.eval().is_some());
    let has_values = moves.iter().any(|played| played.value.is_some());
    let strength = |of: fn(&Strength) -> Option<f64>, signed| {
        cells(&|played| points(played.strength.as_ref().and_then(of), signed))
    };
    let there = |of: &dyn Fn(Counts) -> String| {
        cells(&|played| played.leads_to().map_or_else(|| "-".to_owned(), of))
    };
    let all = [
        (true, "move", ALWAYS, Content::Left(moves.iter().map(name).collect())),
        (true, "games", ALWAYS, cells(&|played| grouped(played.games))),
        (true, "share", ALWAYS, cells(&|played| percent(played.games, whole.games))),
        (explored.results, "win", ALWAYS, shares(|counts| counts.wins)),
        (explored.results, "draw", 7, shares(|counts| counts.draws)),
        (explored.results, "loss", 7, shares(|counts| counts.losses)),
        (explored.results, BARS, 6, Content::Bars(moves.iter().map(Move::counts).collect())),
        (has_evals, "eval", 8, cells(&|played| signed(played.eval()))),
        (has_values, "value", 8, cells(&|played| signed(played.value))),
        (is_rated, "rating", 5, strength(|strength| strength.average_rating, false)),
        (is_rated && explored.results, "perf", 4, strength(|strength| strength.performance, false)),
        (is_rated && explored.results, "gain", 3, strength(|strength| strength.gain, true)),
        (has(Stored::YEARS), "years", 2, cells(&|played| played.years().unwrap_or_default())),
        (true, "leads to", 1, there(&|counts| grouped(counts.games()))),
        (explored.results, "win", 1, there(&|counts| percent(counts.wins.into(), counts.games()))),
    ];
    let column = |(is_there, name, worth, content)| {
        let column = Column { name, worth, content };
        Some(column).filter(|_| is_there)
    };
    all.into_iter().filter_map(column).collect()
}

/// An eval or a value, if there is one.
fn signed(number: Option<impl std::fmt::Display>) -> String {
    number.map_or_else(|| "-".to_owned(), |number| format!("{number:+}"))
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
pub fn name(played: &Move) -> String {
    let san = played.san.clone().unwrap_or_else(|| format!("(code {})", played.code));
    let (signs, words): (Vec<&str>, Vec<&str>) =
        played.marks.iter().partition(|mark| mark.starts_with(['!', '?']));
    [vec![san + &signs.join(",")], words.into_iter().map(str::to_owned).collect()]
        .concat()
        .join(" ")
}
