//! The files of games beside books: what is said of them.

use crate::prelude::*;
use tabia_build::whole::GamesCheck;
use tabia_gamefile::{GameFile, GameFileHeader, GameFinding, KeptGames, path_beside};

/// What a file of games says of itself, for programs: `kept` is `all`, or `named` by some move.
pub fn facts(header: &GameFileHeader) -> Facts {
    Facts::default()
        .json("games", header.games)
        .json("bytes", header.file_length)
        .json("bytes_per_game", bytes_per_game(header))
        .json("kept", if header.kept == KeptGames::All { "all" } else { "named" })
}

/// How large it is, in words.
pub fn said(header: &GameFileHeader) -> String {
    let named = if header.kept == KeptGames::Named { " that moves name" } else { "" };
    let (games, length) = (counted(header.games, "game"), bytes(header.file_length));
    format!("{games}{named}, {length}{}", each(header, " bytes"))
}

/// The bytes of a game, in words behind others.
pub fn each(header: &GameFileHeader, unit: &str) -> String {
    bytes_per_game(header).map_or(String::new(), |bytes| format!(", {bytes:.1}{unit} a game"))
}

fn bytes_per_game(header: &GameFileHeader) -> Option<f64> {
    header.bytes_per_game().map(|bytes| (bytes * 10.0).round() / 10.0)
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

/// What was found of the games beside a book, or beside one of several.
pub fn checked(check: &GamesCheck, is_several: bool) -> Facts {
    let GamesCheck { path, found, missing, .. } = check;
    let (file, games) = (path.display().to_string(), |count| counted(count, "game"));
    let bad = |GameFinding { offset, rule, what, .. }: &GameFinding| {
        let facts = Facts::default().json("offset", offset).json("rule", rule).json("what", what);
        facts.line(format!("{file}: {what} at byte {offset} ({rule})"))
    };
    let bad: Vec<Facts> = found.bad.iter().map(bad).collect();
    let more = || format!("{file}: and {} more", counted(found.unlisted, "finding"));
    let gone = || format!("{file}: {} that moves of the book name are missing", games(*missing));
    let label = if is_several { format!("{file}: ") } else { String::new() };
    let (count, length) = (games(found.games), bytes(found.bytes));
    let sound = || format!("{label}ok: {count} beside the book, {length}");
    Facts::default()
        .json("ok", check.ok())
        .json("file", &file)
        .json("games", found.games)
        .json("bytes", found.bytes)
        .json("missing", missing)
        .json("bad", &bad)
        .json("unlisted", found.unlisted)
        .lines_of(&bad)
        .lines((found.unlisted > 0).then(more))
        .lines((*missing > 0).then(gone))
        .lines(check.ok().then(sound))
}

/// Whether there are games beside one of these books.
pub fn are_beside(books: &[Book]) -> bool {
    books.iter().any(|book| tabia::remote::is_there(&path_beside(book.path())))
}

/// The files of games beside these books, or a book's shares.
pub fn beside(books: &[Book]) -> Done<Vec<GameFile>> {
    let files = books.iter().filter_map(|book| GameFile::beside(book).transpose());
    Ok(files.collect::<Result<_, _>>()?)
}
