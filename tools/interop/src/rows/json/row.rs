//! A row from a JSON object, without a tree in between: its fields go where they belong as they are
//! read.

use super::super::{Checked, Fault, Fields, FileColumn, Form, Schema, key};
use super::facts::table;
use crate::AnyRow;
use serde::de::{Error, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;
use std::sync::LazyLock;
use tabia::{Columns, TableKind};

/// What an object holds, taken for a row.
#[derive(Debug, Default)]
pub struct Object {
    /// What it says it is.
    pub table: Option<Kind>,
    fields: Fields,
    columns: Set,
    /// A field that no table has.
    stranger: Option<String>,
    /// What is wrong with the first value that its column can't hold: what is no row may have other
    /// values under the same names.
    fault: Option<Fault>,
}

impl Object {
    pub fn read(line: &[u8]) -> Result<Self, serde_json::Error> {
        let mut json = serde_json::Deserializer::from_slice(line);
        let object = json.deserialize_map(ObjectVisitor)?;
        json.end()?;
        Ok(object)
    }

    pub fn entry(&self) -> Checked<(Schema, AnyRow)> {
        let kind = match &self.table {
            Some(Kind::Rows(kind)) => *kind,
            Some(Kind::Facts) => return Err(Fault::Object("it is no row".to_owned())),
            Some(Kind::Stranger(name)) => table(name)?,
            None if self.columns.each().any(|column| column == FileColumn::Move) => {
                TableKind::Moves
            }
            None => TableKind::Positions,
        };
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let cells = self.columns.cells();
        if self.stranger.is_some() || !self.columns.fits(kind) {
            let names =
                self.columns.each().map(|column| column.name()).chain(self.stranger.as_deref());
            FileColumn::named(kind, names)?;
        }
        let schema = Schema { kind, cells };
        Ok((schema, self.fields.entry(schema)?))
    }
}

/// A set of columns, a bit each, at their places in [`FileColumn::all`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Set(u64);

/// The columns that rows of either table need, and may have.
static TABLES: LazyLock<[[Set; 2]; 2]> = LazyLock::new(|| {
    TableKind::ALL.map(|kind| {
        [FileColumn::needed(kind).to_vec(), Schema::of_all(kind).columns()]
            .map(|columns| Set::of(|column| columns.contains(&column)))
    })
});

static CELLS: LazyLock<Set> =
    LazyLock::new(|| Set::of(|column| matches!(column, FileColumn::Cell(_))));

impl Set {
    fn of(is_in: impl Fn(FileColumn) -> bool) -> Self {
        let places = 0..FileColumn::all().len();
        places.filter(|&place| is_in(FileColumn::all()[place])).fold(Self(0), Self::with)
    }

    fn with(self, place: usize) -> Self {
        Self(self.0 | 1 << place)
    }

    fn has(self, place: usize) -> bool {
        self.0 >> place & 1 != 0
    }

    fn each(self) -> impl Iterator<Item = FileColumn> {
        let all = FileColumn::all().iter().enumerate();
        all.filter(move |&(place, _)| self.has(place)).map(|(_, &column)| column)
    }

    /// What of cells a row has that has these columns.
    fn cells(self) -> Columns {
        if self.0 & CELLS.0 == 0 {
            return Columns::NONE;
        }
        FileColumn::cells(&self.each().collect::<Vec<_>>())
    }

    /// Whether a row of this table may have these columns, and needs no others.
    fn fits(self, kind: TableKind) -> bool {
        let [needed, allowed] = TABLES[usize::from(kind == TableKind::Moves)];
        self.0 & needed.0 == needed.0 && self.0 & !allowed.0 == 0
    }
}

struct ObjectVisitor;

impl<'de> Visitor<'de> for ObjectVisitor {
    type Value = Object;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a row as an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
        let mut object = Object::default();
        while let Some(Name(name)) = map.next_key()? {
            if name == "table" {
                object.table = Some(map.next_value()?);
            } else if let Some(place) = FileColumn::place(&name) {
                if object.columns.has(place) {
                    return Err(A::Error::custom(format_args!("{name} is named twice")));
                }
                object.columns = object.columns.with(place);
                let column = FileColumn::all()[place];
                if let Err(fault) = put(&mut object.fields, column, &map.next_value()?) {
                    object.fault.get_or_insert(fault);
                }
            } else {
                map.next_value::<IgnoredAny>()?;
                object.stranger.get_or_insert_with(|| name.chars().take(40).collect());
            }
        }
        Ok(object)
    }
}

/// What an object says it is.
#[derive(Debug, PartialEq, Eq)]
pub enum Kind {
    /// A row of this table.
    Rows(TableKind),
    /// No row, but one of [`super::facts`].
    Facts,
    /// Something unknown.
    Stranger(String),
}

impl Kind {
    fn of_name(name: &str) -> Self {
        match name {
            "positions" => Self::Rows(TableKind::Positions),
            "moves" => Self::Rows(TableKind::Moves),
            "book" | "source" | "fact" | "end" => Self::Facts,
            _ => Self::Stranger(name.chars().take(40).collect()),
        }
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(name: D) -> Result<Self, D::Error> {
        name.deserialize_str(KindVisitor)
    }
}

struct KindVisitor;

impl Visitor<'_> for KindVisitor {
    type Value = Kind;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a table")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Kind, E> {
        Ok(Kind::of_name(name))
    }
}

/// The name of a field, which is not copied unless there are escapes in it.
#[derive(Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

/// Puts a value into a column, if the column can hold it.
fn put(fields: &mut Fields, column: FileColumn, value: &Value) -> Checked<()> {
    let fits = match value {
        Value::Null => column == FileColumn::Eval,
        Value::String(text) => {
            let word = key(text.as_bytes()).filter(|_| column.form() == Form::Word);
            word.is_some_and(|word| fields.set(column, word.cast_signed()))
        }
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => fields.set_unsigned(column, number),
            (None, Some(number)) => column.form() == Form::Number && fields.set(column, number),
            (None, None) => false,
        },
        Value::Bool(_) | Value::Array(_) | Value::Object(_) => false,
    };
    if fits { Ok(()) } else { Err(column.refuses("null", &told(value))) }
}

/// A value that is refused, in a message: not too long.
fn told(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{:?}", text.chars().take(40).collect::<String>()),
        Value::Array(_) => "sequence".to_owned(),
        Value::Object(_) => "map".to_owned(),
        Value::Number(number) if number.is_f64() => number.as_f64().unwrap_or_default().to_string(),
        value => value.to_string(),
    }
}
