//! An engine for tests: plays legal moves drawn by a seed, and misbehaves on command.
//!
//! `mock-engine uci|gtp|nboard GAME [--seed N] [--seeded] [--length N] [--slow MILLISECONDS] [--eval
//! CENTIPAWNS] [--book N] [--lines N] [FAULT@MOVE]`: in Go it passes from its move `--length` on; its
//! first `--book` moves are said to be from a book. With `--lines` it gives each move a value, which
//! follows from the position behind it, and says lines of so many moves at once in UCI; in GTP 1
//! stands for `estimate_score`, 2 for `restricted_genmove` too, 3 for `kata-search_analyze`; in NBoard's
//! protocol `hint` says no more lines. `MOVE` counts its own moves of a game from 1; faults
//! of move 0 come before all else.

mod nboard;

use std::io::{self, BufRead, Write};
use std::process::exit;
use std::time::Duration;
use tabia_games::{Game, Known, Side, gtp, with_game};

/// How it is to behave.
#[derive(Clone, Default)]
struct Manners {
    seed: u64,
    /// Whether it takes a seed for each game.
    is_seeded: bool,
    length: Option<u32>,
    slow: u64,
    eval: Option<i32>,
    book: u32,
    lines: Option<usize>,
    fault: Option<(String, u32)>,
}

/// An engine with its board.
struct Mock<G> {
    manners: Manners,
    start: G,
    position: G,
    moves: u32,
    /// Of how many moves it was told to say lines.
    multi_pv: usize,
    /// The position before the last move, for `undo`.
    before: Option<G>,
    /// How deep it was told to search.
    depth: u32,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let [protocol, game] = [arguments.next(), arguments.next()].map(Option::unwrap_or_default);
    let mut manners = Manners::default();
    while let Some(word) = arguments.next() {
        let mut number =
            || arguments.next().and_then(|text| text.parse::<i64>().ok()).unwrap_or_default();
        match word.as_str() {
            "--seed" => manners.seed = number() as u64,
            "--seeded" => manners.is_seeded = true,
            "--length" => manners.length = Some(number() as u32),
            "--slow" => manners.slow = number() as u64,
            "--eval" => manners.eval = Some(number() as i32),
            "--book" => manners.book = number() as u32,
            "--lines" => manners.lines = Some(number() as usize),
            fault => {
                manners.fault = fault
                    .split_once('@')
                    .and_then(|(name, at)| Some((name.to_owned(), at.parse().ok()?)))
            }
        }
    }
    let known = Known::all().find(|known| known.name() == game).expect("a game that is known");
    with_game!(known, start => play(start, &protocol, manners));
}

fn play<G: Game>(start: &G, protocol: &str, manners: Manners) {
    let (start, position) = (start.clone(), start.clone());
    let mut mock = Mock { manners, start, position, moves: 0, multi_pv: 1, before: None, depth: 7 };
    mock.misbehave(0);
    match protocol {
        "uci" => mock.uci(),
        "nboard" => mock.nboard(),
        _ => mock.gtp(),
    }
}

fn say(text: &str) {
    let mut out = io::stdout().lock();
    if writeln!(out, "{text}").and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}

impl<G: Game> Mock<G> {
    fn is_due(&self, name: &str, at: u32) -> bool {
        self.manners.fault.as_ref().is_some_and(|(fault, due)| fault == name && *due == at)
    }

    /// The faults of this move that end all good behaviour.
    fn misbehave(&self, at: u32) {
        if self.is_due("crash", at) {
            eprintln!("mock: out of cheese");
            exit(3);
        }
        if self.is_due("hang", at) {
            loop {
                std::thread::sleep(Duration::from_secs(3600));
            }
        }
        if self.is_due("flood", at) {
            loop {
                say("info depth 1 currmove e2e4");
            }
        }
        if self.is_due("longline", at) {
            say(&"x".repeat(1 << 20));
        }
        if self.is_due("binary", at) {
            let _ = io::stdout().write_all(b"bestmove \xff\xfe\n");
        }
        if self.is_due("close", at) {
            exit(0);
        }
    }

    /// Its next move as text.
    fn choose(&mut self) -> String {
        self.moves += 1;
        self.misbehave(self.moves);
        std::thread::sleep(Duration::from_millis(self.manners.slow));
        if self.is_due("illegal", self.moves) {
            return "a1a8".to_owned();
        }
        if self.is_due("nothing", self.moves) {
            return String::new();
        }
        if self.manners.length.is_some_and(|length| self.moves > length) {
            return "pass".to_owned();
        }
        let moves = self.position.legal();
        let texts = moves.iter().map(|played| self.position.coordinates(played));
        let mut texts: Vec<String> = texts.collect();
        texts.retain(|text| text != "pass");
        texts.sort();
        match texts.len() {
            0 => "pass".to_owned(),
            count => texts.swap_remove((self.digest(&self.position) % count as u64) as usize),
        }
    }

    fn digest(&self, position: &G) -> u64 {
        let bytes =
            position.setup().into_bytes().into_iter().chain(self.manners.seed.to_le_bytes());
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |digest, byte| {
            (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3).rotate_left(17)
        })
    }

    /// What a move is worth, in hundredths, seen from the side that makes it.
    fn value(&self, played: &G::Move) -> i32 {
        (self.digest(&self.position.after(played)) >> 20) as i32 % 1000
    }

    /// Its moves, each behind what it is worth to the other side: the best first.
    fn ranked(&self) -> Vec<(i32, String)> {
        let one = |played| (-self.value(played), self.position.coordinates(played));
        let mut ranked: Vec<_> = self.position.legal().iter().map(one).collect();
        ranked.sort();
        ranked
    }

    /// Says lines of the best of these moves, in words, or of all if there are none.
    fn rank(&mut self, among: &[&str]) {
        let mut ranked = self.ranked();
        ranked.retain(|(_, text)| among.is_empty() || among.contains(&text.as_str()));
        if self.is_due("outside", self.moves) {
            ranked = vec![(0, "a1a8".to_owned())];
        }
        if self.is_due("scoreless", self.moves) {
            return say(&format!("bestmove {}", ranked[0].1));
        }
        for depth in [4, 7] {
            for (number, (value, text)) in ranked.iter().take(self.multi_pv).enumerate() {
                let (number, value) = (number + 1, -value);
                say(&format!(
                    "info depth {depth} multipv {number} score cp {value} nodes 1000 pv {text}"
                ));
            }
        }
        say(&format!("bestmove {}", ranked[0].1));
    }

    fn uci(&mut self) {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.first().copied().unwrap_or_default() {
                "uci" => {
                    say(&format!("id name Mock {}\nid author nobody", self.manners.seed));
                    say("option name Hash type spin default 16 min 1 max 64");
                    if self.manners.is_seeded {
                        say("option name BookSeed type spin default 0 min 0 max 2147483647");
                    }
                    if let Some(lines) = self.manners.lines.filter(|lines| *lines > 1) {
                        say(&format!("option name MultiPV type spin default 1 min 1 max {lines}"));
                    }
                    say("option name UCI_Chess960 type check default false\nuciok");
                }
                "isready" => say("readyok"),
                "ucinewgame" => self.moves = 0,
                "setoption" => {
                    let number = || words.last().and_then(|last| last.parse::<u32>().ok());
                    match words.get(2) {
                        Some(&"BookSeed") => self.manners.seed = number().expect("a seed").into(),
                        Some(&"MultiPV") => self.multi_pv = number().expect("a number") as usize,
                        _ => {}
                    }
                }
                "position" => self.set_up(&line),
                "go" if self.manners.lines.is_some() => {
                    let among = words.iter().skip_while(|word| **word != "searchmoves").skip(1);
                    self.choose();
                    self.rank(&among.copied().collect::<Vec<_>>());
                }
                "go" => self.go(),
                "quit" => return,
                _ => {}
            }
        }
    }

    fn set_up(&mut self, line: &str) {
        let line = line.trim_start_matches("position ").trim_start_matches("fen ");
        let (setup, moves) = line.split_once(" moves ").unwrap_or((line, ""));
        self.position = self.start.set_up(setup).expect("a position");
        for text in moves.split_whitespace() {
            let played = self.position.read_move(text.as_bytes()).expect("a legal move");
            self.position.play(&played);
        }
    }

    fn go(&mut self) {
        let text = self.choose();
        if self.moves <= self.manners.book {
            say("info string tabia book 5 games");
        } else if let Some(eval) = self.manners.eval {
            say(&format!("info depth 7 nodes 1000 score cp {eval} pv {text}"));
        }
        say(&format!("bestmove {text}"));
    }

    fn gtp(&mut self) {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            let digits = line.bytes().take_while(u8::is_ascii_digit).count();
            let (id, command) = line.split_at(digits);
            let words: Vec<&str> = command.split_whitespace().collect();
            let answer = self.answer(&words);
            let (sign, text) = match &answer {
                Ok(text) => ('=', text.as_str()),
                Err(text) => ('?', *text),
            };
            say(&format!("{sign}{id} {text}\n"));
            if words == ["quit"] {
                return;
            }
        }
    }

    fn answer(&mut self, words: &[&str]) -> Result<String, &'static str> {
        match words {
            ["name"] => Ok(format!("Mock {}", self.manners.seed)),
            ["list_commands"] => {
                let book = if self.manners.book > 0 { "\ntabia-book" } else { "" };
                let lines = match self.manners.lines {
                    None => "",
                    Some(1) => "\nundo\nestimate_score",
                    Some(3) => "\nkata-search_analyze",
                    Some(_) => "\nundo\nestimate_score\nrestricted_genmove",
                };
                Ok(format!(
                    "name\nlist_commands\nboardsize\nkomi\nclear_board\nplay\ngenmove\nfinal_score\ntime_settings\ntime_left\nlevel\nquit{book}{lines}"
                ))
            }
            ["clear_board"] => {
                (self.position, self.moves) = (self.start.clone(), 0);
                Ok(String::new())
            }
            ["play", _, "pass"] if self.position.read_move(b"pass").is_err() => Ok(String::new()),
            ["play", side, vertex] => self.play(side, vertex),
            ["genmove", side] => {
                let text = self.choose();
                if self.is_due("resign", self.moves) {
                    return Ok("resign".to_owned());
                }
                let _ = self.play(side, &text);
                Ok(text.to_uppercase())
            }
            ["tabia-book"] if self.manners.book > 0 => {
                let book = self.moves.min(self.manners.book);
                Ok(format!(
                    "{{\"book_moves\":{book},\"engine_moves\":{},\"engine_seconds\":0.5}}",
                    self.moves - book
                ))
            }
            ["restricted_genmove", _, among @ ..] => {
                let mut texts = self.ranked().into_iter().map(|(_, text)| text.to_uppercase());
                let best = texts.find(|text| among.contains(&text.as_str()));
                Ok(best.unwrap_or("PASS".to_owned()))
            }
            ["kata-search_analyze", _, _, "maxmoves", most, "allow", _, among, "1"] => {
                let mut all = self.ranked();
                all.iter_mut().for_each(|(_, text)| *text = text.to_uppercase());
                all.retain(|(_, text)| {
                    among.split(',').any(|word| word.eq_ignore_ascii_case(text))
                });
                // It looks at two moves in a search, if so many are wanted.
                let most = most.parse().unwrap_or(1).min(2);
                let mut said = String::from("\n");
                for (order, (value, text)) in all.iter().take(most).enumerate() {
                    let lead = f64::from(-value) / 100.0;
                    said += &format!(
                        "info move {text} visits 50 scoreLead {lead} order {order} pv {text} "
                    );
                }
                Ok(said + "\nplay " + &all.first().ok_or("no move")?.1)
            }
            ["undo"] if self.manners.lines.is_some() => {
                self.position = self.before.take().ok_or("cannot undo")?;
                Ok(String::new())
            }
            ["estimate_score"] => {
                let value = (self.digest(&self.position) >> 20) as i32 % 1000;
                let of_first = match self.position.side() {
                    Side::First => -value,
                    Side::Second => value,
                };
                let winner = if of_first > 0 { "B" } else { "W" };
                Ok(format!("{winner}+{:.2} (upper bound)", f64::from(of_first.abs()) / 100.0))
            }
            ["final_score"] => Ok("B+3.5".to_owned()),
            ["boardsize" | "komi" | "level" | "time_settings" | "time_left" | "quit", ..] => {
                Ok(String::new())
            }
            _ => Err("unknown command"),
        }
    }

    fn play(&mut self, side: &str, vertex: &str) -> Result<String, &'static str> {
        if gtp::side(&self.position, side) != Some(self.position.side()) {
            return Err("illegal move: it is not its turn");
        }
        let played = self
            .position
            .read_move(vertex.to_ascii_lowercase().as_bytes())
            .map_err(|_| "illegal move")?;
        self.before = Some(self.position.clone());
        self.position.play(&played);
        Ok(String::new())
    }
}
