//! An ingestion that is interrupted anywhere and goes on from what was kept comes to the same end as one that wasn't interrupted.

mod shared;

use shared::{Reports, data, tar};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tabia::storage::System;
use tabia::stream::{Chunk, RowSet, Rows};
use tabia::{Column, Columns, Env, MoveRow, PositionRow};
use tabia_archives::collect::Collected;
use tabia_archives::dedup::{Dedup, KeptSpool, SameBy, Spool, find};
use tabia_archives::{
    ArchiveError, Collectable, Gatherer, IngestError, Keepable, Keeper, Kept, Observer, Options, Played, Progress, ResumeError, RichVisit,
    Skipped, Standing, Tally, Visit, Wanted, Warning, ingest_from,
};

const GOOD: &str = "[Event \"a\"]\n[Date \"1990\"]\n[WhiteElo \"2400\"]\n[BlackElo \"2300\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n[Event \"b\"]\n[Result \"0-1\"]\n\n1. d4 d5 0-1\n\n";
const BAD: &str = "[Event \"c\"]\n[Result \"0-1\"]\n\n1. d4 Ke5 0-1\n\n[Event \"d\"]\n[Result \"*\"]\n\n1. c4 *\n\n";

/// Archives of which one has broken games, one nothing, one is compressed and cut off, one holds a game that is too long, and one is of several files.
fn archives(folder: &Path) -> Vec<PathBuf> {
    let game =
        |number: u32| GOOD.replace("Nf3", ["Nf3", "Nc3", "Bc4"][number as usize % 3]).replace("1990", &(1990 + number % 40).to_string());
    let numbered = |count: u32| (0..count).map(&game).collect::<String>();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all((numbered(400) + &BAD.repeat(30) + &numbered(300)).as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    let long =
        format!("{GOOD}[Event \"long\"]\n[Result \"1-0\"]\n\n1. e4 {{{}}} 1-0\n\n{BAD}{GOOD}", "y".repeat(tabia_archives::split::LONGEST));
    let contents = [
        ("first.pgn", (numbered(20) + BAD + &numbered(7)).into_bytes()),
        ("empty.pgn", b"\n\n".to_vec()),
        ("cut.pgn.gz", packed[..packed.len() * 3 / 4].to_vec()),
        ("long.pgn", long.into_bytes()),
        ("some.tar", tar(&[("a.pgn", numbered(30).into_bytes()), ("b.pgn", BAD.into()), ("c.pgn", numbered(5).into_bytes())])),
        ("last.pgn", (BAD.repeat(2) + &numbered(9)).into_bytes()),
    ];
    let write = |(name, content): (&str, Vec<u8>)| {
        std::fs::write(folder.join(name), content).unwrap();
        folder.join(name)
    };
    contents.map(write).into()
}

/// Hears of everything, and stops when it has heard of progress so often.
struct Impatient {
    reports: Arc<Mutex<Reports>>,
    left: usize,
}

impl Observer for Impatient {
    fn skipped(&mut self, skipped: &Skipped) {
        self.reports.lock().unwrap().skipped(skipped);
    }

    fn warned(&mut self, warning: &Warning) {
        self.reports.lock().unwrap().warned(warning);
    }

    fn progress(&mut self, _: &Progress) -> ControlFlow<()> {
        self.left = self.left.wrapping_sub(1);
        if self.left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Keeps the work once, after so many chunks, and remembers what was reported until then. The process dies later: what it does at the end is nothing.
struct Once<'a, K> {
    kept: Kept<'a, K>,
    chunks: Mutex<usize>,
    reports: Arc<Mutex<Reports>>,
    reported: Option<Reported>,
}

impl<'a, S: Keepable> Keeper<S> for Once<'a, S::Record>
where
    Kept<'a, S::Record>: Keeper<S>,
{
    fn is_due(&self) -> bool {
        let mut chunks = self.chunks.lock().unwrap();
        *chunks = chunks.saturating_sub(1);
        *chunks == 0 && self.reported.is_none()
    }

    fn keep(&mut self, standing: &Standing, sinks: &mut [&mut S], at_the_end: bool) -> tabia::Result<()> {
        if at_the_end || self.reported.is_some() {
            return Ok(());
        }
        // A text that has been to the disk and back.
        self.kept.keep(standing, sinks, false)?;
        let reports = self.reports.lock().unwrap();
        self.reported = Some((reports.skipped.clone(), reports.warnings.clone()));
        Ok(())
    }
}

/// Games and archives that were reported.
type Reported = (Vec<Skipped>, Vec<Warning>);

type Outcome = (Tally, Vec<Skipped>, Vec<Warning>, Chunk<PositionRow>, Chunk<MoveRow>);

type Tables = (Chunk<PositionRow>, Chunk<MoveRow>);

/// All columns.
fn columns() -> Columns {
    Column::ALL.iter().copied().collect()
}

/// How sinks are made, taken up and emptied.
trait Way: Keepable + Sized {
    /// The columns of the rows.
    fn columns() -> Columns;
    fn new(options: &Options, folder: &Path, number: u64) -> Self;
    fn take_up(options: &Options, kept: &Path, records: Vec<Self::Record>, threads: usize) -> Vec<Self>;
    fn rows(options: &Options, sinks: Vec<Self>, folder: &Path) -> Tables;
}

impl<V: Collectable> Way for Gatherer<'static, V> {
    fn columns() -> Columns {
        if V::ROOM > 0 { columns() } else { Columns::NONE }
    }

    fn new(options: &Options, folder: &Path, _: u64) -> Self {
        Gatherer::new(options, &System, folder, 0)
    }

    fn take_up(options: &Options, kept: &Path, records: Vec<Self::Record>, threads: usize) -> Vec<Self> {
        let mut sinks: Vec<Self> = (0..threads).map(|_| <Self as Way>::new(options, kept, 0)).collect();
        assert!(sinks[0].collector().take_up(kept, &records.concat()).unwrap());
        sinks
    }

    fn rows(_: &Options, sinks: Vec<Self>, _: &Path) -> Tables {
        tables(&Collected::join(&Env::default(), sinks.into_iter().map(Gatherer::into_collector).collect(), 2).unwrap())
    }
}

/// The rows that were collected.
fn tables<V: Collectable>(rows: &Collected<V>) -> Tables {
    (rows.positions().rows().unwrap().collect().unwrap(), rows.moves().rows().unwrap().collect().unwrap())
}

impl Way for Spool {
    fn columns() -> Columns {
        columns()
    }

    fn new(options: &Options, folder: &Path, number: u64) -> Self {
        Spool::new(options, SameBy::Moves, &System, folder, Some(&format!("0-spool-{number}"))).unwrap()
    }

    fn take_up(options: &Options, kept: &Path, records: Vec<KeptSpool>, _: usize) -> Vec<Self> {
        let take_up = |record: &KeptSpool| Spool::take_up(options, SameBy::Moves, &System, kept, record).unwrap().unwrap();
        records.iter().map(take_up).collect()
    }

    fn rows(options: &Options, mut sinks: Vec<Self>, folder: &Path) -> Tables {
        sinks.iter_mut().for_each(|spool| spool.finish().unwrap());
        let found = find(&Env::default(), &sinks, Dedup::Exact, 6, 0).unwrap();
        let mut gatherer = Gatherer::<RichVisit<36>>::new(options, &System, folder, 0);
        for spool in 0..sinks.len() {
            found.games(&sinks, spool, |game: &Played, _, _| gatherer.add(game)).unwrap();
        }
        tables(&Collected::join(&Env::default(), vec![gatherer.into_collector()], 1).unwrap())
    }
}

/// What comes of the archives; if they are interrupted, none and what was reported when the work was kept.
fn run<S: Way>(
    archives: &[PathBuf],
    threads: usize,
    folder: &Path,
    (keep_after, stop_after): (usize, usize),
    reported: Reported,
) -> (Option<Outcome>, Option<Reported>) {
    let wanted = Wanted { columns: S::columns(), ..Wanted::default() };
    let options = Options { chunk_bytes: 2_000, wanted, ..Options::default() };
    let reports = Arc::new(Mutex::new(Reports { skipped: reported.0, warnings: reported.1 }));
    let mut kept = Kept::new(&System, &folder.join("kept"), "the same".to_owned(), Some(Duration::ZERO));
    let (standing, mut sinks) = match kept.find() {
        Ok((found, _)) => (found.standing, S::take_up(&options, kept.folder(), found.sinks, threads)),
        Err(ResumeError::Nothing) => {
            kept.remove().unwrap();
            kept.make_folder().unwrap();
            (Standing::default(), (0..threads as u64).map(|number| S::new(&options, kept.folder(), number)).collect())
        }
        Err(error) => panic!("{error}"),
    };
    let mut keeper = Once { kept, chunks: Mutex::new(keep_after), reports: Arc::clone(&reports), reported: None };
    let mut observer = Impatient { reports: Arc::clone(&reports), left: stop_after };
    match ingest_from(standing, archives, &options, &mut sinks, &mut observer, Some(&mut keeper)) {
        Ok(tally) => {
            let (positions, moves) = S::rows(&options, sinks, folder);
            let reports = reports.lock().unwrap();
            (Some((tally, reports.skipped.clone(), reports.warnings.clone(), positions, moves)), None)
        }
        Err(IngestError::Stopped) => (None, keeper.reported),
        Err(error) => panic!("{error}"),
    }
}

fn is_the_same_wherever_interrupted<S: Way>(archives: &[PathBuf], step: usize) {
    let folder = tempfile::tempdir().unwrap();
    let never = (usize::MAX, usize::MAX);
    let expected = run::<S>(archives, 1, folder.path(), never, Default::default()).0.unwrap();
    for threads in 1..4 {
        let (mut interrupted, mut last) = (0, false);
        for keep_after in (1..).step_by(step) {
            if last {
                break;
            }
            let folder = tempfile::tempdir().unwrap();
            let (done, reported) = run::<S>(archives, threads, folder.path(), (keep_after, keep_after + 2), Default::default());
            last = done.is_some();
            let (outcome, _) = match done {
                Some(done) => (Some(done), None),
                None => {
                    interrupted += 1;
                    run::<S>(archives, threads % 3 + 1, folder.path(), never, reported.unwrap_or_default())
                }
            };
            let outcome = outcome.unwrap();
            assert_eq!(outcome.0, expected.0, "{threads} threads, kept after {keep_after} chunks");
            assert!(outcome == expected, "{threads} threads, kept after {keep_after} chunks");
        }
        assert!(interrupted > 8, "{interrupted} interruptions");
    }
}

#[test]
fn collected_visits_go_on_from_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    is_the_same_wherever_interrupted::<Gatherer<'static, Visit>>(&archives(folder.path()), 2);
}

#[test]
fn collected_visits_with_cells_go_on_from_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    is_the_same_wherever_interrupted::<Gatherer<'static, RichVisit<36>>>(&archives(folder.path()), 5);
}

#[test]
fn spools_go_on_from_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    is_the_same_wherever_interrupted::<Spool>(&archives(folder.path()), 1);
}

#[test]
fn real_archives_go_on_from_anywhere() {
    let Some(folder) = data("chess/odd") else { return };
    let mut files = shared::files_under(&folder);
    files.retain(|path| path.extension().is_some_and(|ending| ending == "pgn") && path.metadata().unwrap().len() < 50_000);
    // Files with another thing than games in them are errors.
    files.retain(|path| shared::take(std::slice::from_ref(path), &Options::default(), 1).is_ok());
    files.truncate(12);
    is_the_same_wherever_interrupted::<Spool>(&files, 1);
}

#[test]
fn an_archive_that_has_changed_is_refused() {
    for (name, change) in [
        ("first.pgn", Box::new(|text: String| text.replacen("Nc3", "Na3", 1)) as Box<dyn Fn(String) -> String>),
        ("first.pgn", Box::new(|text| text[..text.len() / 3].to_owned())),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let archives = archives(folder.path());
        let (done, _) = run::<Spool>(&archives[..1], 1, folder.path(), (1, 2), Default::default());
        assert!(done.is_none());
        let path = folder.path().join(name);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, change(text)).unwrap();
        let options = Options { chunk_bytes: 2_000, ..Options::default() };
        let mut kept = Kept::<KeptSpool>::new(&System, &folder.path().join("kept"), "the same".to_owned(), None);
        let (found, _) = kept.find().map_err(|error| error.to_string()).unwrap();
        let mut sinks = <Spool as Way>::take_up(&options, kept.folder(), found.sinks, 1);
        let result = ingest_from(found.standing, &archives[..1], &options, &mut sinks, &mut (), None);
        assert!(matches!(result, Err(IngestError::Archive(ArchiveError::Changed { .. }))), "{result:?}");
    }
}

#[test]
fn what_was_kept_of_another_job_is_refused_and_so_is_what_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let archives = archives(folder.path());
    assert!(run::<Spool>(&archives, 2, folder.path(), (3, 9), Default::default()).0.is_none());
    let place = folder.path().join("kept");
    let find = |job: &str| Kept::<KeptSpool>::new(&System, &place, job.to_owned(), None).find().map(drop);
    assert!(find("the same").is_ok());
    assert!(matches!(find("another"), Err(ResumeError::OtherJob { .. })));
    let text = std::fs::read(place.join("state.json")).unwrap();
    for bad in [&text[..text.len() / 2], b"", b"{}", b"null", b"[1, 2"] {
        std::fs::write(place.join("state.json"), bad).unwrap();
        assert!(matches!(find("the same"), Err(ResumeError::Damaged { .. })));
    }
    std::fs::remove_file(place.join("state.json")).unwrap();
    assert!(matches!(find("the same"), Err(ResumeError::Nothing)));
    // Whoever is at work there has the folder for himself.
    let mut mine = Kept::<KeptSpool>::new(&System, &place, String::new(), None);
    mine.make_folder().unwrap();
    let mut other = Kept::<KeptSpool>::new(&System, &place, String::new(), None);
    assert!(matches!(other.make_folder(), Err(tabia::Error::Locked { .. })) && matches!(other.remove(), Err(tabia::Error::Locked { .. })));
    // What isn't ours is left alone.
    std::fs::write(place.join("thesis.txt"), "years of work").unwrap();
    drop(mine);
    assert!(other.make_folder().is_err() && other.remove().is_err() && place.join("thesis.txt").exists());
    std::fs::remove_file(place.join("thesis.txt")).unwrap();
    other.remove().unwrap();
    assert!(!place.exists());
}
