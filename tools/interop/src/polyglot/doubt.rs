//! Whether a file is a Polyglot book at all: any bytes can be read as entries, so that it shows
//! only by what no such book has.

use super::Read;
use tabia::stream::{Chunk, RowSet, Rows};
use tabia::{Hash, MoveRow, Result};
use tabia_games::{Chess, Game};

/// Why a file is no Polyglot book, as far as can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Doubt {
    /// It isn't made of whole entries: it was cut, or is something else.
    #[error("its size is no multiple of 16: {0} bytes are left behind the last entry")]
    Size(u64),
    /// More than a third of the entries have a key less than that before them, where a book is
    /// sorted by key.
    #[error("{disorders} of its {entries} entries are out of order")]
    Order {
        /// How many are.
        disorders: u64,
        /// All entries.
        entries: u64,
    },
    /// It has moves at the start position of chess, none of which is legal.
    #[error("none of its {0} moves at the start of chess is legal")]
    Start(u64),
}

impl Read {
    /// What speaks against the file's being a Polyglot book, as far as its entries show it.
    pub fn doubt(&self) -> Option<Doubt> {
        let Self { disorders, trailing, .. } = *self;
        let entries = self.entries + self.repeated + self.null_moves;
        if trailing > 0 {
            Some(Doubt::Size(trailing))
        } else if 3 * disorders > entries {
            Some(Doubt::Order { disorders, entries })
        } else {
            None
        }
    }
}

/// What speaks against a file's being a Polyglot book, as far as the moves that were read from it
/// show it: at the start of chess it has some, and none is legal.
///
/// # Errors
/// Those of reading the moves.
pub fn doubt_of_moves(moves: &dyn RowSet<MoveRow>) -> Result<Option<Doubt>> {
    let start = Chess::start();
    let hash = Hash::of(start.key());
    let (mut rows, mut chunk) = (moves.rows_between(hash..=hash)?, Chunk::default());
    let mut illegal = 0;
    loop {
        rows.next_chunk(&mut chunk)?;
        if chunk.rows().iter().any(|row| start.move_of_code(row.code()).is_some()) {
            return Ok(None);
        }
        if chunk.is_empty() {
            return Ok((illegal > 0).then_some(Doubt::Start(illegal)));
        }
        illegal += chunk.len() as u64;
    }
}
