//! How archives are read: the options that `build` and `add` have in common, and what both report.

mod filters;
mod kind;
mod report;

pub use filters::{Color, side};
pub use kind::KindChoice;
pub use report::{Oddities, Report, is_all_copies, summary};

use crate::prelude::*;
use clap::ArgAction;
use filters::{Filters, GoGames};
use tabia_archives::Format;
use tabia_build::MOST_REFUSED;
use tabia_build::dedup::{Dedup, SameBy};

/// Which copies are left out. `clap` takes an option of the plain name for one that may be missing.
type DedupChoice = Option<Dedup>;

const DEDUP: &[Named<DedupChoice>] = &[
    ("off", None, "Count all games"),
    ("exact", Some(Dedup::Exact), "Leave out exact copies"),
    (
        "prefix",
        Some(Dedup::Prefix),
        "Leave out games that are the beginning of others, broken off, too",
    ),
];
const JOIN_SPLIT: &[Named<bool>] = &[
    ("on", true, "They are one game"),
    (
        "off",
        false,
        "They are a game without moves and one without a result, as for programs that read line by line",
    ),
];
const DEDUP_BY: &[Named<SameBy>] = &[
    ("moves", SameBy::Moves, "Their starting position and moves"),
    ("moves+players", SameBy::MovesAndPlayers, "Their players and date, too"),
];

/// How archives are read.
#[derive(clap::Args)]
pub struct Reading {
    /// Game archives, folders of them, patterns; `-` is standard input
    ///
    /// PGN, SGF, WTHOR, GGF, PDN, transcripts, also as tar, plain or compressed by zstd, gzip or
    /// bzip2; folders, with all files in them that are called so; patterns such as "2024-*.pgn".
    #[arg(value_name = "ARCHIVE", required = true)]
    arguments: Vec<PathBuf>,
    /// Take the first N plies of each game; all without it
    #[arg(long, alias = "max-plies", value_name = "N")]
    max_ply: Option<u32>,
    #[command(flatten)]
    filters: Filters,
    #[command(flatten)]
    go: GoGames,
    /// Keep the evals that engines left in comments
    ///
    /// [%eval 0.17,20] (lichess), +0.25/18 4.1s (cutechess), d=25, wv=0.36 (TCEC).
    #[arg(long, help_heading = headings::COLUMNS)]
    evals: bool,
    /// Count variations too, each as a game
    ///
    /// With the moves that lead to it: for repertoires and annotated games in PGN, PDN and SGF.
    /// Variations have no results, so they count in books of --results unknown.
    #[arg(long, help_heading = headings::ARCHIVES)]
    variations: bool,
    /// Read all archives as games one a line
    ///
    /// Moves with spaces between them, then 1-0, 0-1, 1/2-1/2 or *. Files called .lines are read so
    /// anyway.
    #[arg(long, help_heading = headings::ARCHIVES)]
    lines: bool,
    /// Refuse an archive if over N percent of its games are bad
    ///
    /// Bad are games with illegal or unreadable moves; it takes twenty games at least. The
    /// text is probably in another notation, or of another game.
    #[arg(long, value_name = "N", default_value_t = MOST_REFUSED, value_parser = clap::value_parser!(u8).range(..=100), help_heading = headings::ARCHIVES)]
    max_refused: u8,
    /// Whether tags and moves parted by blank lines are one game
    ///
    /// By two blank lines and more.
    #[arg(long, action = ArgAction::Set, value_parser = one_of(JOIN_SPLIT), default_value = "on", value_name = "WHETHER", help_heading = headings::ARCHIVES)]
    join_split: bool,
    /// Count a game once that is there several times
    ///
    /// Of copies that disagree (on the result, ratings or year) the same one counts in whatever order
    /// they come: a hash of what they say decides. One that is in the book already stays. Needs room
    /// on disk beside the book: about 11 bytes a ply.
    #[arg(long, value_parser = one_of(DEDUP), default_value = "off", value_name = "COPIES", help_heading = headings::COPIES)]
    dedup: DedupChoice,
    /// What makes two games the same
    #[arg(long, value_parser = one_of(DEDUP_BY), default_value = "moves", value_name = "WHAT", help_heading = headings::COPIES)]
    dedup_by: SameBy,
    /// Let an archive count that went in already
    #[arg(long, help_heading = headings::ARCHIVES)]
    pub allow_duplicate_sources: bool,
    /// Let no game go in
    ///
    /// A book without games is made then, and archives are added none of whose games can be read.
    #[arg(long, help_heading = headings::ARCHIVES)]
    allow_empty: bool,
    /// The file for a line about each skipped game
    ///
    /// Archive, byte offset, reason, what exactly, players, line, tags. Files that were found and
    /// left out stand there as comments.
    #[arg(long, value_name = "FILE", help_heading = headings::ARCHIVES)]
    errors: Option<PathBuf>,
    #[command(flatten)]
    pub sort: SortArgs,
    /// Threads to work with [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = headings::MEMORY)]
    threads: Option<u16>,
}

impl Reading {
    /// Takes these archives in place of those that were given, none of whose games has to go in: those of
    /// a part of a build.
    pub fn of_part(&mut self, archives: Vec<PathBuf>) {
        (self.arguments, self.allow_empty) = (archives, true);
    }

    /// Whether a list of skipped games is to be made.
    pub fn has_list(&self) -> bool {
        self.errors.is_some()
    }

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
        plan.read.most_refused = Some(self.max_refused);
        plan.read.wanted.filter = self.filters.filter(game)?;
        plan.read.wanted.evals = self.evals;
        plan.read.wanted.variations = self.variations;
        plan.read.wanted.players = self.dedup_by == SameBy::MovesAndPlayers && self.dedup.is_some();
        self.go.add_to(game, &mut plan.read.wanted)?;
        plan.max_ply = self.max_ply;
        plan.side = self.filters.side(game);
        plan.dedup = self.dedup.map(|dedup| (dedup, self.dedup_by));
        plan.duplicates = self.allow_duplicate_sources.into();
        plan.allow_empty = self.allow_empty;
        self.sort.begin()?;
        plan.memory = self.sort.share(1);
        plan.threads = self.threads.map_or(plan.threads, usize::from);
        plan.skipped_list.clone_from(&self.errors);
        Ok(plan)
    }
}
