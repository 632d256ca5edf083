//! Moves as PDN writes them, with the numbers of squares.
//!
//! Read are `11-15`, `15x22`, `15:22`, `01-05`, `1115`, captures with any or all of the squares on
//! their way (`26x17x10x1`), and captures and other moves with each other's signs: the squares say
//! which it is. People, not archives, may name squares as in chess, too, from a1 in the lower left
//! corner of the diagram: `c3-d4`, `c3xe5`, `c3d4`. Written is what PDN 3.0 asks for: start and end,
//! and the whole way only where that could be several captures.

use super::captures::{Path, View};
use super::moves::Move;
use crate::game::Trouble;

/// The most squares that a capture can name: its start, and one behind each piece.
const MOST: usize = 21;

/// What a text names: squares, by the numbers of their bits.
struct Named {
    squares: [u8; MOST],
    count: usize,
}

impl Named {
    /// Takes a text apart. Squares that the board doesn't have are no squares of a legal move.
    #[inline]
    fn read(text: &[u8], view: &View) -> Result<Self, Trouble> {
        let mut named = Self { squares: [0; MOST], count: 0 };
        if let [a, b, c, d] = *text
            && text.iter().all(u8::is_ascii_digit)
        {
            named.add(&[a, b], view)?;
            named.add(&[c, d], view)?;
            return Ok(named);
        }
        let mut rest = text;
        loop {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            named.add(&rest[..digits], view)?;
            match &rest[digits..] {
                [] if named.count > 1 => return Ok(named),
                [b'-' | b'x' | b'X' | b':' | b'*', behind @ ..] => rest = behind,
                _ => return Err(Trouble::Unreadable),
            }
        }
    }

    /// Takes a text apart whose squares are named by letters and numbers.
    #[cold]
    fn read_letters(text: &[u8], view: &View) -> Result<Self, Trouble> {
        let mut named = Self { squares: [0; MOST], count: 0 };
        let mut rest = text;
        while let [letter, behind @ ..] = rest {
            let digits = behind.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let column = u32::from(letter.to_ascii_lowercase().wrapping_sub(b'a'));
            let row = match behind[..digits] {
                [one] => u32::from(one - b'0'),
                [b'1', one] => 10 + u32::from(one - b'0'),
                _ => return Err(Trouble::Unreadable),
            };
            let size = 2 * view.rules.width;
            if column >= size || row == 0 || row > size {
                return Err(Trouble::Unreadable);
            }
            let above = size - row;
            // Light squares are none of the game.
            if (above + column).is_multiple_of(2) {
                return Err(Trouble::Illegal);
            }
            named.push(above * view.rules.width + column / 2, view)?;
            rest = match &behind[digits..] {
                [b'-' | b'x' | b'X' | b':' | b'*', next @ ..] if !next.is_empty() => next,
                next => next,
            };
        }
        if named.count > 1 { Ok(named) } else { Err(Trouble::Unreadable) }
    }

    #[inline]
    fn add(&mut self, digits: &[u8], view: &View) -> Result<(), Trouble> {
        let number = match *digits {
            [one] => u32::from(one - b'0'),
            [ten, one] => u32::from(ten - b'0') * 10 + u32::from(one - b'0'),
            _ => return Err(Trouble::Unreadable),
        };
        let square = number.checked_sub(1).ok_or(Trouble::Unreadable)?;
        if square >= view.rules.squares() {
            return Err(Trouble::Illegal);
        }
        self.push(square, view)
    }

    /// Adds a square, given by its number less 1.
    #[inline]
    fn push(&mut self, square: u32, view: &View) -> Result<(), Trouble> {
        *self.squares.get_mut(self.count).ok_or(Trouble::Illegal)? =
            view.rules.bit(square).trailing_zeros() as u8;
        self.count += 1;
        Ok(())
    }

    fn from(&self) -> u64 {
        1 << self.squares[0]
    }

    fn to(&self) -> u64 {
        1 << self.squares[self.count - 1]
    }

    fn between(&self) -> &[u8] {
        &self.squares[1..self.count - 1]
    }

    /// Whether it can mean a capture by this way.
    #[inline]
    fn fits(&self, path: &Path, view: &View) -> bool {
        path.to() == self.to()
            && (self.count == 2
                || self.is_whole(path)
                || path.leads_over(view.rules, self.between()))
    }

    fn is_whole(&self, path: &Path) -> bool {
        path.stops() == &self.squares[1..self.count]
    }
}

#[inline]
pub(super) fn read(text: &[u8], view: &View) -> Result<Move, Trouble> {
    if text == b"--" || text == b"-" {
        return Err(Trouble::Null);
    }
    legal(&Named::read(text, view)?, view)
}

/// Likewise, of a text by a person, who may name squares by letters. Archives that do so are of
/// Russian draughts and its like, whose moves would be taken for those of these games.
pub(super) fn read_any(text: &[u8], view: &View) -> Result<Move, Trouble> {
    match text {
        [letter, ..] if letter.is_ascii_alphabetic() => {
            legal(&Named::read_letters(text, view)?, view)
        }
        _ => read(text, view),
    }
}

#[inline]
fn legal(named: &Named, view: &View) -> Result<Move, Trouble> {
    let capturers = view.capturers();
    if capturers == 0 {
        let is_legal = named.count == 2 && view.is_quiet_move(named.from(), named.to());
        return if is_legal {
            Ok(Move::new(view.rules, named.from(), named.to(), 0))
        } else {
            Err(Trouble::Illegal)
        };
    }
    if capturers & named.from() == 0 {
        return Err(Trouble::Illegal);
    }
    capture(named, view, capturers)
}

/// The capture that is named, of a piece that can capture.
#[inline]
fn capture(named: &Named, view: &View, capturers: u64) -> Result<Move, Trouble> {
    let (must, mut found, mut is_alone) = (view.must_capture(capturers), None, true);
    let mut is_named = false;
    view.captures_from(named.from(), &mut |path| {
        if path.to() == named.to() && path.captured.count_ones() >= must {
            is_alone &= found.is_none_or(|captured| captured == path.captured);
            found = Some(path.captured);
            is_named |= named.fits(path, view);
        }
    });
    match found {
        Some(captured) if is_named && is_alone => {
            Ok(Move::new(view.rules, named.from(), named.to(), captured))
        }
        Some(_) if is_named => one_of_several(named, view),
        _ => Err(Trouble::Illegal),
    }
}

/// The capture that is named, where several have the same start and end.
#[cold]
fn one_of_several(named: &Named, view: &View) -> Result<Move, Trouble> {
    let mut moves = Vec::new();
    view.legal_moves(&mut moves);
    moves.retain(|played| (played.from, played.to) == (named.from(), named.to()));
    let by_way = |fits: &dyn Fn(&Path) -> bool| {
        let mut found: Vec<&Move> =
            moves.iter().filter(|played| ways(view, played).iter().any(fits)).collect();
        if found.len() > 1 {
            Err(Trouble::Ambiguous)
        } else {
            found.pop().copied().ok_or(Trouble::Illegal)
        }
    };
    match by_way(&|path| named.is_whole(path)) {
        Err(Trouble::Illegal) => by_way(&|path| named.fits(path, view)),
        found => found,
    }
}

/// One of the captures that a text could mean, written so that it isn't another.
pub(super) fn example_like(text: &str, view: &View) -> Option<String> {
    let named = Named::read(text.as_bytes(), view).ok()?;
    let mut moves = Vec::new();
    view.legal_moves(&mut moves);
    let found = moves.iter().find(|played| {
        ways(view, played).iter().any(|path| path.from == named.from() && named.fits(path, view))
    })?;
    Some(long(view, found))
}

pub(super) fn ways(view: &View, played: &Move) -> Vec<Path> {
    let mut ways = Vec::new();
    view.captures_from(played.from, &mut |path| {
        if (path.to(), path.captured) == (played.to, played.captured) {
            ways.push(*path);
        }
    });
    ways
}

/// The move with start and end only, unless that could be several.
pub(super) fn short(view: &View, played: &Move) -> String {
    let mut others = 0;
    let most = played.captures();
    let is_other = |path: &Path| {
        let counts = !view.rules.majority || path.captured.count_ones() == most;
        counts && path.to() == played.to && path.captured != played.captured
    };
    if played.is_capture() {
        view.captures_from(played.from, &mut |path| others += usize::from(is_other(path)));
    }
    if others > 0 {
        long(view, played)
    } else {
        text(view, &[played.from, played.to], played.is_capture())
    }
}

/// The move with its whole way: of several the first in the order in which captures are looked for.
pub(super) fn long(view: &View, played: &Move) -> String {
    let way = |path: &Path| {
        [path.from].into_iter().chain(path.stops().iter().map(|stop| 1 << stop)).collect()
    };
    let squares = ways(view, played).first().map_or_else(|| vec![played.from, played.to], way);
    text(view, &squares, played.is_capture())
}

fn text(view: &View, squares: &[u64], is_capture: bool) -> String {
    let numbers: Vec<String> =
        squares.iter().map(|&square| (view.rules.square(square) + 1).to_string()).collect();
    numbers.join(if is_capture { "x" } else { "-" })
}
