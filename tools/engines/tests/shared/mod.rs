//! What the tests share: the engine that misbehaves on command, and real ones where they are
//! installed.
#![allow(dead_code, reason = "each test binary uses its own part")]

use std::path::{Path, PathBuf};
use std::time::Duration;
use tabia_engines::{Command, Launch};

/// The command of the mock engine with these arguments. Cargo builds it, an example of this
/// package, with the tests.
pub fn mock(arguments: &str) -> Command {
    let tests = std::env::current_exe().unwrap();
    let program = tests.parent().and_then(Path::parent).unwrap().join("examples/mock-engine");
    assert!(
        program.exists(),
        "{} is missing: cargo build -p tabia-engines --examples",
        program.display()
    );
    format!("'{}' {arguments}", program.display()).parse().unwrap()
}

/// How it is launched, with little patience.
pub fn launch(arguments: &str) -> Launch {
    let protocol = arguments.split(' ').next().unwrap().parse().unwrap();
    Launch { patience: Duration::from_secs(5), ..Launch::new(mock(arguments), protocol) }
}

/// The command of an installed program with these arguments, or none, with a note.
pub fn installed(program: &str, arguments: &str) -> Option<Command> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/games", "/usr/bin"].map(PathBuf::from));
    let found = folders.map(|folder| folder.join(program)).find(|program| program.exists());
    if found.is_none() {
        println!("skipped: {program} is not installed");
    }
    found.map(|program| format!("'{}' {arguments}", program.display()).parse().unwrap())
}
