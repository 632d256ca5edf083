//! The header page: what the file says of itself, and where its sections are.

use std::fmt;
use tabia::{Digest, Keyed, Name};
use xxhash_rust::xxh3::Xxh3;

/// Bytes of the header, and of a block under one sum.
pub(crate) const PAGE: u64 = 4096;
pub(crate) const MAGIC: [u8; 8] = *b"\x89TABGM\r\n";
const VERSION: u32 = 1;
const TABLE: usize = 136;
const CRC: usize = PAGE as usize - 4;

/// Which games are in a file of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeptGames {
    /// All that the book counts.
    #[default]
    All,
    /// Those that a move of the book names.
    Named,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Section {
    /// Of each game digest and end.
    Index,
    /// The numbers of the games in the order of their ends.
    Ends,
    /// Where names begin.
    NameIndex,
    /// The names.
    Names,
    /// The archives.
    Sources,
    /// The games, in frames.
    Frames,
    /// Where frames begin.
    FrameIndex,
    /// A sum of each block of all sections before.
    Sums,
}

pub(crate) const SECTIONS: [Section; 8] = [
    Section::Index,
    Section::Ends,
    Section::NameIndex,
    Section::Names,
    Section::Sources,
    Section::Frames,
    Section::FrameIndex,
    Section::Sums,
];

/// Bytes of an element of the sections that have such.
pub(crate) const AN_INDEX: u64 = 10;
pub(crate) const AN_END: u64 = 4;
pub(crate) const A_NAME: u64 = 8;
pub(crate) const A_SOURCE: u64 = 16;
pub(crate) const A_FRAME: u64 = 16;
pub(crate) const A_SUM: u64 = 8;

/// Where a section is, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extent {
    pub offset: u64,
    pub length: u64,
}

impl Extent {
    pub fn end(self) -> u64 {
        self.offset + self.length
    }
}

/// What a file of games says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameFileHeader {
    /// The game, as books name it.
    pub game: Name,
    /// The key scheme that [`StoredGame::end`](crate::StoredGame::end) is of.
    pub keys: Name,
    /// Whether those are keys of positions or of lines.
    pub keyed: Keyed,
    /// Which games are in it.
    pub kept: KeptGames,
    /// How many games.
    pub games: u64,
    /// How many moves they have together.
    pub plies: u64,
    /// How many different names: players, events, places, rounds.
    pub names: u64,
    /// How many archives they come from.
    pub sources: u64,
    /// How many frames the games are compressed in.
    pub frames: u64,
    /// Bytes of the file.
    pub file_length: u64,
    /// Identifies the contents, however they were compressed.
    pub digest: Digest,
    pub(crate) sections: [Extent; 8],
}

/// The rule that a header breaks, and how.
pub(crate) type Refusal = (&'static str, String);

impl GameFileHeader {
    pub(crate) fn new(game: Name, keys: Name, keyed: Keyed, kept: KeptGames) -> Self {
        Self {
            game,
            keys,
            keyed,
            kept,
            games: 0,
            plies: 0,
            names: 0,
            sources: 0,
            frames: 0,
            file_length: 0,
            digest: Digest::NONE,
            sections: [Extent::default(); 8],
        }
    }

    pub(crate) fn section(&self, section: Section) -> Extent {
        self.sections[section as usize]
    }

    /// Bytes of the file for each game; none if it has no games.
    pub fn bytes_per_game(&self) -> Option<f64> {
        (self.games > 0).then(|| self.file_length as f64 / self.games as f64)
    }

    pub(crate) fn page(&self) -> Vec<u8> {
        let mut page = vec![0; PAGE as usize];
        let mut put = |at: usize, bytes: &[u8]| page[at..at + bytes.len()].copy_from_slice(bytes);
        put(0, &MAGIC);
        put(8, &VERSION.to_le_bytes());
        put(12, &(PAGE as u32).to_le_bytes());
        put(32, self.game.as_str().as_bytes());
        put(48, self.keys.as_str().as_bytes());
        put(64, &[u8::from(self.keyed == Keyed::Line), u8::from(self.kept == KeptGames::Named)]);
        let numbers =
            [self.games, self.plies, self.names, self.sources, self.frames, self.file_length];
        for (number, at) in numbers.into_iter().zip((72..).step_by(8)) {
            put(at, &number.to_le_bytes());
        }
        put(120, &self.digest.0);
        for (extent, at) in self.sections.iter().zip((TABLE..).step_by(16)) {
            put(at, &extent.offset.to_le_bytes());
            put(at + 8, &extent.length.to_le_bytes());
        }
        let crc = crc32fast::hash(&page[..CRC]);
        page[CRC..].copy_from_slice(&crc.to_le_bytes());
        page
    }

    /// How long the file is to be, as a page says that need not be sound.
    pub(crate) fn length_in(page: &[u8]) -> u64 {
        number(page, 112)
    }

    /// Reads a page, given how long the file is.
    pub(crate) fn parse(page: &[u8], length: u64) -> Result<Self, Refusal> {
        let refuse = |rule, what: &str| Err((rule, what.to_owned()));
        let number = |at: usize| number(page, at);
        let short = |at: usize| (number(at) & u64::from(u32::MAX)) as u32;
        if page.get(..8) != Some(&MAGIC) {
            return refuse("G-1", "it is no file of games");
        }
        if page.len() < PAGE as usize {
            return refuse("G-5", "it was cut off");
        }
        if page.last_chunk() != Some(&crc32fast::hash(&page[..CRC]).to_le_bytes()) {
            return refuse("G-2", "its header is damaged");
        }
        if short(8) != VERSION || u64::from(short(12)) != PAGE {
            return refuse("G-3", "it was made by another version of Tabia");
        }
        if number(16) != 0 {
            return refuse("G-4", "it was made by a newer version of Tabia");
        }
        let name = |at: usize| {
            let bytes = &page[at..at + 16];
            let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(16);
            let is_padded = bytes[end..].iter().all(|&byte| byte == 0);
            let text = std::str::from_utf8(&bytes[..end]).ok().filter(|_| is_padded)?;
            text.parse::<Name>().ok()
        };
        let (Some(game), Some(keys)) = (name(32), name(48)) else {
            return refuse("G-7", "the names of its game and keys are not well formed");
        };
        let (keyed, kept) = match (page[64], page[65]) {
            (keyed @ (0 | 1), kept @ (0 | 1)) => (
                if keyed == 1 { Keyed::Line } else { Keyed::Position },
                if kept == 1 { KeptGames::Named } else { KeptGames::All },
            ),
            _ => return refuse("G-7", "it says neither how it is keyed nor what it holds"),
        };
        let end_of_table = TABLE + 16 * SECTIONS.len();
        if page[66..72].iter().chain(&page[end_of_table..CRC]).any(|&byte| byte != 0) {
            return refuse("G-7", "reserved bytes of its header are not zero");
        }
        let mut header = Self {
            games: number(72),
            plies: number(80),
            names: number(88),
            sources: number(96),
            frames: number(104),
            file_length: number(112),
            ..Self::new(game, keys, keyed, kept)
        };
        header.digest.0.copy_from_slice(&page[120..136]);
        for (extent, at) in header.sections.iter_mut().zip((TABLE..).step_by(16)) {
            *extent = Extent { offset: number(at), length: number(at + 8) };
        }
        header.check_sections(length)?;
        Ok(header)
    }

    /// Makes sure that the sections are where they have to be (G-5, G-6).
    fn check_sections(&self, length: u64) -> Result<(), Refusal> {
        if length != self.file_length || !length.is_multiple_of(PAGE) {
            let what = format!("it has {length} bytes, and its header says {}", self.file_length);
            return Err(("G-5", what));
        }
        let bad = |what: &str| Err(("G-6", format!("its header is wrong: {what}")));
        let most = u64::from(u32::MAX);
        let counts = [self.games, self.names, self.sources, self.frames];
        if counts.iter().any(|&count| count > most) || self.frames > self.games {
            return bad("it counts too many games, names, archives or frames");
        }
        let mut at = PAGE;
        for section in SECTIONS {
            let extent = self.section(section);
            let wanted = match section {
                Section::Index => Some(self.games * AN_INDEX),
                Section::Ends => Some(self.games * AN_END),
                Section::NameIndex => Some(self.names * A_NAME),
                Section::Sources => Some(self.sources * A_SOURCE),
                Section::FrameIndex => Some(self.frames * A_FRAME),
                Section::Sums => Some((at - PAGE) / PAGE * A_SUM),
                Section::Names | Section::Frames => None,
            };
            if extent.offset != at || wanted.is_some_and(|wanted| wanted != extent.length) {
                return bad(&format!("{section} is not where it has to be"));
            }
            let end = extent.length.checked_next_multiple_of(PAGE);
            let end = end.and_then(|length| at.checked_add(length));
            at = end.filter(|&end| end < length).ok_or_else(|| {
                ("G-6", format!("its header is wrong: {section} goes beyond its end"))
            })?;
        }
        if at + PAGE == length { Ok(()) } else { bad("its sections don't fill it") }
    }

    /// What identifies the contents, given the digests of sections before frames and of the frames.
    pub(crate) fn digest_of(&self, contents: [Digest; 6]) -> Digest {
        let mut hash = Xxh3::new();
        for name in [self.game, self.keys] {
            let mut bytes = [0; 16];
            bytes[..name.as_str().len()].copy_from_slice(name.as_str().as_bytes());
            hash.update(&bytes);
        }
        hash.update(&[
            u8::from(self.keyed == Keyed::Line),
            u8::from(self.kept == KeptGames::Named),
        ]);
        contents.iter().for_each(|digest| hash.update(&digest.0));
        Digest(hash.digest128().to_be_bytes())
    }
}

/// The number at this offset of a page; 0 if the page was cut off before.
fn number(page: &[u8], at: usize) -> u64 {
    page.get(at..).and_then(|rest| rest.first_chunk()).copied().map_or(0, u64::from_le_bytes)
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = ["INDX", "ENDS", "NAMX", "NAME", "SRCS", "FRMS", "FIDX", "SUMS"];
        f.write_str(names[*self as usize])
    }
}
