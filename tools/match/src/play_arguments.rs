//! How games are played, as a match and tuning are told it on the command line.

use std::path::PathBuf;
use std::time::Duration;
use tabia_engines::{Clock, Command, Dice, Launch, Limit, Protocol, TimeControl};
use tabia_games::{Game, Known, Komi, missing_feature, variant_named};
use tabia_match::{Adjudication, DrawRule, Openings, Player, Rules, Scoring, Settings, WinRule};

/// How games are played, and where they go.
#[derive(clap::Args)]
pub struct PlayArguments {
    /// The game: chess or a variant of it (crazyhouse, antichess, atomic, king-of-the-hill,
    /// three-check, horde, racing-kings), othello, go-9 (or another size from 2 to 19), checkers,
    /// draughts-10, connect4-7x6 (or another size) or tic-tac-toe
    #[arg(long, value_name = "GAME", default_value = "chess", value_parser = game)]
    pub game: Known,
    /// Nodes for each move (UCI): one number, or two as in 800..1200, between which it is drawn
    /// anew for each move, all magnitudes alike
    #[arg(long, value_name = "N")]
    nodes: Option<Dice>,
    /// Plies of search for each move (UCI)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    depth: Option<u32>,
    /// Seconds for each move; whole ones over GTP
    #[arg(long, value_name = "SECONDS", value_parser = seconds, conflicts_with = "clock")]
    movetime: Option<Duration>,
    /// Clocks: 10+0.1, or 40/60+0.6 with a number of moves
    #[arg(long, value_name = "CLOCK")]
    clock: Option<TimeControl>,
    /// By how many seconds a move may be late
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "0.1")]
    margin: Duration,
    /// How many seconds an answer is waited for where no time is set
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60")]
    pub patience: Duration,
    /// What games start from: a file of lines of moves, EPD or PGN; none; random:PLIES
    #[arg(long, value_name = "FILE", default_value = "none")]
    pub openings: Openings,
    /// Take the openings of the file in an order drawn by the seed
    #[arg(long)]
    shuffle: bool,
    /// What is drawn by it: random openings, their order, and each game's seed for engines that
    /// take one (`tabia play`, GNU Go)
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many games are played at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = workers)]
    pub concurrency: usize,
    /// White's points in Go
    #[arg(long, value_name = "POINTS", default_value = "7.5", allow_hyphen_values = true)]
    komi: Komi,
    /// A GTP engine that counts games of Go [default: we do, by area, with all stones taken for
    /// alive]
    #[arg(long, value_name = "COMMAND")]
    referee: Option<Command>,
    /// Plies of a game: with so many it is drawn, or in Go counted
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    max_plies: u32,
    /// A game is won if both engines say so for some moves: EVAL:MOVES in centipawns, such as 600:4
    #[arg(long, value_name = "RULE")]
    adjudicate_win: Option<WinRule>,
    /// A game is drawn if both engines say so for some moves, after some: EVAL:MOVES:AFTER, such as
    /// 10:8:40
    #[arg(long, value_name = "RULE")]
    adjudicate_draw: Option<DrawRule>,
    /// The file for the games: PGN of chess, SGF of Go, GGF of Othello, PDN of draughts, lines of
    /// moves of other games
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Go on with what was interrupted, whose games are in the file
    #[arg(long, requires = "output", conflicts_with = "replace")]
    pub resume: bool,
    /// Replace the file if it is there
    #[arg(long, requires = "output")]
    pub replace: bool,
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
}

impl PlayArguments {
    /// A player by its engine's command, and by what it speaks if that isn't what is usual.
    pub fn player(&self, command: &Command, protocol: Option<Protocol>) -> Player {
        let protocol = protocol.unwrap_or_else(|| Protocol::of(self.game.name()));
        let launch = Launch::new(command.clone(), protocol);
        Player {
            name: None,
            launch: Launch { komi: self.komi_of_go(), ..launch },
            nodes: self.nodes.filter(|nodes| nodes.number().is_none()),
        }
    }

    /// What so many games of these players follow from.
    pub fn settings(&self, players: [Player; 2], games: u32) -> Result<Settings, String> {
        let allowance = Limit {
            nodes: self.nodes.and_then(Dice::number),
            depth: self.depth,
            movetime: self.movetime,
            clock: self.clock.map(Clock::start),
        };
        if allowance == Limit::default()
            && self.nodes.is_none()
            && players.iter().any(|player| player.launch.protocol == Protocol::Uci)
        {
            return Err(
                "UCI engines need a limit: give --nodes, --depth, --movetime or --clock".to_owned()
            );
        }
        Ok(Settings {
            players,
            rules: Rules {
                allowance,
                margin: self.margin,
                patience: self.patience,
                most_plies: self.max_plies,
                adjudication: Adjudication { win: self.adjudicate_win, draw: self.adjudicate_draw },
                scoring: Scoring::by(self.referee.as_ref(), self.komi_of_go()),
                komi: self.komi,
            },
            openings: self.openings.clone(),
            seed: self.seed,
            shuffle: self.shuffle,
            games,
        })
    }

    /// White's points, if the game is Go.
    pub fn komi_of_go(&self) -> Option<Komi> {
        matches!(self.game, Known::Go(_)).then_some(self.komi)
    }

    /// What the engines had for their moves, the second one perhaps of its own, and who counted,
    /// for people.
    pub fn conditions(&self, second_nodes: Option<Dice>) -> String {
        let mut said = Vec::new();
        said.extend(self.nodes.map(|nodes| format!("{nodes} nodes a move")));
        said.extend(second_nodes.map(|nodes| format!("{nodes} for the second")));
        said.extend(self.depth.map(|depth| format!("{depth} plies deep")));
        said.extend(self.movetime.map(|time| format!("{} s a move", time.as_secs_f64())));
        said.extend(self.clock.map(|clock| format!("clocks {clock}")));
        if said.is_empty() {
            said.push("levels as the engines have them".to_owned());
        }
        if matches!(self.game, Known::Go(_)) {
            let by = self.referee.as_ref().map_or_else(
                || "by area, all stones alive".to_owned(),
                |referee| format!("by `{referee}`"),
            );
            said.push(format!("komi {}, counted {by}", self.komi));
        }
        said.join(", ")
    }
}

fn game(name: &str) -> Result<Known, String> {
    let name = variant_named(name.as_bytes()).map_or(name, |names| names.game);
    let known = Known::all().find(|known| known.name() == name);
    known.ok_or_else(|| match missing_feature(name) {
        Some(feature) => format!("this program was built without the feature `{feature}`"),
        None => format!("give one of {}", Known::names().join(", ")),
    })
}

/// An engine's option: NAME=VALUE.
pub fn option(text: &str) -> Result<(String, String), String> {
    let (name, value) =
        text.split_once('=').ok_or("give NAME=VALUE; the value of a button is empty")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.0..=86_400.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "give seconds, such as 0.5".to_owned())
}

fn workers(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|workers| (1..=256).contains(workers))
        .ok_or_else(|| "give a number from 1 to 256".to_owned())
}
