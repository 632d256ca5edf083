//! What is wanted of games of Go: the options of `build` and `add`.

use crate::headings;
use crate::prelude::*;
use tabia_archives::{Scored, Wanted};
use tabia_games::{Game, Known, Komi};

const SCORED: &[Named<Scored>] = &[
    ("never", Scored::Never, "None: games without a result have none"),
    ("finished", Scored::Finished, "Games without a result that ended by two passes"),
    ("unknown", Scored::Unknown, "All games without a result"),
    (
        "passes",
        Scored::Passes,
        "Games that ended by two passes, whatever their results say; those of the rest are believed",
    ),
    ("all", Scored::All, "All games, whatever their results say"),
];

/// What is wanted of games of Go.
#[derive(clap::Args)]
#[command(next_help_heading = headings::GO)]
pub struct GoGames {
    /// Take games with handicap or set-up stones, too
    #[arg(long)]
    set_up: bool,
    /// Count these games by area [default: finished]
    ///
    /// From the last position, with all stones on the board alive: right for games that were played
    /// to their end, and not for those that were resigned (`passes` tells them apart). A result of
    /// B+0 or W+0 is a draw.
    #[arg(long, value_parser = one_of(SCORED), value_name = "GAMES")]
    area_score: Option<Scored>,
    /// White's points where games are counted
    ///
    /// Without it what the game says, or 7.5.
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true)]
    komi: Option<Komi>,
    /// Take corners of N rows, for a book of joseki
    ///
    /// Takes the sequences in a game's four corners of N rows and columns instead of the game: with
    /// --keyed line, and --symmetry colors if sequences in which White begins are to count with
    /// those in which Black does.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=19))]
    corners: Option<u8>,
}

impl GoGames {
    /// Adds it to what is wanted, if these are games of Go.
    pub fn add_to(&self, game: &Known, wanted: &mut Wanted) -> Done<()> {
        let asked = [
            ("--set-up", self.set_up),
            ("--area-score", self.area_score.is_some()),
            ("--komi", self.komi.is_some()),
            ("--corners", self.corners.is_some()),
        ];
        if let (Some((option, _)), false) =
            (asked.iter().find(|(_, is_asked)| *is_asked), matches!(game, Known::Go(_)))
        {
            return Err(failure!("{option} is for games of Go, and these are of {}", game.name()));
        }
        wanted.corners = self.corners;
        wanted.set_up = self.set_up;
        wanted.komi = self.komi;
        wanted.scored = self.area_score.unwrap_or(Scored::Finished);
        Ok(())
    }
}
