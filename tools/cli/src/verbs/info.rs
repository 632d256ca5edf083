//! `tabia info`: what is in a book.

use crate::numbers::percent;
use crate::prelude::*;
use tabia::format::{Section, Source, Tag};
use tabia::{BookFile, BookSet, JournalInfo, Share};
use tabia_build::dedup::KnownGames;
use tabia_gamefile::GameFile;

/// Show what is in a book, and how it was made
///
/// Counts are those of the book's tables; what its journal adds shows once it is compacted. Of a folder
/// with the shares of a book, each is a line: with --json that is a manifest, with the files' digests.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia info masters.tabia
  tabia info masters.tabia --json | jq .positions
  tabia info shares/ --json > manifest.json")]
pub struct Args {
    /// The book; all its shares or their folder
    #[arg(value_name = "BOOK", required = true)]
    books: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Shows it.
pub fn run(args: &Args, console: &Console) -> Done {
    let books = books::open_any(&args.books, View::Whole, console)?;
    let facts = match &books {
        OpenBook::One(book) => facts(book)?,
        OpenBook::Set(set) => facts_of_set(set)?,
    };
    Output::new().facts(args.json, &facts)
}

/// What a book is of.
fn kind(header: &Header) -> Facts {
    let Header { game, keys, keyed, .. } = header;
    Facts::default()
        .json("game", game.to_string())
        .json("keys", keys.to_string())
        .json("keyed", keyed.to_string())
        .line(format!("game       {game}, {keys} keys, by {keyed}"))
}

/// What the shares of a set say of themselves, and together.
fn facts_of_set(set: &BookSet) -> Done<Facts> {
    let all = || set.books().iter().map(Book::header);
    let sum = |of: fn(&Header) -> u64| all().map(of).fold(0, u64::saturating_add);
    let positions = |header: &Header| layout::rows(header, TableKind::Positions);
    let moves = |header: &Header| layout::rows(header, TableKind::Moves);
    let games = set.sources()?.iter().map(|source| source.games).fold(0, u64::saturating_add);
    let shares: Vec<_> = set.books().iter().map(share).collect();
    Ok(kind(set.books()[0].header())
        .with("positions", sum(positions))
        .with("moves", sum(moves))
        .with("bytes", sum(|header| header.file_length))
        .with("games", games)
        .json("shares", &shares)
        .lines_of(&shares))
}

/// One share of a set.
fn share(book: &Book) -> Facts {
    let (header, journal, file) = (book.header(), book.journal(), book.path().display());
    let frames = if journal.frames > 0 { counted(journal.frames, "frame") } else { String::new() };
    let (share, digest, length) = (header.share, header.digest, bytes(header.file_length));
    Facts::default()
        .json("file", file.to_string())
        .json("share", share.to_string())
        .json_of_book(header)
        .json("sequence", journal.sequence)
        .json("frames", journal.frames)
        .line(format!("{share:<6} {digest}  {length:>8}  {file}  {frames}").trim_end())
}

/// What the book says of itself. Counts are those of its positions, or of its moves if it has no
/// others.
fn facts(book: &Book) -> Done<Facts> {
    let header = book.header();
    let (sources, known) = (book.sources()?, book.facts()?);
    let sections = [TableKind::Positions, TableKind::Moves].map(|kind| header.table(kind));
    let sections: Vec<&Section> = sections.into_iter().flatten().collect();
    let tables: Vec<_> = sections.iter().map(|section| table(section, header)).collect();
    let [wins, draws, losses] = sections.first().map_or([0; 3], |section| counts(section));
    let columns: Vec<_> =
        header.columns(TableKind::Moves).iter().map(|column| column.name).collect();
    let strange: Vec<_> = header.unknown_columns().map(|section| section.tag.to_string()).collect();
    let (pages, filter) = (layout::pages(header), header.section(Tag::TAGS));
    let filter = filter.map(|section| section.length);
    let load = f64::from(header.load.thousandths()) / 1000.0;
    let games = sources.iter().map(|source| source.games).fold(0, u64::saturating_add);
    let parent = Some(header.parent).filter(|&parent| parent != Digest::NONE);
    let fingerprints = fingerprints(book, &sources, &known)?;
    let (games_file, damaged_games) = match GameFile::beside(book) {
        Ok(file) => (file, None),
        Err(error) => (None, Some(error.to_string())),
    };
    let games_file = games_file.as_ref().map(GameFile::header);
    let JournalInfo { frames, bytes: journal_bytes, sequence, torn, .. } = *book.journal();
    let journal = Facts::default()
        .json("frames", frames)
        .json("bytes", journal_bytes)
        .json("sequence", sequence)
        .json("torn", torn);
    let share = header.share;
    let (has_results, length) = (header.results == Results::Known, header.file_length);
    let columns_said = columns.join(", ");
    let of_moves = || format!("columns    {columns_said} of the moves");
    let unknown = |column: &String| {
        format!("columns    {column}, which this program doesn't know: use a newer tabia")
    };
    let of_share = || format!("share      {share} of the hashes: the book is a part of one");
    let no_results = "results    unknown: games are counted, not how they ended";
    let load_said = if pages.is_some() {
        let filter = if filter.is_some() { ", with a filter" } else { "" };
        format!("unpacked   load {load:.3}{filter}")
    } else {
        format!("load       {load:.3}")
    };
    let filter_said = filter.filter(|_| pages.is_none());
    let tail = || {
        let torn = bytes(torn);
        format!(
            "           and a torn tail of {torn}, never acknowledged: the next writer cuts it off"
        )
    };
    let beside = |file| format!("games      {}, beside the book", game_files::said(file));
    let of_source = |source: &Source| {
        let Source { digest, games, name } = source;
        let line = format!("  {digest}  {:>14}  {name}", grouped(*games));
        [vec![line], lines_about(&known, *digest, "         ")].concat()
    };
    let is_of_source = |fact: &Fact| sources.iter().any(|source| source.digest == fact.subject());
    let strangers = known.iter().filter(|fact| !fact.is_of_book() && !is_of_source(fact));
    Ok(kind(header)
        .json("columns", &columns)
        .json("unknown_columns", &strange)
        .json("share", share.to_string())
        .json("results", has_results)
        .json("layout", layout::name(header))
        .json_if("pages", pages)
        .json("bytes_per_position", layout::bytes_per_position(header))
        .json("positions", layout::rows(header, TableKind::Positions))
        .json("moves", layout::rows(header, TableKind::Moves))
        .json_if("same_keys", layout::same_keys(header))
        .json("wins", wins)
        .json("draws", draws)
        .json("losses", losses)
        .json("load", load)
        .json("filter", filter)
        .json("bytes", length)
        .json("digest", header.digest.to_string())
        .json("parent", parent.map(|parent| parent.to_string()))
        .json("tables", &tables)
        .json("games", games)
        .json("sources", sources.iter().map(source).collect::<Vec<_>>())
        .json("facts", known.iter().map(fact).collect::<Vec<_>>())
        .json("journal", journal)
        .json_if("fingerprints", fingerprints.as_ref())
        .json_if("games_file", games_file.map(game_files::facts))
        .json_if("damaged_games", damaged_games.as_ref())
        .lines_of(&tables)
        .lines((!columns.is_empty()).then(of_moves))
        .lines(strange.iter().map(unknown))
        .lines((share != Share::WHOLE).then(of_share))
        .lines((!has_results).then_some(no_results))
        .line(format!("layout     {}", layout::said(header)))
        .line(load_said)
        .lines(
            layout::same_keys(header)
                .map(|pairs| format!("keys       {}", layout::same_keys_said(pairs))),
        )
        .lines(filter_said.map(|filter| format!("filter     {}", bytes(filter))))
        .line(format!("bytes      {}  {}", grouped(length), bytes(length)))
        .line(format!("digest     {}", header.digest))
        .line(format!("journal    {}, {}", counted(frames, "frame"), bytes(journal_bytes)))
        .lines((torn > 0).then(tail))
        .lines_of(&fingerprints)
        .lines(games_file.map(beside))
        .lines(damaged_games.map(|what| format!("games      can't be read: {what}")))
        .lines(lines_about(&known, Digest::NONE, "made      "))
        .line(format!("sources    {}, {}", grouped(sources.len() as u64), counted(games, "game")))
        .lines(sources.iter().flat_map(of_source))
        .lines(
            strangers
                .map(|fact| format!("  {}  {}: {}", fact.subject(), fact.name(), fact.value())),
        ))
}

/// What the book knows of its games to tell copies of them, or why it can't; none if there is no file.
fn fingerprints(book: &Book, sources: &[Source], known: &[Fact]) -> Done<Option<Facts>> {
    let json = |games: u64, bytes: u64, untold: &[Source], damaged: Option<&str>| {
        let untold: Vec<_> = untold.iter().map(|source| &source.name).collect();
        let facts = Facts::default().json("games", games).json("bytes", bytes);
        facts.json("untold", untold).json("damaged", damaged)
    };
    Ok(match KnownGames::of(book.file(BookFile::Fingerprints)?, sources, known) {
        Ok(None) => None,
        Ok(Some(KnownGames { games, bytes: length, untold, .. })) => {
            let (told, length_said) = (counted(games, "game"), bytes(length));
            let archives = || counted(untold.len() as u64, "archive");
            let but = || format!("           but not those of the games of {}", archives());
            let facts = json(games, length, &untold, None)
                .line(format!("copies     are told by the fingerprints of {told}, {length_said}"))
                .lines((!untold.is_empty()).then(but));
            Some(facts)
        }
        Err(error) => {
            let why = error.to_string();
            Some(json(0, 0, &[], Some(&why)).line(format!("copies     can't be told: {why}")))
        }
    })
}

/// What is known of the book, or of one archive: options of a build in one line, all else in a line
/// each.
fn lines_about(known: &[Fact], subject: Digest, label: &str) -> Vec<String> {
    let known = || known.iter().filter(|fact| fact.subject() == subject);
    let option =
        |fact: &Fact| Some(format!("{}={}", fact.name().strip_prefix(Fact::PLAN)?, fact.value()));
    let plan: Vec<_> = known().filter_map(option).collect();
    let plan = (!plan.is_empty()).then(|| format!("{label} plan: {}", plan.join(", ")));
    let others = known().filter(|fact| !fact.name().starts_with(Fact::PLAN));
    let others = others.map(|fact| format!("{label} {}: {}", fact.name(), fact.value()));
    plan.into_iter().chain(others).collect()
}

/// Something that is known of an archive, or of the whole book.
fn fact(fact: &Fact) -> Facts {
    Facts::default()
        .json("subject", (!fact.is_of_book()).then(|| fact.subject().to_string()))
        .json("name", fact.name())
        .json("value", fact.value())
}

fn source(Source { digest, games, name }: &Source) -> Facts {
    Facts::default().json("digest", digest.to_string()).json("games", games).json("name", name)
}

/// A table; where its rows lie is not said of a packed one.
fn table(section: &Section, header: &Header) -> Facts {
    let shape = section.shape;
    let name = section.tag.kind().map_or_else(String::new, |kind| kind.to_string());
    let of_table = |figure| (!header.packed).then_some(figure);
    let most = of_table(shape.max_displacement);
    let displacement =
        most.map_or_else(String::new, |most| format!(", max displacement {}", grouped(most)));
    let all = counts(section).into_iter().fold(0, u64::saturating_add);
    let said = if header.results == Results::Known {
        let [wins, draws, losses] = counts(section).map(|count| percent(count, all));
        format!("wins {wins}, draws {draws}, losses {losses}")
    } else {
        format!("counts of {} in all", grouped(all))
    };
    Facts::default()
        .json("name", &name)
        .json("rows", shape.rows)
        .json("homes", of_table(shape.homes))
        .json("max_displacement", most)
        .json("bytes", of_table(section.length))
        .json("wins", shape.wins)
        .json("draws", shape.draws)
        .json("losses", shape.losses)
        .line(format!("{name:<9}  {}, {said}{displacement}", counted(shape.rows, "row")))
}

fn counts(section: &Section) -> [u64; 3] {
    [section.shape.wins, section.shape.draws, section.shape.losses]
}
