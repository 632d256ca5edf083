//! Growing by games of the player against a pool of opponents.

use super::{Args, Growing};
use crate::engine_choice::own_program;
use crate::games as known_games;
use crate::prelude::*;
use tabia_match::playing::{PLAYER_FACT, Plan, Playing, Pool, Stopped};
use tabia_play::choice::RowLookup;

/// What the counts of such a book are.
const PLAYED: &str = "played";
/// Nodes of a move where nothing is said.
const NODES: u64 = 1000;

/// Grows a book by playing.
pub fn grow(growing: &Growing<'_>) -> Done {
    let Growing { args, known, meter, console } = *growing;
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
    let described = plan.described();
    let facts = [(Fact::COUNTS, PLAYED), (PLAYER_FACT, &described)];
    growing.begin_or_check(Keyed::Position, &facts, |_, facts| {
        if facts.iter().any(|fact| fact.name() == PLAYER_FACT) {
            "was grown by games of another player or pool: give the same, or another book"
        } else {
            "doesn't hold games that an engine played: give a book that isn't there yet, and this \
             one behind it, for what people play"
        }
    })?;
    let playing = Playing {
        plan: &plan,
        book: &args.book,
        known,
        archive: archive.as_ref().map(|book| book as &dyn RowLookup),
        is_stopped: &interrupt::wanted,
        step: &|grown| {
            let used = plan.budget.used(grown.expansions, 0, grown.time);
            meter.growing(used, || grown.facts());
        },
        note: &|line| meter.note(line),
    };
    let (grown, stopped) = playing.grow().map_err(|error| failure!("{error}"))?;
    Output::of_summary(console)
        .show(args.json, &grown, |grown, out| grown.write(out, &args.book, &described))?;
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

fn plan(args: &Args, game: &str, archive: Option<&Book>) -> Done<Plan> {
    let engine = args.engine.launch(game)?;
    let own_program = match engine {
        Some(_) => String::new(),
        None => own_program()?
            .into_os_string()
            .into_string()
            .map_err(|_| failure!("the name of this program is no text"))?,
    };
    let pool = Pool {
        game,
        engine,
        own_program: &own_program,
        opponents: &args.opponent,
        nodes: args.limit.nodes.unwrap_or(NODES),
        komi: args.engine.komi,
        patience: args.limit.patience(),
    };
    let plan = pool.plan().map_err(|error| failure!("{error}"))?;
    Ok(Plan {
        archive: archive.map(content),
        max_ply: args.max_ply.map_or(plan.max_ply, |plies| plies as usize),
        seed: args.seed,
        workers: args.workers.unwrap_or(1).into(),
        budget: args.budget(),
        ..plan
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
