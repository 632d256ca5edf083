//! `tabia site`: an explorer for a static host.

use crate::prelude::*;
use std::fs::{self, File};
use tabia_build::shelf::SHELF;
use tabia_gamefile::GameFile;
use tabia_serve::{NotForSite, Site, SiteFile};

/// Make an explorer for a static host
///
/// A folder with the books and their games, copied, and the page of `tabia serve`, which reads them
/// by itself: any server that answers ranges of bytes makes an explorer of it, and nothing has to
/// run there. A position takes one or two requests, and some more with its best games. Packed books
/// (`tabia pack`) take an eighth to a tenth of the bytes.
///
/// Additions in a book's journal go into the copy, and all shares of a set into one file. Once
/// visited, the page works without a network for what was looked at, or for whole books if somebody
/// asks for it, where it comes by HTTPS. What needs a server (coverage, edits, any choice of a
/// shelf's games) is `tabia serve`'s alone.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia site small.tabia -o site
  tabia site masters.tabia wthor.tabia -o explorers --names openings.tsv")]
pub struct Args {
    /// The books, plain or packed; a set's folder
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
    for path in &args.books {
        let open = |file: &PathBuf| books::open(file, View::Whole, console);
        let files = books::named(slice::from_ref(path))?;
        let all = files.iter().map(open).collect::<Done<Vec<_>>>()?;
        let in_folder = files != slice::from_ref(path);
        if in_folder && all.iter().any(|book| !book.header().share.is_whole()) {
            add(args, &mut site, books::one(all, true)?, path, console)?;
            continue;
        }
        for (book, file) in all.into_iter().zip(&files) {
            add(args, &mut site, book.into(), file, console)?;
        }
    }
    let (mut files, mut length) = (0, 0);
    for (path, contents) in site.files() {
        let path = folder.join(path);
        let failed = |error: io::Error| Failure::system(&path, "write", &error);
        fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(failed)?;
        length += match contents {
            SiteFile::Merged(books) => {
                place::check_output(&path, args.force)?;
                let packed = books.iter().all(|book| book.header().packed);
                let meter = console.meter_of(&stages::merging(packed, books, false));
                Site::merge_books(&meter.env(), books, &path, args.force.into())?
            }
            SiteFile::MergedGames(files) => {
                place::check_output(&path, args.force)?;
                Site::merge_games(&console.meter().env(), files, &path, args.force.into())?
            }
            SiteFile::Copy(from) => NewFile::create(&path, args.force)?
                .fill(|file| io::copy(&mut File::open(from)?, file).map(drop))?,
            SiteFile::Bytes(bytes) => {
                NewFile::create(&path, args.force)?.fill(|file| file.write_all(&bytes))?
            }
        };
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

fn add(args: &Args, site: &mut Site, book: OpenBook, path: &Path, console: &Console) -> Done<()> {
    let game = games::of(book.header(), path)?;
    let usual = NamesChoice::default();
    let choice = if site.is_empty() { &args.names } else { &usual };
    let names = choice.read(&game, path, console)?;
    let games = book.books().iter().map(GameFile::beside).collect::<Result<Vec<_>, _>>()?;
    let games: Vec<_> = games.iter().flatten().map(|file| file.path().to_owned()).collect();
    if games.len() < book.books().len()
        && book.facts()?.iter().any(|fact| fact.name() == Fact::GAMES)
    {
        console.note(&format!(
            "{}: its games are not beside it, so the page has none",
            path.display()
        ));
    }
    // Also `.` has a name.
    let named = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    site.add(book, &named, &game, names, games).map_err(|error| {
        let what = match error {
            NotForSite::Share => "name the folder of all",
            NotForSite::Game(_) => "`tabia serve` shows them",
            NotForSite::SameName(_) => return failure!("{error}: rename one of them"),
        };
        failure!("{}: {error}: {what}", path.display())
    })
}
