//! What of a book is edited: a position, and moves of it, as people name them; and what a journal's
//! batch then says.

use crate::numbers::read_key;
use crate::prelude::*;
use std::collections::BTreeMap;
use tabia::{Batch, Key};

/// A position, and moves of it.
#[derive(clap::Args)]
pub struct EditChoice {
    #[command(flatten)]
    at: CourseChoice,
    /// A move in the position; may be repeated
    #[arg(long = "move", value_name = "MOVE")]
    played: Vec<String>,
    /// The position's key, 16 hexadecimal digits
    #[arg(long, value_name = "KEY", value_parser = read_key, conflicts_with_all = ["fen", "moves", "played"], help_heading = "Games whose rules aren't known")]
    key: Option<Key>,
    /// A move's code, as `tabia get` shows it; may be repeated
    #[arg(
        long,
        value_name = "CODE",
        requires = "key",
        help_heading = "Games whose rules aren't known"
    )]
    code: Vec<u16>,
}

/// What people call moves, by their codes.
type Names = BTreeMap<u16, String>;

/// The position and the moves that were chosen.
pub struct Edited {
    /// The book, or the share of a set that has the position.
    pub file: PathBuf,
    /// The position's key, or that of the line.
    pub key: Key,
    /// The codes of the moves that were chosen, and what people call them.
    pub moves: Names,
    /// What people call the legal moves; none if the game isn't known.
    names: Names,
}

impl Edited {
    /// What people call the move with this code, if it is a legal one.
    pub fn name(&self, code: u16) -> Option<&str> {
        self.names.get(&code).map(String::as_str)
    }
}

impl EditChoice {
    /// Whether anything is meant.
    pub fn is_given(&self) -> bool {
        self.at.is_given() || self.key.is_some() || self.has_moves()
    }

    /// Whether moves are meant, and not their position.
    pub fn has_moves(&self) -> bool {
        !self.played.is_empty() || !self.code.is_empty()
    }

    /// Looks up what is meant in this book, or set of shares.
    pub fn of(&self, opened: &OpenBook, console: &Console) -> Done<Edited> {
        let (key, moves, names) = match self.key {
            Some(key) => {
                let moves = self.code.iter().map(|&code| (code, format!("(code {code})")));
                (key, moves.collect(), Names::new())
            }
            None => self.find(opened.first(), console)?,
        };
        let book: &Book = match opened {
            OpenBook::One(book) => book,
            OpenBook::Set(set) => set.book_of(key),
        };
        Ok(Edited { file: book.path().to_owned(), key, moves, names })
    }

    /// The position's key, its chosen moves, and all that are legal.
    fn find(&self, book: &Book, console: &Console) -> Done<(Key, Names, Names)> {
        let (start, keyed) = (&games::of(book.header(), book.path())?, book.header().keyed);
        let history = self.at.history(start, keyed, console)?;
        let node = history.present();
        let of = |text: &String| {
            let played = node.position.parse_move(text);
            let played = played.map_err(|error| failure!("--move: {error}"))?;
            Ok((node.code(&played), node.position.notation(&played)))
        };
        let moves = self.played.iter().map(of).collect::<Done<_>>()?;
        let mut legal = Vec::new();
        node.position.legal_moves(&mut legal);
        let names = legal.iter().map(|played| (node.code(played), node.position.notation(played)));
        Ok((node.key, moves, names.collect()))
    }
}

/// Opens the book to be edited, or all shares of one if it is a folder.
pub fn open(path: &Path, console: &Console) -> Done<OpenBook> {
    books::open_any(&[path.to_owned()], View::Whole, console)
}

/// Changes a book by one batch of its journal, which `edit` makes of the book as it is now, while
/// nobody else can change it; the batch's sequence, and none if it is empty and nothing was done.
pub fn change(
    path: &Path,
    console: &Console,
    edit: impl FnOnce(&Book, &mut Batch) -> Done<()>,
) -> Done<Option<u64>> {
    let meter = console.meter();
    let mut writer = stray::open_writer(&meter, path)?;
    let book = Book::open(path)?;
    let mut batch = Batch::new();
    edit(&book, &mut batch)?;
    if batch.is_empty() { Ok(None) } else { Ok(Some(writer.append(&batch)?)) }
}

/// Where the change is, as a line.
pub fn line_of_sequence(sequence: Option<u64>) -> String {
    match sequence {
        Some(sequence) => format!("written as frame {sequence} of the journal"),
        None => "nothing to do: it is as you say".to_owned(),
    }
}
