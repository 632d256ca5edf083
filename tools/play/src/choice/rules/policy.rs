//! A rule made of parts: what candidates are worth, what they must have, how one is picked.

use super::conditions::{Conditions, Reentry, too_rare};
use super::criterion::Criterion;
use super::pick::{Pick, Standing};
use super::surd::Surd;
use crate::Error;
use crate::choice::player::WITHOUT_RESULTS;
use crate::choice::{Candidate, Choice, Figure, Judged, Reached, RowLookup, Select, Situation};
use crate::score::Percent;
use tabia::{Counts, MoveRow, Ratings, Results, Row, TableKind};
use tabia_games::{Game, Node};

/// A rule that looks at each candidate by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// What candidates are compared by.
    pub criterion: Criterion,
    /// Where their games are counted.
    pub by: By,
    /// What they must have.
    pub conditions: Conditions,
    /// How one of those that are left is picked.
    pub pick: Pick,
}

/// Which games count for a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// All that came to the position behind it: a V-function.
    Positions,
    /// Those in which it was played here: a Q-function.
    Moves,
    /// Those that went this way from the start: rote learning, in a book keyed by line.
    Line,
    /// Those in which it was played here if the books have moves, else all that came behind it.
    Known,
}

impl Policy {
    /// Whether it can be followed in these books, from this position on.
    ///
    /// # Errors
    /// [`Error::Rule`] with what to do instead.
    pub fn check<G: Game>(&self, rows: &dyn RowLookup, start: &Node<G>) -> Result<(), Error> {
        let why = if self.by == By::Line && !start.is_by_line() {
            "the book is keyed by position, so nobody knows which games went this way: take `q`, or a book made with `build --keyed line`"
        } else if self.by == By::Moves && !rows.has(TableKind::Moves) {
            "the book has no moves table: add `by=positions`"
        } else if self.criterion == Criterion::Eval && !rows.has(TableKind::Positions) {
            "the book has no positions table, and so no evals: take another rule, such as `q`"
        } else if self.criterion.is_of_ratings() && !rows.has_ratings() {
            "the book has no ratings: take another rule, such as `wilson`, or build it with --ratings"
        } else if self.is_of_move() && !matches!(self.by, By::Moves | By::Known) {
            "ratings and marks are those of moves: leave `by` out"
        } else if self.by == By::Positions && !rows.has(TableKind::Positions) {
            "the book has no positions table: add `by=moves`"
        } else {
            return Ok(());
        };
        Err(Error::Rule { rule: self.to_string(), why })
    }

    /// Whether it can be followed by who knows a position's moves alone, as Polyglot's readers do.
    pub fn is_of_moves(&self) -> bool {
        let conditions = &self.conditions;
        matches!(self.by, By::Moves | By::Known)
            && self.criterion != Criterion::Eval
            && !self.is_of_move()
            && !conditions.progress
            && conditions.reentry == Reentry::Free
    }

    /// How likely each of a position's moves is, told from the games in which it was played: in
    /// proportion to these numbers, which are all 0 where none is played.
    pub fn odds(&self, moves: &[Counts]) -> Vec<u64> {
        let judge =
            |&counts: &Counts| self.judge_known(Reached { counts, ..Reached::default() }, None);
        let mut found: Vec<Found> = moves.iter().map(judge).collect();
        self.leave_out_rare(&mut found);
        let standing = standing(&found);
        let mut odds = vec![0; moves.len()];
        standing
            .iter()
            .zip(self.pick.odds(self.criterion, &standing))
            .for_each(|(one, weight)| odds[one.place] = weight);
        odds
    }

    /// Whether what it compares is known of moves alone.
    fn is_of_move(&self) -> bool {
        self.criterion.is_of_ratings() || self.criterion == Criterion::Marks
    }

    /// Whether it can't do without knowing who won.
    fn needs_results(&self) -> bool {
        self.criterion.is_part()
            || matches!(self.criterion, Criterion::Performance | Criterion::Gain)
            || self.conditions.min_score != Percent::NONE
    }

    /// The value of the player's last position, if progress is asked for and it is known.
    fn before<G: Game>(&self, at: &Situation<'_, G>) -> Result<Option<Surd>, Error> {
        let Some(last) = at.history.own().next().filter(|_| self.conditions.progress) else {
            return Ok(None);
        };
        let known = match at.rows.position(last.key)? {
            Some(row) => Reached::seen(&row, false),
            None => Reached { counts: all_moves(&at.rows.moves(last.key)?), ..Reached::default() },
        };
        Ok(self.criterion.of(&known))
    }

    /// What is known of a candidate, or why there is nothing.
    fn known<M>(
        &self,
        rows: &dyn RowLookup,
        candidate: &Candidate<M>,
    ) -> Result<Reached, &'static str> {
        let made = || {
            candidate
                .made
                .map(|counts| Reached { counts, ..candidate.reached.unwrap_or_default() })
                .ok_or("never played here")
        };
        let reached = || candidate.reached.ok_or("the position behind it isn't in the book");
        match self.by {
            By::Positions => reached(),
            By::Moves => made(),
            By::Line => made().or_else(|_| reached()),
            By::Known if rows.has(TableKind::Moves) => made(),
            By::Known => reached(),
        }
    }

    /// Judges a candidate.
    fn judge<M>(
        &self,
        rows: &dyn RowLookup,
        candidate: &Candidate<M>,
        ratings: &[(u16, Ratings)],
        before: Option<&Surd>,
    ) -> Found {
        let rated = ratings.iter().find(|(code, _)| *code == candidate.code);
        match self.known(rows, candidate) {
            Ok(known) => {
                let ratings = rated.map(|&(_, ratings)| ratings);
                self.judge_known(Reached { ratings, marks: candidate.marks, ..known }, before)
            }
            Err(why) => Found {
                judged: Judged { figures: Vec::new(), out: Some(why.to_owned()) },
                // What was never played here isn't unknown.
                is_unknown: self.by == By::Positions,
                ..Found::default()
            },
        }
    }

    /// Leaves out what has too small a share of the games of the most played candidate.
    fn leave_out_rare(&self, found: &mut [Found]) {
        let most = found.iter().map(|found| found.told).max().unwrap_or(0);
        let what = self.criterion.games_of(&Reached::default()).1;
        for Found { judged, told, .. } in found.iter_mut().filter(|found| found.value.is_some()) {
            let is_rare = || too_rare(self.conditions.min_share, *told, most, what);
            judged.out = judged.out.take().or_else(is_rare);
        }
    }

    fn judge_known(&self, known: Reached, before: Option<&Surd>) -> Found {
        let (games, told) = (known.counts.games(), self.criterion.games_of(&known).0);
        let mut figures = vec![("games", Figure::Count(games))];
        figures.extend(
            Criterion::Score.of(&known).map(|score| ("score", Figure::Score(score.to_f64()))),
        );
        if self.criterion.is_of_ratings() {
            figures.push(("rated", Figure::Count(told)));
        }
        let Some(value) = self.criterion.of(&known) else {
            let (out, is_unknown) = match self.criterion {
                Criterion::Eval => ("no eval", true),
                criterion if criterion.is_of_ratings() => ("no rated games", true),
                _ => ("no games", false),
            };
            let judged = Judged { figures, out: Some(out.to_owned()) };
            return Found { judged, games, told, value: None, is_unknown };
        };
        if !matches!(self.criterion, Criterion::Score | Criterion::Games) {
            figures.push((self.criterion.name(), self.criterion.figure(&value)));
        }
        let out = self.conditions.fault(self.criterion, &known, &value, before);
        let judged = Judged { figures, out };
        Found { judged, games, told, value: Some(value), is_unknown: false }
    }

    /// Why none of the candidates is played, all of them being out: the reason against the best.
    fn why_none<G: Game>(at: &Situation<'_, G>, found: &[Found]) -> String {
        let best = (0..found.len())
            .filter(|&place| found[place].value.is_some())
            .max_by_key(|&place| found[place].value.as_ref());
        let reason = |found: &Found| found.judged.out.clone().unwrap_or_default();
        match best {
            Some(place) => {
                let name = at.history.present().position.notation(&at.candidates[place].played);
                format!("{name} would be the best, but {}", reason(&found[place]))
            }
            None => {
                let reason = found.first().map(reason).unwrap_or_default();
                format!("nothing is known of any move: {reason}")
            }
        }
    }
}

/// What was found out about a candidate.
#[derive(Default)]
struct Found {
    judged: Judged,
    /// Games in which it was played, or that came to the position behind it.
    games: u64,
    /// The games that its value is told from.
    told: u64,
    /// None if there is nothing to tell it from.
    value: Option<Surd>,
    /// Whether nothing is known by which to judge it, though it may have been played.
    is_unknown: bool,
}

impl<G: Game> Select<G> for Policy {
    fn select(&self, at: &Situation<'_, G>) -> Result<Choice, Error> {
        if at.rows.results() == Results::Unknown && self.needs_results() {
            return Ok(Choice::none(at.candidates.len(), WITHOUT_RESULTS));
        }
        if let Some(why) = self.conditions.left_book(at)? {
            return Ok(Choice::none(at.candidates.len(), why));
        }
        let before = self.before(at)?;
        let ratings = match self.criterion.is_of_ratings() {
            true => at.rows.ratings(at.history.present().key)?,
            false => Vec::new(),
        };
        let mut found: Vec<Found> = at
            .candidates
            .iter()
            .map(|candidate| self.judge(at.rows, candidate, &ratings, before.as_ref()))
            .collect();
        self.leave_out_rare(&mut found);
        if at.rows.results() == Results::Unknown {
            let figures = found.iter_mut().map(|found| &mut found.judged.figures);
            // A game without a result counts as one drawn: points would be games again.
            figures.for_each(|of| of.retain(|(name, _)| !["score", "points"].contains(name)));
        }
        let standing = standing(&found);
        let (chosen, why) =
            match self.pick.pick(self.criterion, &standing, at.seed.of_ply(at.history.plies())) {
                Some(picked) => {
                    let drawn = standing.iter().zip(picked.chances.into_iter().flatten());
                    drawn.for_each(|(one, chance)| {
                        found[one.place].judged.figures.push(("chance", Figure::Score(chance)))
                    });
                    (Some(picked.place), picked.why)
                }
                None if standing.is_empty() => (None, Self::why_none(at, &found)),
                None => (None, format!("{} is 0 for all moves", self.criterion.name())),
            };
        let is_won = |place: usize| {
            found[place].value.as_ref().is_some_and(|value| self.criterion.is_won(value))
        };
        let is_sure = chosen.is_some_and(is_won);
        let is_unknown: Vec<bool> =
            found.iter().map(|found| found.is_unknown && !is_sure).collect();
        let judged = found.into_iter().map(|found| found.judged).collect();
        let choice = Choice { chosen, judged, why };
        Ok(self.conditions.unknown.heeded(choice, at, |place| is_unknown[place]))
    }
}

/// The candidates that nothing speaks against.
fn standing(found: &[Found]) -> Vec<Standing> {
    let one = |(place, found): (usize, &Found)| {
        let value = found.value.clone().filter(|_| found.judged.out.is_none())?;
        Some(Standing { place, value, games: found.games })
    };
    found.iter().enumerate().filter_map(one).collect()
}

/// The games of all moves of a position.
fn all_moves(rows: &[MoveRow]) -> Counts {
    rows.iter().map(Row::counts).fold(Counts::default(), |sum, more| Counts {
        wins: sum.wins.saturating_add(more.wins),
        draws: sum.draws.saturating_add(more.draws),
        losses: sum.losses.saturating_add(more.losses),
    })
}
