//! What the tests share: the engine that misbehaves on command, and real ones where they are
//! installed.

use std::path::Path;
use std::time::Duration;
use tabia_engines::{Command, Launch};

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
    Launch { patience: Duration::from_secs(60), ..Launch::new(mock(arguments), protocol) }
}

/// The command of an installed program with these arguments, or none, reported as skipped.
#[track_caller]
pub fn installed(program: &str, arguments: &str) -> Option<Command> {
    let program = tabia_testing::program(program)?;
    Some(format!("'{}' {arguments}", program.display()).parse().unwrap())
}
