//! Verifying all of a file of games.

use crate::entry::Numbers;
use crate::error::{GameFileError, Result};
use crate::file::{GameFile, read_header};
use crate::frames::FULL;
use crate::header::{A_FRAME, A_NAME, A_SOURCE, AN_END, AN_INDEX, Extent, PAGE, SECTIONS, Section};
use std::path::Path;
use tabia::bytes::Bytes;
use tabia::{Context, Digest, Env, Stage};
use xxhash_rust::xxh3::Xxh3;

/// What is wrong with a file of games.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameFinding {
    /// The rule of `format-spec/games.md`.
    pub rule: &'static str,
    /// Where in the file.
    pub offset: u64,
    /// What was found.
    pub what: String,
}

/// What was verified of a file of games, and what is wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameCheck {
    /// Games that it holds.
    pub games: u64,
    /// Bytes of the file.
    pub bytes: u64,
    /// What is wrong, at most a hundred findings.
    pub bad: Vec<GameFinding>,
    /// Findings beyond those.
    pub unlisted: u64,
}

impl GameCheck {
    /// Whether nothing is wrong.
    pub fn ok(&self) -> bool {
        self.bad.is_empty()
    }

    fn add(&mut self, rule: &'static str, offset: u64, what: impl Into<String>) {
        if self.bad.len() < 100 {
            self.bad.push(GameFinding { rule, offset, what: what.into() });
        } else {
            self.unlisted += 1;
        }
    }

    /// What was read, unless it is damaged, which is noted.
    fn sound<T>(&mut self, read: Result<T>) -> Result<Option<T>> {
        match read {
            Ok(read) => Ok(Some(read)),
            Err(GameFileError::Damaged { rule, offset, what, .. }) => {
                self.add(rule, offset, what);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}

/// Verifies every byte and every rule of a file of games.
///
/// # Errors
/// The system's; [`tabia::Error::Interrupted`] if the observer of `env` asks to stop. A file that
/// can't be opened as one is a finding.
pub fn check_games(env: &Env<'_>, path: &Path) -> Result<GameCheck> {
    match GameFile::open(path) {
        Ok(file) => check_game_file(env, &file),
        Err(GameFileError::Refused { rule, what, .. }) => {
            let mut check = GameCheck::default();
            check.add(rule, 0, what);
            Ok(check)
        }
        Err(error) => Err(error),
    }
}

/// Verifies every byte and every rule of a file of games that was opened. Errors are those of
/// [`check_games`].
pub fn check_game_file<S: Bytes>(env: &Env<'_>, file: &GameFile<S>) -> Result<GameCheck> {
    Checking { env, file, check: GameCheck::default() }.run()
}

struct Checking<'c, 'e, S> {
    env: &'c Env<'e>,
    file: &'c GameFile<S>,
    check: GameCheck,
}

impl<S: Bytes> Checking<'_, '_, S> {
    fn run(mut self) -> Result<GameCheck> {
        let header = self.file.header();
        (self.check.games, self.check.bytes) = (header.games, header.file_length);
        let bytes = self.file.reader().bytes();
        let copy = read_header(self.file.path(), bytes, header.file_length - PAGE)?;
        if copy.as_ref() != Ok(header) {
            self.check.add("G-8", header.file_length - PAGE, "the copy of the header differs");
        }
        self.blocks()?;
        if self.check.ok() {
            // What is behind damaged blocks is damaged, too: one finding for each is enough.
            self.index()?;
            self.names()?;
            let contents = self.frames()?;
            self.digest(contents)?;
        }
        Ok(self.check)
    }

    /// The sums of all blocks, and the padding behind sections.
    fn blocks(&mut self) -> Result<()> {
        let (file, mut bytes) = (self.file, Vec::new());
        for section in &SECTIONS[..7] {
            let extent = file.header().section(*section);
            let end = extent.end().next_multiple_of(PAGE);
            for offset in (extent.offset..end).step_by(PAGE as usize) {
                if offset.is_multiple_of(PAGE << 8)
                    && !self.env.progress.step(Stage::Checking, offset, file.header().file_length)
                {
                    return Err(tabia::Error::Interrupted.into());
                }
                let block = Extent { offset, length: PAGE };
                let read = file.reader().read(file.path(), block, &mut bytes);
                let used = extent.end().saturating_sub(offset).min(PAGE) as usize;
                if self.check.sound(read)?.is_some() && bytes[used..].iter().any(|&byte| byte != 0)
                {
                    self.check.add("G-16", offset + used as u64, "padding is not zero");
                }
            }
        }
        let sums = file.header().section(Section::Sums);
        let mut padding = vec![0; (sums.end().next_multiple_of(PAGE) - sums.end()) as usize];
        file.reader().bytes().read_exact_at(&mut padding, sums.end()).at("read", file.path())?;
        if padding.iter().any(|&byte| byte != 0) {
            self.check.add("G-16", sums.end(), "padding is not zero");
        }
        Ok(())
    }

    fn index(&mut self) -> Result<()> {
        let (file, mut last, mut last_end) = (self.file, None, None);
        let offset = |section, at: u64| file.header().section(section).offset + at;
        for number in 0..file.header().games {
            let (digest, _) = file.index(number)?;
            if last.is_some_and(|last| last >= digest) {
                let at = offset(Section::Index, number * AN_INDEX);
                self.check.add("G-10", at, "games are not in the order of their digests");
            }
            last = Some(digest);
            let at = offset(Section::Ends, number * AN_END);
            let game = file.ends(number)?;
            let Some((_, end)) = self.check.sound(file.index(game))? else { continue };
            if last_end.is_some_and(|last| last >= (end, game)) {
                self.check.add("G-11", at, "games are not in the order of their ends");
            }
            last_end = Some((end, game));
        }
        Ok(())
    }

    fn names(&mut self) -> Result<()> {
        let (file, mut last) = (self.file, None);
        for number in 0..file.header().names {
            let Some(name) = self.check.sound(file.name(number))? else { continue };
            if last.as_ref().is_some_and(|last| *last >= name) {
                let at = file.header().section(Section::NameIndex).offset + number * A_NAME;
                self.check.add("G-12", at, "names are not in order");
            }
            last = Some(name);
        }
        let names = file.header().section(Section::NameIndex);
        if file.header().names > 0 {
            let first: [u8; 8] = file.reader().some(file.path(), names.offset)?;
            if first != [0; 8] {
                self.check.add("G-12", names.offset, "the first name doesn't begin where names do");
            }
        } else if file.header().section(Section::Names).length > 0 {
            self.check.add("G-12", names.offset, "there are texts of no name");
        }
        let mut last = None;
        for number in 0..file.header().sources {
            let at = file.header().section(Section::Sources).offset + number * A_SOURCE;
            let source = Digest(file.reader().some(file.path(), at)?);
            if last.is_some_and(|last| last >= source) {
                self.check.add("G-13", at, "archives are not in order");
            }
            last = Some(source);
        }
        Ok(())
    }

    /// All games can be read, and all names and archives are some game's; the hash of all contents.
    fn frames(&mut self) -> Result<Xxh3> {
        let (file, header) = (self.file, self.file.header());
        let [mut names, mut sources] =
            [header.names, header.sources].map(|count| vec![false; count as usize]);
        let (mut hash, mut plies) = (Xxh3::new(), 0);
        let entries = header.section(Section::FrameIndex).offset;
        if header.games > 0 && header.frames == 0 {
            self.check.add("G-14", entries, "games are in no frame");
            return Ok(hash);
        }
        for frame in 0..header.frames {
            let at = entries + frame * A_FRAME;
            let Some(content) = self.check.sound(file.frame_content(frame))? else { continue };
            hash.update(&content);
            if content.len() < FULL && frame + 1 < header.frames {
                self.check.add("G-14", at, "a frame ends before it is full");
            }
            let games = self.check.sound(file.games_of_frame(frame, &content))?;
            for game in games.unwrap_or_default() {
                plies += game.game.moves.len() as u64;
                let Numbers { names: used, source } = game.numbers;
                for number in used.into_iter().filter(|&number| number > 0) {
                    match names.get_mut(number as usize - 1) {
                        Some(is_used) => *is_used = true,
                        None => self.check.add("G-12", at, "a game has a name that isn't there"),
                    }
                }
                match sources.get_mut(source as usize) {
                    Some(is_used) => *is_used = true,
                    None => self.check.add("G-13", at, "a game has an archive that isn't there"),
                }
            }
        }
        let are_used = !names.contains(&false) && !sources.contains(&false);
        if self.check.ok() && (plies != header.plies || !are_used) {
            let what = "moves, names or archives are not those of its games";
            self.check.add("G-18", 0, what);
        }
        Ok(hash)
    }

    fn digest(&mut self, contents: Xxh3) -> Result<()> {
        let (file, mut bytes) = (self.file, Vec::new());
        let mut digests = [Digest::NONE; 6];
        for (digest, section) in digests[..5].iter_mut().zip(SECTIONS) {
            let extent = file.header().section(section);
            let mut hash = Xxh3::new();
            for offset in (extent.offset..extent.end()).step_by(1 << 20) {
                let length = (extent.end() - offset).min(1 << 20);
                file.reader().read(file.path(), Extent { offset, length }, &mut bytes)?;
                hash.update(&bytes);
            }
            *digest = Digest(hash.digest128().to_be_bytes());
        }
        digests[5] = Digest(contents.digest128().to_be_bytes());
        if file.header().digest_of(digests) != file.header().digest {
            self.check.add("G-17", 120, "the digest is not that of the contents");
        }
        Ok(())
    }
}
