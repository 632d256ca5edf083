//! Journals made by hand, byte for byte as the specification has them: what the engine would never
//! write.

use std::fs;
use std::path::Path;
use tabia::{Book, Digest, View, journal_path};
use xxhash_rust::xxh3::xxh3_64;

/// Bytes of a journal's header.
pub const HEADER: usize = 64;
/// Bytes of the header of a frame.
pub const FRAME_HEADER: usize = 40;

/// A journal in the making, and what its next frame is bound to.
#[derive(Clone)]
pub struct Forged {
    /// The journal so far.
    pub bytes: Vec<u8>,
    /// The journal's salt.
    pub salt: u64,
    /// The number of the next frame.
    pub sequence: u64,
    /// The checksum that the next frame is bound to.
    pub previous: u32,
}

impl Forged {
    /// The header of a journal that extends the book with this digest.
    pub fn new(base: Digest, first: u64) -> Self {
        let salt = xxh3_64(&[&base.0[..], &first.to_le_bytes()].concat());
        let mut bytes = b"\x89TABJL\r\n\x01\0\0\0\0\0\0\0".to_vec();
        bytes.resize(32, 0);
        bytes.extend_from_slice(&base.0);
        bytes.extend_from_slice(&first.to_le_bytes());
        bytes.extend_from_slice(&salt.to_le_bytes());
        let previous = reseal_header(&mut bytes);
        Self { bytes, salt, sequence: first, previous }
    }

    /// That of the next journal of this book.
    pub fn beside(book: &Path) -> Self {
        let book = Book::open_view(book, View::Bare).unwrap();
        Self::new(book.digest(), book.header().sequence + 1)
    }

    /// What a journal goes on with: its salt and the frame that would be next.
    pub fn after(journal: &[u8]) -> Self {
        let field = |at: usize| u64::from_le_bytes(journal[at..at + 8].try_into().unwrap());
        let mut forged = Self::new(Digest(journal[32..48].try_into().unwrap()), field(48));
        let mut at = HEADER;
        while at < journal.len() {
            forged.previous = u32::from_le_bytes(journal[at + 4..at + 8].try_into().unwrap());
            forged.sequence += 1;
            at += FRAME_HEADER + field(at + 8) as usize;
        }
        forged.bytes = journal.to_vec();
        forged
    }

    /// What would be appended next, alone.
    pub fn continued(&self) -> Self {
        Self { bytes: Vec::new(), ..*self }
    }

    /// The header of a frame, with right checksum, and that.
    pub fn header(
        &self,
        length: u64,
        sequence: u64,
        body_crc: u32,
        parts: u32,
        previous: u32,
    ) -> ([u8; FRAME_HEADER], u32) {
        let rest = [
            &length.to_le_bytes()[..],
            &sequence.to_le_bytes(),
            &body_crc.to_le_bytes(),
            &parts.to_le_bytes(),
            &previous.to_le_bytes(),
            &[0; 4],
        ];
        let rest = rest.concat();
        let crc = crc32fast::hash(&[&self.salt.to_le_bytes()[..], &rest].concat());
        ([&b"FRAM"[..], &crc.to_le_bytes(), &rest].concat().try_into().unwrap(), crc)
    }

    /// Appends the next frame, of these parts.
    pub fn frame(&mut self, parts: &[Vec<u8>]) -> &mut Self {
        let body = parts.concat();
        let crc = crc32fast::hash(&body);
        let (header, crc) =
            self.header(body.len() as u64, self.sequence, crc, parts.len() as u32, self.previous);
        self.bytes.extend_from_slice(&header);
        self.bytes.extend_from_slice(&body);
        (self.sequence, self.previous) = (self.sequence + 1, crc);
        self
    }

    /// Lays it beside a book.
    pub fn lay(&self, book: &Path) {
        fs::write(journal_path(book), &self.bytes).unwrap();
    }
}

/// Makes a header's checksum right; it is returned.
pub fn reseal_header(bytes: &mut [u8]) -> u32 {
    let crc = crc32fast::hash(&bytes[16..HEADER]);
    bytes[12..16].copy_from_slice(&crc.to_le_bytes());
    crc
}

/// A part, padded.
pub fn part(operation: u8, table: u8, row_size: u16, count: u32, content: &[u8]) -> Vec<u8> {
    let mut bytes =
        [&[operation, table][..], &row_size.to_le_bytes(), &count.to_le_bytes()].concat();
    bytes.extend_from_slice(&(content.len() as u64).to_le_bytes());
    bytes.extend_from_slice(content);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes
}

/// A part that adds games to positions, given by their keys.
pub fn positions(keys: &[u64]) -> Vec<u8> {
    let mut hashes: Vec<u64> = keys.iter().map(|&key| tabia::mix(key)).collect();
    hashes.sort_unstable();
    let row = |h: &u64| {
        [&h.to_le_bytes()[..], &[1, 0, 0, 0], &[0; 8], &i16::MIN.to_le_bytes(), &[0, 0]].concat()
    };
    part(1, 1, 24, keys.len() as u32, &hashes.iter().flat_map(row).collect::<Vec<u8>>())
}
