//! `tabia load`: rows in files to a book, of any game.

mod inputs;
mod moves;
mod said;

use crate::console::{Console, Meter};
use crate::crowded;
use crate::disk::Disk;
use crate::failure::{Done, Failure, Verdict, told};
use crate::made::Made;
use crate::memory::Memory;
use crate::numbers::{grouped, seconds};
use crate::output::Output;
use crate::place;
use crate::rows::{Entry, Head, Reading};
use moves::Moves;
use said::Said;
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;
use tabia::format::{Header, Keyed, Load, Name, Results};
use tabia::sort::{Sorted, Sorter};
use tabia::{MoveRow, NewBook, PositionRow};

/// Make a book of rows written as text, JSON Lines or Parquet
///
/// Reads what `tabia dump` writes, and what other programs write in the same forms; which one it is is told by how a file begins. Text: a line
/// `#positions<tab>key<tab>wins...` or `#moves<tab>key<tab>move<tab>wins...` names the columns of the rows that follow; a key is 16 hexadecimal
/// digits, all else is decimal. JSON Lines and Parquet have the same columns. Columns come in any order, and those left out are 0, or no eval;
/// rows come in any order, and those of the same key (and move) are merged.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  tabia dump old.tabia | awk -F'\\t' '/^#/ || $2+$3+$4 >= 10' | tabia load -o new.tabia -\n  \
                        tabia load -o go.tabia --game go --keys mine rows.tsv\n  \
                        tabia load -o again.tabia masters.positions.parquet masters.moves.parquet")]
pub struct Args {
    /// The book to make
    #[arg(short, long, value_name = "BOOK")]
    output: PathBuf,
    /// The game, if the files don't say it: 1 to 16 of a-z, 0-9 and -
    #[arg(long, value_name = "NAME")]
    game: Option<Name>,
    /// The key scheme, if the files don't say it: 1 to 16 of a-z, 0-9 and -
    #[arg(long, value_name = "NAME")]
    keys: Option<Name>,
    /// What the keys stand for, if the files don't say it [default: position]
    #[arg(long, value_name = "WHAT", value_enum)]
    keyed: Option<KeyedBy>,
    /// Whether counts know how games ended, if the files don't say it; where they don't, all are draws [default: known]
    #[arg(long, value_name = "WHAT", value_enum)]
    results: Option<ResultsAre>,
    /// How full the tables are to be, from 0.5 to 0.98 [default: as the files say, or 0.80]
    #[arg(long)]
    load: Option<Load>,
    /// Memory to work with; what doesn't fit is sorted on disk, beside the book
    #[arg(long, value_name = "SIZE", default_value = "2G")]
    memory: Memory,
    /// Add a filter, with which most probes for absent positions touch no row: 10 bits a position [default: if a file says so]
    #[arg(long)]
    filter: bool,
    /// Let an archive's games count twice that more than one of the files names
    #[arg(long)]
    allow_duplicate_sources: bool,
    /// Replace a file that has the book's name
    #[arg(long)]
    force: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// The rows; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum KeyedBy {
    /// Positions: transpositions meet
    Position,
    /// Lines: the sequence of moves from the start
    Line,
}

impl KeyedBy {
    fn keyed(self) -> Keyed {
        match self {
            Self::Position => Keyed::Position,
            Self::Line => Keyed::Line,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ResultsAre {
    /// Games are counted by their result
    Known,
    /// Games are counted whatever their result, each as a draw
    Unknown,
}

impl ResultsAre {
    fn results(self) -> Results {
        match self {
            Self::Known => Results::Known,
            Self::Unknown => Results::Unknown,
        }
    }
}

/// What was loaded.
#[derive(Serialize)]
struct Loaded {
    /// Rows in the files.
    rows: u64,
    #[serde(flatten)]
    made: Made,
    /// Tables of keys that collide, which are slow to look up.
    crowded: Vec<String>,
    seconds: f64,
}

/// Loads it.
pub fn run(args: &Args, console: &Console) -> Done {
    let start = Instant::now();
    place::check_output(&args.output, args.force)?;
    place::check_distinct(&args.output, args.files.iter().map(PathBuf::as_path))?;
    if args.files.iter().filter(|file| file.as_path() == Path::new("-")).count() > 1 {
        return Err(told!("standard input can be read only once: name `-` once"));
    }
    let meter = console.meter();
    let rows = read(args, &meter)?;
    let count = rows.count;
    let header = write(args, &meter, rows)?;
    drop(meter);
    let crowded = crowded::tables(&header);
    crowded::warn(console, &args.output, &crowded);
    let crowded = crowded::names(&crowded);
    let loaded = Loaded { rows: count, made: Made::new(&header), crowded, seconds: seconds(start.elapsed()) };
    let mut out = Output::new();
    if args.json {
        out.json(&loaded)?;
    } else {
        loaded.write(&mut out)?;
        out.finish()?;
    }
    Ok(Verdict::Fine)
}

/// The rows of all files, sorted, and what the files say of them.
struct Rows {
    said: Said,
    count: u64,
    positions: Sorted<PositionRow>,
    moves: Sorted<MoveRow>,
}

fn read(args: &Args, meter: &Meter) -> Done<Rows> {
    let (folder, memory) = (place::folder_of(&args.output), args.memory.share(2));
    let mut into = Into { positions: Sorter::new(&Disk, folder, memory), moves: Moves::new(meter.env(), folder, memory), count: 0 };
    let mut said = Said { game: args.game, keys: args.keys, keyed: args.keyed.map(KeyedBy::keyed), ..Said::default() };
    said.results = args.results.map(ResultsAre::results);
    for file in &args.files {
        let head = into.read(meter, inputs::open(file)?)?;
        if !head.positions && !head.moves && head.game.is_some() {
            return Err(no_table(file));
        }
        said.add(file, head, args.allow_duplicate_sources)?;
    }
    let positions = Sorted::join(&meter.env(), vec![into.positions.finish()])?;
    let moves = into.moves.finish()?;
    Ok(Rows { said, count: into.count, positions, moves })
}

/// What rows go into as they are read.
struct Into<'a> {
    positions: Sorter<'a, PositionRow>,
    moves: Moves<'a>,
    count: u64,
}

impl Into<'_> {
    /// Takes the rows of a file; what it says of them.
    fn read(&mut self, meter: &Meter, mut rows: Box<dyn Reading>) -> Done<Head> {
        while let Some(entry) = rows.next()? {
            match entry {
                Entry::Position(row) => self.positions.push(row)?,
                Entry::Move(played) => self.moves.push(&played)?,
            }
            self.count += 1;
            if self.count.is_multiple_of(1 << 16) {
                meter.loading(self.count)?;
            }
        }
        let head = rows.into_head();
        self.moves.widen(head.columns)?;
        Ok(head)
    }
}

fn write(args: &Args, meter: &Meter, rows: Rows) -> Done<Header> {
    let said = &rows.said;
    let game = said.game.ok_or_else(|| unsaid(args, "game"))?;
    let keys = said.keys.ok_or_else(|| unsaid(args, "keys"))?;
    if said.positions.is_none() && said.moves.is_none() {
        return Err(no_table(&args.files[0]));
    }
    let load = args.load.or(said.load).unwrap_or_default();
    let filter = args.filter || said.filter;
    let mut book = NewBook::new(game, keys)
        .keyed(said.keyed.unwrap_or_default())
        .results(said.results.unwrap_or_default())
        .share(said.share.unwrap_or_default())
        .load(load)
        .filter(filter)
        .sources(said.sources())
        .facts(said.facts.clone());
    if said.positions.is_some() {
        book = book.positions(&rows.positions);
    }
    if said.moves.is_some() {
        book = book.moves(&rows.moves);
    }
    Ok(book.write(&meter.env(), &args.output, args.force.into())?)
}

fn no_table(file: &Path) -> Failure {
    let advice = "text needs a line such as `#positions<tab>key<tab>wins<tab>draws<tab>losses` above its rows";
    told!("{}: there is no table in it: {advice}", file.display())
}

fn unsaid(args: &Args, what: &str) -> Failure {
    told!("{}: it doesn't say the {what} of its rows: give --{what} NAME", args.files[0].display())
}

impl Loaded {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "rows read   {:>14}", grouped(self.rows))?;
        self.made.write(out)?;
        writeln!(out, "seconds     {:>14.1}", self.seconds)
    }
}
