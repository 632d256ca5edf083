//! Growing by trees of games that chance plays.

use super::{Args, report, used};
use crate::console::{Console, Meter};
use crate::failure::{Done, Failure, Verdict, failure};
use crate::interrupt;
use crate::output::Output;
use std::time::Duration;
use tabia::format::{Digest, Keyed};
use tabia::{Book, Fact};
use tabia_games::{Game, Known, with_game};
use tabia_grow::{PLAYOUTS, Stages, grow_stages};

/// Games of a tree where nothing is said.
const GAMES: u32 = 1_000_000;
/// The most plies before a tree where nothing is said: the paper has up to four.
const MAX_PLY: u32 = 4;
/// The most bytes of a tree: some 40 million nodes in Go, of 26 bytes each.
const MEMORY: usize = 1 << 30;

/// The fact that says which komi the games had.
const KOMI: &str = "komi";

/// Grows a book by Monte-Carlo trees.
pub fn grow(known: &Known, args: &Args, meter: &Meter, console: &Console) -> Done {
    let games = args.limit.nodes.map_or(Ok(GAMES), u32::try_from);
    let games = games.map_err(|_| failure!("--nodes: a tree has at most {} games", u32::MAX))?;
    let stages = Stages {
        games,
        max_ply: args.max_ply.unwrap_or(MAX_PLY),
        seed: args.seed,
        komi: args.engine.komi,
        workers: args.workers.unwrap_or(1).into(),
        memory: MEMORY,
        budget: args.budget(),
    };
    begin(args, known, console, meter)?;
    let mut book = super::open(args, meter)?;
    // By its own type: how many nodes a tree has room for depends on the bytes of a move.
    let grove = with_game!(known, start => grow_stages(&mut book, start, &stages, &|grove| {
        let time = Duration::from_secs_f64(grove.seconds);
        let [done, total] = used(stages.budget, grove.trees, grove.positions, time);
        meter.growing(done, total, || report::grove_facts(grove));
        !interrupt::wanted()
    }));
    let grove = grove.map_err(|error| failure!("{error}"))?;
    Output::of_summary(console).show(args.json, &grove, |grove, out| {
        report::write_grove(grove, &args.book, &stages, known.sides()[known.side().index()], out)
    })?;
    match grove.stopped {
        "interrupted" => Err(Failure::Stopped(
            "interrupted: the trees that were whole are in the book, and the same command goes on"
                .to_owned(),
        )),
        _ => Ok(Verdict::Fine),
    }
}

/// Makes an empty book if there is none, or makes sure that it holds such trees, of games with this
/// komi.
fn begin(args: &Args, known: &Known, console: &Console, meter: &Meter) -> Done<()> {
    let fact = |name, value: &str| Fact::new(Digest::NONE, name, value);
    let mut facts = vec![fact(Fact::COUNTS, PLAYOUTS)];
    if known.name().starts_with("go-") {
        facts.push(fact(KOMI, &args.engine.komi.to_string()));
    }
    let facts: Vec<Fact> =
        facts.into_iter().collect::<Result<_, _>>().map_err(|error| failure!("{error}"))?;
    if !args.book.exists() {
        return args.begin(known, Keyed::Line, facts, console, meter);
    }
    let book = Book::open(&args.book)?;
    let told = book.facts()?;
    if book.header().keyed == Keyed::Line && told.contains(&facts[0]) {
        return match facts.iter().all(|fact| told.contains(fact)) {
            true => Ok(()),
            false => Err(failure!("{}: its games have another komi", args.book.display())),
        };
    }
    Err(failure!(
        "{}: doesn't hold games that chance played: give a book that isn't there yet",
        args.book.display()
    ))
}

/// Whether something is asked that only other methods do.
pub fn check(args: &Args) -> Done<()> {
    if args.is_of_searches() || args.engine.is_given() || !args.archives.is_empty() {
        return Err(failure!(
            "--method monte-carlo takes no engine, archives, --max-error, --fen, --moves, --worker, \
             --in-flight, --min-games, --depth and --movetime: it plays by chance from the start, \
             with --nodes games a tree, and --workers trees at once"
        ));
    }
    Ok(())
}
