//! What the tests share: the engine that misbehaves on command, and real ones where they are
//! installed.

use std::path::Path;
use std::time::Duration;
use tabia_engines::{Answer, Command, Engine, Error, Launch, Limit, MoveHistory, Ranked};
use tabia_games::Game;

const LONG: Duration = Duration::from_secs(60);

/// The command of the mock engine with these arguments. Cargo builds it, an example of this
/// package, with the tests.
pub fn mock(arguments: &str) -> Command {
    let tests = std::env::current_exe().unwrap();
    let program = tests.parent().and_then(Path::parent).unwrap().join("examples/mock-engine");
    let holds = program.exists();
    assert!(holds, "{} is missing: cargo build -p tabia-engines --examples", program.display());
    format!("'{}' {arguments}", program.display()).parse().unwrap()
}

pub fn launch(arguments: &str) -> Launch {
    let protocol = arguments.split(' ').next().unwrap().parse().unwrap();
    Launch { patience: LONG, ..Launch::new(mock(arguments), protocol) }
}

/// A game of so many plies, the middle one of all moves made each time.
pub fn game<G: Game>(start: &G, plies: usize) -> MoveHistory<G> {
    let mut history = MoveHistory::new(start.clone());
    for _ in 0..plies {
        let moves = history.position().legal();
        let Some(played) = moves.get(moves.len() / 2) else { break };
        history.play(played);
    }
    history
}

/// A game of these moves.
pub fn history<G: Game>(start: &G, moves: &[&str]) -> MoveHistory<G> {
    let mut history = MoveHistory::new(start.clone());
    for text in moves {
        let played = history.position().read_move(text.as_bytes()).unwrap();
        history.play(&played);
    }
    history
}

/// Has an engine with these arguments rank moves.
pub fn rank<G: Game>(
    arguments: &str,
    history: &MoveHistory<G>,
    among: &[G::Move],
    count: usize,
) -> Result<Vec<Ranked<G::Move>>, Error> {
    let mut engine: Box<dyn Engine<G>> = launch(arguments).start().unwrap();
    engine.new_game(history.start()).unwrap();
    let ranking = engine.rank(history, among, count, &Limit::default(), LONG)?;
    // It can still be asked for a move: of a position that it wasn't left in, or among others.
    let thought = engine.think(history, &Limit::default(), LONG).unwrap();
    assert!(matches!(thought.answer, Answer::Move(_)), "{:?}", thought.answer);
    Ok(ranking.moves)
}

/// The command of an installed program with these arguments, or none, reported as skipped.
#[track_caller]
pub fn installed(program: &str, arguments: &str) -> Option<Command> {
    let program = tabia_testing::program(program)?;
    Some(format!("'{}' {arguments}", program.display()).parse().unwrap())
}
