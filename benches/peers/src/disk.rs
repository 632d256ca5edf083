//! Files and the disk below them: which of their pages are in memory, dropping those, and reading past them.

use crate::raw::map_untouched;
use anyhow::{Context, Result, ensure};
use rustix::fs::{Advice, fadvise};
use std::fs::{File, OpenOptions};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;
use std::sync::Barrier;
use std::time::Instant;

/// Bytes of a page.
const PAGE: usize = 4096;

/// How many pages of a file are in memory, and how many it has.
#[expect(unsafe_code, reason = "mincore takes an address")]
pub fn resident(path: &Path) -> Result<(u64, u64)> {
    let map = map_untouched(path)?;
    let mut pages = vec![0u8; map.len().div_ceil(PAGE)];
    // SAFETY: the address and length are those of a live map, and there is a byte for each of its pages.
    let failed = unsafe { libc::mincore(map.as_ptr().cast_mut().cast(), map.len(), pages.as_mut_ptr()) };
    ensure!(failed == 0, "mincore: {}", std::io::Error::last_os_error());
    Ok((pages.iter().filter(|&&page| page & 1 == 1).count() as u64, pages.len() as u64))
}

/// Makes a file durable, so that its pages can be dropped.
pub fn sync(path: &Path) -> Result<()> {
    Ok(File::open(path)?.sync_all()?)
}

/// Drops the pages of a file that nobody has mapped from memory.
pub fn drop_pages(path: &Path) -> Result<()> {
    fadvise(File::open(path)?, 0, None, Advice::DontNeed)?;
    let (resident, pages) = resident(path)?;
    ensure!(resident * 100 < pages, "{resident} of {pages} pages of {} stay in memory", path.display());
    Ok(())
}

/// Bytes that the disk was asked for by this process so far.
pub fn bytes_read() -> u64 {
    let io = std::fs::read_to_string("/proc/self/io").unwrap_or_default();
    io.lines().find_map(|line| line.strip_prefix("read_bytes: ")).and_then(|bytes| bytes.parse().ok()).unwrap_or(0)
}

/// Where a page is read to, as reading past the page cache demands it.
#[repr(align(4096))]
struct Aligned([u8; PAGE]);

/// Seconds to read a page for each key, at a random place of a file that follows from the key, past the page cache, so many at a time.
pub fn read_pages(path: &Path, keys: &[u64], depth: usize) -> Result<f64> {
    let file = OpenOptions::new().read(true).custom_flags(libc::O_DIRECT).open(path)?;
    let pages = file.metadata()?.len() / PAGE as u64;
    let read = |keys: &[u64]| -> Result<()> {
        let mut page = Box::new(Aligned([0; PAGE]));
        for &key in keys {
            let at = (u128::from(key) * u128::from(pages)) >> 64;
            file.read_exact_at(&mut page.0, at as u64 * PAGE as u64).context("read past the page cache")?;
        }
        Ok(())
    };
    if depth == 1 {
        let start = Instant::now();
        read(keys)?;
        return Ok(start.elapsed().as_secs_f64());
    }
    let ready = Barrier::new(depth + 1);
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..depth)
            .map(|reader| {
                let (ready, read) = (&ready, &read);
                let share = &keys[keys.len() * reader / depth..keys.len() * (reader + 1) / depth];
                scope.spawn(move || {
                    ready.wait();
                    read(share)
                })
            })
            .collect();
        ready.wait();
        let start = Instant::now();
        for reader in readers {
            reader.join().map_err(|_| anyhow::anyhow!("a reader panicked"))??;
        }
        Ok(start.elapsed().as_secs_f64())
    })
}
