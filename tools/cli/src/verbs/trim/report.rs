//! What became of a trimmed book.

use crate::game_files::GameFileFacts;
use crate::layout::Layout;
use crate::numbers::{bytes, grouped, seconds};
use crate::output::Output;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;
use tabia::format::Header;
use tabia_gamefile::GameFileHeader;
use tabia_play::{TableStats, Trim, TrimReason, TrimStats};

/// What stayed, what went, and why.
#[derive(Serialize)]
pub struct Trimmed {
    /// None if the book has no such table.
    positions: Option<Table>,
    moves: Option<Table>,
    /// Positions that stay without their flag `EXPANDED`.
    no_longer_expanded: u64,
    bytes_before: u64,
    bytes: u64,
    /// The games beside the new book.
    #[serde(skip_serializing_if = "Option::is_none")]
    games_file: Option<GameFileFacts>,
    /// How the rows of the new book lie: `tables` or `packed`.
    layout: &'static str,
    /// The plies of the longest way that was walked, if any was.
    plies: Option<u32>,
    /// Bytes it took to find what is kept.
    memory: u64,
    digest: String,
    seconds: f64,
}

#[derive(Serialize)]
struct Table {
    before: u64,
    kept: u64,
    /// By reason, those that are not zero.
    gone: BTreeMap<&'static str, u64>,
    #[serde(skip)]
    stats: TableStats,
}

impl Table {
    fn new(stats: TableStats) -> Self {
        let gone = TrimReason::ALL
            .into_iter()
            .map(|reason| (reason.name(), stats.gone(reason)))
            .filter(|&(_, rows)| rows > 0)
            .collect();
        Self { before: stats.before(), kept: stats.kept, gone, stats }
    }

    fn write(&self, name: &str, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{name:<10}  {:>14}  of {}", grouped(self.kept), grouped(self.before))?;
        for reason in TrimReason::ALL.into_iter().filter(|&reason| self.stats.gone(reason) > 0) {
            writeln!(
                out,
                "  gone      {:>14}  {}",
                grouped(self.stats.gone(reason)),
                reason.text()
            )?;
        }
        Ok(())
    }
}

impl Trimmed {
    /// From what was before and what is now.
    pub fn new(
        before: &Header,
        now: &Header,
        games: Option<&GameFileHeader>,
        trim: &Trim<'_>,
        stats: &TrimStats,
        time: Duration,
    ) -> Self {
        Self {
            positions: stats.positions.map(Table::new),
            moves: stats.moves.map(Table::new),
            no_longer_expanded: trim.incomplete(),
            bytes_before: before.file_length,
            bytes: now.file_length,
            games_file: games.map(GameFileFacts::new),
            layout: Layout::of(now).name(),
            plies: trim.walked().map(|walked| walked.plies),
            memory: trim.memory(),
            digest: now.digest.to_string(),
            seconds: seconds(time),
        }
    }

    /// For people.
    pub fn write(&self, out: &mut Output) -> io::Result<()> {
        for (name, table) in [("positions", &self.positions), ("moves", &self.moves)] {
            table.iter().try_for_each(|table| table.write(name, out))?;
        }
        if self.no_longer_expanded > 0 {
            let count = grouped(self.no_longer_expanded);
            writeln!(
                out,
                "  changed   {count:>14}  no longer expanded: a move of theirs, or what is behind it, is gone"
            )?;
        }
        if let Some(plies) = self.plies {
            writeln!(out, "plies       {:>14}", grouped(plies.into()))?;
        }
        writeln!(out, "memory      {:>14}  {}", grouped(self.memory), bytes(self.memory))?;
        let (now, before) = (bytes(self.bytes), bytes(self.bytes_before));
        let packed = if self.layout == Layout::Packed.name() { ", packed" } else { "" };
        writeln!(out, "bytes       {:>14}  {now} of {before}{packed}", grouped(self.bytes))?;
        self.games_file.as_ref().map_or(Ok(()), |file| file.write(out))?;
        writeln!(out, "seconds     {:>14.1}", self.seconds)
    }
}
