//! WTHOR: the archives of the French federation, a file of games a year.
//!
//! The format is that of the text by Quin and Nicolet, little-endian: a header of 16 bytes, then 68
//! bytes a game: numbers of the tournament and of both players (u16 each; the names are in files
//! beside), Black's discs at the end, the discs that perfect play would have led to, and 60 moves,
//! each `10 * row + column` from 11 to 88, then zeros. Passes aren't written.
//!
//! - Where the moves lead to the end of the game Black's discs must be those on the board and, if
//!   Black won, the empty squares.
//! - Where they break off before, what is said of Black's discs is how it ended.
//! - The header counts the games. Bytes after them are reported, and so are missing games.

use super::Replayer;
use crate::files;
use crate::filter::{Date, GameFacts};
use crate::format::{WTHOR_GAME as GAME, WTHOR_HEADER as HEADER, looks_like_wthor};
use crate::pgn::tags::decoded;
use crate::reading::{Content, Done, Fault, Games, Out, Reads, give, pairing};
use crate::split::Segment;
use crate::wanted::Wanted;
use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tabia_games::{Game, Othello, Outcome, Trouble};

/// Reads WTHOR's files of games.
#[derive(Debug)]
pub struct WthorReader {
    replayer: Replayer,
    file: Option<Arc<files::File>>,
    header: Result<Header, Fault>,
    directory: Directory,
    /// Games of the file before the one that is read next.
    before: u64,
}

#[derive(Clone, Copy, Debug)]
struct Header {
    games: u32,
    date: Option<Date>,
}

impl Header {
    fn read(bytes: &[u8]) -> Result<Self, Fault> {
        if !looks_like_wthor(bytes) {
            return Err(Fault::broken("it does not begin as WTHOR's files of games do"));
        }
        match bytes[12] {
            0 | 8 => Ok(Self {
                games: u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]),
                date: Date::of_tag(
                    format!("{:04}", u16::from_le_bytes([bytes[10], bytes[11]])).as_bytes(),
                ),
            }),
            size => Err(Fault::other_game(format!(
                "its games are played on a board of {size}x{size}, not 8x8"
            ))),
        }
    }
}

struct Record<'a> {
    tournament: u16,
    players: [u16; 2],
    /// Black's discs at the end.
    score: u8,
    moves: &'a [u8],
}

impl<'a> Record<'a> {
    fn of(bytes: &'a [u8; GAME]) -> Self {
        let number = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        Self {
            tournament: number(0),
            players: [number(2), number(4)],
            score: bytes[6],
            moves: &bytes[8..],
        }
    }
}

impl WthorReader {
    /// A reader of what is wanted, with the keys of this start position.
    pub fn new(start: Othello, wanted: Wanted) -> Self {
        let header = Err(Fault::broken("there is nothing before it"));
        Self {
            replayer: Replayer::new(start, wanted),
            file: None,
            header,
            directory: Directory::default(),
            before: 0,
        }
    }

    /// What is known of a game before it is replayed. Players without names have their numbers.
    fn facts<'d>(
        directory: &'d Directory,
        date: Option<Date>,
        record: &Record<'_>,
    ) -> GameFacts<'d> {
        let name = |number| match directory.player(number) {
            "" => Cow::Owned(format!("#{number}")),
            name => Cow::Borrowed(name),
        };
        let (players, event) =
            (record.players.map(name), directory.tournament(record.tournament).into());
        let outcome = Some(Outcome::of_lead(i32::from(record.score) - 32));
        GameFacts { players, event, date, outcome, ..GameFacts::default() }
    }

    /// The players and where they met, for reports.
    fn players(&self, record: &Record<'_>) -> String {
        let players = pairing(record.players.map(|number| self.directory.player(number).into()));
        match self.directory.tournament(record.tournament) {
            "" => players,
            tournament => format!("{players}, {tournament}"),
        }
    }

    fn game(&mut self, header: Header, record: &Record<'_>) -> Result<(), Out> {
        let broken = |what: String| Err(Fault::broken(what).into());
        if record.score > 64 {
            return broken(format!("it says that Black has {} discs", record.score));
        }
        let facts = Self::facts(&self.directory, header.date, record);
        self.replayer.judge(&facts)?;
        let mut replayed = self.replayer.begin(None);
        let length = record.moves.iter().position(|&byte| byte == 0).unwrap_or(record.moves.len());
        for (ply, &byte) in (1..).zip(&record.moves[..length]) {
            let Some(square) = square(byte) else {
                return broken(format!("{byte} is no square at ply {ply}"));
            };
            let Some(disc) = replayed.position.disc_on(square) else {
                let text = [b'a' + square % 8, b'1' + square / 8];
                return Err(Fault::of_move(Trouble::Illegal, &text, ply).into());
            };
            replayed.play(&disc, &mut self.replayer.game.plies);
        }
        if record.moves[length..].iter().any(|&byte| byte != 0) {
            return broken(format!("moves stand behind its end, after ply {length}"));
        }
        let [black, _] = replayed.position.score();
        if replayed.position.outcome().is_some() && black != u32::from(record.score) {
            let said = record.score;
            return broken(format!(
                "it says that Black has {said} discs, and its moves lead to {black}"
            ));
        }
        self.replayer
            .end(&replayed, &facts, || Ok(Outcome::of_lead(i32::from(record.score) - 32)))?;
        // Names stand in other files: a digest is of what is in this one.
        self.replayer.game.digest =
            replayed.digest(|| record.players.map(|number| format!("#{number}")), header.date);
        Ok(())
    }
}

impl Reads for WthorReader {
    fn enter(&mut self, archive: &str, segment: &Segment) {
        if !self.file.as_ref().is_some_and(|file| Arc::ptr_eq(file, &segment.file)) {
            self.header = Header::read(&segment.file.head);
            let has_folder = segment.file.name.is_none() && archive != "-";
            self.directory = if has_folder {
                Directory::beside(Path::new(archive))
            } else {
                Directory::default()
            };
            self.file = Some(Arc::clone(&segment.file));
        }
        self.before = segment.offset.saturating_sub(HEADER as u64) / GAME as u64;
    }

    fn read(&mut self, segment: &[u8], is_last: bool, games: &mut dyn Games) -> Done {
        let header = match &self.header {
            Ok(header) => *header,
            Err(fault) => {
                // Once a file, and whoever reads its last segment does it.
                if is_last {
                    games.skipped(0, fault.clone(), String::new());
                }
                return Ok(Content::Games);
            }
        };
        let (records, rest) = segment.as_chunks::<GAME>();
        let (mut number, counted) = (self.before, header.games);
        for (record, at) in records.iter().map(Record::of).zip((0..).step_by(GAME)) {
            number += 1;
            if number > u64::from(counted) {
                let what = format!("it stands behind the {counted} games that its header counts");
                games.skipped(at, Fault::broken(what), self.players(&record));
                continue;
            }
            let verdict = self.game(header, &record);
            give(games, at, verdict.map(|()| &self.replayer.game), || self.players(&record))?;
        }
        if is_last && number < u64::from(counted) {
            let what = format!(
                "the file ends after {number} of the {counted} games that its header counts"
            );
            games.skipped(segment.len() - rest.len(), Fault::broken(what), String::new());
        }
        Ok(Content::Games)
    }
}

fn square(byte: u8) -> Option<u8> {
    let (row, column) = (byte / 10, byte % 10);
    ((1..=8).contains(&row) && (1..=8).contains(&column)).then(|| (row - 1) * 8 + column - 1)
}

/// Bytes of a player's name, and of a tournament's.
const PLAYER: usize = 20;
const TOURNAMENT: usize = 26;
/// As many names as numbers can distinguish.
const MOST: usize = 1 << 16;

/// The names of players and tournaments by their numbers, which WTHOR keeps in files beside those of
/// games: a header, then 20 bytes for each player or 26 for each tournament, NUL after the last letter.
#[derive(Debug, Default)]
struct Directory {
    players: Vec<String>,
    tournaments: Vec<String>,
}

impl Directory {
    /// The names in the folder of an archive, as far as they are there and can be read.
    fn beside(archive: &Path) -> Self {
        let folder = match archive.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let read = |ending, length| {
            found_in(folder, ending).map(|path| names(&path, length)).unwrap_or_default()
        };
        Self { players: read("jou", PLAYER), tournaments: read("trn", TOURNAMENT) }
    }

    /// The player with this number, or an empty text.
    fn player(&self, number: u16) -> &str {
        self.players.get(usize::from(number)).map_or("", String::as_str)
    }

    fn tournament(&self, number: u16) -> &str {
        self.tournaments.get(usize::from(number)).map_or("", String::as_str)
    }
}

/// The first file in a folder whose name ends like this, in any case.
fn found_in(folder: &Path, ending: &str) -> Option<PathBuf> {
    let paths = std::fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    paths
        .filter(|path| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending)))
        .min()
}

fn names(path: &Path, length: usize) -> Vec<String> {
    let mut bytes = Vec::new();
    let most = (HEADER + MOST * length) as u64;
    if File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes)).is_err() {
        return Vec::new();
    }
    bytes.get(HEADER..).unwrap_or_default().chunks_exact(length).map(name).collect()
}

fn name(bytes: &[u8]) -> String {
    let letters = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
    decoded(letters.trim_ascii()).into_owned()
}
