//! Othello as GGF, the format of the server GGS.

use super::{ending, letter, plain};
use crate::facts::EndReason;
use crate::played::PlayedGame;
use std::fmt::Write;
use tabia_games::{Game, Othello, Outcome};

/// The game, which ended so, as text.
pub(super) fn write<G: Game>(game: &PlayedGame<G>, end: &Othello) -> String {
    let [black, white] = [0, 1].map(|side| value(game.name_of_side(side)));
    let board = game.history.start().setup().replace('X', "*");
    let mut text = format!(
        "(;GM[Othello]PC[tabia-match]PB[{black}]PW[{white}]RE[{}]TY[8]BO[8 {board}]",
        result(game, end)
    );
    let mut last = None;
    for (ply, (side, played)) in game.history.plies().iter().enumerate() {
        if ply % 10 == 0 {
            text.push('\n');
        }
        if last == Some(*side) {
            let _ = write!(text, "{}[pa]", letter(side.other()));
        }
        let square = game.history.start().notation(played);
        let _ = match game.remark(ply) {
            Some(remark) => {
                write!(text, "{}[{square}//{:.2}]", letter(*side), remark.took.as_secs_f64())
            }
            None => write!(text, "{}[{square}]", letter(*side)),
        };
        last = Some(*side);
    }
    let _ = write!(text, "\nCO[{}]\nCO[{}];)\n\n", value(&ending(game)), game.facts);
    text
}

/// How many discs Black is ahead; all of them if the game wasn't played to its end.
fn result<G: Game>(game: &PlayedGame<G>, end: &Othello) -> String {
    let [black, white] = end.score().map(i64::from);
    let all = if game.facts.outcome == Outcome::FirstWins { 64 } else { -64 };
    match (end.outcome(), game.facts.outcome, game.facts.reason) {
        (Some(_), _, _) => format!("{:+}", black - white),
        (None, Outcome::Draw, _) => "+0".to_owned(),
        (None, _, EndReason::TimeOver) => format!("{all:+}:t"),
        (None, ..) => format!("{all:+}:r"),
    }
}

/// GGF has no way to write a bracket in a value.
fn value(text: &str) -> String {
    plain(text).replace('[', "(").replace(']', ")")
}
