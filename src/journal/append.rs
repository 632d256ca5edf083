//! Writing a journal: a frame's parts first, then its header, then one sync; only then is the batch
//! acknowledged.

use super::batch::{Batch, Changes};
use super::deltas::Change;
use super::frame::{
    FRAME_HEADER_LEN, FrameHeader, HEADER_LEN, JournalHeader, Salt, encode_facts, encode_rows,
    encode_sources,
};
use super::layout::{Layout, Layouts};
use super::parts::MOST_ENTRIES;
use super::window::STEP;
use super::{JournalInfo, journal_path};
use crate::error::{Context, Error, Result};
use crate::format::Rule;
use crate::format::{Fact, Header, Source};
use crate::publish::{AtomicFile, Existing, create_journal, remove_journal};
use crate::row::{MoveRow, PositionRow, Row};
use crate::storage::{Missing, Storage, StorageFile};
use crate::stream::{Chunk, Rows};
use std::path::{Path, PathBuf};

/// A journal that is being written. Its owner holds the lock of its book.
pub(crate) struct Journal<'a> {
    storage: &'a dyn Storage,
    book: PathBuf,
    path: PathBuf,
    header: JournalHeader,
    /// The columns of the book.
    layouts: Layouts,
    /// Open from the first batch on.
    file: Option<Box<dyn StorageFile>>,
    info: JournalInfo,
    /// Whether a batch failed and may be in it nevertheless.
    uncertain: bool,
}

impl<'a> Journal<'a> {
    /// The journal of the book with this header, as `info` says that it is. If there is one, it is
    /// made sure that its last frame is durable, and a torn tail is cut off.
    pub fn open(
        storage: &'a dyn Storage,
        book: &Path,
        of: &Header,
        info: JournalInfo,
    ) -> Result<Self> {
        let next = || JournalHeader::new(of.digest, info.sequence.wrapping_add(1));
        let header = info.header.unwrap_or_else(next);
        let layouts = Layouts::of(of);
        let mut journal = Self {
            storage,
            book: book.to_owned(),
            path: journal_path(book),
            header,
            layouts,
            file: None,
            info,
            uncertain: false,
        };
        if journal.info.bytes > 0 {
            let file =
                storage.open(&journal.path, Missing::Fail).at("open for writing", &journal.path)?;
            if journal.info.torn > 0 {
                file.set_len(journal.info.bytes).at("cut its torn tail", &journal.path)?;
            }
            journal.renew(&*file)?;
            file.sync().at("sync", &journal.path)?;
            journal.info.torn = 0;
            journal.file = Some(file);
        }
        Ok(journal)
    }

    /// Writes the last frame once more, the same bytes in the same place; the header if there is no
    /// frame.
    ///
    /// That it can be read proves nothing: its writer may have failed to sync it, and no later sync
    /// makes up for that unless the frame is written again. This concerns the last frame only,
    /// since each is begun when the one before it is durable.
    fn renew(&self, file: &dyn StorageFile) -> Result<()> {
        if self.info.frames == 0 {
            return file.write_all_at(&self.header.to_bytes(), 0).at("write", &self.path);
        }
        let mut start = [0; FRAME_HEADER_LEN as usize];
        file.read_exact_at(&mut start, self.info.last).at("read", &self.path)?;
        let right = FrameHeader::parse(&start, self.header.salt())
            .filter(|right| right.crc == self.info.previous);
        let right = right.ok_or_else(|| self.changed())?;
        file.write_all_at(&start, self.info.last).at("write", &self.path)?;
        let mut crc = crc32fast::Hasher::new();
        let mut at = self.info.last + FRAME_HEADER_LEN;
        let mut buffer = vec![0; (self.info.bytes - at).min(STEP) as usize];
        while at < self.info.bytes {
            let step = (self.info.bytes - at).min(STEP) as usize;
            let step = &mut buffer[..step];
            file.read_exact_at(step, at).at("read", &self.path)?;
            crc.update(step);
            file.write_all_at(step, at).at("write", &self.path)?;
            at += step.len() as u64;
        }
        if crc.finalize() == right.header.body_crc { Ok(()) } else { Err(self.changed()) }
    }

    /// What was read a moment ago is not there any more.
    fn changed(&self) -> Error {
        let what = "its last frame changed while it was read".to_owned();
        Error::Damaged { path: self.path.clone(), rule: Rule::J5, offset: self.info.last, what }
    }

    /// What is in it.
    pub fn info(&self) -> &JournalInfo {
        &self.info
    }

    /// Whether a batch failed and may be in it nevertheless: it could not be cut off.
    pub fn is_uncertain(&self) -> bool {
        self.uncertain
    }

    /// Appends a batch and makes it durable; its sequence is returned.
    pub fn append(&mut self, batch: &Batch) -> Result<u64> {
        self.frame(|frame| {
            frame.changes(&batch.positions)?;
            frame.changes(&batch.moves)?;
            frame.sources(&batch.sources)?;
            frame.facts(&batch.facts)
        })
    }

    /// Appends rows to be merged, however many, as one batch. They have cells of the columns of the
    /// book that this code knows.
    pub fn append_rows(
        &mut self,
        positions: Option<Added<'_, PositionRow>>,
        moves: Option<Added<'_, MoveRow>>,
        sources: &[Source],
        facts: &[Fact],
    ) -> Result<u64> {
        self.frame(|frame| {
            positions.map_or(Ok(()), |rows| frame.added(rows))?;
            moves.map_or(Ok(()), |rows| frame.added(rows))?;
            frame.sources(sources)?;
            frame.facts(facts)
        })
    }

    /// Writes a frame of whatever parts `fill` gives it, and syncs.
    fn frame(&mut self, fill: impl FnOnce(&mut Frame<'_>) -> Result<()>) -> Result<u64> {
        let sequence = self.next_sequence()?;
        self.begin()?;
        let Some(file) = self.file.as_deref() else { return Err(self.poisoned()) };
        let start = self.info.bytes;
        let mut frame = Frame {
            file,
            path: &self.path,
            layouts: &self.layouts,
            at: start + FRAME_HEADER_LEN,
            crc: crc32fast::Hasher::new(),
            parts: 0,
            buffer: Vec::new(),
            entries: self.info.entries,
        };
        let (previous, salt) = (self.info.previous, self.header.salt());
        let written = fill(&mut frame).and_then(|()| frame.finish(start, sequence, previous, salt));
        let (end, entries) = (frame.at, frame.entries);
        let crc = match written.and_then(|crc| file.sync().at("sync", &self.path).map(|()| crc)) {
            Ok(crc) => crc,
            Err(error) => {
                // A part would be taken for a torn tail and cut off by the next writer, and a whole
                // frame that couldn't be synced would be written again by it; but it was never
                // acknowledged.
                self.uncertain = file.set_len(start).is_err();
                if start == HEADER_LEN && remove_journal(self.storage, &self.book).is_ok() {
                    self.uncertain = false;
                }
                return Err(error);
            }
        };
        let (frames, header) = (self.info.frames + 1, Some(self.header));
        self.info = JournalInfo {
            frames,
            bytes: end,
            sequence,
            torn: 0,
            header,
            last: start,
            previous: crc,
            entries,
        };
        Ok(sequence)
    }

    /// Takes the last frame back: a journal without it takes the place of this one; where no frame
    /// is left there is no journal. This one can't be written to any more.
    ///
    /// The file itself is left as it is: readers may be in the middle of it, and a frame that was
    /// acknowledged is never cut off.
    pub fn take_back(&mut self) -> Result<()> {
        if self.info.frames <= 1 {
            return remove_journal(self.storage, &self.book);
        }
        let Some(file) = self.file.take() else { return Err(self.poisoned()) };
        let target = AtomicFile::create(self.storage, &self.path)?;
        target.write_from(&*file, Some(self.info.last)).at("copy", &self.path)?;
        target.publish(Existing::Replace).map(drop)
    }

    /// Makes sure that the journal is there, with a durable header and name.
    fn begin(&mut self) -> Result<()> {
        if self.file.is_none() {
            let file = create_journal(self.storage, &self.book, &self.header.to_bytes())?;
            (self.info.bytes, self.info.previous) = (HEADER_LEN, self.header.crc());
            self.file = Some(file);
        }
        Ok(())
    }

    /// The sequence that the next batch will have.
    pub fn next_sequence(&self) -> Result<u64> {
        self.info.sequence.checked_add(1).ok_or(Error::Limit {
            path: self.path.clone(),
            what: "no sequence is left for another batch",
        })
    }

    fn poisoned(&self) -> Error {
        Error::Poisoned { path: self.path.clone() }
    }
}

/// Rows to be merged into a book's.
pub(crate) type Added<'a, R> = &'a mut dyn Rows<R>;

/// A frame that is being written: parts are gathered, and written a step at a time.
struct Frame<'a> {
    file: &'a dyn StorageFile,
    path: &'a Path,
    layouts: &'a Layouts,
    /// Where the buffer's bytes go.
    at: u64,
    /// Of what has been written.
    crc: crc32fast::Hasher,
    parts: u32,
    buffer: Vec<u8>,
    /// Bytes of sources and facts, with those of the frames before.
    entries: u64,
}

impl Frame<'_> {
    /// The changes of a batch, those of one kind after another.
    fn changes<R: Row>(&mut self, changes: &Changes<R>) -> Result<()> {
        let layout = self.layouts.table(R::TABLE);
        for change in Change::ALL {
            let mut chunk = Chunk::new(layout.columns);
            for (delta, cells) in changes.values().filter(|(delta, _)| delta.change == change) {
                chunk.push(delta.row, cells);
            }
            if change == Change::Put && !chunk.is_empty() && layout.has_unknown() {
                return Err(self.too_much(
                    "the book has a column that this program doesn't know: it can't replace a row",
                ));
            }
            self.rows(change, &chunk, chunk.len())?;
        }
        Ok(())
    }

    /// Rows to be merged, in parts as large as can be, however few come at a time.
    fn added<R: Row>(&mut self, rows: Added<'_, R>) -> Result<()> {
        let most = rows_of_part(self.layouts.table(R::TABLE));
        let mut gathered = Chunk::new(rows.columns());
        rows.each_chunk(|chunk| -> Result<()> {
            gathered.extend(chunk, 0..chunk.len());
            let ready = gathered.len() - gathered.len() % most;
            if ready > 0 {
                self.rows(Change::Add, &gathered, ready)?;
                gathered.drop_first(ready);
            }
            Ok(())
        })?;
        self.rows(Change::Add, &gathered, gathered.len())
    }

    /// Parts of the same change of the first rows of a chunk.
    fn rows<R: Row>(&mut self, change: Change, chunk: &Chunk<R>, count: usize) -> Result<()> {
        let layout = self.layouts.table(R::TABLE);
        let stride = layout.columns.stride();
        for (number, rows) in chunk.rows()[..count].chunks(rows_of_part(layout)).enumerate() {
            let first = number * rows_of_part(layout);
            let cells = &chunk.cells()[first * stride..(first + rows.len()) * stride];
            encode_rows(change, rows, cells, layout, &mut self.buffer);
            self.end_part()?;
        }
        Ok(())
    }

    fn sources(&mut self, sources: &[Source]) -> Result<()> {
        if sources.is_empty() {
            Ok(())
        } else {
            self.entries(|bytes| encode_sources(sources, bytes))
        }
    }

    fn facts(&mut self, facts: &[Fact]) -> Result<()> {
        if facts.is_empty() { Ok(()) } else { self.entries(|bytes| encode_facts(facts, bytes)) }
    }

    /// A part of sources or facts, if the journal has room for it.
    fn entries(&mut self, encode: impl FnOnce(&mut Vec<u8>)) -> Result<()> {
        let before = self.buffer.len();
        encode(&mut self.buffer);
        self.entries += (self.buffer.len() - before) as u64;
        if self.entries > MOST_ENTRIES {
            return Err(self.too_much("the journal has no room for more sources: compact it, or merge books into a new one"));
        }
        self.end_part()
    }

    /// Counts the part that was put into the buffer, and writes the buffer if it is full.
    fn end_part(&mut self) -> Result<()> {
        self.parts =
            self.parts.checked_add(1).ok_or_else(|| self.too_much("a batch has too many rows"))?;
        if self.buffer.len() as u64 >= STEP { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        self.crc.update(&self.buffer);
        self.file.write_all_at(&self.buffer, self.at).at("write", self.path)?;
        self.at += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// Writes what is left, and then the header, at `start`; its checksum is returned.
    fn finish(&mut self, start: u64, sequence: u64, previous: u32, salt: Salt) -> Result<u32> {
        self.flush()?;
        let length = self.at - start - FRAME_HEADER_LEN;
        let header = FrameHeader {
            length,
            sequence,
            body_crc: self.crc.clone().finalize(),
            parts: self.parts,
            previous,
        };
        let (bytes, crc) = header.to_bytes(salt);
        self.file.write_all_at(&bytes, start).at("write", self.path)?;
        Ok(crc)
    }

    fn too_much(&self, what: &'static str) -> Error {
        Error::Limit { path: self.path.to_owned(), what }
    }
}

/// How many rows a part has at most: a step of them with their cells.
fn rows_of_part(layout: &Layout) -> usize {
    (STEP / layout.row_size()) as usize
}
