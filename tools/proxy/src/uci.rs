//! UCI, the Universal Chess Interface.
//!
//! - The engine hears everything but `setoption` for our own options, and `go` (with the `stop` and
//!   `ponderhit` that belong to it) where the book answers.
//! - Each `go` has one `bestmove`, in the order of the `go`s: an answer of the book waits until the
//!   engine has answered what it was asked before.
//! - The book is silent where the GUI wants to see the engine think: `go infinite`, `go mate`,
//!   UCI_AnalyseMode; and where the position isn't known.
//! - `go ponder` where the book will answer: the engine doesn't think, or (BookPonder) it does and
//!   is stopped at `ponderhit`. The book's answer comes at `ponderhit` or `stop`.

mod own_options;
mod position;

use crate::adviser::Adviser;
use crate::error::Error;
use crate::explanation::explanation;
use crate::options::BookSettings;
use crate::session::{ProxyProtocol, Session, words};
use own_options::Options;
use position::Go;
use shakmaty::CastlingMode;
use std::collections::VecDeque;
use std::time::Duration;
use tabia::format::Keyed;
use tabia_games::{Chess, Game, Node, variant_named};
use tabia_play::choice::GameHistory;

/// A `go` that has no answer yet.
#[derive(Debug)]
enum Search {
    Engine {
        /// Since when it is its move.
        since: Duration,
        /// Whether a move of the game will come of it.
        is_move: bool,
        /// What the book will answer once the guess has turned out right.
        after_guess: Option<Answer>,
    },
    /// The engine was stopped; its answer is replaced by the book's.
    Replaced(Answer),
    /// The book answers when the guess turns out right or wrong; the engine doesn't search.
    Guessing(Answer),
    /// The book answers as soon as the engine has answered what was asked before.
    Ready(Answer),
}

#[derive(Debug)]
struct Answer {
    lines: String,
    /// Whether a move of the game comes of it.
    is_move: bool,
}

/// A book for chess programs, by UCI.
pub struct Uci {
    session: Session,
    options: Options,
    /// What `startpos` is: chess or a variant of it.
    start: Chess,
    /// The game so far, if it could be followed.
    history: Option<GameHistory<Chess>>,
    /// Castling is written as the king taking its rook.
    is_chess960: bool,
    is_analysing: bool,
    /// Another variant is played than the book's.
    is_other: bool,
    searches: VecDeque<Search>,
}

impl Uci {
    /// One with these settings at the start.
    pub fn new(settings: BookSettings) -> Self {
        Self {
            session: Session::new(settings),
            options: Options::default(),
            start: Chess::start(),
            history: None,
            is_chess960: false,
            is_analysing: false,
            is_other: false,
            searches: VecDeque::new(),
        }
    }

    /// The same for the variant of chess that starts so: the book is silent until the GUI sets the
    /// option UCI_Variant to it.
    pub fn of(self, start: Chess) -> Self {
        Self { is_other: start.uci_variant() != "chess", start, ..self }
    }

    fn set_option(&mut self, line: &[u8], words: &[&str], adviser: &mut Adviser<'_, Chess>) {
        let (name, value) = (own_options::name(words), own_options::value(line));
        let is_on = value.eq_ignore_ascii_case("true");
        if let Some(setting) = self.options.setting(&name) {
            return match self.session.set(setting, &value, adviser) {
                Ok(are_other_books) if are_other_books => self.history = None,
                Ok(_) => {}
                Err(why) => self.info_string(&why),
            };
        }
        match name.to_ascii_lowercase().as_str() {
            "uci_chess960" => self.is_chess960 = is_on,
            "uci_analysemode" => self.is_analysing = is_on,
            "uci_variant" => {
                let named = variant_named(value.as_bytes()).map_or("", |names| names.uci);
                let is_usual = ["chess", "normal", "standard"]
                    .iter()
                    .any(|name| value.eq_ignore_ascii_case(name));
                self.is_other = self.start.uci_variant() != if is_usual { "chess" } else { named };
                if self.is_other {
                    let game = self.start.name();
                    self.info_string(&format!("the book is of {game}: the engine decides"));
                }
            }
            _ => {}
        }
        self.session.send_engine(line);
    }

    fn set_position(&mut self, words: &[&str], keyed: Keyed) {
        let history = position::history(&self.start, words, keyed);
        self.history =
            history.map_err(|why| self.info_string(&format!("{why}: the engine decides"))).ok();
    }

    /// What the rule wants to be done before a game is done before the GUI hears that all is ready.
    fn prepare(&mut self, adviser: &mut Adviser<'_, Chess>) {
        let usual = Node::start(self.start.clone(), adviser.keyed() == Keyed::Line);
        let start = self.history.as_ref().map_or(&usual, |history| &history.nodes()[0]);
        let prepared = adviser.prepare(start, &self.session.settings.rule);
        self.told(prepared);
    }

    fn go(&mut self, line: &[u8], words: &[&str], adviser: &mut Adviser<'_, Chess>) {
        let go = Go::of(words);
        if go.is_perft {
            return self.session.send_engine(line);
        }
        self.session.has_played = true;
        self.guess_is_over();
        let answer = self.answer(&go, adviser);
        let (since, is_move) = (self.session.now, !go.ponder && !go.infinite);
        self.searches.push_back(match answer {
            Some(answer) if !go.ponder => Search::Ready(answer),
            Some(answer) if !self.session.settings.ponders => Search::Guessing(answer),
            after_guess => {
                self.session.send_engine(line);
                Search::Engine { since, is_move, after_guess }
            }
        });
        self.say_what_is_ready();
    }

    /// The guess at which the engine or the book wait was right.
    fn ponderhit(&mut self, line: &[u8]) {
        let Some(search) = self.searches.pop_back() else { return self.session.send_engine(line) };
        self.searches.push_back(match search {
            Search::Guessing(answer) => Search::Ready(answer),
            Search::Engine { after_guess: Some(answer), .. } => {
                self.session.send_engine("stop\n");
                Search::Replaced(answer)
            }
            Search::Engine { .. } => {
                self.session.send_engine(line);
                Search::Engine { since: self.session.now, is_move: true, after_guess: None }
            }
            other => {
                self.session.send_engine(line);
                other
            }
        });
        self.say_what_is_ready();
    }

    fn stop(&mut self, line: &[u8]) {
        self.guess_is_over();
        let is_engines =
            |search: &Search| matches!(search, Search::Engine { .. } | Search::Replaced(_));
        if self.searches.is_empty() || self.searches.iter().any(is_engines) {
            self.session.send_engine(line);
        }
        self.say_what_is_ready();
    }

    /// The guess that the last search was about was wrong.
    fn guess_is_over(&mut self) {
        let is_guess = |search: &mut Search| matches!(search, Search::Guessing(_));
        if let Some(Search::Guessing(answer)) = self.searches.pop_back_if(is_guess) {
            self.searches.push_back(Search::Ready(Answer { is_move: false, ..answer }));
        } else if let Some(Search::Engine { after_guess, .. }) = self.searches.back_mut() {
            *after_guess = None;
        }
    }

    /// The engine has answered the first thing it was asked.
    fn engine_answered(&mut self, line: &[u8]) {
        match self.searches.pop_front() {
            Some(Search::Replaced(answer)) => self.say(answer),
            Some(Search::Engine { since, is_move, .. }) => {
                if is_move {
                    self.session.engine_moved(since);
                }
                self.session.send_gui(line);
            }
            // It wasn't asked.
            other => {
                other.into_iter().for_each(|search| self.searches.push_front(search));
                self.session.send_gui(line);
            }
        }
        self.say_what_is_ready();
    }

    fn say_what_is_ready(&mut self) {
        let is_ready = |search: &mut Search| matches!(search, Search::Ready(_));
        while let Some(Search::Ready(answer)) = self.searches.pop_front_if(is_ready) {
            self.say(answer);
        }
    }

    fn say(&mut self, answer: Answer) {
        if answer.is_move {
            self.session.stats.book_move();
        }
        self.session.send_gui(answer.lines);
    }

    /// What the book answers in the present position, if it does.
    fn answer(&mut self, go: &Go<'_>, adviser: &mut Adviser<'_, Chess>) -> Option<Answer> {
        let is_silent = !self.session.settings.own_book
            || self.is_analysing
            || self.is_other
            || go.infinite
            || go.is_mate;
        if is_silent {
            return None;
        }
        let mut history = self.history.take()?;
        let answer = self.answer_in(&mut history, go, adviser);
        self.history = Some(history);
        answer
    }

    fn answer_in(
        &mut self,
        history: &mut GameHistory<Chess>,
        go: &Go<'_>,
        adviser: &mut Adviser<'_, Chess>,
    ) -> Option<Answer> {
        let position = history.present().position.clone();
        let limits = self.session.settings.limits(go.among(&position)?);
        let decided = self.session.decide(history, &limits, adviser);
        let decision = self.told(decided)?;
        let played = *decision.played()?;
        let name = |played: &shakmaty::Move| self.name(&position, played);
        let mut lines = format!(
            "info string tabia book {}\nbestmove {}",
            explanation(&decision, name),
            name(&played)
        );
        history.play(&played);
        let limits = self.session.settings.limits(None);
        let replied = self.session.decide(history, &limits, adviser);
        if let Some(reply) = self.told(replied).and_then(|reply| reply.played().copied()) {
            lines += &format!(" ponder {}", self.name(&history.present().position, &reply));
        }
        history.take_back();
        Some(Answer { lines: lines + "\n", is_move: true })
    }

    fn name(&self, position: &Chess, played: &shakmaty::Move) -> String {
        let mode = CastlingMode::from_chess960(self.is_chess960 || position.is_chess960());
        played.to_uci(mode).to_string()
    }

    /// What came of something, or nothing, and why is sent to the GUI.
    fn told<T>(&mut self, result: Result<T, Error>) -> Option<T> {
        result.map_err(|error| self.info_string(&error.to_string())).ok()
    }

    /// Sends text to the person at the GUI.
    fn info_string(&mut self, text: &str) {
        let text: String = text.chars().filter(|letter| !letter.is_control()).collect();
        self.session.send_gui(format!("info string tabia: {text}\n"));
    }
}

impl ProxyProtocol<Chess> for Uci {
    fn receive_from_gui(&mut self, line: &[u8], adviser: &mut Adviser<'_, Chess>) {
        let words = words(line);
        match words.first().copied() {
            Some("setoption") => self.set_option(line, &words, adviser),
            Some("go") => self.go(line, &words, adviser),
            Some("ponderhit") => self.ponderhit(line),
            Some("stop") => self.stop(line),
            word => {
                if word == Some("isready") {
                    self.prepare(adviser);
                }
                self.session.send_engine(line);
                match word {
                    Some("position") => self.set_position(&words, adviser.keyed()),
                    Some("ucinewgame") => {
                        let begun = self.session.new_game(adviser);
                        self.told(begun);
                    }
                    Some("quit") => self.session.is_over = true,
                    _ => {}
                }
            }
        }
    }

    fn receive_from_engine(&mut self, line: &[u8], _: &mut Adviser<'_, Chess>) {
        let words = words(line);
        match words.first().copied() {
            Some("bestmove") => return self.engine_answered(line),
            Some("uciok") => self.session.send_gui(self.options.listed(&self.session.settings)),
            Some("option") => self.options.note(&words),
            _ => {}
        }
        self.session.send_gui(line);
    }

    fn waiting(&self) -> usize {
        self.searches.len()
    }

    fn session(&mut self) -> &mut Session {
        &mut self.session
    }
}
