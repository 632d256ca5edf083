//! NBoard's protocol, version 2, for Othello.
//!
//! - `set game` and `move` set the position; `go` asks for a move, which the engine doesn't play
//!   until a `move` says so. So where the book answers, the engine needn't know.
//! - After `ping n` the GUI hears nothing but `pong n`: an answer of the book waits until the
//!   engine has answered every `ping` and `go` before it.

use crate::adviser::Adviser;
use crate::explanation::explanation;
use crate::options::BookSettings;
use crate::session::{ProxyProtocol, Session, shown, words};
use std::collections::VecDeque;
use std::time::Duration;
use tabia::format::Keyed;
use tabia_games::othello::GgfProperties;
use tabia_games::{Game, Othello, Trouble};
use tabia_play::choice::GameHistory;

/// What the GUI waits for.
#[derive(Debug)]
enum Awaited {
    Move {
        since: Duration,
    },
    /// `pong` with this number.
    Pong(String),
    /// The book's move, once all before it is there.
    Book(String),
}

/// A book for NBoard, by its protocol.
pub struct NBoard {
    session: Session,
    start: Othello,
    /// The game so far; none before anything is said of it.
    history: Option<GameHistory<Othello>>,
    /// It couldn't be followed.
    is_unknown: bool,
    awaited: VecDeque<Awaited>,
}

impl NBoard {
    /// One with these settings, for games that begin in this position.
    pub fn new(settings: BookSettings, start: Othello) -> Self {
        let (session, awaited) = (Session::new(settings), VecDeque::new());
        Self { session, start, history: None, is_unknown: false, awaited }
    }

    fn set_game(&mut self, line: &[u8], adviser: &mut Adviser<'_, Othello>) {
        match history(&self.start, line, adviser.keyed()) {
            Ok(history) => {
                if history.plies() == 0 {
                    let begun = self.session.new_game(adviser);
                    self.session.noted(begun);
                }
                (self.history, self.is_unknown) = (Some(history), false);
            }
            Err(why) => self.lose(&why),
        }
    }

    /// The position isn't known any more.
    fn lose(&mut self, why: &str) {
        self.is_unknown = true;
        self.session.note(format!("{why}: the engine decides"));
    }

    fn play(&mut self, text: &str, keyed: Keyed) {
        let history =
            self.history.get_or_insert_with(|| GameHistory::start(self.start.clone(), keyed));
        if !self.is_unknown && !follow(history, text) {
            self.lose(&format!("`{}` is not legal here", shown(text)));
        }
    }

    fn go(&mut self, line: &[u8], adviser: &mut Adviser<'_, Othello>) {
        self.session.has_played = true;
        match self.answer(adviser) {
            Some(answer) => self.awaited.push_back(Awaited::Book(answer)),
            None => {
                self.session.send_engine(line);
                self.awaited.push_back(Awaited::Move { since: self.session.now });
            }
        }
        self.say_what_is_ready();
    }

    /// What the book answers in the present position, if it does.
    fn answer(&mut self, adviser: &mut Adviser<'_, Othello>) -> Option<String> {
        let keyed = adviser.keyed();
        let history =
            self.history.get_or_insert_with(|| GameHistory::start(self.start.clone(), keyed));
        if !self.session.settings.own_book || self.is_unknown {
            return None;
        }
        let decision = self.session.decided(history, adviser)?;
        let name = |played: &_| history.present().position.notation(played).to_ascii_uppercase();
        let vertex = name(decision.played()?);
        Some(format!("status tabia book {}\n=== {vertex}\n", explanation(&decision, name)))
    }

    fn say_what_is_ready(&mut self) {
        let is_books = |awaited: &mut Awaited| matches!(awaited, Awaited::Book(_));
        while let Some(Awaited::Book(answer)) = self.awaited.pop_front_if(is_books) {
            self.say(answer);
        }
    }

    fn say(&mut self, answer: String) {
        self.session.stats.book_move();
        self.session.send_gui(answer);
    }

    fn engine_moved(&mut self) {
        if let Some(&Awaited::Move { since }) = self.awaited.front() {
            self.session.engine_moved(since);
            self.awaited.pop_front();
        }
    }

    /// Nothing comes any more of what was asked before the `ping`.
    fn ponged(&mut self, number: &str) {
        let is_it = |awaited: &Awaited| matches!(awaited, Awaited::Pong(asked) if asked == number);
        let Some(place) = self.awaited.iter().position(is_it) else { return };
        for _ in 0..=place {
            if let Some(Awaited::Book(answer)) = self.awaited.pop_front() {
                self.say(answer);
            }
        }
    }
}

impl ProxyProtocol<Othello> for NBoard {
    fn receive_from_gui(&mut self, line: &[u8], adviser: &mut Adviser<'_, Othello>) {
        let words = words(line);
        if words.first() == Some(&"go") {
            return self.go(line, adviser);
        }
        self.session.send_engine(line);
        match words.as_slice() {
            ["set", "game", ..] => self.set_game(line, adviser),
            ["move", text, ..] => self.play(text, adviser.keyed()),
            ["ping", number, ..] => self.awaited.push_back(Awaited::Pong(number.to_string())),
            ["quit", ..] => self.session.is_over = true,
            _ => {}
        }
    }

    fn receive_from_engine(&mut self, line: &[u8], _: &mut Adviser<'_, Othello>) {
        match words(line).as_slice() {
            [first, ..] if first.starts_with("===") => self.engine_moved(),
            ["pong", number, ..] => self.ponged(number),
            _ => {}
        }
        self.session.send_gui(line);
        self.say_what_is_ready();
    }

    fn waiting(&self) -> usize {
        self.awaited.len()
    }

    fn session(&mut self) -> &mut Session {
        &mut self.session
    }
}

/// The game of `set game (;GM[Othello]...;)`.
fn history(start: &Othello, line: &[u8], keyed: Keyed) -> Result<GameHistory<Othello>, String> {
    let game = line.iter().position(|&byte| byte == b'(').map(|at| &line[at..]);
    let game = game.ok_or_else(|| "`set game` has no game".to_owned())?;
    let mut history = GameHistory::start(start.clone(), keyed);
    for (name, value) in GgfProperties::of(game) {
        let value = String::from_utf8_lossy(value);
        match name {
            b"BO" => {
                let board = value
                    .trim()
                    .strip_prefix("8 ")
                    .ok_or_else(|| format!("the board `{}` is not of 8x8", shown(&value)))?;
                let begin = start
                    .set_up(board)
                    .map_err(|error| format!("the board can't be set up: {}", error.why))?;
                history = GameHistory::start(begin, keyed);
            }
            b"B" | b"W" if !follow(&mut history, &value) => {
                return Err(format!("`{}` of the game is not legal", shown(&value)));
            }
            _ => {}
        }
    }
    Ok(history)
}

/// Plays `F5/1.20/0.5`, or a pass that is due; whether it could be played.
fn follow(history: &mut GameHistory<Othello>, text: &str) -> bool {
    let text = text.split('/').next().unwrap_or_default().trim();
    let position = &history.present().position;
    match position.read_move(text.as_bytes()) {
        Ok(played) => {
            history.play(&played);
            true
        }
        Err(Trouble::Null) => position.has_passed(),
        Err(_) => false,
    }
}
