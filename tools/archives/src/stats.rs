//! What came of the games of an archive: how many counted, which were skipped or filtered and why.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// Makes an enum of variants with names that never change, in a fixed order: `ALL` of them, the
/// `name` of each, which is how it is displayed.
#[macro_export]
macro_rules! named {
    (
        $(#[$about:meta])*
        pub enum $enum:ident { $($(#[$doc:meta])* $variant:ident = $name:literal,)* }
    ) => {
        $(#[$about])*
        pub enum $enum { $($(#[$doc])* $variant,)* }

        impl $enum {
            /// All of them, in order.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// The name, which never changes.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }

        impl std::fmt::Display for $enum {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}
named! {
    /// Why a game was skipped.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum Reason {
        /// It has no decided result: still going on, abandoned, unknown.
        NoResult = "no_result",
        /// It has no moves.
        NoMoves = "no_moves",
        /// A move isn't legal, or could be more than one.
        IllegalMove = "illegal_move",
        /// A null move is in its main line.
        NullMove = "null_move",
        /// The position it starts from can't be read or can't be.
        BadPosition = "bad_position",
        /// It is a game of another kind: a variant, by its tags.
        NotChess = "not_chess",
        /// It can't be read: text that is no move, a comment that never ends, or far too long.
        Broken = "broken",
        /// It starts from set-up stones (a handicap, a problem), and such games aren't wanted.
        SetUp = "set_up",
        /// It is another game than the one that is read, or one on a board of another size.
        OtherGame = "other_game",
    }
}

named! {
    /// Why a game isn't wanted, by the [`Filter`](crate::filter::Filter): nothing is wrong with it.
    /// Of several reasons the first counts.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Filtered {
        /// A player's rating is out of bounds or not known.
        Rating = "rating",
        /// Its date is out of bounds or not known well enough.
        Date = "date",
        /// Its time control is of another class or not known.
        TimeControl = "time_control",
        /// None of the wanted players played it.
        Player = "player",
        /// Who is asked for played the other color.
        Color = "color",
        /// It ended otherwise.
        Result = "result",
        /// It started from another kind of position.
        Variant = "variant",
        /// It is too short.
        Plies = "plies",
    }
}

/// A game that was skipped, and where it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// The archive, as it was given; of tar archives with the file, `games.tar:week/one.sgf`.
    pub archive: Arc<str>,
    /// Byte at which the game starts in the decompressed archive or, of a tar archive, its file.
    pub offset: u64,
    /// The line in which it starts, counted from 1.
    pub line: u64,
    /// Why.
    pub reason: Reason,
    /// What exactly: which move at which ply, which tag.
    pub detail: String,
    /// The players, if the game names them.
    pub players: String,
    /// Those of its tags by which a game is known (Event, Site, Date, Round, White, Black, Result),
    /// as PGN has them: `[Event "x"] [Date "2020.01.01"]`.
    pub tags: String,
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, line {}, byte {}: {}", self.archive, self.line, self.offset, self.detail)?;
        if self.players.is_empty() { Ok(()) } else { write!(f, " ({})", self.players) }
    }
}

/// Games of one archive, or of all. Games read are those counted, skipped and filtered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameCounts {
    /// Games found.
    pub games_read: u64,
    /// Games that were counted.
    pub games_in: u64,
    /// Plies of the games that were counted, including those beyond `max_ply`.
    pub plies: u64,
    /// Games read whose tags and moves are parted by two blank lines or more, and which were read as
    /// one game each: see [`Options::join_split`](crate::Options::join_split).
    pub joined: u64,
    /// Of the games read, how many are variations of others: see
    /// [`Wanted::variations`](crate::Wanted::variations).
    pub variations: u64,
    /// Variations of the games that were counted, which weren't wanted: they count for nothing.
    pub variations_left_out: u64,
    skipped: [u64; Reason::ALL.len()],
    filtered: [u64; Filtered::ALL.len()],
}

impl GameCounts {
    /// Games skipped for this reason.
    pub fn skipped(&self, reason: Reason) -> u64 {
        self.skipped[reason as usize]
    }

    /// Games skipped, all reasons together.
    pub fn skipped_games(&self) -> u64 {
        self.skipped.iter().sum()
    }

    /// Games whose moves can't be read or aren't legal, as those in another notation are.
    pub(crate) fn refused(&self) -> u64 {
        self.skipped(Reason::Broken) + self.skipped(Reason::IllegalMove)
    }

    /// Games that aren't wanted for this reason.
    pub fn filtered(&self, reason: Filtered) -> u64 {
        self.filtered[reason as usize]
    }

    /// Games that aren't wanted, all reasons together.
    pub fn filtered_games(&self) -> u64 {
        self.filtered.iter().sum()
    }

    /// Corrects how many games count in the end, and with how many plies.
    pub fn count_only(&mut self, games: u64, plies: u64) {
        (self.games_in, self.plies) = (games, plies);
    }

    pub(crate) fn goes_in(&mut self, plies: usize) {
        self.games_read += 1;
        self.games_in += 1;
        self.plies += plies as u64;
    }

    pub(crate) fn skips(&mut self, reason: Reason) {
        self.games_read += 1;
        self.skipped[reason as usize] += 1;
    }

    pub(crate) fn filters(&mut self, reason: Filtered) {
        self.games_read += 1;
        self.filtered[reason as usize] += 1;
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.games_read += other.games_read;
        self.games_in += other.games_in;
        self.plies += other.plies;
        self.joined += other.joined;
        self.variations += other.variations;
        self.variations_left_out += other.variations_left_out;
        for (count, more) in self.skipped.iter_mut().zip(other.skipped) {
            *count += more;
        }
        for (count, more) in self.filtered.iter_mut().zip(other.filtered) {
            *count += more;
        }
    }
}

/// One archive, as a book remembers it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceStats {
    /// The file's name without its folder; `-` for standard input.
    pub name: String,
    /// XXH3-128 of its bytes after decompression, most significant byte first.
    pub digest: [u8; 16],
    /// Its bytes after decompression.
    pub bytes: u64,
    /// Its games.
    pub games: GameCounts,
}

/// The counts of an ingestion, in all and by archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// All games.
    pub games: GameCounts,
    /// Every archive, in the order given.
    pub sources: Vec<SourceStats>,
}
