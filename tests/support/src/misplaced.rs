//! What a disk does that writes in the wrong place: units of a file moved, exchanged, repeated,
//! dropped, cleared, or taken from another file.

use crate::Sample;
use std::ops::Range;

/// Hands on a file in which one of these units is in the wrong place, for each way in which that can
/// be, or a sample of them: written over another one of its length, exchanged with it, there twice,
/// dropped, all zeros or ones, or, from its place in one of the `others`, the unit of that file.
pub fn misplaced(
    bytes: &[u8],
    units: &[Range<usize>],
    others: &[&[u8]],
    sample: &mut Sample,
    mut take: impl FnMut(&str, &[u8]),
) {
    let mut try_one = |what: String, new: Vec<u8>| {
        if new != bytes {
            take(&what, &new);
        }
    };
    let with = |to: &Range<usize>, new: &[u8]| [&bytes[..to.start], new, &bytes[to.end..]].concat();
    for (i, from) in units.iter().enumerate() {
        let unit = &bytes[from.clone()];
        for (what, new) in [
            ("twice", [unit, unit].concat()),
            ("dropped", Vec::new()),
            ("all zeros", vec![0; unit.len()]),
            ("all ones", vec![0xff; unit.len()]),
        ] {
            if sample.takes_of((what, i)) {
                try_one(format!("unit {i} {what}"), with(from, &new));
            }
        }
        for (number, other) in others.iter().enumerate() {
            if let Some(other) = other.get(from.clone()).filter(|_| sample.takes_of((number, i))) {
                try_one(format!("unit {i} of the other file {number}"), with(from, other));
            }
        }
        for (j, to) in units.iter().enumerate().filter(|(j, to)| *j != i && to.len() == from.len())
        {
            if sample.takes_of(("over", i)) {
                try_one(format!("unit {i} over unit {j}"), with(to, unit));
            }
            if i < j && sample.takes_of(("exchanged", i)) {
                let mut new = with(to, unit);
                new[from.clone()].copy_from_slice(&bytes[to.clone()]);
                try_one(format!("units {i} and {j} exchanged"), new);
            }
        }
    }
}
