//! Growing by trees of games that chance plays.

use super::{Args, Growing};
use crate::prelude::*;
use tabia_games::with_game;
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
pub fn grow(growing: &Growing<'_>) -> Done {
    let Growing { args, known, meter, console } = *growing;
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
    let komi = args.engine.komi.to_string();
    let mut facts = vec![(Fact::COUNTS, PLAYOUTS)];
    facts.extend(known.name().starts_with("go-").then_some((KOMI, &*komi)));
    growing.begin_or_check(Keyed::Line, &facts, |keyed, facts| {
        let is_counted = |fact: &Fact| (fact.name(), fact.value()) == (Fact::COUNTS, PLAYOUTS);
        if keyed == Keyed::Line && facts.iter().any(is_counted) {
            "its games have another komi"
        } else {
            "doesn't hold games that chance played: give a book that isn't there yet"
        }
    })?;
    let mut book = super::open(args, meter)?;
    // By its own type: how many nodes a tree has room for depends on the bytes of a move.
    let grove = with_game!(known, start => grow_stages(&mut book, start, &stages, &|grove| {
        let time = Duration::from_secs_f64(grove.seconds);
        let used = stages.budget.used(grove.trees, grove.positions, time);
        meter.growing(used, || grove.facts());
        !interrupt::wanted()
    }));
    let grove = grove.map_err(|error| failure!("{error}"))?;
    Output::of_summary(console).show(args.json, &grove, |grove, out| {
        grove.write(out, &args.book, &stages, known.sides()[known.side().index()])
    })?;
    match grove.stopped {
        "interrupted" => Err(Failure::Stopped(
            "interrupted: the trees that were whole are in the book, and the same command goes on"
                .to_owned(),
        )),
        _ => Ok(Verdict::Fine),
    }
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
