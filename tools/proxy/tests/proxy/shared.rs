//! A book on disk, and a protocol between a GUI and an engine that only exist as lines.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::path::PathBuf;
use std::time::Duration;
use tabia::{Counts, Env, Existing, Keyed, Marks, MoveRow, NewBook};
use tabia_games::Game;
use tabia_play::choice::GameHistory;
use tabia_proxy::{Action, Adviser, BookFiles, BookSettings, BookStack, ProxyProtocol};
use tabia_testing::settle;
use tempfile::TempDir;

/// Writes a book in which each of these lines was won once; the move behind a `-` is marked
/// `never`.
pub fn write_book<G: Game>(folder: &TempDir, name: &str, start: &G, lines: &[&str]) -> PathBuf {
    let mut rows = Vec::new();
    for line in lines {
        let mut history = GameHistory::start(start.clone(), Keyed::Position);
        for word in line.split_whitespace() {
            let text = word.trim_start_matches('-');
            let node = history.present();
            let played = node.position.parse_move(text).unwrap();
            let row =
                MoveRow::new(node.key, node.code(&played), Counts { wins: 1, draws: 0, losses: 0 });
            rows.push(if word == text { row } else { row.with_marks(Marks::NEVER) });
            history.play(&played);
        }
    }
    settle(&mut rows);
    let path = folder.path().join(name);
    let book = NewBook::new(start.name().parse().unwrap(), start.keys().parse().unwrap());
    book.moves(&rows).write(&Env::default(), &path, Existing::Replace).unwrap();
    path
}

/// Follows a script, with a book of these lines as FOLDER/book.tabia; the protocol as it is then.
///
/// What stands behind `@ ` is done before the lines below it: `write NAME: LINES` writes a book, its
/// lines parted by `; `, and `at` says where they begin; `set` sets options before the books are
/// opened; `open` goes on with other books, and `stay` makes sure that there are none.
pub fn act<G: Game, P: ProxyProtocol<G>>(
    start: &G,
    lines: &[&str],
    script: &str,
    protocol: impl Fn(BookSettings) -> P,
) -> P {
    let folder = tempfile::tempdir().unwrap();
    let (mut start, mut settings) = (start.clone(), settings());
    settings.files.book = write_book(&folder, "book.tabia", &start, lines);
    // The scene borrows books that take each other's place.
    let kept = |stack: BookStack| -> &'static BookStack { Box::leak(Box::new(stack)) };
    let mut scene: Option<Scene<'static, G, P>> = None;
    let script = script.replace("FOLDER", &folder.path().display().to_string());
    for part in format!("begin\n{script}").split("\n@ ") {
        let (done, lines) = part.split_once('\n').unwrap_or((part, ""));
        let (word, said) = done.split_once(' ').unwrap_or((done, ""));
        let mut other = || scene.as_mut().and_then(|scene| scene.adviser.other_books());
        match word {
            "at" => start = start.set_up(said).unwrap(),
            "write" => {
                let (name, lines) = said.split_once(": ").unwrap();
                write_book(&folder, name, &start, &lines.split("; ").collect::<Vec<_>>());
            }
            "set" => said.split(' ').for_each(|option| set(&mut settings, option)),
            "stay" => assert!(other().is_none(), "there are other books"),
            "open" => {
                let next = other().expect("there are other books");
                scene.as_mut().unwrap().adviser = Adviser::new(kept(next));
            }
            _ => {}
        }
        if !lines.trim().is_empty() {
            let begin = || {
                let books = BookStack::of(&settings.files).unwrap();
                Scene::new(protocol(settings.clone()), kept(books))
            };
            scene.get_or_insert_with(begin).follow(lines);
        }
    }
    scene.unwrap().protocol
}

/// Sets `name=value`.
fn set(settings: &mut BookSettings, option: &str) {
    let (name, value) = option.split_once('=').unwrap();
    match name {
        "max-out" => settings.max_out = value.parse().unwrap(),
        "first" => settings.files.first = vec![value.into()],
        "over" => settings.files.overlay = vec![value.into()],
        _ => panic!("{option}"),
    }
}

/// Makes sure that something holds for a thousand values.
pub fn check<S: Strategy>(values: &S, holds: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) };
    TestRunner::new(config).run(values, holds).unwrap_or_else(|error| panic!("{error}"));
}

/// A folder with a book of these lines.
pub fn stack<G: Game>(start: &G, lines: &[&str]) -> (TempDir, BookStack) {
    let folder = tempfile::tempdir().unwrap();
    let path = write_book(&folder, "book.tabia", start, lines);
    let stack = BookStack::of(&BookFiles { book: path, ..BookFiles::default() }).unwrap();
    (folder, stack)
}

pub fn settings() -> BookSettings {
    BookSettings {
        own_book: true,
        files: BookFiles { book: "book.tabia".into(), ..BookFiles::default() },
        rule: "games".parse().unwrap(),
        plies: None,
        max_out: BookSettings::MAX_OUT,
        min_games: 0,
        seed: 0,
        avoids_repetition: false,
        ponders: false,
    }
}

pub struct Scene<'a, G: Game, P: ProxyProtocol<G>> {
    pub protocol: P,
    pub adviser: Adviser<'a, G>,
}

impl<'a, G: Game, P: ProxyProtocol<G>> Scene<'a, G, P> {
    pub fn new(protocol: P, stack: &'a BookStack) -> Self {
        Self { protocol, adviser: Adviser::new(stack) }
    }

    pub fn hear(&mut self, is_gui: bool, line: &[u8]) -> Vec<Action> {
        self.protocol.session().now += Duration::from_millis(1);
        match is_gui {
            true => self.protocol.receive_from_gui(line, &mut self.adviser),
            false => self.protocol.receive_from_engine(line, &mut self.adviser),
        }
        std::mem::take(&mut self.protocol.session().said)
    }

    /// What the engine hears, and what the GUI does, once one of them has said a line.
    pub fn pass(&mut self, is_gui: bool, line: &str) -> [String; 2] {
        let (mut to_engine, mut to_gui) = (Vec::new(), Vec::new());
        for action in self.hear(is_gui, format!("{line}\n").as_bytes()) {
            match action {
                Action::ToEngine(bytes) => to_engine.extend(bytes),
                Action::ToGui(bytes) => to_gui.extend(bytes),
                Action::Note(_) => {}
            }
        }
        [to_engine, to_gui].map(|bytes| String::from_utf8(bytes).unwrap())
    }

    /// What is said to a line of the GUI, `> ` before what the engine hears, `< ` before what the
    /// GUI does, `! ` before notes.
    pub fn gui(&mut self, line: &str) -> Vec<String> {
        told(&self.hear(true, format!("{line}\n").as_bytes()))
    }

    pub fn engine(&mut self, line: &str) -> Vec<String> {
        told(&self.hear(false, format!("{line}\n").as_bytes()))
    }

    /// Follows a script: lines with `G` are the GUI's, with `E` the engine's; those behind are what
    /// has to be said, in order. `...` at the end stands for anything. What passes to the other as it
    /// is, and nothing else is said, stands behind `G>` and `E<`; a command of GTP behind `G=` passes
    /// too, and so does the engine's bare answer that it did it. What the engine is asked on a
    /// command of GTP behind `G!` it does. A line behind `*` is somewhere in what is said, all of which
    /// it stands for.
    pub fn follow(&mut self, script: &str) {
        let mut said: Vec<String> = Vec::new();
        for (number, line) in script
            .lines()
            .map(str::trim)
            .enumerate()
            .filter(|(_, line)| !line.is_empty() && !line.starts_with("// "))
        {
            if let Some((who, text)) =
                line.split_at_checked(1).filter(|(who, _)| "GE".contains(who))
            {
                assert!(said.is_empty(), "before line {number} `{line}` was said too: {said:?}");
                let passes = text.starts_with(['>', '<', '=']);
                let text = text.trim_start_matches(['>', '<', '=', '!']).trim();
                said = if who == "G" { self.gui(text) } else { self.engine(text) };
                if passes {
                    let mark = if who == "G" { '>' } else { '<' };
                    assert_eq!(said, [format!("{mark} {text}").trim_end()], "line {number}");
                    said.clear();
                }
                if line.starts_with("G=") || line.starts_with("G!") {
                    said.extend([self.engine("="), self.engine("")].concat());
                }
                if line.starts_with("G=") {
                    assert_eq!(said, ["< =", "<"], "line {number}");
                    said.clear();
                }
                continue;
            }
            assert!(!said.is_empty(), "line {number} `{line}` wasn't said");
            if let Some(line) = line.strip_prefix("* ") {
                assert!(said.iter().any(|said| said == line), "line {number}: {said:?}");
                said.clear();
                continue;
            }
            let is = said.remove(0);
            let fits = line.strip_suffix("...").map_or(is == line, |start| is.starts_with(start));
            assert!(fits, "line {number}: `{is}` instead of `{line}`");
        }
        assert!(said.is_empty(), "at the end was said too: {said:?}");
    }
}

fn told(said: &[Action]) -> Vec<String> {
    let lines = |mark: &str, bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        text.lines().map(|line| format!("{mark} {line}").trim_end().to_owned()).collect::<Vec<_>>()
    };
    let of = |action: &Action| match action {
        Action::ToEngine(bytes) => lines(">", bytes),
        Action::ToGui(bytes) => lines("<", bytes),
        Action::Note(text) => lines("!", text.as_bytes()),
    };
    said.iter().flat_map(of).collect()
}
