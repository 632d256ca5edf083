//! Game archives to sorted rows: what `build` and `add` have in common.

mod archives;
mod filters;
mod gathering;
mod go_games;
mod kind;
mod list;
mod plan;
mod rows;
mod skips;
mod summary;

pub use archives::Archives;
pub use gathering::Resuming;
pub use kind::{Kind, KindChoice};
pub use rows::Harvested;
pub use summary::{Duplicates, Summary};

use crate::console::{Console, Meter};
use crate::failure::{Done, Failure};
use crate::memory::Memory;
use crate::place;
use filters::Filters;
use gathering::Job;
use go_games::GoGames;
use list::List;
use plan::Plan;
use skips::{SharedList, Skips};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tabia::format::{Digest, Source};
use tabia::{Columns, Fact};
use tabia_archives::dedup::{Dedup, SameBy};
use tabia_archives::{Format, Options, RichVisit, Tally, Visit, Wanted, room_for};
use tabia_games::Known;

/// How archives are read.
#[derive(clap::Args)]
pub struct Reading {
    /// Game archives: PGN, SGF, WTHOR, GGF, PDN, transcripts, also as tar, plain or compressed by zstd, gzip or bzip2; folders, with all files in them
    /// that are called so; patterns such as "2024-*.pgn"; `-` is standard input
    #[arg(value_name = "ARCHIVE", required = true)]
    arguments: Vec<PathBuf>,
    /// Take the moves of the first N plies of a game, and the positions they lead to; all without it
    #[arg(long, value_name = "N")]
    max_ply: Option<u32>,
    /// Read all archives as games one a line: moves with spaces between them, then 1-0, 0-1, 1/2-1/2 or *. Files called .lines are read so anyway
    #[arg(long)]
    lines: bool,
    /// Take tags and moves that two blank lines part for one game, instead of a game without moves and one without a result
    #[arg(long)]
    join_split: bool,
    /// Count a game once that is in these archives several times: exact copies, or (prefix) also games that are the beginning of others,
    /// broken off. Needs room on disk beside the book: about 11 bytes a ply
    #[arg(long, value_enum, default_value_t = DedupChoice::Off, hide_possible_values = true, value_name = "off|exact|prefix")]
    dedup: DedupChoice,
    /// What makes two games the same: their starting position and moves, or also their players and date
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
    /// Write a line for each game that was skipped to this file: archive, byte offset, reason, what exactly, players, line, tags; files that were
    /// found and left out stand there as comments
    #[arg(long, value_name = "FILE")]
    errors: Option<PathBuf>,
    /// Keep what engines say in comments of a position: [%eval 0.17,20] (lichess), +0.25/18 4.1s (cutechess), d=25, wv=0.36 (TCEC)
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

/// What a harvest is for.
pub struct Purpose<'a> {
    /// The book that is made or grows; what doesn't fit in memory goes to its folder.
    pub book: &'a Path,
    /// The game it is of.
    pub game: &'a Known,
    /// What kind of book it is.
    pub kind: Kind,
    /// The archives that are in it already.
    pub known: &'a [Source],
    /// In how many games at least a row was played that goes into it.
    pub min_games: u64,
    /// How the work can be resumed.
    pub resuming: Resuming,
}

/// The rows of some archives, sorted, and where they come from.
pub struct Harvest {
    /// Rows for the tables that are wanted.
    pub rows: Harvested,
    /// The archives, in the order given.
    pub sources: Vec<Source>,
    /// What the book is to say of how they were read.
    pub facts: Vec<Fact>,
    /// What was read.
    pub tally: Tally,
    /// What was left out as being there more than once, if that was asked for.
    pub duplicates: Option<Duplicates>,
    /// To be put in place and cleared away once all else is done.
    pub rest: Rest,
}

/// What is left to do when the rows are where they belong.
#[derive(Default)]
pub struct Rest {
    list: Option<SharedList>,
    /// The folder with what was kept of the work.
    kept: Option<PathBuf>,
}

impl Rest {
    /// What is left of the work after a failure is cleared away, or said if it can be gone on with.
    pub fn after(&self, failure: Failure) -> Failure {
        match &self.kept {
            Some(folder) => gathering::after_failure(folder, failure),
            None => failure,
        }
    }

    /// Does it.
    pub fn finish(self) -> Done<()> {
        if let Some(list) = self.list.and_then(Arc::into_inner) {
            list.into_inner().unwrap_or_else(PoisonError::into_inner).publish()?;
        }
        match self.kept {
            Some(folder) => Ok(tabia_archives::remove_kept(&folder)?),
            None => Ok(()),
        }
    }
}

impl Reading {
    /// The archives that are meant. What would fail after hours of work is found now: an archive given twice, a list of errors that can't be written.
    pub fn archives(&self, book: &Path, replace: bool) -> Done<Archives> {
        let mut archives = Archives::of(&self.arguments)?;
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

    /// Reads the archives.
    pub fn harvest(&self, console: &Console, meter: &Meter, archives: &Archives, purpose: &Purpose<'_>) -> Done<Harvest> {
        let options = self.options(purpose.game, purpose.kind)?;
        let threads = self.threads.map_or_else(all_cores, usize::from);
        let job = Job {
            archives: &archives.paths,
            options: &options,
            dedup: self.dedup(),
            threads,
            memory: self.memory.share(1),
            env: meter.env(),
            folder: place::folder_of(purpose.book),
            kept_folder: place::beside(purpose.book, "-building"),
            resuming: purpose.resuming,
            note: &|line| {
                if !console.quiet {
                    meter.note(line);
                }
            },
        };
        let skips = |list| Skips::new(console, meter, archives, list);
        let list = |begun: Option<&Path>| -> Done<Option<SharedList>> {
            let list = self.errors.as_deref().map(|path| List::create(path, begun, &archives.left_out)).transpose()?;
            Ok(list.map(|list| Arc::new(Mutex::new(list))))
        };
        // Visits take the least of some sizes that has room for what they are to say.
        let gathered = match room_for(options.wanted.columns, options.wanted.evals) {
            0 => job.run::<Visit>(list, skips)?.map(Harvested::new),
            1..=8 => job.run::<RichVisit<8>>(list, skips)?.map(Harvested::new),
            9..=24 => job.run::<RichVisit<24>>(list, skips)?.map(Harvested::new),
            _ => job.run::<RichVisit<{ Columns::MOST }>>(list, skips)?.map(Harvested::new),
        };
        let gathering::Gathered { rows, tally, duplicates, list, kept } = gathered;
        let duplicates = duplicates.map(|found| Duplicates::new(&found, &archives.paths));
        let rest = Rest { list, kept };
        let sources = self.sources(archives, &tally, purpose.known).map_err(|failure| rest.after(failure))?;
        let mut facts = Plan::of(&options, self.dedup(), purpose.min_games).facts(&sources)?;
        facts.extend(plan::of_evals(&options)?);
        Ok(Harvest { rows, sources, facts, tally, duplicates, rest })
    }

    /// What to make of archives for a book of this kind.
    fn options(&self, game: &Known, kind: Kind) -> Done<Options> {
        let mut wanted = Wanted {
            filter: self.filters.filter(game)?,
            evals: self.evals,
            columns: kind.columns,
            players: self.dedup_by == SameByChoice::MovesAndPlayers && self.dedup != DedupChoice::Off,
            keyed: kind.keyed,
            unknown_results: kind.unknown_results(),
            ..Wanted::default()
        };
        self.go.add_to(game, &mut wanted)?;
        let (side, max_ply, join_split) = (self.filters.side(game), self.max_ply, self.join_split);
        let format = self.lines.then_some(Format::Lines);
        Ok(Options { game: game.clone(), format, tables: kind.tables, max_ply, side, wanted, join_split, ..Options::default() })
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

    /// The archives as books remember them; none of them twice, and none that the book knows. Files that were found, not named, and hold no game are none.
    fn sources(&self, archives: &Archives, tally: &Tally, known: &[Source]) -> Done<Vec<Source>> {
        let mut digests: HashSet<Digest> = known.iter().map(|source| source.digest).collect();
        let mut sources = Vec::new();
        for (path, read) in archives.paths.iter().zip(&tally.sources) {
            if read.games.games_read == 0 && archives.is_found(path) {
                continue;
            }
            let source = Source { digest: Digest(read.digest), games: read.games.games_in, name: read.name.clone() };
            if !digests.insert(source.digest) && !self.allow_duplicate_sources {
                return Err(tabia::Error::DuplicateSource { path: path.clone(), name: source.name, games: source.games }.into());
            }
            sources.push(source);
        }
        Ok(sources)
    }
}

fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
