//! Rows to text.

use super::super::line::Line;
use super::super::metadata::results_word;
use super::super::{Fields, FileColumn, Metadata, Schema};
use super::{VERSION, WHOLE, escaped};
use std::io::{self, Write};
use tabia::TableKind;
use tabia::format::{Fact, Results, Source};

/// Writes what the book says of itself.
pub(super) fn write_metadata(out: &mut impl Write, metadata: &Metadata) -> io::Result<()> {
    writeln!(out, "#tabia-rows\t{VERSION}")?;
    metadata.game.iter().try_for_each(|game| writeln!(out, "#game\t{game}"))?;
    metadata.keys.iter().try_for_each(|keys| writeln!(out, "#keys\t{keys}"))?;
    metadata.keyed.iter().try_for_each(|keyed| writeln!(out, "#keyed\t{keyed}"))?;
    metadata.load.iter().try_for_each(|load| writeln!(out, "#load\t{load}"))?;
    if metadata.results == Some(Results::Unknown) {
        writeln!(out, "#results\t{}", results_word(Results::Unknown))?;
    }
    metadata
        .share
        .iter()
        .filter(|share| !share.is_whole())
        .try_for_each(|share| writeln!(out, "#share\t{share}"))?;
    if metadata.filter {
        writeln!(out, "#filter")?;
    }
    metadata.sources.iter().try_for_each(|source| write_source(out, source))?;
    metadata.facts.iter().try_for_each(|fact| write_fact(out, fact))
}

/// Writes an archive the book was made of.
fn write_source(out: &mut impl Write, source: &Source) -> io::Result<()> {
    writeln!(out, "#source\t{}\t{}\t{}", source.digest, source.games, escaped(&source.name))
}

/// Writes something that is known of the book or of an archive.
fn write_fact(out: &mut impl Write, fact: &Fact) -> io::Result<()> {
    let subject = if fact.is_of_book() { WHOLE.to_owned() } else { fact.subject().to_string() };
    writeln!(out, "#fact\t{subject}\t{}\t{}", fact.name(), escaped(fact.value()))
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
