//! `tabia build`: archives to a book.

use crate::console::Console;
use crate::failure::{Done, Verdict};
use crate::games::{self, GameChoice};
use crate::harvest::{Harvest, Kind, KindChoice, Purpose, Reading, Resuming, Summary};
use crate::made::Made;
use crate::output::Output;
use crate::place;
use clap::ValueEnum;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tabia::format::{Header, Load};
use tabia::stream::Played;
use tabia::{Env, NewBook};
use tabia_archives::Tables;
use tabia_games::Known;

/// Build a book from game archives
///
/// Each game counts once for every position it passes and every move it makes there. Games that can't be read, break the rules or have no
/// decided result are skipped, counted by reason and reported.
///
/// The book says of each archive how it was read, as facts (`tabia info`): the options that change what counts (filters, --max-ply, --dedup ...), where
/// they aren't what they are without being said, and where evals come from.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  tabia build -o masters.tabia --max-ply 40 masters.pgn.zst more/*.pgn")]
pub struct Args {
    /// The book to make
    #[arg(short, long, value_name = "BOOK")]
    output: PathBuf,
    #[command(flatten)]
    game: GameChoice,
    /// Leave out positions and moves that were played in fewer games than N
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_games: u64,
    /// The tables to make
    #[arg(long, value_enum, value_delimiter = ',', value_name = "TABLES", default_value = "positions,moves")]
    tables: Vec<Table>,
    /// How full the tables are to be, from 0.5 to 0.98: fuller is smaller and slower
    #[arg(long, default_value = "0.80")]
    load: Load,
    /// Add a filter, with which most probes for absent positions touch no row: 10 bits a position
    #[arg(long)]
    filter: bool,
    #[command(flatten)]
    kind: KindChoice,
    /// Go on with a build that was interrupted, if one was
    #[arg(long)]
    resume: bool,
    /// Keep the work every so many seconds, beside the book in BOOK-building, so that it can be resumed; 0: never
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = seconds)]
    keep_every: Duration,
    /// Replace a file that has the book's name, and discard an interrupted build of it
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    reading: Reading,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A time in seconds.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "give a number of seconds such as 300 or 0.5".to_owned())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Table {
    /// What positions are worth, however reached
    Positions,
    /// What was played at positions
    Moves,
}

/// What was built.
#[derive(Serialize)]
struct Built {
    game: &'static str,
    keys: &'static str,
    #[serde(flatten)]
    summary: Summary,
    #[serde(flatten)]
    made: Made,
}

/// Builds it.
pub fn run(args: &Args, console: &Console) -> Done {
    let start = Instant::now();
    place::check_output(&args.output, args.force)?;
    let meter = console.meter();
    let archives = args.reading.archives(&args.output, args.force)?;
    let tables = Tables { positions: args.tables.contains(&Table::Positions), moves: args.tables.contains(&Table::Moves) };
    let every = Some(args.keep_every).filter(|every| !every.is_zero());
    let resuming = Resuming { resume: args.resume, discard: args.force, every };
    let game = args.game.game(&archives)?;
    let purpose =
        Purpose { book: &args.output, game: &game, kind: args.kind.kind(tables)?, known: &[], min_games: args.min_games, resuming };
    let mut harvest = args.reading.harvest(console, &meter, &archives, &purpose)?;
    let (rest, duplicates) = (std::mem::take(&mut harvest.rest), harvest.duplicates.take());
    let games = harvest.tally.games.clone();
    let header = write(args, &game, purpose.kind, &meter.env(), harvest).map_err(|failure| rest.after(failure))?;
    rest.finish()?;
    drop(meter);
    let built = Built {
        game: game.name(),
        keys: game.keys(),
        summary: Summary::new(&games, duplicates, start.elapsed()),
        made: Made::new(&header),
    };
    let mut out = Output::new();
    if args.json {
        out.json(&built)?;
    } else {
        built.write(&mut out)?;
        out.finish()?;
    }
    Ok(Verdict::Fine)
}

fn write(args: &Args, game: &Known, kind: Kind, env: &Env<'_>, harvest: Harvest) -> Done<Header> {
    let (game, keys) = games::names(game);
    // A row is there because of a game, so that at least one is no condition.
    let min_games = if args.min_games > 1 { args.min_games } else { 0 };
    let positions = Played { rows: harvest.rows.positions(), min_games };
    let moves = Played { rows: harvest.rows.moves(), min_games };
    let mut book =
        NewBook::new(game, keys).keyed(kind.keyed).results(kind.results).load(args.load).filter(args.filter).sources(harvest.sources);
    book = book.facts(harvest.facts);
    if kind.tables.positions {
        book = book.positions(&positions);
    }
    if kind.tables.moves {
        book = book.moves(&moves);
    }
    Ok(book.write(env, &args.output, args.force.into())?)
}

impl Built {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.summary.write(out)?;
        self.made.write(out)?;
        self.summary.write_time(out)
    }
}
