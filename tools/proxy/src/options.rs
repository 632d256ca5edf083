//! How a book is played from, and our own options, by which a GUI sets that while it plays: their
//! names, and what is written for them.

use crate::book_stack::BookFiles;
use crate::session::shown;
use std::env::{join_paths, split_paths};
use std::path::PathBuf;
use tabia_play::choice::{Limits, RuleSpec};

/// How a book is played from, whatever the protocol.
#[derive(Clone, Debug)]
pub struct BookSettings {
    /// Whether it is at all.
    pub own_book: bool,
    /// The books, for the GUI to see and to change.
    pub files: BookFiles,
    /// The rule.
    pub rule: RuleSpec,
    /// No move of the book after this many plies.
    pub plies: Option<usize>,
    /// A game that left the book so many plies ago is looked up no more. Until then it is found
    /// again if it comes back by another order of moves.
    pub max_out: usize,
    /// Only moves and positions with at least this many games.
    pub min_games: u64,
    /// Where chance comes from.
    pub seed: u64,
    /// No move to a position that was there.
    pub avoids_repetition: bool,
    /// Whether the engine ponders where the book will answer.
    pub ponders: bool,
}

impl BookSettings {
    /// [`BookSettings::max_out`] if nothing else is said.
    pub const MAX_OUT: usize = 10;

    /// What holds for a choice, of these moves if there are any.
    pub(crate) fn limits<M>(&self, among: Option<Vec<M>>) -> Limits<M> {
        Limits {
            among,
            plies: self.plies,
            avoids_repetition: self.avoids_repetition,
            min_games: self.min_games,
        }
    }
}

/// What an option of ours sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    OwnBook,
    File,
    First,
    Overlay,
    Rule,
    Depth,
    MaxOut,
    MinGames,
    Seed,
    Ponder,
    AvoidRepetition,
}

/// All of them, with their names: `OwnBook` is the name that UCI itself has for it.
pub const OWN: [(Setting, &str); 11] = [
    (Setting::OwnBook, "OwnBook"),
    (Setting::File, "BookFile"),
    (Setting::First, "BookFirst"),
    (Setting::Overlay, "BookOverlay"),
    (Setting::Rule, "BookRule"),
    (Setting::Depth, "BookDepth"),
    (Setting::MaxOut, "BookMaxOut"),
    (Setting::MinGames, "BookMinGames"),
    (Setting::Seed, "BookSeed"),
    (Setting::Ponder, "BookPonder"),
    (Setting::AvoidRepetition, "BookAvoidRepetition"),
];

/// The most plies that an option can say, which means: always.
pub const MOST_PLIES: u64 = 10_000;

/// The most that other numbers can: GUIs keep them in 32 bits.
pub const MOST: u64 = i32::MAX as u64;

/// What UCI writes for a text that is empty.
pub const EMPTY: &str = "<empty>";

/// What stands for a text that UCI can't have, as one of its keywords is in it: it changes nothing.
pub const GIVEN: &str = "<as given>";

/// The keywords of UCI's options. Programs such as python-chess find them in the middle of texts.
const KEYWORDS: [&str; 6] = ["name", "type", "default", "min", "max", "var"];

/// Conditions of rules with keywords in them, and what stands for them in UCI.
const SPELLED: [(&str, &str); 4] = [
    ("min-games=", "mingames="),
    ("min-share=", "minshare="),
    ("min-score=", "minscore="),
    ("min=", "least="),
];

pub(crate) fn for_uci(setting: Setting, text: &str) -> String {
    let mut text = text.to_owned();
    if setting == Setting::Rule {
        SPELLED.iter().for_each(|(ours, theirs)| text = text.replace(ours, theirs));
    }
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut words = text.split(|letter| !is_word(letter));
    if words.any(|word| KEYWORDS.contains(&word)) { GIVEN.to_owned() } else { text }
}

impl BookSettings {
    /// What an option is set to, as it is written.
    pub(crate) fn get(&self, setting: Setting) -> String {
        let plies = |plies: Option<usize>| {
            plies.map_or(MOST_PLIES, |plies| plies as u64).min(MOST_PLIES).to_string()
        };
        match setting {
            Setting::OwnBook => self.own_book.to_string(),
            Setting::Ponder => self.ponders.to_string(),
            Setting::AvoidRepetition => self.avoids_repetition.to_string(),
            Setting::File => plain(&self.files.book.to_string_lossy()),
            Setting::First => list(&self.files.first),
            Setting::Overlay => list(&self.files.overlay),
            Setting::Rule => plain(&self.rule.to_string()),
            Setting::Depth => plies(self.plies),
            Setting::MaxOut => plies(Some(self.max_out)),
            Setting::MinGames => self.min_games.min(MOST).to_string(),
            Setting::Seed => self.seed.min(MOST).to_string(),
        }
    }

    /// Sets anything but books.
    pub(crate) fn set_value(&mut self, setting: Setting, value: &str) -> Result<(), String> {
        match setting {
            Setting::File | Setting::First | Setting::Overlay => {}
            Setting::OwnBook => self.own_book = check(value)?,
            Setting::Ponder => self.ponders = check(value)?,
            Setting::AvoidRepetition => self.avoids_repetition = check(value)?,
            // GUIs send back what they were told; a mixture has no text that could be read.
            Setting::Rule if value == self.rule.to_string() => {}
            Setting::Rule => self.rule = rule(value)?,
            Setting::Depth => {
                let plies = Some(number(value)?).filter(|&plies| plies < MOST_PLIES);
                self.plies = plies.map(|plies| plies as usize);
            }
            Setting::MaxOut => {
                let plies = number(value)?;
                self.max_out = if plies < MOST_PLIES { plies as usize } else { usize::MAX };
            }
            Setting::MinGames => self.min_games = number(value)?,
            Setting::Seed => self.seed = number(value)?,
        }
        Ok(())
    }
}

impl BookFiles {
    /// These files with what an option says of them; none if it says nothing of files.
    pub(crate) fn with(&self, setting: Setting, value: &str) -> Option<Self> {
        let listed = || -> Vec<PathBuf> {
            let value = if value == EMPTY { "" } else { value };
            split_paths(value).filter(|path| !path.as_os_str().is_empty()).collect()
        };
        match setting {
            Setting::File => Some(Self { book: value.into(), ..self.clone() }),
            Setting::First => Some(Self { first: listed(), ..self.clone() }),
            Setting::Overlay => Some(Self { overlay: listed(), ..self.clone() }),
            _ => None,
        }
    }
}

/// Paths as the system's PATH has them, with colons between.
fn list(paths: &[PathBuf]) -> String {
    // A path with a colon can be given at the start, but not by an option.
    let joined = join_paths(paths).unwrap_or_default();
    if joined.is_empty() { EMPTY.to_owned() } else { plain(&joined.to_string_lossy()) }
}

fn plain(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).collect()
}

fn rule(value: &str) -> Result<RuleSpec, String> {
    let mut value = value.to_owned();
    SPELLED.iter().for_each(|(ours, theirs)| value = value.replace(theirs, ours));
    value.parse::<RuleSpec>().map_err(|error| error.to_string())
}

fn check(value: &str) -> Result<bool, String> {
    value
        .to_ascii_lowercase()
        .parse()
        .map_err(|_| format!("`{}` is neither true nor false", shown(value)))
}

fn number(value: &str) -> Result<u64, String> {
    value.parse().map_err(|_| format!("`{}` is no number from 0", shown(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// M5: python-chess, and so lichess-bot, finds keywords within texts.
    #[test]
    fn m5_no_keyword_is_in_a_default() {
        for (setting, text, told) in [
            (Setting::Rule, "lcb,min-games=10", "lcb,mingames=10"),
            (
                Setting::Rule,
                "q,min-share=0,min-score=45,min=none",
                "q,minshare=0,minscore=45,least=none",
            ),
            (Setting::Rule, "negamax(min-games=5,min-share=2)", "negamax(mingames=5,minshare=2)"),
            (Setting::File, "/books/minimax.tabia", "/books/minimax.tabia"),
            (Setting::File, "/home/max/a.tabia", GIVEN),
            (Setting::First, "a.tabia:var.tabia", GIVEN),
        ] {
            assert_eq!(for_uci(setting, text), told);
        }
        for text in ["lcb,min-games=10", "q,min=40", "wilson,min-score=50", "negamax(min-games=3)"]
        {
            let read = rule(&for_uci(Setting::Rule, text));
            assert_eq!(read.map(|rule| rule.to_string()).as_deref(), Ok(text));
        }
    }

    #[test]
    fn files_are_named_as_in_a_path() {
        let files = BookFiles { book: "a".into(), ..BookFiles::default() };
        let both = files.with(Setting::First, "b c:/d").unwrap();
        assert_eq!(both.first, [PathBuf::from("b c"), PathBuf::from("/d")]);
        assert_eq!((list(&both.first), list(&both.overlay)), ("b c:/d".into(), EMPTY.into()));
        let laid_over = both.with(Setting::Overlay, "e").unwrap();
        assert_eq!((laid_over.overlay.len(), laid_over.first.len()), (1, 2));
        for none in ["", EMPTY] {
            assert_eq!(both.with(Setting::First, none).unwrap(), files);
        }
        assert_eq!(files.with(Setting::Seed, "1"), None);
    }
}
