//! A row from a JSON object, without a tree in between: its fields go where they belong as they are read.

use super::super::{Column, Entry, Fault, Fields, Sheet, key};
use super::facts::table;
use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor};
use std::borrow::Cow;
use std::fmt;
use tabia::TableKind;

/// What an object holds, taken for a row.
#[derive(Debug, Default)]
pub struct Object {
    /// What it says it is.
    pub table: Option<Told>,
    fields: Fields,
    /// Its columns, as bits.
    columns: u32,
    /// A field that no table has.
    stranger: Option<String>,
}

impl Object {
    /// Reads an object.
    pub fn read(line: &[u8]) -> Result<Self, serde_json::Error> {
        let mut json = serde_json::Deserializer::from_slice(line);
        let object = json.deserialize_map(ObjectVisitor)?;
        json.end()?;
        Ok(object)
    }

    /// The row that it is.
    pub fn entry(&self) -> Fault<(Sheet, Entry)> {
        let kind = match &self.table {
            Some(Told::Rows(kind)) => *kind,
            Some(Told::Facts) => return Err("it is no row".to_owned()),
            Some(Told::Stranger(name)) => table(name)?,
            None if self.columns & bit(Column::Move) != 0 => TableKind::Moves,
            None => TableKind::Positions,
        };
        let sheet = Sheet { kind, rated: self.columns & RATINGS != 0 };
        let needed = NEEDED[kind as usize];
        if self.stranger.is_some() || self.columns & !bits(sheet.columns()) != 0 || self.columns & needed != needed {
            let columns = Column::ALL.iter().filter(|&&column| self.columns & bit(column) != 0);
            Column::named(kind, columns.map(|column| column.name()).chain(self.stranger.as_deref()))?;
        }
        Ok((sheet, self.fields.entry(sheet)?))
    }
}

/// The columns that rows of the positions and of the moves table need, as bits.
const NEEDED: [u32; 2] = [bit(Column::Key), bit(Column::Key) | bit(Column::Move)];

/// The columns that only rated moves have, as bits.
const RATINGS: u32 = bit(Column::MoverRatingSum) | bit(Column::OpponentRatingSum) | bit(Column::RatedGames) | bit(Column::RatedScore);

const fn bit(column: Column) -> u32 {
    1 << column as u32
}

fn bits(columns: &[Column]) -> u32 {
    columns.iter().fold(0, |bits, &column| bits | bit(column))
}

struct ObjectVisitor;

impl<'de> Visitor<'de> for ObjectVisitor {
    type Value = Object;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a row as an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
        let mut object = Object::default();
        while let Some(name) = map.next_key_seed(NameVisitor)? {
            match name {
                Named::Table => object.table = Some(map.next_value_seed(ToldVisitor)?),
                Named::Column(column) if object.columns & bit(column) != 0 => {
                    return Err(A::Error::custom(format_args!("{} is named twice", column.name())));
                }
                Named::Column(column) => {
                    object.columns |= bit(column);
                    map.next_value_seed(Place { column, fields: &mut object.fields })?;
                }
                Named::Stranger(name) => {
                    map.next_value::<IgnoredAny>()?;
                    object.stranger.get_or_insert(name);
                }
            }
        }
        Ok(object)
    }
}

/// What an object says it is.
#[derive(Debug, PartialEq, Eq)]
pub enum Told {
    /// A row of this table.
    Rows(TableKind),
    /// No row, but one of [`super::facts`].
    Facts,
    /// Something unknown.
    Stranger(String),
}

struct ToldVisitor;

impl<'de> DeserializeSeed<'de> for ToldVisitor {
    type Value = Told;

    fn deserialize<D: Deserializer<'de>>(self, name: D) -> Result<Told, D::Error> {
        name.deserialize_str(self)
    }
}

impl Visitor<'_> for ToldVisitor {
    type Value = Told;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a table")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Told, E> {
        Ok(match name {
            "positions" => Told::Rows(TableKind::Positions),
            "moves" => Told::Rows(TableKind::Moves),
            "book" | "source" | "end" => Told::Facts,
            _ => Told::Stranger(name.chars().take(40).collect()),
        })
    }
}

/// What a field's name means.
enum Named {
    Table,
    Column(Column),
    Stranger(String),
}

struct NameVisitor;

impl<'de> DeserializeSeed<'de> for NameVisitor {
    type Value = Named;

    fn deserialize<D: Deserializer<'de>>(self, name: D) -> Result<Named, D::Error> {
        name.deserialize_str(self)
    }
}

impl Visitor<'_> for NameVisitor {
    type Value = Named;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a column")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Named, E> {
        if name == "table" {
            return Ok(Named::Table);
        }
        let column = Column::ALL.iter().find(|column| column.name() == name);
        Ok(column.map_or_else(|| Named::Stranger(name.chars().take(40).collect()), |&column| Named::Column(column)))
    }
}

/// Puts a value into a column.
struct Place<'a> {
    column: Column,
    fields: &'a mut Fields,
}

impl Place<'_> {
    fn refuse<T, E: Error>(&self, value: impl fmt::Display) -> Result<T, E> {
        Err(E::custom(self.column.refuses("null", &value.to_string())))
    }

    fn number<E: Error>(self, number: i64) -> Result<(), E> {
        if self.column != Column::Key && self.fields.set(self.column, number) { Ok(()) } else { self.refuse(number) }
    }
}

impl<'de> DeserializeSeed<'de> for Place<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        value.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Place<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.column.name())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        match i64::try_from(number) {
            Ok(number) => self.number(number),
            Err(_) => self.refuse(number),
        }
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<(), E> {
        self.number(number)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<(), E> {
        self.refuse(number)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        match key(text.as_bytes()) {
            Some(key) if self.column == Column::Key => {
                self.fields.key = key;
                Ok(())
            }
            _ => self.refuse(Cow::from(format!("{:?}", text.chars().take(40).collect::<String>()))),
        }
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        if self.column == Column::Eval { Ok(()) } else { self.refuse("null") }
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.refuse(value)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<(), A::Error> {
        self.refuse(Unexpected::Seq)
    }

    fn visit_map<A: MapAccess<'de>>(self, _: A) -> Result<(), A::Error> {
        self.refuse(Unexpected::Map)
    }
}
