//! How a file is compressed: told by its first bytes, and undone.

use std::io::{self, Read};

/// A compression. All of them are told from each other; those are undone whose feature is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    Zstd,
    Gzip,
    Bzip2,
}

impl Compression {
    /// What a file that starts with these bytes is compressed by, if it is.
    pub fn of(start: &[u8]) -> Option<Self> {
        match start {
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::Zstd),
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31 | 0x17, ..] => Some(Self::Bzip2),
            _ => None,
        }
    }

    /// What it is called; the name of its feature too.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Zstd => "zstd",
            Self::Gzip => "gzip",
            Self::Bzip2 => "bzip2",
        }
    }

    /// Decompresses what is read here; none if its feature is off.
    pub fn decompressor(
        self,
        file: impl Read + Send + 'static,
    ) -> Option<io::Result<Box<dyn Read + Send>>> {
        match self {
            #[cfg(feature = "zstd")]
            Self::Zstd => {
                Some(zstd::stream::read::Decoder::new(file).map(|bytes| Box::new(bytes) as Box<_>))
            }
            #[cfg(feature = "gzip")]
            Self::Gzip => Some(Ok(Box::new(flate2::read::MultiGzDecoder::new(file)))),
            #[cfg(feature = "bzip2")]
            Self::Bzip2 => Some(Ok(Box::new(bzip2::read::MultiBzDecoder::new(file)))),
            #[cfg(not(all(feature = "zstd", feature = "gzip", feature = "bzip2")))]
            _ => {
                drop(file);
                None
            }
        }
    }
}
