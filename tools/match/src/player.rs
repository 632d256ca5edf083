//! One of the two who play a match.

use tabia_engines::Launch;

/// One of the two who play a match.
#[derive(Clone, Debug)]
pub struct Player {
    /// What it is called; what its engine calls itself if none.
    pub name: Option<String>,
    /// How its engine is started.
    pub launch: Launch,
}

/// What two players are called: as they are if that differs.
#[must_use]
pub fn told_apart(names: [String; 2]) -> [String; 2] {
    match names {
        [first, second] if first == second => [format!("{first} (1)"), format!("{second} (2)")],
        names => names,
    }
}
