//! What one book holds and another can't say, or what is odd in it: how much of it, told in one line.

use std::fmt;

/// One kind of what is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loss {
    /// A word for programs.
    pub name: &'static str,
    /// How many there are.
    pub count: u64,
    /// What they are, in the plural.
    pub what: &'static str,
}

impl Loss {
    pub(crate) const fn new(name: &'static str, count: u64, what: &'static str) -> Self {
        Self { name, count, what }
    }
}

/// Writes all that isn't zero, or `nothing`.
pub(crate) fn tell(f: &mut fmt::Formatter<'_>, lost: &[Loss]) -> fmt::Result {
    let mut lost = lost.iter().filter(|loss| loss.count > 0);
    let Some(Loss { count, what, .. }) = lost.next() else { return f.write_str("nothing") };
    write!(f, "{count} {what}")?;
    lost.try_for_each(|Loss { count, what, .. }| write!(f, "; {count} {what}"))
}
