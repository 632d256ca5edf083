//! Rows as text: what `dump` writes, `get` shows and `load` reads.
//!
//! A line is a row, its fields between tabs. Lines that begin with `#` say what the rows are:
//!
//! ```text
//! #tabia-rows     1                                   the text is of this version, and ends with #end
//! #game           chess
//! #keys           polyglot
//! #keyed          position                            or line
//! #load           0.800
//! #results        unknown                             if games are counted without their results, all as draws
//! #share          3/8                                 if it holds a share of the hashes
//! #filter                                             if the book has one
//! #source         DIGEST  GAMES  NAME                 once for each archive; \\ \t \n \r in names
//! #fact           DIGEST  NAME  VALUE                 what is known of an archive, or with - of the book; likewise in values
//! #positions      key  wins  draws  losses  eval  depth  flags
//! ...                                                 rows of the positions table, with these columns
//! #moves          key  wins  draws  losses  move  marks, and the fields of the book's columns
//! ...                                                 rows of the moves table, with these columns
//! #end
//! ```
//!
//! A line that begins with `# ` is a comment. Keys and games are 16 hexadecimal digits, all else is
//! decimal; `-` is no eval.

mod read;
mod write;

pub(super) use read::Text;
pub use write::{write_row, write_schema};

/// The version of the text.
const VERSION: u64 = 1;
/// The version as text.
const VERSION_TEXT: &str = "1";
/// The subject of what is known of the whole book.
const WHOLE: &str = "-";

/// A text without tabs and ends of lines.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AnyRow;
    use crate::rows::lines::LineReader;
    use crate::rows::{self, Metadata, are_refused};
    use proptest::prelude::*;
    use tabia::{Counts, NO_EVAL, PositionRow};

    fn read_all(text: &[u8]) -> Result<(Vec<AnyRow>, Metadata), String> {
        rows::read_all(Box::new(LineReader::<_, Text>::new(text)))
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "(#?(positions|moves|source|end|game)?[\t\n]?[-0-9a-f]{0,17}[\t\n]?){0,9}") {
            let _ = read_all(text.as_bytes());
        }

        #[test]
        fn no_bytes_make_the_reader_panic(bytes: Vec<u8>) {
            let _ = read_all(&bytes);
        }
    }

    #[test]
    fn columns_may_be_fewer_and_in_any_order() {
        let (entries, _) =
            read_all(b"# by hand\n#positions\twins\tkey\n7\t0000000000000001\n\n").unwrap();
        assert_eq!(
            entries,
            [AnyRow::Position(
                PositionRow::new(1, Counts { wins: 7, draws: 0, losses: 0 }).with_eval(NO_EVAL, 0)
            )]
        );
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let full = "#positions\tkey\twins\tdraws\tlosses\teval\tdepth\tflags\n";
        let row = |row: &str| format!("{full}{row}\n");
        let cases = [
            ("0000000000000001\t1\n".to_owned(), 1, "before"),
            ("#positions\twins\n".to_owned(), 1, "key"),
            ("#moves\tkey\twins\n".to_owned(), 1, "move"),
            ("#positions\tkey\tkey\n".to_owned(), 1, "twice"),
            ("#positions\tkey\tmarks\n".to_owned(), 1, "marks"),
            ("#nonsense\n".to_owned(), 1, "#nonsense"),
            ("#game\tChess\n".to_owned(), 1, "Chess"),
            ("#game\tchess\n#game\tgo\n".to_owned(), 2, "game"),
            ("#load\t2\n".to_owned(), 1, "0.98"),
            ("#keyed\tmove\n".to_owned(), 1, "keyed"),
            ("#source\t12\t3\tx\n".to_owned(), 1, "digest"),
            ("#source\t00000000000000000000000000000000\tx\tx\n".to_owned(), 1, "games"),
            ("#share\t3/7\n".to_owned(), 1, "3/7"),
            ("#share\t3/8\n#share\t4/8\n".to_owned(), 2, "#share"),
            ("#fact\t12\tcounts\tx\n".to_owned(), 1, "digest"),
            ("#fact\t-\tCounts\tx\n".to_owned(), 1, "Counts"),
            (
                "#moves\tkey\tmove\tgame\n0000000000000001\t1\t12\n".to_owned(),
                2,
                "game is 16 hexadecimal digits",
            ),
            (
                "#moves\tkey\tmove\tfirst_year\n0000000000000001\t1\t65536\n".to_owned(),
                2,
                "first_year is a whole number from 0 to 65535",
            ),
            (
                "#moves\tkey\tmove\trated_score\n0000000000000001\t1\t18446744073709551616\n"
                    .to_owned(),
                2,
                "rated_score",
            ),
            ("#positions\tkey\tgame\n".to_owned(), 1, "game"),
            ("#tabia-rows\t2\n".to_owned(), 1, "version"),
            ("#tabia-rows\t1\n".to_owned(), 1, "cut off"),
            ("#end\n#game\tgo\n".to_owned(), 2, "#end"),
            (row("1\t1\t1\t1\t-\t0\t0"), 2, "16 hexadecimal"),
            (row("0000000000000001\t1\t1\t1\t-\t0"), 2, "7 columns"),
            (row("0000000000000001\t4294967296\t1\t1\t-\t0\t0"), 2, "wins"),
            (row("0000000000000001\t+1\t1\t1\t-\t0\t0"), 2, "wins"),
            (row("0000000000000001\t1\t\t1\t-\t0\t0"), 2, "draws"),
            (row("0000000000000001\t1\t1\t1\t-32768\t0\t0"), 2, "eval"),
            (row("0000000000000001\t1\t1\t1\t-\t3\t0"), 2, "depth"),
            (row("0000000000000001\t1\t1\t1\t5\t256\t0"), 2, "depth"),
            (row("0000000000000001\t1\t1\t1\t5\t5\t32"), 2, "flags"),
        ];
        are_refused(read_all, &cases);
    }

    #[test]
    fn a_line_without_end_is_refused() {
        assert!(read_all(&vec![b'1'; 1 << 21]).unwrap_err().contains("too long"));
    }
}
