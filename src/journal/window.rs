//! A journal's bytes, read in steps of bounded size; holes of a sparse file are skipped.

use crate::bytes::Bytes;
use crc32fast::Hasher;
use std::io;
use std::ops::Range;

/// The most bytes that are read, or written, at once.
pub(super) const STEP: u64 = 1 << 20;

/// A file's bytes through a buffer of one step, which moves on when something outside it is asked
/// for.
pub(super) struct Window<'a> {
    bytes: &'a dyn Bytes,
    buffer: Vec<u8>,
    /// Which part of the file the beginning of the buffer holds.
    holds: Range<u64>,
}

impl<'a> Window<'a> {
    pub fn new(bytes: &'a dyn Bytes) -> Self {
        Self { bytes, buffer: Vec::new(), holds: 0..0 }
    }

    /// Bytes of the file.
    pub fn len(&self) -> u64 {
        self.bytes.len()
    }

    /// Forgets what it holds: what is asked for next is read again.
    pub fn forget(&mut self) {
        self.holds = 0..0;
    }

    /// So many bytes from this offset on, a step at most.
    ///
    /// # Errors
    /// [`io::ErrorKind::UnexpectedEof`] if there are not as many, and the system's.
    pub fn get(&mut self, offset: u64, length: u64) -> io::Result<&[u8]> {
        let end = offset.checked_add(length).filter(|&end| end <= self.len() && length <= STEP);
        let end = end.ok_or(io::ErrorKind::UnexpectedEof)?;
        if offset < self.holds.start || end > self.holds.end {
            self.fill(offset)?;
        }
        let start = (offset - self.holds.start) as usize;
        Ok(&self.buffer[start..start + length as usize])
    }

    fn fill(&mut self, offset: u64) -> io::Result<()> {
        self.forget();
        let step = (self.len() - offset).min(STEP);
        if (self.buffer.len() as u64) < step {
            self.buffer.resize(step as usize, 0);
        }
        self.bytes.read_exact_at(&mut self.buffer[..step as usize], offset)?;
        self.holds = offset..offset + step;
        Ok(())
    }

    /// Fills `bytes` from this offset on, not through the buffer.
    pub fn read(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        self.bytes.read_exact_at(bytes, offset)
    }

    /// The next offset where there may be anything but zeros; the length if there is none.
    pub fn next_data(&self, offset: u64) -> io::Result<u64> {
        self.bytes.next_data(offset)
    }

    /// The CRC-32 of a part of the file.
    pub fn crc(&mut self, part: Range<u64>) -> io::Result<u32> {
        let mut crc = Hasher::new();
        let mut at = part.start;
        while at < part.end {
            if part.end - at > STEP {
                let data = self.next_data(at)?.min(part.end);
                if data > at {
                    crc.combine(&crc_of_zeros(data - at));
                    at = data;
                    continue;
                }
            }
            let step = (part.end - at).min(STEP);
            crc.update(self.get(at, step)?);
            at += step;
        }
        Ok(crc.finalize())
    }

    /// Whether there is nothing but zeros in the file.
    pub fn is_zero(&mut self) -> io::Result<bool> {
        let mut at = 0;
        loop {
            at = self.next_data(at)?;
            if at >= self.len() {
                return Ok(true);
            }
            let step = (self.len() - at).min(STEP);
            if self.get(at, step)?.iter().any(|&byte| byte != 0) {
                return Ok(false);
            }
            at += step;
        }
    }
}

/// The CRC-32 of `count` zeros, in time logarithmic in `count`.
fn crc_of_zeros(mut count: u64) -> Hasher {
    let (mut all, mut run) = (Hasher::new(), Hasher::new());
    run.update(&[0]);
    loop {
        if count & 1 == 1 {
            all.combine(&run);
        }
        count >>= 1;
        if count == 0 {
            return all;
        }
        run.combine(&run.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::Memory;

    #[test]
    fn the_crc_of_zeros_is_that_of_zeros() {
        for count in (0..70).chain([4095, 4096, 4097, 1 << 20, (1 << 20) + 3]) {
            let expected = crc32fast::hash(&vec![0; count]);
            assert_eq!(crc_of_zeros(count as u64).finalize(), expected, "{count}");
            let mut behind = Hasher::new();
            behind.update(b"abc");
            behind.combine(&crc_of_zeros(count as u64));
            behind.update(b"def");
            let whole = [&b"abc"[..], &vec![0; count], b"def"].concat();
            assert_eq!(behind.finalize(), crc32fast::hash(&whole), "{count}");
        }
    }

    #[test]
    fn a_window_shows_the_bytes_of_the_file_and_not_more() {
        let all: Vec<u8> = (0..STEP * 2 + 100).map(|at| (at % 251) as u8).collect();
        let memory = Memory(&all[..]);
        let mut window = Window::new(&memory);
        for (offset, length) in [
            (0, 40),
            (STEP - 20, 40),
            (STEP - 21, STEP),
            (5, 5),
            (STEP + 100, STEP),
            (STEP * 2 + 99, 1),
            (7, 0),
        ] {
            let expected = &all[offset as usize..(offset + length) as usize];
            assert_eq!(window.get(offset, length).unwrap(), expected, "{length} at {offset}");
        }
        for (offset, length) in [(STEP * 2 + 99, 2), (STEP * 3, 1), (u64::MAX, 2), (0, STEP + 1)] {
            let error = window.get(offset, length).unwrap_err().kind();
            assert_eq!(error, io::ErrorKind::UnexpectedEof, "{length} at {offset}");
        }
        for part in
            [0..0, 3..5, 0..all.len(), 17..all.len() - 5, STEP as usize - 1..STEP as usize * 2]
        {
            let crc = window.crc(part.start as u64..part.end as u64).unwrap();
            assert_eq!(crc, crc32fast::hash(&all[part.clone()]), "{part:?}");
        }
        assert!(!window.is_zero().unwrap());
    }

    /// Bytes with a hole between other bytes.
    struct Holey(u64);

    impl Bytes for Holey {
        fn len(&self) -> u64 {
            self.0
        }

        fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
            for (byte, at) in bytes.iter_mut().zip(offset..) {
                *byte = u8::from(at < 10 || at >= self.0 - 10);
            }
            Ok(())
        }

        fn next_data(&self, offset: u64) -> io::Result<u64> {
            Ok(if offset < 10 { offset } else { offset.max(self.0 - 10) })
        }
    }

    #[test]
    fn d6_holes_are_passed_over() {
        let small = Holey(3 * STEP);
        let mut all = vec![0; 3 * STEP as usize];
        small.read_exact_at(&mut all, 0).unwrap();
        assert_eq!(Window::new(&small).crc(0..small.len()).unwrap(), crc32fast::hash(&all));
        // So large that reading it would take days.
        let large = Holey(1 << 50);
        Window::new(&large).crc(0..large.len()).unwrap();
    }
}
