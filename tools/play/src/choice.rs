//! Choosing a move from a book.
//!
//! A [`Player`] has books ([`RowLookup`]: one, or several in order), a rule ([`Select`]) and a [`Seed`].
//! Asked about a game as far as it was played (a [`GameHistory`]) it lists what the books know of
//! each legal move ([`Candidate`]), leaves out what must not be played, and lets the rule choose. A
//! rule may always answer "no move": leaving the book early is better than playing a bad move.
//! Every [`Choice`] says why it was made, with the figures of each candidate.
//!
//! ```
//! use tabia::{Book, Counts, Env, Existing, NewBook, PositionRow, Row};
//! use tabia::format::Keyed;
//! use tabia_games::{Chess, Game};
//! use tabia_play::choice::{GameHistory, Seed, Limits, Player, RuleSpec, candidates};
//!
//! // A book of two positions, each seen by Black, who is to move there: 1. e4 won 7 games of 10, 1. d4 won 2 of 2.
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("small.tabia");
//! let start = Chess::start();
//! let behind = |text: &str| start.parse_move(text).map(|played| { let mut next = start.clone(); next.play(&played); next.key() });
//! let mut rows = vec![
//!     PositionRow::new(behind("e4")?, Counts { wins: 3, draws: 0, losses: 7 }),
//!     PositionRow::new(behind("d4")?, Counts { wins: 0, draws: 0, losses: 2 }),
//! ];
//! rows.sort_by_key(Row::rank);
//! NewBook::new("chess".parse()?, "polyglot".parse()?).positions(&rows).write(&Env::default(), &path, Existing::Refuse)?;
//!
//! // Opening it, and probing all children of a position.
//! let book = Book::open(&path)?;
//! let history = GameHistory::start(start.clone(), Keyed::Position);
//! for candidate in candidates(&book, history.present())? {
//!     let reached = candidate.reached.expect("the book has positions only");
//!     println!("{}: {} games", start.notation(&candidate.played), reached.counts.games());
//! }
//!
//! // Choosing a move, and why it was chosen.
//! let rule = "lcb,min=none".parse::<RuleSpec>()?.prepare(&book, None, history.present())?;
//! let decision = Player::new(&book, rule, Seed::default()).decide(&history, &Limits::default())?;
//! assert_eq!(decision.played().map(|played| start.notation(played)).as_deref(), Some("e4"));
//! assert_eq!(decision.choice.why, "lcb 6.8 % is the best of 2");
//! for (candidate, judged) in decision.candidates.iter().zip(&decision.choice.judged) {
//!     println!("{}: {:?} {:?}", start.notation(&candidate.played), judged.figures, judged.out);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod books;
mod candidate;
mod history;
mod negamax;
mod player;
mod rng;
mod rule_spec;
mod rules;

#[cfg(test)]
pub(crate) use books::tests::book as book_of_rows;
pub use books::{Books, RowLookup};
pub use candidate::{Candidate, Reached, candidates};
pub(crate) use candidate::{flipped, is_always};
pub use history::GameHistory;
pub use negamax::{BadOption, Negamax, NegamaxOptions};
pub use player::{Choice, Decision, Figure, Judged, Limits, Player, Select, Situation};
pub use rng::{Rng, Seed};
pub use rule_spec::{BadRuleSpec, Mixture, RuleSpec};
pub(crate) use rule_spec::{decimal, decimal_text};
pub use rules::{
    By, Conditions, Criterion, FLOOR, FLOOR_SHARE, Pick, Policy, Prior, Reentry, Surd, Unknown,
};
