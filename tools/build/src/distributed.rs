//! A build by many machines: parts, each built of some of the archives or of a slice of one, and
//! shares of the hashes, each merged of all parts. Whoever runs commands on machines that see the same
//! files can do its steps, in any order that has the parts before the shares, and as often as it likes.
//!
//! A step is done once there is, beside its book, a record of the plan, the book and what belongs to it: so
//! nothing else can take its place. What an interrupted step leaves is none of its files.

use crate::archive_list::ArchiveList;
use crate::error::{BuildError, Result};
use crate::in_order::digest_of_file;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use tabia::bytes::{Bytes, Pread};
use tabia::remote::is_there;
use tabia::storage::Storage;
use tabia::{AtomicFile, Book, BookFile, Digest, Existing, Fact, Share, Slice, parallel};
use tabia_archives::Input;
use tabia_gamefile::GameFile;

/// The most parts, and the most shares.
const MOST: u32 = Slice::MOST;
/// The most bytes of a record.
const MOST_RECORD: u64 = 1 << 16;

/// The plan of a build by many machines, as its file of JSON has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DistributedPlan {
    /// The version of the program that made it, and that does its steps.
    pub tabia: String,
    /// The game that is played in the archives.
    pub game: String,
    /// The options of the build, as they were given.
    pub options: Vec<String>,
    /// The archives.
    pub archives: Vec<PlannedArchive>,
    /// The parts.
    pub parts: Vec<PlannedPart>,
    /// How many shares there are, a power of two.
    pub shares: u32,
}

/// An archive that is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedArchive {
    /// Where it is, on all machines.
    pub path: PathBuf,
    /// Its bytes on disk.
    pub bytes: u64,
    /// The digest of its text, as books have it.
    pub digest: String,
}

/// What a part is built of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedPart {
    /// The places of its archives in the plan's list, from 0.
    pub archives: Vec<usize>,
    /// The slice of its only archive, if it isn't all of it: `3/7`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slice: Option<String>,
}

/// A step of such a build; parts and shares are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To build a part.
    Part(usize),
    /// To merge a share of the hashes.
    Share(usize),
    /// To make one book of all shares.
    Book,
}

/// As it is named: `part-3`, `share-2`, `book`.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Part(number) => write!(f, "part-{number}"),
            Self::Share(number) => write!(f, "share-{number}"),
            Self::Book => write!(f, "book"),
        }
    }
}

impl std::str::FromStr for Step {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let number = |number: &str| number.parse().ok().filter(|&number| number > 0);
        let step = match text.split_once('-') {
            None if text == "book" => Some(Self::Book),
            Some(("part", rest)) => number(rest).map(Self::Part),
            Some(("share", rest)) => number(rest).map(Self::Share),
            _ => None,
        };
        step.ok_or_else(|| format!("`{text}` is no step: part-1, share-1 and book are"))
    }
}

/// What stands beside the book of a step that is done: by it the book is known, and what belongs to it.
#[derive(PartialEq, Eq, Serialize, Deserialize)]
struct Record {
    /// The digest of the plan's file.
    plan: String,
    /// The digest of the book; the sequence of its journal and the checksum of that.
    book: (String, u64, u32),
    /// The digest of the games beside it.
    games: Option<String>,
    /// That of the file of fingerprints.
    fingerprints: Option<String>,
}

fn wrong(path: &Path, what: impl fmt::Display) -> BuildError {
    BuildError::Plan(format!("{}: {what}", path.display()))
}

impl DistributedPlan {
    /// The plan by which this version of the program builds a book of these archives of a game, with these
    /// options, in so many parts and shares. It is the same for the same archives, whose text is read for
    /// its digest, several at once.
    ///
    /// An archive that is larger than a part would be is sliced, so that some parts read it and count
    /// each a slice of its games; the others are shared out whole, the largest first, each to the
    /// part that has the fewest bytes yet. So there are fewer parts where there are fewer archives.
    ///
    /// # Errors
    /// [`BuildError::Plan`] if there can't be so many; those of reading the archives.
    pub fn of(
        archives: &ArchiveList,
        (parts, shares): (u32, u32),
        version: &str,
        game: &str,
        options: Vec<String>,
    ) -> Result<Self> {
        if !(1..=MOST).contains(&parts)
            || !(1..=MOST).contains(&shares)
            || !shares.is_power_of_two()
        {
            return Err(BuildError::Plan(format!(
                "{parts} parts and {shares} shares: give 1 to {MOST} of each, and of shares a power of two"
            )));
        }
        let archive = |(): &mut (), _: usize, path: &PathBuf| {
            let failed = |error| wrong(path, format!("cannot be read on other machines: {error}"));
            let file = path.metadata().map_err(failed)?;
            if !file.is_file() {
                let what = "a plan reads archives again and again: give regular files";
                return Err(wrong(path, what));
            }
            let digest = Digest(Input::digest_of(path)?).to_string();
            let path = std::path::absolute(path).map_err(failed)?;
            Ok(PlannedArchive { path, bytes: file.len(), digest })
        };
        let paths = archives.paths.iter().collect();
        let (archives, _) = parallel::map(parallel::threads(16), paths, || (), archive)?;
        let parts = parts_of(&archives, parts);
        let (tabia, game) = (version.to_owned(), game.to_owned());
        Ok(Self { tabia, game, options, archives, parts, shares })
    }

    /// All its steps, in an order in which they can be done.
    pub fn steps(&self) -> impl Iterator<Item = Step> {
        let shares = (1..=self.shares as usize).map(Step::Share);
        (1..=self.parts.len()).map(Step::Part).chain(shares).chain([Step::Book])
    }

    /// Whether its parts are all of its archives, each once.
    fn is_whole(&self) -> bool {
        let mut slices = vec![Vec::new(); self.archives.len()];
        for part in &self.parts {
            for &place in &part.archives {
                slices[place].push(part.slice.as_deref().unwrap_or("1/1").parse::<Slice>().ok());
            }
        }
        slices.into_iter().all(|mut slices| {
            slices.sort();
            let count = slices.len() as u32;
            slices.into_iter().zip(1..).all(|(slice, number)| slice == Slice::new(number, count))
                && count > 0
        })
    }
}

/// Shares out archives to so many parts at most.
fn parts_of(archives: &[PlannedArchive], parts: u32) -> Vec<PlannedPart> {
    let total: u128 = archives.iter().map(|archive| u128::from(archive.bytes)).sum();
    // How many parts an archive would fill, rounded.
    let slices = |archive: &PlannedArchive| match total {
        0 => 0,
        _ => (2 * u128::from(archive.bytes) * u128::from(parts) / total).div_ceil(2) as u32,
    };
    let (mut large, mut small): (Vec<_>, Vec<_>) =
        (0..archives.len()).map(|place| (place, slices(&archives[place]))).partition(|of| of.1 > 1);
    let for_small = u32::from(!small.is_empty());
    while large.iter().map(|of| of.1).sum::<u32>() + for_small > parts {
        // That with the smallest slices is left with one less.
        let size = |(place, slices): &(usize, u32)| archives[*place].bytes / u64::from(*slices);
        match large.iter_mut().min_by_key(|of| size(of)) {
            Some(of) if of.1 > 1 => of.1 -= 1,
            _ => break,
        }
    }
    let mut all = Vec::new();
    for &(place, slices) in &large {
        let slice = |number| (slices > 1).then(|| format!("{number}/{slices}"));
        all.extend(
            (1..=slices).map(|number| PlannedPart { archives: vec![place], slice: slice(number) }),
        );
    }
    let left = (parts as usize).saturating_sub(all.len()).clamp(for_small as usize, small.len());
    let mut bins = vec![(0, PlannedPart::default()); left];
    small.sort_by_key(|of| std::cmp::Reverse(archives[of.0].bytes));
    for (place, _) in small {
        // Of equal ones the first.
        if let Some((bytes, part)) = bins.iter_mut().min_by_key(|bin| bin.0) {
            // Empty archives are shared out, too.
            *bytes += archives[place].bytes.max(1);
            part.archives.push(place);
        }
    }
    all.extend(bins.into_iter().map(|(_, mut part)| {
        part.archives.sort_unstable();
        part
    }));
    all
}

/// A plan in its file, with the books of its steps beside it.
#[derive(Debug)]
pub struct PlanFile {
    path: PathBuf,
    /// Where the books are that steps merge, if it isn't the folder beside it.
    inputs: Option<PathBuf>,
    /// The digest of the file.
    digest: Digest,
    /// What it says.
    pub plan: DistributedPlan,
}

impl PlanFile {
    /// The plan in this file, whose text was read.
    ///
    /// # Errors
    /// [`BuildError::Plan`] if it is no plan, or one that contradicts itself.
    pub fn new(path: &Path, text: &str) -> Result<Self> {
        let no_plan = |error| wrong(path, format!("it is no plan of a build: {error}"));
        let plan: DistributedPlan = serde_json::from_str(text).map_err(no_plan)?;
        let of_slice = |part: &PlannedPart| part.slice.is_none() || part.archives.len() == 1;
        let is_there = |part: &PlannedPart| {
            !part.archives.is_empty()
                && part.archives.iter().all(|&place| place < plan.archives.len())
        };
        if !plan.shares.is_power_of_two()
            || plan.shares > MOST
            || plan.parts.is_empty()
            || !plan.parts.iter().all(|part| of_slice(part) && is_there(part))
            || !plan.is_whole()
        {
            let what = "it is no plan of a build: its parts and archives don't go together";
            return Err(wrong(path, what));
        }
        let digest = Digest::of(text.as_bytes());
        Ok(Self { path: path.to_owned(), inputs: None, digest, plan })
    }

    /// The same plan, whose steps merge books of this folder or address ([`tabia::remote`]), where what
    /// was made beside another copy of it was put.
    #[must_use]
    pub fn with_inputs(self, inputs: Option<PathBuf>) -> Self {
        Self { inputs, ..self }
    }

    /// The book of a step, beside the plan: of `lichess.json` that of `part-3` is
    /// `lichess-steps/part-3.tabia`.
    pub fn book(&self, step: Step) -> PathBuf {
        let mut folder = self.path.with_extension("").into_os_string();
        folder.push("-steps");
        PathBuf::from(folder).join(format!("{step}.tabia"))
    }

    /// The book that was made in a step, if this is it, with all that belongs to it.
    ///
    /// # Errors
    /// Those of reading the record, and what belongs to the book.
    pub fn made(&self, step: Step, book: &Path) -> Result<Option<Book>> {
        self.made_by(&self.book(step).with_extension("json"), book)
    }

    /// The same by the record with this path.
    fn made_by(&self, record: &Path, book: &Path) -> Result<Option<Book>> {
        let read = || {
            let file = Pread::open(record)?;
            let mut text = vec![0; file.len().min(MOST_RECORD) as usize];
            file.read_exact_at(&mut text, 0).map(|()| text)
        };
        let text = match read() {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(wrong(record, error)),
        };
        let (Ok(book), Ok(said)) = (Book::open(book), serde_json::from_slice::<Record>(&text))
        else {
            return Ok(None);
        };
        Ok(Some(book).filter(|book| self.record(book).is_ok_and(|record| record == said)))
    }

    fn record(&self, book: &Book) -> Result<Record> {
        let (digest, sequence, checksum) = book.version();
        let games = GameFile::beside(book)?.map(|file| file.header().digest.to_string());
        let fingerprints = digest_of_file(&book.file(BookFile::Fingerprints)?);
        Ok(Record {
            plan: self.digest.to_string(),
            book: (digest.to_string(), sequence, checksum),
            games,
            fingerprints: fingerprints.map(|digest| digest.to_string()),
        })
    }

    /// Takes note that a step is done: this book was made.
    ///
    /// # Errors
    /// [`BuildError::Plan`] if a part is not of the archives that the plan was made of; those of
    /// writing the record.
    pub fn done(&self, storage: &dyn Storage, step: Step, book: &Book) -> Result<()> {
        if let Step::Part(number) = step {
            self.check_part(number, book)?;
        }
        let path = self.book(step).with_extension("json");
        let text = serde_json::to_vec(&self.record(book)?).expect("a record is text");
        let mut file = AtomicFile::create(storage, &path)?.into_writer();
        std::io::Write::write_all(&mut file, &text).map_err(|error| wrong(&path, error))?;
        file.publish(Existing::Replace)?;
        Ok(())
    }

    /// The archives of a part, and the slice of its only one if it isn't all of it.
    ///
    /// # Errors
    /// [`BuildError::Plan`] if there is no such part, or an archive has changed, as far as its length
    /// shows.
    pub fn part(&self, number: usize) -> Result<(Vec<PathBuf>, Option<Slice>)> {
        let Some(part) = number.checked_sub(1).and_then(|place| self.plan.parts.get(place)) else {
            let parts = self.plan.parts.len();
            return Err(wrong(&self.path, format!("there is no part {number}: it has {parts}")));
        };
        let archives = part.archives.iter().map(|&place| &self.plan.archives[place]);
        for archive in archives.clone() {
            let bytes = archive.path.metadata().map_err(|error| wrong(&archive.path, error))?.len();
            if bytes != archive.bytes {
                return Err(changed(&archive.path));
            }
        }
        let slice = part.slice.as_ref().and_then(|slice| slice.parse().ok());
        Ok((archives.map(|archive| archive.path.clone()).collect(), slice))
    }

    fn check_part(&self, number: usize, book: &Book) -> Result<()> {
        let part = &self.plan.parts[number - 1];
        let archives = part.archives.iter().map(|&place| &self.plan.archives[place]);
        let known: BTreeSet<_> = archives.clone().map(|archive| archive.digest.as_str()).collect();
        for source in book.sources()? {
            if !known.contains(source.digest.to_string().as_str()) {
                let is_named = |archive: &&PlannedArchive| {
                    archive.path.file_name().is_some_and(|name| name == source.name.as_str())
                };
                let archive = archives.clone().find(is_named);
                return Err(changed(
                    archive.map_or(Path::new(&source.name), |archive| &archive.path),
                ));
            }
        }
        let facts = book.facts()?;
        let slices = facts.iter().filter(|fact| fact.name() == Fact::SLICE).map(Fact::value);
        if slices.collect::<Vec<_>>() != part.slice.iter().collect::<Vec<_>>() {
            return Err(wrong(book.path(), "it holds another slice of its archive than planned"));
        }
        Ok(())
    }

    /// Which share of the hashes a step merges.
    ///
    /// # Errors
    /// [`BuildError::Plan`] if there is no such share.
    pub fn share(&self, number: usize) -> Result<Share> {
        let shares = self.plan.shares;
        let share = number.checked_sub(1).and_then(|number| u32::try_from(number).ok());
        let share = share.and_then(|number| Share::new(shares.ilog2() as u8, number));
        share.ok_or_else(|| {
            wrong(&self.path, format!("there is no share {number}: it has {shares}"))
        })
    }

    /// The books that a share is merged of: all parts; or the book: all shares.
    ///
    /// # Errors
    /// [`BuildError::Plan`] if one of these steps isn't done; those of opening the books.
    pub fn inputs(&self, step: Step) -> Result<Vec<Book>> {
        let needs_shares = step == Step::Book;
        let needed = self.plan.steps().filter(|step| match step {
            Step::Part(_) => !needs_shares,
            Step::Share(_) => needs_shares,
            Step::Book => false,
        });
        let open = |needed: Step| {
            let path = match &self.inputs {
                Some(folder) => folder.join(format!("{needed}.tabia")),
                None => self.book(needed),
            };
            self.made_by(&path.with_extension("json"), &path)?.ok_or_else(|| {
                let what = if is_there(&path) {
                    "it is not the book that was made there, or not what belongs to it"
                } else {
                    "it is not there"
                };
                wrong(&path, format!("{what}: do step {needed} before {step}"))
            })
        };
        needed.map(open).collect()
    }
}

fn changed(archive: &Path) -> BuildError {
    wrong(archive, "the archive is not what it was when the plan was made: make another plan")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_all_archives_each_once_and_alike_in_size() {
        for (sizes, parts, expected) in [
            (&[700][..], 7, "0:1/7 0:2/7 0:3/7 0:4/7 0:5/7 0:6/7 0:7/7"),
            (&[700], 1, "0"),
            (&[600, 10, 20, 30], 4, "0:1/3 0:2/3 0:3/3 1,2,3"),
            (&[10, 20, 30, 40], 2, "0,3 1,2"),
            (&[10, 10, 10], 8, "0:1/2 0:2/2 1:1/3 1:2/3 1:3/3 2:1/3 2:2/3 2:3/3"),
            (&[0, 0], 3, "0 1"),
            (&[100, 0, 0], 2, "0 1,2"),
            (&[100, 100, 100], 1, "0,1,2"),
        ] {
            let archive =
                |&bytes: &u64| PlannedArchive { path: "a".into(), bytes, digest: String::new() };
            let archives: Vec<_> = sizes.iter().map(archive).collect();
            let made = parts_of(&archives, parts);
            let said = made.iter().map(|PlannedPart { archives, slice }| {
                let places: Vec<_> = archives.iter().map(ToString::to_string).collect();
                let slice = slice.iter().map(|slice| format!(":{slice}"));
                format!("{}{}", places.join(","), slice.collect::<String>())
            });
            assert_eq!(said.collect::<Vec<_>>().join(" "), expected, "{sizes:?} in {parts}");
            let (tabia, game, options) = (String::new(), String::new(), Vec::new());
            let plan = DistributedPlan { tabia, game, options, archives, parts: made, shares: 1 };
            assert!(plan.is_whole(), "{sizes:?} in {parts}");
        }
    }
}
