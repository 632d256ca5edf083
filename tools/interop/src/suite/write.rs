//! Openings of chess as EPD and as PGN.

use super::walk::Opening;
use std::fmt::Write as _;
use std::io::{self, Write};
use tabia::Counts;
use tabia_games::{Chess, Game, variant_named};

/// The most letters of a line of moves.
const WIDTH: usize = 79;

/// Writes positions, a line each: the four fields of a FEN, its counts of moves as `hmvc` and
/// `fmvn`, and in a comment (`c0`) games and White's score.
///
/// # Errors
/// The system's.
pub fn write_epd(openings: &[Opening<Chess>], mut out: impl Write) -> io::Result<()> {
    for opening in openings {
        let fen = opening.node.position.setup();
        let fields: Vec<&str> = fen.rsplitn(3, ' ').collect();
        let [moves, half_moves, position] = fields[..] else { continue };
        let label = label(opening.counts);
        writeln!(out, "{position} hmvc {half_moves}; fmvn {moves}; c0 \"{label}\";")?;
    }
    Ok(())
}

/// Writes games without a result that start from `start`, and have games and White's score in a
/// comment after their last move.
///
/// # Errors
/// The system's.
pub fn write_pgn(
    start: &Chess,
    openings: &[Opening<Chess>],
    mut out: impl Write,
) -> io::Result<()> {
    let variant = variant_named(start.name().as_bytes());
    let variant =
        variant.map_or_else(String::new, |names| format!("[Variant \"{}\"]\n", names.tag));
    for (round, opening) in (1u64..).zip(openings) {
        writeln!(
            out,
            "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"{round}\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n{variant}"
        )?;
        writeln!(out, "{}\n", wrapped(&moves(start, opening)))?;
    }
    Ok(())
}

/// The text of a line of play.
fn moves(start: &Chess, opening: &Opening<Chess>) -> String {
    let (mut position, mut text) = (start.clone(), String::new());
    for (ply, played) in opening.line.iter().enumerate() {
        if ply % 2 == 0 {
            let _ = write!(text, "{}. ", ply / 2 + 1);
        }
        text.push_str(&position.notation(played));
        text.push(' ');
        position.play(played);
    }
    text + "{" + &label(opening.counts) + "} *"
}

/// The text with line breaks in place of spaces, so that no line is longer than need be.
fn wrapped(text: &str) -> String {
    let (mut wrapped, mut length) = (String::with_capacity(text.len()), 0);
    for word in text.split(' ') {
        if length > 0 {
            let breaks = length + 1 + word.len() > WIDTH;
            wrapped.push(if breaks { '\n' } else { ' ' });
            length = if breaks { 0 } else { length + 1 };
        }
        wrapped.push_str(word);
        length += word.len();
    }
    wrapped
}

/// Games and the first player's score: `1204 games, 54.3%`.
fn label(counts: Counts) -> String {
    let games = counts.games();
    let thousandths = (2 * u64::from(counts.wins) + u64::from(counts.draws)) * 500 / games.max(1);
    format!("{games} games, {}.{}%", thousandths / 10, thousandths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_spaces() {
        let text = "word ".repeat(40);
        let wrapped = wrapped(text.trim_end());
        assert!(wrapped.lines().all(|line| line.len() <= WIDTH) && wrapped.lines().count() == 3);
        assert_eq!(wrapped.replace('\n', " "), text.trim_end());
    }

    #[test]
    fn a_score_is_told_to_a_tenth() {
        assert_eq!(label(Counts::new(1, 1, 1)), "3 games, 50.0%");
        assert_eq!(label(Counts::new(2, 0, 1)), "3 games, 66.6%");
        assert_eq!(label(Counts::default()), "0 games, 0.0%");
        assert_eq!(label(Counts::new(u32::MAX, 0, 0)), "4294967295 games, 100.0%");
    }
}
