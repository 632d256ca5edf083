//! Games behind positions: the files of games beside books.

use crate::reply::Refusal;
use crate::selection::Selection;
use crate::source::Snapshot;
use std::sync::Arc;
use tabia_gamefile::{GameFile, GameId, GameLookup, StoredGame};
use tabia_games::{Game, Node};
use tabia_play::explore::Explorable;
use tabia_play::{TopGames, TopGamesPlan};

/// How many moves of a book a search for games looks at, at most.
const MOST_ROWS: u64 = 20_000;

impl Snapshot {
    /// The files of games beside the book; none if there are none.
    ///
    /// # Errors
    /// [`Refusal::Failed`] if there is one that can't be read.
    pub fn game_files(&self) -> Result<&Vec<GameFile>, Refusal> {
        self.games.as_ref().map_err(|why| Refusal::Failed(why.clone()))
    }
}

/// Several books' files of games, in their order.
pub struct Games<'a>(Vec<&'a GameFile>);

impl<'a> Games<'a> {
    /// Those of these books.
    ///
    /// # Errors
    /// [`Refusal::Failed`] if one can't be read.
    pub fn of(books: &'a [Arc<Snapshot>]) -> Result<Self, Refusal> {
        let mut files = Vec::new();
        for book in books {
            files.extend(book.game_files()?);
        }
        Ok(Self(files))
    }

    /// Whether there are any.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The game with this digest.
    pub fn find(&self, digest: u64) -> Result<Option<StoredGame>, Refusal> {
        Ok(GameLookup::find(self, digest)?)
    }

    /// The games with this id.
    pub fn with_id(&self, id: GameId) -> Result<Vec<StoredGame>, Refusal> {
        Ok(GameLookup::with_id(self, id)?)
    }
}

impl GameLookup for Games<'_> {
    fn find(&self, digest: u64) -> Result<Option<StoredGame>, tabia_gamefile::GameFileError> {
        self.0.iter().find_map(|file| GameLookup::find(*file, digest).transpose()).transpose()
    }

    fn ending_at(
        &self,
        end: u32,
        keys: &str,
        keyed: tabia::Keyed,
    ) -> Result<Vec<u64>, tabia_gamefile::GameFileError> {
        let mut all = Vec::new();
        for file in &self.0 {
            all.append(&mut GameLookup::ending_at(*file, end, keys, keyed)?);
        }
        all.sort_unstable();
        all.dedup();
        Ok(all)
    }
}

/// The best games of these books together that pass a position, of those that their files have.
pub fn top<G: Game>(
    books: &Selection,
    games: &Games<'_>,
    node: &Node<G>,
    count: usize,
) -> Result<TopGames<G>, Refusal> {
    // The books of a shelf were read in one way.
    let plan = TopGamesPlan::of_book(books.first().book.first(), node.position.sides())?;
    let plan = TopGamesPlan { count, most_rows: MOST_ROWS, ..plan };
    Ok(TopGames::of(books.rows(), games, node, &plan)?)
}
