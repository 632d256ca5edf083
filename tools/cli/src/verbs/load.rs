//! `tabia load`: rows in files to a book, of any game.

use crate::made::LayoutArgs;
use crate::prelude::*;
use crate::values::{KEYED, RESULTS};
use tabia::format::Name;
use tabia_interop::rows::{self, Fault, Given, LoadError, Loader, ReadError, ReadRows};

/// What the files need not say.
const UNSAID: &str = "What files may not say";

/// Make a book of rows written as text, JSON Lines or Parquet
///
/// Reads what `tabia dump` writes, and what other programs write in the same forms; which one it is
/// is told by how a file begins. Text: a line `#positions<tab>key<tab>wins...` or
/// `#moves<tab>key<tab>move<tab>wins...` names the columns of the rows that follow; a key is 16
/// hexadecimal digits, all else is decimal. JSON Lines and Parquet have the same columns. Columns
/// come in any order, and those left out are 0, or no eval; rows come in any order, and those of
/// the same key (and move) are merged.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia dump old.tabia | awk -F'\\t' '/^#/ || $2+$3+$4 >= 10' | \\
      tabia load -o new.tabia -
  tabia load -o go.tabia --game go --keys mine rows.tsv
  tabia load -o again.tabia masters.positions.parquet masters.moves.parquet")]
pub struct Args {
    #[command(flatten)]
    new: NewBookArgs,
    /// Let an archive count twice that several files name
    #[arg(long, help_heading = headings::COPIES)]
    allow_duplicate_sources: bool,
    /// The game: 1 to 16 of a-z, 0-9 and -
    #[arg(long, value_name = "NAME", help_heading = UNSAID)]
    game: Option<Name>,
    /// The key scheme: 1 to 16 of a-z, 0-9 and -
    #[arg(long, value_name = "NAME", help_heading = UNSAID)]
    keys: Option<Name>,
    /// What the keys stand for [default: position]
    #[arg(long, value_name = "WHAT", value_parser = one_of(KEYED), help_heading = UNSAID)]
    keyed: Option<Keyed>,
    /// Whether counts know how games ended [default: known]
    #[arg(long, value_name = "WHAT", value_parser = one_of(RESULTS), help_heading = UNSAID)]
    results: Option<Results>,
    #[command(flatten)]
    layout: LayoutArgs,
    #[command(flatten)]
    sort: SortArgs,
    /// The rows; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// Loads it.
pub fn run(args: &Args, console: &Console) -> Done {
    let start = Instant::now();
    args.new.check(&args.files)?;
    if args.files.iter().filter(|file| file.as_path() == Path::new("-")).count() > 1 {
        return Err(failure!("standard input can be read only once: name `-` once"));
    }
    let meter = console.meter();
    args.sort.begin()?;
    let (folder, memory) = (folder_of(&args.new.output), args.sort.share(2));
    let given = Given {
        game: args.game,
        keys: args.keys,
        keyed: args.keyed,
        results: args.results,
        load: args.layout.load,
        filter: args.layout.filter,
        packed: args.layout.pack,
        duplicates: args.allow_duplicate_sources.into(),
    };
    let mut loader = Loader::new(meter.env(), folder, memory, given);
    for file in &args.files {
        let rows = open(file)
            .map_err(|error| LoadError::Read { path: file.clone(), error: error.into() })
            .map_err(failure)?;
        loader.read(file, rows, |count| meter.loading(count)).map_err(failure)?;
    }
    let count = loader.rows();
    let header = loader.write(&args.new.output, args.new.existing()).map_err(failure)?;
    drop(meter);
    let facts = Facts::default()
        .json("rows", count)
        .number("rows read", count, "")
        .json_of_book(&header)
        .lines_of_book(&header)
        .crowded(&header, &args.new.output, console)
        .time(start.elapsed());
    Output::of_summary(console).facts(args.new.json, &facts)
}

/// Opens a file of rows; `-` is standard input.
fn open(path: &Path) -> Result<Box<dyn ReadRows>, ReadError> {
    if path == Path::new("-") { rows::of_stream(io::stdin().lock()) } else { rows::open(path) }
}

/// Why files make no book, and what to do about it.
fn failure(error: LoadError) -> Failure {
    let advice = match &error {
        LoadError::Engine(_) => "",
        LoadError::Read { path, error } => match &**error {
            ReadError::Open(error) => return Failure::system(path, "open", error),
            ReadError::Io(error) => return Failure::system(path, "read", error),
            error => error.fault().map_or("", of_fault),
        },
        LoadError::Contradiction { what, .. } => match *what {
            "game" => ": leave --game out, or load files of one kind",
            "keys" => ": leave --keys out, or load files of one kind",
            "keyed" => ": leave --keyed out, or load files of one kind",
            "results" => ": leave --results out, or load files of one kind",
            _ => ": load each share into a book of its own, and merge these",
        },
        LoadError::NoTable { .. } => {
            ": text needs a line such as `#positions<tab>key<tab>wins<tab>draws<tab>losses` above its rows"
        }
        LoadError::MissingFact(_, "game") => ": give --game NAME",
        LoadError::MissingFact { .. } => ": give --keys NAME",
        _ => "",
    };
    match error {
        LoadError::Engine(error) => error.into(),
        error => failure!("{error}{advice}"),
    }
}

/// What to do about a file that is wrong.
fn of_fault(fault: &Fault) -> &'static str {
    match fault {
        Fault::Folder => ": give a file of rows",
        Fault::Book => ": use `tabia merge`, or load what `tabia dump` writes of it",
        Fault::Stream => ": save it, and give its name",
        Fault::NotRegular => ": save the Parquet file, and give its name",
        Fault::Version(_) => ": use a newer tabia",
        Fault::CutOff(_) | Fault::NoFooter => "; get the whole file",
        Fault::AfterEnd(_) => ": load one dump at a time, or give them as several files",
        Fault::LongLine => ", such as `tabia dump` writes",
        _ => "",
    }
}
