//! Linux, macOS and other Unix systems.

use super::{Access, Look};
use memmap2::{Advice, Mmap};
use rustix::fs::{OFlags, SeekFrom, seek};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs::{File, Metadata, OpenOptions, Permissions, TryLockError};
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

/// Writes some bytes at an offset, without moving the file's own.
pub fn write_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<usize> {
    file.write_at(bytes, offset)
}

/// Which file this is, and whether it has changed.
pub fn look(file: &File) -> io::Result<Look> {
    file.metadata().map(|file| Look::new(&file))
}

/// Which file has this path, behind symbolic links, and whether it has changed.
pub fn look_at(path: &Path) -> io::Result<Look> {
    path.metadata().map(|file| Look::new(&file))
}

/// Which file has this path; a symbolic link is one of its own.
pub fn look_at_name(path: &Path) -> io::Result<Look> {
    path.symlink_metadata().map(|file| Look::new(&file))
}

impl Look {
    fn new(file: &Metadata) -> Self {
        Self {
            id: (file.dev(), file.ino()),
            len: file.len(),
            written: (file.mtime(), file.mtime_nsec()),
        }
    }
}

/// How many names the file has.
pub fn names(file: &File) -> io::Result<u64> {
    Ok(file.metadata()?.nlink())
}

/// The path without this end of its name, if it has that.
pub fn without_suffix(path: &Path, suffix: &str) -> Option<PathBuf> {
    let name = path.as_os_str().as_bytes().strip_suffix(suffix.as_bytes())?;
    Some(OsStr::from_bytes(name).into())
}

/// Options that refuse a symbolic link, and don't wait for the other end of a pipe.
fn without_links() -> OpenOptions {
    let mut options = OpenOptions::new();
    options
        .read(true)
        .write(true)
        .custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32);
    options
}

/// Opens a file for reading and writing, or makes it; refuses a symbolic link.
pub fn open(path: &Path, create: bool) -> io::Result<File> {
    without_links().create(create).truncate(false).open(path)
}

/// Makes a file under a free name, marked as unfinished, with the mode, owner and group of another
/// file if given.
pub fn create_unfinished(path: &Path, like: Option<&Metadata>) -> io::Result<File> {
    // What will get its rights from another file has none for others until then; else the system
    // subtracts the user's mask.
    let rights = if like.is_some() { 0o600 } else { 0o666 };
    let mut options = without_links();
    let file = options.create_new(true).mode(UNFINISHED | rights).open(path)?;
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
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            Err(Errno::INVAL | Errno::NOSYS) => {}
            done => return Ok(done?),
        }
    }
    std::fs::hard_link(from, to)?;
    std::fs::remove_file(from)
}

/// Takes the file's lock, if it is free, and returns whether it was taken.
pub fn try_lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Gives the file's lock back.
pub fn unlock(file: &File) -> io::Result<()> {
    file.unlock()
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
    #[cfg(not(target_os = "linux"))]
    let _ = (map, part);
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
