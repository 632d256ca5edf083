//! All games of a thread, written one after the other, and beside them what their copies are found
//! by.

use super::identity::{Line, SameBy, rank};
use super::record::{self, Head};
use crate::error::BuildError;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use tabia::storage::{Missing, Storage, StorageFile};
use tabia::{Context, Error, Result};
use tabia_archives::{GameRecord, GameSink, Origin};
use xxhash_rust::xxh3::Xxh3;
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// Bytes that are written or read at a time.
const BUFFER: usize = 1 << 20;

/// A game's entry in the index.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Entry {
    line: [U64; 2],
    /// Of two copies the one with the lesser rank counts.
    pub rank: U64,
    offset: U64,
    source: U32,
}

impl Entry {
    /// The whole line of the game.
    pub fn line(&self) -> Line {
        let [first, second] = self.line.map(U64::get);
        Line(first, second)
    }

    /// Where it comes from.
    pub fn origin(&self) -> Origin {
        Origin { source: self.source.get(), offset: self.offset.get() }
    }
}

/// Takes games and writes them down.
pub struct GameLog {
    same_by: SameBy,
    most_plies: usize,
    games: LogFile,
    index: LogFile,
    count: u64,
}

/// A file that is written from its start to its end.
pub(super) struct LogFile {
    file: Box<dyn StorageFile>,
    place: PathBuf,
    /// What is not in the file yet.
    pub buffer: Vec<u8>,
    /// Bytes in the file.
    pub written: u64,
    sum: Xxh3,
}

/// What has to be known of a log to take it up again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedLog {
    /// The files' names: games and index.
    pub files: [String; 2],
    lengths: [u64; 2],
    /// XXH3-64 of that much of them.
    sums: [u64; 2],
}

impl GameLog {
    /// An empty log. Its files have no names, or, if they may have to outlive the process, names
    /// that begin with this one.
    pub fn new(
        max_ply: Option<u32>,
        same_by: SameBy,
        storage: &dyn Storage,
        folder: &Path,
        name: Option<&str>,
    ) -> Result<Self> {
        let file =
            |suffix| LogFile::new(storage, folder, name.map(|name| format!("{name}{suffix}")));
        Ok(Self::with(max_ply, same_by, file("-games")?, file("-index")?))
    }

    fn with(max_ply: Option<u32>, same_by: SameBy, games: LogFile, index: LogFile) -> Self {
        let count = index.written / size_of::<Entry>() as u64;
        Self {
            same_by,
            most_plies: max_ply.map_or(usize::MAX, |plies| plies as usize),
            games,
            index,
            count,
        }
    }

    /// Makes all of it durable, but for the files' names.
    pub fn save(&mut self) -> Result<SavedLog> {
        for file in [&mut self.games, &mut self.index] {
            file.flush()?;
            file.file.sync().at("sync", &file.place)?;
        }
        let of = [&self.games, &self.index];
        let name = |file: &LogFile| {
            file.place.file_name().unwrap_or_default().to_string_lossy().into_owned()
        };
        Ok(SavedLog {
            files: of.map(name),
            lengths: of.map(|file| file.written),
            sums: of.map(|file| file.sum.digest()),
        })
    }

    /// Takes up a log that was saved in this folder, as it was then; none if its files aren't what
    /// they were.
    pub fn restore(
        max_ply: Option<u32>,
        same_by: SameBy,
        storage: &dyn Storage,
        folder: &Path,
        saved: &SavedLog,
    ) -> Result<Option<Self>> {
        let [games, index] = [0, 1].map(|which| {
            let (path, length) = (folder.join(&saved.files[which]), saved.lengths[which]);
            LogFile::restore(storage, path, length, saved.sums[which])
        });
        Ok(games?.zip(index?).map(|(games, index)| Self::with(max_ply, same_by, games, index)))
    }

    pub fn len(&self) -> u64 {
        self.count
    }

    /// Hands on each entry of the index with its number.
    pub(super) fn entries(&self, mut take: impl FnMut(u64, &Entry)) -> Result<()> {
        let (mut reader, mut number) = (self.index.reader(), 0);
        while let Some(bytes) = reader.next(size_of::<Entry>())? {
            if let Ok(entry) = Entry::ref_from_bytes(bytes) {
                take(number, entry);
                number += 1;
            }
        }
        Ok(())
    }

    /// Hands on each game: its number, its head and its body.
    pub(super) fn records<E: From<Error>>(
        &self,
        mut take: impl FnMut(u64, &Head, &[u8]) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let (mut reader, mut number) = (self.games.reader(), 0);
        while let Some(head) = reader.next(Head::SIZE)?.and_then(Head::read) {
            if let Some(body) = reader.next(head.length.get() as usize)? {
                take(number, &head, body)?;
                number += 1;
            }
        }
        Ok(())
    }

    /// The line without moves from where a game starts.
    pub(super) fn start_of(&self, head: &Head) -> Line {
        Line::start(head.start.get(), self.players(head.players.get()))
    }

    fn players(&self, players: u64) -> u64 {
        match self.same_by {
            SameBy::Moves => 0,
            SameBy::MovesAndPlayers => players,
        }
    }

    /// Writes what isn't in the files yet.
    pub fn finish(&mut self) -> Result<()> {
        self.games.flush()?;
        self.index.flush()
    }
}

impl GameSink for GameLog {
    type Error = BuildError;

    fn game(&mut self, game: &GameRecord, origin: Origin) -> crate::Result<()> {
        record::write(game, origin, self.most_plies, &mut self.games.buffer);
        let start = game.plies.first().map_or(game.last.0, |ply| ply.key);
        let line = game
            .plies
            .iter()
            .fold(Line::start(start, self.players(game.players)), |line, ply| line.then(ply.code));
        let entry = Entry {
            line: [line.0, line.1].map(U64::new),
            rank: U64::new(rank(game)),
            offset: U64::new(origin.offset),
            source: U32::new(origin.source),
        };
        self.index.buffer.extend_from_slice(entry.as_bytes());
        self.count += 1;
        self.games.flush_if_full()?;
        Ok(self.index.flush_if_full()?)
    }
}

impl LogFile {
    /// An empty one with this name in a folder, or without one.
    pub fn new(storage: &dyn Storage, folder: &Path, name: Option<String>) -> Result<Self> {
        let (file, place) = match name {
            None => {
                let folder = storage.scratch_folder(folder);
                (storage.scratch(&folder), folder)
            }
            Some(name) => {
                let path = folder.join(name);
                let file = storage.open(&path, Missing::Create);
                (file.and_then(|file| file.set_len(0).map(|()| file)), path)
            }
        };
        let file = file.at("make a scratch file there", &place)?;
        Ok(Self { file, place, buffer: Vec::new(), written: 0, sum: Xxh3::new() })
    }

    fn restore(
        storage: &dyn Storage,
        place: PathBuf,
        length: u64,
        sum: u64,
    ) -> Result<Option<Self>> {
        let action = "take up again";
        let file = storage.open(&place, Missing::Fail).at(action, &place)?;
        if std::fs::metadata(&place).at(action, &place)?.len() < length {
            return Ok(None);
        }
        file.set_len(length).at(action, &place)?;
        let mut file = Self { file, place, buffer: Vec::new(), written: length, sum: Xxh3::new() };
        let (mut reader, mut hash) = (file.reader(), Xxh3::new());
        while let Some(bytes) = reader.next(reader.left().min(BUFFER))? {
            hash.update(bytes);
        }
        file.sum = hash;
        Ok(Some(file).filter(|file| file.sum.digest() == sum))
    }

    #[inline]
    pub fn flush_if_full(&mut self) -> Result<()> {
        if self.buffer.len() < BUFFER { Ok(()) } else { self.flush() }
    }

    pub fn flush(&mut self) -> Result<()> {
        let written = self.file.write_all_at(&self.buffer, self.written);
        written.at("write a scratch file there", &self.place)?;
        self.sum.update(&self.buffer);
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// Reads what is in the file, from its start.
    pub fn reader(&self) -> Reader<'_> {
        Reader { file: self, buffer: Vec::new(), at: 0, read: 0 }
    }
}

pub(super) struct Reader<'a> {
    file: &'a LogFile,
    buffer: Vec<u8>,
    /// The first byte in the buffer that was not handed on.
    at: usize,
    /// Bytes of the file that are or were in the buffer.
    read: u64,
}

impl Reader<'_> {
    /// The next `len` bytes; none if the file ends before, or if `len` is 0.
    pub fn next(&mut self, len: usize) -> Result<Option<&[u8]>> {
        if self.buffer.len() - self.at < len {
            self.fill(len)?;
        }
        if len == 0 || self.buffer.len() - self.at < len {
            return Ok(None);
        }
        self.at += len;
        Ok(Some(&self.buffer[self.at - len..self.at]))
    }

    /// How many bytes are left.
    pub fn left(&self) -> usize {
        (self.file.written - self.read) as usize + self.buffer.len() - self.at
    }

    fn fill(&mut self, len: usize) -> Result<()> {
        self.buffer.drain(..self.at);
        self.at = 0;
        let before = self.buffer.len();
        let more = (self.file.written - self.read).min(len.max(BUFFER) as u64) as usize;
        self.buffer.resize(before + more, 0);
        let read = self.file.file.read_exact_at(&mut self.buffer[before..], self.read);
        read.at("read back a scratch file there", &self.file.place)?;
        self.read += more as u64;
        Ok(())
    }
}
