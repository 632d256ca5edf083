//! `tabia-match mix`: which rules to play how often, when none is best against all others.

use crate::{STOP, complain, distinct, tell};
use clap::ValueEnum;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use tabia::storage::System;
use tabia::{AtomicFile, Book};
use tabia_engines::{Command, Launch, Limit, Protocol};
use tabia_games::{Game, Known, Komi, is_chess};
use tabia_match::mixing::{MixReport, Progress, Resampled, play_all};
use tabia_match::{BookPlayer, Openings, Player, Rules, Scoring, Settings};
use tabia_play::choice::RuleSpec;
use tabia_play::mix::{BadMatrix, FictitiousPlay, Matrix, Pair, Resampling, Weights, solve};

/// Bytes that a matrix may have.
const MOST: u64 = 16 << 20;

/// Mix strategies from what they score against each other
///
/// Books and rules for playing from them are seldom each better than the next: one beats another
/// and loses to a third. Of a matrix of scores this finds how often the first and the second player
/// should play which, so that no opponent gains by knowing it (Gaudel et al. 2010): by fictitious
/// play, whose result is better the more rounds it has, and exactly by linear programming. The
/// weights go to a file that `tabia play --mix` plays from, one strategy drawn for each game.
///
/// The matrix is text: a line with the second player's strategies behind a word of its own, then
/// for each strategy of the first player a line with its name and what it scores against each: a
/// percentage (28.5), games won, drawn and lost (12-3-25), or NA. Cells are divided by tabs, or by
/// spaces if there are no tabs. A name is a rule as `tabia play --rule` takes it. Where the cells
/// are games, the report says how sure values and weights are: 95 % intervals, and what mixes would
/// lose that were found from as many other games (the bootstrap, Efron 1979).
///
/// Instead of a matrix there may be a book, rules and an engine: then each rule plays each as both
/// players, with the engine going on where the book ends. The command `tabia` has to be beside this
/// program or in the PATH.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia-match mix matrix.tsv
  tabia-match mix --book go.tabia --rule lcb --rule nr --games-per-pair 20 \\
      --scores matrix.tsv -- gnugo --mode gtp --level 1
  tabia-match mix matrix.tsv -o weights.json && tabia play --protocol gtp go.tabia \\
      --mix weights.json -- gnugo --mode gtp")]
pub struct MixArguments {
    /// What the strategies score; `-` is standard input
    #[arg(value_name = "MATRIX", required_unless_present = "book")]
    matrix: Option<PathBuf>,
    /// The file for the weights, for `tabia play --mix`
    #[arg(short, long, value_name = "WEIGHTS")]
    output: Option<PathBuf>,
    /// Replace files of those names
    #[arg(long)]
    force: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Which weights to write
    #[arg(long, value_enum, value_name = "METHOD", default_value = "exact")]
    weights: Method,
    /// Rounds of fictitious play at most
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
    /// End when so little could be lost, in percent, to players who know the strategies
    #[arg(long, value_name = "N", default_value_t = 0.0)]
    exploitability: f64,
    /// How often the games are drawn again for the intervals, where the matrix has games: 0 for none
    #[arg(long, value_name = "N", default_value_t = 1000)]
    resamples: u32,
    /// Where chance comes from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    playing: PlayingArguments,
}

/// What is played, if there is no matrix yet.
#[derive(clap::Args)]
#[command(next_help_heading = "Scores from games")]
struct PlayingArguments {
    /// Play rules from this book, without a matrix
    #[arg(
        long,
        value_name = "BOOK",
        requires = "rule",
        requires = "engine",
        conflicts_with = "matrix"
    )]
    book: Option<PathBuf>,
    /// A rule to be mixed, as `tabia play --rule` takes it; given several times
    #[arg(long, value_name = "RULE", requires = "book")]
    rule: Vec<RuleSpec>,
    /// Games of each rule against each
    #[arg(long, value_name = "N", default_value_t = 100, requires = "book", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games_per_pair: u32,
    /// Nodes for each move of the engine (UCI)
    #[arg(long, value_name = "N", requires = "book", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// What games start from: a file of openings, none, or random:PLIES
    #[arg(long, value_name = "FILE", default_value = "none", requires = "book")]
    openings: Openings,
    /// Games played at a time
    #[arg(long, value_name = "N", default_value_t = 1, requires = "book", value_parser = clap::value_parser!(u16).range(1..=256))]
    concurrency: u16,
    /// White's points in Go
    #[arg(
        long,
        value_name = "POINTS",
        default_value = "7.5",
        requires = "book",
        allow_hyphen_values = true
    )]
    komi: Komi,
    /// A GTP engine that counts games of Go [default: by area, with all stones taken for alive]
    #[arg(long, value_name = "COMMAND", requires = "book")]
    referee: Option<Command>,
    /// The file for games won, drawn and lost, written after each match: a matrix, with NA for what
    /// isn't played yet
    #[arg(long, value_name = "FILE", requires = "book")]
    scores: Option<PathBuf>,
    /// The engine and its arguments, behind `--`
    #[arg(last = true, value_name = "ENGINE", requires = "book")]
    engine: Vec<String>,
}

/// How a mix is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Method {
    /// By linear programming
    Exact,
    /// By fictitious play
    Played,
}

/// Mixes them.
pub fn run(args: &MixArguments) -> Result<(), String> {
    let book = args.playing.book.as_deref();
    let (matrix, openings) = (args.matrix.as_deref(), args.playing.openings.path());
    let scores = args.playing.scores.as_deref();
    args.output.as_ref().map_or(Ok(()), |output| check_output(output, args.force))?;
    distinct(args.output.as_deref(), &[matrix, book, openings, scores])?;
    distinct(scores, &[book, openings])?;
    let matrix = match (&args.matrix, book) {
        (Some(path), _) => read(path)
            .and_then(|text| text.parse().map_err(|error: BadMatrix| error.to_string()))
            .map_err(|error| format!("{}: {error}", path.display()))?,
        (None, Some(book)) => play_rules(args, book)?,
        (None, None) => return Err("give a matrix, or a book to play from".to_owned()),
    };
    let exact = solve(&matrix).map_err(|error| error.to_string())?;
    let (played, history) = play_fictitiously(args, &matrix);
    let weights =
        Weights::new(&matrix, if args.weights == Method::Exact { &exact } else { &played });
    if let Some(output) = &args.output {
        write(output, args.force, &weights.to_text())?;
    }
    let resampled = resample(args, &matrix, &exact)?;
    let report = MixReport::new(&matrix, (&exact, &played), history, resampled);
    tell(&report, args.json)
}

/// The text of a file; `-` is standard input.
fn read(path: &Path) -> Result<String, String> {
    let mut bytes = Vec::new();
    let read = match path == Path::new("-") {
        true => std::io::stdin().lock().take(MOST + 1).read_to_end(&mut bytes),
        false => File::open(path).and_then(|file| file.take(MOST + 1).read_to_end(&mut bytes)),
    };
    match read {
        Err(error) => Err(format!("cannot read: {error}")),
        Ok(length) if length as u64 > MOST => {
            Err("this is far too long: more than 16 MiB".to_owned())
        }
        Ok(_) => String::from_utf8(bytes).map_err(|_| "this is no text".to_owned()),
    }
}

fn check_output(path: &Path, replace: bool) -> Result<(), String> {
    if path.symlink_metadata().is_ok() && !replace {
        return Err(format!(
            "{}: it exists already: use --force to replace it, or choose another name",
            path.display()
        ));
    }
    Ok(())
}

/// Writes a file, which is there as a whole or not at all.
fn write(path: &Path, replace: bool, text: &str) -> Result<(), String> {
    let written = AtomicFile::create(&System, path).map_err(|error| error.to_string())?;
    let mut file = written.into_writer();
    file.write_all(text.as_bytes())
        .map_err(|error| format!("{}: cannot write: {error}", path.display()))?;
    file.publish(replace.into()).map(drop).map_err(|error| error.to_string())
}

/// Draws the games again, if they are known and it is wished.
fn resample(
    args: &MixArguments,
    matrix: &Matrix,
    exact: &Pair,
) -> Result<Option<Resampled>, String> {
    let Some(mut resampling) = Resampling::new(matrix, exact, args.seed) else {
        return Ok(None);
    };
    for _ in 0..args.resamples {
        if STOP.load(Ordering::SeqCst) {
            return Err("interrupted".to_owned());
        }
        resampling.round().map_err(|error| error.to_string())?;
    }
    Ok((args.resamples > 0).then(|| Resampled::new(&resampling, args.seed)))
}

/// Plays until the rounds are over or the strategies good enough: the result, and the state after
/// 10, 100, 1,000 ... rounds.
fn play_fictitiously(args: &MixArguments, matrix: &Matrix) -> (Pair, Vec<Progress>) {
    let mut play = FictitiousPlay::new(matrix);
    let (mut history, mut next) = (Vec::new(), 10);
    loop {
        play.round();
        let is_shown = play.rounds == next;
        // To ask costs as much as a round of a row's and a column's length squared.
        if is_shown
            || play.rounds == args.rounds
            || (args.exploitability > 0.0 && play.rounds.is_power_of_two())
        {
            let gets = matrix.guarantees(&play.pair());
            let has_ended =
                play.rounds == args.rounds || gets.exploitability() <= args.exploitability;
            if is_shown || has_ended {
                history.push(Progress::new(play.rounds, gets));
                next *= 10;
            }
            if has_ended {
                return (play.pair(), history);
            }
        }
    }
}

/// Plays all rules against each other.
fn play_rules(args: &MixArguments, book: &Path) -> Result<Matrix, String> {
    let of_book = |error: &dyn std::fmt::Display| format!("{}: {error}", book.display());
    let opened = Book::open(book).map_err(|error| error.to_string())?;
    let (game, keys) = (opened.header().game.to_string(), opened.header().keys.to_string());
    let known = Known::of(&game, &keys).ok_or_else(|| {
        of_book(&format_args!("the rules of {game} with {keys} keys aren't known here"))
    })?;
    let playing = &args.playing;
    if is_chess(known.name()) && playing.nodes.is_none() {
        return Err("UCI engines need a limit: give --nodes".to_owned());
    }
    if playing.rule.len() < 2 {
        return Err("there is nothing to mix: give --rule at least twice".to_owned());
    }
    let names: Vec<String> = playing.rule.iter().map(ToString::to_string).collect();
    if let Some((_, twice)) = (1..).zip(&names).find(|(at, name)| names[*at..].contains(name)) {
        return Err(format!("--rule {twice} is given twice"));
    }
    playing.scores.as_ref().map_or(Ok(()), |file| check_output(file, args.force))?;
    play(&known, args, book)
}

/// Rules that play against each other, in any game.
fn play<G: Game>(start: &G, args: &MixArguments, book: &Path) -> Result<Matrix, String> {
    let MixArguments { playing, seed, force, .. } = args;
    let protocol = Protocol::of(start.name());
    let komi = start.name().starts_with("go-").then_some(playing.komi);
    let command =
        Command::new(playing.engine.iter().cloned()).ok_or("the engine behind `--` has no name")?;
    let engine = Launch { komi, ..Launch::new(command, protocol) };
    let rules = Rules {
        allowance: Limit { nodes: playing.nodes, ..Limit::default() },
        scoring: Scoring::by(playing.referee.as_ref(), komi),
        komi: playing.komi,
        ..Rules::default()
    };
    let program = tabia();
    let player = |rule: &RuleSpec| {
        let (program, book, rule) = (program.clone(), book.to_owned(), rule.clone());
        let name = Some(rule.to_string());
        let book = BookPlayer { program, book, overlay: None, rule, seed: *seed };
        book.before(&engine).map(|launch| Player { name, launch, nodes: None })
    };
    let players = playing.rule.iter().map(player).collect::<Result<Vec<_>, _>>();
    let players = players.map_err(|error| error.to_string())?;
    let settings = Settings {
        players: [players[0].clone(), players[1].clone()],
        rules,
        openings: playing.openings.clone(),
        seed: *seed,
        shuffle: false,
        games: playing.games_per_pair,
    };
    let workers = (playing.concurrency.into(), &**STOP);
    // After the first time it is our own file that is replaced.
    let (mut replaces, mut failed) = (*force, None);
    let scores = play_all(start, &players, &settings, workers, |scores, [number, all], names| {
        if let Some(path) = &playing.scores {
            failed = write(path, replaces, &scores.to_string()).err();
            replaces = true;
        }
        let [one, other] = names;
        complain(&format!("match {number} of {all}: {one} and {other} have played"));
    });
    let scores = scores.map_err(|error| error.to_string())?;
    let scores = scores.ok_or("interrupted")?;
    failed.map_or(Ok(()), Err)?;
    scores.to_string().parse().map_err(|error: BadMatrix| error.to_string())
}

/// The command `tabia`: beside this program, or what the PATH has.
fn tabia() -> PathBuf {
    let beside = std::env::current_exe().ok().map(|program| program.with_file_name("tabia"));
    beside.filter(|program| program.is_file()).unwrap_or_else(|| "tabia".into())
}
