//! A process as a worker, spoken to by lines of JSON over pipes; and its other side. The command that
//! starts it may be anything that leads to such a process: `ssh`, a container, a batch system.
//!
//! | from the one who grows a book | from the worker |
//! |---|---|
//! | a greeting: [`Greeting`] | `{"tabia-grow-worker":1,"name":"Stockfish 15.1"}`, or `{"error":"..."}` |
//! | a task: [`Task`] | `{"id":7,"answers":[...]}` ([`Answer`]), or `{"id":7,"error":"..."}` |
//! | `quit` | nothing |

use crate::error::shown;
use crate::task::{Answer, Task, Worker, WorkerError};
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};
use tabia_engines::{Command, Process};

/// The version of this protocol.
const VERSION: u32 = 1;
const FAREWELL: &str = "quit";
/// How long a worker may take for what isn't thinking, such as to connect to another machine.
const SLACK: Duration = Duration::from_secs(60);

/// What a worker has to know of all tasks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Greeting {
    /// The version of the protocol.
    #[serde(rename = "tabia-grow")]
    pub version: u32,
    /// The game's name in books.
    pub game: String,
    /// The name of its key scheme.
    pub keys: String,
    /// The set-up text of the position that lines begin with.
    pub setup: String,
    /// What each search may use, as [`tabia_engines::Limit`] is written.
    pub limit: String,
    /// How long a search is waited for, in milliseconds.
    pub patience: u64,
}

impl Greeting {
    /// Of a game with these names, for lines that begin with this position.
    pub fn new(
        [game, keys, setup]: [&str; 3],
        limit: &tabia_engines::Limit,
        patience: Duration,
    ) -> Self {
        Self {
            version: VERSION,
            game: game.to_owned(),
            keys: keys.to_owned(),
            setup: setup.to_owned(),
            limit: limit.to_string(),
            patience: patience.as_millis() as u64,
        }
    }
}

/// What a worker says first.
#[derive(Debug, Serialize, Deserialize)]
struct Hello {
    #[serde(rename = "tabia-grow-worker")]
    version: u32,
    name: String,
}

/// What a worker says of a task.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Said {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answers: Option<Vec<Answer>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// A process that answers for an engine of its own. After an error it is started anew.
pub struct RemoteWorker {
    command: Command,
    greeting: Greeting,
    process: Option<Process>,
    name: String,
}

impl RemoteWorker {
    /// Starts a process by a command, and greets it.
    ///
    /// # Errors
    /// If it can't be started, or isn't such a worker.
    pub fn start(command: Command, greeting: Greeting) -> Result<Self, WorkerError> {
        let name = command.name();
        let mut worker = Self { command, greeting, process: None, name };
        worker.greet()?;
        Ok(worker)
    }

    fn greet(&mut self) -> Result<(), WorkerError> {
        let mut process = Process::start(&self.command, FAREWELL)?;
        process.say(&json(&self.greeting))?;
        let asked = Instant::now();
        let line = process.line(asked, asked + SLACK)?.text;
        let hello: Hello = serde_json::from_str(&line).map_err(|_| self.refusal(&line))?;
        if hello.version != VERSION {
            return Err(self.wrong(format!("speaks version {} of the protocol", hello.version)));
        }
        self.name = shown(&hello.name);
        process.rename(&format!("{} ({})", self.name, self.command.name()));
        self.process = Some(process);
        Ok(())
    }

    /// What to make of a line that is no greeting.
    fn refusal(&self, line: &str) -> WorkerError {
        let said: Said = serde_json::from_str(line).unwrap_or_default();
        let worker = self.command.to_string();
        match said.error {
            Some(why) => WorkerError::Refused { worker, why: shown(&why) },
            None => WorkerError::Wrong {
                worker,
                what: format!("`{}` instead of a greeting", shown(line)),
            },
        }
    }

    fn wrong(&self, what: String) -> WorkerError {
        WorkerError::Wrong { worker: self.name.clone(), what }
    }

    fn ask(&self, process: &mut Process, task: &Task) -> Result<Vec<Answer>, WorkerError> {
        process.say(&json(task))?;
        let asked = Instant::now();
        let searches = task.questions.iter().map(|question| question.count.clamp(1, 1000) as u32);
        let searches = searches.fold(0, u32::saturating_add);
        let patience = Duration::from_millis(self.greeting.patience);
        let deadline = asked + SLACK + patience.saturating_mul(searches);
        loop {
            let line = process.line(asked, deadline)?.text;
            let said: Said = serde_json::from_str(&line)
                .map_err(|_| self.wrong(format!("`{}`", shown(&line))))?;
            match (said.id, said.answers, said.error) {
                // Of a task that it had before.
                (Some(id), ..) if id != task.id => {}
                (_, _, Some(why)) => {
                    let (worker, why) = (self.name.clone(), shown(&why));
                    return Err(WorkerError::Refused { worker, why });
                }
                (Some(_), Some(answers), None) => return Ok(answers),
                _ => return Err(self.wrong(format!("`{}`", shown(&line)))),
            }
        }
    }
}

impl Worker for RemoteWorker {
    fn name(&self) -> &str {
        &self.name
    }

    fn answer(&mut self, task: &Task) -> Result<Vec<Answer>, WorkerError> {
        if self.process.is_none() {
            self.greet()?;
        }
        let Some(mut process) = self.process.take() else {
            return Err(self.wrong("nothing".to_owned()));
        };
        let answers = self.ask(&mut process, task)?;
        self.process = Some(process);
        Ok(answers)
    }
}

fn json(value: &impl Serialize) -> String {
    // What is written has text as keys and no other way to fail.
    serde_json::to_string(value).unwrap_or_default()
}

/// The other side: answers the tasks that come as lines, by a worker that `make` makes for the
/// greeting, until there are no more.
///
/// # Errors
/// Those of reading and writing. What is wrong with what was read is answered.
pub fn serve(
    mut input: impl BufRead,
    mut output: impl Write,
    make: impl FnOnce(&Greeting) -> Result<Box<dyn Worker>, String>,
) -> io::Result<()> {
    let mut line = String::new();
    input.read_line(&mut line)?;
    let greeting = serde_json::from_str(&line).map_err(|_| {
        let said = shown(&line);
        format!("`{said}` is no greeting: this is a worker of `tabia grow --worker`")
    });
    let worker = greeting.and_then(|greeting: Greeting| match greeting.version {
        VERSION => make(&greeting),
        other => Err(format!("this is version {VERSION} of the protocol, not {other}")),
    });
    let mut worker = match worker {
        Ok(worker) => worker,
        Err(why) => return write_line(&mut output, &failure(None, why)),
    };
    let hello = Hello { version: VERSION, name: worker.name().to_owned() };
    write_line(&mut output, &hello)?;
    loop {
        line.clear();
        if input.read_line(&mut line)? == 0 || line.trim() == FAREWELL {
            return Ok(());
        }
        let said = match serde_json::from_str::<Task>(&line) {
            Err(error) => failure(None, format!("no task: {error}")),
            Ok(task) => match worker.answer(&task) {
                Ok(answers) => Said { id: Some(task.id), answers: Some(answers), error: None },
                Err(error) => failure(Some(task.id), error.to_string()),
            },
        };
        write_line(&mut output, &said)?;
    }
}

fn failure(id: Option<u64>, why: String) -> Said {
    Said { id, answers: None, error: Some(why) }
}

fn write_line(output: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    writeln!(output, "{}", json(value))?;
    output.flush()
}
