//! Our own options, beside the engine's.

use crate::exchange::shown;
use crate::settings::BookSettings;
use std::fmt::Write;
use tabia_play::choice::RuleSpec;

/// What an option of ours sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    OwnBook,
    File,
    Rule,
    Depth,
    MinGames,
    Seed,
    Ponder,
    AvoidRepetition,
}

use Setting::{AvoidRepetition, Depth, File, MinGames, OwnBook, Ponder, Rule, Seed};

/// All of them, with their names: `OwnBook` is the name that UCI itself has for it.
const OWN: [(Setting, &str); 8] = [
    (OwnBook, "OwnBook"),
    (File, "BookFile"),
    (Rule, "BookRule"),
    (Depth, "BookDepth"),
    (MinGames, "BookMinGames"),
    (Seed, "BookSeed"),
    (Ponder, "BookPonder"),
    (AvoidRepetition, "BookAvoidRepetition"),
];

/// The prefix for a name that the engine has itself.
const PREFIX: &str = "Tabia ";

/// The most plies that BookDepth can say.
const MOST_PLIES: u64 = 10_000;

/// The most that other numbers can: GUIs keep them in 32 bits.
const MOST: u64 = i32::MAX as u64;

/// The names that our options have beside the engine's.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Which of ours the engine has, too.
    taken: [bool; OWN.len()],
}

impl Options {
    /// The engine has listed an option of its own.
    pub fn note(&mut self, words: &[&str]) {
        let name = between(words, "name", "type").join(" ");
        let ours = OWN.iter().position(|(_, own)| own.eq_ignore_ascii_case(&name));
        ours.into_iter().for_each(|index| self.taken[index] = true);
    }

    /// What an option of this name sets, if it is ours.
    pub fn setting(&self, name: &str) -> Option<Setting> {
        let mut all = OWN.iter().enumerate();
        all.find(|&(index, _)| self.name(index).eq_ignore_ascii_case(name))
            .map(|(_, &(setting, _))| setting)
    }

    fn name(&self, index: usize) -> String {
        format!("{}{}", if self.taken[index] { PREFIX } else { "" }, OWN[index].1)
    }

    /// All of ours, as the GUI wants them before `uciok`.
    pub fn listed(&self, settings: &BookSettings) -> String {
        let lines = OWN
            .iter()
            .enumerate()
            .map(|(index, (setting, _))| (self.name(index), kind(*setting, settings)));
        lines.fold(String::new(), |mut text, (name, kind)| {
            let _ = writeln!(text, "option name {name} type {kind}");
            text
        })
    }
}

fn kind(setting: Setting, settings: &BookSettings) -> String {
    let check = |is_on: bool| format!("check default {is_on}");
    let spin = |value: u64, most: u64| format!("spin default {} min 0 max {most}", value.min(most));
    let string = |text: &str| {
        format!(
            "string default {}",
            text.chars().filter(|letter| !letter.is_control()).collect::<String>()
        )
    };
    match setting {
        OwnBook => check(settings.own_book),
        Ponder => check(settings.ponders),
        AvoidRepetition => check(settings.avoids_repetition),
        File => string(&settings.book.to_string_lossy()),
        Rule => string(&settings.rule.to_string()),
        Depth => spin(settings.plies.map_or(MOST_PLIES, |plies| plies as u64), MOST_PLIES),
        MinGames => spin(settings.min_games, MOST),
        Seed => spin(settings.seed, MOST),
    }
}

/// Sets anything but the book's file; or says why not.
pub fn set(settings: &mut BookSettings, setting: Setting, value: &str) -> Result<(), String> {
    match setting {
        File => {}
        OwnBook => settings.own_book = check(value)?,
        Ponder => settings.ponders = check(value)?,
        AvoidRepetition => settings.avoids_repetition = check(value)?,
        // GUIs send back what they were told; a mixture has no text that could be read.
        Rule if value == settings.rule.to_string() => {}
        Rule => settings.rule = value.parse::<RuleSpec>().map_err(|error| error.to_string())?,
        Depth => {
            settings.plies =
                Some(number(value)?).filter(|&plies| plies < MOST_PLIES).map(|plies| plies as usize)
        }
        MinGames => settings.min_games = number(value)?,
        Seed => settings.seed = number(value)?,
    }
    Ok(())
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

/// The name of `setoption name NAME value VALUE`.
pub fn name(words: &[&str]) -> String {
    between(words, "name", "value").join(" ")
}

/// Its value, with the spaces that it has; empty if it has none.
pub fn value(line: &[u8]) -> String {
    let at = memchr::memmem::find(line, b" value ").map_or(line.len(), |at| at + " value ".len());
    String::from_utf8_lossy(&line[at..]).trim().to_owned()
}

/// The words after one and before the next of another.
fn between<'a, 'b>(words: &'b [&'a str], first: &str, last: &str) -> &'b [&'a str] {
    let start = words.iter().position(|&word| word == first).map_or(words.len(), |at| at + 1);
    let length =
        words[start..].iter().position(|&word| word == last).unwrap_or(words.len() - start);
    &words[start..start + length]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        text.split_whitespace().collect()
    }

    #[test]
    fn a_name_that_the_engine_has_is_its_own() {
        let mut options = Options::default();
        assert_eq!(options.setting("ownbook"), Some(OwnBook));
        options.note(&words("option name ownbook type check default false"));
        options.note(&words("option name Hash type spin default 16 min 1 max 33"));
        options.note(&words("option"));
        assert_eq!(
            (options.setting("OwnBook"), options.setting("tabia ownbook"), options.setting("Hash")),
            (None, Some(OwnBook), None)
        );
    }

    #[test]
    fn names_and_values_may_have_spaces() {
        let told = |text: &str| (name(&words(text)), value(text.as_bytes()));
        assert_eq!(told("setoption name Clear Hash\n"), ("Clear Hash".to_owned(), String::new()));
        assert_eq!(
            told("setoption name BookFile value /a  b/c\r\n"),
            ("BookFile".to_owned(), "/a  b/c".to_owned())
        );
        assert_eq!(told("setoption value 3"), (String::new(), "3".to_owned()));
        assert_eq!(told("setoption"), (String::new(), String::new()));
    }
}
