//! The examples in the help of every verb can be pasted: they run, one after the other.

use crate::stage::{Stage, data, served};
use std::fs;
use std::path::Path;

fn under<'a>(help: &'a str, heading: &str) -> Vec<&'a str> {
    let lines = help.lines().skip_while(|line| *line != heading).skip(1);
    lines.take_while(|line| line.starts_with("  ")).map(str::trim).collect()
}

/// All verbs, and those that have formats with each of them.
fn verbs(stage: &Stage) -> Vec<String> {
    let first = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
    let help = stage.good("--help");
    let groups = help.split("\nOptions:").next().unwrap_or_default();
    let verbs = groups.lines().filter_map(|line| line.strip_prefix("  ")).map(first);
    let with_formats = |verb: String| {
        let help = stage.good(&format!("{verb} --help"));
        let formats = under(&help, "Formats:").into_iter().map(first);
        [vec![verb.clone()], formats.map(|name| format!("{verb} {name}")).collect()].concat()
    };
    verbs.flat_map(with_formats).collect()
}

#[test]
fn every_example_runs() {
    let files = Stage::new();
    for file in fs::read_dir(data("")).unwrap().map(|file| file.unwrap()) {
        fs::copy(file.path(), files.path(file.file_name())).unwrap();
    }
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/sample.pgn");
    fs::copy(sample, files.path("sample.pgn")).unwrap();
    let made = files.shell(include_str!("../examples.sh"));
    assert_eq!(made.code, Some(0), "{made:?}");
    let verbs = verbs(&files);
    assert!(verbs.len() > 25, "{verbs:?}");
    for verb in verbs {
        let help = files.good(&format!("{verb} --help"));
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
        let examples = under(&help, "Examples:").join("\n").replace("\\\n", "");
        let examples: Vec<String> = examples.lines().map(str::to_owned).collect();
        assert!((2..=4).contains(&examples.len()), "{verb} has {} examples", examples.len());
        let stage = Stage::new();
        stage.shell(&format!("cp -r {}/. .", files.path("").display()));
        for example in examples {
            assert!(example.contains(&format!("tabia {verb}")), "{verb}: {example}");
            let words: Vec<&str> = example.split(' ').collect();
            for pair in words.windows(2) {
                if ["-o", "--scores", "--report", "--errors"].contains(&pair[0]) {
                    for ending in ["", "-journal", "-games"] {
                        let _ = fs::remove_file(stage.path(format!("{}{ending}", pair[1])));
                    }
                }
            }
            let ran =
                stage.shell(&if verb == "serve" { served(&example) } else { example.clone() });
            // A small book need not know a move, and books may differ.
            let differs = ran.code == Some(1) && ["play", "diff"].contains(&verb.as_str());
            assert!(ran.code == Some(0) || differs, "{example}: {ran:?}");
        }
    }
}
