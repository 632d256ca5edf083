//! The pipes: lines of the GUI and the engine, carried between them as a protocol says.
//!
//! One thread each reads the lines of the GUI and of the engine, and one writes to the engine, so
//! that an engine that doesn't read blocks nothing; threads wait only for lines. All lines that
//! have arrived are read before anything is flushed.

use crate::adviser::Adviser;
use crate::book_stack::BookStack;
use crate::error::{Error, MOST_WAITING};
use crate::log::Log;
use crate::session::{Action, ProxyProtocol};
use crossbeam_channel::{Receiver, Sender, at, bounded, never, select};
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use tabia::format::Keyed;
use tabia_games::{Game, Node};
use tabia_play::choice::RuleSpec;

/// Lines that wait to be received, or to be taken by the engine.
const WAITING: usize = 64;

/// The most bytes of a line.
pub(crate) const LONGEST: usize = 1 << 20;

/// What comes from a pipe.
#[derive(Debug)]
enum Received {
    /// A line with its end; the last one may have none.
    Line(Vec<u8>),
    /// A line that doesn't end.
    TooLong,
    End,
    /// The system's refusal.
    Failed(io::Error),
}

fn next_line(from: &mut impl BufRead) -> Received {
    let mut line = Vec::new();
    match from.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', &mut line) {
        Ok(0) => Received::End,
        Ok(length) if length > LONGEST => Received::TooLong,
        Ok(_) => Received::Line(line),
        Err(error) => Received::Failed(error),
    }
}

/// How long engines are waited for when all is over. The engine is stopped then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For the answers that it still owes, where the protocol has no way to break these off.
    pub answers: Duration,
    /// For its end, when it owes nothing; and at any time for reading what it is told.
    pub end: Duration,
    /// For its end, when the process is asked to end: whoever asks doesn't wait long.
    pub stop: Duration,
}

impl Default for Patience {
    /// Half a minute, five seconds, one second.
    fn default() -> Self {
        let [answers, end, stop] = [30, 5, 1].map(Duration::from_secs);
        Self { answers, end, stop }
    }
}

/// Called before the engine is started: something to be read from what it gives, or its end, says
/// that all is to end at once.
pub type Stop = Box<dyn FnOnce() -> io::Result<Box<dyn Read + Send>>>;

/// The GUI's pipes, and where notes go.
pub struct Ends<R, W> {
    /// What the GUI says.
    pub from_gui: R,
    /// What the GUI hears.
    pub to_gui: W,
    /// The file at whose end everything that is said is written, once the engine is started.
    pub log: Option<PathBuf>,
    /// Receives notes for a person, a line each.
    pub note: Box<dyn FnMut(&str)>,
    /// How it is heard that all is to end at once, by a signal for instance, if it is heard at all.
    pub stop: Option<Stop>,
    /// How long the engine is waited for.
    pub patience: Patience,
}

/// Starts the engine, and carries lines until the GUI ends it.
///
/// Once the GUI has said that all is over, or has gone, the engine may still answer what it owes,
/// and has to end, as [`Patience`] says.
///
/// `start` is the position that games usually begin with; what `rule` wants to be done ahead is
/// done before the engine is started.
///
/// # Errors
/// [`Error::Start`]; [`Error::Log`]; [`Error::EngineEnded`] if the engine ends first;
/// [`Error::Stopped`]; what the protocol ends the play with. The engine has ended then.
pub fn play<G: Game, R: Read + Send + 'static, W: Write>(
    mut engine: Command,
    protocol: &mut dyn ProxyProtocol<G>,
    mut stack: BookStack,
    (start, rule): (&G, &RuleSpec),
    ends: Ends<R, W>,
) -> Result<(), Error> {
    let mut adviser = Adviser::new(&stack);
    adviser.prepare(&Node::start(start.clone(), stack.keyed() == Keyed::Line), rule)?;
    let note = adviser.note();
    let mut relay = Relay::start(&mut engine, ends)?;
    note.iter().for_each(|note| (relay.note)(note));
    let mut next = relay.carry(protocol, &mut adviser)?;
    drop(adviser);
    while let Some(other) = next {
        stack = other;
        next = relay.carry(protocol, &mut Adviser::new(&stack))?;
    }
    Ok(())
}

struct Relay<W: Write> {
    from_gui: Receiver<Received>,
    /// What the GUI said while the protocol waits for the engine.
    held: VecDeque<Received>,
    from_engine: Receiver<Received>,
    stop: Receiver<()>,
    to_gui: BufWriter<W>,
    /// None once the engine is not to hear more.
    to_engine: Option<Sender<Vec<u8>>>,
    engine: Running,
    begun: Instant,
    /// The GUI has said that all is over, or has gone.
    is_over: bool,
    /// We were asked to end.
    is_stopped: bool,
    /// When the engine is stopped if it hasn't ended.
    deadline: Option<Instant>,
    log: Log,
    note: Box<dyn FnMut(&str)>,
    patience: Patience,
}

/// An engine, which is stopped when this is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // An error means that it has ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Who said something.
enum Next {
    Gui(Received),
    Engine(Received),
    /// We are asked to end.
    Stop,
    /// The engine was waited for long enough.
    Deadline,
}

impl<W: Write> Relay<W> {
    fn start<R: Read + Send + 'static>(
        engine: &mut Command,
        ends: Ends<R, W>,
    ) -> Result<Self, Error> {
        let name = engine.get_program().to_string_lossy().into_owned();
        let failed = |error| Error::Start(name, error);
        let unheard = |error| Error::Pipe("listen to signals".to_owned(), error);
        let stop = ends.stop.map(|stop| stop()).transpose().map_err(unheard)?;
        let mut child =
            Running(engine.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?);
        let log = Log::open(ends.log)?;
        let from_engine = child.0.stdout.take().map_or_else(never, reading);
        let to_engine = child.0.stdin.take().map(writing);
        Ok(Self {
            from_gui: reading(ends.from_gui),
            held: VecDeque::new(),
            from_engine,
            stop: stop.map_or_else(never, stopping),
            to_gui: BufWriter::new(ends.to_gui),
            to_engine,
            engine: child,
            begun: Instant::now(),
            is_over: false,
            is_stopped: false,
            deadline: None,
            log,
            note: ends.note,
            patience: ends.patience,
        })
    }

    /// Carries lines until all is over, or other books are to be played from.
    fn carry<G: Game>(
        &mut self,
        protocol: &mut dyn ProxyProtocol<G>,
        adviser: &mut Adviser<'_, G>,
    ) -> Result<Option<BookStack>, Error> {
        loop {
            let waits = protocol.waits();
            let (way, line) = match self.next(waits) {
                Next::Gui(received) if waits => {
                    self.hold(received, protocol);
                    continue;
                }
                Next::Gui(Received::End | Received::Failed(_)) => {
                    self.gui_ended();
                    ("gui >", None)
                }
                Next::Gui(received) => ("gui >", Some(whole(received, "the GUI")?)),
                Next::Engine(Received::End | Received::Failed(_)) => {
                    return self.engine_ended().map(|()| None);
                }
                Next::Engine(received) => ("engine >", Some(whole(received, "the engine")?)),
                Next::Stop => {
                    self.stop();
                    continue;
                }
                Next::Deadline => {
                    (self.note)("the engine didn't end when it was told to: it was stopped");
                    return self.finish().map(|()| None);
                }
            };
            let Some(line) = line else {
                self.engine_shall_end(protocol.is_idle());
                continue;
            };
            let now = self.begun.elapsed();
            self.write_down(now, way, &line);
            protocol.session().now = now;
            match way {
                "gui >" => protocol.receive_from_gui(&line, adviser),
                _ => protocol.receive_from_engine(&line, adviser),
            }
            protocol.session().said.drain(..).try_for_each(|action| self.act(action))?;
            if protocol.waiting() > MOST_WAITING {
                return Err(Error::TooManyQuestions);
            }
            self.is_over |= protocol.session().is_over;
            self.engine_shall_end(protocol.is_idle());
            if let Some(next) = adviser.other_books() {
                return Ok(Some(next));
            }
        }
    }

    /// The next line or end of a pipe. What was said before is out when it has to be waited for.
    fn next(&mut self, gui_waits: bool) -> Next {
        // An engine that never stops talking is stopped, too.
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Next::Deadline;
        }
        if let Some(held) = self.held.pop_front_if(|_| !gui_waits) {
            return Next::Gui(held);
        }
        let unheard = never();
        let gui = if self.held.len() < MOST_WAITING { &self.from_gui } else { &unheard };
        // A closed channel means that a thread has ended after its last word.
        select! {
            recv(gui) -> received => return Next::Gui(received.unwrap_or(Received::End)),
            recv(self.from_engine) -> received => return Next::Engine(received.unwrap_or(Received::End)),
            recv(self.stop) -> _ => return Next::Stop,
            default => {}
        }
        self.flush();
        let gui = if self.held.len() < MOST_WAITING { &self.from_gui } else { &unheard };
        let deadline = self.deadline.map_or_else(never, at);
        select! {
            recv(gui) -> received => Next::Gui(received.unwrap_or(Received::End)),
            recv(self.from_engine) -> received => Next::Engine(received.unwrap_or(Received::End)),
            recv(self.stop) -> _ => Next::Stop,
            recv(deadline) -> _ => Next::Deadline,
        }
    }

    /// Keeps what the GUI said until the engine has answered: but that all is over, or that the GUI
    /// has gone, is known from now on.
    fn hold<G: Game>(&mut self, received: Received, protocol: &dyn ProxyProtocol<G>) {
        let is_last = match &received {
            Received::Line(line) => protocol.is_last(line),
            Received::TooLong => false,
            Received::End | Received::Failed(_) => {
                self.from_gui = never();
                true
            }
        };
        if is_last {
            self.ends_within(self.patience.answers);
        }
        self.held.push_back(received);
    }

    fn act(&mut self, action: Action) -> Result<(), Error> {
        let now = self.begun.elapsed();
        match action {
            Action::ToEngine(line) => {
                self.write_down(now, "> engine", &line);
                self.send_engine(line)
            }
            Action::ToGui(lines) => {
                self.write_down(now, "> gui", &lines);
                if self.to_gui.write_all(&lines).is_err() {
                    self.gui_ended();
                }
                Ok(())
            }
            Action::Note(note) => {
                (self.note)(&note);
                Ok(())
            }
        }
    }

    fn send_engine(&mut self, line: Vec<u8>) -> Result<(), Error> {
        let Some(engine) = &self.to_engine else { return Ok(()) };
        match engine.send_timeout(line, self.patience.end) {
            Ok(()) => Ok(()),
            Err(crossbeam_channel::SendTimeoutError::Timeout(_)) => Err(Error::EngineDeaf),
            // It hears nothing any more; it may have a last word.
            Err(crossbeam_channel::SendTimeoutError::Disconnected(_)) => {
                self.deadline.get_or_insert_with(|| Instant::now() + self.patience.end);
                Ok(())
            }
        }
    }

    fn flush(&mut self) {
        if self.to_gui.flush().is_err() {
            self.gui_ended();
        }
        if let Err(error) = self.log.flush() {
            self.log_failed(&error);
        }
    }

    fn write_down(&mut self, now: Duration, way: &str, line: &[u8]) {
        if let Err(error) = self.log.write(now, way, line) {
            self.log_failed(&error);
        }
    }

    fn log_failed(&mut self, error: &io::Error) {
        (self.note)(&format!("the log can't be written any more: {error}"));
    }

    /// The GUI has gone: the engine is asked to end, and gets nothing more.
    fn gui_ended(&mut self) {
        self.from_gui = never();
        if let Some(engine) = &self.to_engine {
            let _ = engine.send_timeout(b"quit\n".to_vec(), self.patience.end);
        }
        self.to_engine = None;
        self.is_over = true;
    }

    /// We are asked to end: so is the engine, which is stopped if it doesn't hurry.
    fn stop(&mut self) {
        (self.stop, self.is_stopped) = (never(), true);
        self.held.clear();
        self.gui_ended();
        self.ends_within(self.patience.stop);
    }

    /// If all is over, the engine has to end soon: later if it still has something to answer.
    fn engine_shall_end(&mut self, is_idle: bool) {
        if self.is_over {
            let time = if is_idle { self.patience.end } else { self.patience.answers };
            self.ends_within(time);
        }
    }

    /// The engine is stopped after this time, if not before.
    fn ends_within(&mut self, time: Duration) {
        let deadline = Instant::now() + time;
        self.deadline = Some(self.deadline.map_or(deadline, |before| before.min(deadline)));
    }

    /// The engine's output ended: no error if it was asked to end.
    fn engine_ended(&mut self) -> Result<(), Error> {
        if self.is_over {
            return self.finish();
        }
        let status = self.ended_by(Instant::now() + Duration::from_secs(1));
        self.flush();
        Err(Error::EngineEnded(status))
    }

    /// Waits for the end of an engine that says nothing any more.
    fn ended_by(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            match self.engine.0.try_wait() {
                Ok(None) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(5))
                }
                Ok(status) => return status,
                Err(_) => return None,
            }
        }
    }

    fn finish(&mut self) -> Result<(), Error> {
        self.flush();
        self.to_engine = None;
        self.ended_by(self.deadline.unwrap_or_else(|| Instant::now() + self.patience.end));
        if self.is_stopped { Err(Error::Stopped) } else { Ok(()) }
    }
}

fn whole(received: Received, who: &'static str) -> Result<Vec<u8>, Error> {
    match received {
        Received::Line(line) => Ok(line),
        Received::TooLong | Received::End => Err(Error::LongLine(who)),
        Received::Failed(error) => Err(Error::Pipe(format!("read {who}"), error)),
    }
}

/// Lines as they come from a pipe.
fn reading(from: impl Read + Send + 'static) -> Receiver<Received> {
    let (sender, receiver) = bounded(WAITING);
    std::thread::spawn(move || {
        let mut from = BufReader::new(from);
        loop {
            let received = next_line(&mut from);
            let is_last = !matches!(received, Received::Line(_));
            if sender.send(received).is_err() || is_last {
                return;
            }
        }
    });
    receiver
}

/// What arrives when all is to end.
fn stopping(mut from: Box<dyn Read + Send>) -> Receiver<()> {
    let (sender, receiver) = bounded(1);
    std::thread::spawn(move || {
        // Whatever is read, and if nothing can be: who holds the other end has gone.
        let _ = from.read(&mut [0]);
        let _ = sender.send(());
    });
    receiver
}

/// Takes lines for a pipe, which is closed when no more can come.
fn writing(to: ChildStdin) -> Sender<Vec<u8>> {
    let (sender, receiver) = bounded::<Vec<u8>>(WAITING);
    std::thread::spawn(move || {
        let mut to = BufWriter::new(to);
        while let Ok(line) = receiver.recv() {
            let more = std::iter::from_fn(|| receiver.try_recv().ok());
            let written =
                std::iter::once(line).chain(more).try_for_each(|line| to.write_all(&line));
            if written.and_then(|()| to.flush()).is_err() {
                return;
            }
        }
    });
    sender
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_as_they_were() {
        let mut text = &b"a\r\n\n\xff\0\nlast"[..];
        let mut lines = Vec::new();
        while let Received::Line(line) = next_line(&mut text) {
            lines.push(line);
        }
        assert_eq!(lines, [&b"a\r\n"[..], b"\n", b"\xff\0\n", b"last"]);
    }

    #[test]
    fn a_line_has_a_limit() {
        let mut line = vec![b'x'; LONGEST - 1];
        line.push(b'\n');
        assert!(matches!(next_line(&mut &line[..]), Received::Line(whole) if whole == line));
        line.insert(0, b'x');
        assert!(matches!(next_line(&mut &line[..]), Received::TooLong));
        assert!(matches!(next_line(&mut io::BufReader::new(io::repeat(b'x'))), Received::TooLong));
    }
}
