//! Who played a game and when, as one number, to distinguish games of equal moves.

use crate::filter::Date;
use xxhash_rust::xxh3::xxh3_64;

/// Hashes players and dates. Keeps a buffer.
#[derive(Debug, Default)]
pub(crate) struct Names(String);

impl Names {
    /// The hash for [`GameRecord::players`](crate::GameRecord::players), of the names of the first
    /// and the second player.
    pub fn hash<T: AsRef<str>>(&mut self, players: [T; 2], date: Option<Date>) -> u64 {
        self.0.clear();
        for name in players {
            let letters =
                name.as_ref().chars().filter(|letter| !letter.is_whitespace() && *letter != '?');
            self.0.extend(letters.flat_map(char::to_lowercase));
            self.0.push('\n');
        }
        self.0.extend(date.map(|date| date.to_string()));
        xxh3_64(self.0.as_bytes())
    }
}
