//! Reading a journal: whether it is this book's at all, and what it says. Rules J-1 to J-3 and J-7
//! to J-9; `frames` reads its frames.

use super::frame::{Fault, HEADER_LEN, JournalHeader, may_be_unfinished};
use super::frames::frames;
use super::layout::Layouts;
use super::overlay::{Layered, Overlay};
use super::parts::Unsound;
use super::window::Window;
use super::{JournalInfo, journal_path};
use crate::bytes::{Bytes, Pread};
use crate::error::{Context, Error, Result};
use crate::format::Rule;
use crate::format::{Digest, Header, Source};
use crate::row::{MoveRow, PositionRow, Row};
use std::io;
use std::path::Path;

/// How a book's journal is.
#[expect(clippy::large_enum_variant, reason = "there is one at a time, and most are live")]
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

/// Reads the journal of a book with this header.
pub(crate) fn recover(book: &Path, header: &Header) -> Result<State> {
    read(book, header, true)
}

/// Reads the journal of a book with this header only to know what it is and where it ends: all of
/// it is checked, but no more rows than those of a frame are in memory at a time.
pub(crate) fn survey(book: &Path, header: &Header) -> Result<State> {
    read(book, header, false)
}

fn read(book: &Path, header: &Header, keeps_rows: bool) -> Result<State> {
    let path = journal_path(book);
    let Some(bytes) = open(&path)? else { return Ok(State::Absent { file: false }) };
    let Some(start) = read_header(&bytes, &path)? else { return Ok(State::Absent { file: true }) };
    let of_parent = start.base == header.parent && header.parent != Digest::NONE;
    let lives = start.base == header.digest;
    if !lives && !of_parent {
        return Err(Error::ForeignJournal { path, base: start.base, digest: header.digest });
    }
    let (mut overlay, layouts) = (Overlay::of(header), Layouts::of(header));
    let mut info = JournalInfo {
        sequence: start.first.wrapping_sub(1),
        bytes: HEADER_LEN,
        header: Some(start),
        previous: start.crc(),
        ..JournalInfo::default()
    };
    let damaged = |fault: Fault, offset| Unsound::Fault(fault).at(offset, &path);
    info.entries = frames(&bytes, &path, &start, |offset, frame| {
        let frame = match frame {
            Ok(good) => good,
            Err(fault) if fault.torn => {
                info.torn = bytes.len() - offset;
                return Ok(());
            }
            Err(fault) => return Err(damaged((fault.rule, fault.what), offset)),
        };
        (info.sequence, info.last, info.bytes, info.previous) =
            (frame.header.sequence, offset, frame.end(), frame.crc);
        info.frames += 1;
        if lives && frame.header.sequence > header.sequence {
            let pushed = overlay.push_frame(frame.parts(&layouts));
            pushed.map_err(|unsound| unsound.at(offset, &path))?;
            if !keeps_rows {
                check_tables(&overlay, header, book)?;
                overlay.forget_rows();
            }
        }
        Ok(())
    })?;
    let next = header.sequence.checked_add(1);
    if info.sequence <= header.sequence && (!lives || Some(start.first) != next) {
        return Ok(State::Stale);
    }
    if !lives {
        return Err(damaged(
            (Rule::J3, "it extends the book's parent, but goes beyond what the book holds"),
            48,
        ));
    }
    if next.is_none_or(|next| start.first > next) {
        return Err(damaged((Rule::J4, "its first sequence doesn't follow the book's"), 0));
    }
    check_tables(&overlay, header, book)?;
    overlay.settle();
    Ok(State::Live(overlay, info))
}

/// J-8: changed rows need a table.
pub(crate) fn check_tables(overlay: &Overlay, header: &Header, book: &Path) -> Result<()> {
    check_table::<PositionRow>(overlay, header, book)?;
    check_table::<MoveRow>(overlay, header, book)
}

fn check_table<R: Layered>(overlay: &Overlay, header: &Header, book: &Path) -> Result<()> {
    if overlay.spares::<R>() || header.table(R::TABLE).is_some() {
        return Ok(());
    }
    Err(Error::NoTable { path: book.to_owned(), table: <R as Row>::TABLE })
}

/// The base and last sequence of the journal beside this path, if one can be read. A book that
/// replaces the journal's book has to record them as held.
pub(crate) fn last_sequence(book: &Path) -> Option<(Digest, u64)> {
    let (bytes, start) = read_journal(book).ok()??;
    let mut last = start.first.wrapping_sub(1);
    let counted = frames(&bytes, book, &start, |_, frame| {
        if let Ok(frame) = frame {
            last = frame.header.sequence;
        }
        Ok(())
    });
    counted.ok().map(|_| (start.base, last))
}

/// The archives that the last frame of a journal brought.
pub(crate) fn last_sources(book: &Path, header: &Header) -> Result<Vec<Source>> {
    let Some((bytes, start)) = read_journal(book)? else { return Ok(Vec::new()) };
    let (path, layouts, mut last) = (journal_path(book), Layouts::of(header), Vec::new());
    frames(&bytes, &path, &start, |offset, frame| {
        if let Ok(frame) = frame {
            let mut alone = Overlay::of(header);
            let pushed = alone.push_frame(frame.parts(&layouts));
            pushed.map_err(|unsound| unsound.at(offset, &path))?;
            last = alone.sources;
        }
        Ok(())
    })?;
    Ok(last)
}

/// Whether there is no journal beside this path, or one without a frame.
pub(crate) fn holds_nothing(book: &Path) -> bool {
    read_journal(book)
        .is_ok_and(|journal| journal.is_none_or(|(bytes, _)| bytes.len() == HEADER_LEN))
}

/// Opens the journal of a book and reads its header; none if there is no journal, or its creation
/// never finished.
pub(crate) fn read_journal(book: &Path) -> Result<Option<(Pread, JournalHeader)>> {
    let path = journal_path(book);
    let Some(bytes) = open(&path)? else { return Ok(None) };
    let header = read_header(&bytes, &path)?;
    Ok(header.map(|header| (bytes, header)))
}

fn open(path: &Path) -> Result<Option<Pread>> {
    match Pread::open(path) {
        Ok(bytes) => Ok(Some(bytes)),
        // A link that leads nowhere says that there is a journal, or was; and what is written
        // through it comes to stand who knows where.
        Err(error)
            if error.kind() == io::ErrorKind::NotFound && std::fs::read_link(path).is_err() =>
        {
            Ok(None)
        }
        Err(error) => Err(error).at("open", path),
    }
}

/// A journal's header; none if its creation never finished: it is synced before its first frame is
/// written, so there are no frames then.
fn read_header(bytes: &dyn Bytes, path: &Path) -> Result<Option<JournalHeader>> {
    let mut start = [0; HEADER_LEN as usize];
    let there = bytes.len().min(HEADER_LEN) as usize;
    bytes.read_exact_at(&mut start[..there], 0).at("read", path)?;
    let whole = bytes.len() >= HEADER_LEN;
    let (rule, what) = match JournalHeader::parse(&start) {
        Ok(header) if whole => return Ok(Some(header)),
        _ if bytes.len() <= HEADER_LEN && may_be_unfinished(&start[..there]) => return Ok(None),
        Err(fault) if whole => fault,
        _ => (Rule::J1, "it is neither a journal nor the beginning of one"),
    };
    if start.iter().all(|&byte| byte == 0) && Window::new(bytes).is_zero().at("read", path)? {
        return Ok(None);
    }
    Err(Error::Damaged { path: path.to_owned(), rule, offset: 0, what: what.to_owned() })
}
