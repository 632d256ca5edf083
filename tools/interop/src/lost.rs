//! How it is said in one line what one book holds and another can't.

use std::fmt;

/// Writes all counts that aren't zero, each with what it counts, or `nothing`.
pub(crate) fn tell(f: &mut fmt::Formatter<'_>, counts: &[(u64, &str)]) -> fmt::Result {
    let mut said = counts.iter().filter(|(count, _)| *count > 0);
    let Some((count, what)) = said.next() else { return f.write_str("nothing") };
    write!(f, "{count} {what}")?;
    said.try_for_each(|(count, what)| write!(f, "; {count} {what}"))
}
