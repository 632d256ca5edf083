//! Lines of a book to trees as text, MCST.

use super::{Args, Written, written_to};
use crate::console::Meter;
use crate::failure::{Done, Failure};
use crate::foreign::{Facts, Losses};
use crate::games;
use crate::verbs::dump::target::{self, Target};
use std::io::{self, Write};
use std::path::Path;
use tabia::{Book, Stage, TableKind};
use tabia_games::{Game, Known, WithGame};
use tabia_interop::mcst::{self, Lost, WriteError};

/// Writes a tree; before that it is walked once, so that nothing is written of a book that isn't to be cut down.
pub(super) fn write(args: &Args, book: &Book, game: &Known, meter: &Meter, target: Target) -> Done<Written> {
    games::check_points(game)?;
    let found = game.with(Walking { book, meter, out: io::sink(), path: None })?;
    losses(found.lost).check(args.lossy, &args.book, "a tree")?;
    let (target, written) = written_to(target, |out, path| game.with(Walking { book, meter, out, path }))?;
    let facts = Facts::default().with("nodes", written.nodes).with("plies", written.plies as u64);
    Ok(Written { target, facts, losses: losses(written.lost) })
}

/// A book to be walked, in any game.
struct Walking<'a, W> {
    book: &'a Book,
    meter: &'a Meter,
    out: W,
    path: Option<&'a Path>,
}

impl<W: Write> WithGame for Walking<'_, W> {
    type Output = Done<mcst::Written>;

    fn with<G: Game>(self, start: &G) -> Self::Output {
        let Self { book, meter, out, path } = self;
        let rows = book.header().table(TableKind::Moves).map_or(0, |table| table.shape.rows);
        let watch = |nodes: u64| {
            let goes_on = !nodes.is_multiple_of(1 << 10) || tabia::Progress::step(meter, Stage::Writing, nodes, rows);
            if goes_on { Ok(()) } else { Err(tabia::Error::Interrupted) }
        };
        mcst::write(book, start, out, watch).map_err(|error| match error {
            WriteError::Book(error) => error.into(),
            WriteError::Io(error) => target::failure(path, error),
            error => Failure::Told(error.to_string()),
        })
    }
}

fn losses(lost: Lost) -> Losses {
    Losses::default()
        .missed("draws", lost.draws, "draws, a game counted at each node")
        .missed("judged_positions", lost.judged, "positions with evals or flags")
        .missed("marked_moves", lost.marked, "moves with marks")
        .missed("rated_moves", lost.rated, "moves with ratings")
        .missed("unreached_rows", lost.unreached, "rows to which no line leads")
        .missed("differing_positions", lost.differing, "positions that aren't worth what the move to them is")
}
