//! Books of other programs: the report of one that was read or written, and what was lost.

use crate::failure::{Done, failure};
use crate::numbers::grouped;
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::io::{self, Write};
use std::path::Path;
use tabia_interop::{LossReason, Losses, polyglot};

/// What is known of a book of another program: names and numbers.
#[derive(Default)]
pub struct Facts(Vec<Fact>);

struct Fact {
    name: &'static str,
    number: u64,
    note: String,
}

impl Facts {
    /// One more. Its name is a key of JSON and of one word, at most 11 letters and none of those
    /// reported of all books (positions, moves, bytes ...).
    #[must_use]
    pub fn with(self, name: &'static str, number: u64) -> Self {
        self.noted(name, number, String::new())
    }

    /// A number that is only reported if it isn't 0.
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

    /// These, and others behind them.
    #[must_use]
    pub fn and(mut self, others: Self) -> Self {
        self.0.extend(others.0);
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

/// All that is lost, as people read it; empty if nothing is.
pub fn in_words(losses: &Losses) -> String {
    words_of(losses.each())
}

/// Makes sure that nothing is left out of this book that a user would miss, or that they said it
/// may be. `other` is what the other book is.
pub fn check(losses: &Losses, lossy: bool, book: &Path, other: &str) -> Done<()> {
    let missed = words_of(losses.each().filter(|(reason, _)| reason.is_missed()));
    if lossy || missed.is_empty() {
        return Ok(());
    }
    Err(failure!(
        "{}: {other} can't say all of it ({missed}): give --lossy to leave that out",
        book.display()
    ))
}

/// Writes a line about what is lost, if something is.
pub fn write_losses(losses: &Losses, out: &mut impl Write) -> io::Result<()> {
    let lost = in_words(losses);
    if lost.is_empty() { Ok(()) } else { writeln!(out, "left out    {lost}") }
}

fn words_of(losses: impl Iterator<Item = (LossReason, u64)>) -> String {
    let hint = |reason: LossReason| {
        if reason == polyglot::lost::LEARNED { " (--learn-fields keep)" } else { "" }
    };
    let said = losses
        .filter(|(_, count)| *count > 0)
        .map(|(reason, count)| format!("{} {}{}", grouped(count), reason.what(), hint(reason)));
    said.collect::<Vec<_>>().join("; ")
}

/// Counts by name, as a map; of reasons that found nothing too.
pub fn as_map<S: Serializer>(losses: &Losses, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(losses.each().map(|(reason, count)| (reason.name(), count)))
}

/// How a file's name ends, in small letters, with the ending of a compression passed over: `bin` of
/// `a/Book.BIN.zst`.
pub fn ending(path: &Path) -> Option<String> {
    let of =
        |path: &Path| path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    match of(path)?.as_str() {
        "zst" | "gz" | "bz2" => of(Path::new(path.file_stem()?)),
        ending => Some(ending.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_interop::mcst;

    #[test]
    fn only_what_a_user_would_miss_needs_their_word() {
        let mut expected = Losses::new(polyglot::left_out::ALL);
        expected.add(polyglot::left_out::RATED, 7);
        assert!(check(&expected, false, Path::new("a"), "a book").is_ok());
        assert_eq!(in_words(&expected), "7 moves' ratings");
        let mut losses = Losses::new(mcst::lost::ALL);
        assert!(check(&losses, false, Path::new("a"), "a tree").is_ok());
        losses.add(mcst::lost::MARKED, 1234);
        assert!(check(&losses, true, Path::new("a"), "a tree").is_ok());
        let refused = check(&losses, false, Path::new("a"), "a tree").unwrap_err().to_string();
        assert_eq!(
            refused,
            "a: a tree can't say all of it (1,234 moves with marks): give --lossy to leave that out"
        );
        let json = as_map(&expected, serde_json::value::Serializer).unwrap().to_string();
        assert_eq!(json, r#"{"marked_moves":0,"positions":0,"rated_moves":7}"#);
    }

    #[test]
    fn names_end_before_their_compression() {
        for (name, end) in [
            ("a/Book.BIN.zst", Some("bin")),
            ("b.epd", Some("epd")),
            ("c", None),
            ("d.gz", None),
            ("-", None),
            (".bin", None),
        ] {
            assert_eq!(ending(Path::new(name)).as_deref(), end, "{name}");
        }
    }
}
