//! `tabia grow-worker`: answers the questions of a book that grows elsewhere.

use crate::engine_choice::EngineChoice;
use crate::prelude::*;
use tabia_engines::Limit;
use tabia_grow::{EngineWorker, Greeting, Worker, serve};

/// Search for a book that grows elsewhere
///
/// Reads tasks from standard input and writes answers, a line of JSON each, until there are no more.
/// It is started by `tabia grow --worker "tabia grow-worker -- stockfish"`, here or, behind ssh or
/// in a container, on another machine, and is told there which game it is and what each search may
/// use. Without an engine it searches by itself.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia grow masters.tabia --worker \"tabia grow-worker -- stockfish\"
  tabia grow masters.tabia --worker \"ssh host tabia grow-worker -- stockfish\"")]
pub struct Args {
    #[command(flatten)]
    engine: EngineChoice,
}

/// Serves until it is told to quit, or nobody is there any more.
pub fn run(args: &Args, _console: &Console) -> Done {
    let make = |greeting: &Greeting| worker(args, greeting);
    serve(io::stdin().lock(), io::stdout().lock(), make)?;
    Ok(Verdict::Fine)
}

fn worker(args: &Args, greeting: &Greeting) -> Result<Box<dyn Worker>, String> {
    let known = Known::of(&greeting.game, &greeting.keys).ok_or_else(|| {
        format!("the rules of {} with {} keys aren't known here", greeting.game, greeting.keys)
    })?;
    let start = known.set_up(&greeting.setup).map_err(|error| error.to_string())?;
    let launch = args.engine.launch(start.name()).map_err(|error| error.to_string())?;
    let limit: Limit = greeting.limit.parse().map_err(|_| "no limit".to_owned())?;
    let patience = Duration::from_millis(greeting.patience);
    let starting = tabia_search::starting(launch);
    let worker = EngineWorker::new(&start, starting, limit, patience);
    Ok(Box::new(worker.map_err(|error| error.to_string())?))
}
