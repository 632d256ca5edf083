//! Windows. The functions are those of `unix.rs`, which documents them; what is done in another way
//! here says why.
//!
//! Rights are inherited from the folder, so that a new file takes none after another one. Nothing
//! is known of holes, and no advice is given on maps: both are only slower.

use super::{Access, Look};
use memmap2::Mmap;
use std::ffi::OsString;
use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::ops::Range;
use std::os::windows::ffi::{OsStrExt, OsStringExt};
use std::os::windows::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::os::windows::io::AsRawHandle;
use std::path::{Path, PathBuf};
use windows_sys::Win32::Foundation::{ERROR_LOCK_VIOLATION, GENERIC_READ, GENERIC_WRITE, HANDLE};
use windows_sys::Win32::Storage::FileSystem::{
    BY_HANDLE_FILE_INFORMATION, FILE_ATTRIBUTE_NORMAL, FILE_ATTRIBUTE_TEMPORARY, FILE_BASIC_INFO,
    FILE_FLAG_BACKUP_SEMANTICS, FILE_FLAG_OPEN_REPARSE_POINT, FileBasicInfo,
    GetFileInformationByHandle, LOCKFILE_EXCLUSIVE_LOCK, LOCKFILE_FAIL_IMMEDIATELY, LockFileEx,
    MOVEFILE_WRITE_THROUGH, MoveFileExW, SetFileInformationByHandle, UnlockFileEx,
};
use windows_sys::Win32::System::IO::{OVERLAPPED, OVERLAPPED_0, OVERLAPPED_0_0};

/// Moves the file's own offset, which nothing depends on.
pub fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    file.seek_read(bytes, offset)
}

pub fn write_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<usize> {
    file.seek_write(bytes, offset)
}

/// The handle, for calls that the standard library doesn't have.
fn handle(file: &File) -> HANDLE {
    file.as_raw_handle()
}

/// The system's last error, if a call failed.
fn done(success: i32) -> io::Result<()> {
    if success == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

fn information(file: &File) -> io::Result<BY_HANDLE_FILE_INFORMATION> {
    let mut information = BY_HANDLE_FILE_INFORMATION::default();
    // SAFETY: the handle is open as long as the file is borrowed, and the structure is ours.
    #[expect(unsafe_code)]
    done(unsafe { GetFileInformationByHandle(handle(file), &mut information) })?;
    Ok(information)
}

/// Two numbers of 32 bits as one.
fn joined(high: u32, low: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

pub fn look(file: &File) -> io::Result<Look> {
    let found = information(file)?;
    let written = found.ftLastWriteTime;
    Ok(Look {
        id: (found.dwVolumeSerialNumber.into(), joined(found.nFileIndexHigh, found.nFileIndexLow)),
        len: joined(found.nFileSizeHigh, found.nFileSizeLow),
        written: (written.dwHighDateTime.into(), written.dwLowDateTime.into()),
    })
}

/// Opens it, for only an open file tells its number: without any rights, which nobody's sharing of
/// the file stands against.
pub fn look_at(path: &Path) -> io::Result<Look> {
    let mut options = OpenOptions::new();
    look(&options.access_mode(0).custom_flags(FILE_FLAG_BACKUP_SEMANTICS).open(path)?)
}

pub fn look_at_name(path: &Path) -> io::Result<Look> {
    let flags = FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT;
    look(&OpenOptions::new().access_mode(0).custom_flags(flags).open(path)?)
}

pub fn names(file: &File) -> io::Result<u64> {
    Ok(information(file)?.nNumberOfLinks.into())
}

pub fn without_suffix(path: &Path, suffix: &str) -> Option<PathBuf> {
    let name: Vec<u16> = path.as_os_str().encode_wide().collect();
    let suffix: Vec<u16> = suffix.encode_utf16().collect();
    Some(OsString::from_wide(name.strip_suffix(&suffix[..])?).into())
}

/// Options that open a symbolic link itself, and not what it leads to.
fn without_links() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).custom_flags(FILE_FLAG_OPEN_REPARSE_POINT);
    options
}

pub fn open(path: &Path, create: bool) -> io::Result<File> {
    let file = without_links().create(create).truncate(false).open(path)?;
    if file.metadata()?.is_symlink() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "this is a symbolic link"));
    }
    Ok(file)
}

/// The mark of an unfinished file is that it is temporary: an attribute which the call that makes
/// the file sets, and users' files don't have.
pub fn create_unfinished(path: &Path, _like: Option<&Metadata>) -> io::Result<File> {
    without_links().create_new(true).attributes(FILE_ATTRIBUTE_TEMPORARY).open(path)
}

pub fn is_unfinished(file: &Metadata) -> bool {
    file.is_file() && file.file_attributes() & FILE_ATTRIBUTE_TEMPORARY != 0
}

pub fn finish(file: &File) -> io::Result<()> {
    let attributes = file.metadata()?.file_attributes();
    if attributes & FILE_ATTRIBUTE_TEMPORARY == 0 {
        return Ok(());
    }
    // Zero means no attribute, but for this call: there it means that they stay.
    let rest = attributes & !FILE_ATTRIBUTE_TEMPORARY;
    let rest = if rest == 0 { FILE_ATTRIBUTE_NORMAL } else { rest };
    let basic = FILE_BASIC_INFO { FileAttributes: rest, ..Default::default() };
    let len = size_of_val(&basic) as u32;
    // SAFETY: the handle is open as long as the file is borrowed; structure and length are those
    // of what is set.
    #[expect(unsafe_code)]
    done(unsafe {
        SetFileInformationByHandle(handle(file), FileBasicInfo, (&raw const basic).cast(), len)
    })
}

/// Where a lock is in a file. Locked bytes can't be read by others, so that the one byte is where
/// no file has any.
fn lock_place() -> OVERLAPPED {
    let place = OVERLAPPED_0_0 { Offset: 0, OffsetHigh: 1 << 30 };
    OVERLAPPED { Anonymous: OVERLAPPED_0 { Anonymous: place }, ..Default::default() }
}

pub fn try_lock(file: &File) -> io::Result<bool> {
    let flags = LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY;
    // SAFETY: the handle is open as long as the file is borrowed, and the call returns at once: it
    // keeps no pointer to the place.
    #[expect(unsafe_code)]
    let locked = done(unsafe { LockFileEx(handle(file), flags, 0, 1, 0, &mut lock_place()) });
    match locked {
        Ok(()) => Ok(true),
        Err(error) if error.raw_os_error() == Some(ERROR_LOCK_VIOLATION as i32) => Ok(false),
        Err(error) => Err(error),
    }
}

pub fn unlock(file: &File) -> io::Result<()> {
    // SAFETY: as for the lock.
    #[expect(unsafe_code)]
    done(unsafe { UnlockFileEx(handle(file), 0, 1, 0, &mut lock_place()) })
}

/// Not by a link and a removal, which not all file systems know.
pub fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    let name = |path: &Path| {
        let folder = crate::storage::folder_of(path).canonicalize()?;
        let path = folder.join(path.file_name().ok_or(io::ErrorKind::InvalidFilename)?);
        io::Result::Ok(path.as_os_str().encode_wide().chain([0]).collect::<Vec<u16>>())
    };
    let (from, to) = (name(from)?, name(to)?);
    // SAFETY: both names end in zero, and live longer than the call.
    #[expect(unsafe_code)]
    done(unsafe { MoveFileExW(from.as_ptr(), to.as_ptr(), MOVEFILE_WRITE_THROUGH) })
}

/// With the right to write, without which the system refuses to sync it.
pub fn open_folder(folder: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    let options = options.access_mode(GENERIC_READ | GENERIC_WRITE);
    options.custom_flags(FILE_FLAG_BACKUP_SEMANTICS).open(folder)
}

pub fn next_data(_file: &File, offset: u64) -> io::Result<Option<u64>> {
    Ok(Some(offset))
}

pub fn advise(_map: &Mmap, _access: Access) -> io::Result<()> {
    Ok(())
}

pub fn keep_at_hand(_map: &Mmap, _part: Range<usize>) {}

pub fn will_need(_map: &Mmap, _part: Range<usize>) {}

pub fn will_need_of_file(_file: &File, _part: Range<usize>) {}
