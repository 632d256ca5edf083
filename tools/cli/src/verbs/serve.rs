//! `tabia serve`: books over HTTP, and a page to look at them.

mod players;

use crate::books::{self, ViewChoice};
use crate::console::Console;
use crate::failure::{Done, Failure, Verdict, failure};
use crate::games;
use crate::interrupt;
use crate::names::NamesChoice;
use crate::textfile;
use players::PlayerBooks;
use std::fs::File;
use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tabia::{Book, View};
use tabia_build::shelf::{SHELF, ShelfFile, SliceFile};
use tabia_play::explore::{Explorable, OpenBook};
use tabia_serve::{Access, AccessLog, Server, Shelf, Slice, Source, Sources};

/// Where the documented examples of lichess's explorer ask.
const BIND: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 9002);

/// Serve books over HTTP, with a page to look at them
///
/// Open http://127.0.0.1:9002/ in a browser. Programs that ask lichess's opening explorer ask this
/// instead once their host is changed: /masters, /lichess, /player, /api/cloud-eval; those that ask
/// chessdb, /cdb.php. All books of all games are at /v1/books and /v1/GAME/explore, as
/// /v1/openapi.json says.
///
/// A book is called by its file's name without .tabia, or as NAME=BOOK says. /masters is answered by
/// the book called masters and /lichess by lichess, or else by the first one of chess; /player by
/// the books called NAME-white and NAME-black, or by books made of the games in --player-games. A
/// shelf (`build --shelf`) answers /lichess, /v1 and the page for any choice of speeds, ratings and
/// months. What /lichess can't obey, such as filters by rating in a book that holds all games
/// together, is named in the header X-Tabia-Ignored; /v1 refuses it.
///
/// Nothing is written, but for what whoever has the token of --edit marks or sets. A book that is replaced or extended meanwhile is taken up with the next
/// request. Ctrl-C and SIGTERM end it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia serve masters.tabia
  tabia serve masters.tabia mine=repertoire.tabia --bind 127.0.0.1:8080
  tabia serve masters.tabia --player-games lichess.pgn.zst")]
pub struct Args {
    /// The books; NAME=BOOK gives one a name
    ///
    /// A file, a folder of books, a folder with all shares of one, or a shelf.
    #[arg(value_name = "BOOK", required = true)]
    books: Vec<PathBuf>,
    /// Where to listen; port 0 is any that is free
    ///
    /// Only this machine can ask 127.0.0.1. Everybody who can reach another address can ask there.
    #[arg(long, value_name = "ADDRESS:PORT", default_value_t = BIND)]
    bind: SocketAddr,
    #[command(flatten)]
    names: NamesChoice,
    #[command(flatten)]
    journal: ViewChoice,
    /// Make the books that /player asks for of this archive
    ///
    /// May be repeated. A book is made when it is asked for first: of a player's games with a color,
    /// of the speeds and months that are asked for. A name is the player's if it has the same words,
    /// in whatever order and case: bob_42 isn't bob, nor `Carlsen,M` Magnus Carlsen. The client is
    /// told meanwhile that it is being made. A hundred books, of 4 GiB together, are kept at most,
    /// until the server ends or an archive changes.
    #[arg(long, value_name = "ARCHIVE")]
    player_games: Vec<PathBuf>,
    /// Allow edits: marks of moves, evals of positions
    ///
    /// They need a token, which is told when the server starts, and go to the books' journals, as
    /// those of `tabia mark` and `tabia set` do.
    #[arg(long)]
    edit: bool,
    /// Write a line for each request to standard error
    #[arg(long)]
    access_log: bool,
}

/// Serves them.
pub fn run(args: &Args, console: &Console) -> Done {
    let (mut sources, mut shelves) = (Vec::new(), Vec::new());
    for named in &args.books {
        let (name, path) = name_of(named);
        if path.join(SHELF).is_file() {
            shelves.push(shelf(args, name.unwrap_or_else(|| called(&path)), &path, console)?);
            continue;
        }
        for (found, book) in open(&path, args.journal.view(), console)? {
            let name = name.clone().unwrap_or(found);
            let source = source(args, sources.first(), name, book, console)?;
            sources.push(source);
        }
    }
    let mut sources = Sources::new(sources)
        .and_then(|sources| sources.with_shelves(shelves))
        .map_err(|error| failure!("{error}: give one of them another name, as in NAME=BOOK"))?;
    let players = match args.player_games.as_slice() {
        [] => None,
        archives => Some(PlayerBooks::of(archives, &args.names, console)?),
    };
    if let Some(books) = &players {
        sources = sources.with_players(Arc::clone(&books.players));
    }
    if !args.bind.ip().is_loopback() {
        console.note(&format!(
            "--bind {}: everybody who can reach this address can read these books",
            args.bind
        ));
    }
    let sources = if args.edit {
        let token = token()?;
        // Without it nobody can edit: it is told even if notes are off.
        writeln!(io::stderr(), "tabia: edits need the token {token}")?;
        sources.editable(token)
    } else {
        sources
    };
    let console = *console;
    let ready = move |address: SocketAddr| {
        console.note(&format!("serving on http://{address}/ (Ctrl-C ends it)"));
    };
    let log: AccessLog = Arc::new(log);
    let server = Server {
        bind: args.bind,
        sources,
        ready: Box::new(ready),
        stop: interrupt::pipe().map_err(Failure::from)?,
        log: args.access_log.then_some(log),
    };
    server.run().map_err(|error| failure!("--bind {}: {error}", args.bind))?;
    Ok(Verdict::Fine)
}

/// A token that nobody can guess.
fn token() -> Done<String> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut bytes))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A line of the access log.
fn log(access: &Access) {
    let Access { from, method, target, status, took } = access;
    let _ = writeln!(io::stderr(), "{from} {method} {target} {status} {} us", took.as_micros());
}

/// What a book is to be called, if that was said, and its path.
fn name_of(named: &Path) -> (Option<String>, PathBuf) {
    let text = named.to_str().filter(|_| !named.exists());
    match text.and_then(|text| text.split_once('=')) {
        Some((name, path)) if !name.is_empty() && !name.contains('/') => {
            (Some(name.to_owned()), path.into())
        }
        _ => (None, named.to_owned()),
    }
}

/// The books that a path means, with their names: one file; all shares of one in a folder; or each
/// book of a folder.
fn open(path: &Path, view: View, console: &Console) -> Done<Vec<(String, OpenBook)>> {
    let files = books::named(&[path.to_owned()])?;
    let opened = files.iter().map(|file| books::open(file, view, console));
    let opened: Vec<Book> = opened.collect::<Done<_>>()?;
    if opened.iter().any(|book| !book.header().share.is_whole()) && path.is_dir() {
        return Ok(vec![(called(path), books::one(opened, true)?)]);
    }
    let one = |(file, book): (&PathBuf, Book)| Ok((called(file), OpenBook::of(vec![book])?));
    files.iter().zip(opened).map(one).collect()
}

/// The shelf in a folder.
fn shelf(args: &Args, name: String, folder: &Path, console: &Console) -> Done<Shelf> {
    let path = folder.join(SHELF);
    let bad = |why: String| failure!("{}: {why}", path.display());
    let file: ShelfFile =
        serde_json::from_str(&textfile::read(&path)?).map_err(|error| bad(error.to_string()))?;
    let mut slices: Vec<Slice> = Vec::new();
    for SliceFile { book, facets } in file.slices {
        if Path::new(&book).components().count() != 1 || book.starts_with('.') {
            return Err(bad(format!("`{}` is no name of a book beside it", book.escape_debug())));
        }
        let opened = books::open(&folder.join(&book), args.journal.view(), console)?;
        let first = slices.first().map(|first| &first.source);
        let source = source(args, first, book, OpenBook::of(vec![opened])?, console)?;
        slices.push(Slice { facets, source });
    }
    Shelf::new(name, slices).map_err(|error| bad(error.to_string()))
}

/// The name of a file or a folder without its ending.
fn called(path: &Path) -> String {
    path.file_stem().map_or_else(|| "book".to_owned(), |name| name.to_string_lossy().into_owned())
}

fn source(
    args: &Args,
    first: Option<&Source>,
    name: String,
    book: OpenBook,
    console: &Console,
) -> Done<Source> {
    let game = games::of(book.header(), book.first().path())?;
    // What was given is for the first book's game.
    let is_meant = first.is_none_or(|first| first.game().name() == game.name());
    let usual = NamesChoice::default();
    let choice = if is_meant { &args.names } else { &usual };
    let names = choice.of_game(&game, book.first().path(), console)?;
    Ok(Source::new(name, book, args.journal.view(), game, names))
}
