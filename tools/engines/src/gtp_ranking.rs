//! How a GTP engine is asked what moves are worth, for which GTP itself has no command. By the first
//! of these that it knows:
//!
//! - KataGo's `kata-search_analyze`, a search among moves that are allowed:
//!   <https://github.com/lightvector/KataGo/blob/master/docs/GTP_Extensions.md>;
//! - GNU Go's `restricted_genmove`, which chooses one of some moves, and `estimate_score` behind each
//!   that it chose;
//! - `estimate_score` behind all of them.
//!
//! Values are in hundredths of a point.

use crate::answer::{Eval, Ranked, Ranking};
use crate::engine::{Choice, Query};
use crate::error::Error;
use crate::gtp_engine::{GtpEngine, play};
use std::time::{Duration, Instant};
use tabia_games::gtp::{PASS, color, vertex};
use tabia_games::{Game, Side};

const SEARCH: &str = "kata-search_analyze";
const CHOOSE: &str = "restricted_genmove";
const ESTIMATE: &str = "estimate_score";

/// Hundredths of a second after which it may say what it has found so far: hardly ever, as only the
/// last of it counts.
const INTERVAL: u32 = 100_000;

impl GtpEngine {
    /// The best of these moves in the position on its board.
    pub(crate) fn rank_here<G: Game>(
        &mut self,
        choice: &Choice<'_, G>,
    ) -> Result<Ranking<G::Move>, Error> {
        let (asked, count) = (Instant::now(), choice.count.min(choice.among.len()));
        if self.gtp.knows(SEARCH) {
            let ranking = self.search(choice, count)?;
            return Ok(Ranking { took: asked.elapsed(), ..ranking });
        }
        if !self.gtp.knows(ESTIMATE) {
            let what = format!(
                "what a move is worth: it has neither `{SEARCH}` nor `{ESTIMATE}`; give an engine that speaks UCI, or one that has them"
            );
            return Err(Error::unsupported(self.gtp.name(), what));
        }
        let chosen = match self.gtp.knows(CHOOSE) {
            true => self.choose(choice, count)?,
            false => choice.among.to_vec(),
        };
        let mut moves = Vec::with_capacity(chosen.len());
        for played in chosen {
            let eval = Eval::Hundredths(self.estimate(&choice.query, &played)?);
            moves.push(Ranked { played, eval, depth: None, sure: None });
        }
        // Of equal ones the engine's own choice comes first.
        moves.sort_by_key(|ranked| std::cmp::Reverse(ranked.eval.hundredths()));
        moves.truncate(count);
        Ok(Ranking { moves, took: asked.elapsed(), nodes: None })
    }

    /// Searches among these moves, again among the rest if it looked at fewer than are wanted.
    fn search<G: Game>(
        &mut self,
        choice: &Choice<'_, G>,
        count: usize,
    ) -> Result<Ranking<G::Move>, Error> {
        let (side, mut left) = with_vertices(choice);
        let (mut moves, mut visits) = (Vec::with_capacity(count), 0);
        while moves.len() < count {
            let words: Vec<&str> = left.iter().map(|(word, _)| word.as_str()).collect();
            let words = words.join(",");
            let more = count - moves.len();
            let command =
                format!("{SEARCH} {side} {INTERVAL} maxmoves {more} allow {side} {words} 1");
            let (said, _) = self.gtp.ask_within(&command, choice.query.patience)?;
            let before = left.len();
            for one in looked_at(&said) {
                let is_it = |(word, _): &(String, &G::Move)| word.eq_ignore_ascii_case(&one.vertex);
                if let Some(place) = left.iter().position(is_it) {
                    let (played, eval) =
                        (left.remove(place).1.clone(), Eval::Hundredths(one.hundredths));
                    moves.push(Ranked { played, eval, depth: None, sure: None });
                    visits += one.visits;
                }
            }
            if left.len() == before {
                let expected = "what it thinks of the moves that were asked for";
                return Err(Error::unexpected(self.gtp.name(), &said, expected));
            }
        }
        moves.truncate(count);
        Ok(Ranking { moves, took: Duration::ZERO, nodes: Some(visits) })
    }

    /// The moves that it would choose of these, one after the other, each without those before it.
    fn choose<G: Game>(
        &mut self,
        choice: &Choice<'_, G>,
        count: usize,
    ) -> Result<Vec<G::Move>, Error> {
        let (side, mut left) = with_vertices(choice);
        let mut chosen = Vec::with_capacity(count);
        while chosen.len() < count && !left.is_empty() {
            let words = left.iter().map(|(word, _)| word.as_str()).filter(|word| *word != PASS);
            let words = words.collect::<Vec<_>>().join(" ");
            // It isn't asked about passing, and answers so where it would play none of the others.
            let said = match words.is_empty() {
                true => PASS.to_owned(),
                false => {
                    let command = format!("{CHOOSE} {side} {words}");
                    self.gtp.ask_within(&command, choice.query.patience)?.0
                }
            };
            let said = said.trim();
            let is_said = |(word, _): &(String, &G::Move)| word.eq_ignore_ascii_case(said);
            let place = match left.iter().position(is_said) {
                Some(place) => place,
                None if said.eq_ignore_ascii_case(PASS) => 0,
                None => {
                    let expected = "one of the moves that were asked for";
                    return Err(Error::unexpected(self.gtp.name(), said, expected));
                }
            };
            chosen.push(left.remove(place).1.clone());
        }
        Ok(chosen)
    }

    /// What a move is worth, in hundredths of a point, seen from the side that makes it.
    fn estimate<G: Game>(&mut self, query: &Query<'_, G>, played: &G::Move) -> Result<i32, Error> {
        let (position, told) = (query.history.position(), self.told.take());
        self.gtp.ask(&play(position, position.side(), played))?;
        let (said, _) = self.gtp.ask_within(ESTIMATE, query.patience)?;
        self.gtp.ask("undo")?;
        self.told = told;
        let first = color(position, Side::First);
        let of_first = score(&said, first)
            .ok_or_else(|| Error::unexpected(self.gtp.name(), &said, "a score such as B+3.5"))?;
        Ok(if position.side() == Side::First { of_first } else { -of_first })
    }
}

/// What GTP calls the side to move, and the moves to choose from, with what it calls them.
fn with_vertices<'a, G: Game>(
    choice: &Choice<'a, G>,
) -> (&'static str, Vec<(String, &'a G::Move)>) {
    let position = choice.query.history.position();
    let moves = choice.among.iter().map(|played| (vertex(position, played), played));
    (color(position, position.side()), moves.collect())
}

/// What is said of a move.
#[derive(Debug, PartialEq)]
struct LookedAt {
    vertex: String,
    visits: u64,
    /// The lead in hundredths of a point, seen from the side to move.
    hundredths: i32,
    order: u32,
}

/// What the last line of an analysis says of moves, the best first; moves that it says too little of
/// are left out.
fn looked_at(said: &str) -> Vec<LookedAt> {
    let is_analysis = |line: &&str| line.trim_start().starts_with("info ");
    let line = said.lines().rev().find(is_analysis).unwrap_or_default();
    let mut all: Vec<LookedAt> = line.split("info ").filter_map(look).collect();
    all.sort_by_key(|one| one.order);
    all
}

fn look(text: &str) -> Option<LookedAt> {
    let mut words = text.split_ascii_whitespace();
    let (mut vertex, mut visits, mut lead, mut order) = (None, None, None, None);
    while let Some(word) = words.next() {
        match word {
            "move" => vertex = words.next().map(str::to_owned),
            "visits" => visits = words.next()?.parse().ok(),
            "scoreLead" => lead = words.next()?.parse().ok(),
            "order" => order = words.next()?.parse().ok(),
            // What follows are moves, to the end.
            "pv" => break,
            _ => {}
        }
    }
    let lead: f64 = lead.filter(|lead: &f64| lead.abs() <= 1e6)?;
    let hundredths = (lead * 100.0).round() as i32;
    Some(LookedAt { vertex: vertex?, visits: visits?, hundredths, order: order? })
}

/// A score in hundredths of a point, seen from the player of this name: `B+3.5`, `0`, with what an
/// engine may add behind it.
fn score(said: &str, first: &str) -> Option<i32> {
    let word = said.split_ascii_whitespace().next()?;
    let Some((winner, points)) = word.split_once('+') else {
        return (word.parse() == Ok(0.0)).then_some(0);
    };
    let points: f64 = points.parse().ok().filter(|points| (0.0..=1e6).contains(points))?;
    let hundredths = (points * 100.0).round() as i32;
    let is_first = winner.eq_ignore_ascii_case(first.get(..1)?);
    (winner.len() == 1).then_some(if is_first { hundredths } else { -hundredths })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_of_an_analysis_counts() {
        let said = "\ninfo move A1 visits 1 scoreLead 9 order 0 pv A1\n\
            info move P16 visits 470 utility -0.04 winrate 0.48 scoreMean -0.6 scoreLead -0.63 prior 0.22 order 1 pv P16 P17 \
            info order 0 scoreLead 1.239 visits 487 weight 3 move E4 pv E4 move \
            info move C3 visits 3 order 2 pv C3 info move D4 visits 3 scoreLead nan order 3 pv\nplay E4";
        let one = |vertex: &str, visits, hundredths, order| LookedAt {
            vertex: vertex.to_owned(),
            visits,
            hundredths,
            order,
        };
        assert_eq!(looked_at(said), [one("E4", 487, 124, 0), one("P16", 470, -63, 1)]);
        assert_eq!(looked_at("play pass"), []);
    }

    #[test]
    fn scores_are_read_as_engines_say_them() {
        for (said, wanted) in [
            ("W+2.0 (upper bound: 2.0, lower: 2.0)", Some(-200)),
            ("B+11.3", Some(1130)),
            ("b+0.5", Some(50)),
            ("0", Some(0)),
            ("0.0", Some(0)),
            ("B+", None),
            ("B+nan", None),
            ("B+-3", None),
            ("Black+3", None),
            ("3.5", None),
            ("", None),
        ] {
            assert_eq!(score(said, "Black"), wanted, "{said}");
        }
    }
}
