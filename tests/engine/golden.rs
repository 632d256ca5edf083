//! The golden files of the specification, written by an independent program, against the engine and
//! against the readers in C and Python.

use crate::books::{
    checked, folder, merge_new, merged, open, open_all, open_writer, salvaged, sample, write,
};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tabia::format::{Load, TableShape};
use tabia::stream::{RowSet, Rows};
use tabia::{
    BestGame, Book, BookSet, Counts, Env, Error, Existing, MoveRow, PositionRow, Ratings, Row,
    Rule, TableKind, View, WithCells, Writer, Years, check, journal_path, unmix,
};

/// Where golden files are: those of the specification, or larger ones that `tests/golden.sh` makes.
fn golden() -> PathBuf {
    std::env::var_os("TABIA_GOLDEN").map_or_else(specified, PathBuf::from)
}

fn specified() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("format-spec/golden")
}

fn lines(name: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(golden().join(name)).unwrap();
    text.lines().skip(1).map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

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
            fs::copy(golden().join(&self.base), path).unwrap();
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
                let new: Vec<u8> = (0..value.len())
                    .step_by(2)
                    .map(|i| u8::from_str_radix(&value[i..i + 2], 16).unwrap())
                    .collect();
                bytes[at..at + new.len()].copy_from_slice(&new);
            }
        }
        bytes
    }

    /// Whether the header says that it is a packed book.
    fn is_packed(&self) -> bool {
        let image = self.image();
        image.starts_with(b"\x89TABIA\r\n") && image[16] & 16 != 0
    }

    /// Whether it is read, and answers.tsv says what it holds.
    fn is_valid(&self) -> bool {
        self.expect == "valid" || self.expect == "copy-refused"
    }
}

fn position_line(row: &PositionRow) -> String {
    let Counts { wins, draws, losses } = row.counts();
    let eval = row.eval().map_or("-".to_owned(), |eval| eval.to_string());
    let (key, depth, flags) = (row.key(), row.depth(), row.flags());
    format!("position {key:016x} {wins} {draws} {losses} {eval} {depth} {flags:02x}")
}

fn move_line(row: &MoveRow) -> String {
    let Counts { wins, draws, losses } = row.counts();
    let (key, code, marks) = (row.key(), row.code(), row.marks());
    format!("move {key:016x} {code:04x} {wins} {draws} {losses} {marks:02x}")
}

fn move_lines(row: &WithCells<MoveRow>) -> Vec<String> {
    let of = format!("{:016x} {:04x}", row.row.key(), row.row.code());
    let mut lines = vec![move_line(&row.row)];
    if let Some(Ratings { mover_sum, opponent_sum, games, score }) = row.cells.get() {
        lines.push(format!("ratings {of} {mover_sum} {opponent_sum} {games} {score}"));
    }
    if let Some(BestGame { rank, digest }) = row.cells.get() {
        lines.push(format!("game {of} {rank} {digest:012x}"));
    }
    if let Some(Years { first, last }) = row.cells.get() {
        lines.push(format!("years {of} {} {}", first.unwrap_or(0), last.unwrap_or(0)));
    }
    lines
}

/// What a book says of a key, as the C reader prints it.
fn answer(book: &Book, key: u64) -> Vec<String> {
    let (position, moves) = (book.position(key).unwrap(), book.moves(key).unwrap());
    position.iter().map(position_line).chain(moves.iter().map(move_line)).collect()
}

fn answer_with_cells(book: &Book, key: u64) -> Vec<String> {
    let position = book.position(key).unwrap();
    let moves = book.moves_with_cells(key).unwrap();
    let plain = book.moves(key).unwrap();
    assert!(moves.iter().map(|row| row.row).eq(plain.iter().copied()), "{key:016x}");
    position.iter().map(position_line).chain(moves.iter().flat_map(move_lines)).collect()
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
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
    let valid: Vec<_> = cases().into_iter().filter(Case::is_valid).collect();
    assert!(!valid.is_empty() && (valid.len() >= 80 || golden() != specified()), "{}", valid.len());
    for case in valid {
        case.lay_out(&path);
        let book = Book::open(&path).unwrap_or_else(|error| panic!("{}: {error}", case.name));
        let of = if case.is_journal() {
            (case.base.clone(), case.name.clone())
        } else {
            (case.name.clone(), "-".to_owned())
        };
        let expected = &answers[&of];
        compare(&case.name, &book, expected);
        let report = checked(&path);
        assert!(report.ok(), "{}: {:?}", case.name, report.bad);
        if case.expect == "copy-refused" {
            refuse_copies(&case, &path);
        } else {
            compact_and_compare(&case.name, &path, expected);
        }
    }
}

/// Rows and lists of a packed book are all that its bytes follow from.
#[test]
fn valid_packed_files_are_written_again_byte_for_byte() {
    let (_folder, path) = folder();
    let output = path.with_extension("again");
    let mut packed = 0;
    let valid = |case: &Case| case.is_valid() && !case.is_journal() && case.is_packed();
    for case in cases().into_iter().filter(valid) {
        case.lay_out(&path);
        let book = open(&path);
        assert!(book.header().packed, "{}", case.name);
        packed += 1;
        let plain = path.with_extension("plain");
        write_like(&book, false, &plain);
        for from in [book, open(&plain)] {
            write_like(&from, true, &output);
            assert!(fs::read(&output).unwrap() == case.image(), "{}", case.name);
        }
    }
    assert!(packed >= 4);
}

/// What `check` finds in packed books is refused by whoever streams their rows, too, unless it makes
/// no difference to rows.
#[test]
fn b32_streams_refuse_packed_pages_that_say_something_else() {
    let (_folder, path) = folder();
    let rows = |image: &[u8]| {
        fs::write(&path, image).unwrap();
        let book = open(&path);
        let has = |kind| book.header().table(kind).is_some();
        let positions = has(TableKind::Positions).then(|| RowSet::<PositionRow>::rows(&book));
        let moves = has(TableKind::Moves).then(|| RowSet::<MoveRow>::rows(&book));
        let positions = positions.transpose()?.map(Rows::collect).transpose()?;
        Ok::<_, Error>((positions, moves.transpose()?.map(Rows::collect).transpose()?))
    };
    let (mut refused, mut the_same, mut others) = (0, Vec::new(), Vec::new());
    let is_broken = |case: &Case| {
        let rule = ["B-31", "B-32"].contains(&case.rule.as_str());
        case.expect == "check-finds" && rule && case.is_packed()
    };
    let all = cases();
    for case in all.iter().filter(|case| is_broken(case)) {
        let base = if case.base == "-" { "packed-pages.tabia" } else { &case.base };
        let base = all.iter().find(|other| other.name == *base).unwrap();
        match rows(&case.image()) {
            Err(error) => {
                assert!(matches!(error, Error::Damaged { .. }), "{}: {error}", case.name);
                refused += 1;
            }
            Ok(got) if got == rows(&base.image()).unwrap() => the_same.push(&*case.name),
            Ok(_) => others.push(&*case.name),
        }
    }
    let known =
        ["group-buckets", "sum", "rest", "padding", "record-long", "zero", "long", "games-more"];
    assert_eq!(the_same, known.map(|name| format!("b-32-{name}.tabia")));
    // Other books, with checksums of their own: of another triple of a class, of games that know
    // something else, and of evals that are one less.
    let known = ["class-twice", "games-year", "games-rating", "game-0", "game-spelled", "depth"];
    assert_eq!(others, known.map(|name| format!("b-32-{name}.tabia")));
    assert!(refused > 30, "{refused}");
}

#[test]
fn valid_plain_files_are_packed_and_unpacked_byte_for_byte() {
    let (folder, path) = folder();
    let [plain, packed, unpacked] =
        ["plain", "packed", "unpacked"].map(|name| folder.path().join(name));
    let (mut same, mut anew) = (0, Vec::new());
    let valid = |case: &Case| case.expect == "valid" && !case.is_packed();
    for case in cases().into_iter().filter(valid) {
        case.lay_out(&path);
        let book = open(&path);
        write_like(&book, false, &plain);
        write_like(&book, true, &packed);
        let packed_book = open(&packed);
        let report = checked(&packed);
        // A file may have proofs that contradict each other.
        let sound = report.bad.iter().all(|finding| finding.rule == Rule::M3);
        assert!(packed_book.header().packed && sound, "{}: {:?}", case.name, report.bad);
        write_like(&packed_book, false, &unpacked);
        assert!(fs::read(&unpacked).unwrap() == fs::read(&plain).unwrap(), "{}", case.name);
        // What a copy leaves out: a journal, and what this code may pass over.
        if fs::read(&unpacked).unwrap() == fs::read(&path).unwrap() {
            same += 1;
        } else {
            anew.push(case.name);
        }
    }
    anew.retain(|name| !name.ends_with("-journal"));
    println!("{same} files are the same, {anew:?} are without what a copy leaves out");
    if golden() == specified() {
        anew.sort();
        assert_eq!(
            anew,
            ["compatible-features.tabia", "later-release.tabia", "optional-sections.tabia"]
        );
        assert!(same >= 37, "{same}");
    }
}

fn write_like(book: &Book, packed: bool, path: &Path) {
    let new = tabia::NewBook::copy_of(book).unwrap().packed(packed);
    new.write(&Env::default(), path, Existing::Replace).unwrap();
}

/// B-28: what this code doesn't know would be lost.
fn refuse_copies(case: &Case, path: &Path) {
    let unknown = |error: &Error| matches!(error, Error::UnknownColumn { .. });
    let output = path.with_extension("copy");
    let books = [open(path)];
    let error = merge_new(&output, &books).unwrap_err();
    assert!(unknown(&error) && !output.exists(), "{}: {error}", case.name);
    if case.is_journal() {
        let error = open_writer(path).compact().unwrap_err();
        assert!(unknown(&error), "{}: {error}", case.name);
    }
    let report = salvaged(path, &output);
    assert!(!report.unknown_columns.is_empty() && checked(&output).ok(), "{}", case.name);
    fs::remove_file(output).unwrap();
}

fn compare(name: &str, book: &Book, expected: &[String]) {
    let mut rows: Vec<String> = Vec::new();
    if book.has(TableKind::Positions) {
        rows.extend(book.all_positions().unwrap().map(|row| position_line(&row.unwrap().row)));
    }
    if book.has(TableKind::Moves) {
        rows.extend(book.all_moves().unwrap().flat_map(|row| move_lines(&row.unwrap())));
    }
    let of_kind = |kind: &[&str]| -> Vec<&String> {
        expected.iter().filter(|line| kind.iter().any(|kind| line.starts_with(kind))).collect()
    };
    let kinds = ["position ", "move ", "ratings ", "game ", "years "];
    assert_eq!(rows.iter().collect::<Vec<_>>(), of_kind(&kinds), "{name}");
    let source =
        |s: &tabia::Source| format!("source {} {} {}", s.digest, s.games, escaped(&s.name));
    let sources: Vec<_> = book.sources().unwrap().iter().map(source).collect();
    assert_eq!(sources.iter().collect::<Vec<_>>(), of_kind(&["source "]), "{name}");
    let fact = |fact: &tabia::Fact| {
        format!("fact {} {} {}", fact.subject(), fact.name(), escaped(fact.value()))
    };
    let facts: Vec<_> = book.facts().unwrap().iter().map(fact).collect();
    assert_eq!(facts.iter().collect::<Vec<_>>(), of_kind(&["fact "]), "{name}");
    let share = book.header().share;
    let share = (!share.is_whole()).then(|| format!("share {} {}", share.bits(), share.number()));
    assert_eq!(share.iter().collect::<Vec<_>>(), of_kind(&["share "]), "{name}");
    // SAFETY: nobody else has the file.
    #[expect(unsafe_code, reason = "a map is another way to the same rows")]
    let mapped = unsafe { Book::map(book.path()) }.unwrap();
    // Of large books not every key is asked for.
    for line in expected.iter().step_by(1 + expected.len() / 4000) {
        let (kind, rest) = line.split_once(' ').unwrap();
        let key = || hex(rest.split(' ').next().unwrap());
        match kind {
            "absent" => assert_eq!(answer(book, key()), [""; 0], "{name}: {line}"),
            "position" | "move" | "ratings" | "game" | "years" => {
                assert!(answer_with_cells(book, key()).contains(line), "{name}: {line}");
            }
            _ => {}
        }
        if ["absent", "position", "move"].contains(&kind) {
            let key = key();
            let said = (mapped.position(key).unwrap(), mapped.moves(key).unwrap());
            let expected = (book.position(key).unwrap(), book.moves(key).unwrap());
            assert_eq!(said, expected, "{name}: {line}");
        }
    }
}

fn hex(key: &str) -> u64 {
    u64::from_str_radix(key, 16).unwrap()
}

/// The digest that the specification's own writer gives, before and after compaction.
fn compact_and_compare(name: &str, path: &Path, expected: &[String]) {
    let digest = expected.iter().find_map(|line| line.strip_prefix("digest ")).unwrap();
    let compacted = open_writer(path).compact().unwrap();
    let book = Book::open_view(path, View::Bare).unwrap();
    if compacted || !name.ends_with("-journal") {
        assert_eq!(book.digest().to_string(), digest, "{name}");
    }
    let tables = TableKind::ALL.into_iter().filter_map(|kind| {
        let section = book.header().table(kind)?;
        let TableShape { rows, homes, max_displacement: reach, .. } = section.shape;
        Some(format!("table {kind} {rows} {homes} {reach} {}", section.length / 24))
    });
    let expected_tables: Vec<_> =
        expected.iter().filter(|line| line.starts_with("table ")).cloned().collect();
    assert_eq!(tables.collect::<Vec<_>>(), expected_tables, "{name}");
    compare(name, &book, expected);
    assert!(checked(path).ok());
}

#[test]
fn s1_and_s2_sets_are_the_books_that_they_make() {
    let (folder, path) = folder();
    let share = |number: usize| specified().join(format!("share-{number}.tabia"));
    let whole = fs::read(specified().join("share-whole.tabia")).unwrap();
    let books = [3, 0, 2, 1].map(|number| open(share(number)));
    merge_new(&path, &books).unwrap();
    assert!(fs::read(&path).unwrap() == whole);
    let set = BookSet::open(&[share(2), share(1), share(0), share(3)]).unwrap();
    let book = open(&path);
    for row in book.all_positions().unwrap() {
        let key = row.unwrap().row.key();
        assert_eq!(set.position(key).unwrap(), book.position(key).unwrap());
        assert_eq!(set.moves_with_cells(key).unwrap(), book.moves_with_cells(key).unwrap());
    }
    for number in 0..4 {
        let output = folder.path().join(format!("{number}"));
        let bytes = merged(&[&path], tabia::Share::new(2, number), &output);
        assert!(bytes == fs::read(share(number as usize)).unwrap(), "{number}");
    }
    assert!(matches!(BookSet::open(&[share(0), share(1), share(3)]), Err(Error::Shares { .. })));
    let twice = BookSet::open(&[0, 1, 2, 3, 3].map(share)).map(drop);
    assert!(matches!(twice, Err(Error::Shares { .. } | Error::DuplicateSource { .. })));
    for case in cases().iter().filter(|case| case.expect == "set-refused") {
        case.lay_out(&path);
        let set = [share(0), path.clone(), share(2), share(3)];
        let told =
            |error: &Error| matches!(error, Error::Shares { .. } | Error::Incompatible { .. });
        let error = BookSet::open(&set).unwrap_err();
        assert!(told(&error), "{}: {error}", case.name);
        let error = merge_new(&folder.path().join("output"), &open_all(&set)).unwrap_err();
        let is_twice = matches!(error, Error::DuplicateSource { .. });
        assert!(told(&error) || is_twice, "{}: {error}", case.name);
    }
}

#[test]
fn m4_merging_gives_the_bytes_of_the_specification() {
    let (folder, _) = folder();
    let place = |name: &str| specified().join(name);
    for (number, names) in
        [["merge-a.tabia", "merge-b.tabia"], ["merge-b.tabia", "merge-a.tabia"]].iter().enumerate()
    {
        let output = folder.path().join(format!("{number}"));
        let bytes = merged(&names.map(place), None, &output);
        assert!(bytes == fs::read(place("merge-ab.tabia")).unwrap(), "{names:?}");
    }
}

#[test]
fn invalid_files_are_refused_or_reported_under_their_rule() {
    let (_folder, path) = folder();
    for case in cases().iter().filter(|case| !case.is_valid() && case.expect != "set-refused") {
        case.lay_out(&path);
        let report = check(&Env::default(), &path);
        let opened = Book::open(&path);
        let bare = Book::open_view(&path, View::Bare);
        match case.expect.as_str() {
            "open-refused" => assert!(opened.is_err() && bare.is_err(), "{}", case.name),
            "journal-refused" => {
                assert!(opened.is_err() && bare.is_ok(), "{}", case.name);
                let is_foreign = matches!(opened, Err(Error::ForeignJournal { .. }));
                assert_eq!(is_foreign, case.rule == "J-2", "{}", case.name);
            }
            _ => assert!(opened.is_ok(), "{}: {}", case.name, opened.unwrap_err()),
        }
        match report {
            Ok(report) => {
                let rules: Vec<_> = report.bad.iter().map(|finding| finding.rule.name()).collect();
                assert!(rules.contains(&case.rule.as_str()), "{}: {:?}", case.name, report.bad);
            }
            // Not a book, or one of another version: there is nothing to check.
            Err(error) => {
                let is_other = ["B-1", "B-3", "B-4", "B-20"].contains(&case.rule.as_str());
                assert!(is_other, "{}: {error}", case.name);
            }
        }
        if case.expect != "check-finds" {
            assert!(Writer::open(Env::default(), &path).is_err(), "{}", case.name);
            assert_eq!(journal_path(&path).exists(), case.is_journal(), "{}", case.name);
        }
    }
}

/// Streams verify what they read, salvage leaves out what breaks a rule: neither spreads it.
#[test]
fn nothing_invalid_is_carried_into_another_book() {
    let (folder, path) = folder();
    for (number, case) in cases().iter().filter(|case| !case.is_valid()).enumerate() {
        case.lay_out(&path);
        let output = folder.path().join(format!("salvaged-{number}.tabia"));
        if tabia::salvage(&Env::default(), &path, &output, Existing::Refuse).is_ok() {
            let report = checked(&output);
            // Contradicting proofs are what somebody claimed, not damage.
            let holds = report.bad.iter().all(|finding| finding.rule == Rule::M3);
            assert!(holds, "{}: {:?}", case.name, report.bad);
        }
        let Ok(book) = Book::open(&path) else { continue };
        let copy = folder.path().join(format!("copy-{number}.tabia"));
        let unknown = book.header().unknown_columns().next().is_some();
        let refused: Option<fn(&Error) -> bool> = match case.rule.as_str() {
            "B-16" if case.name.contains("order") => {
                Some(|error| matches!(error, Error::Damaged { rule: Rule::B16, .. }))
            }
            "B-22" => Some(|error| matches!(error, Error::Results { .. })),
            "B-24" => Some(|error| matches!(error, Error::Damaged { rule: Rule::B24, .. })),
            // Tags are computed anew, and cells of empty slots are nobody's.
            "B-21" | "B-26" => None,
            _ if unknown => Some(|error| matches!(error, Error::UnknownColumn { .. })),
            // Tags follow from the table; nobody reads them who copies it.
            "B-13" if !case.name.contains("tags") => {
                Some(|error| matches!(error, Error::Damaged { rule: Rule::B13, .. }))
            }
            _ => continue,
        };
        let new = tabia::NewBook::like(book.header()).tables_of(&book);
        match (new.write(&Env::default(), &copy, Existing::Refuse), refused) {
            (Ok(_), None) => {
                assert!(checked(&copy).ok(), "{}", case.name)
            }
            (Err(error), Some(refused)) => {
                assert!(refused(&error) && !copy.exists(), "{}: {error}", case.name)
            }
            (written, _) => panic!("{}: {written:?}", case.name),
        }
    }
}

/// Compiles the C reader as its users would.
fn c_reader(folder: &Path) -> PathBuf {
    let program = folder.join("reader");
    let source = specified().parent().unwrap().join("reader.c");
    let status = Command::new("cc")
        .args(["-O2", "-Wall", "-Werror", "-o"])
        .arg(&program)
        .arg(source)
        .status()
        .unwrap();
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
        if case.is_packed() {
            assert_eq!((code, lines.len()), (Some(2), 0), "{}: reads no packed books", case.name);
            continue;
        }
        match case.expect.as_str() {
            "open-refused" if case.rule != "B-11" => {
                assert_eq!((code, lines.len()), (Some(2), 0), "{}", case.name)
            }
            "valid" | "copy-refused" => {
                assert_eq!(lines, answer(&open(&path), 0x463b_9618_1691_fc9c), "{}", case.name)
            }
            _ => assert!(matches!(code, Some(0 | 1)), "{}", case.name),
        }
    }
    for (seed, load) in [(1, 800), (2, 980)] {
        let path = folder.path().join(format!("{seed}.tabia"));
        let content = sample(seed, 500);
        write(content.new_book().load(Load::from_thousandths(load).unwrap()), &path);
        let book = open(&path);
        let keys = content.positions.iter().step_by(7).map(Row::key).chain([
            0,
            1,
            u64::MAX,
            unmix(u64::MAX),
        ]);
        for key in keys {
            let expected = answer(&book, key);
            let code = i32::from(expected.is_empty());
            assert_eq!(ask(&reader, &path, key), (Some(code), expected));
        }
    }
}

/// The reader in Python: every golden book, its rows, columns and probes.
#[test]
fn the_python_reader_agrees_with_the_golden_files() {
    let Some(python) = tabia_testing::program("python3") else { return };
    let script = specified().join("check_reader.py");
    let output = Command::new(python).arg(script).arg("--python").output().unwrap();
    let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{out}{err}");
}
