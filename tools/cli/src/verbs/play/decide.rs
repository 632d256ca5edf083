//! One move from a book, and why.

use crate::failure::{Done, told};

/// Where a move is to be chosen, and how the choice is shown.
#[derive(clap::Args)]
pub struct Args {}

/// Chooses a move, and shows it.
pub fn run(_args: &super::Args) -> Done {
    Err(told!("choosing one move isn't done yet: play with --protocol"))
}
