//! An engine that is asked for evaluations, and what each search may use.

use crate::prelude::*;
use tabia_engines::{Command, Launch, Limit, Protocol};
use tabia_games::{Komi, variant_named};
use tabia_grow::usual_limit;

/// What each search may use.
#[derive(clap::Args)]
pub struct LimitChoice {
    /// Nodes of each search
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Plies of each search
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub depth: Option<u32>,
    /// Seconds of each search
    ///
    /// The book then depends on the machine: with --nodes or --depth it doesn't.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub movetime: Option<Duration>,
    /// How many seconds a search is waited for
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60")]
    patience: Duration,
}

impl LimitChoice {
    /// The limit; where none was given that of engines which speak this, none being our own search.
    pub fn limit(&self, protocol: Option<Protocol>) -> Limit {
        let Self { nodes, depth, movetime, .. } = *self;
        let limit = Limit { nodes, depth, movetime, clock: None };
        if limit == Limit::default() { usual_limit(protocol) } else { limit }
    }

    /// How long a search is waited for.
    pub fn patience(&self) -> Duration {
        self.patience + self.movetime.unwrap_or_default()
    }
}

/// An engine's command, and how it is set up.
#[derive(clap::Args)]
pub struct EngineChoice {
    /// What the engine speaks: uci, gtp or nboard
    ///
    /// Without it uci in chess, and gtp in other games.
    #[arg(long, value_name = "PROTOCOL", requires = "engine", help_heading = headings::ENGINE)]
    protocol: Option<Protocol>,
    /// A UCI option, such as Hash=64; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = option, requires = "engine", help_heading = headings::ENGINE)]
    option: Vec<(String, String)>,
    /// A GTP command before each game, such as "level 5"
    ///
    /// May be repeated.
    #[arg(long, value_name = "COMMAND", requires = "engine", help_heading = headings::ENGINE)]
    setup: Vec<String>,
    /// White's points in Go
    #[arg(long, value_name = "POINTS", default_value = "7.5", allow_hyphen_values = true, help_heading = headings::GO)]
    pub komi: Komi,
    /// The engine and its arguments, behind `--`
    #[arg(last = true, value_name = "ENGINE")]
    engine: Vec<String>,
}

impl EngineChoice {
    /// Whether an engine was named.
    pub fn is_given(&self) -> bool {
        !self.engine.is_empty()
    }

    /// How the engine is started for this game; none if our own search is meant.
    pub fn launch(&self, game: &str) -> Done<Option<Launch>> {
        if !self.is_given() && variant_named(game.as_bytes()).is_some() {
            return Err(failure!(
                "our own search doesn't know {game}: give an engine behind `--` that does, such as fairy-stockfish"
            ));
        }
        if !self.is_given() {
            return Ok(None);
        }
        let command = Command::new(self.engine.iter().cloned())
            .ok_or_else(|| failure!("the engine behind `--` has no name"))?;
        let protocol = self.protocol.unwrap_or_else(|| Protocol::of(game));
        Ok(Some(Launch {
            options: self.option.clone(),
            setup: self.setup.clone(),
            komi: game.starts_with("go-").then_some(self.komi),
            ..Launch::new(command, protocol)
        }))
    }
}

/// What is said where our own search is used because no engine was named.
pub const OWN_ENGINE: &str = "no engine is given behind `--`: our own search is used";

/// This program, which is an engine, too.
pub fn own_program() -> Done<PathBuf> {
    std::env::current_exe().map_err(|error| failure!("the command itself can't be found: {error}"))
}

fn option(text: &str) -> Result<(String, String), String> {
    let (name, value) =
        text.split_once('=').ok_or("give NAME=VALUE; the value of a button is empty")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.001..=86_400.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "give seconds, such as 0.5".to_owned())
}
