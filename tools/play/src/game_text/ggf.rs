//! Othello as GGF. The format has no escapes: brackets in names become parentheses.

use super::{date, replayed};
use std::fmt::Write;
use tabia_gamefile::{GameResult, StoredGame};
use tabia_games::{Game, SetupError, Side};

pub(super) fn write<G: Game>(like: &G, game: &StoredGame) -> Result<String, SetupError> {
    let moves = replayed(like, game)?;
    let start = if game.setup.is_empty() { "startpos" } else { &game.setup };
    let start = like.set_up(start)?;
    let end =
        moves.last().map_or_else(|| start.clone(), |(position, played)| position.after(played));
    let mut text = String::from("(;GM[Othello]");
    let mut tag = |name: &str, value: &str| {
        if !value.is_empty() {
            let _ = write!(text, "{name}[{}]", value.replace('[', "(").replace(']', ")"));
        }
    };
    let place = if game.site.is_empty() { &game.event } else { &game.site };
    tag("PC", place);
    tag("DT", &date(game, '.', None));
    tag("PB", &game.players[0]);
    tag("PW", &game.players[1]);
    for (name, rating) in ["RB", "RW"].into_iter().zip(game.ratings) {
        tag(name, &if rating > 0 { rating.to_string() } else { String::new() });
    }
    tag("TY", "8");
    tag("RE", &difference(game, &end));
    // With `*` for Black.
    tag("BO", &format!("8 {}", start.setup().replace(['X', 'x'], "*")));
    for (position, played) in &moves {
        let side = if position.side() == Side::First { 'B' } else { 'W' };
        let _ = write!(text, "{side}[{}]", position.notation(played));
    }
    text.push_str(";)\n");
    Ok(text)
}

/// How much more Black has: by the discs at the end, with the empty squares for the winner; or by
/// all of them if the game was decided in another way. Empty if that isn't known.
fn difference<G: Game>(game: &StoredGame, end: &G) -> String {
    let squares = end.setup();
    let squares = squares.get(..64).unwrap_or_default();
    let count = |signs: [char; 2]| squares.chars().filter(|sign| signs.contains(sign)).count();
    let (black, white) = (count(['X', 'x']) as i32, count(['O', 'o']) as i32);
    let empty = 64 - black - white;
    let by_discs = match black - white {
        0 => 0,
        more if more > 0 => more + empty,
        less => less - empty,
    };
    let is_over = end.outcome().is_some();
    match game.result {
        Some(GameResult::FirstWins) if is_over && by_discs > 0 => format!("+{by_discs}"),
        Some(GameResult::SecondWins) if is_over && by_discs < 0 => format!("{by_discs}"),
        Some(GameResult::FirstWins) => "+64:r".to_owned(),
        Some(GameResult::SecondWins) => "-64:r".to_owned(),
        Some(GameResult::Draw) => "0".to_owned(),
        None => String::new(),
    }
}
