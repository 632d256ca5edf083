//! `tabia import`: a book of another program to a book.

mod abk;
mod ctg;
mod edax;
mod file;
mod into;
mod legal;
mod mcst;
mod polyglot;

use crate::console::{Console, Meter};
use crate::failure::{Done, Verdict, told};
use crate::foreign::{Facts, Losses};
use crate::games::{self, GameChoice};
use crate::made::Made;
use crate::memory::Memory;
use crate::numbers::seconds;
use crate::output::Output;
use crate::place;
use file::File;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;
use tabia::format::{Header, Keyed, Load, Results, Source};
use tabia::sort::Sorted;
use tabia::{MoveRow, NewBook, PositionRow};
use tabia_games::Known;

/// Make a book of another program's book
///
/// What the file is follows from how it begins, or else from its name.
///
/// A Polyglot book (.bin) becomes the moves of a book of chess, keyed by position. A weight becomes games that are worth it: 7 is three wins and a draw.
/// How many games were lost it doesn't say, and how often a position was reached neither.
///
/// An Arena book (.abk) is a tree of chess: each node becomes a move, and a position behind it. A ChessBase book (.ctg, with .cto and .ctb beside it) is walked from the
/// start of chess. An Edax book of Othello (.dat, .book) says evals in discs, of positions and of moves by the positions behind them; its counts are of
/// lines of the book, not of games. A book that says how often moves were played and never how games ended makes counts without results.
///
/// MCST is the text of Monte-Carlo search trees of Chen and Zhang (2012), of Go and other games whose moves are points of a board: {0 wins games {+41
/// wins games ...}}, the points numbered from the top left, + and - for the sides. Each node becomes a line of the book and its move; lines that are
/// images of each other are one line, whose games are added. The book is keyed by line.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  tabia import -o performance.tabia performance.bin\n  tabia import -o go.tabia tree.mcst\n  tabia import --format mcst --game go-19 -o large.tabia tree.txt.zst"
)]
pub struct Args {
    /// What the file is [default: as its content or its name tells]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,
    /// The book to make
    #[arg(short, long, value_name = "BOOK")]
    output: PathBuf,
    #[command(flatten)]
    game: GameChoice,
    #[command(flatten)]
    polyglot: polyglot::Options,
    #[command(flatten)]
    abk: abk::Options,
    /// How full the tables are to be, from 0.5 to 0.98: fuller is smaller and slower
    #[arg(long, default_value = "0.80")]
    load: Load,
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
    /// The other program's book; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// The books that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Arena's books of chess (.abk)
    Abk,
    /// ChessBase's books of chess (.ctg)
    Ctg,
    /// Edax's books of Othello (.dat, .book)
    Edax,
    /// Monte-Carlo search trees as text
    Mcst,
    /// Polyglot's books of chess (.bin)
    Polyglot,
}

impl Format {
    /// What begins so, if that tells.
    fn of_start(start: &[u8]) -> Option<Self> {
        if start.starts_with(b"\0\0\0\0\0\0\0\0@PG@\n") {
            return Some(Self::Polyglot);
        }
        if start.starts_with(b"\x03AB2") || start.starts_with(b"\x03ABK") {
            return Some(Self::Abk);
        }
        if start.starts_with(b"XADEKOOB") {
            return Some(Self::Edax);
        }
        start.trim_ascii_start().starts_with(b"{0").then_some(Self::Mcst)
    }

    /// What a file is whose name ends so.
    fn of_ending(ending: &str) -> Option<Self> {
        match ending {
            "abk" => Some(Self::Abk),
            "ctg" => Some(Self::Ctg),
            "mcst" => Some(Self::Mcst),
            "bin" => Some(Self::Polyglot),
            _ => None,
        }
    }
}

/// The rows of another book, and what is told of it.
struct Rows {
    game: Known,
    keyed: Keyed,
    results: Results,
    positions: Option<Sorted<PositionRow>>,
    moves: Sorted<MoveRow>,
    source: Source,
    facts: Facts,
    losses: Losses,
}

/// What was in the other book, and what became of it.
#[derive(Serialize)]
struct Imported {
    #[serde(flatten)]
    facts: Facts,
    #[serde(flatten)]
    made: Made,
    /// What the other book holds and this one doesn't.
    lost: Losses,
    seconds: f64,
}

/// Imports it.
pub fn run(args: &Args, console: &Console) -> Done {
    let start = Instant::now();
    place::check_output(&args.output, args.force)?;
    place::check_distinct(&args.output, [args.file.as_path()])?;
    let meter = console.meter();
    let mut file = File::open(&args.file)?;
    let format = args.format.map_or_else(|| file.format(), Ok)?;
    args.check(format)?;
    let mut rows = match format {
        Format::Abk => abk::read(args, &mut file, &meter)?,
        Format::Ctg => ctg::read(args, &mut file, &meter)?,
        Format::Edax => edax::read(args, &mut file, &meter)?,
        Format::Mcst => mcst::read(args, &mut file, &meter)?,
        Format::Polyglot => polyglot::read(args, &mut file, &meter)?,
    };
    let header = write(args, &meter, &rows)?;
    polyglot::check_legal(args, &mut rows, &meter)?;
    drop(meter);
    let imported = Imported { facts: rows.facts, made: Made::new(&header), lost: rows.losses, seconds: seconds(start.elapsed()) };
    let mut out = Output::new();
    if args.json {
        out.json(&imported)?;
    } else {
        imported.write(&mut out)?;
        out.finish()?;
    }
    Ok(Verdict::Fine)
}

impl Args {
    /// Makes sure that no option is given that belongs to another format.
    fn check(&self, format: Format) -> Done<()> {
        let of_polyglot = self.polyglot.given().filter(|_| format != Format::Polyglot);
        let of_abk = self.abk.given().filter(|_| format != Format::Abk);
        let file = self.file.display();
        match (of_polyglot, of_abk) {
            (Some(option), _) => Err(told!("{option} is for Polyglot books, and {file} is none")),
            (_, Some(option)) => Err(told!("{option} is for Arena books, and {file} is none")),
            _ => Ok(()),
        }
    }

    /// The most bytes of a file that is read as a whole.
    fn file_limit(&self) -> u64 {
        self.memory.share(1) as u64
    }
}

fn write(args: &Args, meter: &Meter, rows: &Rows) -> Done<Header> {
    let (game, keys) = games::names(&rows.game);
    let mut book = NewBook::new(game, keys).keyed(rows.keyed).results(rows.results).load(args.load).filter(args.filter);
    if let Some(positions) = &rows.positions {
        book = book.positions(positions);
    }
    book = book.moves(&rows.moves);
    Ok(book.sources(vec![rows.source.clone()]).write(&meter.env(), &args.output, args.force.into())?)
}

impl Imported {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.facts.write(out)?;
        self.lost.write(out)?;
        self.made.write(out)?;
        writeln!(out, "seconds     {:>14.1}", self.seconds)
    }
}
