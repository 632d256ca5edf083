//! `explore --interactive` on a pseudoterminal, made by `script` of util-linux: what it draws, and
//! that the terminal is afterwards as it was before, however it ends.

use crate::stage::Stage;

/// What a terminal is sent at the beginning and in the end.
const ENTER: &str = "\x1b[?1049h";
const LEAVE: &str = "\x1b[?1049l";

/// Whether there is a `script` that makes a terminal.
fn has_script(stage: &Stage) -> bool {
    let is_there = stage.shell("script -qec true /dev/null").code == Some(0);
    if !is_there {
        tabia_testing::skip("there is no `script` of util-linux");
    }
    is_there
}

/// Runs the command on a terminal on which these keys are pressed every now and then; what the
/// terminal was sent. It is the same before and after, and the command ends by itself.
fn on_terminal(stage: &Stage, keys: &str, command: &str) -> String {
    let press = format!("for n in 1 2 3 4 5 6 7 8 9; do sleep 0.4; printf '{keys}'; done");
    let inner = format!("stty -a > before; {command}; echo $? > code; stty -a > after");
    let ran =
        stage.shell(&format!("({press}) | timeout 60 script -qec '{inner}' seen > /dev/null"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let seen = String::from_utf8_lossy(&stage.read("seen")).into_owned();
    assert_eq!(stage.read("before"), stage.read("after"), "{seen}");
    let (enter, leave) = (seen.rfind(ENTER), seen.rfind(LEAVE));
    assert!(enter.is_some() && leave > enter, "{seen:?}");
    seen
}

#[test]
fn a_walk_with_keys_shows_positions_and_leaves_the_terminal_as_it_was() {
    let stage = Stage::with_books();
    if !has_script(&stage) {
        return;
    }
    let seen = on_terminal(&stage, "lq", "tabia explore -i club.tabia");
    assert_eq!(stage.read("code"), b"0\n", "{seen:?}");
    assert!(seen.contains("the start of the line") && seen.contains("1. e4"), "{seen:?}");
    on_terminal(&stage, "\\003", "tabia explore -i club.tabia");
    assert_eq!(stage.read("code"), b"0\n");
}

#[test]
fn a_walk_that_is_ended_from_outside_leaves_the_terminal_as_it_was() {
    let stage = Stage::with_books();
    if !has_script(&stage) {
        return;
    }
    for signal in ["TERM", "INT", "HUP"] {
        let command = format!(
            "timeout --foreground --preserve-status -s {signal} 2 tabia explore -i club.tabia"
        );
        on_terminal(&stage, "j", &command);
        assert_eq!(stage.read("code"), b"130\n", "{signal}");
    }
}
