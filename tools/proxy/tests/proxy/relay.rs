//! Pipes: engines are scripts of `sh`.

use crate::shared::{settings, stack};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tabia_games::{Chess, Game, Othello};
use tabia_proxy::{Ends, Error, Gtp, Patience, ProxyProtocol, Stop, Uci, play};

fn engine(script: &str) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(script);
    command
}

/// An engine that answers `isready` and `quit`, and searches for no time.
const USUAL: &str = "while read -r line; do case $line in isready) echo readyok;; go*) echo bestmove a2a3;; quit) exit 0;; esac; done";

#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Written {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }
}

/// A GUI that stays for as long as somebody holds its other end.
struct Said(mpsc::Receiver<Vec<u8>>, Vec<u8>);

impl Read for Said {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.1.is_empty() {
            self.1 = self.0.recv().unwrap_or_default();
        }
        let length = self.1.len().min(into.len());
        into[..length].copy_from_slice(&self.1[..length]);
        self.1.drain(..length);
        Ok(length)
    }
}

/// What came of playing.
struct Played {
    result: Result<(), Error>,
    to_gui: String,
    log: String,
    notes: Vec<String>,
    report: tabia_proxy::SessionReport,
}

/// Plays from a book of this line.
fn played_by<G: Game>(
    engine: Command,
    protocol: &mut dyn ProxyProtocol<G>,
    (start, line): (&G, &str),
    from_gui: impl Read + Send + 'static,
    (stop, patience): (Option<Stop>, Patience),
) -> Played {
    let (folder, stack) = stack(start, &[line]);
    let (written, notes) = (Written::default(), Arc::new(Mutex::new(Vec::new())));
    let (noted, log) = (Arc::clone(&notes), folder.path().join("log"));
    let ends = Ends {
        from_gui,
        to_gui: written.clone(),
        log: Some(log.clone()),
        note: Box::new(move |note: &str| noted.lock().unwrap().push(note.to_owned())),
        stop,
        patience,
    };
    let result = play(engine, protocol, stack, (start, &settings().rule), ends);
    let log = String::from_utf8_lossy(&std::fs::read(log).unwrap_or_default()).into_owned();
    let (notes, report) = (notes.lock().unwrap().clone(), protocol.stats().report());
    Played { result, to_gui: written.text(), log, notes, report }
}

/// Plays chess.
fn played(engine: Command, from_gui: impl Read + Send + 'static) -> Played {
    let (mut uci, patience) = (Uci::new(settings()), Patience::default());
    played_by(engine, &mut uci, (&Chess::start(), "e4 e5"), from_gui, (None, patience))
}

/// With a GUI that says this and stays.
fn played_with_patience(engine: Command, said: &[&[u8]]) -> Played {
    let (sender, receiver) = mpsc::channel();
    said.iter().for_each(|said| sender.send(said.to_vec()).unwrap());
    let played = played(engine, Said(receiver, Vec::new()));
    drop(sender);
    played
}

#[test]
fn lines_are_carried_as_they_are() {
    let said = b"isready\r\nposition startpos moves a2a3\ngo depth 1\n\xfe\nquit\n";
    let played = played(engine(USUAL), &said[..]);
    played.result.unwrap();
    assert_eq!(played.to_gui, "bestmove a2a3\n", "`isready\\r` is nothing that this engine knows");
    assert!(
        played.log.contains("gui >    isready\r\n") && played.log.contains("> engine quit\n"),
        "{}",
        played.log
    );
    assert!(played.notes.is_empty() && played.report.all.engine_moves == 1);
}

#[test]
fn an_engine_is_told_to_end_when_the_gui_has_gone() {
    let played = played(engine(&format!("{USUAL}; echo never")), &b"isready\n"[..]);
    played.result.unwrap();
    assert_eq!(played.to_gui, "readyok\n");
}

#[test]
fn an_engine_that_ends_first_is_told() {
    let played = played_with_patience(engine("echo last words; exit 3"), &[]);
    let error = played.result.unwrap_err();
    assert!(error.to_string().contains("exit status: 3"), "{error}");
    assert_eq!(played.to_gui, "last words\n");
}

#[test]
fn an_engine_that_isnt_there_is_told() {
    let played = played(Command::new("/nowhere/engine"), &b""[..]);
    assert!(matches!(played.result, Err(Error::Start { .. })));
}

#[test]
fn an_engine_that_doesnt_end_or_talks_on_is_stopped() {
    for script in
        ["trap '' TERM INT; exec 0<&-; while :; do sleep 1; done", "while :; do echo info; done"]
    {
        let played = played(engine(script), &b"quit\n"[..]);
        played.result.unwrap();
        assert!(played.notes[0].contains("was stopped"), "{script}: {:?}", played.notes);
    }
}

/// What a GUI hears that says this to a GTP engine of Othello, and goes.
fn heard(script: &str, from_gui: &'static str) -> String {
    let (start, patience) = (Othello::start(), Patience::default());
    let mut gtp = Gtp::new(settings(), start.clone());
    let from_gui = from_gui.as_bytes();
    let played = played_by(engine(script), &mut gtp, (&start, "f5 d6"), from_gui, (None, patience));
    played.result.unwrap();
    assert!(played.notes.is_empty(), "{:?}", played.notes);
    played.to_gui
}

/// GTP has no way to break a command off: what was asked before `quit` is answered, however long it
/// takes.
#[test]
fn an_engine_may_answer_before_it_ends() {
    let script = "while read -r line; do case $line in final*) sleep 6; echo '= B+3'; echo;; quit) echo =; echo; exit 0;; esac; done";
    assert_eq!(heard(script, "final_score\nquit\n"), "= B+3\n\n=\n\n");
}

/// A GTP engine that answers everything but `genmove`.
const OWING: &str = "echo $$ > \"$PID.new\"; mv \"$PID.new\" \"$PID\"; while read -r line; do case $line in genmove*) exec sleep 600;; *) echo =; echo;; esac; done";

/// What can be read as soon as a file is there.
struct After<R>(PathBuf, R);

impl<R: Read> Read for After<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while !self.0.exists() {
            std::thread::sleep(Duration::from_millis(10));
        }
        self.1.read(into)
    }
}

/// Plays Othello with an engine that owes its move for ever, with a GUI that says this; if
/// `is_stopped`, we are asked to end once the engine is there. The result, the notes, and whether
/// the engine is there at the end.
fn owing(
    from_gui: impl Read + Send + 'static,
    is_stopped: bool,
) -> (Result<(), Error>, Vec<String>, bool) {
    let (start, folder) = (Othello::start(), tempfile::tempdir().unwrap());
    let pid = folder.path().join("pid");
    let (from_gui, once) = (After(pid.clone(), from_gui), After(pid.clone(), io::repeat(1)));
    // It never answers.
    let answers = if is_stopped { Duration::from_secs(600) } else { Duration::from_millis(100) };
    let stop = is_stopped.then(|| -> Stop { Box::new(|| Ok(Box::new(once))) });
    let patience = Patience { answers, ..Patience::default() };
    let mut gtp = Gtp::new(settings(), start.clone());
    let mut engine = engine(OWING);
    engine.env("PID", &pid);
    let played = played_by(engine, &mut gtp, (&start, "f5 d6"), from_gui, (stop, patience));
    let pid = std::fs::read_to_string(pid).unwrap();
    (played.result, played.notes, Path::new("/proc").join(pid.trim()).exists())
}

/// Finding P13: the GUI wasn't heard while the engine owed its move.
#[test]
fn an_engine_that_owes_a_move_outlives_no_gui() {
    for said in [
        // It goes without a word, and with one.
        &b"name\nplay b E3\ngenmove w\n"[..],
        b"name\nplay b E3\ngenmove w\nname\nquit\n",
    ] {
        let (result, notes, is_there) = owing(said, false);
        result.unwrap();
        assert!(notes[0].contains("was stopped") && !is_there, "{notes:?}");
    }
    // It stays, and says that all is over.
    let (sender, receiver) = mpsc::channel();
    sender.send(b"play b E3\ngenmove w\n7 quit # that's all\n".to_vec()).unwrap();
    let (result, notes, is_there) = owing(Said(receiver, Vec::new()), false);
    drop(sender);
    result.unwrap();
    assert!(notes[0].contains("was stopped") && !is_there, "{notes:?}");
}

/// Finding P13: a signal ended the proxy and left the engine.
#[test]
fn the_engine_ends_when_we_are_asked_to() {
    let (sender, receiver) = mpsc::channel();
    sender.send(b"play b E3\ngenmove w\n".to_vec()).unwrap();
    let (result, _, is_there) = owing(Said(receiver, Vec::new()), true);
    drop(sender);
    assert!(matches!(result, Err(Error::Stopped)) && !is_there, "{result:?}");
}

/// What the GUI says while the engine thinks is received in its order, once it has answered.
#[test]
fn what_is_said_meanwhile_is_kept() {
    let script = "while read -r line; do case $line in genmove*) sleep 1; echo '= F3'; echo;; quit) echo =; echo; exit 0;; *) echo \"= $line\"; echo;; esac; done";
    let said = "play b E3\ngenmove w\nname\nversion\nquit\n";
    let answers = "= play b E3\n\n= F3\n\n= name\n\n= version\n\n=\n\n";
    assert_eq!(heard(script, said), answers);
}

#[test]
fn a_line_without_end_ends_the_play() {
    let gui = played(engine(USUAL), io::repeat(b'x'));
    assert!(matches!(gui.result, Err(Error::LongLine("the GUI"))));
    let engine = played_with_patience(engine("exec tr '\\0' x < /dev/zero"), &[]);
    assert!(matches!(engine.result, Err(Error::LongLine("the engine"))));
}

#[test]
fn an_engine_that_doesnt_read_stops_nobody() {
    let played = played(engine("exec sleep 60"), Flood);
    assert!(matches!(played.result, Err(Error::EngineDeaf)), "{:?}", played.result);
}

/// A GUI that never ends.
struct Flood;

impl Read for Flood {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        into.fill(b'x');
        into.iter_mut().step_by(80).for_each(|byte| *byte = b'\n');
        Ok(into.len())
    }
}

/// The engine writes and writes while the GUI says something: nothing is lost, and both arrive.
#[test]
fn a_flood_of_lines_passes() {
    let script = "i=0; while [ $i -lt 20000 ]; do echo info $i; i=$((i+1)); done; while read -r line; do [ \"$line\" = quit ] && exit 0; done";
    let played = played_with_patience(engine(script), &[&b"isready\n".repeat(2000), b"quit\n"]);
    played.result.unwrap();
    let expected: String = (0..20_000).map(|number| format!("info {number}\n")).collect();
    assert!(played.to_gui == expected);
    assert_eq!(played.log.matches("> engine isready").count(), 2000);
}
