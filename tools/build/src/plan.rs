//! What is to be made of game archives: the plan of a build.

use crate::dedup::{Dedup, SameBy};
use crate::error::{BuildError, Result};
use crate::occurrence::Occurrence;
use crate::with_cells::room_for;
use std::path::PathBuf;
use tabia::format::{Header, Results};
use tabia::{
    Beside, Column, Duplicates, Existing, Load, MoveRow, NewBook, PositionRow, Row, TableKind,
};
use tabia_archives::{IngestProgress, Options, UnknownResults};
use tabia_gamefile::KeptGames;
use tabia_games::{Game, Known, Side};

/// The tables that a book is built with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tables {
    /// What positions are worth, however they were reached.
    pub positions: bool,
    /// What was played in positions.
    pub moves: bool,
}

impl Tables {
    /// Both tables.
    pub const BOTH: Self = Self { positions: true, moves: true };
}

/// What to do about an earlier, interrupted build of the same book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Resume {
    /// It is left alone, and nothing is built: [`BuildError::Unfinished`].
    #[default]
    Refuse,
    /// The build goes on from its parts. Without any it starts anew.
    Continue,
    /// Its parts are removed, and the build starts anew.
    Discard,
}

/// The plan of a build: what is made from game archives, and how. [`BuildPlan::build`] makes a
/// book, [`BuildPlan::add`] adds to one.
///
/// Of two builds with equal plans the books are equal, byte for byte: threads, memory and the size
/// of parts don't show in them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BuildPlan {
    /// How archives are read: which game they are of, which games are wanted, and what is wanted of
    /// a game. Columns, keys of lines and what becomes of games without a result are chosen in
    /// [`Options::wanted`].
    pub read: Options,
    /// The tables to make. Both, if not said.
    pub tables: Tables,
    /// Takes the moves of the first `max_ply` plies of a game, and the positions between them; all
    /// if none.
    pub max_ply: Option<u32>,
    /// Take only positions in which this side is to move, and its moves: a book for one color.
    pub side: Option<Side>,
    /// In how many games at least a position or a move must have been played. 1, if not said.
    pub min_games: u64,
    /// Which games go into the file of games beside the book, if one is to be made: it needs the
    /// column `game`. A book that has such a file is given the games that are added in any case.
    pub games: Option<KeptGames>,
    /// Which games are left out because they are in the archives more than once, and what makes two
    /// games the same.
    pub dedup: Option<(Dedup, SameBy)>,
    /// Whether an archive whose games count already may be read again.
    pub duplicates: Duplicates,
    /// What becomes of additions to a book whose games or fingerprints aren't there: copies of games
    /// would count again, and games be missing.
    pub beside: Beside,
    /// How full the tables are to be.
    pub load: Load,
    /// Whether the book is to have a filter.
    pub filter: bool,
    /// Whether the book is to be packed into pages; load and filter are then those of the book that
    /// unpacking makes of it. Parts are not.
    pub packed: bool,
    /// Threads to work with. One for each core, if not said.
    pub threads: usize,
    /// Bytes of memory for what is sorted; what doesn't fit goes to files without a name in the
    /// book's folder. 1.75 GiB, if not said.
    pub memory: usize,
    /// After how many bytes of text a part is written, from which an interrupted build can
    /// continue; never if none. 4 GiB by default. Parts are in a folder beside the book, named as
    /// the book with `-building` appended.
    pub part_bytes: Option<u64>,
    /// What becomes of an earlier build of the same book that was interrupted.
    pub resume: Resume,
    /// What becomes of a file that has the book's name.
    pub existing: Existing,
    /// Whether a book is made although no game went in, and games are added although none of them
    /// could be read. If not, that is [`BuildError::NoGame`].
    pub allow_empty: bool,
    /// A file for a line about each game that was skipped: archive, byte, reason, what exactly,
    /// players, line, tags. It is replaced if it is there.
    pub skipped_list: Option<PathBuf>,
}

/// The share of refused games, in percent, above which an archive of one game a line is no archive
/// of the game it is read for, if a plan says nothing else.
pub const MOST_REFUSED: u8 = 50;

impl BuildPlan {
    /// All decided games, with all their plies, in a book of both tables.
    pub fn new(game: Known) -> Self {
        Self {
            read: Options { most_refused: Some(MOST_REFUSED), ..Options::new(game) },
            tables: Tables::BOTH,
            max_ply: None,
            side: None,
            min_games: 1,
            games: None,
            dedup: None,
            duplicates: Duplicates::Refuse,
            beside: Beside::Refuse,
            load: Load::default(),
            filter: false,
            packed: false,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            memory: (2 << 30) / 8 * 7,
            part_bytes: Some(4 << 30),
            resume: Resume::default(),
            existing: Existing::Refuse,
            allow_empty: false,
            skipped_list: None,
        }
    }

    /// Makes it a plan for adding to the book with this header: tables, columns, keys and results
    /// are those of the book.
    pub fn fit(&mut self, header: &Header) {
        let has = |kind| header.table(kind).is_some();
        self.tables = Tables { positions: has(TableKind::Positions), moves: has(TableKind::Moves) };
        self.read.wanted.columns = header.columns(TableKind::Moves);
        self.read.wanted.keyed = header.keyed;
        self.read.wanted.unknown_results = match header.results {
            Results::Known => UnknownResults::Skip,
            Results::Unknown => UnknownResults::Count,
        };
    }

    /// The most bytes that the book can have, and its scratch files, if the rest of its archives, so many
    /// bytes in all, is as what was read. It has less the more games share positions.
    pub fn most_bytes(&self, read: &IngestProgress, total: u64) -> (u64, u64) {
        let in_all = |count: u64| u128::from(count) * u128::from(total) / u128::from(read.bytes);
        let plies = in_all(read.plies);
        let in_games = |most| in_all(read.games) * u128::from(most);
        let plies = plies.min(self.max_ply.map_or(plies, in_games));
        let book = plies * u128::from(self.most_bytes_a_ply()) / 1000;
        let at_most = |count| u64::try_from(count).unwrap_or(u64::MAX);
        (at_most(book), self.most_bytes_sorted(at_most(plies)))
    }

    /// Thousandths of bytes that a ply takes in the book if its position and its move are new there;
    /// it takes less the more games share positions.
    fn most_bytes_a_ply(&self) -> u64 {
        /// An entry of a packed book: a position of many games, with its moves.
        const PACKED_ENTRY: u64 = 13;
        /// Its eval, depth and flags.
        const PACKED_EVAL: u64 = 4;
        /// The tag of a slot.
        const TAG: u64 = 2;
        let (Tables { positions, moves }, columns) = (self.tables, self.read.wanted.columns);
        let cells = if moves { columns.stride() as u64 } else { 0 };
        if self.packed {
            let eval = if self.read.wanted.evals { PACKED_EVAL } else { 0 };
            // The numbers of cells take a few bits more than they have.
            return (PACKED_ENTRY + eval + cells + cells / 8) * 1000;
        }
        let tag = if self.filter { TAG } else { 0 };
        let position = if positions { PositionRow::SIZE + tag } else { 0 };
        let played = if moves { MoveRow::SIZE + cells } else { 0 };
        // A row, and the homes that stay empty.
        (position + played) * 1_000_000 / u64::from(self.load.thousandths())
    }

    /// The most bytes of scratch files while so many plies are sorted: none if they fit in memory. What
    /// merges, as the positions of openings do, takes less.
    fn most_bytes_sorted(&self, plies: u64) -> u64 {
        let room = room_for(self.read.wanted.columns, self.read.wanted.evals);
        let bytes = plies.saturating_mul((size_of::<Occurrence>() + room) as u64);
        // Runs are there twice while they are merged to longer ones.
        if bytes <= self.memory as u64 { 0 } else { bytes.saturating_mul(2) }
    }

    /// The book to be made, without rows.
    pub(crate) fn new_book(&self) -> NewBook<'_> {
        let game = &self.read.game;
        let name = |text: &str| text.parse().expect("the names of games and keys are well formed");
        let results = match self.read.wanted.unknown_results {
            UnknownResults::Skip => Results::Known,
            UnknownResults::Count => Results::Unknown,
        };
        NewBook::new(name(game.name()), name(game.keys()))
            .keyed(self.read.wanted.keyed)
            .results(results)
    }

    /// Makes sure that it can be followed.
    pub(crate) fn check(&self) -> Result<()> {
        let (wanted, game) = (&self.read.wanted, &self.read.game);
        let bad = if !self.tables.positions && !self.tables.moves {
            "a book has to have a table".to_owned()
        } else if !wanted.columns.is_empty() && !self.tables.moves {
            format!(
                "{}: these are columns of moves, and the book is to have positions only",
                wanted.columns
            )
        } else if self.games.is_some() && !wanted.columns.has(Column::GAME) {
            "the file of games is for the column `game`, which the book is not to have".to_owned()
        } else if wanted.corners.is_some() && wanted.keyed != tabia::format::Keyed::Line {
            "the sequences of corners are lines of moves, and the book is to be keyed by positions"
                .to_owned()
        } else if !matches!(game, Known::Go(_))
            && (wanted.corners.is_some() || wanted.set_up || wanted.komi.is_some())
        {
            format!(
                "corners, set-up stones and komi are for games of Go, and these are of {}",
                game.name()
            )
        } else if wanted.variations && wanted.unknown_results == UnknownResults::Skip {
            "variations have no results: they count in a book of --results unknown".to_owned()
        } else if wanted.variations && wanted.corners.is_some() {
            "the sequences of corners are those of main lines, and variations are to count"
                .to_owned()
        } else if self.read.slice.is_some() && self.min_games > 1 {
            "how many games a position has shows in all slices together: leave out what has few by `tabia trim`, once they are merged".to_owned()
        } else if self.threads == 0 {
            "a build needs a thread".to_owned()
        } else {
            return Ok(());
        };
        Err(BuildError::Plan(bad))
    }
}
