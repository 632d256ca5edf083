//! What the tests play on: a folder of their own, the binary, and archives of random games.

use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tabia_games::{Chess, Game};
use tabia_testing::Rng;

/// A folder that is gone when the test is over.
pub struct Stage(tempfile::TempDir);

/// What came of a run of the binary.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// Starts a command with pipes for all that it reads and writes.
pub fn piped(mut command: Command) -> Child {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// The arguments in a string, split at spaces.
pub fn words(text: &str) -> Vec<OsString> {
    text.split_whitespace().map(OsString::from).collect()
}

/// A file that is shipped with the tests.
pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

impl Stage {
    /// A folder with the shipped archives in it.
    pub fn new() -> Self {
        let stage = Self(tempfile::tempdir().unwrap());
        for name in ["club.pgn", "league.pgn", "odd.pgn"] {
            fs::copy(data(name), stage.path(name)).unwrap();
        }
        stage
    }

    /// One with a book of the club's games, `club.tabia`, and one of the league's, `league.tabia`.
    pub fn with_books() -> Self {
        let stage = Self::new();
        stage.good("build -q -o club.tabia club.pgn");
        stage.good("build -q -o league.tabia league.pgn");
        stage
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub fn copy(&self, from: &str, to: &str) {
        fs::copy(self.path(from), self.path(to)).unwrap();
    }

    /// The binary, to be run in the folder.
    pub fn command(&self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tabia"));
        command.current_dir(self.0.path()).env("LC_ALL", "C").args(args);
        self.isolate(&mut command);
        command
    }

    /// Nothing of the user's own settings shows.
    fn isolate(&self, command: &mut Command) {
        command.env("HOME", self.path(""));
        for name in ["COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "XDG_DATA_HOME"] {
            command.env_remove(name);
        }
    }

    pub fn run(&self, args: &str) -> Ran {
        Ran::of(self.command(words(args)).stdin(Stdio::null()).output().unwrap())
    }

    /// Starts it, to be killed or waited for.
    pub fn start(&self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Child {
        let mut command = self.command(args);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// Starts it, and sends it a signal as soon as this holds, unless it has ended before; what came of it.
    pub fn signalled(&self, args: &str, signal: &str, mut when: impl FnMut() -> bool) -> Ran {
        let (mut child, begun) = (piped(self.command(words(args))), Instant::now());
        while child.try_wait().unwrap().is_none() && !when() {
            assert!(begun.elapsed() < Duration::from_secs(300), "{args}: nothing comes of it");
            std::thread::yield_now();
        }
        match signal {
            "-KILL" => child.kill().unwrap(),
            _ => _ = kill(signal, child.id()),
        }
        Ran::of(child.wait_with_output().unwrap())
    }

    /// What a shell makes of this in the folder; it finds `tabia`, and `tabia-match` among the
    /// examples.
    pub fn shell(&self, line: &str) -> Ran {
        let binary = Path::new(env!("CARGO_BIN_EXE_tabia")).parent().expect("a folder");
        let path = std::env::var("PATH").unwrap_or_default();
        let path = format!("{}/examples:{path}", binary.display());
        let mut shell = Command::new("sh");
        shell
            .args(["-c", line])
            .current_dir(self.path(""))
            .env("PATH", format!("{}:{}:{path}", self.path("bin").display(), binary.display()))
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::null());
        self.isolate(&mut shell);
        Ran::of(shell.output().expect("a shell"))
    }

    /// Runs it, and makes sure that all went well; its standard output.
    pub fn good(&self, args: &str) -> String {
        let ran = self.run(args);
        assert_eq!(ran.code, Some(0), "tabia {args}: {ran:?}");
        ran.out
    }

    /// Likewise; the JSON it printed.
    pub fn json(&self, args: &str) -> Value {
        serde_json::from_str(&self.good(&format!("{args} --json"))).unwrap()
    }

    /// Runs it, and makes sure that it couldn't be done: exit code 2, one line that says all of
    /// this, every file as it was.
    pub fn bad(&self, args: &str, said: &[&str]) {
        self.bad_args(words(args), said);
    }

    pub fn bad_args(&self, args: Vec<OsString>, said: &[&str]) {
        let before = self.files();
        let ran = Ran::of(self.command(&args).stdin(Stdio::null()).output().unwrap());
        ran.is_refusal(said);
        assert!(
            self.files() == before,
            "tabia {args:?} changed files: {:?} -> {:?}",
            names(&before),
            names(&self.files())
        );
    }

    /// Makes the files those that there were.
    pub fn restore(&self, files: &BTreeMap<OsString, Vec<u8>>) {
        for name in self.files().keys().filter(|name| !files.contains_key(*name)) {
            fs::remove_file(self.path(name)).unwrap();
        }
        files.iter().for_each(|(name, bytes)| fs::write(self.path(name), bytes).unwrap());
    }

    /// All files, and what is in them.
    pub fn files(&self) -> BTreeMap<OsString, Vec<u8>> {
        let files = fs::read_dir(self.0.path()).unwrap().map(|entry| entry.unwrap());
        files
            .filter(|file| file.path().is_file())
            .map(|file| (file.file_name(), fs::read(file.path()).unwrap()))
            .collect()
    }
}

fn names(files: &BTreeMap<OsString, Vec<u8>>) -> Vec<(&OsString, usize)> {
    files.iter().map(|(name, bytes)| (name, bytes.len())).collect()
}

impl Ran {
    pub fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Makes sure that this is one clear line and exit code 2.
    pub fn is_refusal(&self, said: &[&str]) {
        assert_eq!(self.code, Some(2), "{self:?}");
        assert!(self.out.is_empty(), "{self:?}");
        let mut lines = self.err.lines();
        let line = lines.next_back().unwrap_or_default();
        assert!(
            line.starts_with("tabia: ") && lines.all(|line| line.starts_with("tabia: skipped")),
            "{self:?}"
        );
        for part in said {
            assert!(line.contains(part), "{part:?} is not in {line:?}");
        }
    }
}

/// Sends a signal, such as `-INT`, by the shell: not every machine has `kill` as a program. Whether
/// there was a process to send it to.
pub fn kill(signal: &str, process: u32) -> bool {
    let line = format!("kill {signal} {process}");
    Command::new("sh").args(["-c", &line]).status().unwrap().success()
}

pub fn random_games(seed: u64, games: usize, plies: usize) -> String {
    let mut rng = Rng::new(seed);
    let mut text = String::new();
    let mut legal = Vec::new();
    for _ in 0..games {
        let result = ["1-0", "0-1", "1/2-1/2"][rng.index(3)];
        text += &format!("[Event \"Random\"]\n[Result \"{result}\"]\n\n");
        let mut position = Chess::start();
        for _ in 0..plies {
            position.legal_moves(&mut legal);
            if legal.is_empty() {
                break;
            }
            // Few choices at the start of the list, so that games have beginnings in common.
            let played = legal[rng.index(legal.len().min(6))];
            text += &position.notation(&played);
            text.push(' ');
            position.play(&played);
        }
        text += &format!("{result}\n\n");
    }
    text
}

/// A command that serves for ever, ended as soon as it can be asked. The port is any that is free.
pub fn served(example: &str) -> String {
    let example = example.split(" --bind ").next().unwrap_or_default();
    let example = example.split(" #").next().unwrap_or_default();
    format!(
        "rm -f said; {example} --bind 127.0.0.1:0 2> said & server=$!
        until grep -qs 'serving on' said; do kill -0 $server || break; sleep 0.05; done
        cat said >&2; kill $server; wait $server"
    )
}
