//! Lines of a pipe, each as it is and of bounded length.

use std::io::{self, BufRead, Read};

/// The most bytes of a line.
pub const LONGEST: usize = 1 << 20;

/// What comes from a pipe.
#[derive(Debug)]
pub enum Received {
    /// A line with its end; the last one may have none.
    Line(Vec<u8>),
    /// A line that doesn't end.
    TooLong,
    /// Nothing more.
    End,
    /// The system's refusal.
    Failed(io::Error),
}

/// The next line.
pub fn next(from: &mut impl BufRead) -> Received {
    let mut line = Vec::new();
    match from.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', &mut line) {
        Ok(0) => Received::End,
        Ok(length) if length > LONGEST => Received::TooLong,
        Ok(_) => Received::Line(line),
        Err(error) => Received::Failed(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_as_they_were() {
        let mut text = &b"a\r\n\n\xff\0\nlast"[..];
        let mut lines = Vec::new();
        while let Received::Line(line) = next(&mut text) {
            lines.push(line);
        }
        assert_eq!(lines, [&b"a\r\n"[..], b"\n", b"\xff\0\n", b"last"]);
    }

    #[test]
    fn a_line_has_a_limit() {
        let mut line = vec![b'x'; LONGEST - 1];
        line.push(b'\n');
        assert!(matches!(next(&mut &line[..]), Received::Line(whole) if whole == line));
        line.insert(0, b'x');
        assert!(matches!(next(&mut &line[..]), Received::TooLong));
        assert!(matches!(next(&mut io::BufReader::new(io::repeat(b'x'))), Received::TooLong));
    }
}
