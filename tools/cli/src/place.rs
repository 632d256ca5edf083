//! Places for output: whether something can be put there, asked before hours of work.

use crate::prelude::*;
use std::fs::File;
use std::io::Read;
use tabia::Error;
use tabia::format::MAGIC;
use tabia::storage::{Storage, System, names_folder, same_file};

/// Makes sure that a file can be made here: nothing is in the way that isn't to be replaced, and
/// the folder can be written to.
pub fn check_output(path: &Path, replace: bool) -> Done<()> {
    let wrong = [
        (
            tabia::remote::address(path).is_some(),
            "this is an address, from which is only read: give the name of the file to make",
        ),
        (path.is_dir(), "this is a folder: give the name of the file to make"),
        (names_folder(path), "this names a folder: give the name of the file to make"),
        (
            path.metadata().is_ok_and(|metadata| !metadata.is_file()),
            "this is no regular file: give another name, or write to standard output where that is possible",
        ),
        (
            path.file_name().is_none(),
            "this is no name for a file: give the name of the file to make",
        ),
    ];
    if let Some((_, what)) = wrong.into_iter().find(|(is_so, _)| *is_so) {
        return Err(failure!("{}: {what}", path.display()));
    }
    if path.symlink_metadata().is_ok() && !replace {
        return Err(Error::Exists { path: path.to_owned() }.into());
    }
    check_folder(folder_of(path))
}

/// Makes sure that files can be made in a folder.
pub fn check_folder(folder: &Path) -> Done<()> {
    let scratch = System.scratch(folder).and_then(|_| System.open_folder(folder)).map(drop);
    Ok(scratch.map_err(|source| Error::Io {
        action: "write to this folder",
        path: folder.to_owned(),
        source,
    })?)
}

/// Makes sure that a book can be made here, as [`check_output`] does, and that what it replaces, if
/// anything, is a book, sound or not, or empty.
pub fn check_book(path: &Path, replace: bool) -> Done<()> {
    check_output(path, replace)?;
    let mut start = Vec::new();
    let read =
        File::open(path).and_then(|file| file.take(MAGIC.len() as u64).read_to_end(&mut start));
    if read.is_ok() && !start.is_empty() && start != MAGIC {
        return Err(failure!(
            "{}: it is not a Tabia book, and --force replaces none but books: choose another name, or remove it",
            path.display()
        ));
    }
    Ok(())
}

/// Makes sure that the output is none of the other files.
pub fn check_distinct<'a>(output: &Path, inputs: impl IntoIterator<Item = &'a Path>) -> Done<()> {
    match inputs.into_iter().find(|input| same_file(output, input) || same_name(output, input)) {
        Some(_) => Err(failure!(
            "{}: another argument names the same file: choose another name for the output",
            output.display()
        )),
        None => Ok(()),
    }
}

/// Whether two paths name one file, be it there or not.
fn same_name(one: &Path, other: &Path) -> bool {
    one.file_name().is_some()
        && one.file_name() == other.file_name()
        && same_file(folder_of(one), folder_of(other))
}
