//! A board as text, seen from the other side.

/// The board turned by half. Boards are square, with a number before each row, perhaps one behind
/// it, and letters above or below; others stay as they are (Connect Four, where stones fall), and so
/// does what stands behind an empty line.
pub fn turned(diagram: &str) -> String {
    if let Some((board, beside)) = diagram.split_once("\n\n") {
        return format!("{}\n{beside}", turned(board));
    }
    let lines: Vec<Vec<char>> = diagram.lines().map(|line| line.chars().collect()).collect();
    let is_row = |line: &&Vec<char>| {
        line.iter().find(|letter| **letter != ' ').is_some_and(char::is_ascii_digit)
    };
    let size = lines.iter().filter(is_row).count();
    if size < 2 {
        return diagram.to_owned();
    }
    // Where the first square stands.
    let label = lines.iter().find(is_row).map_or(0, |line| {
        let spaces = line.iter().take_while(|letter| **letter == ' ').count();
        spaces + line[spaces..].iter().take_while(|letter| letter.is_ascii_digit()).count()
    });
    let (first, end) = (label + 1, label + 2 * size);
    let turn = |line: &Vec<char>| {
        let part = |from: usize, upto: usize| -> String {
            line.iter().skip(from).take(upto.saturating_sub(from)).collect()
        };
        let squares = format!("{:width$}", part(first, end), width = end.saturating_sub(first));
        let squares: String = squares.chars().rev().collect();
        let (before, behind) = (part(0, label), part(end, usize::MAX));
        let (before, behind) = match behind.trim() {
            "" => (before.trim().to_owned(), String::new()),
            behind => (behind.to_owned(), format!(" {:>label$}", before.trim())),
        };
        format!("{before:>label$} {squares}{behind}").trim_end().to_owned() + "\n"
    };
    // Letters stay above or below.
    let mut rows = lines.iter().filter(is_row).rev();
    lines
        .iter()
        .map(|line| turn(if is_row(&line) { rows.next().unwrap_or(line) } else { line }))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_games::{Game, Known};

    #[test]
    fn boards_are_turned_with_their_letters_and_numbers() {
        let cases = [
            ("2 r . \n1 . K\n  a b\n", "1 K .\n2 . r\n  b a\n"),
            ("   A B\n 2 X . 2\n 1 . O 1\n   A B\n", "   B A\n 1 O .  1\n 2 . X  2\n   B A\n"),
            (" 1   b  1\n 2 w    2\n", " 2   w  2\n 1 b    1\n"),
        ];
        for (board, expected) in cases {
            assert_eq!(turned(board), expected);
        }
    }

    #[test]
    fn every_games_board_turned_twice_is_as_it_was() {
        for known in Known::all() {
            let words = |text: &str| -> Vec<Vec<String>> {
                text.lines()
                    .map(|line| line.split_whitespace().map(str::to_owned).collect())
                    .collect()
            };
            let board = known.diagram();
            assert_eq!(words(&turned(&turned(&board))), words(&board), "{known:?}");
        }
    }
}
