//! `tabia stats`: what a book has at each ply, how far games stay in it, and what it lacks that
//! another book has.

mod against;
mod command;
mod cover;
mod follow;
mod survey;

pub use command::run;

use crate::books::ViewChoice;
use crate::failure::{Done, Verdict, failure};
use crate::newfile::NewFile;
use crate::output::Output;
use crate::place;
use crate::svg;
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tabia::journal_path;
use tabia_games::{Known, Side};

/// Show figures by ply, coverage and holes
///
/// What a book has at each ply; where games leave it; what another book has and it lacks.
///
/// A position's ply is the least number of the book's legal moves that lead there from the start; a
/// move's is that of the position it is played in. So each row counts once, however many ways lead
/// to it; what none leads to is told apart. Games are the sums of the rows' games; of rows seen once
/// there is one game; a leaf is a position that is reached and at which the book has no move.
///
/// With --archives games are followed through the book, those without a result too. The book goes
/// on with a move if it has the move at its position, or any move at the position that it leads to.
/// A game leaves at the first ply with which the book doesn't go on, and the position where that is
/// played is an exit. The share answered within n plies is that of the games that have not left by
/// then, among them those that have ended.
///
/// With --against the moves of another book stand in for games. Both are walked together, from the
/// start, by the other's moves that the book goes on with; a move there with which it doesn't go on
/// is a hole. Rows are counted, each once at its least ply: the games in the book at a ply are those
/// of the other's moves at positions reached there, games that left and came back among them. The
/// share answered within n plies is the product of the shares that didn't leave with each of them.
///
/// If the book is of one side (--white-only, --black-only), what this side plays is no exit and no
/// hole, and the share answered is that product with --archives, too: how far the book answers the
/// other side if its own side plays the book's moves.
///
/// Without --archives and --against, and with --archives, the book's moves are held in memory, about
/// 14 bytes each, and the boards of two plies, or about 100 bytes for each exit. With --against only
/// positions that both books reach take memory, 24 bytes each.
///
/// --json has all plies, in `plies`: `positions`, `moves` and `leaves`, `games` and `move_games`,
/// and how many rows were seen once; or `left`, `left_by_own_side` and `answered`, a share of 1. In
/// `top` are the exits or holes: `line` and `moves`, `games` and their `share`, and `answered`,
/// whether the book has another move there.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia stats masters.tabia --svg masters.svg
  tabia stats masters.tabia --archives club.pgn --report left.tsv
  tabia stats mine.tabia --against masters.tabia --white-only")]
pub struct Args {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// Show where the games of these archives leave it
    #[arg(long, value_name = "ARCHIVE", num_args = 1.., conflicts_with = "against")]
    archives: Vec<PathBuf>,
    /// Show what this other book has and it doesn't answer
    #[arg(long, value_name = "OTHER")]
    against: Option<PathBuf>,
    /// The book is for White
    #[arg(long, conflicts_with = "black_only")]
    white_only: bool,
    /// The book is for Black
    #[arg(long)]
    black_only: bool,
    /// Show N plies
    ///
    /// What is later stands together in a line; with --against, no move is looked at that is later.
    #[arg(long, alias = "plies", value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    max_ply: u32,
    /// List K exits, or holes
    ///
    /// Those with the most games.
    #[arg(long, alias = "top", value_name = "K", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    limit: u32,
    /// Write a line for each game to this file
    ///
    /// Its archive, its number there of those that could be read, its first byte and its plies, then
    /// the ply with which it left the book, and by which move, with tabs between them.
    #[arg(long, value_name = "FILE", requires = "archives")]
    report: Option<PathBuf>,
    /// Draw the figures by ply into this file (SVG)
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Replace files that have these names
    #[arg(long)]
    force: bool,
    /// Threads to follow games with, if not one a core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), requires = "archives")]
    threads: Option<u16>,
    #[command(flatten)]
    journal: ViewChoice,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What was found, to be shown.
trait Figures: Serialize {
    /// For people, in so many plies.
    fn write(&self, out: &mut Output, plies: usize) -> io::Result<()>;

    /// A drawing of it.
    fn draw(&self, out: &mut NewFile, title: &str, plies: usize) -> io::Result<()>;
}

/// Shows figures, and draws them first if that is asked for.
fn show(args: &Args, figures: &impl Figures) -> Done {
    let plies = args.max_ply as usize;
    if let Some(path) = &args.svg {
        let mut file = NewFile::create(path, args.force)?;
        let name = args.book.file_name().unwrap_or_default().to_string_lossy();
        figures
            .draw(&mut file, &name, plies)
            .map_err(|error| crate::failure::Failure::system(path, "write", &error))?;
        file.publish()?;
    }
    let mut out = Output::new();
    if args.json {
        out.json(figures)?;
    } else {
        figures.write(&mut out, plies)?;
        out.finish()?;
    }
    Ok(Verdict::Fine)
}

impl Args {
    /// Makes sure that the files to be made are none of those to be read.
    fn check_files(&self, files: &[&Path]) -> Done<()> {
        let books = self.against.iter().chain([&self.book]);
        let inputs: Vec<PathBuf> =
            books.flat_map(|book| [book.clone(), journal_path(book)]).collect();
        for (number, file) in files.iter().enumerate() {
            place::check_output(file, self.force)?;
            let others = files[..number].iter().copied();
            let inputs = inputs.iter().chain(&self.archives).map(PathBuf::as_path);
            place::check_distinct(file, inputs.chain(others))?;
        }
        Ok(())
    }

    /// Whose book it is, if it is of one side.
    fn side(&self, game: &Known) -> Done<Option<Side>> {
        let (flag, name) = match (self.white_only, self.black_only) {
            (true, _) => ("--white-only", "White"),
            (_, true) => ("--black-only", "Black"),
            _ => return Ok(None),
        };
        match game.sides().iter().position(|side| *side == name) {
            Some(0) => Ok(Some(Side::First)),
            Some(_) => Ok(Some(Side::Second)),
            None => Err(failure!("{flag}: {} has no such side", game.name())),
        }
    }
}

/// A drawing of parts by ply.
fn drawn(
    out: &mut NewFile,
    title: &str,
    parts: [&str; 2],
    columns: &[(usize, [f64; 2])],
    number: fn(f64) -> String,
) -> io::Result<()> {
    svg::Columns { title, below: "ply", parts, columns, number }.draw(out)?;
    out.flush()
}
