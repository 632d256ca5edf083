//! PGN, and PDN like it: tags, then numbered moves in lines of at most 80 letters.

use super::{GameFormat, date, left_out, replayed};
use crate::explore::Numbers;
use crate::text::lines::filled;
use std::fmt::Write;
use tabia_gamefile::StoredGame;
use tabia_games::{Game, SetupError, Side, variant_named};

/// Letters of a line.
const WIDTH: usize = 80;

pub(super) fn write<G: Game>(
    like: &G,
    game: &StoredGame,
    format: GameFormat,
) -> Result<String, SetupError> {
    let mut text = tags(like, game, format);
    text.push('\n');
    text += &filled(movetext(like, game)?.iter().map(String::as_str), WIDTH).join("\n");
    Ok(text + "\n\n")
}

fn tags<G: Game>(like: &G, game: &StoredGame, format: GameFormat) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    let known = |text: &str| if text.is_empty() { "?".to_owned() } else { text.to_owned() };
    // The roster has White first, whoever moves first.
    let [white, black] = if like.sides()[0] == "Black" { [1, 0] } else { [0, 1] };
    tag("Event", &known(&game.event));
    tag("Site", &known(&game.site));
    tag("Date", &date(game, '.', Some("??")));
    tag("Round", &known(&game.round));
    tag("White", &known(&game.players[white]));
    tag("Black", &known(&game.players[black]));
    tag("Result", game.result_text());
    let kind = if format == GameFormat::Pdn { "Rating" } else { "Elo" };
    for (name, side) in [("White", white), ("Black", black)] {
        if game.ratings[side] > 0 {
            tag(&format!("{name}{kind}"), &game.ratings[side].to_string());
        }
    }
    variant_named(like.name().as_bytes()).into_iter().for_each(|names| tag("Variant", names.tag));
    game_type(like.name()).into_iter().for_each(|number| tag("GameType", number));
    if !game.setup.is_empty() {
        tag("SetUp", "1");
        tag("FEN", &game.setup);
    }
    text
}

/// The number that PDN has for a game, if it is one of draughts.
pub fn game_type(name: &str) -> Option<&'static str> {
    match name {
        "checkers" => Some("21"),
        "draughts-10" => Some("20"),
        _ => None,
    }
}

fn movetext<G: Game>(like: &G, game: &StoredGame) -> Result<Vec<String>, SetupError> {
    let moves = replayed(like, game)?;
    let first = moves.first().map_or(Side::First, |(start, _)| start.side());
    let numbers = Numbers::of_setup(&game.setup, first);
    let mut words = Vec::new();
    for (ply, (position, played)) in moves.iter().enumerate() {
        let text = numbers.moved(ply, &position.notation(played), ply == 0);
        words.extend(text.split(' ').map(str::to_owned));
    }
    if let Some(what) = left_out(moves.len(), game) {
        words.push(format!("{{{what}}}"));
    }
    words.push(game.result_text().to_owned());
    Ok(words)
}
