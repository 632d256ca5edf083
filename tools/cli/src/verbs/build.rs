//! `tabia build`: archives to a book.

mod shelf;

use crate::facts::line_of_seconds;
use crate::games::GameChoice;
use crate::made::LayoutArgs;
use crate::prelude::*;
use crate::reading::{KindChoice, Reading, Report, summary};
use crate::values::TABLES;
use tabia::Slice;
use tabia_build::shelf::Facet;
use tabia_build::{Foretold, Resume, Tables, read_size};

/// Build a book from game archives
///
/// Each game counts once for every position it passes and every move it makes there. Games that
/// can't be read, break the rules or have no decided result are skipped, counted by reason and
/// reported.
///
/// A book of both tables takes about 60 bytes a position, and 8 with --pack; with --years,
/// --ratings and --games 106, and 11 with --pack. Of an archive of whole games of chess it has four
/// to five times the bytes of the uncompressed text, or as many with --min-games 2.
///
/// The book says of each archive how it was read, as facts (`tabia info`): the options that change
/// what counts (filters, --max-ply, --dedup ...), where they aren't what they are without being
/// said, and where evals come from.
#[derive(clap::Args)]
#[command(mut_arg("load", |arg| arg.default_value("0.80")), after_help = "\
Examples:
  tabia build -o masters.tabia masters.pgn.zst
  tabia build -o strong.tabia --min-rating 2000 --max-ply 40 archives/
  tabia build -o joseki.tabia --keyed line --corners 9 go/*.sgf
  tabia build -o shelf --shelf speed,rating,month lichess.pgn.zst")]
pub struct Args {
    #[command(flatten)]
    pub new: NewBookArgs,
    /// Leave out what was played in fewer games
    ///
    /// Positions and moves, of fewer than N.
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_games: u64,
    #[command(flatten)]
    pub game: GameChoice,
    #[command(flatten)]
    pub reading: Reading,
    /// Go on with a build that was interrupted, if one was
    ///
    /// With --force it is discarded.
    #[arg(long, help_heading = headings::MEMORY)]
    pub resume: bool,
    /// Text after which a part is written
    ///
    /// An interrupted build goes on from its parts, in the folder BOOK-building; 0: never.
    #[arg(long, value_name = "SIZE", value_parser = read_size, default_value = "4G", help_heading = headings::MEMORY)]
    part_size: u64,
    /// The tables to make
    #[arg(
        long,
        value_parser = one_of(TABLES),
        value_delimiter = ',',
        value_name = "TABLES",
        default_value = "positions,moves",
        help_heading = headings::BOOK
    )]
    tables: Vec<TableKind>,
    #[command(flatten)]
    kind: KindChoice,
    #[command(flatten)]
    layout: LayoutArgs,
    /// Make a shelf: a folder of books sliced by these
    ///
    /// A book for the games that are alike in these; --output is the folder, and its `shelf.json` says what
    /// the books hold. `tabia serve` sums them for any choice. The archives are read once to find
    /// the slices, and once more for each. Games that don't say what they would be sliced by go
    /// into none.
    #[arg(long, value_parser = one_of(shelf::FACETS), value_delimiter = ',', value_name = "FACETS", conflicts_with = "resume", help_heading = headings::BOOK)]
    pub shelf: Vec<Facet>,
    /// Count one of several slices of each archive, such as 3/7
    ///
    /// 3/7 is the third of seven. `tabia merge` makes one book of the books of all slices, as if the
    /// archives had been read at once; until then each says which slices it has.
    #[arg(long, value_name = "N/SLICES", conflicts_with = "shelf", help_heading = headings::ARCHIVES)]
    pub slice: Option<Slice>,
}

/// Builds it.
pub fn run(args: &Args, console: &Console) -> Done {
    if !args.shelf.is_empty() {
        return shelf::run(args, console);
    }
    let facts = built(args, console)?;
    Output::of_summary(console).facts(args.new.json, &facts)
}

/// Builds it; what there is to say of it.
pub fn built(args: &Args, console: &Console) -> Done<Facts> {
    let start = Instant::now();
    args.new.check([])?;
    let archives = args.reading.archives(&args.new.output, args.new.force)?;
    let game = args.game.game(&archives)?;
    let plan = plan(args, &game)?;
    let meter = console.meter_of(&stages::building(&plan));
    let foretold = Foretold::new(&plan, folder_of(&args.new.output), args.reading.sort.temp());
    let mut report = Report::new(console, &meter, Some(&plan)).foretelling(foretold);
    let made = plan.build(&meter.env(), &archives, &args.new.output, &mut report)?;
    let oddities = report.finish();
    if made.too_large > 0 {
        meter.note(&format!(
            "{} too long to be in the file of games: they count, and can't be shown",
            counted(made.too_large, "game")
        ));
    }
    drop(meter);
    let seconds = seconds(start.elapsed());
    let summary = summary(&made.games.games, made.copies.as_ref(), &archives.paths, seconds);
    let sizes = archives.paths.iter().filter_map(|path| path.metadata().ok());
    let archive_bytes = sizes.map(|metadata| metadata.len()).sum();
    Ok(Facts::default()
        .json("game", game.name())
        .json("keys", game.keys())
        .and(summary)
        .and(oddities.facts())
        .json_of_book(&made.header)
        .lines_of_book(&made.header)
        .games(made.game_file.as_ref())
        // As they are on disk.
        .json("archive_bytes", archive_bytes)
        .line(line_of_seconds(seconds))
        .lines(layout::advice(&made.header, archive_bytes)))
}

/// What it asks for.
pub fn plan(args: &Args, game: &Known) -> Done<BuildPlan> {
    let mut plan = args.reading.plan(game)?;
    plan.read.slice = args.slice;
    plan.tables = Tables {
        positions: args.tables.contains(&TableKind::Positions),
        moves: args.tables.contains(&TableKind::Moves),
    };
    args.kind.apply(&mut plan)?;
    plan.min_games = args.min_games;
    plan.load = args.layout.load.unwrap_or_default();
    plan.filter = args.layout.filter;
    plan.packed = args.layout.pack;
    plan.part_bytes = Some(args.part_size).filter(|&bytes| bytes > 0);
    plan.existing = args.new.existing();
    plan.resume = match (args.resume, args.new.force) {
        (true, _) => Resume::Continue,
        (false, true) => Resume::Discard,
        (false, false) => Resume::Refuse,
    };
    Ok(plan)
}
