//! The evaluations that lichess publishes, `lichess_db_eval.jsonl.zst`: standard chess, a position a
//! line, with the searches that its users' browsers and its servers made.
//!
//! ```text
//! {"fen":"2bq1rk1/pr3ppn/1p2p3/7P/2pP1B1P/2P5/PPQ2PB1/R3R1K1 w - -",
//!  "evals":[{"pvs":[{"cp":311,"line":"g2e4 f7f5"}, ...],"knodes":206765,"depth":36}, ...]}
//! ```
//!
//! - `fen`: four fields; an en passant square only where such a capture is legal.
//! - `evals`: searches, those of more variations first, whatever their depth.
//! - `pvs`: variations, the best first, each with `cp`, hundredths of a pawn, or `mate`, moves until
//!   mate, both seen from White.
//!
//! In rows: a position has the eval of its best variation, seen from the side to move, and the depth
//! (255 if more) of the deepest search; of equally deep ones that with the most nodes, of these the
//! lowest eval, as when books are merged. Moves have no rows, as nobody played them.
//!
//! Where this is from: <https://database.lichess.org/#evals>. The files are in the public domain
//! (CC0).

use crate::lost::reasons;
use crate::{AnyRow, Losses};
use serde::Deserialize;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::io::{self, BufRead, Read as _};
use tabia::{Counts, PositionRow};
use tabia_games::{Chess, Game, Side, row_eval};

/// Bytes of a line; those of the file have some thousands at most.
const LONGEST: usize = 1 << 20;

/// Why a file of evaluations wasn't read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system's word.
    #[error("cannot read: {0}")]
    Io(#[from] io::Error),
    /// This line, counted from 1, isn't what such files have.
    #[error("line {0}: no position with evaluations: {1}")]
    Line(u64, String),
    /// This line, counted from 1, is longer than any in such files.
    #[error("line {0}: longer than {LONGEST} bytes")]
    Long(u64),
}

reasons! {
    /// What a file of evaluations holds and rows don't say, and what is odd in it, by reason.
    lost, is_missed: false;
    /// No king, too many pieces.
    POSITIONS: "illegal", "positions that no game can be played from";
    /// No search says anything.
    EMPTY: "no_eval", "positions without an evaluation";
    SHALLOW: "shallow", "positions that were searched less deep than wanted";
    /// They may stand under another key: see [`tabia_games::Chess::hides_en_passant`].
    EN_PASSANT: "en_passant",
        "positions that may be others: en passant by a pinned pawn isn't told in the file";
}

/// The result of reading evaluations: what was read, and what was lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Read {
    /// Lines, a position each.
    pub lines: u64,
    /// Searches of all these positions.
    pub searches: u64,
    /// Rows that were made.
    pub rows: u64,
    /// Rows whose eval is a mate.
    pub mates: u64,
    /// What the file holds and the rows don't say.
    pub lost: Losses,
}

#[derive(Deserialize)]
struct Entry<'a> {
    #[serde(borrow)]
    fen: Cow<'a, str>,
    evals: Vec<Search>,
}

#[derive(Deserialize)]
struct Search {
    pvs: Vec<Pv>,
    knodes: u64,
    depth: u32,
}

/// What a variation is worth, seen from White.
#[derive(Deserialize)]
struct Pv {
    cp: Option<i32>,
    mate: Option<i32>,
}

/// A search, as a row says it: its eval is seen from the side to move.
#[derive(Clone, Copy)]
struct Found {
    eval: i16,
    is_mate: bool,
    depth: u32,
    knodes: u64,
}

impl Search {
    /// None if it has no variation with a value.
    fn found(&self, side: Side) -> Option<Found> {
        let seen = |number: i32| if side == Side::First { number } else { number.saturating_neg() };
        let &Pv { cp, mate } = self.pvs.first()?;
        let eval = match (mate, cp) {
            (Some(moves), _) => row_eval::of_mate_in_moves(seen(moves)),
            (None, Some(centipawns)) => row_eval::of_number(seen(centipawns)),
            (None, None) => return None,
        };
        Some(Found { eval, is_mate: mate.is_some(), depth: self.depth, knodes: self.knodes })
    }
}

/// Reads evaluations, and hands on the rows that they make for a book of chess keyed by position,
/// of positions that were searched `min_depth` plies deep or more. They have to be sorted and merged.
///
/// Memory: that of a line.
///
/// # Errors
/// [`ReadError`]; whatever `take` gives.
pub fn read<E: From<ReadError>>(
    mut file: impl BufRead,
    min_depth: u32,
    mut take: impl FnMut(AnyRow) -> Result<(), E>,
) -> Result<Read, E> {
    let mut read = Read { lost: Losses::new(lost::ALL), ..Read::default() };
    let mut line = Vec::new();
    let mut number = 0;
    while next_line(&mut file, &mut line).map_err(ReadError::from)? {
        number += 1;
        if line.len() > LONGEST {
            return Err(ReadError::Long(number).into());
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let entry: Entry<'_> = serde_json::from_slice(&line)
            .map_err(|why| ReadError::Line(number, without_place(&why)))?;
        read.lines += 1;
        if let Some(row) = row(&entry, min_depth, &mut read) {
            take(row.into())?;
        }
    }
    Ok(read)
}

/// What is wrong with a line of JSON, and where in it.
fn without_place(why: &serde_json::Error) -> String {
    let text = why.to_string();
    let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
    format!("{what} at byte {}", why.column())
}

/// Reads a line, or as much of it as is too much; whether there is one.
fn next_line(file: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    Ok(file.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', line)? > 0)
}

fn row(entry: &Entry<'_>, min_depth: u32, read: &mut Read) -> Option<PositionRow> {
    read.searches += entry.evals.len() as u64;
    let Ok(position) = Chess::from_setup(&entry.fen) else {
        read.lost.add(lost::POSITIONS, 1);
        return None;
    };
    let found = entry.evals.iter().filter_map(|search| search.found(position.side()));
    let Some(best) = found.max_by_key(|found| (found.depth, found.knodes, Reverse(found.eval)))
    else {
        read.lost.add(lost::EMPTY, 1);
        return None;
    };
    if best.depth < min_depth {
        read.lost.add(lost::SHALLOW, 1);
        return None;
    }
    read.lost.add(lost::EN_PASSANT, u64::from(position.hides_en_passant()));
    read.rows += 1;
    read.mates += u64::from(best.is_mate);
    let depth = best.depth.min(255) as u8;
    Some(PositionRow::new(position.key(), Counts::default()).with_eval(best.eval, depth))
}
