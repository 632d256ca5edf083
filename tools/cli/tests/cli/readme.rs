//! What the README says is true: its commands run, and show what it shows.

use crate::stage::{Stage, served};
use std::path::Path;

fn readme() -> String {
    std::fs::read_to_string(root().join("README.md")).expect("the README")
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn blocks<'a>(readme: &'a str, language: &str) -> Vec<&'a str> {
    let start = format!("```{language}\n");
    readme.split(&start).skip(1).map(|rest| rest.split("```").next().unwrap_or_default()).collect()
}

/// A folder as a clone of the project is, as far as the README's commands look at it.
fn clone() -> Stage {
    let stage = Stage::new();
    ["tests", "target", "bin"]
        .iter()
        .for_each(|folder| std::fs::create_dir(stage.path(folder)).expect("a folder"));
    std::fs::copy(root().join("tests/sample.pgn"), stage.path("tests/sample.pgn"))
        .expect("the sample archive");
    stage
}

#[test]
fn the_first_command_builds_a_book_and_shows_it_and_the_second_is_what_ci_runs() {
    let (text, stage) = (readme(), clone());
    let start = blocks(&text, "sh");
    let (install, rest) = start[0].split_once(" && ").expect("several commands");
    assert_eq!(install, "cargo install --locked --path tools/cli");
    let ran = stage.shell(rest);
    assert!(
        ran.code == Some(0) && ran.out.contains("games read") && ran.out.contains("White to move"),
        "{ran:?}"
    );
    let second = start[1].trim();
    let ci = std::fs::read_to_string(root().join(".ci/run")).expect("CI");
    assert!(ci.contains(second.trim_start_matches("./")), "CI runs {ci}");

    let shown = text
        .split("`tabia explore target/sample.tabia")
        .nth(1)
        .and_then(|rest| rest.split('`').next())
        .expect("a command");
    let ran = stage.shell(&format!("tabia explore target/sample.tabia{shown}"));
    for line in blocks(&text, "text")[0].lines().filter(|line| !line.is_empty()) {
        let holds = ran.out.lines().any(|shown| shown.trim_end() == line.trim_end());
        assert!(holds, "{line:?} is not in {}", ran.out);
    }
}

#[test]
fn the_commands_run_one_after_the_other() {
    let (text, stage) = (readme(), clone());
    stage.write(
        "new.pgn.zst",
        zstd::encode_all(&stage.read("league.pgn")[..], 1).expect("compressed"),
    );
    stage.copy("club.pgn", "this-week.pgn");
    stage.good("build -q -o other.tabia tests/sample.pgn");
    for line in blocks(&text, "sh")[2].lines() {
        let is_served = line.starts_with("tabia serve");
        let ran = stage.shell(&if is_served { served(line) } else { line.to_owned() });
        // A small book need not know a move.
        let holds = ran.code == Some(0) || (line.starts_with("tabia play") && ran.code == Some(1));
        assert!(holds, "{line}: {ran:?}");
    }
    stage.good("unpack -q small.tabia -o plain.tabia");
    assert!(stage.read("plain.tabia") == stage.read("all.tabia"));
}

#[test]
fn the_script_for_a_gui_is_an_engine() {
    let (text, stage) = (readme(), clone());
    stage.good("build -q -o masters.tabia tests/sample.pgn");
    stage.write(
        "bin/stockfish",
        "#!/bin/sh\necho 'uciok'\nwhile read -r line; do [ \"$line\" = quit ] && exit; [ \"$line\" = isready ] && echo readyok; done\n",
    );
    let made = stage.shell(&format!("chmod +x bin/stockfish; {}", blocks(&text, "sh")[3]));
    assert_eq!(made.code, Some(0), "{made:?}");
    let talk = "printf 'uci\\nisready\\nposition startpos moves e2e4 c7c5\\ngo movetime 10\\nquit\\n' | PATH=\"$HOME/bin:$PATH\" booked";
    let ran = stage.shell(talk);
    assert!(
        ran.out.contains("uciok") && ran.out.contains("readyok") && ran.out.contains("bestmove "),
        "{ran:?}"
    );
}
