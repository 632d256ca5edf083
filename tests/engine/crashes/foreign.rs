//! What isn't ours and has one of our names: it is never written to, followed, cut off or removed,
//! whatever fails; and what is ours and has another name elsewhere is not changed there.

use super::model::{Expected, OLD, PACKED, World, base, layout};
use super::outcome::{Outcome, on_all, wrong};
use super::recovery::{After, Bench, faults, is_told};
use super::scenarios::{
    FIRST, Run, Scenario, add_and_compact, build, every_other_scenario, replace, scenarios,
};
use crate::books::open_writer;
use std::path::Path;
use tabia::storage::System;
use tabia::{AtomicFile, Env, Error, Existing, Rule};
use tabia_testing::crash::disk::{Call, Fault};
use tabia_testing::crash::fixture::{
    BOOK, Entry, Files, Fixture, JOURNAL, UNFINISHED, UNFINISHED_JOURNAL, stage,
};

const PRECIOUS: &str = "precious.txt";

/// What may have a name: files and links to the same bytes.
fn things(name: &str) -> Vec<(&'static str, Files)> {
    let bytes = || b"years of work".to_vec();
    let file = |bytes: Vec<u8>| Entry::File { bytes: bytes.into(), unfinished: false };
    let precious = Files::default().with(PRECIOUS, bytes());
    vec![
        ("a file", Files::default().and(name, file(bytes()))),
        ("an empty file", Files::default().and(name, file(Vec::new()))),
        ("a link", precious.clone().and(name, Entry::Link(PRECIOUS.to_owned()))),
        ("a link to nothing", Files::default().and(name, Entry::Link(PRECIOUS.to_owned()))),
        (
            "a second name",
            Files::default().and(name, file(bytes())).and(PRECIOUS, Entry::Twin(name.to_owned())),
        ),
        ("a folder", Files::default().and(name, Entry::Folder)),
        ("a pipe", Files::default().and(name, Entry::Pipe)),
    ]
}

/// A scenario with something foreign among the files.
struct Case {
    name: String,
    foreign: Files,
    scenario: Scenario,
}

fn cases() -> Vec<Case> {
    let books =
        [0, PACKED].map(|layout| stage(|fixture| _ = base(OLD | layout).write(&fixture.book())));
    let none = |_| Expected(vec![World::NO_BOOK]);
    let old = |layout| Expected(vec![World::of(OLD | layout, 0)]);
    let works: [(_, bool, fn(usize) -> Expected, fn(&Run<'_>) -> tabia::Result<()>); 3] = [
        ("build", false, none, build),
        ("build over a book", true, old, replace),
        ("add and compact", true, old, add_and_compact),
    ];
    let mut all = Vec::new();
    for place in [UNFINISHED, UNFINISHED_JOURNAL, JOURNAL] {
        for (thing, foreign) in things(place) {
            // An empty file may be a journal whose creation never finished, and holds nothing.
            if place == JOURNAL && thing == "an empty file" {
                continue;
            }
            for (name, is_over_a_book, expected, work) in works {
                let packed = all.len() % 2 == 1;
                let start =
                    if is_over_a_book { &books[usize::from(packed)] } else { &Files::default() };
                let start = start.joined(&foreign);
                let layout = layout(packed);
                let expected = expected(layout);
                let scenario = Scenario { name, layout, between: false, start, expected, work };
                all.push(Case {
                    name: format!("{name} where {thing} is called {place}"),
                    foreign: foreign.clone(),
                    scenario,
                });
            }
        }
    }
    all
}

/// Runs a case, perhaps with a fault; what is foreign is there as it was, and what is said is one
/// of the right things.
fn run(
    bench: &Bench<'_>,
    case: &Case,
    fault: Option<(usize, Fault)>,
) -> Result<After, super::model::Wrong> {
    let Case { scenario, foreign, .. } = case;
    let after = bench.run(&scenario.start, &scenario.expected, fault, FIRST, scenario.work)?;
    if let Some((name, _)) =
        foreign.0.iter().find(|(name, entry)| after.files.0.get(*name) != Some(*entry))
    {
        return Err(wrong(format!(
            "{name} was {:?} and is {:?}",
            foreign.0[name],
            after.files.0.get(name)
        )));
    }
    match &after.result {
        Ok(())
        | Err(
            Error::InTheWay { .. } | Error::Exists { .. } | Error::Damaged { rule: Rule::J1, .. },
        ) => Ok(after),
        Err(error) if fault.is_some() && is_told(error) => Ok(after),
        Err(error) => Err(wrong(format!("it says: {error:?}"))),
    }
}

#[test]
fn d1_what_is_not_ours_is_never_touched() {
    let outcome = on_all(&cases(), |case| {
        let mut outcome = Outcome::default();
        let bench = Bench::new(&case.scenario);
        let calls = match run(&bench, case, None) {
            Ok(after) => {
                let refused = matches!(&after.result, Err(Error::InTheWay { path, .. }) if path.starts_with(bench.fixture.folder()));
                outcome.count(if refused { "refused" } else { "done or refused otherwise" }, 1);
                after.calls
            }
            Err(wrong) => {
                outcome.take(Err(wrong), || case.name.clone());
                return outcome;
            }
        };
        for (number, fault, call) in faults(&calls) {
            outcome.count("injections", 1);
            let done = run(&bench, case, Some((number, fault))).map(drop);
            outcome.take(done, || format!("{}, {fault:?} at call {number} ({call:?})", case.name));
        }
        outcome
    });
    outcome.finish("what is not ours");
    assert!(outcome.get("refused") >= 30 && outcome.get("injections") >= 300);
}

/// Two folders with the same files, as `cp -al` makes them; a build in one was killed before.
/// Builds and batches there change nothing here.
#[test]
fn d1_a_snapshot_by_hard_links_stays_as_it_is() {
    let start = snapshot();
    let outcome = on_all(&every_other_scenario(PACKED), |scenario| {
        let mut outcome = Outcome::default();
        let Some(old) = scenario.start.bytes(BOOK) else { return outcome };
        let book = start
            .clone()
            .and("backup/book.tabia", Entry::File { bytes: old.clone(), unfinished: false });
        let mut files =
            scenario.start.joined(&book).and(BOOK, Entry::Twin("backup/book.tabia".to_owned()));
        if let Some(journal) = scenario.start.bytes(JOURNAL) {
            let journal = Entry::File { bytes: journal.clone(), unfinished: false };
            files = files.and("backup/book.tabia-journal", journal);
            files = files.and(JOURNAL, Entry::Twin("backup/book.tabia-journal".to_owned()));
        }
        let linked = Scenario { start: files, ..Scenario::clone(scenario) };
        let mut bench = Bench::new(&linked);
        let whole = bench.work(&linked.start, &linked.expected, None);
        let judged = whole.and_then(|after| bench.judge(&after, None, None).map(|()| after));
        let calls = judged.as_ref().map(|after| after.calls.clone()).unwrap_or_default();
        outcome.take(judged.map(drop), || linked.name.to_owned());
        let met = [Fault::Eio, Fault::DeathBefore, Fault::DeathAfter];
        for (number, fault, call) in faults(&calls).filter(|case| met.contains(&case.1)) {
            outcome.count("injections", 1);
            let after = bench.work(&linked.start, &linked.expected, Some((number, fault)));
            let judged = after.and_then(|after| {
                bench.judge(&after, Some(fault), Some(call))?;
                let seen = bench.look(&after.files)?;
                bench.finish(&after.files, &seen)
            });
            outcome
                .take(judged, || format!("{}, {fault:?} at call {number} ({call:?})", linked.name));
        }
        outcome
    });
    outcome.finish("a snapshot by hard links");
    assert!(outcome.get("injections") >= 1_000);
}

/// What a killed build left, in both folders.
fn snapshot() -> Files {
    let left = Entry::File { bytes: vec![7; 5_000].into(), unfinished: true };
    Files::default()
        .and("backup/book.tabia-new", left)
        .and(UNFINISHED, Entry::Twin("backup/book.tabia-new".to_owned()))
}

#[test]
fn t2_a_book_that_another_process_is_making_is_not_swept() {
    let fixture = Fixture::new();
    base(OLD).write(&fixture.book());
    let making = AtomicFile::create(&System, &fixture.book()).unwrap();
    making.write(b"to be", 0).unwrap();
    drop(open_writer(fixture.book()));
    assert!(fixture.folder().join(UNFINISHED).exists());
    assert!(
        matches!(AtomicFile::create(&System, &fixture.book()), Err(Error::Locked { path }) if path == fixture.book())
    );
    making.publish(Existing::Replace).unwrap();
    assert_eq!(std::fs::read(fixture.book()).unwrap(), b"to be");
    assert_eq!(fixture.names(), [BOOK]);
}

#[test]
fn d5_a_folder_that_cannot_be_opened_is_found_before_anything_is_published() {
    for scenario in scenarios().iter().filter(|scenario| {
        scenario.name.starts_with("build") || scenario.name.starts_with("merge over")
    }) {
        let bench = Bench::new(scenario);
        let calls = bench.work(&scenario.start, &scenario.expected, None).unwrap().calls;
        let number = calls.iter().rposition(|call| *call == Call::Rename);
        let Some(opened) = number.and_then(|renamed| {
            calls[..renamed].iter().rposition(|call| *call == Call::OpenFolder)
        }) else {
            panic!("{}: the folder is not opened before the rename: {calls:?}", scenario.name)
        };
        let after =
            bench.work(&scenario.start, &scenario.expected, Some((opened, Fault::Eio))).unwrap();
        assert!(after.result.is_err(), "{}", scenario.name);
        assert_eq!(after.files.bytes(BOOK), scenario.start.bytes(BOOK), "{}", scenario.name);
        // What is synced after the rename was opened before it.
        let behind = number.and_then(|renamed| calls.get(renamed + 1));
        assert_eq!(behind, Some(&Call::SyncFolder), "{}: {calls:?}", scenario.name);
    }
}

/// The mode that a file has, and whose it is.
fn access(path: &Path) -> (u32, u32, u32) {
    use std::os::unix::fs::MetadataExt;
    let metadata = path.symlink_metadata().unwrap();
    (metadata.mode() & 0o7777, metadata.uid(), metadata.gid())
}

#[test]
fn d3_journal_and_successor_have_the_mode_and_the_owner_of_the_book() {
    use std::os::unix::fs::{PermissionsExt, chown};
    let fixture = Fixture::new();
    let (book, journal) = (fixture.book(), tabia::journal_path(&fixture.book()));
    base(OLD).write(&book);
    let umask = access(&book);
    for mode in [0o600, 0o640, 0o666] {
        std::fs::set_permissions(&book, std::fs::Permissions::from_mode(mode)).unwrap();
        // Only root may give files away.
        let given = chown(&book, Some(12_345), Some(54_321)).is_ok();
        let expected = access(&book);
        assert_eq!(given, expected.1 == 12_345);
        let mut writer = open_writer(&book);
        writer.append(&super::model::batch(0, false)).unwrap();
        assert_eq!(access(&journal), expected);
        writer.compact().unwrap();
        drop(writer);
        assert_eq!(access(&book), expected);
        base(OLD).rows().new_book(&[]).write(&Env::default(), &book, Existing::Replace).unwrap();
        assert_eq!(access(&book), expected);
    }
    // A new file has what the user's mask says.
    std::fs::remove_file(&book).unwrap();
    base(OLD).write(&book);
    assert_eq!(access(&book), umask);
}
