//! Players: whether a name in an archive is that of a player who is asked for.

use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

/// A player whose games are wanted.
///
/// Names are compared word by word, whatever their order, case and punctuation. Accents count.
/// Every word asked for must be in the archive's name:
///
/// - The surname must be there whole. It is what stands before a comma, or else the last word of
///   more than one letter. So `Carlsen` finds every Carlsen.
/// - Of other words one may begin the other: `Adams, Michael` finds `Adams,M`, `Adams, Mi` and
///   `M. Adams`, and `Nakamura, H` finds `Hikaru Nakamura`.
/// - What the archive has before a comma is a surname as well: no initial stands for it, and where
///   one stands for another name a word of it must have been asked for. So `Adams, Michael` doesn't
///   find `Rohde, Michael A`, nor `Alexander Chernin` `Alexander, C`.
///
/// With `=` before it the archive's name has just these words, so that `=bob` doesn't find `bob_42`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerName {
    name: Words,
    /// Whether there are no others in the archive's name.
    alone: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Words {
    /// In lower case. An apostrophe is part of a word.
    words: Vec<String>,
    /// How many of them stand before a comma behind which there are others; 0 without such a comma.
    surname: usize,
}

/// A text without a letter or digit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no player's name: there is no letter or digit in it")]
pub struct NoName(String);

impl FromStr for PlayerName {
    type Err = NoName;

    fn from_str(text: &str) -> Result<Self, NoName> {
        let alone = text.trim_start().starts_with('=');
        let name = Words::of(text);
        if name.words.is_empty() { Err(NoName(text.to_owned())) } else { Ok(Self { name, alone }) }
    }
}

/// What is read as this player again: the words of the name, in lower case.
impl fmt::Display for PlayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (surname, others) = self.name.words.split_at(self.name.surname);
        let comma = if surname.is_empty() { "" } else { ", " };
        let alone = if self.alone { "=" } else { "" };
        write!(f, "{alone}{}{comma}{}", surname.join(" "), others.join(" "))
    }
}

impl PlayerName {
    /// Whether this name is that player's.
    pub fn is_named(&self, name: &str) -> bool {
        let mut found = Words::of(name);
        if self.alone {
            let mut words = self.name.words.clone();
            words.sort_unstable();
            found.words.sort_unstable();
            return words == found.words;
        }
        let (surnames, mut asked) = (found.surname, Vec::new());
        let mut left: Vec<Option<&String>> = found.words.iter().map(Some).collect();
        for (place, word) in self.name.words.iter().enumerate() {
            match left.iter().position(|name| *name == Some(word)) {
                Some(found) => left[found] = None,
                None if self.name.is_surname(place) => return false,
                None => asked.push(word),
            }
        }
        let is_surname_asked_for = surnames == 0 || left[..surnames].contains(&None);
        // Those that fewest words begin come first.
        asked.sort_by_key(|word| Reverse(word.len()));
        (is_surname_asked_for || asked.is_empty())
            && asked.into_iter().all(|word| take_like(&mut left[surnames..], word))
    }
}

/// Takes the longest name away that begins with this word, or begins it; whether there was one.
fn take_like(names: &mut [Option<&String>], word: &str) -> bool {
    let is_like = |name: &&String| name.starts_with(word) || word.starts_with(name.as_str());
    let alike = names.iter_mut().filter(|name| name.as_ref().is_some_and(is_like));
    let longest = alike.max_by_key(|name| name.map_or(0, String::len));
    longest.map(|name| *name = None).is_some()
}

impl Words {
    fn of(name: &str) -> Self {
        let (before, behind) = name.split_once(',').unwrap_or(("", name));
        let mut words = split(before);
        let surname = words.len();
        words.extend(split(behind));
        Self { surname: if words.len() > surname { surname } else { 0 }, words }
    }

    /// Whether this word is of the surname, or the last one that can be it.
    fn is_surname(&self, place: usize) -> bool {
        match self.surname {
            0 => {
                let is_long = |word: &String| word.chars().nth(1).is_some();
                place == self.words.iter().rposition(is_long).unwrap_or(self.words.len() - 1)
            }
            surname => place < surname,
        }
    }
}

fn split(text: &str) -> Vec<String> {
    let parts = text
        .split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '\'' | '\u{2019}'));
    let word = |part: &str| {
        part.chars()
            .filter(|letter| letter.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect::<String>()
    };
    parts.map(word).filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(player: &str, name: &str) -> bool {
        player.parse::<PlayerName>().unwrap_or_else(|error| panic!("{error}")).is_named(name)
    }

    #[test]
    fn names_are_found_however_they_are_written_and_no_others() {
        for line in include_str!("player.txt").lines().skip(1) {
            let [player, names, others] = *line.split(" | ").collect::<Vec<_>>() else {
                panic!("{line}")
            };
            for (names, is_theirs) in [(names, true), (others, false)] {
                for name in names.split("; ").filter(|name| !name.is_empty()) {
                    assert_eq!(finds(player, name), is_theirs, "{player}: {name}");
                }
            }
        }
        assert!(!finds("Carlsen", ""));
    }

    #[test]
    fn a_name_is_written_as_it_is_read() {
        for text in ["carlsen m", "van der sterren, paul", "=bob 42"] {
            let name = text.parse::<PlayerName>().map(|name| name.to_string());
            assert_eq!(name, Ok(text.to_owned()));
        }
    }

    #[test]
    fn a_name_has_letters() {
        for text in ["", " ", "?", "-,-", "'", "="] {
            assert_eq!(text.parse::<PlayerName>(), Err(NoName(text.to_owned())));
        }
    }
}
