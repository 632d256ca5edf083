//! Where games start in SGF.

/// How far ahead to look for the sign of a game.
const LOOK_AHEAD: usize = 64;

/// What can be said of the bytes ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lookahead {
    Yes,
    No,
    /// More bytes are needed to decide.
    Unknown,
}

/// Whether a tree of nodes starts here: `(` and `;`, spaces between them.
pub(crate) fn game_ahead(bytes: &[u8]) -> Lookahead {
    look_ahead(bytes, |text| text.byte(b'(')?.spaces().byte(b';'))
}

/// Whether a tree starts here that can't be a variation: its first property belongs into roots, and
/// its value is a short one: `(;GM[1]`.
pub(crate) fn root_ahead(bytes: &[u8]) -> Lookahead {
    look_ahead(bytes, |text| {
        let (name, text) = text.byte(b'(')?.spaces().byte(b';')?.spaces().word()?;
        match name {
            b"GM" | b"FF" | b"SZ" | b"CA" | b"AP" | b"Game" | b"GaMe" | b"FileFormat" | b"SiZe" => {
                text.spaces().byte(b'[')?.spaces().word()?.1.spaces().byte(b']')
            }
            _ => Err(Lookahead::No),
        }
    })
}

fn look_ahead<'a>(
    bytes: &'a [u8],
    pattern: impl Fn(Look<'a>) -> Result<Look<'a>, Lookahead>,
) -> Lookahead {
    let (ahead, may_be_more) = (&bytes[..bytes.len().min(LOOK_AHEAD)], bytes.len() < LOOK_AHEAD);
    match pattern(Look(ahead)) {
        Ok(_) => Lookahead::Yes,
        Err(Lookahead::Unknown) if !may_be_more => Lookahead::No,
        Err(ahead) => ahead,
    }
}

/// A look at what is ahead.
struct Look<'a>(&'a [u8]);

impl<'a> Look<'a> {
    fn spaces(self) -> Self {
        Self(self.0.trim_ascii_start())
    }

    fn byte(self, byte: u8) -> Result<Self, Lookahead> {
        match self.0.split_first() {
            Some((&first, rest)) if first == byte => Ok(Self(rest)),
            Some(_) => Err(Lookahead::No),
            None => Err(Lookahead::Unknown),
        }
    }

    /// Letters, digits, and what else stands in short values. Not empty.
    fn word(self) -> Result<(&'a [u8], Self), Lookahead> {
        let is_part = |byte: &u8| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':' | b'.' | b' ')
        };
        let length = self.0.iter().position(|byte| !is_part(byte)).ok_or(Lookahead::Unknown)?;
        if length == 0 {
            Err(Lookahead::No)
        } else {
            Ok((&self.0[..length], Self(&self.0[length..])))
        }
    }
}
