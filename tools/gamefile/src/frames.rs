//! Games in frames: some 64 KiB of heads and moves, compressed by Zstandard.

use crate::entry::{Numbers, read_head, read_moves, write_head};
use crate::error::Result;
use crate::header::A_FRAME;
use crate::sections::SectionWriter;
use crate::stored_game::StoredGame;
use std::path::Path;
use tabia::{Context, parallel};
use xxhash_rust::xxh3::Xxh3;

/// A frame is full once it has so many bytes.
pub(crate) const FULL: usize = 1 << 16;
/// The most bytes of a frame: full but for a byte, and a game of the greatest size.
pub(crate) const MOST: usize = FULL + 2 * crate::stored_game::MOST_PLIES + (1 << 13);
const LEVEL: i32 = 12;
const BATCH: usize = 64;

#[derive(Default)]
struct Frame {
    first: u32,
    heads: Vec<u8>,
    moves: Vec<u8>,
}

impl Frame {
    fn content(&self) -> Vec<u8> {
        [&self.heads[..], &self.moves].concat()
    }
}

pub(crate) struct FrameWriter<'w, 'f, 'a> {
    section: &'w mut SectionWriter<'f, 'a>,
    threads: usize,
    frame: Frame,
    waiting: Vec<Frame>,
    /// The body of FIDX.
    pub index: Vec<u8>,
    /// Of all contents.
    pub hash: Xxh3,
}

impl<'w, 'f, 'a> FrameWriter<'w, 'f, 'a> {
    pub fn new(section: &'w mut SectionWriter<'f, 'a>, threads: usize) -> Self {
        Self {
            section,
            threads: threads.max(1),
            frame: Frame::default(),
            waiting: Vec::new(),
            index: Vec::new(),
            hash: Xxh3::new(),
        }
    }

    /// Writes the game with this number.
    pub fn add(&mut self, number: u32, game: &StoredGame, numbers: &Numbers) -> Result<()> {
        write_head(game, numbers, &mut self.frame.heads);
        game.moves.iter().for_each(|code| self.frame.moves.extend_from_slice(&code.to_le_bytes()));
        if self.frame.heads.len() + self.frame.moves.len() >= FULL {
            self.end_frame(number + 1)?;
        }
        Ok(())
    }

    fn end_frame(&mut self, next: u32) -> Result<()> {
        let fresh = Frame { first: next, ..Frame::default() };
        self.waiting.push(std::mem::replace(&mut self.frame, fresh));
        if self.waiting.len() < BATCH { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> Result<()> {
        let frames = std::mem::take(&mut self.waiting);
        let compress =
            |compressor: &mut Option<zstd::bulk::Compressor<'static>>, _, frame: Frame| {
                let content = frame.content();
                let (action, book) = ("compress games of", Path::new("the book"));
                let compressor = match compressor {
                    Some(compressor) => compressor,
                    none => none.insert(zstd::bulk::Compressor::new(LEVEL).at(action, book)?),
                };
                let compressed = compressor.compress(&content).at(action, book)?;
                Ok::<_, tabia::Error>((frame.first, content, compressed))
            };
        let (frames, _) = parallel::map(self.threads, frames, || None, compress)?;
        for (first, content, compressed) in frames {
            self.index.extend_from_slice(&first.to_le_bytes());
            self.index.extend_from_slice(&(content.len() as u32).to_le_bytes());
            self.index.extend_from_slice(&self.section.len().to_le_bytes());
            self.hash.update(&content);
            self.section.write(&compressed)?;
        }
        Ok(())
    }

    /// Writes what is left; the body of FIDX and the hash of all contents.
    pub fn finish(mut self) -> Result<(Vec<u8>, Xxh3)> {
        if !self.frame.heads.is_empty() {
            self.end_frame(0)?;
        }
        self.flush()?;
        Ok((self.index, self.hash))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FrameEntry {
    /// The number of its first game.
    pub first: u32,
    /// Bytes of its content.
    pub content: u32,
    /// Where it begins in FRMS.
    pub offset: u64,
}

impl FrameEntry {
    pub fn of_bytes(bytes: [u8; A_FRAME as usize]) -> Self {
        let short = |at: usize| bytes[at..].first_chunk().copied().map_or(0, u32::from_le_bytes);
        let offset = bytes.last_chunk().copied().map_or(0, u64::from_le_bytes);
        Self { first: short(0), content: short(4), offset }
    }
}

/// The content of a frame, or what is wrong with it (G-14).
pub(crate) fn decompress(compressed: &[u8], length: u32) -> std::result::Result<Vec<u8>, String> {
    let length = length as usize;
    if length > MOST {
        return Err(format!("a frame of {length} bytes is too large"));
    }
    // What decompresses takes several frames, and such as say nothing, for one.
    let frame = zstd::zstd_safe::find_frame_compressed_size(compressed);
    if frame.is_ok_and(|frame| frame != compressed.len()) {
        return Err("something is behind a frame".to_owned());
    }
    let content = zstd::bulk::decompress(compressed, length)
        .map_err(|error| format!("a frame can't be decompressed: {error}"))?;
    if content.len() == length {
        Ok(content)
    } else {
        Err(format!("a frame has {} bytes in place of {length}", content.len()))
    }
}

/// A game of a frame, without its digest, its end, its texts and its archive.
#[derive(Clone, Debug, Default)]
pub(crate) struct FrameGame {
    pub game: StoredGame,
    pub numbers: Numbers,
}

/// The games of a frame that holds so many, or the rule that it breaks, and how.
pub(crate) fn read_frame(
    content: &[u8],
    count: u32,
) -> std::result::Result<Vec<FrameGame>, (&'static str, &'static str)> {
    let (mut heads, mut games, mut all_plies) = (content, Vec::new(), 0);
    for _ in 0..count {
        if content.len() - heads.len() + 2 * all_plies >= FULL {
            return Err(("G-14", "a frame goes on though it was full"));
        }
        let mut game = StoredGame::default();
        let head = read_head(&mut heads, &mut game);
        let (numbers, plies) = head.map_err(|what| ("G-15", what))?;
        all_plies += plies;
        games.push((FrameGame { game, numbers }, plies));
    }
    let mut moves = heads;
    let with_moves = games.into_iter().map(|(mut game, plies)| {
        let read = read_moves(&mut moves, plies, &mut game.game.moves);
        read.map(|()| game).ok_or(("G-15", "the moves of a game are cut off"))
    });
    let games = with_moves.collect::<std::result::Result<_, _>>()?;
    if moves.is_empty() {
        Ok(games)
    } else {
        Err(("G-15", "something follows the last game of a frame"))
    }
}
