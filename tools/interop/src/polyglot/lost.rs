//! What a Polyglot book holds and rows don't say, by reason.

use super::entry::Entry;
use super::meaning::{Learn, Meaning};
use super::read::Read;
use crate::Losses;
use crate::lost::reasons;

reasons! { new
    /// Learn fields that are left out ([`Learn::Ignore`]).
    LEARNED: "learned", "learn fields";
    /// Weights in whose place are the games of learn fields ([`Learn::Results`]).
    WEIGHTS: "weights", "weights";
    /// Learn fields that aren't what Polyglot would have learned.
    UNPAIRED: "unpaired", "learn fields with more points than their games can have made";
    /// Entries that are the same as those before them, in all fields.
    REPEATED: "repeated", "entries that only repeat those before them";
    /// Entries whose move is the null move.
    NULL_MOVES: "null_moves", "null moves";
    /// Entries whose key is 0, beside those of a header.
    KEY_ZERO: "key_zero", "entries with key 0";
    /// Bytes after the last whole entry.
    TRAILING: "trailing", "bytes behind the last whole entry";
}

impl Meaning {
    /// Counts what [`Meaning::row`] leaves out of an entry.
    pub fn count_lost(self, entry: Entry, losses: &mut Losses) {
        let by_results = self.learn == Learn::Results;
        losses.add(WEIGHTS, u64::from(by_results && entry.weight != 0));
        losses.add(LEARNED, u64::from(self.learn == Learn::Ignore && entry.learn != 0));
        losses.add(UNPAIRED, u64::from(by_results && Learn::results(entry.learn).is_none()));
    }
}

impl Read {
    /// Counts the entries that were skipped, and so not handed on.
    pub fn count_lost(&self, losses: &mut Losses) {
        for (reason, count) in [
            (REPEATED, self.repeated),
            (NULL_MOVES, self.null_moves),
            (KEY_ZERO, self.key_zero),
            (TRAILING, self.trailing),
        ] {
            losses.add(reason, count);
        }
    }
}
