//! Game archives to a book, and more of them into one that is there.

use crate::failure::Failure;
use crate::rows::columns_of;
use crate::work::{self, Ear, Watch};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use tabia::format::Keyed;
use tabia::{Existing, Load, Writer};
use tabia_archives::filter::{Date, PlayerName};
use tabia_archives::{Filtered, Reason, Stats, UnknownResults};
use tabia_build::dedup::{Copies, Dedup, SameBy};
use tabia_build::{ArchiveList, BuildPlan, Resume, Tables};
use tabia_games::{Game, Known, Side};

/// What is wanted of archives: `None` leaves it as the library has it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Options {
    game: Option<String>,
    keys: Option<String>,
    tables: Option<Vec<String>>,
    columns: Option<Vec<String>>,
    by_line: bool,
    results: bool,
    max_ply: Option<u32>,
    side: Option<String>,
    min_games: u64,
    min_rating: Option<u16>,
    max_rating: Option<u16>,
    since: Option<String>,
    until: Option<String>,
    players: Vec<String>,
    min_plies: usize,
    dedup: Option<String>,
    dedup_by_players: bool,
    evals: bool,
    variations: bool,
    load: Option<f64>,
    filter: bool,
    packed: bool,
    threads: Option<usize>,
    memory: Option<usize>,
    resume: bool,
    replace: bool,
    allow_empty: bool,
    allow_duplicate_sources: bool,
    differently: bool,
    skipped_list: Option<PathBuf>,
}

/// What came of the games.
#[derive(IntoPyObject)]
pub struct Outcome {
    read: u64,
    games: u64,
    plies: u64,
    skipped: BTreeMap<&'static str, u64>,
    filtered: BTreeMap<&'static str, u64>,
    copies: Option<u64>,
    sequence: Option<u64>,
}

impl Outcome {
    fn new(stats: &Stats, copies: Option<&Copies>, sequence: Option<u64>) -> Self {
        let games = &stats.games;
        let some = |(name, count): (&'static str, u64)| (count > 0).then_some((name, count));
        let skipped = Reason::ALL.map(|reason| (reason.name(), games.skipped(reason)));
        let filtered = Filtered::ALL.map(|reason| (reason.name(), games.filtered(reason)));
        let left_out = |copies: &Copies| {
            copies.copies.iter().sum::<u64>() + copies.contained.iter().sum::<u64>()
        };
        Self {
            read: games.games_read,
            games: games.games_in,
            plies: games.plies,
            skipped: skipped.into_iter().filter_map(some).collect(),
            filtered: filtered.into_iter().filter_map(some).collect(),
            copies: copies.map(left_out),
            sequence,
        }
    }
}

fn game_of(options: &Options, archives: &ArchiveList) -> Result<Known, Failure> {
    let name = match &options.game {
        Some(name) => name.as_str(),
        None => archives.game()?,
    };
    let mut schemes = Known::all().filter(|known| known.name() == name);
    let known = match &options.keys {
        Some(keys) => schemes.find(|known| known.keys() == keys),
        None => schemes.next(),
    };
    let with = options.keys.as_ref().map_or_else(String::new, |keys| format!(" with keys {keys}"));
    known.ok_or_else(|| Failure::Data(format!("the rules of {name}{with} aren't known here")))
}

fn date(text: Option<&str>) -> Result<Option<Date>, Failure> {
    let parse = |text: &str| {
        text.parse().map_err(|_| {
            Failure::Data(format!("a date is 2024, 2024.05 or 2024.05.17, not {text:?}"))
        })
    };
    text.map(parse).transpose()
}

/// The plan for these archives, without what a book to be made or added to decides.
fn plan_of(options: &Options, game: Known) -> Result<BuildPlan, Failure> {
    let white_first = game.sides()[0] == "White";
    let mut plan = BuildPlan::new(game);
    let filter = &mut plan.read.wanted.filter;
    filter.ratings.min = options.min_rating;
    filter.ratings.max = options.max_rating;
    filter.dates.since = date(options.since.as_deref())?;
    filter.dates.until = date(options.until.as_deref())?;
    filter.min_plies = options.min_plies;
    for name in &options.players {
        let name: PlayerName =
            name.parse().map_err(|_| Failure::Data(format!("{name:?} is no player's name")))?;
        filter.players.push(name);
    }
    plan.read.wanted.evals = options.evals;
    plan.read.wanted.variations = options.variations;
    plan.max_ply = options.max_ply;
    plan.side = match options.side.as_deref() {
        None => None,
        Some(side @ ("white" | "black")) => {
            let first = white_first == (side == "white");
            Some(if first { Side::First } else { Side::Second })
        }
        Some(side) => return Err(Failure::Data(format!("a side is white or black, not {side:?}"))),
    };
    let by = if options.dedup_by_players { SameBy::MovesAndPlayers } else { SameBy::Moves };
    plan.dedup = match options.dedup.as_deref() {
        None => None,
        Some("exact") => Some((Dedup::Exact, by)),
        Some("prefix") => Some((Dedup::Prefix, by)),
        Some(what) => {
            return Err(Failure::Data(format!("dedup is exact or prefix, not {what:?}")));
        }
    };
    plan.read.wanted.players = options.dedup_by_players && plan.dedup.is_some();
    plan.duplicates = options.allow_duplicate_sources.into();
    plan.allow_empty = options.allow_empty;
    plan.threads = options.threads.unwrap_or(plan.threads);
    plan.memory = options.memory.unwrap_or(plan.memory);
    plan.skipped_list.clone_from(&options.skipped_list);
    Ok(plan)
}

/// Puts to a plan what decides the kind of book that is made.
fn of_new_book(plan: &mut BuildPlan, options: &Options) -> Result<(), Failure> {
    if let Some(tables) = &options.tables {
        let has = |name: &str| tables.iter().any(|table| table == name);
        plan.tables = Tables { positions: has("positions"), moves: has("moves") };
        if let Some(other) = tables.iter().find(|table| *table != "positions" && *table != "moves")
        {
            return Err(Failure::Data(format!("tables are positions and moves, not {other:?}")));
        }
    }
    if let Some(columns) = &options.columns {
        plan.read.wanted.columns = columns_of(columns)?;
    }
    plan.read.wanted.keyed = if options.by_line { Keyed::Line } else { Keyed::Position };
    if !options.results {
        plan.read.wanted.unknown_results = UnknownResults::Count;
    }
    plan.min_games = options.min_games;
    plan.load = load_of(options.load)?.unwrap_or(plan.load);
    plan.filter = options.filter;
    plan.packed = options.packed;
    plan.existing = if options.replace { Existing::Replace } else { Existing::Refuse };
    plan.resume = match (options.resume, options.replace) {
        (true, _) => Resume::Continue,
        (false, true) => Resume::Discard,
        (false, false) => Resume::Refuse,
    };
    Ok(())
}

/// How full tables are to be.
pub fn load_of(load: Option<f64>) -> Result<Option<Load>, Failure> {
    let parse = |load: f64| {
        Load::from_thousandths((load * 1000.0).round() as u32)
            .ok_or_else(|| Failure::Data(format!("a load is from 0.5 to 0.98, not {load}")))
    };
    load.map(parse).transpose()
}

fn archives_of(archives: &[PathBuf], options: &Options) -> Result<ArchiveList, Failure> {
    if archives.is_empty() {
        return Err(Failure::Data("no archives".to_owned()));
    }
    let mut list = ArchiveList::of(archives)?;
    if !options.allow_duplicate_sources {
        list.leave_out_copies()?;
    }
    Ok(list)
}

/// Makes a book of archives.
#[pyfunction]
pub fn build(
    py: Python<'_>,
    path: PathBuf,
    archives: Vec<PathBuf>,
    options: Options,
    progress: Option<Py<PyAny>>,
) -> PyResult<Outcome> {
    work::long(py, progress, |watch: &Watch| {
        let archives = archives_of(&archives, &options)?;
        let mut plan = plan_of(&options, game_of(&options, &archives)?)?;
        of_new_book(&mut plan, &options)?;
        let built = plan.build(&watch.env(), &archives, &path, &mut Ear(watch))?;
        Ok(Outcome::new(&built.games, built.copies.as_ref(), None))
    })
}

/// Adds archives to a book, by its journal.
#[pyfunction]
pub fn add(
    py: Python<'_>,
    path: PathBuf,
    archives: Vec<PathBuf>,
    options: Options,
    progress: Option<Py<PyAny>>,
) -> PyResult<Outcome> {
    work::long(py, progress, |watch: &Watch| {
        let env = watch.env();
        let mut archives = archives_of(&archives, &options)?;
        let mut writer = Writer::open(env, &path)?;
        let header = writer.header();
        let (game, keys) = (header.game, header.keys);
        let known = Known::of(game.as_str(), keys.as_str()).ok_or_else(|| {
            Failure::Data(format!("the rules of {game} with keys {keys} aren't known here"))
        })?;
        if !options.allow_duplicate_sources {
            archives.leave_out_known(writer.sources())?;
        }
        let mut plan = plan_of(&options, known)?;
        plan.fit(writer.header());
        if !options.differently {
            plan.read_as_before(writer.sources(), writer.facts())?;
        }
        let added = plan.add(&env, &archives, &path, &mut writer, &mut Ear(watch))?;
        Ok(Outcome::new(&added.games, added.copies.as_ref(), added.sequence))
    })
}
