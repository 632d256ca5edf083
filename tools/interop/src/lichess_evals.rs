//! The evaluations that lichess publishes, `lichess_db_eval.jsonl.zst`: standard chess, a position a
//! line, with the searches that its users' browsers and its servers made.
//!
//! ```text
//! {"fen":"2bq1rk1/pr3ppn/1p2p3/7P/2pP1B1P/2P5/PPQ2PB1/R3R1K1 w - -",
//!  "evals":[{"pvs":[{"cp":311,"line":"g2e4 f7f5"}, ...],"knodes":206765,"depth":36}, ...]}
//! ```
//!
//! - `fen`: four fields; an en passant square only where such a capture is legal.
//! - `evals`: searches, those of more variations first, whatever their depth.
//! - `pvs`: variations, the best first, each with `cp`, hundredths of a pawn, or `mate`, moves until
//!   mate, both seen from White.
//!
//! In rows: a position has the eval of its best variation, seen from the side to move, and the depth
//! (255 if more) of the deepest search; of equally deep ones that with the most nodes, of these the
//! lowest eval, as when books are merged. Moves have no rows, as nobody played them.
//!
//! Where this is from: <https://database.lichess.org/#evals>. The files are in the public domain
//! (CC0).

mod error;
pub mod lost;
mod read;

pub use error::ReadError;
pub use read::{Read, read};
