//! `tabia plan`: how many machines build one book.

use super::build;
use crate::prelude::*;
use tabia_build::KeptGames;
use tabia_build::dedup::{Dedup, SameBy};
use tabia_build::distributed::DistributedPlan;

/// Plan a build by many machines
///
/// Reads the archives and writes a plan, a file of JSON: parts of the book, each to be built of some of
/// the archives or of a slice of a large one, and shares of the hashes, each to be merged of all parts. It
/// takes the options of `tabia build`. `tabia step` does the steps of a plan, a process each, on any
/// machine that sees the same files; whatever they are started by, the book is the one that `tabia build`
/// makes.
///
/// With --dedup exact, which needs --games all, each share counts all games once more, those of all
/// parts: have few shares.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia plan -o lichess.json --parts 64 --shares 8 --games archives/
  tabia plan -o strong.json --parts 4 --min-rating 2000 masters.pgn.zst")]
#[group(skip)]
#[command(mut_arg("output", |arg| arg.help("The plan to make").value_name("PLAN")))]
#[command(mut_arg("force", |arg| arg.help("Replace a plan of that name")))]
pub struct Args {
    /// How many parts, each built by a process
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65536))]
    parts: u32,
    /// How many shares of the hashes, each merged by a process
    ///
    /// A power of two.
    #[arg(long, value_name = "N", default_value_t = 1)]
    shares: u32,
    #[command(flatten)]
    pub build: build::Args,
}

/// Makes the plan.
pub fn run(args: &Args, console: &Console) -> Done {
    let build::Args { new, reading, game, shelf, slice, .. } = &args.build;
    for (is_given, option, why) in [
        (!shelf.is_empty(), "--shelf", "a plan makes one book"),
        (slice.is_some(), "--slice", "a plan slices where it is needed"),
        (args.build.resume, "--resume", "steps go on from what they left in any case"),
        (reading.has_list(), "--errors", "the parts of a plan write no list of skipped games"),
    ] {
        if is_given {
            return Err(failure!("{option}: {why}: leave it out"));
        }
    }
    let archives = reading.archives(&new.output, new.force)?;
    let out = NewFile::create(&new.output, new.force)?;
    let game = game.game(&archives)?;
    let meant = build::plan(&args.build, &game)?;
    if meant.min_games > 1 {
        return Err(failure!(
            "--min-games: how many games a position has shows in all parts together: leave out what has few by `tabia trim`, once the book is made"
        ));
    }
    let is_exact = matches!(meant.dedup, None | Some((Dedup::Exact, SameBy::Moves)));
    if args.parts > 1
        && !(is_exact && (meant.dedup.is_none() || meant.games == Some(KeptGames::All)))
    {
        return Err(failure!(
            "copies of games in several parts are found by the games beside these: give --dedup exact, of games that are the same by their moves, and --games all"
        ));
    }
    let (numbers, version) = ((args.parts, args.shares), env!("CARGO_PKG_VERSION"));
    let plan = DistributedPlan::of(&archives, numbers, version, game.name(), options()?)?;
    out.fill_with_json(&plan)?;
    let slices = plan.parts.iter().filter(|part| part.slice.is_some()).count() as u64;
    let of = counted(plan.archives.len() as u64, "archive");
    let note = match slices {
        0 => format!("of {of}"),
        slices => format!("of {of}, {slices} of them of a slice of one"),
    };
    let facts = Facts::default()
        .json("archives", plan.archives.len())
        .noted("parts", plan.parts.len() as u64, note)
        .json("slices", slices)
        .with("shares", u64::from(plan.shares));
    Output::of_summary(console).facts(new.json, &facts)
}

/// What the verb was given, which steps are given again.
fn options() -> Done<Vec<String>> {
    let all = std::env::args_os().skip(1).map(|argument| argument.into_string());
    let all: Result<Vec<String>, _> = all.collect();
    all.map_err(|argument| {
        failure!(
            "{}: a plan is a text, and this isn't: give archives other names",
            argument.display()
        )
    })
}
