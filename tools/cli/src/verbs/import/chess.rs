//! Books of Arena and ChessBase, and the evaluations that lichess publishes, to rows.

use super::{Common, File, Into, Rows, failed};
use crate::prelude::*;
use crate::values::KEYED;
use tabia_games::Chess;
use tabia_interop::{abk, ctg, lichess_evals};

/// Read an Arena book (.abk), a tree of chess
///
/// Each node becomes a move, and a position behind it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia import abk perfect.abk -o perfect.tabia
  tabia import abk --keyed line perfect.abk -o tree.tabia")]
pub(super) struct AbkArgs {
    #[command(flatten)]
    pub(super) common: Common,
    /// What rows are of
    #[arg(long, value_parser = one_of(KEYED), value_name = "WHAT", default_value = "position")]
    keyed: Keyed,
}

pub(super) fn read_abk(args: &AbkArgs, file: &mut File, meter: &Meter) -> Done<Rows> {
    let common = &args.common;
    let bytes = file.whole(common)?;
    let keyed = args.keyed;
    let mut into = Into::new(common, meter);
    let read = abk::read(&bytes, keyed, |row| into.push(row)).map_err(failed(common))?;
    Ok(Rows {
        facts: facts(&read),
        losses: read.lost,
        ..into.rows(Known::Chess(Chess::start()), (keyed, read.results), file, read.games)?
    })
}

fn facts(read: &abk::Read) -> Facts {
    let header = [&read.header.author, &read.header.comment].map(|text| one_line(text)).join(": ");
    Facts::default()
        .noted("header", 1, header)
        .with("nodes", read.nodes)
        .with("plies", read.plies as u64)
        .with("games", read.games)
}

/// Read a ChessBase book (.ctg, with .cto and .ctb beside it)
///
/// It is walked from the start of chess: positions that its moves lead to get their rows.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia import ctg powerbook.ctg -o powerbook.tabia
  tabia import ctg powerbook.ctg -o powerbook.tabia --force --json")]
pub(super) struct CtgArgs {
    #[command(flatten)]
    pub(super) common: Common,
}

/// Reads the file, and the two beside it if they are there.
pub(super) fn read_ctg(args: &CtgArgs, file: &mut File, meter: &Meter) -> Done<Rows> {
    let common = &args.common;
    let bytes = file.whole(common)?;
    let (cto, ctb) = (beside(common, ["cto", "CTO"])?, beside(common, ["ctb", "CTB"])?);
    let files = ctg::Files { ctg: &bytes, cto: cto.as_deref(), ctb: ctb.as_deref() };
    let mut into = Into::new(common, meter);
    let read = ctg::read(files, |row| into.push(row)).map_err(failed(common))?;
    let facts = Facts::default().with("entries", read.positions).with("games", read.games);
    Ok(Rows {
        facts,
        losses: read.lost,
        ..into.rows(
            Known::Chess(Chess::start()),
            (Keyed::Position, read.results),
            file,
            read.games,
        )?
    })
}

/// The bytes of a file that has the book's name and another ending.
fn beside(common: &Common, endings: [&str; 2]) -> Done<Option<Vec<u8>>> {
    for ending in endings {
        let path = common.file.with_extension(ending);
        match std::fs::metadata(&path) {
            Ok(found) if found.len() > common.file_limit() => {
                return Err(failure!("{}: it is too large", path.display()));
            }
            Ok(_) => {
                return std::fs::read(&path)
                    .map(Some)
                    .map_err(|error| Failure::system(&path, "read", &error));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(Failure::system(&path, "read", &error)),
        }
    }
    Ok(None)
}

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
pub(super) struct EvalsArgs {
    #[command(flatten)]
    pub(super) common: Common,
    /// Leave positions out that were searched less deep
    #[arg(long, value_name = "PLIES", default_value_t = 0)]
    min_depth: u32,
}

pub(super) fn read_evals(args: &EvalsArgs, file: &mut File, meter: &Meter) -> Done<Rows> {
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
