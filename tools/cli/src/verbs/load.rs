//! `tabia load`: text to a book, for rows of any game.

use crate::console::{Console, Meter};
use crate::failure::{Done, Failure, Verdict, told};
use crate::memory::Memory;
use crate::numbers::{bytes, grouped, seconds};
use crate::output::Output;
use crate::place;
use crate::text::{Entry, Head, Reader};
use serde::Serialize;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;
use tabia::format::{Header, Keyed, Load, Name};
use tabia::sort::{Sorted, Sorter};
use tabia::storage::System;
use tabia::{MoveRow, NewBook, PositionRow, TableKind};

/// Make a book of rows written as text
///
/// Reads what `tabia dump` writes, and what other programs write in the same form: a line `#positions<tab>key<tab>wins...` or
/// `#moves<tab>key<tab>move<tab>wins...` names the columns of the rows that follow, in any order; those left out are 0, or - for an eval. Rows
/// may come in any order; those of the same key (and move) are merged. A key is 16 hexadecimal digits, all else is decimal.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  tabia dump old.tabia | awk -F'\\t' '/^#/ || $2+$3+$4 >= 10' | tabia load -o new.tabia -\n  \
                        tabia load -o go.tabia --game go --keys mine rows.tsv")]
pub struct Args {
    /// The book to make
    #[arg(short, long, value_name = "BOOK")]
    output: PathBuf,
    /// The game, if the text doesn't say it: 1 to 16 of a-z, 0-9 and -
    #[arg(long, value_name = "NAME")]
    game: Option<Name>,
    /// The key scheme, if the text doesn't say it: 1 to 16 of a-z, 0-9 and -
    #[arg(long, value_name = "NAME")]
    keys: Option<Name>,
    /// What the keys stand for, if the text doesn't say it [default: position]
    #[arg(long, value_name = "WHAT", value_enum)]
    keyed: Option<KeyedBy>,
    /// How full the tables are to be, from 0.5 to 0.98 [default: as the text says, or 0.80]
    #[arg(long)]
    load: Option<Load>,
    /// Memory to work with; what doesn't fit is sorted on disk, beside the book
    #[arg(long, value_name = "SIZE", default_value = "2G")]
    memory: Memory,
    /// Add a filter, with which most probes for absent positions touch no row: 10 bits a position
    #[arg(long)]
    filter: bool,
    /// Replace a file that has the book's name
    #[arg(long)]
    force: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// The rows; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
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

/// What was loaded.
#[derive(Serialize)]
struct Loaded {
    /// Rows in the text.
    rows: u64,
    positions: u64,
    moves: u64,
    bytes: u64,
    digest: String,
    seconds: f64,
}

/// Loads it.
pub fn run(args: &Args, console: &Console) -> Done {
    let start = Instant::now();
    place::check_output(&args.output, args.force)?;
    place::check_distinct(&args.output, [args.file.as_path()])?;
    let meter = console.meter();
    let rows = read(args, &meter, open(&args.file)?)?;
    let count = rows.count;
    let header = write(args, &meter, rows)?;
    drop(meter);
    let table = |kind| header.table(kind).map_or(0, |table| table.shape.rows);
    let loaded = Loaded {
        rows: count,
        positions: table(TableKind::Positions),
        moves: table(TableKind::Moves),
        bytes: header.file_length,
        digest: header.digest.to_string(),
        seconds: seconds(start.elapsed()),
    };
    let mut out = Output::new();
    if args.json {
        out.json(&loaded)?;
    } else {
        loaded.write(&mut out)?;
        out.finish()?;
    }
    Ok(Verdict::Fine)
}

fn open(path: &Path) -> Done<Box<dyn BufRead>> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    if path.is_dir() {
        return Err(told!("{}: this is a folder: give a file of rows", path.display()));
    }
    let file = File::open(path).map_err(|error| Failure::system(path, "open", &error))?;
    Ok(Box::new(BufReader::with_capacity(1 << 16, file)))
}

/// The rows of a text, sorted, and what it says of them.
struct Rows {
    head: Head,
    count: u64,
    positions: Sorted<PositionRow>,
    moves: Sorted<MoveRow>,
}

fn read(args: &Args, meter: &Meter, text: Box<dyn BufRead>) -> Done<Rows> {
    let (folder, memory) = (place::folder_of(&args.output), args.memory.share(2));
    let (mut positions, mut moves) = (Sorter::new(&System, folder, memory), Sorter::new(&System, folder, memory));
    let mut reader = Reader::new(text, args.file.display());
    let mut count = 0u64;
    while let Some(entry) = reader.next()? {
        match entry {
            Entry::Position(row) => positions.push(row)?,
            Entry::Move(row) => moves.push(row)?,
        }
        count += 1;
        if count.is_multiple_of(1 << 16) {
            meter.loading(count)?;
        }
    }
    let positions = Sorted::join(&meter.env(), vec![positions.finish()])?;
    let moves = Sorted::join(&meter.env(), vec![moves.finish()])?;
    Ok(Rows { head: reader.into_head(), count, positions, moves })
}

fn write(args: &Args, meter: &Meter, rows: Rows) -> Done<Header> {
    let Head { game, keys, keyed, load, sources, .. } = rows.head;
    let game = agreed(args, "game", args.game, game)?.ok_or_else(|| unsaid(args, "game"))?;
    let keys = agreed(args, "keys", args.keys, keys)?.ok_or_else(|| unsaid(args, "keys"))?;
    let keyed = agreed(args, "keyed", args.keyed.map(KeyedBy::keyed), keyed)?.unwrap_or_default();
    if !rows.head.positions && !rows.head.moves {
        let advice = "the rows need a line such as `#positions<tab>key<tab>wins<tab>draws<tab>losses` above them";
        return Err(told!("{}: there is no table in it: {advice}", args.file.display()));
    }
    let mut book = NewBook::new(game, keys).keyed(keyed).load(args.load.or(load).unwrap_or_default()).filter(args.filter).sources(sources);
    if rows.head.positions {
        book = book.positions(&rows.positions);
    }
    if rows.head.moves {
        book = book.moves(&rows.moves);
    }
    Ok(book.write(&meter.env(), &args.output, args.force)?)
}

/// What the command line and the text say, which must not contradict each other.
fn agreed<T: PartialEq + Display>(args: &Args, what: &str, given: Option<T>, said: Option<T>) -> Done<Option<T>> {
    match (given, said) {
        (Some(given), Some(said)) if given != said => {
            Err(told!("{}: it says #{what} {said}, not {given}: leave --{what} out, or change the text", args.file.display()))
        }
        (given, said) => Ok(given.or(said)),
    }
}

fn unsaid(args: &Args, what: &str) -> Failure {
    told!("{}: it doesn't say the {what} of its rows: give --{what} NAME", args.file.display())
}

impl Loaded {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "rows read   {:>14}", grouped(self.rows))?;
        writeln!(out, "positions   {:>14}\nmoves       {:>14}", grouped(self.positions), grouped(self.moves))?;
        writeln!(out, "bytes       {:>14}  {}\nseconds     {:>14.1}", grouped(self.bytes), bytes(self.bytes), self.seconds)
    }
}
