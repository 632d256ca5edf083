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
//! - The header counts the games. Bytes after that many games are reported, and so are missing
//!   games.

use super::Replayer;
use super::directory::Directory;
use crate::files::File;
use crate::filter::{Date, GameFacts};
use crate::format::{WTHOR_GAME as GAME, WTHOR_HEADER as HEADER, looks_like_wthor};
use crate::reading::{Content, Done, Fault, Games, Out, Reads, give, pairing};
use crate::split::Segment;
use crate::wanted::Wanted;
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;
use tabia_games::{Game, Othello, Outcome, Trouble};

/// Reads WTHOR's files of games.
#[derive(Debug)]
pub struct WthorReader {
    replayer: Replayer,
    file: Option<Arc<File>>,
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

/// A game as it is in its file.
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

    /// What is known of a game before it is replayed. Without names players are known by their
    /// numbers.
    fn facts(directory: &Directory, date: Option<Date>, record: &Record<'_>) -> GameFacts<'static> {
        let name = |number| match directory.player(number) {
            "" => Cow::Owned(format!("#{number}")),
            name => Cow::Owned(name.to_owned()),
        };
        let outcome = Some(Outcome::of_lead(i32::from(record.score) - 32));
        GameFacts { players: record.players.map(name), date, outcome, ..GameFacts::default() }
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
        if record.score > 64 {
            return Err(
                Fault::broken(format!("it says that Black has {} discs", record.score)).into()
            );
        }
        let facts = Self::facts(&self.directory, header.date, record);
        self.replayer.judge(&facts)?;
        let mut replayed = self.replayer.begin(None);
        let length = record.moves.iter().position(|&byte| byte == 0).unwrap_or(record.moves.len());
        for (ply, &byte) in (1..).zip(&record.moves[..length]) {
            let Some(square) = square(byte) else {
                return Err(Fault::broken(format!("{byte} is no square at ply {ply}")).into());
            };
            let Some(disc) = replayed.position.disc_on(square) else {
                return Err(Fault::of_move(
                    Trouble::Illegal,
                    &[b'a' + square % 8, b'1' + square / 8],
                    ply,
                )
                .into());
            };
            replayed.play(&disc, &mut self.replayer.game.plies);
        }
        if record.moves[length..].iter().any(|&byte| byte != 0) {
            return Err(
                Fault::broken(format!("moves stand behind its end, after ply {length}")).into()
            );
        }
        let [black, _] = replayed.position.score();
        if replayed.position.outcome().is_some() && black != u32::from(record.score) {
            let detail = format!(
                "it says that Black has {} discs, and its moves lead to {black}",
                record.score
            );
            return Err(Fault::broken(detail).into());
        }
        let tournament = self.directory.tournament(record.tournament);
        self.replayer.end(&replayed, &facts, [tournament, ""], || {
            Ok(Outcome::of_lead(i32::from(record.score) - 32))
        })?;
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

    fn read<S: Games + ?Sized>(&mut self, segment: &[u8], is_last: bool, games: &mut S) -> Done<S> {
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
        let mut number = self.before;
        for (record, at) in records.iter().map(Record::of).zip((0..).step_by(GAME)) {
            number += 1;
            if number > u64::from(header.games) {
                let count = header.games;
                let fault = Fault::broken(format!(
                    "it stands behind the {count} games that its header counts"
                ));
                games.skipped(at, fault, self.players(&record));
                continue;
            }
            let verdict = self.game(header, &record);
            give(games, at, verdict.map(|()| &self.replayer.game), || self.players(&record))?;
        }
        let counted = header.games;
        if is_last && number < u64::from(counted) {
            let detail = format!(
                "the file ends after {number} of the {counted} games that its header counts"
            );
            games.skipped(segment.len() - rest.len(), Fault::broken(detail), String::new());
        }
        Ok(Content::Games)
    }
}

fn square(byte: u8) -> Option<u8> {
    let (row, column) = (byte / 10, byte % 10);
    ((1..=8).contains(&row) && (1..=8).contains(&column)).then(|| (row - 1) * 8 + column - 1)
}
