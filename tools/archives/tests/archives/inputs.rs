//! Archives as files: compressed or not, whole or cut, several at once, and files that are none.

use crate::shared::{Each, file, take, take_file, take_text};
use std::io::Write;
use std::path::PathBuf;
use tabia_archives::{
    ArchiveError, Checkpoint, GameRecord, GameSink, IngestError, IngestProgress, Options, Saver,
    SourceCheckpoint, ingest, ingest_from,
};
use xxhash_rust::xxh3::xxh3_128;

const GAMES: &str = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n[Event \"b\"]\n[Result \"0-1\"]\n\n1. d4 d5 0-1\n\n";

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).expect("compressed")
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("compressed");
    encoder.finish().expect("compressed")
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
    encoder.write_all(bytes).expect("compressed");
    encoder.finish().expect("compressed")
}

fn error(content: &[u8], name: &str) -> String {
    let (_folder, path) = file(name, content);
    let taken = take(&[path], &Options::default(), 1).map(|taken| taken.stats.games.games_read);
    taken.map_err(|error| error.to_string()).expect_err(name)
}

#[test]
fn compression_is_told_by_content_and_streams_may_follow_each_other() {
    let plain = GAMES.repeat(3_000).into_bytes();
    let (first, second) = plain.split_at(plain.len() / 3);
    let two = |pack: fn(&[u8]) -> Vec<u8>| [pack(first), pack(second)].concat();
    // A frame that says nothing may come first.
    let skipped = [b"\x51\x2a\x4d\x18\0\0\0\0", &zstd(&plain)[..]].concat();
    let [zstds, gzips, bzip2s] = [zstd, gzip, bzip2].map(|pack| [pack(&plain), two(pack)]);
    let mut results = Vec::new();
    for content in [[plain.clone(), skipped], zstds, gzips, bzip2s].concat() {
        let taken = take_file("games.txt", &content, &Options::default(), 1);
        assert_eq!(taken.games_in(), 6_000);
        let source = &taken.stats.sources[0];
        assert_eq!(source.digest, xxh3_128(&plain).to_be_bytes());
        assert_eq!(source.bytes, plain.len() as u64);
        assert_eq!(source.name, "games.txt");
        assert_eq!(taken.warnings, []);
        results.push(taken.rows);
    }
    assert!(results.iter().all(|rows| *rows == results[0]));
}

#[test]
fn what_can_be_read_of_a_cut_archive_goes_in_with_a_warning() {
    let mut rng = tabia_testing::Rng::new(1);
    let mut game = |number| {
        let event = format!("{number} {:x}", rng.bits());
        format!("[Event \"{event}\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n")
    };
    let games: String = (0..20_000).map(&mut game).collect();
    for (pack, name) in [(zstd as fn(&[u8]) -> Vec<u8>, "zstd"), (gzip, "gzip"), (bzip2, "bzip2")] {
        let whole = pack(games.as_bytes());
        let taken = take_text(&whole[..whole.len() * 2 / 3]);
        assert!((2_001..20_000).contains(&taken.games_in()), "{name}: {}", taken.games_in());
        let warning = &taken.warnings[0];
        assert_eq!(warning.offset, taken.stats.sources[0].bytes, "{name}");
        assert!(warning.to_string().contains("is cut off or damaged near byte"), "{warning}");
    }
}

#[test]
fn a_cut_plain_archive_is_read_to_its_end() {
    let taken = take_text(&GAMES.as_bytes()[..GAMES.len() - 8]);
    assert_eq!((taken.games_in(), taken.warnings.len()), (2, 0));
}

#[test]
fn other_files_are_refused_with_advice() {
    for (content, name, looks) in [
        (b"PK\x03\x04aaaa".as_slice(), "games.zip", "it looks like a zip archive; unpack it first"),
        (b"7z\xbc\xaf\x27\x1caaaa", "games.7z", "it looks like a 7z archive"),
        (b"\xfd7zXZ\x00aaaa", "games.pgn.xz", "it looks like an xz file; decompress it first"),
        (b"Rar!\x1a\x07\x00", "games.rar", "it looks like a rar archive"),
        (
            b"\x89TABIA\r\n\x01\x00\x00\x00",
            "book.tabia",
            "it looks like a Tabia book; books are merged: tabia merge",
        ),
        (
            b"Scid.si\x00\x01\x90",
            "base.si4",
            "it looks like the index of a Scid database; export its games as PGN",
        ),
        (
            b"\x46\x3b\x96\x18\x16\x91\xfc\x9c\x03\x1c\x00\x01\x00\x00\x00\x00",
            "book.bin",
            "it looks like a Polyglot book",
        ),
        (b"\x00\x00\x00\x2c\x00\x2e\x01", "base.cbh", "it looks like a ChessBase database"),
        (b"\xff\xfe[\x00E\x00v\x00", "games.pgn", "it looks like text in UTF-16; convert it"),
        (b"\x00\x01\x02\x03\x04\x05\x06\x07", "games.pgn", "it looks like binary data"),
        (b"<!DOCTYPE html><html></html>", "games.pgn", "it looks like a web page"),
        (b"Dear Sir,\nthank you for the game.\n", "letter.txt", "there is no game in it"),
    ] {
        let text = error(content, name);
        let said = [name, "is not a game archive", looks];
        assert!(said.iter().all(|said| text.contains(said)), "{text}");
        let inside = error(&zstd(content), &format!("{name}.zst"));
        let is_named = !matches!(name, "book.bin" | "base.cbh");
        let said = if is_named { &said[1..] } else { &said[1..2] };
        assert!(said.iter().all(|said| inside.contains(said)), "{inside}");
    }
    let tar = [&[b'a'; 257][..], b"ustar\x0000", &[0; 300]].concat();
    assert!(error(&tar, "games.tar").contains("there is no game in it"));
    let damaged = [0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3];
    assert!(error(&damaged, "games.pgn.zst").contains("can't decompress"));
}

#[test]
fn an_empty_archive_is_one() {
    for content in [b"".as_slice(), b"\n\r\n \n", &zstd(b""), &gzip(b"")] {
        let taken = take_text(content);
        assert_eq!(taken.stats.games.games_read, 0);
        assert_eq!(taken.stats.sources.len(), 1);
    }
}

#[test]
fn what_is_wrong_with_the_last_archive_is_said_before_the_first_is_read() {
    let (folder, good) = file("games.pgn", GAMES.as_bytes());
    let missing = folder.path().join("missing.pgn");
    let result = take(&[good.clone(), missing], &Options::default(), 1);
    assert!(matches!(result, Err(IngestError::Archive(ArchiveError::Open { .. }))));
    let result = take(&[good.clone(), folder.path().to_owned()], &Options::default(), 1);
    assert!(matches!(result, Err(IngestError::Archive(ArchiveError::Folder { .. }))));
    let result = take(&[PathBuf::from("-"), PathBuf::from("-")], &Options::default(), 1);
    assert!(matches!(result, Err(IngestError::Archive(ArchiveError::StandardInputTwice))));
}

#[test]
fn sources_are_kept_apart_and_text_without_games_among_them_is_an_error() {
    let (folder, first) = file("a.pgn", GAMES.as_bytes());
    let second = folder.path().join("b.pgn");
    std::fs::write(&second, "[Event \"c\"]\n[Result \"*\"]\n\n1. c4 *\n").expect("a file");
    for threads in 1..4 {
        let archives = [first.clone(), second.clone(), first.clone()];
        let taken =
            take(&archives, &Options::default(), threads).unwrap_or_else(|error| panic!("{error}"));
        let sources = taken.stats.sources.iter().map(|source| &source.games);
        let games = sources.map(|games| (games.games_read, games.games_in));
        assert!(games.eq([(2, 2), (1, 0), (2, 2)]));
        assert_eq!(taken.skipped[0].archive.as_ref(), second.to_string_lossy());
    }
    let letter = folder.path().join("letter.txt");
    std::fs::write(&letter, "Dear Sir,").expect("a file");
    for threads in 1..3 {
        let archives = [first.clone(), letter.clone(), second.clone()];
        let Err(IngestError::Archive(ArchiveError::NoGame { path, .. })) =
            take(&archives, &Options::default(), threads)
        else {
            panic!("{threads} threads find a game")
        };
        assert_eq!(path, letter);
    }
}

mod stopping {
    use super::*;
    use std::ops::ControlFlow;
    use tabia_archives::{Observer, Origin};

    struct Full(u32);

    impl GameSink for Full {
        type Error = &'static str;

        fn game(&mut self, _: &GameRecord, _: Origin) -> Result<(), &'static str> {
            self.0 += 1;
            if self.0 > 10 { Err("no space left") } else { Ok(()) }
        }
    }

    struct Impatient;

    impl Observer for Impatient {
        fn progress(&mut self, progress: &IngestProgress) -> ControlFlow<()> {
            assert!(progress.bytes <= progress.total_bytes.expect("a file has a length"));
            ControlFlow::Break(())
        }
    }

    #[test]
    fn a_sink_that_fails_stops_everything_and_so_does_the_observer() {
        let (_folder, path) = file("games.pgn", GAMES.repeat(20_000).as_bytes());
        for threads in 1..4 {
            let mut sinks: Vec<Full> = (0..threads).map(|_| Full(0)).collect();
            let options = Options { chunk_bytes: 10_000, ..Options::default() };
            let result = ingest(std::slice::from_ref(&path), &options, &mut sinks, &mut ());
            assert!(matches!(result, Err(IngestError::Sink("no space left"))));
            let mut sinks: Vec<_> =
                (0..threads).map(|_| Each(|_: u64, _: &GameRecord| {})).collect();
            let result = ingest(std::slice::from_ref(&path), &options, &mut sinks, &mut Impatient);
            assert!(matches!(result, Err(IngestError::Stopped)));
        }
    }
}

#[derive(Default)]
struct First(Option<Checkpoint>);

impl<S: GameSink> Saver<S> for First {
    fn is_due(&self, _: &IngestProgress) -> bool {
        self.0.is_none()
    }

    fn save(&mut self, checkpoint: &Checkpoint, _: &mut [&mut S], _: bool) -> Result<(), S::Error> {
        self.0.get_or_insert_with(|| checkpoint.clone());
        Ok(())
    }
}

/// An archive that was read in part and waits, after an interruption, keeps where it was.
#[test]
fn an_archive_that_waits_is_read_on_where_it_was() {
    let (folder, first) = file("a.pgn", GAMES.repeat(500).as_bytes());
    let second = folder.path().join("b.pgn");
    std::fs::write(&second, GAMES.repeat(500)).expect("a file");
    let options = Options { chunk_bytes: 1_000, ..Options::default() };
    let saved = |sources: Vec<SourceCheckpoint>, archives: &[PathBuf]| {
        let (mut saver, mut sinks) = (First::default(), [Each(|_: u64, _: &GameRecord| {})]);
        let from = Checkpoint { sources };
        let done = ingest_from(from, archives, &options, &mut sinks, &mut (), Some(&mut saver));
        done.unwrap_or_else(|error| panic!("{error}"));
        saver.0.expect("a checkpoint").sources
    };
    let before = saved(Vec::new(), std::slice::from_ref(&second)).remove(0);
    assert!(before.next.game > 0 && !before.is_done);
    let after = saved(vec![SourceCheckpoint::default(), before.clone()], &[first, second]);
    assert_eq!(after[1], before);
}
