//! Chess books to Arena's trees.

use super::{Args, Written, written_to};
use crate::console::Meter;
use crate::failure::{Done, Failure, told};
use crate::foreign::{Facts, Losses};
use crate::verbs::dump::target::{self, Target};
use std::io::IsTerminal;
use tabia::{Book, Error, Progress, Stage};
use tabia_interop::abk::{self, Limits, Title, WriteError};

/// How large the tree may become.
#[derive(clap::Args)]
#[group(skip)]
#[command(next_help_heading = "Arena")]
pub(super) struct Options {
    /// The most plies of a line [default: 60]
    #[arg(long, value_name = "N")]
    max_plies: Option<usize>,
    /// The most nodes; those of most games are written [default: 1000000]
    #[arg(long, value_name = "N")]
    max_nodes: Option<usize>,
    /// The most moves of a position; those of most games are written [default: 256]
    #[arg(long, value_name = "N")]
    breadth: Option<usize>,
}

impl Options {
    /// An option that was given, if one was.
    pub fn given(&self) -> Option<&'static str> {
        let given =
            [(self.max_plies.is_some(), "--max-plies"), (self.max_nodes.is_some(), "--max-nodes"), (self.breadth.is_some(), "--breadth")];
        given.into_iter().find(|(is_given, _)| *is_given).map(|(_, name)| name)
    }

    fn limits(&self, games: u64) -> Limits {
        let usual = Limits::default();
        Limits {
            plies: self.max_plies.unwrap_or(usual.plies),
            nodes: self.max_nodes.unwrap_or(usual.nodes),
            breadth: self.breadth.unwrap_or(usual.breadth),
            games,
        }
    }
}

/// Writes the tree. Its comment is the book's name.
pub(super) fn write(args: &Args, book: &Book, meter: &Meter, target: Target) -> Done<Written> {
    if matches!(&target, Target::Output(output) if output.is_terminal()) {
        return Err(told!("standard output is a terminal, and an Arena book is not for reading: give -o NAME"));
    }
    let limits = args.abk.limits(args.min_games.unwrap_or(0));
    let comment = args.book.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let title = Title { comment, author: "tabia".to_owned() };
    let watch = |nodes: u64| {
        let goes_on = !nodes.is_multiple_of(1 << 10) || meter.step(Stage::Writing, nodes, limits.nodes as u64);
        if goes_on { Ok(()) } else { Err(Error::Interrupted) }
    };
    let (target, written) = written_to(target, |out, path| {
        abk::write(book, &title, limits, out, watch).map_err(|error| match error {
            WriteError::Book(error) => error.into(),
            WriteError::Io(error) => target::failure(path, error),
            error => Failure::Told(error.to_string()),
        })
    })?;
    let facts = Facts::default().with("nodes", written.nodes).with("plies", written.plies as u64);
    Ok(Written { target, facts, losses: Losses::default().all(&written.lost.each()) })
}
