//! Random games, and files of them.

use std::path::Path;
use tabia::{Digest, Env, Existing};
use tabia_gamefile::{
    GameResult, GameSet, GameSorter, NewGameFile, SalvagedGames, SortedGames, StoredGame,
    UnpublishedGames, write_games,
};
use tabia_testing::Rng;

const NAMES: [&str; 6] =
    ["", "Tal, Mikhail", "Müller", "<script>alert(1)</script>", "a\"b\\c", "本因坊"];

pub fn archives() -> Vec<Digest> {
    ["one", "two", "three"].map(|name| Digest::of(name.as_bytes())).to_vec()
}

/// A game; `digest` decides what is in its moves, as digests are of moves.
pub fn game(random: &mut Rng, digest: u64, most_plies: u64) -> StoredGame {
    let mut name = || NAMES[random.below(6) as usize].to_owned();
    let (players, event, site, round) = ([name(), name()], name(), name(), name());
    let mut moves = Rng::new(digest);
    let plies = 1 + moves.below(most_plies);
    let year = [0, 1972, 2024][random.below(3) as usize];
    let month = if year > 0 { random.below(13) as u8 } else { 0 };
    StoredGame {
        digest,
        result: [
            None,
            Some(GameResult::FirstWins),
            Some(GameResult::Draw),
            Some(GameResult::SecondWins),
        ][random.below(4) as usize],
        ratings: [0, 1].map(|_| [0, 2500, 2700][random.below(3) as usize]),
        year,
        month,
        day: if month > 0 { random.below(29) as u8 } else { 0 },
        players,
        event,
        site,
        round,
        setup: ["", "8/8/8/8/8/8/8/K1k5 w - - 0 1"][usize::from(digest.is_multiple_of(7))]
            .to_owned(),
        source: archives()[(digest % 3) as usize],
        offset: random.below(1 << 40),
        end: (digest as u32 % 5) << 29,
        moves: (0..plies).map(|_| moves.below(1 << 12) as u16).collect(),
    }
}

/// Games of which some have one digest.
pub fn games(seed: u64, count: usize, digests: u64, most_plies: u64) -> Vec<StoredGame> {
    let mut random = Rng::new(seed);
    (0..count)
        .map(|_| {
            let digest = Rng::new(random.below(digests)).below(1 << 31) << 17 | 5;
            game(&mut random, digest, most_plies)
        })
        .collect()
}

/// Writes a file of these games, sorted by this many sorters of so much memory.
pub fn write(path: &Path, games: &[StoredGame], sorters: usize, memory: usize, threads: usize) {
    let (env, archives) = (Env::default(), archives());
    let folder = path.parent().unwrap();
    let mut all: Vec<_> =
        (0..sorters).map(|_| GameSorter::new(env.storage, folder, memory)).collect();
    for (game, number) in games.iter().zip((0..sorters).cycle()) {
        let archive = archives.iter().position(|archive| *archive == game.source).unwrap();
        all[number].add(game, archive as u32).unwrap();
    }
    let sorted = all.into_iter().map(|sorter| sorter.finish().unwrap()).collect();
    let sorted = SortedGames::join(sorted).unwrap().unwrap();
    let new = NewGameFile { memory, threads, ..new() };
    let written = write_games(&env, path, &new, &sorted.games(&archives)).unwrap();
    written.publish(Existing::Replace).unwrap();
}

pub fn read(set: &dyn GameSet) -> tabia_gamefile::Result<Vec<StoredGame>> {
    let (mut games, mut game, mut all) = (set.games()?, StoredGame::default(), Vec::new());
    while games.next(&mut game)? {
        all.push(game.clone());
    }
    Ok(all)
}

/// Gives what was salvaged its name.
pub fn published(
    (file, kept): (UnpublishedGames<'_>, SalvagedGames),
) -> tabia_gamefile::Result<SalvagedGames> {
    file.publish(Existing::Replace).map(|_| kept)
}

pub fn new() -> NewGameFile {
    let name = |text: &str| text.parse().unwrap();
    NewGameFile::new(name("chess"), name("polyglot"))
}
