//! The entries of a book, position by position, in the order of the book.

use super::weights::{MOST, fit};
use super::{Entry, Learn, left_out};
use crate::Losses;
use crate::row::{each_position, is_rated};
use tabia::stream::{Chunk, RowSet};
use tabia::{Cells, Marks, MoveRow, Row};

/// Marks that say how a move is to be weighed; what others say, an entry can't.
const WORDS: Marks = Marks::NEVER.union(Marks::ALWAYS);

/// Which moves become entries, and with which weights.
pub struct GatherOptions<'a> {
    /// Weighs the moves of a position: puts a weight for each into the list, in place of what that
    /// held. They may be of any size.
    pub weigh: &'a dyn Fn(&[MoveRow], &mut Vec<u64>),
    /// The games a move needs, unless it is marked `always`.
    pub min_games: u64,
    /// The weight a move needs once weights are made to fit; 1 leaves out what is not to be played,
    /// as Polyglot does.
    pub min_weight: u16,
    /// Whether a move is wanted at all: a legal one, say.
    pub keep: &'a dyn Fn(&MoveRow) -> bool,
}

/// What was gathered, and what was left out and why: of several reasons the first of this list
/// counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gathered {
    /// Entries.
    pub entries: u64,
    /// Positions with entries.
    pub positions: u64,
    /// Positions whose weights were scaled to fit.
    pub scaled: u64,
    /// Left out: moves that `keep` is not true of.
    pub unwanted: u64,
    /// Left out: the null move, and moves of the position with key 0, which readers skip.
    pub unwritable: u64,
    /// Left out: moves marked `never`.
    pub never: u64,
    /// Left out: moves of too few games.
    pub few_games: u64,
    /// Left out: moves that weigh too little.
    pub light: u64,
    /// Of those that were left out for their weight: those that another move's mark `always` took
    /// it from.
    pub outweighed: u64,
    /// Entries whose moves have annotations, which are lost.
    pub annotated: u64,
    /// Entries whose moves have ratings, which are lost.
    pub rated: u64,
    /// Entries with a learn field.
    pub learned: u64,
}

/// Hands on an entry for each move that is wanted, in the order of the rows. If a move of a
/// position is marked `always`, it has the greatest weight there is, and those that aren't have
/// none.
///
/// `watch` receives the number of rows read from time to time. Memory: the moves of a position.
///
/// # Errors
/// Those of reading the rows; whatever `take` and `watch` give.
pub fn gather(
    rows: &dyn RowSet<MoveRow>,
    options: &GatherOptions<'_>,
    mut take: impl FnMut(Entry) -> tabia::Result<()>,
    watch: impl FnMut(u64) -> tabia::Result<()>,
) -> tabia::Result<Gathered> {
    let (mut gathered, mut moves, mut cells) = (Gathered::default(), Vec::new(), Vec::new());
    let mut weights = Vec::new();
    let position = |position: &Chunk<MoveRow>| {
        moves.clear();
        cells.clear();
        let wanted =
            position.iter().filter(|played| is_wanted(&played.row, options, &mut gathered));
        wanted.for_each(|played| {
            moves.push(played.row);
            cells.push(played.cells);
        });
        weigh(options, &moves, &mut weights, &mut gathered);
        let before = gathered.entries;
        for ((row, cells), &weight) in moves.iter().zip(&cells).zip(&weights) {
            let weight = weight as u16;
            if weight < options.min_weight {
                gathered.light += 1;
            } else {
                take(gathered.entry(row, cells, weight))?;
            }
        }
        gathered.positions += u64::from(gathered.entries > before);
        tabia::Result::Ok(())
    };
    each_position(rows, position, watch)?;
    Ok(gathered)
}

impl Gathered {
    /// What the entries don't say of a book with `positions` rows of positions.
    pub fn losses(&self, positions: u64) -> Losses {
        let mut losses = Losses::new(left_out::ALL);
        losses.add(left_out::POSITIONS, positions);
        losses.add(left_out::MARKED, self.annotated);
        losses.add(left_out::RATED, self.rated);
        losses
    }

    fn entry(&mut self, row: &MoveRow, cells: &Cells, weight: u16) -> Entry {
        let learn = Learn::kept(cells);
        self.entries += 1;
        self.annotated += u64::from(!WORDS.contains(row.marks()));
        self.rated += u64::from(is_rated(cells));
        self.learned += u64::from(learn != 0);
        Entry { key: row.key(), code: row.code(), weight, learn }
    }
}

/// Whether a move is to be weighed; if not, why is counted.
fn is_wanted(row: &MoveRow, options: &GatherOptions<'_>, gathered: &mut Gathered) -> bool {
    let is_always = row.marks().contains(Marks::ALWAYS);
    let reason = if !(options.keep)(row) {
        &mut gathered.unwanted
    } else if row.key() == 0 || row.code() == 0 {
        &mut gathered.unwritable
    } else if row.marks().contains(Marks::NEVER) {
        &mut gathered.never
    } else if row.counts().games() < options.min_games && !is_always {
        &mut gathered.few_games
    } else {
        return true;
    };
    *reason += 1;
    false
}

/// The weights of a position's moves, each of 16 bits.
fn weigh(
    options: &GatherOptions<'_>,
    moves: &[MoveRow],
    weights: &mut Vec<u64>,
    gathered: &mut Gathered,
) {
    let is_always = |row: &MoveRow| row.marks().contains(Marks::ALWAYS);
    if moves.iter().any(is_always) {
        weights.clear();
        weights.extend(moves.iter().map(|row| if is_always(row) { MOST } else { 0 }));
        gathered.outweighed += moves.iter().filter(|row| !is_always(row)).count() as u64;
        return;
    }
    (options.weigh)(moves, weights);
    weights.resize(moves.len(), 0);
    gathered.scaled += u64::from(fit(weights));
}
