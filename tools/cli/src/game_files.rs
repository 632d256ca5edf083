//! The files of games beside books: what is said of them, uniting and checking them.

use crate::books;
use crate::console::{Console, Meter};
use crate::disk::Disk;
use crate::failure::Done;
use crate::numbers::{bytes, counted, grouped};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tabia::format::Tag;
use tabia::{Book, Env, Existing, View};
use tabia_build::{missing_games, one_line};
use tabia_gamefile::{
    GameFile, GameFileHeader, KeptGames, UnpublishedGames, check_games, merge_games, path_beside,
};

/// Bytes of memory for uniting files of games, and for what their books name.
const MEMORY: usize = 256 << 20;

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
        let each = self.bytes_per_game.map(|bytes| format!(", {bytes:.1} bytes a game"));
        let named = if self.kept == "named" { " that moves name" } else { "" };
        format!(
            "{}{named}, {}{}",
            counted(self.games, "game"),
            bytes(self.bytes),
            each.unwrap_or_default()
        )
    }

    /// Writes it as a line of a summary.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let each = self.bytes_per_game.map(|bytes| format!(", {bytes:.1} a game"));
        writeln!(
            out,
            "games file  {:>14}  {}{}",
            grouped(self.games),
            bytes(self.bytes),
            each.unwrap_or_default()
        )
    }
}

/// Whether a book's moves name games.
fn names_games(book: &Book) -> bool {
    book.header().section(Tag(*b"GAME")).is_some()
}

/// The games of all these books together, to be put beside the book that they are merged into; none
/// if no file of games is beside any. Notes say whose games are missing.
pub fn united(
    books: &[&Book],
    output: &Path,
    existing: Existing,
    console: &Console,
) -> Done<Option<UnpublishedGames<'static>>> {
    let (mut files, mut without) = (Vec::new(), Vec::new());
    for book in books {
        match GameFile::beside(book.path())? {
            Some(file) => files.push(file),
            None if names_games(book) => without.push(book.path().display().to_string()),
            None => {}
        }
    }
    let Some(first) = without.first().filter(|_| !files.is_empty()) else {
        return unite(&files, output, existing);
    };
    let others = match without.len() {
        1 => String::new(),
        more => format!(" and {} more", more - 1),
    };
    console.note(&format!(
        "{first}{others}: its games are not beside it, and so will be missing beside {}",
        output.display()
    ));
    unite(&files, output, existing)
}

/// Says that the games beside these books stay there alone, and how to have them beside the book
/// made of them: it holds but a part of their rows, and most of the games would be of none.
pub fn note_left<'a>(
    books: impl IntoIterator<Item = &'a Path>,
    output: &Path,
    console: &Console,
) -> Done<()> {
    let mut left = Vec::new();
    for book in books {
        left.extend(GameFile::beside(book)?.map(|file| file.path().display().to_string()));
    }
    let output = path_beside(output);
    match &left[..] {
        [] => {}
        [file] => console.note(&format!(
            "the games stay in {file} alone: a copy of it named {} has them beside the new book too",
            output.display()
        )),
        [file, ..] => console.note(&format!(
            "the games stay in {file} and {} more alone: a file of them all named {} has them beside the new book too (`tabia merge`, without --share, makes one)",
            left.len() - 1,
            output.display()
        )),
    }
    Ok(())
}

fn unite(
    files: &[GameFile],
    output: &Path,
    existing: Existing,
) -> Done<Option<UnpublishedGames<'static>>> {
    if files.is_empty() {
        return Ok(None);
    }
    let path = path_beside(output);
    tabia_gamefile::check_place(&path, existing)?;
    let env = Env { storage: &Disk, progress: &() };
    Ok(Some(merge_games(&env, &path, files, MEMORY, threads())?))
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
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
    /// Verifies the games beside a book; none if there are none. Only of a sound book it is known
    /// which games it names.
    pub fn of(book: &Path, is_sound: bool, meter: &Meter) -> Done<Option<Self>> {
        let path = path_beside(book);
        if !path.exists() {
            return Ok(None);
        }
        let check = check_games(&meter.env(), &path)?;
        let missing = if check.ok() && is_sound {
            let book = Book::open_view(book, View::Whole)?;
            missing_games(&meter.env(), &book, &GameFile::open(&path)?, MEMORY / 4)?
        } else {
            0
        };
        let bad: Vec<_> = check
            .bad
            .iter()
            .map(|bad| BadGames { offset: bad.offset, rule: bad.rule, what: bad.what.clone() })
            .collect();
        Ok(Some(Self {
            ok: bad.is_empty() && missing == 0,
            file: path,
            games: check.games,
            bytes: check.bytes,
            missing,
            bad,
            unlisted: check.unlisted,
        }))
    }

    /// Whether nothing is wrong.
    pub fn ok(&self) -> bool {
        self.ok
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
pub fn beside(books: &[PathBuf]) -> Done<Vec<GameFile>> {
    let mut files = Vec::new();
    for book in books::named(books)? {
        files.extend(GameFile::beside(&book)?);
    }
    Ok(files)
}

/// Gives a file of games its name, in place of another one.
pub fn publish(file: Option<UnpublishedGames<'_>>) -> Done<Option<GameFileFacts>> {
    let header = file.map(|file| file.publish(Existing::Replace)).transpose()?;
    Ok(header.as_ref().map(GameFileFacts::new))
}
