//! Pieces of all books that were read from addresses, and which of them to ask for ahead: where
//! reading goes on in order, several requests are ahead of it, as far as the room goes.

use super::{PIECE, REQUEST};
use std::collections::{HashMap, VecDeque};
use std::io;
use std::ops::Range;

/// Pieces that are kept: 256 MiB.
pub const KEPT: u64 = (256 << 20) / PIECE;
/// Pieces that a stream is ahead at most: what 10 Gbit/s bring in 13 milliseconds.
pub const AHEAD: u64 = 4 * REQUEST;
/// Streams that are told apart.
const STREAMS: usize = 4096;
/// A stream that wasn't read in so many reads has no room of its own.
const LATELY: u64 = 4096;

/// Pieces by the number of their book and their own, and what reads them in order.
#[derive(Default)]
pub struct Room {
    pub pieces: HashMap<(u64, u64), Piece>,
    /// How many times a piece was taken.
    pub taken: u64,
    /// The latest ones last.
    pub streams: VecDeque<Stream>,
    pub reads: u64,
}

pub enum Piece {
    Coming,
    /// And when it came or was taken last: how many had been taken then.
    There(bytes::Bytes, u64),
    Failed(io::Error),
}

/// Reading that goes on in order.
pub struct Stream {
    pub book: u64,
    /// The piece that comes next.
    pub next: u64,
    /// How many were read.
    pub read: u64,
    /// Up to which they were asked for.
    pub asked: u64,
    pub end: u64,
    pub used: u64,
}

impl Room {
    /// Foretells a stream, or takes note that one has begun.
    pub fn begin(&mut self, stream: Stream) {
        if self.streams.len() == STREAMS {
            self.streams.pop_front();
        }
        self.streams.push_back(stream);
    }

    /// Which pieces are to be asked for ahead of reading these.
    pub fn ahead(&mut self, book: u64, read: &Range<u64>) -> Range<u64> {
        self.reads += 1;
        let used = self.reads;
        let goes_on = |one: &Stream| {
            let is_next = one.next == read.start || one.next == read.start + 1;
            one.book == book && is_next && read.end <= one.end
        };
        let Some(at) = self.streams.iter().rposition(goes_on) else {
            let (next, asked) = (read.end, read.end);
            self.begin(Stream {
                book,
                next,
                read: read.end - read.start,
                asked,
                end: u64::MAX,
                used,
            });
            return 0..0;
        };
        self.streams[at].used = used;
        let in_use = self.streams.iter().filter(|one| one.used + LATELY > used).count() as u64;
        let stream = &mut self.streams[at];
        stream.read += read.end - stream.next;
        stream.next = read.end;
        stream.asked = stream.asked.max(read.end);
        let most = (2 * stream.read).min(AHEAD).min(KEPT / 2 / in_use);
        // Many small requests cost more than a few large ones.
        if stream.asked - stream.next > most / 2 {
            return 0..0;
        }
        let ahead = stream.asked..(stream.next + most).min(stream.end);
        stream.asked = ahead.end.max(stream.asked);
        if stream.next >= stream.end {
            self.streams.remove(at);
        }
        ahead
    }

    pub fn take(&mut self, id: (u64, u64)) -> Option<bytes::Bytes> {
        self.taken += 1;
        match self.pieces.get_mut(&id)? {
            Piece::There(bytes, taken) => {
                *taken = self.taken;
                Some(bytes.clone())
            }
            _ => None,
        }
    }

    /// Puts what has come in its place, and forgets the half that came, or was taken, longest ago when
    /// the room is full.
    pub fn put(&mut self, id: (u64, u64), piece: Piece) {
        self.pieces.insert(id, piece);
        if self.pieces.len() as u64 <= KEPT {
            return;
        }
        let there = self.pieces.values().filter_map(|piece| match piece {
            Piece::There(_, taken) => Some(*taken),
            _ => None,
        });
        let mut taken: Vec<u64> = there.collect();
        taken.sort_unstable();
        if let Some(&median) = taken.get(taken.len() / 2) {
            let is_old = |piece: &Piece| matches!(piece, Piece::There(_, taken) if *taken < median);
            self.pieces.retain(|_, piece| !is_old(piece));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn foretold(book: u64, end: u64) -> Stream {
        Stream { book, next: 0, read: AHEAD, asked: 0, end, used: 0 }
    }

    #[test]
    fn a_foretold_stream_is_read_ahead_to_its_end_and_no_further() {
        let mut room = Room::default();
        room.begin(foretold(1, 300));
        let (mut asked, mut read) = (0, 0);
        while read < 300 {
            let ahead = room.ahead(1, &(read..read + 1));
            assert!(ahead.is_empty() || ahead.start == asked.max(read + 1) && ahead.end <= 300);
            asked = asked.max(ahead.end);
            read += 1;
        }
        assert_eq!((asked, room.streams.len()), (300, 0));
    }

    #[test]
    fn streams_share_the_room() {
        let mut room = Room::default();
        (0..64).for_each(|book| room.begin(foretold(book, u64::MAX)));
        let ahead: u64 =
            (0..64).map(|book| room.ahead(book, &(0..1))).map(|all| all.end - all.start).sum();
        assert!((KEPT / 4..=KEPT / 2).contains(&ahead), "{ahead}");
    }

    #[test]
    fn what_was_taken_longest_ago_is_forgotten_and_what_is_coming_stays() {
        let mut room = Room::default();
        room.pieces.insert((1, KEPT), Piece::Coming);
        for number in 0..KEPT {
            room.take((1, 0));
            room.put((1, number), Piece::There(bytes::Bytes::new(), room.taken));
        }
        assert!(room.take((1, 0)).is_some() && room.take((1, 1)).is_none());
        assert!(room.take((1, KEPT - 1)).is_some() && room.pieces.contains_key(&(1, KEPT)));
    }
}
