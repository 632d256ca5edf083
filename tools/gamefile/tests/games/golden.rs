//! The golden files of `format-spec/golden/games.tsv`, which were made from the specification
//! alone: the valid ones hold what `games-answers.tsv` says, of each invalid one the rule is named
//! that it breaks, and pairs merge into what they have to.

use crate::games::{published, read};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use tabia::bytes::Memory;
use tabia::{Env, Existing, Keyed};
use tabia_gamefile::{
    GameFile, GameFileError, GameId, GameLookup, KeptGames, StoredGame, check_game_file,
    merge_games, salvage_games,
};

fn table(name: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(folder().join(name)).unwrap();
    let row = |line: &str| line.split('\t').map(str::to_owned).collect();
    text.lines().skip(1).map(row).collect()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../format-spec/golden")
}

struct Case {
    name: String,
    expect: String,
    rule: String,
    bytes: Vec<u8>,
}

fn cases() -> Vec<Case> {
    let case = |row: Vec<String>| {
        let [name, expect, rule, _, base, patch] = &row[..] else { panic!("{row:?}") };
        let from = if base == "-" { name } else { base };
        let bytes = patched(fs::read(folder().join(from)).unwrap(), patch);
        let name = name.strip_suffix(".tabia-games").unwrap().to_owned();
        Case { name, expect: expect.clone(), rule: rule.clone(), bytes }
    };
    table("games.tsv").into_iter().map(case).collect()
}

/// The bytes with changes: `length=N` and `OFFSET=HEX`.
fn patched(mut bytes: Vec<u8>, patch: &str) -> Vec<u8> {
    for item in patch.split(' ').filter(|item| *item != "-") {
        let (at, value) = item.split_once('=').unwrap();
        if at == "length" {
            bytes.resize(value.parse().unwrap(), 0);
            continue;
        }
        let hex = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
        let at: usize = at.parse().unwrap();
        for (place, pair) in value.as_bytes().chunks(2).enumerate() {
            bytes[at + place] = hex(pair);
        }
    }
    bytes
}

type Opened<'b> = GameFile<Memory<&'b [u8]>>;

fn open(case: &Case) -> Result<Opened<'_>, GameFileError> {
    GameFile::of_bytes(&case.name, Memory(&case.bytes[..]))
}

/// The rules that check names.
fn rules<S: tabia::bytes::Bytes>(file: &GameFile<S>) -> Vec<&'static str> {
    let check = check_game_file(&Env::default(), file).unwrap();
    check.bad.iter().map(|bad| bad.rule).collect()
}

fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('\t', "\\t");
    text.replace('\n', "\\n").replace('\r', "\\r")
}

/// What is read of a file, as games-answers.tsv has it, but for the digests that aren't there.
fn answers(file: &Opened<'_>) -> Vec<String> {
    let header = file.header();
    let keyed = if header.keyed == Keyed::Line { "line" } else { "position" };
    let kept = if header.kept == KeptGames::Named { "named" } else { "all" };
    let mut lines = vec![
        format!("digest {}", header.digest),
        format!("of {} {} {keyed} {kept}", header.game, header.keys),
        format!(
            "counts {} {} {} {} {}",
            header.games, header.plies, header.names, header.sources, header.frames
        ),
    ];
    let all = read(file).unwrap();
    let none = file.game(header.games);
    assert!(matches!(none, Err(GameFileError::Damaged { rule: "G-11", .. })), "{none:?}");
    for (number, game) in all.iter().enumerate() {
        assert_eq!(file.find(game.digest).unwrap().as_ref(), Some(game));
        assert_eq!(file.game(number as u64).unwrap(), *game);
        let id = GameId::of(game.digest);
        assert!(file.with_id(id).unwrap().contains(game));
        let StoredGame { digest, end, year, month, day, ratings: [first, second], .. } = game;
        let result = game.result.map_or(0, |result| 1 + result as u8);
        lines.push(format!("game {digest:012x} {id} {end:08x} {}", game.rank()));
        lines.push(format!("told {result} {year} {month} {day} {first} {second}"));
        lines.push(format!("from {} {}", game.source, game.offset));
        let texts = [
            ("first", &game.players[0]),
            ("second", &game.players[1]),
            ("event", &game.event),
            ("place", &game.site),
            ("round", &game.round),
            ("setup", &game.setup),
        ];
        let known = texts.iter().filter(|(_, text)| !text.is_empty());
        lines.extend(known.map(|(what, text)| format!("{what} {}", escaped(text))));
        let mut moves = "moves".to_owned();
        for run in game.moves.chunk_by(|one, other| one == other) {
            let times = if run.len() > 1 { format!("x{}", run.len()) } else { String::new() };
            write!(moves, " {}{times}", run[0]).unwrap();
        }
        lines.push(moves);
    }
    let mut ends: Vec<u32> = all.iter().map(|game| game.end).collect();
    ends.sort_unstable();
    ends.dedup();
    for end in ends {
        let ending = file.ending_at(end).unwrap();
        let ending: Vec<_> = ending.iter().map(|digest| format!("{digest:012x}")).collect();
        lines.push(format!("ending {end:08x} {}", ending.join(" ")));
    }
    lines
}

#[test]
fn valid_files_hold_what_the_answers_say() {
    let answered = table("games-answers.tsv");
    let mut seen = 0;
    for case in cases() {
        let lines = answered.iter().filter(|row| row[0] == format!("{}.tabia-games", case.name));
        let lines: Vec<&str> = lines.map(|row| row[1].as_str()).collect();
        let has_lines = ["valid", "merge-refused"].contains(&case.expect.as_str());
        assert_eq!(lines.is_empty(), !has_lines, "{}", case.name);
        if lines.is_empty() {
            continue;
        }
        let file = open(&case).unwrap_or_else(|error| panic!("{}: {error}", case.name));
        assert_eq!(rules(&file), Vec::<&str>::new(), "{}", case.name);
        let (absent, there): (Vec<&str>, Vec<&str>) =
            lines.iter().partition(|line| line.starts_with("absent "));
        assert_eq!(answers(&file), there, "{}", case.name);
        for digest in absent.iter().map(|line| &line["absent ".len()..]) {
            assert!(!file.has(u64::from_str_radix(digest, 16).unwrap()).unwrap(), "{digest}");
        }
        seen += 1;
    }
    assert!(seen > 15, "{seen} valid files");
}

#[test]
fn each_rule_is_named_that_an_invalid_file_breaks() {
    let mut broken = Vec::new();
    for case in cases() {
        let opened = open(&case);
        match (case.expect.as_str(), opened) {
            ("valid" | "merge-refused", opened) => drop(opened.unwrap()),
            ("open-refused", Err(GameFileError::Refused { rule, .. })) => {
                assert_eq!(rule, case.rule, "{}", case.name);
                broken.push(rule);
            }
            ("check-finds", Ok(file)) => {
                let rules = rules(&file);
                assert!(rules.contains(&&*case.rule), "{}: {rules:?}", case.name);
                broken.push(rules[0]);
                let _ = (read(&file), file.find(1), file.ending_at(0), file.game(0));
            }
            (expect, opened) => panic!("{}, {expect}: {opened:?}", case.name),
        }
    }
    for rule in 1..=18 {
        let rule = format!("G-{rule}");
        assert!(broken.iter().any(|broken| *broken == rule), "{rule} is broken by none");
    }
}

#[test]
fn salvage_makes_a_sound_file_of_each_that_has_a_header() {
    let folder = tempfile::tempdir().unwrap();
    let (path, saved) = (folder.path().join("a"), folder.path().join("b"));
    let all = cases();
    let whole = open(&all[0]).unwrap().header().digest;
    for case in &all {
        fs::write(&path, &case.bytes).unwrap();
        let said = salvage_games(&Env::default(), &path, &saved).and_then(published);
        // The copy of the header is taken, and any length; but nothing is trusted without sums.
        let is_saved = case.rule == "G-2" || (case.rule == "G-5" && said.is_ok());
        if case.expect == "open-refused" && !is_saved {
            let refused = said.unwrap_err();
            let GameFileError::Refused { rule, .. } = &refused else { panic!("{refused:?}") };
            assert_eq!(*rule, case.rule, "{}: {refused:?}", case.name);
            continue;
        }
        let said = said.unwrap_or_else(|error| panic!("{}: {error}", case.name));
        let file = GameFile::open(&saved).unwrap();
        assert_eq!(rules(&file), Vec::<&str>::new(), "{}", case.name);
        assert_eq!(said.kept, file.header().games, "{}", case.name);
        if case.expect == "valid" {
            assert_eq!(file.header().digest, open(case).unwrap().header().digest, "{}", case.name);
        }
        if ["G-2", "G-8", "G-16", "G-17", "G-18"].contains(&&*case.rule) {
            assert_eq!(file.header().digest, whole, "{}", case.name);
        }
    }
}

#[test]
fn gm2_pairs_merge_into_what_they_have_to() {
    let folder = tempfile::tempdir().unwrap();
    let all = cases();
    let opened = |name: &str| {
        let case = all.iter().find(|case| case.name == name).unwrap();
        let path = folder.path().join(name);
        fs::write(&path, &case.bytes).unwrap();
        GameFile::open(path).unwrap()
    };
    let merge = |names: &[&str]| {
        let files: Vec<_> = names.iter().map(|name| opened(name)).collect();
        let output = folder.path().join("merged");
        let merged = merge_games(&Env::default(), &output, &files, None, None, 0, 1)?;
        let digest = merged.publish(Existing::Replace)?.digest;
        assert_eq!(rules(&GameFile::open(&output)?), Vec::<&str>::new(), "{names:?}");
        Ok::<_, GameFileError>(digest)
    };
    let mut pairs = 0;
    for both in all.iter().filter_map(|case| case.name.strip_suffix("-ab")) {
        let [a, b, ab] = ["a", "b", "ab"].map(|end| format!("{both}-{end}"));
        let expected = opened(&ab).header().digest;
        for order in [&[&*a, &*b][..], &[&b, &a], &[&ab, &a, &b], &[&b, &b, &a]] {
            assert_eq!(merge(order).unwrap(), expected, "{order:?}");
        }
        pairs += 1;
    }
    assert!(pairs >= 4);
    let others = all.iter().filter(|case| case.expect == "merge-refused");
    for other in others.map(|case| &case.name) {
        let error = merge(&["games", other]).unwrap_err();
        let said = match &**other {
            "g-m2-game" => "one is of chess, the other of othello",
            _ => "one has polyglot keys by",
        };
        let is_refused = matches!(error, GameFileError::Incompatible { .. });
        assert!(is_refused && error.to_string().contains(said), "{other}: {error}");
    }
}
