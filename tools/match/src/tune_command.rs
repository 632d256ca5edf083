//! `tabia-match tune`: numbers in an engine's command, tuned by games.

use crate::play_arguments::{PlayArguments, option};
use crate::{STOP, open, say, tell, warn_of_openings};
use tabia_engines::{Command, Protocol};
use tabia_games::Game;
use tabia_match::{Iteration, Parameter, Tuning, record};

/// Tune numbers in an engine's command by games against itself
///
/// In the command, in options and set-up `{NAME}` stands for the value of `--tune NAME=...`. In
/// each iteration all values are moved to one side and to the other at once, in directions drawn by
/// the seed; the two play pairs of games against each other, and the values go a step to the side
/// that won (SPSA, Spall 1998). In the end the tuned values play the starting ones, in games with
/// other seeds and the next openings: the report is of these.
///
/// Choose each REACH so that a value changed by it changes the result of a few games in a hundred, and
/// so many iterations that games can tell: hundreds, or thousands with a smaller --rate (Fishtest's
/// is 0.002, for tens of thousands of pairs). With engines that always play the same, openings or a rule that draws its
/// moves have to make games differ; openings no longer than the book is deep. An iteration has only
/// its own pairs to share among --concurrency.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia-match tune --game checkers --iterations 300 --games 400 --output games.pdn \\
      --engine \"tabia play --protocol gtp --rule wilson,margin={margin},min-games={games} book.tabia \\
          -- tabia engine --game checkers --nodes 200..400\" \\
      --tune margin=5:0:30:3 --tune games=5:1:40:3:int
  tabia-match tune --game go-9 --engine \"gnugo --mode gtp\" --setup \"level {level}\" \\
      --tune level=5:1:10:1:int --openings random:2

Exit codes: 0 done, 2 it could not be done, 130 interrupted.")]
pub struct TuneArguments {
    /// The engine, with `{NAME}` for each parameter
    #[arg(long, value_name = "COMMAND")]
    engine: Command,
    /// What is tuned: where it starts, its least and greatest value, and how far to each side it is
    /// tried in the end; given several times
    #[arg(long, value_name = "NAME=VALUE:MIN:MAX:REACH[:int]", required = true)]
    tune: Vec<Parameter>,
    /// How many steps are taken
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=500_000))]
    iterations: u32,
    /// Pairs of games for each step
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=500_000))]
    pairs: u32,
    /// How many times the reach the last step is, for each point in a pair
    #[arg(long, value_name = "N", default_value_t = 0.05, value_parser = rate)]
    rate: f64,
    /// Games of the tuned values against the starting ones: an even number
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    games: u32,
    /// A UCI option of the engine, such as Hash=16 or Contempt={contempt}
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    option: Vec<(String, String)>,
    /// A GTP command that the engine is given before each game
    #[arg(long, value_name = "COMMAND")]
    setup: Vec<String>,
    /// What the engine speaks: uci, gtp or nboard [default: uci in chess, gtp in other games]
    #[arg(long, value_name = "PROTOCOL")]
    protocol: Option<Protocol>,
    #[command(flatten)]
    playing: PlayArguments,
}

fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse::<f64>().ok().filter(|rate| *rate > 0.0 && *rate <= 10.0);
    rate.ok_or_else(|| "give a number above 0, at most 10".to_owned())
}

/// Tunes them.
pub fn run(args: &TuneArguments) -> Result<(), String> {
    if !args.games.is_multiple_of(2) {
        return Err(
            "the match in the end has pairs of games: give --games an even number".to_owned()
        );
    }
    let (playing, start) = (&args.playing, &args.playing.game);
    let mut player = playing.player(&args.engine, args.protocol);
    player.launch.options.clone_from(&args.option);
    player.launch.setup.clone_from(&args.setup);
    let tuning = Tuning {
        settings: playing.settings([player.clone(), player], args.games)?,
        parameters: args.tune.clone(),
        iterations: args.iterations,
        pairs: args.pairs,
        rate: args.rate,
    };
    let contest = tuning.contest(start).map_err(|error| error.to_string())?;
    warn_of_openings(&contest);
    let (mut file, mut games) = open(playing, None, contest.digest())?;
    let tuned = tuning.play(
        contest,
        &mut games,
        (playing.concurrency, &STOP),
        |game| match &mut file {
            Some(file) => file.append(&record(game, &tuning.settings)?),
            None => Ok(()),
        },
        |iteration| {
            if !playing.json {
                say(&line(iteration, &tuning));
            }
        },
    );
    let Some(tuned) = tuned.map_err(|error| error.to_string())? else { return Ok(()) };
    let report = tuning.report(start.name(), playing.conditions(None), &games, &tuned);
    tell(&report, playing.json)
}

/// A line on an iteration.
fn line(iteration: &Iteration, tuning: &Tuning) -> String {
    let Iteration { number, sides: [one, other], points: [won, lost], values } = iteration;
    format!(
        "iteration {number} of {}: {} - {} {won}-{lost}; now {}",
        tuning.iterations,
        tuning.named(one),
        tuning.named(other),
        tuning.named(values)
    )
}
