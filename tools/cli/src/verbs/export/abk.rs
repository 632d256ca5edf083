//! Chess books to Arena's trees.

use super::{Common, Out, Source, Written};
use crate::newfile::{check_no_terminal, refused};
use crate::prelude::*;
use tabia_interop::abk::{self, Header, Limits};

/// Write an Arena book (.abk), a tree of chess
///
/// The tree has the lines of a chess book from the start, best first: those moves become nodes that
/// have the most games, until the limits are reached. A transposition stands in it once for each
/// line that leads there.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia export abk masters.tabia -o masters.abk
  tabia export abk masters.tabia -o small.abk --min-games 10 --max-ply 30 \\
      --max-nodes 50000")]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) common: Common,
    /// Leave out moves of fewer games
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_games: u64,
    /// The most plies of a line
    #[arg(long, value_name = "N", default_value_t = Limits::default().plies)]
    max_ply: usize,
    /// The most nodes
    ///
    /// Those of most games.
    #[arg(long, value_name = "N", default_value_t = Limits::default().nodes)]
    max_nodes: usize,
    /// The most moves of a position
    ///
    /// Those of most games.
    #[arg(long, value_name = "N", default_value_t = Limits::default().breadth)]
    breadth: usize,
}

/// Writes the tree. Its comment is the book's name.
pub(super) fn write(args: &Args, source: &Source<'_>, out: &mut Out) -> Done<Written> {
    check_no_terminal(source.output, "an Arena book")?;
    let limits = Limits {
        plies: args.max_ply,
        nodes: args.max_nodes,
        breadth: args.breadth,
        games: args.min_games,
    };
    let comment =
        source.path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let header = Header { comment, author: "tabia".to_owned(), ..Header::default() };
    let watch = source.watch(limits.nodes as u64, 1 << 10);
    let written = abk::write(source.book.read(), header, limits, out, watch);
    let written = written.map_err(refused(source.output))?;
    let facts = Facts::default().with("nodes", written.nodes).with("plies", written.plies as u64);
    Ok((facts, written.lost))
}
