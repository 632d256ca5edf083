//! Reading an archive by one thread and by two: what comes of it must not depend on that.

use std::convert::Infallible;
use std::path::PathBuf;
use tabia::format::Keyed;
use tabia_archives::{
    GameRecord, GameSink, IngestError, Observer, Options, Origin, Skipped, Stats, UnknownResults,
    Wanted, Warning, ingest,
};

/// What came of an archive.
#[derive(PartialEq, Debug)]
pub struct Outcome {
    pub games: Vec<Seen>,
    pub reports: Reports,
    /// How many games were read, or the error in words.
    pub read: Result<u64, String>,
}

/// Where a game stands, its plies, and the key of its end.
type Seen = (u64, Vec<(u64, u16, u8)>, u64);

type Look<'a> = &'a (dyn Fn(&GameRecord) + Sync);

struct Sink<'a> {
    look: Look<'a>,
    seen: Vec<Seen>,
}

impl GameSink for Sink<'_> {
    type Error = Infallible;

    fn game(&mut self, game: &GameRecord, origin: Origin) -> Result<(), Infallible> {
        assert!(!game.plies.is_empty());
        (self.look)(game);
        let plies = game.plies.iter().map(|ply| (ply.key, ply.code, ply.marks.bits()));
        self.seen.push((origin.offset, plies.collect(), game.last.0));
        Ok(())
    }
}

/// What is reported of an archive.
#[derive(Default, PartialEq, Debug)]
pub struct Reports {
    pub skipped: Vec<Skipped>,
    pub warnings: Vec<Warning>,
}

impl Observer for Reports {
    fn skipped(&mut self, skipped: &Skipped) {
        self.skipped.push(skipped.clone());
    }

    fn warned(&mut self, warning: &Warning) {
        self.warnings.push(warning.clone());
    }
}

/// What is wanted of any archive, by the bits of a number from the 32nd to the 35th.
pub fn wanted(hash: u64) -> Wanted {
    let bit = |at: u32| hash >> at & 1 == 1;
    Wanted {
        players: bit(32),
        keyed: if bit(33) { Keyed::Line } else { Keyed::Position },
        unknown_results: if bit(34) { UnknownResults::Count } else { UnknownResults::Skip },
        set_up: bit(35),
        ..Wanted::default()
    }
}

/// Reads archives, by as many threads as there are sinks; the tally, or the error in words.
pub fn read_all<S: GameSink<Error = Infallible> + Send>(
    archives: &[PathBuf],
    options: &Options,
    sinks: &mut [S],
) -> (Result<Stats, String>, Reports) {
    let mut reports = Reports::default();
    let read = ingest(archives, options, sinks, &mut reports).map_err(|error| match error {
        IngestError::Archive(error) => error.to_string(),
        IngestError::Sink(never) => match never {},
        IngestError::Stopped => panic!("nobody asked to stop"),
    });
    (read, reports)
}

/// Reads an archive by one thread with large chunks, and by two with chunks of `chunk_bytes`.
///
/// # Panics
/// If other things come of it.
pub fn read_both_ways(
    archive: &PathBuf,
    options: &Options,
    chunk_bytes: usize,
    look: Look<'_>,
) -> Outcome {
    let one = read(archive, options, 1, look);
    let two = read(archive, &Options { chunk_bytes, ..options.clone() }, 2, look);
    match (&one.read, &two.read) {
        (Err(one), Err(two)) => assert_eq!(one, two),
        _ => assert_eq!(one, two),
    }
    one
}

fn read(archive: &PathBuf, options: &Options, threads: usize, look: Look<'_>) -> Outcome {
    let mut sinks: Vec<_> = (0..threads).map(|_| Sink { look, seen: Vec::new() }).collect();
    let (read, reports) = read_all(std::slice::from_ref(archive), options, &mut sinks);
    let read = read.map(|tally| tally.games.games_read);
    let mut games: Vec<_> = sinks.into_iter().flat_map(|sink| sink.seen).collect();
    games.sort();
    if let Ok(read) = read {
        assert_eq!(read, (games.len() + reports.skipped.len()) as u64);
    }
    Outcome { games, reports, read }
}
