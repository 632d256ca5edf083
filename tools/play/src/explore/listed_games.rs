//! Games behind positions, as objects for programs.

use crate::game_text::date;
use crate::{TopGame, TopGames, replayed};
use serde::Serialize;
use tabia_gamefile::{GameId, GameResult, StoredGame};
use tabia_games::{Game, Node};

/// The best games of a position.
#[derive(Debug, Serialize)]
pub struct ListedGames {
    /// The position.
    pub fen: String,
    /// Whether these are surely the best ones.
    pub complete: bool,
    /// Games that the book names here and that aren't in the file.
    pub missing: u64,
    /// The best one first.
    pub games: Vec<ListedGame>,
}

/// A game.
#[derive(Debug, Serialize)]
pub struct ListedGame {
    /// Eight letters and digits.
    pub id: String,
    /// What identifies it, 12 hexadecimal digits.
    pub digest: String,
    /// How much it is worth showing: the sum of both ratings.
    pub rank: u16,
    /// The side that won: `white` or `black`; null for a draw or if that isn't known.
    pub winner: Option<String>,
    /// `1-0`, `1/2-1/2`, `0-1` by the first and the second player, or `*`.
    pub result: &'static str,
    /// The first and the second player.
    pub players: [ListedPlayer; 2],
    /// The year, if it is known.
    pub year: Option<u16>,
    /// Year and month, such as `1972-07`.
    pub month: Option<String>,
    /// As far as it is known: `1972`, `1972.07`, `1972.07.11`; empty if nothing is.
    pub date: String,
    /// The event; empty if it is not known.
    pub event: String,
    /// The place; empty if it is not known.
    pub site: String,
    /// The round; empty if it is not known.
    pub round: String,
    /// How many moves it has.
    pub plies: usize,
    /// The move made from the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#move: Option<String>,
    /// Plies before the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
    /// The position it starts from, if that isn't the usual one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub setup: String,
    /// All its moves, as programs write them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<String>>,
    /// The archive it is from, and where it begins there.
    pub source: String,
    /// Its first byte in that archive, after decompression.
    pub offset: u64,
}

/// Who played.
#[derive(Debug, Serialize)]
pub struct ListedPlayer {
    /// The side, as people call it, in small letters.
    pub side: String,
    /// The name; empty if it is not known.
    pub name: String,
    /// The rating, if it is known.
    pub rating: Option<u16>,
}

impl ListedGames {
    /// The games of this node; with their moves, or without.
    pub fn new<G: Game>(node: &Node<G>, top: &TopGames<G>, with_moves: bool) -> Self {
        let game = |top: &TopGame<G>| ListedGame {
            r#move: top.played.as_ref().map(|played| node.position.coordinates(played)),
            ply: Some(top.plies),
            ..if with_moves {
                ListedGame::whole(&node.position, &top.game)
            } else {
                ListedGame::new(&node.position, &top.game)
            }
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
    /// A game without its moves. `like` is any position of the same game.
    pub fn new<G: Game>(like: &G, game: &StoredGame) -> Self {
        let side = |side: usize| like.sides()[side].to_lowercase();
        let player = |number: usize| ListedPlayer {
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
            result: game.result_text(),
            players: [player(0), player(1)],
            year: Some(game.year).filter(|&year| year > 0),
            month: (game.month > 0).then(|| format!("{:04}-{:02}", game.year, game.month)),
            date: date(game, '.', None),
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
