//! Text to rows: strict, a line at a time.

use super::super::lines::{LineFormat, Said};
use super::super::metadata::{once, parsed, read_digest, read_fact, read_keyed, read_results};
use super::super::{Checked, Fault, Fields, FileColumn, Form, Metadata, Schema, key, shown};
use super::{VERSION, VERSION_TEXT, WHOLE, write};
use crate::AnyRow;
use std::io::{self, Write};
use tabia::TableKind;
use tabia::format::{Digest, Fact, Source};

/// The text, and the table and the columns of the rows that follow.
#[derive(Default)]
pub struct Text {
    columns: Option<(Schema, Vec<FileColumn>)>,
}

impl LineFormat for Text {
    const LONGEST: u64 = 256 << 10;
    const END: &'static str = "#end";

    fn take(&mut self, line: &[u8], said: &mut Said) -> Checked<Option<AnyRow>> {
        if line.is_empty() || line.starts_with(b"# ") || line == b"#" {
            return Ok(None);
        }
        if said.ended {
            return Err(Fault::AfterEnd(Self::END));
        }
        let Some(text) = line.strip_prefix(b"#") else { return self.row(line).map(Some) };
        let text = std::str::from_utf8(text).map_err(|_| Fault::NotUtf8)?;
        let mut fields = text.split('\t');
        let word = fields.next().unwrap_or_default();
        self.say(said, word, &fields.collect::<Vec<_>>())?;
        Ok(None)
    }

    fn write_metadata(out: &mut impl Write, metadata: &Metadata) -> io::Result<()> {
        write::write_metadata(out, metadata)
    }

    fn write_schema(out: &mut impl Write, schema: Schema) -> io::Result<()> {
        write::write_schema(out, schema)
    }

    fn write_row(
        out: &mut impl Write,
        _: TableKind,
        columns: &[FileColumn],
        row: &Fields,
    ) -> io::Result<()> {
        write::write_row(out, columns, row)
    }
}

impl Text {
    /// Takes what a line says of the rows.
    fn say(&mut self, said: &mut Said, word: &str, values: &[&str]) -> Checked<()> {
        let head = &mut said.metadata;
        match (word, values) {
            ("tabia-rows", [VERSION_TEXT]) => said.has_end = true,
            ("tabia-rows", _) => return Err(Fault::Version(VERSION)),
            ("game", [name]) => once(&mut head.game, "#game", parsed(name)?)?,
            ("keys", [name]) => once(&mut head.keys, "#keys", parsed(name)?)?,
            ("keyed", [keyed]) => once(&mut head.keyed, "#keyed", read_keyed(keyed)?)?,
            ("results", [results]) => once(&mut head.results, "#results", read_results(results)?)?,
            ("filter", []) => head.filter = true,
            ("load", [load]) => once(&mut head.load, "#load", parsed(load)?)?,
            ("share", [share]) => once(&mut head.share, "#share", parsed(share)?)?,
            ("fact", [subject, name, value]) => head.facts.push(fact(subject, name, value)?),
            ("source", [digest, games, name]) => head.sources.push(source(digest, games, name)?),
            ("positions", names) => self.table(head, TableKind::Positions, names)?,
            ("moves", names) => self.table(head, TableKind::Moves, names)?,
            ("end", []) => said.ended = true,
            _ => return Err(Fault::Unknown { word: word.to_owned(), values: values.len() }),
        }
        Ok(())
    }

    /// The rows that follow are of this table, and have these columns.
    fn table(&mut self, head: &mut Metadata, kind: TableKind, names: &[&str]) -> Checked<()> {
        let columns = FileColumn::named(kind, names.iter().copied())?;
        let cells = FileColumn::cells(&columns);
        head.add(kind);
        head.columns = head.columns.union(cells);
        self.columns = Some((Schema { kind, cells }, columns));
        Ok(())
    }

    fn row(&self, line: &[u8]) -> Checked<AnyRow> {
        let (schema, columns) = self.columns.as_ref().ok_or(Fault::NoColumns)?;
        let mut fields = Fields::default();
        let mut values = line.split(|&byte| byte == b'\t');
        for &column in columns {
            let value = values.next().ok_or_else(|| wrong_number(line, columns))?;
            set(&mut fields, column, value)?;
        }
        if values.next().is_some() {
            return Err(wrong_number(line, columns));
        }
        fields.entry(*schema)
    }
}

fn wrong_number(line: &[u8], columns: &[FileColumn]) -> Fault {
    Fault::Values { expected: columns.len(), found: line.split(|&byte| byte == b'\t').count() }
}

/// Puts what a field says into its column.
fn set(fields: &mut Fields, column: FileColumn, value: &[u8]) -> Checked<()> {
    let fits = match column.form() {
        Form::Word => key(value).is_some_and(|word| fields.set(column, word.cast_signed())),
        Form::Long => unsigned(value).is_some_and(|number| fields.set_unsigned(column, number)),
        Form::Number if column == FileColumn::Eval && value == b"-" => true,
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
    digits
        .iter()
        .try_fold(0u64, |number, &digit| number.checked_mul(10)?.checked_add((digit - b'0').into()))
}

fn fact(subject: &str, name: &str, value: &str) -> Checked<Fact> {
    let subject = if subject == WHOLE { Digest::NONE } else { read_digest(subject)? };
    read_fact(subject, name, unescaped(value)?)
}

fn source(digest: &str, games: &str, name: &str) -> Checked<Source> {
    let digest = read_digest(digest)?;
    let plain = games.bytes().all(|byte| byte.is_ascii_digit());
    let games =
        games.parse().ok().filter(|_| plain).ok_or_else(|| Fault::Games(games.to_owned()))?;
    Ok(Source { digest, games, name: unescaped(name)? })
}

fn unescaped(name: &str) -> Checked<String> {
    let mut plain = String::with_capacity(name.len());
    let mut letters = name.chars();
    while let Some(letter) = letters.next() {
        plain.push(match letter {
            '\\' => match letters.next() {
                Some('\\') => '\\',
                Some('t') => '\t',
                Some('n') => '\n',
                Some('r') => '\r',
                _ => return Err(Fault::Escape),
            },
            letter => letter,
        });
    }
    Ok(plain)
}
