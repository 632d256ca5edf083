//! Trees as text, MCST, to rows.

use super::into::{Into, Stopped};
use super::{Args, File, Rows};
use crate::console::Meter;
use crate::failure::Done;
use crate::foreign::Facts;
use crate::games;
use tabia::format::{Keyed, Results};
use tabia_games::{Game, WithGame};
use tabia_interop::mcst;

/// Reads the file. The paper's trees are of 9x9 boards.
pub(super) fn read(args: &Args, file: &mut File, meter: &Meter) -> Done<Rows> {
    let game = args.game.game_or(|| Ok("go-9"))?;
    games::check_points(&game)?;
    let mut into = Into::new(args, meter);
    let read = game.with(Reading { args, file, into: &mut into });
    file.check_whole()?;
    let read = read?;
    Ok(Rows { facts: facts(&read), ..into.rows(game, (Keyed::Line, Results::Known), file, read.games)? })
}

fn facts(read: &mcst::Read) -> Facts {
    Facts::default().with("nodes", read.nodes).with("plies", read.plies as u64).with("games", read.games)
}

/// A tree to be read, in any game.
struct Reading<'a, 'b> {
    args: &'a Args,
    file: &'a mut File,
    into: &'a mut Into<'b>,
}

impl WithGame for Reading<'_, '_> {
    type Output = Done<mcst::Read>;

    fn with<G: Game>(self, start: &G) -> Self::Output {
        let Self { args, file, into } = self;
        let read = mcst::read(file, start, |node| -> Result<(), Stopped> {
            into.push(node.position.into())?;
            node.played.map_or(Ok(()), |played| into.push(played.into()))
        });
        read.map_err(|stopped| stopped.failure(args))
    }
}
