//! `tabia unpack`: a packed book as a plain one.

use super::pack::{Repacking, repack};
use crate::prelude::*;

/// Make a plain book of a packed one
///
/// It has what the packed book has, with the journal of that, in tables of rows, as other programs
/// may want it; they take six to ten times the bytes. What `tabia pack` made of a book without a
/// journal becomes that book again, byte for byte (of a compacted book, but for the note which book
/// it was compacted from). Games beside it (BOOK-games) are put beside the plain one too. The packed
/// book stays as it is. A folder is taken as by `tabia pack`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia unpack small.tabia -o plain.tabia
  tabia unpack small.tabia -o plain.tabia && tabia diff small.tabia plain.tabia")]
pub struct Args {
    #[command(flatten)]
    repacking: Repacking,
}

/// Unpacks it.
pub fn run(args: &Args, console: &Console) -> Done {
    repack(&args.repacking, false, console)
}
