//! Games as a list: a line each for people, objects for programs.

use comfy_table::{Table, presets};
use serde::Serialize;
use std::io::{self, Write};
use tabia_build::one_line;
use tabia_gamefile::{GameId, GameResult, StoredGame};
use tabia_games::{Game, Node};
use tabia_play::{TopGame, TopGames, replayed};

/// The games of a position.
#[derive(Serialize)]
pub struct Listed {
    /// The position.
    fen: String,
    /// Whether these are surely the best ones.
    complete: bool,
    /// Games that the book names here and that aren't in the file.
    missing: u64,
    games: Vec<ListedGame>,
}

/// A game.
#[derive(Serialize)]
pub struct ListedGame {
    id: String,
    digest: String,
    rank: u16,
    /// The side that won: `white` or `black`; null for a draw or if that isn't known.
    winner: Option<String>,
    /// `1-0`, `1/2-1/2`, `0-1` by the first and the second player, or `*`.
    result: &'static str,
    /// The first and the second player.
    players: [Player; 2],
    year: Option<u16>,
    /// Year and month, such as `1972-07`.
    month: Option<String>,
    date: String,
    event: String,
    site: String,
    round: String,
    plies: usize,
    /// The move made from the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    r#move: Option<String>,
    /// Plies before the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<usize>,
    /// The position it starts from, if that isn't the usual one.
    #[serde(skip_serializing_if = "String::is_empty")]
    setup: String,
    /// All its moves, as programs write them.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<String>>,
    /// The archive it is from, and where it begins there.
    source: String,
    offset: u64,
}

#[derive(Serialize)]
struct Player {
    side: String,
    name: String,
    rating: Option<u16>,
}

impl Listed {
    /// The games of this node.
    pub fn new<G: Game>(node: &Node<G>, top: &TopGames<G>) -> Self {
        let game = |top: &TopGame<G>| ListedGame {
            r#move: top.played.as_ref().map(|played| node.position.coordinates(played)),
            ply: Some(top.plies),
            ..ListedGame::new(&node.position, &top.game)
        };
        Self {
            fen: node.position.setup(),
            complete: top.is_complete,
            missing: top.missing,
            games: top.games.iter().map(game).collect(),
        }
    }
}

impl ListedGame {
    fn new<G: Game>(like: &G, game: &StoredGame) -> Self {
        let side = |side: usize| like.sides()[side].to_lowercase();
        let player = |number: usize| Player {
            side: side(number),
            name: game.players[number].clone(),
            rating: Some(game.ratings[number]).filter(|&rating| rating > 0),
        };
        Self {
            id: GameId::of(game.digest).to_string(),
            digest: format!("{:012x}", game.digest),
            rank: game.rank(),
            winner: match game.result {
                Some(GameResult::FirstWins) => Some(side(0)),
                Some(GameResult::SecondWins) => Some(side(1)),
                Some(GameResult::Draw) | None => None,
            },
            result: result(game),
            players: [player(0), player(1)],
            year: Some(game.year).filter(|&year| year > 0),
            month: (game.month > 0).then(|| format!("{:04}-{:02}", game.year, game.month)),
            date: date(game),
            event: game.event.clone(),
            site: game.site.clone(),
            round: game.round.clone(),
            plies: game.moves.len(),
            r#move: None,
            ply: None,
            setup: game.setup.clone(),
            moves: None,
            source: game.source.to_string(),
            offset: game.offset,
        }
    }

    /// A game with all its moves.
    pub fn whole<G: Game>(like: &G, game: &StoredGame) -> Self {
        let moves = replayed(like, game).unwrap_or_default();
        let moves = moves.iter().map(|(position, played)| position.coordinates(played)).collect();
        Self { moves: Some(moves), ..Self::new(like, game) }
    }
}

fn result(game: &StoredGame) -> &'static str {
    match game.result {
        Some(GameResult::FirstWins) => "1-0",
        Some(GameResult::Draw) => "1/2-1/2",
        Some(GameResult::SecondWins) => "0-1",
        None => "*",
    }
}

/// As far as it is known: `1972`, `1972.07`, `1972.07.11`.
fn date(game: &StoredGame) -> String {
    match (game.year, game.month, game.day) {
        (0, ..) => String::new(),
        (year, 0, _) => format!("{year:04}"),
        (year, month, 0) => format!("{year:04}.{month:02}"),
        (year, month, day) => format!("{year:04}.{month:02}.{day:02}"),
    }
}

/// Letters of an event that are shown.
const EVENT: usize = 28;

/// Writes a line for each game.
pub fn write<G: Game>(out: &mut impl Write, node: &Node<G>, top: &TopGames<G>) -> io::Result<()> {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_header(["id", "move", "players", "result", "date", "event"]);
    for TopGame { game, played, .. } in &top.games {
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
            GameId::of(game.digest).to_string(),
            played.unwrap_or_default(),
            format!("{} - {}", player(0), player(1)),
            result(game).to_owned(),
            date(game),
            event,
        ]);
    }
    for line in table.to_string().lines() {
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
