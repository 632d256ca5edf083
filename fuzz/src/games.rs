//! A file of games, taken apart, changed at will and put together again with right sums, so that a
//! change reaches the code behind them. Offsets are those of `format-spec/games.md`, written down
//! here once more and not taken from the reader; frames are blocks that are stored.

use crate::Input;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

const PAGE: usize = 4096;
/// Where the header has the extents of the sections.
const EXTENTS: usize = 136;
/// More bytes than a part grows to here.
const LARGEST: usize = 1 << 16;
/// Bytes of an element of INDX, ENDS, NAMX, NAME and SRCS.
const ELEMENTS: [usize; 5] = [10, 4, 8, 1, 16];

/// What is in a file of games.
#[derive(Clone, Debug)]
pub struct GameParts {
    /// Bytes 32 to 71 of the header: game, keys, keyed, kept, reserved.
    of: [u8; 40],
    plies: u64,
    /// INDX, ENDS, NAMX, NAME, SRCS.
    bodies: [Vec<u8>; 5],
    /// Of each frame the number of its first game, and its content.
    frames: Vec<(u32, Vec<u8>)>,
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes[at..].first_chunk().copied().map_or(0, u64::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes[at..].first_chunk().copied().map_or(0, u32::from_le_bytes)
}

impl GameParts {
    /// The parts of a sound file.
    ///
    /// # Panics
    /// If it isn't sound.
    pub fn of(file: &[u8]) -> Self {
        let section = |number: usize| {
            let at = EXTENTS + 16 * number;
            let start = u64_at(file, at) as usize;
            &file[start..start + u64_at(file, at + 8) as usize]
        };
        let (compressed, entries) = (section(5), section(6));
        let starts = entries.chunks(16).map(|entry| u64_at(entry, 8) as usize);
        let ends = starts.clone().skip(1).chain([compressed.len()]);
        let frames = entries.chunks(16).zip(starts.zip(ends)).map(|(entry, (start, end))| {
            let length = u32_at(entry, 4) as usize;
            let content = zstd::bulk::decompress(&compressed[start..end], length);
            (u32_at(entry, 0), content.expect("a sound frame"))
        });
        Self {
            of: *file[32..].first_chunk().expect("a header"),
            plies: u64_at(file, 80),
            bodies: std::array::from_fn(|number| section(number).to_vec()),
            frames: frames.collect(),
        }
    }

    /// Changes one thing, as the input says.
    pub fn edit(&mut self, input: &mut Input<'_>) {
        let kind = input.byte() % 8;
        let frame = input.below(self.frames.len().max(1));
        match kind {
            0 => self.of[input.below(40)] = input.byte(),
            1 => self.plies = self.plies.wrapping_add_signed(i64::from(input.byte() as i8)),
            2 | 3 => {
                let body = &mut self.bodies[input.below(5)];
                splice(body, input, kind == 2);
            }
            4 => {
                let number = input.below(5);
                let (body, size) = (&mut self.bodies[number], ELEMENTS[number]);
                let count = (body.len() / size).max(1);
                let (one, other) = (input.below(count) * size, input.below(count) * size);
                if body.len() >= one.max(other) + size {
                    let (first, second) =
                        (body[one..one + size].to_vec(), body[other..other + size].to_vec());
                    body[other..other + size].copy_from_slice(&first);
                    if input.byte() & 1 == 0 {
                        body[one..one + size].copy_from_slice(&second);
                    }
                }
            }
            5 | 6 => {
                if let Some((_, content)) = self.frames.get_mut(frame) {
                    splice(content, input, kind == 5);
                }
            }
            _ => self.edit_frames(frame, input),
        }
    }

    /// Cuts a frame in two, changes its first game, leaves it out or has it twice.
    fn edit_frames(&mut self, frame: usize, input: &mut Input<'_>) {
        let Some((first, content)) = self.frames.get_mut(frame) else { return };
        match input.byte() % 4 {
            0 => {
                let at = input.below(content.len() + 1);
                let (next, rest) = (first.wrapping_add(input.byte().into()), content.split_off(at));
                self.frames.insert(frame + 1, (next, rest));
            }
            1 => *first = first.wrapping_add_signed((input.byte() as i8).into()),
            2 => drop(self.frames.remove(frame)),
            _ => {
                let again = self.frames[frame].clone();
                self.frames.push(again);
            }
        }
    }

    /// The file of these parts: right in all that follows from them.
    pub fn file(&self) -> Vec<u8> {
        let mut bodies = self.bodies.to_vec();
        let (mut frames, mut entries, mut contents) = (Vec::new(), Vec::new(), Vec::new());
        for (first, content) in &self.frames {
            entries.extend_from_slice(&first.to_le_bytes());
            entries.extend_from_slice(&(content.len() as u32).to_le_bytes());
            entries.extend_from_slice(&(frames.len() as u64).to_le_bytes());
            frames.extend_from_slice(&stored(content));
            contents.extend_from_slice(content);
        }
        bodies.extend([frames, entries]);
        let (mut pages, mut extents) = (vec![0; PAGE], Vec::new());
        let mut put = |pages: &mut Vec<u8>, body: &[u8]| {
            extents.extend_from_slice(&(pages.len() as u64).to_le_bytes());
            extents.extend_from_slice(&(body.len() as u64).to_le_bytes());
            pages.extend_from_slice(body);
            pages.resize(pages.len().next_multiple_of(PAGE), 0);
        };
        bodies.iter().for_each(|body| put(&mut pages, body));
        let sums = sums(&pages[PAGE..]);
        put(&mut pages, &sums);
        let mut hashed = self.of[..34].to_vec();
        for part in self.bodies.iter().chain([&contents]) {
            hashed.extend_from_slice(&xxh3_128(part).to_be_bytes());
        }
        let count = |number: usize| (self.bodies[number].len() / ELEMENTS[number]) as u64;
        let length = (pages.len() + PAGE) as u64;
        let counts = [count(0), self.plies, count(2), count(4), self.frames.len() as u64, length];
        let mut header = b"\x89TABGM\r\n\x01\0\0\0\0\x10\0\0".to_vec();
        header.extend_from_slice(&[0; 16]);
        header.extend_from_slice(&self.of);
        counts.iter().for_each(|number| header.extend_from_slice(&number.to_le_bytes()));
        header.extend_from_slice(&xxh3_128(&hashed).to_be_bytes());
        header.extend_from_slice(&extents);
        pages[..header.len()].copy_from_slice(&header);
        pages.resize(pages.len() + PAGE, 0);
        mend_games(&mut pages);
        pages
    }
}

/// Puts bytes of the input over some of these, or in their place.
fn splice(bytes: &mut Vec<u8>, input: &mut Input<'_>, over: bool) {
    let at = input.below(bytes.len() + 1);
    let count = usize::from(input.byte() % 32);
    let new = input.bytes(count);
    let removed = if over { new.len() } else { usize::from(input.byte() % 32) };
    let end = (at + removed).min(bytes.len());
    if bytes.len() + new.len() < LARGEST {
        bytes.splice(at..end, new.iter().copied());
    }
}

/// A Zstandard frame of one segment, in stored blocks.
fn stored(content: &[u8]) -> Vec<u8> {
    let mut frame = b"\x28\xb5\x2f\xfd\xa0".to_vec();
    frame.extend_from_slice(&(content.len() as u32).to_le_bytes());
    let mut blocks = content.chunks(1 << 16).peekable();
    if blocks.peek().is_none() {
        frame.extend_from_slice(&[1, 0, 0]);
    }
    while let Some(block) = blocks.next() {
        let head = (block.len() as u32) << 3 | u32::from(blocks.peek().is_none());
        frame.extend_from_slice(&head.to_le_bytes()[..3]);
        frame.extend_from_slice(block);
    }
    frame
}

fn sums(pages: &[u8]) -> Vec<u8> {
    pages.chunks(PAGE).flat_map(|page| xxh3_64(page).to_le_bytes()).collect()
}

/// Changes bytes of a file, or its length, as the input says.
pub fn edit_game_file(bytes: &mut Vec<u8>, input: &mut Input<'_>) {
    let at = match input.byte() % 4 {
        0 => input.below(264),
        1 => input.below(bytes.len() + 1),
        2 => return bytes.truncate(input.take::<u32>() as usize % (bytes.len() + 1)),
        _ => {
            let (more, fill) = (input.below(2 * PAGE), input.byte());
            return bytes.resize((bytes.len() + more).min(4 * LARGEST), fill);
        }
    };
    let count = usize::from(input.byte() % 32);
    let new = input.bytes(count);
    let end = (at + new.len()).min(bytes.len());
    bytes[at.min(end)..end].copy_from_slice(&new[..end.saturating_sub(at)]);
}

/// Makes the sums of the pages right, the crc of the header and its copy.
pub fn mend_games(bytes: &mut [u8]) {
    if bytes.len() < 2 * PAGE {
        return;
    }
    let at = EXTENTS + 16 * 7;
    let (start, length) = (u64_at(bytes, at) as usize, u64_at(bytes, at + 8) as usize);
    if (PAGE..bytes.len()).contains(&start) && start.is_multiple_of(PAGE) {
        let sums = sums(&bytes[PAGE..start]);
        let length = sums.len().min(length).min(bytes.len() - start);
        bytes[start..start + length].copy_from_slice(&sums[..length]);
    }
    let crc = crc32fast::hash(&bytes[..PAGE - 4]);
    bytes[PAGE - 4..PAGE].copy_from_slice(&crc.to_le_bytes());
    let last = bytes.len() - PAGE;
    bytes.copy_within(..PAGE, last);
}
