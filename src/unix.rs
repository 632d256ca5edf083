//! What only Unix has: the one file that another system needs a second version of. Reading and
//! writing at an offset, which file this is and whose, the mark of an unfinished file, names that
//! are only taken if they are free, holes of sparse files, advice on maps.
//!
//! Everything else of the engine goes through these few functions or the standard library.
//!
//! # What Windows needs
//!
//! A second such file of some twenty functions, and these decisions:
//!
//! - *Reading and writing at an offset*: `seek_read` and `seek_write` of
//!   `std::os::windows::fs::FileExt` move the file's own position, which nothing here depends on.
//! - *File identity* (`id`, `stamp`, `names`): volume and file index from
//!   `GetFileInformationByHandle`. Paths are asked about too; their files would have to be opened.
//! - *The mark of an unfinished file* is the sticky bit, set by the call that makes the file.
//!   Windows has no spare mode bit; an attribute given to `CreateFile` (`FILE_ATTRIBUTE_TEMPORARY`)
//!   could be the mark. Rights are inherited from the folder, so there is nothing to copy.
//! - *Replacing a book that readers have open or mapped*: Windows can't replace a mapped file, nor
//!   an open one without `FILE_SHARE_DELETE`. Readers would have to open files with it, and a swap
//!   would wait for those that map the old book. Only readers by pread would then be independent of
//!   writers.
//! - *Names that are only taken if they are free*: `MoveFileEx` without
//!   `MOVEFILE_REPLACE_EXISTING`.
//! - *Syncing a folder*: there is no such call. `MOVEFILE_WRITE_THROUGH` comes closest, and the
//!   crash simulator's model of folders would have to follow it.
//! - *Links and pipes*: `FILE_FLAG_OPEN_REPARSE_POINT` instead of `O_NOFOLLOW`.
//! - *Locks* are the standard library's. On Windows they also keep others from reading the bytes,
//!   so the lock would be on a separate file.
//! - *Holes* (`next_data`): reporting data everywhere is correct, only slower.
//! - *Advice on maps*: only `PrefetchVirtualMemory`; doing nothing is correct.

use memmap2::{Advice, Mmap};
use rustix::fs::{CWD, OFlags, RenameFlags, SeekFrom, renameat_with, seek};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs::{File, Metadata, OpenOptions, Permissions};
use std::io;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

/// The mode bit of unfinished files. On a regular file the sticky bit means nothing to Linux, so
/// users' files don't have it; and since the call that makes a file sets it, no crash can leave one
/// of ours without.
const UNFINISHED: u32 = 0o1000;
/// The bits of a mode that say who may do what.
const RIGHTS: u32 = 0o777;

/// Reads some bytes at an offset, without moving the file's own.
pub fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    file.read_at(bytes, offset)
}

/// Fills all bytes from an offset on.
pub fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    file.read_exact_at(bytes, offset)
}

/// Writes some bytes at an offset, without moving the file's own.
pub fn write_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<usize> {
    file.write_at(bytes, offset)
}

/// The identity of a file as long as it is open: its device and number.
pub type FileId = (u64, u64);

/// Which file this is.
pub fn id(file: &Metadata) -> FileId {
    (file.dev(), file.ino())
}

/// What changes when a file is replaced or written to: number, length, and time in seconds and
/// nanoseconds.
pub fn stamp(file: &Metadata) -> (u64, u64, i64, i64) {
    (file.ino(), file.len(), file.mtime(), file.mtime_nsec())
}

/// How many names the file has.
pub fn names(file: &File) -> io::Result<u64> {
    Ok(file.metadata()?.nlink())
}

/// Whether a path ends as one of a folder does.
pub fn is_of_folder(path: &Path) -> bool {
    path.as_os_str().as_bytes().ends_with(b"/")
}

/// The path without this end of its name, if it has that.
pub fn without_suffix(path: &Path, suffix: &str) -> Option<PathBuf> {
    let name = path.as_os_str().as_bytes().strip_suffix(suffix.as_bytes())?;
    Some(OsStr::from_bytes(name).into())
}

/// Options that refuse a symbolic link, and don't wait for the other end of a pipe.
pub fn without_links() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32);
    options
}

/// Makes a file under a free name, marked as unfinished, with the mode, owner and group of another
/// file if given.
pub fn create_unfinished(path: &Path, like: Option<&Metadata>) -> io::Result<File> {
    // What will get its rights from another file has none for others until then; else the system
    // subtracts the user's mask.
    let rights = if like.is_some() { 0o600 } else { 0o666 };
    let mut options = without_links();
    let file =
        options.read(true).write(true).create_new(true).mode(UNFINISHED | rights).open(path)?;
    if let Some(like) = like {
        take_after(&file, like);
    }
    Ok(file)
}

/// Whether it has the mark of an unfinished file.
pub fn is_unfinished(file: &Metadata) -> bool {
    file.is_file() && file.mode() & UNFINISHED != 0
}

/// Removes the mark of an unfinished file, if the file has it.
pub fn finish(file: &File) -> io::Result<()> {
    let mode = file.metadata()?.mode();
    if mode & UNFINISHED == 0 {
        Ok(())
    } else {
        file.set_permissions(Permissions::from_mode(mode & RIGHTS))
    }
}

/// Gives an unfinished file the mode, owner and group of another one. What the system refuses stays
/// as it is, with fewer rights for others and never more: only root may give a file away, one's own
/// files only to groups that one is in, and some file systems know neither owners nor modes.
fn take_after(file: &File, like: &Metadata) {
    let Ok(own) = file.metadata() else { return };
    let mut rights = like.mode() & RIGHTS;
    if (own.uid(), own.gid()) != (like.uid(), like.gid()) {
        let given = fchown(file, Some(like.uid()), Some(like.gid()));
        if given.or_else(|_| fchown(file, None, Some(like.gid()))).is_err() {
            // What was meant for one group is not for another.
            rights &= !0o070 | (rights & 0o007) << 3;
        }
    }
    let _ = file.set_permissions(Permissions::from_mode(UNFINISHED | rights));
}

/// Renames a file, unless the new name is taken.
pub fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS) => {
            std::fs::hard_link(from, to)?;
            std::fs::remove_file(from)
        }
        done => Ok(done?),
    }
}

/// A folder, open to be synced.
pub fn open_folder(folder: &Path) -> io::Result<File> {
    File::open(folder)
}

/// The next offset of a file, from this one on, where there may be anything but zeros; none if
/// there is none in it.
pub fn next_data(file: &File, offset: u64) -> io::Result<Option<u64>> {
    match seek(file, SeekFrom::Data(offset)) {
        Ok(data) => Ok(Some(data)),
        Err(Errno::NXIO) => Ok(None),
        // A system that knows of no holes.
        Err(_) => Ok(Some(offset)),
    }
}

/// How a map will be read.
#[derive(Clone, Copy, Debug)]
pub enum Access {
    /// A page here and there.
    Random,
    /// All of it, from now on; in huge pages where the system has them for files.
    Whole,
}

/// Advises the system how a map will be read.
pub fn advise(map: &Mmap, access: Access) -> io::Result<()> {
    match access {
        Access::Random => map.advise(Advice::Random),
        Access::Whole => {
            #[cfg(target_os = "linux")]
            for advice in [Advice::HugePage, Advice::PopulateRead] {
                let _ = map.advise(advice);
            }
            Ok(())
        }
    }
}

/// Has a part of a map read two megabytes at a time, where the system has huge pages for files.
pub fn keep_at_hand(map: &Mmap, part: Range<usize>) {
    #[cfg(target_os = "linux")]
    let _ = map.advise_range(Advice::HugePage, part.start, part.len());
}

/// Starts reading a part of a map, and doesn't wait for it.
pub fn will_need(map: &Mmap, part: Range<usize>) {
    let _ = map.advise_range(Advice::WillNeed, part.start, part.len());
}

/// Starts reading a part of a file, and doesn't wait for it.
pub fn will_need_of_file(file: &File, part: Range<usize>) {
    #[cfg(target_os = "linux")]
    if let Some(len) = std::num::NonZeroU64::new(part.len() as u64) {
        let _ =
            rustix::fs::fadvise(file, part.start as u64, Some(len), rustix::fs::Advice::WillNeed);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (file, part);
}
