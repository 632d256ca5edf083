//! What is asked of the choice of one move.

use crate::failure::{Done, failure};
use crate::headings;
use crate::history::CourseChoice;

/// Where a move is to be chosen, and how the choice is shown.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub(super) at: CourseChoice,
    /// The number of the game
    ///
    /// Chance depends on it as on the seed.
    #[arg(long, default_value_t = 0, value_name = "N", conflicts_with = "protocol", help_heading = headings::CHOICE)]
    pub(super) game_number: u64,
    /// Show all moves, their figures, and why they were chosen
    ///
    /// Or why not.
    #[arg(long, conflicts_with = "protocol")]
    pub(super) why: bool,
    /// Print JSON
    #[arg(long, conflicts_with = "protocol")]
    pub(super) json: bool,
}

impl Args {
    /// Makes sure that nothing is given that only the choice of one move needs.
    pub fn check_unused(&self) -> Done<()> {
        if self.at.is_given() {
            Err(failure!(
                "--fen and --moves are for choosing one move: with --protocol the GUI tells the position"
            ))
        } else {
            Ok(())
        }
    }
}
