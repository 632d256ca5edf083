//! An NBoard engine that plays Othello.
//!
//! - The game is sent whole before each question, in GGF, as NBoard sends it. Passes, which
//!   [`tabia_games`] makes by itself, are written there.
//! - `hint n` says what the best n of all moves are worth. To know the best of some moves it is asked
//!   for as many more as there are others; of those it says nothing of, each is played and the
//!   position behind it asked about.
//! - Depths are the protocol's only limit. What an engine searches to the end is sure.

use crate::answer::{Answer, Ending, Eval, Ranked, Ranking, Thought};
use crate::engine::{Choice, Engine, MoveHistory, Query};
use crate::error::Error;
use crate::limit::Limit;
use crate::nboard::{Look, MoveEval, NBoard};
use std::cmp::Reverse;
use std::fmt::Write;
use std::time::Instant;
use tabia_games::{Game, Side};

#[derive(Debug)]
pub struct NBoardEngine {
    nboard: NBoard,
    /// Lines sent before each game.
    setup: Vec<String>,
}

impl NBoardEngine {
    /// An engine that answers. `setup` are lines that it is sent before each game, which have no
    /// answer.
    pub fn new(nboard: NBoard, setup: Vec<String>) -> Self {
        Self { nboard, setup }
    }

    /// Gives it the last position of a game, and its limit.
    fn bring_up<G: Game>(&mut self, history: &MoveHistory<G>, limit: &Limit) -> Result<(), Error> {
        if limit.nodes.is_some() || limit.movetime.is_some() || limit.clock.is_some() {
            return Err(
                self.unsupported("NBoard's protocol has no limits but depths; give a depth")
            );
        }
        self.nboard.set_depth(limit.depth)?;
        self.nboard.set_game(&ggf(history))
    }

    fn unsupported(&self, what: &str) -> Error {
        Error::unsupported(self.nboard.name(), what)
    }

    fn unexpected(&self, said: &str, expected: &'static str) -> Error {
        Error::unexpected(self.nboard.name(), said, expected)
    }

    /// What it thinks of a move, by the position behind it.
    fn look_behind<G: Game>(
        &mut self,
        query: &Query<'_, G>,
        played: &G::Move,
    ) -> Result<(Ranked<G::Move>, Option<u64>), Error> {
        let Query { history, limit, patience } = *query;
        let (side, mut behind) = (history.position().side(), history.clone());
        behind.play(played);
        if behind.position().outcome().is_some() {
            return Ok((ended(&behind, side, played), Some(0)));
        }
        self.bring_up(&behind, limit)?;
        let (said, nodes) = self.nboard.hint(1, patience)?;
        let best = best_of(&said, behind.position())
            .map_err(|text| self.unexpected(&text, "a legal move"))?;
        let Some((_, best)) = best.into_iter().next() else {
            return Err(self.unexpected("no eval", "an eval of the best move"));
        };
        let is_same = behind.position().side() == side;
        let hundredths = if is_same { best.hundredths } else { -best.hundredths };
        let depth = depth(best, behind.position()).map(|plies| plies + 1);
        let eval = Eval::Hundredths(hundredths);
        let sure = (best.look == Some(Look::Solved)).then(|| Ending::of(hundredths));
        Ok((Ranked { played: played.clone(), eval, depth, sure }, nodes))
    }
}

impl<G: Game> Engine<G> for NBoardEngine {
    fn name(&self) -> &str {
        self.nboard.name()
    }

    fn new_game(&mut self, start: &G) -> Result<(), Error> {
        if start.name() != "othello" {
            let what = format!("NBoard's protocol has no {}, only Othello", start.name());
            return Err(self.unsupported(&what));
        }
        self.setup.iter().try_for_each(|line| self.nboard.say(line))?;
        self.nboard.set_game(&ggf(&MoveHistory::new(start.clone())))
    }

    fn best_move(&mut self, query: &Query<'_, G>) -> Result<Thought<G::Move>, Error> {
        let Query { history, limit, patience } = *query;
        let position = history.position();
        self.bring_up(history, limit)?;
        let chosen = self.nboard.go(patience)?;
        let said = chosen.said.iter().find(|said| said.text.eq_ignore_ascii_case(&chosen.text));
        let hundredths = chosen.hundredths.or(said.map(|said| said.hundredths));
        let depth = said.and_then(|said| depth(said, position));
        let answer = Answer::of(position, chosen.text);
        let (eval, nodes) = (hundredths.map(Eval::Hundredths), chosen.nodes);
        let thought = Thought::of(answer, chosen.took);
        Ok(Thought { eval, depth, nodes, is_book: chosen.is_book, ..thought })
    }

    fn best_moves(&mut self, choice: &Choice<'_, G>) -> Result<Ranking<G::Move>, Error> {
        let Choice { ref query, among, count } = *choice;
        let Query { history, limit, patience } = *query;
        let (position, asked, count) = (history.position(), Instant::now(), count.min(among.len()));
        let others = position.legal().iter().filter(|played| !among.contains(played)).count();
        if count == 0 {
            return Ok(Ranking { moves: Vec::new(), took: asked.elapsed(), nodes: None });
        }
        self.bring_up(history, limit)?;
        let (said, mut nodes) = self.nboard.hint(count + others, patience)?;
        let best =
            best_of(&said, position).map_err(|text| self.unexpected(&text, "a legal move"))?;
        let mut moves: Vec<_> = best
            .into_iter()
            .filter(|(played, _)| among.contains(played))
            .map(|(played, said)| ranked(played, said, position))
            .collect();
        if moves.len() < count {
            let is_left = |played: &&G::Move| moves.iter().all(|one| one.played != **played);
            for played in among.iter().filter(is_left).cloned().collect::<Vec<_>>() {
                let (one, more) = self.look_behind(query, &played)?;
                nodes = more.map(|more| nodes.unwrap_or(0).saturating_add(more)).or(nodes);
                moves.push(one);
            }
        }
        // Of equal ones that which it named first comes first.
        moves.sort_by_key(|one| Reverse(one.eval.hundredths()));
        moves.truncate(count);
        Ok(Ranking { moves, took: asked.elapsed(), nodes })
    }
}

/// The legal moves of a position that something was said of, the best first; or a word that is none.
fn best_of<'a, G: Game>(
    said: &'a [MoveEval],
    position: &G,
) -> Result<Vec<(G::Move, &'a MoveEval)>, String> {
    let read = |said: &'a MoveEval| match position.read_move(said.text.as_bytes()) {
        Ok(played) => Ok((played, said)),
        Err(_) => Err(said.text.clone()),
    };
    let mut moves = said.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    moves.sort_by_key(|(_, said)| Reverse(said.hundredths));
    Ok(moves)
}

fn ranked<G: Game>(played: G::Move, said: &MoveEval, position: &G) -> Ranked<G::Move> {
    let sure = (said.look == Some(Look::Solved)).then(|| Ending::of(said.hundredths));
    let depth = depth(said, position);
    Ranked { played, eval: Eval::Hundredths(said.hundredths), depth, sure }
}

/// A move that ends the game, worth the discs it ends with.
fn ended<G: Game>(behind: &MoveHistory<G>, side: Side, played: &G::Move) -> Ranked<G::Move> {
    let squares = squares(behind.position());
    let count = |sign| squares.bytes().filter(|&square| square == sign).count() as i32;
    let (black, white, empty) = (count(b'X'), count(b'O'), count(b'-'));
    // Empty squares are the winner's.
    let lead = black - white + (black - white).signum() * empty;
    let hundredths = 100 * if side == Side::First { lead } else { -lead };
    let sure = Some(Ending::of(hundredths));
    Ranked { played: played.clone(), eval: Eval::Hundredths(hundredths), depth: Some(1), sure }
}

/// How many plies were looked at. To the end of the game there are as many as empty squares.
fn depth<G: Game>(said: &MoveEval, position: &G) -> Option<u32> {
    said.look.map(|look| match look {
        Look::Plies(plies) => plies,
        Look::Solved => squares(position).bytes().filter(|&square| square == b'-').count() as u32,
    })
}

/// The 64 squares of a board of Othello: `X` is Black's, `O` White's, `-` empty.
fn squares<G: Game>(position: &G) -> String {
    position.setup().split(' ').next().unwrap_or_default().to_owned()
}

/// A game of Othello in GGF, with its passes.
fn ggf<G: Game>(history: &MoveHistory<G>) -> String {
    let board = history.start().setup().replace('X', "*");
    let mut text = format!("(;GM[Othello]PC[Tabia]PB[B]PW[W]RE[?]TI[15:00]TY[8]BO[8 {board}]");
    let letter = |side| if side == Side::First { 'B' } else { 'W' };
    for (side, made) in history.turns() {
        let square = made.map(|(before, played)| before.coordinates(played).to_ascii_uppercase());
        let _ = write!(text, "{}[{}]", letter(side), square.as_deref().unwrap_or("PA"));
    }
    text.push_str(";)");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_games::Othello;
    use tabia_games::othello::GgfProperties;

    /// Games in which a side had to pass, replayed from their text by the rules.
    #[test]
    fn games_are_written_with_their_passes() {
        let mut passes = 0;
        for number in 0..20 {
            let mut history = MoveHistory::new(Othello::start());
            loop {
                let text = ggf(&history);
                let mut board = Othello::start();
                let mut due = Side::First;
                for (name, value) in GgfProperties::of(text.as_bytes()) {
                    let side = match name {
                        b"B" => Side::First,
                        b"W" => Side::Second,
                        b"BO" => {
                            let text = std::str::from_utf8(&value[2..]).unwrap();
                            assert_eq!(board.set_up(text).unwrap().setup(), board.setup());
                            continue;
                        }
                        _ => continue,
                    };
                    assert_eq!(side, due, "{text}");
                    due = side.other();
                    match board.read_move(value) {
                        Ok(played) => board.play(&played),
                        Err(_) => {
                            assert!(value == b"PA" && board.has_passed(), "{text}");
                            passes += 1;
                        }
                    }
                }
                assert_eq!(board.setup(), history.position().setup(), "{text}");
                let moves = history.position().legal();
                let Some(played) = moves.get(number % moves.len().max(1)) else { break };
                history.play(played);
            }
        }
        assert!(passes > 5, "{passes}");
    }
}
