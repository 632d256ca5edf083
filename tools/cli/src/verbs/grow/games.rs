//! The games of archives, counted and completed.

use super::Growing;
use crate::prelude::*;
use crate::verbs::add;
use clap::Parser;
use tabia_grow::{GameLine, Grown, Plan, PlayedGames, Stop, Worker};
use tabia_play::choice::GameHistory;

/// The command line of `tabia add`.
#[derive(Parser)]
struct Adding {
    #[command(flatten)]
    args: add::Args,
}

/// Counts the games of archives as `tabia add` does, but for archives that the book has already.
pub fn count(book: &Path, archives: &[PathBuf], console: &Console) -> Done<()> {
    let paths = [book].into_iter().chain(archives.iter().map(PathBuf::as_path));
    let words = ["tabia add", "--"].map(Into::into).into_iter();
    let words = words.chain(paths.map(|path| path.as_os_str().to_owned()));
    let adding = Adding::try_parse_from(words).map_err(|error| failure!("{error}"))?;
    let games = add::count(&adding.args, console)?;
    console.note(&format!("{} counted that the book didn't have", counted(games, "game")));
    Ok(())
}

/// The games of archives whose result is known, in their order.
pub fn lines(known: &Known, keyed: Keyed, archives: &[PathBuf]) -> Done<Vec<GameLine>> {
    let mut archives = ArchiveList::of(archives)?;
    archives.leave_out_copies()?;
    Ok(GameLine::read(known, keyed, &archives.paths)?)
}

impl Growing<'_> {
    /// Completes the games of the archives, one after the other.
    pub fn complete(&self, plan: &Plan, workers: Vec<Box<dyn Worker>>) -> Done<(Grown, Stop)> {
        let mut book = super::open(self.args, self.meter)?;
        let keyed = book.header().keyed;
        let lines = lines(self.known, keyed, &self.args.archives)?;
        let opening = GameHistory::start(self.known.clone(), keyed);
        let mut games = PlayedGames::new(&mut book, plan, self.known, workers, self.meter)?;
        let (mut others, mut stop) = (0, Stop::AllGames);
        for line in &lines {
            let Some(history) = line.history(&opening) else {
                others += 1;
                continue;
            };
            if let Some(early) = games.add(&history, None)? {
                stop = early;
                break;
            }
        }
        if others > 0 {
            self.console.note(&format!(
                "{} left out that begin elsewhere than in the usual position",
                counted(others, "game")
            ));
        }
        Ok((games.finish(), stop))
    }
}
