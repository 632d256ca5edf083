//! `/masters` and `/lichess`, as lichess's explorer answers them
//! (<https://lichess.org/api#tag/Opening-Explorer>).

use super::counted::{Counted, Counting, for_white};
use super::model::{Game, History, MonthOfGames, Move, Name, Node, PlayedGame, Told};
use super::performance::performance;
use super::{Found, first, start};
use crate::games::{self, date_of};
use crate::query::Request;
use crate::reply::{Answered, Refusal, Reply};
use crate::shelf::{Choice, Shelf};
use crate::sources::Sources;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use tabia::{Ratings, Row};
use tabia_build::shelf::Month;
use tabia_gamefile::{GameId, GameLookup, StoredGame};
use tabia_games::{Chess, Game as _, Known, Side};
use tabia_play::explore::{Explorable, Opening};
use tabia_play::{GameFormat, TopGame, game_text};

/// How many moves are told where the client doesn't say.
const MOVES: usize = 12;
/// The best games that are told of masters, and of lichess: as many at most.
const MASTERS_GAMES: usize = 15;
const LICHESS_GAMES: usize = 4;
/// The best and the latest games that are told of lichess, together, and the latest of a player.
pub(super) const GAMES: usize = 8;
/// All games of positions that so many pass at most are looked at, to find the latest ones and those
/// of some years.
const MOST_SEARCHED: usize = 100;

/// Games of masters: the book or the shelf called `masters`, or else the first one of chess, a book
/// before a shelf.
///
/// `speeds` and `ratings` are no parameters of this address: openingtree sends what is chosen for
/// lichess's games here too, and the public explorer passes it over.
pub fn masters(sources: &Sources, request: &Request) -> Answered {
    let choice = Choice::of_years(request)?;
    let limit = request.number("moves", MOVES)?;
    let count = request.number("topGames", MASTERS_GAMES)?.min(MASTERS_GAMES);
    let asked = first(sources, start(request)?.name(), Some("masters"))?;
    let mut found = Found::of(sources, asked, &choice, request)?;
    let counting = found.counted()?;
    let top_games = best_games(&found, &counting, count)?;
    let node = Node {
        top_games: Some(found.told(&top_games, Told::Masters)?),
        ..node(&found, &counting, limit, Told::Masters)?
    };
    let passed_over = ["speeds", "ratings"].into_iter().filter(|name| request.text(name).is_some());
    found.ignored.extend(passed_over);
    Ok(Reply::json(&node)?.of_books(&found.books).ignoring(found.ignored))
}

/// Games of lichess: the shelf or the book called `lichess`, or else the first shelf of chess, or
/// else its first book.
pub fn lichess(sources: &Sources, request: &Request) -> Answered {
    let choice = Choice::of(request, "")?;
    let limit = request.number("moves", MOVES)?;
    let best = request.number("topGames", LICHESS_GAMES)?.min(LICHESS_GAMES);
    let most_recent = request.number("recentGames", GAMES)?;
    let has_history = request.flag("history", false)?;
    let game = start(request)?.name();
    let named = sources.find(game, Some("lichess")).or_else(|| sources.shelf(game));
    let asked = named.map_or_else(|| first(sources, game, None), Ok)?;
    let mut found = Found::of(sources, asked, &choice, request)?;
    let counting = found.counted()?;
    let history = has_history.then(|| history(&found, asked, &choice)).transpose()?;
    let is_any = best > 0 || most_recent > 0;
    let mut top_games = best_games(&found, &counting, if is_any { LICHESS_GAMES } else { 0 })?;
    let recent = most_recent.min(GAMES - top_games.len());
    let recent_games = latest_games(&found, &counting, recent, &top_games)?;
    top_games.truncate(best);
    let node = Node {
        top_games: Some(found.told(&top_games, Told::Lichess)?),
        recent_games: Some(found.told(&recent_games, Told::Lichess)?),
        history,
        ..node(&found, &counting, limit, Told::Lichess)?
    };
    Ok(Reply::json(&node)?.of_books(&found.books).ignoring(found.ignored))
}

/// The old way to ask for months alone.
pub fn lichess_history(sources: &Sources, request: &Request) -> Answered {
    let with_history =
        [("history", "true"), ("topGames", "0"), ("recentGames", "0"), ("moves", "0")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()));
    let mut request = request.clone();
    request.query.extend(with_history);
    lichess(sources, &request)
}

/// A position and so many of its moves.
pub(super) fn node(
    found: &Found<'_>,
    counting: &Counting,
    limit: usize,
    told: Told,
) -> Result<Node, Refusal> {
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
    for counted in &counting.moves {
        let counts = counted.counts;
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        let known = &explored.moves[counted.place];
        let at = legal.binary_search_by_key(&known.code, |&(code, _)| code);
        let (Ok(at), Some(san), true) = (at, &known.san, moves.len() < limit) else { continue };
        let played = &legal[at].1;
        let (average, opponents) = match told {
            Told::Player(player) => (None, Some(against(counted, player, side))),
            _ => (Some(counted.average), None),
        };
        let whole = |rating: Option<f64>| rating.map_or(0, |rating| rating.round() as i64);
        moves.push(Move {
            uci: present.position.king_takes_rook(played),
            san: san.clone(),
            average_rating: average.map(whole),
            average_opponent_rating: opponents.map(|(opponents, _)| whole(opponents)),
            performance: opponents
                .map(|(_, performance)| whole(performance.filter(|_| explored.results))),
            white: counts[0],
            draws: counts[1],
            black: counts[2],
            game: counted.game.as_ref().map(|game| found.game(game, told)).transpose()?,
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

/// The average rating of a player's opponents in the games of a move, whoever of them made it, and
/// the player's performance.
fn against(counted: &Counted, player: Side, mover: Side) -> (Option<f64>, Option<f64>) {
    let Some(rated) = counted.rated.filter(|rated| rated.games > 0) else { return (None, None) };
    let Ratings { mover_sum, opponent_sum, games, score } = rated;
    let games = f64::from(games);
    let (opponents, score) = match player == mover {
        true => (opponent_sum, score as f64),
        false => (mover_sum, 2.0 * games - score as f64),
    };
    let opponents = opponents as f64 / games;
    (Some(opponents), Some(performance(opponents, score / (2.0 * games))))
}

/// A game with the move that it goes on by.
type Behind = (String, StoredGame);

/// So many of the best games that pass the position, the best first.
fn best_games(
    found: &Found<'_>,
    counting: &Counting,
    count: usize,
) -> Result<Vec<Behind>, Refusal> {
    let (node, files) = (found.history.present(), found.books.games()?);
    if count == 0 || files.is_empty() {
        return Ok(Vec::new());
    }
    let is_told = |game: &StoredGame| found.period.is_none_or(|period| period.has(game));
    if let Some(games) = &counting.games {
        let told = games.iter().filter(|one| is_told(&one.game));
        return Ok(found.behind(told).into_iter().take(count).collect());
    }
    // Of those of some years there may be more behind better ones.
    let looked_at = if found.period.is_some() { MOST_SEARCHED } else { count };
    let top = games::top(&found.books, &files, node, looked_at)?.games.into_iter();
    let with_move =
        |top: TopGame<Chess>| Some((node.position.king_takes_rook(top.played.as_ref()?), top.game));
    Ok(top.filter_map(with_move).filter(|(_, game)| is_told(game)).take(count).collect())
}

/// So many of the latest games that pass the position, but for these.
pub(super) fn latest_games(
    found: &Found<'_>,
    counting: &Counting,
    count: usize,
    others: &[Behind],
) -> Result<Vec<Behind>, Refusal> {
    let (node, files) = (found.history.present(), found.books.games()?);
    if count == 0 || files.is_empty() {
        return Ok(Vec::new());
    }
    let is_told = |game: &StoredGame| {
        found.period.is_none_or(|period| period.has(game))
            && !others.iter().any(|(_, other)| other.digest == game.digest)
    };
    let all: u64 = found.explored.moves.iter().map(|known| known.games).sum();
    if all > MOST_SEARCHED as u64 {
        let games = games::latest(&found.books, node, count, is_told)?;
        return Ok(found.behind(games.iter()));
    }
    let mut games = best_games(found, counting, MOST_SEARCHED)?;
    games.retain(|(_, game)| is_told(game));
    games.sort_by_key(|(_, game)| Reverse((date_of(game), game.digest)));
    games.truncate(count);
    Ok(games)
}

impl Found<'_> {
    /// Games with the moves that they go on by; those that end here have none.
    fn behind<'g>(&self, games: impl Iterator<Item = &'g games::Passing>) -> Vec<Behind> {
        let node = self.history.present();
        let behind = |one: &games::Passing| {
            let played = node.move_of_code(*one.codes.first()?)?;
            Some((node.position.king_takes_rook(&played), one.game.clone()))
        };
        games.filter_map(behind).collect()
    }

    /// A game as it is told.
    fn game(&self, game: &StoredGame, told: Told) -> Result<Game, Refusal> {
        let mut speed = None;
        if told != Told::Masters {
            for (facets, book) in
                self.books.with_facets().filter(|(facets, _)| facets.speed.is_some())
            {
                for file in book.game_files()? {
                    if file.has(game.digest)? {
                        speed = facets.speed;
                    }
                }
            }
        }
        Ok(Game::of(game, told, speed))
    }

    /// Games as they are told.
    pub(super) fn told(&self, games: &[Behind], told: Told) -> Result<Vec<PlayedGame>, Refusal> {
        let one = |(uci, game): &Behind| {
            Ok(PlayedGame { uci: uci.clone(), game: self.game(game, told)? })
        };
        games.iter().map(one).collect()
    }
}

/// A game as PGN: of any book or shelf of chess that has it, the one called `masters` first.
pub fn pgn(sources: &Sources, request: &Request) -> Answered {
    let missing = || Refusal::Missing("no such game is served here".to_owned());
    let id: GameId = request.part("id")?.parse().map_err(|_| missing())?;
    let mut all: Vec<_> = sources.each().collect();
    all.sort_by_key(|found| found.name != "masters");
    for found in all {
        let Known::Chess(start) = found.game() else { continue };
        let books = found.chosen(&Choice::default());
        for book in &books.books {
            let found = book.game_files()?.with_id(id)?;
            if let Some(game) = found.first() {
                let text = game_text(start, game, GameFormat::Pgn).map_err(Refusal::failed)?;
                return Ok(Reply::new("application/x-chess-pgn", text).of_books(&books));
            }
        }
    }
    Err(missing())
}

/// The first month that games of the public explorer may be of.
const FIRST_MONTH: (u16, u8) = (1952, 1);

/// The position's games of a choice by month: from the month since when they are asked for, or else
/// the first one in which the position was played at whatever speed and strength, to the last one, the
/// months between without games too. That last month may not be complete, and is told only where the
/// client says until when. Of a book no month is known.
fn history(found: &Found<'_>, shelf: &Shelf, choice: &Choice) -> Result<History, Refusal> {
    let node = found.history.present();
    let of_months = Choice { since: choice.since, until: choice.until, ..Choice::default() };
    let slices = shelf.chosen(&of_months);
    let mut by_month: BTreeMap<Month, [u64; 3]> = BTreeMap::new();
    for (facets, snapshot) in slices.with_facets() {
        let rows = snapshot.book.rows().moves(node.key)?;
        let Some(month) = facets.month.filter(|_| !rows.is_empty()) else { continue };
        let sums = by_month.entry(month).or_default();
        for known in rows.iter().filter(|_| choice.wants(facets)) {
            let counts = for_white(known.counts(), node.position.side());
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }
    let (Some((&first, _)), Some((&last, _))) =
        (by_month.first_key_value(), by_month.last_key_value())
    else {
        return Ok(Vec::new());
    };
    let earliest = Month::new(FIRST_MONTH.0, FIRST_MONTH.1);
    let begin = choice.since.max(earliest).unwrap_or(first).min(first);
    let begin = if choice.since.is_some() { begin } else { first };
    let months = std::iter::successors(Some(begin), |month| Some(month.next()));
    let is_told = |month: &Month| *month < last || (*month == last && choice.until.is_some());
    let told = |month: Month| {
        let [white, draws, black] = by_month.get(&month).copied().unwrap_or_default();
        MonthOfGames { month: month.to_string(), white, draws, black }
    };
    Ok(months.take_while(is_told).map(told).collect())
}
