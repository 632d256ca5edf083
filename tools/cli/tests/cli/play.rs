//! `tabia play --protocol`: engines that are scripts, and real ones where they are installed.

use crate::stage::{Stage, kill, piped, words};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout};
use std::time::Duration;
use tabia_engines::{Answer, Command, Engine, Eval, Launch, Limit, MoveHistory, Protocol};
use tabia_games::{Game, Othello};
use tabia_testing::{Rng, program};

/// An engine for UCI that searches for no time.
const UCI: &str = "while read -r line; do case $line in uci) echo id name mock; echo uciok;; isready) echo readyok;; go*) echo bestmove a7a6;; quit) exit 0;; esac; done";

/// One for NBoard, which says what it was set to.
const NBOARD: &str = "while read -r line; do case $line in nboard*) echo set myname mock;; ping*) echo \"pong ${line#ping }\";; go) echo '=== A1/0.00/0.1';; quit) exit 0;; \
                      *) echo status heard $line;; esac; done";

/// The command between a GUI that waits for answers and an engine.
struct Talk {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
}

impl Talk {
    fn new(stage: &Stage, args: &str) -> Self {
        let mut child = piped(stage.command(words(args)));
        let (to, from) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, to, from }
    }

    /// Says a line, and hears until one that starts like this.
    fn ask(&mut self, line: &str, answer: &str) -> Vec<String> {
        self.say(line);
        let mut heard = Vec::new();
        loop {
            let mut line = String::new();
            let holds = self.from.read_line(&mut line).unwrap() > 0;
            assert!(holds, "it ended after {heard:?}: {:?}", self.error());
            heard.push(line.trim_end().to_owned());
            if line.starts_with(answer) {
                return heard;
            }
        }
    }

    /// A command of GTP; the text of its answer.
    fn gtp(&mut self, command: &str) -> String {
        let heard = self.ask(command, "\n");
        assert!(heard[0].starts_with('='), "{command}: {heard:?}");
        heard.join("\n").trim_start_matches('=').trim().to_owned()
    }

    fn say(&mut self, line: &str) {
        self.to.as_mut().unwrap().write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    fn error(&mut self) -> String {
        let mut text = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        text
    }

    /// Says the last line and waits for the end.
    fn end(mut self, line: &str) {
        self.say(line);
        let (status, error) = (self.child.wait().unwrap(), self.error());
        assert!(status.success() && error.is_empty(), "{status}: {error}");
    }
}

fn json_of(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// Finding P13: asked to end, the command ends, and its engine with it.
#[test]
fn a_signal_ends_the_engine_too() {
    let stage = Stage::with_books();
    stage.write("engine.sh", format!("echo $$ > pid; trap '' HUP INT TERM; {UCI}; sleep 600"));
    for signal in ["TERM", "INT", "HUP"] {
        let mut talk =
            Talk::new(&stage, "play --protocol uci club.tabia --report r.json -- sh engine.sh");
        talk.ask("uci", "uciok");
        let engine = std::fs::read_to_string(stage.path("pid")).unwrap();
        assert!(kill(&format!("-{signal}"), talk.child.id()));
        assert_eq!(talk.child.wait().unwrap().code(), Some(130), "{}", talk.error());
        assert!(!Path::new("/proc").join(engine.trim()).exists(), "{signal}: the engine is there");
        assert_eq!(json_of(&stage.path("r.json"))["games"], 0);
        std::fs::remove_file(stage.path("pid")).unwrap();
    }
}

/// What `tabia play` speaks is what an engine of a match or of growing is spoken to in.
#[test]
fn a_book_in_front_of_an_engine_is_an_engine_of_nboard() {
    let hint = "hint*) echo status thinking; echo 'search F4 -1.50 0 9'; echo status;;";
    let stage = Stage::new();
    stage.write("engine.sh", NBOARD.replace("quit)", &format!("{hint} quit)")));
    stage.write(
        "games.pgn",
        "[Black \"A\"]\n[White \"B\"]\n[Result \"40-24\"]\n\n1. F5 D6\n2. C3 D3\n3. C4\n\n",
    );
    stage.good("build -q -o othello.tabia --game othello games.pgn");
    let command = stage.command(words("play --protocol nboard othello.tabia -- sh engine.sh"));
    let program = std::iter::once(command.get_program()).chain(command.get_args());
    let program: Vec<_> = program.map(|word| word.to_string_lossy().into_owned()).collect();
    let folder = stage.path("").display().to_string();
    let there = format!("cd '{folder}' && exec \"$0\" \"$@\"");
    let shell = ["sh".to_owned(), "-c".to_owned(), there];
    let command = Command::new(shell.into_iter().chain(program)).unwrap();
    let launch = Launch::new(command, Protocol::NBoard);
    let mut engine: Box<dyn Engine<Othello>> = launch.start().unwrap();
    let (limit, patience) = (Limit::default(), Duration::from_secs(60));
    let mut history = MoveHistory::new(Othello::start());
    engine.new_game(history.start()).unwrap();
    let play = |history: &mut MoveHistory<Othello>, text: &str| {
        let played = history.position().parse_move(text).unwrap();
        history.play(&played);
    };
    for text in ["f5", "d6", "c3"] {
        let thought = engine.think(&history, &limit, patience).unwrap();
        let played = history.position().parse_move(text).unwrap();
        assert_eq!((thought.answer, thought.is_book), (Answer::Move(played), true));
        play(&mut history, text);
    }
    play(&mut history, "f4");
    let thought = engine.think(&history, &limit, patience).unwrap();
    assert_eq!((thought.answer, thought.is_book), (Answer::Illegal("A1".to_owned()), false));
    let mut other = MoveHistory::new(Othello::start());
    play(&mut other, "d3");
    play(&mut other, "e3");
    let f4 = other.position().parse_move("f4").unwrap();
    let ranking = engine.rank(&other, &[f4], 1, &limit, patience).unwrap();
    let said = (ranking.moves[0].eval, ranking.moves[0].depth);
    assert_eq!(said, (Eval::Hundredths(-150), Some(9)));
}

#[test]
fn stockfish_plays_on_where_the_book_ends() {
    let Some(engine) = program("stockfish") else { return };
    let stage = Stage::with_books();
    let mut talk = Talk::new(
        &stage,
        &format!("play --protocol uci club.tabia --report r.json -- {}", engine.display()),
    );
    talk.ask("uci", "uciok");
    talk.ask("isready", "readyok");
    talk.say("ucinewgame");
    talk.say("position startpos");
    assert!(
        talk.ask("go wtime 1000 btime 1000", "bestmove")[1].starts_with("bestmove e2e4 ponder e7")
    );
    talk.say("position startpos moves a2a3 a7a6");
    talk.ask("go depth 4", "bestmove");
    talk.say("position startpos");
    talk.ask("go infinite", "info depth 5");
    talk.ask("stop", "bestmove");
    talk.say("setoption name BookFile value league.tabia");
    talk.say("position startpos");
    assert!(talk.ask("go movetime 10", "bestmove")[0].starts_with("info string tabia book"));
    talk.ask("go perft 1", "Nodes searched: 20");
    talk.end("quit");
    let report = json_of(&stage.path("r.json"));
    assert_eq!((&report["book_moves"], &report["engine_moves"]), (&json!(2), &json!(1)));
}

#[test]
fn gnugo_plays_on_where_the_book_ends() {
    let Some(engine) = program("gnugo") else { return };
    let stage = Stage::new();
    stage.write(
        "games.sgf",
        "(;GM[1]SZ[9]RE[B+R];B[ee];W[ce];B[gc])\n(;GM[1]SZ[9]RE[B+R];B[ee];W[ce];B[gc])",
    );
    stage.good("build -q -o go.tabia games.sgf");
    let mut talk = Talk::new(
        &stage,
        &format!("play --protocol gtp go.tabia -- {} --mode gtp --level 1", engine.display()),
    );
    assert!(talk.gtp("list_commands").ends_with("tabia-book\ntabia-option\ntabia-seed\ntabia-why"));
    talk.gtp("boardsize 9");
    talk.gtp("clear_board");
    assert_eq!(talk.gtp("genmove b"), "E5");
    let white = talk.gtp("genmove white");
    assert!(["C5", "G5", "E7", "E3"].contains(&white.as_str()), "{white} is no image of C5");
    assert!(talk.gtp("list_stones white").contains(&white), "the engine knows the move");
    talk.gtp("undo");
    talk.gtp("play w A1");
    talk.gtp("genmove b");
    let game: Value = serde_json::from_str(&talk.gtp("tabia-book")).unwrap();
    assert_eq!((&game["book_moves"], &game["engine_moves"]), (&json!(2), &json!(1)));
    assert_eq!(talk.gtp("tabia-why"), "no move: the position is out of the book");
    talk.gtp("loadsgf games.sgf");
    talk.gtp("genmove w");
    talk.end("quit");
}

/// A game of random moves in which somebody has to pass, its score, and how often.
fn game_with_passes() -> (Othello, Vec<(Othello, String)>) {
    let mut legal = Vec::new();
    let games = (1_u64..).map(|seed| {
        let (mut position, mut rng, mut moves) = (Othello::start(), Rng::new(seed), Vec::new());
        loop {
            position.legal_moves(&mut legal);
            if legal.is_empty() {
                return (position, moves);
            }
            let played = *rng.pick(&legal);
            moves.push((position.clone(), position.notation(&played)));
            position.play(&played);
        }
    });
    let with_passes = |(_, moves): &(Othello, Vec<(Othello, String)>)| {
        moves.iter().filter(|(position, _)| position.has_passed()).count() > 1
    };
    games.into_iter().find(with_passes).unwrap()
}

/// The whole of a game stands in the book: Rhino agrees with our rules in each of its moves, passes
/// and all.
#[test]
fn rhino_is_played_with_to_the_end() {
    let Some(engine) = program("gtp-rhino") else { return };
    let (stage, (end, moves)) = (Stage::new(), game_with_passes());
    let [black, white] = end.score();
    let text: Vec<&str> = moves.iter().map(|(_, played)| played.as_str()).collect();
    stage.write(
        "games.pgn",
        format!(
            "[Black \"A\"]\n[White \"B\"]\n[Result \"{black}-{white}\"]\n\n1. {}\n",
            text.join(" ")
        ),
    );
    stage.good("build -q -o othello.tabia --game othello --symmetry none games.pgn");
    let mut talk =
        Talk::new(&stage, &format!("play --protocol gtp othello.tabia -- {}", engine.display()));
    talk.gtp("set_game Othello");
    talk.gtp("clear_board");
    for (position, played) in &moves {
        // The board below its files, row by row.
        let board: String = talk
            .gtp("showboard")
            .lines()
            .skip(2)
            .flat_map(|row| row.split_whitespace().skip(1))
            .collect();
        let ours: String = position
            .diagram()
            .lines()
            .skip(1)
            .flat_map(|row| row[1..].split_whitespace())
            .collect();
        assert_eq!(board, ours);
        let color = ["b", "w"][position.side().index()];
        assert_eq!(talk.gtp(&format!("genmove {color}")), played.to_uppercase());
    }
    let game: Value = serde_json::from_str(&talk.gtp("tabia-book")).unwrap();
    assert_eq!((&game["book_moves"], &game["engine_moves"]), (&json!(moves.len()), &json!(0)));
    talk.end("quit");
}
