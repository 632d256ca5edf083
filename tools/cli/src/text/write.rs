//! Rows to text.

use super::{Column, VERSION};
use std::io::{self, Write};
use tabia::format::{Header, Source};
use tabia::{MoveRow, PositionRow, Row, TableKind};

/// Writes what the book says of itself.
pub fn write_head(out: &mut impl Write, header: &Header, sources: &[Source]) -> io::Result<()> {
    writeln!(out, "#tabia-rows\t{VERSION}")?;
    writeln!(out, "#game\t{}\n#keys\t{}\n#keyed\t{}\n#load\t{}", header.game, header.keys, header.keyed, header.load)?;
    sources.iter().try_for_each(|source| write_source(out, source))
}

/// Writes an archive the book was made of.
pub(super) fn write_source(out: &mut impl Write, source: &Source) -> io::Result<()> {
    let name = source.name.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r");
    writeln!(out, "#source\t{}\t{}\t{name}", source.digest, source.games)
}

/// Writes which columns the rows that follow have, and what is in those that don't speak for themselves.
pub fn write_columns(out: &mut impl Write, kind: TableKind) -> io::Result<()> {
    let (seen_from, set) = match kind {
        TableKind::Positions => {
            ("the side to move", "flags: 1 proven win, 2 proven draw, 4 proven loss, 8 public draw, 16 expanded; eval -: none")
        }
        TableKind::Moves => ("the side that plays the move", "marks: 1 !, 2 ?, 4 !!, 8 ??, 16 !?, 32 ?!, 64 never, 128 always"),
    };
    writeln!(out, "# counts of {kind} are seen from {seen_from}; {set}")?;
    write!(out, "#{kind}")?;
    Column::of(kind).iter().try_for_each(|column| write!(out, "\t{}", column.name()))?;
    writeln!(out)
}

/// Writes a row of the positions table.
pub fn write_position(out: &mut impl Write, row: &PositionRow) -> io::Result<()> {
    write_counts(out, row)?;
    match row.eval() {
        Some(eval) => write!(out, "\t{eval}")?,
        None => out.write_all(b"\t-")?,
    }
    writeln!(out, "\t{}\t{}", row.depth(), row.flags())
}

/// Writes a row of the moves table.
pub fn write_move(out: &mut impl Write, row: &MoveRow) -> io::Result<()> {
    write_counts(out, row)?;
    writeln!(out, "\t{}\t{}", row.code(), row.marks())
}

fn write_counts(out: &mut impl Write, row: &impl Row) -> io::Result<()> {
    let counts = row.counts();
    write!(out, "{:016x}\t{}\t{}\t{}", row.key(), counts.wins, counts.draws, counts.losses)
}

/// Writes that nothing is missing.
pub fn write_end(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "#end")
}
