//! The properties of a game of GGF, the generic game format of the server GGS:
//! `(;GM[Othello]PB[a]PW[b]BO[8 ... *]B[d3//0.01]W[c5];)`.
//!
//! Archives of it and NBoard's protocol have games written so. The format is that of
//! <https://www.skatgame.net/mburo/ggsa/ggf>; what the properties mean is left to the reader.

/// The properties of a game, one after the other: names and values, as bytes of the text.
#[derive(Clone, Debug)]
pub struct GgfProperties<'a> {
    text: &'a [u8],
    end: Option<GgfEnd>,
}

/// How the properties of a game end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GgfEnd {
    /// By `;)` or `)`, as they should.
    Closed,
    /// The text ends before the game does.
    CutOff,
    /// What comes next is no property.
    Broken,
}

impl<'a> GgfProperties<'a> {
    /// Those of the game that starts with this text; `(;` before them may be missing.
    pub fn of(text: &'a [u8]) -> Self {
        Self { text: text.strip_prefix(b"(;").unwrap_or(text), end: None }
    }

    /// How they end; none while there are more of them.
    pub fn end(&self) -> Option<GgfEnd> {
        self.end
    }

    fn ends(&mut self, end: GgfEnd) -> Option<(&'a [u8], &'a [u8])> {
        self.end = Some(end);
        None
    }
}

impl<'a> Iterator for GgfProperties<'a> {
    type Item = (&'a [u8], &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let text = self.text.trim_ascii_start();
        self.text = text;
        if matches!(text, [b';', b')', ..] | [b')', ..]) {
            return self.ends(GgfEnd::Closed);
        }
        let name = text.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let value = text[name..].strip_prefix(b"[");
        match (name, value, value.and_then(|value| value.iter().position(|&byte| byte == b']'))) {
            (1.., Some(value), Some(length)) => {
                self.text = &value[length + 1..];
                Some((&text[..name], &value[..length]))
            }
            (_, Some(_), None) => self.ends(GgfEnd::CutOff),
            _ if text.len() == name || text == b";" => self.ends(GgfEnd::CutOff),
            _ => self.ends(GgfEnd::Broken),
        }
    }
}
