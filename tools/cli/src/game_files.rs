//! The files of games beside books: what is said of them.

use crate::console::Console;
use crate::failure::Done;
use crate::numbers::{bytes, counted, grouped};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tabia::Book;
use tabia_build::one_line;
use tabia_build::whole::GamesCheck;
use tabia_gamefile::{GameFile, GameFileHeader, KeptGames};

/// The file of games beside a book.
#[derive(Serialize)]
pub struct GameFileFacts {
    games: u64,
    bytes: u64,
    bytes_per_game: Option<f64>,
    /// `all`, or `named` by some move.
    kept: &'static str,
}

impl GameFileFacts {
    /// What this header says.
    pub fn new(header: &GameFileHeader) -> Self {
        Self {
            games: header.games,
            bytes: header.file_length,
            bytes_per_game: header.bytes_per_game().map(|bytes| (bytes * 10.0).round() / 10.0),
            kept: if header.kept == KeptGames::All { "all" } else { "named" },
        }
    }

    /// How large it is, in words.
    pub fn said(&self) -> String {
        let named = if self.kept == "named" { " that moves name" } else { "" };
        let each = self.each(" bytes");
        format!("{}{named}, {}{each}", counted(self.games, "game"), bytes(self.bytes))
    }

    /// Writes it as a line of a summary.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let (games, each) = (grouped(self.games), self.each(""));
        writeln!(out, "games file  {games:>14}  {}{each}", bytes(self.bytes))
    }

    fn each(&self, unit: &str) -> String {
        self.bytes_per_game.map_or(String::new(), |bytes| format!(", {bytes:.1}{unit} a game"))
    }
}

/// Says whose games are missing beside a book that was made of these and of others.
pub fn note_missing(without: &[PathBuf], output: &Path, console: &Console) {
    let Some((first, rest)) = without.split_first() else { return };
    let others = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
    console.note(&format!(
        "{}{others}: its games are not beside it, and so will be missing beside {}",
        first.display(),
        output.display()
    ));
}

/// What was found of the games beside a book.
#[derive(Serialize)]
pub struct CheckedGames {
    ok: bool,
    /// The file.
    file: PathBuf,
    games: u64,
    bytes: u64,
    /// Games that moves of the book name and that aren't there.
    missing: u64,
    bad: Vec<BadGames>,
    /// Findings beyond those listed.
    unlisted: u64,
}

#[derive(Serialize)]
struct BadGames {
    offset: u64,
    rule: &'static str,
    what: String,
}

impl CheckedGames {
    /// Those of a check.
    pub fn new(check: &GamesCheck) -> Self {
        let bad = check.found.bad.iter();
        let bad =
            bad.map(|bad| BadGames { offset: bad.offset, rule: bad.rule, what: bad.what.clone() });
        Self {
            ok: check.ok(),
            file: check.path.clone(),
            games: check.found.games,
            bytes: check.found.bytes,
            missing: check.missing,
            bad: bad.collect(),
            unlisted: check.found.unlisted,
        }
    }

    /// Writes what was found.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let file = one_line(&self.file.display().to_string());
        for BadGames { offset, rule, what } in &self.bad {
            writeln!(out, "{file}: {what} at byte {offset} ({rule})")?;
        }
        if self.unlisted > 0 {
            writeln!(out, "{file}: and {} more", counted(self.unlisted, "finding"))?;
        }
        if self.missing > 0 {
            let games = counted(self.missing, "game");
            writeln!(out, "{file}: {games} that moves of the book name are missing")?;
        }
        if self.ok {
            let games = counted(self.games, "game");
            writeln!(out, "ok: {games} beside the book, {}", bytes(self.bytes))?;
        }
        Ok(())
    }
}

/// The files of games beside these books, or a book's shares.
pub fn beside(books: &[Book]) -> Done<Vec<GameFile>> {
    let files = books.iter().filter_map(|book| GameFile::beside(book).transpose());
    Ok(files.collect::<Result<_, _>>()?)
}
