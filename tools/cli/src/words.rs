//! Flags of positions and marks of moves in words.

use tabia::{flags, marks};

const FLAGS: [(u8, &str); 5] = [
    (flags::PROVEN_WIN, "proven win"),
    (flags::PROVEN_DRAW, "proven draw"),
    (flags::PROVEN_LOSS, "proven loss"),
    (flags::PUBLIC_DRAW, "public draw"),
    (flags::EXPANDED, "expanded"),
];

const MARKS: [(u8, &str); 8] = [
    (marks::GOOD, "!"),
    (marks::BAD, "?"),
    (marks::BRILLIANT, "!!"),
    (marks::BLUNDER, "??"),
    (marks::INTERESTING, "!?"),
    (marks::DUBIOUS, "?!"),
    (marks::NEVER, "never"),
    (marks::ALWAYS, "always"),
];

/// The flags that are set.
pub fn of_flags(set: u8) -> Vec<&'static str> {
    chosen(&FLAGS, set)
}

/// The marks that are set.
pub fn of_marks(set: u8) -> Vec<&'static str> {
    chosen(&MARKS, set)
}

fn chosen(names: &[(u8, &'static str)], set: u8) -> Vec<&'static str> {
    names.iter().filter(|(bit, _)| set & bit != 0).map(|&(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_of_the_format_has_a_word() {
        assert_eq!(of_flags(flags::ALL).len() as u32, flags::ALL.count_ones());
        assert_eq!(of_marks(0xff).len(), 8);
        assert_eq!(of_marks(marks::DUBIOUS | marks::NEVER), ["?!", "never"]);
    }
}
