//! A player from books: a rule, and what holds whatever the rule.

use crate::Error;
use crate::choice::rules::too_few;
use crate::choice::{Candidate, GameHistory, RowLookup, Seed, candidates};
use serde::Serialize;
use std::cmp::Reverse;
use tabia::{Keyed, TableKind};
use tabia_games::Game;

/// A rule for choosing a move.
pub trait Select<G: Game>: Send + Sync {
    /// Chooses among the candidates of a situation, of which there is at least one.
    ///
    /// # Errors
    /// The books'.
    fn select(&self, at: &Situation<'_, G>) -> Result<Choice, Error>;

    /// What users should know of how the rule goes by these books, in a line, if there is anything.
    fn note(&self) -> Option<String> {
        None
    }
}

/// What a rule says of the candidates it was given.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Which of them is played; none: the book has nothing good to say here.
    pub chosen: Option<usize>,
    /// What was found out about each, in the order of the candidates.
    pub judged: Vec<Judged>,
    /// Why, in one sentence without a full stop.
    pub why: String,
}

/// What was found out about a candidate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judged {
    /// What it was judged by: names and figures.
    pub figures: Vec<(&'static str, Figure)>,
    /// Why it was out of the question, if it was.
    pub out: Option<String>,
}

/// A figure of a candidate.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Figure {
    /// A number of things.
    Count(u64),
    /// A part of the whole, from 0 to 1; bounds and regularized scores may lie outside.
    Score(f64),
    /// A value in the game's own unit, or a weight.
    Value(f64),
    /// A word, such as `win`, or a line of moves.
    Word(String),
}

/// Why a rule that goes by results has no move of a book that doesn't know any.
pub(super) const WITHOUT_RESULTS: &str =
    "the book doesn't know how its games ended: take the rule `games` or `random`";

impl Choice {
    /// No move, for this reason.
    pub fn none(candidates: usize, why: impl Into<String>) -> Self {
        Self { chosen: None, judged: vec![Judged::default(); candidates], why: why.into() }
    }
}

/// Where a move is to be chosen.
pub struct Situation<'a, G: Game> {
    /// The books.
    pub rows: &'a dyn RowLookup,
    /// The game so far; the move is to be chosen in its present position.
    pub history: &'a GameHistory<G>,
    /// What may be chosen, in ascending order of the codes.
    pub candidates: &'a [Candidate<G::Move>],
    /// Where chance comes from.
    pub seed: Seed,
}

/// What holds whatever the rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits<M> {
    /// Only moves among these, if there are any: a GUI's `searchmoves`.
    pub among: Option<Vec<M>>,
    /// No move after so many plies of the game.
    pub plies: Option<usize>,
    /// No move to a position that was there in this game already.
    pub avoids_repetition: bool,
    /// Only moves played here in so many games, or leading to positions that so many games came to.
    pub min_games: u64,
}

impl<M> Default for Limits<M> {
    fn default() -> Self {
        Self { among: None, plies: None, avoids_repetition: false, min_games: 0 }
    }
}

/// A player from books: from one, or from the first of several that has the position.
pub struct Player<'a, G: Game> {
    /// The books that are asked first, in order, each with the rule prepared for it.
    first: Vec<Asked<'a, G>>,
    /// The book that is asked where none of these has the position.
    last: Asked<'a, G>,
    /// Where chance comes from; whoever plays several games counts them here.
    pub seed: Seed,
    /// The rows and columns of a corner, if the books are of corners.
    corners: Option<usize>,
}

/// A book that is asked for moves.
struct Asked<'a, G: Game> {
    rows: &'a dyn RowLookup,
    rule: Box<dyn Select<G> + 'a>,
}

/// What a player decided, with everything there was to decide from.
#[derive(Clone, Debug)]
pub struct Decision<M> {
    /// What the books know here.
    pub candidates: Vec<Candidate<M>>,
    /// What was made of it, in the order of the candidates.
    pub choice: Choice,
}

impl<M> Decision<M> {
    /// The move, if one was chosen.
    pub fn played(&self) -> Option<&M> {
        self.choice.chosen.map(|index| &self.candidates[index].played)
    }

    /// No move, without a look at the books.
    pub fn none(why: String) -> Self {
        Self { candidates: Vec::new(), choice: Choice::none(0, why) }
    }
}

impl<'a, G: Game> Player<'a, G> {
    /// A player with these books and this rule.
    pub fn new(rows: &'a dyn RowLookup, rule: Box<dyn Select<G> + 'a>, seed: Seed) -> Self {
        Self { first: Vec::new(), last: Asked { rows, rule }, seed, corners: None }
    }

    /// This player with books of corners of so many rows and columns (joseki), keyed by line: each
    /// corner of the board is looked up as a game of its own ([`Game::corner_games`]), the one that
    /// was played in last first, empty ones at the end. The first for which the rule has a move is
    /// played in.
    pub fn in_corners(self, region: usize) -> Self {
        Self { corners: Some(region), ..self }
    }

    /// This player with a book that is asked before the others, with the rule prepared for it: where
    /// it has the position it alone answers, and is left where it has not. A book has a position if
    /// it knows a move there, or, without a table of moves, the position and one that follows.
    pub fn asking_first(mut self, rows: &'a dyn RowLookup, rule: Box<dyn Select<G> + 'a>) -> Self {
        self.first.insert(0, Asked { rows, rule });
        self
    }

    /// What users should know of how the rule goes by these books ([`Select::note`]).
    pub fn note(&self) -> Option<String> {
        self.first.iter().chain([&self.last]).find_map(|asked| asked.rule.note())
    }

    /// The book that answers, and what it knows: the first that has the position, or the last.
    #[allow(clippy::type_complexity, reason = "a book and its candidates")]
    fn answering(
        &self,
        history: &GameHistory<G>,
    ) -> Result<(&Asked<'a, G>, Vec<Candidate<G::Move>>), Error> {
        for asked in &self.first {
            let key = history.present().key;
            let has_position = match asked.rows.has(TableKind::Moves) {
                true => !asked.rows.moves(key)?.is_empty(),
                false => asked.rows.position(key)?.is_some(),
            };
            let known =
                if has_position { candidates(asked.rows, history.present())? } else { Vec::new() };
            if !known.is_empty() {
                return Ok((asked, known));
            }
        }
        Ok((&self.last, candidates(self.last.rows, history.present())?))
    }

    /// Decides on a move in the present position.
    ///
    /// Moves marked `never` are out, and where moves are marked `always` all others are; if the
    /// rule has no move among those, the most played of them is.
    ///
    /// # Errors
    /// The books'.
    pub fn decide(
        &self,
        history: &GameHistory<G>,
        limits: &Limits<G::Move>,
    ) -> Result<Decision<G::Move>, Error> {
        match self.corners {
            Some(region) => self.decide_in_corners(region, history, limits),
            None => self.decide_here(history, limits),
        }
    }

    /// Decides on a move in one of the corners.
    fn decide_in_corners(
        &self,
        region: usize,
        history: &GameHistory<G>,
        limits: &Limits<G::Move>,
    ) -> Result<Decision<G::Move>, Error> {
        if let Some(plies) = limits.plies.filter(|&plies| history.plies() >= plies) {
            return Ok(Decision::none(format!("the book is used for {plies} plies only")));
        }
        let (start, present) = (&history.nodes()[0].position, &history.present().position);
        let mut corners = start.corner_games(history.moves(), present, region);
        corners.sort_by_key(|corner| Reverse(corner.last));
        let mut none: Option<Decision<G::Move>> = None;
        for corner in corners {
            let mut game = GameHistory::start(corner.start, Keyed::Line);
            corner.moves.iter().for_each(|played| game.play(played));
            let asked_for =
                |played: &G::Move| limits.among.as_ref().is_none_or(|among| among.contains(played));
            let among = Some(corner.legal.into_iter().filter(asked_for).collect());
            let limits = Limits { among, plies: None, ..limits.clone() };
            let mut found = self.decide_here(&game, &limits)?;
            found.choice.why = format!("in the {} corner: {}", corner.name, found.choice.why);
            if found.choice.chosen.is_some() {
                return Ok(found);
            }
            if none.as_ref().is_none_or(|none| none.candidates.is_empty()) {
                none = none.filter(|_| found.candidates.is_empty()).or(Some(found));
            }
        }
        Ok(none
            .unwrap_or_else(|| Decision::none("no corner is as its own moves left it".to_owned())))
    }

    /// Decides on a move by what the books know of the present position itself.
    fn decide_here(
        &self,
        history: &GameHistory<G>,
        limits: &Limits<G::Move>,
    ) -> Result<Decision<G::Move>, Error> {
        let (asked, mut candidates) = self.answering(history)?;
        limits.among.iter().for_each(|among| as_asked_for(&mut candidates, among, history));
        let mut judged: Vec<Judged> =
            candidates.iter().map(|candidate| outside(candidate, history, limits)).collect();
        only_always(&candidates, &mut judged);
        let places: Vec<usize> =
            (0..candidates.len()).filter(|&place| judged[place].out.is_none()).collect();
        let allowed: Vec<_> = places.iter().map(|&place| candidates[place].clone()).collect();
        let choice = if let Some(plies) = limits.plies.filter(|&plies| history.plies() >= plies) {
            Choice::none(allowed.len(), format!("the book is used for {plies} plies only"))
        } else if allowed.is_empty() {
            let is_out = candidates.is_empty();
            let out = "the position is out of the book";
            Choice::none(0, if is_out { out } else { "no move of the book may be played" })
        } else {
            let (rows, seed) = (asked.rows, self.seed);
            let situation = Situation { rows, history, candidates: &allowed, seed };
            as_told(asked.rule.select(&situation)?, &allowed)
        };
        for (&place, found) in places.iter().zip(choice.judged) {
            judged[place] = found;
        }
        let chosen = choice.chosen.map(|index| places[index]);
        Ok(Decision { candidates, choice: Choice { chosen, judged, why: choice.why } })
    }
}

/// Where the rule finds no move among those marked `always`, takes the one played most often, of
/// equal ones the first: the book maker's word holds whatever the rule.
fn as_told<M>(mut choice: Choice, allowed: &[Candidate<M>]) -> Choice {
    if choice.chosen.is_none() && allowed.iter().any(Candidate::is_always) {
        choice.chosen =
            (0..allowed.len()).max_by_key(|&place| (allowed[place].games(), Reverse(place)));
        choice.chosen.into_iter().for_each(|place| choice.judged[place].out = None);
        choice.why = format!("marked always; the rule itself has no move: {}", choice.why);
    }
    choice
}

/// Of moves that are images of each other takes those that were asked for.
fn as_asked_for<G: Game>(
    candidates: &mut [Candidate<G::Move>],
    among: &[G::Move],
    history: &GameHistory<G>,
) {
    for played in among {
        let code = history.present().code(played);
        let same = candidates
            .iter_mut()
            .find(|candidate| candidate.code == code && !among.contains(&candidate.played));
        same.into_iter().for_each(|candidate| candidate.played = played.clone());
    }
}

/// Why a candidate is out of the question whatever the rule.
fn outside<G: Game>(
    candidate: &Candidate<G::Move>,
    history: &GameHistory<G>,
    limits: &Limits<G::Move>,
) -> Judged {
    let games = candidate.games_there();
    let among = |moves: &Vec<G::Move>| moves.contains(&candidate.played);
    let out = if candidate.is_never() {
        Some("marked never".to_owned())
    } else if !limits.among.as_ref().is_none_or(among) {
        Some("not among the moves asked for".to_owned())
    } else if limits.avoids_repetition && history.times(candidate.key) > 0 {
        Some("repeats a position".to_owned())
    } else {
        too_few(limits.min_games, games, "games").filter(|_| !candidate.is_always())
    };
    Judged { figures: Vec::new(), out }
}

/// Where the book maker marked moves `always`, all others are out.
fn only_always<M>(candidates: &[Candidate<M>], judged: &mut [Judged]) {
    let stands =
        |candidate: &Candidate<M>, judged: &Judged| judged.out.is_none() && candidate.is_always();
    let all = || candidates.iter();
    if all().zip(&*judged).any(|(candidate, judged)| stands(candidate, judged)) {
        for (_, judged) in
            all().zip(judged).filter(|(candidate, judged)| !stands(candidate, judged))
        {
            judged.out.get_or_insert_with(|| "another move is marked always".to_owned());
        }
    }
}
