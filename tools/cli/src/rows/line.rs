//! A line in the making: rows are written by the million, and a general formatter takes most of the time.

/// Room for the longest row of any format.
const ROOM: usize = 512;

/// A line in the making.
pub struct Line {
    bytes: [u8; ROOM],
    len: usize,
}

impl Default for Line {
    fn default() -> Self {
        Self { bytes: [0; ROOM], len: 0 }
    }
}

impl Line {
    /// What was put into it.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Puts bytes into it.
    #[inline]
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes[self.len..][..bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
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
        let (mut digits, mut at) = ([0; 20], 20);
        let mut rest = number.unsigned_abs();
        loop {
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        if number < 0 {
            at -= 1;
            digits[at] = b'-';
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
            prop_assert_eq!(line.bytes().to_vec(), format!("{key:016x} {number} {small}").into_bytes());
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
