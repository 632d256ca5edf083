//! The pipes: lines of the GUI and the engine, carried between them as a protocol says.
//!
//! One thread each reads the lines of the GUI and of the engine, and one writes to the engine, so
//! that an engine that doesn't read blocks nothing; threads wait only for lines. All lines that
//! have arrived are read before anything is flushed.

use crate::book_player::{Adviser, BookPlayer};
use crate::book_stack::BookStack;
use crate::error::Error;
use crate::exchange::{Action, Exchange, ProxyProtocol};
use crate::lines::{self, Received};
use crate::log::Log;
use crossbeam_channel::{Receiver, Sender, at, bounded, never, select};
use std::io::{BufReader, BufWriter, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use tabia::format::Keyed;
use tabia_games::{Game, Node};
use tabia_play::choice::RuleSpec;

/// Lines that wait to be received, or to be taken by the engine.
const WAITING: usize = 64;

/// How long an engine may take to end when it is asked to, or to read.
const PATIENCE: Duration = Duration::from_secs(5);

/// The GUI's pipes, and where notes go.
pub struct Ends<R, W> {
    /// What the GUI says.
    pub from_gui: R,
    /// What the GUI hears.
    pub to_gui: W,
    /// Everything that is said.
    pub log: Log,
    /// Receives notes for a person, a line each.
    pub note: Box<dyn FnMut(&str)>,
}

/// Starts the engine, and carries lines until the GUI ends it.
///
/// `start` is the position that games usually begin with; what `rule` wants to be done ahead is
/// done before the engine is started.
///
/// # Errors
/// [`Error::Start`]; [`Error::Log`]; [`Error::EngineEnded`] if the engine ends first; what the
/// protocol ends the play with. The engine has ended then.
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
    from_engine: Receiver<Received>,
    to_gui: BufWriter<W>,
    /// None once the engine is not to hear more.
    to_engine: Option<Sender<Vec<u8>>>,
    engine: Running,
    begun: Instant,
    /// The GUI has said that all is over, or has gone.
    is_over: bool,
    /// When the engine is stopped if it hasn't ended.
    deadline: Option<Instant>,
    log: Log,
    note: Box<dyn FnMut(&str)>,
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
    /// The engine was waited for long enough.
    Deadline,
}

impl<W: Write> Relay<W> {
    fn start<R: Read + Send + 'static>(
        engine: &mut Command,
        mut ends: Ends<R, W>,
    ) -> Result<Self, Error> {
        let name = engine.get_program().to_string_lossy().into_owned();
        let failed = |source| Error::Start { engine: name, source };
        let mut child =
            Running(engine.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?);
        ends.log.open()?;
        let from_engine = child.0.stdout.take().map_or_else(never, reading);
        let to_engine = child.0.stdin.take().map(writing);
        Ok(Self {
            from_gui: reading(ends.from_gui),
            from_engine,
            to_gui: BufWriter::new(ends.to_gui),
            to_engine,
            engine: child,
            begun: Instant::now(),
            is_over: false,
            deadline: None,
            log: ends.log,
            note: ends.note,
        })
    }

    /// Carries lines until all is over, or other books are to be played from.
    fn carry<G: Game>(
        &mut self,
        protocol: &mut dyn ProxyProtocol<G>,
        adviser: &mut Adviser<'_, G>,
    ) -> Result<Option<BookStack>, Error> {
        let mut said = Vec::new();
        loop {
            let (way, line) = match self.next(protocol.waits()) {
                Next::Gui(received) => ("gui >", self.said_by_gui(received)?),
                Next::Engine(Received::End | Received::Failed(_)) => {
                    return self.engine_ended().map(|()| None);
                }
                Next::Engine(received) => ("engine >", Some(whole(received, "the engine")?)),
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
            let mut exchange = Exchange { now, adviser, said: &mut said };
            let received = match way {
                "gui >" => protocol.receive_from_gui(&line, &mut exchange),
                _ => protocol.receive_from_engine(&line, &mut exchange),
            };
            said.drain(..).try_for_each(|action| self.act(action))?;
            received?;
            self.is_over |= protocol.is_over();
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
        let unheard = never();
        let gui = if gui_waits { &unheard } else { &self.from_gui };
        // A closed channel means that a thread has ended after its last word.
        select! {
            recv(gui) -> received => return Next::Gui(received.unwrap_or(Received::End)),
            recv(self.from_engine) -> received => return Next::Engine(received.unwrap_or(Received::End)),
            default => {}
        }
        self.flush();
        let gui = if gui_waits { &unheard } else { &self.from_gui };
        let deadline = self.deadline.map_or_else(never, at);
        select! {
            recv(gui) -> received => Next::Gui(received.unwrap_or(Received::End)),
            recv(self.from_engine) -> received => Next::Engine(received.unwrap_or(Received::End)),
            recv(deadline) -> _ => Next::Deadline,
        }
    }

    /// What the GUI said, if it still says something.
    fn said_by_gui(&mut self, received: Received) -> Result<Option<Vec<u8>>, Error> {
        if matches!(received, Received::End | Received::Failed(_)) {
            self.gui_ended();
            return Ok(None);
        }
        whole(received, "the GUI").map(Some)
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
        match engine.send_timeout(line, PATIENCE) {
            Ok(()) => Ok(()),
            Err(crossbeam_channel::SendTimeoutError::Timeout(_)) => Err(Error::EngineDeaf),
            // It hears nothing any more; it may have a last word.
            Err(crossbeam_channel::SendTimeoutError::Disconnected(_)) => {
                self.deadline.get_or_insert_with(|| Instant::now() + PATIENCE);
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

    fn log_failed(&mut self, error: &std::io::Error) {
        (self.note)(&format!("the log can't be written any more: {error}"));
    }

    /// The GUI has gone: the engine is asked to end, and gets nothing more.
    fn gui_ended(&mut self) {
        self.from_gui = never();
        if let Some(engine) = &self.to_engine {
            let _ = engine.send_timeout(b"quit\n".to_vec(), PATIENCE);
        }
        self.to_engine = None;
        self.is_over = true;
    }

    /// If all is over, an engine that has answered everything has to end soon.
    fn engine_shall_end(&mut self, is_idle: bool) {
        if self.is_over && is_idle {
            self.deadline.get_or_insert_with(|| Instant::now() + PATIENCE);
        }
    }

    /// The engine's output ended: no error if it was asked to end.
    fn engine_ended(&mut self) -> Result<(), Error> {
        if self.is_over {
            return self.finish();
        }
        let status = self.ended_by(Instant::now() + Duration::from_secs(1));
        self.flush();
        Err(Error::EngineEnded { status })
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
        self.ended_by(self.deadline.unwrap_or_else(|| Instant::now() + PATIENCE));
        Ok(())
    }
}

/// A whole line, if it is one.
fn whole(received: Received, who: &'static str) -> Result<Vec<u8>, Error> {
    match received {
        Received::Line(line) => Ok(line),
        Received::TooLong | Received::End => Err(Error::LongLine { who }),
        Received::Failed(source) => Err(Error::Pipe { action: "read", who, source }),
    }
}

/// Lines as they come from a pipe.
fn reading(from: impl Read + Send + 'static) -> Receiver<Received> {
    let (sender, receiver) = bounded(WAITING);
    std::thread::spawn(move || {
        let mut from = BufReader::new(from);
        loop {
            let received = lines::next(&mut from);
            let is_last = !matches!(received, Received::Line(_));
            if sender.send(received).is_err() || is_last {
                return;
            }
        }
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
