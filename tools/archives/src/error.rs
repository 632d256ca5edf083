//! What can go wrong with an archive as a whole; see [`crate::stats`] for single games.

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

/// Why an archive can't be used.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The file can't be opened.
    #[error("can't open {}: {source}", path.display())]
    Open {
        /// The archive.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It is a folder.
    #[error("{} is a folder; give the archives in it, for instance {}/*.pgn", .0.display(), .0.display())]
    Folder(PathBuf),
    /// Standard input was given more than once.
    #[error("standard input (-) can be given only once")]
    StandardInputTwice,
    /// Reading failed half-way.
    #[error("can't read {} after byte {offset}: {source}", path.display())]
    Read {
        /// The archive.
        path: PathBuf,
        /// How many bytes of the file had been read.
        offset: u64,
        /// What the system says.
        source: io::Error,
    },
    /// It isn't what it was when reading it was interrupted.
    #[error("{} has changed since the interrupted build read it: build without --resume", .0.display())]
    Changed(PathBuf),
    /// It is compressed, and nothing at all could be decompressed.
    #[error("can't decompress {}: {source}", path.display())]
    Decompress {
        /// The archive.
        path: PathBuf,
        /// What the decompressor says.
        source: io::Error,
    },
    /// It is compressed in a way that this crate was built without.
    #[error("{} is compressed by {compression}, and this program was built without the feature `{compression}`: decompress it first", path.display())]
    CompressionOff {
        /// The archive.
        path: PathBuf,
        /// The compression, and the feature.
        compression: &'static str,
    },
    /// It is a tar archive, and this crate was built without them.
    #[error("{} is a tar archive, and this program was built without the feature `tar`: unpack it first", .0.display())]
    TarOff(PathBuf),
    /// It is another kind of file.
    #[error("{} is not a game archive: it looks like {what}; {advice}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it looks like.
        what: &'static str,
        /// What to do with it.
        advice: Cow<'static, str>,
    },
    /// There is no game in it, or none of the kind that is wanted.
    #[error("{} is not a game archive: there is no game in it; give games of {game} as {formats}, plain or compressed by zstd, gzip or bzip2", path.display())]
    NoGame {
        /// The file.
        path: PathBuf,
        /// The game that is wanted.
        game: &'static str,
        /// How archives of it are written.
        formats: &'static str,
    },
    /// Of its games too many can't be read, or have moves that aren't legal: it is probably of
    /// another game, or in a notation that isn't known ([`crate::Options::most_refused`]).
    #[error("{}: {refused} of its {read} games can't be read or have illegal moves: it is in another notation, or of another game", path.display())]
    MostlyRefused {
        /// The archive.
        path: PathBuf,
        /// How many games were refused.
        refused: u64,
        /// How many were read.
        read: u64,
    },
}

/// Why an ingestion stopped. What the sinks got until then is incomplete.
#[derive(Debug, thiserror::Error)]
pub enum IngestError<E> {
    /// An archive can't be used.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A sink refused games.
    #[error(transparent)]
    Sink(E),
    /// The observer asked to stop.
    #[error("stopped")]
    Stopped,
}
