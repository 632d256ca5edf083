//! `tabia import`: a book of another program to a book.

mod mcst;

use crate::console::{Console, Meter};
use crate::failure::{Done, Verdict};
use crate::games::{self, GameChoice};
use crate::made::Made;
use crate::memory::Memory;
use crate::numbers::{grouped, seconds};
use crate::output::Output;
use crate::place;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;
use tabia::format::{Header, Keyed, Load, Source};
use tabia::sort::{Sorted, Sorter};
use tabia::storage::System;
use tabia::{MoveRow, NewBook, PositionRow};
use tabia_games::Known;

/// Make a book of another program's book
///
/// MCST is the text of Monte-Carlo search trees of Chen and Zhang (2012), of Go and other games whose moves are points of a board: {0 wins games {+41
/// wins games ...}}, the points numbered from the top left, + and - for the sides. Each node becomes a line of the book and its move; lines that are
/// images of each other are one line, whose games are added. The book is keyed by line.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  tabia import --format mcst -o go.tabia tree.mcst\n  tabia import --format mcst --game go-19 -o large.tabia tree.mcst.zst"
)]
pub struct Args {
    /// What the file is
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Format,
    /// The book to make
    #[arg(short, long, value_name = "BOOK")]
    output: PathBuf,
    #[command(flatten)]
    game: GameChoice,
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
    /// Monte-Carlo search trees as text
    Mcst,
}

/// What was in the other book.
#[derive(Serialize)]
struct Imported {
    /// Nodes of the tree.
    nodes: u64,
    /// Plies of its longest line.
    plies: usize,
    /// Games of its root.
    games: u64,
    #[serde(flatten)]
    made: Made,
    seconds: f64,
}

/// The rows of another book, and where they come from.
struct Rows {
    positions: Sorted<PositionRow>,
    moves: Sorted<MoveRow>,
    keyed: Keyed,
    source: Source,
    nodes: u64,
    plies: usize,
}

/// What rows go into as they are read.
struct Into<'a> {
    positions: Sorter<'a, PositionRow>,
    moves: Sorter<'a, MoveRow>,
}

/// Imports it.
pub fn run(args: &Args, console: &Console) -> Done {
    let start = Instant::now();
    place::check_output(&args.output, args.force)?;
    place::check_distinct(&args.output, [args.file.as_path()])?;
    // The paper's trees are of 9x9 boards.
    let game = args.game.game_or(|| Ok("go-9"))?;
    let meter = console.meter();
    let rows = match args.format {
        Format::Mcst => mcst::read(args, &game, &meter)?,
    };
    let header = write(args, &game, &meter, &rows)?;
    drop(meter);
    let imported = Imported {
        nodes: rows.nodes,
        plies: rows.plies,
        games: rows.source.games,
        made: Made::new(&header),
        seconds: seconds(start.elapsed()),
    };
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
    /// Where rows are sorted.
    fn sorters(&self) -> Into<'static> {
        let (folder, memory) = (place::folder_of(&self.output), self.memory.share(2));
        Into { positions: Sorter::new(&System, folder, memory), moves: Sorter::new(&System, folder, memory) }
    }
}

fn write(args: &Args, game: &Known, meter: &Meter, rows: &Rows) -> Done<Header> {
    let (game, keys) = games::names(game);
    let book = NewBook::new(game, keys).keyed(rows.keyed).load(args.load).filter(args.filter).sources(vec![rows.source.clone()]);
    Ok(book.positions(&rows.positions).moves(&rows.moves).write(&meter.env(), &args.output, args.force)?)
}

impl Imported {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "nodes       {:>14}  of {} plies at most", grouped(self.nodes), self.plies)?;
        writeln!(out, "games       {:>14}", grouped(self.games))?;
        self.made.write(out)?;
        writeln!(out, "seconds     {:>14.1}", self.seconds)
    }
}
