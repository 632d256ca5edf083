//! Lines of moves of a book as people write them, broken where they are too long.

use tabia_games::{Game, Node};

/// Where a line of a book leads, and its moves as people write them; none if one isn't legal.
pub fn replayed<G: Game>(start: &Node<G>, codes: &[u16]) -> Option<(Node<G>, Vec<String>)> {
    let mut node = start.clone();
    let mut moves = Vec::with_capacity(codes.len());
    for &code in codes {
        let played = node.move_of_code(code)?;
        moves.push(node.position.notation(&played));
        node = node.after(&played);
    }
    Some((node, moves))
}

/// A move of a position as people write it, if it is legal there.
pub fn named<G: Game>(node: &Node<G>, code: u16) -> Option<String> {
    node.move_of_code(code).map(|played| node.position.notation(&played))
}

/// The text in lines of at most so many characters, broken at spaces; a longer word stands alone.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    filled(text.split(' '), width)
}

/// Words in lines of at most so many characters.
pub fn filled<'a>(words: impl Iterator<Item = &'a str>, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_at_spaces() {
        assert_eq!(wrapped("a bc def gh", 6), ["a bc", "def gh"]);
        assert_eq!(wrapped("abcdefgh i", 4), ["abcdefgh", "i"]);
        assert_eq!(wrapped("", 4), [""]);
    }
}
