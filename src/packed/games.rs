//! The games that the cells of a packed book name: its dictionary (the section DICT), and what a
//! game tells of the cells of a move. Sections 3.5 and 5.2 of `format-spec/packed.md`.

use super::bits::{bits, ones};
use super::group::Damaged;
use super::params::Form;
use super::scan::Damage;
use crate::bytes::Bytes;
use crate::column::{Column, Columns};
use crate::error::Error;
use crate::format::{BLOCK, GAME_CELL, Header, Tag};
use crate::key::mix;
use crate::row::Counts;
use crate::table::Strip;
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::path::Path;
use zerocopy::little_endian::{U16, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// Bytes of the section that are read at once: whole blocks.
const AT_ONCE: u64 = 64 * BLOCK;

/// A game of the dictionary, and what it tells; all zero if it is none.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    FromBytes,
    IntoBytes,
    Immutable,
    KnownLayout,
    Unaligned,
)]
#[repr(C)]
pub(crate) struct Game {
    /// The value of a cell of GAME.
    value: U64,
    /// The first and the last year.
    years: [U16; 2],
    /// The ratings of its players, the greater one first; zeros if they are not known.
    ratings: [U16; 2],
}

const _: () = assert!(size_of::<Game>() as u64 == GAME_CELL);

/// Writes the fields of a cell of ratings, of 6, 6, 4 and 8 bytes; none if one is too great.
#[inline]
fn set_ratings(cell: &mut [u8; 24], [mover, opponent, games, score]: [u64; 4]) -> Option<()> {
    if (mover | opponent) >> 48 != 0 {
        return None;
    }
    cell[..8].copy_from_slice(&(mover | opponent << 48).to_le_bytes());
    cell[8..12].copy_from_slice(&((opponent >> 16) as u32).to_le_bytes());
    cell[12..16].copy_from_slice(&u32::try_from(games).ok()?.to_le_bytes());
    cell[16..].copy_from_slice(&score.to_le_bytes());
    Some(())
}

/// The sums and the number of games in a cell of ratings.
#[inline]
fn ratings_of(cell: &[u8; 24]) -> [u64; 3] {
    let half = |at: usize| {
        cell[at..].first_chunk().map_or(0, |half: &[u8; 4]| u32::from_le_bytes(*half).into())
    };
    let [a, b, c, games] = [0, 4, 8, 12].map(half);
    [a | (b & 0xffff) << 32, b >> 16 | c << 16, games]
}

impl Game {
    /// A game of this value of which this is known ([`CellForm::knowledge`]).
    pub fn new(value: u64, known: u64) -> Self {
        let part = |place: u32| U16::new((known >> (16 * place)) as u16);
        Self { value: U64::new(value), years: [part(2), part(3)], ratings: [part(1), part(0)] }
    }

    /// The value of a cell of GAME.
    pub fn value(&self) -> u64 {
        self.value.get()
    }

    /// Writes what it tells of the cells of a move with these counts over zeros; none if a field has
    /// no room for it.
    #[inline]
    fn tell(&self, counts: Counts, swapped: bool, form: &CellForm, cells: &mut [u8]) -> Option<()> {
        if let Some(at) = form.game {
            cells[at..at + 8].copy_from_slice(self.value.as_bytes());
        }
        if let Some(at) = form.years {
            cells[at..at + 4].copy_from_slice(self.years.as_bytes());
        }
        if let Some(at) = form.ratings.filter(|_| self.ratings != [U16::ZERO; 2]) {
            let games = counts.games();
            let [greater, lesser] = self.ratings.map(|rating| games * u64::from(rating.get()));
            let (mover, opponent) = if swapped { (lesser, greater) } else { (greater, lesser) };
            let score = 2 * u64::from(counts.wins) + u64::from(counts.draws);
            let cell = cells[at..].first_chunk_mut::<24>()?;
            set_ratings(cell, [mover, opponent, games, score])?;
        }
        Some(())
    }
}

/// How the cells of a move are written beside the fields that are spelled out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CellForm {
    /// Where the cells that a game tells are among those of a move.
    ratings: Option<usize>,
    game: Option<usize>,
    years: Option<usize>,
    /// Bits that say whether a game tells all of the cells.
    pub told_bits: u32,
    /// Bits that say which game it is, and whose ratings are the mover's.
    pub game_bits: u32,
    swap_bits: u32,
}

/// What is written of the cells of a move, but for fields.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Coded {
    /// Whether the game tells all of them; if not, fields are spelled out.
    pub told: bool,
    /// The number of its game, and above it whether the lesser rating is the mover's.
    pub game: u64,
}

impl CellForm {
    /// That of books of this form with so many games in their dictionary.
    pub fn of(form: &Form, games: u64) -> Self {
        let [ratings, game, years] =
            [Column::RATINGS, Column::GAME, Column::YEARS].map(|column| form.columns.place(column));
        if game.is_none() {
            return Self { ratings, years, ..Self::default() };
        }
        let others = form.columns.without(Columns::NONE.with(Column::GAME));
        let (told_bits, swap_bits) = (!others.is_empty(), ratings.is_some());
        let (told_bits, swap_bits) = (told_bits.into(), swap_bits.into());
        Self { ratings, game, years, told_bits, game_bits: bits(games) + swap_bits, swap_bits }
    }

    /// What is known of the game that a move's cells name, by that move: the last and the first
    /// year, the greater and the lesser rating, of 16 bits each from the highest on. Ratings are
    /// only known if all games of the move have the same.
    pub fn knowledge(&self, counts: Counts, cells: &[u8]) -> u64 {
        let games = counts.games();
        let years = self.years.map_or(0, |at| {
            let [first, last] = [at, at + 2].map(|at| Column::YEARS.fields[0].get(&cells[at..]));
            last << 48 | first << 32
        });
        let ratings = self.ratings.and_then(|at| {
            let [mover, opponent, rated] = ratings_of(cells[at..].first_chunk()?);
            let rating = |sum: u64| u16::try_from(sum.checked_div(games)?).ok().map(u64::from);
            let (greater, lesser) = (mover.max(opponent), mover.min(opponent));
            let same =
                rated == games && greater.is_multiple_of(games) && lesser.is_multiple_of(games);
            Some(rating(greater)? << 16 | rating(lesser)?).filter(|_| same)
        });
        years | ratings.unwrap_or_default()
    }

    /// The game that a move's cells name; 0 if none.
    pub fn game(&self, cells: &[u8]) -> u64 {
        self.game.map_or(0, |at| Column::GAME.fields[0].get(&cells[at..]))
    }

    /// How the cells of a move with these counts are written.
    #[inline]
    pub fn code(&self, games: &Dictionary, counts: Counts, cells: &[u8]) -> Coded {
        let number = games.number(self.game(cells));
        let tells = |swapped: &bool| {
            let (game, mut told) = (games.get(number).unwrap_or_default(), [0; Columns::MOST]);
            game.tell(counts, *swapped, self, &mut told).is_some() && told[..cells.len()] == *cells
        };
        let ways = [false, true].into_iter().take((self.told_bits + self.swap_bits) as usize);
        let swapped = ways.into_iter().find(tells);
        let swap = u64::from(swapped == Some(true)) << (self.game_bits - self.swap_bits);
        Coded { told: swapped.is_some(), game: number | swap }
    }

    /// Reads what is not spelled out of the cells of a move; the others are zero then.
    #[inline]
    pub fn read(
        &self,
        games: &Games<'_>,
        Coded { told, game }: Coded,
        counts: Counts,
        cells: &mut [u8],
    ) -> Result<(), Damaged> {
        cells.fill(0);
        let Some(at) = self.game else { return Ok(()) };
        let number_bits = self.game_bits - self.swap_bits;
        let of_columns = [self.ratings, self.game, self.years].iter().flatten().count() as u64;
        let found = games.game(game & ones(number_bits), if told { of_columns } else { 1 })?;
        if told {
            return found.tell(counts, game >> number_bits != 0, self, cells).ok_or(Damaged);
        }
        cells[at..at + 8].copy_from_slice(found.value.as_bytes());
        Ok(())
    }
}

/// The games that cells name, in ascending order of their values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dictionary {
    games: Vec<Game>,
    /// What they are found by, at one access: each mixed value with its number, where its upper bits
    /// say or the first free place behind that, twice as many places as games.
    table: Vec<(u64, u32)>,
    /// The blocks that are damaged: their games are none, and tell nothing.
    bad: Vec<u64>,
    is_ascending: bool,
}

impl Dictionary {
    /// That of these games, in ascending order.
    pub fn new(games: Vec<Game>) -> Self {
        let is_ascending = games.is_sorted_by(|a, b| a.value() < b.value());
        let is_ascending = is_ascending && games.first().is_none_or(|game| game.value() != 0);
        Self { games, table: Vec::new(), bad: Vec::new(), is_ascending }
    }

    /// The same, in which games are found; none if there are too many.
    pub fn indexed(self) -> Option<Self> {
        let last = u32::try_from(self.games.len()).ok()?;
        let places = (self.games.len() * 2).next_power_of_two();
        let mut table = vec![(0, 0); places];
        for (game, number) in self.games.iter().zip(1..=last) {
            let mixed = mix(game.value());
            let mut at = part(mixed, places);
            while table[at].1 != 0 {
                at = (at + 1) % places;
            }
            table[at] = (mixed, number);
        }
        Some(Self { table, ..self })
    }

    /// Reads that of a book, every block verified (B-13): none of a book without games. Damaged
    /// blocks are an error, or are passed over.
    pub fn read(
        bytes: &dyn Bytes,
        path: &Path,
        header: &Header,
        damage: Damage,
    ) -> crate::error::Result<Self> {
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
        let (mixed, places) = (mix(value), self.table.len());
        if value == 0 || places == 0 {
            return 0;
        }
        // A value has but one mixed one.
        let mut at = part(mixed, places);
        loop {
            match self.table[at] {
                (_, 0) => return 0,
                (found, number) if found == mixed => return number.into(),
                _ => at = (at + 1) % places,
            }
        }
    }

    /// The game of a number; that of 0 tells nothing.
    fn get(&self, number: u64) -> Option<Game> {
        match number.checked_sub(1) {
            None => Some(Game::default()),
            Some(place) => self.games.get(usize::try_from(place).ok()?).copied(),
        }
    }
}

/// Which of so many parts of all hashes, a power of two, has this one.
#[inline]
fn part(mixed: u64, parts: usize) -> usize {
    ((u128::from(mixed) * parts as u128) >> 64) as usize
}

/// The section of a book with its sums, if it has one.
pub(crate) fn strip_of(header: &Header) -> Option<Strip<'_>> {
    Strip::of(header, header.section(Tag::GAMES)?)
}

/// The games in the body of the section.
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
    fn game(&self, number: u64, cells: u64) -> Result<Game, Damaged> {
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
