//! Every call fails; the power goes at every moment. What a second failure leaves is the business of
//! [`tabia::AtomicFile`], and tested with books.

use crate::works::{GAMES, MayBe, UNFINISHED, is_told, works};
use std::collections::HashSet;
use tabia_testing::crash::disk::{Call, Fault};
use tabia_testing::crash::fixture::Fixture;
use tabia_testing::crash::power::{Odometer, Platter, Random};

/// States of a moment that are gone through one by one, and random ones if there are more.
const COUNTED: usize = 32;
const RANDOM: usize = 8;

#[test]
fn every_call_fails_once_and_the_old_file_or_the_new_one_is_there() {
    let mut injections = 0;
    for work in works() {
        let (fixture, mut seen) = (Fixture::new(), HashSet::new());
        let (disk, done) = work.on(&fixture, &work.start, &[]);
        done.unwrap();
        let calls = disk.calls();
        assert!(calls.contains(&Call::Sync) && calls.contains(&Call::SyncFolder));
        let renamed = calls.iter().position(|call| *call == Call::Rename).unwrap();
        for (number, &call) in calls.iter().enumerate() {
            for fault in Fault::ALL.into_iter().filter(|fault| fault.befalls(call)) {
                injections += 1;
                let when = format!("{fault:?} at call {number} ({call:?})");
                let (_, done) = work.on(&fixture, &work.start, &[(number, fault)]);
                let files = fixture.files();
                // Before the rename nothing has happened, after it all has, whatever is said.
                let may_be = match number.cmp(&renamed) {
                    std::cmp::Ordering::Less if done.is_err() => MayBe::Old,
                    std::cmp::Ordering::Equal => MayBe::Either,
                    _ => MayBe::New,
                };
                work.judge(&files, may_be, &when);
                match done {
                    Ok(()) => work.judge(&files, MayBe::New, &when),
                    Err(error) => {
                        assert!(is_told(&error), "{}, {when}: {error:?}", work.name);
                        assert!(!fault.is_survived(call), "{}, {when}: {error}", work.name);
                    }
                }
                let is_removed = call == Call::Remove || fault.kills();
                let was_left = work.start.has(UNFINISHED) && number < renamed;
                let is_left = !is_removed && !was_left && files.has(UNFINISHED);
                assert!(!is_left, "{}, {when}: a file is left in the making", work.name);
                if seen.insert(files.id()) {
                    work.again(&fixture, &files, &when);
                }
            }
        }
    }
    println!("{injections} calls failed");
    assert!(injections > 300, "{injections}");
}

#[test]
fn every_state_that_a_power_cut_leaves_holds_the_old_file_or_the_new_one() {
    let (mut rng, mut all) = (Random::new(1), 0);
    for work in works() {
        let fixture = Fixture::new();
        let (disk, done) = work.on(&fixture, &work.start, &[]);
        done.unwrap();
        let trace = disk.trace();
        let (mut platter, mut seen) = (Platter::new(&work.start), HashSet::new());
        for (number, event) in trace.iter().enumerate() {
            platter.take(event);
            // What was acknowledged is there.
            let may_be = if number + 1 == trace.len() { MayBe::New } else { MayBe::Either };
            let when = format!("power cut after event {number} of {}", trace.len());
            let (mut odometer, mut states) = (Odometer::default(), Vec::new());
            while states.len() < COUNTED {
                states.push(platter.hold(&mut odometer));
                if !odometer.turn() {
                    break;
                }
            }
            if states.len() == COUNTED {
                states.extend((0..RANDOM).map(|_| platter.hold(&mut rng)));
            }
            for files in states {
                work.judge(&files, may_be, &when);
                if seen.insert(files.id()) {
                    work.again(&fixture, &files, &when);
                }
            }
        }
        println!("{}: {} different states of {} events", work.name, seen.len(), trace.len());
        assert!(work.start.bytes(GAMES).is_none_or(|old| *old != work.new));
        all += seen.len();
    }
    assert!(all > 200, "{all} states");
}
