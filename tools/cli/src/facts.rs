//! What a verb has to say: facts that are lines for people and keys of JSON for programs.

use crate::numbers::{grouped, seconds};
use serde::ser::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use std::fmt::Display;
use std::io::{self, Write};
use std::time::Duration;
use tabia_build::one_line;

/// Facts in their order: of JSON one order, of lines another.
#[derive(Default)]
pub struct Facts {
    json: Vec<(&'static str, Box<RawValue>)>,
    lines: Vec<String>,
}

impl Facts {
    /// A value for programs.
    pub fn json(mut self, name: &'static str, value: impl Serialize) -> Self {
        self.json.push((name, to_raw_value(&value).expect("facts have names that are text")));
        self
    }

    /// Likewise, if there is one.
    pub fn json_if(self, name: &'static str, value: Option<impl Serialize>) -> Self {
        match value {
            Some(value) => self.json(name, value),
            None => self,
        }
    }

    /// A line for people; control characters are escaped.
    pub fn line(mut self, line: impl AsRef<str>) -> Self {
        self.lines.push(one_line(line.as_ref()));
        self
    }

    /// Likewise, for each of them.
    pub fn lines(self, lines: impl IntoIterator<Item: AsRef<str>>) -> Self {
        lines.into_iter().fold(self, Self::line)
    }

    /// The lines of others.
    pub fn lines_of<'a>(mut self, others: impl IntoIterator<Item = &'a Self>) -> Self {
        self.lines.extend(others.into_iter().flat_map(|others| others.lines.iter().cloned()));
        self
    }

    /// A line with a number in the column of numbers, and a note behind it.
    pub fn number(self, label: &str, number: u64, note: impl Display) -> Self {
        self.line(format!("{label:<12}{:>14}  {note}", grouped(number)).trim_end())
    }

    /// Likewise, unless the number is 0.
    pub fn number_if(self, label: &str, number: u64, note: impl Display) -> Self {
        if number > 0 { self.number(label, number, note) } else { self }
    }

    /// A number for both. Its name is a key of JSON and of one word, at most 11 letters.
    pub fn with(self, name: &'static str, number: u64) -> Self {
        self.noted(name, number, "")
    }

    /// A number for both that is only reported if it isn't 0.
    pub fn with_any(self, name: &'static str, number: u64, note: &str) -> Self {
        if number > 0 { self.noted(name, number, note) } else { self }
    }

    /// A number for both with a note for people.
    pub fn noted(self, name: &'static str, number: u64, note: impl Display) -> Self {
        self.json(name, number).number(name, number, note)
    }

    /// The same for programs; for people this line alone.
    pub fn only_line(self, line: &str) -> Self {
        Self { lines: Vec::new(), ..self }.line(line)
    }

    /// How long it took, for both.
    pub fn time(self, time: Duration) -> Self {
        let seconds = seconds(time);
        self.json("seconds", seconds).line(line_of_seconds(seconds))
    }

    /// These, and others behind them.
    pub fn and(mut self, others: Self) -> Self {
        self.json.extend(others.json);
        self.lines.extend(others.lines);
        self
    }

    /// Writes the lines.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.lines.iter().try_for_each(|line| writeln!(out, "{line}"))
    }
}

/// How long something took, as a line.
pub fn line_of_seconds(seconds: f64) -> String {
    format!("seconds     {seconds:>14.1}")
}

impl Serialize for Facts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.json.iter().map(|(name, value)| (name, value)))
    }
}
