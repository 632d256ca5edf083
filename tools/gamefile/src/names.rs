//! The dictionary of names: every name once, in the order of their bytes, and which name of which
//! game has which number. Sorted in bounded memory.

use crate::entry::Numbers;
use crate::error::{GameFileError, Result};
use crate::sections::SectionWriter;
use crate::sorter::{Merge, Sorted, Sorter};
use crate::stored_game::StoredGame;
use std::path::Path;
use tabia::storage::Storage;

/// Bytes of a game's number and of which of its names it is.
const PLACE: usize = 5;

pub(crate) struct NameSorter<'a> {
    sorter: Sorter<'a>,
    buffer: Vec<u8>,
}

/// The place of a name: which game's, and which of its names. No name has a byte as low as the zero
/// before it, so that names sort as texts.
fn place(game: u32, which: usize) -> [u8; PLACE] {
    let [a, b, c, d] = game.to_be_bytes();
    [a, b, c, d, which as u8]
}

impl<'a> NameSorter<'a> {
    pub fn new(storage: &'a dyn Storage, folder: &Path, memory: usize) -> Self {
        Self { sorter: Sorter::new(storage, folder, memory), buffer: Vec::new() }
    }

    pub fn add(&mut self, number: u32, game: &StoredGame) -> Result<()> {
        for (which, name) in
            game.names().into_iter().enumerate().filter(|(_, name)| !name.is_empty())
        {
            self.buffer.clear();
            self.buffer.extend_from_slice(name.as_bytes());
            self.buffer.push(0);
            self.buffer.extend_from_slice(&place(number, which));
            self.sorter.add(&self.buffer)?;
        }
        Ok(())
    }

    pub fn finish(self) -> Result<SortedNames<'a>> {
        let mut sorted = SortedNames { names: self.sorter.finish()?, count: 0 };
        let mut count = 0;
        sorted.each(|_, _, is_new| {
            count += u64::from(is_new);
            Ok(())
        })?;
        sorted.count = count;
        Ok(sorted)
    }
}

pub(crate) struct SortedNames<'a> {
    names: Sorted<'a>,
    /// How many different ones there are.
    pub count: u64,
}

impl<'a> SortedNames<'a> {
    /// Hands on every name with its place, and whether it is another one than before.
    fn each(&self, mut take: impl FnMut(&[u8], &[u8], bool) -> Result<()>) -> Result<()> {
        let (mut merge, mut last) = (self.names.merge()?, Vec::new());
        while let Some(string) = merge.next()? {
            let (name, place) = string.split_at(string.len() - PLACE);
            let name = &name[..name.len() - 1];
            let is_new = last != name;
            if is_new {
                last.clear();
                last.extend_from_slice(name);
            }
            take(name, place, is_new)?;
        }
        Ok(())
    }

    /// Writes the dictionary, and sorts the numbers by games.
    pub fn write(
        &self,
        index: &mut SectionWriter<'_, '_>,
        texts: &mut SectionWriter<'_, '_>,
        mut numbers: Sorter<'a>,
        path: &Path,
    ) -> Result<Sorted<'a>> {
        if self.count >= u64::from(u32::MAX) {
            return Err(GameFileError::Limit { path: path.to_owned(), what: "names" });
        }
        let mut number = 0_u32;
        self.each(|name, place, is_new| {
            if is_new {
                index.write(&texts.len().to_le_bytes())?;
                texts.write(name)?;
                number += 1;
            }
            let mut string = [0; PLACE + 4];
            string[..PLACE].copy_from_slice(place);
            string[PLACE..].copy_from_slice(&number.to_le_bytes());
            numbers.add(&string)
        })?;
        numbers.finish()
    }
}

/// Reads the numbers of the names, game after game.
pub(crate) struct NameNumbers<'r> {
    merge: Merge<'r>,
    next: Option<[u8; PLACE + 4]>,
}

impl<'r> NameNumbers<'r> {
    pub fn new(numbers: &'r Sorted<'_>) -> Result<Self> {
        let mut all = Self { merge: numbers.merge()?, next: None };
        all.advance()?;
        Ok(all)
    }

    fn advance(&mut self) -> Result<()> {
        self.next = self.merge.next()?.and_then(|string| string.first_chunk()).copied();
        Ok(())
    }

    /// Those of the next game, which has this number.
    pub fn of(&mut self, game: u32) -> Result<Numbers> {
        let mut found = Numbers::default();
        while let Some(next) = self.next.filter(|next| next[..4] == game.to_be_bytes()) {
            let number = next.last_chunk().copied().unwrap_or_default();
            found.names[usize::from(next[4]).min(4)] = u32::from_le_bytes(number);
            self.advance()?;
        }
        Ok(found)
    }
}
