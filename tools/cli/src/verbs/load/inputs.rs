//! The files that rows are loaded from: opened, and their format told by how they begin.

use crate::failure::{Done, Failure, told};
use crate::rows::{Reading, json, text};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// How a book begins.
const BOOK: &[u8] = b"\x89TABIA";
/// How a Parquet file begins.
const PARQUET: &[u8] = b"PAR1";

/// Opens a file of rows; `-` is standard input.
pub fn open(path: &Path) -> Done<Box<dyn Reading>> {
    if path == Path::new("-") {
        return of_text(path, Box::new(io::stdin().lock()));
    }
    if path.is_dir() {
        return Err(told!("{}: this is a folder: give a file of rows", path.display()));
    }
    let file = File::open(path).map_err(|error| Failure::system(path, "open", &error))?;
    let mut text = BufReader::with_capacity(1 << 16, file);
    let start = text.fill_buf().map_err(|error| Failure::system(path, "read", &error))?;
    if start.starts_with(PARQUET) { of_parquet(path, text.into_inner()) } else { of_text(path, Box::new(text)) }
}

fn of_text(path: &Path, mut text: Box<dyn BufRead>) -> Done<Box<dyn Reading>> {
    let name = path.display();
    let start = text.fill_buf().map_err(|error| Failure::system(path, "read", &error))?;
    if start.starts_with(BOOK) {
        return Err(told!("{name}: this is a book: use `tabia merge`, or load what `tabia dump` writes of it"));
    }
    if start.starts_with(PARQUET) {
        return Err(told!("{name}: this is a Parquet file, which can't be read as a stream: save it, and give its name"));
    }
    Ok(if start.starts_with(b"{") { Box::new(json::Reader::new(text, name)) } else { Box::new(text::Reader::new(text, name)) })
}

#[cfg(feature = "parquet")]
fn of_parquet(path: &Path, file: File) -> Done<Box<dyn Reading>> {
    if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
        return Err(told!("{}: this is no regular file: save the Parquet file, and give its name", path.display()));
    }
    Ok(Box::new(crate::rows::parquet::Reader::new(file, path.display())?))
}

#[cfg(not(feature = "parquet"))]
fn of_parquet(path: &Path, _: File) -> Done<Box<dyn Reading>> {
    Err(told!("{}: this tabia was built without Parquet: build it with the feature `parquet`", path.display()))
}
