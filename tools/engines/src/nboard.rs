//! NBoard's protocol, version 2, from the GUI's side, as Edax and Ntest speak it:
//! <https://github.com/weltyc/ntest/blob/master/instructions/Protocol.htm>. Knows no rules: moves are
//! words, games the text of GGF.
//!
//! An engine isn't told to stop: `ping` would cut its analysis short. That it has said all of a
//! `hint` is seen by the `status` that it writes when it goes back to waiting, as both do.

mod said;

use crate::error::{Error, shown};
use crate::launch::Command;
use crate::process::Process;
pub use said::{Look, MoveEval};
use said::{Nodes, evaluated, move_and_eval};
use std::time::{Duration, Instant};

/// What `tabia play` writes before a move from its book.
const BOOK_NOTE: &str = "tabia book";

#[derive(Debug)]
pub struct NBoard {
    process: Process,
    name: Option<String>,
    patience: Duration,
    /// The number of the last `ping`.
    pings: u32,
    depth: Option<u32>,
}

/// The engine's answer to `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// The move, as it wrote it.
    pub text: String,
    /// What it thinks of it in hundredths of a disc, seen from the side that makes it.
    pub hundredths: Option<i32>,
    /// What it said of moves while it searched.
    pub said: Vec<MoveEval>,
    pub nodes: Option<u64>,
    /// From `go` to the move.
    pub took: Duration,
    pub is_book: bool,
}

impl NBoard {
    /// Starts an engine and waits until it answers. `patience` is how long it may take for what
    /// isn't thinking.
    pub fn start(command: &Command, patience: Duration) -> Result<Self, Error> {
        let process = Process::start(command, "quit")?;
        let mut nboard = Self { process, name: None, patience, pings: 0, depth: None };
        nboard.process.say("nboard 2")?;
        nboard.ready()?;
        Ok(nboard)
    }

    /// The engine's name for itself, which may have its depth in it, or else its program.
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or(self.process.name())
    }

    /// Sends a line that has no answer.
    pub fn say(&mut self, line: &str) -> Result<(), Error> {
        self.process.say(line)
    }

    /// Waits until it has carried out what was sent; what it said before that is forgotten.
    pub fn ready(&mut self) -> Result<(), Error> {
        self.pings = self.pings % 999_999 + 1;
        let pong = format!("pong {}", self.pings);
        let asked = self.process.ask(&format!("ping {}", self.pings))?;
        while self.next_line(asked, asked + self.patience)? != pong {}
        Ok(())
    }

    /// How deep it is to search from now on; without a depth as deep as it likes, if it was never
    /// told one; an error if it was told one.
    pub fn set_depth(&mut self, depth: Option<u32>) -> Result<(), Error> {
        match depth {
            _ if depth == self.depth => Ok(()),
            Some(plies) => {
                self.depth = depth;
                self.process.say(&format!("set depth {plies}"))
            }
            None => Err(Error::unsupported(
                self.name(),
                "a move without a depth after one with a depth: NBoard's protocol has no way back",
            )),
        }
    }

    /// Gives it a game, in GGF, whose last position it is asked about.
    pub fn set_game(&mut self, ggf: &str) -> Result<(), Error> {
        self.process.say(&format!("set game {ggf}"))?;
        self.ready()
    }

    /// Its move, waited for `patience`. It doesn't make it on its own board.
    pub fn go(&mut self, patience: Duration) -> Result<Chosen, Error> {
        let (mut said, mut nodes, mut is_book) = (Vec::new(), Nodes::default(), false);
        let asked = self.process.ask("go")?;
        loop {
            let line = self.next_line(asked, asked + patience)?;
            if let Some(answer) = line.strip_prefix("===") {
                let (text, hundredths) = move_and_eval(answer);
                let (text, took) = (shown(text), asked.elapsed());
                return Ok(Chosen { text, hundredths, said, nodes: nodes.end(), took, is_book });
            }
            match line.split_once(' ') {
                Some(("status", text)) => is_book |= text.starts_with(BOOK_NOTE),
                Some(("nodestats", text)) => nodes.read(text),
                _ => note(&mut said, &line),
            }
        }
    }

    /// What it thinks of the best `count` moves, or of fewer, waited for `patience`: the last that
    /// it said of each, in the order in which they were said first; and how many nodes it looked at.
    pub fn hint(
        &mut self,
        count: usize,
        patience: Duration,
    ) -> Result<(Vec<MoveEval>, Option<u64>), Error> {
        let (mut said, mut nodes) = (Vec::new(), Nodes::default());
        let asked = self.process.ask(&format!("hint {count}"))?;
        let mut thinking = None;
        loop {
            let line = self.next_line(asked, asked + patience)?;
            let (word, text) = line.split_once(' ').unwrap_or((&line, ""));
            match word {
                "status" if thinking.is_none() && said.is_empty() => {
                    thinking = Some(text.to_owned());
                }
                "status" if thinking.as_deref() != Some(text) => return Ok((said, nodes.end())),
                "nodestats" => nodes.read(text),
                _ => note(&mut said, &line),
            }
        }
    }

    /// The next line, which may say its name.
    fn next_line(&mut self, asked: Instant, deadline: Instant) -> Result<String, Error> {
        let line = self.process.line(asked, deadline)?.text;
        if let Some(name) = line.strip_prefix("set myname ") {
            self.name = Some(shown(name));
        }
        Ok(line)
    }
}

/// Takes note of what a line says of a move, if it does, in place of what was said of it before.
fn note(said: &mut Vec<MoveEval>, line: &str) {
    if let Some(new) = evaluated(line) {
        match said.iter_mut().find(|old| old.text == new.text) {
            Some(old) => *old = new,
            None => said.push(new),
        }
    }
}
