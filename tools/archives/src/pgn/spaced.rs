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

/// The most signs of a move.
const MOST: usize = 64;

/// The move with spaces before or after its dash, or the signs of a capture, that a text begins
/// with: without them, and how long it is with them. None if there are no spaces in it or it isn't
/// made of numbers.
pub(super) fn spaced(ahead: &[u8]) -> Option<(Vec<u8>, usize)> {
    let mut length = number_length(ahead);
    let (mut count, is_number) = (length, length > 0);
    for squares in 1.. {
        let rest = &ahead[length..];
        let before = spaces(rest);
        let is_sign = |byte: &u8| is_separator(*byte) && !(*byte == b'-' && squares > 1);
        if !rest.get(before).is_some_and(is_sign) {
            break;
        }
        let behind = before + 1 + spaces(&rest[before + 1..]);
        let digits = number_length(&rest[behind..]);
        if digits == 0 || count > MOST {
            break;
        }
        (length, count) = (length + behind + digits, count + 1 + digits);
    }
    let text = || ahead[..length].iter().copied().filter(|&byte| byte != b' ').collect();
    (is_number && length > count && count <= MOST).then(|| (text(), length))
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
            spaced(text.as_bytes())
                .map(|(text, length)| (String::from_utf8_lossy(&text).into_owned(), length))
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
