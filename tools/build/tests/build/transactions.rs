//! Book, journal, games and fingerprints change together: every call of every work fails, once and
//! twice, the process dies, the power goes, and what a reader sees is what was there or what was to
//! be, never a part of each.

use crate::fingerprints::{games, plan};
use crate::shared::rows_of;
use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use tabia::storage::System;
use tabia::{
    Beside, Book, BookFile, Column, Duplicates, Env, Error, Existing, MergeOptions, Progress, Row,
    Stage, Writer,
};
use tabia_build::dedup::{Dedup, KnownGames};
use tabia_build::{ArchiveList, BuildError, BuildPlan, KeptGames, whole};
use tabia_gamefile::{GameFile, GameSet, StoredGame, check_games};
use tabia_testing::Sample;
use tabia_testing::crash::disk::{Call, Disk, Event, Fault};
use tabia_testing::crash::fixture::{Files, Fixture};
use tabia_testing::crash::power::{Odometer, Platter, Random};

const BOOK: &str = "book.tabia";
const OTHER: &str = "other.tabia";
const BROKEN: &str = "broken.tabia";

type Done = Result<(), BuildError>;

/// A work on [`BOOK`].
struct Work {
    name: &'static str,
    start: Files,
    old: Seen,
    new: Seen,
    run: fn(&Env<'_>, &Path) -> Done,
}

/// All that readers of a book see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Seen {
    /// Hashes and counts of all positions.
    positions: Vec<(u64, u64)>,
    sources: usize,
    frames: u64,
    packed: bool,
    /// Digests of the games that it has and, none of which may be missing, that its moves name.
    games: BTreeSet<u64>,
    /// How many games it knows, to tell copies of them.
    known: Option<u64>,
}

fn whole_plan(existing: Existing) -> BuildPlan {
    let mut plan = plan(Dedup::Exact);
    (plan.games, plan.existing, plan.threads) = (Some(KeptGames::All), existing, 1);
    (plan.memory, plan.part_bytes) = (1 << 20, None);
    plan.read.wanted.columns = [Column::GAME].into_iter().collect();
    plan.skipped_list = None;
    plan
}

fn build(env: &Env<'_>, folder: &Path, archive: &str, book: &str, existing: Existing) -> Done {
    let archives = ArchiveList::of(&[folder.join(archive)])?;
    whole_plan(existing).build(env, &archives, &folder.join(book), &mut ()).map(drop)
}

fn add(env: &Env<'_>, folder: &Path) -> Done {
    let (book, archives) = (folder.join(BOOK), ArchiveList::of(&[folder.join("c.pgn")])?);
    let mut writer = Writer::open(*env, &book)?;
    whole_plan(Existing::Refuse).add(env, &archives, &book, &mut writer, &mut ()).map(drop)
}

fn merge_into(env: &Env<'_>, folder: &Path) -> Done {
    let mut writer = Writer::open(*env, folder.join(BOOK))?;
    let other = [Book::open(folder.join(OTHER))?];
    whole::merge_into(env, &mut writer, &other, Duplicates::Refuse, Beside::Refuse).map(drop)
}

fn merge(env: &Env<'_>, folder: &Path) -> Done {
    let books = [Book::open(folder.join(BOOK))?, Book::open(folder.join(OTHER))?];
    let options = MergeOptions { existing: Existing::Replace, ..MergeOptions::default() };
    whole::merge(env, &folder.join(BOOK), &books, options).map(drop)
}

fn works() -> Vec<Work> {
    let fixture = Fixture::new();
    let folder = fixture.folder();
    let env = Env::default();
    for (name, numbers) in [("a", 0..12), ("b", 12..20), ("c", 18..26)] {
        let text = games(numbers, name);
        std::fs::write(folder.join(format!("{name}.pgn")), text).expect("an archive");
    }
    let archives = fixture.files();
    build(&env, folder, "b.pgn", OTHER, Existing::Refuse).expect("a book");
    let other = fixture.files();
    build(&env, folder, "a.pgn", BOOK, Existing::Refuse).expect("a book");
    let both = fixture.files();
    add(&env, folder).expect("games");
    let added = fixture.files();
    std::fs::rename(folder.join(OTHER), folder.join(BROKEN)).expect("a name");
    for file in [BookFile::Games, BookFile::Fingerprints] {
        let [from, to] = [OTHER, BROKEN].map(|book| file.beside(&folder.join(book)));
        std::fs::rename(from, to).expect("a name");
    }
    let broken = fixture.files();
    vec![
        Work::new("build", &archives, |env, folder| {
            build(env, folder, "a.pgn", BOOK, Existing::Refuse)
        }),
        Work::new("build over another one", &added, |env, folder| {
            build(env, folder, "b.pgn", BOOK, Existing::Replace)
        }),
        Work::new("add", &both, add),
        Work::new("merge into", &both, merge_into),
        Work::new("merge over one of them", &both, merge),
        Work::new("merge", &other, |env, folder| {
            let books = [Book::open(folder.join(OTHER))?];
            whole::merge(env, &folder.join(BOOK), &books, MergeOptions::default()).map(drop)
        }),
        Work::new("pack in place", &added, |env, folder| {
            let (path, existing) = (folder.join(BOOK), Existing::Replace);
            whole::copy(env, &Book::open(&path)?, &path, true, existing).map(drop)
        }),
        Work::new("salvage", &broken, |env, folder| {
            let [from, to] = [BROKEN, BOOK].map(|book| folder.join(book));
            whole::salvage(env, &from, &to, Existing::Replace, |_, _| Done::Ok(())).map(drop)
        }),
        Work::new("compact", &added, |env, folder| {
            Ok(Writer::open(*env, folder.join(BOOK))?.compact().map(drop)?)
        }),
        Work::new("take back", &added, |env, folder| {
            Ok(Writer::open(*env, folder.join(BOOK))?.undo().map(drop)?)
        }),
    ]
}

/// What readers see of the book in a folder; none if there is no book.
fn look(folder: &Path) -> Result<Option<Seen>, Box<dyn std::error::Error>> {
    let path = folder.join(BOOK);
    if !path.exists() {
        return Ok(None);
    }
    let book = Book::open(&path)?;
    let mut digests = BTreeSet::new();
    if let Some(file) = GameFile::beside(&book)? {
        let found = check_games(&Env::default(), file.path())?;
        if !found.ok() {
            return Err(format!("{found:?}").into());
        }
        let (mut all, mut game) = (file.games()?, StoredGame::default());
        while all.next(&mut game)? {
            digests.insert(game.digest);
        }
    }
    let (sources, facts) = (book.sources()?, book.facts()?);
    let known = KnownGames::of(book.file(BookFile::Fingerprints)?, &sources, &facts)?;
    if let Some(known) = known.as_ref().filter(|known| !known.untold.is_empty()) {
        return Err(format!("no fingerprints of {:?}", known.untold).into());
    }
    let (positions, moves) = rows_of(&path);
    let named = moves.iter().filter_map(|row| row.cells.get::<tabia::BestGame>());
    let missing = named.filter(|game| !game.is_none() && !digests.contains(&game.digest)).count();
    if missing > 0 {
        return Err(format!("{missing} games are missing").into());
    }
    let counted = |row: &tabia::PositionRow| (row.hash().get(), row.counts().games());
    Ok(Some(Seen {
        positions: positions.rows().iter().map(counted).collect(),
        sources: sources.len(),
        frames: book.journal().frames,
        packed: book.header().packed,
        games: digests,
        known: known.map(|known| known.games),
    }))
}

impl Seen {
    /// Whether nothing but games that no row names, and fingerprints that no archive of the book has,
    /// tells this from another: what a batch that was taken back brought.
    fn is_as(&self, other: &Self) -> bool {
        self.games.is_superset(&other.games)
            && Self { games: other.games.clone(), ..self.clone() } == *other
    }
}

impl Work {
    fn new(name: &'static str, start: &Files, run: fn(&Env<'_>, &Path) -> Done) -> Self {
        let fixture = Fixture::new();
        fixture.fill(start);
        let old = look(fixture.folder()).expect("a whole book").unwrap_or_default();
        run(&Env { storage: &System, progress: &() }, fixture.folder())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let new = look(fixture.folder()).expect("a whole book").expect("a book");
        assert_ne!(old, new, "{name}");
        for name in fixture.names() {
            assert!(!name.ends_with("-pending") && !name.ends_with("-new"), "{name}");
        }
        Self { name, start: start.clone(), old, new, run }
    }

    fn on(&self, fixture: &Fixture, files: &Files, faults: &[(usize, Fault)]) -> (Disk, Done) {
        fixture.fill(files);
        let disk = Disk::new(fixture, files);
        disk.start(faults.iter().copied());
        let done = (self.run)(&disk.env(), fixture.folder());
        (disk, done)
    }

    /// Whether readers of what is in the folder see the old book or the new one; which.
    fn sees(&self, fixture: &Fixture, when: &str) -> bool {
        let seen = look(fixture.folder())
            .unwrap_or_else(|what| panic!("{}, {when}: {what}: {:?}", self.name, fixture.names()));
        let Some(seen) = seen else {
            assert!(self.old.positions.is_empty(), "{}, {when}: the book is gone", self.name);
            return false;
        };
        let is_new = seen.is_as(&self.new);
        assert!(is_new || seen.is_as(&self.old), "{}, {when}: {seen:?}", self.name);
        is_new
    }

    /// Whether all files that were there are as they were.
    fn is_untouched(&self, files: &Files) -> bool {
        self.start.0.keys().all(|name| files.bytes(name) == self.start.bytes(name))
    }

    /// The next run, undisturbed: it ends with the new book, however the first one ended, and leaves
    /// nothing of that.
    fn again(&self, fixture: &Fixture, files: &Files, when: &str) {
        fixture.fill(files);
        let was_done = self.sees(fixture, when);
        let (_, done) = self.on(fixture, files, &[]);
        match done {
            Ok(()) if was_done && self.name == "take back" => {}
            // Archives that are in it already, a book that is there.
            Err(BuildError::Engine(Error::DuplicateSource { .. } | Error::Exists { .. }))
                if was_done => {}
            Err(BuildError::Games(_)) if was_done => {}
            done => {
                done.unwrap_or_else(|error| panic!("{}, {when}, then again: {error}", self.name));
                assert!(self.sees(fixture, &format!("{when}, then again")), "{when}: not done");
            }
        }
        if let Ok(writer) = Writer::open(Env::default(), fixture.book()) {
            drop(writer);
            let left = fixture.names().into_iter().filter(|name| name.ends_with("-pending"));
            assert_eq!(left.collect::<Vec<_>>(), Vec::<String>::new(), "{}, {when}", self.name);
        }
    }
}

/// Does each work again and again: at one in so many of its calls, the faults of one of these plans
/// befall it, each so many calls later. What is seen then, whether it is the new book, is judged. How
/// many runs there were.
fn with_faults(
    one_in: u64,
    plans: &[Vec<(usize, Fault)>],
    judge: impl Fn(&Work, &Fixture, &[(usize, Fault)], bool, Done, &str),
) -> u32 {
    let (mut runs, sample) = (0, Sample::one_in(one_in));
    for work in works() {
        let (fixture, mut met, mut sample) =
            (Fixture::new(), HashSet::new(), sample.part(work.name));
        let (disk, done) = work.on(&fixture, &work.start, &[]);
        done.expect("nothing fails");
        for (number, &call) in disk.calls().iter().enumerate() {
            for plan in plans.iter().filter(|plan| plan[0].1.befalls(call)) {
                if !sample.takes_of((call, plan)) {
                    continue;
                }
                runs += 1;
                let when = format!("call {number} ({call:?}), {plan:?}");
                let faults: Vec<_> = plan.iter().map(|(by, fault)| (number + by, *fault)).collect();
                let (_, done) = work.on(&fixture, &work.start, &faults);
                let files = fixture.files();
                let is_new = work.sees(&fixture, &when);
                judge(&work, &fixture, plan, is_new, done, &when);
                if met.insert(files.id()) {
                    work.again(&fixture, &files, &when);
                }
            }
        }
    }
    println!("{runs} runs");
    runs
}

#[test]
fn every_call_fails_once_and_a_failure_has_changed_nothing() {
    let plans = Fault::ALL.map(|fault| vec![(0, fault)]);
    let runs = with_faults(6, &plans, |work, fixture, plan, is_new, done, when| match done {
        Ok(()) => assert!(is_new, "{}, {when}: not done", work.name),
        Err(error @ BuildError::Engine(Error::Unsynced { .. })) => {
            assert!(is_new, "{}, {when}: {error}: {:?}", work.name, fixture.names());
        }
        Err(_) if plan[0].1.kills() => {}
        Err(error) => {
            let untouched = !is_new && work.is_untouched(&fixture.files());
            assert!(untouched, "{}, {when}: {error}", work.name);
        }
    });
    assert!(runs >= 400, "{runs}");
}

#[test]
fn a_second_call_fails_or_the_process_dies_after_the_first() {
    let plans = [
        (Fault::Eio, Fault::Eio, 1),
        (Fault::Eio, Fault::Eio, 2),
        (Fault::Eio, Fault::DeathBefore, 1),
        (Fault::Eio, Fault::DeathBefore, 2),
        (Fault::Lied, Fault::DeathBefore, 1),
    ]
    .map(|(first, then, after)| vec![(0, first), (after, then)]);
    let runs = with_faults(8, &plans, |work, _, _, is_new, done, when| {
        assert!(is_new || done.is_err(), "{}, {when}", work.name);
    });
    assert!(runs >= 100, "{runs}");
}

#[test]
fn every_state_that_a_power_cut_leaves_is_of_one_moment() {
    let (mut rng, mut all, sample) = (Random::new(1), 0, Sample::one_in(6));
    for work in works() {
        let (fixture, mut met, mut sample) =
            (Fixture::new(), HashSet::new(), sample.part(work.name));
        let (disk, done) = work.on(&fixture, &work.start, &[]);
        done.expect("nothing fails");
        let (trace, mut platter) = (disk.trace(), Platter::new(&work.start));
        for (number, event) in trace.iter().enumerate() {
            platter.take(event);
            let is_last = number + 1 == trace.len();
            use Event::{Remove, Rename, SyncFolder};
            let changes_names = matches!(event, Rename { .. } | Remove { .. } | SyncFolder { .. });
            if !is_last && !sample.takes_of((changes_names, number % 7)) {
                continue;
            }
            let when = format!("power cut after event {number} of {}", trace.len());
            let (mut odometer, mut states) = (Odometer::default(), Vec::new());
            while states.len() < 64 {
                states.push(platter.hold(&mut odometer));
                if !odometer.turn() {
                    break;
                }
            }
            states.extend((0..8).map(|_| platter.hold(&mut rng)));
            for files in states {
                if met.insert((files.id(), is_last)) {
                    fixture.fill(&files);
                    assert!(work.sees(&fixture, &when) || !is_last, "{}, {when}: lost", work.name);
                    work.again(&fixture, &files, &when);
                }
            }
        }
        all += met.len();
    }
    println!("{all} different states");
    assert!(all >= 300, "{all}");
}

/// A batch that could be neither synced nor cut off is whole for the next reader, and so are its games.
#[test]
fn what_belongs_to_a_batch_that_nobody_knows_of_is_left_to_the_next_writer() {
    let work = works().into_iter().find(|work| work.name == "add").expect("it is there");
    let fixture = Fixture::new();
    let (disk, _) = work.on(&fixture, &work.start, &[]);
    let sync = disk.calls().iter().rposition(|call| *call == Call::Sync).expect("a sync");
    let (_, done) = work.on(&fixture, &work.start, &[0, 1, 2].map(|by| (sync + by, Fault::Eio)));
    assert!(done.is_err() && work.sees(&fixture, "not cut off"));
    work.again(&fixture, &fixture.files(), "not cut off");
}

/// What stands beside a book under the names of what is to come, from elsewhere.
#[test]
fn a_record_that_is_damaged_foreign_or_none_is_not_followed() {
    let work = works().into_iter().find(|work| work.name == "add").expect("it is there");
    let fixture = Fixture::new();
    // As it is when the batch is in the book, and its games and fingerprints have no names yet.
    let (disk, _) = work.on(&fixture, &work.start, &[]);
    let last = disk.calls().iter().rposition(|call| *call == Call::Sync).expect("a sync") + 1;
    let _ = work.on(&fixture, &work.start, &[(last, Fault::DeathBefore)]);
    let files = fixture.files();
    let [record, pending] = ["-pending", "-games-pending"].map(|end| format!("{BOOK}{end}"));
    assert!(files.has(&record) && files.has(&pending), "{:?}", fixture.names());
    assert!(work.sees(&fixture, "it is done"));
    let bytes = files.bytes(&record).expect("a record").to_vec();
    for at in 0..bytes.len() {
        let mut other = bytes.clone();
        other[at] ^= 1;
        fixture.fill(&files.clone().with(&record, other));
        assert!(look(fixture.folder()).is_err(), "byte {at}");
        let error = Writer::open(Env::default(), fixture.book()).map(drop).expect_err("damage");
        assert!(matches!(error, Error::InTheWay { .. }), "{error}");
    }
    // That of another book, whose batch this is not: its files are removed.
    let mut foreign = files.clone();
    for end in ["", "-games", "-fingerprints", "-journal"] {
        foreign.0.remove(&format!("{BOOK}{end}"));
        if let Some(entry) = files.0.get(&format!("{OTHER}{end}")) {
            foreign = foreign.and(&format!("{BOOK}{end}"), entry.clone());
        }
    }
    fixture.fill(&foreign);
    let seen = look(fixture.folder()).expect("a book").expect("a book");
    assert_eq!(seen.games.len(), 8);
    drop(Writer::open(Env::default(), fixture.book()).expect("a book"));
    assert!(!fixture.names().iter().any(|name| name.ends_with("-pending")));
    assert_eq!(look(fixture.folder()).expect("a book"), Some(seen));
}

/// Somebody who wants to stop after so many steps.
struct Stops(AtomicU32);

impl Progress for Stops {
    fn step(&self, _: Stage, _: u64, _: u64) -> bool {
        let left = |left: u32| left.checked_sub(1);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, left).is_ok()
    }
}

/// M2: what says that nothing was changed has changed nothing, whenever it was interrupted.
#[test]
fn m2_whoever_stops_has_changed_nothing() {
    let mut stopped = 0;
    for work in works() {
        let fixture = Fixture::new();
        for steps in 0.. {
            fixture.fill(&work.start);
            let stops = Stops(AtomicU32::new(steps));
            let env = Env { storage: &System, progress: &stops };
            let done = (work.run)(&env, fixture.folder());
            let Err(error) = done else { break };
            assert!(matches!(error, BuildError::Interrupted), "{}: {error}", work.name);
            assert_eq!(fixture.files().id(), work.start.id(), "{}, {steps} steps", work.name);
            stopped += 1;
        }
    }
    assert!(stopped >= 20, "{stopped}");
}
