//! Reading a journal: which of its frames hold, whether its tail is torn, whether it is this book's at all. Rules J-1 to J-8.

use super::frame::{FRAME_HEADER_LEN, Fault, FrameHeader, HEADER_LEN, JournalHeader, Part, decode_part, may_be_unfinished};
use super::overlay::{Layered, Overlay};
use super::{JournalInfo, journal_path};
use crate::bytes::{Bytes, Pread};
use crate::error::{Context, Error, Result};
use crate::format::{Digest, Header, Rule};
use crate::row::{MoveRow, PositionRow, Row};
use std::fs::File;
use std::io;
use std::path::Path;

/// How a book's journal is.
pub(crate) enum State {
    /// There is none, or its creation never finished.
    Absent {
        /// Whether there is a file.
        file: bool,
    },
    /// All it holds is in the book already (J-3).
    Stale,
    /// It extends the book.
    Live(Overlay, JournalInfo),
}

/// A frame that doesn't hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FrameFault {
    pub rule: Rule,
    pub what: &'static str,
    /// Whether it is the torn tail of the journal, which was never acknowledged, and not a damaged frame.
    pub torn: bool,
}

/// Reads the journal of a book with this header.
pub(crate) fn recover(book: &Path, header: &Header) -> Result<State> {
    read(book, header, true)
}

/// The same for one who only wants to know what it is and where it ends: all of it is checked, but of its rows no more than a frame's are in
/// memory at a time.
pub(crate) fn survey(book: &Path, header: &Header) -> Result<State> {
    read(book, header, false)
}

fn read(book: &Path, header: &Header, keeps_rows: bool) -> Result<State> {
    let path = journal_path(book);
    let Some(bytes) = open(&path)? else { return Ok(State::Absent { file: false }) };
    let Some(start) = read_header(&bytes, &path)? else { return Ok(State::Absent { file: true }) };
    let of_parent = start.base == header.parent && header.parent != Digest::NONE;
    if start.base != header.digest && !of_parent {
        return Err(Error::ForeignJournal { path, base: start.base, digest: header.digest });
    }
    let mut overlay = Overlay::of(header);
    let mut info = JournalInfo { sequence: start.first.wrapping_sub(1), bytes: HEADER_LEN, ..JournalInfo::default() };
    let damaged = |(rule, what): Fault, offset| Error::Damaged { path: path.clone(), rule, offset, what: what.to_owned() };
    frames(&bytes, &path, start.first, |offset, frame| {
        let (header_of_frame, body) = match frame {
            Ok(good) => good,
            Err(fault) if fault.torn => {
                info.torn = bytes.len() - offset;
                return Ok(());
            }
            Err(fault) => return Err(damaged((fault.rule, fault.what), offset)),
        };
        if header_of_frame.sequence > header.sequence {
            overlay.push_frame(parts(body, header_of_frame.parts)).map_err(|fault| damaged(fault, offset))?;
            if !keeps_rows {
                check_tables(&overlay, header, book)?;
                overlay.forget_rows();
            }
        }
        info.sequence = header_of_frame.sequence;
        info.bytes = offset + FRAME_HEADER_LEN + header_of_frame.length;
        info.frames += 1;
        Ok(())
    })?;
    let next = header.sequence.checked_add(1);
    if info.sequence <= header.sequence && (start.base != header.digest || Some(start.first) != next) {
        return Ok(State::Stale);
    }
    if start.base != header.digest {
        return Err(damaged(("J-3", "it extends the book's parent, but goes beyond what the book holds"), 48));
    }
    if next.is_none_or(|next| start.first > next) {
        return Err(damaged(("J-4", "its first sequence doesn't follow the book's"), 0));
    }
    check_tables(&overlay, header, book)?;
    overlay.settle();
    Ok(State::Live(overlay, info))
}

/// J-8: changed rows need a table. (Where moves have ratings there is one.)
fn check_tables(overlay: &Overlay, header: &Header, book: &Path) -> Result<()> {
    check_table::<PositionRow>(overlay, header, book)?;
    check_table::<MoveRow>(overlay, header, book)
}

fn check_table<R: Layered>(overlay: &Overlay, header: &Header, book: &Path) -> Result<()> {
    if overlay.spares::<R>() || header.table(R::TABLE).is_some() {
        return Ok(());
    }
    Err(Error::NoTable { path: book.to_owned(), table: <R as Row>::TABLE })
}

/// The base and last sequence of whatever journal stands beside this path, if one can be read: what has to be marked as held by a book that
/// replaces its book.
pub(crate) fn last_sequence(book: &Path) -> Option<(Digest, u64)> {
    let (bytes, start) = read_journal(book).ok()??;
    let mut last = start.first.wrapping_sub(1);
    let counted = frames(&bytes, book, start.first, |_, frame| {
        if let Ok((header, _)) = frame {
            last = header.sequence;
        }
        Ok(())
    });
    counted.ok().map(|()| (start.base, last))
}

/// Whether no journal stands beside this path, or one without a frame.
pub(crate) fn holds_nothing(book: &Path) -> bool {
    read_journal(book).is_ok_and(|journal| journal.is_none_or(|(bytes, _)| bytes.len() == HEADER_LEN))
}

/// Opens the journal of a book and reads its header; none if there is no journal, or its creation never finished.
pub(crate) fn read_journal(book: &Path) -> Result<Option<(Pread, JournalHeader)>> {
    let path = journal_path(book);
    let Some(bytes) = open(&path)? else { return Ok(None) };
    let header = read_header(&bytes, &path)?;
    Ok(header.map(|header| (bytes, header)))
}

fn open(path: &Path) -> Result<Option<Pread>> {
    match File::open(path).and_then(Pread::new) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).at("open", path),
    }
}

/// A journal's header; none if its creation never finished.
fn read_header(bytes: &dyn Bytes, path: &Path) -> Result<Option<JournalHeader>> {
    let mut start = [0; HEADER_LEN as usize];
    let there = bytes.len().min(HEADER_LEN) as usize;
    bytes.read_exact_at(&mut start[..there], 0).at("read", path)?;
    match JournalHeader::parse(&start) {
        Ok(header) => Ok(Some(header)),
        // A journal's header is synced before its first frame is written: one that is not whole has no frames behind it.
        Err(_) if bytes.len() < HEADER_LEN => Ok(None),
        Err(fault) if bytes.len() == HEADER_LEN && may_be_unfinished(fault) => Ok(None),
        Err(_) if start == [0; HEADER_LEN as usize] && is_zero(bytes).at("read", path)? => Ok(None),
        Err((rule, what)) => Err(Error::Damaged { path: path.to_owned(), rule, offset: 0, what: what.to_owned() }),
    }
}

fn is_zero(bytes: &dyn Bytes) -> io::Result<bool> {
    let mut buffer = [0; 1 << 12];
    let mut at = 0;
    while at < bytes.len() {
        let len = (bytes.len() - at).min(buffer.len() as u64) as usize;
        bytes.read_exact_at(&mut buffer[..len], at)?;
        if buffer[..len].iter().any(|&byte| byte != 0) {
            return Ok(false);
        }
        at += len as u64;
    }
    Ok(true)
}

/// How many damaged frames are looked behind. A frame's length is believed if its header is sound, and its whole body read: a file made of nothing
/// but headers would cost the square of its length.
const MOST_FAULTS: u64 = 1000;

/// Goes through a journal's frames: `visit` is called with the offset of each and what it is, a good frame or a fault. After a damaged frame
/// it goes on with the next good one; a torn tail is the last.
pub(crate) fn frames(
    bytes: &dyn Bytes,
    path: &Path,
    first: u64,
    mut visit: impl FnMut(u64, std::result::Result<(FrameHeader, &[u8]), FrameFault>) -> Result<()>,
) -> Result<()> {
    let mut offset = HEADER_LEN;
    let mut sequence = first;
    let mut body = Vec::new();
    let mut faults = 0;
    while offset < bytes.len() {
        match read_frame(bytes, offset, &mut body).at("read", path)? {
            Ok(header) if header.sequence == sequence => {
                visit(offset, Ok((header, &body)))?;
                offset += FRAME_HEADER_LEN + header.length;
                sequence = sequence.wrapping_add(1);
            }
            other => {
                let fault = other.map_or_else(|fault| fault, |_| ("J-4", "a frame's sequence is not the next"));
                let next = next_frame(bytes, offset, sequence).at("read", path)?;
                let gap = fault.0 == "J-5" && next.as_ref().is_some_and(|(_, header)| header.sequence == sequence);
                let fault = if gap { ("J-4", "there is a gap between two frames") } else { fault };
                let torn = next.is_none() && fault.0 == "J-5";
                visit(offset, Err(FrameFault { rule: fault.0, what: fault.1, torn }))?;
                faults += 1;
                let Some((found, header)) = next.filter(|_| faults < MOST_FAULTS) else { return Ok(()) };
                (offset, sequence) = (found, header.sequence);
            }
        }
    }
    Ok(())
}

/// Reads the frame at this offset and its body.
fn read_frame(bytes: &dyn Bytes, offset: u64, body: &mut Vec<u8>) -> io::Result<std::result::Result<FrameHeader, Fault>> {
    let left = bytes.len() - offset;
    if left < FRAME_HEADER_LEN {
        return Ok(Err(("J-5", "a frame's header is cut off")));
    }
    let mut header = [0; FRAME_HEADER_LEN as usize];
    bytes.read_exact_at(&mut header, offset)?;
    let Some(header) = FrameHeader::parse(&header) else { return Ok(Err(("J-5", "a frame's header is damaged"))) };
    if header.length > left - FRAME_HEADER_LEN {
        return Ok(Err(("J-5", "a frame is cut off")));
    }
    body.resize(header.length as usize, 0);
    bytes.read_exact_at(body, offset + FRAME_HEADER_LEN)?;
    if crc32fast::hash(body) != header.body_crc {
        return Ok(Err(("J-5", "a frame's checksum is wrong")));
    }
    Ok(Ok(header))
}

/// The next frame header behind this offset with a later sequence: what tells a damaged frame from a torn tail.
fn next_frame(bytes: &dyn Bytes, offset: u64, sequence: u64) -> io::Result<Option<(u64, FrameHeader)>> {
    const STEP: usize = 1 << 16;
    let mut buffer = vec![0; STEP + FRAME_HEADER_LEN as usize];
    let mut at = offset + 8;
    while at + FRAME_HEADER_LEN <= bytes.len() {
        let len = (bytes.len() - at).min(buffer.len() as u64) as usize;
        bytes.read_exact_at(&mut buffer[..len], at)?;
        for (index, window) in buffer[..len].windows(FRAME_HEADER_LEN as usize).enumerate().step_by(8).take(STEP / 8) {
            let header = window.try_into().ok().and_then(FrameHeader::parse);
            if let Some(header) = header.filter(|header| header.sequence >= sequence) {
                return Ok(Some((at + index as u64, header)));
            }
        }
        at += STEP as u64;
    }
    Ok(None)
}

/// The parts of a frame's body.
pub(crate) fn parts(body: &[u8], count: u32) -> impl Iterator<Item = std::result::Result<Part<'_>, Fault>> {
    let mut rest = Some(body);
    let mut left = count;
    std::iter::from_fn(move || {
        let body = rest.take()?;
        if left == 0 {
            return (!body.is_empty()).then_some(Err(("J-5", "bytes follow the last part of a frame")));
        }
        left -= 1;
        match decode_part(body) {
            Ok((part, behind)) => {
                rest = Some(behind);
                Some(Ok(part))
            }
            Err(fault) => Some(Err(fault)),
        }
    })
}
