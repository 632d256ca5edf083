//! Every flipped bit and every missing tail is told; never a panic, never a wrong game.

use crate::games::{games, published, read, write};
use std::fs;
use tabia::Env;
use tabia::bytes::Memory;
use tabia_gamefile::{GameFile, GameFileError, StoredGame, check_game_file, salvage_games};
use tabia_testing::{Sample, misplaced};

/// A small file, and its games.
fn small() -> (Vec<u8>, Vec<StoredGame>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    write(&path, &games(7, 12, 30, 40), 1, 0, 1);
    let file = GameFile::open(&path).unwrap();
    (fs::read(&path).unwrap(), read(&file).unwrap())
}

/// Whether the file is refused or its damage found; nothing that can be read of it is wrong.
fn is_told(bytes: &[u8], games: &[StoredGame]) -> bool {
    let file = match GameFile::of_bytes("a", Memory(bytes)) {
        Ok(file) => file,
        Err(GameFileError::Refused { .. }) => return true,
        Err(error) => panic!("{error}"),
    };
    if let Ok(all) = read(&file) {
        assert_eq!(all, games);
    }
    for game in games {
        if let Ok(found) = file.find(game.digest) {
            assert_eq!(found.as_ref(), Some(game));
        }
        if let Ok(found) = file.ending_at(game.end) {
            assert!(found.contains(&game.digest));
        }
    }
    !check_game_file(&Env::default(), &file).unwrap().ok()
}

#[test]
fn every_flipped_bit_is_told() {
    let (mut bytes, games) = small();
    assert!(!is_told(&bytes, &games));
    let mut sample = Sample::one_in(4);
    for at in 0..bytes.len() {
        // Of padding one bit of a byte will do.
        let bits = if bytes[at] == 0 && at % 16 > 0 { at % 8..at % 8 + 1 } else { 0..8 };
        for bit in bits.filter(|_| sample.takes()) {
            bytes[at] ^= 1 << bit;
            assert!(is_told(&bytes, &games), "bit {bit} of byte {at}");
            bytes[at] ^= 1 << bit;
        }
    }
}

#[test]
fn pages_and_frames_in_the_wrong_place_are_told() {
    let (bytes, games) = small();
    let of_another = {
        let folder = tempfile::tempdir().unwrap();
        write(&folder.path().join("b"), &crate::games::games(8, 12, 30, 40), 1, 0, 1);
        fs::read(folder.path().join("b")).unwrap()
    };
    // All but the header: of that of another file `check` tells, by its copy at the end.
    let pages: Vec<_> = (4096..bytes.len()).step_by(4096).map(|at| at..at + 4096).collect();
    misplaced(&bytes, &pages, &[&of_another], &mut Sample::one_in(1), |what, changed| {
        assert!(is_told(changed, &games), "{what}");
    });
}

#[test]
fn g5_every_missing_tail_is_refused() {
    let (bytes, games) = small();
    for length in (0..bytes.len()).step_by(13).chain([bytes.len() - 1]) {
        assert!(is_told(&bytes[..length], &games), "{length}");
        assert!(GameFile::of_bytes("a", Memory(&bytes[..length])).is_err(), "{length}");
    }
    let longer = [&bytes[..], &[0; 4096]].concat();
    assert!(GameFile::of_bytes("a", Memory(&longer)).is_err());
}

/// Headers with a right crc that claim anything.
#[test]
fn g6_hostile_headers_are_refused_at_once() {
    let (bytes, games) = small();
    for at in (64..264).step_by(8) {
        for value in [1, u64::from(u32::MAX), 1 << 40, u64::MAX, u64::MAX - 4095] {
            let mut bad = bytes.clone();
            bad[at..at + 8].copy_from_slice(&value.to_le_bytes());
            let crc = crc32fast::hash(&bad[..4092]);
            bad[4092..4096].copy_from_slice(&crc.to_le_bytes());
            if bad != bytes {
                assert!(is_told(&bad, &games), "{value} at {at}");
            }
        }
    }
}

#[test]
fn salvage_keeps_the_games_that_are_sound() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let all = games(3, 60, 90, 4_000);
    write(&path("whole"), &all, 1, 0, 1);
    let expected = read(&GameFile::open(path("whole")).unwrap()).unwrap();
    let bytes = fs::read(path("whole")).unwrap();
    let (mut kept_some, mut kept_all) = (false, false);
    let salvaged = |bad: &[u8], when: &str| {
        fs::write(path("bad"), bad).unwrap();
        let said = salvage_games(&Env::default(), &path("bad"), &path("saved")).and_then(published);
        let said = said.unwrap_or_else(|error| panic!("{when}: {error}"));
        let saved = GameFile::open(path("saved")).unwrap();
        assert!(check_game_file(&Env::default(), &saved).unwrap().ok());
        let saved = read(&saved).unwrap();
        assert_eq!((said.kept, said.expected), (saved.len() as u64, expected.len() as u64));
        // Each with its own digest, end, names and moves.
        assert!(saved.iter().all(|game| expected.contains(game)), "{when}");
        saved
    };
    for block in 0..bytes.len() / 4096 {
        let when = format!("block {block}");
        let mut bad = bytes.clone();
        // A bit, wherever it is, costs nothing.
        bad[block * 4096 + 100] ^= 4;
        assert!(salvaged(&bad, &when) == expected, "{when}");
        bad[block * 4096 + 101] ^= 4;
        let saved = salvaged(&bad, &when);
        kept_some |= !saved.is_empty() && saved.len() < expected.len();
        kept_all |= saved == expected;
    }
    assert!(kept_some && kept_all);
    // What is behind the end, or of the copy of the header, is missed by nobody; sums are.
    let longer = [&bytes[..], &[7; 100]].concat();
    assert!(salvaged(&longer, "100 bytes more") == expected);
    assert!(salvaged(&bytes[..bytes.len() - 10], "10 bytes less") == expected);
    for cut in [bytes.len() / 4, bytes.len() / 2, bytes.len() - 3 * 4096] {
        fs::write(path("bad"), &bytes[..cut]).unwrap();
        let said = salvage_games(&Env::default(), &path("bad"), &path("saved"));
        assert!(matches!(said, Err(GameFileError::Refused { rule: "G-5", .. })), "{said:?}");
    }
    fs::write(path("none"), "no file of games").unwrap();
    assert!(salvage_games(&Env::default(), &path("none"), &path("saved")).is_err());
}
