//! What differs between systems: the one door to what the standard library has for some of them
//! only, or does in another way. Each system has a file with the same functions.
//!
//! - `unix.rs` is what is used and tested every day; it documents the functions.
//! - `windows.rs` is tried under Wine (`tests/systems.sh`). What its promises are: `DURABILITY.md`.
//! - `none.rs`, for WebAssembly without a system, refuses all files: books in memory can be read
//!   there ([`crate::Book::from_bytes`]).

#[cfg(not(any(unix, windows)))]
mod none;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(not(any(unix, windows)))]
pub use none::*;
use std::fs::File;
use std::io;
use std::path::Path;
#[cfg(unix)]
pub use unix::*;
#[cfg(windows)]
pub use windows::*;

/// Which file it is, as long as it is open, and what changes when somebody writes over it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Its device and number: no other file has them while this one is open.
    pub id: (u64, u64),
    /// Its length in bytes.
    pub len: u64,
    /// When it was written to last: two numbers of the system's.
    pub written: (i64, i64),
}

/// How a map will be read.
#[derive(Clone, Copy, Debug)]
pub enum Access {
    /// A page here and there.
    Random,
    /// All of it, from now on; in huge pages where the system has them for files.
    Whole,
}

/// Opens a file to be read. What is none, as a pipe that might make the process wait for ever, is
/// [`io::ErrorKind::InvalidInput`].
pub fn regular_file(path: &Path) -> io::Result<File> {
    if path.metadata()?.is_file() {
        File::open(path)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "this is no regular file"))
    }
}

/// Fills all bytes from an offset on.
pub fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    fill(bytes, offset, |bytes, offset| read_at(file, bytes, offset))
}

/// Fills all bytes from an offset on by what reads some bytes at an offset, and goes on after
/// interruptions and short reads.
pub fn fill(
    mut bytes: &mut [u8],
    mut offset: u64,
    read_at: impl Fn(&mut [u8], u64) -> io::Result<usize>,
) -> io::Result<()> {
    while !bytes.is_empty() {
        match read_at(bytes, offset) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => {
                bytes = &mut bytes[read..];
                offset += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Makes a file without a name in this folder, gone when it is closed.
#[cfg(any(unix, windows))]
pub fn scratch(folder: &std::path::Path) -> io::Result<File> {
    tempfile::tempfile_in(folder)
}
