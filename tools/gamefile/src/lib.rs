//! The games behind a book: the file `NAME.tabia-games` beside `NAME.tabia`, in which the column
//! `game` of the moves finds its games. `format-spec/games.md` says what every byte of it means.
//!
//! The file is immutable and knows no rules: a game is who played it, when and where, how it ended,
//! and the codes of its moves. [`GameFile`] reads it, [`GameSorter`] and [`write_games`] make it in
//! bounded memory, [`merge_games`] unites several, [`check_games`] and [`salvage_games`] look after
//! it. What the moves mean, and which games pass a position, is the business of `tabia-play`.
//!
//! ```
//! use tabia::Env;
//! use tabia_gamefile::{GameFile, GameSorter, NewGameFile, StoredGame, write_games};
//!
//! # let folder = tempfile::tempdir()?;
//! let path = folder.path().join("tiny.tabia-games");
//! let mut sorter = GameSorter::new(Env::default().storage, folder.path(), 1 << 20);
//! let players = ["Tal, Mikhail".to_owned(), "Botvinnik, Mikhail".to_owned()];
//! sorter.add(&StoredGame { digest: 7, players, moves: vec![796, 3364], ..StoredGame::default() }, 0)?;
//!
//! let archives = [tabia::Digest::of(b"the archive")];
//! let new = NewGameFile::new("chess".parse()?, "polyglot".parse()?);
//! let sorted = sorter.finish()?;
//! write_games(&Env::default(), &path, &new, &sorted.games(&archives))?.publish(tabia::Existing::Refuse)?;
//!
//! let file = GameFile::open(&path)?;
//! assert_eq!(file.find(7)?.map(|game| game.moves), Some(vec![796, 3364]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_debug_implementations)]

mod check;
mod entry;
mod error;
mod file;
mod frames;
mod header;
mod id;
mod lookup;
mod merge;
mod names;
mod record;
mod salvage;
mod search;
mod sections;
mod set;
mod sorter;
mod stored_game;
mod write;

pub use check::{GameCheck, GameFinding, check_game_file, check_games};
pub use error::{GameFileError, Result};
pub use file::GameFile;
pub use header::{GameFileHeader, KeptGames};
pub use id::{BadId, GameId};
pub use lookup::GameLookup;
pub use merge::{CountedGames, GamesOfPart, merge_games, united_games};
pub use record::{GameSorter, SortedGames};
pub use salvage::{SalvagedGames, salvage_games};
pub use set::{GameSet, Games};
pub use sorter::{Sorted, Sorter};
pub use stored_game::{
    GameResult, LONGEST_NAME, LONGEST_SETUP, MOST_PLIES, StoredGame, end_of_key, stored_text,
};
pub use write::{NewGameFile, UnpublishedGames, write_games};

use std::io;
use std::path::{Path, PathBuf};
use tabia::bytes::{Bytes, Pread};
use tabia::{BookFile, BookFiles, Context, Existing};

/// The file with the games of the book of this name: the book's name with `-games` appended.
///
/// ```
/// let path = tabia_gamefile::path_beside("books/club.tabia".as_ref());
/// assert_eq!(path, std::path::Path::new("books/club.tabia-games"));
/// ```
pub fn path_beside(book: &Path) -> PathBuf {
    BookFiles::of(book).path(BookFile::Games)
}

/// Makes sure that nothing is in the way of a file of games but another one that may be replaced.
///
/// # Errors
/// [`tabia::Error::InTheWay`], [`tabia::Error::Exists`] if there is one that is to stay; the
/// system's.
pub fn check_place(path: &Path, existing: Existing) -> Result<()> {
    let what = "it is no file of games: move it away, or give the book another name";
    let in_the_way = || Err(tabia::Error::InTheWay { path: path.to_owned(), what }.into());
    let mut start = [0; 8];
    match Pread::open(path).and_then(|file| file.read_exact_at(&mut start, 0)) {
        Ok(()) if start == header::MAGIC => match existing {
            Existing::Replace => Ok(()),
            Existing::Refuse => Err(tabia::Error::Exists { path: path.to_owned() }.into()),
        },
        Ok(()) => in_the_way(),
        Err(error) => match error.kind() {
            io::ErrorKind::NotFound => Ok(()),
            io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidInput => in_the_way(),
            _ => Ok(Err(error).at("read", path)?),
        },
    }
}
