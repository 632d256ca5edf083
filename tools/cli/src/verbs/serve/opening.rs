//! The books that are served, as users name them, and how they are opened.

use crate::books::{self, ViewChoice};
use crate::names::NamesChoice;
use crate::prelude::*;
use crate::{games, textfile};
use std::sync::Arc;
use tabia::Book;
use tabia_games::Game;
use tabia_play::explore::Explorable;
use tabia_serve::{Notices, Opener, Source};

/// Which books.
#[derive(Clone, clap::Args)]
pub struct BookChoice {
    /// The books; NAME=BOOK gives one a name
    ///
    /// A file, a folder of books, a folder with all shares of one, or a shelf. Books that come into a
    /// folder or leave it while it is served are taken up and dropped.
    #[arg(value_name = "BOOK", required = true)]
    pub books: Vec<PathBuf>,
    #[command(flatten)]
    pub names: NamesChoice,
    #[command(flatten)]
    journal: ViewChoice,
}

/// Opens them as other verbs do.
pub struct OpenAsChosen {
    pub choice: BookChoice,
    pub console: Console,
}

fn said<T>(done: Done<T>) -> Result<T, String> {
    done.map_err(|failure| failure.to_string())
}

impl Opener for OpenAsChosen {
    fn files(&self, folder: &Path, endings: &[&str]) -> Result<Vec<PathBuf>, String> {
        said(books::files_in(folder, endings))
    }

    fn text(&self, path: &Path) -> Result<String, String> {
        said(textfile::read(path))
    }

    fn open(&self, path: &Path) -> Result<Book, String> {
        said(books::open(path, self.choice.journal.view(), &self.console))
    }

    fn source(
        &self,
        name: String,
        books: Vec<Book>,
        in_folder: bool,
        first: &mut Option<&'static str>,
    ) -> Result<Source, String> {
        let Self { choice, console } = self;
        let book = said(books::one(books, in_folder))?;
        let path = book.first().path();
        let game = said(games::of(book.header(), path))?;
        // Names that were given are for the game of the first book.
        let is_meant = *first.get_or_insert(game.name()) == game.name();
        let usual = NamesChoice::default();
        let names = if is_meant { &choice.names } else { &usual };
        let names = said(names.read(&game, path, console))?;
        let console = *console;
        let notices: Notices = Arc::new(move |line: &str| console.note(line));
        Ok(Source::new(name, book, choice.journal.view(), game, names).telling(notices))
    }

    fn note(&self, line: &str) {
        self.console.note(line);
    }
}
