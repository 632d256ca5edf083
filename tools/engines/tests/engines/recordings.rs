//! What an engine answered is answered again without it, in any order.

use crate::shared::{installed, launch};
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tabia_engines::{
    Answer, Clock, Engine, Error, Launch, Limit, MoveHistory, Protocol, Ranking, Recording, Replay,
};
use tabia_games::{Chess, Game, Othello};

const LONG: Duration = Duration::from_secs(60);

/// What was written, seen from outside.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Written {
    fn replay(&self) -> Replay {
        Replay::read(&self.0.lock().unwrap()[..]).unwrap()
    }
}

/// The positions of a game in which the move with this number is made each time.
fn game<G: Game>(start: &G, number: usize, plies: usize) -> Vec<MoveHistory<G>> {
    let (mut history, mut moves) = (MoveHistory::new(start.clone()), Vec::new());
    let mut all = vec![history.clone()];
    while all.len() < plies {
        history.position().legal_moves(&mut moves);
        history.play(&moves[number % moves.len()]);
        all.push(history.clone());
    }
    all
}

/// The best three moves of each position.
fn ranked<'a, G: Game>(
    engine: &mut dyn Engine<G>,
    histories: impl Iterator<Item = &'a MoveHistory<G>>,
    limit: &Limit,
) -> Vec<Ranking<G::Move>> {
    let mut moves = Vec::new();
    let mut rank = |history: &MoveHistory<G>| {
        history.position().legal_moves(&mut moves);
        engine.rank(history, &moves, 3, limit, LONG).unwrap()
    };
    histories.map(&mut rank).collect()
}

/// Asks 20 questions, and the same of the recording from the last to the first.
fn is_replayed<G: Game>(launch: &Launch, start: &G, limit: &Limit) {
    let written = Written::default();
    let mut engine = Recording::new(launch.start::<G>().unwrap(), written.clone());
    engine.new_game(start).unwrap();
    let histories = game(start, 7, 20);
    let mut said = ranked(&mut engine, histories.iter(), limit);
    let mut replay = written.replay();
    assert_eq!(Engine::<G>::name(&replay), Engine::<G>::name(&engine));
    said.reverse();
    assert_eq!(ranked(&mut replay, histories.iter().rev(), limit), said);
}

#[test]
fn rankings_are_answered_again() {
    let depth = Limit { depth: Some(9), ..Limit::default() };
    is_replayed(&launch("uci chess --lines 3"), &Chess::start(), &depth);
    is_replayed(&launch("nboard othello --lines 2"), &Othello::start(), &depth);
    is_replayed(&launch("gtp othello --lines 2"), &Othello::start(), &Limit::default());
}

#[test]
fn stockfish_is_answered_again() {
    let Some(command) = installed("stockfish", "") else { return };
    let mut launch = Launch { patience: LONG, ..Launch::new(command, Protocol::Uci) };
    launch.options.push(("Hash".to_owned(), "4".to_owned()));
    let nodes = Limit { nodes: Some(2000), ..Limit::default() };
    is_replayed(&launch, &Chess::start(), &nodes);
}

/// Moves, resigning, what is no move, evals of all kinds, seeds and clocks.
#[test]
fn answers_of_all_kinds_are_kept() {
    let start = Othello::start();
    for arguments in [
        "uci othello --eval -31",
        "gtp othello resign@3",
        "uci othello illegal@2",
        "uci othello --book 2 --seeded",
    ] {
        let written = Written::default();
        let engine: Box<dyn Engine<Othello>> = launch(arguments).start().unwrap();
        let mut engine = Recording::new(engine, written.clone());
        let ask = |engine: &mut dyn Engine<Othello>| {
            engine.new_game(&start).unwrap();
            engine.seed(77).unwrap();
            let think = |history: &MoveHistory<Othello>| {
                let clock = Some(Clock::start("10".parse().unwrap()));
                let limit = Limit { clock, ..Limit::default() };
                engine.think(history, &limit, LONG).unwrap()
            };
            game(&start, 3, 6).iter().map(think).collect::<Vec<_>>()
        };
        let said = ask(&mut engine);
        assert!(matches!(said[0].answer, Answer::Move(_)));
        assert_eq!(ask(&mut written.replay()), said, "{arguments}");
    }
}

#[test]
fn a_question_that_was_answered_twice_has_both_answers() {
    let written = Written::default();
    let engine: Box<dyn Engine<Othello>> = launch("uci othello illegal@2").start().unwrap();
    let mut engine = Recording::new(engine, written.clone());
    let history = MoveHistory::new(Othello::start());
    let think = |engine: &mut dyn Engine<Othello>| {
        engine.think(&history, &Limit::default(), LONG).unwrap().answer
    };
    let (first, second) = (think(&mut engine), think(&mut engine));
    assert!(matches!((&first, &second), (Answer::Move(_), Answer::Illegal(_))));
    let mut replay = written.replay();
    let again = [think(&mut replay), think(&mut replay), think(&mut replay)];
    assert_eq!(again, [first, second.clone(), second]);
}

#[test]
fn what_was_not_asked_has_no_answer() {
    let written = Written::default();
    let engine: Box<dyn Engine<Chess>> = launch("uci chess --lines 3").start().unwrap();
    let mut engine = Recording::new(engine, written.clone());
    let histories = game(&Chess::start(), 5, 3);
    let mut moves = Vec::new();
    histories[1].position().legal_moves(&mut moves);
    let (none, nodes) = (Limit::default(), Limit { nodes: Some(9), ..Limit::default() });
    engine.rank(&histories[1], &moves, 3, &none, LONG).unwrap();
    let mut replay = written.replay();
    let mut rank = |among: &[_], count, limit: &Limit| {
        replay.rank(&histories[1], among, count, limit, LONG).map(drop)
    };
    rank(&moves, 3, &none).unwrap();
    let turned: Vec<_> = moves.iter().rev().copied().collect();
    rank(&turned, 3, &none).unwrap();
    for asked in [rank(&moves[1..], 3, &none), rank(&moves, 2, &none), rank(&moves, 3, &nodes)] {
        let error = asked.unwrap_err();
        assert!(matches!(error, Error::NotRecorded { .. }), "{error}");
        assert!(error.to_string().contains("Mock 0") && error.to_string().contains("chess"));
    }
    assert!(replay.think(&histories[1], &none, LONG).is_err());
    // With another seed it is another question.
    Engine::<Chess>::seed(&mut replay, 5).unwrap();
    assert!(replay.rank(&histories[1], &moves, 3, &none, LONG).is_err());
}

#[test]
fn what_is_no_recording_is_refused() {
    let good = r#"{"engine":"a","question":{"game":"chess","start":"x","moves":[],"limit":"none","ask":"think"},"answer":{"thought":{"answer":"resigns","nanos":1,"eval":null,"depth":null,"nodes":null,"is_book":false}}}"#;
    assert!(Replay::read(format!("{good}\n{good}\n").as_bytes()).is_ok());
    for bad in ["x", "{}", "\u{0}", "[]", &good[..100], &good.replace("think\"", "sleep\"")] {
        let text = format!("{good}\n{bad}\n");
        let error = Replay::read(text.as_bytes()).unwrap_err();
        assert!(matches!(error, Error::BadRecording { line: 2, .. }), "{error}");
    }
    assert!(Replay::read(&b"\xff\xfe\n"[..]).is_err());
}
