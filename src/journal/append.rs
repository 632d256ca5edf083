//! Writing a journal: a frame's parts first, then its header, then one sync; only then is the batch acknowledged.

use super::batch::{Batch, Change, Changes};
use super::frame::{FRAME_HEADER_LEN, FrameHeader, HEADER_LEN, JournalHeader, encode_rows, encode_sources};
use super::{JournalInfo, journal_path};
use crate::error::{Context, Error, Result};
use crate::format::{Digest, Source};
use crate::publish::{create_journal, retire_journal};
use crate::row::{MoveRow, PositionRow, RatedMoveRow, Row};
use crate::storage::{Missing, Storage, StorageFile};
use crate::stream::{CHUNK, Rows};
use std::path::{Path, PathBuf};

/// A journal that is being written. Whoever has it has the lock of its book.
pub(crate) struct Journal<'a> {
    storage: &'a dyn Storage,
    book: PathBuf,
    path: PathBuf,
    base: Digest,
    /// Open from the first batch on.
    file: Option<Box<dyn StorageFile>>,
    info: JournalInfo,
}

impl<'a> Journal<'a> {
    /// The journal of the book with this digest, as `info` says that it is; a torn tail is cut off.
    pub fn open(storage: &'a dyn Storage, book: &Path, base: Digest, info: JournalInfo) -> Result<Self> {
        let mut journal = Self { storage, book: book.to_owned(), path: journal_path(book), base, file: None, info };
        if journal.info.torn > 0 {
            let file = storage.open(&journal.path, Missing::Fail).at("open for writing", &journal.path)?;
            file.set_len(journal.info.bytes).at("cut its torn tail", &journal.path)?;
            file.sync().at("sync", &journal.path)?;
            journal.info.torn = 0;
            journal.file = Some(file);
        }
        Ok(journal)
    }

    /// What is in it.
    pub fn info(&self) -> &JournalInfo {
        &self.info
    }

    /// Appends a batch and makes it durable; its sequence is returned. Its moves are written with ratings or without.
    pub fn append(&mut self, batch: &Batch, rated: bool) -> Result<u64> {
        self.frame(|frame| {
            frame.changes::<_, PositionRow>(&batch.positions)?;
            if rated {
                frame.changes::<_, RatedMoveRow>(&batch.moves)?;
            } else {
                frame.changes::<_, MoveRow>(&batch.moves)?;
            }
            frame.sources(&batch.sources)
        })
    }

    /// Appends rows to be merged, however many, as one batch.
    pub fn append_rows(
        &mut self,
        positions: Option<Added<'_, PositionRow>>,
        moves: Option<AddedMoves<'_>>,
        sources: &[Source],
    ) -> Result<u64> {
        self.frame(|frame| {
            positions.map_or(Ok(()), |rows| frame.added(rows))?;
            match moves {
                None => {}
                Some(AddedMoves::Plain(rows)) => frame.added(rows)?,
                Some(AddedMoves::Rated(rows)) => frame.added(rows)?,
            }
            frame.sources(sources)
        })
    }

    /// Writes a frame of whatever parts `fill` gives it, and syncs.
    fn frame(&mut self, fill: impl FnOnce(&mut Frame<'_>) -> Result<()>) -> Result<u64> {
        let sequence = self.next_sequence()?;
        self.begin(sequence)?;
        let Some(file) = self.file.as_deref() else { return Err(self.poisoned()) };
        let start = self.info.bytes;
        let mut frame =
            Frame { file, path: &self.path, at: start + FRAME_HEADER_LEN, crc: crc32fast::Hasher::new(), parts: 0, part: Vec::new() };
        let written = fill(&mut frame).and_then(|()| {
            let length = frame.at - start - FRAME_HEADER_LEN;
            let header = FrameHeader { length, sequence, body_crc: frame.crc.clone().finalize(), parts: frame.parts };
            frame.file.write_all_at(&header.to_bytes(), start).at("write", frame.path)
        });
        let end = frame.at;
        if let Err(error) = written.and_then(|()| file.sync().at("sync", &self.path)) {
            // A part would be taken for a torn tail and cut off by the next writer; but a whole frame that couldn't be synced looks good, and
            // no later sync would make up for that.
            let _ = file.set_len(start);
            if start == HEADER_LEN {
                let _ = retire_journal(self.storage, &self.book);
            }
            return Err(error);
        }
        self.info.bytes = end;
        self.info.sequence = sequence;
        self.info.frames += 1;
        Ok(sequence)
    }

    /// Makes sure that the journal is there, with a durable header and name.
    fn begin(&mut self, first: u64) -> Result<()> {
        if self.file.is_some() {
            return Ok(());
        }
        if self.info.bytes > 0 {
            let file = self.storage.open(&self.path, Missing::Fail).at("open for writing", &self.path)?;
            self.file = Some(file);
        } else {
            let header = JournalHeader { base: self.base, first };
            self.file = Some(create_journal(self.storage, &self.book, &header.to_bytes())?);
            self.info.bytes = HEADER_LEN;
        }
        Ok(())
    }

    fn next_sequence(&self) -> Result<u64> {
        self.info.sequence.checked_add(1).ok_or(Error::Limit { path: self.path.clone(), what: "no sequence is left for another batch" })
    }

    fn poisoned(&self) -> Error {
        Error::Poisoned { path: self.path.clone() }
    }
}

/// Rows to be merged into a book's.
pub(crate) type Added<'a, R> = &'a mut dyn Rows<R>;

/// Moves to be merged into a book's, all with ratings or all without, as the book's.
pub(crate) enum AddedMoves<'a> {
    Plain(Added<'a, MoveRow>),
    Rated(Added<'a, RatedMoveRow>),
}

/// A frame that is being written.
struct Frame<'a> {
    file: &'a dyn StorageFile,
    path: &'a Path,
    at: u64,
    crc: crc32fast::Hasher,
    parts: u32,
    /// The bytes of the part in hand.
    part: Vec<u8>,
}

impl Frame<'_> {
    /// The changes of a batch, made into rows as the book has them, those of one kind after another.
    fn changes<R: Row, T: Row + From<R>>(&mut self, changes: &Changes<R>) -> Result<()> {
        for change in Change::ALL {
            let rows: Vec<T> = changes.values().filter(|delta| delta.change == change).map(|delta| delta.row.into()).collect();
            for rows in rows.chunks(CHUNK) {
                self.rows(change, rows)?;
            }
        }
        Ok(())
    }

    fn added<R: Row>(&mut self, rows: Added<'_, R>) -> Result<()> {
        let mut chunk = Vec::new();
        loop {
            rows.next_chunk(&mut chunk)?;
            if chunk.is_empty() {
                return Ok(());
            }
            self.rows(Change::Add, &chunk)?;
        }
    }

    fn rows<R: Row>(&mut self, change: Change, rows: &[R]) -> Result<()> {
        self.part.clear();
        encode_rows(change, rows, &mut self.part);
        self.write()
    }

    fn sources(&mut self, sources: &[Source]) -> Result<()> {
        if sources.is_empty() {
            return Ok(());
        }
        self.part.clear();
        encode_sources(sources, &mut self.part);
        self.write()
    }

    fn write(&mut self) -> Result<()> {
        self.parts = self.parts.checked_add(1).ok_or(Error::Limit { path: self.path.to_owned(), what: "a batch has too many rows" })?;
        self.crc.update(&self.part);
        self.file.write_all_at(&self.part, self.at).at("write", self.path)?;
        self.at += self.part.len() as u64;
        Ok(())
    }
}
