//! Keeping what is sound of a damaged file of games.

use crate::error::{GameFileError, Result};
use crate::file::{GameFile, open_regular, read_page, refused};
use crate::frames::FrameGame;
use crate::header::{GameFileHeader, PAGE, Section};
use crate::set::{GameSet, Games};
use crate::stored_game::StoredGame;
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
    let bytes = open_regular(input).and_then(Pread::new).at("open", input)?;
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
    let sound = Sound(&file);
    let written = write_games(env, output, &NewGameFile::like(file.header()), &sound)?;
    let (expected, kept) = (file.header().games, written.header().games);
    Ok((written, SalvagedGames { expected, kept }))
}

/// The sound games of a file.
struct Sound<'f, S>(&'f GameFile<S>);

impl<S: Bytes> GameSet for Sound<'_, S> {
    fn games(&self) -> Result<Box<dyn Games + '_>> {
        Ok(Box::new(SoundGames {
            file: self.0,
            frame: 0,
            number: 0,
            last: None,
            games: Vec::new().into_iter(),
        }))
    }
}

struct SoundGames<'f, S> {
    file: &'f GameFile<S>,
    /// The next frame.
    frame: u64,
    /// The number of the next game.
    number: u64,
    /// The digest of the last one.
    last: Option<u64>,
    games: std::vec::IntoIter<FrameGame>,
}

/// What was read, unless it is damaged.
fn sound<T>(read: Result<T>) -> Result<Option<T>> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(GameFileError::Damaged { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

impl<S: Bytes> Games for SoundGames<'_, S> {
    fn next(&mut self, game: &mut StoredGame) -> Result<bool> {
        loop {
            let Some(next) = self.games.next() else {
                if self.frame == self.file.header().frames {
                    return Ok(false);
                }
                let frame = sound(self.file.read_frame(self.frame))?;
                let entry = sound(self.file.frame_entry(self.frame))?;
                self.frame += 1;
                if let (Some(frame), Some(entry)) = (frame, entry) {
                    (self.games, self.number) = (frame.into_iter(), entry.first.into());
                }
                continue;
            };
            let read = sound(self.file.completed(self.number, next))?;
            self.number += 1;
            if let Some(read) = read.filter(|read| self.last.is_none_or(|last| last < read.digest))
            {
                self.last = Some(read.digest);
                *game = read;
                return Ok(true);
            }
        }
    }
}
