//! Random lives of a book, packed or not: processes that append, compact and change its layout, each with some faults at
//! random calls; the power goes now and then, and the next process goes on with what that left.

use super::model::{Expected, Seen, World, Wrong, layout};
use super::outcome::{Outcome, on_all, wrong};
use super::recovery::Bench;
use super::scenarios::{LAST, Run, Scenario, add_and_compact, compact, scenario, turn_over};
use tabia::Result;
use tabia_testing::Sample;
use tabia_testing::crash::disk::{Disk, Event, Fault};
use tabia_testing::crash::fixture::Files;
use tabia_testing::crash::power::{Platter, Random};

/// The batches that are appended one after the other; the numbers left out mean something else to
/// the model.
const BATCHES: [u8; 12] = [0, 1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 13];

fn append(run: &Run<'_>) -> Result<()> {
    run.append(&mut run.open()?, run.first)
}

/// A life: what is on the disk, and what has to be.
struct Life<'b, 's> {
    bench: &'b mut Bench<'s>,
    rng: Random,
    files: Files,
    expected: Expected,
}

impl Life<'_, '_> {
    /// Some faults at random calls.
    fn faults(&mut self) -> Vec<(usize, Fault)> {
        let count = self.rng.below(4);
        (0..count)
            .map(|_| (self.rng.below(60), Fault::ALL[self.rng.below(Fault::ALL.len())]))
            .collect()
    }

    /// A process; then the power goes, or it doesn't.
    fn go_on(&mut self, batch: u8) -> std::result::Result<(), Wrong> {
        let works = [append, append, append, append, add_and_compact, compact, turn_over];
        let work = works[self.rng.below(works.len())];
        let faults = self.faults();
        self.bench.fixture.fill(&self.files);
        let disk = Disk::new(&self.bench.fixture, &self.files);
        // Two processes on the same disk: what the first could not sync is not durable for the
        // second.
        let after = self.bench.process(&disk, &self.expected, faults, batch, work)?;
        self.look(&after.files, &after.expected)?;
        let faults = self.faults();
        let next = self.bench.process(&disk, &after.expected, faults, LAST, compact)?;
        self.look(&next.files, &next.expected)?;
        if self.rng.below(3) > 0 {
            (self.files, self.expected) = (next.files, next.expected);
            return Ok(());
        }
        let trace = disk.trace();
        let end = trace.len() - self.rng.below(trace.len() + 1);
        let (files, expected) = self.cut(&trace[..end]);
        let seen = self.look(&files, &expected)?;
        let Seen::Holds { base, batches, .. } = seen else {
            return Err(wrong(format!("seen after a power cut: {seen:?}")));
        };
        (self.files, self.expected) = (files, Expected(vec![World::of(base, batches)]));
        Ok(())
    }

    /// What is there if the power goes after these events, and what has to be.
    fn cut(&mut self, trace: &[Event]) -> (Files, Expected) {
        let (mut platter, mut expected) = (Platter::new(&self.files), self.expected.clone());
        for event in trace {
            platter.take(event);
            if let Event::Mark(mark) = event {
                expected.take(*mark);
            }
        }
        (platter.hold(&mut self.rng), expected)
    }

    fn look(&mut self, files: &Files, expected: &Expected) -> std::result::Result<Seen, Wrong> {
        self.bench.fixture.fill(files);
        let seen = self.bench.look(files)?;
        expected.judge(&seen)?;
        Ok(seen)
    }
}

fn live(scenario: &Scenario, seed: u64, outcome: &mut Outcome) {
    let mut bench = Bench::new(scenario);
    let (files, expected) = (scenario.start.clone(), scenario.expected.clone());
    let mut life = Life { bench: &mut bench, rng: Random::new(seed), files, expected };
    for batch in BATCHES {
        outcome.count("processes", 2);
        if let Err(wrong) = life.go_on(batch) {
            outcome.take(Err(wrong), || format!("life {seed}, batch {batch}"));
            return;
        }
    }
    let files = life.files.clone();
    let finished = life.bench.look(&files).and_then(|seen| life.bench.finish(&files, &seen));
    outcome.take(finished, || format!("the end of life {seed}"));
}

#[test]
fn t12_random_lives_with_random_faults() {
    let mut sample = Sample::one_in(10);
    let wanted = sample.count(400);
    let seeds = sample.seeds(400);
    let outcome = on_all(&seeds, |&seed| {
        let mut outcome = Outcome::default();
        let layout = layout(seed % 2 == 1);
        live(scenario("add the first batches", layout), seed, &mut outcome);
        outcome
    });
    outcome.finish("random lives");
    assert!(outcome.get("processes") >= 20 * wanted);
}
