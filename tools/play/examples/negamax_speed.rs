//! How long negamax takes on real books: reading a book's graph from the start of its game, solving
//! it, choosing a move.
//!
//! `cargo run --release -p tabia-play --example negamax_speed -- BOOK...`; books behind `--memory`
//! are read into memory before, without their journals.

use std::time::Instant;
use tabia::Book;
use tabia::bytes::Bytes;
use tabia_games::{Game, Known, WithGame};
use tabia_play::choice::{GameHistory, Limits, Negamax, NegamaxOptions, Player, Seed};

/// Choices that are timed, each in the position after the one before.
const PLIES: usize = 12;

fn main() {
    let mut in_memory = false;
    for word in std::env::args().skip(1) {
        if word == "--memory" {
            in_memory = true;
        } else if in_memory {
            let bytes = std::fs::read(&word).unwrap_or_else(|error| panic!("{word}: {error}"));
            time(&word, &Book::from_bytes(bytes).unwrap_or_else(|error| panic!("{error}")));
        } else {
            time(&word, &Book::open(&word).unwrap_or_else(|error| panic!("{error}")));
        }
    }
}

fn time<S: Bytes>(path: &str, book: &Book<S>) {
    let (game, keys) = (book.header().game, book.header().keys);
    let known = Known::of(game.as_str(), keys.as_str())
        .unwrap_or_else(|| panic!("{path}: the rules of {game} aren't known here"));
    known.with(Timing { path, book });
}

struct Timing<'a, S> {
    path: &'a str,
    book: &'a Book<S>,
}

impl<S: Bytes> WithGame for Timing<'_, S> {
    type Output = ();

    fn with<G: Game>(self, start: &G) {
        let Self { path, book } = self;
        let mut history = GameHistory::start(start.clone(), book.header().keyed);
        let begun = Instant::now();
        let rule = Negamax::prepare(book, None, history.present(), NegamaxOptions::default())
            .unwrap_or_else(|error| panic!("{error}"));
        let (positions, moves) = rule.size();
        println!(
            "{path}: {positions} positions and {moves} moves read in {:.2} s",
            begun.elapsed().as_secs_f64()
        );
        let player = Player::new(book, Box::new(rule), Seed::default());
        for ply in 0..PLIES {
            let begun = Instant::now();
            let decision = player
                .decide(&history, &Limits::default())
                .unwrap_or_else(|error| panic!("{error}"));
            let (took, position) = (begun.elapsed(), &history.present().position);
            let Some(played) = decision.played().cloned() else {
                println!("  ply {ply}: no move in {took:.1?}: {}", decision.choice.why);
                break;
            };
            println!(
                "  ply {ply}: {} in {took:.1?}{}",
                position.notation(&played),
                if ply < 2 { ", solving for this side with it" } else { "" }
            );
            history.play(&played);
        }
    }
}
