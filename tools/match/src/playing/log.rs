//! What was played and answered, in two files beside the book, so that growing goes on where it
//! ended: the games, as people and programs read them, and the answers in between.

use super::tree::Record;
use crate::error::Error;
use crate::games_file::{GamesFile, open_again};
use crate::self_play::SelfPlay;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tabia::BookFile;
use tabia_games::Known;

/// What the file of answers begins with.
const MARK: &str = "tabia-playing 1";

/// Moves with numbers: how often they were chosen, or what they are worth.
pub(super) type Numbers = Vec<(u16, i64)>;

/// The files.
pub(super) struct Log {
    games: GamesFile,
    answers: File,
    path: PathBuf,
    /// The games that were in the file, by their numbers.
    pub played: BTreeMap<u32, Record>,
    answered: BTreeMap<u32, Numbers>,
    next: u32,
    /// How long growing had taken.
    pub time: Duration,
}

impl Log {
    /// Opens or makes them.
    ///
    /// # Errors
    /// If they can't be read or written, or are of another plan or game.
    pub fn open(book: &Path, known: &Known, digest: u64, max_ply: usize) -> Result<Self, Error> {
        let name = SelfPlay::file_of(book, known).unwrap_or_else(|| {
            let mut name = book.as_os_str().to_owned();
            name.push("-games.lines");
            name.into()
        });
        let (games, facts) =
            GamesFile::resume_in_order(&name, digest).map_err(|error| match error {
                Error::OtherMatch(path) => Error::OtherPlan(path),
                error => error,
            })?;
        let mut played = BTreeMap::new();
        if !facts.is_empty() {
            let other = |_| Error::OtherPlan(name.clone());
            let records = Record::read(&name, known, max_ply).map_err(other)?;
            if records.len() != facts.len() {
                return Err(Error::OtherPlan(name));
            }
            for (mut record, facts) in records.into_iter().zip(facts) {
                record.free = facts.from as usize;
                played.insert(facts.game, record);
            }
        }
        let path = BookFile::Growing.beside(book);
        let failed = |error| Error::file(&path, "go on with it")(error);
        let mut answers = open_again(&path).map_err(failed)?;
        let mut text = String::new();
        answers.read_to_string(&mut text).map_err(failed)?;
        let head = format!("{MARK} {digest:016x}\n");
        if text.is_empty() {
            answers.write_all(head.as_bytes()).map_err(failed)?;
            text = head.clone();
        }
        if !text.starts_with(&head) {
            return Err(Error::OtherPlan(path));
        }
        // A line that wasn't finished is cut off.
        let end = text.rfind('\n').map_or(0, |at| at + 1);
        answers.set_len(end as u64).map_err(failed)?;
        answers.seek(SeekFrom::Start(end as u64)).map_err(failed)?;
        let (mut answered, mut time) = (BTreeMap::new(), Duration::ZERO);
        for line in text[head.len()..end].lines() {
            match line.split_once(' ') {
                Some(("time", millis)) => time = millis.parse().map_or(time, Duration::from_millis),
                Some((number, rest)) => {
                    let numbers =
                        read(number, rest).ok_or_else(|| Error::OtherPlan(path.clone()))?;
                    answered.insert(numbers.0, numbers.1);
                }
                None => return Err(Error::OtherPlan(path)),
            }
        }
        Ok(Self { games, answers, path, played, answered, next: 0, time })
    }

    /// Keeps a game.
    pub fn game(&mut self, record: &str) -> Result<(), Error> {
        self.games.append(record)
    }

    /// The answer to the next question, if it is known.
    pub fn known(&mut self) -> Option<Numbers> {
        self.answered.remove(&self.next).inspect(|_| self.next += 1)
    }

    /// Keeps the answer to the next question.
    pub fn answer(&mut self, numbers: &Numbers) -> Result<(), Error> {
        let mut line = format!("{} ", self.next);
        for (code, number) in numbers {
            let _ = write!(line, "{code}:{number} ");
        }
        self.next += 1;
        self.write(&line)
    }

    /// Keeps how long growing has taken.
    pub fn took(&mut self, time: Duration) -> Result<(), Error> {
        self.write(&format!("time {}", time.as_millis()))
    }

    fn write(&mut self, line: &str) -> Result<(), Error> {
        let written = self.answers.write_all(format!("{line}\n").as_bytes());
        written.map_err(Error::file(&self.path, "write to it"))
    }
}

fn read(number: &str, rest: &str) -> Option<(u32, Numbers)> {
    let pair = |text: &str| {
        let (code, number) = text.split_once(':')?;
        Some((code.parse().ok()?, number.parse().ok()?))
    };
    Some((number.parse().ok()?, rest.split_ascii_whitespace().map(pair).collect::<Option<_>>()?))
}
