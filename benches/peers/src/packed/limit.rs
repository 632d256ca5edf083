//! Keeps a mapped file from having more than so many bytes in memory, where no cgroup does: pages
//! that were not touched since they were last looked at are dropped, in turn (the clock algorithm
//! with a second chance, which the kernel's lists come near to).

use crate::disk::{drop_part, residents};
use crate::raw::{PAGE, Placed, map_untouched, placed};
use anyhow::{Result, ensure};
use memmap2::Mmap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Pages that are looked at together.
const TOGETHER: usize = 1024;
/// Pages that are read at once, to fill memory.
const PIECE: usize = 64;

/// A file, the map through which it is used, and how much of it may be in memory.
pub struct Limit {
    file: File,
    /// A map of its own, never touched: for asking which pages are in memory.
    map: Mmap,
    /// Where the map is that is used.
    used: Placed,
    pages: usize,
    most: usize,
    /// The page that is looked at next.
    hand: usize,
}

impl Limit {
    /// Of a file that this process has mapped once.
    pub fn new(path: &Path, bytes: u64) -> Result<Self> {
        let used = placed(path)?;
        let map = map_untouched(path)?;
        let (pages, most) = (map.len().div_ceil(PAGE), bytes as usize / PAGE);
        ensure!(used.len().div_ceil(PAGE) == pages, "the file is mapped in parts");
        Ok(Self { file: File::open(path)?, map, used, pages, most, hand: 0 })
    }

    fn resident(&self) -> Result<usize> {
        Ok(residents(&self.map)?.into_iter().filter(|&there| there).count())
    }

    /// Reads pieces at random places until as much is in memory as may be.
    pub fn fill(&mut self) -> Result<()> {
        let mut buffer = vec![0; PIECE * PAGE];
        let pieces = self.pages.div_ceil(PIECE);
        // A permutation of the pieces: an odd factor, modulo a power of two.
        let all = pieces.next_power_of_two();
        let wanted = self.most.min(self.pages) / PIECE;
        let order = (0..all).map(|i| i.wrapping_mul(0x9e37_79b1) & (all - 1));
        for piece in order.filter(|&piece| piece < pieces).take(wanted) {
            self.file.read_at(&mut buffer, (piece * PIECE * PAGE) as u64)?;
        }
        self.keep()
    }

    /// Drops pages down to a sixteenth below the limit, if there are more.
    pub fn keep(&mut self) -> Result<()> {
        let target = self.most - self.most / 16;
        let mut resident = self.resident()?;
        let mut left = 3 * self.pages.div_ceil(TOGETHER);
        while resident > target && left > 0 {
            resident -= self.sweep(resident - target)?;
            left -= 1;
        }
        ensure!(resident <= self.most, "{resident} pages stay in memory");
        Ok(())
    }

    /// Looks at the next pages, drops at most so many of those that were not touched since the last
    /// look, and returns how many it dropped.
    fn sweep(&mut self, most: usize) -> Result<usize> {
        let from = self.hand;
        let to = (from + TOGETHER).min(self.pages);
        let there = residents(&self.map[from * PAGE..self.map.len().min(to * PAGE)])?;
        let touched = self.used.touched(from..to)?;
        let mut dropped = 0;
        for (page, _) in (from..to)
            .zip(there.into_iter().zip(touched))
            .filter(|&(_, (there, touched))| there && !touched)
            .take(most)
        {
            drop_part(&self.file, (page * PAGE) as u64, PAGE as u64)?;
            dropped += 1;
        }
        self.used.forget(from..to)?;
        self.hand = if to == self.pages { 0 } else { to };
        Ok(dropped)
    }
}
