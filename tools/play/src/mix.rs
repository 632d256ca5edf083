//! Mixing strategies: which to play how often, when none is best against all others (Gaudel, Hoock,
//! Pérez, Sokolovska and Teytaud 2010, sections 3 and 4).
//!
//! A [`Matrix`] says what each strategy of the first player scores against each of the second.
//! [`FictitiousPlay`] finds mixed strategies for both, better the longer it goes on; `solve` finds
//! them by linear programming. [`Matrix::guarantees`] says how good a pair of strategies is,
//! however it was found, and `Resampling` how much of it is owed to the chance of the games.
//! `solve` and `Resampling` need the feature `mix`.
//!
#![cfg_attr(feature = "mix", doc = "```")]
#![cfg_attr(not(feature = "mix"), doc = "```ignore")]
//! use tabia_play::mix::{FictitiousPlay, Matrix, solve};
//!
//! let matrix: Matrix = "black\\white lcb  nr+reg\n\
//!                       lcb          26.8 28.5\n\
//!                       nr           30.8 26.9\n".parse()?;
//! let exact = solve(&matrix)?;
//! assert!((exact.first[0] - 0.696).abs() < 0.001 && (matrix.guarantees(&exact).first - 28.0).abs() < 0.1);
//!
//! let mut play = FictitiousPlay::new(&matrix);
//! (0..10_000).for_each(|_| play.round());
//! assert!(matrix.guarantees(&play.pair()).exploitability() < 0.1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
