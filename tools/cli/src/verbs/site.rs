//! `tabia site`: an explorer for a static host.

use crate::books;
use crate::console::Console;
use crate::failure::{Done, Verdict, failure};
use crate::games;
use crate::names::NamesChoice;
use crate::newfile::NewFile;
use crate::numbers::{bytes, counted};
use crate::output::Output;
use serde::Serialize;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;
use tabia::{Book, View};
use tabia_build::shelf::SHELF;
use tabia_interop::opening_names::OpeningNames;
use tabia_serve::{SiteBook, site};

/// Make an explorer for a static host
///
/// A folder with the books, copied, and the page of `tabia serve`, which reads them by itself: any
/// server that answers ranges of bytes makes an explorer of it, and nothing has to run there. A
/// position takes one or two requests. Packed books (`tabia pack`) are an eighth of the size.
///
/// Additions in a book's journal are not read there: `tabia compact` puts them into the book. What
/// needs the engine (the book's choice, coverage, games, any choice of a shelf's games) is
/// `tabia serve`'s alone.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia site small.tabia -o site
  tabia site masters.tabia wthor.tabia -o explorers --names openings.tsv")]
pub struct Args {
    /// The books, plain or packed, each one file
    #[arg(value_name = "BOOK", required = true)]
    books: Vec<PathBuf>,
    /// The folder to make
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
    /// Replace the files of a site that is there
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    names: NamesChoice,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The file that says which books a site has.
const CONFIG: &str = "site.json";

/// What was made.
#[derive(Serialize)]
struct Made {
    files: u64,
    bytes: u64,
}

/// A book of the site.
struct Taken {
    path: PathBuf,
    name: String,
    file: String,
    names: OpeningNames,
}

/// Makes it.
pub fn run(args: &Args, console: &Console) -> Done {
    let folder = &args.output;
    if folder.exists() && !(args.force && folder.join(CONFIG).is_file()) {
        return Err(failure!(
            "{}: it is there already: choose another name for the folder, or replace a site by --force",
            folder.display()
        ));
    }
    for shelf in args.books.iter().filter(|path| path.join(SHELF).is_file()) {
        console.note(&format!(
            "{}: this is a shelf, whose books a page shows one by one: `tabia serve` sums them",
            shelf.display()
        ));
    }
    let mut taken: Vec<Taken> = Vec::new();
    for path in books::named(&args.books)? {
        let book = take(args, &taken, path, console)?;
        taken.push(book);
    }
    let books = taken.iter().map(|book| SiteBook {
        name: &book.name,
        file: &book.file,
        names: &book.names,
    });
    let (mut files, mut made) = (site(&books.collect::<Vec<_>>()), Made { files: 0, bytes: 0 });
    // Last, so that a folder with it is a whole site.
    files.sort_by_key(|(path, _)| path == CONFIG);
    let mut put = |path: &str, from: &mut dyn io::Read| -> Done<()> {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        let mut file = NewFile::create(&path, args.force)?;
        io::copy(from, &mut file)?;
        made.bytes += file.publish()?;
        made.files += 1;
        Ok(())
    };
    for book in &taken {
        put(&book.file, &mut File::open(&book.path)?)?;
    }
    for (path, contents) in &files {
        put(path, &mut &**contents)?;
    }
    let mut out = Output::of_summary(console);
    if args.json {
        out.json(&made)?;
        return Ok(Verdict::Fine);
    }
    writeln!(
        out,
        "{}, {}: let any server with ranges of bytes serve {}",
        counted(made.files, "file"),
        bytes(made.bytes),
        folder.display()
    )?;
    out.finish()?;
    Ok(Verdict::Fine)
}

/// A book that goes into the site.
fn take(args: &Args, before: &[Taken], path: PathBuf, console: &Console) -> Done<Taken> {
    let book: Book = books::open(&path, View::Whole, console)?;
    let header = book.header();
    if book.journal().frames > 0 {
        return Err(failure!(
            "{}: it has additions in its journal, which a page can't read: `tabia compact` puts them into the book",
            path.display()
        ));
    }
    if !header.share.is_whole() {
        return Err(failure!(
            "{}: it is one share of a book: `tabia merge` makes one file of all",
            path.display()
        ));
    }
    let game = games::of(header, &path)?;
    if game.name().starts_with("connect4-") || game.name() == "tic-tac-toe" {
        return Err(failure!(
            "{}: the page can't read books of {} by itself: `tabia serve` shows them",
            path.display(),
            game.name()
        ));
    }
    let name =
        path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    // A name that needs no quotes in an address.
    let plain = |letter: char| {
        if letter.is_ascii_alphanumeric() || "-_.".contains(letter) { letter } else { '_' }
    };
    let file: String = format!("{name}.tabia").chars().map(plain).collect();
    if before.iter().any(|other| other.name == name || other.file == file) {
        return Err(failure!("two books are called {name}: rename one of them"));
    }
    let is_first = before.is_empty();
    let usual = NamesChoice::default();
    let choice = if is_first { &args.names } else { &usual };
    let names = choice.of_game(&game, &path, console)?;
    Ok(Taken { path, name, file, names })
}
