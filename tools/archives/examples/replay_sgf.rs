//! How fast SGF is read: parses, replays and keys every position of Go games on one thread, and folds the keys into a checksum. No rows, no tables.
//!
//! `cargo run --release -p tabia-archives --example replay_sgf -- SIZE SYMMETRIES ARCHIVE...`, symmetries 1, 8 or 16. The files are read into memory and cut
//! before the clock starts.

use std::convert::Infallible;
use std::error::Error;
use std::path::Path;
use std::time::Instant;
use tabia_archives::reading::{Fault, Games, Reads};
use tabia_archives::sgf::SgfReader;
use tabia_archives::split::{Chunk, Place, Splitter};
use tabia_archives::{Files, Input, Played, UnknownResults, Wanted};
use tabia_games::go::{Go, Symmetry};

/// What was seen of the games.
#[derive(Default)]
struct Seen {
    games: u64,
    plies: u64,
    checksum: u64,
}

impl Games for Seen {
    type Error = Infallible;

    fn played(&mut self, _: usize, game: &Played) -> Result<(), Infallible> {
        self.games += 1;
        self.plies += game.plies.len() as u64;
        self.checksum = game.plies.iter().fold(self.checksum ^ game.last.0, |sum, ply| sum ^ ply.key);
        Ok(())
    }

    fn skipped(&mut self, _: usize, _: Fault, _: String) {}
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [size, symmetries, archives @ ..] = arguments.as_slice() else { return Err("give SIZE SYMMETRIES ARCHIVE...".into()) };
    let symmetry = match symmetries.as_str() {
        "1" => Symmetry::None,
        "8" => Symmetry::Board,
        _ => Symmetry::BoardAndColors,
    };
    let start = Go::start(size.parse()?, symmetry).ok_or("no such size")?;
    let begun = Instant::now();
    let mut chunks = Vec::new();
    for path in archives {
        let (mut files, mut splitter) = (Files::of(Input::open(Path::new(path))?), Splitter::new(Place::default(), 512 << 10));
        let mut chunk = Chunk::default();
        while splitter.next(&mut files, &mut chunk)? {
            chunks.push(std::mem::take(&mut chunk));
        }
    }
    let cut = begun.elapsed().as_secs_f64();
    let wanted = Wanted { unknown_results: UnknownResults::Count, ..Wanted::default() };
    let (mut reader, mut seen, begun) = (SgfReader::new(start, wanted), Seen::default(), Instant::now());
    for piece in chunks.iter().flat_map(|chunk| chunk.pieces.iter().map(|piece| (&chunk.bytes[piece.start..piece.end], piece.is_last))) {
        reader.read(piece.0, piece.1, &mut seen)?;
    }
    let seconds = begun.elapsed().as_secs_f64();
    let Seen { games, plies, checksum } = seen;
    let bytes: usize = chunks.iter().map(|chunk| chunk.bytes.len()).sum();
    let (megabytes, positions) = (bytes as f64 / 1e6, (plies + games) as f64 / 1e6);
    println!("read, decompressed, unpacked and cut: {megabytes:.1} MB in {cut:.2} s, {:.0} MB/s", megabytes / cut);
    println!("parsed, replayed, keyed: {games} games, {plies} plies, checksum {checksum:016x}, {seconds:.2} s");
    println!("{:.0} MB/s, {:.2} M positions/s", megabytes / seconds, positions / seconds);
    Ok(())
}
