//! The golden files of the specification, written by an independent program, against the engine and against the C reader.

use crate::books::{folder, sample};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tabia::bytes::Bytes;
use tabia::format::{Fact, Header, Load, Section, Source};
use tabia::{
    BestGame, Book, BookSet, Env, Error, MergeOptions, MoveRow, NewBook, PositionRow, Ratings, Row, TableKind, View, WithCells, Writer, Years,
    check, journal_path, merge, merge_into, unmix,
};

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

    /// Whether answers.tsv says what it holds.
    fn is_answered(&self) -> bool {
        self.expect == "valid" || self.expect == "copy-refused"
    }

    /// The book and the journal, as answers.tsv names them.
    fn answers_as(&self) -> (String, String) {
        if !self.is_journal() {
            return (self.name.clone(), "-".to_owned());
        }
        let base = if self.base == "-" { self.name.trim_end_matches("-journal") } else { &self.base };
        (base.to_owned(), self.name.clone())
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

/// A move, and a line for each cell that it has.
fn move_lines(row: &WithCells<MoveRow>) -> Vec<String> {
    let of = format!("{:016x} {:04x}", row.row.key(), row.row.code());
    let mut lines = vec![move_line(&row.row)];
    let year = |year: Option<u16>| year.unwrap_or_default();
    lines.extend(row.cells.get::<Ratings>().map(|r| format!("ratings {of} {} {} {} {}", r.mover_sum, r.opponent_sum, r.games, r.score)));
    lines.extend(row.cells.get::<BestGame>().map(|game| format!("game {of} {} {:012x}", game.rank, game.digest)));
    lines.extend(row.cells.get::<Years>().map(|years| format!("years {of} {} {}", year(years.first), year(years.last))));
    lines
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
}

fn source_line(source: &Source) -> String {
    format!("source {} {} {}", source.digest, source.games, escaped(&source.name))
}

fn fact_line(fact: &Fact) -> String {
    format!("fact {} {} {}", fact.subject(), fact.name(), escaped(fact.value()))
}

fn table_line(kind: TableKind, section: &Section) -> String {
    let shape = section.shape;
    format!("table {kind} {} {} {} {}", shape.rows, shape.homes, shape.reach, shape.slots())
}

/// What a header says: the share and the tables.
fn header_lines(header: &Header) -> Vec<String> {
    let share = header.share;
    let mut lines = if share.is_whole() { Vec::new() } else { vec![format!("share {} {}", share.bits(), share.number())] };
    let tables = [TableKind::Positions, TableKind::Moves].into_iter();
    lines.extend(tables.filter_map(|kind| header.table(kind).map(|section| table_line(kind, section))));
    lines
}

/// What a book says of a key.
fn answer_with_cells<S: Bytes>(book: &Book<S>, key: u64) -> Vec<String> {
    let mut lines: Vec<_> = book.position(key).unwrap().iter().map(position_line).collect();
    let moves = book.moves_with_cells(key).unwrap();
    assert!(book.moves(key).unwrap().iter().copied().eq(moves.iter().map(|row| row.row)));
    lines.extend(moves.iter().flat_map(move_lines));
    lines
}

/// What a book says of a key, as the C reader prints it.
fn answer(book: &Book, key: u64) -> Vec<String> {
    let mut lines: Vec<_> = book.position(key).unwrap().iter().map(position_line).collect();
    lines.extend(book.moves(key).unwrap().iter().map(move_line));
    lines
}

type Answers = BTreeMap<(String, String), Vec<String>>;

fn answers() -> Answers {
    let mut answers = Answers::new();
    for mut row in lines("answers.tsv") {
        let line = row.remove(2);
        let journal = row.remove(1);
        answers.entry((row.remove(0), journal)).or_default().push(line);
    }
    answers
}

#[test]
fn valid_files_hold_what_the_specification_says() {
    let mut answers = answers();
    let (_folder, path) = folder();
    let valid: Vec<_> = cases().into_iter().filter(Case::is_answered).collect();
    assert!(valid.len() >= 90);
    for case in valid {
        case.lay_out(&path);
        let book = Book::open(&path).unwrap_or_else(|error| panic!("{}: {error}", case.name));
        let expected = answers.remove(&case.answers_as()).unwrap();
        compare(&case.name, &book, &expected);
        // SAFETY: nobody writes to the file.
        #[expect(unsafe_code, reason = "a map is another way to the same rows")]
        let mapped = unsafe { Book::map(&path) }.unwrap();
        compare(&case.name, &mapped, &expected);
        if !case.is_journal() {
            compare(&case.name, &Book::from_bytes(fs::read(&path).unwrap()).unwrap(), &expected);
            assert_eq!(header_lines(book.header()), of_kind(&expected, &["share ", "table "]), "{}", case.name);
        }
        let report = check(&Env::default(), &path).unwrap();
        assert!(report.ok(), "{}: {:?}", case.name, report.bad);
        if case.expect == "copy-refused" {
            assert_not_copied(&case.name, &path);
        } else {
            compact_and_compare(&case.name, &path, &expected);
        }
    }
    assert!(answers.is_empty(), "{:?}", answers.keys());
}

fn of_kind(lines: &[String], kinds: &[&str]) -> Vec<String> {
    lines.iter().filter(|line| kinds.iter().any(|kind| line.starts_with(kind))).cloned().collect()
}

fn compare<S: Bytes>(name: &str, book: &Book<S>, expected: &[String]) {
    let mut rows: Vec<String> = Vec::new();
    if book.has(TableKind::Positions) {
        rows.extend(crate::books::collect::<PositionRow>(book).iter().map(position_line));
    }
    if book.has(TableKind::Moves) {
        rows.extend(crate::books::chunk::<MoveRow>(book).iter().flat_map(|row| move_lines(&row)));
    }
    assert_eq!(rows, of_kind(expected, &["position ", "move ", "ratings ", "game ", "years "]), "{name}");
    let listed = book.sources().unwrap().iter().map(source_line).chain(book.facts().unwrap().iter().map(fact_line)).collect::<Vec<_>>();
    assert_eq!(listed, of_kind(expected, &["source ", "fact "]), "{name}");
    for line in expected {
        let (kind, rest) = line.split_once(' ').unwrap();
        let key = rest.split(' ').next().unwrap();
        match kind {
            "absent" => assert_eq!(answer_with_cells(book, hex(key)), [""; 0], "{name}: {line}"),
            "position" | "move" | "ratings" | "game" | "years" => {
                assert!(answer_with_cells(book, hex(key)).contains(line), "{name}: {line}");
            }
            "digest" | "share" | "table" | "source" | "fact" => {}
            _ => panic!("{line}"),
        }
    }
    let keys: Vec<u64> = of_kind(expected, &["position ", "absent "]).iter().map(|line| hex(line.split(' ').nth(1).unwrap())).collect();
    let mut found = vec![None; keys.len()];
    book.positions(&keys, &mut found).unwrap();
    assert!(keys.iter().zip(found).all(|(&key, row)| book.position(key).unwrap() == row), "{name}");
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
        assert_eq!(header_lines(book.header()), of_kind(expected, &["share ", "table "]), "{name}");
    }
    compare(name, &book, expected);
    assert!(check(&Env::default(), path).unwrap().ok());
}

/// B-28: no new book is made of one with a column that nobody knows; salvage leaves it out.
fn assert_not_copied(name: &str, path: &Path) {
    let before = (fs::read(path).unwrap(), fs::read(journal_path(path)).ok());
    let refused = |error: Error| assert!(matches!(error, Error::UnknownColumn { .. }), "{name}: {error}");
    let output = path.with_extension("copy");
    let books = [Book::open(path).unwrap()];
    refused(merge(&Env::default(), &output, &books, MergeOptions::default()).unwrap_err());
    let target = path.with_extension("target");
    let empty: (Vec<PositionRow>, Vec<MoveRow>) = Default::default();
    let new = NewBook::like(books[0].header());
    let new = if books[0].has(TableKind::Positions) { new.positions(&empty.0) } else { new };
    let new = if books[0].has(TableKind::Moves) { new.moves(&empty.1) } else { new };
    new.write(&Env::default(), &target, false).unwrap();
    refused(merge_into(&Env::default(), &target, &books, false).unwrap_err());
    let mut writer = Writer::open(Env::default(), path).unwrap();
    if writer.journal().frames > 0 {
        refused(writer.compact().unwrap_err());
    } else {
        assert!(!writer.compact().unwrap(), "{name}");
    }
    assert!((fs::read(path).unwrap(), fs::read(journal_path(path)).ok()) == before && !output.exists(), "{name}");
    let report = tabia::salvage(&Env::default(), path, &output, false).unwrap();
    assert!(!report.unknown_columns.is_empty() && report.bad.is_empty(), "{name}: {:?}", report.bad);
    let copy = Book::open(&output).unwrap();
    assert!(copy.header().unknown_columns().next().is_none());
    assert!(check(&Env::default(), &output).unwrap().ok());
    fs::remove_file(&output).unwrap();
    fs::remove_file(&target).unwrap();
}

#[test]
fn invalid_files_are_refused_or_reported_under_their_rule() {
    let (_folder, path) = folder();
    for case in cases().iter().filter(|case| !case.is_answered() && case.expect != "set-refused") {
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
            Err(error) => assert!(["B-1", "B-3", "B-4", "B-20"].contains(&case.rule.as_str()), "{}: {error}", case.name),
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
    for (number, case) in cases().iter().filter(|case| !case.is_answered() && case.expect != "set-refused").enumerate() {
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
            assert!(matches!(error, Error::Damaged { rule: "B-16", .. }), "{}: {error}", case.name);
        } else if case.rule == "B-22" {
            assert!(
                matches!(new.write(&Env::default(), &copy, false), Err(Error::Results { .. })) && !copy.exists(),
                "{}",
                case.name
            );
        } else if case.rule == "B-24" {
            let error = new.write(&Env::default(), &copy, false).unwrap_err();
            assert!(matches!(error, Error::Share { .. }) && !copy.exists(), "{}: {error}", case.name);
        } else if case.rule == "B-13" && case.name.contains("unknown") {
            assert!(book.header().unknown_columns().next().is_some());
        } else if case.rule == "B-13" && case.name.contains("tags") {
            // Tags are computed anew.
            new.write(&Env::default(), &copy, false).unwrap();
            assert!(check(&Env::default(), &copy).unwrap().ok());
        } else if case.rule == "B-13" {
            let error = new.write(&Env::default(), &copy, false).unwrap_err();
            assert!(matches!(error, Error::Damaged { rule: "B-13", .. }) && !copy.exists(), "{}: {error}", case.name);
        } else if case.rule == "B-21" || case.rule == "B-26" {
            new.write(&Env::default(), &copy, false).unwrap();
            assert!(check(&Env::default(), &copy).unwrap().ok(), "{}", case.name);
        }
    }
}

/// The books of some golden names, laid out beside each other.
fn laid_out(folder: &Path, names: &[&str]) -> Vec<PathBuf> {
    let all = cases();
    let lay = |name: &&str| {
        let path = folder.join(name);
        all.iter().find(|case| case.name == **name).unwrap().lay_out(&path);
        path
    };
    names.iter().map(lay).collect()
}

fn open_all(paths: &[PathBuf]) -> Vec<Book> {
    paths.iter().map(|path| Book::open(path).unwrap()).collect()
}

#[test]
fn m8_merged_books_are_those_of_the_specification() {
    let (folder, path) = folder();
    let mut paths = laid_out(folder.path(), &["merge-a.tabia", "merge-b.tabia"]);
    let expected = fs::read(golden().join("merge-ab.tabia")).unwrap();
    for _ in 0..2 {
        let options = MergeOptions { allow_duplicate_sources: true, replace: true, ..MergeOptions::default() };
        merge(&Env::default(), &path, &open_all(&paths), options).unwrap();
        assert!(fs::read(&path).unwrap() == expected);
        paths.reverse();
    }
}

#[test]
fn s1_shares_of_the_specification_make_its_whole_and_no_others_do() {
    let (folder, path) = folder();
    let names = ["share-0.tabia", "share-1.tabia", "share-2.tabia", "share-3.tabia"];
    let shares = laid_out(folder.path(), &names);
    let [whole] = &laid_out(folder.path(), &["share-whole.tabia"])[..] else { unreachable!() };
    let options = || MergeOptions { replace: true, ..MergeOptions::default() };
    merge(&Env::default(), &path, &open_all(&shares), options()).unwrap();
    assert!(fs::read(&path).unwrap() == fs::read(whole).unwrap());
    let whole = Book::open(whole).unwrap();
    let set = BookSet::open(&shares).unwrap();
    assert_eq!(crate::books::collect::<PositionRow>(&set), crate::books::collect::<PositionRow>(&whole));
    assert_eq!(crate::books::chunk::<MoveRow>(&set), crate::books::chunk::<MoveRow>(&whole));
    assert_eq!((set.sources().unwrap(), set.facts().unwrap()), (whole.sources().unwrap(), whole.facts().unwrap()));
    // And back: each share of the whole is the golden one.
    for (number, share) in shares.iter().enumerate() {
        let options = MergeOptions { share: tabia::Share::new(2, number as u32), ..options() };
        merge(&Env::default(), &path, std::slice::from_ref(&whole), options).unwrap();
        assert!(fs::read(&path).unwrap() == fs::read(share).unwrap(), "share {number}");
    }
    let output = folder.path().join("refused.tabia");
    for case in cases().iter().filter(|case| case.expect == "set-refused") {
        let other = folder.path().join(&case.name);
        case.lay_out(&other);
        let mut set = shares.clone();
        set[1] = other;
        assert!(check(&Env::default(), &set[1]).unwrap().ok(), "{}", case.name);
        let is_told = |error: &Error| matches!(error, Error::Shares { .. } | Error::Incompatible { .. });
        let error = BookSet::open(&set).map(drop).unwrap_err();
        assert!(is_told(&error), "{}: {error}", case.name);
        let error = merge(&Env::default(), &output, &open_all(&set), options()).unwrap_err();
        assert!(is_told(&error) && !output.exists(), "{}: {error}", case.name);
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
            "valid" | "copy-refused" | "set-refused" => assert_eq!(lines, answer(&Book::open(&path).unwrap(), 0x463b_9618_1691_fc9c), "{}", case.name),
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
