//! A line while it is written: rows are written by the million, and a general formatter takes most
//! of the time.

use super::{Fields, FileColumn, Form};

/// Room for nearly all rows of any format.
const ROOM: usize = 512;

/// A line while it is written.
pub struct Line(Vec<u8>);

impl Default for Line {
    fn default() -> Self {
        Self(Vec::with_capacity(ROOM))
    }
}

impl Line {
    /// What was put into it.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Puts bytes into it.
    #[inline]
    pub fn push(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// Puts the value of a column into it: `around` is put before and after a value that is no
    /// number, `none` in place of a missing eval.
    #[inline]
    pub fn value(&mut self, row: &Fields, column: FileColumn, around: &[u8], none: &[u8]) {
        let Some(number) = row.number(column) else { return self.push(none) };
        match column.form() {
            Form::Number => self.number(number),
            Form::Long => self.number(number.cast_unsigned()),
            Form::Word => {
                self.push(around);
                self.key(number.cast_unsigned());
                self.push(around);
            }
        }
    }

    /// Puts a key into it: 16 hexadecimal digits.
    #[inline]
    pub fn key(&mut self, key: u64) {
        let mut digits = [0; 16];
        for (place, digit) in digits.iter_mut().enumerate() {
            *digit = b"0123456789abcdef"[(key >> (60 - 4 * place)) as usize & 15];
        }
        self.push(&digits);
    }

    /// Puts a number into it, in decimal.
    #[inline]
    fn number(&mut self, number: impl itoa::Integer) {
        self.push(itoa::Buffer::new().format(number).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn keys_and_numbers_are_as_a_formatter_writes_them(key: u64, number: i64) {
            let mut line = Line::default();
            line.key(key);
            line.push(b" ");
            line.number(number);
            prop_assert_eq!(line.bytes().to_vec(), format!("{key:016x} {number}").into_bytes());
        }
    }
}
