//! Options whose values are those of a library's type.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use tabia::TableKind;
use tabia::format::{Keyed, Results};

/// A value: what it is called on the command line, the value itself, a line of help.
pub type Named<T> = (&'static str, T, &'static str);

pub const TABLES: &[Named<TableKind>] = &[
    ("positions", TableKind::Positions, "What positions are worth, however reached"),
    ("moves", TableKind::Moves, "What was played at positions"),
];

/// What the rows of a book are of.
pub const KEYED: &[Named<Keyed>] = &[
    ("position", Keyed::Position, "Positions: transpositions meet"),
    (
        "line",
        Keyed::Line,
        "The lines that lead to them, as in a game tree, where transpositions don't meet",
    ),
];

/// Whether the counts of a book know how games ended.
pub const RESULTS: &[Named<Results>] = &[
    ("known", Results::Known, "Games are counted by their result"),
    ("unknown", Results::Unknown, "Games are counted whatever their result, each as a draw"),
];

/// Reads one of these values by its name.
pub fn one_of<T>(all: &'static [Named<T>]) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let possible = all.iter().map(|&(name, _, help)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(possible).try_map(|given: String| {
        let named = all.iter().find(|(name, ..)| *name == given);
        named.map(|&(_, value, _)| value).ok_or("no such value")
    })
}
