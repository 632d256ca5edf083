//! As much of Thrift's compact protocol as it takes to walk over a structure without keeping
//! anything of it.
//!
//! Source: the Thrift compact protocol specification, `doc/specs/thrift-compact-protocol.md`.

use super::Parsed;

/// How deep structures may be nested; those of Parquet are far flatter.
const DEEPEST: u32 = 32;

/// The types of fields, as the protocol numbers them.
mod kind {
    pub const TRUE: u8 = 1;
    pub const FALSE: u8 = 2;
    pub const BYTE: u8 = 3;
    pub const I16: u8 = 4;
    pub const I64: u8 = 6;
    pub const DOUBLE: u8 = 7;
    pub const BINARY: u8 = 8;
    pub const LIST: u8 = 9;
    pub const SET: u8 = 10;
    pub const MAP: u8 = 11;
    pub const STRUCT: u8 = 12;
}
pub use kind::{LIST, STRUCT};

/// Bytes that are read from their start.
pub struct Compact<'a>(&'a [u8]);

/// A field of a structure: its number and its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    pub id: i16,
    pub kind: u8,
}

impl<'a> Compact<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub fn rest(&self) -> &'a [u8] {
        self.0
    }

    fn byte(&mut self) -> Parsed<u8> {
        let (&byte, rest) = self.0.split_first().ok_or("it ends within a structure")?;
        self.0 = rest;
        Ok(byte)
    }

    /// An unsigned integer of variable length.
    pub fn unsigned(&mut self) -> Parsed<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err("an integer is too long".to_owned())
    }

    /// A signed integer.
    pub fn signed(&mut self) -> Parsed<i64> {
        let zigzag = self.unsigned()?;
        Ok((zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed())
    }

    /// The field after the one with this number; none at the end of the structure.
    pub fn field(&mut self, before: i16) -> Parsed<Option<Field>> {
        let head = self.byte()?;
        let kind = head & 15;
        if kind == 0 {
            return Ok(None);
        }
        let id = match head >> 4 {
            0 => i16::try_from(self.signed()?).ok(),
            more => before.checked_add(more.into()),
        };
        Ok(Some(Field { id: id.ok_or("a field has no possible number")?, kind }))
    }

    /// How many elements a list has, and their type.
    pub fn list(&mut self) -> Parsed<(u64, u8)> {
        let head = self.byte()?;
        let count = if head >> 4 == 15 { self.unsigned()? } else { u64::from(head >> 4) };
        Ok((count, head & 15))
    }

    /// Skips a value of this type, whose lists have at most `longest` elements.
    pub fn skip(&mut self, kind: u8, longest: u64) -> Parsed<()> {
        self.skip_within(kind, longest, DEEPEST)
    }

    fn skip_within(&mut self, kind: u8, longest: u64, depth: u32) -> Parsed<()> {
        let depth = depth.checked_sub(1).ok_or("it is nested too deeply")?;
        match kind {
            kind::TRUE | kind::FALSE => Ok(()),
            kind::BYTE => self.byte().map(drop),
            kind::I16..=kind::I64 => self.unsigned().map(drop),
            kind::DOUBLE => self.bytes(8),
            kind::BINARY => self.unsigned().and_then(|length| self.bytes(length)),
            kind::LIST | kind::SET => self.skip_list(longest, depth),
            kind::MAP => Err("there is a map, which Parquet has nowhere".to_owned()),
            kind::STRUCT => {
                let mut before = 0;
                while let Some(field) = self.field(before)? {
                    self.skip_within(field.kind, longest, depth)?;
                    before = field.id;
                }
                Ok(())
            }
            _ => Err("a field has an unknown type".to_owned()),
        }
    }

    fn skip_list(&mut self, longest: u64, depth: u32) -> Parsed<()> {
        let (count, kind) = self.list()?;
        if count > longest {
            return Err(format!("there is a list of {count} elements"));
        }
        // Within a list a truth value is a byte.
        let kind = if matches!(kind, kind::TRUE | kind::FALSE) { kind::BYTE } else { kind };
        (0..count).try_for_each(|_| self.skip_within(kind, longest, depth))
    }

    fn bytes(&mut self, length: u64) -> Parsed<()> {
        let rest = usize::try_from(length).ok().and_then(|length| self.0.get(length..));
        self.0 = rest.ok_or("it ends within a value")?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes: Vec<u8>, kind: u8) {
            let _ = Compact::new(&bytes).skip(kind, 100);
        }
    }

    #[test]
    fn a_structure_is_walked_over() {
        // Field 1: -1; field 3: the bytes "ab"; field 20: a list of two structures, one with a
        // truth value, one empty.
        let bytes = [0x15, 1, 0x28, 2, b'a', b'b', 0x09, 40, 0x2c, 0x11, 0, 0, 0, 99];
        let mut structure = Compact::new(&bytes);
        assert_eq!(structure.skip(kind::STRUCT, 2), Ok(()));
        assert_eq!(structure.0, [99]);
        assert!(Compact::new(&bytes).skip(kind::STRUCT, 1).unwrap_err().contains("2 elements"));
        for cut in 0..bytes.len() - 1 {
            assert!(Compact::new(&bytes[..cut]).skip(kind::STRUCT, 2).is_err(), "cut to {cut}");
        }
    }

    #[test]
    fn what_is_nested_too_deeply_is_refused() {
        assert!(Compact::new(&[0x1c; 100]).skip(kind::STRUCT, 1).unwrap_err().contains("deeply"));
        assert!(Compact::new(&[0x19; 100]).skip(kind::LIST, 1).unwrap_err().contains("deeply"));
    }
}
