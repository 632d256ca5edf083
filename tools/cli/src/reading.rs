//! How archives are read: the options that `build` and `add` have in common, and what both report.

mod filters;
mod go_games;
mod kind;
mod report;
mod summary;

pub use kind::KindChoice;
pub use report::{Oddities, Report};
pub use summary::Summary;

use crate::failure::Done;
use crate::memory::Memory;
use crate::place;
use filters::Filters;
use go_games::GoGames;
use std::path::{Path, PathBuf};
use tabia_archives::Format;
use tabia_build::dedup::{Dedup, SameBy};
use tabia_build::{ArchiveList, BuildPlan};
use tabia_games::Known;

/// How archives are read.
#[derive(clap::Args)]
pub struct Reading {
    /// Game archives: PGN, SGF, WTHOR, GGF, PDN, transcripts, also as tar, plain or compressed by
    /// zstd, gzip or bzip2; folders, with all files in them that are called so; patterns such as
    /// "2024-*.pgn"; `-` is standard input
    #[arg(value_name = "ARCHIVE", required = true)]
    arguments: Vec<PathBuf>,
    /// Take the moves of the first N plies of a game, and the positions they lead to; all without
    /// it
    #[arg(long, value_name = "N")]
    max_ply: Option<u32>,
    /// Read all archives as games one a line: moves with spaces between them, then 1-0, 0-1,
    /// 1/2-1/2 or *. Files called .lines are read so anyway
    #[arg(long)]
    lines: bool,
    /// Take tags and moves that two blank lines part for one game, instead of a game without moves
    /// and one without a result
    #[arg(long)]
    join_split: bool,
    /// Count a game once that is in these archives several times: exact copies, or (prefix) also
    /// games that are the beginning of others, broken off. Needs room on disk beside the book:
    /// about 11 bytes a ply
    #[arg(long, value_enum, default_value_t = DedupChoice::Off, hide_possible_values = true, value_name = "off|exact|prefix")]
    dedup: DedupChoice,
    /// What makes two games the same: their starting position and moves, or also their players and
    /// date
    #[arg(long, value_enum, default_value_t = SameByChoice::Moves, value_name = "moves|moves+players", hide_possible_values = true)]
    dedup_by: SameByChoice,
    /// Memory to work with; what doesn't fit is sorted on disk, beside the book
    #[arg(long, value_name = "SIZE", default_value = "2G")]
    memory: Memory,
    /// Threads to work with [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Let an archive's games count although the archive went in already
    #[arg(long)]
    pub allow_duplicate_sources: bool,
    /// Make the book although no game goes in, or add the archives although none of their games can
    /// be read
    #[arg(long)]
    allow_empty: bool,
    /// Write a line for each game that was skipped to this file: archive, byte offset, reason, what
    /// exactly, players, line, tags; files that were found and left out stand there as comments
    #[arg(long, value_name = "FILE")]
    errors: Option<PathBuf>,
    /// Keep what engines say in comments of a position: [%eval 0.17,20] (lichess), +0.25/18 4.1s
    /// (cutechess), d=25, wv=0.36 (TCEC)
    #[arg(long)]
    evals: bool,
    #[command(flatten)]
    filters: Filters,
    #[command(flatten)]
    go: GoGames,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum DedupChoice {
    Off,
    Exact,
    Prefix,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum SameByChoice {
    Moves,
    #[value(name = "moves+players")]
    MovesAndPlayers,
}

impl Reading {
    /// The archives that are meant. What would fail after hours of work is found now: an archive
    /// given twice, a list of errors that can't be written.
    pub fn archives(&self, book: &Path, replace: bool) -> Done<ArchiveList> {
        let mut archives = ArchiveList::of(&self.arguments)?;
        if !self.allow_duplicate_sources {
            archives.leave_out_copies()?;
        }
        let paths = || archives.paths.iter().map(PathBuf::as_path);
        place::check_distinct(book, paths())?;
        if let Some(errors) = &self.errors {
            place::check_output(errors, replace)?;
            place::check_distinct(errors, paths().chain([book]))?;
        }
        Ok(archives)
    }

    /// What to make of archives of this game. Tables, columns and keys are left as they are by
    /// default.
    pub fn plan(&self, game: &Known) -> Done<BuildPlan> {
        let mut plan = BuildPlan::new(game.clone());
        plan.read.format = self.lines.then_some(Format::Lines);
        plan.read.join_split = self.join_split;
        plan.read.wanted.filter = self.filters.filter(game)?;
        plan.read.wanted.evals = self.evals;
        plan.read.wanted.players =
            self.dedup_by == SameByChoice::MovesAndPlayers && self.dedup != DedupChoice::Off;
        self.go.add_to(game, &mut plan.read.wanted)?;
        plan.max_ply = self.max_ply;
        plan.side = self.filters.side(game);
        plan.dedup = self.dedup();
        plan.duplicates = self.allow_duplicate_sources.into();
        plan.allow_empty = self.allow_empty;
        plan.memory = self.memory.share(1);
        plan.threads = self.threads.map_or(plan.threads, usize::from);
        plan.skipped_list.clone_from(&self.errors);
        Ok(plan)
    }

    fn dedup(&self) -> Option<(Dedup, SameBy)> {
        let same_by = match self.dedup_by {
            SameByChoice::Moves => SameBy::Moves,
            SameByChoice::MovesAndPlayers => SameBy::MovesAndPlayers,
        };
        match self.dedup {
            DedupChoice::Off => None,
            DedupChoice::Exact => Some((Dedup::Exact, same_by)),
            DedupChoice::Prefix => Some((Dedup::Prefix, same_by)),
        }
    }
}
