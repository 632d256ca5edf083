//! PGN, and PDN like it: tags, then numbered moves in lines of at most 80 letters.

use super::{GameFormat, date, left_out, replayed};
use crate::explore::Numbers;
use crate::text::lines::filled;
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
    let mut add = |name: &str, value: &str| text += &tag(name, value);
    let known = |text: &str| if text.is_empty() { "?".to_owned() } else { text.to_owned() };
    // The roster has White first, whoever moves first.
    let [white, black] = if like.sides()[0] == "Black" { [1, 0] } else { [0, 1] };
    add("Event", &known(&game.event));
    add("Site", &known(&game.site));
    add("Date", &date(game, '.', Some("??")));
    add("Round", &known(&game.round));
    add("White", &known(&game.players[white]));
    add("Black", &known(&game.players[black]));
    add("Result", game.result_text());
    let kind = if format == GameFormat::Pdn { "Rating" } else { "Elo" };
    for (name, side) in [("White", white), ("Black", black)] {
        if game.ratings[side] > 0 {
            add(&format!("{name}{kind}"), &game.ratings[side].to_string());
        }
    }
    of_game(like.name()).into_iter().for_each(|(name, value)| add(name, value));
    if !game.setup.is_empty() {
        add("SetUp", "1");
        add("FEN", &game.setup);
    }
    text
}

/// A tag with its value, a line.
pub fn tag(name: &str, value: &str) -> String {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    format!("[{name} \"{value}\"]\n")
}

/// The tag that says which game it is, with its value, if there is one: the variant of chess, or the
/// number that PDN has for draughts.
pub fn of_game(name: &str) -> Option<(&'static str, &'static str)> {
    match name {
        "checkers" => Some(("GameType", "21")),
        "draughts-10" => Some(("GameType", "20")),
        _ => variant_named(name.as_bytes()).map(|names| ("Variant", names.tag)),
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
