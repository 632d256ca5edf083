//! `tabia merge`: books into a new one, or into one that is there.

use crate::made::LayoutArgs;
use crate::prelude::*;
use std::collections::BTreeSet;
use tabia::format::Share;
use tabia::{Beside, Duplicates, Error, MergeOptions};
use tabia_build::set::shares_without;
use tabia_build::{BuildError, reading_ways, whole};
use tabia_play::{MIN_GAMES, min_games};

/// Merge books
///
/// With -o they become a new book; in which order or groups books are merged never shows in it.
/// With --into they go into the journal of a book that is there, which is faster for small books.
/// The games beside books (BOOK-games) are united likewise; a share gets those that it names or that
/// end in it. Books that share an archive are refused, as its games would count twice. Books without
/// copies (--dedup exact) that have games in common, as their fingerprints tell, count them once: all
/// games are counted again from the files beside the books, which takes two to three times as long as
/// building one book of all archives. Where that can't be done, or isn't exact, they are refused. The
/// solution trees of both sides of a book are made as one book: see `tabia trim --solution both`.
///
/// With --share the new book holds only the rows of one share of the hashes, so that several
/// processes or machines can merge the same books side by side, a share each. The books of all
/// shares are one book again when they are merged; `tabia check`, `get` and `explore` take them as
/// they are. Whole books can be merged with shares: `--share 1/4 -o NEW OLD-SHARE BOOK` makes the share of
/// both, and `--into FOLDER BOOK` puts into the journal of each share of a set what belongs there.
/// Interrupted, the set is refused until the same command has done the rest.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia merge -o all.tabia 2023.tabia 2024.tabia
  tabia merge --into all.tabia this-week.tabia
  tabia merge --share 1/2 -o shares/1.tabia parts & \\
      tabia merge --share 2/2 -o shares/2.tabia parts; wait
  tabia merge -o all.tabia shares")]
#[command(group = clap::ArgGroup::new("target").required(true))]
pub struct Args {
    /// The book to make
    #[arg(short, long, value_name = "BOOK", group = "target")]
    output: Option<PathBuf>,
    /// The book to merge the others into, or a set's folder
    #[arg(
        long,
        value_name = "BOOK",
        group = "target",
        conflicts_with_all = ["share", "load", "filter", "pack", "results", "force"]
    )]
    into: Option<PathBuf>,
    /// The books to merge; a folder stands for the books in it (*.tabia)
    #[arg(value_name = "BOOK", required = true)]
    books: Vec<PathBuf>,
    /// Make a book of one share of the hashes, such as 1/8
    ///
    /// 1/8 is the first of eight; how many there are is a power of two.
    #[arg(long, value_name = "N/SHARES", help_heading = headings::BOOK)]
    share: Option<Share>,
    #[command(flatten)]
    layout: LayoutArgs,
    /// Count as books that know results, or as those that don't
    ///
    /// For books of both kinds, such as repertoires and games. `unknown` counts all games, as draws;
    /// with `known` moves without results are there, played in no game.
    #[arg(long, value_parser = one_of(RESULTS), value_name = "WHETHER", help_heading = headings::BOOK)]
    results: Option<Results>,
    /// Let archives and games count twice that are in several books
    #[arg(long, help_heading = headings::COPIES)]
    allow_duplicate_sources: bool,
    /// Go on although a file that belongs to a book isn't there
    ///
    /// BOOK-games or BOOK-fingerprints: games are missing then, and copies of games may count twice.
    #[arg(long, help_heading = headings::COPIES)]
    allow_missing: bool,
    /// Replace a book of that name
    #[arg(long)]
    force: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const RESULTS: &[Named<Results>] = &[
    ("known", Results::Known, "What was counted without results counts no game"),
    ("unknown", Results::Unknown, "All games are counted, as draws"),
];

/// Books that go into another one.
pub struct Merging<'a> {
    /// Where they are; a folder stands for the books in it.
    pub books: &'a [PathBuf],
    /// Whether archives may be in several of them.
    pub duplicates: Duplicates,
    /// What becomes of books that lack a file.
    pub beside: Beside,
}

/// Merges them.
pub fn run(args: &Args, console: &Console) -> Done {
    let beside = if args.allow_missing { Beside::Leave } else { Beside::Refuse };
    let duplicates = args.allow_duplicate_sources.into();
    let merging = Merging { books: &args.books, duplicates, beside };
    let facts = match (&args.output, &args.into) {
        (Some(output), _) => merging.to_new(args, output, console)?,
        (None, Some(target)) if target.is_dir() => merging.to_set(target, console)?,
        (None, Some(target)) => merging.to_book(target, console)?,
        (None, None) => return Err(failure!("no target: give -o BOOK or --into BOOK")),
    };
    Output::of_summary(console).facts(args.json, &facts)
}

/// Opens all books that these paths name.
pub fn open_all(books: &[PathBuf], console: &Console) -> Done<Vec<Book>> {
    books::named(books)?.iter().map(|book| books::open(book, View::Whole, console)).collect()
}

/// The ways in which the archives of books were read.
fn ways<'a>(books: impl IntoIterator<Item = &'a Book>) -> Done<BTreeSet<String>> {
    let mut ways = BTreeSet::new();
    for book in books {
        ways.append(&mut reading_ways(&book.sources()?, &book.facts()?));
    }
    Ok(ways)
}

/// Says by how many games positions of the new book have deviations, if books say several numbers.
fn note_min_games<'a>(books: impl IntoIterator<Item = &'a Book>, console: &Console) -> Done<()> {
    let facts = books.into_iter().map(Book::facts).collect::<Result<Vec<_>, _>>()?;
    let said = facts.iter().filter(|facts| facts.iter().any(|fact| fact.name() == MIN_GAMES));
    let all: BTreeSet<u64> = said.map(|facts| min_games(facts)).collect();
    if let Some(most) = all.last().filter(|_| all.len() > 1) {
        console.note(&format!(
            "the books grew with different --min-games: in the new one moves of fewer than {most} games can be deviations"
        ));
    }
    Ok(())
}

/// Says that there are several of them, unless notes are off.
fn note_ways(console: &Console, ways: &BTreeSet<String>) {
    if ways.len() > 1 {
        let named = |way: &String| {
            if way.is_empty() { "without options".to_owned() } else { way.clone() }
        };
        let ways: Vec<_> = ways.iter().map(named).collect();
        console.note(&format!(
            "the archives of these books were read in {} ways, and stay so in the new one: {}",
            ways.len(),
            ways.join("; ")
        ));
    }
}

impl Merging<'_> {
    fn to_new(&self, args: &Args, output: &Path, console: &Console) -> Done<Facts> {
        let start = Instant::now();
        place::check_book(output, args.force)?;
        let books = open_all(self.books, console)?;
        let LayoutArgs { load, filter, pack } = args.layout;
        let options = MergeOptions {
            load,
            filter,
            packed: pack.then_some(true),
            share: args.share,
            results: args.results,
            duplicates: self.duplicates,
            beside: self.beside,
            existing: args.force.into(),
        };
        let is_packed = pack || books.iter().all(|book| book.header().packed);
        let ways = ways(&books)?;
        let (most, free) = (
            whole::most_bytes(&books, is_packed, args.share),
            crate::platform::free_bytes(folder_of(output)),
        );
        if most > free {
            let [most, free] = [most, free].map(bytes);
            console.note(&format!("the new book has {most} at most; {free} are free there"));
        }
        let meter =
            console.meter_of(&stages::merging(is_packed, &books, game_files::are_beside(&books)));
        let made = whole::merge(&meter.env(), output, &books, options)
            .map_err(|error| explained(error, &books))?;
        drop(meter);
        note_ways(console, &ways);
        note_min_games(&books, console)?;
        game_files::note_missing(&made.without_games, output, console);
        Ok(Facts::default()
            .json("books", books.len())
            .json_of_book(&made.header)
            .lines_of_book(&made.header)
            .games(made.games.as_ref())
            .with_any(
                "copies",
                made.copies,
                "games that several of the books have, each counted once",
            )
            .json("share", made.header.share.to_string())
            .crowded(&made.header, output, console)
            .time(start.elapsed()))
    }

    /// Merges books into each share of a set that doesn't have them yet: so the same command goes on with
    /// what was interrupted.
    pub fn to_set(&self, folder: &Path, console: &Console) -> Done<Facts> {
        let set = open_all(&[folder.to_owned()], console)?;
        let books = open_all(self.books, console)?;
        let left = shares_without(set, &books)?;
        let done = "merged into; the set is whole again once the same command has gone on";
        let merged = books::each(&left, console, done, |share| self.to_book(share, console))?;
        Ok(Facts::default().json("books", books.len()).and(merged))
    }

    fn to_book(&self, target: &Path, console: &Console) -> Done<Facts> {
        let start = Instant::now();
        if let Some(book) =
            books::named(self.books)?.iter().find(|book| tabia::storage::same_file(book, target))
        {
            return Err(failure!(
                "{}: a book can't be merged into itself: name other books",
                book.display()
            ));
        }
        let books = open_all(self.books, console)?;
        let meter =
            console.meter_of(&stages::merging(false, &books, game_files::are_beside(&books)));
        let mut writer = stray::open_writer(&meter, target)?;
        let old = writer.book()?;
        let ways = ways([&old].into_iter().chain(&books))?;
        let merged =
            whole::merge_into(&meter.env(), &mut writer, &books, self.duplicates, self.beside);
        let all = || [&old].into_iter().chain(&books);
        let merged = merged.map_err(|error| explained(error, all()))?;
        drop(meter);
        note_min_games(all(), console)?;
        game_files::note_missing(&merged.without_games, target, console);
        note_ways(console, &ways);
        let sequence = merged.sequence;
        Ok(Facts::default()
            .json("books", books.len())
            .json("sequence", sequence)
            .with_any(
                "copies",
                merged.copies,
                "games left out that the book has, or several of the others",
            )
            .json("seconds", seconds(start.elapsed()))
            .line(format!(
                "merged as frame {sequence} of the journal; `tabia compact` puts it into the book"
            )))
    }
}

/// Why books weren't merged. Of books made of just the same archives, parts of one book as it
/// seems, it says how to have both parts without adding their games.
fn explained<'a>(error: BuildError, books: impl IntoIterator<Item = &'a Book>) -> Failure {
    let BuildError::Engine(error) = error else { return error.into() };
    let books: Vec<_> = books.into_iter().collect();
    let pairs = || books.windows(2).map(|pair| [pair[0].header(), pair[1].header()]);
    let are_alike =
        pairs().all(|[a, b]| (&a.game, &a.keys, a.keyed) == (&b.game, &b.keys, b.keyed));
    let results_differ = pairs().any(|[a, b]| a.results != b.results);
    if matches!(error, Error::Incompatible { .. }) && are_alike && results_differ {
        return failure!(
            "{error}: merge -o with --results known or --results unknown makes one book of both"
        );
    }
    let archives = |book: &Book| -> BTreeSet<[u8; 16]> {
        book.sources().unwrap_or_default().iter().map(|source| source.digest.0).collect()
    };
    let all: Vec<_> = books.into_iter().map(archives).collect();
    let is_same =
        |(number, own): (usize, &BTreeSet<_>)| !own.is_empty() && all[..number].contains(own);
    if !matches!(error, Error::DuplicateSource { .. }) || !all.iter().enumerate().any(is_same) {
        return error.into();
    }
    failure!(
        "{error}; both solution trees of one book are made together (`tabia trim --solution both`); --allow-duplicate-sources adds the games of both books"
    )
}
