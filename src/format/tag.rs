//! The names of sections.

use crate::row::TableKind;

/// The four letters that name a section.
///
/// ```
/// use tabia::{TableKind, Tag};
///
/// assert_eq!(Tag::table(TableKind::Moves), Tag::MOVES);
/// assert_eq!((Tag::MOVES.to_string(), Tag::MOVES.sums().to_string()), ("MOVE".to_owned(), "move".to_owned()));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Tag(pub [u8; 4]);

impl Tag {
    /// The positions table.
    pub const POSITIONS: Self = Self(*b"POSN");
    /// The tags of its slots: the filter.
    pub const TAGS: Self = Self(*b"TAGS");
    /// The moves table.
    pub const MOVES: Self = Self(*b"MOVE");
    /// The parameters of a packed book's pages.
    pub const PACK: Self = Self(*b"PACK");
    /// The pages of a packed book.
    pub const PAGE: Self = Self(*b"PAGE");
    /// The games that the cells of a packed book name.
    pub const GAMES: Self = Self(*b"DICT");
    /// The copy of the parameters at the end of a packed book.
    pub const COPY: Self = Self(*b"COPY");
    /// The sources.
    pub const SOURCES: Self = Self(*b"SRCS");
    /// The facts.
    pub const FACTS: Self = Self(*b"FACT");

    /// No tag: what the entry of a section that is beside no table has.
    pub(super) const NONE: Self = Self([0; 4]);

    /// The tag of a table.
    #[must_use]
    pub fn table(kind: TableKind) -> Self {
        match kind {
            TableKind::Positions => Self::POSITIONS,
            TableKind::Moves => Self::MOVES,
        }
    }

    /// The tag of the sums of a section's blocks: the same letters, small.
    #[must_use]
    pub fn sums(self) -> Self {
        Self(self.0.map(|letter| letter.to_ascii_lowercase()))
    }

    /// The table this is the tag of, if of one.
    #[must_use]
    pub fn kind(self) -> Option<TableKind> {
        TableKind::ALL.into_iter().find(|&kind| Self::table(kind) == self)
    }

    /// Whether it is that of the sums of a section.
    pub(super) fn is_sums(self) -> bool {
        self.0.iter().all(u8::is_ascii_lowercase)
    }
}

impl std::fmt::Display for Tag {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(&self.0.escape_ascii(), f)
    }
}

impl std::fmt::Debug for Tag {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}
