//! UCI by scripts, and whatever is said in whatever order.

use crate::shared::{Scene, act, check, settings, stack, write_book};
use proptest::prelude::*;
use std::collections::VecDeque;
use tabia_games::Chess;
use tabia_proxy::{Action, BookFiles, BookSettings, BookStack, ProxyProtocol, Uci};
use tabia_testing::scripts;

const LINES: [&str; 5] = ["e4 e5 Nf3", "e4 e5 Nf3 Nc6 Bb5", "e4 c5", "d4 d5", "e4 e5 Bc4"];

#[test]
fn scripts_are_followed() {
    scripts(include_str!("scripts/uci.txt"), |script| {
        act(&Chess::start(), &LINES, script, Uci::new);
    });
}

#[test]
fn moves_and_seconds_are_counted() {
    let script = include_str!("scripts/uci_counted.txt");
    let report = act(&Chess::start(), &LINES, script, Uci::new).stats().report();
    assert_eq!(
        (report.games, report.all.book_moves, report.all.engine_moves, report.all.engine_seconds),
        (1, 2, 1, 0.002)
    );
}

#[test]
fn with_a_seed_chance_begins_anew() {
    let (_folder, stack) = stack(&Chess::start(), &LINES);
    let mut scene = Scene::new(
        Uci::new(BookSettings { rule: "random".parse().unwrap(), ..settings() }),
        &stack,
    );
    let mut game = |seed: Option<u32>| {
        scene.gui("ucinewgame");
        seed.map(|seed| scene.gui(&format!("setoption name BookSeed value {seed}")));
        scene.gui("position startpos");
        scene.gui("go movetime 5")
    };
    let seeded: Vec<_> = (0..40).map(|seed| game(Some(seed))).collect();
    let unseeded: Vec<_> = (0..40).map(|_| game(None)).collect();
    let again: Vec<_> = (0..40).map(|seed| game(Some(seed))).collect();
    assert_eq!(seeded, again, "whatever was played before");
    assert!(
        unseeded.iter().any(|said| *said != unseeded[0])
            && seeded.iter().any(|said| *said != seeded[0])
    );
}

#[test]
fn a_book_of_another_game_is_refused() {
    let (folder, first) = stack(&Chess::start(), &LINES);
    let other = write_book(&folder, "othello.tabia", &tabia_games::Othello::start(), &["f5"]);
    let mut scene = Scene::new(Uci::new(settings()), &first);
    let said = scene.gui(&format!("setoption name BookFile value {}", other.display()));
    assert!(
        said[0].contains("it is a book of othello positions") && said[0].contains("the books stay"),
        "{said:?}"
    );
    assert!(scene.adviser.other_books().is_none());
    let book = folder.path().join("book.tabia");
    for (overlay, first) in [(vec![other.clone()], vec![]), (vec![], vec![other])] {
        let files = BookFiles { book: book.clone(), overlay, first };
        let error = BookStack::of(&files).err().unwrap().to_string();
        assert!(error.contains("not of chess positions"), "{error}");
    }
}

fn said_by_gui() -> impl Strategy<Value = &'static str> {
    const LINES: &str = "go wtime 1 btime 1|go infinite|go ponder wtime 1|go ponder|go perft 1|\
        go searchmoves d2d4 ponder|stop|stop|ponderhit|ponderhit|position startpos|\
        position startpos moves e2e4|position startpos moves a2a3|position startpos moves e2e5|\
        setoption name BookPonder value true|setoption name BookPonder value false|\
        setoption name OwnBook value false|setoption name OwnBook value true|\
        setoption name Hash value 1|isready|ucinewgame|uci||\u{1}\u{fe}nonsense bestmove";
    proptest::sample::select(LINES.split('|').collect::<Vec<_>>())
}

/// An engine as UCI wants it: it searches one `go` after the other.
#[derive(Default)]
struct Engine {
    /// For each `go`, whether it may be answered.
    searches: VecDeque<bool>,
}

impl Engine {
    fn hear(&mut self, line: &str) {
        let go = line.starts_with("go ") && !line.contains("perft");
        match line {
            "stop" => self.searches.iter_mut().for_each(|may_end| *may_end = true),
            "ponderhit" => self.searches.back_mut().into_iter().for_each(|may_end| *may_end = true),
            line if go => {
                self.searches.push_back(!line.contains("ponder") && !line.contains("infinite"))
            }
            _ => {}
        }
    }

    fn answers(&mut self) -> bool {
        let may_end = self.searches.front() == Some(&true);
        may_end && self.searches.pop_front().is_some()
    }
}

#[derive(Default)]
struct Passed {
    to_gui: Vec<String>,
    to_engine: Vec<String>,
}

/// Has a line received, and lets the engine hear what is said to it.
fn hear(
    scene: &mut Scene<'_, Chess, Uci>,
    engine: &mut Engine,
    passed: &mut Passed,
    is_gui: bool,
    line: &str,
) {
    let [to_engine, to_gui] = scene.pass(is_gui, line);
    to_engine.lines().for_each(|line| engine.hear(line));
    passed.to_engine.extend(to_engine.split_inclusive('\n').map(str::to_owned));
    passed.to_gui.extend(to_gui.split_inclusive('\n').map(str::to_owned));
}

fn is_answer(line: &str) -> bool {
    line.starts_with("bestmove")
}

/// Whether a line of the GUI always goes to the engine.
fn is_foreign(line: &str) -> bool {
    !["go ", "stop", "ponderhit", "setoption name Own", "setoption name Book"]
        .iter()
        .any(|start| line.starts_with(start))
}

/// Each `go` has one answer whatever is said when; an analysis has none before `stop`; what isn't
/// ours passes as it is, in order.
#[test]
fn each_go_has_one_answer() {
    let (_folder, stack) = stack(&Chess::start(), &LINES);
    let steps = proptest::collection::vec(proptest::option::weighted(0.7, said_by_gui()), 1..60);
    check(&steps, |steps| each_has_one_answer(&stack, steps));
}

#[test]
fn any_bytes_pass() {
    let (_folder, stack) = stack(&Chess::start(), &LINES);
    check(&(proptest::collection::vec(any::<u8>(), 0..80), any::<bool>()), |(line, is_gui)| {
        let mut scene = Scene::new(Uci::new(settings()), &stack);
        let said = scene.hear(is_gui, &line);
        let expected = if is_gui { Action::ToEngine(line) } else { Action::ToGui(line) };
        prop_assert_eq!(said, vec![expected]);
        Ok(())
    });
}

fn each_has_one_answer(
    stack: &BookStack,
    steps: Vec<Option<&'static str>>,
) -> Result<(), TestCaseError> {
    let mut scene = Scene::new(Uci::new(settings()), stack);
    let (mut engine, mut passed, mut foreign, mut from_engine) =
        (Engine::default(), Passed::default(), Vec::new(), Vec::new());
    // For each question whether it may be answered.
    let mut asked = Vec::<bool>::new();
    let script = steps
        .into_iter()
        .chain([Some("stop"), None, None, Some("stop")])
        .chain(std::iter::repeat_n(None, 80));
    for step in script {
        if let Some(line) = step {
            note_question(&mut asked, line);
            foreign.extend(is_foreign(line).then(|| format!("{line}\n")));
            hear(&mut scene, &mut engine, &mut passed, true, line);
        } else {
            let line = if engine.answers() {
                "bestmove a2a3 ponder \u{2}"
            } else {
                "info  depth 3 \u{7f}"
            };
            from_engine.extend((!is_answer(line)).then(|| format!("{line}\n")));
            hear(&mut scene, &mut engine, &mut passed, false, line);
        }
        let answers = passed.to_gui.iter().filter(|line| is_answer(line)).count();
        prop_assert!(answers <= asked.len());
        prop_assert!(
            asked[..answers].iter().all(|&may_be_answered| may_be_answered),
            "an answer came too early"
        );
    }
    let answers = passed.to_gui.iter().filter(|line| is_answer(line)).count();
    prop_assert_eq!(answers, asked.len());
    let got: Vec<_> = passed.to_engine.into_iter().filter(|line| is_foreign(line)).collect();
    prop_assert_eq!(got, foreign);
    let got: Vec<_> =
        passed.to_gui.into_iter().filter(|line| line.starts_with("info  depth")).collect();
    prop_assert_eq!(got, from_engine);
    Ok(())
}

/// What a line of the GUI means for the questions so far. A guess is over, too, when the next
/// question is asked.
fn note_question(asked: &mut Vec<bool>, line: &str) {
    let is_question = line.starts_with("go ") && !line.contains("perft");
    if line == "stop" {
        asked.fill(true);
    } else if let Some(last) = asked.last_mut()
        && (line == "ponderhit" || is_question)
    {
        *last = true;
    }
    if is_question {
        asked.push(!line.contains("infinite") && !line.contains("ponder"));
    }
}
