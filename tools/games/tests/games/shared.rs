//! What the tests of several games share.

use proptest::prelude::*;
use std::collections::HashSet;
use tabia_games::Game;

/// The position after moves as people write them.
pub fn after<G: Game>(start: &G, moves: &str) -> G {
    moves.split_whitespace().fold(start.clone(), |mut position, text| {
        let played = position.parse_move(text).unwrap_or_else(|error| panic!("{error}"));
        position.play(&played);
        position
    })
}

/// The positions of a game whose moves are chosen by these numbers, which are of any size.
pub fn played<G: Game>(start: &G, choices: &[u16]) -> Vec<G> {
    let mut positions = vec![start.clone()];
    for &choice in choices {
        let position = &positions[positions.len() - 1];
        let moves = position.legal();
        let Some(played) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
        positions.push(position.after(played));
    }
    positions
}

/// Numbers by which the moves of a game are chosen.
pub fn choices(plies: usize) -> impl Strategy<Value = Vec<u16>> {
    proptest::collection::vec(any::<u16>(), 0..plies)
}

/// What programs call the move that a text means, or the kind of error.
pub fn read<G: Game>(position: &G, text: &str) -> String {
    match position.parse_move(text) {
        Ok(played) => position.coordinates(&played),
        Err(error) => format!("{:?}", error.trouble).to_lowercase(),
    }
}

/// Checks that all of these texts, between ` | `, are read as this move or give this kind of error.
pub fn all_read<G: Game>(position: &G, texts: &str, expected: &str) {
    for text in texts.split(" | ") {
        assert_eq!(read(position, text), expected, "`{text}`");
    }
}

/// How many positions there are after each number of plies, distinguished by their keys.
pub fn positions<G: Game>(start: &G, plies: usize) -> Vec<usize> {
    let (mut level, mut counts) = (vec![start.clone()], vec![1]);
    for _ in 0..plies {
        let mut seen = HashSet::new();
        let nexts = level.iter().flat_map(|position| {
            position.legal().into_iter().map(move |played| position.after(&played))
        });
        level = nexts.filter(|after| seen.insert(after.key())).collect();
        counts.push(level.len());
    }
    counts
}
