//! What the tests share: the engine that misbehaves on command, real ones where they are installed,
//! and matches between them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tabia_engines::{Command, Launch, Limit, Protocol};
use tabia_games::Game;
use tabia_match::{Contest, Openings, PlayedGame, Player, Rules, Settings, record, run};

/// The program of the mock engine. Cargo builds it, an example of this package, with the tests.
pub fn mock() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let program = tests.parent().and_then(Path::parent).unwrap().join("examples/mock-player");
    let holds = program.exists();
    assert!(holds, "{} is missing: cargo build -p tabia-match --examples", program.display());
    program
}

/// The command of the mock engine with these arguments.
pub fn mock_command(arguments: &str) -> Command {
    format!("'{}' {arguments}", mock().display()).parse().unwrap()
}

/// The command `tabia-match` with these arguments, and more of them as words.
pub fn tabia_match(arguments: &[&str], rest: &str) -> std::process::Command {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tabia-match"));
    command.args(arguments).args(rest.split_whitespace());
    command
}

/// A player with this command.
pub fn player(command: Command, protocol: Protocol) -> Player {
    Player {
        name: None,
        launch: Launch { patience: Duration::from_secs(60), ..Launch::new(command, protocol) },
        nodes: None,
    }
}

/// A match of two mock engines: `uci chess --seed 1`.
pub fn mocks(first: &str, second: &str, games: u32) -> Settings {
    let players = [first, second].map(|arguments| {
        let protocol = if arguments.starts_with("uci") { Protocol::Uci } else { Protocol::Gtp };
        player(mock_command(arguments), protocol)
    });
    let allowance = Limit { nodes: first.starts_with("uci").then_some(100), ..Limit::default() };
    let rules =
        Rules { allowance, most_plies: 60, patience: Duration::from_secs(60), ..Rules::default() };
    Settings { players, rules, openings: Openings::None, seed: 1, shuffle: false, games }
}

/// All games of a match, in the order they are handed on, and their text.
pub fn games<G: Game>(
    start: &G,
    settings: Settings,
    workers: usize,
) -> (Vec<PlayedGame<G>>, String) {
    let contest = Contest::new(start, settings).unwrap();
    let (mut games, mut text) = (Vec::new(), String::new());
    run(&contest, &BTreeSet::new(), workers, &AtomicBool::new(false), |game| {
        text.push_str(&record(&game, &contest.settings)?);
        games.push(game);
        Ok(())
    })
    .unwrap();
    (games, text)
}
