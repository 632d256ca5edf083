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
//! #filter                                             if the book has one
//! #source         DIGEST  GAMES  NAME                 once for each archive; \\ \t \n \r in names
//! #positions      key  wins  draws  losses  eval  depth  flags
//! ...                                                 rows of the positions table, with these columns
//! #moves          key  wins  draws  losses  move  marks, and if the book has ratings
//!                 mover_rating_sum  opponent_rating_sum  rated_games  rated_score
//! ...                                                 rows of the moves table, with these columns
//! #end
//! ```
//!
//! A line that begins with `# ` is a comment. Keys are 16 hexadecimal digits, all else is decimal; `-` is no eval.

mod read;
mod write;

pub use read::Reader;
pub use write::{Writer, write_columns, write_move, write_position};

/// The version of the text.
const VERSION: &str = "1";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::{self, Entry, Head};
    use proptest::prelude::*;
    use tabia::format::{Digest, Source};
    use tabia::{Counts, MoveRow, NO_EVAL, PositionRow, TableKind};

    fn read_all(text: &[u8]) -> Result<(Vec<Entry>, Head), String> {
        rows::read_all(Box::new(Reader::new(text, "rows.tsv")))
    }

    proptest! {
        #[test]
        fn rows_come_back(key: u64, wins: u32, draws: u32, losses: u32, eval: i16, depth: u8, flags in 0u8..32, code: u16, marks: u8) {
            let counts = Counts { wins, draws, losses };
            let position = PositionRow::new(key, counts).with_eval(eval, depth).with_flags(flags);
            let played = MoveRow::new(key, code, counts).with_marks(marks);
            let mut text = Vec::new();
            write_columns(&mut text, TableKind::Positions).unwrap();
            write_position(&mut text, &position).unwrap();
            write_columns(&mut text, TableKind::Moves).unwrap();
            write_move(&mut text, &played).unwrap();
            prop_assert_eq!(read_all(&text).unwrap().0, [Entry::Position(position), Entry::Move(played)]);
        }

        #[test]
        fn names_of_sources_come_back(name: String, games: u64, digest: [u8; 16]) {
            let source = Source { digest: Digest(digest), games, name };
            let mut text = Vec::new();
            write::write_source(&mut text, &source).unwrap();
            prop_assert_eq!(read_all(&text).unwrap().1.sources, [source]);
        }

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
        let (entries, _) = read_all(b"# by hand\n#positions\twins\tkey\n7\t0000000000000001\n\n").unwrap();
        assert_eq!(entries, [Entry::Position(PositionRow::new(1, Counts { wins: 7, draws: 0, losses: 0 }).with_eval(NO_EVAL, 0))]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let full = "#positions\tkey\twins\tdraws\tlosses\teval\tdepth\tflags\n";
        let row = |row: &str| format!("{full}{row}\n");
        for (text, line, what) in [
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
        ] {
            let error = read_all(text.as_bytes()).unwrap_err();
            assert!(error.starts_with(&format!("rows.tsv: line {line}: ")) && error.contains(what), "{text:?}: {error}");
        }
    }

    #[test]
    fn a_line_without_end_is_refused() {
        assert!(read_all(&vec![b'1'; 1 << 20]).unwrap_err().contains("too long"));
    }
}
