//! Any bytes as SGF: no panic, no hang, no greed, the same rows, tally and reports whatever the
//! number of threads and the size of chunks; and every position of Go is the one that its set-up
//! text leads back to.
//!
//! The input is the archive; the board's size, what is wanted of its games and the sizes of chunks
//! follow from its hash, so that a small input stays one.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabia_archives::reading::{Fault, Games, Reads, Stopped};
use tabia_archives::sgf::SgfReader;
use tabia_archives::{GameRecord, Options, Reason, Scored, Wanted};
use tabia_fuzz::{folder, read_both_ways, wanted};
use tabia_games::go::{Go, Symmetry};
use tabia_games::{Game, Known};

/// What the reader hands out of any bytes as they are.
struct Alone;

impl Games for Alone {
    fn played(&mut self, _: usize, _: &GameRecord) -> Result<(), Stopped> {
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
    let options = Options { game: Known::Go(start), wanted: wanted_of(hash), ..Options::default() };
    let one = read_both_ways(&path, &options, 1 + (hash >> 16) as usize % 300, &|_| ());
    let length = bytes.len() as u64;
    let mut skipped = one.reports.skipped.iter();
    assert!(skipped.all(|game| game.reason != Reason::NullMove && game.offset < length));
    SgfReader::new(start, options.wanted)
        .read(bytes, true, &mut Alone)
        .expect("nobody stops it");
    if let Ok(position) =
        std::str::from_utf8(bytes).map_err(drop).and_then(|text| start.set_up(text).map_err(drop))
    {
        let again = start.set_up(&position.setup()).expect("its own text");
        assert_eq!(again.key(), position.key());
        assert_eq!((again.setup(), again.diagram()), (position.setup(), position.diagram()));
    }
});

/// What is wanted, by the bits of a number.
fn wanted_of(hash: u64) -> Wanted {
    Wanted {
        scored: [Scored::Never, Scored::Finished, Scored::Unknown, Scored::All]
            [(hash >> 36) as usize % 4],
        corners: (hash >> 38).is_multiple_of(5).then_some((hash >> 40) as u8 % 12),
        ..wanted(hash)
    }
}
