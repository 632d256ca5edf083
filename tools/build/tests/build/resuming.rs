//! A build that is stopped or killed anywhere, and goes on from its parts, comes to the same end as
//! one that wasn't.

use crate::shared::{build, folder_in_memory};
use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use tabia::{BookFile, BookFiles, Column, Env, Existing};
use tabia_archives::{ArchiveError, IngestProgress, Stats};
use tabia_build::dedup::{Dedup, SameBy};
use tabia_build::{ArchiveList, BuildError, BuildObserver, BuildPlan, Built, Resume};
use tabia_gamefile::KeptGames;
use tabia_games::{Chess, Known};
use tabia_testing::data;

const GOOD: &str = "[Event \"a\"]\n[Date \"1990\"]\n[WhiteElo \"2400\"]\n[BlackElo \"2300\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n[Event \"b\"]\n[Result \"0-1\"]\n\n1. d4 d5 0-1\n\n";
const BAD: &str = "[Event \"c\"]\n[Result \"0-1\"]\n\n1. d4 Ke5 0-1\n\n[Event \"d\"]\n[Result \"*\"]\n\n1. c4 *\n\n";

/// Archives of which one has broken games, one nothing, one is compressed and cut off, one holds a
/// game that is too long, and one is of several files; and the folder in which they are.
fn archives() -> (tempfile::TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().unwrap();
    let game = |number: u32| {
        GOOD.replace("Nf3", ["Nf3", "Nc3", "Bc4"][number as usize % 3])
            .replace("1990", &(1990 + number % 40).to_string())
    };
    let numbered = |count: u32| (0..count).map(&game).collect::<String>();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all((numbered(400) + &BAD.repeat(30) + &numbered(300)).as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    let long = format!(
        "{GOOD}[Event \"long\"]\n[Result \"1-0\"]\n\n1. e4 {{{}}} 1-0\n\n{BAD}{GOOD}",
        "y".repeat(tabia_archives::split::LONGEST)
    );
    let [a, c] = [30, 5].map(|count| numbered(count).into_bytes());
    let contents = [
        ("first.pgn", (numbered(20) + BAD + &numbered(7)).into_bytes()),
        ("empty.pgn", b"\n\n".to_vec()),
        ("prose.pgn", b"no games at all\n".to_vec()),
        ("cut.pgn.gz", packed[..packed.len() * 3 / 4].to_vec()),
        ("long.pgn", long.into_bytes()),
        ("some.tar", tar(&[("a.pgn", a), ("b.pgn", BAD.into()), ("c.pgn", c)])),
        ("last.pgn", (BAD.repeat(2) + &numbered(9)).into_bytes()),
    ];
    let write = |(name, content): (&str, Vec<u8>)| {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        path
    };
    let paths = contents.map(write).into();
    (folder, paths)
}

fn tar(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, content) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, name, content.as_slice()).expect("in memory");
    }
    builder.into_inner().expect("in memory")
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Somebody asks it to stop.
    Stopped,
    /// The process dies: what is on the disk then is what the next one finds.
    Killed,
}

/// Ends the work when it has heard of progress so often, and says after how many games it went on.
struct Impatient<'a> {
    left: usize,
    end: End,
    parts: &'a Path,
    resumed: u64,
}

impl Impatient<'_> {
    /// Where the files of a killed process are kept.
    fn remains(&self) -> PathBuf {
        self.parts.with_extension("remains")
    }
}

impl BuildObserver for Impatient<'_> {
    fn resumed(&mut self, games: u64) {
        self.resumed = games;
    }

    fn progress(&mut self, _: &IngestProgress) -> ControlFlow<()> {
        self.left = self.left.wrapping_sub(1);
        if self.left != 0 {
            return ControlFlow::Continue(());
        }
        if self.end == End::Killed && self.parts.exists() {
            fs::create_dir(self.remains()).unwrap();
            for entry in fs::read_dir(self.parts).unwrap().flatten() {
                // A file in the making may get its name just now.
                let _ = fs::copy(entry.path(), self.remains().join(entry.file_name()));
            }
        }
        ControlFlow::Break(())
    }
}

/// A build: its plan, and where the book, the list and the parts are.
struct Work<'a> {
    archives: &'a [PathBuf],
    folder: PathBuf,
    /// With all columns, and the games beside the book.
    columns: bool,
    dedup: Option<(Dedup, SameBy)>,
}

/// What came of all games and of those of each archive; the book; the lines of the list; the games and
/// the fingerprints beside the book, if there are any.
type Outcome = (Stats, Vec<u8>, Vec<u8>, [Option<Vec<u8>>; 2]);

impl Work<'_> {
    fn plan(&self, threads: usize) -> BuildPlan {
        let mut plan = BuildPlan::new(Known::Chess(Chess::start()));
        plan.read.chunk_bytes = 2_000;
        plan.read.wanted.columns = Column::ALL.iter().copied().filter(|_| self.columns).collect();
        plan.games = self.columns.then_some(KeptGames::All);
        (plan.threads, plan.memory, plan.part_bytes) = (threads, 1 << 20, Some(30_000));
        plan.dedup = self.dedup;
        plan.duplicates = tabia::Duplicates::Allow;
        plan.skipped_list = Some(self.folder.join("skipped.tsv"));
        plan
    }

    fn book(&self) -> PathBuf {
        self.folder.join("book.tabia")
    }

    fn parts(&self) -> PathBuf {
        self.folder.join("book.tabia-building")
    }

    fn run(&self, plan: &BuildPlan, observer: &mut dyn BuildObserver) -> Result<Built, BuildError> {
        plan.build(&Env::default(), &ArchiveList::of(self.archives)?, &self.book(), observer)
    }

    fn outcome(&self, built: Built) -> Outcome {
        let list = self.folder.join("skipped.tsv");
        let files = BookFiles::of(&self.book());
        let beside = [BookFile::Games, BookFile::Fingerprints].map(|file| {
            let bytes = fs::read(files.path(file)).ok()?;
            fs::remove_file(files.path(file)).unwrap();
            Some(bytes)
        });
        let (book, lines) = (fs::read(self.book()).unwrap(), fs::read(&list).unwrap());
        let outcome = (built.games, book, lines, beside);
        assert!(!self.parts().exists());
        fs::remove_file(self.book()).unwrap();
        fs::remove_file(list).unwrap();
        outcome
    }

    /// Ended after so much progress, and gone on with; none if it was done before. With how many
    /// games it went on is returned too.
    fn in_two(&self, after: usize, end: End, threads: usize) -> Option<(Outcome, u64)> {
        let (mut plan, parts) = (self.plan(threads), self.parts());
        let mut observer = Impatient { left: after, end, parts: &parts, resumed: 0 };
        match self.run(&plan, &mut observer) {
            Ok(built) => {
                self.outcome(built);
                return None;
            }
            Err(BuildError::Interrupted) => assert!(!parts.exists(), "something was left behind"),
            Err(BuildError::Saved(folder)) => assert_eq!(folder, parts),
            Err(error) => panic!("{error}"),
        }
        assert!(!self.book().exists());
        if observer.remains().exists() {
            let _ = fs::remove_dir_all(&parts);
            fs::rename(observer.remains(), &parts).unwrap();
        }
        (plan.threads, plan.resume) = (threads % 3 + 1, Resume::Continue);
        observer.left = usize::MAX;
        let built = self.run(&plan, &mut observer).unwrap_or_else(|error| panic!("{error}"));
        Some((self.outcome(built), observer.resumed))
    }
}

fn is_the_same_wherever_interrupted(
    archives: &[PathBuf],
    columns: bool,
    dedup: Option<(Dedup, SameBy)>,
    step: usize,
) {
    let folder = folder_in_memory();
    let work = Work { archives, folder: folder.path().to_owned(), columns, dedup };
    let mut never = work.plan(1);
    never.part_bytes = None;
    let expected = work.outcome(build(&never, archives, &work.book()));
    let in_parts = work.outcome(build(&work.plan(2), archives, &work.book()));
    assert!(in_parts == expected, "parts show in the book");
    assert_eq!(expected.3.each_ref().map(Option::is_some), [columns, dedup.is_some()]);
    for (threads, end) in [(1, End::Killed), (2, End::Stopped), (3, End::Killed)] {
        let (mut ended, mut resumed) = (0, 0);
        for after in (1..).step_by(step) {
            let Some((outcome, games)) = work.in_two(after, end, threads) else { break };
            ended += 1;
            resumed += u32::from(games > 0);
            assert_eq!(outcome.0, expected.0, "{threads} threads, {end:?} after {after}");
            assert!(outcome == expected, "{threads} threads, {end:?} after {after}");
        }
        assert!(ended > 4 && resumed > ended / 3, "{ended} ended, {resumed} resumed");
    }
}

#[test]
fn builds_go_on_from_anywhere() {
    is_the_same_wherever_interrupted(&archives().1, false, None, 4);
}

#[test]
fn builds_with_columns_go_on_from_anywhere() {
    is_the_same_wherever_interrupted(&archives().1, true, None, 9);
}

#[test]
fn builds_without_copies_go_on_from_anywhere() {
    let prefix = Some((Dedup::Prefix, SameBy::Moves));
    is_the_same_wherever_interrupted(&archives().1, true, prefix, 6);
}

#[test]
fn builds_of_real_archives_go_on_from_anywhere() {
    let Some(odd) = data("chess/odd") else { return };
    let mut files = ArchiveList::of(&[odd]).unwrap().paths;
    let is_pgn = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "pgn");
    files.retain(|path| is_pgn(path) && path.metadata().unwrap().len() < 50_000);
    // Files with another thing than games in them are errors.
    let folder = tempfile::tempdir().unwrap();
    let (mut plan, one) =
        (BuildPlan::new(Known::Chess(Chess::start())), folder.path().join("one.tabia"));
    plan.existing = Existing::Replace;
    let builds = |list| plan.build(&Env::default(), &list, &one, &mut ()).is_ok();
    let is_archive = |path: &PathBuf| ArchiveList::of(std::slice::from_ref(path)).is_ok_and(builds);
    files.retain(is_archive);
    files.truncate(12);
    is_the_same_wherever_interrupted(&files, false, Some((Dedup::Exact, SameBy::Moves)), 3);
}

/// A build that was stopped, with its parts beside it.
fn stopped<'a>(
    archives: &'a [PathBuf],
    folder: &Path,
    columns: bool,
    dedup: Option<(Dedup, SameBy)>,
) -> Work<'a> {
    let work = Work { archives, folder: folder.to_owned(), columns, dedup };
    let parts = work.parts();
    let mut observer = Impatient { left: 40, end: End::Stopped, parts: &parts, resumed: 0 };
    assert!(matches!(work.run(&work.plan(2), &mut observer), Err(BuildError::Saved { .. })));
    work
}

#[test]
fn an_archive_that_has_changed_is_refused() {
    for change in [
        |text: String| text.replacen("Nc3", "Na3", 1),
        |text: String| text[..text.len() / 10].to_owned(),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let first = folder.path().join("first.pgn");
        fs::write(&first, GOOD.repeat(2000).replace("Nf3", "Nc3")).unwrap();
        let archives = [first];
        let work = stopped(&archives, folder.path(), false, None);
        let text = fs::read_to_string(&archives[0]).unwrap();
        fs::write(&archives[0], change(text)).unwrap();
        let mut plan = work.plan(1);
        plan.resume = Resume::Continue;
        let Err(BuildError::Archive(error)) = work.run(&plan, &mut ()) else { panic!("built") };
        assert!(matches!(error, ArchiveError::Changed { .. }), "{error}");
        assert!(work.parts().exists() && !work.book().exists());
    }
}

/// Every bit of what an interrupted build left counts: finding D4.
#[test]
fn d4_parts_that_were_changed_are_refused() {
    let (_kept, archives) = archives();
    let exact = Some((Dedup::Exact, SameBy::Moves));
    for (columns, dedup) in [(false, None), (true, None), (true, exact)] {
        let folder = tempfile::tempdir().unwrap();
        let work = stopped(&archives, folder.path(), columns, dedup);
        let mut plan = work.plan(2);
        plan.resume = Resume::Continue;
        let mut names: Vec<PathBuf> =
            fs::read_dir(work.parts()).unwrap().map(|entry| entry.unwrap().path()).collect();
        names.retain(|path| !path.ends_with("lock") && path.metadata().unwrap().len() > 0);
        assert!(names.len() > 1);
        for path in names {
            let whole = fs::read(&path).unwrap();
            let flipped = |at: usize| {
                let mut bytes = whole.clone();
                bytes[at] ^= 1;
                bytes
            };
            let steps = (0..whole.len()).step_by((whole.len() / 25).max(1)).map(flipped);
            // In the text of the state every byte is tried that a digit stands in.
            let digits =
                (0..whole.len()).filter(|&at| whole[at].is_ascii_digit()).step_by(40).map(flipped);
            let cut = [whole.len() - 1, whole.len() / 2, 0].map(|end| whole[..end].to_vec());
            for bad in steps.chain(digits).chain(cut) {
                fs::write(&path, &bad).unwrap();
                let (result, path) = (work.run(&plan, &mut ()), path.display());
                let is_refused = matches!(result, Err(BuildError::DamagedParts { .. }));
                assert!(is_refused, "{path}: {result:?}");
            }
            fs::write(&path, &whole).unwrap();
        }
        let built = work.run(&plan, &mut ()).unwrap_or_else(|error| panic!("{error}"));
        work.outcome(built);
    }
}

#[test]
fn parts_of_another_build_are_refused_and_a_missing_one_is_missed() {
    let (_kept, archives) = archives();
    let folder = tempfile::tempdir().unwrap();
    let work = stopped(&archives, folder.path(), false, None);
    let with = |change: &dyn Fn(&mut BuildPlan)| {
        let mut plan = work.plan(2);
        plan.resume = Resume::Continue;
        change(&mut plan);
        work.run(&plan, &mut ())
    };
    let refused = with(&|plan| plan.resume = Resume::Refuse);
    assert!(matches!(refused, Err(BuildError::Unfinished { .. })));
    for change in [
        &(|plan: &mut BuildPlan| plan.max_ply = Some(3)) as &dyn Fn(&mut BuildPlan),
        &|plan| plan.dedup = Some((Dedup::Exact, SameBy::Moves)),
        &|plan| plan.skipped_list = None,
        &|plan| plan.read.wanted.evals = true,
        &|plan| plan.tables.moves = false,
    ] {
        assert!(matches!(with(change), Err(BuildError::OtherPlan { .. })));
    }
    let first = work.parts().join("part-0001.tabia");
    let aside = folder.path().join("aside");
    fs::rename(&first, &aside).unwrap();
    assert!(matches!(with(&|_| ()), Err(BuildError::DamagedParts { .. })));
    fs::rename(&aside, &first).unwrap();
    // What isn't ours is left alone.
    fs::write(work.parts().join("thesis.txt"), "years of work").unwrap();
    assert!(with(&|_| ()).is_err() && with(&|plan| plan.resume = Resume::Discard).is_err());
    assert_eq!(fs::read(work.parts().join("thesis.txt")).unwrap(), b"years of work");
    fs::remove_file(work.parts().join("thesis.txt")).unwrap();
    with(&|plan| plan.resume = Resume::Discard).unwrap();
    assert!(!work.parts().exists());
}

/// Parts are exchanged, repeated, left out, and taken from another run of the same build: whatever is
/// not refused makes the book that an undisturbed build makes.
#[test]
fn parts_in_the_wrong_place_are_refused_or_harmless() {
    let (_kept, archives) = archives();
    let folder = folder_in_memory();
    let work =
        Work { archives: &archives, folder: folder.path().into(), columns: false, dedup: None };
    let plan = |threads| {
        let mut plan = work.plan(threads);
        plan.skipped_list = None;
        plan
    };
    let outcome = |built: Built| {
        let book = fs::read(work.book()).unwrap();
        fs::remove_file(work.book()).unwrap();
        (built.games, book)
    };
    let whole = outcome(work.run(&plan(2), &mut ()).unwrap());
    let (least, bytes) = if tabia_testing::whole() { (12, 4_200) } else { (3, 20_000) };
    // The parts of a run that ended at its end, each with its bytes.
    let parts_of = |part_bytes: u64| -> Vec<Vec<u8>> {
        let mut plan = plan(1);
        plan.part_bytes = Some(part_bytes);
        let mut after = 400;
        loop {
            let (parts, end) = (work.parts(), End::Stopped);
            let mut impatient = Impatient { left: after, end, parts: &parts, resumed: 0 };
            match work.run(&plan, &mut impatient) {
                Ok(built) => drop(outcome(built)),
                Err(BuildError::Interrupted) => {}
                Err(_) => {
                    let part = |number| parts.join(format!("part-{number:04}.tabia"));
                    let found: Vec<_> =
                        (1..).map_while(|number| fs::read(part(number)).ok()).collect();
                    fs::remove_dir_all(parts).unwrap();
                    if found.len() >= least {
                        return found;
                    }
                }
            }
            after = after * 4 / 5;
            assert!(after > 1, "no run with so many parts");
        }
    };
    let (parts, foreign) = (parts_of(bytes), parts_of(bytes * 23 / 20));
    let count = parts.len();
    let mut cases: Vec<(String, Vec<&Vec<u8>>)> = Vec::new();
    let all: Vec<&Vec<u8>> = parts.iter().collect();
    for first in 0..count {
        let mut without = all.clone();
        without.remove(first);
        cases.push((format!("without {first}"), without));
        for second in 0..count {
            let (mut exchanged, mut repeated) = (all.clone(), all.clone());
            exchanged.swap(first, second);
            repeated.insert(first, all[second]);
            cases.push((format!("{first} and {second} exchanged"), exchanged));
            cases.push((format!("{second} again before {first}"), repeated));
        }
        for (number, other) in foreign.iter().enumerate() {
            let mut mixed = all.clone();
            mixed[first] = other;
            cases.push((format!("another run's {number} for {first}"), mixed));
        }
    }
    let (mut refused, tries) = (0, cases.len());
    for (what, files) in cases {
        fs::create_dir(work.parts()).unwrap();
        for (number, bytes) in files.iter().enumerate() {
            fs::write(work.parts().join(format!("part-{:04}.tabia", number + 1)), bytes).unwrap();
        }
        let mut plan = plan(2);
        plan.resume = Resume::Continue;
        match work.run(&plan, &mut ()) {
            Ok(built) => assert!(outcome(built) == whole, "{what}: another book"),
            Err(error) => {
                assert!(matches!(error, BuildError::DamagedParts { .. }), "{what}: {error}");
                refused += 1;
                fs::remove_dir_all(work.parts()).unwrap();
            }
        }
    }
    println!("{refused} of {tries} refused");
    assert!(refused > tries / 2 && refused < tries);
}

/// A book that an interrupted build was to replace is still that book: games can be added to it.
#[test]
fn adding_to_a_book_leaves_the_parts_of_its_build_alone() {
    let (archives_folder, archives) = archives();
    let folder = tempfile::tempdir().unwrap();
    let work = stopped(&archives, folder.path(), false, None);
    let names = || {
        let paths = fs::read_dir(work.parts()).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = paths.map(|path| (fs::read(&path).unwrap(), path)).collect();
        files.sort();
        files
    };
    let left = names();
    assert!(left.len() > 1);

    let one = |text: &str, name: &str| {
        let path = archives_folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let mut plan = BuildPlan::new(Known::Chess(Chess::start()));
    let old = folder.path().join("old.tabia");
    build(&plan, &[one("[Result \"1-0\"]\n\n1. a4 1-0\n", "old.pgn")], &old);
    fs::rename(old, work.book()).unwrap();
    let mut writer = tabia::Writer::open(Env::default(), work.book()).unwrap();
    plan.fit(writer.header());
    for (text, games) in [("[Result \"0-1\"]\n\n1. h4 0-1\n", Some(1)), ("no games\n", None)] {
        let more = ArchiveList::of(&[one(text, "more.pgn")]).unwrap();
        let added = plan.add(&Env::default(), &more, &work.book(), &mut writer, &mut ());
        assert_eq!(added.ok().map(|added| added.games.games.games_in), games);
        assert!(names() == left);
    }
    drop(writer);

    let mut plan = work.plan(2);
    (plan.resume, plan.existing) = (Resume::Continue, Existing::Replace);
    let resumed = work.run(&plan, &mut ()).unwrap_or_else(|error| panic!("{error}"));
    let resumed = work.outcome(resumed);
    // The journal of the book that was replaced has gone with it.
    assert!(!folder.path().join("book.tabia-journal").exists());
    let built = work.run(&work.plan(1), &mut ()).unwrap_or_else(|error| panic!("{error}"));
    let built = work.outcome(built);
    assert_eq!((&built.0, &built.2), (&resumed.0, &resumed.2));
    // Its header, which stands at both ends, knows that there was a journal.
    let rows = |book: &[u8]| book[4096..book.len() - 4096].to_vec();
    assert!(rows(&built.1) == rows(&resumed.1));
}
