//! Rules for choosing a move by what is known of each candidate alone.
//!
//! A [`Policy`] is put together from small parts: what a candidate is compared by ([`Criterion`]),
//! which of the book's two functions that is told from ([`By`]), what a candidate must have
//! ([`Conditions`]), how one is picked of those that are left ([`Pick`]). Gaudel, Hoock, Perez,
//! Sokolovska and Teytaud, "A Principled Method for Exploiting Opening Books" (2010), is where most
//! of them come from; what its text leaves open is decided here so:
//!
//! - *Whose games are won.* "Percentage of won games in archive containing situation" is that of
//!   the player of the move, for the position behind the move (where the other side is to move) as
//!   for earlier ones. Draws, which its Go has none of, are half a win.
//! - *Algorithm 2* takes `2/√(nb games)` from the score. In the paper's text as extracted the sign
//!   of the root stands a line above, as the "p" of "V̂p": there is one function V̂ in it, the
//!   bound. So its condition V̂(s′) ≥ 0.5 is asked of the bound too, which is much to ask: 70 % of
//!   100 games. `lcb,min=none,min-score=50` asks it of the score.
//! - *Algorithm 3* asks only whether the present position is in the archive; the sentence before it
//!   says "if you leave the opening book, then never consider it again". As its name says the rule
//!   here is the sentence's: every position of the game so far must be in the book
//!   ([`Reentry::Never`]); as printed it is [`Reentry::Known`]. A turn at which the book had a
//!   position and no good move for it isn't counted as leaving.
//! - *Algorithm 4* compares with the grandparent of the present position: here the latest earlier
//!   position with the same side to move, which is two plies ago unless somebody had to pass. ("The
//!   previously seen success rate" could be that of the position behind the player's last move too,
//!   a ply later.) Where there is none, or the books know no games from it, nothing is asked.
//! - *Algorithm 5* has Algorithm 4's condition in its listing, of which its text says nothing. It
//!   defines s″ for nothing else, so it is meant here: `reg` and `reg2` have it, `reg,progress=no`
//!   doesn't. A position that no game came to would be worth 1/2 when regularized; it is no
//!   candidate.
//! - *Chen and Zhang* (2012, "Use of the opening book") pick "the successor with highest winning
//!   rate", with "the confidence factor - the more games through it the better", and give the book
//!   up below 45 %; how rate and games are weighed isn't said. Here by the lower end of the rate's
//!   95 % interval ([`Criterion::Wilson`]), among the moves of 45 % at least: so a move that is
//!   surer but too bad doesn't keep a better one from being played.
//! - *Fierz* (2005, section 2) lists what a database of rated games tells of a move: the average
//!   rating of those who played it (his own program's book plays by it), the performance rating that
//!   resulted, and performance less rating, which "might be the best measure"; and the marks of
//!   annotators. Ratings are compared as they are, among moves of [`FLOOR`] rated games.
//! - *Rote learning* plays what was played behind the very same moves, which only a book keyed by
//!   line can tell.

mod conditions;
mod criterion;
mod pick;
mod policy;
mod surd;

pub use conditions::{Conditions, Reentry, Unknown};
pub use criterion::{Criterion, Prior};
pub use pick::Pick;
pub use policy::{By, Policy};
pub use surd::Surd;

use crate::score::Percent;
pub(super) use conditions::{too_few, too_rare};
pub(super) use criterion::percent;

/// The games that a move needs where few would decide by chance: rules that draw by scores or
/// compare ratings ask for so many unless told otherwise, and so does negamax of its positions where
/// it backs values up through all of them.
pub const FLOOR: u64 = 20;

/// The share of the games of a position's most played move that a move needs where scores, ratings
/// or marks decide, unless told otherwise: of thousands of games a lucky ten say nothing, and the
/// lower end of an interval doesn't help, as those ten are of one strong player.
pub const FLOOR_SHARE: Percent = Percent::hundredths_of(100);
