//! `tabia info`: what is in a book.

use crate::books;
use crate::console::Console;
use crate::failure::{Done, Verdict};
use crate::game_files::GameFileFacts;
use crate::layout::{self, Density, Layout};
use crate::numbers::{bytes, counted, grouped, percent};
use crate::output::Output;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;
use tabia::format::{Digest, Results, Section, Tag};
use tabia::{Book, BookFile, Fact as BookFact, JournalInfo, Share, TableKind, View};
use tabia_build::dedup::KnownGames;
use tabia_build::{BuildError, one_line};
use tabia_gamefile::GameFile;

/// Show what is in a book, and how it was made
///
/// Counts are those of the book's tables; what its journal adds shows once it is compacted.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia info masters.tabia
  tabia info masters.tabia --json | jq .positions")]
pub struct Args {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What the book says of itself.
#[derive(Serialize)]
struct Info {
    game: String,
    keys: String,
    keyed: String,
    /// What is known of its moves that not every book knows: `ratings`, `game`, `years`.
    columns: Vec<&'static str>,
    /// Tags of columns that this program doesn't know.
    unknown_columns: Vec<String>,
    /// Which share of the hashes it holds: `1/1` is all of them.
    share: String,
    /// Whether it knows how games ended; if not, all are counted as draws.
    results: bool,
    /// How its rows lie: in `tables`, or `packed` into pages.
    layout: &'static str,
    /// Pages that the rows are packed into.
    #[serde(skip_serializing_if = "Option::is_none")]
    pages: Option<u64>,
    /// Bytes of the book for each of its positions; none if it has none.
    bytes_per_position: Option<f64>,
    /// Layout, pages and bytes in words.
    #[serde(skip)]
    laid: String,
    /// Rows of the tables; 0 if there is no such table.
    positions: u64,
    moves: u64,
    /// Sums over the positions table, or over the moves table if there is no other.
    wins: u64,
    draws: u64,
    losses: u64,
    /// How full the tables' homes are; of a packed book, those of the plain one.
    load: f64,
    /// Bytes of the filter of the positions, if there is one; 0 if the book is packed.
    filter: Option<u64>,
    /// Bytes of the book, without its journal.
    bytes: u64,
    digest: String,
    /// The digest of the book that this one was compacted from.
    parent: Option<String>,
    tables: Vec<Table>,
    /// Games of all sources.
    games: u64,
    sources: Vec<Source>,
    /// How it was made.
    facts: Vec<Fact>,
    journal: Journal,
    /// What it knows of its games to tell copies of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    fingerprints: Option<Fingerprints>,
    /// The games beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    games_file: Option<GameFileFacts>,
    /// Why these can't be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    damaged_games: Option<String>,
}

/// The file with the fingerprints of the book's games.
#[derive(Serialize)]
struct Fingerprints {
    games: u64,
    bytes: u64,
    /// Archives of the book whose games it doesn't know.
    untold: Vec<String>,
    /// Why it can't be used.
    damaged: Option<String>,
}

impl Fingerprints {
    fn of(known: KnownGames) -> Self {
        let untold = known.untold.into_iter().map(|source| source.name).collect();
        Self { games: known.games, bytes: known.bytes, untold, damaged: None }
    }

    fn damaged(error: &BuildError) -> Self {
        Self { games: 0, bytes: 0, untold: Vec::new(), damaged: Some(error.to_string()) }
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        if let Some(what) = &self.damaged {
            return writeln!(out, "copies     can't be told: {}", one_line(what));
        }
        writeln!(
            out,
            "copies     are told by the fingerprints of {}, {}",
            counted(self.games, "game"),
            bytes(self.bytes)
        )?;
        if self.untold.is_empty() {
            return Ok(());
        }
        let archives = counted(self.untold.len() as u64, "archive");
        writeln!(out, "           but not those of the games of {archives}")
    }
}

#[derive(Serialize)]
struct Table {
    name: String,
    rows: u64,
    /// Homes of its rows; none if they are packed.
    homes: Option<u64>,
    /// The largest displacement of a row; likewise.
    max_displacement: Option<u64>,
    /// Bytes of the table; likewise.
    bytes: Option<u64>,
    wins: u64,
    draws: u64,
    losses: u64,
}

#[derive(Serialize)]
struct Source {
    digest: String,
    games: u64,
    name: String,
}

/// Something that is known of the book, or of an archive.
#[derive(Serialize)]
struct Fact {
    /// The digest of the archive; none for the whole book.
    subject: Option<String>,
    name: String,
    value: String,
}

#[derive(Serialize)]
struct Journal {
    frames: u64,
    bytes: u64,
    sequence: u64,
    /// Bytes of a torn tail.
    torn: u64,
}

/// Shows it.
pub fn run(args: &Args, console: &Console) -> Done {
    let book = books::open(&args.book, View::Whole, console)?;
    let info = Info::of(&book)?;
    let mut out = Output::new();
    if args.json {
        out.json(&info)?;
    } else {
        info.write(&mut out)?;
        out.finish()?;
    }
    Ok(Verdict::Fine)
}

impl Info {
    fn of(book: &Book) -> Done<Self> {
        let header = book.header();
        let tables: Vec<Table> = [TableKind::Positions, TableKind::Moves]
            .iter()
            .filter_map(|&kind| header.table(kind).map(|table| Table::of(table, header.packed)))
            .collect();
        let rows = |kind| header.table(kind).map_or(0, |table| table.shape.rows);
        let total = |count: fn(&Table) -> u64| tables.first().map_or(0, count);
        let sources = book.sources()?;
        let fingerprints = book.file(BookFile::Fingerprints)?;
        let known = match KnownGames::of(fingerprints, &sources, &book.facts()?) {
            Ok(known) => known.map(Fingerprints::of),
            Err(error) => Some(Fingerprints::damaged(&error)),
        };
        let (games_file, damaged_games) = match GameFile::beside(book) {
            Ok(file) => (file.map(|file| GameFileFacts::new(file.header())), None),
            Err(error) => (None, Some(error.to_string())),
        };
        let sources: Vec<Source> = sources.into_iter().map(Source::of).collect();
        Ok(Self {
            game: header.game.to_string(),
            keys: header.keys.to_string(),
            keyed: header.keyed.to_string(),
            columns: header.columns(TableKind::Moves).iter().map(|column| column.name).collect(),
            unknown_columns: header
                .unknown_columns()
                .map(|section| section.tag.to_string())
                .collect(),
            share: header.share.to_string(),
            results: header.results == Results::Known,
            layout: Layout::of(header).name(),
            pages: layout::pages(header),
            bytes_per_position: Density::of(header).and_then(Density::by_positions),
            laid: layout::said(header),
            positions: rows(TableKind::Positions),
            moves: rows(TableKind::Moves),
            wins: total(|table| table.wins),
            draws: total(|table| table.draws),
            losses: total(|table| table.losses),
            load: f64::from(header.load.thousandths()) / 1000.0,
            filter: header.section(Tag::TAGS).map(|section| section.length),
            bytes: header.file_length,
            digest: header.digest.to_string(),
            parent: Some(header.parent)
                .filter(|&parent| parent != Digest::NONE)
                .map(|parent| parent.to_string()),
            games: sources.iter().map(|source| source.games).fold(0, u64::saturating_add),
            tables,
            sources,
            facts: book.facts()?.iter().map(Fact::of).collect(),
            journal: Journal::of(book.journal()),
            fingerprints: known,
            games_file,
            damaged_games,
        })
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "game       {}, {} keys, by {}", self.game, self.keys, self.keyed)?;
        for table in &self.tables {
            writeln!(out, "{:<9}  {}", table.name, table.line(self.results))?;
        }
        if !self.columns.is_empty() {
            writeln!(out, "columns    {} of the moves", self.columns.join(", "))?;
        }
        for column in &self.unknown_columns {
            writeln!(
                out,
                "columns    {column}, which this program doesn't know: use a newer tabia"
            )?;
        }
        if self.share != Share::WHOLE.to_string() {
            writeln!(out, "share      {} of the hashes: the book is a part of one", self.share)?;
        }
        if !self.results {
            writeln!(out, "results    unknown: games are counted, not how they ended")?;
        }
        writeln!(out, "layout     {}", self.laid)?;
        if self.pages.is_some() {
            let filter = if self.filter.is_some() { ", with a filter" } else { "" };
            writeln!(out, "unpacked   load {:.3}{filter}", self.load)?;
        } else {
            writeln!(out, "load       {:.3}", self.load)?;
            self.filter.map_or(Ok(()), |filter| writeln!(out, "filter     {}", bytes(filter)))?;
        }
        writeln!(out, "bytes      {}  {}", grouped(self.bytes), bytes(self.bytes))?;
        writeln!(out, "digest     {}", self.digest)?;
        let Journal { frames, bytes: length, torn, .. } = self.journal;
        writeln!(out, "journal    {}, {}", counted(frames, "frame"), bytes(length))?;
        if torn > 0 {
            writeln!(
                out,
                "           and a torn tail of {}, never acknowledged: the next writer cuts it off",
                bytes(torn)
            )?;
        }
        if let Some(fingerprints) = &self.fingerprints {
            fingerprints.write(out)?;
        }
        if let Some(file) = &self.games_file {
            writeln!(out, "games      {}, beside the book", file.said())?;
        }
        if let Some(what) = &self.damaged_games {
            writeln!(out, "games      can't be read: {}", one_line(what))?;
        }
        self.write_facts_of(out, None, "made      ")?;
        writeln!(
            out,
            "sources    {}, {}",
            grouped(self.sources.len() as u64),
            counted(self.games, "game")
        )?;
        for Source { digest, games, name } in &self.sources {
            writeln!(out, "  {digest}  {:>14}  {}", grouped(*games), one_line(name))?;
            self.write_facts_of(out, Some(digest), "         ")?;
        }
        let is_stranger = |fact: &&Fact| {
            fact.subject
                .as_ref()
                .is_some_and(|subject| self.sources.iter().all(|source| source.digest != *subject))
        };
        for Fact { subject, name, value } in self.facts.iter().filter(is_stranger) {
            writeln!(
                out,
                "  {}  {name}: {}",
                subject.as_deref().unwrap_or_default(),
                one_line(value)
            )?;
        }
        Ok(())
    }

    /// Writes what is known of the book, or of one archive: options of a build in one line, all
    /// else in a line each.
    fn write_facts_of(
        &self,
        out: &mut impl Write,
        subject: Option<&str>,
        label: &str,
    ) -> io::Result<()> {
        let facts: Vec<_> =
            self.facts.iter().filter(|fact| fact.subject.as_deref() == subject).collect();
        let option = |fact: &&Fact| {
            Some(format!("{}={}", fact.name.strip_prefix(BookFact::PLAN)?, fact.value))
        };
        let plan: Vec<_> = facts.iter().filter_map(option).collect();
        if !plan.is_empty() {
            writeln!(out, "{label} plan: {}", one_line(&plan.join(", ")))?;
        }
        let mut others = facts.iter().filter(|fact| !fact.name.starts_with(BookFact::PLAN));
        others
            .try_for_each(|fact| writeln!(out, "{label} {}: {}", fact.name, one_line(&fact.value)))
    }
}

impl Fact {
    fn of(fact: &BookFact) -> Self {
        let subject = (!fact.is_of_book()).then(|| fact.subject().to_string());
        Self { subject, name: fact.name().to_owned(), value: fact.value().to_owned() }
    }
}

impl Table {
    fn of(section: &Section, is_packed: bool) -> Self {
        let of_table = |figure| (!is_packed).then_some(figure);
        let name = section.tag.kind().map_or_else(String::new, |kind| kind.to_string());
        let shape = section.shape;
        Self {
            name,
            rows: shape.rows,
            homes: of_table(shape.homes),
            max_displacement: of_table(shape.max_displacement),
            bytes: of_table(section.length),
            wins: shape.wins,
            draws: shape.draws,
            losses: shape.losses,
        }
    }

    fn line(&self, results: bool) -> String {
        let games = self.wins.saturating_add(self.draws).saturating_add(self.losses);
        let displacement = self
            .max_displacement
            .map_or_else(String::new, |most| format!(", max displacement {}", grouped(most)));
        let rows = counted(self.rows, "row");
        if !results {
            return format!("{rows}, counts of {} in all{displacement}", grouped(games));
        }
        let [wins, draws, losses] =
            [self.wins, self.draws, self.losses].map(|count| percent(count, games));
        format!("{rows}, wins {wins}, draws {draws}, losses {losses}{displacement}")
    }
}

impl Source {
    fn of(source: tabia::format::Source) -> Self {
        Self { digest: source.digest.to_string(), games: source.games, name: source.name }
    }
}

impl Journal {
    fn of(info: &JournalInfo) -> Self {
        Self { frames: info.frames, bytes: info.bytes, sequence: info.sequence, torn: info.torn }
    }
}
