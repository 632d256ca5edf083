//! The dictionary of a packed book (the section DICT): the games that its cells name by numbers.
//! Section 3.5 of `format-spec/packed.md`.

use super::group::Damaged;
use super::scan::Damage;
use super::told::Game;
use crate::bytes::Bytes;
use crate::error::{Error, Result};
use crate::format::{BLOCK, GAME_CELL, Header, Tag};
use crate::key::mix;
use crate::table::Strip;
use std::cell::{Cell, RefCell};
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;
use zerocopy::FromBytes;

/// Bytes of the section that are read at once: whole blocks.
const AT_ONCE: u64 = 64 * BLOCK;

/// The games that cells name, in ascending order of their values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dictionary {
    games: Vec<Game>,
    /// What they are found by, once somebody looks for one.
    index: OnceLock<Index>,
    /// The blocks that are damaged: their games are none, and tell nothing.
    bad: Vec<u64>,
    is_ascending: bool,
}

impl Dictionary {
    /// That of these games, in ascending order.
    pub fn new(games: Vec<Game>) -> Self {
        let is_ascending = games.is_sorted_by(|a, b| a.value() < b.value());
        let is_ascending = is_ascending && games.first().is_none_or(|game| game.value() != 0);
        Self { games, index: OnceLock::new(), bad: Vec::new(), is_ascending }
    }

    /// Reads that of a book, every block verified (B-13): none of a book without games. Damaged
    /// blocks are an error, or are passed over.
    pub fn read(bytes: &dyn Bytes, path: &Path, header: &Header, damage: Damage) -> Result<Self> {
        let Some(strip) = strip_of(header) else { return Ok(Self::new(Vec::new())) };
        let (length, mut games, mut bad) = (strip.section.length, Vec::new(), Vec::new());
        let read = |Range { start, end }: Range<u64>, games: &mut Vec<Game>| {
            let body = strip.read(bytes, path, start, end - start)?;
            games.extend_from_slice(games_of(&body));
            Ok::<_, Error>(())
        };
        for start in (0..length).step_by(AT_ONCE as usize) {
            let end = length.min(start + AT_ONCE);
            match read(start..end, &mut games) {
                Err(error) if error.is_damage() && damage == Damage::IsSkipped => {}
                read => {
                    read?;
                    continue;
                }
            }
            for start in (start..end).step_by(BLOCK as usize) {
                let end = end.min(start + BLOCK);
                match read(start..end, &mut games) {
                    Err(error) if error.is_damage() => {
                        bad.push(start / BLOCK);
                        games.resize((end / GAME_CELL) as usize, Game::default());
                    }
                    read => read?,
                }
            }
        }
        Ok(Self { bad, ..Self::new(games) })
    }

    /// The blocks that are damaged, whose games are lost.
    pub fn bad_blocks(&self) -> &[u64] {
        &self.bad
    }

    /// Whether all of its games are there, and in order.
    pub fn is_sound(&self) -> bool {
        self.bad.is_empty() && self.is_ascending
    }

    /// How many games there are.
    pub fn len(&self) -> u64 {
        self.games.len() as u64
    }

    /// Its games.
    pub fn games(&self) -> &[Game] {
        &self.games
    }

    /// The number of a game, by its value: 0 for 0, and for one that isn't here.
    #[inline]
    pub fn number(&self, value: u64) -> u64 {
        if value == 0 {
            return 0;
        }
        let is_it = |number: u32| self.games[number as usize - 1].value() == value;
        self.index.get_or_init(|| Index::of(&self.games)).find(value, is_it).into()
    }

    /// The game of a number; that of 0 tells nothing.
    pub fn get(&self, number: u64) -> Option<Game> {
        match number.checked_sub(1) {
            None => Some(Game::default()),
            Some(place) => self.games.get(usize::try_from(place).ok()?).copied(),
        }
    }
}

/// Finds games by their values: an open-addressed table, at most three quarters full, of numbers and
/// of the lower half of the mixed value, by which most others are told without a look at them.
#[derive(Clone, Debug, Default)]
struct Index {
    places: Vec<(u32, u32)>,
    /// What nobody who makes up values can know.
    seed: u64,
}

impl Index {
    fn of(games: &[Game]) -> Self {
        let mut places = vec![(0, 0); (games.len() + games.len() / 3 + 1).next_power_of_two()];
        let seed = RandomState::new().hash_one(0);
        // More are in no dictionary (`gather::dictionary`), and of a hostile one none is found then.
        for (game, number) in games.iter().zip(1..u32::MAX) {
            let mixed = mix(game.value() ^ seed);
            let mut at = Self::home(mixed, places.len());
            while places[at].1 != 0 {
                at = (at + 1) % places.len();
            }
            places[at] = (mixed as u32, number);
        }
        Self { places, seed }
    }

    /// The number of a value, of those for which `is_it` is true; 0 if there is none.
    #[inline]
    fn find(&self, value: u64, is_it: impl Fn(u32) -> bool) -> u32 {
        let (mixed, places) = (mix(value ^ self.seed), &self.places);
        let mut at = Self::home(mixed, places.len());
        loop {
            match places[at] {
                (_, 0) => return 0,
                (half, number) if half == mixed as u32 && is_it(number) => return number,
                _ => at = (at + 1) % places.len(),
            }
        }
    }

    /// Where one of so many places is looked for first, a power of two.
    #[inline]
    fn home(mixed: u64, places: usize) -> usize {
        ((u128::from(mixed) * places as u128) >> 64) as usize
    }
}

/// The section of a book with its sums, if it has one.
pub(crate) fn strip_of(header: &Header) -> Option<Strip<'_>> {
    Strip::of(header, header.section(Tag::GAMES)?)
}

fn games_of(body: &[u8]) -> &[Game] {
    let whole = body.len() / size_of::<Game>() * size_of::<Game>();
    <[Game]>::ref_from_bytes(&body[..whole]).unwrap_or_default()
}

/// Where the games are that cells name by their numbers.
pub(crate) enum Games<'a> {
    /// Nobody asks for cells.
    Unasked,
    Known(&'a Dictionary),
    /// Of which some blocks are damaged: cells that are lost with them say nothing, and are
    /// counted.
    Damaged(&'a Dictionary, Cell<u64>),
    /// The section of a book in memory, as it is.
    InMemory(&'a [u8]),
    /// The section of a book in a file, of which blocks are read and verified; and the error of the
    /// last one.
    InFile(&'a dyn Bytes, &'a Path, Strip<'a>, RefCell<Option<Error>>),
}

impl<'a> Games<'a> {
    /// The game of a number, which tells so many cells of a move.
    #[inline]
    pub fn game(&self, number: u64, cells: u64) -> std::result::Result<Game, Damaged> {
        let Some(place) = number.checked_sub(1) else { return Ok(Game::default()) };
        match self {
            Self::Unasked => Ok(Game::default()),
            Self::Known(games) => games.get(number).ok_or(Damaged),
            Self::Damaged(games, lost) => {
                let game = games.get(number).ok_or(Damaged)?;
                let is_lost = game == Game::default();
                lost.set(lost.get() + if is_lost { cells } else { 0 });
                Ok(game)
            }
            Self::InMemory(bytes) => {
                let game = usize::try_from(place).ok().and_then(|place| games_of(bytes).get(place));
                game.copied().ok_or(Damaged)
            }
            Self::InFile(bytes, path, strip, failed) => {
                if place >= strip.section.length / GAME_CELL {
                    return Err(Damaged);
                }
                let read = strip.read(*bytes, path, GAME_CELL * place, GAME_CELL);
                let game = read.map(|body| games_of(&body).first().copied());
                game.unwrap_or_else(|error| failed.replace(Some(error)).and(None)).ok_or(Damaged)
            }
        }
    }

    /// Why a game could not be read, if that is known; else `or`.
    pub fn error(&self, or: impl FnOnce() -> Error) -> Error {
        match self {
            Self::InFile(.., failed) => failed.take().unwrap_or_else(or),
            _ => or(),
        }
    }

    /// How many cells are lost with games.
    pub fn lost(&self) -> u64 {
        match self {
            Self::Damaged(_, lost) => lost.get(),
            _ => 0,
        }
    }
}
