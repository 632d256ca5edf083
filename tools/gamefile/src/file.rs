//! Reading a file of games.

use crate::error::{GameFileError, Result};
use crate::frames::{FrameEntry, FrameGame, decompress, read_frame};
use crate::header::{
    A_FRAME, A_NAME, A_SOURCE, AN_END, AN_INDEX, Extent, GameFileHeader, PAGE, Refusal, Section,
};
use crate::search::lower_bound;
use crate::sections::{Kept, VerifiedReader};
use crate::set::{GameSet, Games};
use crate::stored_game::{LONGEST_NAME, StoredGame, is_stored_name};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tabia::bytes::{Bytes, Pread};
use tabia::{Book, BookFile, Context, Digest};

/// A file of games, open for reading. Opening reads the header page; of everything that is read
/// later the checksums are verified. Threads may share it; it keeps ten megabytes at most.
#[derive(Debug)]
pub struct GameFile<S = Pread> {
    path: PathBuf,
    header: GameFileHeader,
    reader: VerifiedReader<S>,
    frames: Kept<Arc<Vec<FrameGame>>, 16>,
}

impl GameFile {
    /// Opens a file, to be read with pread.
    ///
    /// # Errors
    /// The system's; [`GameFileError::Refused`] if it is none, was cut off, or is of later version.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        Self::of_bytes(path, Pread::open(path).at("open", path)?)
    }

    /// Opens the file of a book, if it has one: see [`Book::file`].
    ///
    /// # Errors
    /// As [`GameFile::open`]; those of [`Book::file`].
    pub fn beside<S: Bytes>(book: &Book<S>) -> Result<Option<Self>> {
        let (own, path) = (crate::path_beside(book.path()), book.file(BookFile::Games)?);
        match Self::open_if_there(&path)? {
            // It has got its own name since.
            None if path != own => Self::open_if_there(own),
            found => Ok(found),
        }
    }

    /// Opens a file, if it is there. Errors are those of [`GameFile::open`].
    pub fn open_if_there(path: impl AsRef<Path>) -> Result<Option<Self>> {
        match Self::open(path) {
            Err(GameFileError::Engine(tabia::Error::Io { source, .. }))
                if source.kind() == io::ErrorKind::NotFound =>
            {
                Ok(None)
            }
            opened => opened.map(Some),
        }
    }
}

impl<S: Bytes> GameFile<S> {
    /// Opens bytes as a file; `path` is for errors alone. Errors are those of [`GameFile::open`].
    pub fn of_bytes(path: impl AsRef<Path>, bytes: S) -> Result<Self> {
        let path = path.as_ref().to_owned();
        let header = read_header(&path, &bytes, 0)?;
        let header = header.map_err(|refusal| refused(&path, refusal))?;
        Ok(Self::with_header(path, bytes, header))
    }

    pub(crate) fn with_header(path: PathBuf, bytes: S, header: GameFileHeader) -> Self {
        let reader = VerifiedReader::new(bytes, header.section(Section::Sums));
        Self { path, header, reader, frames: Kept::new() }
    }

    /// As it was where no more than a bit of a block is wrong.
    pub(crate) fn mending(self) -> Self {
        /// Blocks of which that is tried.
        const BLOCKS: u32 = 1 << 10;
        Self { reader: self.reader.mending(BLOCKS), ..self }
    }

    /// The path it was opened by.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it says of itself.
    pub fn header(&self) -> &GameFileHeader {
        &self.header
    }

    pub(crate) fn reader(&self) -> &VerifiedReader<S> {
        &self.reader
    }

    /// The game with this digest, if it is there.
    ///
    /// # Errors
    /// [`GameFileError::Damaged`]; the system's.
    pub fn find(&self, digest: u64) -> Result<Option<StoredGame>> {
        let number = self.number_of(digest)?;
        number.map(|number| self.game(number)).transpose()
    }

    /// Whether a game with this digest is there. Errors are those of [`GameFile::find`].
    pub fn has(&self, digest: u64) -> Result<bool> {
        Ok(self.number_of(digest)?.is_some())
    }

    /// The digests of the games that end where the book has a key with this
    /// [`end_of_key`](crate::end_of_key), and perhaps of a few others. Errors are those of
    /// [`GameFile::find`].
    pub fn ending_at(&self, end: u32) -> Result<Vec<u64>> {
        let count = self.header.games;
        let end_at = |place: u64| Ok(u64::from(self.index(self.ends(place)?)?.1));
        let mut place = lower_bound(count, end.into(), 1 << 32, end_at)?;
        let mut found = Vec::new();
        while place < count {
            let (digest, other) = self.index(self.ends(place)?)?;
            if other != end {
                break;
            }
            found.push(digest);
            place += 1;
        }
        Ok(found)
    }

    /// The game with this number, counted from 0 in the order of digests.
    ///
    /// # Errors
    /// As [`GameFile::find`]; [`GameFileError::Damaged`] if there are not so many games.
    pub fn game(&self, number: u64) -> Result<StoredGame> {
        self.check_number(number)?;
        let first = |frame| Ok(u64::from(self.frame_entry(frame)?.first));
        let next = lower_bound(self.header.frames, number + 1, self.header.games, first)?;
        let frame = next.saturating_sub(1);
        let entry = self.frame_entry(frame)?;
        let games = self.frames.get(frame, || Ok(Arc::new(self.read_frame(frame)?)))?;
        let game = games.get((number - u64::from(entry.first)) as usize);
        let game = game.ok_or_else(|| {
            self.damaged("G-14", Section::FrameIndex, frame * A_FRAME, "a frame lacks games")
        })?;
        self.completed(number, game.clone())
    }

    fn check_number(&self, number: u64) -> Result<()> {
        if number >= self.header.games {
            return Err(self.damaged("G-11", Section::Ends, 0, "it names a game that isn't there"));
        }
        Ok(())
    }

    /// The digest and the end of the game with this number.
    pub(crate) fn index(&self, number: u64) -> Result<(u64, u32)> {
        self.check_number(number)?;
        let at = self.header.section(Section::Index).offset + number * AN_INDEX;
        let bytes: [u8; AN_INDEX as usize] = self.reader.some(&self.path, at)?;
        let mut digest = [0; 8];
        digest[..6].copy_from_slice(&bytes[..6]);
        let end = bytes.last_chunk().copied().map_or(0, u32::from_le_bytes);
        Ok((u64::from_le_bytes(digest), end))
    }

    /// The number of the game at this place of ENDS.
    pub(crate) fn ends(&self, place: u64) -> Result<u64> {
        let at = self.header.section(Section::Ends).offset + place * AN_END;
        Ok(u32::from_le_bytes(self.reader.some(&self.path, at)?).into())
    }

    fn number_of(&self, digest: u64) -> Result<Option<u64>> {
        let count = self.header.games;
        if digest >> 48 != 0 {
            return Ok(None);
        }
        let number = lower_bound(count, digest, 1 << 48, |number| Ok(self.index(number)?.0))?;
        Ok((number < count && self.index(number)?.0 == digest).then_some(number))
    }

    pub(crate) fn frame_entry(&self, frame: u64) -> Result<FrameEntry> {
        let wrong = |what: &str| Err(self.damaged("G-14", Section::FrameIndex, 0, what));
        if frame >= self.header.frames {
            return wrong("a game is in no frame");
        }
        let at = self.header.section(Section::FrameIndex).offset + frame * A_FRAME;
        let entry = FrameEntry::of_bytes(self.reader.some(&self.path, at)?);
        if frame == 0 && (entry.first, entry.offset) != (0, 0) {
            return wrong("the first frame doesn't begin with the first game");
        }
        Ok(entry)
    }

    pub(crate) fn read_frame(&self, number: u64) -> Result<Vec<FrameGame>> {
        self.games_of_frame(number, &self.frame_content(number)?)
    }

    pub(crate) fn games_of_frame(&self, number: u64, content: &[u8]) -> Result<Vec<FrameGame>> {
        let (entry, next) = (self.frame_entry(number)?, self.next_game(number)?);
        let count = next.checked_sub(entry.first).filter(|&count| count > 0);
        let wrong = |what: &str| self.damaged("G-14", Section::FrameIndex, number * A_FRAME, what);
        let count = count.ok_or_else(|| wrong("frames are not in the order of their games"))?;
        read_frame(content, count)
            .map_err(|(rule, what)| self.damaged(rule, Section::Frames, entry.offset, what))
    }

    /// The number of the first game behind a frame.
    pub(crate) fn next_game(&self, frame: u64) -> Result<u32> {
        if frame + 1 < self.header.frames {
            Ok(self.frame_entry(frame + 1)?.first)
        } else {
            Ok(u32::try_from(self.header.games).unwrap_or(u32::MAX))
        }
    }

    pub(crate) fn frame_content(&self, number: u64) -> Result<Vec<u8>> {
        let entry = self.frame_entry(number)?;
        let section = self.header.section(Section::Frames);
        let end = if number + 1 < self.header.frames {
            self.frame_entry(number + 1)?.offset
        } else {
            section.length
        };
        let most = crate::frames::MOST as u64 * 2;
        let length =
            end.checked_sub(entry.offset).filter(|&length| length <= most && end <= section.length);
        let wrong = |what: &str| self.damaged("G-14", Section::FrameIndex, number * A_FRAME, what);
        let length = length.ok_or_else(|| wrong("a frame is not where it can be"))?;
        let mut compressed = Vec::new();
        let extent = Extent { offset: section.offset + entry.offset, length };
        if length > 0 {
            self.reader.read(&self.path, extent, &mut compressed)?;
        }
        let content = decompress(&compressed, entry.content);
        content.map_err(|what| self.damaged("G-14", Section::Frames, entry.offset, &what))
    }

    /// The game of a frame with all that stands elsewhere.
    pub(crate) fn completed(&self, number: u64, game: FrameGame) -> Result<StoredGame> {
        let FrameGame { mut game, numbers } = game;
        (game.digest, game.end) = self.index(number)?;
        for (text, number) in game.names_mut().into_iter().zip(numbers.names) {
            if number > 0 {
                *text = self.name(u64::from(number) - 1)?;
            }
        }
        game.source = self.source(numbers.source)?;
        Ok(game)
    }

    /// The name with this number, counted from 0.
    pub(crate) fn name(&self, number: u64) -> Result<String> {
        let wrong = |at: u64, what: &str| self.damaged("G-12", Section::NameIndex, at, what);
        if number >= self.header.names {
            return Err(wrong(0, "a game has a name that isn't there"));
        }
        let index = self.header.section(Section::NameIndex).offset;
        let texts = self.header.section(Section::Names);
        let at = |number: u64| {
            let found = self.reader.some(&self.path, index + number * A_NAME)?;
            Ok::<_, GameFileError>(u64::from_le_bytes(found))
        };
        let start = at(number)?;
        let end = if number + 1 < self.header.names { at(number + 1)? } else { texts.length };
        let length = end
            .checked_sub(start)
            .filter(|&length| length <= LONGEST_NAME as u64 && end <= texts.length);
        let length =
            length.ok_or_else(|| wrong(number * A_NAME, "a name is not where it can be"))?;
        let mut text = Vec::with_capacity(length as usize);
        for offset in start..end {
            let [byte] = self.reader.some(&self.path, texts.offset + offset)?;
            text.push(byte);
        }
        let is_plain = is_stored_name(&text).map(str::to_owned);
        is_plain.ok_or_else(|| wrong(number * A_NAME, "a name is no plain text"))
    }

    fn source(&self, number: u32) -> Result<Digest> {
        let number = u64::from(number);
        if number >= self.header.sources {
            let what = "a game has an archive that isn't there";
            return Err(self.damaged("G-13", Section::Sources, 0, what));
        }
        let at = self.header.section(Section::Sources).offset + number * A_SOURCE;
        Ok(Digest(self.reader.some(&self.path, at)?))
    }

    pub(crate) fn damaged(
        &self,
        rule: &'static str,
        section: Section,
        offset: u64,
        what: &str,
    ) -> GameFileError {
        let start = self.header.section(section).offset;
        GameFileError::Damaged {
            path: self.path.clone(),
            rule,
            offset: start.saturating_add(offset),
            what: what.to_owned(),
        }
    }
}

/// The header page at an offset, or why it is none.
pub(crate) fn read_header<S: Bytes>(
    path: &Path,
    bytes: &S,
    offset: u64,
) -> Result<std::result::Result<GameFileHeader, Refusal>> {
    Ok(GameFileHeader::parse(&read_page(path, bytes, offset)?, bytes.len()))
}

/// A page, or what is there of it.
pub(crate) fn read_page<S: Bytes>(path: &Path, bytes: &S, offset: u64) -> Result<Vec<u8>> {
    let mut page = vec![0; bytes.len().saturating_sub(offset).min(PAGE) as usize];
    bytes.read_exact_at(&mut page, offset).at("read", path)?;
    Ok(page)
}

pub(crate) fn refused(path: &Path, (rule, what): Refusal) -> GameFileError {
    GameFileError::Refused { path: path.to_owned(), rule, what }
}

impl<S: Bytes> GameSet for GameFile<S> {
    fn games(&self) -> Result<Box<dyn Games + '_>> {
        Ok(Box::new(FileGames::new(self, false)))
    }
}

/// The games of a file without those that are damaged.
pub(crate) struct SoundGames<'f, S>(pub &'f GameFile<S>);

impl<S: Bytes> GameSet for SoundGames<'_, S> {
    fn games(&self) -> Result<Box<dyn Games + '_>> {
        Ok(Box::new(FileGames::new(self.0, true)))
    }
}

struct FileGames<'f, S> {
    file: &'f GameFile<S>,
    passes_damage: bool,
    /// The number of the next game.
    number: u64,
    /// The digest of the last one.
    last: Option<u64>,
    /// The next frame.
    frame: u64,
    games: std::vec::IntoIter<FrameGame>,
}

impl<'f, S: Bytes> FileGames<'f, S> {
    fn new(file: &'f GameFile<S>, passes_damage: bool) -> Self {
        let games = Vec::new().into_iter();
        Self { file, passes_damage, number: 0, last: None, frame: 0, games }
    }

    /// What was read; none if it is damaged and that is passed over.
    fn sound<T>(&self, read: Result<T>) -> Result<Option<T>> {
        match read {
            Err(GameFileError::Damaged { .. }) if self.passes_damage => Ok(None),
            read => read.map(Some),
        }
    }

    fn is_at_end(&self) -> bool {
        let GameFileHeader { games, frames, .. } = self.file.header;
        if self.passes_damage { self.frame == frames } else { self.number == games }
    }

    fn completed(&self, game: FrameGame) -> Result<StoredGame> {
        let game = self.file.completed(self.number, game)?;
        if self.last.is_some_and(|last| last >= game.digest) {
            let at = self.number * AN_INDEX;
            return Err(self.file.damaged("G-10", Section::Index, at, "games are out of order"));
        }
        Ok(game)
    }
}

impl<S: Bytes> Games for FileGames<'_, S> {
    fn next(&mut self, game: &mut StoredGame) -> Result<bool> {
        loop {
            if let Some(next) = self.games.next() {
                let read = self.sound(self.completed(next))?;
                self.number += 1;
                if let Some(read) = read {
                    self.last = Some(read.digest);
                    *game = read;
                    return Ok(true);
                }
            } else if self.is_at_end() {
                return Ok(false);
            } else {
                let frame = self.sound(self.file.read_frame(self.frame))?;
                let entry = self.sound(self.file.frame_entry(self.frame))?;
                self.frame += 1;
                if let (Some(frame), Some(entry)) = (frame, entry) {
                    (self.games, self.number) = (frame.into_iter(), entry.first.into());
                }
            }
        }
    }
}
