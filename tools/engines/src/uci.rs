//! UCI, from the GUI's side: <https://backscattering.de/chess/uci/>. Knows no game: moves are
//! words, positions set-up texts.
//!
//! What an engine says before `uciok` and isn't known is skipped, as the protocol wants it.

mod info;
mod option;

use crate::error::{Error, Fault, shown};
use crate::launch::Command;
use crate::limit::Limit;
use crate::process::Process;
pub use info::Info;
use info::{RankedMove, Ranking};
use option::{Kind, UciOption};
use std::fmt::Write;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

const MOST_OPTIONS: usize = 4096;
/// How often who watches it hears of it.
const HEARD: Duration = Duration::from_millis(100);
/// The option that says of how many moves lines are said.
const MULTI_PV: &str = "MultiPV";
/// What `tabia play` writes before a move from its book.
const BOOK_NOTE: &str = "info string tabia book";

#[derive(Debug)]
pub struct Uci {
    process: Process,
    name: Option<String>,
    options: Vec<UciOption>,
    patience: Duration,
    /// Of how many moves it says lines, as far as it was told.
    lines: usize,
}

/// The engine's answer to `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Best {
    /// The move, as it wrote it.
    pub text: String,
    pub info: Info,
    /// From `go` to `bestmove`.
    pub took: Duration,
    pub is_book: bool,
}

impl Uci {
    /// Starts an engine and shakes hands. `patience` is how long it may take for what isn't
    /// thinking; an error if it doesn't say `uciok`.
    pub fn start(command: &Command, patience: Duration) -> Result<Self, Error> {
        let process = Process::start(command, "quit")?;
        let mut uci = Self { process, name: None, options: Vec::new(), patience, lines: 1 };
        let asked = uci.process.ask("uci")?;
        loop {
            let line = uci.process.line(asked, asked + patience)?;
            let (word, rest) = line.text.split_once(' ').unwrap_or((&line.text, ""));
            match (word, rest.trim()) {
                ("uciok", _) => break,
                ("id", rest) => uci.name = rest.strip_prefix("name ").map(shown).or(uci.name),
                ("option", rest) if uci.options.len() < MOST_OPTIONS => {
                    uci.options.extend(UciOption::read(rest))
                }
                _ => {}
            }
        }
        Ok(uci)
    }

    /// The engine's name for itself, or else its program.
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or(self.process.name())
    }

    /// The option with this name, in upper or lower case.
    pub fn option(&self, name: &str) -> Option<&UciOption> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Sets an option. The value of a button is empty.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), Error> {
        let option = self.option(name).ok_or_else(|| "it has no such option".to_owned());
        let checked = option.and_then(|option| option.check(value).map(|()| option));
        let option = checked.map_err(|why| {
            Error::of(self.name(), Fault::Option(format!("{name} to `{value}`: {why}")))
        })?;
        let line = match option.kind {
            Kind::Button => format!("setoption name {}", option.name),
            _ => format!("setoption name {} value {value}", option.name),
        };
        self.process.say(&line)
    }

    /// Waits until it has carried out what was sent.
    pub fn ready(&mut self) -> Result<(), Error> {
        let asked = self.process.ask("isready")?;
        while self.process.line(asked, asked + self.patience)?.text != "readyok" {}
        Ok(())
    }

    pub fn new_game(&mut self) -> Result<(), Error> {
        self.process.say("ucinewgame")?;
        self.ready()
    }

    /// Gives it a position: the start or a set-up text, and moves in coordinates.
    pub fn position(&mut self, setup: Option<&str>, moves: &[String]) -> Result<(), Error> {
        let start = setup.map_or_else(|| "startpos".to_owned(), |setup| format!("fen {setup}"));
        let moves = match moves {
            [] => String::new(),
            moves => format!(" moves {}", moves.join(" ")),
        };
        self.process.say(&format!("position {start}{moves}"))
    }

    /// Its best move within a limit, waited for `patience`.
    pub fn go(&mut self, limit: &Limit, patience: Duration) -> Result<Best, Error> {
        let asked = self.search(&go(limit, &[]), 1)?;
        self.best(asked, asked + patience, &mut Ranking::new(1))
    }

    /// The best of these moves within a limit, with what it thinks of each, waited for `patience`;
    /// the best first, `count` of them or, if it can't say lines of so many at once, fewer; and how
    /// many nodes it looked at. An engine that takes no notice of `searchmoves` may name others.
    pub fn go_among(
        &mut self,
        among: &[String],
        count: usize,
        limit: &Limit,
        patience: Duration,
    ) -> Result<(Vec<RankedMove>, Option<u64>), Error> {
        let count = self.most_lines().min(count).min(among.len()).max(1);
        let asked = self.search(&go(limit, among), count)?;
        let mut ranking = Ranking::new(count);
        self.best(asked, asked + patience, &mut ranking)?;
        Ok(ranking.end())
    }

    /// Of how many moves it can say lines at once.
    fn most_lines(&self) -> usize {
        match self.option(MULTI_PV).map(|option| &option.kind) {
            Some(Kind::Spin { max, .. }) => usize::try_from(*max).unwrap_or(1).max(1),
            _ => 1,
        }
    }

    /// Has it search, and say lines of this many moves; when it was told.
    fn search(&mut self, line: &str, lines: usize) -> Result<Instant, Error> {
        if self.lines != lines {
            self.set(MULTI_PV, &lines.to_string())?;
            self.lines = lines;
        }
        self.process.forget();
        self.process.ask(line)
    }

    /// Has it think within a limit, waited for `patience`, and tells what it has said each time it
    /// says something, and ten times a second, until whoever hears it wants no more: then it is
    /// stopped.
    pub fn watch(
        &mut self,
        limit: &Limit,
        patience: Duration,
        tell: &mut dyn FnMut(&Info) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let asked = self.search(&go(limit, &[]), 1)?;
        let (mut info, mut stops, mut deadline) = (Info::default(), false, asked + patience);
        loop {
            let line = match self.process.line(asked, deadline.min(Instant::now() + HEARD)) {
                Err(error) if error.is_silence() && Instant::now() < deadline => None,
                line => Some(line?),
            };
            let mut words = line.iter().flat_map(|line| line.text.split_ascii_whitespace());
            match words.next() {
                Some("info") => info.read(words),
                Some("bestmove") => return Ok(()),
                _ => {}
            }
            if !stops && tell(&info).is_break() {
                (stops, deadline) = (true, Instant::now() + self.patience);
                self.process.say("stop")?;
            }
        }
    }

    fn best(
        &mut self,
        asked: Instant,
        deadline: Instant,
        ranking: &mut Ranking,
    ) -> Result<Best, Error> {
        let (mut info, mut is_book) = (Info::default(), false);
        loop {
            let line = self.process.line(asked, deadline)?;
            let mut words = line.text.split_ascii_whitespace();
            match words.next() {
                Some("info") if line.text.starts_with(BOOK_NOTE) => is_book = true,
                Some("info") => {
                    ranking.read(words.clone());
                    info.read(words);
                }
                Some("bestmove") => {
                    let text = words.next().map(shown).unwrap_or_default();
                    let took = line.at.saturating_duration_since(asked);
                    return Ok(Best { text, info, took, is_book });
                }
                _ => {}
            }
        }
    }
}

/// The line that says what it may use, and which moves it is to look at, all if none are named.
/// Without any limit it may take as long as it likes.
fn go(limit: &Limit, among: &[String]) -> String {
    let mut line = "go".to_owned();
    if let Some(clock) = &limit.clock {
        let [white, black] = clock.left.map(|left| left.as_millis());
        let increment = clock.control.increment.as_millis();
        let _ = write!(line, " wtime {white} btime {black} winc {increment} binc {increment}");
        if let Some(moves) = clock.moves_to_go {
            let _ = write!(line, " movestogo {moves}");
        }
    }
    for (word, number) in [
        ("nodes", limit.nodes),
        ("depth", limit.depth.map(u64::from)),
        ("movetime", limit.movetime.map(|time| time.as_millis().try_into().unwrap_or(u64::MAX))),
    ] {
        if let Some(number) = number {
            let _ = write!(line, " {word} {number}");
        }
    }
    if !among.is_empty() {
        let _ = write!(line, " searchmoves {}", among.join(" "));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limit::Clock;

    #[test]
    fn limits_are_said_in_uci_words() {
        let nodes = Limit { nodes: Some(2000), depth: Some(9), ..Limit::default() };
        assert_eq!(go(&nodes, &[]), "go nodes 2000 depth 9");
        let movetime = Limit { movetime: Some(Duration::from_millis(1500)), ..Limit::default() };
        let found = go(&movetime, &["e2e4".to_owned(), "d2d4".to_owned()]);
        assert_eq!(found, "go movetime 1500 searchmoves e2e4 d2d4");
        let left = [Duration::from_secs(60), Duration::from_millis(59_001)];
        let clock = Clock { control: "40/60+0.6".parse().unwrap(), left, moves_to_go: Some(7) };
        let clock = Limit { clock: Some(clock), ..Limit::default() };
        assert_eq!(go(&clock, &[]), "go wtime 60000 btime 59001 winc 600 binc 600 movestogo 7");
    }
}
