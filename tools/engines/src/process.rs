//! A child process spoken to by lines. Nothing it does can make its user wait forever, run out of
//! memory, or leave a process behind.
//!
//! Three threads connect the child and its user: one writes lines to it, one reads its lines, one
//! keeps the end of its standard error. Between them are queues of bounded length, so that a child
//! that floods is stopped by its own full pipe until it is listened to, and one that doesn't read
//! is found out.

use crate::error::{Error, Fault, shown};
use crate::group;
use crate::launch::Command;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

const LONGEST_LINE: usize = 1 << 16;
/// Bytes that a child may write between two commands.
const LONGEST_ANSWER: usize = 1 << 26;
/// Lines that wait in a queue.
const QUEUE: usize = 1024;
const KEPT_ERRORS: usize = 2048;
/// How long a child may take to end by itself when it is asked to.
const GRACE: Duration = Duration::from_millis(500);
/// How often it is looked whether it has ended.
const LOOK: Duration = Duration::from_millis(2);

/// A child process. When dropped, it is asked to quit, and killed with all it started if it
/// doesn't.
#[derive(Debug)]
pub struct Process {
    name: String,
    child: Child,
    is_reaped: bool,
    farewell: &'static str,
    input: Option<SyncSender<String>>,
    output: Receiver<Received>,
    errors: Arc<Mutex<Vec<u8>>>,
    /// Closed when its standard error has been read to the end.
    errors_end: Receiver<()>,
    last: String,
    received: usize,
}

/// A line that a child wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its text, without spaces around it.
    pub text: String,
    /// When it came.
    pub at: Instant,
}

/// What the reading thread has to say.
#[derive(Debug)]
enum Received {
    Line(Line),
    TooLong,
    NotText(String),
}

impl Process {
    /// Starts a child. `farewell` is what makes it end: `quit`.
    ///
    /// It gets a process group of its own, so that Ctrl-C at the terminal doesn't reach it.
    ///
    /// # Errors
    /// If the system can't start it.
    pub fn start(command: &Command, farewell: &'static str) -> Result<Self, Error> {
        let name = command.name();
        let failed = |error| Error::of(&name, Fault::Start(command.to_string(), error));
        let mut started = std::process::Command::new(command.program());
        started.args(command.arguments());
        started.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = group::prepare(&mut started).spawn().map_err(failed)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (input, to_write) = sync_channel(QUEUE);
        let (received, output) = sync_channel(QUEUE);
        let (errors_are_read, errors_end) = sync_channel(0);
        let (input, errors) = (Some(input), Arc::default());
        let process = Self {
            name,
            child,
            is_reaped: false,
            farewell,
            input,
            output,
            errors,
            errors_end,
            last: String::new(),
            received: 0,
        };
        if let (Some(stdin), Some(stdout), Some(stderr)) = pipes {
            let errors = Arc::clone(&process.errors);
            thread::spawn(move || write_lines(stdin, &to_write));
            thread::spawn(move || read_lines(stdout, &received));
            thread::spawn(move || keep_errors(stderr, &errors, errors_are_read));
        }
        Ok(process)
    }

    /// The name of the process in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Changes the name in messages.
    pub fn rename(&mut self, name: &str) {
        self.name = name.to_owned();
    }

    /// Sends a line to the process.
    ///
    /// # Errors
    /// If it has ended or doesn't read, or if the text is more than a line.
    pub fn say(&mut self, text: &str) -> Result<(), Error> {
        if text.chars().any(char::is_control) {
            return Err(Error::unsupported(
                &self.name,
                format!("`{}` is not one line", shown(text)),
            ));
        }
        self.received = 0;
        match self.input.as_ref().map(|input| input.try_send(text.to_owned())) {
            Some(Ok(())) => Ok(()),
            Some(Err(TrySendError::Full(_))) => Err(self.fault(Fault::Deaf)),
            Some(Err(TrySendError::Disconnected(_))) | None => Err(self.ended()),
        }
    }

    /// Sends a line, and returns when that was.
    pub fn ask(&mut self, text: &str) -> Result<Instant, Error> {
        self.say(text).map(|()| Instant::now())
    }

    /// The next line that isn't blank, waited for until `deadline`; `asked` is when the waiting
    /// began, for the message.
    ///
    /// # Errors
    /// If it doesn't come, or is no line of text.
    pub fn line(&mut self, asked: Instant, deadline: Instant) -> Result<Line, Error> {
        loop {
            let line = self.raw_line(asked, deadline)?;
            if !line.text.is_empty() {
                return Ok(line);
            }
        }
    }

    /// The next line, which may be blank.
    pub fn raw_line(&mut self, asked: Instant, deadline: Instant) -> Result<Line, Error> {
        let left = deadline.saturating_duration_since(Instant::now());
        let received = match self.output.recv_timeout(left) {
            Ok(received) => received,
            Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
            Err(RecvTimeoutError::Timeout) => {
                let waited = deadline.saturating_duration_since(asked);
                return Err(self.fault(Fault::Silent(waited)));
            }
        };
        match received {
            Received::Line(line) => {
                self.received += line.text.len() + 1;
                if self.received > LONGEST_ANSWER {
                    return Err(self.fault(Fault::Flood("an answer", LONGEST_ANSWER)));
                }
                if !line.text.is_empty() {
                    self.last.clone_from(&line.text);
                }
                Ok(line)
            }
            Received::TooLong => Err(self.fault(Fault::Flood("a line", LONGEST_LINE))),
            Received::NotText(line) => Err(self.fault(Fault::NotText(line))),
        }
    }

    fn fault(&self, fault: Fault) -> Error {
        Error { last: self.last_words(), ..Error::of(&self.name, fault) }
    }

    /// Forgets output that was not waited for.
    pub fn forget(&mut self) {
        for _ in 0..QUEUE {
            if !matches!(self.output.try_recv(), Ok(Received::Line(_))) {
                return;
            }
        }
    }

    /// The last output of the process, for messages.
    fn last_words(&self) -> String {
        let errors = self
            .errors
            .lock()
            .map(|errors| String::from_utf8_lossy(&errors).into_owned())
            .unwrap_or_default();
        let from = errors.trim_end().char_indices().rev().nth(199).map_or(0, |(at, _)| at);
        let (line, errors) = (shown(&self.last), shown(&errors[from..]));
        let mut words = String::new();
        if !line.is_empty() {
            words += &format!("; it said last `{line}`");
        }
        if !errors.is_empty() {
            words += &format!("; on standard error: `{errors}`");
        }
        words
    }

    /// The error that it has ended. Its exit may come a little after the end of its output.
    fn ended(&mut self) -> Error {
        let status = if self.ends_within(GRACE) { self.reap() } else { None };
        if status.is_some() {
            // What it wrote before its end may not have been read yet; a process it started and
            // that left its group may hold the pipe open.
            let _ = self.errors_end.recv_timeout(GRACE);
        }
        let status =
            status.map_or_else(|| "it closed its output".to_owned(), |status| status.to_string());
        self.fault(Fault::Ended(status))
    }

    /// Kills what is left of it and of all it started, and waits for its end; how it ended. Until
    /// it is waited for, no other process can have its id.
    fn reap(&mut self) -> Option<ExitStatus> {
        if !self.is_reaped {
            group::kill(&mut self.child);
            self.is_reaped = true;
        }
        self.child.wait().ok()
    }

    fn ends_within(&mut self, time: Duration) -> bool {
        let deadline = Instant::now() + time;
        loop {
            if group::has_ended(&mut self.child) {
                return true;
            }
            if Instant::now() >= deadline {
                return false;
            }
            thread::sleep(LOOK);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let is_told =
            self.input.take().is_some_and(|input| input.try_send(self.farewell.to_owned()).is_ok());
        if is_told && !self.is_reaped {
            self.ends_within(GRACE);
        }
        self.reap();
    }
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for mut line in lines {
        line.push('\n');
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: ChildStdout, received: &SyncSender<Received>) {
    let mut stdout = BufReader::new(stdout);
    while let Ok(Some(line)) = next_line(&mut stdout) {
        let is_last = !matches!(line, Received::Line(_));
        if received.send(line).is_err() || is_last {
            return;
        }
    }
}

/// The next line; none at the end. What the end cuts off counts as a line.
fn next_line(stdout: &mut impl BufRead) -> io::Result<Option<Received>> {
    let mut bytes = Vec::new();
    stdout.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut bytes)?;
    let at = Instant::now();
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.len() > LONGEST_LINE {
        return Ok(Some(Received::TooLong));
    }
    Ok(Some(match String::from_utf8(bytes) {
        Ok(text) => Received::Line(Line { text: text.trim().to_owned(), at }),
        Err(error) => Received::NotText(shown(&String::from_utf8_lossy(error.as_bytes()))),
    }))
}

/// Reads standard error to its end and keeps the last of it.
fn keep_errors(mut stderr: ChildStderr, kept: &Mutex<Vec<u8>>, _until_read: SyncSender<()>) {
    let mut bytes = [0; 1024];
    while let Ok(read @ 1..) = stderr.read(&mut bytes) {
        let Ok(mut kept) = kept.lock() else { return };
        kept.extend_from_slice(&bytes[..read]);
        let old = kept.len().saturating_sub(KEPT_ERRORS);
        kept.drain(..old);
    }
}
