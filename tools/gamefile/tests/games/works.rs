//! The works that make a file of games, and what may be at its place afterwards.

use crate::games::{archives, games, write};
use std::path::Path;
use std::sync::Arc;
use tabia::{Env, Existing};
use tabia_gamefile::{
    GameFile, GameFileError, GameSorter, NewGameFile, check_games, merge_games, salvage_games,
    write_games,
};
use tabia_testing::crash::disk::{Disk, Fault};
use tabia_testing::crash::fixture::{Entry, Files, Fixture, stage};

/// The file that every work makes.
pub const GAMES: &str = "book.tabia-games";
/// What it is called while it is made.
pub const UNFINISHED: &str = "book.tabia-games-new";
/// A file that works read.
const OTHER: &str = "other.tabia-games";

pub struct Work {
    pub name: &'static str,
    pub start: Files,
    pub new: Arc<Vec<u8>>,
    run: fn(&Env<'_>, &Path) -> Result<(), GameFileError>,
}

/// A file of games that differ by this seed.
fn file(seed: u64) -> Vec<u8> {
    let files = stage(|fixture| {
        write(&fixture.folder().join("a"), &games(seed, 12, 30, 40), 1, 1 << 20, 1)
    });
    files.bytes("a").unwrap().to_vec()
}

/// Games with so many names that sorting them takes scratch files.
fn write_spilling(env: &Env<'_>, folder: &Path) -> Result<(), GameFileError> {
    let mut sorter = GameSorter::new(env.storage, folder, 0);
    for mut game in games(5, 420, 5000, 4) {
        game.event = format!("{:x}", game.digest).repeat(20);
        sorter.add(&game, 0)?;
    }
    let (sorted, archives) = (sorter.finish()?, archives());
    let like = NewGameFile::like(GameFile::open(folder.join(OTHER))?.header());
    let new = NewGameFile { memory: 0, ..like };
    let games = sorted.games(&archives);
    write_games(env, &folder.join(GAMES), &new, &games)?.publish(Existing::Replace)?;
    Ok(())
}

fn merge(env: &Env<'_>, folder: &Path, inputs: &[&str]) -> Result<(), GameFileError> {
    let files = inputs.iter().map(|name| GameFile::open(folder.join(name)));
    let files = files.collect::<Result<Vec<_>, _>>()?;
    merge_games(env, &folder.join(GAMES), &files, None, None, 0, 1)?.publish(Existing::Replace)?;
    Ok(())
}

fn salvage(env: &Env<'_>, folder: &Path) -> Result<(), GameFileError> {
    salvage_games(env, &folder.join(OTHER), &folder.join(GAMES))?
        .0
        .publish(Existing::Replace)
        .map(drop)
}

pub fn works() -> Vec<Work> {
    // Of ENDS, which is made anew.
    let mut damaged = file(2);
    damaged[2 * 4096] ^= 1;
    let other = Files::default().with(OTHER, file(2)).with("notes.txt", b"mine".to_vec());
    let old = other.clone().with(GAMES, file(1));
    let left = Entry::File { bytes: vec![7; 5000].into(), unfinished: true };
    let work = |name, start: &Files, run| Work::new(name, start.clone(), run);
    vec![
        work("write", &other, write_spilling),
        work(
            "write where one was left in the making",
            &old.clone().and(UNFINISHED, left),
            |env, folder| merge(env, folder, &[OTHER]),
        ),
        work("merge into one of them", &old, |env, folder| merge(env, folder, &[GAMES, OTHER])),
        work("salvage", &other.clone().with(OTHER, damaged.clone()), salvage),
        work("salvage over one", &old.with(OTHER, damaged), salvage),
    ]
}

impl Work {
    fn new(
        name: &'static str,
        start: Files,
        run: fn(&Env<'_>, &Path) -> Result<(), GameFileError>,
    ) -> Self {
        let fixture = Fixture::new();
        fixture.fill(&start);
        run(&Env::default(), fixture.folder()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let path = fixture.folder().join(GAMES);
        assert!(check_games(&Env::default(), &path).unwrap().ok(), "{name}");
        let new = fixture.files().bytes(GAMES).unwrap().clone();
        assert_ne!(start.bytes(GAMES), Some(&new), "{name}: it makes what was there");
        Self { name, start, new, run }
    }

    /// Does it where these files are, on a disk where these calls fail.
    pub fn on(
        &self,
        fixture: &Fixture,
        files: &Files,
        faults: &[(usize, Fault)],
    ) -> (Disk, Result<(), GameFileError>) {
        fixture.fill(files);
        let disk = Disk::new(fixture, files);
        disk.start(faults.iter().copied());
        let done = (self.run)(&disk.env(), fixture.folder());
        (disk, done)
    }

    /// Whether what is there is the old file or the new one, nothing else has changed, and nothing
    /// is left in the making unless that may be.
    pub fn judge(&self, files: &Files, may_be: MayBe, when: &str) {
        let now = files.bytes(GAMES);
        let (is_old, is_new) = (now == self.start.bytes(GAMES), now == Some(&self.new));
        let is_right = match may_be {
            MayBe::New => is_new,
            MayBe::Old => is_old,
            MayBe::Either => is_old || is_new,
        };
        assert!(is_right, "{}, {when}: not {may_be:?}: {:?}", self.name, files.0.keys());
        self.judge_others(files, when);
    }

    /// Whether nothing else has changed.
    fn judge_others(&self, files: &Files, when: &str) {
        let of = |files: &Files| {
            let mut files = files.clone();
            files.0.retain(|name, _| name != GAMES && name != UNFINISHED);
            files
        };
        assert_eq!(of(files).id(), of(&self.start).id(), "{}, {when}: other files", self.name);
    }

    /// Does it again, after a failure, where nothing fails. What it makes of what is there is the
    /// same, whether it was done before or not.
    pub fn again(&self, fixture: &Fixture, files: &Files, when: &str) {
        let (_, done) = self.on(fixture, files, &[]);
        done.unwrap_or_else(|error| panic!("{}, {when}, then again: {error}", self.name));
        let after = fixture.files();
        self.judge(&after, MayBe::New, &format!("{when}, then again"));
        assert!(!after.has(UNFINISHED), "{}, {when}: left in the making", self.name);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MayBe {
    Old,
    New,
    Either,
}

/// Whether an error is one that the system made, or says that a call failed.
pub fn is_told(error: &GameFileError) -> bool {
    matches!(error, GameFileError::Engine(tabia::Error::Io { .. } | tabia::Error::Unsynced { .. }))
}
