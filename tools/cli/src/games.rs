//! Which game archives and books are of, and which images of its positions count together.

use crate::prelude::*;
use tabia::format::Name;
use tabia_games::{is_chess, missing_feature, variant_named};

/// Which game is played in archives.
#[derive(clap::Args)]
pub struct GameChoice {
    // The games are those that the command was built with.
    #[arg(
        long,
        value_name = "GAME",
        value_parser = known_name,
        help_heading = headings::GAME,
        help = "The game [default: what the archives tell]",
        long_help = format!("The game [default: what the archives tell]\n\n{}.", Known::names().join(", "))
    )]
    game: Option<&'static str>,
    /// Which images of a position count as one
    ///
    /// Without it none in chess and its variants, board in all other games.
    #[arg(long, value_enum, value_name = "IMAGES", help_heading = headings::GAME)]
    symmetry: Option<Symmetry>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Symmetry {
    /// None: each position for itself
    None,
    /// Those by turning and reflecting the board; in draughts, by turning it and exchanging the
    /// colors
    Board,
    /// In Go, those by exchanging the colors too
    Colors,
}

impl Symmetry {
    /// The key scheme in which such images count as one.
    fn keys(self, game: &str) -> &'static str {
        match self {
            Self::None if is_chess(game) => "polyglot",
            Self::None => "zobrist",
            Self::Board if matches!(game, "checkers" | "draughts-10") => "zobrist-2",
            Self::Board if game.starts_with("connect4-") => "zobrist-2",
            Self::Board => "zobrist-8",
            Self::Colors => "zobrist-16",
        }
    }
}

impl GameChoice {
    /// Takes this game, whatever archives tell.
    pub fn take(&mut self, name: &str) -> Done<()> {
        self.game = Some(known_name(name).map_err(Failure::Message)?);
        Ok(())
    }

    /// The game that was named, or else the one that the archives seem to hold.
    pub fn game(&self, archives: &ArchiveList) -> Done<Known> {
        self.named(self.game.map_or_else(|| archives.game().map_err(Failure::from), Ok)?)
    }

    /// The game with this name.
    fn named(&self, name: &str) -> Done<Known> {
        let mut schemes = Known::all().filter(|known| known.name() == name);
        let Some(symmetry) = self.symmetry else {
            return schemes.next().ok_or_else(|| failure!("the rules of {name} {}", missing(name)));
        };
        let keys = symmetry.keys(name);
        schemes.find(|known| known.keys() == keys).ok_or_else(|| {
            let symmetry = symmetry
                .to_possible_value()
                .map(|value| value.get_name().to_owned())
                .unwrap_or_default();
            failure!("--symmetry {symmetry}: {name} has no keys that count such images as one")
        })
    }
}

/// The name of a game whose rules are known.
pub fn known_name(name: &str) -> Result<&'static str, String> {
    known(name).map(|known| known.name())
}

/// The game of this name whose rules are known, with the usual keys.
pub fn known(name: &str) -> Result<Known, String> {
    let name = variant_named(name.as_bytes()).map_or(name, |names| names.game);
    Known::all().find(|known| known.name() == name).ok_or_else(|| {
        if missing_feature(name).is_some() {
            return format!("its rules {}", missing(name));
        }
        match Known::names().as_slice() {
            [] => "this program was built without any game".to_owned(),
            [one] => format!("give {one}"),
            [names @ .., last] => format!("give {} or {last}", names.join(", ")),
        }
    })
}

/// What is the matter with the rules of a game that isn't there.
pub fn missing(name: &str) -> String {
    match missing_feature(name) {
        Some(feature) => {
            format!("are not in this program, which was built without the feature `{feature}`")
        }
        None => "aren't known here".to_owned(),
    }
}

/// The names that books have for a game and its keys.
pub fn names(game: &Known) -> (Name, Name) {
    let name = |text: &str| text.parse().expect("the games' names are well formed");
    (name(game.name()), name(game.keys()))
}

/// The game of the book with this header, if its rules are known.
pub fn of(header: &Header, path: &Path) -> Done<Known> {
    of_or(header, path, "`tabia get` and `tabia dump` show rows of any game")
}

/// Likewise; what to do if they are not.
pub fn of_or(header: &Header, path: &Path, advice: &str) -> Done<Known> {
    let (path, game, keys) = (path.display(), header.game, header.keys);
    Known::of(game.as_str(), keys.as_str()).ok_or_else(|| {
        let missing = missing(game.as_str());
        failure!("{path}: the rules of {game} with {keys} keys {missing}: {advice}")
    })
}

/// A game whose moves are points of a board, as formats of trees have them.
#[derive(clap::Args)]
pub struct GameOfPoints {
    /// The game: othello, or go-2 to go-19
    #[arg(long, value_name = "GAME", value_parser = known_name, default_value = "go-9")]
    game: &'static str,
    /// Which images of a position count as one [default: board]
    #[arg(long, value_enum, value_name = "IMAGES")]
    symmetry: Option<Symmetry>,
}

impl GameOfPoints {
    pub fn game(&self) -> Done<Known> {
        let game =
            GameChoice { game: Some(self.game), symmetry: self.symmetry }.named(self.game)?;
        check_points(&game)?;
        Ok(game)
    }
}

/// Makes sure that the moves of a game are points of a board, as formats of trees want them.
pub fn check_points(game: &Known) -> Done<()> {
    if matches!(game, Known::Go(_) | Known::Othello(_)) {
        return Ok(());
    }
    Err(failure!(
        "a move of {} is no point of a board: this format has games such as go-9",
        game.name()
    ))
}
