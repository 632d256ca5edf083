//! A UCI engine that plays a game whose rules are known.

use crate::answer::{Answer, Ranked, Ranking, Thought};
use crate::engine::{Choice, Engine, Hears, MoveHistory, Query, unusual_setup};
use crate::error::Error;
use crate::uci::{Info, Uci};
use std::time::{Duration, Instant};
use tabia_games::Game;

/// The options that say which castling is played, and which variant of chess.
const CHESS960: &str = "UCI_Chess960";
const VARIANT: &str = "UCI_Variant";

/// The option that sets the seed of `tabia play`, and its name if the engine behind it has one of
/// that name.
const SEEDS: [&str; 2] = ["Tabia BookSeed", "BookSeed"];

#[derive(Debug)]
pub struct UciEngine {
    uci: Uci,
    is_chess960: bool,
    variant: &'static str,
}

impl UciEngine {
    /// An engine that has shaken hands.
    pub fn new(uci: Uci) -> Self {
        Self { uci, is_chess960: false, variant: "chess" }
    }

    fn set_position<G: Game>(&mut self, history: &MoveHistory<G>) -> Result<(), Error> {
        let moves = history.replay().map(|(before, played)| before.coordinates(played));
        let moves: Vec<String> = moves.collect();
        self.uci.position(unusual_setup(history.start()).as_deref(), &moves)
    }

    /// Sets which castling is played, and which variant, if they have changed.
    fn set_rules<G: Game>(&mut self, start: &G) -> Result<(), Error> {
        let (is_chess960, variant) = rules(start);
        if variant != self.variant {
            self.uci.set(VARIANT, variant)?;
            self.variant = variant;
        }
        if is_chess960 != self.is_chess960 {
            self.uci.set(CHESS960, if is_chess960 { "true" } else { "false" })?;
            self.is_chess960 = is_chess960;
        }
        Ok(())
    }
}

#[cfg(feature = "chess")]
fn rules<G: Game>(start: &G) -> (bool, &'static str) {
    let start = start.as_own().downcast_ref::<tabia_games::Chess>();
    start.map_or((false, "chess"), |start| (start.is_chess960(), start.uci_variant()))
}

#[cfg(not(feature = "chess"))]
fn rules<G: Game>(_: &G) -> (bool, &'static str) {
    (false, "chess")
}

impl<G: Game> Engine<G> for UciEngine {
    fn name(&self) -> &str {
        self.uci.name()
    }

    fn new_game(&mut self, start: &G) -> Result<(), Error> {
        self.set_rules(start)?;
        self.uci.new_game()
    }

    fn seed(&mut self, seed: u32) -> Result<(), Error> {
        let name = SEEDS.iter().find(|name| self.uci.option(name).is_some());
        name.map_or(Ok(()), |name| self.uci.set(name, &seed.to_string()))
    }

    fn best_move(&mut self, query: &Query<'_, G>) -> Result<Thought<G::Move>, Error> {
        let Query { history, limit, patience } = *query;
        let position = history.position();
        self.set_position(history)?;
        let best = self.uci.go(limit, patience)?;
        let answer = Answer::of(position, best.text);
        let thought = thought(position, answer, &best.info, best.took);
        Ok(Thought { is_book: best.is_book, line: Vec::new(), ..thought })
    }

    fn analyze(
        &mut self,
        query: &Query<'_, G>,
        tell: &mut Hears<'_, G::Move>,
    ) -> Result<(), Error> {
        let Query { history, limit, patience } = *query;
        let (position, begun) = (history.position(), Instant::now());
        self.set_position(history)?;
        let mut said = Info::default();
        self.uci.watch(limit, patience, &mut |info| {
            let is_new = (&info.line, info.depth) != (&said.line, said.depth);
            let Some(first) = info.line.first().filter(|_| is_new) else { return tell(None) };
            let answer = Answer::of(position, first.clone());
            said.clone_from(info);
            tell(Some(&thought(position, answer, info, begun.elapsed())))
        })
    }

    fn best_moves(&mut self, choice: &Choice<'_, G>) -> Result<Ranking<G::Move>, Error> {
        let Choice { ref query, among, count } = *choice;
        let Query { history, limit, patience } = *query;
        let (position, asked) = (history.position(), Instant::now());
        let mut left: Vec<(String, &G::Move)> =
            among.iter().map(|played| (position.coordinates(played), played)).collect();
        let count = count.min(left.len());
        let (mut moves, mut nodes) = (Vec::with_capacity(count), None);
        while moves.len() < count {
            self.set_position(history)?;
            let words: Vec<String> = left.iter().map(|(word, _)| word.clone()).collect();
            let more = count - moves.len();
            let (ranked, looked_at) = self.uci.go_among(&words, more, limit, patience)?;
            nodes = looked_at.map(|more| more.saturating_add(nodes.unwrap_or(0))).or(nodes);
            let Some(first) = ranked.first() else {
                let expected = "a score of a move that was asked for";
                return Err(Error::unexpected(self.uci.name(), "no score", expected));
            };
            let first = first.text.clone();
            for one in ranked {
                let Some(place) = left.iter().position(|(word, _)| *word == one.text) else {
                    continue;
                };
                let played = left.remove(place).1.clone();
                let (eval, depth) = (one.eval, one.depth);
                moves.push(Ranked { played, eval, depth, sure: eval.ending() });
            }
            if words.len() == left.len() {
                let expected = "one of the moves that were asked for";
                return Err(Error::unexpected(self.uci.name(), &first, expected));
            }
        }
        Ok(Ranking { moves, took: asked.elapsed(), nodes })
    }
}

/// What it thinks of a position, with as much of its line as is legal.
fn thought<G: Game>(
    position: &G,
    answer: Answer<G::Move>,
    info: &Info,
    took: Duration,
) -> Thought<G::Move> {
    let (mut line, mut at) = (Vec::new(), position.clone());
    for word in &info.line {
        let Answer::Move(played) = Answer::of(&at, word.clone()) else { break };
        at.play(&played);
        line.push(played);
    }
    let Info { eval, depth, nodes, .. } = *info;
    Thought { answer, took, eval, depth, nodes, line, is_book: false }
}
