//! Who played a game and when, as hashes.

use crate::filter::Date;
use std::borrow::Cow;
use xxhash_rust::xxh3::xxh3_64;

/// Makes hashes of names and dates. Keeps a buffer.
#[derive(Debug, Default)]
pub(crate) struct Names(String);

impl Names {
    /// The hash for [`Played::players`](crate::Played::players).
    pub fn hash(&mut self, players: [Cow<'_, str>; 2], date: Option<Date>) -> u64 {
        self.0.clear();
        for name in players {
            self.0.extend(name.chars().filter(|letter| !letter.is_whitespace() && *letter != '?').flat_map(char::to_lowercase));
            self.0.push('\n');
        }
        self.0.extend(date.map(|date| date.to_string()));
        xxh3_64(self.0.as_bytes())
    }
}
