//! A file in the making: written beside its place under another name, synced and renamed, so that it is there as a whole or not at all.

use crate::failure::{Done, Failure, told};
use crate::place;
use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file in the making. Dropped before it is published, it is gone.
pub struct NewFile {
    file: NamedTempFile,
    path: PathBuf,
    replace: bool,
}

impl NewFile {
    /// A file to be put here, for which nothing may be in the way that isn't to be replaced.
    pub fn create(path: &Path, replace: bool) -> Done<Self> {
        place::check_output(path, replace)?;
        if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
            return Err(told!("{}: this is no regular file: write to standard output instead", path.display()));
        }
        // The user's mask applies, as to any new file.
        let mut builder = tempfile::Builder::new();
        builder.prefix(".tabia-").permissions(Permissions::from_mode(0o666));
        let file = builder.tempfile_in(place::folder_of(path)).map_err(|error| Failure::system(path, "create", &error))?;
        Ok(Self { file, path: path.to_owned(), replace })
    }

    /// Where it is to be put.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Puts it there; how many bytes it has.
    pub fn publish(self) -> Done<u64> {
        let Self { file, path, replace } = self;
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => Failure::from(tabia::Error::Exists { path: path.clone() }),
            _ => Failure::system(&path, "write", &error),
        };
        file.as_file().sync_all().map_err(failed)?;
        let file = if replace { file.persist(&path) } else { file.persist_noclobber(&path) }.map_err(|error| failed(error.error))?;
        File::open(place::folder_of(&path)).and_then(|folder| folder.sync_all()).map_err(failed)?;
        Ok(file.metadata().map_err(failed)?.len())
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
