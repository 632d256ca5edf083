//! The games of archives, counted and completed.

use super::Growing;
use crate::console::Console;
use crate::failure::{Done, Failure, failure};
use crate::numbers::counted;
use crate::verbs::add;
use clap::Parser;
use std::path::{Path, PathBuf};
use tabia::format::Keyed;
use tabia_archives::{GameRecord, GameSink, IngestError, Options, Origin, Wanted, ingest};
use tabia_build::ArchiveList;
use tabia_games::{Game, Known};
use tabia_grow::{Grown, Plan, PlayedGames, Stop, Watch, Worker};
use tabia_play::choice::GameHistory;

/// The command line of `tabia add`.
#[derive(Parser)]
struct Adding {
    #[command(flatten)]
    args: add::Args,
}

/// Counts the games of archives as `tabia add` does, but for archives that the book has already.
pub fn count(book: &Path, archives: &[PathBuf], console: &Console) -> Done<()> {
    if archives.is_empty() {
        return Err(failure!("--method games needs archives of games behind the book"));
    }
    let paths = [book].into_iter().chain(archives.iter().map(PathBuf::as_path));
    let words = ["tabia add", "--"].map(Into::into).into_iter();
    let words = words.chain(paths.map(|path| path.as_os_str().to_owned()));
    let adding = Adding::try_parse_from(words).map_err(|error| failure!("{error}"))?;
    let games = add::count(&adding.args, console)?;
    console.note(&format!("{} counted that the book didn't have", counted(games, "game")));
    Ok(())
}

/// A game: the key it starts from, and the codes of its moves.
type Line = (u64, Vec<u16>);

/// Takes the games of an archive.
#[derive(Default)]
struct Lines(Vec<Line>);

impl GameSink for Lines {
    type Error = Failure;

    fn game(&mut self, game: &GameRecord, _: Origin) -> Done<()> {
        if let Some(first) = game.plies.first() {
            self.0.push((first.key, game.plies.iter().map(|ply| ply.code).collect()));
        }
        Ok(())
    }
}

fn read(known: &Known, keyed: Keyed, archives: &[PathBuf]) -> Done<Vec<Line>> {
    let mut archives = ArchiveList::of(archives)?;
    archives.leave_out_copies()?;
    let wanted = Wanted { keyed, ..Wanted::default() };
    let options = Options { wanted, ..Options::new(known.clone()) };
    // One thread keeps them in order.
    let mut lines = [Lines::default()];
    ingest(&archives.paths, &options, &mut lines, &mut ()).map_err(|error| match error {
        IngestError::Archive(error) => error.into(),
        IngestError::Sink(error) => error,
        IngestError::Stopped => Failure::Interrupted,
    })?;
    let [Lines(lines)] = lines;
    Ok(lines)
}

impl Growing<'_> {
    /// Completes the games of the archives, one after the other.
    pub fn complete<G: Game>(
        &mut self,
        start: &G,
        plan: &Plan,
        workers: Vec<Box<dyn Worker>>,
        watch: &dyn Watch,
    ) -> Done<(Grown, Stop)> {
        let keyed = self.book.header().keyed;
        let lines = read(&self.known, keyed, &self.args.archives)?;
        let opening = GameHistory::start(start.clone(), keyed);
        let mut games = PlayedGames::new(&mut self.book, plan, start, workers, watch)?;
        let (mut others, mut stop) = (0, None);
        for (key, codes) in lines {
            if key != opening.present().key {
                others += 1;
                continue;
            }
            stop = games.add(&history(&opening, &codes), None)?;
            if stop.is_some() {
                break;
            }
        }
        if others > 0 {
            self.console.note(&format!(
                "{} left out that begin elsewhere than in the usual position",
                counted(others, "game")
            ));
        }
        Ok((games.finish(), stop.unwrap_or(Stop::AllGames)))
    }
}

/// A game, as far as its moves are legal.
fn history<G: Game>(opening: &GameHistory<G>, codes: &[u16]) -> GameHistory<G> {
    let mut history = opening.clone();
    for &code in codes {
        let Some(played) = history.present().move_of_code(code) else { break };
        history.play(&played);
    }
    history
}
