//! Bad input gets one clear line that names the file and says what to do, exit code 2, and leaves
//! every file as it was.

use crate::stage::{Ran, Stage, words};
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::PermissionsExt;

/// Verbs that open this book.
const READERS: [&str; 13] = [
    "info B",
    "explore B",
    "get B 0000000000000001",
    "dump B",
    "diff B B",
    "merge -o new.tabia B",
    "compact B",
    "add B league.pgn",
    "merge --into club.tabia B",
    "merge --into B club.tabia",
    "trim B -o new.tabia --reachable",
    "mark B --move e4 never",
    "play B",
];

fn refused_by_all(stage: &Stage, book: &str, said: &[&str]) {
    for verb in READERS {
        stage.bad(&verb.replace('B', book), said);
    }
}

#[test]
fn a_file_that_is_no_book() {
    let stage = Stage::with_books();
    stage.write("empty", "");
    stage.write("short", b"\x89TABIA\r\n");
    stage.write("noise", (0..=255u8).cycle().take(10_000).collect::<Vec<_>>());
    for name in ["empty", "noise", "odd.pgn"] {
        refused_by_all(&stage, name, &[name, "not a Tabia book"]);
        stage.bad(&format!("check {name}"), &[name, "not a Tabia book"]);
        stage.bad(&format!("salvage {name} -o new.tabia"), &[name]);
    }
    refused_by_all(&stage, "short", &["short", "B-5"]);
    refused_by_all(&stage, "missing.tabia", &["missing.tabia", "check the path"]);
    fs::create_dir(stage.path("folder.tabia")).unwrap();
    for verb in [
        "info folder.tabia",
        "check folder.tabia",
        "dump folder.tabia",
        "compact folder.tabia",
        "add folder.tabia odd.pgn",
    ] {
        stage.bad(verb, &["folder.tabia"]);
    }
}

/// One of a later version, and one with incompatible feature bit 0, as books with ratings had before the
/// format was final.
#[test]
fn b20_books_of_a_newer_and_of_an_unreleased_version_are_refused_in_one_line() {
    let stage = Stage::with_books();
    for (at, bits, said) in [
        (8, 3, ["other.tabia", "version 2", "newer tabia"]),
        (16, 1, ["other.tabia", "unreleased version of Tabia", "build it again"]),
    ] {
        stage.forge("club.tabia", "other.tabia", at, bits);
        refused_by_all(&stage, "other.tabia", &said);
        stage.bad("check other.tabia", &said);
        stage.bad("salvage other.tabia -o new.tabia", &said);
    }
}

#[test]
fn a_cut_tail() {
    let stage = Stage::with_books();
    let bytes = stage.read("club.tabia");
    for length in [9, 4095, 4096, bytes.len() - 4096, bytes.len() - 1] {
        stage.write("cut.tabia", &bytes[..length]);
        stage.bad("info cut.tabia", &["cut.tabia", "B-5", "cut off"]);
    }
    refused_by_all(&stage, "cut.tabia", &["cut.tabia", "B-5", "salvage"]);
}

#[test]
fn a_flipped_bit_in_any_header_field() {
    let stage = Stage::with_books();
    let good = stage.read("club.tabia");
    for at in (0..352).chain([4091, 4092, 4095]) {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        stage.write("bad.tabia", &bytes);
        let ran = stage.run("info bad.tabia");
        ran.is_refusal(&["bad.tabia: "]);
    }
    refused_by_all(&stage, "bad.tabia", &["bad.tabia", "damaged header", "B-2"]);
}

#[test]
fn a_damaged_block_stops_what_reads_it() {
    let stage = Stage::with_books();
    let mut bytes = stage.read("club.tabia");
    bytes[5000] ^= 1;
    stage.write("bad.tabia", &bytes);
    stage.good("add -q bad.tabia odd.pgn");
    for verb in [
        "dump bad.tabia",
        "trim bad.tabia -o new.tabia --reachable",
        "merge -o new.tabia bad.tabia",
        "compact bad.tabia",
        "diff bad.tabia club.tabia",
    ] {
        let before = stage.files();
        let ran = stage.run(verb);
        assert!(
            ran.code == Some(2) && ran.err.contains("B-13") && ran.err.contains("bad.tabia"),
            "{ran:?}"
        );
        assert!(stage.files() == before, "{verb}");
    }
}

#[test]
fn an_output_that_can_t_be() {
    let stage = Stage::with_books();
    fs::create_dir(stage.path("folder")).unwrap();
    for verb in [
        "build OUT odd.pgn",
        "merge OUT league.tabia",
        "salvage league.tabia OUT",
        "trim league.tabia OUT --keep 1",
        "load OUT --game go --keys z odd.pgn",
    ] {
        let verb = |output: &str| verb.replace("OUT", &format!("-o {output}"));
        stage.bad(&verb("club.tabia"), &["club.tabia", "exists already", "--force"]);
        stage.bad(&verb("folder"), &["folder", "this is a folder"]);
        stage.bad(&(verb("folder") + " --force"), &["folder", "this is a folder"]);
        stage.bad(&verb("nowhere/new.tabia"), &["nowhere", "check the path"]);
        stage.bad(&verb("odd.pgn/new.tabia"), &["odd.pgn"]);
        stage.bad(&verb(".."), &["this is a folder"]);
        stage.bad_args(
            words(&verb("X"))
                .into_iter()
                .map(|arg| if arg == "X" { OsString::new() } else { arg })
                .collect(),
            &[],
        );
    }
}

#[test]
fn no_permission() {
    let stage = Stage::with_books();
    fs::create_dir(stage.path("locked")).unwrap();
    fs::set_permissions(stage.path("locked"), fs::Permissions::from_mode(0o555)).unwrap();
    // Who may write anywhere gives that up.
    let prefix = match fs::write(stage.path("locked/probe"), "") {
        Err(_) => "",
        Ok(()) => "setpriv --inh-caps=-all --bounding-set=-all ",
    };
    if !prefix.is_empty() && stage.shell(&format!("{prefix}true")).code != Some(0) {
        return tabia_testing::skip("this user may write anywhere, and setpriv can't change that");
    }
    let refused = |line: &str, said: &[&str]| {
        let before = stage.files();
        stage.shell(&format!("{prefix}tabia {line}")).is_refusal(said);
        assert!(stage.files() == before, "tabia {line} changed files");
    };
    let club = |mode| {
        fs::set_permissions(stage.path("club.tabia"), fs::Permissions::from_mode(mode)).unwrap();
    };
    refused("build -o locked/new.tabia odd.pgn", &["locked", "check the permissions"]);
    refused("merge -o locked/new.tabia club.tabia", &["locked", "check the permissions"]);
    club(0o444);
    refused("add club.tabia odd.pgn", &["club.tabia", "check the permissions"]);
    club(0o000);
    let ran = stage.shell(&format!("{prefix}tabia info club.tabia"));
    ran.is_refusal(&["club.tabia", "check the permissions"]);
}

#[test]
fn paths_that_are_no_utf8_work_and_are_named() {
    let stage = Stage::with_books();
    let name = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
    let book = name(b"b\xff\n.tabia");
    fs::copy(stage.path("club.tabia"), stage.path(&book)).unwrap();
    let ran = Ran::of(stage.command([OsString::from("info"), book.clone()]).output().unwrap());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    fs::copy(stage.path("odd.pgn"), stage.path(name(b"a\xfe.pgn"))).unwrap();
    let add = [OsString::from("add"), "-q".into(), book.clone(), name(b"a\xfe.pgn")];
    assert_eq!(Ran::of(stage.command(add).output().unwrap()).code, Some(0));
    stage.bad_args(vec!["info".into(), name(b"x\xff\n.tabia")], &["x\u{fffd}\\n.tabia"]);
    stage.bad_args(
        vec!["build".into(), "-o".into(), book, "odd.pgn".into()],
        &["b\u{fffd}\\n.tabia", "--force"],
    );
}

#[test]
fn a_book_that_is_being_written() {
    let stage = Stage::with_books();
    let book = fs::File::open(stage.path("club.tabia")).unwrap();
    book.lock().unwrap();
    for verb in
        ["add club.tabia odd.pgn", "compact club.tabia", "merge --into club.tabia league.tabia"]
    {
        stage.bad(verb, &["club.tabia", "another program"]);
    }
    stage.good("explore club.tabia");
}

#[test]
fn force_replaces_books_and_no_other_file() {
    let stage = Stage::with_books();
    stage.write("rows.tsv", stage.good("dump league.tabia"));
    stage.write("empty.tabia", "");
    let mut damaged = stage.read("club.tabia");
    damaged.truncate(100);
    stage.write("damaged.tabia", &damaged);
    let made = [
        "build -q league.pgn",
        "merge -q club.tabia",
        "trim -q club.tabia --min-games 2",
        "salvage -q club.tabia",
        "load -q rows.tsv",
    ];
    for args in made {
        let before = stage.files();
        for foreign in ["club.pgn", "rows.tsv"] {
            if args.contains(foreign) {
                continue;
            }
            stage.run(&format!("{args} --force -o {foreign}")).is_refusal(&["not a Tabia book"]);
            assert!(stage.files() == before, "{args}");
        }
        for book in ["empty.tabia", "damaged.tabia"] {
            stage.good(&format!("{args} --force -o {book}"));
            stage.good(&format!("check -q {book}"));
        }
    }
}

/// Issue 34, item 6: what is to be known of a sound book changes no exit code.
#[test]
fn sound_books_are_ok_by_their_exit_code() {
    let stage = Stage::new();
    let golden = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../format-spec/golden");
    let index = fs::read_to_string(golden.join("INDEX.tsv")).unwrap();
    let mut notes = 0;
    for line in index.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, expect, _, _, base, _] = fields[..] else { panic!("{line}") };
        let is_sound = matches!(expect, "valid" | "copy-refused" | "set-refused");
        if !is_sound || base != "-" || !name.ends_with(".tabia") {
            continue;
        }
        stage.write("golden.tabia", fs::read(golden.join(name)).unwrap());
        let said = stage.run("check golden.tabia");
        assert_eq!(said.code, Some(0), "{name}: {}", said.out);
        assert!(said.out.contains("ok: "), "{name}: {}", said.out);
        notes += u32::from(said.out.contains("without a deviation"));
        assert_eq!(stage.run("check -q golden.tabia").out, "", "{name}");
    }
    assert!(notes >= 8, "{notes}");
}
