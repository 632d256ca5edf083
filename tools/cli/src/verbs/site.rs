//! `tabia site`: an explorer for a static host.

use crate::books;
use crate::console::Console;
use crate::facts::Facts;
use crate::failure::{Done, Failure, failure};
use crate::games;
use crate::names::NamesChoice;
use crate::newfile::NewFile;
use crate::numbers::{bytes, counted};
use crate::output::Output;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tabia::View;
use tabia_build::shelf::SHELF;
use tabia_serve::{NotForSite, Site, SiteFile};

/// Make an explorer for a static host
///
/// A folder with the books, copied, and the page of `tabia serve`, which reads them by itself: any
/// server that answers ranges of bytes makes an explorer of it, and nothing has to run there. A
/// position takes one or two requests. Packed books (`tabia pack`) take an eighth to a tenth of
/// the bytes.
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

/// Makes it.
pub fn run(args: &Args, console: &Console) -> Done {
    let folder = &args.output;
    if folder.exists() && !(args.force && folder.join(Site::CONFIG).is_file()) {
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
    let mut site = Site::default();
    for path in books::named(&args.books)? {
        add(args, &mut site, &path, console)?;
    }
    let (mut files, mut length) = (0, 0);
    for (path, contents) in site.files() {
        let path = folder.join(path);
        let failed = |error: io::Error| Failure::system(&path, "write", &error);
        fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(failed)?;
        let mut file = NewFile::create(&path, args.force)?;
        match contents {
            SiteFile::Book(book) => {
                File::open(book).and_then(|mut book| io::copy(&mut book, &mut file)).map(drop)
            }
            SiteFile::Bytes(bytes) => file.write_all(&bytes),
        }
        .map_err(failed)?;
        length += file.publish()?;
        files += 1;
    }
    let facts = Facts::default().json("files", files).json("bytes", length).line(format!(
        "{}, {}: let any server with ranges of bytes serve {}",
        counted(files, "file"),
        bytes(length),
        folder.display()
    ));
    Output::of_summary(console).facts(args.json, &facts)
}

/// Adds a book to the site.
fn add(args: &Args, site: &mut Site, path: &Path, console: &Console) -> Done<()> {
    let book = books::open(path, View::Whole, console)?;
    let game = games::of(book.header(), path)?;
    let usual = NamesChoice::default();
    let choice = if site.is_empty() { &args.names } else { &usual };
    let names = choice.of_game(&game, path, console)?;
    site.add(&book, &game, names).map_err(|error| {
        let what = match error {
            NotForSite::Journal => "`tabia compact` puts them into the book",
            NotForSite::Share => "`tabia merge` makes one file of all",
            NotForSite::Game(_) => "`tabia serve` shows them",
            NotForSite::SameName(_) => return failure!("{error}: rename one of them"),
        };
        failure!("{}: {error}: {what}", path.display())
    })
}
