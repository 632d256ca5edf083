//! A book so large that it is synced while it is written, and that its table is hashed and written
//! on a thread of its own: what fails there. Calls come in no certain order, so a fault is put at a
//! call by its kind.
//!
//! What a power cut leaves of such a book is not gone through state by state. The trace says what
//! it comes to: a file gets its name when all that was written to it was synced, and no sync of it
//! has failed.

use super::model::{Wrong, empty_book};
use super::outcome::{Outcome, calmly, wrong};
use super::recovery::is_told;
use crate::synthetic::Synthetic;
use std::collections::HashMap;
use tabia::format::Digest;
use tabia::{Env, Existing, check};
use tabia_testing::crash::disk::{Call, Disk, Event, Fault};
use tabia_testing::crash::fixture::{BOOK, Files, Fixture, UNFINISHED};
use tabia_testing::{Sample, whole};

/// Hardly more rows than it takes for syncing early, which is then done twice.
const ROWS: u64 = 5_600_000;
/// Bytes of the book, at most.
const ROOM: u64 = 200 << 20;

/// A fault, the kind of call it comes to, and how many of those come before.
type Blow = (Call, usize, Fault);

/// Makes the book; its digest is returned, or what the engine says.
fn make(disk: &Disk, fixture: &Fixture) -> Result<tabia::Result<Digest>, Wrong> {
    let book = empty_book(true, false).positions(&Synthetic(ROWS));
    calmly(|| {
        book.write(&disk.env(), &fixture.book(), Existing::Refuse).map(|header| header.digest)
    })
}

/// How many syncs came before the last piece of the table, which is returned too: so many writes
/// come before it.
fn syncs_and_last_piece(trace: &[Event]) -> (usize, usize) {
    let is_piece =
        |event: &Event| matches!(event, Event::Write { bytes, .. } if bytes.len() > 1 << 20);
    let before = &trace[..trace.iter().rposition(is_piece).unwrap()];
    let count = |is: fn(&Event) -> bool| before.iter().filter(|event| is(event)).count();
    (
        count(|event| matches!(event, Event::Sync { .. })),
        count(|event| matches!(event, Event::Write { .. })),
    )
}

/// Whether each file that got a name was synced before, as it was, and without a failure.
fn judge_renames(trace: &[Event]) -> Result<(), Wrong> {
    /// Changes since the last sync, and whether one has failed.
    type Done = (usize, bool);
    let mut files: HashMap<usize, Done> = HashMap::new();
    for event in trace {
        match event {
            Event::Write { file, .. } | Event::SetLen { file, .. } => {
                files.entry(*file).or_default().0 += 1
            }
            Event::Sync { file } => files.entry(*file).or_default().0 = 0,
            Event::SyncFailed { file } => files.entry(*file).or_default().1 = true,
            Event::Rename { file, .. } => match files[file] {
                (_, true) => {
                    return Err(wrong("a file got its name after a sync of it had failed"));
                }
                (0, false) => {}
                (changes, false) => {
                    return Err(wrong(format!(
                        "a file got its name when {changes} changes of it weren't synced"
                    )));
                }
            },
            _ => {}
        }
    }
    Ok(())
}

/// Whether the book stands there alone, and is the right one.
fn judge_book(fixture: &Fixture, digest: Digest, expected: Digest) -> Result<(), Wrong> {
    let report =
        check(&Env::default(), &fixture.book()).map_err(|error| wrong(error.to_string()))?;
    if let Some(finding) = report.bad.first() {
        return Err(wrong(format!("check finds: {finding}")));
    }
    if (report.rows, digest) != (ROWS, expected) {
        return Err(wrong(format!(
            "it has {} rows and the digest {digest} instead of {expected}",
            report.rows
        )));
    }
    judge_names(fixture, &[BOOK])
}

fn judge_names(fixture: &Fixture, expected: &[&str]) -> Result<(), Wrong> {
    let names = fixture.names();
    if names == expected {
        Ok(())
    } else {
        Err(wrong(format!("it leaves {names:?} instead of {expected:?}")))
    }
}

/// What the engine says of a fault: it is told, unless it can be survived.
fn judge_said(said: &tabia::Result<Digest>, survived: bool) -> Result<(), Wrong> {
    match said {
        Ok(_) if survived => Ok(()),
        Ok(_) => Err(wrong("it says that all is well")),
        Err(error) if !survived && is_told(error) => Ok(()),
        Err(error) => Err(wrong(format!("it says: {error:?}"))),
    }
}

/// Makes the book with a fault, which leaves nothing at the book's place; then once more without.
fn fail(fixture: &Fixture, (kind, before, fault): Blow, expected: Digest, outcome: &mut Outcome) {
    let when = || format!("{fault:?} at {kind:?} {before}");
    let disk = Disk::new(fixture, &Files::default());
    disk.start_at(kind, before, fault);
    let said = match make(&disk, fixture) {
        Ok(said) => said,
        Err(panic) => return outcome.take(Err(panic), when),
    };
    outcome.take(disk.with_trace(judge_renames), when);
    drop(disk);
    let survived = fault.is_survived(kind);
    outcome.take(judge_said(&said, survived), when);
    if let Ok(digest) = said {
        return outcome.take(judge_book(fixture, digest, expected), when);
    }
    let left: &[&str] = if fault.kills() { &[UNFINISHED] } else { &[] };
    outcome.take(judge_names(fixture, left), when);
    outcome.take(make_again(fixture, expected), || format!("{}, then the next run", when()));
}

/// Makes the book where something of it may be left.
fn make_again(fixture: &Fixture, expected: Digest) -> Result<(), Wrong> {
    let left =
        fixture.names().iter().fold(Files::default(), |files, name| files.with(name, Vec::new()));
    let disk = Disk::new(fixture, &left);
    let digest = make(&disk, fixture)?.map_err(|error| wrong(format!("it fails: {error}")))?;
    disk.with_trace(judge_renames)?;
    judge_book(fixture, digest, expected)
}

#[test]
fn a_large_book_is_made_whole_or_not_at_all() {
    let fixture = Fixture::with_room(ROOM);
    let disk = Disk::new(&fixture, &Files::default());
    let expected = make(&disk, &fixture).unwrap().unwrap();
    let (early, last_piece) = disk.with_trace(syncs_and_last_piece);
    let syncs = disk.calls().iter().filter(|call| **call == Call::Sync).count();
    assert!(early >= 2, "{early} syncs come before the last piece of the table");
    let mut outcome = Outcome::default();
    outcome.take(disk.with_trace(judge_renames), || "undisturbed".to_owned());
    outcome.take(judge_book(&fixture, expected, expected), || "undisturbed".to_owned());
    drop(disk);
    let at = |kind, before, faults: &[Fault]| -> Vec<Blow> {
        faults.iter().map(|&fault| (kind, before, fault)).collect()
    };
    let syncs = (0..syncs).flat_map(|before| {
        at(Call::Sync, before, &[Fault::Eio, Fault::Enospc, Fault::Lied, Fault::DeathBefore])
    });
    let faults = [Fault::Eio, Fault::Full, Fault::Short, Fault::Torn, Fault::DeathWithin];
    let writes = [last_piece / 2, last_piece];
    let writes = writes.into_iter().flat_map(|before| at(Call::Write, before, &faults));
    let mut sample = Sample::one_in(8);
    for blow in syncs.chain(writes).filter(|blow| sample.takes_of(blow.0)) {
        fixture.fill(&Files::default());
        outcome.count("injections", 1);
        fail(&fixture, blow, expected, &mut outcome);
    }
    outcome.finish("a large book");
    assert!(outcome.get("injections") >= if whole() { 20 } else { 2 });
}
