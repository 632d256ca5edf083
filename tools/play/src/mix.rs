//! Mixing strategies: which to play how often, when none is best against all others (Gaudel, Hoock,
//! Pérez, Sokolovska and Teytaud 2010, sections 3 and 4).
//!
//! A [`Matrix`] says what each strategy of the first player scores against each of the second.
//! [`FictitiousPlay`] finds mixed strategies for both, better the longer it goes on; `solve` finds
//! them by linear programming. [`Matrix::guarantees`] says how good a pair of strategies is,
//! however it was found, and `Resampling` how much of it is owed to the chance of the games.
//! `solve` and `Resampling` need the feature `mix`.

mod fictitious;
#[cfg(feature = "mix")]
mod linear;
mod matrix;
#[cfg(feature = "mix")]
mod resampling;
mod weights;

pub use fictitious::FictitiousPlay;
#[cfg(feature = "mix")]
pub use linear::{Unsolved, solve};
pub use matrix::{BadMatrix, Guarantees, Matrix, Pair};
#[cfg(feature = "mix")]
pub use resampling::{Interval, Regret, Resampling};
pub use weights::{BadWeights, Weighted, Weights};
