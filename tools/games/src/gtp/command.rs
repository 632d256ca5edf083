//! Commands of GTP (version 2, sections 2.2 to 2.6): id, name and arguments; and their answers.

/// A command.
#[derive(Debug)]
pub struct Command<'a> {
    id: Option<&'a str>,
    /// Its name.
    pub name: &'a str,
    /// The words behind its name.
    pub args: Vec<&'a str>,
}

/// A line without control characters and comment; tabs are spaces.
pub fn cleaned(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let text = text.split('#').next().unwrap_or_default();
    text.chars()
        .map(|letter| if letter == '\t' { ' ' } else { letter })
        .filter(|letter| !letter.is_control())
        .collect()
}

impl<'a> Command<'a> {
    /// The command of a cleaned line, if it holds one.
    pub fn of(text: &'a str) -> Option<Self> {
        let mut words = text.split_ascii_whitespace().peekable();
        let is_id = |word: &&str| word.bytes().all(|digit| digit.is_ascii_digit());
        let id = words.next_if(is_id);
        Some(Self { id, name: words.next()?, args: words.collect() })
    }

    /// A success with this text.
    pub fn answered(&self, text: &str) -> Vec<u8> {
        format!("={} {text}\n\n", self.id.unwrap_or_default()).into_bytes()
    }

    /// A failure with this text.
    pub fn refused(&self, text: &str) -> Vec<u8> {
        format!("?{} {text}\n\n", self.id.unwrap_or_default()).into_bytes()
    }

    /// A success with this text on a line of its own.
    pub fn answered_below(&self, text: &str) -> Vec<u8> {
        format!("={}\n{text}\n\n", self.id.unwrap_or_default()).into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_apart_as_the_standard_says() {
        for (line, id, name, args) in [
            (&b"12 play b D4 # a move\r\n"[..], Some("12"), "play", &["b", "D4"][..]),
            (b"\tgen\x01move\tw\n", None, "genmove", &["w"]),
        ] {
            let text = cleaned(line);
            let command = Command::of(&text).expect(name);
            assert_eq!((command.id, command.name, &command.args[..]), (id, name, args));
        }
        for nothing in [&b"\n"[..], b"# only\n", b" \t\r\n", b"7\n"] {
            assert!(Command::of(&cleaned(nothing)).is_none());
        }
    }
}
