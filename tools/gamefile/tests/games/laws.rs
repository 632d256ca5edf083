//! What goes in comes out, and the way doesn't show.

use crate::games::{games, read, write};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use tabia::storage::System;
use tabia::{Digest, Env, Existing};
use tabia_gamefile::{
    GameFile, GameId, GameLookup, GameSorter, LONGEST_SETUP, SortedGames, Sorter, StoredGame,
    check_games, merge_games,
};
use tabia_testing::Rng;

/// Each digest once: the entry of the best rank, else the best known, else of the least content.
fn once(games: &[StoredGame]) -> BTreeMap<u64, StoredGame> {
    let key = |game: &StoredGame| {
        let texts = [&game.players[0], &game.players[1], &game.event, &game.site, &game.round];
        let known = texts.iter().filter(|text| !text.is_empty()).count()
            + [game.ratings[0], game.ratings[1], game.year, game.month.into(), game.day.into()]
                .iter()
                .filter(|&&number| number > 0)
                .count()
            + usize::from(game.result.is_some());
        let rank = if game.ratings.contains(&0) { 0 } else { game.ratings[0] + game.ratings[1] };
        let content = (
            (game.result, game.ratings, game.year, game.month, game.day),
            (game.players.clone(), game.event.clone(), game.site.clone(), game.round.clone()),
            (game.setup.clone(), game.source, game.offset),
        );
        (std::cmp::Reverse((rank, known)), content)
    };
    let mut all = BTreeMap::new();
    for game in games {
        let entry = all.entry(game.digest).or_insert_with(|| game.clone());
        if key(game) < key(entry) {
            *entry = game.clone();
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn games_are_found_and_the_way_they_came_does_not_show(
        seed in any::<u64>(),
        count in 0usize..90,
        digests in 1u64..120,
        (sorters, memory, threads) in (1usize..4, 0usize..60_000, 1usize..3),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.tabia-games");
        let mut all = games(seed, count, digests, 3_000);
        write(&path, &all, sorters, memory, threads);
        let bytes = fs::read(&path).unwrap();
        let file = GameFile::open(&path).unwrap();
        let expected = once(&all);
        prop_assert_eq!(read(&file).unwrap(), expected.values().cloned().collect::<Vec<_>>());
        prop_assert!(check_games(&Env::default(), &path).unwrap().ok());
        for (digest, game) in &expected {
            let found = file.find(*digest).unwrap();
            prop_assert_eq!(found.as_ref(), Some(game));
            prop_assert!(file.with_id(GameId::of(*digest)).unwrap().contains(game));
            prop_assert!(!file.has(digest ^ 1 << 40).unwrap() || expected.contains_key(&(digest ^ 1 << 40)));
        }
        for end in [0, 1, 1 << 29, 2 << 29, 3 << 29, 4 << 29, u32::MAX] {
            let ending: Vec<u64> =
                expected.values().filter(|game| game.end == end).map(|game| game.digest).collect();
            prop_assert_eq!(file.ending_at(end).unwrap(), ending);
        }
        // Another order, other memory: the same bytes.
        let mut random = Rng::new(seed);
        for at in (1..all.len()).rev() {
            all.swap(at, random.below(at as u64 + 1) as usize);
        }
        write(&path, &all, 1, 1 << 20, 1);
        prop_assert!(fs::read(&path).unwrap() == bytes);
    }

    #[test]
    fn gm1_merging_is_writing_at_once_in_whatever_groups(seed in any::<u64>(), count in 1usize..80) {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let all = games(seed, count, 40, 500);
        write(&path("all"), &all, 1, 1 << 20, 1);
        let parts: Vec<Vec<StoredGame>> =
            (0..3).map(|part| all.iter().skip(part).step_by(3).cloned().collect()).collect();
        for (games, name) in parts.iter().zip(["0", "1", "2"]) {
            write(&path(name), games, 1, 1 << 20, 1);
        }
        let merge = |output: &str, inputs: &[&str]| {
            let inputs: Vec<_> = inputs.iter().map(|name| GameFile::open(path(name)).unwrap()).collect();
            let merged = merge_games(&Env::default(), &path(output), &inputs, None, None, 1 << 20, 2).unwrap();
            merged.publish(Existing::Replace).unwrap();
        };
        let expected = fs::read(path("all")).unwrap();
        merge("a", &["0", "1", "2"]);
        merge("01", &["0", "1"]);
        merge("12", &["2", "1"]);
        merge("b", &["01", "2"]);
        merge("c", &["12", "0", "all"]);
        for name in ["a", "b", "c"] {
            prop_assert!(fs::read(path(name)).unwrap() == expected, "{}", name);
        }
    }
}

#[test]
fn names_are_kept_as_text_without_control_characters() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    let game = StoredGame {
        players: ["<script>\u{1b}[31m".into(), "a\r\nb".into()],
        event: "x".repeat(1000),
        source: crate::games::archives()[0],
        ..StoredGame::default()
    };
    write(&path, &[game], 1, 0, 1);
    let game = GameFile::open(&path).unwrap().find(0).unwrap().unwrap();
    assert_eq!(game.players, ["<script> [31m", "a  b"]);
    assert_eq!(game.event.len(), 255);
}

#[test]
fn what_a_file_has_no_room_for_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let mut sorter = GameSorter::new(&System, folder.path(), 0);
    let setup = "x".repeat(LONGEST_SETUP + 1);
    sorter.add(&StoredGame { setup, ..StoredGame::default() }, 0).unwrap();
    let moves = vec![0; (1 << 20) + 1];
    sorter.add(&StoredGame { moves, ..StoredGame::default() }, 0).unwrap();
    assert_eq!(sorter.finish().unwrap().too_large(), 2);
}

#[test]
fn a_game_of_the_greatest_size_goes_in() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    let source = crate::games::archives()[0];
    let long = StoredGame { digest: 9, moves: vec![7; 1 << 20], source, ..StoredGame::default() };
    let short = StoredGame { digest: 3, moves: vec![7], source, ..StoredGame::default() };
    write(&path, &[long.clone(), short.clone()], 1, 0, 1);
    let file = GameFile::open(&path).unwrap();
    assert_eq!((file.find(9).unwrap(), file.find(3).unwrap()), (Some(long), Some(short)));
}

#[test]
fn lists_choose_games_by_digest_and_by_origin() {
    let folder = tempfile::tempdir().unwrap();
    let source = Digest::of(b"x");
    let game = |digest, offset| StoredGame { digest, offset, source, ..StoredGame::default() };
    let sorted = || {
        let mut sorter = GameSorter::new(&System, folder.path(), 0);
        for (digest, offset) in [(1, 0), (2, 10), (2, 20), (3, 30)] {
            sorter.add(&game(digest, offset), 0).unwrap();
        }
        sorter.finish().unwrap()
    };
    let list = |strings: &[&[u8]]| {
        let mut sorter = Sorter::new(&System, folder.path(), 0);
        strings.iter().for_each(|string| sorter.add(string).unwrap());
        sorter.finish().unwrap()
    };
    let digests = |games: SortedGames<'_>| -> Vec<(u64, u64)> {
        read(&games.games(&[source]))
            .unwrap()
            .iter()
            .map(|game| (game.digest, game.offset))
            .collect()
    };
    let two = list(&[&SortedGames::digest(3), &SortedGames::digest(2), &SortedGames::digest(2)]);
    assert_eq!(digests(sorted().only_digests(two)), [(2, 10), (2, 20), (3, 30)]);
    let one = list(&[&SortedGames::origin(2, 0, 20), &SortedGames::origin(3, 1, 30)]);
    assert_eq!(digests(sorted().only_origins(one)), [(2, 20)]);
}
