//! Where a book's bytes come from: a map, a file read with pread, an address, or memory. Two of the engine's
//! few unsafe lines are here.

use crate::platform::{self, Access};
use crate::remote;
use memmap2::Mmap;
use std::fmt;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

/// Bytes that can be read at any offset.
///
/// ```
/// use tabia::bytes::{Bytes, Memory};
///
/// let bytes = Memory(b"TABIA");
/// let mut part = [0; 3];
/// bytes.read_exact_at(&mut part, 2)?;
/// assert_eq!((&part, bytes.len()), (b"BIA", 5));
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait Bytes: Send + Sync {
    /// The number of bytes.
    fn len(&self) -> u64;

    /// All of them, if they are in memory (or mapped).
    fn in_memory(&self) -> Option<&[u8]> {
        None
    }

    /// Fills `bytes` from this offset on.
    ///
    /// # Errors
    /// [`io::ErrorKind::UnexpectedEof`] if there are fewer bytes, and the system's.
    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()>;

    /// The next offset, from this one on, where there may be anything but zeros; the length if
    /// there is none. All bytes before it are zero: the holes of a sparse file are skipped without
    /// being read.
    ///
    /// # Errors
    /// As [`Bytes::read_exact_at`].
    fn next_data(&self, offset: u64) -> io::Result<u64> {
        Ok(offset)
    }

    /// Advises that this part is read all the time, however large the whole is.
    fn keep_at_hand(&self, _part: Range<usize>) {}

    /// Starts reading a part into memory, and doesn't wait for it.
    fn will_need(&self, _part: Range<usize>) {}

    /// Tells that a part is going to be read in order, so that it can be read ahead, but no further.
    fn will_scan(&self, _part: Range<u64>) {}

    /// Whether others were found in their place, so that no more of these can be read.
    fn is_replaced(&self) -> bool {
        false
    }

    /// Whether there are no bytes.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Bytes in memory.
#[derive(Clone, Debug)]
pub struct Memory<B>(pub B);

impl<B: AsRef<[u8]> + Send + Sync> Bytes for Memory<B> {
    fn len(&self) -> u64 {
        self.0.as_ref().len() as u64
    }

    fn in_memory(&self) -> Option<&[u8]> {
        Some(self.0.as_ref())
    }

    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        read_slice(self.0.as_ref(), bytes, offset)
    }
}

/// A file read with pread, or what has an address ([`crate::remote`]): whatever others do to it, the
/// worst is an error.
///
/// ```
/// # let (_folder, path) = tabia_testing::tiny_book();
/// use tabia::Book;
/// use tabia::bytes::{Bytes, Pread};
///
/// let file = Pread::new(std::fs::File::open(&path)?)?;
/// assert!(file.len() > 4096 && file.in_memory().is_none());
/// let book: Book<Pread> = Book::open(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Pread {
    place: Place,
    len: u64,
}

/// Where it is read from.
enum Place {
    File(File),
    Remote(Box<dyn Bytes>),
}

impl Pread {
    /// Reads this file, of the length it has now.
    ///
    /// # Errors
    /// The system's.
    pub fn new(file: File) -> io::Result<Self> {
        let len = file.metadata()?.len();
        Ok(Self { place: Place::File(file), len })
    }

    /// Opens the file that has this path, or what has this address.
    ///
    /// # Errors
    /// The system's; [`io::ErrorKind::InvalidInput`] for a folder, a pipe or a device; those of [`crate::remote::Store::open`].
    pub fn open(path: &Path) -> io::Result<Self> {
        match remote::open(path) {
            Some(opened) => {
                opened.map(|bytes| Self { len: bytes.len(), place: Place::Remote(bytes) })
            }
            None => platform::regular_file(path).and_then(Self::new),
        }
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(file) => file.fmt(f),
            Self::Remote(_) => f.write_str("Remote"),
        }
    }
}

impl Bytes for Pread {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        match &self.place {
            Place::File(file) => platform::read_exact_at(file, bytes, offset),
            Place::Remote(remote) => remote.read_exact_at(bytes, offset),
        }
    }

    fn next_data(&self, offset: u64) -> io::Result<u64> {
        let Place::File(file) = &self.place else { return Ok(offset) };
        match platform::next_data(file, offset)? {
            Some(data) => Ok(data.clamp(offset, self.len.max(offset))),
            None if file.metadata()?.len() < self.len => Err(io::ErrorKind::UnexpectedEof.into()),
            None => Ok(self.len.max(offset)),
        }
    }

    fn will_need(&self, part: Range<usize>) {
        match &self.place {
            Place::File(file) => platform::will_need_of_file(file, part),
            Place::Remote(remote) => remote.will_need(part),
        }
    }

    fn will_scan(&self, part: Range<u64>) {
        if let Place::Remote(remote) = &self.place {
            remote.will_scan(part);
        }
    }

    fn is_replaced(&self) -> bool {
        matches!(&self.place, Place::Remote(remote) if remote.is_replaced())
    }
}

/// A file that is taken to go on with zeros behind its end, as a damaged one that was cut off is
/// read for what is left.
///
/// ```
/// use tabia::bytes::{Bytes, Pread, ZeroTail};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("cut");
/// std::fs::write(&path, "TAB")?;
/// let cut = ZeroTail::new(Pread::new(std::fs::File::open(&path)?)?, 5);
/// let mut bytes = [1; 4];
/// cut.read_exact_at(&mut bytes, 1)?;
/// assert_eq!((&bytes, cut.len(), cut.there()), (b"AB\0\0", 5, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ZeroTail {
    file: Pread,
    len: u64,
}

impl ZeroTail {
    /// This file, taken to have so many bytes.
    #[must_use]
    pub fn new(file: Pread, len: u64) -> Self {
        Self { file, len }
    }

    /// How many bytes the file has.
    #[must_use]
    pub fn there(&self) -> u64 {
        self.file.len()
    }
}

impl Bytes for ZeroTail {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        let there = self.there().saturating_sub(offset).min(bytes.len() as u64) as usize;
        let (there, missing) = bytes.split_at_mut(there);
        missing.fill(0);
        self.file.read_exact_at(there, offset)
    }
}

/// A file mapped read-only.
///
/// ```
/// # let (_folder, path) = tabia_testing::tiny_book();
/// use tabia::bytes::Map;
/// use tabia::{Book, Row};
///
/// // SAFETY: nobody writes to the file; Tabia itself replaces books and never changes them.
/// let book: Book<Map> = unsafe { Book::map(&path)? };
/// assert_eq!(book.position(42)?.map(|row| row.counts().wins), Some(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Map {
    map: Mmap,
    warm: bool,
}

impl Map {
    /// Maps this file as one that may be larger than memory: what is touched is read, a page at a
    /// time.
    ///
    /// # Errors
    /// The system's.
    ///
    /// # Safety
    /// As long as the map lives, no process may write to the file or truncate it. Tabia itself
    /// never does: books are replaced, not changed.
    #[expect(
        unsafe_code,
        reason = "mapping a file is unsafe by its nature; the caller takes the contract on"
    )]
    pub unsafe fn new(file: &File) -> io::Result<Self> {
        // SAFETY: the caller promises that the file is neither written to nor cut short while the
        // map lives.
        Self::of(unsafe { Mmap::map(file)? }, Access::Random, false)
    }

    fn of(map: Mmap, access: Access, warm: bool) -> io::Result<Self> {
        platform::advise(&map, access)?;
        Ok(Self { map, warm })
    }

    /// Maps this file and reads all of it into memory, into huge pages where the system has them
    /// for files; what is in memory already stays in the pages it is in. Where the file can't be
    /// read ahead it is mapped all the same.
    ///
    /// # Errors
    /// The system's.
    ///
    /// # Safety
    /// As [`Map::new`].
    #[expect(
        unsafe_code,
        reason = "mapping a file is unsafe by its nature; the caller takes the contract on"
    )]
    pub unsafe fn warm(file: &File) -> io::Result<Self> {
        // SAFETY: as above.
        Self::of(unsafe { Mmap::map(file)? }, Access::Whole, true)
    }

    /// Maps another file in the same way.
    ///
    /// # Errors
    /// The system's.
    ///
    /// # Safety
    /// As [`Map::new`].
    #[expect(
        unsafe_code,
        reason = "mapping a file is unsafe by its nature; the caller takes the contract on"
    )]
    pub(crate) unsafe fn again(&self, file: &File) -> io::Result<Self> {
        // SAFETY: the caller promises what both ask for.
        unsafe { if self.warm { Self::warm(file) } else { Self::new(file) } }
    }
}

impl Bytes for Map {
    fn len(&self) -> u64 {
        self.map.len() as u64
    }

    /// Has the part read two megabytes at a time, where the system has huge pages for files.
    fn keep_at_hand(&self, part: Range<usize>) {
        platform::keep_at_hand(&self.map, part);
    }

    fn will_need(&self, part: Range<usize>) {
        platform::will_need(&self.map, part);
    }

    fn in_memory(&self) -> Option<&[u8]> {
        Some(&self.map)
    }

    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        read_slice(&self.map, bytes, offset)
    }
}

fn read_slice(all: &[u8], bytes: &mut [u8], offset: u64) -> io::Result<()> {
    let start = usize::try_from(offset).map_err(|_| io::ErrorKind::UnexpectedEof)?;
    let part = all
        .get(start..)
        .and_then(|rest| rest.get(..bytes.len()))
        .ok_or(io::ErrorKind::UnexpectedEof)?;
    bytes.copy_from_slice(part);
    Ok(())
}
