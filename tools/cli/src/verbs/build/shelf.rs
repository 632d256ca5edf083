//! `tabia build --shelf`: books of slices of the games, in a folder.

use super::{Args, plan};
use crate::prelude::*;
use crate::reading::Report;
use std::fs;
use tabia_build::shelf::{Facet, SHELF, ShelfFile, SliceFile, Slices};

pub const FACETS: &[Named<Facet>] = &[
    ("speed", Facet::Speed, "By speed, as the time control says it"),
    ("rating", Facet::Rating, "By the average rating of the players, in lichess's groups"),
    ("month", Facet::Month, "By the month of the date"),
];

/// The most slices: each is a book, for which the archives are read once.
const MOST: usize = 10_000;

/// Builds it.
pub fn run(args: &Args, console: &Console) -> Done {
    let NewBookArgs { output: folder, force, json } = &args.new;
    let shelf = folder.join(SHELF);
    if folder.exists() && !(*force && (shelf.is_file() || is_empty(folder))) {
        return Err(failure!(
            "{}: it is there already: choose another name for the folder, or replace a shelf by --force",
            folder.display()
        ));
    }
    let mut facets = args.shelf.clone();
    facets.sort_unstable();
    facets.dedup();
    let meter = console.meter();
    let archives = args.reading.archives(&shelf, *force)?;
    if archives.paths.iter().any(|path| path.as_os_str() == "-") {
        return Err(failure!("--shelf reads archives several times: give files, not `-`"));
    }
    let game = args.game.game(&archives)?;
    let mut plan = plan(args, &game)?;
    let mut report = Report::new(console, &meter, Some(&plan));
    let found = Slices::of(&plan, &archives, &facets, &mut report)?;
    report.finish();
    if found.games.is_empty() || found.games.len() > MOST {
        return Err(failure!(
            "the games make {} slices, and a shelf has 1 to {}: {} don't say what they would be sliced by",
            grouped(found.games.len() as u64),
            grouped(MOST as u64),
            counted(found.unknown, "game")
        ));
    }
    let filter = plan.read.wanted.filter.clone();
    let all =
        found.games.keys().map(|facets| facets.of_filter(&filter).map(|filter| (facets, filter)));
    let all: Vec<_> = all.collect::<Option<_>>().ok_or_else(|| {
        failure!("--shelf slices by what is filtered already: leave the filter out, or that facet")
    })?;
    fs::create_dir_all(folder)?;
    let (mut games, mut length) = (0, 0);
    let mut file = ShelfFile { slices: Vec::new() };
    for (facets, filter) in all {
        plan.read.wanted.filter = filter;
        let book = format!("{}.tabia", facets.name());
        let made = plan.build(&meter.env(), &archives, &folder.join(&book), &mut ())?;
        games += made.games.games.games_in;
        length += made.header.file_length;
        file.slices.push(SliceFile { book, facets: facets.clone() });
    }
    NewFile::create(&shelf, *force)?.fill_with_json(&file)?;
    drop(meter);
    let facts = Facts::default()
        .json("slices", file.slices.len())
        .json("games", games)
        .json("unknown", found.unknown)
        .json("bytes", length)
        .number("slices", file.slices.len() as u64, "")
        .number("games", games, "")
        .number("unknown", found.unknown, "don't say what they would be sliced by")
        .number("bytes", length, bytes(length));
    Output::of_summary(console).facts(*json, &facts)
}

fn is_empty(folder: &Path) -> bool {
    folder.read_dir().is_ok_and(|mut entries| entries.next().is_none())
}
