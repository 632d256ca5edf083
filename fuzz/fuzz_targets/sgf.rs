//! Any bytes as SGF: no panic, no hang, no greed, the same rows, tally and reports whatever the
//! number of threads and the size of chunks; and every position of Go is the one that its set-up
//! text leads back to.
//!
//! The input is the archive; the board's size, what is wanted of its games and the sizes of chunks
//! follow from its hash, so that a small input stays one.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::convert::Infallible;
use std::path::PathBuf;
use tabia::format::Keyed;
use tabia_archives::reading::{Fault, Games, Reads};
use tabia_archives::sgf::SgfReader;
use tabia_archives::{
    GameRecord, GameSink, IngestError, Observer, Options, Origin, Reason, Scored, Skipped,
    UnknownResults, Wanted, ingest,
};
use tabia_fuzz::folder;
use tabia_games::go::{Go, Symmetry};
use tabia_games::{Game, Known};

/// What came of an archive: all that must not depend on threads and chunks.
#[derive(PartialEq, Debug)]
struct Outcome {
    games: Vec<Seen>,
    skipped: Vec<Skipped>,
    read: Result<u64, String>,
}

/// Where a game stands, its plies, and the key of its end.
type Seen = (u64, Vec<(u64, u16, u8)>, u64);

#[derive(Default)]
struct Sink(Vec<Seen>);

impl GameSink for Sink {
    type Error = Infallible;

    fn game(&mut self, game: &GameRecord, origin: Origin) -> Result<(), Infallible> {
        assert!(!game.plies.is_empty());
        self.0.push((
            origin.offset,
            game.plies.iter().map(|ply| (ply.key, ply.code, ply.marks.bits())).collect(),
            game.last.0,
        ));
        Ok(())
    }
}

#[derive(Default)]
struct Reports(Vec<Skipped>);

impl Observer for Reports {
    fn skipped(&mut self, skipped: &Skipped) {
        self.0.push(skipped.clone());
    }
}

/// What the reader hands out of any bytes as they are.
struct Alone;

impl Games for Alone {
    type Error = Infallible;

    fn played(&mut self, _: usize, _: &GameRecord) -> Result<(), Infallible> {
        Ok(())
    }

    fn skipped(&mut self, _: usize, _: Fault, _: String) {}
}

fuzz_target!(|bytes: &[u8]| {
    let folder = folder();
    let path = folder.path().join("games.sgf");
    std::fs::write(&path, bytes).expect("room for an archive");
    let hash = xxhash_rust::xxh3::xxh3_64(bytes);
    let start =
        Go::start([9, 9, 19, 3, 5][hash as usize % 5], Symmetry::ALL[(hash >> 8) as usize % 3])
            .expect("a size");
    let options = Options { game: Known::Go(start), wanted: wanted(hash), ..Options::default() };
    let one = run(&[path.clone()], &options, 1);
    let two = run(
        &[path],
        &Options { chunk_bytes: 1 + (hash >> 16) as usize % 300, ..options.clone() },
        2,
    );
    match (&one.read, &two.read) {
        (Err(one), Err(two)) => assert_eq!(one, two),
        _ => assert_eq!(one, two),
    }
    assert!(
        one.skipped.iter().all(
            |skipped| skipped.reason != Reason::NullMove && skipped.offset < bytes.len() as u64
        )
    );
    SgfReader::new(start, options.wanted)
        .read(bytes, true, &mut Alone)
        .unwrap_or_else(|never| match never {});
    if let Ok(position) =
        std::str::from_utf8(bytes).map_err(drop).and_then(|text| start.set_up(text).map_err(drop))
    {
        let again = start.set_up(&position.setup()).expect("its own text");
        assert_eq!(
            (again.key(), again.setup(), again.diagram()),
            (position.key(), position.setup(), position.diagram())
        );
    }
});

/// What is wanted, by the bits of a number.
fn wanted(hash: u64) -> Wanted {
    let bit = |at: u32| hash >> at & 1 == 1;
    Wanted {
        players: bit(32),
        keyed: if bit(33) { Keyed::Line } else { Keyed::Position },
        unknown_results: if bit(34) { UnknownResults::Count } else { UnknownResults::Skip },
        set_up: bit(35),
        scored: [Scored::Never, Scored::Finished, Scored::Unknown, Scored::All]
            [(hash >> 36) as usize % 4],
        corners: (hash >> 38).is_multiple_of(5).then_some((hash >> 40) as u8 % 12),
        ..Wanted::default()
    }
}

fn run(archives: &[PathBuf], options: &Options, threads: usize) -> Outcome {
    let mut sinks: Vec<_> = (0..threads).map(|_| Sink::default()).collect();
    let mut reports = Reports::default();
    let read = ingest(archives, options, &mut sinks, &mut reports)
        .map(|tally| tally.games.games_read)
        .map_err(|error| match error {
            IngestError::Archive(error) => error.to_string(),
            IngestError::Sink(never) => match never {},
            IngestError::Stopped => panic!("nobody asked to stop"),
        });
    let mut games: Vec<_> = sinks.into_iter().flat_map(|sink| sink.0).collect();
    games.sort();
    if let Ok(read) = read {
        assert_eq!(read, (games.len() + reports.0.len()) as u64);
    }
    Outcome { games, skipped: reports.0, read }
}
