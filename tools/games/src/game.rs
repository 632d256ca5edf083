//! The one trait behind which all games stand, made so that Othello, Go and checkers fit it as chess does.
//!
//! - Sides need not alternate: [`Game::side`] says who is to move, always. A pass is a move like any other.
//! - Where a game's keys are the same for positions that are images of each other, the code of a move is that of its image on the canonical
//!   board, and [`Game::move_of_code`] leads it back to the board the user sees.
//! - Moves are the game's own type, not their codes, so a game may have moves that need more than 16 bits to play (a checkers jump with its
//!   path) as long as 16 bits tell them apart at any one position.

use crate::outcome::{Outcome, Side};
use std::fmt::Debug;
use std::hash::Hash;

/// A position of a game, with whatever of its history the rules need.
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// The game's name as books store it: 1 to 16 of `a-z 0-9 -`.
    const NAME: &'static str;
    /// The name of its key scheme as books store it, likewise: `polyglot`, ...
    const KEYS: &'static str;
    /// What people call the first and the second player.
    const SIDES: [&'static str; 2];
    /// How many images of a board share one key, itself included; 1 if keys don't take symmetry into account.
    const SYMMETRIES: u8 = 1;

    /// A move. A pass is one too.
    type Move: Clone + Debug + PartialEq + Eq + Hash + Send + Sync;

    /// The position games start from.
    fn start() -> Self;

    /// The position a set-up text describes (chess: FEN; the word `startpos` is the start everywhere).
    ///
    /// # Errors
    /// If the text can't be read, or no game can be played from there.
    fn from_setup(text: &str) -> Result<Self, SetupError>;

    /// The set-up text of this position; [`Game::from_setup`] leads back to the same key.
    fn setup(&self) -> String;

    /// Who is to move.
    fn side(&self) -> Side;

    /// The position's key: equal for positions that a book shall not tell apart, images of each other included.
    fn key(&self) -> u64;

    /// Which of the [`Game::SYMMETRIES`] takes this board to the one its key and codes belong to; 0 is the identity.
    fn symmetry(&self) -> u8 {
        0
    }

    /// All legal moves, in place of what `moves` held. None if the game is over.
    fn legal_moves(&self, moves: &mut Vec<Self::Move>);

    /// Makes a move, which must be legal here: one from [`Game::legal_moves`], [`Game::parse_move`] or [`Game::move_of_code`].
    fn play(&mut self, played: &Self::Move);

    /// The move's code on the canonical board. Two legal moves have one code only if a symmetry of the position itself takes one to the other.
    fn code(&self, played: &Self::Move) -> u16;

    /// A legal move with this code, or none: a stored code may be foreign to the position (keys can collide, files can be edited).
    fn move_of_code(&self, code: u16) -> Option<Self::Move>;

    /// The legal move that a text names, in any notation the game's players use (chess: SAN and UCI).
    ///
    /// # Errors
    /// If the text isn't a move, or not a legal one here, or fits several.
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveError>;

    /// The move as people write it (chess: SAN with `+` and `#`). It must be legal here.
    fn notation(&self, played: &Self::Move) -> String;

    /// The move as programs write it (chess: UCI). It must be legal here.
    fn coordinates(&self, played: &Self::Move) -> String;

    /// How the game ended, if the rules say that it is over in this position.
    fn outcome(&self) -> Option<Outcome>;

    /// The board as text, several lines, the first player's side at the bottom.
    fn diagram(&self) -> String;
}

/// Why a set-up text is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a position of {game}: {why}; give {expected}")]
pub struct SetupError {
    /// The game's name.
    pub game: &'static str,
    /// The text given.
    pub text: String,
    /// What is wrong with it.
    pub why: String,
    /// What a right one looks like.
    pub expected: &'static str,
}

/// Why a text is no move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// It can't be read as a move at all.
    #[error("`{text}` is not a move; write one like {expected}")]
    Unreadable {
        /// The text given.
        text: String,
        /// What moves look like.
        expected: &'static str,
    },
    /// It is the null move, which no game knows: an annotator's way to leave a move out.
    #[error("`{text}` is a null move, which can't be played")]
    Null {
        /// The text given.
        text: String,
    },
    /// It can be read, but no legal move fits.
    #[error("`{text}` is not legal here ({side} to move)")]
    Illegal {
        /// The text given.
        text: String,
        /// Who is to move, as people call them.
        side: &'static str,
    },
    /// Several legal moves fit.
    #[error("`{text}` could be more than one move; say from where, as in {example}")]
    Ambiguous {
        /// The text given.
        text: String,
        /// One way to write one of them.
        example: String,
    },
}
