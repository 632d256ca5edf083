//! What is being expanded, kept in a file beside the book: when growing is interrupted, however
//! rudely, it goes on with the same leaves as if it hadn't been. If the file is lost so are only
//! these. How far a command has come that has a budget is kept there too: the same command then goes on
//! with what is left of it. A command that came to its end leaves no file, and the next one begins
//! anew.

use crate::error::Error;
use crate::expansion::Expansion;
use crate::growing_book::GrowingBook;
use crate::plan::{Budget, Plan};
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::path::Path;
use std::time::Duration;
use tabia::storage::Storage;
use tabia::{AtomicFile, BookFile, Digest, Existing};

/// The version of this format.
const VERSION: u32 = 1;
/// Bytes that such a file may have.
const LONGEST: u64 = 1 << 26;

/// What the file says.
#[derive(Debug, Serialize, Deserialize)]
struct Saved {
    /// The version of this format; its name tells the file from others.
    #[serde(rename = "tabia-growing")]
    version: u32,
    /// The digest of the book's file.
    book: String,
    /// The sequence of the last batch when the last of these was chosen.
    sequence: u64,
    /// Those of the shares of a set before the first of these was written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    shares: Vec<u64>,
    /// How they were chosen.
    plan: String,
    in_flight: Vec<Expansion>,
    /// How far the command had come.
    #[serde(default)]
    command: Option<Command>,
}

/// A command that has a budget, and how far it has come. Expansions are the batches since it began, and
/// positions those that the book has more: both are known whenever it ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    budget: String,
    /// The sequence of the last batch before it began.
    sequence: u64,
    /// How many positions the book had then, if that counts.
    positions: u64,
    /// The time that it took, as far as it is known.
    millis: u64,
}

impl Command {
    /// One that begins now; none if it has no budget.
    fn begin(book: &GrowingBook<'_>, budget: Budget) -> Result<Option<Self>, Error> {
        if budget == Budget::default() {
            return Ok(None);
        }
        let positions = if budget.positions.is_some() { book.positions()? } else { 0 };
        let (budget, sequence) = (budget.to_string(), book.sequence());
        Ok(Some(Self { budget, sequence, positions, millis: 0 }))
    }

    /// The same after so much more time.
    pub fn after(&self, time: Duration) -> Self {
        let millis = self.millis.saturating_add(time.as_millis() as u64);
        Self { millis, ..self.clone() }
    }

    /// What is left of its budget; none if it isn't one of this budget and book.
    fn left(&self, book: &GrowingBook<'_>, budget: Budget) -> Result<Option<Budget>, Error> {
        let Some(expansions) = book.sequence().checked_sub(self.sequence) else { return Ok(None) };
        if self.budget != budget.to_string() {
            return Ok(None);
        }
        let now = if budget.positions.is_some() { book.positions()? } else { 0 };
        let positions = now.saturating_sub(self.positions);
        Ok(Some(budget.less(expansions, positions, Duration::from_millis(self.millis))))
    }
}

/// What goes on.
pub struct Restored {
    /// What was being expanded, without what is in the book by now.
    pub in_flight: Vec<Expansion>,
    /// The command, if it has a budget.
    pub command: Option<Command>,
    /// What is left of its budget.
    pub budget: Budget,
}

/// Which plans choose the same leaves.
pub fn plan_name(plan: &Plan, root: &str) -> String {
    let Plan { method, max_ply, max_error, in_flight, min_games, evals, .. } = plan;
    format!("{root} {method:?} {max_ply:?} {max_error:?} {in_flight} {min_games:?} {evals}")
}

/// Keeps what is being expanded, and how far the command has come.
pub fn save(
    storage: &dyn Storage,
    book: &GrowingBook<'_>,
    plan: &str,
    in_flight: &[&Expansion],
    command: Option<&Command>,
) -> Result<(), Error> {
    let saved = Saved {
        version: VERSION,
        book: book.header().digest.to_string(),
        sequence: book.sequence(),
        shares: if book.is_set() { book.sequences() } else { Vec::new() },
        plan: plan.to_owned(),
        in_flight: in_flight.iter().copied().cloned().collect(),
        command: command.cloned(),
    };
    let mut bytes = serde_json::to_vec(&saved).map_err(std::io::Error::from).map_err(|source| {
        tabia::Error::Io { action: "write", path: BookFile::Growing.beside(book.path()), source }
    })?;
    bytes.push(b'\n');
    let file = AtomicFile::create(storage, &BookFile::Growing.beside(book.path()))?;
    file.write(&bytes, 0)?;
    file.publish(Existing::Replace)?;
    Ok(())
}

/// How many additions to a set there were since growing was begun, if that was interrupted: the first
/// expansion in flight was written if the share of its leaf has a batch more.
pub fn additions(book: &GrowingBook<'_>) -> Result<u64, Error> {
    let now = book.sequences();
    let saved = if book.is_set() { read(&BookFile::Growing.beside(book.path()))? } else { None };
    let Some(saved) = saved.filter(|saved| saved.shares.len() == now.len()) else { return Ok(0) };
    let is_written = |expansion: &Expansion| {
        let share = book.share_of(expansion.leaf);
        now[share] > saved.shares[share]
    };
    Ok(saved.sequence.saturating_add(saved.in_flight.first().is_some_and(is_written).into()))
}

/// Whether a set with this first share was interrupted while its shares were told facts
/// ([`GrowingBook::say`]).
pub fn is_saying(first: &Path) -> Result<bool, Error> {
    Ok(read(&BookFile::Growing.beside(first))?
        .is_some_and(|saved| saved.plan.is_empty() && !saved.shares.is_empty()))
}

/// What was being expanded when growing ended, if it was grown in the same way and nothing else
/// happened to the book: without those that are in it by now. With another budget the command begins
/// now.
pub fn restore(book: &GrowingBook<'_>, budget: Budget, plan: &str) -> Result<Restored, Error> {
    let path = BookFile::Growing.beside(book.path());
    let begin =
        |in_flight| Ok(Restored { in_flight, command: Command::begin(book, budget)?, budget });
    let Some(saved) = read(&path)? else { return begin(Vec::new()) };
    let header = book.header();
    let is_named = |digest: &Digest| *digest != Digest::NONE && digest.to_string() == saved.book;
    let is_ours = [header.digest, header.parent].iter().any(is_named) && saved.plan == plan;
    let done = book.sequence().checked_sub(saved.sequence).filter(|_| is_ours);
    let Some(done) = done else { return begin(Vec::new()) };
    let mut in_flight = saved.in_flight;
    in_flight.drain(..in_flight.len().min(usize::try_from(done).unwrap_or(usize::MAX)));
    let Some(command) = saved.command else { return begin(in_flight) };
    match command.left(book, budget)? {
        Some(budget) => Ok(Restored { in_flight, command: Some(command), budget }),
        None => begin(in_flight),
    }
}

fn read(path: &Path) -> Result<Option<Saved>, Error> {
    let failed = |source| tabia::Error::Io { action: "read", path: path.to_owned(), source };
    let in_the_way = || Error::InTheWay(path.to_owned());
    // A link, a folder or a pipe is none of ours.
    match std::fs::symlink_metadata(path) {
        Ok(found) if found.is_file() => {}
        Ok(_) => return Err(in_the_way()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error).into()),
    }
    let file = std::fs::File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(LONGEST).read_to_end(&mut bytes).map_err(failed)?;
    match serde_json::from_slice::<Saved>(&bytes) {
        Ok(saved) if saved.version == VERSION => Ok(Some(saved)),
        // One of another version, or somebody else's.
        _ => Err(in_the_way()),
    }
}

/// Removes the file: nothing is being expanded any more.
pub fn forget(storage: &dyn Storage, book: &GrowingBook<'_>) -> Result<(), Error> {
    let path = BookFile::Growing.beside(book.path());
    match storage.remove(&path) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
            Err(tabia::Error::Io { action: "remove", path, source }.into())
        }
        _ => Ok(()),
    }
}
