//! Alternating rounds: ours and a rival answer the same questions in turn, each round other
//! questions, and the order changes every round.

use crate::raw::fence;
use crate::report::{Report, Rival, Times};
use crate::workload::{Asked, Queries};
use anyhow::{Result, ensure};
use std::hint::black_box;
use std::time::Instant;

/// How many keys a batch has.
pub const BATCH: usize = 32;

/// Something that answers for a key.
pub trait Probe {
    /// The answer, 0 for none.
    fn get(&self, key: u64) -> u64;

    /// The wrapping sum of the answers for a batch of keys. Who has no better way asks one at a
    /// time.
    #[inline(always)]
    fn batch(&self, keys: &[u64]) -> u64 {
        keys.iter().fold(0, |sum, &key| sum.wrapping_add(self.get(key)))
    }
}

/// How questions follow each other.
#[derive(Clone, Copy)]
pub enum Pace {
    /// The next key depends on the last answer.
    Dependent,
    /// A fence after each answer: no probe begins before the last one is done, even where the
    /// processor could guess its outcome.
    Alone,
    /// All keys are known beforehand.
    Independent,
    /// In batches of [`BATCH`].
    Batch,
}

/// A line of the table: what is asked.
#[derive(Clone, Copy)]
pub struct Line {
    pub name: &'static str,
    /// The questions.
    pub asked: Asked,
    /// How they follow each other.
    pub pace: Pace,
}

/// The circumstances of a comparison of probes.
#[derive(Clone, Copy)]
pub struct Setting {
    /// Keys that exist.
    pub rows: u64,
    /// Probes of a round; twice as many where they overlap.
    pub probes: usize,
    pub rounds: usize,
    /// The right answer for a key that exists.
    pub answer: fn(u64) -> u64,
    /// Whether the rival answers too, or only reads.
    pub rival_answers: bool,
}

/// Measures a line, ours against a rival, and reports it.
pub fn compare(
    report: &mut Report,
    setting: Setting,
    line: Line,
    ours: &impl Probe,
    rival: Rival,
    theirs: &impl Probe,
) -> Result<()> {
    let times = measure(report, setting, line, ours, &rival.name, theirs)?;
    report.add(line.name, rival, times);
    Ok(())
}

/// Measures a line, ours against a rival with this name.
pub fn measure(
    report: &mut Report,
    setting: Setting,
    line: Line,
    ours: &impl Probe,
    name: &str,
    theirs: &impl Probe,
) -> Result<Times> {
    let count =
        setting.probes * if matches!(line.pace, Pace::Dependent | Pace::Alone) { 1 } else { 2 };
    let mut times = Times::default();
    for round in 0..setting.rounds {
        let seed = report.next_seed();
        let queries = Queries::draw(line.asked, setting.rows, count, seed, setting.answer);
        let ours = || time(ours, line.pace, &queries, true);
        let theirs = || time(theirs, line.pace, &queries, setting.rival_answers);
        let (mine, other) = alternate(round, ours, theirs);
        ensure!(mine.1 == queries.expected, "{}: our answers are wrong", line.name);
        ensure!(
            !setting.rival_answers || other.1 == queries.expected,
            "{}: the answers of {name} are wrong",
            line.name
        );
        times.push(mine.0 / count as f64, other.0 / count as f64);
    }
    Ok(times)
}

/// Runs both, ours first in even rounds.
pub fn alternate<T>(round: usize, ours: impl FnOnce() -> T, theirs: impl FnOnce() -> T) -> (T, T) {
    if round.is_multiple_of(2) {
        let mine = ours();
        (mine, theirs())
    } else {
        let other = theirs();
        (ours(), other)
    }
}

/// The seconds that all probes took, and the wrapping sum of their answers.
///
/// Who answers and is asked dependently learns each key from the answer before. Who only reads gets
/// the keys, with a dependency that the processor can't see through.
///
/// The clock is the thread's own: waiting for memory counts, time in which another process had the
/// processor does not.
#[inline(never)]
fn time(probe: &impl Probe, pace: Pace, queries: &Queries, answers: bool) -> (f64, u64) {
    let keys = &queries.keys;
    let nothing = black_box(0);
    let (mut sum, mut last) = (0u64, 0);
    let start = cpu_seconds();
    match pace {
        Pace::Dependent if answers => {
            for &link in &queries.chain {
                last = probe.get(link ^ last);
                sum = sum.wrapping_add(last);
            }
        }
        Pace::Dependent => {
            for &key in keys {
                last = probe.get(key ^ (last & nothing));
                sum = sum.wrapping_add(last);
            }
        }
        Pace::Alone => {
            for &key in keys {
                sum = sum.wrapping_add(probe.get(key));
                fence();
            }
        }
        Pace::Independent => {
            for &key in keys {
                sum = sum.wrapping_add(probe.get(key));
            }
        }
        Pace::Batch => {
            for keys in keys.chunks(BATCH) {
                sum = sum.wrapping_add(probe.batch(keys));
            }
        }
    }
    let sum = black_box(sum);
    (cpu_seconds() - start, sum)
}

/// Seconds for which this thread had a processor.
fn cpu_seconds() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 / 1e9
}

pub fn seconds<T>(work: impl FnOnce() -> Result<T>) -> Result<(f64, T)> {
    let start = Instant::now();
    let done = work()?;
    Ok((start.elapsed().as_secs_f64(), done))
}
