//! Books that are grown by playing: where games are likely to come, a move is looked for that scores
//! more in games of the player against a pool of opponents than what the player chooses by itself.
//!
//! *Where*: the position of the player's that games reach most often of all that nothing is known of.
//! The player's moves are those of the book, or its own where the book has none; the pool's replies
//! are as likely as they were seen, with a share of what people play and a little for all others. Ways
//! that lead to one position add up. That is drop-out expansion (Fierz 2005) with probabilities for
//! its costs, and the reach of "Search-based opening book construction" (ICGA Journal 40, 2018).
//!
//! *What*: the moves that a deeper search takes for the best, those of people, and the player's own
//! choice are played against the pool by the player itself, fewer and fewer of them in more and more
//! games (sequential halving). The book has a move only where it beats the player's own choice by more
//! than the error of games that were played after it was chosen; elsewhere it says nothing. So wins
//! and losses decide, as in Rollason's learning (2007), and no eval.
//!
//! *What is kept*: all games count in the rows of the positions they came to, which add up when books
//! are merged; the book's moves are marked `always`, and the rule `always` plays these and nothing
//! else. The fact `counts` says `played`, and the fact `player` who played and how.
//!
//! A position of the pool is asked for replies where games have not shown enough of them. All chance
//! comes from the plan's seed: the same plan with engines that always do the same makes the same book,
//! with any number of workers, however often it was interrupted.

mod arms;
mod grow;
mod log;
mod pool;
mod staff;
mod text;
mod tree;

pub use grow::{Grown, Playing, Scored, Stopped};
pub use pool::Pool;

use crate::settings::{Player, Rules};
use std::fmt::Write as _;
use tabia::Digest;
use tabia_engines::{Launch, Limit};
use tabia_games::{Game, Side};
use tabia_grow::Budget;
use xxhash_rust::xxh3::xxh3_64;

/// The name of the fact that says who played the games of a book, and how.
pub const PLAYER_FACT: &str = "player";

/// How a book is grown by playing.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The player the book is for, the pool, and last who finds moves to try.
    pub players: Vec<Player>,
    /// What games are played by.
    pub rules: Rules,
    /// Which book of people's games is asked, if one is.
    pub archive: Option<Digest>,
    /// What the search may use that finds moves to try.
    pub deep: Limit,
    /// By how many hundredths a move may be worse there than the best to be tried.
    pub margin: i64,
    /// The side that the book is for; both if none.
    pub side: Option<Side>,
    /// The book has no moves from this ply on.
    pub max_ply: usize,
    /// What chance is drawn by.
    pub seed: u64,
    /// How many games are played at once.
    pub workers: usize,
    /// When to stop.
    pub budget: Budget,
}

impl Plan {
    /// A digest of all that the book follows from but the budget.
    pub(crate) fn digest<G: Game>(&self, start: &G) -> u64 {
        let Self { rules, archive, deep, margin, side, max_ply, seed, .. } = self;
        let mut text = format!(
            "{} {} {deep} {margin} {side:?} {max_ply} {seed}",
            start.name(),
            self.described()
        );
        let _ = write!(text, " {} {:?} {:?}", rules.most_plies, rules.adjudication, rules.scoring);
        let _ = write!(text, " {} {archive:?}", rules.komi);
        xxh3_64(text.as_bytes())
    }

    /// How many opponents there are.
    pub(crate) fn pool(&self) -> usize {
        self.players.len() - 2
    }

    /// Who plays, and how, as the book says it.
    pub fn described(&self) -> String {
        let mut text = String::new();
        for (place, player) in self.players[..=self.pool()].iter().enumerate() {
            let Launch { command, options, setup, komi, .. } = &player.launch;
            text.push_str(["", "; against ", ", "][place.min(2)]);
            let _ = write!(text, "{}", player.name.clone().unwrap_or_else(|| command.to_string()));
            for (name, value) in options {
                let _ = write!(text, " {name}={value}");
            }
            for line in setup {
                let _ = write!(text, " ({line})");
            }
            let _ = komi.map_or(Ok(()), |komi| write!(text, " komi {komi}"));
            let _ = player.nodes.map_or(Ok(()), |nodes| write!(text, " with {nodes} nodes a move"));
        }
        let allowance = &self.rules.allowance;
        if *allowance == Limit::default() { text } else { format!("{text}; {allowance} a move") }
    }
}
