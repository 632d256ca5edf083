//! What the tests share: where the game data lies, and taking in archives from memory.
#![allow(dead_code, reason = "each test binary uses its own part")]

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use tabia::Marks;
use tabia_archives::{
    GameRecord, GameSink, IngestError, Observer, Options, Origin, Reason, Skipped, Stats, Warning,
    ingest,
};

/// A file or folder of the shared data beside the checkout, or none, with a note.
pub fn data(path: &str) -> Option<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let found = Some(root.join(path)).filter(|path| path.exists());
    if found.is_none() {
        println!("skipped: {path} is not in {}", root.display());
    }
    found
}

/// What every game counts, as (key, move, wins, draws, losses, marks); 0xffff stands for no move.
/// Each position and each move of a game once.
#[derive(Default)]
pub struct Rows(pub Vec<(u64, u16, [u32; 3], Marks)>);

impl GameSink for Rows {
    type Error = Infallible;

    fn game(&mut self, game: &GameRecord, _: Origin) -> Result<(), Infallible> {
        let mut rows = BTreeMap::new();
        let positions = game.plies.iter().map(|ply| (ply.key, ply.side)).chain([game.last]);
        positions.for_each(|(key, side)| _ = rows.insert((key, 0xffff), (side, Marks::empty())));
        game.plies.iter().for_each(|ply| {
            rows.entry((ply.key, ply.code)).or_insert((ply.side, Marks::empty())).1 |= ply.marks
        });
        self.0.extend(rows.into_iter().map(|((key, code), (side, marks))| {
            let winner = game.outcome.winner();
            let counts = [winner == Some(side), winner.is_none(), winner == Some(side.other())];
            (key, code, counts.map(u32::from), marks)
        }));
        Ok(())
    }
}

/// Every game as it is handed over, with where it starts.
#[derive(Default)]
pub struct All(pub Vec<(u64, GameRecord)>);

impl GameSink for All {
    type Error = Infallible;

    fn game(&mut self, game: &GameRecord, origin: Origin) -> Result<(), Infallible> {
        self.0.push((origin.offset, game.clone()));
        Ok(())
    }
}

/// Keeps all reports.
#[derive(Default)]
pub struct Reports {
    pub skipped: Vec<Skipped>,
    pub warnings: Vec<Warning>,
}

impl Observer for Reports {
    fn skipped(&mut self, skipped: &Skipped) {
        self.skipped.push(skipped.clone());
    }

    fn warned(&mut self, warning: &Warning) {
        self.warnings.push(warning.clone());
    }
}

/// What came of archives.
pub struct Taken {
    pub stats: Stats,
    pub rows: Vec<(u64, u16, [u32; 3], Marks)>,
    pub skipped: Vec<Skipped>,
    pub warnings: Vec<Warning>,
}

impl Taken {
    /// Reason and offset of every skipped game.
    pub fn faults(&self) -> Vec<(Reason, u64)> {
        self.skipped.iter().map(|skipped| (skipped.reason, skipped.offset)).collect()
    }
}

/// Takes in archives with this many threads, rows sorted.
pub fn take(
    archives: &[PathBuf],
    options: &Options,
    threads: usize,
) -> Result<Taken, IngestError<Infallible>> {
    let mut sinks: Vec<_> = (0..threads).map(|_| Rows::default()).collect();
    let mut reports = Reports::default();
    let stats = ingest(archives, options, &mut sinks, &mut reports)?;
    let mut rows: Vec<_> = sinks.into_iter().flat_map(|rows| rows.0).collect();
    rows.sort_unstable();
    Ok(Taken { stats, rows, skipped: reports.skipped, warnings: reports.warnings })
}

/// A file with this content in a folder that lives as long as what is returned.
pub fn file(name: &str, content: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    std::fs::write(&path, content).expect("a file");
    (folder, path)
}

/// Takes in one archive with this text.
pub fn take_text(text: &[u8]) -> Taken {
    let (_folder, path) = file("games.pgn", text);
    take(&[path], &Options::default(), 1).unwrap_or_else(|error| panic!("{error}"))
}

/// Takes in one archive with this text; tags and moves that blank lines part are two games.
pub fn take_split(text: &[u8]) -> Taken {
    let (_folder, path) = file("games.pgn", text);
    take(&[path], &Options { join_split: false, ..Options::default() }, 1)
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Every file under a folder.
pub fn files_under(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path())
    {
        if entry.is_dir() { files.extend(files_under(&entry)) } else { files.push(entry) }
    }
    files.sort();
    files
}

/// A tar archive of these files.
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
