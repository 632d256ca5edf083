//! Text to rows: strict, a line at a time, with the line's number in what is said of a wrong one.

use super::super::head::{once, parsed, read_digest, read_fact, read_keyed, read_results};
use super::super::lines::Lines;
use super::super::{Column, Entry, Fault, Fields, Form, Head, Reading, Sheet, key, shown};
use super::{VERSION, WHOLE};
use crate::failure::Done;
use std::fmt::Display;
use std::io::BufRead;
use tabia::TableKind;
use tabia::format::{Digest, Fact, Source};

/// The longest line: a fact's value of which every byte is escaped, and room to spare.
const LONGEST: u64 = 256 << 10;

/// Reads rows from text.
pub struct Reader<R> {
    lines: Lines<R>,
    line: Vec<u8>,
    head: Head,
    /// The table and the columns of the rows that follow.
    columns: Option<(Sheet, Vec<Column>)>,
    /// Whether the text promised to end with `#end`.
    has_end: bool,
    ended: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads this text, which messages call by this name.
    pub fn new(text: R, name: impl Display) -> Self {
        let (lines, head) = (Lines::new(text, name, LONGEST), Head::default());
        Self { lines, line: Vec::new(), head, columns: None, has_end: false, ended: false }
    }

    fn take(&mut self, line: &[u8]) -> Fault<Option<Entry>> {
        if line.is_empty() || line.starts_with(b"# ") || line == b"#" {
            return Ok(None);
        }
        if self.ended {
            return Err("something follows #end: load one dump at a time, and merge the books".to_owned());
        }
        let Some(said) = line.strip_prefix(b"#") else { return self.row(line).map(Some) };
        let said = std::str::from_utf8(said).map_err(|_| "it is not UTF-8".to_owned())?;
        let mut fields = said.split('\t');
        let word = fields.next().unwrap_or_default();
        self.say(word, &fields.collect::<Vec<_>>())?;
        Ok(None)
    }

    /// Takes what a line says of the rows.
    fn say(&mut self, word: &str, values: &[&str]) -> Fault<()> {
        let head = &mut self.head;
        match (word, values) {
            ("tabia-rows", [VERSION]) => self.has_end = true,
            ("tabia-rows", _) => return Err(format!("the text is of another version than {VERSION}: use a newer tabia")),
            ("game", [name]) => once(&mut head.game, "#game", parsed(name)?)?,
            ("keys", [name]) => once(&mut head.keys, "#keys", parsed(name)?)?,
            ("keyed", [keyed]) => once(&mut head.keyed, "#keyed", read_keyed(keyed)?)?,
            ("results", [results]) => once(&mut head.results, "#results", read_results(results)?)?,
            ("filter", []) => head.filter = true,
            ("load", [load]) => once(&mut head.load, "#load", parsed(load)?)?,
            ("share", [share]) => once(&mut head.share, "#share", parsed(share)?)?,
            ("fact", [subject, name, value]) => head.facts.push(fact(subject, name, value)?),
            ("source", [digest, games, name]) => head.sources.push(source(digest, games, name)?),
            ("positions", names) => self.table(TableKind::Positions, names)?,
            ("moves", names) => self.table(TableKind::Moves, names)?,
            ("end", []) => self.ended = true,
            _ => return Err(format!("`#{word}` with {} values means nothing here; a comment begins with `# `", values.len())),
        }
        Ok(())
    }

    /// The rows that follow are of this table, and have these columns.
    fn table(&mut self, kind: TableKind, names: &[&str]) -> Fault<()> {
        let columns = Column::named(kind, names.iter().copied())?;
        let cells = Column::cells(&columns);
        self.head.add(kind);
        self.head.columns = self.head.columns.union(cells);
        self.columns = Some((Sheet { kind, cells }, columns));
        Ok(())
    }

    fn row(&self, line: &[u8]) -> Fault<Entry> {
        let Some((sheet, columns)) = &self.columns else {
            return Err(
                "a row before its columns are named: put a line such as `#positions<tab>key<tab>wins<tab>draws<tab>losses` above it"
                    .to_owned(),
            );
        };
        let mut fields = Fields::default();
        let mut values = line.split(|&byte| byte == b'\t');
        for &column in columns {
            let value = values.next().ok_or_else(|| wrong_number(line, columns))?;
            set(&mut fields, column, value)?;
        }
        if values.next().is_some() {
            return Err(wrong_number(line, columns));
        }
        fields.entry(*sheet)
    }
}

impl<R: BufRead> Reading for Reader<R> {
    fn next(&mut self) -> Done<Option<Entry>> {
        while self.lines.next(&mut self.line)? {
            let line = std::mem::take(&mut self.line);
            let entry = self.take(&line).map_err(|what| self.lines.failure(&what));
            self.line = line;
            if let Some(entry) = entry? {
                return Ok(Some(entry));
            }
        }
        if self.has_end && !self.ended {
            return Err(self.lines.failure("the text ends without #end: it was cut off; get the whole of it"));
        }
        Ok(None)
    }

    fn into_head(self: Box<Self>) -> Head {
        self.head
    }
}

fn wrong_number(line: &[u8], columns: &[Column]) -> String {
    let fields = line.split(|&byte| byte == b'\t').count();
    format!("{} columns are expected, separated by tabs; {fields} found", columns.len())
}

/// Puts what a field says into its column.
fn set(fields: &mut Fields, column: Column, value: &[u8]) -> Fault<()> {
    let fits = match column.form() {
        Form::Word => key(value).is_some_and(|word| fields.set(column, word.cast_signed())),
        Form::Long => unsigned(value).is_some_and(|number| fields.set_unsigned(column, number)),
        Form::Number if column == Column::Eval && value == b"-" => true,
        Form::Number => number(value).is_some_and(|number| fields.set(column, number)),
    };
    if fits { Ok(()) } else { Err(column.refuses("-", &shown(value))) }
}

/// A whole number in decimal digits, with `-` before it or nothing.
fn number(value: &[u8]) -> Option<i64> {
    match value.strip_prefix(b"-") {
        Some(digits) => Some(-i64::try_from(unsigned(digits)?).ok()?),
        None => i64::try_from(unsigned(value)?).ok(),
    }
}

/// A whole number in decimal digits and nothing else.
fn unsigned(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    digits.iter().try_fold(0u64, |number, &digit| number.checked_mul(10)?.checked_add((digit - b'0').into()))
}

fn fact(subject: &str, name: &str, value: &str) -> Fault<Fact> {
    let subject = if subject == WHOLE { Digest::NONE } else { read_digest(subject)? };
    read_fact(subject, name, unescaped(value)?)
}

fn source(digest: &str, games: &str, name: &str) -> Fault<Source> {
    let digest = read_digest(digest)?;
    let plain = games.bytes().all(|byte| byte.is_ascii_digit());
    let games = games.parse().ok().filter(|_| plain).ok_or_else(|| format!("the games of a source are a whole number, not `{games}`"))?;
    Ok(Source { digest, games, name: unescaped(name)? })
}

fn unescaped(name: &str) -> Fault<String> {
    let mut plain = String::with_capacity(name.len());
    let mut letters = name.chars();
    while let Some(letter) = letters.next() {
        plain.push(match letter {
            '\\' => match letters.next() {
                Some('\\') => '\\',
                Some('t') => '\t',
                Some('n') => '\n',
                Some('r') => '\r',
                _ => return Err(r"a name or a value has \ without \, t, n or r after it".to_owned()),
            },
            letter => letter,
        });
    }
    Ok(plain)
}
