//! How archives are read.

use crate::format::Format;
use crate::wanted::Wanted;
use tabia_games::Known;

/// How archives are read: their game and format, and which games are wanted.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which game is played in the archives.
    pub game: Known,
    /// The format of all archives; if none, each archive's content and name decide.
    pub format: Option<Format>,
    /// Which games are wanted, and what of them.
    pub wanted: Wanted,
    /// Whether tags and moves that two blank lines part are one game: they are, if not said. If not,
    /// as for many programs that read line by line, they are one game without moves and one without
    /// a result.
    pub join_split: bool,
    /// Of the games of an archive, but for those that aren't wanted: the greatest share, in
    /// percent, that may be refused because its moves can't be read or aren't legal. If it is more,
    /// of twenty games at least, that is [`crate::ArchiveError::MostlyRefused`]: the few games that
    /// are left are legal by accident. Any share if none.
    pub most_refused: Option<u8>,
    /// About how much text goes to a worker at a time. It shows in speed and memory, never in the
    /// result.
    pub chunk_bytes: usize,
}

impl Options {
    /// Options for archives of this game, of which all that can be counted is wanted.
    #[must_use]
    pub fn new(game: Known) -> Self {
        Self {
            game,
            format: None,
            wanted: Wanted::default(),
            join_split: true,
            most_refused: None,
            chunk_bytes: 512 << 10,
        }
    }
}

/// Options for archives of chess.
#[cfg(feature = "chess")]
impl Default for Options {
    fn default() -> Self {
        Self::new(Known::Chess(tabia_games::Chess::start()))
    }
}
