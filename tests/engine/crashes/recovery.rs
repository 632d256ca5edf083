//! Running works on a folder, with or without a fault, and judging what they leave; what comes
//! after a failure.

use super::model::{Expected, Seen, Wrong, look};
use super::outcome::{calmly, wrong};
use super::scenarios::{FURTHER, LAST, RECOVERY, Run, Scenario, is_done_already};
use std::collections::HashMap;
use tabia::{Error, Result};
use tabia_testing::crash::disk::{Call, Disk, EIO, ENOSPC, Event, Fault, OFF};
use tabia_testing::crash::fixture::{
    BOOK, Files, Fixture, JOURNAL, UNFINISHED, UNFINISHED_JOURNAL,
};

/// What a run left.
pub struct After {
    pub files: Files,
    pub expected: Expected,
    pub calls: Vec<Call>,
    pub result: Result<()>,
}

/// What somebody does after a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Recovery {
    /// Opens the book for writing, and nothing else.
    Open,
    Append,
    Compact,
    Again,
}

impl Recovery {
    pub const ALL: [Self; 4] = [Self::Open, Self::Append, Self::Compact, Self::Again];

    pub fn run(self, scenario: &Scenario, run: &Run<'_>) -> Result<()> {
        match self {
            Self::Open => run.open().map(drop),
            Self::Append => run.append(&mut run.open()?, RECOVERY),
            Self::Compact => run.open()?.compact().map(drop),
            Self::Again => (scenario.work)(run),
        }
    }
}

/// A place to work on a scenario, which remembers what it has seen.
pub struct Bench<'s> {
    pub scenario: &'s Scenario,
    pub fixture: Fixture,
    seen: HashMap<u128, Seen>,
    finished: HashMap<u128, std::result::Result<(), Wrong>>,
}

type Verdict<T = ()> = std::result::Result<T, Wrong>;

impl<'s> Bench<'s> {
    pub fn new(scenario: &'s Scenario) -> Self {
        Self { scenario, fixture: Fixture::new(), seen: HashMap::new(), finished: HashMap::new() }
    }

    /// Runs a work in one process on a disk whose folder is as the process finds it.
    pub fn process(
        &self,
        disk: &Disk,
        expected: &Expected,
        faults: impl IntoIterator<Item = (usize, Fault)>,
        first: u8,
        work: impl FnOnce(&Run<'_>) -> Result<()>,
    ) -> Verdict<After> {
        let before = disk.trace_len();
        disk.start(faults);
        let result = calmly(|| {
            work(&Run { disk, fixture: &self.fixture, layout: self.scenario.layout, first })
        })?;
        let mut expected = expected.clone();
        disk.with_trace(|trace| {
            for event in &trace[before..] {
                if let Event::Mark(mark) = event {
                    expected.take(*mark);
                }
            }
        });
        Ok(After { files: self.fixture.files(), expected, calls: disk.calls(), result })
    }

    /// Runs a work on these files.
    pub fn run(
        &self,
        files: &Files,
        expected: &Expected,
        fault: Option<(usize, Fault)>,
        first: u8,
        work: impl FnOnce(&Run<'_>) -> Result<()>,
    ) -> Verdict<After> {
        self.fixture.fill(files);
        self.process(&Disk::new(&self.fixture, files), expected, fault, first, work)
    }

    pub fn work(
        &self,
        files: &Files,
        expected: &Expected,
        fault: Option<(usize, Fault)>,
    ) -> Verdict<After> {
        self.run(files, expected, fault, super::scenarios::FIRST, self.scenario.work)
    }

    pub fn recover(
        &self,
        recovery: Recovery,
        files: &Files,
        expected: &Expected,
        fault: Option<(usize, Fault)>,
        first: u8,
    ) -> Verdict<After> {
        self.run(files, expected, fault, first, |run| recovery.run(self.scenario, run))
    }

    /// What is seen of the book in the folder, which holds these files.
    pub fn look(&mut self, files: &Files) -> Verdict<Seen> {
        let id = files.id();
        if let Some(seen) = self.seen.get(&id) {
            return Ok(seen.clone());
        }
        let seen = calmly(|| look(&self.fixture.book()))?;
        if self.fixture.files() != *files {
            return Err(wrong("reading wrote something"));
        }
        self.seen.insert(id, seen.clone());
        Ok(seen)
    }

    /// Judges what a run left: the book, the other files, and what was said of the fault.
    pub fn judge(&mut self, after: &After, fault: Option<Fault>, call: Option<Call>) -> Verdict {
        let seen = self.look(&after.files)?;
        after.expected.judge(&seen)?;
        self.judge_others(&after.files)?;
        if fault.is_none() && after.result.is_ok() && has_litter(&after.files) {
            return Err(wrong("what a crash left of a book in the making is still there"));
        }
        let survived = fault.zip(call).is_none_or(|(fault, call)| fault.is_survived(call));
        match &after.result {
            Ok(()) => Ok(()),
            Err(error) if is_done_already(error) && self.is_done(error, &seen) => Ok(()),
            Err(error) if survived => Err(wrong(format!("it gave up: {error}"))),
            Err(error) if is_told(error) => Ok(()),
            Err(error) => Err(wrong(format!("it says: {error:?}"))),
        }
    }

    pub fn judge_others(&self, files: &Files) -> Verdict {
        if files.others().eq(self.scenario.start.others()) {
            Ok(())
        } else {
            Err(wrong("an input was changed, or a file left behind"))
        }
    }

    fn is_done(&self, error: &Error, seen: &Seen) -> bool {
        match (error, seen) {
            (Error::DuplicateSource { .. }, Seen::Holds { batches, .. }) => {
                batches & 1 << super::model::BRINGING != 0
            }
            (Error::Exists { .. }, Seen::Holds { .. }) => true,
            _ => false,
        }
    }

    /// What comes after a failure, when nothing fails any more: a book takes another batch and is
    /// compacted, one that isn't there is made. All goes well, the book is whole, and no litter is
    /// left.
    pub fn finish(&mut self, files: &Files, seen: &Seen) -> Verdict {
        let id = files.id();
        if let Some(verdict) = self.finished.get(&id) {
            return verdict.clone();
        }
        let verdict = self.finish_now(files, seen);
        self.finished.insert(id, verdict.clone());
        verdict
    }

    fn finish_now(&mut self, files: &Files, seen: &Seen) -> Verdict {
        let anything = Expected(Vec::new());
        let after = match seen {
            Seen::Absent => self.recover(Recovery::Again, files, &anything, None, FURTHER)?,
            _ => self.run(files, &anything, None, LAST, |run| {
                let mut writer = run.open()?;
                run.append(&mut writer, LAST)?;
                writer.compact().map(drop)
            })?,
        };
        if let Err(error) = &after.result {
            return Err(wrong(format!("the next run fails: {error}")));
        }
        let now = self.look(&after.files)?;
        let fine = match (seen, &now) {
            (Seen::Absent, Seen::Holds { .. }) => true,
            (Seen::Holds { base, batches, .. }, now) => {
                let all = batches | 1 << LAST;
                *now == Seen::Holds { base: *base, batches: all, compacted: all }
            }
            _ => false,
        };
        if !fine {
            return Err(wrong(format!(
                "it was {seen:?}, after another batch and a compaction it is {now:?}"
            )));
        }
        self.judge_litter(&after.files)
    }

    /// Whether nothing is left but the book and what was there before.
    fn judge_litter(&self, files: &Files) -> Verdict {
        self.judge_others(files)?;
        match [JOURNAL, UNFINISHED, UNFINISHED_JOURNAL].iter().find(|name| files.has(name)) {
            Some(name) => Err(wrong(format!("{name} is left behind"))),
            None if files.has(BOOK) => Ok(()),
            None => Err(wrong("there is no book")),
        }
    }
}

/// Each fault that can happen to these calls, with the number of its call and that.
pub fn faults(calls: &[Call]) -> impl Iterator<Item = (usize, Fault, Call)> {
    let at = |(number, &call): (usize, &Call)| {
        let befalling = Fault::ALL.into_iter().filter(move |fault| fault.befalls(call));
        befalling.map(move |fault| (number, fault, call))
    };
    calls.iter().enumerate().flat_map(at)
}

/// Whether a file in the making is there.
pub fn has_litter(files: &Files) -> bool {
    files.has(UNFINISHED) || files.has(UNFINISHED_JOURNAL)
}

/// Whether an error is the system's, as the disk gave it; or that of a writer which compacted its
/// book, could not remove the journal, and is to do more.
pub fn is_told(error: &Error) -> bool {
    let (source, path) = match error {
        Error::Io { source, path, .. } | Error::Unsynced { source, path } => (source, path),
        Error::Poisoned { .. } => return true,
        _ => return false,
    };
    let known = matches!(source.raw_os_error(), Some(EIO | ENOSPC))
        || source.kind() == std::io::ErrorKind::Interrupted
        || source.to_string() == OFF;
    let says_so = ["cannot", "could not"].iter().any(|words| error.to_string().contains(words));
    known && !path.as_os_str().is_empty() && says_so
}
