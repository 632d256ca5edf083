//! `tabia stats`: what a book has at each ply, how far games stay in it, and what it lacks that
//! another book has.

use crate::prelude::*;
use crate::reading::{Oddities, Report};
use std::io::BufWriter;
use std::thread::available_parallelism;
use tabia::journal_path;
use tabia_archives::IngestError;
use tabia_build::{BuildObserver, ReadingObserver};
use tabia_games::Node;
use tabia_grow::{Following, GameList};
use tabia_play::text::{Followed, Lacking, Surveyed};
use tabia_play::{Holes, HolesPlan, KnownMoves, Survey};

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
  tabia stats masters.tabia
  tabia stats masters.tabia --archives club.pgn --report left.tsv
  tabia stats mine.tabia --against masters.tabia --white-only")]
pub struct Args {
    /// The book; all its shares or their folder
    #[arg(value_name = "BOOK", required = true)]
    books: Vec<PathBuf>,
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
    /// Replace a file that has the name of --report
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

/// Shows it.
pub fn run(args: &Args, console: &Console) -> Done {
    args.check_report()?;
    let book = open(&args.books, args, console)?;
    let game = games::of(book.header(), book.first().path())?;
    let side = args.side(&game)?;
    let plies = args.max_ply as usize;
    if let Some(other) = &args.against {
        let other = open(slice::from_ref(other), args, console)?;
        check_alike(&book, &other)?;
        let plan = HolesPlan { max_ply: args.max_ply, side, count: args.limit as usize };
        let found = holes(&game, [&book, &other], &plan, console)?;
        return Output::new().show(args.json, &found, |found, out| found.write(out, plies));
    }
    if args.archives.is_empty() {
        // Whose book it is makes no difference; that the game has this side does.
        let meter = console.meter();
        let watch = |step| meter.trimming(step);
        let found = Surveyed::new(&Survey::of(&book, &game, &watch)?);
        drop(meter);
        return Output::new().show(args.json, &found, |found, out| found.write(out, plies));
    }
    let found = follow(&game, args, &book, console)?;
    Output::new().show(args.json, &found, |found, out| found.write(out, plies))
}

fn open(paths: &[PathBuf], args: &Args, console: &Console) -> Done<OpenBook> {
    let book = books::open_any(paths, args.journal.view(), console)?;
    books::check_table(book.first(), TableKind::Moves)?;
    Ok(book)
}

/// Makes sure that both books have the same keys.
fn check_alike(book: &OpenBook, other: &OpenBook) -> Done<()> {
    let of = |book: &OpenBook| {
        let header = book.header();
        (header.game, header.keys, header.keyed)
    };
    let said = |book: &OpenBook| {
        let (game, keys, keyed) = of(book);
        format!("{game} with {keys} keys by {keyed}")
    };
    if of(book) == of(other) {
        return Ok(());
    }
    Err(failure!(
        "{}: it is of {}, and {} of {}: give a book of the same kind",
        other.first().path().display(),
        said(other),
        book.first().path().display(),
        said(book)
    ))
}

/// What is played in another book and not answered in this one.
fn holes(
    start: &Known,
    [book, other]: [&OpenBook; 2],
    plan: &HolesPlan,
    console: &Console,
) -> Done<Lacking> {
    let meter = console.meter();
    let root = Node::start(start.clone(), book.header().keyed == Keyed::Line);
    let found = Holes::of(book.rows(), other.rows(), &root, plan, &|step| meter.trimming(step))?;
    if found.coverage.games == 0 {
        return Err(failure!(
            "{}: it knows no games from the start",
            other.first().path().display()
        ));
    }
    Ok(Lacking::new(&root, &found))
}

/// Where the games of archives leave the book.
fn follow(
    game: &Known,
    args: &Args,
    book: &OpenBook,
    console: &Console,
) -> Done<Followed<Oddities>> {
    let (side, keyed) = (args.side(game)?, book.header().keyed);
    let mut archives = ArchiveList::of(&args.archives)?;
    archives.leave_out_copies()?;
    let root = Node::start(game.clone(), keyed == Keyed::Line);
    let meter = console.meter();
    let known = &KnownMoves::read(book, &|step| meter.trimming(step))?;
    let file = args.report.as_deref().map(|path| NewFile::create(path, args.force)).transpose()?;
    let mut file = file.map(BufWriter::new);
    let path = args.report.as_deref().unwrap_or(Path::new(""));
    let failed = |error| Failure::system(path, "write", &error);
    let name = |path: &PathBuf| one_line(&path.display().to_string());
    let names = archives.paths.iter().map(name).collect();
    let list = file.as_mut().map(|file| GameList::new(file, names, &root).map_err(failed));
    let mut list = list.transpose()?;
    let threads =
        args.threads.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from);
    let mut report = Report::new(console, &meter, None).deferring();
    archives.left_out.iter().for_each(|file| report.left_out(file));
    let mut observer = ReadingObserver::new(&mut report);
    let (games, skipped) = Following { game, keyed, known, side, threads }
        .archives(&archives.paths, list.as_mut(), &mut observer)
        .map_err(|error| match error {
            IngestError::Archive(error) => error.into(),
            IngestError::Sink(error) => failed(error),
            IngestError::Stopped => Failure::Interrupted,
        })?;
    if games.coverage().games == 0 {
        let why = match skipped {
            0 => "there is none in them".to_owned(),
            skipped => format!("{} can't be read as {}", counted(skipped, "game"), game.name()),
        };
        return Err(failure!("no game of these archives can be followed: {why}"));
    }
    let oddities = report.finish();
    if let Some(mut file) = file {
        file.flush().map_err(failed)?;
        file.into_inner().map_err(|error| Failure::Output(error.into_error()))?.publish()?;
    }
    Ok(Followed::new(&root, &games, args.limit as usize, skipped, oddities))
}

impl Args {
    /// Makes sure that the file to be made is none of those to be read.
    fn check_report(&self) -> Done<()> {
        let Some(report) = &self.report else { return Ok(()) };
        place::check_output(report, self.force)?;
        let inputs = books::named(&self.books)?;
        let journals: Vec<_> = inputs.iter().map(|book| journal_path(book)).collect();
        place::check_distinct(
            report,
            inputs.iter().chain(&journals).chain(&self.archives).map(PathBuf::as_path),
        )
    }

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
