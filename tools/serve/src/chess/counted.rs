//! Moves with the games that are told of them: all, or those of some years. A book has for each move
//! the first and the last year it was played in. A move of other years is left out, one of these years
//! alone is whole, and of a move of both the games are counted one by one, where the files beside the
//! book have them and they are few.
//!
//! A game whose year isn't known counts where all others of its move do, and nowhere else.

use super::Found;
use crate::games::{self, Passing};
use crate::reply::Refusal;
use std::cmp::Reverse;
use tabia::{Counts, Ratings, Years};
use tabia_build::shelf::Month;
use tabia_gamefile::{GameLookup, GameResult, StoredGame};
use tabia_games::{Game as _, Side};
use tabia_play::explore::Move;

/// So many games of a position are counted one by one, at most.
const MOST_COUNTED: u64 = 1_000;
/// So many are looked at for their ratings, where not both players of all have one.
const MOST_RATED: u64 = 100;

/// From one month to another; without an end where there is none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Period {
    pub since: Option<Month>,
    pub until: Option<Month>,
}

impl Period {
    /// Whether all months from one to another are of the period; none if some are.
    fn of(&self, first: Option<Month>, last: Option<Month>) -> Option<bool> {
        let (Some(first), Some(last)) = (first, last) else { return Some(false) };
        let (since, until) = (self.since.unwrap_or(first), self.until.unwrap_or(last));
        match since <= first && last <= until {
            true => Some(true),
            false if last < since || until < first || until < since => Some(false),
            false => None,
        }
    }

    /// Likewise of the years of a move; those that nobody knows aren't.
    fn of_years(&self, Years { first, last }: Years) -> Option<bool> {
        let month = |year: Option<u16>, month| year.and_then(|year| Month::new(year, month));
        self.of(month(first, 1), month(last, 12))
    }

    /// Whether a game is of the period, whatever isn't known of its date.
    pub fn has(&self, game: &StoredGame) -> bool {
        let year = Some(game.year).filter(|&year| year > 0);
        match Month::new(game.year, game.month).filter(|_| year.is_some()) {
            Some(month) => self.of(Some(month), Some(month)) == Some(true),
            None => self.of_years(Years { first: year, last: year }) == Some(true),
        }
    }
}

/// A move with the games that are told.
pub struct Counted {
    /// Its place among the moves of the position.
    pub place: usize,
    /// Games that White won, draws, games that Black won.
    pub counts: [u64; 3],
    /// The average rating of those who made it, in games where it is known.
    pub average: Option<f64>,
    /// Of the rated games, where both are.
    pub rated: Option<Ratings>,
    /// Its game, if it has only one and that is known.
    pub game: Option<StoredGame>,
}

impl Counted {
    pub fn games(&self) -> u64 {
        self.counts.iter().sum()
    }
}

/// All moves of a position, those with the most games first.
pub struct Counting {
    pub moves: Vec<Counted>,
    /// All games of the position, if they had to be looked at.
    pub games: Option<Vec<Passing>>,
}

impl Found<'_> {
    /// The moves of the position with the games that are told; refused if the games of some years
    /// can't be counted.
    pub fn counted(&mut self) -> Result<Counting, Refusal> {
        match (self.count(), self.period) {
            (Err(Refusal::Bad(_)), Some(period)) if self.is_lenient => {
                let given = [("since", period.since), ("until", period.until)];
                let given = given.into_iter().filter(|(_, bound)| bound.is_some());
                self.ignored.extend(given.map(|(name, _)| name));
                self.period = None;
                self.count()
            }
            (counted, _) => counted,
        }
    }

    fn count(&self) -> Result<Counting, Refusal> {
        let is_told = |known: &Move| {
            let Some(period) = &self.period else { return Some(true) };
            period.of_years(known.cells.get().unwrap_or_default())
        };
        let told: Vec<_> = self.explored.moves.iter().map(is_told).collect();
        let is_needed = told.contains(&None);
        let all: u64 = self.explored.moves.iter().map(|known| known.games).sum();
        let is_unrated = |known: &Move| {
            known.cells.get().is_some_and(|rated: Ratings| u64::from(rated.games) < known.games)
        };
        let is_unrated = all <= MOST_RATED && self.explored.moves.iter().any(is_unrated);
        let games = match is_needed || is_unrated {
            true => self.games(all)?,
            false => None,
        };
        if is_needed && games.is_none() {
            return Err(self.uncounted(all));
        }
        let mut moves = Vec::new();
        for (place, (known, told)) in self.explored.moves.iter().zip(told).enumerate() {
            let passing = games.iter().flatten().filter(|one| one.codes.contains(&known.code));
            let played = passing.map(|one| &one.game);
            moves.extend(match (told, &self.period) {
                (Some(false), _) => None,
                (None, Some(period)) => {
                    Some(self.summed(place, played.filter(|game| period.has(game))))
                }
                _ => Some(self.whole(place, known, games.is_some().then_some(played))?),
            });
        }
        moves.retain(|counted| counted.games() > 0 || self.period.is_none());
        moves.sort_by_key(|counted| (Reverse(counted.games()), counted.place));
        Ok(Counting { moves, games })
    }

    /// All games of the position, if its moves' counts are those of just these games.
    fn games(&self, all: u64) -> Result<Option<Vec<Passing>>, Refusal> {
        let (node, files) = (self.history.present(), self.books.games()?);
        let all = all.max(self.explored.position.games);
        if files.is_empty() || all > MOST_COUNTED {
            return Ok(None);
        }
        let games = games::all(&self.books, &files, node, all as usize)?;
        let is_whole = |games: &Vec<Passing>| {
            self.explored.moves.iter().all(|known| {
                let passing = games.iter().filter(|one| one.codes.contains(&known.code));
                passing.count() as u64 == known.games
            })
        };
        Ok(games.filter(is_whole))
    }

    /// Why the games of a position can't be counted one by one.
    fn uncounted(&self, all: u64) -> Refusal {
        let is_since = self.period.is_some_and(|period| period.since.is_some());
        let name = if is_since { "since" } else { "until" };
        let mut games = self.books.books.iter().map(|book| &book.games);
        let why = if games.all(|files| files.as_ref().map_or(true, Vec::is_empty)) {
            "no games are beside it, by which they could be told apart".to_owned()
        } else if all > MOST_COUNTED {
            format!(
                "at most {MOST_COUNTED} games are told apart by their dates, and there are {all}"
            )
        } else {
            "the games beside it are not just those that it counts here".to_owned()
        };
        let called = self.called.escape_debug();
        Refusal::Bad(format!(
            "{name}: {called} has moves here that were played both in and out of these years: {why}"
        ))
    }

    /// A move with all its games, whose list may be known.
    fn whole<'g>(
        &self,
        place: usize,
        known: &Move,
        games: Option<impl Iterator<Item = &'g StoredGame>>,
    ) -> Result<Counted, Refusal> {
        let rated: Option<Ratings> = known.cells.get();
        let counts = for_white(known.counts(), self.side());
        let average = rated.and_then(|rated| rated.average());
        let counted = Counted { place, counts, average, rated, game: None };
        Ok(match games {
            Some(games) => Counted { counts, ..self.summed(place, games) },
            None => Counted { game: self.only_game(known)?, ..counted },
        })
    }

    /// A move with these games.
    fn summed<'g>(&self, place: usize, games: impl Iterator<Item = &'g StoredGame>) -> Counted {
        let mover = self.side().index();
        let (mut counts, mut rated, mut ratings) = ([0; 3], Ratings::default(), (0_u64, 0_u64));
        let mut only = None;
        for game in games {
            let ended = match game.result.filter(|_| self.explored.results) {
                Some(GameResult::FirstWins) => 0,
                Some(GameResult::Draw) | None => 1,
                Some(GameResult::SecondWins) => 2,
            };
            counts[ended] += 1;
            let [mine, theirs] = [game.ratings[mover], game.ratings[1 - mover]];
            if mine > 0 {
                ratings = (ratings.0 + u64::from(mine), ratings.1 + 1);
            }
            if mine > 0 && theirs > 0 {
                rated.mover_sum += u64::from(mine);
                rated.opponent_sum += u64::from(theirs);
                rated.games += 1;
                // Two for a win of White, which is the first to move.
                let score = 2 - ended as u64;
                rated.score += if mover == 0 { score } else { 2 - score };
            }
            only = Some(game);
        }
        let is_only = counts.iter().sum::<u64>() == 1;
        Counted {
            place,
            counts,
            average: (ratings.1 > 0).then(|| ratings.0 as f64 / ratings.1 as f64),
            rated: Some(rated),
            game: only.filter(|_| is_only).cloned(),
        }
    }

    /// The game of a move, if it has only one and that is known.
    fn only_game(&self, known: &Move) -> Result<Option<StoredGame>, Refusal> {
        let Some(best) = known.best_game().filter(|_| known.games == 1) else { return Ok(None) };
        Ok(self.books.games()?.find(best.digest)?)
    }

    fn side(&self) -> Side {
        self.history.present().position.side()
    }
}

/// Counts of the side to move as wins of White, draws, wins of Black.
pub fn for_white(counts: Counts, side: Side) -> [u64; 3] {
    let Counts { wins, draws, losses } = counts;
    let [wins, draws, losses] = [wins, draws, losses].map(u64::from);
    if side == Side::First { [wins, draws, losses] } else { [losses, draws, wins] }
}
