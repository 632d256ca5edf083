//! Archives of archives: the files in a tar are read one by one, each as if it were read alone.

use crate::shared::{Taken, file, take, take_file, tar};
use tabia_archives::{Options, Reason};

const GAME: &str = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n";

fn taken(content: &[u8], threads: usize, chunk_bytes: usize) -> Taken {
    take_file("games.tar", content, &Options { chunk_bytes, ..Options::default() }, threads)
}

/// Short files, one longer than a chunk, a game that is skipped, no bytes, no games, a long name.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    const LONG: &str = "a/very/long/path/that/does/not/fit/into/the/hundred/bytes/which/the/oldest/tar/archives/have/for/names/of/files/games.pgn";
    vec![
        ("one.pgn", GAME.into()),
        ("README", b"hello\n".to_vec()),
        ("many.pgn", GAME.repeat(3_000).into_bytes()),
        ("empty.pgn", Vec::new()),
        ("bad.pgn", format!("{GAME}\n[Result \"1-0\"]\n\n1. e5 1-0\n\n{GAME}").into_bytes()),
        ("letter.pgn", b"Dear Sir,\n".to_vec()),
        (LONG, format!("\n\n{GAME}1. d4 d5").into_bytes()),
    ]
}

#[test]
fn each_file_is_read_as_if_alone() {
    let mut expected = Vec::new();
    for (name, content) in
        files().iter().filter(|(name, content)| name.ends_with("games.pgn") || content.len() > 30)
    {
        println!("{name}");
        expected.extend(take_file("games.pgn", content, &Options::default(), 1).rows);
    }
    expected.sort_unstable();
    for (threads, chunk_bytes) in [(1, 512 << 10), (1, 1), (1, 700), (2, 700), (3, 20_000)] {
        let found = taken(&tar(&files()), threads, chunk_bytes);
        assert_eq!(found.rows, expected);
        assert_eq!(found.games_in(), 1 + 3_000 + 2 + 1);
        let skipped: Vec<_> = found
            .skipped
            .iter()
            .map(|skipped| {
                (skipped.reason, skipped.line, skipped.archive.rsplit('/').next().unwrap_or(""))
            })
            .collect();
        let expected = [
            (Reason::Broken, 1, "games.tar:empty.pgn"),
            (Reason::IllegalMove, 6, "games.tar:bad.pgn"),
            (Reason::Broken, 1, "games.tar:letter.pgn"),
            (Reason::NoResult, 7, "games.pgn"),
        ];
        assert_eq!(skipped, expected, "{threads} threads, chunks of {chunk_bytes}");
        assert_eq!(found.warnings, []);
    }
}

#[test]
fn a_tar_archive_that_is_cut_off_or_damaged_is_read_up_to_there() {
    let whole = tar(&[
        ("one.pgn", GAME.into()),
        ("two.pgn", GAME.repeat(40).into_bytes()),
        ("three.pgn", GAME.into()),
    ]);
    let games = |content: &[u8]| {
        let found = taken(content, 1, 512 << 10);
        (found.games_in(), found.warnings.first().map(|warning| warning.why.clone()))
    };
    assert_eq!(games(&whole), (42, None));
    for length in [1024 + 512 + 300, 1024 + 100] {
        let (found, why) = games(&whole[..length]);
        let is_cut = why.is_some_and(|why| why.contains("it ends within"));
        assert!((1..41).contains(&found) && is_cut, "{length}: {found}");
    }
    // Padding and the two last blocks may be missing.
    assert_eq!(games(&whole[..whole.len() - 1024]).0, 42);
    let mut damaged = whole.clone();
    damaged[1024 + 130] ^= 1;
    let (found, why) = games(&damaged);
    let damaged = "tar archive: what it says of a file is damaged";
    assert_eq!((found, why.as_deref()), (1, Some(damaged)));
}

#[test]
fn a_tar_archive_without_games_is_none() {
    let (_folder, path) = file("games.tar", &tar(&[("README", b"hello".to_vec())]));
    let error = take(&[path], &Options::default(), 1).err().expect("no archive");
    assert!(error.to_string().contains("there is no game in it"), "{error}");
}
