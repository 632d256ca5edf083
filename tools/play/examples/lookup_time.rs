//! What asking a book for a move costs where the game has left it: cold, with the book in no
//! memory, and warm; the positions behind all moves asked for at once, and one by one.
//!
//! `cargo run --release -p tabia-play --example lookup_time -- BOOK [PLIES [GAMES]]`: as many random
//! games of so many plies (30 and 100 if not given), and the last position of each is asked about.
//! The book's pages are dropped from memory before each cold question, as far as nobody else has
//! them mapped.

use std::borrow::Cow;
use std::fs::File;
use std::time::{Duration, Instant};
use tabia::format::Results;
use tabia::{Book, Key, MoveRow, PositionRow, Result, TableKind};
use tabia_games::{Game, Known, WithGame};
use tabia_play::choice::{GameHistory, Limits, Player, RowLookup, RuleSpec, Seed};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some(path) = words.first() else { panic!("give a book") };
    let number = |place: usize, usual: usize| {
        words.get(place).map_or(usual, |word| word.parse().expect("a number"))
    };
    let book = Book::open(path).unwrap_or_else(|error| panic!("{error}"));
    let known = Known::of(book.header().game.as_str(), book.header().keys.as_str());
    let timing = Timing { path, book: &book, plies: number(1, 30), games: number(2, 100) };
    known.expect("a game whose rules are known").with(timing);
}

/// A book that is asked for one position at a time.
struct OneByOne<'a>(&'a Book);

impl RowLookup for OneByOne<'_> {
    fn position(&self, key: Key) -> Result<Option<PositionRow>> {
        self.0.position(key)
    }

    fn moves(&self, key: Key) -> Result<Cow<'_, [MoveRow]>> {
        self.0.moves(key)
    }

    fn has(&self, kind: TableKind) -> bool {
        self.0.has(kind)
    }

    fn results(&self) -> Results {
        self.0.header().results
    }
}

struct Timing<'a> {
    path: &'a str,
    book: &'a Book,
    plies: usize,
    games: usize,
}

impl WithGame for Timing<'_> {
    type Output = ();

    fn with<G: Game>(self, start: &G) {
        let games: Vec<_> = (0..self.games as u64).map(|game| self.random(start, game)).collect();
        let one_by_one = OneByOne(self.book);
        for (name, rows) in [("at once", self.book as &dyn RowLookup), ("one by one", &one_by_one)]
        {
            let rule: RuleSpec = "games".parse().expect("a rule");
            let rule = rule.prepare(rows, games[0].present()).expect("a rule without preparation");
            let player = Player::new(rows, rule, Seed::default());
            let (mut cold, mut warm, mut known) = (Duration::ZERO, Duration::ZERO, 0);
            for game in &games {
                drop_pages(self.path);
                for time in [&mut cold, &mut warm] {
                    let begun = Instant::now();
                    let decided = player.decide(game, &Limits::default());
                    *time += begun.elapsed();
                    known += usize::from(!decided.expect("a sound book").candidates.is_empty());
                }
            }
            let each = |time: Duration| time.as_secs_f64() * 1e3 / games.len() as f64;
            println!(
                "{name}: {:.3} ms a move cold, {:.3} ms warm; {} of {} games still in the book",
                each(cold),
                each(warm),
                known / 2,
                games.len()
            );
        }
    }
}

impl Timing<'_> {
    /// A game of random moves, the same one whenever it is asked for.
    fn random<G: Game>(&self, start: &G, game: u64) -> GameHistory<G> {
        let mut history = GameHistory::start(start.clone(), self.book.header().keyed);
        let (mut rng, mut legal) = (Seed { seed: 1, game }.of_game(), Vec::new());
        for _ in 0..self.plies {
            history.present().position.legal_moves(&mut legal);
            let Some(played) = legal.get(rng.below(legal.len() as u64) as usize).cloned() else {
                break;
            };
            history.play(&played);
        }
        history
    }
}

/// Has the system forget what it has of a file.
fn drop_pages(path: &str) {
    let file = File::open(path).expect("a book");
    // What was written lately can't be forgotten before it is on the disk.
    file.sync_all().expect("a disk");
    rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed).expect("a file");
}
