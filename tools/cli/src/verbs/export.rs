//! `tabia export`: a book to another program's book.

use super::dump::target::{self, Target};
use crate::console::{Console, Meter};
use crate::failure::{Done, Failure, Verdict, told};
use crate::games;
use crate::numbers::{bytes, grouped};
use crate::output::Output;
use serde::Serialize;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tabia::{Book, Stage, TableKind, View};
use tabia_games::{Game, Known, WithGame};
use tabia_interop::mcst::{self, Lost, WriteError};

/// Write a book for another program
///
/// MCST is the text of Monte-Carlo search trees of Chen and Zhang (2012): {0 wins games {+41 wins games ...}}, the points numbered from the top left,
/// with + for the first player and - for the second. The book must be keyed by line (build --key line). A tree can't say draws, evals, flags, marks and ratings: a book that has some is
/// refused, unless they are to be left out.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  tabia export --format mcst go.tabia -o tree.mcst\n  tabia export --format mcst go.tabia | zstd > tree.mcst.zst"
)]
pub struct Args {
    /// What to write
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Format,
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// The file to make; `-` is standard output [default: -]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Leave out what the other format can't say
    #[arg(long)]
    lossy: bool,
    /// Leave the journal out
    #[arg(long)]
    bare: bool,
    /// Replace a file that has the output's name
    #[arg(long, requires = "output")]
    force: bool,
    /// Print JSON about the file that was made
    #[arg(long, requires = "output")]
    json: bool,
}

/// The books that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Monte-Carlo search trees as text
    Mcst,
}

/// What was written.
#[derive(Serialize)]
struct Exported {
    file: String,
    nodes: u64,
    plies: usize,
    bytes: u64,
    lost: Losses,
}

/// What the book holds and the file doesn't.
#[derive(Serialize)]
struct Losses {
    draws: u64,
    judged_positions: u64,
    marked_moves: u64,
    rated_moves: u64,
    unreached_rows: u64,
    differing_positions: u64,
}

/// Exports it.
pub fn run(args: &Args, console: &Console) -> Done {
    let book = Book::open_view(&args.book, if args.bare { View::Bare } else { View::Whole })?;
    let game = games::of(book.header(), &args.book)?;
    let output = args.output.as_deref().filter(|&output| output != Path::new("-"));
    // Standard output may stand on the terminal.
    let meter = Console { quiet: console.quiet || output.is_none() }.meter();
    let target = output.map_or_else(|| Ok(Target::Output(io::stdout())), |output| target::create(output, &args.book, args.force))?;
    let (target, written) = match args.format {
        Format::Mcst => mcst(args, &book, &game, &meter, target)?,
    };
    let file = target.path().map(|path| path.display().to_string());
    let length = target.publish()?;
    drop(meter);
    if let Some(file) = file {
        Exported { file, nodes: written.nodes, plies: written.plies, bytes: length, lost: losses(written.lost) }.tell(args.json)?;
    }
    Ok(Verdict::Fine)
}

/// Writes a tree; before that it is walked once, so that nothing is written of a book that isn't to be cut down.
fn mcst(args: &Args, book: &Book, game: &Known, meter: &Meter, target: Target) -> Done<(Target, mcst::Written)> {
    games::check_points(game)?;
    let found = game.with(Walking { book, meter, out: io::sink(), path: None })?;
    if found.lost.any() && !args.lossy {
        return Err(told!(
            "{}: a tree can't say all of it ({}): give --lossy to leave that out",
            args.book.display(),
            in_words(found.lost)
        ));
    }
    let path = target.path().map(Path::to_owned);
    let mut out = BufWriter::with_capacity(1 << 16, target);
    let written = game.with(Walking { book, meter, out: &mut out, path: path.as_deref() })?;
    let target = out.into_inner().map_err(|error| target::failure(path.as_deref(), error.into_error()))?;
    Ok((target, written))
}

/// A book to be walked, in any game.
struct Walking<'a, W> {
    book: &'a Book,
    meter: &'a Meter,
    out: W,
    path: Option<&'a Path>,
}

impl<W: Write> WithGame for Walking<'_, W> {
    type Output = Done<mcst::Written>;

    fn with<G: Game>(self, start: &G) -> Self::Output {
        let Self { book, meter, out, path } = self;
        let rows = book.header().table(TableKind::Moves).map_or(0, |table| table.shape.rows);
        let watch = |nodes: u64| {
            let goes_on = !nodes.is_multiple_of(1 << 10) || tabia::Progress::step(meter, Stage::Writing, nodes, rows);
            if goes_on { Ok(()) } else { Err(tabia::Error::Interrupted) }
        };
        mcst::write(book, start, out, watch).map_err(|error| match error {
            WriteError::Book(error) => error.into(),
            WriteError::Io(error) => target::failure(path, error),
            error => Failure::Told(error.to_string()),
        })
    }
}

fn losses(lost: Lost) -> Losses {
    Losses {
        draws: lost.draws,
        judged_positions: lost.judged,
        marked_moves: lost.marked,
        rated_moves: lost.rated,
        unreached_rows: lost.unreached,
        differing_positions: lost.differing,
    }
}

/// What is lost, as people read it.
fn in_words(lost: Lost) -> String {
    let said = [
        (lost.draws, "draws, a game counted at each node"),
        (lost.judged, "positions with evals or flags"),
        (lost.marked, "moves with marks"),
        (lost.rated, "moves with ratings"),
        (lost.unreached, "rows to which no line leads"),
        (lost.differing, "positions that aren't worth what the move to them is"),
    ];
    let said = said.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{} {what}", grouped(count)));
    said.collect::<Vec<_>>().join("; ")
}

impl Exported {
    fn tell(&self, json: bool) -> Done<()> {
        let mut out = Output::new();
        if json {
            return out.json(self);
        }
        writeln!(out, "{:>14} nodes  {:>8}  {}", grouped(self.nodes), bytes(self.bytes), crate::failure::one_line(&self.file))?;
        out.finish()
    }
}
