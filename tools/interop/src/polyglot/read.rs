//! Reading a book entry by entry, whatever its order.

use super::{Entry, Header, lost};
use crate::Losses;
use std::io::{self, Read as _};

/// Bytes that are read at a time: whole entries.
const AT_ONCE: usize = Entry::SIZE << 12;

/// The result of reading a Polyglot book: what was read, and what was skipped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Read {
    /// Entries handed on.
    pub entries: u64,
    /// Of these, those that no game of the book's maker speaks for: they are not to be played.
    pub weightless: u64,
    /// Of these, those with something in their learn field.
    pub learned: u64,
    /// How often a key was less than the one before it: 0 if the book is sorted.
    pub disorders: u64,
    /// The header, if there is one.
    pub header: Option<Header>,
    /// Entries skipped because they are the same as those before them, in all fields.
    pub repeated: u64,
    /// Entries skipped because their move is the null move.
    pub null_moves: u64,
    /// Entries skipped because their key is 0, beside those of a header: no reader finds them.
    pub key_zero: u64,
    /// Bytes after the last whole entry: the file was cut, or is none.
    pub trailing: u64,
}

impl Read {
    /// Counts the entries that were skipped, and so not handed on.
    pub fn count_lost(&self, losses: &mut Losses) {
        losses.add(lost::REPEATED, self.repeated);
        losses.add(lost::NULL_MOVES, self.null_moves);
        losses.add(lost::KEY_ZERO, self.key_zero);
        losses.add(lost::TRAILING, self.trailing);
    }
}

/// Reads a book, and hands on each entry that says something of a move.
///
/// Memory: a fixed amount.
///
/// # Errors
/// The system's; whatever `take` gives.
pub fn read<E: From<io::Error>>(
    mut input: impl io::Read,
    take: impl FnMut(Entry) -> Result<(), E>,
) -> Result<Read, E> {
    let mut reader = Reader { read: Read::default(), before: None, text: Some(Vec::new()), take };
    let mut bytes = Vec::with_capacity(AT_ONCE);
    loop {
        bytes.clear();
        let filled = input.by_ref().take(AT_ONCE as u64).read_to_end(&mut bytes)?;
        let (entries, rest) = bytes.as_chunks::<{ Entry::SIZE }>();
        entries.iter().try_for_each(|&bytes| reader.entry(Entry::from_bytes(bytes)))?;
        if filled < AT_ONCE {
            reader.read.trailing = rest.len() as u64;
            reader.end_header();
            return Ok(reader.read);
        }
    }
}

struct Reader<F> {
    read: Read,
    before: Option<Entry>,
    /// The text of leading entries with key 0, up to the first with another.
    text: Option<Vec<u8>>,
    take: F,
}

impl<F> Reader<F> {
    fn entry<E>(&mut self, entry: Entry) -> Result<(), E>
    where
        F: FnMut(Entry) -> Result<(), E>,
    {
        if entry.key == 0 {
            self.key_zero(entry);
            return Ok(());
        }
        self.end_header();
        let before = self.before.replace(entry);
        self.read.disorders += u64::from(before.is_some_and(|before| before.key > entry.key));
        if before == Some(entry) {
            self.read.repeated += 1;
        } else if entry.code == 0 {
            self.read.null_moves += 1;
        } else {
            self.read.entries += 1;
            self.read.weightless += u64::from(entry.weight == 0);
            self.read.learned += u64::from(entry.learn != 0);
            (self.take)(entry)?;
        }
        Ok(())
    }

    /// An entry with key 0: text, if nothing else was before it.
    fn key_zero(&mut self, entry: Entry) {
        self.read.key_zero += 1;
        if let Some(text) = self.text.as_mut().filter(|text| text.len() < Header::MOST) {
            text.extend_from_slice(&entry.to_bytes()[8..]);
        }
    }

    /// Leading entries with key 0 are over.
    fn end_header(&mut self) {
        let Some(text) = self.text.take() else { return };
        self.read.header = Header::of_text(&text);
        if self.read.header.is_some() {
            self.read.key_zero = 0;
        }
    }
}
