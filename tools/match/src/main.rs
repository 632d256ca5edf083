//! The command `tabia-match`: games between two engines, and what came of them.

mod arguments;

use arguments::Arguments;
use clap::Parser;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use tabia_games::{Game, WithGame};
use tabia_match::{
    Contest, Error, Facts, GamesFile, PlayedGame, Report, line, record, run, told_apart,
};

/// Set by Ctrl-C; a second one ends the process at once.
static STOP: AtomicBool = AtomicBool::new(false);

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let _ = ctrlc::try_set_handler(|| {
        if STOP.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
    });
    match arguments.game.clone().with(Playing { arguments: &arguments }) {
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
struct Playing<'a> {
    arguments: &'a Arguments,
}

impl WithGame for Playing<'_> {
    type Output = Result<(), String>;

    fn with<G: Game>(self, start: &G) -> Self::Output {
        let arguments = self.arguments;
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
            Some(_) => rounds(&played, contest.settings.games)
                .try_for_each(|others| run(&contest, &others, 1, &STOP, &mut each)),
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
}

/// For each game that isn't played yet all others.
fn rounds(played: &BTreeSet<u32>, games: u32) -> impl Iterator<Item = BTreeSet<u32>> {
    let missing = (1..=games).filter(|game| !played.contains(game));
    missing.map(move |game| (1..=games).filter(|&other| other != game).collect())
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
