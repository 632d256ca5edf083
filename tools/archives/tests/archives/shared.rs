//! What the tests share: taking in archives from memory, and what came of them.

use std::collections::{BTreeMap, HashSet};
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use tabia::Marks;
use tabia_archives::filter::{Dates, Filter, RatingOf, RatingRange};
use tabia_archives::reading::{Content, Fault, Games, Reads, Stopped};
use tabia_archives::{
    Filtered, GameRecord, GameSink, IngestError, Observer, Options, Origin, Reason, Skipped, Stats,
    Warning, ingest,
};
use tabia_games::Side;

/// What a reader makes of a text: games, and why others aren't counted.
#[derive(Default)]
pub struct Seen {
    pub games: Vec<GameRecord>,
    pub places: Vec<usize>,
    pub faults: Vec<(usize, Fault, String)>,
    pub filtered: Vec<Filtered>,
    pub variations: usize,
    pub variations_left_out: u64,
}

impl Games for Seen {
    fn played(&mut self, at: usize, game: &GameRecord) -> Result<(), Stopped> {
        self.places.push(at);
        self.games.push(game.clone());
        Ok(())
    }

    fn skipped(&mut self, at: usize, fault: Fault, players: String) {
        self.faults.push((at, fault, players));
    }

    fn filtered(&mut self, reason: Filtered) {
        self.filtered.push(reason);
    }

    fn is_variation(&mut self) {
        self.variations += 1;
    }

    fn variations_left_out(&mut self, variations: u64) {
        self.variations_left_out += variations;
    }
}

/// What a reader makes of a text, and what the text turned out to be.
pub fn read(reader: &mut impl Reads, text: &[u8], is_last: bool) -> (Seen, Content) {
    let mut seen = Seen::default();
    let content = reader.read(text, is_last, &mut seen).expect("nobody stops it");
    (seen, content)
}

/// What every game counts, as (key, move, wins, draws, losses, marks); 0xffff stands for no move.
/// Each position and each move of a game once.
pub type Row = (u64, u16, [u32; 3], Marks);

fn rows(game: &GameRecord) -> Vec<Row> {
    let mut rows = BTreeMap::new();
    let positions = game.plies.iter().map(|ply| (ply.key, ply.side)).chain([game.last]);
    positions.for_each(|(key, side)| _ = rows.insert((key, 0xffff), (side, Marks::empty())));
    game.plies.iter().for_each(|ply| {
        rows.entry((ply.key, ply.code)).or_insert((ply.side, Marks::empty())).1 |= ply.marks
    });
    let counted = rows.into_iter().map(|((key, code), (side, marks))| {
        let winner = game.outcome.winner();
        let counts = [winner == Some(side), winner.is_none(), winner == Some(side.other())];
        (key, code, counts.map(u32::from), marks)
    });
    counted.collect()
}

/// Calls a function with each game and the byte at which it starts.
pub struct Each<F>(pub F);

impl<F: FnMut(u64, &GameRecord)> GameSink for Each<F> {
    type Error = Infallible;

    fn game(&mut self, game: &GameRecord, origin: Origin) -> Result<(), Infallible> {
        (self.0)(origin.offset, game);
        Ok(())
    }
}

#[derive(Default)]
struct Reports {
    skipped: Vec<Skipped>,
    warnings: Vec<Warning>,
}

impl Observer for Reports {
    fn skipped(&mut self, skipped: &Skipped) {
        self.skipped.push(skipped.clone());
    }

    fn warned(&mut self, warning: &Warning) {
        self.warnings.push(warning.clone());
    }
}

pub struct Taken {
    pub stats: Stats,
    pub rows: Vec<Row>,
    pub skipped: Vec<Skipped>,
    pub warnings: Vec<Warning>,
}

impl Taken {
    pub fn faults(&self) -> Vec<(Reason, u64)> {
        self.skipped.iter().map(|skipped| (skipped.reason, skipped.offset)).collect()
    }

    pub fn details(&self) -> Vec<(Reason, u64, &str)> {
        let all = self.skipped.iter();
        all.map(|skipped| (skipped.reason, skipped.offset, skipped.detail.as_str())).collect()
    }

    pub fn games_in(&self) -> u64 {
        self.stats.games.games_in
    }
}

/// Takes in archives with this many threads, rows sorted.
pub fn take(
    archives: &[PathBuf],
    options: &Options,
    threads: usize,
) -> Result<Taken, IngestError<Infallible>> {
    let mut found = vec![Vec::new(); threads];
    let sinks = found.iter_mut().map(|found| Each(|_, game: &GameRecord| found.extend(rows(game))));
    let mut sinks: Vec<_> = sinks.collect();
    let mut reports = Reports::default();
    let stats = ingest(archives, options, &mut sinks, &mut reports)?;
    drop(sinks);
    let mut rows = found.concat();
    rows.sort_unstable();
    Ok(Taken { stats, rows, skipped: reports.skipped, warnings: reports.warnings })
}

pub fn take_path(path: &Path, options: &Options, threads: usize) -> Taken {
    take(&[path.to_owned()], options, threads)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Everything that came of an archive, for every way to read it (threads, bytes of a chunk), is what
/// one thread makes of it in one segment.
pub fn is_the_same_however_read(path: PathBuf, options: &Options, ways: &[(usize, usize)]) {
    let archives = [path];
    let read = |threads, chunk_bytes| {
        take(&archives, &Options { chunk_bytes, ..options.clone() }, threads)
    };
    let expected = read(1, 64 << 20);
    for &(threads, chunk) in ways {
        let way = format!("{} {threads} {chunk}", archives[0].display());
        match (read(threads, chunk), &expected) {
            (Ok(taken), Ok(expected)) => {
                let skipped = taken.skipped.len() as u64;
                assert_eq!(taken.stats.games.skipped_games(), skipped, "{way}");
                assert_eq!(taken.stats, expected.stats, "{way}");
                assert_eq!(taken.skipped, expected.skipped, "{way}");
                assert!(taken.rows == expected.rows, "{way}");
            }
            (taken, expected) => assert!(taken.is_err() && expected.is_err(), "{way}"),
        }
    }
}

pub fn take_file(name: &str, content: &[u8], options: &Options, threads: usize) -> Taken {
    let (_folder, path) = file(name, content);
    take_path(&path, options, threads)
}

pub fn take_text(text: &[u8]) -> Taken {
    take_file("games.pgn", text, &Options::default(), 1)
}

/// Calls a function with each game of archives and its first byte; what was skipped.
pub fn each(
    archives: &[PathBuf],
    options: &Options,
    call: impl FnMut(u64, &GameRecord) + Send,
) -> (Stats, Vec<Skipped>) {
    let mut reports = Reports::default();
    let stats = ingest(archives, options, &mut [Each(call)], &mut reports)
        .unwrap_or_else(|error| panic!("{error}"));
    (stats, reports.skipped)
}

/// The games of an archive with this name and content, each with the byte at which it starts.
pub fn games(name: &str, content: &[u8], options: &Options) -> Vec<(u64, GameRecord)> {
    let ((_folder, path), mut games) = (file(name, content), Vec::new());
    each(&[path], options, |offset, game| games.push((offset, game.clone())));
    games
}

/// Checks that a game between sound ones is skipped for this reason, with the byte where it starts,
/// and costs neither of them. Its players are named in what is reported.
pub fn costs_no_other(
    name: &str,
    [before, broken, behind]: [&str; 3],
    options: &Options,
    (reason, detail): (&str, &str),
) -> Skipped {
    let text = format!("{before}{broken}{behind}");
    let mut taken = take_file(name, text.as_bytes(), options, 1);
    let found: Vec<_> =
        taken.skipped.iter().map(|skipped| (skipped.reason.name(), skipped.offset)).collect();
    assert_eq!((found, taken.games_in()), (vec![(reason, before.len() as u64)], 2), "{text}");
    let skipped = taken.skipped.remove(0);
    assert!(skipped.to_string().contains(detail), "{detail}: {skipped}");
    skipped
}

/// Wants games played between these dates; an empty text is no bound.
pub fn dates(since: &str, until: &str) -> Filter {
    let dates = Dates { since: since.parse().ok(), until: until.parse().ok() };
    Filter { dates, ..Filter::default() }
}

/// Wants games that somebody played, of this color if one is given.
pub fn player(name: &str, color: Option<Side>) -> Filter {
    Filter { players: vec![name.parse().expect("a name")], color, ..Filter::default() }
}

pub fn rated(min: Option<u16>, max: Option<u16>, of: RatingOf) -> Filter {
    Filter { ratings: RatingRange { min, max, of }, ..Filter::default() }
}

/// A file with this content in a folder that lives as long as what is returned.
pub fn file(name: &str, content: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    std::fs::write(&path, content).expect("a file");
    (folder, path)
}

/// The bytes of a file, unpacked if it is called `zst`.
pub fn unpacked(path: &Path) -> Vec<u8> {
    let bytes = std::fs::read(path).expect("a readable file");
    let is_packed = path.extension().is_some_and(|ending| ending == "zst");
    if is_packed { zstd::decode_all(&bytes[..]).expect("zstd") } else { bytes }
}

#[derive(Default)]
pub struct PerPly {
    pub games: Vec<usize>,
    pub positions: Vec<HashSet<u64>>,
}

impl PerPly {
    /// Counts a game, given the keys of its positions.
    pub fn add(&mut self, keys: impl Iterator<Item = u64>) {
        for (ply, key) in keys.enumerate() {
            if self.games.len() == ply {
                self.games.push(0);
                self.positions.push(HashSet::new());
            }
            self.games[ply] += 1;
            self.positions[ply].insert(key);
        }
    }
}

/// The numbers of a table, row by row; lines that begin with `#` are none.
pub fn numbers(table: &Path) -> Vec<Vec<u64>> {
    let text = std::fs::read_to_string(table).expect("a table");
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    rows.map(|row| row.split_whitespace().map(|n| n.parse().expect("a number")).collect()).collect()
}

pub fn files_under(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut files: Vec<_> = paths
        .flat_map(|path| if path.is_dir() { files_under(&path) } else { vec![path] })
        .collect();
    files.sort();
    files
}

pub fn tar(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, content) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, name, content.as_slice()).expect("in memory");
    }
    builder.into_inner().expect("in memory")
}
