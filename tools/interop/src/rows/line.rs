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
            Form::Long => self.unsigned(number.cast_unsigned()),
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
    pub fn number(&mut self, number: i64) {
        if number < 0 {
            self.push(b"-");
        }
        self.unsigned(number.unsigned_abs());
    }

    /// Puts a number without a sign into it, in decimal.
    #[inline]
    fn unsigned(&mut self, number: u64) {
        let (mut digits, mut at) = ([0; 20], 20);
        let mut rest = number;
        loop {
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.push(&digits[at..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_are_as_a_formatter_writes_them(key: u64, number: i64, small in -1000i64..1000) {
            let mut line = Line::default();
            line.key(key);
            line.push(b" ");
            line.number(number);
            line.push(b" ");
            line.number(small);
            line.push(b" ");
            line.unsigned(key);
            prop_assert_eq!(line.bytes().to_vec(), format!("{key:016x} {number} {small} {key}").into_bytes());
        }
    }

    #[test]
    fn the_least_and_the_greatest_number() {
        for number in [i64::MIN, i64::MAX, 0] {
            let mut line = Line::default();
            line.number(number);
            assert_eq!(line.bytes(), number.to_string().as_bytes());
        }
    }
}
