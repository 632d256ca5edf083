//! The machine without an engine: maps of files, reads of them, prefetch and fence, and what the
//! kernel says of this process. All that needs `unsafe` stands here, but for LMDB.

use crate::measure::Probe;
use anyhow::{Context, Result, ensure};
use memmap2::{Advice, Mmap, MmapMut};
use std::fs::File;
use std::io::Write;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::Path;

pub const PAGE: usize = 4096;

/// Maps a file, and touches all of it.
pub fn map(path: &Path) -> Result<Mmap> {
    let map = map_untouched(path)?;
    touch(&map);
    Ok(map)
}

/// Maps a file that this process has written and nobody writes to while it is measured; advised as
/// [`tabia::Book::map`] advises.
#[expect(unsafe_code, reason = "mapping a file is unsafe by its nature")]
pub fn map_untouched(path: &Path) -> Result<Mmap> {
    let file = File::open(path).with_context(|| format!("open {}", path.display()))?;
    // SAFETY: the file stands in the benchmark's own folder, which nothing else writes to; it is
    // neither written to nor cut while mapped.
    let map = unsafe { Mmap::map(&file)? };
    map.advise(Advice::Random)?;
    Ok(map)
}

/// Maps a book of the benchmark's own.
#[expect(unsafe_code, reason = "mapping a file is unsafe by its nature")]
pub fn map_book(path: &Path) -> tabia::Result<tabia::Book<tabia::bytes::Map>> {
    // SAFETY: as in `map`.
    unsafe { tabia::Book::map(path) }
}

/// Maps a book of the benchmark's own, and reads all of it at once.
#[expect(unsafe_code, reason = "mapping a file is unsafe by its nature")]
pub fn map_book_warm(path: &Path) -> tabia::Result<tabia::Book<tabia::bytes::Map>> {
    // SAFETY: as in `map`.
    unsafe { tabia::Book::map_warm(path) }
}

/// Writes a file anew in pieces of one size, so that the kernel keeps it in pages of the same size
/// as every other contender's: ext4 keeps what comes in whole aligned pieces of 2 MiB in huge
/// pages, and maps them as such, and what comes in smaller pieces it does not.
pub fn lay(path: &Path, huge: bool) -> Result<()> {
    let beside = path.with_extension("laid");
    let mut output = File::create(&beside)?;
    each_piece(path, if huge { 2 << 20 } else { 1 << 18 }, |piece| Ok(output.write_all(piece)?))?;
    output.sync_all()?;
    Ok(std::fs::rename(beside, path)?)
}

/// Reads a file in pieces of so many bytes.
pub fn each_piece(
    path: &Path,
    bytes: usize,
    mut take: impl FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let (file, mut piece, mut at) = (File::open(path)?, vec![0; bytes], 0);
    loop {
        let read = file.read_at(&mut piece, at)?;
        if read == 0 {
            return Ok(());
        }
        take(&piece[..read])?;
        at += read as u64;
    }
}

/// How much of the maps of a file is resident, and how much of that in huge pages.
pub fn residence(path: &Path) -> String {
    let name = path.to_string_lossy();
    let (resident, huge) =
        (smaps_kib(&name, "Rss:") >> 10, smaps_kib(&name, "FilePmdMapped:") >> 10);
    format!("{resident} MiB resident, {huge} MiB of them in huge pages")
}

/// Touches every page, so that no fault is timed.
pub fn touch(bytes: &[u8]) {
    let sum = bytes.iter().step_by(4096).fold(0u8, |sum, &byte| sum.wrapping_add(byte));
    std::hint::black_box(sum);
}

/// Touches most of the memory that is free, and gives it back. A virtual machine may hand memory
/// that nobody uses back to its host, a little every few seconds, and whoever uses it next waits
/// for the host, here ten times as long as for copying into it: work that writes files would be
/// timed by chance.
pub fn reclaim() -> Result<()> {
    let info = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let free = info.lines().find_map(|line| {
        line.strip_prefix("MemFree:")?.trim().strip_suffix(" kB")?.parse::<usize>().ok()
    });
    let bytes = free.unwrap_or(0) * 1024 / 10 * 9;
    if bytes > 0 {
        let mut memory = MmapMut::map_anon(bytes)?;
        memory.advise(Advice::HugePage)?;
        memory.iter_mut().step_by(4096).for_each(|byte| *byte = 1);
    }
    Ok(())
}

/// Starts loading a word into the cache.
#[inline(always)]
fn prefetch(target: &[u8; 8]) {
    #[cfg(target_arch = "x86_64")]
    #[expect(
        unsafe_code,
        reason = "the prefetch instruction is only to be had as an unsafe intrinsic"
    )]
    // SAFETY: a prefetch has no effect that a program can observe but speed, and the address is
    // that of a live reference.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(target.as_ptr().cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = target;
}

/// Nothing after it starts before all before it is done.
#[inline(always)]
pub fn fence() {
    #[cfg(target_arch = "x86_64")]
    #[expect(
        unsafe_code,
        reason = "the fence instruction is only to be had as an intrinsic that asks for SSE2"
    )]
    // SAFETY: every x86_64 has SSE2, and a fence touches no memory.
    unsafe {
        std::arch::x86_64::_mm_lfence();
    }
    #[cfg(not(target_arch = "x86_64"))]
    std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
}

/// One read of eight bytes for each key, at a place of a map that is the key's by one
/// multiplication: as fast as memory answers.
pub struct RawReads<'a>(pub &'a [[u8; 8]]);

impl<'a> RawReads<'a> {
    /// Reads of these bytes.
    pub fn of(bytes: &'a [u8]) -> Self {
        Self(bytes.as_chunks().0)
    }

    #[inline(always)]
    fn word(&self, key: u64) -> &'a [u8; 8] {
        &self.0[((u128::from(key) * self.0.len() as u128) >> 64) as usize]
    }
}

impl Probe for RawReads<'_> {
    #[inline(always)]
    fn get(&self, key: u64) -> u64 {
        u64::from_le_bytes(*self.word(key))
    }

    #[inline(always)]
    fn batch(&self, keys: &[u64]) -> u64 {
        for &key in keys {
            prefetch(self.word(key));
        }
        keys.iter().fold(0, |sum, &key| sum.wrapping_add(self.get(key)))
    }
}

/// Where in this process's memory a file is mapped.
pub struct Placed(Range<usize>);

/// Where this file is mapped, which it must be once.
pub fn placed(path: &Path) -> Result<Placed> {
    let name = path.to_string_lossy();
    let maps = std::fs::read_to_string("/proc/self/maps")?;
    let mut places = maps.lines().filter(|line| line.ends_with(&*name)).filter_map(|line| {
        let (start, end) = line.split_once(' ')?.0.split_once('-')?;
        let address = |text| usize::from_str_radix(text, 16).ok();
        Some(address(start)?..address(end)?)
    });
    let place = places.next().with_context(|| format!("{name} is not mapped"))?;
    ensure!(places.next().is_none(), "{name} is mapped more than once");
    Ok(Placed(place))
}

impl Placed {
    /// Bytes of the map.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Which of these pages were touched through the map since they were last forgotten. (Where one
    /// page is touched, the kernel maps its neighbours too, if they are in memory.)
    pub fn touched(&self, pages: Range<usize>) -> Result<Vec<bool>> {
        let mut entries = vec![0; pages.len() * 8];
        let first = self.0.start / PAGE + pages.start;
        File::open("/proc/self/pagemap")?.read_exact_at(&mut entries, first as u64 * 8)?;
        let entries = entries.as_chunks().0.iter();
        Ok(entries.map(|&entry| u64::from_le_bytes(entry) >> 63 == 1).collect())
    }

    /// Forgets that these pages were touched: the next touch finds them again where they are, in
    /// memory or on the disk.
    #[expect(unsafe_code, reason = "madvise takes an address")]
    pub fn forget(&self, pages: Range<usize>) -> Result<()> {
        let start = self.0.start + pages.start * PAGE;
        let length = pages.len() * PAGE;
        // SAFETY: these addresses are of a map of a file that nobody writes to, so the next touch
        // reads the same bytes again.
        let failed =
            unsafe { libc::madvise(start as *mut libc::c_void, length, libc::MADV_DONTNEED) };
        ensure!(failed == 0, "madvise: {}", std::io::Error::last_os_error());
        Ok(())
    }
}

/// Kibibytes of this field over all maps in smaps of files with this name.
fn smaps_kib(name: &str, field: &str) -> u64 {
    let smaps = std::fs::read_to_string("/proc/self/smaps").unwrap_or_default();
    let mut inside = false;
    let mut kib = 0;
    for line in smaps.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some(first) if first.ends_with(':') => {
                if inside && first == field {
                    kib += words.next().and_then(|word| word.parse::<u64>().ok()).unwrap_or(0);
                }
            }
            _ => inside = line.ends_with(name),
        }
    }
    kib
}

/// The most memory that this process has had resident, in KiB.
pub fn most_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse().unwrap_or(0)
}
