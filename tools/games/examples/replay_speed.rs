//! How fast games are replayed with keys and codes, as reading an archive does:
//! `cargo run --release -p tabia-games --example replay_speed [GAME...]`.
//!
//! Replays random games of every game whose rules are known, or of those named, for about a second
//! each, and prints positions a second: once from the texts of the moves, once from moves that were
//! read before.

use std::hint::black_box;
use std::time::{Duration, Instant};
use tabia_games::{Game, Known, WithGame};

/// Random games that are replayed over and over, and the most plies they may have.
const GAMES: usize = 200;
const PLIES: usize = 200;

fn main() {
    let names: Vec<String> = std::env::args().skip(1).collect();
    println!(
        "{:<12} {:<12} {:>16} {:>16}   positions a second",
        "game", "keys", "from texts", "from moves"
    );
    for known in Known::all()
        .filter(|known| names.is_empty() || names.iter().any(|name| name == known.name()))
    {
        let [texts, moves] = known.with(Replayed);
        println!("{:<12} {:<12} {texts:>16.0} {moves:>16.0}", known.name(), known.keys());
    }
}

struct Replayed;

impl WithGame for Replayed {
    type Output = [f64; 2];

    fn with<G: Game>(self, start: &G) -> [f64; 2] {
        let games: Vec<_> = (0..GAMES as u64).map(|seed| random_game(start, seed)).collect();
        let of_text = |game: &G, (_, text): &(G::Move, String)| {
            game.read_move(text.as_bytes()).expect("a legal move")
        };
        let of_move = |_: &G, (played, _): &(G::Move, String)| played.clone();
        [measured(|| replay(start, &games, of_text)), measured(|| replay(start, &games, of_move))]
    }
}

/// A game of random legal moves, with their texts.
fn random_game<G: Game>(start: &G, seed: u64) -> Vec<(G::Move, String)> {
    let (mut game, mut state, mut legal, mut moves) = (start.clone(), seed, Vec::new(), Vec::new());
    while moves.len() < PLIES {
        game.legal_moves(&mut legal);
        if legal.is_empty() {
            break;
        }
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let played = &legal[(state >> 33) as usize % legal.len()];
        moves.push((played.clone(), game.notation(played)));
        game.play(played);
    }
    moves
}

/// Replays all games, and returns how many positions that were.
fn replay<G: Game>(
    start: &G,
    games: &[Vec<(G::Move, String)>],
    of: impl Fn(&G, &(G::Move, String)) -> G::Move,
) -> usize {
    for moves in games {
        let mut game = start.clone();
        for written in moves {
            let played = of(&game, written);
            black_box((game.key(), game.code(&played)));
            game.play(&played);
        }
        black_box(game.key());
    }
    games.iter().map(|moves| moves.len() + 1).sum()
}

/// Positions a second.
fn measured(mut replay: impl FnMut() -> usize) -> f64 {
    let (start, mut positions) = (Instant::now(), 0);
    while start.elapsed() < Duration::from_secs(1) {
        positions += replay();
    }
    positions as f64 / start.elapsed().as_secs_f64()
}
