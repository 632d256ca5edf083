//! Every call to the disk fails once, in every way; then every call of what is done about it.

use super::model::{NEW, OLD, PACKED, Seen, Wrong, base, batch, look, read};
use super::outcome::{Outcome, on_all};
use super::recovery::{After, Bench, Recovery, faults};
use super::scenarios::{AGAIN, Scenario, every_other_scenario, scenario, scenarios};
use crate::books::open_writer;
use std::collections::{HashMap, HashSet};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use tabia::{Env, Error, Existing};
use tabia_testing::crash::disk::{Call, Fault};
use tabia_testing::crash::fixture::{Fixture, JOURNAL, UNFINISHED, UNFINISHED_JOURNAL};
use tabia_testing::{Sample, whole};

/// Runs a scenario once for each fault at each of its calls, or a sample of them; what each left is
/// given to `then`.
fn fail_each_call(
    scenario: &Scenario,
    sample: &mut Sample,
    outcome: &mut Outcome,
    mut then: impl FnMut(&mut Bench<'_>, &After, String, &mut Outcome),
) {
    let mut bench = Bench::new(scenario);
    let whole = bench.work(&scenario.start, &scenario.expected, None).unwrap();
    whole.result.as_ref().unwrap();
    let made = read(&bench.fixture.book()).unwrap();
    outcome.count(if made.filter { "works with a filter" } else { "works without" }, 1);
    outcome.count(if made.packed { "packed" } else { "plain" }, 1);
    outcome.take(bench.judge(&whole, None, None), || format!("{}, undisturbed", scenario.name));
    for (number, fault, call) in faults(&whole.calls).filter(|case| sample.takes_of(case.2)) {
        let when = format!("{}, {fault:?} at call {number} ({call:?})", scenario.name);
        outcome.count("injections", 1);
        match bench.work(&scenario.start, &scenario.expected, Some((number, fault))) {
            Err(wrong) => outcome.take(Err(wrong), || when),
            Ok(after) => {
                outcome.take(bench.judge(&after, Some(fault), Some(call)), || when.clone());
                then(&mut bench, &after, when, outcome);
            }
        }
    }
}

#[test]
fn every_call_fails_once() {
    let sample = Sample::one_in(8);
    let outcome = on_all(scenarios(), |scenario| {
        let mut outcome = Outcome::default();
        let mut sample = sample.part((scenario.name, scenario.layout));
        fail_each_call(scenario, &mut sample, &mut outcome, |bench, after, when, outcome| {
            let finished =
                bench.look(&after.files).and_then(|seen| bench.finish(&after.files, &seen));
            outcome.take(finished, || format!("{when}, then the next run"));
        });
        outcome
    });
    outcome.finish("every call fails once");
    assert!(outcome.get("injections") >= if whole() { 5_000 } else { 500 });
    assert!(outcome.get("works with a filter") >= 8 && outcome.get("works without") >= 8);
    assert!(outcome.get("packed") >= 30 && outcome.get("plain") >= 30);
}

#[test]
fn then_every_call_of_the_recovery_fails() {
    let (sample, recoveries) = (Sample::one_in(8), Sample::one_in(4));
    let outcome = on_all(&every_other_scenario(0), |scenario| {
        let mut outcome = Outcome::default();
        let mut met = HashMap::new();
        let mut sample = sample.part((scenario.name, scenario.layout));
        let mut of_recovery = recoveries.part((scenario.name, scenario.layout));
        fail_each_call(scenario, &mut sample, &mut outcome, |bench, after, when, outcome| {
            // What is left is often the same, but for the bytes of a book in the making, and then
            // so is all that follows.
            let mut files = after.files.clone();
            for name in [UNFINISHED, UNFINISHED_JOURNAL] {
                if files.has(name) {
                    files = files.with(name, Vec::new());
                }
            }
            let key = (files.id(), after.expected.clone());
            let pairs = *met.entry(key).or_insert_with(|| {
                recover_in_each_way(bench, after, &when, &mut of_recovery, outcome)
            });
            outcome.count("pairs", pairs);
        });
        outcome
    });
    outcome.finish("then every call of the recovery fails");
    assert!(outcome.get("pairs") >= if whole() { 2_000_000 } else { 3_000 });
    assert!(outcome.get("packed") >= 15 && outcome.get("plain") >= 15);
}

/// A journal of a header alone says nothing, and would be litter.
#[test]
fn d8_a_first_batch_that_fails_leaves_no_journal() {
    for layout in [0, PACKED] {
        let scenario = scenario("add the first batches", layout);
        a_first_batch_fails(&Bench::new(scenario), scenario);
    }
}

fn a_first_batch_fails(bench: &Bench<'_>, scenario: &Scenario) {
    let calls = bench.work(&scenario.start, &scenario.expected, None).unwrap().calls;
    let mut failed = 0;
    let met = [Fault::Eio, Fault::Enospc, Fault::Full, Fault::Torn];
    for (number, fault, call) in faults(&calls).filter(|case| met.contains(&case.1)) {
        if !matches!(call, Call::Write | Call::Sync) {
            continue;
        }
        let after = bench.work(&scenario.start, &scenario.expected, Some((number, fault))).unwrap();
        if after.result.is_err() && after.expected.0.iter().all(|world| world.must == 0) {
            assert!(!after.files.has(JOURNAL), "{fault:?} at call {number} ({call:?})");
            failed += 1;
        }
    }
    assert!(failed > 10, "{failed}");
}

/// Where a rename can't spare what is there, a new book is linked to its name and then unlinked
/// from the one it was made under.
#[test]
fn a_second_name_that_a_crash_left_is_removed() {
    let fixture = Fixture::new();
    base(OLD).write(&fixture.book());
    let unfinished = fixture.folder().join(UNFINISHED);
    // The mark of a file in the making is taken away last of all.
    std::fs::set_permissions(fixture.book(), Permissions::from_mode(0o1644)).unwrap();
    std::fs::hard_link(fixture.book(), &unfinished).unwrap();
    let mut writer = open_writer(fixture.book());
    assert!(!unfinished.exists());
    writer.append(&batch(0, false)).unwrap();
    drop(writer);
    assert_eq!(std::fs::metadata(fixture.book()).unwrap().permissions().mode() & 0o7777, 0o644);
    std::fs::set_permissions(fixture.book(), Permissions::from_mode(0o1644)).unwrap();
    std::fs::hard_link(fixture.book(), &unfinished).unwrap();
    base(NEW)
        .rows()
        .new_book(&base(NEW).sources)
        .write(&Env::default(), &fixture.book(), Existing::Replace)
        .unwrap();
    assert!(!unfinished.exists());
    assert_eq!(look(&fixture.book()), Seen::Holds { base: NEW, batches: 0, compacted: 0 });
}

/// A journal whose book is gone holds acknowledged batches; it must neither be lost nor taken for
/// that of another book.
#[test]
fn a_journal_without_a_book_is_kept_unless_it_is_to_be_replaced() {
    let fixture = Fixture::new();
    base(OLD).write(&fixture.book());
    open_writer(fixture.book()).append(&batch(0, false)).unwrap();
    std::fs::remove_file(fixture.book()).unwrap();
    let orphan = fixture.files();
    let new = base(NEW);
    let build = |replace| {
        new.rows().new_book(&new.sources).write(&Env::default(), &fixture.book(), replace)
    };
    assert!(
        matches!(build(Existing::Refuse), Err(Error::Exists { path }) if path == tabia::journal_path(&fixture.book()))
    );
    assert_eq!(fixture.files(), orphan);
    build(Existing::Replace).unwrap();
    assert_eq!(look(&fixture.book()), Seen::Holds { base: NEW, batches: 0, compacted: 0 });
    assert_eq!(fixture.files().0.len(), 1);
}

/// Every recovery from what a failed run left, with every fault at each of its calls, and the next
/// run after that; how many there were.
fn recover_in_each_way(
    bench: &mut Bench<'_>,
    left: &After,
    when: &str,
    sample: &mut Sample,
    outcome: &mut Outcome,
) -> usize {
    let mut done = 0;
    outcome.count("states to recover from", 1);
    let mut ways = HashSet::new();
    for recovery in Recovery::ALL {
        bench.fixture.fill(&left.files);
        let absent = matches!(bench.look(&left.files), Ok(Seen::Absent));
        if absent && recovery != Recovery::Again || !sample.takes_of(recovery) {
            continue;
        }
        let mut attempt = |fault: Option<(usize, Fault, Call)>| -> Result<Vec<Call>, Wrong> {
            let after = bench.recover(
                recovery,
                &left.files,
                &left.expected,
                fault.map(|(number, fault, _)| (number, fault)),
                AGAIN,
            )?;
            bench.judge(
                &after,
                fault.map(|(_, fault, _)| fault),
                fault.map(|(_, _, call)| call),
            )?;
            if ways.insert(after.files.id()) {
                let seen = bench.look(&after.files)?;
                bench.finish(&after.files, &seen)?;
            }
            Ok(after.calls)
        };
        let whole = attempt(None);
        let calls = whole.as_ref().cloned().unwrap_or_default();
        outcome.take(whole.map(drop), || format!("{when}, then {recovery:?}"));
        let mut takes = |(_, _, call): &(usize, Fault, Call)| sample.takes_of((recovery, *call));
        for fault in faults(&calls).filter(|fault| takes(fault)) {
            done += 1;
            outcome.take(attempt(Some(fault)).map(drop), || {
                format!(
                    "{when}, then {recovery:?} with {:?} at call {} ({:?})",
                    fault.1, fault.0, fault.2
                )
            });
        }
    }
    outcome.count("recoveries run", done);
    done
}
