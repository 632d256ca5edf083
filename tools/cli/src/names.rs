//! Names of openings: from files that the user gives, or from where they are looked for.

use crate::books::files_in;
use crate::prelude::*;
use tabia_interop::opening_names::OpeningNames;
use tabia_play::text::variable;

/// How the names of such files end.
const ENDINGS: [&str; 2] = ["tsv", "eco"];

/// Where names of openings come from.
#[derive(Clone, clap::Args, Default)]
pub struct NamesChoice {
    /// Names of openings, a file or a folder of such files
    ///
    /// Tables as in lichess's chess-openings (TSV) or Scid's files (.eco). Without it they are
    /// looked for beside the book, then in the folder tabia of $XDG_DATA_HOME (~/.local/share):
    /// GAME-openings.tsv, GAME-openings.eco and the folder GAME-openings, such as chess-openings.
    #[arg(long, value_name = "FILE")]
    names: Vec<PathBuf>,
}

impl NamesChoice {
    /// The names that were given, or else those that are found for this book. Of the latter a file
    /// that can't be read is a note, and no failure.
    pub fn read(&self, start: &Known, book: &Path, console: &Console) -> Done<OpeningNames> {
        let mut names = OpeningNames::default();
        for path in &self.names {
            let files = if path.is_dir() { in_folder(path)? } else { vec![path.clone()] };
            if files.is_empty() {
                return Err(failure!(
                    "{}: there are no names of openings in this folder: the files' names end in .tsv or .eco",
                    path.display()
                ));
            }
            files.iter().try_for_each(|file| add(&mut names, start, file))?;
        }
        if self.names.is_empty() {
            for file in found(start.name(), book) {
                if let Err(failure) = add(&mut names, start, &file) {
                    console.note(&format!("names of openings are missing: {failure}"));
                }
            }
        }
        Ok(names)
    }
}

fn add(names: &mut OpeningNames, start: &Known, path: &Path) -> Done<()> {
    let text = textfile::read(path)?;
    names.read(start, &text).map_err(|error| failure!("{}: {error}", path.display()))
}

/// The files of names in a folder: what else has such a name might never open.
fn in_folder(folder: &Path) -> Done<Vec<PathBuf>> {
    let files = files_in(folder, &ENDINGS)?.into_iter();
    Ok(files.filter(|file| file.is_file()).collect())
}

/// The files with names for this game that lie beside the book or, if there are none, in the user's
/// folder of data.
fn found(game: &str, book: &Path) -> Vec<PathBuf> {
    let here = if book.is_dir() { book } else { folder_of(book) };
    let folders = [Some(here.to_owned()), data_folder()];
    let name = format!("{game}-openings");
    let all = folders.into_iter().flatten().map(|folder| {
        let file = |ending: &str| folder.join(format!("{name}.{ending}"));
        let files = ENDINGS.iter().map(|ending| file(ending)).filter(|file| file.is_file());
        files.chain(in_folder(&folder.join(&name)).unwrap_or_default()).collect()
    });
    all.into_iter().find(|files: &Vec<_>| !files.is_empty()).unwrap_or_default()
}

/// The folder for what users give this program.
fn data_folder() -> Option<PathBuf> {
    let data = variable("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || variable("HOME").map(|home| Path::new(&home).join(".local/share"));
    Some(data.or_else(home)?.join("tabia"))
}
