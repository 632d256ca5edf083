//! What the variants of chess are called that lichess has, by books, archives, engines and people: one
//! table for all of it. It is here whether or not this crate was built with chess.

/// The names of a variant of chess.
#[derive(Clone, Copy, Debug)]
pub struct VariantNames {
    /// In books, and on the command line.
    pub game: &'static str,
    /// In the tag `Variant` of PGN, as lichess writes it.
    pub tag: &'static str,
    /// In UCI's option `UCI_Variant`.
    pub uci: &'static str,
    /// What else it is called: letters and digits alone, in lower case, spaces between.
    also: &'static str,
    /// What its set-up texts are, by an example.
    #[cfg_attr(not(feature = "chess"), allow(dead_code, reason = "read by the rules"))]
    pub(crate) expected: &'static str,
}

/// What set-up texts of chess are, and of variants that look like it.
pub(crate) const FEN: &str =
    "a FEN such as rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

pub(crate) const VARIANTS: [VariantNames; 7] = [
    VariantNames {
        expected: "a FEN such as rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
        ..of("crazyhouse", "Crazyhouse", "crazyhouse", "zh")
    },
    VariantNames {
        expected: "a FEN such as rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
        ..of("antichess", "Antichess", "antichess", "")
    },
    of("atomic", "Atomic", "atomic", "atomicchess"),
    of("king-of-the-hill", "King of the Hill", "kingofthehill", "koth"),
    VariantNames {
        expected: "a FEN such as rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1",
        ..of("three-check", "Three-check", "3check", "threecheckchess 3checks")
    },
    VariantNames {
        expected: "a FEN such as rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1",
        ..of("horde", "Horde", "horde", "")
    },
    VariantNames {
        expected: "a FEN such as 8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1",
        ..of("racing-kings", "Racing Kings", "racingkings", "race")
    },
];

const fn of(
    game: &'static str,
    tag: &'static str,
    uci: &'static str,
    also: &'static str,
) -> VariantNames {
    VariantNames { game, tag, uci, also, expected: FEN }
}

/// The variant with one of these names, whatever its capitals, spaces and dashes are: `threeCheck`,
/// `3check`, `Three-check`. None for chess itself, and for what isn't known.
///
/// ```
/// let named = |text: &str| tabia_games::variant_named(text.as_bytes()).map(|names| names.game);
///
/// assert_eq!(named("King of the Hill"), Some("king-of-the-hill"));
/// assert_eq!(named("Standard"), None);
/// ```
pub fn variant_named(text: &[u8]) -> Option<&'static VariantNames> {
    let text = letters_of(text);
    VARIANTS.iter().find(|names| {
        [names.game, names.uci].iter().any(|name| letters_of(name.as_bytes()) == text)
            || names.also.split(' ').any(|name| !name.is_empty() && name.as_bytes() == text)
    })
}

/// Letters and digits alone, in lower case.
pub fn letters_of(text: &[u8]) -> Vec<u8> {
    let letters = text.iter().filter(|byte| byte.is_ascii_alphanumeric());
    letters.map(u8::to_ascii_lowercase).collect()
}

/// Whether books call chess or a variant of it by this name: what FEN and UCI are for.
pub fn is_chess(game: &str) -> bool {
    game == "chess" || VARIANTS.iter().any(|names| names.game == game)
}
