//! Moves with spaces in them, as archives of draughts have them: `10- 4`.

/// The signs between squares.
pub(super) const fn is_separator(byte: u8) -> bool {
    matches!(byte, b'-' | b'x' | b'X' | b':')
}

/// Whether the word of this length that starts a text may go on behind spaces.
#[inline]
pub(super) fn has_gap(ahead: &[u8], length: usize) -> bool {
    let is_open = length > 0 && is_separator(ahead[length - 1]);
    is_open || matches!(&ahead[length..], [b' ', b' ' | b'-' | b'x' | b'X' | b':', ..])
}

/// A move with spaces before or after its dash, or the signs of a capture.
pub(super) struct Spaced {
    /// How long it is with them.
    pub length: usize,
    text: [u8; 64],
    count: usize,
}

impl Spaced {
    /// Reads one, or nothing if there are no spaces in it or it isn't made of numbers.
    pub fn read(ahead: &[u8]) -> Option<Self> {
        let mut spaced = Self { length: 0, text: [0; 64], count: 0 };
        spaced.take(ahead, number_length(ahead))?;
        for squares in 1.. {
            let rest = &ahead[spaced.length..];
            let before = spaces(rest);
            let Some(&sign) = rest
                .get(before)
                .filter(|&&byte| is_separator(byte) && !(byte == b'-' && squares > 1))
            else {
                break;
            };
            let behind = before + 1 + spaces(&rest[before + 1..]);
            let digits = number_length(&rest[behind..]);
            if digits == 0 {
                break;
            }
            spaced.push(&[sign])?;
            spaced.length += behind;
            spaced.take(ahead, digits)?;
        }
        (spaced.length > spaced.count).then_some(spaced)
    }

    /// The move without its spaces.
    pub fn text(&self) -> &[u8] {
        &self.text[..self.count]
    }

    /// Takes this many digits. None if there are none, or too many.
    fn take(&mut self, ahead: &[u8], digits: usize) -> Option<()> {
        self.push(
            ahead.get(self.length..self.length + digits).filter(|digits| !digits.is_empty())?,
        )?;
        self.length += digits;
        Some(())
    }

    fn push(&mut self, bytes: &[u8]) -> Option<()> {
        self.text.get_mut(self.count..self.count + bytes.len())?.copy_from_slice(bytes);
        self.count += bytes.len();
        Some(())
    }
}

fn spaces(text: &[u8]) -> usize {
    text.iter().take_while(|&&byte| byte == b' ').count()
}

fn number_length(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_with_spaces_are_read_without() {
        let read = |text: &str| {
            Spaced::read(text.as_bytes())
                .map(|found| (String::from_utf8_lossy(found.text()).into_owned(), found.length))
        };
        assert_eq!(read("10- 4 15"), Some(("10-4".to_owned(), 5)));
        assert_eq!(read("4x 1 \n1-0"), Some(("4x1".to_owned(), 4)));
        assert_eq!(read("1 - 7"), Some(("1-7".to_owned(), 5)));
        assert_eq!(read("39 x28x 17 x 6 40-1"), Some(("39x28x17x6".to_owned(), 14)));
        for text in
            ["11-15 - 1-0", "10-4 15", "10-4", "10 4", "10-", "10- ", "10 - -", "x 4", "", "4x\n1"]
        {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read(&"1 x".repeat(40)), None, "longer than any move");
    }
}
