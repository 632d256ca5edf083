//! Sessions, as users have them: files in `tests/sessions` with commands behind `$` and what they
//! print. `SNAPSHOTS=overwrite` writes what they print now.

use crate::stage::{Stage, data};
use snapbox::{Assert, Data};
use std::fs;
use std::path::{Path, PathBuf};

/// A test for each file, and one that there are no others.
macro_rules! sessions {
    ($($name:ident)+) => {
        $(#[test]
        fn $name() {
            replay(stringify!($name));
        })+

        #[test]
        fn every_file_is_tested() {
            let files = fs::read_dir(folder()).unwrap().map(|file| file.unwrap().file_name());
            let mut files: Vec<_> = files.map(|name| name.into_string().unwrap()).collect();
            files.sort_unstable();
            assert_eq!(files, [$(concat!(stringify!($name), ".md")),+]);
        }
    };
}

sessions! {
    archives arguments bad_files build change check columns copies dump edits engine expanded explore filters foreign games games_file grow learn mark matches mix moved odd
    pack parquet plan play playing polyglot repertoire shares site stats terminal top_games tree trees trim undo variants
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sessions")
}

/// Does what a file says, in a folder of its own with the archives of the tests in it, and compares
/// what is printed.
fn replay(name: &str) {
    let path = folder().join(name).with_extension("md");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let stage = Stage::new();
    for file in fs::read_dir(data("")).unwrap().map(|file| file.unwrap()) {
        fs::copy(file.path(), stage.path(file.file_name())).unwrap();
    }
    let (mut now, mut steps, mut is_session) = (String::new(), 0, false);
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let command = line.strip_prefix("$ ").filter(|_| is_session);
        if line.starts_with("```") {
            is_session = line == "```console";
        }
        if command.is_some() || !is_session || line.starts_with("```") {
            now += &format!("{line}\n");
        }
        let Some(first) = command else { continue };
        let mut command = first.to_owned();
        while let Some(more) = lines.next_if(|line| line.starts_with("> ") || *line == ">") {
            now += &format!("{more}\n");
            command += &format!("\n{}", more.get(2..).unwrap_or_default());
        }
        now += &step(&stage, &command);
        steps += 1;
    }
    assert!(steps > 0 && !is_session, "{name}: no session, or one that doesn't end");
    Assert::new()
        .action_env("SNAPSHOTS")
        .normalize_paths(false)
        .eq(now, Data::read_from(&path, None));
}

/// What a command prints, the code it exits with if that isn't 0, and that it keeps the laws: what
/// can't be done is one line on standard error, and changes nothing.
fn step(stage: &Stage, command: &str) -> String {
    let before = stage.files();
    let ran = stage.shell(command);
    if command.starts_with("tabia ") && ran.code == Some(2) {
        ran.is_refusal(&[]);
        assert!(stage.files() == before, "{command}: files were changed");
    }
    // So that the file tells which of both a line was printed to.
    let is_told = |line: &str| line.starts_with("tabia: ") || line.starts_with("tabia-match: ");
    assert!(!ran.out.lines().any(is_told), "{command}: {ran:?}");
    assert!(ran.err.lines().all(is_told), "{command}: {ran:?}");
    let code = ran.code.unwrap_or_else(|| panic!("{command}: killed: {ran:?}"));
    let code = if code == 0 { String::new() } else { format!("? {code}\n") };
    [timeless(&ran.out), ran.err, code].concat()
}

/// The lines of a text, without the times in them.
fn timeless(text: &str) -> String {
    let line = |line: &str| match line.split_once("\"seconds\":") {
        Some((before, after)) => {
            let rest = after.trim_start_matches(|letter: char| "0123456789.".contains(letter));
            format!("{before}\"seconds\":[..]{rest}\n")
        }
        None if line.starts_with("seconds  ") => "seconds             [..]\n".to_owned(),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}
