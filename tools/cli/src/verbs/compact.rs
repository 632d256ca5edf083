//! `tabia compact`: the journal into the book.

use crate::prelude::*;

/// Put the journal of a book into the book
///
/// Writes a new book beside the old one and puts it in its place; readers go on with the old one
/// until they open it again. A packed book stays packed. A folder is the set of the shares in it, each
/// of which is compacted; interrupted, the same command does the rest.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia compact masters.tabia
  tabia add masters.tabia this-week.pgn && tabia compact masters.tabia
  tabia compact masters.tabia --pack
  tabia compact shares/")]
pub struct Args {
    /// The book, or a set's folder
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// Pack the book: an eighth to a tenth of the bytes
    ///
    /// A tenth where moves have their games. As `tabia pack` does, in the book's place; also if there is no journal.
    #[arg(long)]
    pack: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Compacts it.
pub fn run(args: &Args, console: &Console) -> Done {
    let facts = if args.book.is_dir() {
        let shares = books::shares(&args.book)?;
        stray::check_all(shares.iter().map(PathBuf::as_path), console)?;
        books::each(&shares, console, "compacted", |share| compact(args, share, console))?
    } else {
        compact(args, &args.book, console)?
    };
    Output::of_summary(console).facts(args.json, &facts)
}

fn compact(args: &Args, path: &Path, console: &Console) -> Done<Facts> {
    let start = Instant::now();
    // What is wrong with the book is said when it is locked.
    let book = Book::open_view(path, View::Bare).ok();
    let packed = args.pack || book.as_ref().is_some_and(|book| book.header().packed);
    let meter = console.meter_of(&stages::merging(packed, book.as_slice(), false));
    drop(book);
    let mut writer = stray::open_writer(&meter, path)?;
    let (frames, was_packed) = (writer.journal().frames, writer.header().packed);
    let changed = writer.compact_as(args.pack || was_packed)?;
    let header = writer.header();
    let length = bytes(header.file_length);
    let said = match frames {
        _ if !changed => "the journal is empty: there is nothing to do".to_owned(),
        0 => format!("the book is packed and has {length} now"),
        frames => {
            let frames = counted(frames, "frame");
            let is = if header.packed == was_packed { "has" } else { "is packed and has" };
            format!("{frames} went into the book, which {is} {length} now")
        }
    };
    Ok(Facts::default()
        .json("changed", changed)
        .json("frames", frames)
        .json_of_book(header)
        .json("seconds", seconds(start.elapsed()))
        .line(said))
}
