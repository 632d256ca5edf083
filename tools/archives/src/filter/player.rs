//! Players: whether a name in an archive is that of a player who is asked for.

use std::fmt;
use std::str::FromStr;

/// A player whose games are wanted.
///
/// Names are compared word by word, whatever their order, case and punctuation. Every word asked
/// for must be in the archive's name. One at least must be there whole; of the others one may begin
/// the other, so that `Carlsen, Magnus` finds `Carlsen,M`, and `Nakamura, H` finds
/// `Hikaru Nakamura`. `Carlsen` alone finds every Carlsen. Accents count.
///
/// With `=` before it the archive's name has just these words, so that `=bob` doesn't find `bob_42`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerName {
    words: Vec<String>,
    /// Whether there are no others in the archive's name.
    alone: bool,
}

/// A text without a letter or digit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no player's name: there is no letter or digit in it")]
pub struct NoName(String);

impl FromStr for PlayerName {
    type Err = NoName;

    fn from_str(text: &str) -> Result<Self, NoName> {
        let alone = text.trim_start().starts_with('=');
        let words = words(text);
        if words.is_empty() { Err(NoName(text.to_owned())) } else { Ok(Self { words, alone }) }
    }
}

/// What is read as this player again: the words of the name, in lower case.
impl fmt::Display for PlayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.alone { "=" } else { "" })?;
        f.write_str(&self.words.join(" "))
    }
}

impl PlayerName {
    /// Whether this name is that player's.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        let mut names = words(name);
        if self.alone {
            let mut words = self.words.clone();
            words.sort_unstable();
            names.sort_unstable();
            return words == names;
        }
        let mut rest: Vec<&String> = Vec::new();
        for word in &self.words {
            match names.iter().position(|name| name == word) {
                Some(found) => drop(names.swap_remove(found)),
                None => rest.push(word),
            }
        }
        rest.len() < self.words.len() && rest.into_iter().all(|word| take_like(&mut names, word))
    }
}

/// Takes a name away that begins with this word or the other way round. Returns whether there was
/// one.
fn take_like(names: &mut Vec<String>, word: &str) -> bool {
    let found =
        names.iter().position(|name| name.starts_with(word) || word.starts_with(name.as_str()));
    found.map(|found| names.swap_remove(found)).is_some()
}

/// The words of a name, in lower case. An apostrophe is part of a word.
fn words(text: &str) -> Vec<String> {
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
    fn names_are_found_however_they_are_written() {
        for (player, name) in [
            ("Carlsen", "Carlsen, Magnus"),
            ("Carlsen", "Magnus Carlsen"),
            ("carlsen", "CARLSEN,M"),
            ("Carlsen, Magnus", "Carlsen,M"),
            ("Magnus Carlsen", "Carlsen, M."),
            ("Carlsen, M", "Magnus Carlsen"),
            ("Nakamura, Hikaru", "Nakamura,Hi"),
            ("Vachier-Lagrave", "Vachier Lagrave,M"),
            ("O'Kelly", "OKelly de Galway, A"),
            ("Stockfish", "Stockfish 180614"),
            ("Müller", "MÜLLER, Karsten"),
            ("drnykterstein", "DrNykterstein"),
            ("Smith, J J", "Smith, John James"),
            ("=Carlsen, Magnus", "magnus carlsen"),
            ("=bob_42", "Bob 42"),
        ] {
            assert!(finds(player, name), "{player}: {name}");
        }
    }

    #[test]
    fn others_are_not_found() {
        for (player, name) in [
            ("Carlsen", "Carlsson, Pontus"),
            ("Carlsen", "C"),
            ("Carlsen", ""),
            ("Carlsen", "?"),
            ("Carl", "Carlsen, Magnus"),
            ("Magnus", "Smith, M"),
            ("Carlsen, C", "Carlsen, Magnus"),
            ("Carlsen, Magnus", "Carlsen, Henrik"),
            ("Carlsen, Magnus", "Carlsen"),
            ("Magnus Carlsen", "C, M"),
            ("Smith, J J", "Smith, John"),
            ("=bob", "bob_42"),
            ("=bob_42", "bob"),
            ("=Carlsen, Magnus", "Carlsen,M"),
            ("=Carlsen", "Carlsen, Magnus"),
        ] {
            assert!(!finds(player, name), "{player}: {name}");
        }
    }

    #[test]
    fn a_name_is_written_as_it_is_read() {
        for text in ["carlsen m", "=bob 42"] {
            assert_eq!(
                text.parse::<PlayerName>().map(|name| name.to_string()),
                Ok(text.to_owned())
            );
        }
    }

    #[test]
    fn a_name_has_letters() {
        for text in ["", " ", "?", "-,-", "'", "="] {
            assert_eq!(text.parse::<PlayerName>(), Err(NoName(text.to_owned())));
        }
    }
}
