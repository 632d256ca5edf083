//! The types of the columns: those that are written, and those that are taken for them.

use super::super::{Checked, Fault, FileColumn, Form, Schema};
use parquet::basic::{ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::errors::Result;
use parquet::schema::types::{ColumnDescriptor, SchemaDescriptor, Type, TypePtr};
use std::sync::Arc;
use tabia::TableKind;

/// The schema of a table's file.
pub fn schema(schema: Schema) -> Result<TypePtr> {
    let fields = schema.columns().into_iter().map(|column| field(column).map(Arc::new));
    let fields = fields.collect::<Result<_>>()?;
    Ok(Arc::new(Type::group_type_builder(&schema.kind.to_string()).with_fields(fields).build()?))
}

fn field(column: FileColumn) -> Result<Type> {
    let (physical, bits, signed) = written(column);
    let repetition =
        if column == FileColumn::Eval { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    let builder = Type::primitive_type_builder(column.name(), physical).with_repetition(repetition);
    builder.with_logical_type(Some(LogicalType::integer(bits, signed))).build()
}

/// How a column is written. Counts and other amounts are signed and wide, so that what people
/// compute from them (wins - losses, sums) has the same sign and room in every tool.
fn written(column: FileColumn) -> (Physical, i8, bool) {
    match column {
        FileColumn::Key => (Physical::INT64, 64, false),
        FileColumn::Wins | FileColumn::Draws | FileColumn::Losses => (Physical::INT64, 64, true),
        FileColumn::Cell(field) if field.field.bytes <= 2 => (Physical::INT32, 32, true),
        FileColumn::Cell(field) => (Physical::INT64, 64, field.form() == Form::Number),
        FileColumn::Eval => (Physical::INT32, 16, true),
        FileColumn::Depth | FileColumn::Flags | FileColumn::Marks => (Physical::INT32, 8, false),
        FileColumn::Move => (Physical::INT32, 16, false),
    }
}

/// Whether a column is written as 64 bits.
pub fn is_wide(column: FileColumn) -> bool {
    written(column).0 == Physical::INT64
}

/// The table that a file holds, judged by its columns.
pub fn table(schema: &SchemaDescriptor) -> TableKind {
    let is_move = |column: &Arc<ColumnDescriptor>| column.name() == FileColumn::Move.name();
    if schema.columns().iter().any(is_move) { TableKind::Moves } else { TableKind::Positions }
}

/// The columns of a file, in its order, checked to be enough to make rows.
pub fn columns(schema: &SchemaDescriptor, kind: TableKind) -> Checked<Vec<FileColumn>> {
    let flat = |column: &ColumnDescriptor| {
        column.path().parts().len() == 1
            && column.max_rep_level() == 0
            && column.max_def_level() <= 1
    };
    if let Some(nested) = schema.columns().iter().find(|column| !flat(column)) {
        return Err(Fault::Nested(nested.path().to_string()));
    }
    let columns = FileColumn::named(kind, schema.columns().iter().map(|column| column.name()))?;
    for (&column, described) in columns.iter().zip(schema.columns()) {
        if !fits(column, described) {
            return Err(Fault::Type(column));
        }
    }
    Ok(columns)
}

fn fits(column: FileColumn, described: &ColumnDescriptor) -> bool {
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

/// Whether a column's integers have no sign.
pub fn is_unsigned(described: &ColumnDescriptor) -> bool {
    use ConvertedType::{UINT_8, UINT_16, UINT_32, UINT_64};
    match described.logical_type_ref() {
        Some(LogicalType::Integer(integer)) => !integer.is_signed,
        _ => matches!(described.converted_type(), UINT_8 | UINT_16 | UINT_32 | UINT_64),
    }
}
