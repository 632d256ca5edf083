//! The mock engine as one of NBoard's protocol.

use super::{Mock, say};
use std::io::{self, BufRead};
use tabia_games::othello::GgfProperties;
use tabia_games::{Game, Trouble};

impl<G: Game> Mock<G> {
    /// Answers until it is told to quit.
    pub fn nboard(&mut self) {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["set", "game", ..] => self.set_game(line.trim_start_matches("set game ")),
                ["set", "depth", depth] => {
                    self.depth = depth.parse().expect("a depth");
                    say(&format!("set myname Mock {} of depth {depth}", self.manners.seed));
                }
                ["ping", number] => say(&format!("pong {number}")),
                ["go"] => self.go_in_nboard(),
                ["hint", count] => self.hint(count.parse().expect("a number")),
                ["quit"] => return,
                _ => {}
            }
        }
    }

    /// A game in GGF: passes that are not due are none of a game.
    fn set_game(&mut self, text: &str) {
        for (name, value) in GgfProperties::of(text.as_bytes()) {
            let value = std::str::from_utf8(value).expect("a text");
            match name {
                b"BO" => self.position = self.start.set_up(&value[2..]).expect("a board"),
                b"B" | b"W" => match self.position.read_move(value.as_bytes()) {
                    Ok(played) => self.position.play(&played),
                    Err(trouble) => assert_eq!(trouble, Trouble::Null, "{value}"),
                },
                _ => {}
            }
        }
        self.moves = if text.contains("B[") { self.moves } else { 0 };
    }

    fn go_in_nboard(&mut self) {
        let text = self.choose().to_uppercase();
        if self.moves <= self.manners.book {
            say("status tabia book 5 games");
            return say(&format!("=== {text}"));
        }
        say("status Mock is thinking");
        match self.manners.eval {
            Some(eval) => {
                let discs = f64::from(eval) / 100.0;
                say(&format!("search {text} {discs} 0 {}\nnodestats 1000 0.5", self.depth));
                say(&format!("==={text}/{discs}/0.5"));
            }
            None => say(&format!("=== {text}")),
        }
        say("status Mock is waiting");
    }

    /// Says lines of the best moves, the last of each being of the depth it was told.
    fn hint(&mut self, count: usize) {
        self.moves += 1;
        self.misbehave(self.moves);
        say("status Mock is thinking");
        if self.is_due("scoreless", self.moves) {
            return say("status");
        }
        let mut ranked = self.ranked();
        if self.is_due("outside", self.moves) {
            ranked = vec![(0, "A1".to_owned())];
        }
        let most = count.min(self.manners.lines.unwrap_or(1));
        for depth in [1, self.depth] {
            for (value, text) in ranked.iter().take(most) {
                let (discs, text) = (f64::from(-value) / 100.0, text.to_uppercase());
                say(&format!("search {text}-D6 {discs} 0 {depth} of a mock"));
            }
            say(&format!("nodestats {} 0.1\nstatus Mock is thinking", 100 * depth));
        }
        say("status");
    }
}
