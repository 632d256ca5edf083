//! Keeping what is sound of a damaged file of games.

use crate::error::{GameFileError, Result};
use crate::file::{GameFile, SoundGames, read_page, refused};
use crate::header::{GameFileHeader, PAGE, Section};
use crate::write::{NewGameFile, UnpublishedGames, write_games};
use std::path::Path;
use tabia::bytes::{Bytes, Pread, ZeroTail};
use tabia::{Context, Env};

/// What was kept of a file of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SalvagedGames {
    /// Games that its header counts.
    pub expected: u64,
    /// Games that were kept.
    pub kept: u64,
}

/// Writes the games of a file that can be read whole, with all that is said of them, to another
/// file, which gets its name by [`UnpublishedGames::publish`]. A lost header page is replaced by its
/// copy at the end; a file may be longer or shorter than its header says; and a block of which one
/// bit is wrong is put right, as far as there aren't many.
///
/// # Errors
/// [`GameFileError::Refused`] if neither header can be read, or all sums are gone; the system's.
pub fn salvage_games<'a>(
    env: &Env<'a>,
    input: &Path,
    output: &Path,
) -> Result<(UnpublishedGames<'a>, SalvagedGames)> {
    let bytes = Pread::open(input).at("open", input)?;
    let end = bytes.len().saturating_sub(PAGE);
    let header = |offset| {
        let page = read_page(input, &bytes, offset)?;
        Ok::<_, GameFileError>(GameFileHeader::parse(&page, GameFileHeader::length_in(&page)))
    };
    let header = match header(0)? {
        Ok(header) => header,
        Err(refusal) => header(end)?.map_err(|_| refused(input, refusal))?,
    };
    // Without sums nothing can be trusted; and a header that is whole may speak of any number.
    if bytes.len() < header.section(Section::Sums).offset {
        let what = "it was cut off, and its checksums are gone".to_owned();
        return Err(refused(input, ("G-5", what)));
    }
    let bytes = ZeroTail::new(bytes, header.file_length);
    let file = GameFile::with_header(input.to_owned(), bytes, header).mending();
    let new = NewGameFile::like(file.header());
    let written = write_games(env, output, &new, &SoundGames(&file))?;
    let (expected, kept) = (file.header().games, written.header.games);
    Ok((written, SalvagedGames { expected, kept }))
}
