//! Going through a journal's frames: which of them are good, and what of the rest is damage and
//! what a torn tail (J-4 to J-6).
//!
//! Nothing here follows a length that a file claims: a frame's checksum is computed a step at a
//! time, its parts come in pieces, and the holes of a sparse file are skipped.

use super::frame::{
    FRAME_HEADER_LEN, FRAME_MAGIC, Fault, FrameHeader, HEADER_LEN, JournalHeader, RightHeader, Salt,
};
use super::layout::Layouts;
use super::parts::Parts;
use super::window::{STEP, Window};
use crate::bytes::Bytes;
use crate::error::{Context, Result};
use crate::format::Rule;
use std::io;
use std::path::Path;

/// After how many damaged frames the search ends. A frame's length is trusted if its header is
/// sound, and its whole body is read: a file made of headers only would cost the square of its
/// length.
const MOST_FAULTS: u64 = 1000;

/// A good frame: its checksums and length are right, and it follows on the one before it.
pub(crate) struct GoodFrame<'a, 'b> {
    pub header: FrameHeader,
    /// The checksum of its header, which the next frame repeats.
    pub crc: u32,
    offset: u64,
    reader: &'a mut Reader<'b>,
}

impl<'a, 'b> GoodFrame<'a, 'b> {
    /// The offset after it.
    pub fn end(&self) -> u64 {
        self.offset + FRAME_HEADER_LEN + self.header.length
    }

    /// What it holds, in pieces, in a book with these columns.
    pub fn parts(self, layouts: &'a Layouts) -> Parts<'a, 'b> {
        let body = self.offset + FRAME_HEADER_LEN..self.end();
        Parts::new(
            &mut self.reader.window,
            layouts,
            &mut self.reader.entries,
            body,
            self.header.parts,
        )
    }
}

/// A frame that doesn't hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FrameFault {
    pub rule: Rule,
    pub what: &'static str,
    /// Whether it is the torn tail of the journal, which was never acknowledged, and not a damaged
    /// frame.
    pub torn: bool,
}

/// Goes through a journal's frames: `visit` is called with the offset of each and what it is, a
/// good frame or a fault. After a damaged frame it goes on with the next one that can be found; a
/// torn tail is the last. Bytes of sources and facts that were met are returned.
///
/// # Errors
/// Those of `visit`, and the system's: [`io::ErrorKind::UnexpectedEof`] if the file was cut
/// meanwhile.
pub(crate) fn frames(
    bytes: &dyn Bytes,
    path: &Path,
    start: &JournalHeader,
    mut visit: impl FnMut(u64, std::result::Result<GoodFrame<'_, '_>, FrameFault>) -> Result<()>,
) -> Result<u64> {
    let mut reader = Reader { window: Window::new(bytes), salt: start.salt(), entries: 0 };
    let mut next =
        FramePosition { offset: HEADER_LEN, sequence: start.first, previous: start.crc() };
    let mut faults = 0;
    while next.offset < bytes.len() {
        match reader.look(&next).at("read", path)? {
            Look::Good(right) => {
                let (header, crc) = (right.header, right.crc);
                let offset = next.offset;
                next = next.behind(&right);
                visit(offset, Ok(GoodFrame { header, crc, offset, reader: &mut reader }))?;
            }
            Look::Bad { fault, found } => {
                visit(next.offset, Err(fault))?;
                faults += 1;
                match found.filter(|_| faults < MOST_FAULTS) {
                    Some(position) => next = position,
                    None => break,
                }
            }
        }
    }
    Ok(reader.entries)
}

/// Where the next frame is expected to be, and as what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FramePosition {
    offset: u64,
    sequence: u64,
    /// The checksum of the header before it.
    previous: u32,
}

impl FramePosition {
    /// The position of whatever frame this header found at an offset is of.
    fn of(offset: u64, right: &RightHeader) -> Self {
        Self { offset, sequence: right.header.sequence, previous: right.header.previous }
    }

    /// The place after a good frame at this one.
    fn behind(&self, right: &RightHeader) -> Self {
        let offset = self.offset + FRAME_HEADER_LEN + right.header.length;
        Self { offset, sequence: self.sequence.wrapping_add(1), previous: right.crc }
    }

    /// Whether a header says of itself that it is the one expected here.
    fn expects(&self, right: &RightHeader) -> bool {
        (right.header.sequence, right.header.previous) == (self.sequence, self.previous)
    }
}

/// What was found at a position.
enum Look {
    Good(RightHeader),
    /// Something else, and where the journal continues after it.
    Bad {
        fault: FrameFault,
        found: Option<FramePosition>,
    },
}

/// A frame that is not good.
struct Bad {
    fault: Fault,
    /// Its header, if that is right.
    right: Option<RightHeader>,
    /// Whether it was written whole, as the frame after the one before it: then it is no torn tail,
    /// whatever is after it.
    whole: bool,
}

impl Bad {
    fn new(what: &'static str, right: Option<RightHeader>) -> Self {
        Self { fault: (Rule::J5, what), right, whole: false }
    }
}

/// A journal that is read.
struct Reader<'b> {
    window: Window<'b>,
    salt: Salt,
    /// Bytes of sources and facts that were met so far.
    entries: u64,
}

impl Reader<'_> {
    fn look(&mut self, position: &FramePosition) -> io::Result<Look> {
        let bad = match self.read_frame(position)? {
            Ok(right) => return Ok(Look::Good(right)),
            Err(bad) => bad,
        };
        let found = self.find_frame(position, &bad)?;
        if found.is_some() {
            // While this was read a writer may have cut off a torn tail and written frames in its
            // place.
            self.window.forget();
            if let Ok(right) = self.read_frame(position)? {
                return Ok(Look::Good(right));
            }
        }
        let torn = found.is_none() && !bad.whole;
        let (rule, what) = match found {
            _ if bad.whole => bad.fault,
            Some(found) if found.offset == position.offset => (Rule::J4, "a frame is missing"),
            Some(found) if found.sequence == position.sequence => {
                (Rule::J4, "there is a gap between two frames")
            }
            _ => bad.fault,
        };
        Ok(Look::Bad { fault: FrameFault { rule, what, torn }, found })
    }

    /// Reads the header of the frame at this place, and its checksums.
    fn read_frame(
        &mut self,
        position: &FramePosition,
    ) -> io::Result<std::result::Result<RightHeader, Bad>> {
        let left = self.window.len() - position.offset;
        if left < FRAME_HEADER_LEN {
            return Ok(Err(Bad::new("a frame's header is cut off", None)));
        }
        let bytes = self.window.get(position.offset, FRAME_HEADER_LEN)?.first_chunk();
        let Some(right) = bytes.and_then(|bytes| FrameHeader::parse(bytes, self.salt)) else {
            return Ok(Err(Bad::new("a frame's header is damaged", None)));
        };
        let header = right.header;
        if header.previous != position.previous {
            return Ok(Err(Bad::new("a frame doesn't follow on the one before it", Some(right))));
        }
        if header.length > left - FRAME_HEADER_LEN {
            return Ok(Err(Bad::new("a frame is cut off", Some(right))));
        }
        let body = position.offset + FRAME_HEADER_LEN;
        if self.window.crc(body..body + header.length)? != header.body_crc {
            return Ok(Err(Bad::new("a frame's checksum is wrong", Some(right))));
        }
        let order = (header.sequence != position.sequence)
            .then_some((Rule::J4, "a frame's sequence is not the next"));
        match order.or(right.invalid_reason()) {
            None => Ok(Ok(right)),
            Some(fault) => Ok(Err(Bad { fault, right: Some(right), whole: true })),
        }
    }

    /// Where a journal with a bad frame at this place continues, which distinguishes damage from a
    /// torn tail (J-5).
    ///
    /// A frame is begun only when the one before it is durable. So a frame header of this journal
    /// after the expected one, or the expected one elsewhere, says that something is lost; but not
    /// one that follows on another frame than the one in this place: that is left over.
    fn find_frame(
        &mut self,
        position: &FramePosition,
        bad: &Bad,
    ) -> io::Result<Option<FramePosition>> {
        if let Some(right) = bad.right.filter(|right| right.header.sequence > position.sequence) {
            return Ok(Some(FramePosition::of(position.offset, &right)));
        }
        let follower = position.sequence.checked_add(1);
        let sound = bad.right.filter(|right| position.expects(right));
        self.find_header(position.offset + 1, |right| {
            let sequence = right.header.sequence;
            match sound {
                _ if sequence < position.sequence => false,
                _ if sequence == position.sequence => right.header.previous == position.previous,
                Some(sound) if Some(sequence) == follower => right.header.previous == sound.crc,
                _ => true,
            }
        })
    }

    /// The first right header at or after an offset that is accepted; it may be at any offset.
    fn find_header(
        &mut self,
        from: u64,
        accept: impl Fn(&RightHeader) -> bool,
    ) -> io::Result<Option<FramePosition>> {
        let (len, salt) = (self.window.len(), self.salt);
        let mut at = from;
        loop {
            if at < len {
                at = self.window.next_data(at)?;
            }
            if at.checked_add(FRAME_HEADER_LEN).is_none_or(|end| end > len) {
                return Ok(None);
            }
            let step = (len - at).min(STEP);
            let bytes = self.window.get(at, step)?;
            let headers =
                magics(bytes).filter_map(|index| Some((index, bytes[index..].first_chunk()?)));
            let rights = headers
                .filter_map(|(index, header)| Some((index, FrameHeader::parse(header, salt)?)));
            if let Some((index, right)) = { rights }.find(|(_, right)| accept(right)) {
                return Ok(Some(FramePosition::of(at + index as u64, &right)));
            }
            // A header may begin in this step and end in the next one.
            at += step - (FRAME_HEADER_LEN - 1);
        }
    }
}

/// Where in these bytes a frame's magic is.
fn magics(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let windows = bytes.windows(FRAME_MAGIC.len()).enumerate();
    windows.filter(|(_, window)| **window == FRAME_MAGIC).map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::Memory;
    use crate::format::Digest;

    fn start() -> JournalHeader {
        JournalHeader::new(Digest([9; 16]), 5)
    }

    fn header(sequence: u64, previous: u32) -> [u8; FRAME_HEADER_LEN as usize] {
        let header = FrameHeader { length: 0, sequence, body_crc: 0, parts: 0, previous };
        header.to_bytes(start().salt()).0
    }

    fn find(bytes: &[u8], position: &FramePosition) -> Option<u64> {
        let memory = Memory(bytes);
        let mut reader = Reader { window: Window::new(&memory), salt: start().salt(), entries: 0 };
        match reader.look(position).unwrap() {
            Look::Good(_) => panic!("there is no frame at the place"),
            Look::Bad { fault, found } => {
                assert_eq!(fault.torn, found.is_none());
                found.map(|found| found.offset)
            }
        }
    }

    #[test]
    fn t3_a_header_is_found_at_every_offset_around_the_ends_of_steps() {
        let position = FramePosition { offset: 64, sequence: 5, previous: start().crc() };
        let mut bytes = vec![7; 3 * STEP as usize];
        for step in 1..=2 {
            for at in 65 + step * STEP - 120..65 + step * STEP + 80 {
                let at = at as usize;
                bytes[at..at + 40].copy_from_slice(&header(6, 77));
                assert_eq!(find(&bytes, &position), Some(at as u64));
                bytes[at..at + 40].fill(7);
            }
        }
        let last = bytes.len() - 40;
        bytes[last..].copy_from_slice(&header(6, 77));
        assert_eq!(find(&bytes, &position), Some(last as u64));
        assert_eq!(find(&bytes[..bytes.len() - 1], &position), None);
    }

    #[test]
    fn j5_only_headers_that_prove_a_loss_are_damage() {
        let position = FramePosition { offset: 64, sequence: 8, previous: 4711 };
        let behind = |at_place: &[u8; 40], header: [u8; 40]| {
            let mut bytes = vec![7; 400];
            bytes[64..104].copy_from_slice(at_place);
            bytes[301..341].copy_from_slice(&header);
            find(&bytes, &position)
        };
        let garbage = [7; 40];
        // The header at the place is lost: whatever comes later counts, and the expected one
        // elsewhere.
        assert_eq!(behind(&garbage, header(8, 4711)), Some(301));
        assert_eq!(behind(&garbage, header(8, 4712)), None);
        assert_eq!(behind(&garbage, header(7, 4711)), None);
        assert_eq!(behind(&garbage, header(9, 1)), Some(301));
        assert_eq!(behind(&garbage, header(10, 1)), Some(301));
        // The header at the place is sound, its body isn't: the next frame has to follow on it.
        let torn =
            FrameHeader { length: 1 << 40, sequence: 8, body_crc: 0, parts: 0, previous: 4711 };
        let (torn, crc) = torn.to_bytes(start().salt());
        assert_eq!(behind(&torn, header(9, crc)), Some(301));
        assert_eq!(behind(&torn, header(9, crc ^ 1)), None);
        assert_eq!(behind(&torn, header(10, 1)), Some(301));
        assert_eq!(behind(&torn, header(8, 4711)), Some(301));
        // A later frame stands at the place: the one that should is gone.
        assert_eq!(behind(&header(9, 1), garbage), Some(64));
        // One that is left over there proves nothing.
        assert_eq!(behind(&header(8, 1), garbage), None);
        assert_eq!(behind(&header(7, 1), garbage), None);
        // Another journal's header.
        let other = JournalHeader::new(start().base, 6);
        let foreign = FrameHeader { length: 0, sequence: 9, body_crc: 0, parts: 0, previous: 1 };
        assert_eq!(behind(&garbage, foreign.to_bytes(other.salt()).0), None);
    }
}
