//! Game archives to sorted rows: what `build` and `add` have in common.

mod filters;
mod kind;
mod skips;
mod summary;

pub use kind::{Kind, KindChoice};
pub use summary::Summary;

use crate::console::{Console, Meter};
use crate::failure::{Done, told};
use crate::memory::Memory;
use crate::place;
use filters::Filters;
pub use skips::List;
use skips::Skips;
use std::path::{Path, PathBuf};
use tabia::check_sources;
use tabia::format::{Digest, Source};
use tabia::storage::System;
use tabia_archives::collect::Collected;
use tabia_archives::{Gatherer, Options, Tally, Visit, Wanted, ingest};

/// How archives are read.
#[derive(clap::Args)]
pub struct Reading {
    /// Game archives: PGN, plain or compressed by zstd, gzip or bzip2; `-` is standard input
    #[arg(value_name = "ARCHIVE", required = true)]
    pub archives: Vec<PathBuf>,
    /// Take the moves of the first N plies of a game, and the positions they lead to; all without it
    #[arg(long, value_name = "N")]
    max_ply: Option<u32>,
    /// Take tags and moves that two blank lines part for one game, instead of a game without moves and one without a result
    #[arg(long)]
    join_split: bool,
    /// Memory to work with; what doesn't fit is sorted on disk, beside the book
    #[arg(long, value_name = "SIZE", default_value = "2G")]
    memory: Memory,
    /// Threads to work with [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Let an archive's games count although the archive went in already
    #[arg(long)]
    pub allow_duplicate_sources: bool,
    /// Write a line for each game that was skipped to this file: archive, byte offset, reason, what exactly, players
    #[arg(long, value_name = "FILE")]
    errors: Option<PathBuf>,
    /// Keep what engines say in comments of a position: [%eval 0.17,20] (lichess), +0.25/18 4.1s (cutechess), d=25, wv=0.36 (TCEC)
    #[arg(long)]
    evals: bool,
    #[command(flatten)]
    filters: Filters,
}

/// The rows of some archives, sorted, and where they come from.
pub struct Harvest {
    /// Rows for the tables that are wanted.
    pub rows: Collected<Visit>,
    /// The archives, in the order given.
    pub sources: Vec<Source>,
    /// What was read.
    pub tally: Tally,
    /// The list of skipped games, if wanted: to be put in its place once all else is done.
    pub skipped: Option<List>,
}

impl Reading {
    /// Finds what would fail after hours of work: an archive given twice, a list of errors that can't be written.
    pub fn check(&self, book: &Path, replace: bool) -> Done<()> {
        let archives = || self.archives.iter().map(PathBuf::as_path);
        place::check_distinct(book, archives())?;
        if let Some(errors) = &self.errors {
            place::check_output(errors, replace)?;
            place::check_distinct(errors, archives().chain([book]))?;
        }
        for (index, archive) in self.archives.iter().enumerate() {
            let twice = self.archives[..index].iter().any(|other| place::same_file(other, archive));
            if twice && !self.allow_duplicate_sources {
                let advice = "its games would count twice; use --allow-duplicate-sources if you want that";
                return Err(told!("{}: the archive is given twice: {advice}", archive.display()));
            }
        }
        Ok(())
    }

    /// Reads the archives. Rows that don't fit in memory go to files without a name in the book's folder.
    pub fn harvest(&self, console: &Console, meter: &Meter, kind: Kind, book: &Path) -> Done<Harvest> {
        let threads = self.threads.map_or_else(all_cores, usize::from);
        let share = self.memory.share(threads);
        let options = self.options(kind)?;
        let mut gatherers: Vec<_> = (0..threads).map(|_| Gatherer::new(&options, &System, place::folder_of(book), share)).collect();
        let mut skips = Skips::new(console, meter, self.errors.as_deref())?;
        let tally = ingest(&self.archives, &options, &mut gatherers, &mut skips)?;
        let skipped = skips.finish();
        let sources = self.sources(&tally)?;
        let collectors = gatherers.into_iter().map(Gatherer::into_collector).collect();
        let rows = Collected::join(&meter.env(), collectors, threads)?;
        Ok(Harvest { rows, sources, tally, skipped })
    }

    /// What to make of archives for a book of this kind.
    fn options(&self, kind: Kind) -> Done<Options> {
        let wanted = Wanted {
            filter: self.filters.filter()?,
            evals: self.evals,
            keyed: kind.keyed,
            unknown_results: kind.unknown_results(),
            ..Wanted::default()
        };
        let (side, max_ply, join_split) = (self.filters.side(), self.max_ply, self.join_split);
        Ok(Options { tables: kind.tables, max_ply, side, wanted, join_split, ..Options::default() })
    }

    /// The archives as books remember them; none of them twice.
    fn sources(&self, tally: &Tally) -> Done<Vec<Source>> {
        let mut sources = Vec::new();
        for (archive, read) in self.archives.iter().zip(&tally.sources) {
            let source = Source { digest: Digest(read.digest), games: read.games.games_in, name: read.name.clone() };
            check_sources(&sources, std::slice::from_ref(&source), archive, self.allow_duplicate_sources)?;
            sources.push(source);
        }
        Ok(sources)
    }

    /// Makes sure that a book doesn't hold any of these archives.
    pub fn check_new(&self, known: &[Source], brought: &[Source]) -> Done<()> {
        for (archive, source) in self.archives.iter().zip(brought) {
            check_sources(known, std::slice::from_ref(source), archive, self.allow_duplicate_sources)?;
        }
        Ok(())
    }
}

fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
