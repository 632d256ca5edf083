//! A system without files, as WebAssembly in a browser. The functions are those of `unix.rs`; what
//! would have to open a file says that it isn't supported, and no other can be called without one.

use super::{Access, Look};
use memmap2::Mmap;
use std::fs::{File, Metadata};
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::path::{Path, PathBuf};

fn unsupported<T>() -> io::Result<T> {
    Err(ErrorKind::Unsupported.into())
}

pub fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<usize> {
    unsupported()
}

pub fn write_at(_: &File, _: &[u8], _: u64) -> io::Result<usize> {
    unsupported()
}

pub fn look(_: &File) -> io::Result<Look> {
    unsupported()
}

pub fn look_at(_: &Path) -> io::Result<Look> {
    unsupported()
}

pub fn look_at_name(_: &Path) -> io::Result<Look> {
    unsupported()
}

pub fn names(_: &File) -> io::Result<u64> {
    unsupported()
}

pub fn without_suffix(path: &Path, suffix: &str) -> Option<PathBuf> {
    path.to_str()?.strip_suffix(suffix).map(PathBuf::from)
}

pub fn open(_: &Path, _: bool) -> io::Result<File> {
    unsupported()
}

pub fn create_unfinished(_: &Path, _: Option<&Metadata>) -> io::Result<File> {
    unsupported()
}

pub fn is_unfinished(_: &Metadata) -> bool {
    false
}

pub fn finish(_: &File) -> io::Result<()> {
    unsupported()
}

pub fn try_lock(_: &File) -> io::Result<bool> {
    unsupported()
}

pub fn unlock(_: &File) -> io::Result<()> {
    unsupported()
}

pub fn scratch(_: &Path) -> io::Result<File> {
    unsupported()
}

pub fn rename_new(_: &Path, _: &Path) -> io::Result<()> {
    unsupported()
}

pub fn open_folder(_: &Path) -> io::Result<File> {
    unsupported()
}

pub fn next_data(_: &File, _: u64) -> io::Result<Option<u64>> {
    unsupported()
}

pub fn advise(_: &Mmap, _: Access) -> io::Result<()> {
    Ok(())
}

pub fn keep_at_hand(_: &Mmap, _: Range<usize>) {}

pub fn will_need(_: &Mmap, _: Range<usize>) {}

pub fn will_need_of_file(_: &File, _: Range<usize>) {}
