//! What people are told: every error names its file and what is wrong; rows and rules are shown as
//! people know them.

use crate::books::{folder, open};
use std::error::Error as _;
use std::io;
use tabia::format::{Digest, Keyed, Load, Name, Refusal};
use tabia::{Column, Counts, Error, Marks, MoveRow, PositionRow, Rule, Share, TableKind, Tag};

#[test]
fn every_error_names_its_file_and_what_is_wrong() {
    let path = || "a/b.tabia".into();
    let io = |kind: io::ErrorKind| Error::Io { action: "write", path: path(), source: kind.into() };
    let refused = |refusal| Error::Refused { path: path(), refusal };
    let cases = [
        (io(io::ErrorKind::NotFound), "cannot write: entity not found"),
        (io(io::ErrorKind::PermissionDenied), "cannot write: permission denied"),
        (io(io::ErrorKind::ReadOnlyFilesystem), "cannot write: read-only filesystem"),
        (io(io::ErrorKind::StorageFull), "cannot write: no storage space"),
        (io(io::ErrorKind::TimedOut), "cannot write: timed out"),
        (refused(Refusal::NotABook), "not a Tabia book"),
        (
            refused(Refusal::Length { expected: 8192, got: 5000 }),
            "the file has 5000 bytes where a whole book has 8192 (B-5)",
        ),
        (
            refused(Refusal::Damaged { rule: Rule::B2, what: "its checksum is wrong".into() }),
            "its checksum is wrong (B-2)",
        ),
        (
            refused(Refusal::Version { got: 2 }),
            "format version 2, this program reads version 1 (B-3)",
        ),
        (refused(Refusal::Features { unknown: 8 }), "(bits 0x8, B-4)"),
        (refused(Refusal::Unreleased), "made by an unreleased version of Tabia (B-20)"),
        (
            Error::Damaged { path: path(), rule: Rule::B13, offset: 4096, what: "bad".into() },
            "bad at byte 4096 (B-13)",
        ),
        (
            Error::ForeignJournal { path: path(), base: Digest([1; 16]), digest: Digest([2; 16]) },
            "its base is 01010101010101010101010101010101, this book is 02020202020202020202020202020202; J-2",
        ),
        (Error::Locked { path: path() }, "another program is writing to it"),
        (Error::Exists { path: path() }, "it exists already"),
        (
            Error::Incompatible { first: path(), second: "c.tabia".into(), what: "why".into() },
            "it doesn't go together with c.tabia: why",
        ),
        (
            Error::DuplicateSource { path: path(), name: "x.pgn".into(), games: 3 },
            "the archive `x.pgn` (3 games) is in it already",
        ),
        (
            Error::LeftBehind { path: path(), file: "b.tabia-games".into() },
            "b.tabia-games belongs to it",
        ),
        (Error::NoTable { path: path(), table: TableKind::Moves }, "the book has no moves table"),
        (
            Error::NoColumn { path: path(), columns: [Column::RATINGS].into_iter().collect() },
            "what the rows to be added have (ratings)",
        ),
        (
            Error::UnknownColumn { path: path(), tag: Tag(*b"ABCD") },
            "a column `ABCD` that this program doesn't know",
        ),
        (
            Error::Share { path: path(), share: Share::new(3, 2).unwrap() },
            "the book holds share 3/8 of the hashes",
        ),
        (Error::Shares { path: path(), what: "why".into() }, "why"),
        (Error::Results { path: path() }, "a row for it has wins or losses"),
        (Error::Poisoned { path: path() }, "an earlier write failed: open the book again"),
        (
            Error::Changed { path: path() },
            "an input changed while it was read: nothing was written",
        ),
        (Error::Limit { path: path(), what: "too large" }, "too large"),
        (Error::InTheWay { path: path(), what: "in the way" }, "in the way"),
    ];
    for (error, said) in cases {
        let text = error.to_string();
        assert!(text.starts_with("a/b.tabia: ") && text.contains(said), "{text}");
        assert!(!text.contains('\n'), "{text}");
        assert_eq!(error.source().is_some(), matches!(error, Error::Io { .. }), "{text}");
        let damage = matches!(
            &error,
            Error::Damaged { .. }
                | Error::Refused { refusal: Refusal::Damaged { .. } | Refusal::Length { .. }, .. }
        );
        assert_eq!(error.is_damage(), damage, "{text}");
    }
    assert_eq!(Error::Interrupted.to_string(), "interrupted: nothing was changed");
}

#[test]
fn rows_and_values_show_what_people_know_them_by() {
    let counts = Counts::new(1, 2, 3);
    let position = format!("{:?}", PositionRow::new(0xab, counts).with_eval(-5, 9));
    let said = ["00000000000000ab", "Some(-5)", "depth: 9"];
    assert!(said.iter().all(|said| position.contains(said)), "{position}");
    let played = format!("{:?}", MoveRow::new(0xab, 0x1c, counts).with_marks(Marks::BAD));
    let said = ["00000000000000ab", "001c", "marks: Marks(BAD)"];
    assert!(said.iter().all(|said| played.contains(said)), "{played}");
    assert_eq!(format!("{} {:?}", Keyed::Line, Load::default()), "line 0.800");
    let chess: Name = "chess".parse().unwrap();
    let digest = "0a".repeat(16);
    assert_eq!(format!("{chess:?} {:?}", Digest([0xa; 16])), format!("\"chess\" {digest}"));
    let why = "`Chess` is not a name: use 1 to 16 of the characters a-z, 0-9 and -";
    assert_eq!("Chess".parse::<Name>().unwrap_err().to_string(), why);
    let why = "a load is a number from 0.5 to 0.98";
    assert_eq!("0.99".parse::<Load>().unwrap_err().to_string(), why);
    let (_folder, path) = folder();
    crate::books::sample(1, 3).write(&path);
    let sections = format!("{:?}", open(&path).header().sections);
    assert!(sections.contains("tag: POSN") && sections.contains("tag: SRCS"), "{sections}");
}
