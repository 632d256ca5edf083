//! Any bytes as an archive of any game: tags and moves, WTHOR, GGF, transcripts, SGF, tar archives
//! of those. No panic, no hang, no greed; the same games, tally, reports and warnings whatever the
//! number of threads and the size of chunks; and a game from the usual start is one that its codes
//! play again, through the same keys.
//!
//! The input is the archive; the game, what is wanted and the sizes of chunks follow from what it
//! seems to be and from its hash, so that a small input stays one.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::convert::Infallible;
use std::path::PathBuf;
use tabia::format::Keyed;
use tabia_archives::{
    GameRecord, GameSink, Guess, IngestError, Observer, Options, Origin, Ply, Skipped,
    UnknownResults, Wanted, Warning, guess, ingest,
};
use tabia_fuzz::folder;
use tabia_games::{Game, Known, WithGame};

/// What came of an archive: all that must not depend on threads and chunks.
#[derive(PartialEq, Debug)]
struct Outcome {
    games: Vec<Seen>,
    skipped: Vec<Skipped>,
    warnings: Vec<Warning>,
    read: Result<u64, String>,
}

/// Where a game stands, its plies, and the key of its end.
type Seen = (u64, Vec<(u64, u16, u8)>, u64);

struct Sink {
    game: Known,
    /// Keys are those of positions.
    by_position: bool,
    seen: Vec<Seen>,
}

impl GameSink for Sink {
    type Error = Infallible;

    fn game(&mut self, game: &GameRecord, origin: Origin) -> Result<(), Infallible> {
        assert!(!game.plies.is_empty());
        if self.by_position {
            self.game.with(Again(game));
        }
        self.seen.push((
            origin.offset,
            game.plies.iter().map(|ply| (ply.key, ply.code, ply.marks.bits())).collect(),
            game.last.0,
        ));
        Ok(())
    }
}

/// Plays a game again by its codes, if it is one from the usual start.
struct Again<'a>(&'a GameRecord);

impl WithGame for Again<'_> {
    type Output = ();

    fn with<G: Game>(self, start: &G) {
        let mut position = start.clone();
        if position.key() != self.0.plies[0].key {
            return;
        }
        for &Ply { key, code, side, .. } in &self.0.plies {
            // In Go a move may be made out of turn, or by rules that allow suicide or the recapture
            // of a ko.
            let Some(played) = position
                .move_of_code(code)
                .filter(|_| position.side() == side && position.key() == key)
            else {
                assert!(
                    start.name().starts_with("go-"),
                    "{code} can't be played at {}",
                    position.setup()
                );
                return;
            };
            position.play(&played);
        }
        assert_eq!((position.key(), position.side()), self.0.last);
    }
}

#[derive(Default)]
struct Reports(Vec<Skipped>, Vec<Warning>);

impl Observer for Reports {
    fn skipped(&mut self, skipped: &Skipped) {
        self.0.push(skipped.clone());
    }

    fn warned(&mut self, warning: &Warning) {
        self.1.push(warning.clone());
    }
}

fuzz_target!(|bytes: &[u8]| {
    let folder = folder();
    let path = folder.path().join("games");
    std::fs::write(&path, bytes).expect("room for an archive");
    let hash = xxhash_rust::xxh3::xxh3_64(bytes);
    let names = [
        ("othello", "zobrist-8"),
        ("othello", "zobrist"),
        ("checkers", "zobrist-2"),
        ("draughts-10", "zobrist"),
        ("go-9", "zobrist-8"),
        ("chess", "polyglot"),
    ];
    // Mostly the game that it seems to be of, sometimes another.
    let by_hash = names[hash as usize % names.len()];
    let seems = |&&(name, _): &&(&str, &str)| matches!(guess(&path), Ok(Some(Guess::Game(guess))) if guess == name);
    let (name, keys) =
        names.iter().find(seems).filter(|_| hash >> 8 & 3 > 0).copied().unwrap_or(by_hash);
    let options = Options {
        game: Known::of(name, keys).expect("a game"),
        wanted: wanted(hash),
        ..Options::default()
    };
    let one = run(&[path.clone()], &options, 1);
    let two = run(
        &[path.clone()],
        &Options { chunk_bytes: 1 + (hash >> 16) as usize % 300, ..options },
        2,
    );
    match (&one.read, &two.read) {
        (Err(one), Err(two)) => assert_eq!(one, two),
        _ => assert_eq!(one, two),
    }
});

/// What is wanted, by the bits of a number.
fn wanted(hash: u64) -> Wanted {
    let bit = |at: u32| hash >> at & 1 == 1;
    Wanted {
        evals: bit(31),
        players: bit(32),
        keyed: if bit(33) { Keyed::Line } else { Keyed::Position },
        unknown_results: if bit(34) { UnknownResults::Count } else { UnknownResults::Skip },
        set_up: bit(35),
        variations: bit(36),
        ..Wanted::default()
    }
}

fn run(archives: &[PathBuf], options: &Options, threads: usize) -> Outcome {
    let by_position = options.wanted.keyed == Keyed::Position;
    let mut sinks: Vec<_> = (0..threads)
        .map(|_| Sink { game: options.game.clone(), by_position, seen: Vec::new() })
        .collect();
    let mut reports = Reports::default();
    let read = ingest(archives, options, &mut sinks, &mut reports)
        .map(|tally| tally.games.games_read)
        .map_err(|error| match error {
            IngestError::Archive(error) => error.to_string(),
            IngestError::Sink(never) => match never {},
            IngestError::Stopped => panic!("nobody asked to stop"),
        });
    let mut games: Vec<_> = sinks.into_iter().flat_map(|sink| sink.seen).collect();
    games.sort();
    if let Ok(read) = read {
        assert_eq!(read, (games.len() + reports.0.len()) as u64);
    }
    Outcome { games, skipped: reports.0, warnings: reports.1, read }
}
