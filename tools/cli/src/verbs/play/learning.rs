//! Learning from games before playing: those of a file, such as the GUI's own, that the book doesn't
//! have yet, with the best moves that it lacks.

use super::Args;
use crate::prelude::*;
use crate::verbs::grow;
use tabia::Error;
use tabia_engines::{Command, Launch, Limit, Protocol};
use tabia_grow::{GrowingBook, Learner};
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
    let mut book = match GrowingBook::open(meter.env(), path, GrowingBook::COMPACT_AT) {
        Err(tabia_grow::Error::Book(Error::Locked { .. })) => {
            console.note(&format!(
                "{}: somebody else writes to it: nothing is learned this time",
                path.display()
            ));
            return Ok(());
        }
        book => book?,
    };
    let start = &games::of(book.header(), path)?;
    let lines = grow::game_lines(start, book.header().keyed, &files)?;
    let launch = args.launch(start.name())?;
    let takes_nodes = launch.as_ref().is_none_or(|launch| launch.protocol == Protocol::Uci);
    let nodes = takes_nodes.then_some(args.learn_nodes);
    let limit = Limit { nodes, ..Limit::default() };
    let opening = GameHistory::start(start.clone(), book.header().keyed);
    let games = lines.iter().filter_map(|line| {
        let history = line.history(&opening)?;
        Some((history, line.counted()))
    });
    let note = |line: &str| meter.note(line);
    let learner = Learner { limit, patience: PATIENCE, stop: interrupt::flag(), note: &note };
    let before = book.sources().len();
    let learned = learner.learn(&mut book, start, tabia_search::starting(launch), games);
    learned.map_err(|error| match error {
        tabia_grow::Error::Engine(error) => failure!("--learn: {error}"),
        error => error.into(),
    })?;
    let learned = book.sources().len() - before;
    if learned > 0 {
        let (path, learned) = (book.path().display(), counted(learned as u64, "game"));
        console.note(&format!("{path}: {learned} learned"));
    }
    Ok(())
}

impl Args {
    /// The engine behind the book, started once more; none if our own search plays there.
    fn launch(&self, game: &str) -> Done<Option<Launch>> {
        if self.uses_own_search() {
            return Ok(None);
        }
        let words = self.engine.iter().map(|word| word.to_string_lossy().into_owned());
        let command = Command::new(words)
            .ok_or_else(|| failure!("--learn needs an engine behind `--`, as in `-- stockfish`"))?;
        Ok(Some(Launch::new(command, Protocol::of(game))))
    }
}
