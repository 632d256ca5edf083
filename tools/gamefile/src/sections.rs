//! Writing sections block by block with their sums, and reading them verified.

use crate::error::{GameFileError, Result};
use crate::header::{A_SUM, Extent, PAGE};
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tabia::bytes::Bytes;
use tabia::{AtomicFile, Context, Digest};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

pub(crate) struct SectionWriter<'f, 'a> {
    file: &'f AtomicFile<'a>,
    extent: Extent,
    block: Vec<u8>,
    sums: Vec<u8>,
    hash: Xxh3,
}

pub(crate) struct Written {
    pub extent: Extent,
    /// The sums of its blocks.
    pub sums: Vec<u8>,
    /// The digest of its body.
    pub digest: Digest,
}

impl Written {
    /// Where the next section begins.
    pub fn next(&self) -> u64 {
        self.extent.end().next_multiple_of(PAGE)
    }
}

impl<'f, 'a> SectionWriter<'f, 'a> {
    pub fn new(file: &'f AtomicFile<'a>, offset: u64) -> Self {
        Self {
            file,
            extent: Extent { offset, length: 0 },
            block: Vec::new(),
            sums: Vec::new(),
            hash: Xxh3::new(),
        }
    }

    /// Bytes written so far.
    pub fn len(&self) -> u64 {
        self.extent.length
    }

    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.hash.update(bytes);
        self.extent.length += bytes.len() as u64;
        self.block.extend_from_slice(bytes);
        if self.block.len() as u64 >= 64 * PAGE { self.flush(false) } else { Ok(()) }
    }

    /// Writes whole blocks, and with `all` what is left, padded.
    fn flush(&mut self, all: bool) -> Result<()> {
        if all {
            self.block.resize(self.block.len().next_multiple_of(PAGE as usize), 0);
        }
        let whole = self.block.len() / PAGE as usize * PAGE as usize;
        let at = self.extent.offset + self.sums.len() as u64 / A_SUM * PAGE;
        self.file.write(&self.block[..whole], at)?;
        for block in self.block[..whole].chunks(PAGE as usize) {
            self.sums.extend_from_slice(&xxh3_64(block).to_le_bytes());
        }
        self.block.drain(..whole);
        Ok(())
    }

    pub fn finish(mut self) -> Result<Written> {
        self.flush(true)?;
        let digest = Digest(self.hash.digest128().to_be_bytes());
        Ok(Written { extent: self.extent, sums: self.sums, digest })
    }
}

/// What was read last, by its number: at most `MOST` of it.
#[derive(Debug)]
pub(crate) struct Kept<V, const MOST: usize>(Mutex<HashMap<u64, V>>);

impl<V: Clone, const MOST: usize> Kept<V, MOST> {
    pub fn new() -> Self {
        Self(Mutex::default())
    }

    /// What has this number, which is read if it isn't kept.
    pub fn get(&self, number: u64, read: impl FnOnce() -> Result<V>) -> Result<V> {
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = kept().get(&number) {
            return Ok(value.clone());
        }
        let value = read()?;
        let mut kept = kept();
        if kept.len() >= MOST {
            kept.clear();
        }
        kept.insert(number, value.clone());
        Ok(value)
    }
}

/// Blocks that are kept: 8 MiB, in which all digests of half a million games have room.
const KEPT_BLOCKS: usize = 1 << 11;

/// Reads sections; of what is read every block is verified (G-9).
#[derive(Debug)]
pub(crate) struct VerifiedReader<S> {
    bytes: S,
    sums: Extent,
    blocks: Kept<Arc<[u8]>, KEPT_BLOCKS>,
    /// How many damaged blocks are still looked at for a bit to be put right.
    mends: AtomicU32,
}

impl<S: Bytes> VerifiedReader<S> {
    pub fn new(bytes: S, sums: Extent) -> Self {
        Self { bytes, sums, blocks: Kept::new(), mends: AtomicU32::new(0) }
    }

    /// Takes a block in which one bit is wrong, or whose sum has a wrong bit, as it was. Of this many
    /// blocks that is tried: each takes some milliseconds.
    pub fn mending(self, blocks: u32) -> Self {
        Self { mends: AtomicU32::new(blocks), ..self }
    }

    /// Puts a block right that doesn't have its sum, if one bit is all that is wrong.
    fn mend(&self, block: &mut [u8], sum: u64) -> bool {
        let left = |left: u32| left.checked_sub(1);
        if self.mends.fetch_update(Ordering::Relaxed, Ordering::Relaxed, left).is_err() {
            return false;
        }
        if (xxh3_64(block) ^ sum).count_ones() == 1 {
            return true;
        }
        for bit in 0..block.len() * 8 {
            block[bit / 8] ^= 1 << (bit % 8);
            if xxh3_64(block) == sum {
                return true;
            }
            block[bit / 8] ^= 1 << (bit % 8);
        }
        false
    }

    pub fn bytes(&self) -> &S {
        &self.bytes
    }

    /// A few bytes at this offset of the file, from blocks that are kept for later.
    pub fn some<const N: usize>(&self, path: &Path, offset: u64) -> Result<[u8; N]> {
        let mut found = [0; N];
        let (mut at, mut done) = (offset, 0);
        while done < N {
            let number = at / PAGE;
            let block = self.blocks.get(number, || {
                let mut block = Vec::new();
                self.read(path, Extent { offset: number * PAGE, length: PAGE }, &mut block)?;
                Ok(block.into())
            })?;
            let start = (at % PAGE) as usize;
            let count = (N - done).min(PAGE as usize - start);
            found[done..done + count].copy_from_slice(&block[start..start + count]);
            done += count;
            at += count as u64;
        }
        Ok(found)
    }

    /// This part of the sections, in place of what `into` held. It has to be in them.
    pub fn read(&self, path: &Path, part: Extent, into: &mut Vec<u8>) -> Result<()> {
        let first = part.offset / PAGE;
        let blocks = part.end().div_ceil(PAGE) - first;
        into.clear();
        into.resize((blocks * PAGE) as usize, 0);
        self.at(path, first * PAGE, into)?;
        let mut sums = vec![0; (blocks * A_SUM) as usize];
        self.at(path, self.sums.offset + (first - 1) * A_SUM, &mut sums)?;
        for ((block, sum), number) in
            into.chunks_mut(PAGE as usize).zip(sums.as_chunks().0).zip(first..)
        {
            let sum = u64::from_le_bytes(*sum);
            if xxh3_64(block) != sum && !self.mend(block, sum) {
                return Err(GameFileError::Damaged {
                    path: path.to_owned(),
                    rule: "G-9",
                    offset: number * PAGE,
                    what: "a block is damaged".to_owned(),
                });
            }
        }
        into.truncate((part.end() - first * PAGE) as usize);
        into.drain(..(part.offset - first * PAGE) as usize);
        Ok(())
    }

    fn at(&self, path: &Path, offset: u64, into: &mut [u8]) -> Result<()> {
        Ok(self.bytes.read_exact_at(into, offset).at("read", path)?)
    }
}
