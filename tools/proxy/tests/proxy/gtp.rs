//! GTP by scripts.

use crate::shared::{Scene, act, check, settings, stack};
use proptest::prelude::*;
use std::collections::VecDeque;
use tabia_games::go::Symmetry;
use tabia_games::gtp::GtpGame;
use tabia_games::{Checkers, Go, Othello};
use tabia_proxy::{BookStack, Gtp, ProxyProtocol};
use tabia_testing::scripts;

const LINES: [&str; 4] = ["E5 C5 E3", "E5 C5 E3", "E5 G5", "C3 G7"];

const BEGIN: &str = "G= boardsize 9\nG= clear_board\n";

#[test]
fn scripts_are_followed() {
    scripts(include_str!("scripts/gtp.txt"), |script| {
        let start = Go::start(9, Symmetry::None).unwrap();
        act(&start, &LINES, &format!("{BEGIN}{script}"), |settings| Gtp::new(settings, start));
    });
}

#[test]
fn what_isnt_known_is_the_engines() {
    for (command, answer) in [
        ("loadsgf game.sgf", "= white"),
        ("boardsize 13", "="),
        ("play b pass extra", "="),
        ("play w C3", "="),
        ("set_game Amazons", "="),
        ("black E5", "="),
        ("boardsize", "? no"),
    ] {
        let is_refused = answer.starts_with('?');
        let start = Go::start(9, Symmetry::None).unwrap();
        let (_folder, stack) = stack(&start, &LINES);
        let mut scene = Scene::new(Gtp::new(settings(), start), &stack);
        scene.follow(BEGIN);
        assert_eq!(scene.gui(command), [format!("> {command}")]);
        assert_eq!(scene.protocol.waits(), !is_refused, "{command}");
        scene.engine(answer);
        let notes = scene.engine("").into_iter().filter(|said| said.starts_with('!')).count();
        assert_eq!(notes, usize::from(command == "boardsize 13"));
        let expected = if is_refused { "> play b E5" } else { "> genmove b" };
        assert_eq!(scene.gui("genmove b"), [expected], "{command}");
    }
}

#[test]
fn handicap_is_followed() {
    let start = Go::start(9, Symmetry::None).unwrap();
    let stones = start.with_handicap("C3 G7").unwrap();
    let (_folder, stack) = stack(&stones, &["E5"]);
    for (command, answer) in [
        ("fixed_handicap 2", "= C3 G7"),
        ("place_free_handicap 2", "= G7 C3"),
        ("set_free_handicap C3 G7", "="),
    ] {
        let mut scene = Scene::new(Gtp::new(settings(), start), &stack);
        scene.follow(BEGIN);
        scene.gui(command);
        scene.engine(answer);
        scene.engine("");
        assert_eq!(scene.gui("genmove w"), ["> play w E5"], "{command}");
    }
}

#[test]
fn a_gui_that_talks_on_is_heard_after_the_move() {
    let start = Go::start(9, Symmetry::None).unwrap();
    let (_folder, stack) = stack(&start, &LINES);
    let mut scene = Scene::new(Gtp::new(settings(), start), &stack);
    let mut waited = Vec::new();
    for (is_gui, line) in [
        (true, "boardsize 9"),
        (false, "="),
        (false, ""),
        (true, "showboard"),
        (true, "genmove b"),
        (false, "= board"),
        (false, ""),
        (false, "="),
        (false, ""),
    ] {
        if is_gui {
            scene.gui(line)
        } else {
            scene.engine(line)
        };
        waited.push(scene.protocol.waits());
    }
    assert_eq!(waited, [true, true, false, false, true, true, true, true, false]);
}

#[test]
fn othello_is_played_with_capital_letters() {
    let start = Othello::start();
    let (_folder, stack) = stack(&start, &["f5 d6 c3"]);
    Scene::new(Gtp::new(settings(), start), &stack).follow(include_str!("scripts/gtp_othello.txt"));
}

#[test]
fn draughts_are_played_by_who_moves_first_and_captures_by_their_way() {
    let start = Checkers::english();
    let (_folder, stack) = stack(&start, &["11-15 22-18 15x22 25x18"]);
    Scene::new(Gtp::new(settings(), start), &stack)
        .follow(include_str!("scripts/gtp_draughts.txt"));
    let start = Checkers::international();
    let (_folder, other) = crate::shared::stack(&start, &["32-28"]);
    let mut scene = Scene::new(Gtp::new(settings(), start), &other);
    assert_eq!(scene.gui("genmove b"), ["> genmove b"]);
    scene.engine("? white is to move");
    scene.engine("");
    assert_eq!(scene.gui("genmove white"), ["> play w 32-28"]);
}

const COMMANDS: &str = "boardsize 9|clear_board|genmove b|genmove w|genmove|play b E5|play w C5|play b nonsense|\
    undo|reg_genmove b|list_commands|known_command tabia-why|tabia-book|tabia-why|tabia-seed 3|\
    tabia-option|tabia-option BookDepth 3|tabia-option x y|kata-genmove_analyze b|\u{2}name # ours";

/// Each command has one answer, with its number, in order, whatever the engine accepts and refuses.
#[test]
fn each_command_has_one_answer() {
    let start = Go::start(9, Symmetry::None).unwrap();
    let (_folder, stack) = stack(&start, &LINES);
    let command = proptest::sample::select(COMMANDS.split('|').collect::<Vec<_>>());
    let steps = proptest::collection::vec((command, any::<bool>(), 0_usize..3), 1..60);
    check(&steps, |steps| each_has_one_answer(&stack, &steps));
}

/// `steps` are commands, whether the engine accepts what it answers next, and how many answers it
/// gives before the next command.
fn each_has_one_answer(
    stack: &BookStack,
    steps: &[(&str, bool, usize)],
) -> Result<(), TestCaseError> {
    let mut scene = Scene::new(Gtp::new(settings(), Go::start(9, Symmetry::None).unwrap()), stack);
    let (mut unanswered, mut text) = (VecDeque::<String>::new(), String::new());
    let mut hear = |unanswered: &mut VecDeque<String>, is_gui: bool, line: &str| {
        let [to_engine, to_gui] = scene.pass(is_gui, line);
        unanswered.extend(to_engine.lines().map(str::to_owned));
        text += &to_gui;
        scene.protocol.waits()
    };
    for (number, &(command, accepts, answers)) in steps.iter().enumerate() {
        let mut waits = hear(&mut unanswered, true, &format!("{number} {command}"));
        let mut left = answers;
        while let Some(asked) = unanswered.front().filter(|_| left > 0 || waits).cloned() {
            unanswered.pop_front();
            left = left.saturating_sub(1);
            for line in answer(&asked, accepts) {
                waits = hear(&mut unanswered, false, &line);
            }
        }
    }
    while let Some(asked) = unanswered.pop_front() {
        for line in answer(&asked, true) {
            hear(&mut unanswered, false, &line);
        }
    }
    let numbers: Vec<String> =
        text.lines().filter_map(|line| line.strip_prefix(['=', '?'])).map(number_of).collect();
    let all: Vec<_> = (0..steps.len()).map(|number| number.to_string()).collect();
    prop_assert_eq!(numbers, all, "{}", text);
    prop_assert_eq!(text.lines().filter(|line| line.is_empty()).count(), steps.len(), "{}", text);
    Ok(())
}

fn number_of(text: &str) -> String {
    text.chars().take_while(char::is_ascii_digit).collect()
}

/// What an engine answers, with the number of the command if it has one.
fn answer(asked: &str, accepts: bool) -> Vec<String> {
    let number = number_of(asked);
    let text =
        match asked.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == ' ') {
            asked if asked.starts_with("genmove") => "D4",
            asked if asked.starts_with("kata-genmove") => {
                let [info, play] = ["info move A1", "play D4"].map(str::to_owned);
                return vec![format!("={number}"), info, play, String::new()];
            }
            asked if asked.starts_with("list") => {
                return vec![format!("={number} name"), "list_commands".to_owned(), String::new()];
            }
            _ => "",
        };
    vec![format!("{}{number} {text}", if accepts { '=' } else { '?' }), String::new()]
}
