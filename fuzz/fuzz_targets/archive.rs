//! Any bytes as an archive of any game: tags and moves, WTHOR, GGF, transcripts, SGF, tar archives
//! of those. No panic, no hang, no greed; the same games, tally, reports and warnings whatever the
//! number of threads and the size of chunks; and a game from the usual start is one that its codes
//! play again, through the same keys.
//!
//! The input is the archive; the game, what is wanted and the sizes of chunks follow from what it
//! seems to be and from its hash, so that a small input stays one.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabia::format::Keyed;
use tabia_archives::{GameRecord, Guess, Options, Ply, Wanted, guess};
use tabia_fuzz::{folder, read_both_ways, wanted};
use tabia_games::{Game, Known, with_game};

/// Plays a game again by its codes, if it is one from the usual start.
fn again<G: Game>(start: &G, game: &GameRecord) {
    let mut position = start.clone();
    if position.key() != game.plies[0].key {
        return;
    }
    for &Ply { key, code, side, .. } in &game.plies {
        // In Go a move may be made out of turn, or by rules that allow suicide or the recapture of a
        // ko.
        let Some(played) = position
            .move_of_code(code)
            .filter(|_| position.side() == side && position.key() == key)
        else {
            let here = position.setup();
            assert!(start.name().starts_with("go-"), "{code} can't be played at {here}");
            return;
        };
        position.play(&played);
    }
    assert_eq!((position.key(), position.side()), game.last);
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
        wanted: wanted_of(hash),
        ..Options::default()
    };
    let by_position = options.wanted.keyed == Keyed::Position;
    read_both_ways(&path, &options, 1 + (hash >> 16) as usize % 300, &|game| {
        if by_position {
            with_game!(options.game, start => again(start, game));
        }
    });
});

/// What is wanted, by the bits of a number.
fn wanted_of(hash: u64) -> Wanted {
    let bit = |at: u32| hash >> at & 1 == 1;
    Wanted { evals: bit(31), variations: bit(36), ..wanted(hash) }
}
