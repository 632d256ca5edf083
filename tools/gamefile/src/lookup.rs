//! Asking for games, wherever they are.

use crate::error::Result;
use crate::file::GameFile;
use crate::id::GameId;
use crate::stored_game::StoredGame;
use tabia::Keyed;
use tabia::bytes::Bytes;

/// What is asked for games: a file, or several as one.
pub trait GameLookup: Send + Sync {
    /// The game with this digest, if it is there.
    ///
    /// # Errors
    /// [`GameFileError::Damaged`](crate::GameFileError::Damaged); the system's.
    fn find(&self, digest: u64) -> Result<Option<StoredGame>>;

    /// The games with this id: none, one or, rarely, two. Errors are those of [`GameLookup::find`].
    fn with_id(&self, id: GameId) -> Result<Vec<StoredGame>> {
        id.digests().into_iter().filter_map(|digest| self.find(digest).transpose()).collect()
    }

    /// The digests of the games that end where a book of these keys has a key with this
    /// [`end_of_key`](crate::end_of_key), and perhaps of others; none if it isn't known. Errors are
    /// those of [`GameLookup::find`].
    fn ending_at(&self, end: u32, keys: &str, keyed: Keyed) -> Result<Vec<u64>>;
}

impl<S: Bytes> GameLookup for GameFile<S> {
    fn find(&self, digest: u64) -> Result<Option<StoredGame>> {
        Self::find(self, digest)
    }

    fn ending_at(&self, end: u32, keys: &str, keyed: Keyed) -> Result<Vec<u64>> {
        let header = self.header();
        if (header.keys.as_str(), header.keyed) == (keys, keyed) {
            Self::ending_at(self, end)
        } else {
            Ok(Vec::new())
        }
    }
}

impl<T: GameLookup + ?Sized> GameLookup for &T {
    fn find(&self, digest: u64) -> Result<Option<StoredGame>> {
        T::find(self, digest)
    }

    fn ending_at(&self, end: u32, keys: &str, keyed: Keyed) -> Result<Vec<u64>> {
        T::ending_at(self, end, keys, keyed)
    }
}

/// Several files, of which the first that has a game counts.
impl<T: GameLookup> GameLookup for Vec<T> {
    fn find(&self, digest: u64) -> Result<Option<StoredGame>> {
        self.iter().find_map(|file| file.find(digest).transpose()).transpose()
    }

    fn ending_at(&self, end: u32, keys: &str, keyed: Keyed) -> Result<Vec<u64>> {
        let mut all = Vec::new();
        for file in self {
            all.append(&mut file.ending_at(end, keys, keyed)?);
        }
        all.sort_unstable();
        all.dedup();
        Ok(all)
    }
}
