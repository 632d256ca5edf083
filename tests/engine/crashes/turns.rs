//! Two processes that are at the same files, call by call: whatever the order of their calls, one
//! is told that the files are locked, or they come one after the other; no batch that was
//! acknowledged is lost, and no mixture comes of it.

use super::model::{BEFORE, Expected, NEW, OLD, PACKED, Seen, World, Wrong, layout, look};
use super::outcome::{Outcome, calmly, on_all, wrong};
use super::recovery::has_litter;
use super::scenarios::{
    AGAIN, FIRST, Run, Scenario, add_and_compact, build, compact, replace, scenario,
};
use tabia::{Error, Result};
use tabia_testing::crash::disk::Disk;
use tabia_testing::crash::{disk::Call, fixture::Fixture};
use tabia_testing::{Sample, whole};

/// What one of the two does, and what it makes of the book.
#[derive(Clone, Copy)]
struct Work {
    name: &'static str,
    run: fn(&Run<'_>) -> Result<()>,
    /// How many batches it appends.
    batches: u16,
    /// Whether it makes the new base.
    makes: bool,
    /// Whether it changes the layout of what is there.
    turns: bool,
}

const ADD: Work = Work { name: "add", run: add_twice, batches: 0b101, makes: false, turns: false };
const ADD_AND_COMPACT: Work =
    Work { name: "add and compact", run: add_and_compact, batches: 1, ..ADD };
const COMPACT: Work = Work { name: "compact", run: compact, batches: 0, ..ADD };
const TURN: Work = Work { name: "turn over", run: turn_over, turns: true, ..COMPACT };
const REPLACE: Work = Work { name: "build over", run: replace, makes: true, ..COMPACT };
const BUILD: Work = Work { name: "build", run: build, ..REPLACE };

/// Every other pair at packed books.
const PAIRS: [[Work; 2]; 12] = [
    [ADD, ADD],
    [ADD, COMPACT],
    [TURN, ADD],
    [TURN, COMPACT],
    [TURN, REPLACE],
    [TURN, TURN],
    [ADD_AND_COMPACT, ADD],
    [ADD_AND_COMPACT, REPLACE],
    [ADD, REPLACE],
    [COMPACT, REPLACE],
    [REPLACE, REPLACE],
    [BUILD, BUILD],
];

/// Appends two batches of those that may come in any order.
fn add_twice(run: &Run<'_>) -> Result<()> {
    let mut writer = run.open()?;
    run.append(&mut writer, run.first)?;
    run.append(&mut writer, run.first + 2)
}

fn turn_over(run: &Run<'_>) -> Result<()> {
    let mut writer = run.open()?;
    let packed = writer.header().packed;
    writer.compact_as(!packed).map(drop)
}

/// Which batches each of the two appends first.
const FIRSTS: [u8; 2] = [FIRST, AGAIN];

/// Runs both in turns; what each was told, and how many calls it made.
fn race(
    fixture: &Fixture,
    start: &Scenario,
    works: [Work; 2],
    plan: &[usize],
) -> std::result::Result<[(Result<()>, Vec<Call>); 2], Wrong> {
    fixture.fill(&start.start);
    let disks = Disk::new(fixture, &start.start).in_turns(plan);
    let layout = start.layout;
    let both = std::thread::scope(|scope| {
        let run = |process: usize| {
            let (disk, work, first) = (&disks[process], works[process].run, FIRSTS[process]);
            scope.spawn(move || {
                disk.wait();
                let done = calmly(|| work(&Run { disk, fixture, layout, first }));
                disk.end();
                done.map(|done| (done, disk.calls()))
            })
        };
        [run(0), run(1)].map(|thread| thread.join().unwrap())
    });
    let [one, other] = both;
    Ok([one?, other?])
}

/// Whether what is there is what can be there after both.
fn judge(
    fixture: &Fixture,
    start: &Scenario,
    works: [Work; 2],
    done: &[(Result<()>, Vec<Call>); 2],
) -> std::result::Result<(), Wrong> {
    for (result, _) in done {
        match result {
            Ok(()) | Err(Error::Locked { .. }) => {}
            Err(Error::Exists { .. }) if works[0].name == BUILD.name => {}
            Err(error) => return Err(wrong(format!("one is told: {error:?}"))),
        }
    }
    let did = [0, 1].map(|process| done[process].0.is_ok());
    if did == [false; 2] {
        return Err(wrong("neither did what it was to do"));
    }
    let appended = (0..2)
        .filter(|&process| did[process])
        .fold(0, |all, process| all | works[process].batches << FIRSTS[process]);
    let before = if start.start.has(tabia_testing::crash::fixture::JOURNAL) { BEFORE } else { 0 };
    let made = (0..2).any(|process| did[process] && works[process].makes);
    let turns = (0..2).filter(|&process| did[process] && works[process].turns).count();
    let (layout, other) = (start.layout, PACKED - start.layout);
    let worlds = match (made, turns) {
        (false, 1) => vec![World::of(OLD | other, before | appended)],
        (false, _) => vec![World::of(OLD | layout, before | appended)],
        // Whichever comes first; a book that was built has the layout of those before.
        (true, _) => [layout, other][..=turns]
            .iter()
            .flat_map(|layout| [0, appended].map(|batches| World::of(NEW | layout, batches)))
            .collect(),
    };
    let seen: Seen = calmly(|| look(&fixture.book()))?;
    Expected(worlds).judge(&seen)?;
    if has_litter(&fixture.files()) {
        Err(wrong("a file in the making is left behind"))
    } else {
        Ok(())
    }
}

#[test]
fn t11_two_processes_in_any_order_of_their_calls() {
    let pairs: Vec<_> = PAIRS.into_iter().enumerate().collect();
    let sample = Sample::one_in(10);
    let outcome = on_all(&pairs, |&(number, works)| {
        let (mut outcome, mut sample) = (Outcome::default(), sample.part(number));
        let start = if works[0].name == BUILD.name { "build" } else { "compact" };
        let start = scenario(start, layout(number % 2 == 1));
        let fixture = Fixture::new();
        let alone = race(&fixture, start, works, &[usize::MAX])
            .map(|done| done.map(|(_, calls)| calls.len()));
        let [most, most_of_the_other] = alone.unwrap();
        // The other one may make more calls if it comes first.
        let most_of_the_other = most_of_the_other.max(most) + 10;
        for first in 0..=most {
            for second in (0..most_of_the_other).step_by(if works[1].batches == 0 { 1 } else { 2 })
            {
                // After each call of the first at least once.
                if !sample.takes_of(first) {
                    continue;
                }
                outcome.count("orders", 1);
                let judged = race(&fixture, start, works, &[first, second]).and_then(|done| {
                    let all_went_well = done.iter().all(|(result, _)| result.is_ok());
                    outcome.count(if all_went_well { "both done" } else { "one told" }, 1);
                    judge(&fixture, start, works, &done)
                });
                outcome.take(judged, || {
                    format!(
                        "{}: {first} calls, {}: {second} calls, and so on",
                        works[0].name, works[1].name
                    )
                });
            }
        }
        outcome
    });
    outcome.finish("two processes");
    let one_in = if whole() { 1 } else { 10 };
    assert!(outcome.get("orders") >= 5_000 / one_in);
    assert!(outcome.get("one told") >= 1_000 / one_in);
    assert!(outcome.get("both done") >= 100 / one_in);
}
