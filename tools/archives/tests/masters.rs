//! The big archive of master games, against what an independent replay counted. Only in release builds: `cargo test --release -p tabia-archives`.
#![cfg(not(debug_assertions))]

mod shared;

use shared::data;
use std::collections::BTreeMap;
use std::convert::Infallible;
use tabia::row::{MoveRow, PositionRow, Row};
use tabia_archives::{Options, Reason, RowSink, ingest};
use tabia_games::{Chess, Game};

/// W/D/L of every move in the first three plies, by position and code.
#[derive(Default)]
struct Lines(BTreeMap<(u64, u16), [u32; 3]>);

impl RowSink for Lines {
    type Error = Infallible;

    fn game(&mut self, _: &[PositionRow], moves: &[MoveRow]) -> Result<(), Infallible> {
        for row in moves {
            let counts = self.0.entry((row.key(), row.code())).or_default();
            let more = row.counts();
            *counts = [counts[0] + more.wins, counts[1] + more.draws, counts[2] + more.losses];
        }
        Ok(())
    }
}

#[test]
fn games_are_counted_and_reported_by_reason() {
    let Some(path) = data("chess/masters.pgn.zst") else { return };
    let mut sinks = [Lines::default()];
    let tally =
        ingest(&[path], &Options { max_ply: Some(0), ..Options::default() }, &mut sinks, &mut ()).unwrap_or_else(|error| panic!("{error}"));
    // The independent replay says 415,536: it takes 275 games whose tags are followed by two blank lines for two games each, one
    // without moves and one without tags.
    assert_eq!(tally.games.games_read, 415_536 - 275);
    let skipped: Vec<_> =
        Reason::ALL.into_iter().map(|reason| (reason.name(), tally.games.skipped(reason))).filter(|pair| pair.1 > 0).collect();
    assert_eq!(skipped, [("no_result", 87), ("illegal_move", 2)]);
    assert_eq!(tally.games.games_in, 415_172);
}
