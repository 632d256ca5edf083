//! What a disk may hold when the power goes: a model that promises no more than POSIX does.
//!
//! - What was written to a file since its last sync is there or not, each sector for itself,
//!   whatever the order of the writes.
//! - Its length is any that it had since then: before the data came (then zeros stand there) or
//!   after (then the data are not there).
//! - What was written before a sync that failed may be missing even after a later sync that didn't.
//! - Where data never came, though the length says that there is something, stand zeros or anything
//!   else that the disk had there.
//! - Names that were made, changed or removed since the last sync of their folder are as they were
//!   or as they are, each change for itself. A file that was synced has no name for that. What
//!   marks a file in the making comes with its name.

use super::disk::Event;
use super::fixture::{Entry, Files};
use crate::Rng;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The disk under a trace.
#[derive(Default)]
pub struct Platter {
    files: Vec<OnDisk>,
    /// The names that are durable.
    names: BTreeMap<String, usize>,
    /// What was done to names since, in order.
    renames: Vec<Event>,
    /// What is no file: links and folders, which nobody touches.
    rest: BTreeMap<String, Entry>,
}

#[derive(Default)]
struct OnDisk {
    /// What is durable.
    base: Arc<Vec<u8>>,
    /// What was done since, in order.
    since: Vec<Step>,
    /// The lengths it had since; the last is that which it has.
    lengths: Vec<u64>,
    /// Whether it is marked as one in the making; a name and a mark come to be at once.
    unfinished: bool,
    /// Whether the mark was taken away since.
    finished: bool,
}

struct Step {
    change: Change,
    /// Whether it is durable (while one before it is not).
    sure: bool,
    /// Whether a sync of it failed, so that later ones don't make it durable.
    orphan: bool,
}

enum Change {
    Write { offset: u64, bytes: Vec<u8> },
    SetLen(u64),
}

impl Platter {
    /// A disk with these files, all durable.
    pub fn new(files: &Files) -> Self {
        let (names, numbered) = files.numbered();
        let on_disk = |(base, unfinished): (Arc<Vec<u8>>, bool)| OnDisk {
            lengths: vec![base.len() as u64],
            base,
            unfinished,
            ..OnDisk::default()
        };
        let rest = files.0.iter().filter(|(name, _)| !names.contains_key(*name));
        let rest = rest.map(|(name, entry)| (name.clone(), entry.clone())).collect();
        Self { files: numbered.into_iter().map(on_disk).collect(), names, renames: vec![], rest }
    }

    /// Takes what happened next.
    pub fn take(&mut self, event: &Event) {
        match event {
            Event::Create { file, unfinished, .. } => {
                assert_eq!(*file, self.files.len());
                self.files.push(OnDisk {
                    lengths: vec![0],
                    unfinished: *unfinished,
                    ..OnDisk::default()
                });
                self.renames.push(event.clone());
            }
            Event::Rename { .. } | Event::Remove { .. } => self.renames.push(event.clone()),
            Event::SyncFolder { folder } => {
                let renames = std::mem::take(&mut self.renames).into_iter();
                let (durable, rest): (Vec<_>, _) =
                    renames.partition(|change| folder_of(change) == folder);
                self.renames = rest;
                durable.iter().for_each(|change| rename(change, &mut self.names));
            }
            Event::Finish { file } => self.files[*file].finished = true,
            Event::Write { file, offset, bytes } => {
                let change = Change::Write { offset: *offset, bytes: bytes.clone() };
                self.files[*file].change(change, |len| len.max(offset + bytes.len() as u64));
            }
            Event::SetLen { file, len } => self.files[*file].change(Change::SetLen(*len), |_| *len),
            Event::Sync { file } => self.files[*file].sync(),
            Event::SyncFailed { file } => {
                self.files[*file].since.iter_mut().for_each(|step| step.orphan |= !step.sure)
            }
            Event::Mark(_) => {}
        }
    }

    /// What the disk may hold, as it is chosen.
    pub fn hold(&self, choose: &mut impl Choose) -> Files {
        let mut names = self.names.clone();
        choose.begin(self.renames.len());
        for (index, change) in self.renames.iter().enumerate() {
            if choose.keep(index) {
                rename(change, &mut names);
            }
        }
        let mut first_names = BTreeMap::new();
        let mut entry = |name: &String, file: usize| {
            if let Some(first) = first_names.get(&file) {
                return Entry::Twin(String::clone(first));
            }
            first_names.insert(file, name.clone());
            self.files[file].hold(choose)
        };
        let mut files: BTreeMap<_, _> = self.rest.clone();
        for (name, file) in names {
            let entry = entry(&name, file);
            files.insert(name, entry);
        }
        Files(files)
    }
}

/// The folder of the name that is made, changed or removed.
fn folder_of(change: &Event) -> &str {
    let (Event::Create { name, .. } | Event::Rename { to: name, .. } | Event::Remove { name, .. }) =
        change
    else {
        panic!("nothing is done to a name by {change:?}")
    };
    name.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Does to names what was done.
fn rename(change: &Event, names: &mut BTreeMap<String, usize>) {
    if let Event::Rename { from: name, file, .. } | Event::Remove { name, file } = change
        && names.get(name) == Some(file)
    {
        names.remove(name);
    }
    if let Event::Create { name, file, .. } | Event::Rename { to: name, file, .. } = change {
        names.insert(name.clone(), *file);
    }
}

impl OnDisk {
    fn change(&mut self, change: Change, len: impl FnOnce(u64) -> u64) {
        let before = *self.lengths.last().unwrap();
        self.since.push(Step { change, sure: false, orphan: false });
        let len = len(before);
        if len != before {
            self.lengths.push(len);
        }
    }

    fn sync(&mut self) {
        for step in &mut self.since {
            step.sure |= !step.orphan || matches!(step.change, Change::SetLen(_));
        }
        self.lengths.drain(..self.lengths.len() - 1);
        self.unfinished &= !std::mem::take(&mut self.finished);
        if self.since.iter().all(|step| step.sure) {
            let mut bytes = std::mem::take(&mut self.base).to_vec();
            self.since.drain(..).for_each(|step| step.change.apply(&mut bytes));
            self.base = Arc::new(bytes);
        }
    }

    fn hold(&self, choose: &mut impl Choose) -> Entry {
        let unfinished = self.unfinished && !(self.finished && !choose.seldom());
        Entry::File { bytes: self.content(choose), unfinished }
    }

    fn content(&self, choose: &mut impl Choose) -> Arc<Vec<u8>> {
        if self.since.is_empty() {
            return self.base.clone();
        }
        let (grain, filler) = (choose.grain(), choose.filler());
        choose.begin(
            self.since
                .iter()
                .filter(|step| !step.sure)
                .map(|step| step.change.pieces(grain).count())
                .sum(),
        );
        let mut bytes = self.base.to_vec();
        let mut index = 0;
        for step in &self.since {
            if step.sure {
                step.change.apply(&mut bytes);
                continue;
            }
            for piece in step.change.pieces(grain) {
                if choose.keep(index) {
                    step.change.apply_piece(&mut bytes, piece);
                } else if matches!(step.change, Change::Write { .. }) {
                    filler.fill(&mut bytes, piece);
                }
                index += 1;
            }
        }
        let len = self.lengths[choose.one_of(self.lengths.len())];
        bytes.resize(len as usize, 0);
        Arc::new(bytes)
    }
}

/// What stands in a sector that was given to a file and never written.
#[derive(Clone, Copy)]
pub enum Filler {
    Zeros,
    /// The same byte everywhere.
    Byte(u8),
    /// Anything.
    Noise(u64),
}

impl Filler {
    /// Fills what of a piece no byte was ever written to.
    fn fill(self, bytes: &mut Vec<u8>, (start, end): (u64, u64)) {
        let from = bytes.len().max(start as usize);
        if matches!(self, Self::Zeros) || from >= end as usize {
            return;
        }
        bytes.resize(from, 0);
        bytes.extend((from..end as usize).map(|at| match self {
            Self::Zeros => 0,
            Self::Byte(byte) => byte,
            Self::Noise(seed) => tabia::mix(seed ^ at as u64) as u8,
        }));
    }
}

impl Change {
    /// The parts that are there or not each for itself: those of a write begin and end at multiples
    /// of the grain in the file.
    fn pieces(&self, grain: u64) -> impl Iterator<Item = (u64, u64)> + use<> {
        let (mut at, end, grain) = match self {
            Self::Write { offset, bytes } => (*offset, offset + bytes.len() as u64, grain),
            Self::SetLen(_) => (0, 1, 1),
        };
        std::iter::from_fn(move || {
            let start = at;
            at = end.min((start / grain + 1).saturating_mul(grain));
            (start < end).then_some((start, at))
        })
    }

    fn apply(&self, bytes: &mut Vec<u8>) {
        self.pieces(u64::MAX).for_each(|piece| self.apply_piece(bytes, piece));
    }

    fn apply_piece(&self, bytes: &mut Vec<u8>, (start, end): (u64, u64)) {
        match self {
            Self::Write { offset, bytes: written } => {
                bytes.resize(bytes.len().max(end as usize), 0);
                bytes[start as usize..end as usize]
                    .copy_from_slice(&written[(start - offset) as usize..(end - offset) as usize]);
            }
            // What is cut off is gone even if the file grows again.
            Self::SetLen(len) => bytes.resize(*len as usize, 0),
        }
    }
}

/// Chooses what is kept.
pub trait Choose {
    /// The size of what is written as one.
    fn grain(&mut self) -> u64;
    /// Choices of this many things follow.
    fn begin(&mut self, things: usize);
    fn keep(&mut self, index: usize) -> bool;
    fn one_of(&mut self, several: usize) -> usize;
    /// What stands in sectors that were never written.
    fn filler(&mut self) -> Filler;
    /// Whether something happens that changes little.
    fn seldom(&mut self) -> bool;
}

/// One set of choices after another, until all were made.
#[derive(Default)]
pub struct Odometer {
    /// Each choice, and how many there were.
    dials: Vec<(usize, usize)>,
    at: usize,
}

impl Odometer {
    /// Goes on to the next choices, if there are any.
    pub fn turn(&mut self) -> bool {
        self.at = 0;
        while let Some((dial, several)) = self.dials.pop() {
            if dial + 1 < several {
                self.dials.push((dial + 1, several));
                return true;
            }
        }
        false
    }
}

impl Choose for Odometer {
    fn grain(&mut self) -> u64 {
        512
    }

    fn begin(&mut self, _: usize) {}

    fn keep(&mut self, _: usize) -> bool {
        self.one_of(2) == 0
    }

    fn one_of(&mut self, several: usize) -> usize {
        if self.at == self.dials.len() {
            self.dials.push((0, several));
        }
        self.at += 1;
        self.dials[self.at - 1].0
    }

    fn filler(&mut self) -> Filler {
        Filler::Zeros
    }

    fn seldom(&mut self) -> bool {
        false
    }
}

/// Random choices, the same for the same seed: prefixes, all but one, one alone, or any.
pub struct Random {
    rng: Rng,
    pattern: Pattern,
}

#[derive(Clone, Copy)]
enum Pattern {
    Before(usize),
    From(usize),
    Only(usize),
    AllBut(usize),
    /// Each with this chance, in 256ths.
    Some(u64),
}

impl Random {
    pub fn new(seed: u64) -> Self {
        Self { rng: Rng::new(seed), pattern: Pattern::Some(0) }
    }

    pub fn below(&mut self, several: usize) -> usize {
        self.rng.index(several)
    }
}

impl Choose for Random {
    fn grain(&mut self) -> u64 {
        // Once in a while less than a sector: more than any disk does.
        [512, 512, 512, 4096, 4096, 4096, 64, 8][self.below(8)]
    }

    fn begin(&mut self, things: usize) {
        let one = self.below(things + 1);
        self.pattern = match self.below(8) {
            0 | 1 => Pattern::Before(one),
            2 => Pattern::From(one),
            3 => Pattern::Only(one),
            4 => Pattern::AllBut(one),
            5 => Pattern::Some(128),
            _ => Pattern::Some(self.below(256) as u64),
        };
    }

    fn keep(&mut self, index: usize) -> bool {
        match self.pattern {
            Pattern::Before(end) => index < end,
            Pattern::From(start) => index >= start,
            Pattern::Only(one) => index == one,
            Pattern::AllBut(one) => index != one,
            Pattern::Some(chance) => (self.below(256) as u64) < chance,
        }
    }

    fn one_of(&mut self, several: usize) -> usize {
        // The length it has is the likeliest.
        if self.below(2) == 0 { several - 1 } else { self.below(several) }
    }

    fn filler(&mut self) -> Filler {
        match self.below(4) {
            0 => Filler::Byte([0xff, 0xa5][self.below(2)]),
            1 => Filler::Noise(self.rng.bits()),
            _ => Filler::Zeros,
        }
    }

    fn seldom(&mut self) -> bool {
        self.below(4) == 0
    }
}
