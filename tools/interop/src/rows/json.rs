//! Rows as JSON Lines: an object a line, whose `table` says what it is, as `format-spec/rows.md`
//! lists them.

mod facts;
mod row;

use super::lines::{Line, LineFormat, Said};
use super::{Checked, Fault, Fields, FileColumn, Metadata, Schema};
use crate::AnyRow;
use facts::Facts;
pub(super) use facts::{Book, Fact, Source};
use row::{Kind, Object};
use serde::Serialize;
use std::io::{self, Write};
use tabia::TableKind;

const VERSION: u64 = 1;

/// JSON Lines.
#[derive(Default)]
pub(super) struct Jsonl;

impl LineFormat for Jsonl {
    const LONGEST: u64 = 512 << 10;
    const END: &'static str = "{\"table\":\"end\"}";

    fn take(&mut self, line: &[u8], said: &mut Said) -> Checked<Option<AnyRow>> {
        if line.trim_ascii().is_empty() {
            return Ok(None);
        }
        if said.ended {
            return Err(Fault::AfterEnd("the end"));
        }
        let object = Object::read(line);
        if let Ok(Object { table: Some(Kind::Facts), .. }) = &object {
            return facts(line, said).map(|()| None);
        }
        let (schema, entry) = object.map_err(|error| fault(&error))?.entry()?;
        said.metadata.add(schema.kind);
        said.metadata.columns = said.metadata.columns.union(schema.cells);
        Ok(Some(entry))
    }

    fn write_metadata(out: &mut impl Write, metadata: &Metadata) -> io::Result<()> {
        write_object(out, &Facts::Book(Book::of(metadata)))?;
        let mut sources = metadata.sources.iter();
        sources.try_for_each(|source| write_object(out, &Facts::Source(Source::of(source))))?;
        metadata.facts.iter().try_for_each(|fact| write_object(out, &Facts::Fact(Fact::of(fact))))
    }

    fn write_schema(_: &mut impl Write, _: Schema) -> io::Result<()> {
        Ok(())
    }

    fn write_row(
        out: &mut impl Write,
        kind: TableKind,
        columns: &[FileColumn],
        row: &Fields,
    ) -> io::Result<()> {
        let mut line = Line::default();
        line.push(match kind {
            TableKind::Positions => b"{\"table\":\"positions\"",
            TableKind::Moves => b"{\"table\":\"moves\"",
        });
        for &column in columns {
            line.push(b",\"");
            line.push(column.name().as_bytes());
            line.push(b"\":");
            line.value(row, column, b"\"", b"null");
        }
        line.push(b"}\n");
        out.write_all(line.bytes())
    }
}

/// Takes an object that is no row.
fn facts(line: &[u8], said: &mut Said) -> Checked<()> {
    match serde_json::from_slice(line).map_err(|error| fault(&error))? {
        Facts::Book(book) => {
            said.has_end |= book.version.is_some();
            book.enter(&mut said.metadata)?;
        }
        Facts::Source(source) => source.enter(&mut said.metadata)?,
        Facts::Fact(fact) => fact.enter(&mut said.metadata)?,
        Facts::End {} => said.ended = true,
    }
    Ok(())
}

fn write_object(out: &mut impl Write, object: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, object)?;
    writeln!(out)
}

/// What is wrong with an object; where, as a column of its only line.
fn fault(error: &serde_json::Error) -> Fault {
    let text = error.to_string();
    let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what).to_owned();
    match error.classify() {
        serde_json::error::Category::Data => Fault::Object(what),
        _ => Fault::NotJson(what, error.column()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::lines::LineReader;
    use crate::rows::{self, are_refused};
    use proptest::prelude::*;
    use tabia::{Counts, MoveRow, NO_EVAL, PositionRow};

    fn read_all(text: &[u8]) -> Result<(Vec<AnyRow>, Metadata), String> {
        rows::read_all(Box::new(LineReader::<_, Jsonl>::new(text)))
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in r#"([{}\[\]:,"\\]|"(table|key|wins|move|eval|book|source)"|"[0-9a-f]{16}"|-?[0-9]{1,20}|null|\n){0,30}"#) {
            let _ = read_all(text.as_bytes());
        }
    }

    #[test]
    fn the_table_may_be_left_out_and_fields_may_be_fewer_and_in_any_order() {
        let (entries, metadata) =
            read_all(b"\n {\"wins\": 7, \"key\": \"0000000000000001\"}\r\n{\"move\":3,\"k\\u0065y\":\"0000000000000001\"}").unwrap();
        let counts = Counts::new(7, 0, 0);
        let expected = [
            AnyRow::Position(PositionRow::new(1, counts).with_eval(NO_EVAL, 0)),
            AnyRow::Move(MoveRow::new(1, 3, Counts::default()).into()),
        ];
        assert_eq!(entries, expected);
        assert!(metadata.positions && metadata.moves && metadata.game.is_none());
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let table = r#"
            1 | 1 | object
            \n{ | 2 | JSON
            {} {} | 1 | JSON
            {} | 1 | missing: key
            {"table":"moves","key":"0000000000000001"} | 1 | missing: move
            {"table":"rows"} | 1 | `rows`
            {"key":1} | 1 | 16 hexadecimal digits, not 1
            {"key":"1"} | 1 | 16 hexadecimal digits, not "1"
            {KEY,"win":1} | 1 | `win` is no column of a positions table
            {KEY,"wins":1,"wins":1} | 1 | wins is named twice
            {KEY,"table":"positions","move":1} | 1 | `move` is no column
            {KEY,"wins":-1} | 1 | wins is a whole number from 0 to 4294967295, not -1
            {KEY,"wins":4294967296} | 1 | not 4294967296
            {KEY,"wins":18446744073709551615} | 1 | not 18446744073709551615
            {KEY,"wins":1.5} | 1 | not 1.5
            {KEY,"wins":"1"} | 1 | wins
            {KEY,"wins":null} | 1 | wins
            {KEY,"wins":[[1]]} | 1 | wins
            {KEY,"eval":-32768} | 1 | null for none
            {KEY,"depth":3} | 1 | no eval
            {KEY,"flags":32} | 1 | flags
            {KEY,"rated_games":1} | 1 | `rated_games` is no column of a positions table
            {KEY,"move":1,"mover_rating_sum":281474976710656} | 1 | from 0 to 281474976710655
            {KEY,"move":1,"rated_score":-1} | 1 | rated_score is a whole number from 0 to 18446744073709551615, not -1
            {KEY,"move":1,"game":1} | 1 | game is 16 hexadecimal digits, not 1
            {KEY,"move":1,"game":"1"} | 1 | game is 16 hexadecimal digits, not "1"
            {KEY,"move":1,"last_year":65536} | 1 | from 0 to 65535
            {"table":"book","columns":["rating"]} | 1 | there are ratings, game, years
            {"table":"book","share":"9/8"} | 1 | 9/8
            {"table":"fact","name":"X","value":""} | 1 | a-z
            {"table":"fact","subject":"1","name":"x","value":""} | 1 | digest
            {"table":"book","results":"no"} | 1 | known or unknown
            {"table":"book","version":2} | 1 | another version than 1
            {"table":"book","version":1}\n | 1 | cut off
            {"table":"book","game":"Chess"} | 1 | Chess
            {"table":"book","gama":"chess"} | 1 | gama
            {"table":"book","load":2} | 1 | 0.98
            {"table":"book","tables":["rows"]} | 1 | rows
            {"table":"book","game":"go"}\n{"table":"book","game":"chess"} | 2 | differently
            {"table":"source","digest":"12","games":3,"name":"x"} | 1 | digest
            {"table":"source","games":3,"name":"x"} | 1 | digest
            {"table":"end"}\n{} | 2 | follows
        "#;
        are_refused(read_all, &table.replace("KEY", r#""key":"0000000000000001""#));
    }

    #[test]
    fn nesting_is_bounded() {
        let deep = format!("{{\"key\":{}", "[".repeat(30_000));
        assert!(read_all(deep.as_bytes()).unwrap_err().starts_with("line 1: "));
        assert!(read_all(&vec![b'{'; 1 << 20]).unwrap_err().contains("too long"));
    }
}
