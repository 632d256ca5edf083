//! Books of other programs: what is told of one that was read or written, and what got lost on the way.

use crate::failure::{Done, told};
use crate::numbers::grouped;
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::io::{self, Write};
use std::path::Path;

/// What is known of a book of another program: names and numbers.
#[derive(Default)]
pub struct Facts(Vec<Fact>);

struct Fact {
    name: &'static str,
    number: u64,
    note: String,
}

impl Facts {
    /// One more. Its name is a key of JSON and of one word, at most 11 letters and not one of what is told of all books (positions, moves, bytes ...).
    #[must_use]
    pub fn with(self, name: &'static str, number: u64) -> Self {
        self.noted(name, number, String::new())
    }

    /// One that is only told if there is something to tell.
    #[must_use]
    pub fn with_any(self, name: &'static str, number: u64, note: &str) -> Self {
        if number > 0 { self.noted(name, number, note.to_owned()) } else { self }
    }

    /// One with a note for people.
    #[must_use]
    pub fn noted(mut self, name: &'static str, number: u64, note: String) -> Self {
        self.0.push(Fact { name, number, note });
        self
    }

    /// Writes them, in lines.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.0.iter().try_for_each(|Fact { name, number, note }| {
            let line = format!("{name:<11} {:>14}  {note}", grouped(*number));
            writeln!(out, "{}", line.trim_end())
        })
    }
}

/// Names and numbers as a map.
impl Serialize for Facts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        self.0.iter().try_for_each(|fact| map.serialize_entry(fact.name, &fact.number))?;
        map.end()
    }
}

/// What one book holds and the other doesn't.
#[derive(Default)]
pub struct Losses(Vec<Loss>);

struct Loss {
    name: &'static str,
    count: u64,
    what: &'static str,
    /// Whether a user would miss it, and has to say that it may be left out.
    missed: bool,
}

impl Losses {
    /// What a user would miss: its key in JSON, how many there are, and what they are.
    #[must_use]
    pub fn missed(self, name: &'static str, count: u64, what: &'static str) -> Self {
        self.with(Loss { name, count, what, missed: true })
    }

    /// What everybody who knows the other format expects to be left out.
    #[must_use]
    pub fn expected(self, name: &'static str, count: u64, what: &'static str) -> Self {
        self.with(Loss { name, count, what, missed: false })
    }

    /// All that a reader or writer of another format counts, as expected.
    #[must_use]
    pub fn all(self, lost: &[tabia_interop::Loss]) -> Self {
        lost.iter().fold(self, |losses, loss| losses.expected(loss.name, loss.count, loss.what))
    }

    fn with(mut self, loss: Loss) -> Self {
        self.0.push(loss);
        self
    }

    /// All that is lost, as people read it; empty if nothing is.
    pub fn in_words(&self) -> String {
        in_words(self.0.iter())
    }

    /// Makes sure that nothing is left out of this book that a user would miss, or that they said it may be. `other` is what the other book is.
    pub fn check(&self, lossy: bool, book: &Path, other: &str) -> Done<()> {
        let missed = in_words(self.0.iter().filter(|loss| loss.missed));
        if lossy || missed.is_empty() {
            return Ok(());
        }
        Err(told!("{}: {other} can't say all of it ({missed}): give --lossy to leave that out", book.display()))
    }

    /// Writes a line about them, if there are any.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let lost = self.in_words();
        if lost.is_empty() { Ok(()) } else { writeln!(out, "left out    {lost}") }
    }
}

fn in_words<'a>(losses: impl Iterator<Item = &'a Loss>) -> String {
    let said = losses.filter(|loss| loss.count > 0).map(|Loss { count, what, .. }| format!("{} {what}", grouped(*count)));
    said.collect::<Vec<_>>().join("; ")
}

/// Counts by name, as a map.
impl Serialize for Losses {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        self.0.iter().try_for_each(|loss| map.serialize_entry(loss.name, &loss.count))?;
        map.end()
    }
}

/// How a file's name ends, in small letters, with the ending of a compression passed over: `bin` of `a/Book.BIN.zst`.
pub fn ending(path: &Path) -> Option<String> {
    let of = |path: &Path| path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    match of(path)?.as_str() {
        "zst" | "gz" | "bz2" => of(Path::new(path.file_stem()?)),
        ending => Some(ending.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_user_would_miss_needs_their_word() {
        let losses = Losses::default().missed("draws", 0, "draws").expected("rated", 7, "moves with ratings");
        assert!(losses.check(false, Path::new("a"), "a tree").is_ok());
        assert_eq!(losses.in_words(), "7 moves with ratings");
        let losses = losses.missed("marked", 1234, "moves with marks");
        assert!(losses.check(true, Path::new("a"), "a tree").is_ok());
        let refused = losses.check(false, Path::new("a"), "a tree").unwrap_err().to_string();
        assert_eq!(refused, "a: a tree can't say all of it (1,234 moves with marks): give --lossy to leave that out");
        assert_eq!(serde_json::to_string(&losses).unwrap(), r#"{"draws":0,"rated":7,"marked":1234}"#);
    }

    #[test]
    fn names_end_before_their_compression() {
        for (name, end) in
            [("a/Book.BIN.zst", Some("bin")), ("b.epd", Some("epd")), ("c", None), ("d.gz", None), ("-", None), (".bin", None)]
        {
            assert_eq!(ending(Path::new(name)).as_deref(), end, "{name}");
        }
    }
}
