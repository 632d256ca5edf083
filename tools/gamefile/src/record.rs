//! Games on their way to a file: sorted by digest in bounded memory, with their texts.

use crate::entry::take;
use crate::error::Result;
use crate::set::{GameSet, Games};
use crate::sorter::{Merge, Sorted, Sorter};
use crate::stored_game::{GameResult, LONGEST_SETUP, MOST_PLIES, StoredGame, stored_text};
use std::io;
use std::path::Path;
use tabia::storage::Storage;
use tabia::{Context, Digest};

/// Bytes of the digest, the archive's number and the offset, by which records are sorted.
const ORIGIN: usize = 18;

/// Takes games in any order, to write them to a file in that of their digests.
#[derive(Debug)]
pub struct GameSorter<'a> {
    sorter: Sorter<'a>,
    record: Vec<u8>,
    too_large: u64,
}

impl<'a> GameSorter<'a> {
    /// One that holds about so many bytes; what is more goes to files without a name in this folder.
    pub fn new(storage: &'a dyn Storage, folder: &Path, memory: usize) -> Self {
        Self { sorter: Sorter::new(storage, folder, memory), record: Vec::new(), too_large: 0 }
    }

    /// Takes a game of the archive with this number; [`StoredGame::source`] isn't looked at. Names
    /// become [`stored_text`]s. A game with more moves than [`MOST_PLIES`] or a set-up text of more
    /// than [`LONGEST_SETUP`] bytes is left out, and counted. Errors are the system's, from
    /// spilling.
    pub fn add(&mut self, game: &StoredGame, archive: u32) -> Result<()> {
        if game.moves.len() > MOST_PLIES || game.setup.len() > LONGEST_SETUP {
            self.too_large += 1;
            return Ok(());
        }
        self.record.clear();
        self.record.extend_from_slice(&origin(game.digest, archive, game.offset));
        write(game, &mut self.record);
        self.sorter.add(&self.record)
    }

    /// Those that it has taken; it goes on without them. Errors are the system's.
    pub fn take(&mut self) -> Result<SortedGames<'a>> {
        let empty = Self { sorter: self.sorter.emptied(), record: Vec::new(), too_large: 0 };
        std::mem::replace(self, empty).finish()
    }

    /// All of them. Errors are the system's.
    pub fn finish(self) -> Result<SortedGames<'a>> {
        let records = self.sorter.finish()?;
        Ok(SortedGames { records, only: Vec::new(), too_large: self.too_large })
    }
}

/// What identifies a game among all that were read, as it sorts: digest, archive, offset.
fn origin(digest: u64, archive: u32, offset: u64) -> [u8; ORIGIN] {
    let mut bytes = [0; ORIGIN];
    bytes[..6].copy_from_slice(&digest.to_be_bytes()[2..]);
    bytes[6..10].copy_from_slice(&archive.to_be_bytes());
    bytes[10..].copy_from_slice(&offset.to_be_bytes());
    bytes
}

/// Games that were sorted, and which of them are wanted.
#[derive(Debug)]
pub struct SortedGames<'a> {
    records: Sorted<'a>,
    /// Lists of what records have to begin with, and how many bytes each looks at.
    only: Vec<(Sorted<'a>, usize)>,
    too_large: u64,
}

impl<'a> SortedGames<'a> {
    /// The games of several sorters together; none without a sorter. Errors are the system's.
    pub fn join(all: Vec<Self>) -> Result<Option<Self>> {
        let too_large = all.iter().map(Self::too_large).sum();
        let records = Sorted::join(all.into_iter().map(|games| games.records).collect())?;
        Ok(records.map(|records| Self { records, only: Vec::new(), too_large }))
    }

    /// How many games were left out because a file has no room for them.
    pub fn too_large(&self) -> u64 {
        self.too_large
    }

    /// Writes them all, whichever are wanted, to this file, durably, but for its name. Errors are
    /// the system's.
    pub fn save(&self, path: &Path) -> Result<()> {
        self.records.save(path)
    }

    /// Those that were saved in a file, which has to be as [`SortedGames::save`] left it, and how
    /// many were left out of these; `folder` is for files without a name. Errors are the system's.
    pub fn saved(
        storage: &'a dyn Storage,
        folder: &Path,
        path: &Path,
        too_large: u64,
    ) -> Result<Self> {
        let records = Sorted::saved(storage, folder, path)?;
        Ok(Self { records, only: Vec::new(), too_large })
    }

    /// Those of them alone whose digests are in this list, of [`SortedGames::digest`]s.
    pub fn only_digests(mut self, digests: Sorted<'a>) -> Self {
        self.only.push((digests, 6));
        self
    }

    /// Those of them alone that are in this list, of [`SortedGames::origin`]s.
    pub fn only_origins(mut self, origins: Sorted<'a>) -> Self {
        self.only.push((origins, ORIGIN));
        self
    }

    /// A digest as lists have it.
    pub fn digest(digest: u64) -> [u8; 6] {
        *origin(digest, 0, 0).first_chunk().expect("six bytes of eighteen")
    }

    /// A game as lists of origins have it: digest, number of the archive, offset there.
    pub fn origin(digest: u64, archive: u32, offset: u64) -> [u8; 18] {
        origin(digest, archive, offset)
    }

    /// The games, given the digests of the archives by their numbers.
    pub fn games<'g>(&'g self, archives: &'g [Digest]) -> impl GameSet + 'g {
        FromArchives { sorted: self, archives }
    }
}

struct FromArchives<'g, 'a> {
    sorted: &'g SortedGames<'a>,
    archives: &'g [Digest],
}

impl GameSet for FromArchives<'_, '_> {
    fn games(&self) -> Result<Box<dyn Games + '_>> {
        let SortedGames { records, only, .. } = self.sorted;
        let only = only.iter().map(|(list, bytes)| Ok((list.merge()?, *bytes)));
        let only = only.collect::<Result<_>>()?;
        Ok(Box::new(Records { records: records.merge()?, only, archives: self.archives }))
    }
}

struct Records<'g> {
    records: Merge<'g>,
    only: Vec<(Merge<'g>, usize)>,
    archives: &'g [Digest],
}

impl Games for Records<'_> {
    fn next(&mut self, game: &mut StoredGame) -> Result<bool> {
        while let Some(record) = self.records.next()? {
            let mut is_wanted = true;
            for (list, bytes) in &mut self.only {
                is_wanted &= list.reaches(&record[..*bytes])?;
            }
            if is_wanted {
                return match read(record, self.archives, game) {
                    Some(()) => Ok(true),
                    None => Ok(Err(io::ErrorKind::InvalidData.into())
                        .at("read back", Path::new("a scratch file"))?),
                };
            }
        }
        Ok(false)
    }
}

/// Writes what is behind the origin.
fn write(game: &StoredGame, record: &mut Vec<u8>) {
    record.extend_from_slice(&game.end.to_le_bytes());
    record.extend_from_slice(&game.year.to_le_bytes());
    record.extend_from_slice(&[game.month, game.day, result_code(game.result)]);
    game.ratings.iter().for_each(|rating| record.extend_from_slice(&rating.to_le_bytes()));
    for name in game.names() {
        let name = stored_text(name);
        record.push(name.len() as u8);
        record.extend_from_slice(name.as_bytes());
    }
    record.extend_from_slice(&(game.setup.len() as u16).to_le_bytes());
    record.extend_from_slice(game.setup.as_bytes());
    game.moves.iter().for_each(|code| record.extend_from_slice(&code.to_le_bytes()));
}

/// The code of a result: 0 for none.
pub(crate) fn result_code(result: Option<GameResult>) -> u8 {
    result.map_or(0, |result| 1 + result as u8)
}

pub(crate) fn result_of_code(code: u8) -> Option<Option<GameResult>> {
    match code {
        0 => Some(None),
        1 => Some(Some(GameResult::FirstWins)),
        2 => Some(Some(GameResult::Draw)),
        3 => Some(Some(GameResult::SecondWins)),
        _ => None,
    }
}

fn read(record: &[u8], archives: &[Digest], game: &mut StoredGame) -> Option<()> {
    let mut rest = record;
    let origin: [u8; ORIGIN] = take(&mut rest)?;
    let mut digest = [0; 8];
    digest[2..].copy_from_slice(&origin[..6]);
    game.digest = u64::from_be_bytes(digest);
    let archive = u32::from_be_bytes(*origin[6..].first_chunk()?);
    game.source = *archives.get(archive as usize)?;
    game.offset = u64::from_be_bytes(*origin[10..].first_chunk()?);
    game.end = u32::from_le_bytes(take(&mut rest)?);
    game.year = u16::from_le_bytes(take(&mut rest)?);
    [game.month, game.day] = take(&mut rest)?;
    let [result] = take(&mut rest)?;
    game.result = result_of_code(result)?;
    for rating in &mut game.ratings {
        *rating = u16::from_le_bytes(take(&mut rest)?);
    }
    for name in game.names_mut() {
        let [length] = take(&mut rest)?;
        text(&mut rest, length.into(), name)?;
    }
    let length = u16::from_le_bytes(take(&mut rest)?);
    text(&mut rest, length.into(), &mut game.setup)?;
    game.moves.clear();
    game.moves.extend(rest.as_chunks().0.iter().map(|&code| u16::from_le_bytes(code)));
    Some(())
}

fn text(rest: &mut &[u8], length: usize, into: &mut String) -> Option<()> {
    let (bytes, behind) = rest.split_at_checked(length)?;
    *rest = behind;
    into.clear();
    into.push_str(std::str::from_utf8(bytes).ok()?);
    Some(())
}
