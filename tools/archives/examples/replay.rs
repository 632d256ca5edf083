//! The floor under `tabia build`: parses, replays and keys every position of archives on one
//! thread, and folds the keys into a checksum. No rows, no tables.
//!
//! `cargo run --release -p tabia-archives --example replay -- [--peer | GAME/KEYS] ARCHIVE...`: of
//! chess, or of a game by its names in books (`go-9/zobrist-8`); `--peer`: by pgn-reader.

use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Position};
use std::convert::Infallible;
use std::error::Error;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;
use tabia_archives::{GameRecord, GameSink, Options, Origin, ingest};
use tabia_games::Known;

#[derive(Default)]
struct Seen {
    games: u64,
    plies: u64,
    checksum: u64,
}

impl GameSink for Seen {
    type Error = Infallible;

    fn game(&mut self, game: &GameRecord, _: Origin) -> Result<(), Infallible> {
        self.games += 1;
        self.plies += game.plies.len() as u64;
        self.checksum =
            game.plies.iter().fold(self.checksum ^ game.last.0, |sum, ply| sum ^ ply.key);
        Ok(())
    }
}

impl Visitor for Seen {
    type Tags = ();
    type Movetext = Option<Chess>;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, _: &mut (), _: &[u8], _: RawTag<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, _: ()) -> ControlFlow<(), Option<Chess>> {
        self.games += 1;
        let start = Chess::default();
        self.checksum ^= key(&start);
        ControlFlow::Continue(Some(start))
    }

    fn san(&mut self, game: &mut Option<Chess>, san: SanPlus) -> ControlFlow<()> {
        let Some(position) = game else { return ControlFlow::Continue(()) };
        match san.san.to_move(position) {
            Ok(played) => {
                position.play_unchecked(played);
                self.plies += 1;
                self.checksum ^= key(position);
            }
            Err(_) => *game = None,
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Option<Chess>) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, _: Option<Chess>) {}
}

fn key(position: &Chess) -> u64 {
    position.zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0
}

fn peers(path: &str, seen: &mut Seen) -> Result<(), Box<dyn Error>> {
    Ok(Reader::new(std::fs::File::open(path)?).visit_all_games(seen)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let (mut seen, mut options, start) = ([Seen::default()], Options::default(), Instant::now());
    let known = |name: &String| name.split_once('/').and_then(|(game, keys)| Known::of(game, keys));
    if arguments.first().is_some_and(|first| first == "--peer") {
        arguments[1..].iter().try_for_each(|path| peers(path, &mut seen[0]))?;
    } else {
        if let Some(game) = arguments.first().and_then(known) {
            options.game = game;
            arguments.remove(0);
        }
        let archives: Vec<PathBuf> = arguments.iter().map(PathBuf::from).collect();
        ingest(&archives, &options, &mut seen, &mut ())?;
    }
    let seconds = start.elapsed().as_secs_f64();
    let [Seen { games, plies, checksum }] = seen;
    println!(
        "{games} games, {plies} plies, checksum {checksum:016x}, {seconds:.2} s, {:.1} M plies/s",
        plies as f64 / seconds / 1e6
    );
    Ok(())
}
