//! What a game of a packed book's dictionary tells of the cells of a move, and how these are written
//! with its number. Section 5.2 of `format-spec/packed.md`.

use super::bits::{bits, ones};
use super::dictionary::{Dictionary, Games};
use super::group::Damaged;
use super::params::Form;
use crate::column::{Column, Columns};
use crate::format::GAME_CELL;
use crate::row::Counts;
use zerocopy::little_endian::{U16, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// A game of the dictionary, and what it tells; all zero if it is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, FromBytes, IntoBytes, Immutable, KnownLayout)]
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
