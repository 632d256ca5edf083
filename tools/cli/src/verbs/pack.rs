//! `tabia pack`: a book as a packed one, of an eighth of the bytes.

use crate::console::Console;
use crate::failure::Done;
use crate::layout::Layout;
use crate::repack;

/// Make a packed book of a book: the same content in fewer bytes
///
/// A packed book has all that the plain one has, in about an eighth of the bytes: some 8 a position
/// with its moves, more where moves have ratings and the like. Every verb takes it as it takes a
/// plain one, and `tabia unpack` makes the plain one of it again, byte for byte (but for a note of
/// what a compacted book was made from). A position with all its moves is found by reading one
/// page. Memory-mapped, plain books are faster to look up.
///
/// The journal of the book goes into the packed one; the book and its journal stay as they are. To
/// pack a book in its place: `tabia compact --pack`. Sources, facts, load and filter are kept; load and filter
/// are then those of the plain book that `tabia unpack` makes.
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
    repack::run(&args.repacking, Layout::Packed, console)
}
