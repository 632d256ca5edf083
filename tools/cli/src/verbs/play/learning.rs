//! Learning from games before playing: those of a file, such as the GUI's own, that the book doesn't
//! have yet, with the best moves that it lacks.

use super::Args;
use crate::console::{Console, Meter};
use crate::failure::{Done, failure};
use crate::numbers::counted;
use crate::verbs::grow;
use crate::{games, interrupt};
use std::path::PathBuf;
use std::time::Duration;
use tabia::Error;
use tabia_engines::{Command, Launch, Limit, Protocol};
use tabia_games::{Game, Known, WithGame};
use tabia_grow::{GameLine, GrowingBook, Learner};
use tabia_play::choice::GameHistory;

/// How long a search is waited for.
const PATIENCE: Duration = Duration::from_secs(60);

/// Adds the games of the files that `--learn` names, if there are any.
pub fn learn(args: &Args, console: &Console) -> Done<()> {
    // A file that isn't there yet has no games.
    let files: Vec<PathBuf> = args.learn.iter().filter(|path| path.exists()).cloned().collect();
    if files.is_empty() {
        return Ok(());
    }
    let (path, meter) = (args.book()?, console.meter());
    let book = match GrowingBook::open(meter.env(), path, GrowingBook::COMPACT_AT) {
        Err(tabia_grow::Error::Book(Error::Locked { .. })) => {
            console.note(&format!(
                "{}: somebody else writes to it: nothing is learned this time",
                path.display()
            ));
            return Ok(());
        }
        book => book?,
    };
    let known = games::of(book.header(), path)?;
    let lines = grow::game_lines(&known, book.header().keyed, &files)?;
    known.with(Learning { args, book, known: known.clone(), lines, meter: &meter, console })
}

struct Learning<'a> {
    args: &'a Args,
    book: GrowingBook<'a>,
    known: Known,
    lines: Vec<GameLine>,
    meter: &'a Meter,
    console: &'a Console,
}

impl WithGame for Learning<'_> {
    type Output = Done<()>;

    fn with<G: Game>(mut self, start: &G) -> Done<()> {
        let launch = self.args.launch(&self.known)?;
        let takes_nodes = launch.as_ref().is_none_or(|launch| launch.protocol == Protocol::Uci);
        let nodes = takes_nodes.then_some(self.args.learn_nodes);
        let limit = Limit { nodes, ..Limit::default() };
        let opening = GameHistory::start(start.clone(), self.book.header().keyed);
        let games = self.lines.iter().filter_map(|line| {
            let history = line.history(&opening)?;
            Some((history, line.counted()))
        });
        let note = |line: &str| self.meter.note(line);
        let learner = Learner { limit, patience: PATIENCE, stop: interrupt::flag(), note: &note };
        let before = self.book.sources().len();
        let learned = learner.learn(&mut self.book, start, tabia_search::starting(launch), games);
        learned.map_err(|error| match error {
            tabia_grow::Error::Engine(error) => failure!("--learn: {error}"),
            error => error.into(),
        })?;
        let learned = self.book.sources().len() - before;
        if learned > 0 {
            let (path, learned) = (self.book.path().display(), counted(learned as u64, "game"));
            self.console.note(&format!("{path}: {learned} learned"));
        }
        Ok(())
    }
}

impl Args {
    /// The engine behind the book, started once more; none if our own search plays there.
    fn launch(&self, game: &Known) -> Done<Option<Launch>> {
        if self.uses_own_search() {
            return Ok(None);
        }
        let words = self.engine.iter().map(|word| word.to_string_lossy().into_owned());
        let command = Command::new(words)
            .ok_or_else(|| failure!("--learn needs an engine behind `--`, as in `-- stockfish`"))?;
        Ok(Some(Launch::new(command, Protocol::of(game.name()))))
    }
}
