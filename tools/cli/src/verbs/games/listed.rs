//! Games as a list: a line each, for people.

use comfy_table::{Table, presets};
use std::io::{self, Write};
use tabia_build::one_line;
use tabia_games::{Game, Node};
use tabia_play::explore::ListedGame;
use tabia_play::{TopGame, TopGames};

/// Letters of an event that are shown.
const EVENT: usize = 28;

/// Writes a line for each game.
pub fn write<G: Game>(out: &mut impl Write, node: &Node<G>, top: &TopGames<G>) -> io::Result<()> {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_header(["id", "move", "players", "result", "date", "event"]);
    for TopGame { game, played, .. } in &top.games {
        let listed = ListedGame::new(&node.position, game);
        let player = |number: usize| {
            let name = if game.players[number].is_empty() { "?" } else { &game.players[number] };
            match game.ratings[number] {
                0 => one_line(name),
                rating => format!("{} {rating}", one_line(name)),
            }
        };
        let played = played.as_ref().map(|played| node.position.notation(played));
        let event: String = one_line(&game.event).chars().take(EVENT).collect();
        table.add_row([
            listed.id,
            played.unwrap_or_default(),
            format!("{} - {}", player(0), player(1)),
            listed.result.to_owned(),
            listed.date,
            event,
        ]);
    }
    for line in table.to_string().lines() {
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
