//! The page as files for a static host: there it reads books by itself, with the reader in
//! JavaScript, by ranges of HTTP. What needs a server it doesn't show.

use crate::page;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use tabia::{Book, BookFile};
use tabia_games::{Game, Known};
use tabia_interop::opening_names::OpeningNames;
use tabia_play::explore::{Explorable, OpenBook};

/// What a site is made of: books with their games, and a page that reads them.
#[derive(Debug, Default)]
pub struct Site(Vec<SiteBook>);

/// A book of a site, which is beside its page.
#[derive(Debug)]
struct SiteBook {
    book: OpenBook,
    /// The files of games beside it, and beside its shares.
    games: Vec<PathBuf>,
    told: Told,
}

/// What the page is told of a book.
#[derive(Debug)]
struct Told {
    name: String,
    /// Its file, as an address relative to the page.
    file: String,
    has_games: bool,
    names: OpeningNames,
    /// Another one if the book holds anything else.
    version: String,
}

/// Why a book can't be in a site.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotForSite {
    /// A page shows all shares, or none.
    #[error("it is one share of a book")]
    Share,
    /// The reader in JavaScript has no rules of it.
    #[error("the page can't read books of {0} by itself")]
    Game(&'static str),
    /// One of them has to be renamed.
    #[error("two books are called {0}")]
    SameName(String),
}

/// What a file of a site holds.
#[derive(Debug)]
pub enum SiteFile<'a> {
    /// These bytes.
    Bytes(Cow<'static, [u8]>),
    /// A copy of this file.
    Copy(&'a Path),
    /// A book made of this one and its journal, which a page can't read, or of all these shares
    /// ([`tabia::merge`]).
    Merged(&'a [Book]),
    /// The games of these files as one, or some ([`tabia_gamefile::merge_games`]).
    MergedGames(&'a [PathBuf]),
}

impl Site {
    /// Takes a book of a game, called as this path is, with the names of its openings and the files of
    /// games beside it and its shares.
    pub fn add(
        &mut self,
        book: OpenBook,
        path: &Path,
        game: &Known,
        names: OpeningNames,
        games: Vec<PathBuf>,
    ) -> Result<(), NotForSite> {
        if !book.share().is_whole() {
            return Err(NotForSite::Share);
        }
        let name = game.name();
        if name.starts_with("connect4-") || name == "tic-tac-toe" {
            return Err(NotForSite::Game(name));
        }
        let stem = path.file_stem();
        let name = stem.map_or_else(String::new, |name| name.to_string_lossy().into());
        // A name that needs no quotes in an address.
        let plain = |letter: char| {
            if letter.is_ascii_alphanumeric() || "-_.".contains(letter) { letter } else { '_' }
        };
        let file: String = format!("{name}.tabia").chars().map(plain).collect();
        if self.0.iter().any(|other| other.told.name == name || other.told.file == file) {
            return Err(NotForSite::SameName(name));
        }
        let version = |book: &Book| {
            let (header, journal) = (book.header(), book.journal());
            format!("{} {} {}", header.digest, header.sequence, journal.frames)
        };
        let version = book.books().iter().map(version).collect::<Vec<_>>().join(" ");
        let told = Told { name, file, has_games: !games.is_empty(), names, version };
        self.0.push(SiteBook { book, games, told });
        Ok(())
    }

    /// Whether it has no books.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All files: their paths below the site's folder, with `/` between, and what they hold. The last
    /// one is [`Site::CONFIG`], so that a folder with it is a whole site.
    pub fn files(&self) -> Vec<(String, SiteFile<'_>)> {
        let mut files = Vec::new();
        for SiteBook { book, games, told } in &self.0 {
            let made = match book.books() {
                [only] if only.journal().frames == 0 => SiteFile::Copy(only.path()),
                all => SiteFile::Merged(all),
            };
            files.push((told.file.clone(), made));
            let games = match &games[..] {
                [] => continue,
                [only] => SiteFile::Copy(only),
                all => SiteFile::MergedGames(all),
            };
            files.push((games_of(&told.file), games));
        }
        let told: Vec<&Told> = self.0.iter().map(|book| &book.told).collect();
        let bytes = |(path, bytes)| (path, SiteFile::Bytes(bytes));
        files.extend(page_files(&told).into_iter().map(bytes));
        files
    }

    /// The file that says which books a site has, beside the page, which looks for it where its
    /// `tabia-source` says so.
    pub const CONFIG: &str = "site.json";
}

/// What a page may do, as its own words: a static host sends no policy.
const POLICY: &str =
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'";

/// The service worker, which lies beside the page, as it keeps what is below it.
const WORKER: &str = "worker.js";

/// The name of the file of games beside a book with this name.
fn games_of(file: &str) -> String {
    format!("{file}{}", BookFile::Games.suffix())
}

/// All files of a site but its books and their games.
fn page_files(books: &[&Told]) -> Vec<(String, Cow<'static, [u8]>)> {
    let page = page::FILES.iter().filter(|(name, _)| *name != WORKER);
    let page = page.map(|&(name, bytes)| match name {
        "index.html" => (name.to_owned(), Cow::Owned(index(bytes))),
        _ => (format!("page/{name}"), Cow::Borrowed(bytes)),
    });
    let mut files: Vec<(String, Cow<'static, [u8]>)> = page.collect();
    files.extend(READER.iter().map(|&(path, bytes)| (format!("reader/{path}"), bytes.into())));
    let mut told = Vec::new();
    for book in books {
        let mut entry = json!({ "name": book.name, "file": book.file });
        if book.has_games {
            entry["games"] = games_of(&book.file).into();
        }
        if !book.names.is_empty() {
            let path = format!("names-{}.json", told.len() + 1);
            files.push((path.clone(), Cow::Owned(names(&book.names))));
            entry["names"] = path.into();
        }
        told.push(entry);
    }
    let config: Vec<u8> = json!({ "books": told }).to_string().into();
    files.push((Site::CONFIG.to_owned(), config.into()));
    let worker = worker(&files, books);
    for (name, text) in LICENCES {
        files.insert(0, (format!("reader/{name}"), text.as_bytes().into()));
    }
    files.insert(0, (WORKER.to_owned(), worker.into()));
    files
}

/// The service worker of a page with these files, which keeps them: another one if any of them or
/// of the books changes, so that browsers take it up.
fn worker(files: &[(String, Cow<'static, [u8]>)], books: &[&Told]) -> Vec<u8> {
    let mut hasher = xxhash_rust::xxh3::Xxh3::new();
    for (path, bytes) in files {
        hasher.update(path.as_bytes());
        hasher.update(bytes);
    }
    books.iter().for_each(|book| hasher.update(book.version.as_bytes()));
    let paths: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    let site = json!({ "version": format!("{:016x}", hasher.digest()), "files": paths });
    let code =
        page::FILES.iter().find(|(name, _)| *name == WORKER).map_or(&[][..], |(_, code)| code);
    [format!("const SITE = {site};\n").as_bytes(), code].concat()
}

/// The page's first file, told to ask books instead of a server, and what to say where it can't.
fn index(bytes: &[u8]) -> Vec<u8> {
    const LOCAL: &str = "<script src=\"page/local.js\" defer></script>\n</head>";
    let text = String::from_utf8_lossy(bytes);
    let policy = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n");
    text.replacen("content=\"v1\"", &format!("content=\"{}\"", Site::CONFIG), 1)
        .replacen("<title>", &format!("{policy}<title>"), 1)
        .replacen("</head>", LOCAL, 1)
        .into_bytes()
}

/// Names by keys: `{"823c9b50fd114196": ["B00", "King's Pawn Game"]}`, sorted by the keys.
fn names(names: &OpeningNames) -> Vec<u8> {
    let entry = |(key, name): (u64, &tabia_interop::opening_names::OpeningName)| {
        (format!("{key:016x}"), json!([name.eco, name.name]))
    };
    Value::Object(names.iter().map(entry).collect()).to_string().into_bytes()
}

/// The licences of the reader, of which one may be chosen.
const LICENCES: [(&str, &str); 2] = [
    ("LICENSE-MIT", include_str!("../reader/LICENSE-MIT")),
    ("LICENSE-APACHE", include_str!("../reader/LICENSE-APACHE")),
];

/// The reader in JavaScript.
const READER: &[(&str, &[u8])] = page::files! { "../reader/src/":
    "book/bits.js" "book/core.js" "book/file.js" "book/games.js" "book/group.js"
    "book/header.js" "book/http.js" "book/journal.js" "book/listing.js" "book/local.js"
    "book/meaning.js" "book/multipart.js" "book/origins.js" "book/pack.js" "book/probes.js"
    "book/ranged.js" "book/ranges.js" "book/remote.js" "book/rows.js" "book/sections.js"
    "book/set.js" "book/table.js" "chess.js" "choice.js" "choice/rules.js" "choice/surd.js"
    "draughts.js" "errors.js" "explore.js" "gamefile.js" "gamefile/file.js" "gamefile/frame.js"
    "gamefile/header.js" "gamefile/questions.js" "gamefile/replay.js" "gamefile/top.js"
    "games.js" "games/chess/fen.js" "games/chess/moves.js" "games/chess/names.js"
    "games/chess/numbers.js" "games/chess/pieces.js" "games/chess/position.js"
    "games/chess/variants.js"
    "games/draughts/boards.js" "games/draughts/moves.js" "games/draughts/position.js"
    "games/go.js" "games/line.js" "games/othello.js" "games/symmetric.js" "games/zobrist.js"
    "go.js" "index.js" "numbers/crc32.js" "numbers/u64.js" "numbers/xxh3.js" "othello.js"
    "zstd/bits.js" "zstd/block.js" "zstd/frame.js" "zstd/fse.js" "zstd/huffman.js"
};

#[cfg(test)]
mod tests {
    use super::*;

    /// The files below a folder, as paths relative to it.
    fn below(folder: &Path, path: &str, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let path = format!("{path}{}", entry.file_name().into_string().unwrap());
            match entry.file_type().unwrap().is_dir() {
                true => below(&entry.path(), &format!("{path}/"), found),
                false => found.push(path),
            }
        }
        found.sort();
    }

    #[test]
    fn all_files_of_page_and_reader_are_there() {
        let (mut page, mut reader) = (Vec::new(), Vec::new());
        let source = Path::new(env!("CARGO_MANIFEST_DIR"));
        below(&source.join("src/page"), "", &mut page);
        below(&source.join("reader/src"), "", &mut reader);
        for (files, there) in [(page::FILES, page), (READER, reader)] {
            let mut known: Vec<_> = files.iter().map(|(path, _)| *path).collect();
            known.sort_unstable();
            assert_eq!(known, there);
        }
    }

    #[test]
    fn a_site_says_which_books_it_has() {
        let told = |version: &str| {
            let [name, file, version] = ["masters", "masters.tabia", version].map(str::to_owned);
            Told { name, file, has_games: true, names: OpeningNames::default(), version }
        };
        let files = page_files(&[&told("1")]);
        let text = |path: &str| {
            let (_, bytes) = files.iter().find(|(known, _)| known == path).unwrap();
            String::from_utf8(bytes.to_vec()).unwrap()
        };
        let book =
            json!({ "name": "masters", "file": "masters.tabia", "games": "masters.tabia-games" });
        let expected = json!({ "books": [book] });
        assert_eq!(serde_json::from_str::<Value>(&text(Site::CONFIG)).unwrap(), expected);
        assert_eq!(files.last().unwrap().0, Site::CONFIG);
        // The worker keeps all but itself and the licences, and is another one for another book.
        let kept = text(WORKER).lines().next().unwrap().to_owned();
        for (path, _) in &files {
            let is_kept = !path.contains("LICENSE") && path != WORKER;
            assert_eq!(kept.contains(&format!("\"{path}\"")), is_kept, "{path}");
        }
        let other = page_files(&[&told("2")]);
        assert!(
            other.iter().find(|(path, _)| path == WORKER)
                != files.iter().find(|(path, _)| path == WORKER)
        );
        assert!(text("index.html").contains("page/local.js"));
        assert!(text("index.html").contains("name=\"tabia-source\" content=\"site.json\""));
        assert!(text("index.html").contains("Content-Security-Policy"));
        assert!(text("page/files.js").contains("../reader/index.js"));
    }
}
