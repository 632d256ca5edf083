//! Engines that die, hang, flood and worse: each is an error in time that says what it was, and
//! none is left behind.

use crate::shared::{launch, mock};
use std::time::{Duration, Instant};
use tabia_engines::{Engine, Error, Fault, Launch, Limit, MoveHistory, Process, Protocol};
use tabia_games::Chess;

const SHORT: Duration = Duration::from_millis(300);
const LONG: Duration = Duration::from_secs(60);

/// What thinking about its first move comes to.
fn first_thought(
    arguments: &str,
    patience: Duration,
) -> Result<tabia_engines::Thought<<Chess as tabia_games::Game>::Move>, Error> {
    let mut engine: Box<dyn Engine<Chess>> = launch(arguments).start()?;
    engine.new_game(&Chess::start())?;
    engine.think(&MoveHistory::new(Chess::start()), &Limit::default(), patience)
}

/// One that dies says how and what it said last; one that hangs, or says much without an answer, is
/// waited for and no longer.
#[test]
fn what_it_does_wrong_is_an_error_that_says_so() {
    let has_ended = |error: &Error| matches!(error.fault, Fault::Ended(_));
    let is_flood = |error: &Error| matches!(error.fault, Fault::Flood("a line", _));
    let is_no_text = |error: &Error| matches!(error.fault, Fault::NotText(_));
    type Case<'a> = (&'a str, Duration, fn(&Error) -> bool, &'a [&'a str]);
    let cases: [Case; 6] = [
        ("crash@1", LONG, has_ended, &["exit status: 3", "out of cheese", "readyok"]),
        ("close@1", LONG, has_ended, &[]),
        ("hang@1", SHORT, Error::is_silence, &["0.3 s"]),
        ("flood@1", SHORT, Error::is_silence, &[]),
        ("longline@1", LONG, is_flood, &[]),
        ("binary@1", LONG, is_no_text, &["bestmove"]),
    ];
    for (fault, patience, is_it, said) in cases {
        let error = first_thought(&format!("uci chess {fault}"), patience).unwrap_err();
        let text = error.to_string();
        assert!(is_it(&error) && said.iter().all(|part| text.contains(part)), "{fault}: {text}");
    }
}

#[test]
fn one_that_never_shakes_hands() {
    let mut launch = launch("uci chess hang@0");
    launch.patience = SHORT;
    assert!(launch.start::<Chess>().err().is_some_and(|error| error.is_silence()));
}

#[test]
fn one_that_does_not_read_is_deaf() {
    let mut process = Process::start(&mock("uci chess hang@0"), "quit").unwrap();
    let line = "x".repeat(60_000);
    let error = (0..5000).find_map(|_| process.say(&line).err()).unwrap();
    assert!(matches!(error.fault, Fault::Deaf), "{error}");
}

#[test]
fn one_that_is_not_there() {
    let launch = Launch::new("/nowhere/engine -x".parse().unwrap(), Protocol::Uci);
    let error = launch.start::<Chess>().err().unwrap();
    let is_told = error.to_string().contains("/nowhere/engine -x");
    assert!(matches!(error.fault, Fault::Start(..)) && is_told, "{error}");
}

#[test]
fn what_is_said_is_one_line() {
    let mut process = Process::start(&mock("uci chess"), "quit").unwrap();
    let error = process.say("setoption name A value b\nquit").unwrap_err();
    assert!(matches!(error.fault, Fault::Unsupported(_)), "{error}");
}

/// The ids of processes whose parent is this one and whose command has this word.
fn children(word: &str) -> Vec<u32> {
    let own = std::process::id().to_string();
    let ids = std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().to_string_lossy().parse().ok());
    let is_child = |id: &u32| {
        let read =
            |file: &str| std::fs::read_to_string(format!("/proc/{id}/{file}")).unwrap_or_default();
        let status = read("stat");
        let behind_name = status.rsplit(')').next().unwrap_or_default();
        let is_ours = behind_name.split_whitespace().nth(1) == Some(&own);
        is_ours && (read("cmdline").contains(word) || status.contains(" Z "))
    };
    ids.filter(is_child).collect()
}

#[test]
fn none_is_left_behind() {
    for fault in ["crash@1", "hang@1", "flood@1", "hang@0", "nothing@9"] {
        let word = format!("--seed 77{}", fault.len());
        let mut command = launch(&format!("uci chess {word} {fault}"));
        command.patience = SHORT;
        if let Ok(mut engine) = command.start::<Chess>() {
            let _ = engine.think(&MoveHistory::new(Chess::start()), &Limit::default(), SHORT);
        }
        let deadline = Instant::now() + Duration::from_secs(10);
        while !children(&word.replace(' ', "\0")).is_empty() {
            assert!(Instant::now() < deadline, "{fault}: a child is left");
            std::thread::sleep(SHORT);
        }
    }
}
