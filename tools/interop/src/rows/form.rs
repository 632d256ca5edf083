//! How values of files of rows look.

/// How the values of a column look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// 64 bits that are no amount: 16 hexadecimal digits where rows are text.
    Word,
    /// A number of 64 bits without a sign.
    Long,
    /// A number within [`FileColumn::range`](super::FileColumn::range).
    Number,
}
