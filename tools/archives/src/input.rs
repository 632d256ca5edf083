//! Reading an archive's bytes: its compression, recognized by content, a digest of its contents,
//! and the sound part of a truncated one.

use crate::compression::Compression;
use crate::error::ArchiveError;
use crate::foreign;
use crate::format::Format;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use xxhash_rust::xxh3::Xxh3;

/// Bytes of the start by which a file is judged.
const START: usize = 4096;
/// Bytes that a decompressor is asked for at a time.
const DECOMPRESSED_AT_ONCE: usize = 1 << 16;

/// Bytes that are skipped at a time.
const PASSED_AT_ONCE: u64 = 1 << 18;

/// Reads `bytes` bytes and drops them. Returns how many of them are missing.
pub(crate) fn pass_over(
    mut bytes: u64,
    mut read: impl FnMut(usize, &mut Vec<u8>) -> Result<bool, ArchiveError>,
) -> Result<u64, ArchiveError> {
    let (mut passed, mut goes_on) = (Vec::new(), true);
    while bytes > 0 && goes_on {
        passed.clear();
        goes_on = read(bytes.min(PASSED_AT_ONCE) as usize, &mut passed)?;
        bytes -= passed.len() as u64;
    }
    Ok(bytes)
}

/// An archive that is still sound in part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// The archive, as it was given.
    pub archive: String,
    /// How far its file was read, in bytes.
    pub file_offset: u64,
    /// How many bytes were decompressed; what comes after is lost.
    pub offset: u64,
    /// What the decompressor says.
    pub why: String,
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { archive, file_offset, offset, why } = self;
        write!(
            f,
            "{archive} is cut off or damaged near byte {file_offset} ({why}); the first {offset} bytes it holds were read, the rest is lost"
        )
    }
}

/// An archive open for reading.
pub struct Input {
    path: PathBuf,
    start: Vec<u8>,
    bytes: BufReader<Box<dyn Read + Send>>,
    compressed: bool,
    meter: Arc<Meter>,
    length: Option<u64>,
    digest: Xxh3,
    read: u64,
    at_end: bool,
    warning: Option<Warning>,
    /// What the first bytes are to be: how many, and their digest.
    expected: Option<(u64, [u8; 16])>,
}

/// Refuses what begins or is called like something that isn't wanted.
type Check = fn(&[u8], &Path) -> Result<(), ArchiveError>;

/// What the decompressor took from the file, seen from outside it.
#[derive(Debug, Default)]
struct Meter {
    consumed: AtomicU64,
    failed: AtomicBool,
}

struct Metered<R> {
    file: R,
    meter: Arc<Meter>,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer);
        match &read {
            Ok(bytes) => drop(self.meter.consumed.fetch_add(*bytes as u64, Ordering::Relaxed)),
            Err(error) => self
                .meter
                .failed
                .store(error.kind() != io::ErrorKind::Interrupted, Ordering::Relaxed),
        }
        read
    }
}

impl Input {
    /// Opens a file, or standard input for `-`, and makes sure that it can be an archive of games.
    ///
    /// # Errors
    /// If it can't be opened or read, can't be decompressed at all, or is plainly something else.
    pub fn open(path: &Path) -> Result<Self, ArchiveError> {
        Self::open_checked(path, refuse_foreign)
    }

    /// Opens any file like an archive, also one that holds no games: a book of another program.
    ///
    /// # Errors
    /// If it can't be opened or read, or can't be decompressed at all.
    pub fn open_any(path: &Path) -> Result<Self, ArchiveError> {
        Self::open_checked(path, |_, _| Ok(()))
    }

    fn open_checked(path: &Path, check: Check) -> Result<Self, ArchiveError> {
        if path == Path::new("-") {
            return Self::checked(path, io::stdin(), None, check);
        }
        let open = |source| ArchiveError::Open { path: path.to_owned(), source };
        let file = File::open(path).map_err(open)?;
        let metadata = file.metadata().map_err(open)?;
        if metadata.is_dir() {
            return Err(ArchiveError::Folder(path.to_owned()));
        }
        Self::checked(path, file, metadata.is_file().then_some(metadata.len()), check)
    }

    /// An archive from any reader, called `path` in messages, of `length` bytes if that is known.
    fn checked(
        path: &Path,
        reader: impl Read + Send + 'static,
        length: Option<u64>,
        check: Check,
    ) -> Result<Self, ArchiveError> {
        let meter = Arc::new(Meter::default());
        let mut file = Metered { file: reader, meter: Arc::clone(&meter) };
        let path = path.to_owned();
        let (start, error) = start_of(&mut file);
        if let Some(source) = error {
            return Err(ArchiveError::Read { path, offset: start.len() as u64, source });
        }
        check(&start, &path)?;
        let compression = Compression::of(&start);
        let file = Cursor::new(start.clone()).chain(file);
        let (start, bytes): (_, Box<dyn Read + Send>) = match compression {
            Some(compression) => decompressed(compression, file, &path, check)?,
            None => (start, Box::new(file)),
        };
        let bytes = BufReader::with_capacity(DECOMPRESSED_AT_ONCE, bytes);
        Ok(Self {
            path,
            start,
            bytes,
            compressed: compression.is_some(),
            meter,
            length,
            digest: Xxh3::new(),
            read: 0,
            at_end: false,
            warning: None,
            expected: None,
        })
    }

    /// Appends up to `most` decompressed bytes, fewer only at the end; whether there may be more.
    ///
    /// A compressed archive that is damaged ends where it stops being readable: [`Input::warning`].
    /// Fails if the file itself can't be read.
    pub fn read(&mut self, most: usize, buffer: &mut Vec<u8>) -> Result<bool, ArchiveError> {
        let is_ahead = |expected: &mut (u64, _)| expected.0 - self.read <= most as u64;
        let Some((bytes, digest)) = self.expected.take_if(is_ahead) else {
            return self.read_on(most, buffer);
        };
        let first = (bytes - self.read) as usize;
        self.read_on(first, buffer)?;
        if (self.read, self.digest()) != (bytes, digest) {
            return Err(ArchiveError::Changed(self.path.clone()));
        }
        if first == most { Ok(!self.at_end) } else { self.read_on(most - first, buffer) }
    }

    /// Makes reading fail if the first `bytes` bytes don't have this digest.
    pub(crate) fn expect(&mut self, bytes: u64, digest: [u8; 16]) {
        self.expected = (bytes > 0).then_some((bytes, digest));
    }

    /// Skips the first `bytes` bytes.
    ///
    /// # Errors
    /// As [`Input::read`]; [`ArchiveError::Changed`] if there are fewer.
    pub(crate) fn skip(&mut self, bytes: u64) -> Result<(), ArchiveError> {
        match pass_over(bytes - self.read, |most, buffer| self.read(most, buffer))? {
            0 => Ok(()),
            _ => Err(ArchiveError::Changed(self.path.clone())),
        }
    }

    fn read_on(&mut self, most: usize, buffer: &mut Vec<u8>) -> Result<bool, ArchiveError> {
        if self.at_end || most == 0 {
            return Ok(!self.at_end);
        }
        let before = buffer.len();
        let result = self.fill(most, buffer);
        let new = &buffer[before..];
        self.digest.update(new);
        self.read += new.len() as u64;
        self.at_end = new.len() < most;
        match result {
            Err(source) if self.meter.failed.load(Ordering::Relaxed) || !self.compressed => {
                Err(ArchiveError::Read { path: self.path.clone(), offset: self.consumed(), source })
            }
            Err(source) => {
                self.at_end = true;
                self.warning = Some(Warning {
                    archive: self.path.display().to_string(),
                    file_offset: self.consumed(),
                    offset: self.read,
                    why: source.to_string(),
                });
                Ok(false)
            }
            Ok(_) => Ok(!self.at_end),
        }
    }

    /// Appends up to `most` bytes. The decompressor is always asked for the same amount, since what
    /// it still gives of a damaged archive depends on that.
    fn fill(&mut self, most: usize, buffer: &mut Vec<u8>) -> io::Result<()> {
        let mut left = most;
        while left > 0 {
            let ahead = match self.bytes.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                ahead => ahead?,
            };
            if ahead.is_empty() {
                break;
            }
            let taken = ahead.len().min(left);
            buffer.extend_from_slice(&ahead[..taken]);
            self.bytes.consume(taken);
            left -= taken;
        }
        Ok(())
    }

    /// The digest of all bytes of an archive.
    ///
    /// # Errors
    /// As [`Input::open`] and [`Input::read`].
    pub fn digest_of(path: &Path) -> Result<[u8; 16], ArchiveError> {
        let mut input = Self::open(path)?;
        pass_over(u64::MAX, |most, buffer| input.read(most, buffer))?;
        Ok(input.digest())
    }

    /// Its first bytes, decompressed: some thousands, or all.
    pub fn start(&self) -> &[u8] {
        &self.start
    }

    /// The archive's path, as given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file's name without its folder; `-` for standard input.
    pub fn name(&self) -> String {
        self.path.file_name().unwrap_or(self.path.as_os_str()).to_string_lossy().into_owned()
    }

    /// Bytes of the file consumed so far, as they are on disk.
    pub fn consumed(&self) -> u64 {
        self.meter.consumed.load(Ordering::Relaxed)
    }

    /// Bytes of the file as it is on disk, if known: of a file, not of a pipe.
    pub fn length(&self) -> Option<u64> {
        self.length
    }

    /// Bytes read so far, decompressed.
    pub fn bytes_read(&self) -> u64 {
        self.read
    }

    /// XXH3-128 of the bytes read so far, in canonical form: the most significant byte first.
    pub fn digest(&self) -> [u8; 16] {
        self.digest.digest128().to_be_bytes()
    }

    /// What was lost of the archive; known when it has been read to its end.
    pub fn warning(&self) -> Option<&Warning> {
        self.warning.as_ref()
    }
}

/// The first decompressed bytes of a file, and all of them.
fn decompressed(
    compression: Compression,
    file: impl Read + Send + 'static,
    path: &Path,
    check: Check,
) -> Result<(Vec<u8>, Box<dyn Read + Send>), ArchiveError> {
    let broken = |source| ArchiveError::Decompress { path: path.to_owned(), source };
    let mut bytes = compression
        .decompressor(file)
        .ok_or_else(|| ArchiveError::CompressionOff {
            path: path.to_owned(),
            compression: compression.name(),
        })?
        .map_err(broken)?;
    let (start, error) = start_of(&mut bytes);
    let rest = match error {
        Some(source) if start.is_empty() => return Err(broken(source)),
        Some(error) => Box::new(Fails(Some(error))),
        None => bytes,
    };
    check(&start, path)?;
    Ok((start.clone(), Box::new(Cursor::new(start).chain(rest))))
}

/// The first bytes, as many as there are, and what came in the way of more.
fn start_of(reader: &mut impl Read) -> (Vec<u8>, Option<io::Error>) {
    let mut start = Vec::with_capacity(START);
    let error = reader.take(START as u64).read_to_end(&mut start).err();
    (start, error)
}

/// Its bytes, decompressed as they are read.
impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut bytes = Vec::with_capacity(buffer.len());
        self.read(buffer.len(), &mut bytes).map_err(io::Error::other)?;
        buffer[..bytes.len()].copy_from_slice(&bytes);
        Ok(bytes.len())
    }
}

impl std::fmt::Debug for Input {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Input")
            .field("path", &self.path)
            .field("read", &self.read)
            .finish_non_exhaustive()
    }
}

/// Gives an error once, after what could be read.
struct Fails(Option<io::Error>);

impl Read for Fails {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

fn refuse_foreign(start: &[u8], path: &Path) -> Result<(), ArchiveError> {
    if cfg!(not(feature = "tar")) && foreign::is_tar(start) {
        return Err(ArchiveError::TarOff(path.to_owned()));
    }
    match foreign::looks(start, path) {
        Some((what, advice))
            if Compression::of(start).is_none() && Format::of_content(start).is_none() =>
        {
            Err(ArchiveError::Foreign { path: path.to_owned(), what, advice })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(start: &[u8]) -> Option<String> {
        let file = Cursor::new(start.to_vec());
        let input = Input::checked(Path::new("a"), file, None, refuse_foreign);
        input.err().map(|error| error.to_string())
    }

    /// Whatever the features are: what can't be decompressed is never read as it is.
    #[test]
    fn what_is_not_built_in_is_refused_by_the_name_of_its_feature() {
        let mut tar = [0; 512];
        tar[257..262].copy_from_slice(b"ustar");
        for (start, feature, is_on) in [
            (b"\x28\xb5\x2f\xfd\0".as_slice(), "zstd", cfg!(feature = "zstd")),
            (b"\x1f\x8b\x08\0\0", "gzip", cfg!(feature = "gzip")),
            (b"BZh91", "bzip2", cfg!(feature = "bzip2")),
            (&tar, "tar", cfg!(feature = "tar")),
        ] {
            let named = format!("this program was built without the feature `{feature}`");
            let is_refused = refused(start).is_some_and(|why| why.contains(&named));
            assert_eq!(is_refused, !is_on, "{feature}: {:?}", refused(start));
        }
        for text in [b"1. e4 e5 1-0".as_slice(), b"BZh. is a word"] {
            assert_eq!(refused(text), None);
        }
    }
}
