//! The types of the columns: those that are written, and those that are taken for them.

use super::super::{Column, Fault, Form, Sheet};
use parquet::basic::{ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::errors::Result;
use parquet::schema::types::{ColumnDescriptor, SchemaDescriptor, Type, TypePtr};
use std::sync::Arc;
use tabia::TableKind;

/// The schema of a table's file.
pub fn schema(sheet: Sheet) -> Result<TypePtr> {
    let fields = sheet.columns().into_iter().map(|column| field(column).map(Arc::new)).collect::<Result<_>>()?;
    Ok(Arc::new(Type::group_type_builder(&sheet.kind.to_string()).with_fields(fields).build()?))
}

fn field(column: Column) -> Result<Type> {
    let (physical, bits, signed) = written(column);
    let repetition = if column == Column::Eval { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    let builder = Type::primitive_type_builder(column.name(), physical).with_repetition(repetition);
    builder.with_logical_type(Some(LogicalType::integer(bits, signed))).build()
}

/// How a column is written. Counts and other amounts are signed and wide, so that what people compute from them (wins - losses, sums) has the same
/// sign and room in every tool.
fn written(column: Column) -> (Physical, i8, bool) {
    match column {
        Column::Key => (Physical::INT64, 64, false),
        Column::Wins | Column::Draws | Column::Losses => (Physical::INT64, 64, true),
        Column::Cell(field) if field.bytes() <= 2 => (Physical::INT32, 32, true),
        Column::Cell(field) => (Physical::INT64, 64, field.form() == Form::Number),
        Column::Eval => (Physical::INT32, 16, true),
        Column::Depth | Column::Flags | Column::Marks => (Physical::INT32, 8, false),
        Column::Move => (Physical::INT32, 16, false),
    }
}

/// Whether a column is written as 64 bits.
pub fn is_wide(column: Column) -> bool {
    written(column).0 == Physical::INT64
}

/// The table that a file holds: its columns tell.
pub fn table(schema: &SchemaDescriptor) -> TableKind {
    let is_move = |column: &Arc<ColumnDescriptor>| column.name() == Column::Move.name();
    if schema.columns().iter().any(is_move) { TableKind::Moves } else { TableKind::Positions }
}

/// The columns of a file, in its order, made sure that rows can be had from them.
pub fn columns(schema: &SchemaDescriptor, kind: TableKind) -> Fault<Vec<Column>> {
    let flat = |column: &ColumnDescriptor| column.path().parts().len() == 1 && column.max_rep_level() == 0 && column.max_def_level() <= 1;
    if let Some(nested) = schema.columns().iter().find(|column| !flat(column)) {
        return Err(format!("the column {} is nested: write flat columns", nested.path()));
    }
    let columns = Column::named(kind, schema.columns().iter().map(|column| column.name()))?;
    for (&column, described) in columns.iter().zip(schema.columns()) {
        if !fits(column, described) {
            return Err(format!("the column {} is of a wrong type: {}", column.name(), wanted(column)));
        }
    }
    Ok(columns)
}

fn fits(column: Column, described: &ColumnDescriptor) -> bool {
    let integer = match described.logical_type_ref() {
        Some(logical) => matches!(logical, LogicalType::Integer(_)),
        None => !matches!(
            described.converted_type(),
            ConvertedType::DECIMAL
                | ConvertedType::DATE
                | ConvertedType::TIME_MILLIS
                | ConvertedType::TIME_MICROS
                | ConvertedType::TIMESTAMP_MILLIS
                | ConvertedType::TIMESTAMP_MICROS
        ),
    };
    match described.physical_type() {
        Physical::INT64 => integer,
        Physical::INT32 => integer && column.form() != Form::Word,
        Physical::DOUBLE => column.form() != Form::Word,
        Physical::BYTE_ARRAY => column.form() == Form::Word,
        _ => false,
    }
}

fn wanted(column: Column) -> &'static str {
    if column.form() == Form::Word { "cast it to an integer of 64 bits, or to 16 hexadecimal digits" } else { "cast it to an integer" }
}

/// Whether a column's integers have no sign.
pub fn is_unsigned(described: &ColumnDescriptor) -> bool {
    use ConvertedType::{UINT_8, UINT_16, UINT_32, UINT_64};
    match described.logical_type_ref() {
        Some(LogicalType::Integer(integer)) => !integer.is_signed,
        _ => matches!(described.converted_type(), UINT_8 | UINT_16 | UINT_32 | UINT_64),
    }
}
