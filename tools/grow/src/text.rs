//! How far growing has come, and what came of it, in words.

use crate::monte_carlo::{Grove, Stages};
use crate::plan::Budget;
use crate::progress::{Grown, Progress, Report};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;
use tabia_play::text::numbers::{counted, grouped, percent};

/// Moves of a line that are shown while it grows.
const SHOWN: usize = 8;

impl Budget {
    /// How much of it is used up, and of how much: of 0 if there is none.
    pub fn used(self, expansions: u64, positions: u64, time: Duration) -> [u64; 2] {
        let millis = |time: Duration| time.as_millis() as u64;
        (self.expansions.map(|most| [expansions, most]))
            .or(self.positions.map(|most| [positions, most]))
            .or(self.time.map(|most| [millis(time), millis(most)]))
            .unwrap_or([expansions, 0])
    }
}

impl Progress<'_> {
    /// How far it has come, in words.
    pub fn facts(&self) -> Vec<String> {
        let Grown { expansions, positions, nodes, time, value, line, .. } = self.grown;
        let mut facts = vec![
            counted(*expansions, "expansion"),
            format!("{} in flight", self.in_flight),
            counted(*positions, "position"),
        ];
        if *nodes > 0 {
            let rate = *nodes as f64 / time.as_secs_f64().max(0.001);
            facts.push(format!("{} nodes/s", grouped(rate as u64)));
        }
        facts.extend(value.map(|value| format!("{value} by {}", first_moves(line))));
        facts
    }
}

fn first_moves(line: &[String]) -> String {
    line[..line.len().min(SHOWN)].join(" ")
}

impl Report<'_> {
    /// Says it for people.
    ///
    /// # Errors
    /// Those of writing.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let (book, expansions) = (self.book.display(), counted(self.expansions, "expansion"));
        let positions = counted(self.positions, "position");
        let busy = percent((self.busy * 1000.0) as u64, 1000);
        writeln!(out, "{book}: {expansions}, {positions} more, {} expanded", self.expanded)?;
        writeln!(out, "by {}, {} a search", self.engine, self.limit)?;
        writeln!(out, "seconds  {:.1}, {busy} of them in searches", self.seconds)?;
        let line = if self.line.is_empty() { "-".to_owned() } else { self.line.join(" ") };
        match (self.solved, &self.value) {
            (Some(solved), _) => writeln!(out, "solved: {solved} for {}: {line}", self.side)?,
            (None, Some(value)) => {
                writeln!(out, "worth {value} {} to {}: {line}", self.unit, self.side)?;
            }
            (None, None) => writeln!(out, "nothing is known of the root yet")?,
        }
        match self.stopped {
            "nothing left" => writeln!(out, "nothing is left to expand within the bounds"),
            "interrupted" => writeln!(out, "interrupted"),
            _ => Ok(()),
        }
    }
}

impl Grove {
    /// How far it has come, in words.
    pub fn facts(&self) -> Vec<String> {
        let rate = (self.games as f64 / self.seconds.max(0.001)) as u64;
        vec![
            counted(self.trees, "tree"),
            format!("{}, {}/s", counted(self.games, "game"), grouped(rate)),
            counted(self.positions, "position"),
        ]
    }

    /// Says for people what came of it in this book; `side` is to move at the start.
    ///
    /// # Errors
    /// Those of writing.
    pub fn write(
        &self,
        out: &mut impl Write,
        book: &Path,
        stages: &Stages,
        side: &str,
    ) -> io::Result<()> {
        let (trees, positions) = (counted(self.trees, "tree"), counted(self.positions, "position"));
        writeln!(out, "{}: {trees}, {positions} more", book.display())?;
        let games = grouped(stages.games.into());
        writeln!(out, "by {games} games of chance a tree, seed {}", stages.seed)?;
        writeln!(out, "seconds  {:.1}", self.seconds)?;
        if let Some(score) = self.score {
            let line = first_moves(&self.line);
            writeln!(out, "worth {:.1} % to {side}: {line}", 100.0 * score)?;
        }
        if self.stopped == "nothing left" {
            writeln!(out, "all trees within the bounds are there")?;
        }
        Ok(())
    }
}
