//! `tabia pack`: a book as a packed one, in fewer bytes.

use crate::prelude::*;
use tabia::journal_path;
use tabia_build::whole;

/// Make a packed book of a book: the same content in fewer bytes
///
/// A packed book has all that the plain one has in about an eighth of the bytes: in chess 7 to 8 a
/// position with its moves instead of 60, and about as many in Go. Columns cost more: in chess it is
/// 10 with years, 12 with ratings, and 11 with best games, years and ratings, instead of 106: most of these
/// follow from the game. Every verb takes it as it takes a plain one. A position with all its moves
/// is found by reading 4 KiB. `tabia unpack` makes the plain book of it again, byte for byte (of a
/// compacted book, but for the note which book it was compacted from).
///
/// The journal of the book goes into the packed one, and games beside it (BOOK-games) are put beside
/// the packed one too; the book, its journal and its games stay as they are.
/// `tabia compact --pack` packs a book in its place. Sources, facts, load and filter are kept; load
/// and filter are then those of the plain book that `tabia unpack` makes.
///
/// A folder is the set of the shares in it, which are packed into another folder under the same names.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia pack masters.tabia -o small.tabia
  tabia pack masters.tabia -o small.tabia --force --json | jq .bytes")]
pub struct Args {
    #[command(flatten)]
    repacking: Repacking,
}

/// Packs it.
pub fn run(args: &Args, console: &Console) -> Done {
    repack(&args.repacking, true, console)
}

/// What to write, and where.
#[derive(clap::Args)]
pub struct Repacking {
    /// The book, or a set's folder
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    #[command(flatten)]
    new: NewBookArgs,
}

/// Writes what is in a book, or in each share of a set, once more, packed or plain, and reports it.
pub fn repack(args: &Repacking, packed: bool, console: &Console) -> Done {
    let (from, to) = (&args.book, &args.new.output);
    let facts = if !from.is_dir() {
        args.new.check([from])?;
        args.one(from, to, packed, console)?
    } else if !to.is_dir() {
        let (to, from) = (to.display(), from.display());
        return Err(failure!(
            "{to}: there is no such folder, and {from} is one: the shares in it go into a folder that is there; `tabia merge -o {to} {from}` makes one book of them"
        ));
    } else {
        let at = |share: &Path| to.join(share.file_name().unwrap_or_default());
        let shares = books::shares(from)?;
        shares.iter().try_for_each(|share| args.new.check_at(&at(share), [share]))?;
        books::each(&shares, console, "done", |share| args.one(share, &at(share), packed, console))?
    };
    Output::of_summary(console).facts(args.new.json, &facts)
}

impl Repacking {
    fn one(&self, from: &Path, output: &Path, packed: bool, console: &Console) -> Done<Facts> {
        let start = Instant::now();
        let book = books::open(from, View::Whole, console)?;
        let before = book.header();
        if before.packed == packed {
            let what = if packed { "is packed already" } else { "is not packed" };
            console.note(&format!("{} {what}: this makes a copy", from.display()));
        }
        let books = slice::from_ref(&book);
        let meter =
            console.meter_of(&stages::merging(packed, books, game_files::are_beside(books)));
        let made = whole::copy(&meter.env(), &book, output, packed, self.new.existing())?;
        drop(meter);
        game_files::note_missing(&made.without_games, output, console);
        let (now, frames, journal) = (&made.header, book.journal().frames, journal_path(from));
        let what = if frames == 1 { "frame" } else { "frames" };
        Ok(Facts::default()
            .json("layout_before", layout::name(before))
            .json("bytes_before", before.file_length)
            .json("frames", frames)
            .json_of_book(now)
            .lines_of_rows(now)
            .number_if("journal", frames, format!("{what} of {} went in", journal.display()))
            .number("before", before.file_length, layout::size(before))
            .number("bytes", now.file_length, layout::size(now))
            .games(made.games.as_ref())
            .crowded(now, output, console)
            .time(start.elapsed()))
    }
}
