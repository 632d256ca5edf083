//! The golden files of the specification, written by an independent program, against the engine and against the C reader.

use crate::books::{folder, sample};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tabia::format::Load;
use tabia::{Book, Env, MoveRow, PositionRow, RatedMoveRow, Row, TableKind, View, Writer, check, journal_path, unmix};

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("format-spec/golden")
}

fn lines(name: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(golden().join(name)).unwrap();
    text.lines().skip(1).map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

/// A case of INDEX.tsv.
struct Case {
    name: String,
    expect: String,
    rule: String,
    base: String,
    patch: String,
}

fn cases() -> Vec<Case> {
    let case = |mut row: Vec<String>| {
        let mut take = |index| std::mem::take(&mut row[index]);
        Case { name: take(0), expect: take(1), rule: take(2), base: take(4), patch: take(5) }
    };
    lines("INDEX.tsv").into_iter().map(case).collect()
}

impl Case {
    fn is_journal(&self) -> bool {
        self.name.ends_with("-journal")
    }

    /// Lays the case out at a path: a book, or a journal beside a copy of its book.
    fn lay_out(&self, path: &Path) {
        let _ = fs::remove_file(journal_path(path));
        if self.is_journal() {
            let base = if self.base == "-" { self.name.trim_end_matches("-journal") } else { &self.base };
            fs::copy(golden().join(base), path).unwrap();
            fs::copy(golden().join(&self.name), journal_path(path)).unwrap();
        } else {
            fs::write(path, self.image()).unwrap();
        }
    }

    fn image(&self) -> Vec<u8> {
        if self.patch == "-" {
            return fs::read(golden().join(&self.name)).unwrap();
        }
        let mut bytes = fs::read(golden().join(&self.base)).unwrap();
        for item in self.patch.split(' ') {
            let (place, value) = item.split_once('=').unwrap();
            if place == "length" {
                bytes.resize(value.parse().unwrap(), 0);
            } else {
                let at: usize = place.parse().unwrap();
                let new: Vec<u8> = (0..value.len()).step_by(2).map(|i| u8::from_str_radix(&value[i..i + 2], 16).unwrap()).collect();
                bytes[at..at + new.len()].copy_from_slice(&new);
            }
        }
        bytes
    }
}

fn position_line(row: &PositionRow) -> String {
    let counts = row.counts();
    let eval = row.eval().map_or("-".to_owned(), |eval| eval.to_string());
    format!("position {:016x} {} {} {} {eval} {} {:02x}", row.key(), counts.wins, counts.draws, counts.losses, row.depth(), row.flags())
}

fn move_line(row: &MoveRow) -> String {
    let counts = row.counts();
    format!("move {:016x} {:04x} {} {} {} {:02x}", row.key(), row.code(), counts.wins, counts.draws, counts.losses, row.marks())
}

fn rated_line(row: &RatedMoveRow) -> String {
    let ratings = row.ratings();
    format!("{} {} {} {} {}", move_line(&row.plain()), ratings.mover_sum, ratings.opponent_sum, ratings.games, ratings.score)
}

/// What a book says of a key, as the C reader prints it.
fn answer(book: &Book, key: u64) -> Vec<String> {
    let mut lines: Vec<_> = book.position(key).unwrap().iter().map(position_line).collect();
    if book.header().is_rated() {
        lines.extend(book.rated_moves(key).unwrap().iter().map(rated_line));
    } else {
        lines.extend(book.moves(key).unwrap().iter().map(move_line));
    }
    lines
}

#[test]
fn valid_files_hold_what_the_specification_says() {
    let mut answers: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for mut row in lines("answers.tsv") {
        let line = row.remove(2);
        let journal = row.remove(1);
        answers.entry((row.remove(0), journal)).or_default().push(line);
    }
    let (_folder, path) = folder();
    let valid: Vec<_> = cases().into_iter().filter(|case| case.expect == "valid").collect();
    assert!(valid.len() >= 39);
    for case in valid {
        case.lay_out(&path);
        let book = Book::open(&path).unwrap_or_else(|error| panic!("{}: {error}", case.name));
        let of = if case.is_journal() {
            let base = if case.base == "-" { case.name.trim_end_matches("-journal").to_owned() } else { case.base.clone() };
            (base, case.name.clone())
        } else {
            (case.name.clone(), "-".to_owned())
        };
        let expected = &answers[&of];
        compare(&case.name, &book, expected);
        let report = check(&Env::default(), &path).unwrap();
        assert!(report.ok(), "{}: {:?}", case.name, report.bad);
        compact_and_compare(&case.name, &path, expected);
    }
}

fn compare(name: &str, book: &Book, expected: &[String]) {
    let mut rows: Vec<String> = Vec::new();
    if book.has(TableKind::Positions) {
        rows.extend(crate::books::collect::<PositionRow>(book).iter().map(position_line));
    }
    if book.has(TableKind::Moves) {
        let plain = crate::books::collect::<MoveRow>(book);
        let rated = crate::books::collect::<RatedMoveRow>(book);
        assert!(plain.iter().copied().eq(rated.iter().map(RatedMoveRow::plain)), "{name}");
        if book.header().is_rated() {
            rows.extend(rated.iter().map(rated_line));
        } else {
            rows.extend(plain.iter().map(move_line));
        }
    }
    let of_kind =
        |kind: &[&str]| -> Vec<&String> { expected.iter().filter(|line| kind.iter().any(|kind| line.starts_with(kind))).collect() };
    assert_eq!(rows.iter().collect::<Vec<_>>(), of_kind(&["position ", "move "]), "{name}");
    let sources: Vec<_> = book.sources().unwrap().iter().map(|s| format!("source {} {} {}", s.digest, s.games, s.name)).collect();
    assert_eq!(sources.iter().collect::<Vec<_>>(), of_kind(&["source "]), "{name}");
    for line in expected {
        let (kind, rest) = line.split_once(' ').unwrap();
        let key = rest.split(' ').next().unwrap();
        match kind {
            "absent" => assert_eq!(answer(book, hex(key)), [""; 0], "{name}: {line}"),
            "position" | "move" => assert!(answer(book, hex(key)).contains(line), "{name}: {line}"),
            _ => {}
        }
    }
}

fn hex(key: &str) -> u64 {
    u64::from_str_radix(key, 16).unwrap()
}

/// The digest that the specification's own writer gives, before and after compaction.
fn compact_and_compare(name: &str, path: &Path, expected: &[String]) {
    let digest = expected.iter().find_map(|line| line.strip_prefix("digest ")).unwrap();
    let compacted = Writer::open(Env::default(), path).unwrap().compact().unwrap();
    let book = Book::open_view(path, View::Bare).unwrap();
    if compacted || !name.ends_with("-journal") {
        assert_eq!(book.digest().to_string(), digest, "{name}");
    }
    compare(name, &book, expected);
    assert!(check(&Env::default(), path).unwrap().ok());
}

#[test]
fn invalid_files_are_refused_or_reported_under_their_rule() {
    let (_folder, path) = folder();
    for case in cases().iter().filter(|case| case.expect != "valid") {
        case.lay_out(&path);
        let report = check(&Env::default(), &path);
        let opened = Book::open(&path);
        let bare = Book::open_view(&path, View::Bare);
        match case.expect.as_str() {
            "open-refused" => assert!(opened.is_err() && bare.is_err(), "{}", case.name),
            "journal-refused" => assert!(opened.is_err() && bare.is_ok(), "{}", case.name),
            _ => assert!(opened.is_ok(), "{}: {}", case.name, opened.unwrap_err()),
        }
        match report {
            Ok(report) => {
                let rules: Vec<_> = report.bad.iter().map(|finding| finding.rule).collect();
                assert!(rules.contains(&case.rule.as_str()), "{}: {:?}", case.name, report.bad);
            }
            // Not a book, or one of another version: there is nothing to check.
            Err(error) => assert!(["B-1", "B-3", "B-4"].contains(&case.rule.as_str()), "{}: {error}", case.name),
        }
        if case.expect != "check-finds" && case.expect != "journal-refused" {
            assert!(Writer::open(Env::default(), &path).is_err(), "{}", case.name);
        }
    }
}

/// Streams verify what they read, salvage leaves out what breaks a rule: neither spreads it.
#[test]
fn nothing_invalid_is_carried_into_another_book() {
    let (folder, path) = folder();
    for (number, case) in cases().iter().filter(|case| case.expect != "valid").enumerate() {
        case.lay_out(&path);
        let output = folder.path().join(format!("salvaged-{number}.tabia"));
        if tabia::salvage(&Env::default(), &path, &output, false).is_ok() {
            let report = check(&Env::default(), &output).unwrap();
            // Contradicting proofs are what somebody claimed, not damage.
            assert!(report.bad.iter().all(|finding| finding.rule == "M-3"), "{}: {:?}", case.name, report.bad);
        }
        let Ok(book) = Book::open(&path) else { continue };
        let copy = folder.path().join(format!("copy-{number}.tabia"));
        let new = tabia::NewBook::like(book.header()).tables_of(&book);
        if case.rule == "B-16" && case.name.contains("order") {
            let error = new.write(&Env::default(), &copy, false).unwrap_err();
            assert!(matches!(error, tabia::Error::Damaged { rule: "B-16", .. }), "{}: {error}", case.name);
        } else if case.rule == "B-22" {
            assert!(
                matches!(new.write(&Env::default(), &copy, false), Err(tabia::Error::Results { .. })) && !copy.exists(),
                "{}",
                case.name
            );
        } else if case.rule == "B-13" {
            assert!(matches!(new.write(&Env::default(), &copy, false), Err(tabia::Error::Damaged { rule: "B-13", .. })), "{}", case.name);
        }
    }
}

/// Compiles the C reader as its users would.
fn c_reader(folder: &Path) -> PathBuf {
    let program = folder.join("reader");
    let source = golden().parent().unwrap().join("reader.c");
    let status = Command::new("cc").args(["-O2", "-Wall", "-Werror", "-o"]).arg(&program).arg(source).status().unwrap();
    assert!(status.success());
    program
}

fn ask(reader: &Path, book: &Path, key: u64) -> (Option<i32>, Vec<String>) {
    let output = Command::new(reader).arg(book).arg(format!("{key:016x}")).output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
    (output.status.code(), lines)
}

#[test]
fn the_c_reader_agrees_with_the_golden_files_and_with_books_just_written() {
    let (folder, path) = folder();
    let reader = c_reader(folder.path());
    for case in cases().iter().filter(|case| !case.is_journal()) {
        case.lay_out(&path);
        let (code, lines) = ask(&reader, &path, 0x463b_9618_1691_fc9c);
        match case.expect.as_str() {
            "open-refused" if case.rule != "B-11" => assert_eq!((code, lines.len()), (Some(2), 0), "{}", case.name),
            "valid" => assert_eq!(lines, answer(&Book::open(&path).unwrap(), 0x463b_9618_1691_fc9c), "{}", case.name),
            _ => assert!(matches!(code, Some(0 | 1)), "{}", case.name),
        }
    }
    for (seed, load) in [(1, 800), (2, 980)] {
        let path = folder.path().join(format!("{seed}.tabia"));
        let content = sample(seed, 500);
        content.write(&path, Load::from_thousandths(load).unwrap());
        let book = Book::open(&path).unwrap();
        let keys = content.positions.iter().step_by(7).map(Row::key).chain([0, 1, u64::MAX, unmix(u64::MAX)]);
        for key in keys {
            let expected = answer(&book, key);
            let code = i32::from(expected.is_empty());
            assert_eq!(ask(&reader, &path, key), (Some(code), expected));
        }
    }
}
