//! Any bytes as a file of games: opened, asked, gone through, checked, salvaged, merged. No panic,
//! no hang, no greed; what `check` calls sound is the file of its games; and what salvage and
//! merging write is sound.
//!
//! The first byte says what the file is made of, the second whether its sums are made right at the
//! end (even: they are):
//! - 0: the rest of the input, as it is;
//! - 1: a golden file, the third byte says which, with changes of its parts and its bytes;
//! - 2: games that the input names, with such changes.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tabia::bytes::{Bytes, Memory};
use tabia::{Digest, Env, Existing};
use tabia_fuzz::{GAMES, GameParts, Input, edit_game_file, folder, mend_games};
use tabia_gamefile::{
    GameFile, GameFileError, GameId, GameLookup, GameResult, GameSet, GameSorter, NewGameFile,
    StoredGame, check_game_file, check_games, merge_games, salvage_games, write_games,
};

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let folder = folder();
    let (kind, mend) = (input.byte() % 3, input.byte());
    let mut file = if kind == 0 {
        input.rest().to_vec()
    } else {
        let mut parts = GameParts::of(&match kind {
            1 => GAMES[input.below(GAMES.len())].to_vec(),
            _ => named(&mut input, &folder.path().join("named")),
        });
        for _ in 0..input.below(8) {
            parts.edit(&mut input);
        }
        parts.file()
    };
    for _ in 0..8 {
        if input.is_empty() {
            break;
        }
        edit_game_file(&mut file, &mut input);
    }
    if mend & 1 == 0 {
        mend_games(&mut file);
    }
    examine(&file, folder.path());
});

const NAMES: [&str; 6] = ["", "Tal, Mikhail", "Müller", "<script>", "a\tb", " "];

/// The bytes of a file of games that the input names, and that are found in it.
fn named(input: &mut Input<'_>, path: &Path) -> Vec<u8> {
    let (mut games, archives) = (BTreeMap::new(), [Digest::of(b"one"), Digest::of(b"two")]);
    let folder = path.parent().expect("a folder");
    let mut sorter = GameSorter::new(Env::default().storage, folder, 0);
    for _ in 0..input.below(12) {
        let mut name = || NAMES[input.below(NAMES.len())].to_owned();
        let (players, event, site, round) = ([name(), name()], name(), name(), name());
        let digest = u64::from(input.byte()) << [0, 8, 40][input.below(3)];
        let archive = input.below(2);
        let game = StoredGame {
            digest,
            result: [None, Some(GameResult::FirstWins), Some(GameResult::Draw)][input.below(3)],
            ratings: [input.take(), input.take()],
            year: input.byte().into(),
            players,
            event,
            site,
            round,
            setup: NAMES[input.below(4)].to_owned(),
            source: archives[archive],
            offset: input.take(),
            end: u32::from(input.byte() % 4) << 30,
            moves: vec![input.byte().into(); usize::from(input.byte()) * 200],
            ..StoredGame::default()
        };
        let game = StoredGame { month: 0, day: 0, ..game };
        if !games.contains_key(&digest) {
            sorter.add(&game, archive as u32).expect("room in memory");
            games.insert(digest, game);
        }
    }
    let new =
        NewGameFile::new("chess".parse().expect("a name"), "polyglot".parse().expect("a name"));
    let sorted = sorter.finish().expect("room in memory");
    let written = write_games(&Env::default(), path, &new, &sorted.games(&archives));
    written.expect("games make a file").publish(Existing::Replace).expect("room for a file");
    let file = GameFile::open(path).expect("what was written opens");
    let found = read(&file).expect("what was written is read");
    assert!(found.iter().map(|game| game.digest).eq(games.keys().copied()));
    for (found, game) in found.iter().zip(games.values()) {
        assert_eq!((&found.moves, &found.setup), (&game.moves, &game.setup));
        assert_eq!(found.offset, game.offset);
        assert_eq!((found.rank(), found.source, found.end), (game.rank(), game.source, game.end));
    }
    sound(path);
    fs::read(path).expect("the file is there")
}

fn read(file: &dyn GameSet) -> Result<Vec<StoredGame>, GameFileError> {
    let (mut games, mut game, mut all) = (file.games()?, StoredGame::default(), Vec::new());
    while games.next(&mut game)? {
        all.push(game.clone());
    }
    Ok(all)
}

/// The digest of the file, in which nothing is wrong.
fn sound(path: &Path) -> Digest {
    let check = check_games(&Env::default(), path).expect("a file that can be read");
    assert!(check.ok(), "{:?}", check.bad);
    GameFile::open(path).expect("a sound file").header().digest
}

/// Everything that can be done with a file that may be one of games.
fn examine(bytes: &[u8], folder: &Path) {
    let path = folder.join("games");
    fs::write(&path, bytes).expect("room for a file");
    let (memory, file) = (GameFile::of_bytes("games", Memory(bytes)), GameFile::open(&path));
    assert_eq!(memory.is_ok(), file.is_ok(), "memory and file differ: {memory:?} {file:?}");
    let check = check_games(&Env::default(), &path).expect("a file that can be read");
    let mut of_sound = None;
    if let (Ok(memory), Ok(file)) = (&memory, &file) {
        let again = check_game_file(&Env::default(), memory).expect("memory can be read");
        assert_eq!(again, check, "memory and file are found otherwise");
        if check.ok() {
            asked_sound(file);
            of_sound = Some(file.header().clone());
        } else {
            asked(memory);
        }
    } else {
        assert!(!check.ok(), "check calls sound what doesn't open");
    }
    let saved = folder.join("saved");
    match salvage_games(&Env::default(), &path, &saved) {
        Ok((new, said)) => {
            new.publish(Existing::Replace).expect("room for a file of games");
            let digest = sound(&saved);
            assert!(said.kept <= said.expected, "{said:?}");
            assert!(of_sound.as_ref().is_none_or(|header| header.digest == digest));
        }
        Err(GameFileError::Refused { .. }) => assert!(file.is_err()),
        Err(error) => panic!("salvage fails: {error}"),
    }
    merged(&path, of_sound.is_some(), folder);
    assert!(fs::read(&path).expect("the file is there") == bytes, "reading changed the file");
}

/// Whether this says that the file is damaged, and no more.
fn is_damage<T>(read: Result<T, GameFileError>) -> Option<T> {
    match read {
        Ok(read) => Some(read),
        Err(GameFileError::Damaged { .. }) => None,
        Err(error) => panic!("{error}"),
    }
}

/// Asks a file in which something is wrong: games, or that they are damaged.
fn asked(file: &GameFile<impl Bytes>) {
    let read = is_damage(read(file));
    let numbers = [0, 1, 2, file.header().games.saturating_sub(1), file.header().games];
    let some = numbers.into_iter().filter_map(|number| is_damage(file.game(number)));
    let all: Vec<_> = some.chain(read.into_iter().flatten().take(200)).collect();
    for game in &all {
        if let Some(Some(found)) = is_damage(file.find(game.digest)) {
            assert_eq!(found.digest, game.digest);
        }
        let _ = is_damage(file.ending_at(game.end));
    }
    for digest in [0, 1, 0x5eed_5a2a_c0de, (1 << 48) - 1, u64::MAX] {
        let _ = (is_damage(file.has(digest)), is_damage(file.with_id(GameId::of(digest))));
    }
}

/// Asks a sound file: every game is found in every way.
fn asked_sound(file: &GameFile) {
    let games = read(file).expect("a sound file");
    assert_eq!(games.len() as u64, file.header().games);
    assert!(games.is_sorted_by(|one, other| one.digest < other.digest));
    for (number, game) in games.iter().enumerate().take(500) {
        assert_eq!(file.find(game.digest).expect("a sound file").as_ref(), Some(game));
        assert_eq!(file.game(number as u64).expect("a sound file"), *game);
        let ending = games.iter().filter(|other| other.end == game.end);
        let ending: Vec<_> = ending.map(|game| game.digest).collect();
        assert_eq!(file.ending_at(game.end).expect("a sound file"), ending);
    }
}

/// Merges the file with itself and with another one.
fn merged(path: &Path, is_sound: bool, folder: &Path) {
    let other = folder.join("other");
    fs::write(&other, GAMES[0]).expect("room for a file");
    let (one, two) = (folder.join("one"), folder.join("two"));
    let merge = |inputs: &[&Path], output: &Path| {
        let files: Result<Vec<_>, _> = inputs.iter().map(GameFile::open).collect();
        let merged = merge_games(&Env::default(), output, &files?, None, None, 0, 1)?;
        merged.publish(Existing::Replace)?;
        Ok::<_, GameFileError>(sound(output))
    };
    let with_itself = merge(&[path, path], &one);
    assert!(with_itself.is_ok() || !is_sound, "{with_itself:?}");
    if let Ok(digest) = with_itself.as_ref()
        && is_sound
    {
        assert_eq!(*digest, sound(path), "a file merged with itself is another one");
    }
    match (merge(&[path, &other], &one), merge(&[&other, path], &two)) {
        (Ok(digest), Ok(another)) => {
            assert_eq!(digest, another, "the order of files shows");
            assert!(fs::read(&one).expect("a file") == fs::read(&two).expect("a file"));
        }
        (Err(_), Err(error)) => {
            assert!(!is_sound || matches!(error, GameFileError::Incompatible { .. }), "{error}");
        }
        (one, two) => panic!("the order of files shows: {one:?} {two:?}"),
    }
}
