//! The command `tabia-match`: games between two engines, and what came of them.

mod arguments;
mod mix_command;

use arguments::{Arguments, CommandLine, Verb};
use clap::Parser;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use tabia_games::{Game, with_game};
use tabia_match::{
    Contest, Error, Facts, GamesFile, PlayedGame, Report, line, play_one, record, run, told_apart,
};

/// Set by Ctrl-C; a second one ends the process at once.
static STOP: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

fn main() -> ExitCode {
    let command_line = CommandLine::parse();
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        let _ = flag::register_conditional_shutdown(signal, 130, Arc::clone(&STOP));
        let _ = flag::register(signal, Arc::clone(&STOP));
    }
    let done = match (command_line.verb, command_line.arguments) {
        (Some(Verb::Mix(arguments)), _) => mix_command::run(&arguments),
        (_, Some(arguments)) => with_game!(arguments.game, start => play(start, &arguments)),
        (_, None) => Err("give two engines: --first and --second".to_owned()),
    };
    match done {
        Ok(()) if STOP.load(Ordering::SeqCst) => {
            complain(
                "interrupted: the finished games are written; the same command with --resume goes on",
            );
            ExitCode::from(130)
        }
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error);
            ExitCode::from(2)
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

/// A match of any game.
fn play<G: Game>(start: &G, arguments: &Arguments) -> Result<(), String> {
    let settings = arguments.settings()?;
    let contest = Contest::new(start, settings).map_err(|error| error.to_string())?;
    let pairs = contest.settings.games.div_ceil(2) as usize;
    if contest.openings() > 1 && contest.openings() < pairs {
        complain(&format!(
            "there are {} openings for {pairs} pairs of games: they are taken again",
            contest.openings()
        ));
    }
    let (mut file, mut done) =
        open(arguments, contest.digest()).map_err(|error| error.to_string())?;
    let mut names = contest
        .settings
        .players
        .clone()
        .map(|player| player.name.unwrap_or_else(|| player.launch.command.name()));
    let (learner, mut learned) = (arguments.learner(), true);
    // What would fail after the first game fails now.
    let opened = learner.as_ref().map(|learner| learner.open(start)).transpose();
    drop(opened.map_err(|error| error.to_string())?);
    let played: BTreeSet<u32> = done.keys().copied().collect();
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
        if !arguments.json {
            say(&line(&game.facts, &names, &game.detail));
        }
        done.insert(game.facts.game, game.facts);
        Ok(())
    };
    let ended = match &learner {
        None => run(&contest, &played, arguments.concurrency, &STOP, each),
        // One by one, with engines that see what was learned.
        Some(_) => (1..=contest.settings.games)
            .filter(|game| !played.contains(game))
            .try_for_each(|game| play_one(&contest, game, &STOP)?.map_or(Ok(()), &mut each)),
    };
    done.retain(|game, _| *game <= contest.settings.games);
    let report = Report::new(
        start.name(),
        arguments.conditions(),
        told_apart(names),
        contest.settings.games,
        &done,
    );
    if arguments.json {
        say(&serde_json::to_string(&report).map_err(|error| error.to_string())?);
    } else {
        say(report.to_string().trim_end());
    }
    ended.map_err(|error| error.to_string())
}

/// The file for the games, if one is wanted, and the games that are in it.
fn open(
    arguments: &Arguments,
    contest: u64,
) -> Result<(Option<GamesFile>, BTreeMap<u32, Facts>), Error> {
    match &arguments.output {
        None => Ok((None, BTreeMap::new())),
        Some(path) if arguments.resume => {
            GamesFile::resume(path, contest).map(|(file, games)| (Some(file), games))
        }
        Some(path) => {
            GamesFile::create(path, arguments.replace).map(|file| (Some(file), BTreeMap::new()))
        }
    }
}
