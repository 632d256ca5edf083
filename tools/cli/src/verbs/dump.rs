//! `tabia dump`: rows as text, for other programs and for `tabia load`.

use crate::failure::{Done, Verdict};
use crate::output::Output;
use crate::text;
use std::io;
use std::path::PathBuf;
use tabia::stream::RowSet;
use tabia::{Book, MoveRow, PositionRow, Row, TableKind, View};

/// Write a book as text: a row a line, its fields between tabs
///
/// Lines that begin with # name the game, the sources and the columns, so that `tabia load` makes the same book of it. Keys are
/// hexadecimal, all else is decimal; - is no eval. Rows come in the order of the book's tables; the journal is laid over them.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  tabia dump masters.tabia > masters.tsv\n  tabia dump masters.tabia --table moves | grep -v '^#' | cut -f 1 | sort -u | wc -l"
)]
pub struct Args {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// Write one table only
    #[arg(long, value_enum, value_name = "TABLE")]
    table: Option<Table>,
    /// Leave the journal out
    #[arg(long)]
    bare: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Table {
    /// What positions are worth, however reached
    Positions,
    /// What was played at positions
    Moves,
}

impl Table {
    fn kind(self) -> TableKind {
        match self {
            Self::Positions => TableKind::Positions,
            Self::Moves => TableKind::Moves,
        }
    }
}

/// Writes it.
pub fn run(args: &Args) -> Done {
    let book = Book::open_view(&args.book, if args.bare { View::Bare } else { View::Whole })?;
    let wanted = |kind| args.table.map_or(book.has(kind), |table| table.kind() == kind);
    if let Some(table) = args.table.map(Table::kind).filter(|&table| !book.has(table)) {
        return Err(tabia::Error::NoTable { path: args.book.clone(), table }.into());
    }
    let mut out = Output::new();
    text::write_head(&mut out, book.header(), &book.sources()?)?;
    if wanted(TableKind::Positions) {
        write_table::<PositionRow>(&mut out, &book, text::write_position)?;
    }
    if wanted(TableKind::Moves) {
        write_table::<MoveRow>(&mut out, &book, text::write_move)?;
    }
    text::write_end(&mut out)?;
    out.finish()?;
    Ok(Verdict::Fine)
}

fn write_table<R: Row>(out: &mut Output, book: &Book, write: impl Fn(&mut Output, &R) -> io::Result<()>) -> Done<()>
where
    Book: RowSet<R>,
{
    text::write_columns(out, R::TABLE)?;
    let (mut rows, mut chunk) = (RowSet::<R>::rows(book)?, Vec::new());
    loop {
        rows.next_chunk(&mut chunk)?;
        if chunk.is_empty() {
            return Ok(());
        }
        chunk.iter().try_for_each(|row| write(out, row))?;
    }
}
