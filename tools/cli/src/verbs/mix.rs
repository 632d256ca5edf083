//! `tabia mix`: which rules to play how often, when none is best against all others.

mod playing;
mod report;

use crate::console::Console;
use crate::failure::{Done, Failure, Verdict, failure};
use crate::newfile::NewFile;
use crate::output::Output;
use crate::{interrupt, place, textfile};
use clap::ValueEnum;
use report::{MixReport, Progress, Resampled};
use std::io::Write;
use std::path::PathBuf;
use tabia_play::mix::{BadMatrix, FictitiousPlay, Matrix, Pair, Resampling, Weights, solve};

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
/// spaces if there are no tabs. A name is a rule as `tabia play --rule` takes it. Of games in all
/// cells it is told how sure values and weights are: 95 % intervals, and what mixes would lose that
/// were found from as many other games (the bootstrap, Efron 1979).
///
/// Instead of a matrix there may be a book, rules and an engine: then each rule plays each as both
/// players, with the engine going on where the book ends.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia mix matrix.tsv
  tabia mix --book go.tabia --rule lcb --rule nr --games-per-pair 20 \\
      --scores matrix.tsv -- gnugo --mode gtp --level 1
  tabia mix matrix.tsv -o weights.json && tabia play --protocol gtp go.tabia \\
      --mix weights.json -- gnugo --mode gtp")]
pub struct Args {
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
    /// End when so little could be lost
    ///
    /// In percent, to players who know the strategies.
    #[arg(long, value_name = "N", default_value_t = 0.0)]
    exploitability: f64,
    /// How often the games are drawn again
    ///
    /// For the intervals of values and weights, where the matrix has games and no percentages: with
    /// so many games in each cell drawn from those that were played. 0 for none.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    resamples: u32,
    #[command(flatten)]
    playing: playing::Args,
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
pub fn run(args: &Args, console: &Console) -> Done {
    if let Some(output) = &args.output {
        place::check_output(output, args.force)?;
        place::check_distinct(
            output,
            args.matrix.iter().chain(&args.playing.book).map(PathBuf::as_path),
        )?;
    }
    let matrix = match (&args.matrix, &args.playing.book) {
        (Some(path), _) => textfile::read(path)?
            .parse()
            .map_err(|error: BadMatrix| failure!("{}: {error}", path.display()))?,
        (None, Some(book)) => playing::play(&args.playing, book, args.force, console)?,
        (None, None) => return Err(failure!("give a matrix, or a book to play from")),
    };
    let exact = solve(&matrix).map_err(|error| failure!("{error}"))?;
    let (played, history) = play(args, &matrix);
    let weights =
        Weights::new(&matrix, if args.weights == Method::Exact { &exact } else { &played });
    if let Some(output) = &args.output {
        let mut file = NewFile::create(output, args.force)?;
        file.write_all(weights.to_text().as_bytes())
            .map_err(|error| Failure::system(output, "write", &error))?;
        file.publish()?;
    }
    let resampled = resample(args, &matrix, &exact)?;
    let found = MixReport::new(&matrix, (&exact, &played), history, resampled);
    let mut out = Output::new();
    if args.json {
        out.json(&found)?;
    } else {
        found.write(&mut out)?;
        out.finish()?;
    }
    Ok(Verdict::Fine)
}

/// Draws the games again, if they are known and it is wished.
fn resample(args: &Args, matrix: &Matrix, exact: &Pair) -> Done<Option<Resampled>> {
    let Some(mut resampling) = Resampling::new(matrix, exact, args.playing.seed) else {
        return Ok(None);
    };
    for _ in 0..args.resamples {
        if interrupt::wanted() {
            return Err(Failure::Interrupted);
        }
        resampling.round().map_err(|error| failure!("{error}"))?;
    }
    Ok((args.resamples > 0).then(|| Resampled::new(&resampling, args.playing.seed)))
}

/// Plays until the rounds are over or the strategies good enough: the result, and the state after
/// 10, 100, 1,000 ... rounds.
fn play(args: &Args, matrix: &Matrix) -> (Pair, Vec<Progress>) {
    let mut play = FictitiousPlay::new(matrix);
    let (mut history, mut next) = (Vec::new(), 10);
    loop {
        play.round();
        let is_shown = play.rounds() == next;
        // To ask costs as much as a round of a row's and a column's length squared.
        if is_shown
            || play.rounds() == args.rounds
            || (args.exploitability > 0.0 && play.rounds().is_power_of_two())
        {
            let gets = matrix.guarantees(&play.pair());
            let has_ended =
                play.rounds() == args.rounds || gets.exploitability() <= args.exploitability;
            if is_shown || has_ended {
                history.push(Progress::new(play.rounds(), gets));
                next *= 10;
            }
            if has_ended {
                return (play.pair(), history);
            }
        }
    }
}
