//! A slice of an archive: which part of its games a book holds.

/// One of several parts of an archive, whose games one build of many takes.
///
/// Books of all slices of an archive are merged to the book that one build of the archive makes; until
/// then each says which slices it holds ([`Fact::SLICE`](crate::Fact::SLICE)).
///
/// ```
/// use tabia::Slice;
///
/// let third: Slice = "3/7".parse()?;
/// assert_eq!((third.number(), third.count()), (3, 7));
/// assert_eq!(third.to_string(), "3/7");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slice {
    count: u32,
    number: u32,
}

impl Slice {
    /// The most slices of an archive.
    pub const MOST: u32 = 65_536;

    /// A slice, counted from 1; none if there is no such slice.
    #[must_use]
    pub fn new(number: u32, count: u32) -> Option<Self> {
        ((1..=count).contains(&number) && count <= Self::MOST).then_some(Self { count, number })
    }

    /// Which one it is, from 1.
    #[must_use]
    pub fn number(self) -> u32 {
        self.number
    }

    /// How many slices the archive has.
    #[must_use]
    pub fn count(self) -> u32 {
        self.count
    }
}

impl std::fmt::Display for Slice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl std::str::FromStr for Slice {
    type Err = String;

    /// Reads what is displayed: `3/7`.
    fn from_str(text: &str) -> Result<Self, String> {
        let parse = || {
            let (number, count) = text.split_once('/')?;
            Self::new(number.parse().ok()?, count.parse().ok()?)
        };
        let said = || {
            format!("`{text}` is not a slice: 3/7 is the third of seven, of {} at most", Self::MOST)
        };
        parse().ok_or_else(said)
    }
}
