//! Learning from games before playing: those of a file, such as the GUI's own, that the book doesn't
//! have yet, with the best moves that it lacks.

use super::Args;
use crate::console::{Console, Meter};
use crate::failure::{Done, failure};
use crate::game_lines::{self, GameLine};
use crate::games;
use crate::interrupt;
use crate::numbers::counted;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tabia::format::Digest;
use tabia::{Error, Source};
use tabia_engines::{Command, Launch, Limit, Protocol};
use tabia_games::{Game, Known, WithGame};
use tabia_grow::{
    Counted, EngineWorker, EvalFact, GrowingBook, Plan, PlayedGames, Progress, Watch, Worker,
};
use tabia_play::choice::GameHistory;
use xxhash_rust::xxh3::Xxh3;

/// How long a search is waited for.
const PATIENCE: Duration = Duration::from_secs(60);
/// Bytes of the journal at which the book is compacted.
const COMPACT_AT: u64 = 64 << 20;

/// Adds the games of the files that `--learn` names, if there are any.
pub fn learn(args: &Args, console: &Console) -> Done<()> {
    // A file that isn't there yet has no games.
    let files: Vec<PathBuf> = args.learn.iter().filter(|path| path.exists()).cloned().collect();
    if files.is_empty() {
        return Ok(());
    }
    let (path, meter) = (args.book()?, console.meter());
    let book = match GrowingBook::open(meter.env(), path, COMPACT_AT) {
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
    let lines = game_lines::read(&known, book.header().keyed, &files)?;
    known.with(Learning { args, path, book, known: known.clone(), lines, meter: &meter, console })
}

struct Learning<'a> {
    args: &'a Args,
    path: &'a Path,
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
        let starting = tabia_search::starting(launch);
        let worker = EngineWorker::new(start, starting, limit, PATIENCE)
            .map_err(|error| failure!("--learn: {error}"))?;
        let plan = Plan::new(EvalFact::of(worker.name(), &limit, start.name()));
        let opening = GameHistory::start(start.clone(), self.book.header().keyed);
        let workers: Vec<Box<dyn Worker>> = vec![Box::new(worker)];
        let watch = Watching { meter: self.meter };
        let before = self.book.sources().len();
        let mut games = PlayedGames::new(&mut self.book, &plan, start, workers, &watch)?;
        for line in &self.lines {
            let Some(history) = line.history(&opening) else { continue };
            if games.add(&history, Some(&counted_of(line)))?.is_some() {
                break;
            }
        }
        let _ = games.finish();
        let learned = self.book.sources().len() - before;
        if learned > 0 {
            let learned = counted(learned as u64, "game");
            self.console.note(&format!("{}: {learned} learned", self.path.display()));
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

/// How a game counts: it is told from others by its moves, its end, its players and their date.
fn counted_of(line: &GameLine) -> Counted {
    let mut hasher = Xxh3::new();
    hasher.update(b"tabia played game");
    hasher.update(&line.start.to_le_bytes());
    line.codes.iter().for_each(|code| hasher.update(&code.to_le_bytes()));
    hasher.update(format!("{:?} {:016x}", line.outcome, line.players).as_bytes());
    let digest = Digest(hasher.digest128().to_be_bytes());
    let name = format!("game {digest}");
    Counted { outcome: line.outcome, source: Source { digest, games: 1, name } }
}

struct Watching<'a> {
    meter: &'a Meter,
}

impl Watch for Watching<'_> {
    fn step(&self, _: &Progress<'_>) -> bool {
        !interrupt::wanted()
    }

    fn note(&self, line: &str) {
        self.meter.note(line);
    }
}
