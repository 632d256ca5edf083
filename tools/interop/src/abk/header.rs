//! The header of an Arena book.

use super::{FIRST, NODE, START};

/// Why bytes couldn't be read as an Arena book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// It doesn't begin like one.
    #[error("it is no Arena book: it begins with {0:02x?} instead of 03 and `AB2` or `ABK`")]
    Magic(Vec<u8>),
    /// It ends within its header or a node.
    #[error("it is cut off: {0} bytes are not {START} of a header and {NODE} for each node")]
    Length(usize),
    /// It says that its nodes begin or are as long as in no known book.
    #[error(
        "its nodes begin at byte {start} and have {size} bytes: only {START} and {NODE} are known"
    )]
    Layout {
        /// Where nodes begin.
        start: u32,
        /// Bytes of a node.
        size: u32,
    },
    /// It has more nodes than can be numbered.
    #[error("it has more than 2,147,483,647 nodes")]
    Large,
}

/// What a header says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// What the maker says of it: at most 120 letters of Latin-1.
    pub comment: String,
    /// Its maker: at most 80.
    pub author: String,
    /// Plies of the longest line.
    pub plies: u32,
    /// Nodes that are not deleted.
    pub nodes: u32,
    /// The least games of a move.
    pub least_games: u32,
}

/// A text's offset and the most bytes it has.
const COMMENT: (usize, usize) = (12, 120);
const AUTHOR: (usize, usize) = (133, 80);
/// The half-moves for which a book is used, if its maker doesn't say.
const ALL_HALF_MOVES: u32 = 9999;

impl Header {
    /// Reads it, and makes sure that whole nodes follow it.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn read(bytes: &[u8]) -> Result<Self, ReadError> {
        if !matches!(bytes, [3, b'A', b'B', b'2' | b'K', ..]) {
            return Err(ReadError::Magic(bytes[..bytes.len().min(4)].to_vec()));
        }
        if bytes.len() < START || !(bytes.len() - START).is_multiple_of(NODE) {
            return Err(ReadError::Length(bytes.len()));
        }
        if bytes.len() / NODE > i32::MAX as usize {
            return Err(ReadError::Large);
        }
        let (start, size) = (number(bytes, 4), number(bytes, 8));
        if !matches!((start as usize, size as usize), (0 | START, 0 | NODE)) {
            return Err(ReadError::Layout { start, size });
        }
        let (plies, nodes, least_games) =
            (number(bytes, 214), number(bytes, 218), number(bytes, 222));
        Ok(Self {
            comment: text(bytes, COMMENT),
            author: text(bytes, AUTHOR),
            plies,
            nodes,
            least_games,
        })
    }

    /// The header as bytes. What a text has that isn't Latin-1 becomes `?`, and what is too long is
    /// cut off. Moves are chosen by priority and games, as the fields at 238 and 242 of a real book
    /// have it.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; START];
        bytes[..4].copy_from_slice(b"\x03AB2");
        put_text(&mut bytes, COMMENT, &self.comment);
        put_text(&mut bytes, AUTHOR, &self.author);
        let numbers = [
            (4, FIRST * NODE as u32),
            (8, NODE as u32),
            (214, self.plies),
            (218, self.nodes),
            (222, self.least_games),
        ];
        for (at, number) in numbers.into_iter().chain([(238, 1), (242, 1), (250, ALL_HALF_MOVES)]) {
            bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }
}

/// The number at an offset, which must be within the bytes.
pub(super) fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte]))
}

fn text(bytes: &[u8], (at, most): (usize, usize)) -> String {
    let length = usize::from(bytes[at]).min(most);
    bytes[at + 1..=at + length].iter().map(|&byte| char::from(byte)).collect()
}

fn put_text(bytes: &mut [u8], (at, most): (usize, usize), text: &str) {
    let latin = text.chars().take(most).map(|letter| u8::try_from(letter).unwrap_or(b'?'));
    let text: Vec<u8> = latin.collect();
    bytes[at] = text.len() as u8;
    bytes[at + 1..=at + text.len()].copy_from_slice(&text);
}
