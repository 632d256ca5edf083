//! `tabia import`: a book of another program to a book, a subcommand for each format.

#[cfg(feature = "chess")]
mod chess;
#[cfg(feature = "othello")]
mod edax;
mod mcst;
#[cfg(feature = "chess")]
mod polyglot;

use crate::prelude::*;
use std::io::{BufReader, Read};
use tabia::format::{Load, Source};
use tabia::sort::Sorted;
use tabia::{NewBook, PositionRow};
use tabia_archives::Input;
use tabia_interop::{AnyRow, ForeignBook as Kind, Legality, Losses, RowSorter, SortedRows};

/// Make a book of another program's book
///
/// Each format is a command of its own, with its own options: see `tabia import FORMAT --help`.
/// Files may be plain or compressed by zstd, gzip or bzip2. What the file says and a book has no
/// place for is told. A book that says how often moves were played and never how games ended makes
/// counts without results.
#[derive(clap::Args)]
#[command(
    subcommand_value_name = "FORMAT",
    subcommand_help_heading = "Formats",
    disable_help_subcommand = true,
    after_help = "\
Examples:
  tabia import polyglot performance.bin -o performance.tabia
  tabia import mcst tree.mcst -o go.tabia"
)]
pub struct Args {
    #[command(subcommand)]
    format: Format,
}

/// The books that can be read.
#[derive(clap::Subcommand)]
enum Format {
    #[cfg(feature = "chess")]
    Polyglot(polyglot::Args),
    #[cfg(feature = "chess")]
    Abk(chess::AbkArgs),
    #[cfg(feature = "chess")]
    Ctg(chess::CtgArgs),
    #[cfg(feature = "othello")]
    Edax(edax::Args),
    Mcst(mcst::Args),
    #[cfg(feature = "chess")]
    LichessEvals(chess::EvalsArgs),
}

/// Imports it.
pub fn run(args: &Args, console: &Console) -> Done {
    match &args.format {
        #[cfg(feature = "chess")]
        Format::Polyglot(args) => {
            import(args, &args.common, Kind::Polyglot, console, polyglot::read)
        }
        #[cfg(feature = "chess")]
        Format::Abk(args) => import(args, &args.common, Kind::Abk, console, chess::read_abk),
        #[cfg(feature = "chess")]
        Format::Ctg(args) => import(args, &args.common, Kind::Ctg, console, chess::read_ctg),
        #[cfg(feature = "othello")]
        Format::Edax(args) => import(args, &args.common, Kind::Edax, console, edax::read),
        Format::Mcst(args) => import(args, &args.common, Kind::Mcst, console, mcst::read),
        #[cfg(feature = "chess")]
        Format::LichessEvals(args) => {
            import(args, &args.common, Kind::LichessEvals, console, chess::read_evals)
        }
    }
}

/// What all formats ask for.
#[derive(clap::Args)]
struct Common {
    /// The other program's book; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    new: NewBookArgs,
    /// How full the tables are, from 0.5 to 0.98
    ///
    /// Fuller is smaller and slower.
    #[arg(long, default_value = "0.80", help_heading = headings::BOOK)]
    load: Load,
    /// Add a filter, for faster probes of absent positions
    ///
    /// With it most probes for absent positions touch no row; 2 bytes a slot, 20 bits a
    /// position at a load of 0.80.
    #[arg(long, help_heading = headings::BOOK)]
    filter: bool,
    #[command(flatten)]
    sort: SortArgs,
}

/// A file of another program.
struct File {
    /// Its bytes, decompressed as they are read.
    reader: BufReader<Input>,
}

impl File {
    /// Opens a file of this format, plain or compressed; `-` is standard input.
    fn open(path: &Path, format: Kind) -> Done<Self> {
        if let Some(advice) = tabia_archives::unread_book(path) {
            return Err(failure!(
                "{}: it is a book of chess in a format that can't be read (.bkt); {advice}",
                path.display()
            ));
        }
        let input = Input::open_any(path)?;
        match Kind::of_start(input.start()).filter(|found| *found != format) {
            Some(other) => Err(failure!(
                "{}: it begins as {} does, not {}: see `tabia import --help`",
                path.display(),
                other,
                format
            )),
            None => Ok(Self { reader: BufReader::with_capacity(1 << 16, input) }),
        }
    }

    /// All its bytes, as far as there is memory for them.
    fn whole(&mut self, common: &Common) -> Done<Vec<u8>> {
        let (mut bytes, most) = (Vec::new(), common.file_limit());
        self.reader
            .by_ref()
            .take(most.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|error| Failure::system(&common.file, "read", &error))?;
        if bytes.len() as u64 > most {
            return Err(failure!(
                "{}: it holds more than the {most} bytes that there is memory for: give more with --memory",
                common.file.display()
            ));
        }
        self.check_whole()?;
        Ok(bytes)
    }

    /// Makes sure that it was whole, once it has been read to its end: it may have been cut while
    /// it was compressed.
    fn check_whole(&self) -> Done<()> {
        let warning = self.reader.get_ref().warning();
        warning.map_or(Ok(()), |warning| Err(failure!("{warning}: it has to be whole")))
    }

    /// What the book is made of; it has to be read to its end before.
    fn source(&self, games: u64) -> Source {
        let input = self.reader.get_ref();
        Source { digest: Digest(input.digest()), games, name: input.name() }
    }
}

/// The rows of another book, and the report on it.
struct Rows {
    game: Known,
    keyed: Keyed,
    results: Results,
    positions: Option<Sorted<PositionRow>>,
    moves: Sorted<MoveRow>,
    source: Source,
    facts: Facts,
    losses: Losses,
    /// What the book is to say of itself.
    of_book: Vec<Fact>,
    /// Whether to count the legal moves of the new book.
    check_legal: bool,
}

impl Common {
    /// The most bytes of a file that is read as a whole.
    fn file_limit(&self) -> u64 {
        self.sort.share(1) as u64
    }
}

/// Opens the file, has its format read it, writes the book, checks it again if that is asked for, and
/// reports on it.
fn import<A>(
    args: &A,
    common: &Common,
    kind: Kind,
    console: &Console,
    read: fn(&A, &mut File, &Meter) -> Done<Rows>,
) -> Done {
    let start = Instant::now();
    common.new.check([&common.file])?;
    common.sort.begin()?;
    let meter = console.meter();
    let mut file = File::open(&common.file, kind)?;
    let rows = read(args, &mut file, &meter)?;
    let header = write(common, &meter, &rows)?;
    let mut facts = rows.facts;
    if rows.check_legal {
        facts = facts.and(legality(common, &rows.game, &meter).map_err(Failure::after_all)?);
    }
    drop(meter);
    let facts = facts
        .lines(foreign::line_of(&rows.losses))
        .json_of_book(&header)
        .lines_of_book(&header)
        .json("lost", foreign::by_name(&rows.losses))
        .time(start.elapsed());
    Output::of_summary(console).facts(common.new.json, &facts)
}

fn write(common: &Common, meter: &Meter, rows: &Rows) -> Done<Header> {
    let (game, keys) = games::names(&rows.game);
    let mut book = NewBook::new(game, keys)
        .keyed(rows.keyed)
        .results(rows.results)
        .load(common.load)
        .filter(common.filter)
        .facts(rows.of_book.clone());
    if let Some(positions) = &rows.positions {
        book = book.positions(positions);
    }
    book = book.moves(&rows.moves);
    Ok(book.sources(vec![rows.source.clone()]).write(
        &meter.env(),
        &common.new.output,
        common.new.existing(),
    )?)
}

/// What of the new book is legal.
fn legality(common: &Common, game: &Known, meter: &Meter) -> Done<Facts> {
    let book = Book::open(&common.new.output)?;
    let reached = foreign::reached(&book, game, meter).map_err(|error| match error {
        tabia::Error::Interrupted => failure!(
            "interrupted while its moves were checked: {} is made, and whole",
            book.path().display()
        ),
        error => error.into(),
    })?;
    let Legality { legal, illegal, unreached } = reached.legality();
    Ok(Facts::default()
        .noted("legal", legal, "moves of positions that are reached from the start")
        .noted("illegal", illegal, "moves that are not legal in such a position")
        .noted("unreached", unreached, foreign::UNREACHED))
}

/// What rows go into as another book is read: both tables, sorted in bounded memory.
struct Into<'a> {
    meter: &'a Meter,
    rows: RowSorter<'a>,
}

/// Why a book wasn't read: what its format's reader says, or the engine.
type Stopped = Box<dyn std::error::Error>;

/// The failure to read the file.
fn failed(common: &Common) -> impl Fn(Stopped) -> Failure {
    move |stopped| match stopped.downcast::<tabia::Error>() {
        Ok(error) => (*error).into(),
        Err(error) => failure!("{}: {error}", common.file.display()),
    }
}

impl<'a> Into<'a> {
    fn new(common: &Common, meter: &'a Meter) -> Self {
        Self {
            meter,
            rows: RowSorter::new(meter.env(), folder_of(&common.new.output), common.sort.share(2)),
        }
    }

    fn push(&mut self, row: AnyRow) -> Result<(), Stopped> {
        self.rows.push(row)?;
        if self.rows.count().is_multiple_of(1 << 16) {
            self.meter.loading(self.rows.count())?;
        }
        Ok(())
    }

    /// All rows, of a file that was read to its end.
    fn rows(
        self,
        game: Known,
        (keyed, results): (Keyed, Results),
        file: &File,
        games: u64,
    ) -> Done<Rows> {
        let SortedRows { positions, moves } = self.rows.finish()?;
        Ok(Rows {
            game,
            keyed,
            results,
            positions: Some(positions),
            moves,
            source: file.source(games),
            facts: Facts::default(),
            losses: Losses::default(),
            of_book: Vec::new(),
            check_legal: false,
        })
    }
}
