//! The power goes at every moment of every work, also of one that goes on where another process
//! died or failed: all that the disk may then hold, as far as that can be counted, and a random
//! part of the rest. The engine has to make a whole book of every one of these states.

use super::model::{Expected, PACKED, Seen, Wrong};
use super::outcome::{Outcome, on_all, wrong};
use super::recovery::{Bench, Recovery, faults};
use super::scenarios::{
    AGAIN, FIRST, FURTHER, RECOVERY, Run, Scenario, TWICE, add_and_compact, every_other_scenario,
    scenarios,
};
use std::collections::HashMap;
use tabia_testing::crash::disk::{Call, Disk, Event, Fault};
use tabia_testing::crash::fixture::{Files, JOURNAL, UNFINISHED, UNFINISHED_JOURNAL};
use tabia_testing::crash::power::{Odometer, Platter, Random};
use tabia_testing::{Sample, whole};

/// How much is tried at each moment.
#[derive(Clone, Copy)]
struct Effort {
    /// As many choices are gone through one by one,
    counted: usize,
    /// and so many random ones if there are more.
    random: usize,
}

/// A work that nothing disturbs.
const UNDISTURBED: Effort = Effort { counted: 512, random: 32 };
/// One of the many that go on after a failure.
const CONTINUED: Effort = Effort { counted: 12, random: 3 };
/// A recovery from a state that the power left.
const RECOVERED: Effort = Effort { counted: 8, random: 2 };

impl Effort {
    /// Less of it in a sample.
    fn sampled(self) -> Self {
        match whole() {
            true => self,
            false => Self { counted: self.counted.div_ceil(12), random: self.random.div_ceil(4) },
        }
    }
}

/// The states of one scenario.
struct Search<'s> {
    bench: Bench<'s>,
    rng: Random,
    sample: Sample,
    /// How the engine fares from each state; none if that was not tried.
    verdicts: HashMap<u128, Option<(Seen, Result<(), Wrong>)>>,
    /// States to cut the power in again.
    worst: Vec<(Files, Expected)>,
    outcome: Outcome,
}

impl<'s> Search<'s> {
    fn new(scenario: &'s Scenario, seed: u64, sample: &Sample) -> Self {
        let (verdicts, worst, outcome) = Default::default();
        let (bench, rng) = (Bench::new(scenario), Random::new(seed));
        let sample = sample.part((scenario.name, scenario.layout));
        Self { bench, rng, sample, verdicts, worst, outcome }
    }

    /// Cuts the power after each event of a trace from the one with this number on.
    fn cut(
        &mut self,
        start: &Files,
        expected: &Expected,
        trace: &[Event],
        from: usize,
        effort: Effort,
        when: &str,
    ) {
        let mut platter = Platter::new(start);
        let mut expected = expected.clone();
        for (number, event) in trace.iter().enumerate() {
            platter.take(event);
            if let Event::Mark(mark) = event {
                expected.take(*mark);
            }
            if number >= from {
                self.cut_here(&platter, &expected, effort, || {
                    format!("{when}, power cut after event {number} ({})", name(event))
                });
            }
        }
    }

    fn cut_here(
        &mut self,
        platter: &Platter,
        expected: &Expected,
        effort: Effort,
        when: impl Fn() -> String,
    ) {
        let effort = effort.sampled();
        self.outcome.count("power cuts", 1);
        let mut odometer = Odometer::default();
        for _ in 0..effort.counted {
            self.judge(platter.hold(&mut odometer), expected, &when);
            if !odometer.turn() {
                return;
            }
        }
        for _ in 0..effort.random {
            let files = platter.hold(&mut self.rng);
            self.judge(files, expected, &when);
        }
    }

    fn judge(&mut self, files: Files, expected: &Expected, when: &impl Fn() -> String) {
        self.outcome.count("states met", 1);
        let id = files.id();
        if !self.verdicts.contains_key(&id) {
            let names: Vec<&String> = files.0.keys().collect();
            let verdict = self.sample.takes_of(names).then(|| self.examine(&files));
            let is_tried = verdict.is_some();
            self.verdicts.insert(id, verdict);
            if is_tried {
                self.outcome.count("different states", 1);
                self.classify(files, expected);
            }
        }
        let Some((seen, recovered)) = &self.verdicts[&id] else { return };
        self.outcome.take(expected.judge(seen).and_then(|()| recovered.clone()), when);
    }

    /// Opens a state for reading and checks it; opens it for writing, appends and compacts;
    /// sometimes compacts at once, or does the work again.
    fn examine(&mut self, files: &Files) -> (Seen, Result<(), Wrong>) {
        self.bench.fixture.fill(files);
        let seen = match self.bench.look(files) {
            Ok(seen) => seen,
            Err(wrong) => {
                return (Seen::Wrong { twice: false, what: wrong.what.clone() }, Err(wrong));
            }
        };
        if let Seen::Wrong { .. } = seen {
            return (seen, Ok(()));
        }
        let recovered = self
            .bench
            .judge_others(files)
            .and_then(|()| self.bench.finish(files, &seen))
            .and_then(|()| self.otherwise(files, &seen));
        (seen, recovered)
    }

    fn otherwise(&mut self, files: &Files, seen: &Seen) -> Result<(), Wrong> {
        let Seen::Holds { base, batches, .. } = *seen else { return Ok(()) };
        let recovery = match self.rng.below(8) {
            0 => Recovery::Compact,
            1 => Recovery::Again,
            _ => return Ok(()),
        };
        let expected = Expected(vec![super::model::World::of(base, batches)]);
        let after = self.bench.recover(recovery, files, &expected, None, FURTHER)?;
        self.bench.judge(&after, None, None).map_err(|Wrong { kind, what }| Wrong {
            kind,
            what: format!("{recovery:?} comes to: {what}"),
        })
    }

    /// Counts what there is to recover from, and keeps some of it for another power cut.
    fn classify(&mut self, files: Files, expected: &Expected) {
        let has = |name| files.has(name);
        let durable = self.bench.scenario.start.bytes(JOURNAL);
        let strange = has(UNFINISHED) || has(UNFINISHED_JOURNAL) || files.bytes(JOURNAL) != durable;
        if has(JOURNAL) {
            self.outcome.count("with a journal", 1);
        }
        if has(UNFINISHED) {
            self.outcome.count("with an unfinished book", 1);
        }
        if has(UNFINISHED_JOURNAL) {
            self.outcome.count("with an unfinished journal", 1);
        }
        if strange && self.worst.len() < 60 && self.rng.below(12) == 0 {
            self.worst.push((files, expected.clone()));
        }
    }

    /// The work itself, whole.
    fn undisturbed(&mut self, effort: Effort) {
        let scenario = self.bench.scenario;
        self.bench.fixture.fill(&scenario.start);
        let disk = Disk::new(&self.bench.fixture, &scenario.start);
        let done = self.bench.process(&disk, &scenario.expected, None, FIRST, scenario.work);
        self.outcome.take(done.map(drop), || scenario.name.to_owned());
        disk.with_trace(|trace| {
            self.cut(&scenario.start, &scenario.expected, trace, 0, effort, scenario.name)
        });
        self.continued(&disk.calls(), CONTINUED);
    }

    /// The work fails or its process dies, and another one goes on; the power is cut in that.
    fn continued(&mut self, calls: &[Call], effort: Effort) {
        let scenario = self.bench.scenario;
        let met = [Fault::Eio, Fault::Torn, Fault::Lied, Fault::DeathBefore, Fault::DeathWithin];
        for (number, fault, call) in faults(calls).filter(|case| met.contains(&case.1)) {
            if (call != Call::Read || fault == Fault::Eio) && self.sample.takes_of(call) {
                let when = format!("{}, {fault:?} at call {number} ({call:?})", scenario.name);
                let trouble = self.go_on(&[(number, fault)], effort, &when);
                self.outcome.take(trouble, || when);
            }
        }
    }

    /// A call fails, and then the next one too, or the process dies: what is done about the first
    /// failure is never done. Another process goes on; the power is cut in that.
    fn failing_twice(&mut self, calls: &[Call], effort: Effort) {
        let scenario = self.bench.scenario;
        let matters = |call: &Call| {
            matches!(
                call,
                Call::Write
                    | Call::SetLen
                    | Call::Sync
                    | Call::SyncFolder
                    | Call::Rename
                    | Call::Remove
            )
        };
        for (number, call) in calls.iter().enumerate().filter(|(_, call)| matters(call)) {
            for (first, then) in [
                (Fault::Eio, Fault::Eio),
                (Fault::Eio, Fault::DeathBefore),
                (Fault::Lied, Fault::DeathBefore),
            ] {
                if first.befalls(*call) && self.sample.takes_of(call) {
                    let when = format!(
                        "{}, {first:?} at call {number} ({call:?}), {then:?} at the next",
                        scenario.name
                    );
                    let trouble = self.go_on(&[(number, first), (number + 1, then)], effort, &when);
                    self.outcome.count("two failures", 1);
                    self.outcome.take(trouble, || when);
                }
            }
        }
    }

    fn go_on(
        &mut self,
        faults: &[(usize, Fault)],
        effort: Effort,
        when: &str,
    ) -> Result<(), Wrong> {
        let scenario = self.bench.scenario;
        self.bench.fixture.fill(&scenario.start);
        let disk = Disk::new(&self.bench.fixture, &scenario.start);
        let faults = faults.iter().copied();
        let left = self.bench.process(&disk, &scenario.expected, faults, FIRST, scenario.work)?;
        let from = disk.trace_len();
        let absent = self.bench.look(&left.files)? == Seen::Absent;
        let replace = self.rng.below(3) == 0;
        let then = match (absent, replace) {
            (true, _) => "then the same again",
            (_, true) => "then the same again, and another batch",
            _ => "then two batches and a compaction",
        };
        let after = self.bench.process(&disk, &left.expected, None, AGAIN, |run| {
            match (absent, replace) {
                (true, _) => (scenario.work)(run),
                (_, true) => again_and_add(scenario, run),
                _ => add_two_and_compact(run),
            }
        })?;
        if let Err(error) = after.result {
            return Err(wrong(format!("{then}: {error}")));
        }
        let when = format!("{when}, {then}");
        disk.with_trace(|trace| {
            self.cut(&scenario.start, &scenario.expected, trace, from, effort, &when)
        });
        Ok(())
    }

    /// The power is cut again while the engine recovers from a state that the power left.
    fn cut_again(&mut self, effort: Effort) {
        for (files, expected) in std::mem::take(&mut self.worst) {
            let Some((seen @ Seen::Holds { base, batches, .. }, _)) = &self.verdicts[&files.id()]
            else {
                continue;
            };
            if expected.judge(seen).is_err() {
                continue;
            }
            let seen = Expected(vec![super::model::World::of(*base, *batches)]);
            self.bench.fixture.fill(&files);
            let disk = Disk::new(&self.bench.fixture, &files);
            let when = format!("{}, from a state after a power cut", self.bench.scenario.name);
            let done = self.bench.process(&disk, &seen, None, TWICE, add_and_compact);
            let done =
                done.and_then(|after| after.result.map_err(|error| wrong(error.to_string())));
            self.outcome.take(done, || when.clone());
            disk.with_trace(|trace| self.cut(&files, &seen, trace, 0, effort, &when));
        }
        // What was met meanwhile holds the batch of this recovery: once is enough.
        self.worst.clear();
    }
}

fn add_two_and_compact(run: &Run<'_>) -> tabia::Result<()> {
    let mut writer = run.open()?;
    run.append(&mut writer, run.first)?;
    run.append(&mut writer, run.first + 1)?;
    writer.compact().map(drop)
}

fn again_and_add(scenario: &Scenario, run: &Run<'_>) -> tabia::Result<()> {
    match (scenario.work)(run) {
        Err(error) if !super::scenarios::is_done_already(&error) => return Err(error),
        _ => {}
    }
    run.append(&mut run.open()?, RECOVERY)
}

fn name(event: &Event) -> String {
    let text = format!("{event:?}");
    text[..text.len().min(60)].to_owned()
}

#[test]
fn every_state_that_a_power_cut_leaves_holds_a_whole_book() {
    let sample = Sample::one_in(6);
    let outcome = on_all(&every_other_scenario(0), |scenario| {
        let mut search = Search::new(scenario, 1, &sample);
        search.undisturbed(UNDISTURBED);
        search.cut_again(RECOVERED);
        search.outcome
    });
    outcome.finish("crash states");
    assert!(outcome.get("different states") >= if whole() { 100_000 } else { 1_000 });
}

/// A frame whose sync failed may look good and be gone after a power cut. Cutting it off may fail
/// too, or the process may die before: the next writer, which reads it, must not build on it as it
/// is.
#[test]
fn d2_what_could_not_be_synced_is_not_built_upon_by_the_next_process() {
    let sample = Sample::one_in(6);
    let outcome = on_all(&every_other_scenario(PACKED), |scenario| {
        let mut search = Search::new(scenario, 2, &sample);
        search.bench.fixture.fill(&scenario.start);
        let disk = Disk::new(&search.bench.fixture, &scenario.start);
        let done = search.bench.process(&disk, &scenario.expected, None, FIRST, scenario.work);
        search.outcome.take(done.map(drop), || scenario.name.to_owned());
        search.failing_twice(&disk.calls(), CONTINUED);
        search.outcome
    });
    outcome.finish("two failures in a run");
    assert!(outcome.get("two failures") >= if whole() { 500 } else { 50 });
}

/// A million different states, or `TABIA_WHOLE` times as many, each scenario its share.
#[test]
#[ignore = "takes long: see CONTRIBUTING.md"]
fn a_million_states_that_a_power_cut_leaves() {
    let sample = Sample::one_in(1);
    let wanted = sample.count(1_000_000);
    let share = wanted / scenarios().len() as u64 + 1;
    let outcome = on_all(scenarios(), |scenario| {
        let mut search = Search::new(scenario, 1 << 32, &sample);
        for round in 1..60 {
            search.undisturbed(Effort { counted: 2048, random: 256 * round });
            search.cut_again(RECOVERED);
            if search.outcome.get("different states") >= share {
                break;
            }
        }
        search.outcome
    });
    outcome.finish("crash states, many");
    assert!(outcome.get("different states") >= wanted);
}
