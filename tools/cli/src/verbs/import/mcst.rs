//! Trees as text, MCST, to rows.

use super::{Args, File, Moves, Rows};
use crate::console::Meter;
use crate::failure::{Done, Failure, told};
use crate::foreign::{Facts, Losses};
use crate::games;
use tabia::format::{Keyed, Results};
use tabia::sort::{Sorted, Sorter};
use tabia::{MoveRow, PositionRow};
use tabia_games::{Game, Known, WithGame};
use tabia_interop::mcst::{self, ReadError};

/// Reads the file. The paper's trees are of 9x9 boards.
pub(super) fn read(args: &Args, file: &mut File, meter: &Meter) -> Done<Rows> {
    let game = args.game.game_or(|| Ok("go-9"))?;
    games::check_points(&game)?;
    let mut into = Into { positions: args.sorter(2), moves: args.sorter(2) };
    let read = game.with(Reading { args, meter, file, into: &mut into });
    file.check_whole()?;
    let read = read?;
    Ok(Rows { facts: facts(&read), ..into.rows(game, file, read.games, meter)? })
}

fn facts(read: &mcst::Read) -> Facts {
    Facts::default().with("nodes", read.nodes).with("plies", read.plies as u64).with("games", read.games)
}

/// What rows go into as they are read.
struct Into {
    positions: Sorter<'static, PositionRow>,
    moves: Sorter<'static, MoveRow>,
}

impl Into {
    fn rows(self, game: Known, file: &File, games: u64, meter: &Meter) -> Done<Rows> {
        let env = meter.env();
        Ok(Rows {
            game,
            keyed: Keyed::Line,
            results: Results::Known,
            positions: Some(Sorted::join(&env, vec![self.positions.finish()])?),
            moves: Moves::Plain(Sorted::join(&env, vec![self.moves.finish()])?),
            source: file.source(games),
            facts: Facts::default(),
            losses: Losses::default(),
        })
    }
}

/// A tree to be read, in any game.
struct Reading<'a> {
    args: &'a Args,
    meter: &'a Meter,
    file: &'a mut File,
    into: &'a mut Into,
}

/// Why a tree wasn't read.
enum Stopped {
    Text(ReadError),
    Engine(tabia::Error),
}

impl From<ReadError> for Stopped {
    fn from(error: ReadError) -> Self {
        Self::Text(error)
    }
}

impl From<tabia::Error> for Stopped {
    fn from(error: tabia::Error) -> Self {
        Self::Engine(error)
    }
}

impl WithGame for Reading<'_> {
    type Output = Done<mcst::Read>;

    fn with<G: Game>(self, start: &G) -> Self::Output {
        let Self { args, meter, file, into } = self;
        let mut nodes = 0u64;
        let read = mcst::read(file, start, |node| -> Result<(), Stopped> {
            into.positions.push(node.position)?;
            node.played.map_or(Ok(()), |played| into.moves.push(played))?;
            nodes += 1;
            if nodes.is_multiple_of(1 << 16) {
                meter.loading(nodes)?;
            }
            Ok(())
        });
        read.map_err(|stopped| match stopped {
            Stopped::Text(error) => told!("{}: {error}", args.file.display()),
            Stopped::Engine(error) => Failure::from(error),
        })
    }
}
