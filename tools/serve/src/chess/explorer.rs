//! `/masters` and `/lichess`, as lichess's explorer answers them
//! (<https://lichess.org/api#tag/Opening-Explorer>).

use super::Found;
use super::model::{Game, History, MonthOfGames, Move, Name, Node, PlayedGame};
use crate::games::{self, Games};
use crate::place;
use crate::query::Request;
use crate::reply::{Answered, Refusal, Reply};
use crate::selection::Selection;
use crate::shelf::Choice;
use crate::source::Snapshot;
use crate::sources::Sources;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;
use tabia::format::Keyed;
use tabia::{Counts, Ratings, Row};
use tabia_build::shelf::{Facets, Month};
use tabia_gamefile::{GameId, StoredGame};
use tabia_games::{Chess, Game as _, Side};
use tabia_play::explore::{Explorable, Opening};
use tabia_play::{GameFormat, TopGame, game_text};

/// How many moves are told where the client doesn't say.
const MOVES: usize = 12;
/// The best games that are told of masters, and of lichess: as many at most.
const MASTERS_GAMES: usize = 15;
const LICHESS_GAMES: usize = 4;
/// The latest games that are told of lichess, and where no best ones are told: as many at most.
const RECENT_GAMES: usize = 4;
const RECENT_GAMES_ALONE: usize = 8;
/// The latest games are told of positions that so many games pass at most: all of them are looked
/// at, as no book has them by their dates.
const MOST_SEARCHED: usize = 100;

/// Games of masters: the book called `masters`, or else the first one of chess.
pub fn masters(sources: &Sources, request: &Request) -> Answered {
    let found = Found::new(sources, Some("masters"), request)?;
    let limit = request.number("moves", MOVES)?;
    let ignored = ignored(request, &["since", "until"]);
    let count = request.number("topGames", MASTERS_GAMES)?.min(MASTERS_GAMES);
    let top_games = Some(told_games(&best_games(&found, count)?, count, Told::Masters));
    let node = Node { top_games, ..node(&found, limit, Told::Masters)? };
    Ok(Reply::json(&node)?.of_books(&found.books).ignoring(ignored))
}

/// Games of lichess: the shelf or the book called `lichess`, or else the first shelf of chess, or
/// else its first book.
pub fn lichess(sources: &Sources, request: &Request) -> Answered {
    check_variant(request)?;
    let choice = Choice::of(request)?;
    let has_book = sources.of("chess", Some("lichess")).is_some();
    let shelf = sources.shelf("chess", "lichess");
    let shelf = shelf.filter(|shelf| shelf.name() == "lichess" || !has_book);
    let (found, facets, months) = match shelf {
        Some(shelf) => {
            let chosen = shelf.chosen(&choice);
            let books = chosen.iter().map(|(_, book)| Arc::clone(book)).collect::<Vec<_>>();
            if books.is_empty() {
                return nothing(request);
            }
            (Found::sum(shelf.names(), books, request)?, shelf.facets().clone(), chosen)
        }
        None => (Found::new(sources, Some("lichess"), request)?, Facets::default(), Vec::new()),
    };
    let limit = request.number("moves", MOVES)?;
    let is_sliced = |filter: &&str| match *filter {
        "speeds" => facets.speed.is_some(),
        "ratings" => facets.rating.is_some(),
        _ => facets.month.is_some(),
    };
    let mut ignored = ignored(request, &["speeds", "ratings", "since", "until"]);
    ignored.retain(|filter| !is_sliced(filter));
    let history = match request.flag("history", false)? {
        true => Some(history(&found, &months, &choice)?),
        false => None,
    };
    let count = request.number("topGames", LICHESS_GAMES)?.min(LICHESS_GAMES);
    let most_recent = request.number("recentGames", RECENT_GAMES_ALONE)?;
    // All games of a position, if they are few.
    let all: u64 = found.explored.moves.iter().map(|known| known.games).sum();
    let is_rare = most_recent > 0 && all <= MOST_SEARCHED as u64;
    let mut games = best_games(&found, if is_rare { MOST_SEARCHED } else { count })?;
    let top_games = told_games(&games, count, Told::Lichess);
    let most = if top_games.is_empty() { RECENT_GAMES_ALONE } else { RECENT_GAMES };
    games.sort_by_key(|(_, game)| Reverse((game.year, game.month, game.day)));
    let recent_games =
        told_games(&games, if is_rare { most_recent.min(most) } else { 0 }, Told::Lichess);
    let node = Node {
        top_games: Some(top_games),
        recent_games: Some(recent_games),
        history,
        ..node(&found, limit, Told::Lichess)?
    };
    Ok(Reply::json(&node)?.of_books(&found.books).ignoring(ignored))
}

/// No games: no slice is of those that are asked for. The position is still one.
fn nothing(request: &Request) -> Answered {
    place::asked(request, &Chess::start(), Keyed::Position)?;
    let node = Node {
        top_games: Some(Vec::new()),
        recent_games: Some(Vec::new()),
        history: request.flag("history", false)?.then(Vec::new),
        ..Node::default()
    };
    Reply::json(&node)
}

/// The old way to ask for months alone.
pub fn lichess_history(sources: &Sources, request: &Request) -> Answered {
    let with_history = [("history", "true"), ("topGames", "0"), ("recentGames", "0")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
    let mut request = request.clone();
    request.query.extend(with_history);
    lichess(sources, &request)
}

/// Whose games are told: of players they have the opponents' ratings.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    Masters,
    Lichess,
    Player,
}

/// A position and so many of its moves.
pub(super) fn node(found: &Found<'_>, limit: usize, told: Told) -> Result<Node, Refusal> {
    let games = Games::of(found.books.all())?;
    let Found { names, history, explored, .. } = found;
    let present = history.present();
    let side = present.position.side();
    let legal = present.coded_moves();
    let name_after = |played| {
        let next = (!names.is_empty()).then(|| present.after(played).position)?;
        names.of(&next).map(Name::of)
    };
    let mut sums = [0; 3];
    let mut moves = Vec::new();
    for known in &explored.moves {
        let counts = for_white(known.counts(), side);
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        let at = legal.binary_search_by_key(&known.code, |&(code, _)| code);
        let (Ok(at), Some(san), true) = (at, &known.san, moves.len() < limit) else { continue };
        let played = &legal[at].1;
        let ratings = known.cells.get::<Ratings>();
        let opponents = ratings.filter(|ratings| ratings.games > 0 && told == Told::Player);
        moves.push(Move {
            uci: present.position.king_takes_rook(played),
            san: san.clone(),
            average_rating: (told != Told::Player).then(|| {
                ratings.and_then(|ratings| ratings.average()).map_or(0, |rating| rating as i64)
            }),
            average_opponent_rating: (told == Told::Player).then(|| {
                opponents
                    .map_or(0, |ratings| (ratings.opponent_sum / u64::from(ratings.games)) as i64)
            }),
            performance: opponents
                .filter(|_| explored.results)
                .and_then(|ratings| ratings.performance())
                .map(|rating| rating.round() as i64)
                .or((told == Told::Player).then_some(0)),
            white: counts[0],
            draws: counts[1],
            black: counts[2],
            game: only_game(known, &games, told)?,
            opening: name_after(played),
        });
    }
    let [white, draws, black] = sums;
    Ok(Node {
        white,
        draws,
        black,
        results: (!explored.results).then_some("unknown"),
        moves,
        opening: Opening::of(history, names)
            .map(|opening| Name { eco: opening.eco, name: opening.name }),
        ..Node::default()
    })
}

/// The game of a move, if it has only one and that is known.
fn only_game(
    known: &tabia_play::explore::Move,
    games: &Games<'_>,
    told: Told,
) -> Result<Option<Game>, Refusal> {
    let best = known.best_game().filter(|_| known.games == 1 && !games.is_empty());
    let Some(best) = best else { return Ok(None) };
    let found = games.find(best.digest)?;
    Ok(found.map(|game| Game::of(&game, told == Told::Masters)))
}

/// So many of the best games that pass the position, the best first, each with the move that it goes
/// on by.
fn best_games(found: &Found<'_>, count: usize) -> Result<Vec<(String, StoredGame)>, Refusal> {
    let (node, files) = (found.history.present(), Games::of(found.books.all())?);
    if count == 0 || files.is_empty() {
        return Ok(Vec::new());
    }
    let top = games::top(&found.books, &files, node, count)?.games.into_iter();
    let with_move =
        |top: TopGame<Chess>| Some((node.position.king_takes_rook(top.played.as_ref()?), top.game));
    Ok(top.filter_map(with_move).collect())
}

/// So many of these games, as they are told.
fn told_games(games: &[(String, StoredGame)], count: usize, told: Told) -> Vec<PlayedGame> {
    let told_game = |(uci, game): &(String, StoredGame)| PlayedGame {
        uci: uci.clone(),
        game: Game::of(game, told == Told::Masters),
    };
    games.iter().take(count).map(told_game).collect()
}

/// A game as PGN: of any book of chess that has it, the one called `masters` first.
pub fn pgn(sources: &Sources, request: &Request) -> Answered {
    let missing = || Refusal::Missing("no such game is served here".to_owned());
    let id: GameId = request.part("id")?.parse().map_err(|_| missing())?;
    let of_chess = sources.all().iter().filter(|source| source.game().name() == "chess");
    let mut books: Vec<_> = of_chess.collect();
    books.sort_by_key(|source| source.name() != "masters");
    for book in books.into_iter().filter_map(|source| Selection::of(vec![source.now()])) {
        let found = Games::of(book.all())?.with_id(id)?;
        if let Some(game) = found.first() {
            let text = game_text(&Chess::start(), game, GameFormat::Pgn)
                .map_err(|error| Refusal::Failed(error.to_string()))?;
            return Ok(Reply::new("application/x-chess-pgn", text).of_books(&book));
        }
    }
    Err(missing())
}

/// Counts of the side to move as wins of White, draws, wins of Black.
fn for_white(counts: Counts, side: Side) -> [u64; 3] {
    let Counts { wins, draws, losses } = counts;
    let [wins, draws, losses] = [wins, draws, losses].map(u64::from);
    if side == Side::First { [wins, draws, losses] } else { [losses, draws, wins] }
}

/// The position's games by month, from the first month of these slices to the last one, those
/// without games too. The last month isn't complete, and is told only where the client says until
/// when.
fn history(
    found: &Found<'_>,
    slices: &[(Option<Month>, Arc<Snapshot>)],
    choice: &Choice,
) -> Result<History, Refusal> {
    let node = found.history.present();
    let mut by_month = BTreeMap::new();
    for (month, snapshot) in slices {
        let Some(month) = month else { continue };
        let sums: &mut [u64; 3] = by_month.entry(*month).or_default();
        for known in snapshot.book.rows().moves(node.key)?.iter() {
            let counts = for_white(known.counts(), node.position.side());
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }
    let (Some((&first, _)), Some((&last, _))) =
        (by_month.first_key_value(), by_month.last_key_value())
    else {
        return Ok(Vec::new());
    };
    let months = std::iter::successors(Some(first), |month| Some(month.next()));
    let is_told = |month: &Month| *month < last || (*month == last && choice.until.is_some());
    let told = |month: Month| {
        let [white, draws, black] = by_month.get(&month).copied().unwrap_or_default();
        MonthOfGames { month: month.to_string(), white, draws, black }
    };
    Ok(months.take_while(is_told).map(told).collect())
}

/// Other rules than those of chess have no books.
pub(super) fn check_variant(request: &Request) -> Result<(), Refusal> {
    match request.text("variant") {
        None | Some("chess" | "standard" | "chess960" | "fromPosition") => Ok(()),
        Some(other) => {
            Err(Refusal::Bad(format!("no book of the variant `{}`", other.escape_debug())))
        }
    }
}

/// The filters that were given, which a book of all its games together can't obey.
pub(super) fn ignored(request: &Request, filters: &[&'static str]) -> Vec<&'static str> {
    filters.iter().copied().filter(|filter| request.text(filter).is_some()).collect()
}
