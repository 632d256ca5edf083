//! Growing by games of the player against a pool of opponents.

use super::{Args, report, used};
use crate::console::{Console, Meter};
use crate::engine_choice::own_program;
use crate::failure::{Done, Failure, Verdict, failure};
use crate::games as known_games;
use crate::interrupt;
use crate::output::Output;
use tabia::format::{Digest, Keyed};
use tabia::{Book, Fact};
use tabia_engines::{Command, Dice, Launch, Limit, Protocol};
use tabia_games::{Game, Known, is_chess};
use tabia_match::playing::{PLAYER_FACT, Plan, Playing, Stopped};
use tabia_match::{Adjudication, Player, Rules};
use tabia_play::choice::RowLookup;

/// What the counts of such a book are.
const PLAYED: &str = "played";
/// Nodes of a move where nothing is said.
const NODES: u64 = 1000;
/// How many times as deep the search is that finds moves to try.
const DEEPER: u64 = 40;
/// Plies of a game of the pool's, after which it is drawn or counted.
const MOST_PLIES: u32 = 400;
/// The last ply of the book where nothing is said.
const MAX_PLY: u32 = 24;
/// Grows a book by playing.
pub fn grow(known: &Known, args: &Args, meter: &Meter, console: &Console) -> Done {
    let archive = args.archives.first().map(Book::open).transpose()?;
    let plan = plan(args, known.name(), archive.as_ref())?;
    if let (Some(archive), [_, rest @ ..]) = (&archive, &args.archives[..]) {
        let header = archive.header();
        if (header.game, header.keys) != known_games::names(known) {
            return Err(failure!("{}: is a book of another game", archive.path().display()));
        }
        if let Some(other) = rest.first() {
            return Err(failure!("{}: one book of people's games is asked", other.display()));
        }
    }
    // What can't be started is known before a file is made.
    for player in &plan.players {
        player.launch.start::<Known>().map_err(|error| failure!("{error}"))?;
    }
    begin(args, known, &plan, console, meter)?;
    let budget = plan.budget;
    let playing = Playing {
        plan: &plan,
        book: &args.book,
        known,
        archive: archive.as_ref().map(|book| book as &dyn RowLookup),
        is_stopped: &interrupt::wanted,
        step: &|grown| {
            let [done, total] = used(budget, grown.expansions, 0, grown.time);
            meter.growing(done, total, || report::played_facts(grown));
        },
        note: &|line| meter.note(line),
    };
    let (grown, stopped) = playing.grow().map_err(|error| failure!("{error}"))?;
    Output::of_summary(console).show(args.json, &grown, |grown, out| {
        report::write_played(grown, &args.book, &plan.described(), out)
    })?;
    match stopped {
        Stopped::Asked => Err(Failure::Stopped(
            "interrupted: what was played is kept, and the same command goes on".to_owned(),
        )),
        Stopped::Budget | Stopped::Exhausted => Ok(Verdict::Fine),
    }
}

/// What tells a book of people's games from others: it, and what its journal adds.
fn content(book: &Book) -> Digest {
    Digest::of(format!("{} {}", book.header().digest, book.journal().sequence).as_bytes())
}

/// Makes an empty book if there is none, or makes sure that it was grown by the same plan.
fn begin(args: &Args, known: &Known, plan: &Plan, console: &Console, meter: &Meter) -> Done<()> {
    let described = plan.described();
    let fact = |name, value: &str| {
        Fact::new(Digest::NONE, name, value).map_err(|error| failure!("{error}"))
    };
    let facts = vec![fact(Fact::COUNTS, PLAYED)?, fact(PLAYER_FACT, &described)?];
    if !args.book.exists() {
        return args.begin(known, Keyed::Position, facts, console, meter);
    }
    let book = Book::open(&args.book)?;
    let told = book.facts()?;
    match facts.iter().find(|fact| !told.contains(fact)) {
        None => Ok(()),
        Some(_) if told.iter().any(|fact| fact.name() == PLAYER_FACT) => Err(failure!(
            "{}: was grown by games of another player or pool: give the same, or another book",
            args.book.display()
        )),
        Some(_) => Err(failure!(
            "{}: doesn't hold games that an engine played: give a book that isn't there yet, and this \
             one behind it, for what people play",
            args.book.display()
        )),
    }
}

fn plan(args: &Args, game: &str, archive: Option<&Book>) -> Done<Plan> {
    let launch = args.engine.launch(game)?;
    let nodes = args.limit.nodes.unwrap_or(NODES);
    let komi = game.starts_with("go-").then_some(args.engine.komi);
    let own = |nodes: Dice| -> Done<Launch> {
        let program = own_program()?.into_os_string().into_string();
        let program = program.map_err(|_| failure!("the name of this program is no text"))?;
        let words = [&program, "engine", "--game", game, "--nodes", &nodes.to_string()];
        let command = Command::new(words.map(str::to_owned))
            .ok_or_else(|| failure!("this program has no name"))?;
        Ok(Launch { komi, ..Launch::new(command, Protocol::Gtp) })
    };
    let is_own = launch.is_none();
    if is_own && is_chess(game) {
        return Err(failure!("which engine plays? give one that speaks UCI behind `--`"));
    }
    let (usual, varied) = (Dice::around(nodes, 1.25, 1.2), Dice::around(nodes, 4.0, 4.0));
    // What an engine of UCI may search is said with each question, to our own when it is started.
    let player = |launch: &Option<Launch>, nodes: Dice, name: &str| -> Done<Player> {
        Ok(match launch {
            Some(launch) => {
                let nodes = (launch.protocol == Protocol::Uci).then_some(nodes);
                Player { name: None, launch: launch.clone(), nodes }
            }
            None => Player { name: Some(name.to_owned()), launch: own(nodes)?, nodes: None },
        })
    };
    let named = |nodes: Dice| format!("tabia engine with {nodes} nodes a move");
    let mut players = vec![player(&launch, usual, &named(usual))?];
    for command in &args.opponent {
        let usual = || Launch { komi, ..Launch::new(command.clone(), Protocol::of(game)) };
        let like = launch.clone().unwrap_or_else(usual);
        let (command, options, setup) = (command.clone(), Vec::new(), Vec::new());
        players.push(player(&Some(Launch { command, options, setup, ..like }), varied, "")?);
    }
    if args.opponent.is_empty() {
        players.push(player(&launch, varied, &named(varied))?);
    }
    let deeper = nodes.saturating_mul(DEEPER);
    players.push(player(&launch, Dice::around(deeper, 1.0, 1.0), "")?);
    let is_uci = launch.as_ref().is_some_and(|launch| launch.protocol == Protocol::Uci);
    let win = "700:3".parse().ok().filter(|_| is_uci);
    let is_fine = is_chess(game) || game == "checkers" || game.starts_with("draughts");
    Ok(Plan {
        players,
        archive: archive.map(content),
        rules: Rules {
            patience: args.limit.patience(),
            most_plies: MOST_PLIES,
            adjudication: Adjudication { win, draw: None },
            komi: args.engine.komi,
            ..Rules::default()
        },
        deep: Limit { nodes: is_uci.then_some(deeper), ..Limit::default() },
        margin: if is_fine { 60 } else { 300 },
        side: None,
        max_ply: args.max_ply.unwrap_or(MAX_PLY) as usize,
        seed: args.seed,
        workers: args.workers.unwrap_or(1).into(),
        budget: args.budget(),
    })
}

/// Whether something is asked that only other methods do.
pub fn check(args: &Args) -> Done<()> {
    if args.is_of_searches() {
        return Err(failure!(
            "--max-error, --fen, --moves, --worker, --in-flight, --min-games, --depth and --movetime are of \
             methods that search: --method playing goes from the start, with --workers and --nodes"
        ));
    }
    if args.budget.iter().any(|budget| budget.positions.is_some()) {
        return Err(failure!("--method playing has a budget of expansions or of time"));
    }
    match args.archives.iter().find(|path| Book::open(path).is_err()) {
        Some(other) => Err(failure!(
            "{}: is no book: --method playing takes what people play from one",
            other.display()
        )),
        None => Ok(()),
    }
}
