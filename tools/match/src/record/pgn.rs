//! Chess as PGN and draughts as PDN, with evals and times after the moves as cutechess writes them
//! (`{+0.25/18 0.412s}`), and `{book}` where a move came from a Tabia book.

use super::{ending, plain};
use crate::facts::{EndReason, result};
use crate::played::{PlayedGame, Remark};
use crate::settings::Settings;
use std::fmt::Write;
use tabia_engines::{Eval, unusual_setup};
use tabia_games::Game;
use tabia_play::explore::Numbers;
use tabia_play::tagged::{of_game, tag};
use tabia_play::text::lines::filled;

/// Letters of a line.
const WIDTH: usize = 100;

/// The tag that says which kind of a game is played, with its value, if there is one.
fn kind<G: Game>(start: &G) -> Option<(&'static str, &'static str)> {
    #[cfg(feature = "chess")]
    if let Some(chess) = start.as_own().downcast_ref::<tabia_games::Chess>()
        && chess.is_chess960()
    {
        return Some(("Variant", "Chess960"));
    }
    of_game(start.name())
}

/// The game as text. Its results are those of PGN: the first number is the first player's.
pub(super) fn write<G: Game>(game: &PlayedGame<G>, settings: &Settings) -> String {
    let mut text = tags(game, settings);
    text.push('\n');
    text += &filled(movetext(game).iter().map(String::as_str), WIDTH).join("\n");
    let _ = write!(text, "\n{{{}}} {}\n\n", game.facts, result(game.facts.outcome));
    text
}

fn tags<G: Game>(game: &PlayedGame<G>, settings: &Settings) -> String {
    let (facts, start) = (&game.facts, game.history.start());
    let clock = settings
        .rules
        .allowance
        .clock
        .map_or_else(|| "-".to_owned(), |clock| clock.control.to_string());
    let mut text = String::new();
    let mut add = |name: &str, value: &str| text += &tag(name, &plain(value));
    add("Event", "tabia-match");
    add("Site", "?");
    add("Date", "????.??.??");
    add("Round", &facts.game.to_string());
    for (side, name) in start.sides().into_iter().enumerate() {
        add(name, game.name_of_side(side));
    }
    add("Result", result(facts.outcome));
    kind(start).into_iter().for_each(|(name, value)| add(name, value));
    if let Some(setup) = unusual_setup(start) {
        add("SetUp", "1");
        add("FEN", &setup);
    }
    add("PlyCount", &facts.plies.to_string());
    add("TimeControl", &clock);
    add("Termination", termination(facts.reason));
    text
}

/// How the game ended, in the words of the standard.
fn termination(reason: EndReason) -> &'static str {
    match reason {
        EndReason::IllegalMove => "rules infraction",
        EndReason::TimeOver => "time forfeit",
        EndReason::NoAnswer | EndReason::Crash => "abandoned",
        EndReason::AdjudicatedWin | EndReason::AdjudicatedDraw | EndReason::PlyLimit => {
            "adjudication"
        }
        _ => "normal",
    }
}

/// Moves with their numbers and comments, and why the game ended.
fn movetext<G: Game>(game: &PlayedGame<G>) -> Vec<String> {
    let mut words = Vec::new();
    let start = game.history.start();
    let numbers = Numbers::of_setup(&start.setup(), start.side());
    let mut is_fresh = true;
    for (ply, (position, played)) in game.history.replay().enumerate() {
        let text = numbers.moved(ply, &position.notation(played), is_fresh);
        words.extend(text.split(' ').map(str::to_owned));
        let comment = game.remark(ply).map(comment).filter(|comment| !comment.is_empty());
        is_fresh = comment.is_some();
        words.extend(comment.map(|comment| format!("{{{comment}}}")));
    }
    words.push(format!("{{{}}}", ending(game).replace('{', "(").replace('}', ")")));
    words
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
