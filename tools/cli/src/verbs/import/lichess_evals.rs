//! The evaluations that lichess publishes, to rows.

use super::file::File;
use super::{Common, Into, Rows, failed};
use crate::prelude::*;
use tabia::format::{Keyed, Results};
use tabia::{Digest, Fact};
use tabia_games::{Chess, Known};
use tabia_interop::lichess_evals;

/// Read evaluations that lichess publishes (.jsonl)
///
/// The file is lichess_db_eval.jsonl.zst of database.lichess.org. Each position gets the eval of its deepest search, seen from the side to move. Moves aren't
/// read: merge the book with one of games (`tabia merge`), or play from it by --rule eval. The file
/// is read as a stream, and sorted on disk beside the book if it doesn't fit in --memory.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia import lichess-evals evals.jsonl.zst -o evals.tabia
  tabia import lichess-evals --min-depth 30 evals.jsonl.zst -o deep.tabia")]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) common: Common,
    /// Leave positions out that were searched less deep
    #[arg(long, value_name = "PLIES", default_value_t = 0)]
    min_depth: u32,
}

pub(super) fn read(args: &Args, file: &mut File, meter: &Meter) -> Done<Rows> {
    let common = &args.common;
    let mut into = Into::new(common, meter);
    let read = lichess_evals::read(&mut file.reader, args.min_depth, |row| into.push(row));
    file.check_whole()?;
    let read = read.map_err(failed(common))?;
    let evals = "engine=lichess.org; limit=deepest search; unit=centipawns";
    let fact = Fact::new(Digest::NONE, Fact::EVALS.to_owned(), evals.to_owned());
    Ok(Rows {
        facts: Facts::default().with("lines", read.lines).with("searches", read.searches).with_any(
            "mates",
            read.mates,
            "positions with a mate",
        ),
        losses: read.lost,
        of_book: vec![fact.map_err(|why| failure!("{why}"))?],
        ..into.rows(Known::Chess(Chess::start()), (Keyed::Position, Results::Known), file, 0)?
    })
}
