//! Rows as text: what `dump` writes, `get` shows and `load` reads.
//!
//! A line is a row, its fields between tabs. Lines that begin with `#` and a word say what the rows
//! are, and `# ` begins a comment. `format-spec/rows.md` lists the words.

use super::lines::{Line, LineFormat, Said};
use super::metadata::{
    once, parsed, read_digest, read_fact, read_keyed, read_results, results_word,
};
use super::{Checked, Fault, Fields, FileColumn, Form, Metadata, Schema, key, shown};
use crate::AnyRow;
use std::io::{self, Write};
use tabia::{Digest, Fact, Results, Source, TableKind};

const VERSION: u64 = 1;
const VERSION_TEXT: &str = "1";
/// The subject of what is known of the whole book.
const WHOLE: &str = "-";

/// A text without tabs and ends of lines.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
}

/// The text, and the table and the columns of the rows that follow.
#[derive(Default)]
pub(super) struct Text {
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
        writeln!(out, "#tabia-rows\t{VERSION}")?;
        metadata.game.iter().try_for_each(|game| writeln!(out, "#game\t{game}"))?;
        metadata.keys.iter().try_for_each(|keys| writeln!(out, "#keys\t{keys}"))?;
        metadata.keyed.iter().try_for_each(|keyed| writeln!(out, "#keyed\t{keyed}"))?;
        metadata.load.iter().try_for_each(|load| writeln!(out, "#load\t{load}"))?;
        if metadata.results == Some(Results::Unknown) {
            writeln!(out, "#results\t{}", results_word(Results::Unknown))?;
        }
        if let Some(share) = metadata.share.filter(|share| !share.is_whole()) {
            writeln!(out, "#share\t{share}")?;
        }
        if metadata.filter {
            writeln!(out, "#filter")?;
        }
        for Source { digest, games, name } in &metadata.sources {
            writeln!(out, "#source\t{digest}\t{games}\t{}", escaped(name))?;
        }
        metadata.facts.iter().try_for_each(|fact| {
            let (whole, subject) = (fact.is_of_book(), fact.subject().to_string());
            let subject = if whole { WHOLE } else { &subject };
            writeln!(out, "#fact\t{subject}\t{}\t{}", fact.name(), escaped(fact.value()))
        })
    }

    fn write_schema(out: &mut impl Write, schema: Schema) -> io::Result<()> {
        write_schema(out, schema)
    }

    fn write_row(
        out: &mut impl Write,
        _: TableKind,
        columns: &[FileColumn],
        row: &Fields,
    ) -> io::Result<()> {
        write_row(out, columns, row)
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
            _ => return Err(Fault::Unknown(word.to_owned(), values.len())),
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

/// Writes which columns the rows that follow have, and what is in those that don't speak for
/// themselves, in two lines.
///
/// # Errors
/// Those of `out`.
pub fn write_schema(out: &mut impl Write, schema: Schema) -> io::Result<()> {
    let kind = schema.kind;
    let (seen_from, set) = match kind {
        TableKind::Positions => (
            "the side to move",
            "flags: 1 proven win, 2 proven draw, 4 proven loss, 8 public draw, 16 expanded; eval -: none",
        ),
        TableKind::Moves => (
            "the side that plays the move",
            "marks: 1 !, 2 ?, 4 !!, 8 ??, 16 !?, 32 ?!, 64 never, 128 always",
        ),
    };
    writeln!(out, "# counts of {kind} are seen from {seen_from}; {set}")?;
    write!(out, "#{kind}")?;
    schema.columns().iter().try_for_each(|column| write!(out, "\t{}", column.name()))?;
    writeln!(out)
}

/// Writes a row that has these columns, of which the first is the key, in a line.
///
/// # Errors
/// Those of `out`.
pub fn write_row(out: &mut impl Write, columns: &[FileColumn], row: &Fields) -> io::Result<()> {
    let mut line = Line::default();
    line.key(row.key);
    for &column in columns.iter().filter(|&&column| column != FileColumn::Key) {
        line.push(b"\t");
        line.value(row, column, b"", b"-");
    }
    line.push(b"\n");
    out.write_all(line.bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::lines::LineReader;
    use crate::rows::{self, are_refused};
    use proptest::prelude::*;
    use tabia::{Counts, NO_EVAL, PositionRow};

    fn read_all(text: &[u8]) -> Result<(Vec<AnyRow>, Metadata), String> {
        rows::read_all(Box::new(LineReader::<_, Text>::new(text)))
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "(#?(positions|moves|source|end|game)?[\t\n]?[-0-9a-f]{0,17}[\t\n]?){0,9}") {
            let _ = read_all(text.as_bytes());
        }

        #[test]
        fn no_bytes_make_the_reader_panic(bytes: Vec<u8>) {
            let _ = read_all(&bytes);
        }
    }

    #[test]
    fn columns_may_be_fewer_and_in_any_order() {
        let (entries, _) =
            read_all(b"# by hand\n#positions\twins\tkey\n7\t0000000000000001\n\n").unwrap();
        let row = PositionRow::new(1, Counts::new(7, 0, 0)).with_eval(NO_EVAL, 0);
        assert_eq!(entries, [AnyRow::Position(row)]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let table = r"
            0000000000000001\t1\n | 1 | before
            #positions\twins\n | 1 | key
            #moves\tkey\twins\n | 1 | move
            #positions\tkey\tkey\n | 1 | twice
            #positions\tkey\tmarks\n | 1 | marks
            #nonsense\n | 1 | #nonsense
            #game\tChess\n | 1 | Chess
            #game\tchess\n#game\tgo\n | 2 | game
            #load\t2\n | 1 | 0.98
            #keyed\tmove\n | 1 | keyed
            #source\t12\t3\tx\n | 1 | digest
            #source\t00000000000000000000000000000000\tx\tx\n | 1 | games
            #share\t3/7\n | 1 | 3/7
            #share\t3/8\n#share\t4/8\n | 2 | #share
            #fact\t12\tcounts\tx\n | 1 | digest
            #fact\t-\tCounts\tx\n | 1 | Counts
            #moves\tkey\tmove\tgame\n0000000000000001\t1\t12\n | 2 | game is 16 hexadecimal digits
            #moves\tkey\tmove\tfirst_year\n0000000000000001\t1\t65536\n | 2 | first_year is a whole number from 0 to 65535
            #moves\tkey\tmove\trated_score\n0000000000000001\t1\t18446744073709551616\n | 2 | rated_score
            #positions\tkey\tgame\n | 1 | game
            #tabia-rows\t2\n | 1 | version
            #tabia-rows\t1\n | 1 | cut off
            #end\n#game\tgo\n | 2 | #end
            FULL\n1\t1\t1\t1\t-\t0\t0\n | 2 | 16 hexadecimal
            FULL\n0000000000000001\t1\t1\t1\t-\t0\n | 2 | 7 columns
            FULL\n0000000000000001\t4294967296\t1\t1\t-\t0\t0\n | 2 | wins
            FULL\n0000000000000001\t+1\t1\t1\t-\t0\t0\n | 2 | wins
            FULL\n0000000000000001\t1\t\t1\t-\t0\t0\n | 2 | draws
            FULL\n0000000000000001\t1\t1\t1\t-32768\t0\t0\n | 2 | eval
            FULL\n0000000000000001\t1\t1\t1\t-\t3\t0\n | 2 | depth
            FULL\n0000000000000001\t1\t1\t1\t5\t256\t0\n | 2 | depth
            FULL\n0000000000000001\t1\t1\t1\t5\t5\t32\n | 2 | flags
        ";
        let full = r"#positions\tkey\twins\tdraws\tlosses\teval\tdepth\tflags";
        are_refused(read_all, &table.replace("FULL", full));
    }

    #[test]
    fn a_line_without_end_is_refused() {
        assert!(read_all(&vec![b'1'; 1 << 21]).unwrap_err().contains("too long"));
    }
}
