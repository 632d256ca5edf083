//! `tabia pack`: a book as a packed one, in fewer bytes.

use crate::console::Console;
use crate::failure::Done;
use crate::repack;

/// Make a packed book of a book: the same content in fewer bytes
///
/// A packed book has all that the plain one has in about an eighth of the bytes: in chess 7 to 8 a
/// position with its moves instead of 60, and 11 in Go. Columns cost more: in chess it is 10 with
/// years, 12 with ratings, and 11 with best games, years and ratings, instead of 106: most of these
/// follow from the game. Every verb takes it as it takes a plain one. A position with all its moves
/// is found by reading 4 KiB. `tabia unpack` makes the plain book of it again, byte for byte (of a
/// compacted book, but for the note which book it was compacted from).
///
/// The journal of the book goes into the packed one, and games beside it (BOOK-games) are put beside
/// the packed one too; the book, its journal and its games stay as they are.
/// `tabia compact --pack` packs a book in its place. Sources, facts, load and filter are kept; load
/// and filter are then those of the plain book that `tabia unpack` makes.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia pack masters.tabia -o small.tabia
  tabia pack masters.tabia -o small.tabia --force --json | jq .bytes")]
pub struct Args {
    #[command(flatten)]
    repacking: repack::Repacking,
}

/// Packs it.
pub fn run(args: &Args, console: &Console) -> Done {
    repack::run(&args.repacking, true, console)
}
