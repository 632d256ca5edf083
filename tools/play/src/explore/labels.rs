//! Flags of positions and marks of moves in words.

use tabia::{Flags, Marks};

const FLAGS: [(Flags, &str); 5] = [
    (Flags::PROVEN_WIN, "proven win"),
    (Flags::PROVEN_DRAW, "proven draw"),
    (Flags::PROVEN_LOSS, "proven loss"),
    (Flags::PUBLIC_DRAW, "public draw"),
    (Flags::EXPANDED, "expanded"),
];

const MARKS: [(Marks, &str); 8] = [
    (Marks::GOOD, "!"),
    (Marks::BAD, "?"),
    (Marks::BRILLIANT, "!!"),
    (Marks::BLUNDER, "??"),
    (Marks::INTERESTING, "!?"),
    (Marks::DUBIOUS, "?!"),
    (Marks::NEVER, "never"),
    (Marks::ALWAYS, "always"),
];

/// The flags that are set.
pub fn of_flags(set: Flags) -> Vec<&'static str> {
    FLAGS.iter().filter(|(flag, _)| set.contains(*flag)).map(|&(_, name)| name).collect()
}

/// The marks that are set.
pub fn of_marks(set: Marks) -> Vec<&'static str> {
    MARKS.iter().filter(|(mark, _)| set.contains(*mark)).map(|&(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_of_the_format_has_a_word() {
        assert_eq!(of_flags(Flags::all()).len(), Flags::all().iter().count());
        assert_eq!(of_marks(Marks::all()).len(), 8);
        assert_eq!(of_marks(Marks::DUBIOUS | Marks::NEVER), ["?!", "never"]);
    }
}
