//! UCI by scripts, and whatever is said in whatever order.

use crate::shared::{Scene, scripts, settings, stack, write_book};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::collections::VecDeque;
use tabia_games::Chess;
use tabia_proxy::{Action, BookFiles, BookSettings, BookStack, Uci};

const LINES: [&str; 5] = ["e4 e5 Nf3", "e4 e5 Nf3 Nc6 Bb5", "e4 c5", "d4 d5", "e4 e5 Bc4"];

/// Castling is a move of these books.
const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

#[test]
fn scripts_are_followed() {
    scripts(include_str!("scripts/uci.txt"), |script| {
        let (_folder, stack) = stack(&Chess::start(), &LINES);
        Scene::new(Uci::new(settings()), &stack).follow(script);
    });
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
fn repetitions_are_avoided() {
    let (_folder, stack) =
        stack(&Chess::start(), &["Nf3 Nf6 Ng1 Ng8", "Nf3 Nf6 Ng1 Nc6", "Nf3 Nf6 Ng1 Ng8"]);
    let mut scene = Scene::new(Uci::new(settings()), &stack);
    scene.follow(
        "
        G> position startpos moves g1f3 g8f6 f3g1
        G go
        < info string tabia book f6g8...
        < bestmove f6g8 ponder g1f3
        G setoption name BookAvoidRepetition value true
        G go
        < info string tabia book b8c6: games 1, the only candidate; b8c6 games 1 score 1.000; f6g8 out, repeats a position
        < bestmove b8c6
        ",
    );
}

#[test]
fn castling_is_written_as_the_gui_wants_it() {
    let start = Chess::from_setup(CASTLING).unwrap();
    let (_folder, stack) = stack(&start, &["O-O O-O-O", "O-O O-O-O"]);
    let mut scene = Scene::new(Uci::new(settings()), &stack);
    let script = "
        G> position fen FEN
        G go
        < info string tabia book e1g1...
        < bestmove e1g1 ponder e8c8
        G go searchmoves e1g1
        < info string tabia book e1g1...
        < bestmove e1g1 ponder e8c8
        G> setoption name UCI_Chess960 value true
        G go
        < info string tabia book e1h1...
        < bestmove e1h1 ponder e8a8
        G go searchmoves e1h1
        < info string tabia book e1h1...
        < bestmove e1h1 ponder e8a8
        G> position fen FEN moves e1h1
        G go
        < info string tabia book e8a8...
        < bestmove e8a8
        ";
    scene.follow(&script.replace("FEN", CASTLING));
}

#[test]
fn another_book_can_be_opened() {
    let (folder, first) = stack(&Chess::start(), &LINES);
    let other = write_book(&folder, "other book.tabia", &Chess::start(), &["c4"]);
    let mut scene = Scene::new(Uci::new(settings()), &first);
    assert!(scene.gui(&format!("setoption name BookFile value {}", other.display())).is_empty());
    let next = scene.adviser.other_books().unwrap();
    let mut scene = Scene::new(scene.protocol, &next);
    scene.follow(
        "
        G> position startpos
        G go
        < info string tabia book c2c4...
        < bestmove c2c4
        ",
    );
    // The book is replaced while games are played.
    write_book(&folder, "other book.tabia", &Chess::start(), &["b4"]);
    assert_eq!(scene.gui("ucinewgame"), ["> ucinewgame"]);
    let replaced = scene.adviser.other_books().unwrap();
    let mut scene = Scene::new(scene.protocol, &replaced);
    assert_eq!(scene.gui("go")[1], "< bestmove b2b4");
    assert_eq!(scene.gui("ucinewgame"), ["> ucinewgame"]);
    assert!(scene.adviser.other_books().is_none(), "nothing has changed");
}

/// Finding P9: a repertoire before an archive. Where it has the position it alone answers.
#[test]
fn a_book_asked_first_answers_alone_where_it_has_the_position() {
    let (folder, archive) = stack(&Chess::start(), &LINES);
    let mine = write_book(&folder, "mine.tabia", &Chess::start(), &["d4 Nf6 Bg5"]);
    let both = archive.asking_first(std::slice::from_ref(&mine)).unwrap();
    let files = BookFiles { first: vec![mine], ..settings().files };
    let mut scene = Scene::new(Uci::new(BookSettings { files, ..settings() }), &both);
    scene.follow(
        "
        G> position startpos
        G go
        < info string tabia book d2d4: games 1, the only candidate; d2d4 games 1 score 1.000
        < bestmove d2d4 ponder g8f6
        G> position startpos moves e2e4 e7e5
        G go
        < info string tabia book g1f3...
        < bestmove g1f3 ponder b8c6
        ",
    );
    // It is there still when another archive takes the place of the first, and seen when it changes.
    let other = write_book(&folder, "other.tabia", &Chess::start(), &["c4", "e4 c5"]);
    assert!(scene.gui(&format!("setoption name BookFile value {}", other.display())).is_empty());
    let next = scene.adviser.other_books().unwrap();
    let mut scene = Scene::new(scene.protocol, &next);
    scene.gui("position startpos");
    assert_eq!(scene.gui("go")[1], "< bestmove d2d4 ponder g8f6");
    write_book(&folder, "mine.tabia", &Chess::start(), &["b4"]);
    assert_eq!(scene.gui("ucinewgame"), ["> ucinewgame"]);
    let changed = scene.adviser.other_books().unwrap();
    let mut scene = Scene::new(scene.protocol, &changed);
    assert_eq!(scene.gui("go")[1], "< bestmove b2b4");
    let go = write_book(&folder, "othello.tabia", &tabia_games::Othello::start(), &["f5"]);
    drop(scene);
    let refused = changed.asking_first(&[go]).err().unwrap();
    assert!(refused.to_string().contains("not of chess positions"), "{refused}");
}

/// What lies over the book and what is asked first, as the command line has it.
#[test]
fn books_are_laid_over_and_asked_first_by_options() {
    let (folder, only) = stack(&Chess::start(), &LINES);
    let of = |name: &str, lines: &[&str]| write_book(&folder, name, &Chess::start(), lines);
    let (mine, ours) = (of("mine.tabia", &["d4 Nf6"]), of("our s.tabia", &["c4 e5"]));
    let over = of("over.tabia", &["-e4", "b4 b6"]);
    let files = BookFiles { book: folder.path().join("book.tabia"), ..BookFiles::default() };
    let mut scene = Scene::new(Uci::new(BookSettings { files, ..settings() }), &only);
    let set = |name: &str, value: String| format!("setoption name {name} value {value}");
    let first = format!("{}:{}", mine.display(), ours.display());
    assert!(scene.gui(&set("BookFirst", first.clone())).is_empty());
    let next = scene.adviser.other_books().unwrap();
    let mut scene = Scene::new(scene.protocol, &next);
    scene.gui("position startpos");
    assert_eq!(scene.gui("go")[1], "< bestmove d2d4 ponder g8f6");
    let listed = scene.engine("uciok");
    assert!(listed.contains(&format!("< option name BookFirst type string default {first}")));
    scene.gui(&set("BookFirst", ours.display().to_string()));
    let next = scene.adviser.other_books().unwrap();
    let mut scene = Scene::new(scene.protocol, &next);
    scene.gui("position startpos");
    assert_eq!(scene.gui("go")[1], "< bestmove c2c4 ponder e7e5");
    // A book that isn't there changes nothing.
    let said = scene.gui(&set("BookOverlay", "/nowhere/x.tabia".to_owned()));
    assert!(said[0].contains("/nowhere/x.tabia") && said[0].contains("the books stay"), "{said:?}");
    assert!(scene.adviser.other_books().is_none());
    scene.gui(&set("BookFirst", "<empty>".to_owned()));
    scene.gui(&set("BookOverlay", over.display().to_string()));
    let next = scene.adviser.other_books().unwrap();
    let mut scene = Scene::new(scene.protocol, &next);
    scene.gui("position startpos");
    assert_eq!(scene.gui("go")[1], "< bestmove b2b4 ponder b7b6");
}

/// Finding P15: a game that left the book was looked up to its end.
#[test]
fn a_game_that_left_the_book_is_looked_up_for_some_plies_only() {
    let (_folder, stack) = stack(&Chess::start(), &["e4 e5 Nf3 Nc6 Bb5 a6 O-O Nf6"]);
    let with_most = |max_out: usize| {
        let mut scene = Scene::new(Uci::new(BookSettings { max_out, ..settings() }), &stack);
        scene.gui("position startpos moves g1f3 b8c6");
        assert_eq!(scene.gui("go"), ["> go"]);
        scene.engine("bestmove e2e4");
        scene
    };
    // The book knows the position, which came about by another order of moves.
    let there = "position startpos moves g1f3 b8c6 e2e4 e7e5";
    let mut scene = with_most(3);
    scene.gui(there);
    assert_eq!(scene.gui("go")[1], "< bestmove f1b5 ponder a7a6");
    // From there on it is in the book.
    scene.gui(&format!("{there} f1b5 a7a6"));
    assert_eq!(scene.gui("go")[1], "< bestmove e1g1 ponder g8f6");
    let mut scene = with_most(2);
    scene.gui(there);
    assert_eq!(scene.gui("go"), ["> go"]);
    scene.engine("bestmove f1b5");
    // A game that went another way isn't this one, nor is one that begins elsewhere.
    scene.gui("position startpos moves e2e4 e7e5 g1f3 b8c6");
    assert_eq!(scene.gui("go")[1], "< bestmove f1b5 ponder a7a6");
    scene.gui("setoption name BookMaxOut value 10000");
    scene.gui("position startpos moves g1f3 b8c6");
    scene.gui("go");
    scene.engine("bestmove e2e4");
    scene.gui(there);
    assert_eq!(scene.gui("go")[1], "< bestmove f1b5 ponder a7a6");
    assert!(
        scene.engine("uciok").contains(
            &"< option name BookMaxOut type spin default 10000 min 0 max 10000".to_owned()
        )
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
    let both = BookStack::open(vec![folder.path().join("book.tabia"), other]).err().unwrap();
    assert!(both.to_string().contains("not of chess positions"), "{both}");
}

#[test]
fn books_lie_over_each_other() {
    let (folder, _) = stack(&Chess::start(), &LINES);
    let over = write_book(&folder, "over.tabia", &Chess::start(), &["-e4", "b4 b6"]);
    let stack = BookStack::open(vec![folder.path().join("book.tabia"), over]).unwrap();
    let mut scene = Scene::new(Uci::new(settings()), &stack);
    scene.gui("position startpos");
    let said = scene.gui("go");
    assert!(
        said[0].contains("e2e4 out, marked never") && said[1] == "< bestmove b2b4 ponder b7b6",
        "{said:?}"
    );
}

#[test]
fn moves_and_seconds_are_counted() {
    let (_folder, stack) = stack(&Chess::start(), &LINES);
    let mut scene = Scene::new(Uci::new(settings()), &stack);
    for line in [
        "ucinewgame",
        "position startpos",
        "go",
        "position startpos moves e2e4 e7e5",
        "go ponder",
        "stop",
        "go ponder",
        "ponderhit",
    ] {
        scene.gui(line);
    }
    for line in ["position startpos moves a2a3", "go infinite", "stop"] {
        scene.gui(line);
    }
    scene.engine("bestmove a7a6");
    scene.gui("go movetime 1");
    scene.engine("info depth 1");
    scene.engine("bestmove a7a6");
    scene.gui("ucinewgame");
    use tabia_proxy::ProxyProtocol;
    let report = scene.protocol.stats().report();
    assert_eq!(
        (report.games, report.all.book_moves, report.all.engine_moves, report.all.engine_seconds),
        (1, 2, 1, 0.002)
    );
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
    for action in scene.hear(is_gui, format!("{line}\n").as_bytes()) {
        match action {
            Action::ToEngine(bytes) => {
                let line = String::from_utf8(bytes).unwrap();
                engine.hear(line.trim_end_matches('\n'));
                passed.to_engine.push(line);
            }
            Action::ToGui(bytes) => passed
                .to_gui
                .extend(String::from_utf8(bytes).unwrap().split_inclusive('\n').map(str::to_owned)),
            Action::Note(_) => {}
        }
    }
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

fn check<S: Strategy>(values: &S, holds: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) };
    TestRunner::new(config).run(values, holds).unwrap_or_else(|error| panic!("{error}"));
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
