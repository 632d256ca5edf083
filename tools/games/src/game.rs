//! The trait of all games, made so that Othello, Go and checkers fit it as chess does.
//!
//! - Sides need not alternate: [`Game::side`] says who is to move. A pass is a move.
//! - Where a game's keys are the same for positions that are images of each other, the code of a
//!   move is that of its image on the canonical board, and [`Game::move_of_code`] leads it back.
//! - Moves are the game's own type, not their codes, so a game may have moves that need more than
//!   16 bits to play as long as 16 bits distinguish them at any one position.

use crate::outcome::{Outcome, Side};
use std::any::Any;
use std::fmt::Debug;
use std::hash::Hash;

/// A position of a game, with whatever of its history the rules need.
///
/// A position also knows which game it is of where there are several of a kind (a board of 9x9 or
/// 19x19) and which images of a board count together. So a start position represents its game:
/// generic code receives one, and derives others from it ([`Game::set_up`]).
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// A move. A pass is one too.
    type Move: Clone + Debug + PartialEq + Eq + Hash + Send + Sync;

    /// The position in its game's own type, to be asked for what only that game has: itself, unless it
    /// stands for a position of any of several games.
    fn as_own(&self) -> &dyn Any {
        self
    }

    /// What the game is called.
    fn names(&self) -> GameNames;

    /// The game's name as books store it, see [`GameNames::game`].
    fn name(&self) -> &'static str {
        self.names().game
    }

    /// The name of its key scheme as books store it, see [`GameNames::keys`].
    fn keys(&self) -> &'static str {
        self.names().keys
    }

    /// The names of the first and the second player, for people.
    fn sides(&self) -> [&'static str; 2] {
        self.names().sides
    }

    /// Examples of moves, for people.
    fn examples(&self) -> &'static str {
        self.names().examples
    }

    /// The position of the same game of a set-up text (chess: FEN; everywhere: `startpos`).
    ///
    /// # Errors
    /// If the text can't be read, or no game can be played from there.
    fn set_up(&self, text: &str) -> Result<Self, SetupError>;

    /// The set-up text of this position; [`Game::set_up`] leads back to the same key.
    fn setup(&self) -> String;

    /// The side to move.
    fn side(&self) -> Side;

    /// The position's key, equal for positions that a book doesn't distinguish, also for images.
    fn key(&self) -> u64;

    /// The key of this board itself, in the scheme that distinguishes images (chess: `polyglot`,
    /// others: `zobrist`). The codes that go with it are those of [`Game::image`] under the
    /// identity.
    #[inline]
    fn board_key(&self) -> u64 {
        self.key()
    }

    /// The symmetries that take this board to the canonical one, which its key and the codes of its
    /// moves belong to: a bit for each (several if it is its own image), bit 0 for the identity.
    fn symmetries(&self) -> u16 {
        1
    }

    /// The corners of this start position's board after these moves, which lead to this present
    /// position, each as a game of its own of so many rows and columns: those whose stones are where
    /// the corner's own moves put them. None in games without books of corners.
    fn corner_games(&self, _: &[Self::Move], _: &Self, _: usize) -> Vec<CornerGame<Self>> {
        Vec::new()
    }

    /// All legal moves, in place of what `moves` held. None where nothing can be played any more;
    /// there are some where players may go on (chess: bare kings).
    fn legal_moves(&self, moves: &mut Vec<Self::Move>);

    /// The moves by which a game of an archive can go on: those that are legal, also where the rules
    /// have ended it and players went on (Go: after two passes).
    fn playable(&self) -> Vec<Self::Move> {
        self.legal()
    }

    /// All legal moves, as [`Game::legal_moves`] gives them.
    fn legal(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves
    }

    /// Makes a move, which must be legal here.
    fn play(&mut self, played: &Self::Move);

    /// The position behind a legal move.
    fn after(&self, played: &Self::Move) -> Self {
        let mut next = self.clone();
        next.play(played);
        next
    }

    /// The code of the move's image on the image of this board under a symmetry, given by the
    /// number of its bit. Different legal moves have different codes.
    fn image(&self, played: &Self::Move, symmetry: u32) -> u16;

    /// The move's code on the canonical board. Two legal moves have one code only if a symmetry of
    /// the position itself takes one to the other.
    fn code(&self, played: &Self::Move) -> u16 {
        set_bits(self.symmetries())
            .map(|symmetry| self.image(played, symmetry))
            .min()
            .unwrap_or_default()
    }

    /// By what the images of a move are ordered where the canonical form of a line is looked for
    /// ([`crate::Line`]): of two the lesser counts. Different for different images of one move.
    fn rank(&self, code: u16) -> u16 {
        code
    }

    /// A legal move with this code, or none: a stored code may be foreign to the position (keys can
    /// collide, files can be edited). Of several, images of each other, the one with the least
    /// rank: the one that people play (f5 in Othello, the upper right in Go).
    fn move_of_code(&self, code: u16) -> Option<Self::Move> {
        let moves = self.legal().into_iter().filter(|played| self.code(played) == code);
        moves.min_by_key(|played| self.rank(self.image(played, 0)))
    }

    /// The legal move that a text names, in any notation the game's players use (chess: SAN and
    /// UCI), without allocating: for readers of archives.
    ///
    /// # Errors
    /// What is wrong with the text.
    fn read_move(&self, text: &[u8]) -> Result<Self::Move, Trouble>;

    /// Reads a legal move from a user's text, in any notation; the error explains what is wrong.
    ///
    /// # Errors
    /// If the text isn't a move, or not a legal one here, or fits several.
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveError> {
        let text = text.trim();
        self.read_move(text.as_bytes()).map_err(|trouble| trouble.explained(self, text))
    }

    /// For a text that several legal moves fit: one of them, written so that it is no other.
    fn example_like(&self, _text: &str) -> String {
        self.examples().to_owned()
    }

    /// The legal move as people write it, a word without spaces (chess: SAN with `+` and `#`).
    fn notation(&self, played: &Self::Move) -> String;

    /// The legal move as programs write it (chess: UCI), if that is something else.
    fn coordinates(&self, played: &Self::Move) -> String {
        self.notation(played)
    }

    /// How the game ended, if the rules say that it is over in this position.
    fn outcome(&self) -> Option<Outcome>;

    /// The board in lines of text, the first player's side at the bottom where there are sides.
    fn diagram(&self) -> String;
}

/// What a game and what belongs to it is called.
#[derive(Clone, Copy, Debug)]
pub struct GameNames {
    /// The game in books: 1 to 16 of `a-z 0-9 -`.
    pub game: &'static str,
    /// Its key scheme in books, 1 to 16 of `a-z 0-9 -`: `polyglot`, ...
    pub keys: &'static str,
    /// The first and the second player, for people.
    pub sides: [&'static str; 2],
    /// Examples of moves, for people: `Nf3, exd5 or g1f3`.
    pub examples: &'static str,
}

/// What was played in a corner of a board, as books of corners know it: on an otherwise empty
/// board, with passes for moves elsewhere.
#[derive(Clone, Debug)]
pub struct CornerGame<G: Game> {
    /// Where it is, for people: `upper right`.
    pub name: &'static str,
    /// The empty board, with the side to move that played there first.
    pub start: G,
    /// The moves from there. The side to move behind them is that of the whole board.
    pub moves: Vec<G::Move>,
    /// The moves in this corner that are legal on the whole board.
    pub legal: Vec<G::Move>,
    /// Which of the whole game's moves was the last here, counted from 0; none in an empty corner.
    pub last: Option<usize>,
}

/// The numbers of the bits that are set, from the least.
#[inline]
pub fn set_bits(bits: impl Into<u64>) -> impl Iterator<Item = u32> {
    let mut bits = bits.into();
    std::iter::from_fn(move || {
        let bit = (bits != 0).then(|| bits.trailing_zeros());
        bits &= bits.wrapping_sub(1);
        bit
    })
}

/// What is wrong with the text of a move: the cheap [`MoveError`], for readers of archives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// It can't be read as a move.
    Unreadable,
    /// It is the null move.
    Null,
    /// No legal move fits.
    Illegal,
    /// Several legal moves fit.
    Ambiguous,
}

impl Trouble {
    /// The error behind it, with all that a person needs to know.
    #[cold]
    pub(crate) fn explained<G: Game>(self, position: &G, text: &str) -> MoveError {
        let why = match self {
            Self::Unreadable => format!(" is not a move; write one like {}", position.examples()),
            Self::Null => " is a null move, which can't be played".to_owned(),
            Self::Illegal => {
                let side = position.sides()[position.side().index()];
                format!(" is not legal here ({side} to move)")
            }
            Self::Ambiguous => {
                let example = position.example_like(text);
                format!(" could be more than one move; say from where, as in {example}")
            }
        };
        MoveError { text: text.to_owned(), trouble: self, why }
    }
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

/// The position of a set-up text: `start` for the word `startpos`, else what `read` makes of the
/// text without spaces around it. The error says of which game it is none, and what is expected.
pub(crate) fn set_up<G: Game>(
    text: &str,
    start: impl FnOnce() -> G,
    read: impl FnOnce(&str) -> Result<G, String>,
    [game, expected]: [&'static str; 2],
) -> Result<G, SetupError> {
    match text.trim() {
        "startpos" => Ok(start()),
        text => read(text).map_err(|why| SetupError { game, text: text.to_owned(), why, expected }),
    }
}

/// Why a text is no move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}`{why}")]
pub struct MoveError {
    /// The text given.
    pub text: String,
    /// What is wrong with it.
    pub trouble: Trouble,
    /// The same for people, as it goes on behind the text.
    pub(crate) why: String,
}

/// A word of a line of moves without a move's number before it: `1.e4` is `e4`, `2.` is nothing.
pub fn after_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.len() < word.len() && rest.starts_with('.') {
        rest.trim_start_matches('.')
    } else {
        word
    }
}

/// Perft: how many leaves the tree of legal moves has at this depth, by which rules are checked
/// against published tables. Takes time in proportion to their number.
pub fn perft<G: Game>(game: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = game.legal();
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.iter().map(|played| perft(&game.after(played), depth - 1)).sum()
}
