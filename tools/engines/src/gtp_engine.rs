//! A GTP engine that plays a game whose rules are known: Go, Othello as gtp-rhino and Edax do,
//! draughts and other games as [`tabia_games::gtp`] says.
//!
//! - The engine keeps the board. It is sent only what it doesn't know yet; if a game isn't the one
//!   it has, the board is cleared first.
//! - Vertices are letters from the left and numbers, as in the game's own notation: from the bottom
//!   and without I in Go, from the top in Othello. In draughts they are moves: `11-15`, `15x22x31`.
//! - Othello's passes, which [`tabia_games`] makes by itself, are written in GTP: an engine is sent
//!   `play white pass` wherever a side couldn't move. One that makes them by itself too, as
//!   gtp-rhino does, refuses that, and is sent no more of them.
//! - GTP 2 has no nodes, no depths and no increments: levels are set by commands of the engine's
//!   own. A time for each move is sent as a period of one stone, so in whole seconds; with an
//!   increment the engine learns of it by `time_left` before each move.

use crate::answer::{Answer, BookUse, Ranking, Thought};
use crate::engine::{Choice, Engine, MoveHistory, Query, Turn, unusual_setup};
use crate::error::{Error, Fault, shown};
use crate::gtp::Gtp;
use crate::limit::{Clock, Limit};
use std::time::Duration;
use tabia_games::gtp::{board_size, color, vertex};
use tabia_games::{Game, Komi, Side};

/// The command by which `tabia play` says what came from its book.
const BOOK: &str = "tabia-book";

/// The commands that set the seed of `tabia play` and of GNU Go.
const SEEDS: [&str; 2] = ["tabia-seed", "set_random_seed"];

/// A GTP engine at a board.
#[derive(Debug)]
pub struct GtpEngine {
    pub(crate) gtp: Gtp,
    /// The commands sent before each game.
    setup: Vec<String>,
    komi: Option<Komi>,
    /// The moves on its board, as they were sent; none if that isn't known.
    pub(crate) told: Option<Vec<String>>,
    /// The time settings that were sent.
    time: Option<String>,
    /// Whether it makes Othello's passes by itself.
    passes_by_itself: bool,
}

impl GtpEngine {
    /// An engine that has said what it is. `setup` are commands it is given before each game, after
    /// the board's size and komi.
    pub fn new(gtp: Gtp, setup: Vec<String>, komi: Option<Komi>) -> Self {
        Self { gtp, setup, komi, told: None, time: None, passes_by_itself: false }
    }

    /// What it makes of the end of a game, in the words of GTP: `W+7.5`, `0`.
    ///
    /// # Errors
    /// If it can't say.
    pub fn final_score<G: Game>(
        &mut self,
        history: &MoveHistory<G>,
        patience: Duration,
    ) -> Result<String, Error> {
        self.bring_up(history)?;
        self.gtp.ask_within("final_score", patience).map(|(text, _)| shown(&text))
    }

    fn bring_up<G: Game>(&mut self, history: &MoveHistory<G>) -> Result<(), Error> {
        let wanted = commands(history);
        let known = self.told.as_ref().filter(|told| wanted.starts_with(told)).map(Vec::len);
        if known.is_none() {
            self.clear(history.start())?;
        }
        let is_othello = history.start().name() == "othello";
        for command in &wanted[known.unwrap_or(0)..] {
            if is_othello && command.ends_with(" pass") {
                self.pass(command)?
            } else {
                self.gtp.ask(command).map(drop)?
            }
        }
        self.told = Some(wanted);
        Ok(())
    }

    /// Sends a pass that it may have made by itself.
    fn pass(&mut self, command: &str) -> Result<(), Error> {
        if self.passes_by_itself {
            return Ok(());
        }
        match self.gtp.ask(command) {
            Err(Error { fault: Fault::Refused { .. }, .. }) => {
                self.passes_by_itself = true;
                Ok(())
            }
            told => told.map(drop),
        }
    }

    fn clear<G: Game>(&mut self, start: &G) -> Result<(), Error> {
        if unusual_setup(start).is_some() {
            let what = "games that don't start from the usual position; give openings as moves";
            return Err(Error::unsupported(self.gtp.name(), what));
        }
        self.told = None;
        self.gtp.ask("clear_board")?;
        self.told = Some(Vec::new());
        Ok(())
    }

    fn set_time(&mut self, limit: &Limit, side: &str, own: Side) -> Result<(), Error> {
        let Some(settings) =
            time_settings(limit).map_err(|what| Error::unsupported(self.gtp.name(), what))?
        else {
            return Ok(());
        };
        if self.time.as_ref() != Some(&settings) {
            self.gtp.ask(&settings)?;
            self.time = Some(settings);
        }
        if let Some(clock) = &limit.clock {
            let (left, moves) = (clock.of(own).as_secs(), clock.moves_to_go.unwrap_or(0));
            self.gtp.ask_if_known(&format!("time_left {side} {left} {moves}"))?;
        }
        Ok(())
    }
}

impl<G: Game> Engine<G> for GtpEngine {
    fn name(&self) -> &str {
        self.gtp.name()
    }

    fn new_game(&mut self, start: &G) -> Result<(), Error> {
        let size = board_size(start).ok_or_else(|| {
            let what = format!("GTP has no {}: give an engine that speaks UCI", start.name());
            Error::unsupported(self.gtp.name(), what)
        })?;
        self.gtp.ask(&format!("boardsize {size}"))?;
        self.clear(start)?;
        if let Some(komi) = self.komi {
            self.gtp.ask(&format!("komi {komi}"))?;
        }
        self.time = None;
        self.setup.iter().try_for_each(|command| self.gtp.ask(command).map(drop))
    }

    fn seed(&mut self, seed: u32) -> Result<(), Error> {
        let setup = self.setup.iter().filter_map(|command| command.split_ascii_whitespace().next());
        let is_set_up = |name| setup.clone().any(|command| command == name);
        for name in SEEDS {
            if !is_set_up(name) {
                self.gtp.ask_if_known(&format!("{name} {seed}"))?;
            }
        }
        Ok(())
    }

    fn best_move(&mut self, query: &Query<'_, G>) -> Result<Thought<G::Move>, Error> {
        let Query { history, limit, patience } = *query;
        let position = history.position();
        let own = position.side();
        let side = color(position, own);
        self.bring_up(history)?;
        self.set_time(limit, side, own)?;
        let told = self.told.take();
        let (text, took) = self.gtp.ask_within(&format!("genmove {side}"), patience)?;
        let answer = answer(position, &text);
        if let (Answer::Move(played), Some(mut told)) = (&answer, told) {
            told.push(play(position, own, played));
            self.told = Some(told);
        }
        Ok(Thought::of(answer, took))
    }

    fn best_moves(&mut self, choice: &Choice<'_, G>) -> Result<Ranking<G::Move>, Error> {
        let Query { history, limit, .. } = choice.query;
        self.bring_up(history)?;
        let side = history.position().side();
        self.set_time(limit, color(history.position(), side), side)?;
        self.rank_here(choice)
    }

    fn book_use(&mut self) -> Result<Option<BookUse>, Error> {
        let Some(text) = self.gtp.ask_if_known(BOOK)? else { return Ok(None) };
        let expected = "JSON such as {\"book_moves\":8,\"engine_moves\":20,\"engine_seconds\":1.5}";
        let unexpected = |_| Error::unexpected(self.gtp.name(), &text, expected);
        serde_json::from_str(&text).map(Some).map_err(unexpected)
    }
}

/// The command that makes a move.
pub(crate) fn play<G: Game>(position: &G, side: Side, played: &G::Move) -> String {
    format!("play {} {}", color(position, side), vertex(position, played))
}

/// All that makes a board that of a game's end. Where a side moves twice the other has passed.
fn commands<G: Game>(history: &MoveHistory<G>) -> Vec<String> {
    let command = |(side, made): Turn<'_, G>| match made {
        Some((before, played)) => play(&before, side, played),
        None => format!("play {} pass", color(history.start(), side)),
    };
    history.turns().into_iter().map(command).collect()
}

/// What an engine's answer to `genmove` is.
fn answer<G: Game>(position: &G, text: &str) -> Answer<G::Move> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("resign") {
        return Answer::Resigns;
    }
    position.read_move(text.as_bytes()).map_or_else(|_| Answer::Illegal(shown(text)), Answer::Move)
}

/// The command for the clocks, if there are any.
fn time_settings(limit: &Limit) -> Result<Option<String>, String> {
    if limit.nodes.is_some() || limit.depth.is_some() {
        return Err(
            "GTP has no limits of nodes or depth; set the engine's level by a command of its own"
                .to_owned(),
        );
    }
    let whole = |time: Duration| {
        (time.subsec_nanos() == 0).then_some(time.as_secs()).ok_or("GTP has times in whole seconds")
    };
    match (limit.movetime, limit.clock) {
        (Some(time), _) => Ok(Some(format!("time_settings 0 {} 1", whole(time)?))),
        (None, Some(Clock { control, .. })) => Ok(Some(match control.moves {
            None => format!("time_settings {} 0 0", whole(control.base)?),
            Some(moves) => format!("time_settings 0 {} {moves}", whole(control.base)?),
        })),
        (None, None) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_games::{Checkers, Go, Othello};

    /// A game, of so many plies at most, in which the move with this number in the list is made again
    /// and again.
    fn game<G: Game>(start: G, number: usize, most: usize) -> MoveHistory<G> {
        let mut history = MoveHistory::new(start);
        while history.plies().len() < most {
            let moves = history.position().legal();
            let Some(played) = moves.get(number % moves.len().max(1)) else { break };
            history.play(played);
        }
        history
    }

    /// Moves of draughts are written as they are read where they are made, captures with their way.
    #[test]
    fn moves_of_draughts_are_written_where_they_are_made() {
        let mut long = 0;
        for (start, first) in
            [(Checkers::english(), "play black "), (Checkers::international(), "play white ")]
        {
            for number in 0..20 {
                let history = game(start.clone(), number, 80);
                let written = commands(&history);
                assert!(written[0].starts_with(first), "{written:?}");
                for ((before, played), command) in history.replay().zip(&written) {
                    let vertex = command.rsplit(' ').next().unwrap();
                    assert_eq!(before.read_move(vertex.as_bytes()).as_ref(), Ok(played));
                    long += usize::from(vertex.matches('x').count() > 1);
                }
            }
        }
        assert!(long > 5, "{long}");
    }

    #[test]
    fn othellos_passes_are_written() {
        let mut passes = 0;
        for number in 0..20 {
            let written = commands(&game(Othello::start(), number, 100));
            // With passes, the colors take turns.
            let colors = written.iter().map(|command| &command[5..10]);
            let mut turns = colors.zip(["black", "white"].into_iter().cycle());
            assert!(turns.all(|(color, turn)| color == turn), "{written:?}");
            passes += written.iter().filter(|command| command.ends_with(" pass")).count();
        }
        assert!(passes > 5, "{passes}");
    }

    #[test]
    fn times_are_told_as_gtp_has_them() {
        let clock = |text: &str| {
            let clock = Some(Clock::start(text.parse().unwrap()));
            Limit { clock, ..Limit::default() }
        };
        assert_eq!(time_settings(&clock("40/60")), Ok(Some("time_settings 0 60 40".to_owned())));
        assert_eq!(time_settings(&clock("300+2")), Ok(Some("time_settings 300 0 0".to_owned())));
        let movetime =
            |millis| Limit { movetime: Some(Duration::from_millis(millis)), ..Limit::default() };
        assert_eq!(time_settings(&movetime(2000)), Ok(Some("time_settings 0 2 1".to_owned())));
        assert!(time_settings(&movetime(2500)).is_err());
        assert!(time_settings(&Limit { nodes: Some(1), ..Limit::default() }).is_err());
        assert_eq!(time_settings(&Limit::default()), Ok(None));
    }

    #[test]
    fn answers_to_genmove() {
        let go = Go::start(9, tabia_games::go::Symmetry::Board).unwrap();
        assert!(matches!(answer(&go, "E5"), Answer::Move(played) if go.notation(&played) == "E5"));
        assert!(matches!(answer(&go, "PASS"), Answer::Move(played) if played.point.is_none()));
        assert_eq!(answer(&go, "Resign"), Answer::Resigns);
        assert_eq!(answer(&go, "I5"), Answer::Illegal("I5".to_owned()));
        assert_eq!(answer(&go, ""), Answer::Illegal(String::new()));
    }
}
