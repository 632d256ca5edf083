//! The command `tabia-match`: games between two engines, and what came of them.

mod arguments;
mod mix_command;
mod play_arguments;
mod tune_command;

use arguments::{Arguments, CommandLine, Verb};
use clap::Parser;
use play_arguments::PlayArguments;
use serde::Serialize;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use tabia_games::Game;
use tabia_match::{
    Contest, Facts, GamesFile, PlayedGame, Report, SprtReport, line, play_one, record, run_until,
    told_apart,
};

/// Set by Ctrl-C; a second one ends the process at once.
static STOP: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

fn main() -> ExitCode {
    let command_line = CommandLine::parse();
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        let _ = flag::register_conditional_shutdown(signal, 130, Arc::clone(&STOP));
        let _ = flag::register(signal, Arc::clone(&STOP));
    }
    let playing = command_line.playing;
    let is_kept = playing.output.is_some();
    let done = match (command_line.verb, command_line.arguments) {
        (Some(Verb::Mix(arguments)), _) => mix_command::run(&arguments),
        (Some(Verb::Tune(arguments)), _) => tune_command::run(&arguments),
        (_, Some(arguments)) => play(&playing.game, &arguments, &playing),
        (_, None) => Err("give two engines: --first and --second".to_owned()),
    };
    match done {
        Ok(()) if STOP.load(Ordering::SeqCst) => {
            let kept = "the finished games are written; the same command with --resume goes on";
            let lost = "without --output nothing is kept";
            complain(&format!("interrupted: {}", if is_kept { kept } else { lost }));
            ExitCode::from(130)
        }
        Ok(()) => ExitCode::SUCCESS,
        // What was interrupted may fail in many ways.
        Err(error) => {
            complain(&error);
            ExitCode::from(if STOP.load(Ordering::SeqCst) { 130 } else { 2 })
        }
    }
}

/// Writes a line to standard error. If that fails, only the exit code remains.
fn complain(text: &str) {
    let line: String =
        text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let _ = writeln!(io::stderr(), "tabia-match: {line}");
}

/// Says a line on standard output.
fn say(text: &str) {
    let _ = writeln!(io::stdout(), "{text}");
}

/// Says what came of it, for people or as JSON.
fn tell(report: &(impl Display + Serialize), is_json: bool) -> Result<(), String> {
    if is_json {
        say(&serde_json::to_string(report).map_err(|error| error.to_string())?);
    } else {
        say(report.to_string().trim_end());
    }
    Ok(())
}

/// A match of any game.
fn play<G: Game>(start: &G, arguments: &Arguments, playing: &PlayArguments) -> Result<(), String> {
    let settings = arguments.settings(playing)?;
    let contest = Contest::new(start, settings).map_err(|error| error.to_string())?;
    warn_of_openings(&contest);
    let (learner, mut learned) = (arguments.learner(playing), true);
    let book = learner.as_ref().map(|learner| learner.book.as_path());
    let (mut file, mut done) = open(playing, book, contest.digest())?;
    done.retain(|game, _| *game <= contest.settings.games);
    let mut names = contest
        .settings
        .players
        .clone()
        .map(|player| player.name.unwrap_or_else(|| player.launch.command.name()));
    // What would fail after the first game fails now.
    let opened = learner.as_ref().map(|learner| learner.open(start)).transpose();
    drop(opened.map_err(|error| error.to_string())?);
    let played: BTreeSet<u32> = done.keys().copied().collect();
    let mut sprt = arguments.sprt.map(SprtReport::new);
    let enough = AtomicBool::new(sprt.as_mut().is_some_and(|sprt| sprt.advance(&done)));
    if enough.load(Ordering::SeqCst) {
        complain("the games of the file decide the test: nothing is played");
    }
    let mut each = |game: PlayedGame<G>| {
        if let Some(learner) = &learner {
            learned = learner.learn(&game, contest.digest(), &STOP, &complain)?;
            if !learned {
                return Ok(());
            }
        }
        if let Some(file) = &mut file {
            file.append(&record(&game, &contest.settings)?)?;
        }
        names = game.names.clone();
        let mut said = line(&game.facts, &names, &game.detail);
        done.insert(game.facts.game, game.facts);
        if let Some(sprt) = &mut sprt {
            let before = sprt.games;
            enough.store(sprt.advance(&done), Ordering::SeqCst);
            if sprt.games > before {
                said += &format!("; LLR {:+.2}", sprt.log_likelihood_ratio);
            }
        }
        if !playing.json {
            say(&said);
        }
        Ok(())
    };
    let ended = match &learner {
        None if enough.load(Ordering::SeqCst) => Ok(()),
        None => run_until(&contest, &played, playing.concurrency, (&STOP, &enough), each),
        // One by one, with engines that see what was learned.
        Some(_) => (1..=contest.settings.games)
            .filter(|game| !played.contains(game))
            .try_for_each(|game| play_one(&contest, game, &STOP)?.map_or(Ok(()), &mut each)),
    };
    let report = Report::new(
        start.name(),
        playing.conditions(arguments.second_nodes),
        told_apart(names),
        contest.settings.games,
        &done,
    );
    let report = Report { sprt, ..report };
    tell(&report, playing.json)?;
    ended.map_err(|error| error.to_string())
}

/// Makes sure that a file that is written is none that others name.
fn distinct(written: Option<&Path>, others: &[Option<&Path>]) -> Result<(), String> {
    let Some(written) = written else { return Ok(()) };
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if others.iter().flatten().all(|other| real(other) != real(written)) {
        return Ok(());
    }
    let path = written.display();
    Err(format!("{path}: another argument names the same file: choose another name for the output"))
}

/// Says it if openings come more than once.
fn warn_of_openings<G: Game>(contest: &Contest<G>) {
    let pairs = contest.settings.games.div_ceil(2) as usize;
    if contest.openings() > 1 && contest.openings() < pairs {
        complain(&format!(
            "there are {} openings for {pairs} pairs of games: they are taken again",
            contest.openings()
        ));
    }
}

/// The file for the games, if one is wanted, and the games that are in it. It isn't the book that
/// learns, if one does.
fn open(
    arguments: &PlayArguments,
    book: Option<&Path>,
    contest: u64,
) -> Result<(Option<GamesFile>, BTreeMap<u32, Facts>), String> {
    let Some(path) = &arguments.output else { return Ok((None, BTreeMap::new())) };
    distinct(Some(path), &[book, arguments.openings.path()])?;
    let opened = match arguments.resume {
        true => GamesFile::resume(path, contest),
        false => GamesFile::create(path, arguments.replace).map(|file| (file, BTreeMap::new())),
    };
    let (file, games) = opened.map_err(|error| error.to_string())?;
    Ok((Some(file), games))
}
