//! Games as a stream in the order of their digests.

use crate::error::Result;
use crate::stored_game::StoredGame;
use std::cmp::Ordering;

/// Games that can be read more than once.
pub trait GameSet: Sync {
    /// Reads them, from the first. Errors are those of where they are.
    fn games(&self) -> Result<Box<dyn Games + '_>>;
}

/// A stream of games in ascending order of their digests.
pub trait Games {
    /// Puts the next game into `game`; whether there was one. Errors are those of where they are.
    fn next(&mut self, game: &mut StoredGame) -> Result<bool>;
}

/// Several sets of games as one, in which each digest is there once (G-M1).
pub(crate) struct Union<'s>(pub Vec<&'s dyn GameSet>);

impl GameSet for Union<'_> {
    fn games(&self) -> Result<Box<dyn Games + '_>> {
        let mut inputs = Vec::new();
        for set in &self.0 {
            let mut input = Input { games: set.games()?, next: StoredGame::default() };
            if input.games.next(&mut input.next)? {
                inputs.push(input);
            }
        }
        Ok(Box::new(UnitedGames { inputs, other: StoredGame::default() }))
    }
}

struct Input<'s> {
    games: Box<dyn Games + 's>,
    next: StoredGame,
}

struct UnitedGames<'s> {
    /// Those that have a game left.
    inputs: Vec<Input<'s>>,
    other: StoredGame,
}

impl UnitedGames<'_> {
    /// Takes the game with the least digest, if it is this one or any is wanted.
    fn take(&mut self, digest: Option<u64>, game: &mut StoredGame) -> Result<bool> {
        let least = (0..self.inputs.len()).min_by_key(|&input| self.inputs[input].next.digest);
        let Some(least) = least else { return Ok(false) };
        let input = &mut self.inputs[least];
        if digest.is_some_and(|digest| digest != input.next.digest) {
            return Ok(false);
        }
        std::mem::swap(game, &mut input.next);
        if !input.games.next(&mut input.next)? {
            drop(self.inputs.swap_remove(least));
        }
        Ok(true)
    }
}

impl Games for UnitedGames<'_> {
    fn next(&mut self, game: &mut StoredGame) -> Result<bool> {
        if !self.take(None, game)? {
            return Ok(false);
        }
        let mut other = std::mem::take(&mut self.other);
        while self.take(Some(game.digest), &mut other)? {
            if other.precedence(game) == Ordering::Greater {
                std::mem::swap(&mut other, game);
            }
        }
        self.other = other;
        Ok(true)
    }
}
