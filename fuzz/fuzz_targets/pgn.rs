//! Any bytes as an archive: no panic, no hang, no greed, and the same rows, tally and reports whatever the number of threads and the size of chunks.
//!
//! The input is the archive, plain or compressed; sizes of chunks follow from its hash.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::convert::Infallible;
use std::path::PathBuf;
use tabia::{MoveRow, PositionRow, Row};
use tabia_archives::{IngestError, Observer, OfVisit, Options, Reason, Skipped, Tally, Visit, VisitSink, Visiting, Warning, ingest};
use tabia_fuzz::folder;

/// The rows of all games, and how many games there were.
#[derive(Default)]
struct Rows {
    games: u64,
    positions: Vec<PositionRow>,
    moves: Vec<MoveRow>,
}

impl VisitSink for Rows {
    type Error = Infallible;

    fn game(&mut self, visits: &[Visit]) -> Result<(), Infallible> {
        let positions: Vec<_> = visits.iter().filter_map(|&visit| PositionRow::of_visit(visit)).collect();
        let moves: Vec<_> = visits.iter().filter_map(|&visit| MoveRow::of_visit(visit)).collect();
        assert!(!positions.is_empty(), "a game without a position");
        assert!(positions.iter().all(|row| row.counts().games() == 1) && moves.iter().all(|row| row.counts().games() == 1));
        assert!(unique(&positions) && unique(&moves), "a game counts twice for a row");
        self.games += 1;
        self.positions.extend(positions);
        self.moves.extend(moves);
        Ok(())
    }
}

fn unique<R: Row>(rows: &[R]) -> bool {
    let mut ranks: Vec<_> = rows.iter().map(Row::rank).collect();
    ranks.sort_unstable();
    ranks.is_sorted_by(|one, other| one < other)
}

#[derive(Default, PartialEq, Debug)]
struct Reports {
    skipped: Vec<Skipped>,
    warnings: Vec<Warning>,
}

impl Observer for Reports {
    fn skipped(&mut self, skipped: &Skipped) {
        self.skipped.push(skipped.clone());
    }

    fn warned(&mut self, warning: &Warning) {
        self.warnings.push(warning.clone());
    }
}

/// What came of an archive: all that must not depend on threads and chunks.
#[derive(PartialEq, Debug)]
struct Outcome {
    tally: Result<Tally, String>,
    reports: Reports,
    positions: Vec<PositionRow>,
    moves: Vec<MoveRow>,
}

fuzz_target!(|bytes: &[u8]| {
    let folder = folder();
    let path = folder.path().join("games.pgn");
    std::fs::write(&path, bytes).expect("room for an archive");
    let archives = [path];
    let hash = xxhash_rust::xxh3::xxh3_64(bytes);
    let join_split = hash >> 40 & 1 == 1;
    let max_ply = hash.is_multiple_of(5).then_some((hash >> 8) as u32 % 8);
    let one = run(&archives, Options { max_ply, join_split, ..Options::default() }, 1);
    let chunk_bytes = 1 + (hash >> 16) as usize % 300;
    let two = run(&archives, Options { max_ply, join_split, chunk_bytes, ..Options::default() }, 2);
    match (&one.tally, &two.tally) {
        // An archive that ends in an error: how much of it was read before is left to chance.
        (Err(one), Err(two)) => assert_eq!(one, two),
        _ => assert_eq!(one, two),
    }
    if let Ok(tally) = &one.tally {
        let games = &tally.games;
        let by_reason: u64 = Reason::ALL.iter().map(|&reason| games.skipped(reason)).sum();
        assert_eq!((games.games_read, by_reason), (games.games_in + games.skipped_games(), games.skipped_games()));
        assert_eq!(one.reports.skipped.len() as u64, games.skipped_games());
        let length = tally.sources[0].bytes;
        assert!(one.reports.skipped.iter().all(|skipped| skipped.offset < length), "a game is reported behind the archive's end");
        assert!(one.reports.skipped.is_sorted_by(|one, other| one.offset < other.offset), "two games are reported at one place");
    }
});

fn run(archives: &[PathBuf], options: Options, threads: usize) -> Outcome {
    let mut sinks: Vec<_> = (0..threads).map(|_| Visiting::new(&options, Rows::default())).collect();
    let mut reports = Reports::default();
    let tally = ingest(archives, &options, &mut sinks, &mut reports).map_err(|error| match error {
        IngestError::Archive(error) => error.to_string(),
        IngestError::Sink(never) => match never {},
        IngestError::Stopped => panic!("nobody asked to stop"),
    });
    let sinks: Vec<Rows> = sinks.into_iter().map(|visiting| visiting.sink).collect();
    if let Ok(tally) = &tally {
        assert_eq!(sinks.iter().map(|sink| sink.games).sum::<u64>(), tally.games.games_in);
    }
    let mut positions: Vec<PositionRow> = sinks.iter().flat_map(|sink| sink.positions.iter().copied()).collect();
    let mut moves: Vec<MoveRow> = sinks.iter().flat_map(|sink| sink.moves.iter().copied()).collect();
    positions.sort_by_key(|row| (row.rank(), row.counts().wins, row.counts().draws));
    moves.sort_by_key(|row| (row.rank(), row.counts().wins, row.counts().draws, row.marks()));
    Outcome { tally, reports, positions, moves }
}
