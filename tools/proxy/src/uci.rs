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

mod go;
mod own_options;
mod position;

use crate::error::{Error, MOST_WAITING};
use crate::exchange::{Exchange, ProxyProtocol, words};
use crate::explanation::explanation;
use crate::session::Session;
use crate::settings::BookSettings;
use go::Go;
use own_options::Options;
use shakmaty::CastlingMode;
use std::collections::VecDeque;
use std::time::Duration;
use tabia::format::Keyed;
use tabia_games::{Chess, Node};
use tabia_play::choice::{Decision, GameHistory, Limits};

/// A `go` that has no answer yet.
#[derive(Debug)]
enum Search {
    /// The engine searches.
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
    /// The game so far, if it could be followed.
    history: Option<GameHistory<Chess>>,
    /// Castling is written as the king taking its rook.
    is_chess960: bool,
    is_analysing: bool,
    is_variant: bool,
    searches: VecDeque<Search>,
}

impl Uci {
    /// One with these settings at the start.
    pub fn new(settings: BookSettings) -> Self {
        Self {
            session: Session::new(settings),
            options: Options::default(),
            history: None,
            is_chess960: false,
            is_analysing: false,
            is_variant: false,
            searches: VecDeque::new(),
        }
    }

    fn set_option(&mut self, line: &[u8], words: &[&str], exchange: &mut Exchange<'_, '_, Chess>) {
        let (name, value) = (own_options::name(words), own_options::value(line));
        let is_on = value.eq_ignore_ascii_case("true");
        if let Some(setting) = self.options.setting(&name) {
            return match self.session.set(setting, &value, exchange.adviser) {
                Ok(are_other_books) if are_other_books => self.history = None,
                Ok(_) => {}
                Err(why) => info_string(&why, exchange),
            };
        }
        match name.to_ascii_lowercase().as_str() {
            "uci_chess960" => self.is_chess960 = is_on,
            "uci_analysemode" => self.is_analysing = is_on,
            "uci_variant" => {
                self.is_variant =
                    !matches!(value.to_ascii_lowercase().as_str(), "chess" | "normal" | "standard")
            }
            _ => {}
        }
        exchange.send_engine(line);
    }

    fn set_position(&mut self, words: &[&str], exchange: &mut Exchange<'_, '_, Chess>) {
        let history = position::history(words, exchange.adviser.keyed());
        self.history = history
            .map_err(|why| info_string(&format!("{why}: the engine decides"), exchange))
            .ok();
    }

    /// What the rule wants to be done before a game is done before the GUI hears that all is ready.
    fn prepare(&mut self, exchange: &mut Exchange<'_, '_, Chess>) {
        let usual = Node::start(Chess::start(), exchange.adviser.keyed() == Keyed::Line);
        let start = self.history.as_ref().map_or(&usual, |history| &history.nodes()[0]);
        if let Err(error) = exchange.adviser.prepare(start, &self.session.settings.rule) {
            info_string(&error.to_string(), exchange);
        }
    }

    fn new_game(&mut self, exchange: &mut Exchange<'_, '_, Chess>) {
        if let Err(error) = self.session.new_game(exchange.adviser) {
            info_string(&error.to_string(), exchange);
        }
    }

    fn go(
        &mut self,
        line: &[u8],
        words: &[&str],
        exchange: &mut Exchange<'_, '_, Chess>,
    ) -> Result<(), Error> {
        let go = Go::of(words);
        if go.is_perft {
            exchange.send_engine(line);
            return Ok(());
        }
        self.session.has_played = true;
        self.guess_is_over();
        let answer = self.answer(&go, exchange);
        let (since, is_move) = (exchange.now, !go.ponder && !go.infinite);
        self.searches.push_back(match answer {
            Some(answer) if !go.ponder => Search::Ready(answer),
            Some(answer) if !self.session.settings.ponders => Search::Guessing(answer),
            after_guess => {
                exchange.send_engine(line);
                Search::Engine { since, is_move, after_guess }
            }
        });
        self.say_what_is_ready(exchange);
        if self.searches.len() > MOST_WAITING { Err(Error::TooManyQuestions) } else { Ok(()) }
    }

    /// The guess at which the engine or the book wait was right.
    fn ponderhit(&mut self, line: &[u8], exchange: &mut Exchange<'_, '_, Chess>) {
        let Some(search) = self.searches.pop_back() else { return exchange.send_engine(line) };
        self.searches.push_back(match search {
            Search::Guessing(answer) => Search::Ready(answer),
            Search::Engine { after_guess: Some(answer), .. } => {
                exchange.send_engine("stop\n");
                Search::Replaced(answer)
            }
            search => {
                exchange.send_engine(line);
                match search {
                    Search::Engine { .. } => {
                        Search::Engine { since: exchange.now, is_move: true, after_guess: None }
                    }
                    other => other,
                }
            }
        });
        self.say_what_is_ready(exchange);
    }

    fn stop(&mut self, line: &[u8], exchange: &mut Exchange<'_, '_, Chess>) {
        self.guess_is_over();
        let is_engines =
            |search: &Search| matches!(search, Search::Engine { .. } | Search::Replaced(_));
        if self.searches.is_empty() || self.searches.iter().any(is_engines) {
            exchange.send_engine(line);
        }
        self.say_what_is_ready(exchange);
    }

    /// The guess that the last search was about was wrong.
    fn guess_is_over(&mut self) {
        match self.searches.pop_back() {
            Some(Search::Guessing(answer)) => {
                self.searches.push_back(Search::Ready(Answer { is_move: false, ..answer }))
            }
            Some(Search::Engine { since, is_move, .. }) => {
                self.searches.push_back(Search::Engine { since, is_move, after_guess: None })
            }
            search => self.searches.extend(search),
        }
    }

    /// The engine has answered the first thing it was asked.
    fn engine_answered(&mut self, line: &[u8], exchange: &mut Exchange<'_, '_, Chess>) {
        match self.searches.pop_front() {
            Some(Search::Replaced(answer)) => self.say(answer, exchange),
            Some(Search::Engine { since, is_move, .. }) => {
                if is_move {
                    self.session.stats.engine_move(exchange.now.saturating_sub(since));
                }
                exchange.send_gui(line);
            }
            // It wasn't asked.
            other => {
                other.into_iter().for_each(|search| self.searches.push_front(search));
                exchange.send_gui(line);
            }
        }
        self.say_what_is_ready(exchange);
    }

    fn say_what_is_ready(&mut self, exchange: &mut Exchange<'_, '_, Chess>) {
        let is_ready = |search: &mut Search| matches!(search, Search::Ready(_));
        while let Some(Search::Ready(answer)) = self.searches.pop_front_if(is_ready) {
            self.say(answer, exchange);
        }
    }

    fn say(&mut self, answer: Answer, exchange: &mut Exchange<'_, '_, Chess>) {
        if answer.is_move {
            self.session.stats.book_move();
        }
        exchange.send_gui(answer.lines);
    }

    /// What the book answers in the present position, if it does.
    fn answer(&mut self, go: &Go<'_>, exchange: &mut Exchange<'_, '_, Chess>) -> Option<Answer> {
        let is_silent = !self.session.settings.own_book
            || self.is_analysing
            || self.is_variant
            || go.infinite
            || go.is_mate;
        if is_silent {
            return None;
        }
        let mut history = self.history.take()?;
        let answer = self.answer_in(&mut history, go, exchange);
        self.history = Some(history);
        answer
    }

    fn answer_in(
        &self,
        history: &mut GameHistory<Chess>,
        go: &Go<'_>,
        exchange: &mut Exchange<'_, '_, Chess>,
    ) -> Option<Answer> {
        let position = history.present().position.clone();
        let limits = self.session.settings.limits(go.among(&position)?);
        let decision = self.decide(history, &limits, exchange)?;
        let played = *decision.played()?;
        let name = |played: &shakmaty::Move| self.name(&position, played);
        let mut lines = format!(
            "info string tabia book {}\nbestmove {}",
            explanation(&decision, name),
            name(&played)
        );
        history.play(&played);
        let reply = self
            .decide(history, &self.session.settings.limits(None), exchange)
            .and_then(|reply| reply.played().copied());
        if let Some(reply) = reply {
            lines += &format!(" ponder {}", self.name(&history.present().position, &reply));
        }
        history.take_back();
        Some(Answer { lines: lines + "\n", is_move: true })
    }

    fn decide(
        &self,
        history: &GameHistory<Chess>,
        limits: &Limits<shakmaty::Move>,
        exchange: &mut Exchange<'_, '_, Chess>,
    ) -> Option<Decision<shakmaty::Move>> {
        let decided = self.session.decide(history, limits, exchange.adviser);
        decided.map_err(|error| info_string(&error.to_string(), exchange)).ok()
    }

    fn name(&self, position: &Chess, played: &shakmaty::Move) -> String {
        let mode = CastlingMode::from_chess960(self.is_chess960 || position.is_chess960());
        played.to_uci(mode).to_string()
    }
}

impl ProxyProtocol<Chess> for Uci {
    fn receive_from_gui(
        &mut self,
        line: &[u8],
        exchange: &mut Exchange<'_, '_, Chess>,
    ) -> Result<(), Error> {
        let words = words(line);
        match words.first().copied() {
            Some("setoption") => self.set_option(line, &words, exchange),
            Some("go") => return self.go(line, &words, exchange),
            Some("ponderhit") => self.ponderhit(line, exchange),
            Some("stop") => self.stop(line, exchange),
            word => {
                if word == Some("isready") {
                    self.prepare(exchange);
                }
                exchange.send_engine(line);
                match word {
                    Some("position") => self.set_position(&words, exchange),
                    Some("ucinewgame") => self.new_game(exchange),
                    Some("quit") => self.session.is_over = true,
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn receive_from_engine(
        &mut self,
        line: &[u8],
        exchange: &mut Exchange<'_, '_, Chess>,
    ) -> Result<(), Error> {
        let words = words(line);
        match words.first().copied() {
            Some("bestmove") => self.engine_answered(line, exchange),
            Some("uciok") => {
                exchange.send_gui(self.options.listed(&self.session.settings));
                exchange.send_gui(line);
            }
            word => {
                if word == Some("option") {
                    self.options.note(&words);
                }
                exchange.send_gui(line);
            }
        }
        Ok(())
    }

    fn session(&self) -> &Session {
        &self.session
    }
}

/// Sends text to the person at the GUI.
fn info_string(text: &str, exchange: &mut Exchange<'_, '_, Chess>) {
    let text: String = text.chars().filter(|letter| !letter.is_control()).collect();
    exchange.send_gui(format!("info string tabia: {text}\n"));
}
