//! GTP, the Go Text Protocol, version 2: Go, Othello as `gtp-rhino` speaks it, draughts and other
//! games as [`tabia_games::gtp`] says.
//!
//! - The engine hears everything, as it is. Where the book answers `genmove`, the engine hears
//!   `play` with the book's move instead, so that it knows the game too; the GUI hears the move
//!   once the engine has accepted it. A move that the engine refuses is not played: the engine is
//!   asked then.
//! - What an engine's answer changes is only known when it is there, so a GUI that talks on is
//!   received after it.
//! - Our own commands are put in the place of one that the engine knows, so that answers come in
//!   order.
//! - The book is silent where the position isn't known (`loadsgf`, another size of board), where
//!   the side asked for isn't to move, and in cleaning up.

mod board;
mod reply;

use crate::adviser::Adviser;
use crate::explanation::explanation;
use crate::options::{self, BookSettings, Setting};
use crate::session::{ProxyProtocol, Session, shown};
use board::{Board, Change, change};
use reply::Reply;
use std::collections::VecDeque;
use std::time::Duration;
use tabia_games::Side;
use tabia_games::gtp::{self, Command, GtpGame, cleaned};

/// The commands that are ours.
const OWN: [&str; 4] = ["tabia-book", "tabia-option", "tabia-seed", "tabia-why"];

/// What is done with the engine's next answer.
#[derive(Debug)]
enum Expected {
    /// It goes to the GUI.
    Plain,
    /// Our commands are added to it.
    Commands,
    /// It goes to the GUI; if it is a success, the position has changed.
    Change(Change),
    /// It goes to the GUI; it is a move.
    Move { side: Option<Side>, since: Duration },
    /// The GUI gets this instead.
    Replaced(Vec<u8>),
    /// Whether the engine accepts the book's move: the GUI gets `answer`, or else the engine is
    /// asked by `question`.
    BookMove { answer: Vec<u8>, change: Change, question: Vec<u8>, side: Side },
}

impl Expected {
    /// Whether the position is unknown until the answer arrives.
    fn is_change(&self) -> bool {
        matches!(self, Self::Change(_) | Self::Move { .. } | Self::BookMove { .. })
    }
}

/// A book for programs that speak GTP.
pub struct Gtp<G: GtpGame> {
    session: Session,
    board: Board<G>,
    expected: VecDeque<Expected>,
    /// The answer that the engine is giving.
    reply: Option<(Expected, Reply)>,
    /// Why the last move was chosen.
    why: String,
    has_told_size: bool,
}

impl<G: GtpGame> Gtp<G> {
    /// One with these settings, for games that begin in this position.
    pub fn new(settings: BookSettings, start: G) -> Self {
        Self {
            session: Session::new(settings),
            board: Board::new(start),
            expected: VecDeque::new(),
            reply: None,
            why: "no move was chosen yet".to_owned(),
            has_told_size: false,
        }
    }

    fn side(&self, color: &str) -> Option<Side> {
        gtp::side(&self.board.start, color)
    }

    fn ask(&mut self, line: impl Into<Vec<u8>>, expected: Expected) {
        self.session.send_engine(line);
        self.expected.push_back(expected);
    }

    /// Answers in the place of a command that every engine knows.
    fn answer(&mut self, command: &Command<'_>, text: &str) {
        self.ask("protocol_version\n", Expected::Replaced(command.answered(text)));
    }

    fn answer_or_refuse(&mut self, command: &Command<'_>, answer: Result<String, String>) {
        match answer {
            Ok(text) => self.answer(command, &text),
            Err(why) => {
                let why: String = why.chars().filter(|letter| !letter.is_control()).collect();
                self.ask("protocol_version\n", Expected::Replaced(command.refused(&why)));
            }
        }
    }

    fn command(&mut self, line: &[u8], command: &Command<'_>, adviser: &mut Adviser<'_, G>) {
        match (command.name, command.args.as_slice()) {
            ("tabia-book", _) => {
                let figures =
                    serde_json::to_string(&self.session.stats.present()).unwrap_or_default();
                self.answer(command, &figures);
            }
            ("tabia-seed", args) => {
                let seeded = match args {
                    [seed] => self.session.set(Setting::Seed, seed, adviser).ok(),
                    _ => None,
                };
                let refusal = "tabia-seed takes a number".to_owned();
                self.answer_or_refuse(command, seeded.map(|_| String::new()).ok_or(refusal));
            }
            ("tabia-option", args) => {
                let answer = self.option(args, adviser);
                self.answer_or_refuse(command, answer);
            }
            ("tabia-why", _) => self.answer(command, &self.why.clone()),
            ("known_command", [name]) if OWN.contains(name) => self.answer(command, "true"),
            ("genmove" | "lz-genmove_analyze" | "kata-genmove_analyze", args) => {
                self.genmove(line, command, args.first().copied(), adviser)
            }
            ("reg_genmove", [color, ..]) => match self.decided(self.side(color), adviser) {
                Some((_, vertex)) => self.answer(command, &vertex),
                None => self.ask(line, Expected::Plain),
            },
            _ => self.pass_on(line, command),
        }
    }

    /// Sets one of our options, or tells what it is set to; without a name what all are.
    fn option(&mut self, args: &[&str], adviser: &mut Adviser<'_, G>) -> Result<String, String> {
        // In GTP nobody thinks while the other side does.
        let known = || options::OWN.into_iter().filter(|&(setting, _)| setting != Setting::Ponder);
        let Some((name, value)) = args.split_first() else {
            let lines = known()
                .map(|(setting, name)| format!("{name} {}", self.session.settings.get(setting)));
            return Ok(lines.collect::<Vec<_>>().join("\n"));
        };
        let found = known().find(|(_, own)| own.eq_ignore_ascii_case(name));
        let setting = found.map(|(setting, _)| setting).ok_or_else(|| {
            let names = known().map(|(_, name)| name).collect::<Vec<_>>().join(", ");
            format!("`{}` is no option: give one of {names}", shown(name))
        })?;
        if value.is_empty() {
            return Ok(self.session.settings.get(setting));
        }
        self.session.set(setting, &value.join(" "), adviser)?;
        Ok(String::new())
    }

    /// Hands a command over to the engine.
    fn pass_on(&mut self, line: &[u8], command: &Command<'_>) {
        self.session.is_over |= command.name == "quit";
        let expected = match command.name {
            "kgs-genmove_cleanup" => Expected::Move {
                side: command.args.first().and_then(|color| self.side(color)),
                since: self.session.now,
            },
            "list_commands" => Expected::Commands,
            _ => change(&self.board.start, command).map_or(Expected::Plain, Expected::Change),
        };
        self.ask(line, expected);
    }

    fn genmove(
        &mut self,
        line: &[u8],
        command: &Command<'_>,
        color: Option<&str>,
        adviser: &mut Adviser<'_, G>,
    ) {
        self.session.has_played = true;
        let named = color.and_then(|color| self.side(color));
        let may_be_silent = command.name != "genmove";
        let asked = named.or_else(|| self.board.side().filter(|_| may_be_silent));
        let Some((side, vertex)) = self.decided(asked, adviser) else {
            return self.ask(line, Expected::Move { side: asked, since: self.session.now });
        };
        let answer = if may_be_silent {
            command.answered_below(&format!("play {vertex}"))
        } else {
            command.answered(&vertex)
        };
        let color = &gtp::color(&self.board.start, side)[..1];
        let play = format!("play {color} {vertex}\n");
        let (change, question) = (Change::Play { side, vertex }, line.to_vec());
        self.ask(play, Expected::BookMove { answer, change, question, side });
    }

    /// The book's move for this side, if it is to move and the book has one.
    fn decided(
        &mut self,
        asked: Option<Side>,
        adviser: &mut Adviser<'_, G>,
    ) -> Option<(Side, String)> {
        let asked = asked?;
        self.board.keyed_as(adviser.keyed());
        let history = self.board.history().filter(|history| {
            self.session.settings.own_book && history.present().position.side() == asked
        });
        let Some(history) = history else {
            "the book doesn't know the position, or the side isn't to move"
                .clone_into(&mut self.why);
            return None;
        };
        let decision = self.session.decided(history, adviser)?;
        let position = &history.present().position;
        self.why = explanation(&decision, |played| position.notation(played));
        Some((asked, gtp::vertex(position, decision.played()?)))
    }

    /// The engine's answer is complete.
    fn replied(
        &mut self,
        expected: Expected,
        reply: &Reply,
        end: &[u8],
        adviser: &mut Adviser<'_, G>,
    ) {
        match expected {
            Expected::Replaced(answer) => return self.session.send_gui(answer),
            Expected::BookMove { answer, change, .. } if reply.is_success => {
                self.board.change(change, &reply.text);
                self.session.stats.book_move();
                return self.session.send_gui(answer);
            }
            Expected::BookMove { question, side, .. } => {
                self.session.note(format!(
                    "the engine refuses the book's move ({}): it decides itself",
                    shown(&reply.text)
                ));
                "the engine refused the book's move".clone_into(&mut self.why);
                let (side, since) = (Some(side), self.session.now);
                return self.ask(question, Expected::Move { side, since });
            }
            Expected::Commands if reply.is_success => {
                self.session.send_gui(OWN.map(|name| format!("{name}\n")).concat())
            }
            Expected::Change(change) if reply.is_success => self.change(change, reply, adviser),
            Expected::Move { side, since } if reply.is_success => {
                self.engine_moved(side, since, reply)
            }
            _ => {}
        }
        self.session.send_gui(end);
    }

    fn change(&mut self, change: Change, reply: &Reply, adviser: &mut Adviser<'_, G>) {
        if self.board.begins_with(&change) {
            let begun = self.session.new_game(adviser);
            self.session.noted(begun);
        }
        self.board.change(change, &reply.text);
        if let Some(size) = self.board.foreign_size().filter(|_| !self.has_told_size) {
            self.has_told_size = true;
            self.session.note(format!(
                "the board has the size {size}, the book is of {}: the engine plays without it",
                self.board.start.name()
            ));
        }
    }

    fn engine_moved(&mut self, side: Option<Side>, since: Duration, reply: &Reply) {
        self.session.engine_moved(since);
        let vertex = reply.vertex();
        if !vertex.eq_ignore_ascii_case("resign") {
            let change = side
                .map_or(Change::Unknown, |side| Change::Play { side, vertex: vertex.to_owned() });
            self.board.change(change, "");
        }
    }
}

impl<G: GtpGame> ProxyProtocol<G> for Gtp<G> {
    fn receive_from_gui(&mut self, line: &[u8], adviser: &mut Adviser<'_, G>) {
        let text = cleaned(line);
        match Command::of(&text) {
            Some(command) => self.command(line, &command, adviser),
            // The engine answers nothing to an empty line.
            None => self.session.send_engine(line),
        }
    }

    fn receive_from_engine(&mut self, line: &[u8], adviser: &mut Adviser<'_, G>) {
        let is_end = line.trim_ascii().is_empty();
        let is_first = self.reply.is_none();
        if is_first && matches!(line.first(), Some(b'=' | b'?')) {
            self.reply = self.expected.pop_front().map(|expected| (expected, Reply::of(line)));
        }
        let Some((expected, mut reply)) = self.reply.take() else {
            return self.session.send_gui(line);
        };
        if is_end {
            return self.replied(expected, &reply, line, adviser);
        }
        if !matches!(expected, Expected::Replaced(_) | Expected::BookMove { .. }) {
            self.session.send_gui(line);
        }
        if !is_first {
            reply.add(line);
        }
        self.reply = Some((expected, reply));
    }

    fn waiting(&self) -> usize {
        self.expected.len()
    }

    fn waits(&self) -> bool {
        let given = self.reply.iter().map(|(expected, _)| expected);
        self.expected.iter().chain(given).any(Expected::is_change)
    }

    fn is_last(&self, line: &[u8]) -> bool {
        Command::of(&cleaned(line)).is_some_and(|command| command.name == "quit")
    }

    fn is_idle(&self) -> bool {
        self.expected.is_empty() && self.reply.is_none()
    }

    fn session(&mut self) -> &mut Session {
        &mut self.session
    }
}
