//! Files and the disk below them: which of their pages are in memory, dropping those, and reading
//! past them.

use crate::raw::{PAGE, map_untouched};
use anyhow::{Context, Result, ensure};
use io_uring::types::Fd;
use io_uring::{IoUring, opcode};
use rustix::fs::{Advice, fadvise};
use std::fs::{File, OpenOptions};
use std::mem::ManuallyDrop;
use std::num::NonZeroU64;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;
use std::time::Instant;

/// How many pages of a file are in memory, and how many it has.
pub fn resident(path: &Path) -> Result<(u64, u64)> {
    let pages = residents(&map_untouched(path)?)?;
    Ok((pages.iter().filter(|&&there| there).count() as u64, pages.len() as u64))
}

/// Which pages of a part of a map are in memory; it begins where a page does.
#[expect(unsafe_code, reason = "mincore takes an address")]
pub fn residents(part: &[u8]) -> Result<Vec<bool>> {
    let mut pages = vec![0u8; part.len().div_ceil(PAGE)];
    // SAFETY: the address and length are those of a live slice, and there is a byte for each of its
    // pages.
    let failed =
        unsafe { libc::mincore(part.as_ptr().cast_mut().cast(), part.len(), pages.as_mut_ptr()) };
    ensure!(failed == 0, "mincore: {}", std::io::Error::last_os_error());
    Ok(pages.into_iter().map(|page| page & 1 == 1).collect())
}

/// Makes a file durable, so that its pages can be dropped.
pub fn sync(path: &Path) -> Result<()> {
    Ok(File::open(path)?.sync_all()?)
}

/// Drops the pages of a file that nobody has mapped from memory.
pub fn drop_pages(path: &Path) -> Result<()> {
    fadvise(File::open(path)?, 0, None, Advice::DontNeed)?;
    let (resident, pages) = resident(path)?;
    ensure!(
        resident * 100 < pages,
        "{resident} of {pages} pages of {} stay in memory",
        path.display()
    );
    Ok(())
}

/// Drops the pages of a part of a file that nobody has mapped from memory, as far as that can be.
pub fn drop_part(file: &File, offset: u64, length: u64) -> Result<()> {
    Ok(fadvise(file, offset, NonZeroU64::new(length), Advice::DontNeed)?)
}

/// Where a page is read to, as reading past the page cache demands it.
#[repr(align(4096))]
struct Aligned([u8; PAGE]);

/// Seconds to read a page for each key, at a random place of a file that follows from the key, past
/// the page cache, so many at a time.
pub fn read_pages(path: &Path, keys: &[u64], depth: usize) -> Result<f64> {
    let file = OpenOptions::new().read(true).custom_flags(libc::O_DIRECT).open(path)?;
    let pages = file.metadata()?.len() / PAGE as u64;
    let places =
        keys.iter().map(|&key| ((u128::from(key) * u128::from(pages)) >> 64) as u64 * PAGE as u64);
    let start = Instant::now();
    match depth {
        1 => one_at_a_time(&file, places)?,
        _ => by_ring(&file, places, depth)?,
    }
    Ok(start.elapsed().as_secs_f64())
}

fn one_at_a_time(file: &File, places: impl Iterator<Item = u64>) -> Result<()> {
    let mut page = Box::new(Aligned([0; PAGE]));
    for place in places {
        file.read_exact_at(&mut page.0, place).context("read past the page cache")?;
    }
    Ok(())
}

/// Reads by io_uring, so many under way all the time, all from one thread.
#[expect(unsafe_code, reason = "the kernel is given addresses to write to")]
fn by_ring(file: &File, mut places: impl Iterator<Item = u64>, depth: usize) -> Result<()> {
    // Only dropped when nothing is under way any more: after an error the kernel may still write
    // there.
    let mut pages: ManuallyDrop<Vec<Aligned>> =
        ManuallyDrop::new((0..depth).map(|_| Aligned([0; PAGE])).collect());
    let mut ring = IoUring::new(depth as u32).context("set up io_uring")?;
    let mut free: Vec<usize> = (0..depth).collect();
    loop {
        while let Some(&slot) = free.last()
            && let Some(place) = places.next()
        {
            free.pop();
            let page = pages[slot].0.as_mut_ptr();
            let read = opcode::Read::new(Fd(file.as_raw_fd()), page, PAGE as u32)
                .offset(place)
                .build()
                .user_data(slot as u64);
            // SAFETY: the page lives until its read is complete, and is not used for another
            // before; the kernel keeps the file open itself.
            unsafe { ring.submission().push(&read) }.context("the ring is full")?;
        }
        if free.len() == depth {
            drop(ManuallyDrop::into_inner(pages));
            return Ok(());
        }
        ring.submit_and_wait(1)?;
        for done in ring.completion() {
            ensure!(done.result() == PAGE as i32, "read past the page cache: {}", done.result());
            free.push(done.user_data() as usize);
        }
    }
}
