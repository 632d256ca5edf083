//! Chess as PGN, with evals and times after the moves as cutechess writes them
//! (`{+0.25/18 0.412s}`), and `{book}` where a move came from a Tabia book.

use super::text::{ending, plain};
use crate::facts::result;
use crate::played::{PlayedGame, Remark};
use crate::reason::{EndReason, Fault};
use crate::settings::Settings;
use std::fmt::Write;
use tabia_engines::Eval;
use tabia_games::{Chess, Game, Side};

/// Letters of a line.
const WIDTH: usize = 100;

/// The game as text.
pub(super) fn write(game: &PlayedGame<Chess>, settings: &Settings) -> String {
    let mut text = tags(game, settings);
    text.push('\n');
    let mut column = 0;
    for word in movetext(game) {
        if column + word.len() > WIDTH && column > 0 {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
        }
        column += word.len() + 1;
        text.push_str(&word);
    }
    let _ = write!(text, "\n{{{}}} {}\n\n", game.facts, result(game.facts.outcome));
    text
}

fn tags(game: &PlayedGame<Chess>, settings: &Settings) -> String {
    let (facts, start) = (&game.facts, game.history.start());
    let clock =
        settings.rules.allowance.clock.map_or_else(|| "-".to_owned(), |clock| clock.to_string());
    let [white, black] = [0, 1].map(|side| game.name_of_side(side));
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = plain(value).replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    tag("Event", "tabia-match");
    tag("Site", "?");
    tag("Date", "????.??.??");
    tag("Round", &facts.game.to_string());
    tag("White", white);
    tag("Black", black);
    tag("Result", result(facts.outcome));
    if start.is_chess960() {
        tag("Variant", "Chess960");
    }
    if start.setup() != Chess::start().setup() {
        tag("SetUp", "1");
        tag("FEN", &start.setup());
    }
    tag("PlyCount", &facts.plies.to_string());
    tag("TimeControl", &clock);
    tag("Termination", termination(facts.reason));
    text
}

/// How the game ended, in the words of the standard.
fn termination(reason: EndReason) -> &'static str {
    match (reason.fault(), reason) {
        (Some(Fault::IllegalMove), _) => "rules infraction",
        (Some(Fault::TimeOver), _) => "time forfeit",
        (Some(Fault::NoAnswer | Fault::Crash), _) => "abandoned",
        (None, EndReason::AdjudicatedWin | EndReason::AdjudicatedDraw | EndReason::PlyLimit) => {
            "adjudication"
        }
        (None, _) => "normal",
    }
}

/// Moves with their numbers and comments, and why the game ended.
fn movetext(game: &PlayedGame<Chess>) -> Vec<String> {
    let mut words = Vec::new();
    let first_number = number_of(game.history.start());
    let is_black = usize::from(game.history.start().side() == Side::Second);
    let mut is_fresh = true;
    for (ply, (position, played)) in game.history.replay().enumerate() {
        let (number, side) = (first_number + (ply + is_black) as u32 / 2, position.side());
        match side {
            Side::First => words.push(format!("{number}.")),
            Side::Second if is_fresh => words.push(format!("{number}...")),
            Side::Second => {}
        }
        words.push(position.notation(played));
        let comment = game.remark(ply).map(comment).filter(|comment| !comment.is_empty());
        is_fresh = comment.is_some();
        words.extend(comment.map(|comment| format!("{{{comment}}}")));
    }
    words.push(format!("{{{}}}", ending(game).replace('{', "(").replace('}', ")")));
    words
}

/// The number of a position's next move.
fn number_of(position: &Chess) -> u32 {
    position.setup().split(' ').nth(5).and_then(|number| number.parse().ok()).unwrap_or(1)
}

fn comment(remark: &Remark) -> String {
    if remark.is_book {
        return "book".to_owned();
    }
    let time = format!("{:.3}s", remark.took.as_secs_f64());
    match remark.eval {
        None => time,
        Some(eval) => format!("{}/{} {time}", score(eval), remark.depth.unwrap_or(0)),
    }
}

/// Pawns, or plies to the mate.
fn score(eval: Eval) -> String {
    match eval {
        Eval::Hundredths(value) => {
            format!("{:+.2}", f64::from(value.clamp(-99_999, 99_999)) / 100.0)
        }
        Eval::Mate(moves @ 1..) => format!("+M{}", 2 * i64::from(moves) - 1),
        Eval::Mate(moves) => format!("-M{}", 2 * i64::from(moves).abs()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evals_are_written_as_cutechess_does() {
        let scores = [
            Eval::Hundredths(25),
            Eval::Hundredths(-7),
            Eval::Hundredths(0),
            Eval::Mate(3),
            Eval::Mate(-2),
            Eval::Mate(0),
        ]
        .map(score);
        assert_eq!(scores, ["+0.25", "-0.07", "+0.00", "+M5", "-M4", "-M0"]);
    }
}
