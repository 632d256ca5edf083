//! The options of verbs that make a book, and the report of the book that was made.

use crate::layout::{self, rows};
use crate::prelude::*;
use tabia::Existing;
use tabia::format::Load;
use tabia_gamefile::GameFileHeader;

/// The book to make.
#[derive(clap::Args)]
pub struct NewBookArgs {
    /// The book to make
    #[arg(short, long, value_name = "BOOK")]
    pub output: PathBuf,
    /// Replace a book of that name
    #[arg(long)]
    pub force: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl NewBookArgs {
    /// Makes sure, before hours of work, that a book can be made there and is none of the inputs.
    pub fn check<'a>(&self, inputs: impl IntoIterator<Item = &'a PathBuf>) -> Done<()> {
        self.check_at(&self.output, inputs)
    }

    /// The same of a book that is made there.
    pub fn check_at<'a>(
        &self,
        output: &Path,
        inputs: impl IntoIterator<Item = &'a PathBuf>,
    ) -> Done<()> {
        place::check_book(output, self.force)?;
        place::check_distinct(output, inputs.into_iter().map(PathBuf::as_path))
    }

    /// What becomes of a book of that name.
    pub fn existing(&self) -> Existing {
        self.force.into()
    }
}

/// How the rows of a new book lie.
#[derive(clap::Args)]
#[command(next_help_heading = headings::BOOK)]
pub struct LayoutArgs {
    /// How full the tables are, from 0.5 to 0.98
    ///
    /// Fuller is smaller and slower. Without it as full as the fullest of what the book is made of,
    /// or 0.80.
    #[arg(long)]
    pub load: Option<Load>,
    /// Add a filter, for faster probes of absent positions
    ///
    /// With it most probes for absent positions touch no row; two bytes a slot, 20 bits a position at
    /// load 0.80. Without it the book has one if what it is made of has one.
    #[arg(long)]
    pub filter: bool,
    /// Pack the book: an eighth to a tenth of the bytes
    ///
    /// A tenth where moves have their games. As `tabia pack` does. Load and filter are then those of the book that `tabia unpack` makes.
    #[arg(long)]
    pub pack: bool,
}

impl Facts {
    /// How large the book with this header is, for programs.
    pub fn json_of_book(self, header: &Header) -> Self {
        self.json("positions", rows(header, TableKind::Positions))
            .json("moves", rows(header, TableKind::Moves))
            .json("bytes", header.file_length)
            .json("layout", layout::name(header))
            .json("digest", header.digest.to_string())
    }

    /// How many rows it has, for people.
    pub fn lines_of_rows(self, header: &Header) -> Self {
        self.number("positions", rows(header, TableKind::Positions), "").number(
            "moves",
            rows(header, TableKind::Moves),
            "",
        )
    }

    /// How large it is, for people.
    pub fn lines_of_book(self, header: &Header) -> Self {
        let (length, packed) = (header.file_length, if header.packed { ", packed" } else { "" });
        self.lines_of_rows(header).number("bytes", length, format!("{}{packed}", bytes(length)))
    }

    /// For both what the file of games beside a book says of itself, if there is one.
    pub fn games(self, games: Option<&GameFileHeader>) -> Self {
        let Some(games) = games else { return self };
        let (length, each) = (bytes(games.file_length), game_files::each(games, ""));
        self.json("games_file", game_files::facts(games)).number(
            "games file",
            games.games,
            format!("{length}{each}"),
        )
    }

    /// For programs which tables of a new book are crowded, that is slow to look up; warns of them.
    pub fn crowded(self, header: &Header, path: &Path, console: &Console) -> Self {
        let crowded = layout::crowded(header);
        if let Some(warning) = warning_of_crowded(path, &crowded) {
            console.note(&format!("warning: {warning}"));
        }
        self.json("crowded", crowded)
    }
}

/// What it means that a book has such tables, in one line; none if it has none.
pub fn warning_of_crowded(book: &Path, names: &[String]) -> Option<String> {
    if names.is_empty() {
        return None;
    }
    Some(format!(
        "{}: crowded: its {} are slow to look up, as many of their hashes are close together: either keys were chosen to collide, \
         or these are one share of the hashes built as a whole book: then make it a book of that share (`tabia merge --share`)",
        book.display(),
        names.join(" and ")
    ))
}
