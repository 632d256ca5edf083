//! Counting: what was tried, and what went wrong.

use super::model::{Kind, Wrong};
use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many broken promises are told of at length.
const TOLD: usize = 40;

/// What a test tried, and what went wrong.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    counts: BTreeMap<&'static str, u64>,
    wrong: [u64; 4],
    told: Vec<String>,
}

impl Outcome {
    pub fn count(&mut self, what: &'static str, by: usize) {
        *self.counts.entry(what).or_default() += by as u64;
    }

    pub fn get(&self, what: &'static str) -> u64 {
        self.counts.get(what).copied().unwrap_or_default()
    }

    /// Takes down a result; `when` says where it comes from.
    pub fn take(&mut self, result: Result<(), Wrong>, when: impl FnOnce() -> String) {
        if let Err(wrong) = result {
            self.wrong[wrong.kind as usize] += 1;
            // Two of a kind are enough.
            let alike = self.told.iter().filter(|told| told.contains(&wrong.what)).count();
            if self.told.len() < TOLD && alike < 2 {
                self.told.push(format!("{:?}: {}: {}", wrong.kind, when(), wrong.what));
            }
        }
    }

    pub fn add(&mut self, other: Self) {
        other.counts.into_iter().for_each(|(what, by)| self.count(what, by as usize));
        self.wrong.iter_mut().zip(other.wrong).for_each(|(all, wrong)| *all += wrong);
        self.told.extend(other.told);
    }

    /// Prints the counts; fails if anything went wrong.
    pub fn finish(&self, title: &str) {
        let counts: Vec<_> =
            self.counts.iter().map(|(what, count)| format!("{count} {what}")).collect();
        let [lost, double, wrong, panics] = self.wrong;
        println!(
            "{title}: {}: {lost} lost, {double} double, {wrong} wrong, {panics} panics",
            counts.join(", ")
        );
        for told in self.told.iter().take(TOLD) {
            println!("  {told}");
        }
        assert_eq!(
            self.wrong,
            [0; 4],
            "{title}: promises were broken, see above; the first: {:?}",
            self.told.first()
        );
    }
}

/// Does something that must not panic.
pub fn calmly<T>(work: impl FnOnce() -> T) -> Result<T, Wrong> {
    catch_unwind(AssertUnwindSafe(work))
        .map_err(|panic| Wrong { kind: Kind::Panic, what: text_of(&*panic) })
}

fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic").to_owned()
}

pub fn wrong(what: impl Into<String>) -> Wrong {
    Wrong { kind: Kind::Wrong, what: what.into() }
}

/// Does work on each item, on as many threads as there are cores, and adds up what came out.
pub fn on_all<T: Sync>(items: &[T], work: impl Fn(&T) -> Outcome + Sync) -> Outcome {
    let (next, all) = (AtomicUsize::new(0), Mutex::new(Outcome::default()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let outcome = work(item);
                    all.lock().unwrap().add(outcome);
                }
            });
        }
    });
    all.into_inner().unwrap()
}
