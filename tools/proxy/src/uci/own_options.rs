//! Our own options as UCI has them, beside the engine's.

use crate::options::{BookSettings, MOST, MOST_PLIES, OWN, Setting, for_uci};

/// The prefix for a name that the engine has itself.
const PREFIX: &str = "Tabia ";

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
        let line = |(index, (setting, _)): (usize, &(Setting, _))| {
            format!("option name {} type {}\n", self.name(index), kind(*setting, settings))
        };
        OWN.iter().enumerate().map(line).collect()
    }
}

/// The type of an option, and what it is set to.
fn kind(setting: Setting, settings: &BookSettings) -> String {
    let value = settings.get(setting);
    match setting {
        Setting::OwnBook | Setting::Ponder | Setting::AvoidRepetition => {
            format!("check default {value}")
        }
        Setting::File | Setting::First | Setting::Overlay | Setting::Rule => {
            format!("string default {}", for_uci(setting, &value))
        }
        Setting::Depth | Setting::MaxOut => {
            format!("spin default {value} min 0 max {MOST_PLIES}")
        }
        Setting::MinGames | Setting::Seed => format!("spin default {value} min 0 max {MOST}"),
    }
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
    fn names_and_values_may_have_spaces() {
        let told = |text: &str| (name(&words(text)), value(text.as_bytes()));
        assert_eq!(told("setoption name Clear Hash\n"), ("Clear Hash".to_owned(), String::new()));
        let found = told("setoption name BookFile value /a  b/c\r\n");
        assert_eq!(found, ("BookFile".to_owned(), "/a  b/c".to_owned()));
        assert_eq!(told("setoption value 3"), (String::new(), "3".to_owned()));
        assert_eq!(told("setoption"), (String::new(), String::new()));
    }
}
