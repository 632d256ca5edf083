//! `tabia export`: a book to another program's book.

mod abk;
mod mcst;
mod polyglot;
mod suite;

use super::dump::target::{self, Target};
use crate::console::Console;
use crate::failure::{Done, Verdict, one_line, told};
use crate::foreign::{Facts, Losses, ending};
use crate::games;
use crate::numbers::{bytes, grouped};
use crate::output::Output;
use serde::Serialize;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use suite::Kind;
use tabia::{Book, View};

/// Write a book for another program
///
/// A Polyglot book (.bin) is made of the moves of a book of chess that is keyed by position. Each has a weight: two for a win and one for a draw, if nothing else is
/// said; where the greatest of a position doesn't fit in 16 bits, all of that position are scaled down. Moves that weigh nothing and those marked `never` are left
/// out. A move marked `always` has the greatest weight, and the others of its position have none. Moves are checked by walking the book from the start of the
/// game: those that are not legal are left out.
///
/// A suite (.epd, .pgn) has the positions of chess at a ply that have so many games, and for --score a score between two bounds, each once however it is
/// reached.
///
/// An Arena book (.abk) is a tree of a chess book's lines from the start, best first: those moves become nodes that have the most games, until the limits are reached. A
/// transposition stands in it once for each line that leads there.
///
/// MCST is the text of Monte-Carlo search trees of Chen and Zhang (2012): {0 wins games {+41 wins games ...}}, the points numbered from the top left,
/// with + for the first player and - for the second. The book must be keyed by line (build --keyed line). A tree can't say draws, evals, flags, marks and ratings: a book that has some is
/// refused, unless they are to be left out.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  tabia export masters.tabia -o masters.bin --min-games 5\n  tabia export masters.tabia -o openings.epd --plies 8 --min-games 50 --score 45..55 --count 500 --seed 1\n  tabia export go.tabia -o tree.mcst\n  tabia export --format mcst go.tabia | zstd > tree.mcst.zst"
)]
pub struct Args {
    /// What to write [default: as the output's name ends]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// The file to make; `-` is standard output [default: -]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Leave out what the other format can't say
    #[arg(long)]
    lossy: bool,
    /// Leave out moves that were played in fewer games than N; of a suite, positions
    #[arg(long, value_name = "N")]
    min_games: Option<u64>,
    #[command(flatten)]
    polyglot: polyglot::Options,
    #[command(flatten)]
    suite: suite::Options,
    #[command(flatten)]
    abk: abk::Options,
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
    /// Arena's books of chess (.abk)
    Abk,
    /// Opening suites of chess, a position a line (.epd)
    Epd,
    /// Monte-Carlo search trees as text (.mcst)
    Mcst,
    /// Opening suites of chess, a game a line of play (.pgn)
    Pgn,
    /// Polyglot's books of chess (.bin)
    Polyglot,
}

impl Format {
    /// What a file is to be whose name ends so.
    fn of_ending(ending: &str) -> Option<Self> {
        match ending {
            "abk" => Some(Self::Abk),
            "epd" => Some(Self::Epd),
            "mcst" => Some(Self::Mcst),
            "pgn" => Some(Self::Pgn),
            "bin" => Some(Self::Polyglot),
            _ => None,
        }
    }
}

/// What was written to a target that is not published yet.
struct Written {
    target: Target,
    facts: Facts,
    losses: Losses,
}

/// A file that was made.
#[derive(Serialize)]
struct Exported {
    file: String,
    #[serde(flatten)]
    facts: Facts,
    bytes: u64,
    /// What the book holds and the file doesn't.
    lost: Losses,
}

/// Exports it.
pub fn run(args: &Args, console: &Console) -> Done {
    let output = args.output.as_deref().filter(|&output| output != Path::new("-"));
    let format = args.format(output)?;
    args.check(format)?;
    let book = Book::open_view(&args.book, if args.bare { View::Bare } else { View::Whole })?;
    let game = games::of(book.header(), &args.book)?;
    // Standard output may stand on the terminal.
    let meter = Console { quiet: console.quiet || output.is_none() }.meter();
    let target = output.map_or_else(|| Ok(Target::Output(io::stdout())), |output| target::create(output, &args.book, args.force))?;
    let written = match format {
        Format::Abk => abk::write(args, &book, &meter, target)?,
        Format::Epd => suite::write(args, &book, &game, &meter, target, Kind::Epd)?,
        Format::Mcst => mcst::write(args, &book, &game, &meter, target)?,
        Format::Pgn => suite::write(args, &book, &game, &meter, target, Kind::Pgn)?,
        Format::Polyglot => polyglot::write(args, &book, &game, &meter, target)?,
    };
    let Written { target, facts, losses } = written;
    let file = target.path().map(|path| path.display().to_string());
    let bytes = target.publish()?;
    let lost = losses.in_words();
    if file.is_none() && !console.quiet && !lost.is_empty() {
        meter.note(&format!("left out: {lost}"));
    }
    drop(meter);
    file.map_or(Ok(()), |file| Exported { file, facts, bytes, lost: losses }.tell(args.json))?;
    Ok(Verdict::Fine)
}

impl Args {
    /// What is to be written: as was said, or as the output's name ends.
    fn format(&self, output: Option<&Path>) -> Done<Format> {
        let by_name = || output.and_then(ending).and_then(|ending| Format::of_ending(&ending));
        self.format.or_else(by_name).ok_or_else(|| told!("what to write isn't told by the output's name: give --format"))
    }
}

impl Args {
    /// Makes sure that no option is given that belongs to another format.
    fn check(&self, format: Format) -> Done<()> {
        let of_games = self.min_games.map(|_| "--min-games").filter(|_| format == Format::Mcst);
        let of_polyglot = self.polyglot.given().filter(|_| format != Format::Polyglot);
        let of_suites = self.suite.given().filter(|_| !matches!(format, Format::Epd | Format::Pgn));
        let of_abk = self.abk.given().filter(|_| format != Format::Abk);
        of_games
            .or(of_abk)
            .or(of_polyglot)
            .or(of_suites)
            .map_or(Ok(()), |option| Err(told!("{option} is for another format than the one that is written")))
    }
}

/// Writes to a target through a buffer, and returns the target.
fn written_to<T>(target: Target, write: impl FnOnce(&mut BufWriter<Target>, Option<&Path>) -> Done<T>) -> Done<(Target, T)> {
    let path = target.path().map(Path::to_owned);
    let mut out = BufWriter::with_capacity(1 << 16, target);
    let written = write(&mut out, path.as_deref())?;
    let target = out.into_inner().map_err(|error| target::failure(path.as_deref(), error.into_error()))?;
    Ok((target, written))
}

impl Exported {
    fn tell(&self, json: bool) -> Done<()> {
        let mut out = Output::new();
        if json {
            return out.json(self);
        }
        self.facts.write(&mut out)?;
        self.lost.write(&mut out)?;
        writeln!(out, "bytes       {:>14}  {}  {}", grouped(self.bytes), bytes(self.bytes), one_line(&self.file))?;
        out.finish()
    }
}
