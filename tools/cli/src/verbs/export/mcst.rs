//! Lines of a book to trees as text, MCST.

use super::{Common, Out, Source, Written};
use crate::newfile::refused;
use crate::prelude::*;
use tabia_interop::mcst;

/// Write a search tree as text (MCST), of Go or Othello
///
/// MCST is the text of Monte-Carlo search trees of Chen and Zhang (2012): {0 wins games {+41 wins
/// games ...}}, the points numbered from the top left, with + for the first player and - for the
/// second. The book must be keyed by line (build --keyed line). A tree can't say draws, evals,
/// flags, marks and ratings: a book that has some is refused, unless they are to be left out.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia export mcst go.tabia -o tree.mcst
  tabia export mcst --lossy go.tabia | zstd > tree.mcst.zst")]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) common: Common,
    /// Leave out what a tree can't say
    #[arg(long)]
    lossy: bool,
}

/// Writes a tree; before that it is walked once, so that nothing is written of a book that isn't to
/// be cut down.
pub(super) fn write(args: &Args, source: &Source<'_>, out: &mut Out) -> Done<Written> {
    games::check_points(&source.game)?;
    let found = walk(source, &mut io::sink())?;
    foreign::check(&found.lost, args.lossy, source.path, "a tree")?;
    let written = walk(source, out)?;
    let facts = Facts::default().with("nodes", written.nodes).with("plies", written.plies as u64);
    Ok((facts, written.lost))
}

fn walk(source: &Source<'_>, out: &mut impl Write) -> Done<mcst::Written> {
    let watch = source.watch(source.rows(TableKind::Moves), 1 << 10);
    let written = mcst::write(source.book.read(), &source.game, out, watch);
    written.map_err(refused(source.output))
}
