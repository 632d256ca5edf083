//! `tabia grow`: a book that extends itself by an engine.

mod games;
mod monte_carlo;
mod playing;

pub use games::lines as game_lines;

use crate::engine_choice::{EngineChoice, LimitChoice, OWN_ENGINE};
use crate::games as known_games;
use crate::prelude::*;
use tabia::{Existing, NewBook, PositionRow};
use tabia_build::set;
use tabia_engines::{Command, EvalUnit, Launch, Limit};
use tabia_grow::{
    Budget, EngineWorker, EvalFact, Greeting, GrowingBook, Method, Plan, Progress, RemoteWorker,
    Report, Stop, Watch, Worker, grow,
};

/// Let a book extend itself by what an engine finds
///
/// Again and again a leaf of the book is chosen and expanded: an engine is asked for the best moves
/// that the book doesn't have, they are added with what they are worth, and the leaf is flagged as
/// expanded. best-first expands the end of the line that both sides want most, and adds the best
/// and the second best move there (Buro 1999); drop-out expands the position at which an opponent
/// leaves the book soonest, counted in errors and plies, and adds all its moves (Fierz 2005); games
/// adds the games of archives, as `tabia add` does, and in every position of them the best move that
/// the book doesn't have, so that no game is lost twice in the same way (Buro 1999). The rule negamax
/// plays from such a book, `tabia tree` shows it, and games can be added at any time.
///
/// playing lets the engine play games against opponents (itself, thinking between a quarter and four
/// times as long, if no other is given) from the positions that games reach most often, and marks a
/// move `always` where it scores more than what the engine chooses by itself, beyond the error; the
/// rule `always` plays these moves and leaves all else to the engine. The games are kept beside the
/// book.
///
/// monte-carlo needs no engine: games by chance make a tree of the start, then trees of its six best
/// moves, of the best five, four, three replies to these, and so on (Chen and Zhang 2012). A book of
/// them is keyed by line, and counts these games; `tabia trim` makes a solution tree of it.
///
/// Each expansion is one batch of the journal: interrupted at any time, the book is sound, and the
/// same command goes on. Without an engine behind `--` a search of our own is used, which plays all
/// games, if weakly. With --nodes or --depth an engine that uses one thread gives the same book every
/// time. A set's folder grows as the book would, but for playing and monte-carlo.
///
/// More workers search at once: --workers starts as many engines; --worker starts workers by any
/// command, such as ssh to another machine.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia grow mine.tabia --budget \"1000 expansions\" --nodes 1000000 -- stockfish
  tabia grow mine.tabia --method games club.pgn --nodes 10000 -- stockfish
  tabia grow won.tabia --game tic-tac-toe --method playing --budget 2expansions
  tabia grow t.tabia --game go-9 --method monte-carlo --nodes 5000 --max-ply 1")]
pub struct Args {
    /// The book, made with --game if it isn't there; or a set's folder
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    #[command(flatten)]
    from: CourseChoice,
    /// The game of a book that isn't there yet
    #[arg(long, value_name = "GAME", value_parser = known_games::known)]
    game: Option<Known>,
    /// When to stop; may be repeated
    ///
    /// `1000 expansions`, `5000 positions` that are added, or a time: `90s`, `30m`, `2h`. Of several
    /// the first that is reached counts; without one it grows until Ctrl-C, or until it is solved.
    /// Interrupted, the same command goes on with what is left; once it is used up it begins anew.
    /// With --method playing it is what the book has in all.
    #[arg(long, value_name = "BUDGET")]
    budget: Vec<Budget>,
    /// Archives of games (--method games), or a book of them (playing)
    #[arg(value_name = "ARCHIVE")]
    archives: Vec<PathBuf>,
    /// How leaves are chosen
    #[arg(long, value_name = "METHOD", value_enum, default_value = "best-first", help_heading = headings::GROWING)]
    method: Kind,
    /// Expand nothing so many plies from where it grows
    #[arg(long, value_name = "N", help_heading = headings::GROWING)]
    max_ply: Option<u32>,
    /// Stop when all that is left is so much worse
    ///
    /// In the game's unit of evals. best-first: by what the root is worth; drop-out: by the errors
    /// of a line and the cost of its plies.
    #[arg(long, value_name = "N", value_parser = amount, help_heading = headings::GROWING)]
    max_error: Option<f64>,
    /// What a ply costs (drop-out), in the unit of evals
    ///
    /// Fierz's constant: how much worse a line may be to be looked at a ply less deeply. 10 in chess
    /// and draughts, 0.5 in Othello and Go if not given.
    #[arg(long, value_name = "N", value_parser = amount, help_heading = headings::GROWING)]
    cost: Option<f64>,
    /// Let forced moves cost less (drop-out), from 0 to 1
    #[arg(long, value_name = "PART", value_parser = part, default_value_t = 0.0, help_heading = headings::GROWING)]
    singularity: f64,
    /// Whose errors count (drop-out)
    #[arg(long, value_name = "WHOSE", value_parser = one_of(ERRORS), default_value = "opponent", help_heading = headings::GROWING)]
    errors_of: Errors,
    /// Treat moves of fewer games as not in the book [default: its]
    ///
    /// The book keeps it, as they can then be deviations; fewer than it says are refused.
    #[arg(long, value_name = "N", help_heading = headings::GROWING)]
    min_games: Option<u64>,
    #[command(flatten)]
    limit: LimitChoice,
    /// How many engines search at once [default: 1]
    #[arg(long, value_name = "N", conflicts_with = "worker", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = headings::WORKERS)]
    workers: Option<u16>,
    /// A command that starts a worker; may be repeated
    ///
    /// As in a shell: "ssh host tabia grow-worker -- stockfish".
    #[arg(long, value_name = "COMMAND", conflicts_with = "engine", help_heading = headings::WORKERS)]
    worker: Vec<Command>,
    /// How many leaves are expanded at once [default: one a worker]
    ///
    /// The book depends on this number, and not on who works how fast. With twice as many as workers
    /// nobody waits for the slowest.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = headings::WORKERS)]
    in_flight: Option<u16>,
    /// Who else is played against (playing); may be repeated
    ///
    /// Commands of engines, in turn; the player itself without one. Engines of UCI think between a
    /// quarter and four times as long as the player, a number of nodes drawn for each move.
    #[arg(long, value_name = "COMMAND", help_heading = headings::SELF_PLAY)]
    opponent: Vec<Command>,
    /// What chance is drawn by (playing, monte-carlo)
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = headings::SELF_PLAY)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    engine: EngineChoice,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// The end of the line both sides want (Buro 1999)
    BestFirst,
    /// Where an opponent leaves the book soonest (Fierz 2005)
    DropOut,
    /// Along the games of archives, which are added (Buro 1999)
    Games,
    /// By games of the engine itself against opponents
    Playing,
    /// By trees of games that chance plays, of --nodes games each (Chen and Zhang 2012)
    MonteCarlo,
}

/// Whose errors count: those of the opponent of this side (none: of either in turn), and whether of
/// both.
type Errors = (Option<Side>, bool);

const OPPONENTS: Errors = (None, false);
const ERRORS: &[Named<Errors>] = &[
    ("opponent", OPPONENTS, "The opponent's, the book being for either side in turn"),
    ("first", (Some(Side::Second), false), "The first player's: a book for the second"),
    ("second", (Some(Side::First), false), "The second player's: a book for the first"),
    ("both", (None, true), "Both players' (Lincke)"),
];

fn amount(text: &str) -> Result<f64, String> {
    let amount = text.parse().ok().filter(|amount| (0.001..=30_000.0).contains(amount));
    amount.ok_or_else(|| "give a number above 0, such as 10 or 0.5".to_owned())
}

fn part(text: &str) -> Result<f64, String> {
    let part = text.parse().ok().filter(|part| (0.0..=1.0).contains(part));
    part.ok_or_else(|| "give a number from 0 to 1".to_owned())
}

/// Bytes of the journal at which the book is compacted.
const COMPACT_AT: u64 = 256 << 20;

/// Grows it.
pub fn run(args: &Args, console: &Console) -> Done {
    let meter = console.meter();
    args.check()?;
    let growing = |known| Growing { args, known, meter: &meter, console };
    if matches!(args.method, Kind::Playing | Kind::MonteCarlo) {
        books::check_file(&args.book)?;
        let known = match &args.game {
            Some(game) => game.clone(),
            None => known_games::of(Book::open(&args.book)?.header(), &args.book)?,
        };
        return match args.method {
            Kind::Playing => playing::grow(&growing(&known)),
            _ => monte_carlo::grow(&growing(&known)),
        };
    }
    // A book that isn't there is made when nothing can be wrong any more.
    let (known, book) = match args.game.as_ref().filter(|_| !args.book.exists()) {
        Some(game) => (game.clone(), None),
        None => {
            let book = open(args, &meter)?;
            (known_games::of(book.header(), &args.book)?, Some(book))
        }
    };
    if let Some(game) = args.game.as_ref().filter(|game| game.name() != known.name()) {
        return Err(failure!(
            "{}: is a book of {}, not of {}",
            args.book.display(),
            known.name(),
            game.name()
        ));
    }
    growing(&known).grow(book)
}

fn open<'a>(args: &Args, meter: &'a Meter) -> Done<GrowingBook<'a>> {
    if !args.book.is_dir() {
        let book = GrowingBook::open(meter.env(), &args.book, COMPACT_AT)?;
        stray::refuse(&args.book, book.header().digest)?;
        return Ok(book);
    }
    let files = books::named(slice::from_ref(&args.book))?;
    let open = || files.iter().map(Book::open).collect::<Result<Vec<_>, _>>();
    open()?.iter().try_for_each(|book| stray::refuse(book.path(), book.header().digest))?;
    // Where it was interrupted, shares may lack a fact until then.
    let grown = GrowingBook::open_set(meter.env(), &args.book, COMPACT_AT)?;
    set::check(open()?)?;
    Ok(grown)
}

impl Args {
    /// When to stop.
    fn budget(&self) -> Budget {
        self.budget.iter().fold(Budget::default(), |all, &one| all.and(one))
    }

    fn plan(&self, game: &str, evals: EvalFact, in_flight: usize) -> Plan {
        let unit = EvalUnit::of(game);
        let method = match self.method {
            Kind::BestFirst | Kind::Games | Kind::Playing | Kind::MonteCarlo => Method::BestFirst,
            Kind::DropOut => Method::DropOut {
                cost: self.cost.unwrap_or_else(|| cost_of(unit)),
                side: self.errors_of.0,
                both_err: self.errors_of.1,
                singularity: self.singularity,
            },
        };
        Plan {
            method,
            budget: self.budget(),
            max_ply: self.max_ply,
            max_error: self.max_error,
            in_flight,
            min_games: self.min_games,
            evals,
        }
    }

    /// Whether something is asked that only methods do which search.
    fn is_of_searches(&self) -> bool {
        self.max_error.is_some()
            || self.from.is_given()
            || !self.worker.is_empty()
            || self.in_flight.is_some()
            || self.min_games.is_some()
            || self.limit.depth.is_some()
            || self.limit.movetime.is_some()
    }

    fn check(&self) -> Done<()> {
        let is_of_drop_out =
            self.cost.is_some() || self.singularity != 0.0 || self.errors_of != OPPONENTS;
        if self.method != Kind::DropOut && is_of_drop_out {
            return Err(failure!(
                "--cost, --singularity and --errors-of are of drop-out expansion: give --method drop-out"
            ));
        }
        if self.method == Kind::Playing {
            return playing::check(self);
        }
        if !self.opponent.is_empty() {
            return Err(failure!("--opponent is of --method playing"));
        }
        if self.method == Kind::MonteCarlo {
            return monte_carlo::check(self);
        }
        if self.seed != 1 {
            return Err(failure!("--seed is of --method playing and monte-carlo"));
        }
        if self.method != Kind::Games {
            return match self.archives.first() {
                None => Ok(()),
                Some(first) => Err(failure!(
                    "{}: archives are for --method games; an engine goes behind `--`",
                    first.display()
                )),
            };
        }
        if self.archives.is_empty() {
            return Err(failure!("--method games needs archives of games behind the book"));
        }
        if self.max_ply.is_some() || self.max_error.is_some() || self.from.is_given() {
            return Err(failure!(
                "--max-ply, --max-error, --fen and --moves choose leaves: --method games follows games"
            ));
        }
        Ok(())
    }
}

/// What a ply costs where nothing is said.
fn cost_of(unit: EvalUnit) -> f64 {
    if unit.name() == EvalUnit::of("chess").name() { 10.0 } else { 0.5 }
}

/// A book that grows, and how.
struct Growing<'a> {
    args: &'a Args,
    known: &'a Known,
    meter: &'a Meter,
    console: &'a Console,
}

impl Growing<'_> {
    /// Makes an empty book, of which these facts are known.
    fn begin(&self, keyed: Keyed, facts: Vec<Fact>) -> Done<()> {
        let (game, keys) = known_games::names(self.known);
        let (positions, moves) = (Vec::<PositionRow>::new(), Vec::<MoveRow>::new());
        let new = NewBook::new(game, keys).keyed(keyed).facts(facts);
        let new = new.positions(&positions).moves(&moves);
        new.write(&self.meter.env(), &self.args.book, Existing::Refuse)?;
        self.console.note(&format!("{}: a new book of {game}", self.args.book.display()));
        Ok(())
    }

    /// Makes an empty book with these facts, if there is none; else makes sure that it has them. `wrong`
    /// says what is the matter with a book that hasn't, by what it has.
    fn begin_or_check(
        &self,
        keyed: Keyed,
        facts: &[(&'static str, &str)],
        wrong: impl Fn(Keyed, &[Fact]) -> &'static str,
    ) -> Done<()> {
        let fact = |&(name, value): &(&'static str, &str)| Fact::new(Digest::NONE, name, value);
        let facts: Vec<Fact> = facts
            .iter()
            .map(fact)
            .collect::<Result<_, _>>()
            .map_err(|error| failure!("{error}"))?;
        if !self.args.book.exists() {
            return self.begin(keyed, facts);
        }
        let book = Book::open(&self.args.book)?;
        let (told, by) = (book.facts()?, book.header().keyed);
        if by == keyed && facts.iter().all(|fact| told.contains(fact)) {
            return Ok(());
        }
        Err(failure!("{}: {}", self.args.book.display(), wrong(by, &told)))
    }

    /// Grows the book, which is made if there is none.
    fn grow(&self, book: Option<GrowingBook<'_>>) -> Done {
        let Self { args, known: start, .. } = *self;
        let keyed = book.as_ref().map_or(Keyed::Position, |book| book.header().keyed);
        let opening = args.from.history(start, keyed, self.console)?;
        if keyed == Keyed::Line && args.from.is_given() {
            self.console.note("the book is keyed by line: it grows from this line only");
        }
        book.as_ref().map_or(Ok(()), |book| book.check_min_games(args.min_games))?;
        let launch = args.engine.launch(start.name())?;
        let limit = args.limit.limit(launch.as_ref().map(|launch| launch.protocol));
        let workers = self.workers(&opening.nodes()[0].position, launch, limit)?;
        let mut engines: Vec<&str> = workers.iter().map(|worker| worker.name()).collect();
        engines.sort_unstable();
        engines.dedup();
        let engine = engines.join(" and ");
        let searching = workers.len();
        let in_flight = args.in_flight.map_or(searching, usize::from);
        let evals = EvalFact::of(&engine, &limit, start.name());
        let plan = args.plan(start.name(), evals, in_flight);
        let root = opening.present().position.clone();
        if book.is_none() {
            self.begin(keyed, Vec::new())?;
        }
        let grown = match (args.method, book) {
            (Kind::Games, book) => {
                // Counting opens the book for itself.
                drop(book);
                games::count(&args.book, &args.archives, self.console)?;
                self.complete(&plan, workers)?
            }
            (_, book) => {
                let mut book = book.map_or_else(|| open(args, self.meter), Ok)?;
                grow(&Disk, &mut book, opening, &plan, workers, self.meter)?
            }
        };
        let report = Report::new(&grown, &args.book, &plan, &root, searching);
        Output::of_summary(self.console).show(args.json, &report, Report::write)?;
        match grown.1 {
            Stop::Asked => Err(Failure::Stopped(
                "interrupted: what was expanded is in the book, and the same command goes on"
                    .to_owned(),
            )),
            _ => Ok(Verdict::Fine),
        }
    }

    /// Who searches: what `--worker` starts, or engines, or our own search.
    fn workers(
        &self,
        start: &Known,
        launch: Option<Launch>,
        limit: Limit,
    ) -> Done<Vec<Box<dyn Worker>>> {
        let args = self.args;
        let patience = args.limit.patience();
        if !args.worker.is_empty() {
            let names = [start.name(), start.keys(), &start.setup()];
            let greeting = Greeting::new(names, &limit, patience);
            let connect = |command: &Command| -> Done<Box<dyn Worker>> {
                let worker = RemoteWorker::start(command.clone(), greeting.clone());
                Ok(Box::new(worker.map_err(|error| failure!("--worker: {error}"))?))
            };
            return args.worker.iter().map(connect).collect();
        }
        if launch.is_none() {
            self.console.note(OWN_ENGINE);
        }
        let begin = |_| -> Done<Box<dyn Worker>> {
            let starting = tabia_search::starting(launch.clone());
            let worker = EngineWorker::new(start, starting, limit, patience);
            Ok(Box::new(worker.map_err(|error| failure!("{error}"))?))
        };
        (0..args.workers.unwrap_or(1)).map(begin).collect()
    }
}

/// Shows progress, and stops where the user wants it.
impl Watch for Meter {
    fn step(&self, progress: &Progress<'_>) -> bool {
        let grown = progress.grown;
        let used = progress.budget.used(grown.expansions, grown.positions, grown.time);
        self.growing(used, || progress.facts());
        !interrupt::wanted()
    }

    fn note(&self, line: &str) {
        Self::note(self, line);
    }
}
