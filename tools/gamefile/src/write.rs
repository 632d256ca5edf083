//! Writing a file of games, section by section, in bounded memory: games are read twice, for names.

use crate::entry::Numbers;
use crate::error::{GameFileError, Result};
use crate::frames::FrameWriter;
use crate::header::{AN_END, AN_INDEX, Extent, GameFileHeader, KeptGames, PAGE, SECTIONS, Section};
use crate::names::{NameNumbers, NameSorter, SortedNames};
use crate::sections::{SectionWriter, Written};
use crate::set::{GameSet, Union};
use crate::sorter::Sorter;
use crate::stored_game::StoredGame;
use std::collections::BTreeSet;
use std::path::Path;
use tabia::storage::folder_of;
use tabia::{AtomicFile, Digest, Env, Existing, Keyed, Name, Stage};

/// A file of games to be made.
#[derive(Clone, Copy, Debug)]
pub struct NewGameFile {
    /// The game.
    pub game: Name,
    /// The key scheme of the ends of its games.
    pub keys: Name,
    /// What those ends are keyed by.
    pub keyed: Keyed,
    /// Which games are in it. It doesn't choose them.
    pub kept: KeptGames,
    /// How many bytes may be used for sorting names. Never shows in the file.
    pub memory: usize,
    /// How many threads may compress. Never shows in the file.
    pub threads: usize,
}

impl NewGameFile {
    /// One of all games, keyed by position in this scheme; one thread makes it, sorting in 256 MiB.
    pub fn new(game: Name, keys: Name) -> Self {
        let (keyed, kept) = (Keyed::Position, KeptGames::All);
        Self { game, keys, keyed, kept, memory: 256 << 20, threads: 1 }
    }

    /// One like this.
    pub fn like(header: &GameFileHeader) -> Self {
        Self { keyed: header.keyed, kept: header.kept, ..Self::new(header.game, header.keys) }
    }
}

/// A file of games that is whole and has no name yet. Dropped, it is gone.
#[derive(Debug)]
pub struct UnpublishedGames<'a> {
    /// The file, which may get its name with a book ([`tabia::Companions`]).
    pub file: AtomicFile<'a>,
    /// What it says of itself.
    pub header: GameFileHeader,
}

impl UnpublishedGames<'_> {
    /// Makes it durable and gives it its name. Errors are those of [`AtomicFile::publish`].
    pub fn publish(self, existing: Existing) -> Result<GameFileHeader> {
        self.file.publish(existing)?;
        Ok(self.header)
    }
}

/// Writes a file of these games, each digest once, without its name yet.
///
/// # Errors
/// The system's; those of the games; [`tabia::Error::Interrupted`] if the observer of `env` asks to
/// stop; [`GameFileError::Limit`] for more than 2^32 - 2 games or names.
pub fn write_games<'a>(
    env: &Env<'a>,
    path: &Path,
    new: &NewGameFile,
    games: &dyn GameSet,
) -> Result<UnpublishedGames<'a>> {
    let file = AtomicFile::create(env.storage, path)?;
    let games = Union(vec![games]);
    let header = GameFileHeader::new(new.game, new.keys, new.keyed, new.kept);
    let (folder, sources) = (folder_of(path), Vec::new());
    let mut writing = Writing { env: *env, path, folder, new, file: &file, header, sources };
    let names = writing.survey(&games)?;
    let header = writing.write(&games, &names)?;
    Ok(UnpublishedGames { file, header })
}

struct Writing<'w, 'a> {
    env: Env<'a>,
    path: &'w Path,
    folder: &'w Path,
    new: &'w NewGameFile,
    file: &'w AtomicFile<'a>,
    header: GameFileHeader,
    sources: Vec<Digest>,
}

impl<'a> Writing<'_, 'a> {
    fn each(
        &self,
        games: &dyn GameSet,
        stage: Stage,
        mut take: impl FnMut(u32, &StoredGame) -> Result<()>,
    ) -> Result<u64> {
        let (mut games, mut game, mut count) = (games.games()?, StoredGame::default(), 0_u64);
        while games.next(&mut game)? {
            if count.is_multiple_of(4096)
                && !self.env.progress.step(stage, count, self.header.games)
            {
                return Err(tabia::Error::Interrupted.into());
            }
            let number = u32::try_from(count).ok().filter(|&number| number < u32::MAX);
            let number = number.ok_or_else(|| GameFileError::Limit {
                path: self.path.to_owned(),
                what: "games",
            })?;
            take(number, &game)?;
            count += 1;
        }
        Ok(count)
    }

    /// Counts the games, and gathers their names and archives.
    fn survey(&mut self, games: &dyn GameSet) -> Result<SortedNames<'a>> {
        let mut names = NameSorter::new(self.env.storage, self.folder, self.new.memory / 2);
        let (mut plies, mut sources) = (0, BTreeSet::new());
        self.header.games = self.each(games, Stage::Counting, |number, game| {
            plies += game.moves.len() as u64;
            sources.insert(game.source);
            names.add(number, game)
        })?;
        let names = names.finish()?;
        self.sources = sources.into_iter().collect();
        self.header.plies = plies;
        self.header.names = names.count;
        self.header.sources = self.sources.len() as u64;
        Ok(names)
    }

    fn write(&mut self, games: &dyn GameSet, names: &SortedNames<'a>) -> Result<GameFileHeader> {
        let file = self.file;
        let after = |extent: Extent| extent.end().next_multiple_of(PAGE);
        let index_extent = Extent { offset: PAGE, length: self.header.games * AN_INDEX };
        let ends_extent =
            Extent { offset: after(index_extent), length: self.header.games * AN_END };
        let name_index_at = after(ends_extent);
        let names_at = (name_index_at + names.count * 8).next_multiple_of(PAGE);

        let mut name_index = SectionWriter::new(file, name_index_at);
        let mut texts = SectionWriter::new(file, names_at);
        let numbers = Sorter::new(self.env.storage, self.folder, self.new.memory / 4);
        let numbers = names.write(&mut name_index, &mut texts, numbers, self.path)?;
        let (name_index, texts) = (name_index.finish()?, texts.finish()?);
        let mut sources = SectionWriter::new(file, texts.next());
        self.sources.iter().try_for_each(|source| sources.write(&source.0))?;
        let sources = sources.finish()?;

        let mut index = SectionWriter::new(file, index_extent.offset);
        let mut ends = Sorter::new(self.env.storage, self.folder, self.new.memory / 4);
        let mut frames = SectionWriter::new(file, sources.next());
        let mut writer = FrameWriter::new(&mut frames, self.new.threads);
        let mut name_numbers = NameNumbers::new(&numbers)?;
        let count = self.each(games, Stage::Writing, |number, game| {
            index.write(&game.digest.to_le_bytes()[..6])?;
            index.write(&game.end.to_le_bytes())?;
            let mut end = [0; 8];
            end[..4].copy_from_slice(&game.end.to_be_bytes());
            end[4..].copy_from_slice(&number.to_be_bytes());
            ends.add(&end)?;
            let source = self.sources.binary_search(&game.source).unwrap_or_default() as u32;
            let numbers = Numbers { source, ..name_numbers.of(number)? };
            writer.add(number, game, &numbers)
        })?;
        if count != self.header.games {
            return Err(tabia::Error::Changed { path: self.path.to_owned() }.into());
        }
        let (frame_index, contents) = writer.finish()?;
        let (index, frames) = (index.finish()?, frames.finish()?);

        let mut ends_writer = SectionWriter::new(file, ends_extent.offset);
        let sorted = ends.finish()?;
        let mut merge = sorted.merge()?;
        while let Some(end) = merge.next()? {
            let number = end.last_chunk().copied().map_or(0, u32::from_be_bytes);
            ends_writer.write(&number.to_le_bytes())?;
        }
        let ends = ends_writer.finish()?;
        let mut frame_writer = SectionWriter::new(file, frames.next());
        frame_writer.write(&frame_index)?;
        let frame_entries = frame_writer.finish()?;

        self.header.frames = frame_index.len() as u64 / crate::header::A_FRAME;
        let contents = Digest(contents.digest128().to_be_bytes());
        let [a, b, c, d, e] =
            [&index, &ends, &name_index, &texts, &sources].map(|section| section.digest);
        self.header.digest = self.header.digest_of([a, b, c, d, e, contents]);
        self.finish(&[index, ends, name_index, texts, sources, frames, frame_entries])
    }

    fn finish(&mut self, sections: &[Written; 7]) -> Result<GameFileHeader> {
        let at = sections[6].next();
        let mut sums = Vec::new();
        for (written, section) in sections.iter().zip(SECTIONS) {
            self.header.sections[section as usize] = written.extent;
            sums.extend_from_slice(&written.sums);
        }
        let extent = Extent { offset: at, length: sums.len() as u64 };
        self.header.sections[Section::Sums as usize] = extent;
        sums.resize(sums.len().next_multiple_of(PAGE as usize), 0);
        self.file.write(&sums, at)?;
        let last = at + sums.len() as u64;
        self.header.file_length = last + PAGE;
        let page = self.header.page();
        self.file.write(&page, last)?;
        self.file.write(&page, 0)?;
        Ok(self.header.clone())
    }
}
