//! Which games go into a book, and what is wanted of games of Go: the options of `build` and `add`.

use crate::prelude::*;
use tabia_archives::filter::{
    Date, Dates, Filter, PlayerName, RatingOf, RatingRange, TimeClass, Variant,
};
use tabia_archives::{Scored, Wanted};
use tabia_games::{Komi, Outcome};

const RATING_OF: &[Named<RatingOf>] = &[
    ("both", RatingOf::Both, "That of both players"),
    ("either", RatingOf::Either, "That of one of them"),
    ("average", RatingOf::Average, "The average of both"),
];
const TIME_CONTROLS: &[Named<TimeClass>] = &[
    ("ultrabullet", TimeClass::Ultrabullet, "Less than 30 seconds"),
    ("bullet", TimeClass::Bullet, "Less than 3 minutes"),
    ("blitz", TimeClass::Blitz, "Less than 8 minutes"),
    ("rapid", TimeClass::Rapid, "Less than 25 minutes"),
    ("classical", TimeClass::Classical, "Less than a day"),
    ("correspondence", TimeClass::Correspondence, "A day and more"),
];
const VARIANTS: &[Named<Variant>] = &[
    ("standard", Variant::Standard, "Castling as usual, from any position"),
    ("chess960", Variant::Chess960, "From back ranks that were drawn"),
];

/// Which games are wanted. A game that doesn't say what is asked for is left out.
#[derive(clap::Args)]
#[command(next_help_heading = headings::FILTERS)]
pub struct Filters {
    /// Leave out games of players rated lower
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(100..=9999))]
    min_rating: Option<u16>,
    /// Leave out games of players rated higher
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(100..=9999))]
    max_rating: Option<u16>,
    /// Whose rating must be within those bounds
    #[arg(long, value_parser = one_of(RATING_OF), value_name = "WHOSE", default_value = "both")]
    rating_of: RatingOf,
    /// Leave out games played before this date
    ///
    /// Such as 2020, 2020.05 or 2020.05.17.
    #[arg(long, value_name = "DATE")]
    since: Option<Date>,
    /// Leave out games played after this date
    ///
    /// Such as 2020, 2020.05 or 2020.05.17.
    #[arg(long, value_name = "DATE")]
    until: Option<Date>,
    /// Take games of these speeds only
    ///
    /// By base time and 40 times the increment.
    #[arg(long, value_parser = one_of(TIME_CONTROLS), value_delimiter = ',', value_name = "CLASSES")]
    time_control: Vec<TimeClass>,
    /// Take games of this player only; may be repeated
    ///
    /// Every word must be in the name: the surname whole, others may be shortened on either side,
    /// so that `Adams, Michael` finds Adams,M and Michael Adams but not Rohde, Michael A. The
    /// surname stands before a comma, or last: write `Ding, Liren`. With = before it the name has
    /// no other words: `=bob` doesn't find bob_42.
    #[arg(long, value_name = "NAME")]
    player: Vec<PlayerName>,
    /// Take those in which the player had this color
    #[arg(long, value_enum, value_name = "COLOR", requires = "player")]
    color: Option<Color>,
    /// Take games that ended like this only
    #[arg(long, value_enum, value_delimiter = ',', value_name = "RESULTS")]
    result: Vec<Ending>,
    /// Leave out games of fewer plies
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_plies: u32,
    /// Make a book for White
    ///
    /// Only positions with White to move, and White's moves.
    #[arg(long, conflicts_with = "black_only", help_heading = headings::BOOK)]
    white_only: bool,
    /// Make a book for Black
    ///
    /// Only positions with Black to move, and Black's moves.
    #[arg(long, help_heading = headings::BOOK)]
    black_only: bool,
    /// Take games of one kind of chess only
    #[arg(long, value_parser = one_of(VARIANTS), value_name = "VARIANT", help_heading = headings::CHESS)]
    variant: Option<Variant>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    White,
    Black,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Ending {
    /// White won
    #[value(name = "1-0", alias = "white")]
    White,
    /// Black won
    #[value(name = "0-1", alias = "black")]
    Black,
    /// Nobody won
    #[value(name = "1/2-1/2", alias = "draw")]
    Draw,
}

impl Filters {
    /// The filter they ask for, unless nothing could pass it.
    pub fn filter(&self, game: &Known) -> Done<Filter> {
        if self.variant.is_some() && game.name() != "chess" {
            return Err(failure!(
                "--variant is for kinds of chess, and these are games of {}",
                game.name()
            ));
        }
        let ratings =
            RatingRange { min: self.min_rating, max: self.max_rating, of: self.rating_of };
        if let (Some(min), Some(max)) = (ratings.min, ratings.max)
            && min > max
        {
            return Err(failure!(
                "--min-rating {min} is more than --max-rating {max}: no game would go in"
            ));
        }
        let dates = Dates { since: self.since, until: self.until };
        if let (Some(since), Some(until), false) = (self.since, self.until, dates.are_possible()) {
            return Err(failure!(
                "--since {since} is later than --until {until}: no game would go in"
            ));
        }
        Ok(Filter {
            ratings,
            dates,
            time_controls: self.time_control.clone(),
            players: self.player.clone(),
            color: self.color.map(|color| side(game, color)),
            results: self.result.iter().map(|&ending| outcome(game, ending)).collect(),
            variant: self.variant,
            min_plies: self.min_plies as usize,
        })
    }

    pub fn side(&self, game: &Known) -> Option<Side> {
        match (self.white_only, self.black_only) {
            (true, _) => Some(side(game, Color::White)),
            (_, true) => Some(side(game, Color::Black)),
            _ => None,
        }
    }
}

/// The side that has this color: White moves first in chess, Black in Othello and Go.
pub fn side(game: &Known, color: Color) -> Side {
    if (game.sides()[0] == "White") == (color == Color::White) { Side::First } else { Side::Second }
}

fn outcome(game: &Known, ending: Ending) -> Outcome {
    match ending {
        Ending::White => Outcome::won_by(side(game, Color::White)),
        Ending::Black => Outcome::won_by(side(game, Color::Black)),
        Ending::Draw => Outcome::Draw,
    }
}

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
