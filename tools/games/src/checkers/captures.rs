//! Captures of several pieces: the ways that they take.
//!
//! A piece that captures goes on as long as it can. What it captures stays on the board until the
//! move ends: it can't be jumped twice, and it is in the way (FMJD annex 1, 4.8). A man that
//! reaches its king row and can't capture on as a man ends its move there and is crowned.

use super::rules::{Rules, step};
use crate::outcome::Side;

/// The most pieces that one move can capture: all of a side's.
const MOST: usize = 20;

/// A position as the side to move sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    pub rules: &'static Rules,
    pub side: Side,
    pub men: u64,
    pub kings: u64,
    pub enemy: u64,
    pub empty: u64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    pub from: u64,
    pub captured: u64,
    length: usize,
    stops: [u8; MOST],
}

impl Path {
    const fn start(from: u64) -> Self {
        Self { from, captured: 0, length: 0, stops: [0; MOST] }
    }

    /// Where it ends.
    pub fn to(&self) -> u64 {
        self.stops().last().map_or(self.from, |&stop| 1 << stop)
    }

    /// The squares behind the captured pieces, from which it goes on; the last is where it ends.
    ///
    /// They are given by the numbers of their bits. Where a king could stop on several squares it
    /// is the one in which it turns, or the first if it doesn't turn, as PDN 3.0 asks for.
    pub fn stops(&self) -> &[u8] {
        &self.stops[..self.length]
    }

    fn goes(&mut self, over: u64, to: u64) {
        if let Some(stop) = self.stops.get_mut(self.length) {
            *stop = to.trailing_zeros() as u8;
            self.length += 1;
        }
        self.captured |= over;
    }

    fn goes_back(&mut self, over: u64) {
        self.length -= 1;
        self.captured &= !over;
    }

    /// Whether it leads over these squares, given by their bits' numbers, in this order.
    pub fn leads_over(&self, rules: &Rules, mut squares: &[u8]) -> bool {
        let mut at = self.from;
        for stop in self.stops().iter().map(|stop| 1 << stop) {
            let by =
                rules.around().into_iter().find(|&by| ray(rules, at, by) & stop != 0).unwrap_or(0);
            while at != stop && at != 0 {
                at = step(at, by);
                if at & self.captured == 0 {
                    squares = squares.strip_prefix(&[at.trailing_zeros() as u8]).unwrap_or(squares);
                }
            }
        }
        squares.is_empty()
    }
}

fn ray(rules: &Rules, from: u64, by: i32) -> u64 {
    let (mut at, mut ray) = (step(from, by) & rules.all(), 0);
    while at != 0 {
        ray |= at;
        at = step(at, by) & rules.all();
    }
    ray
}

impl View {
    #[inline(always)]
    fn man_captures(&self) -> impl Iterator<Item = i32> {
        let count = if self.rules.men_capture_backwards { 4 } else { 2 };
        let [left, right] = self.rules.forward(self.side);
        [left, right, -right, -left].into_iter().take(count)
    }

    /// The pieces that can capture.
    #[inline]
    pub fn capturers(&self) -> u64 {
        let mut found = 0;
        for by in self.man_captures() {
            found |= self.men & step(step(self.empty, -by) & self.enemy, -by);
        }
        if self.kings != 0 {
            found |= self.capturing_kings();
        }
        found
    }

    fn capturing_kings(&self) -> u64 {
        let mut found = 0;
        for by in self.rules.around() {
            // Back from the enemies that can be jumped, over what is empty.
            let mut before = step(step(self.empty, -by) & self.enemy, -by);
            while before != 0 {
                found |= before & self.kings;
                before = if self.rules.flying_kings { step(before & self.empty, -by) } else { 0 };
            }
        }
        found
    }

    /// Visits the ways of all captures of a piece that go on to their end.
    #[inline]
    pub fn captures_from(&self, from: u64, visit: &mut impl FnMut(&Path)) {
        let view = Self { empty: self.empty | from, ..*self };
        let mut path = Path::start(from);
        if self.kings & from == 0 {
            view.man_goes_on(&mut path, from, visit);
        } else {
            view.king_goes_on(&mut path, from, None, visit);
        }
    }

    fn man_goes_on(&self, path: &mut Path, at: u64, visit: &mut impl FnMut(&Path)) {
        let mut at_end = true;
        for by in self.man_captures() {
            let over = step(at, by) & self.enemy & !path.captured;
            let to = step(over, by) & self.empty;
            if to != 0 {
                at_end = false;
                path.goes(over, to);
                self.man_goes_on(path, to, visit);
                path.goes_back(over);
            }
        }
        if at_end && path.captured != 0 {
            visit(path);
        }
    }

    /// `straight` is the direction in which a nearer square would do as well.
    fn king_goes_on(
        &self,
        path: &mut Path,
        at: u64,
        straight: Option<i32>,
        visit: &mut impl FnMut(&Path),
    ) {
        let mut at_end = true;
        for by in self.rules.around() {
            let over = self.met(at, by) & self.enemy & !path.captured;
            let mut to = step(over, by) & self.empty;
            at_end &= to == 0;
            if straight == Some(by) {
                continue;
            }
            let mut farther = None;
            while to != 0 {
                path.goes(over, to);
                self.king_goes_on(path, to, farther, visit);
                path.goes_back(over);
                to = if self.rules.flying_kings { step(to, by) & self.empty } else { 0 };
                farther = Some(by);
            }
        }
        if at_end && path.captured != 0 {
            visit(path);
        }
    }

    /// The first square that a king meets and can't simply pass.
    #[inline]
    fn met(&self, at: u64, by: i32) -> u64 {
        let mut next = step(at, by);
        while self.rules.flying_kings && next & self.empty != 0 {
            next = step(next, by);
        }
        next
    }
}
