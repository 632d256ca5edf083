//! A system without files, as WebAssembly in a browser. The functions are those of `unix.rs`; what
//! would have to open a file says that it isn't supported, and no other can be called without one.

use super::{Access, Look};
use memmap2::Mmap;
use std::fs::{File, Metadata};
use std::io::{ErrorKind, Result};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Functions that return an error.
macro_rules! unsupported {
    ($($name:ident($($argument:ty),*) -> $result:ty;)*) => {
        $(pub fn $name($(_: $argument),*) -> Result<$result> {
            Err(ErrorKind::Unsupported.into())
        })*
    };
}

unsupported! {
    read_at(&File, &mut [u8], u64) -> usize;
    write_at(&File, &[u8], u64) -> usize;
    look(&File) -> Look;
    look_at(&Path) -> Look;
    look_at_name(&Path) -> Look;
    names(&File) -> u64;
    open(&Path, bool) -> File;
    create_unfinished(&Path, Option<&Metadata>) -> File;
    finish(&File) -> ();
    try_lock(&File) -> bool;
    unlock(&File) -> ();
    scratch(&Path) -> File;
    rename_new(&Path, &Path) -> ();
    open_folder(&Path) -> File;
    next_data(&File, u64) -> Option<u64>;
    advise(&Mmap, Access) -> ();
}

pub fn without_suffix(path: &Path, suffix: &str) -> Option<PathBuf> {
    path.to_str()?.strip_suffix(suffix).map(PathBuf::from)
}

pub fn is_unfinished(_: &Metadata) -> bool {
    false
}

pub fn keep_at_hand(_: &Mmap, _: Range<usize>) {}

pub fn will_need(_: &Mmap, _: Range<usize>) {}

pub fn will_need_of_file(_: &File, _: Range<usize>) {}
