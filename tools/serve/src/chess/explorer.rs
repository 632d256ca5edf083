//! `/masters`, `/lichess` and `/player`, as lichess's explorer answers them
//! (<https://lichess.org/api#tag/Opening-Explorer>).

use super::Found;
use super::model::{Game, History, Month, Move, Name, Node};
use crate::query::Request;
use crate::reply::{Answered, Refusal, Reply};
use crate::source::Sources;
use tabia::{Counts, Ratings};
use tabia_explore::Opening;
use tabia_games::{Game as _, Side};

/// How many moves are told where the client doesn't say.
const MOVES: usize = 12;
/// What a player's moves are told by where the client doesn't say: all.
const ALL: usize = usize::MAX;

/// Games of masters: the book called `masters`, or else the first one of chess.
pub fn masters(sources: &Sources, request: &Request) -> Answered {
    let found = Found::new(sources, Some("masters"), request)?;
    let limit = request.number("moves", MOVES)?;
    let ignored = ignored(request, &["since", "until"]);
    let node = Node { top_games: Some(Vec::new()), ..node(&found, limit, Rated::Mover) };
    Ok(Reply::json(&node)?.of_version(&found.snapshot.version).ignoring(ignored))
}

/// Games of lichess: the book called `lichess`, or else the first one of chess.
pub fn lichess(sources: &Sources, request: &Request) -> Answered {
    check_variant(request)?;
    let found = Found::new(sources, Some("lichess"), request)?;
    let limit = request.number("moves", MOVES)?;
    let ignored = ignored(request, &["speeds", "ratings", "since", "until"]);
    let node = Node {
        top_games: Some(Vec::new()),
        recent_games: Some(Vec::new()),
        history: history(request)?,
        ..node(&found, limit, Rated::Mover)
    };
    Ok(Reply::json(&node)?.of_version(&found.snapshot.version).ignoring(ignored))
}

/// The old way to ask for months alone.
pub fn lichess_history(sources: &Sources, request: &Request) -> Answered {
    let with_history = [("history", "true"), ("topGames", "0"), ("recentGames", "0")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
    let mut request = request.clone();
    request.query.extend(with_history);
    lichess(sources, &request)
}

/// Games of a player: the book called `NAME-white` or `NAME-black`, in small letters. It is finished,
/// so that the stream is one line.
pub fn player(sources: &Sources, request: &Request) -> Answered {
    check_variant(request)?;
    let (Some(player), Some(color)) = (request.text("player"), request.text("color")) else {
        return Err(Refusal::Bad(
            "Failed to deserialize query string: player and color are needed".to_owned(),
        ));
    };
    if !["white", "black"].contains(&color) {
        return Err(Refusal::Bad(
            "Failed to deserialize query string: color is white or black".to_owned(),
        ));
    }
    let name = format!("{}-{color}", player.to_lowercase().replace(' ', "-"));
    let source = sources
        .of("chess", Some(&name))
        .ok_or_else(|| Refusal::Missing(format!("no book is called {name} here")))?;
    let found = Found::of(source, request)?;
    let limit = request.number("moves", ALL)?;
    let ignored = ignored(request, &["speeds", "modes", "since", "until"]);
    let node = Node {
        recent_games: Some(Vec::new()),
        queue_position: Some(0),
        history: history(request)?,
        ..node(&found, limit, Rated::Opponent)
    };
    let line = serde_json::to_string(&node).map_err(|error| Refusal::Failed(error.to_string()))?;
    let reply = Reply::new("application/x-ndjson", line + "\n");
    Ok(reply.of_version(&found.snapshot.version).ignoring(ignored))
}

/// Whose ratings are told.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rated {
    Mover,
    Opponent,
}

/// A position and so many of its moves.
fn node(found: &Found<'_>, limit: usize, rated: Rated) -> Node {
    let Found { source, history, explored, .. } = found;
    let present = history.present();
    let side = present.position.side();
    let mut sums = [0; 3];
    let mut moves = Vec::new();
    for known in &explored.moves {
        let counts = for_white(known.counts(), side);
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        let Some(played) = present.move_of_code(known.code).filter(|_| moves.len() < limit) else {
            continue;
        };
        let ratings = known.cells.get::<Ratings>();
        let opponents = ratings.filter(|ratings| ratings.games > 0 && rated == Rated::Opponent);
        moves.push(Move {
            uci: present.position.king_takes_rook(&played),
            san: present.position.notation(&played),
            average_rating: (rated == Rated::Mover).then(|| {
                ratings.and_then(|ratings| ratings.average()).map_or(0, |rating| rating as i64)
            }),
            average_opponent_rating: (rated == Rated::Opponent).then(|| {
                opponents
                    .map_or(0, |ratings| (ratings.opponent_sum / u64::from(ratings.games)) as i64)
            }),
            performance: opponents
                .and_then(|ratings| ratings.performance())
                .map(|rating| rating.round() as i64)
                .or((rated == Rated::Opponent).then_some(0)),
            white: counts[0],
            draws: counts[1],
            black: counts[2],
            game: None::<Game>,
            opening: source.names().of(&present.after(&played).position).map(Name::of),
        });
    }
    let [white, draws, black] = sums;
    Node {
        white,
        draws,
        black,
        moves,
        opening: Opening::of(history, source.names())
            .map(|opening| Name { eco: opening.eco, name: opening.name }),
        ..Node::default()
    }
}

/// Counts of the side to move as wins of White, draws, wins of Black.
fn for_white(counts: Counts, side: Side) -> [u64; 3] {
    let Counts { wins, draws, losses } = counts;
    let [wins, draws, losses] = [wins, draws, losses].map(u64::from);
    if side == Side::First { [wins, draws, losses] } else { [losses, draws, wins] }
}

/// Months, where they are asked for.
fn history(request: &Request) -> Result<Option<History>, Refusal> {
    Ok(request.flag("history", false)?.then(Vec::<Month>::new))
}

/// Other rules than those of chess have no books.
fn check_variant(request: &Request) -> Result<(), Refusal> {
    match request.text("variant") {
        None | Some("chess" | "standard" | "chess960" | "fromPosition") => Ok(()),
        Some(other) => {
            Err(Refusal::Bad(format!("no book of the variant `{}`", other.escape_debug())))
        }
    }
}

/// The filters that were given, which a book of all its games together can't obey.
fn ignored(request: &Request, filters: &[&'static str]) -> Vec<&'static str> {
    filters.iter().copied().filter(|filter| request.text(filter).is_some()).collect()
}
