//! Gathering the games that the cells of a book name, and what is known of each, in a bounded amount
//! of memory. Section 3.5 of `format-spec/packed.md`.

use super::dictionary::Dictionary;
use super::entry::Entry;
use super::params::Form;
use super::told::{CellForm, Game};
use crate::column::{BestGame, Cells, Column, Columns};
use crate::env::Env;
use crate::error::{Error, Result};
use crate::key::Hash;
use crate::row::{Counts, MoveRow, Row};
use crate::sort::{Sorted, Sorter};
use crate::stream::{RowSet, Rows};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::Path;

/// Games that are kept before they go to the sorter, and its memory in bytes.
const KEPT: usize = 1 << 20;
const MEMORY: usize = 1 << 24;

/// What is known of a game by the moves that were seen: by those of the fewest games, and of these
/// the greatest of what they know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Known {
    games: Reverse<u16>,
    known: u64,
}

impl Known {
    /// By a move with these counts and cells.
    fn by(counts: Counts, cells: &[u8], form: &CellForm) -> Self {
        match counts.games() {
            0 => Self { games: Reverse(u16::MAX), known: 0 },
            games => Self {
                games: Reverse(games.try_into().unwrap_or(u16::MAX)),
                known: form.knowledge(counts, cells),
            },
        }
    }
}

/// What the moves of a book tell of the games in its dictionary.
pub(super) struct Review<'a> {
    games: &'a Dictionary,
    /// By number, from that of 1 on.
    known: Vec<Option<Known>>,
    /// Whether all games that were named are there.
    is_complete: bool,
}

impl<'a> Review<'a> {
    pub fn new(games: &'a Dictionary) -> Self {
        Self { games, known: vec![None; games.games().len()], is_complete: true }
    }

    /// Takes the games of an entry.
    pub fn add(&mut self, entry: &Entry<'_>, form: &CellForm, columns: Columns) {
        for (index, row) in entry.moves.iter().enumerate() {
            let cells = entry.cells_of(index, columns);
            let game = form.game(cells);
            match self.games.number(game) as usize {
                0 => self.is_complete &= game == 0,
                number => {
                    let known = Some(Known::by(row.counts(), cells, form));
                    self.known[number - 1] = known.max(self.known[number - 1]);
                }
            }
        }
    }

    /// Whether the dictionary is the one that these entries have.
    pub fn agrees(&self) -> bool {
        let mut games = self.games.games().iter().zip(&self.known);
        let is_so = |(game, known): (&Game, &Option<Known>)| {
            known.is_some_and(|Known { known, .. }| Game::new(game.value(), known) == *game)
        };
        self.is_complete && games.all(is_so)
    }
}

/// The games of some entries.
pub(super) struct Gatherer<'a> {
    columns: Columns,
    form: CellForm,
    games: HashMap<u64, Known>,
    /// A row for each game and number of games, with what is known in a cell of which the greatest
    /// stays.
    sorter: Sorter<'a, MoveRow>,
}

impl<'a> Gatherer<'a> {
    /// Of entries of this form; what memory has no room for goes to scratch files in this folder.
    pub fn new(env: &Env<'a>, folder: &Path, form: &Form) -> Self {
        let columns = Columns::NONE.with(Column::GAME);
        let sorter = Sorter::with_columns(env.storage, folder, MEMORY, columns);
        let games = HashMap::new();
        Self { columns: form.columns, form: CellForm::of(form, 0), games, sorter }
    }

    /// Takes the games of an entry, of a book with such a column.
    pub fn add(&mut self, entry: &Entry<'_>) -> Result<()> {
        for (index, row) in entry.moves.iter().enumerate() {
            let cells = entry.cells_of(index, self.columns);
            let game = self.form.game(cells);
            if game == 0 {
                continue;
            }
            let known = Known::by(row.counts(), cells, &self.form);
            let kept = self.games.entry(game).or_insert(known);
            *kept = known.max(*kept);
            if self.games.len() == KEPT {
                self.sort()?;
            }
        }
        Ok(())
    }

    /// Hands what is kept to the sorter.
    fn sort(&mut self) -> Result<()> {
        for (game, Known { games: Reverse(games), known }) in self.games.drain() {
            let row = MoveRow::of_hash(Hash::from_bits(game), games, Counts::default());
            let known = BestGame { rank: (known >> 48) as u16, digest: known & BestGame::MOST };
            self.sorter.push_with(row, &Cells::NONE.with(known))?;
        }
        Ok(())
    }

    /// All games, sorted.
    pub fn finish(mut self) -> Result<Sorted<MoveRow>> {
        self.sort()?;
        Ok(self.sorter.finish())
    }
}

/// The dictionary of games that several gatherers took.
pub(super) fn dictionary(
    env: &Env<'_>,
    path: &Path,
    gathered: Vec<Sorted<MoveRow>>,
) -> Result<Dictionary> {
    let sorted = Sorted::join(env, gathered)?;
    let mut games = Vec::<Game>::new();
    sorted.rows()?.each_chunk(|chunk| -> Result<()> {
        for (row, cell) in chunk.rows().iter().zip(chunk.cells().chunks_exact(8)) {
            let game = row.hash().get();
            if games.last().is_none_or(|last| last.value() != game) {
                games.push(Game::new(game, Column::GAME.fields[0].get(cell)));
            }
        }
        Ok(())
    })?;
    if games.len() >= u32::MAX as usize {
        let what = "the cells of a packed book can't name more than 2^32 games";
        return Err(Error::Limit { path: path.to_owned(), what });
    }
    games.shrink_to_fit();
    Ok(Dictionary::new(games))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::{Ratings, Years};
    use crate::format::Share;
    use crate::key::mix;
    use zerocopy::IntoBytes;

    fn best(game: &Game) -> BestGame {
        BestGame { rank: 4100, digest: game.value() & BestGame::MOST }
    }

    /// Whatever goes to the sorter when, and whoever takes which entries, the games are the same,
    /// and known by the moves of the fewest games.
    #[test]
    fn the_dictionary_follows_from_the_moves_alone() -> Result<()> {
        let columns = [Column::RATINGS, Column::GAME, Column::YEARS].into_iter().collect();
        let form = Form { share: Share::WHOLE, positions: false, moves: true, columns };
        let moves: Vec<_> = (0..3000u64)
            .map(|number| {
                let (random, wins) = (mix(number), 1 + (number % 3) as u32);
                let counts = Counts::new(wins, 0, 0);
                let ratings = Ratings {
                    mover_sum: u64::from(wins) * (2000 + random % 7),
                    opponent_sum: u64::from(wins) * 2100,
                    games: wins,
                    score: 2,
                };
                let cells = Cells::NONE.with(ratings).with(Years::of_game(1990 + wins as u16));
                let game = BestGame { rank: 4100, digest: number % 400 };
                (MoveRow::of_hash(Hash::from_bits(number), 1, counts), cells.with(game))
            })
            .collect();
        let (folder, env) = (tempfile::tempdir().unwrap(), Env::default());
        let gathered = |order: &dyn Fn(usize) -> usize, workers: usize, kept: usize| {
            let new = || Gatherer::new(&env, folder.path(), &form);
            let mut gatherers: Vec<_> = (0..workers).map(|_| new()).collect();
            for number in 0..moves.len() {
                let (row, cells) = &moves[order(number)];
                let gatherer = &mut gatherers[number % workers];
                let cells = cells.to(columns);
                gatherer.add(&Entry {
                    h: row.hash(),
                    position: None,
                    moves: &[*row],
                    cells: cells.as_bytes(),
                })?;
                if number % kept == 0 {
                    gatherer.sort()?;
                }
            }
            let sorted = gatherers.into_iter().map(Gatherer::finish).collect::<Result<_>>()?;
            dictionary(&env, folder.path(), sorted)
        };
        let all = gathered(&|number| number, 1, usize::MAX)?;
        assert_eq!(all.len(), 400);
        assert!(all.is_sound());
        for (workers, kept) in [(1, 1), (3, 7)] {
            let other = gathered(&|number| moves.len() - 1 - number, workers, kept)?;
            assert_eq!(other.games(), all.games());
        }
        let mut review = Review::new(&all);
        let of_cells = CellForm::of(&form, all.len());
        for (row, cells) in &moves {
            let (moves, cells) = (&[*row][..], cells.to(columns));
            let cells = cells.as_bytes();
            review.add(&Entry { h: row.hash(), position: None, moves, cells }, &of_cells, columns);
        }
        assert!(review.agrees());
        assert!(!Review::new(&all).agrees(), "no move names them");
        let fewest = |game: &Game| {
            let mine = moves.iter().filter(|(_, cells)| cells.get() == Some(best(game)));
            mine.map(|(row, _)| row.counts().wins).min().unwrap_or_default()
        };
        for game in all.games() {
            let year = (1990 + fewest(game) as u16).to_le_bytes();
            assert_eq!(game.as_bytes()[8..12], [year, year].concat());
        }
        Ok(())
    }
}
