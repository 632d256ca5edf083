//! The command line.

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::time::Duration;
use tabia_engines::{Clock, Command, Dice, Launch, Limit, Protocol, TimeControl};
use tabia_games::{Known, Komi, missing_feature};
use tabia_grow::usual_limit;
use tabia_match::{
    Adjudication, DrawRule, Learner, Openings, Player, Rules, Scoring, Settings, WinRule,
};

/// Play games between two engines, each opening twice with sides swapped
///
/// Engines are commands as in a shell, in quotes:
/// `--first "tabia play --protocol uci masters.tabia -- stockfish"`. Chess is played over UCI, all
/// other games over GTP; `tabia engine --game checkers` is an engine for any of these. Illegal moves,
/// crashes, missing answers and time over are losses, and counted apart.
#[derive(Parser)]
#[command(
    name = "tabia-match",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    max_term_width = 100,
    after_help = "Examples:\n  \
        tabia-match --game chess --first \"tabia play --protocol uci masters.tabia -- stockfish\" --second stockfish --games 100 --nodes 20000 --output games.pgn\n  \
        tabia-match --game chess --first \"tabia play --protocol uci mine.tabia --rule negamax -- stockfish\" --second stockfish --nodes 1000 --learn mine.tabia --learn-engine stockfish\n  \
        tabia-match --game checkers --first \"tabia play --protocol gtp mine.tabia\" --second \"tabia engine --game checkers\" --openings random:4 --games 20 --output games.pdn\n  \
        tabia-match --game go-9 --first \"gnugo --mode gtp --level 10\" --second \"gnugo --mode gtp --level 1\" --openings random:2 --games 20 --referee \"gnugo --mode gtp --chinese-rules\"\n\n\
        Exit codes: 0 all games were played, 2 it could not be done, 130 interrupted."
)]
pub struct CommandLine {
    #[command(subcommand)]
    pub verb: Option<Verb>,
    #[command(flatten)]
    pub arguments: Option<Arguments>,
}

/// What is done but playing a match.
#[derive(Subcommand)]
pub enum Verb {
    Mix(crate::mix_command::MixArguments),
}

/// A match.
#[derive(clap::Args)]
pub struct Arguments {
    /// The game: chess, othello, go-9 (or another size from 2 to 19), checkers, draughts-10,
    /// connect4-7x6 (or another size) or tic-tac-toe
    #[arg(long, value_name = "GAME", default_value = "chess", value_parser = game)]
    pub game: Known,
    /// The first engine
    #[arg(long, value_name = "COMMAND")]
    first: Command,
    /// The second engine
    #[arg(long, value_name = "COMMAND")]
    second: Command,
    /// What the first engine is called [default: what it calls itself]
    #[arg(long, value_name = "NAME")]
    first_name: Option<String>,
    /// What the second engine is called
    #[arg(long, value_name = "NAME")]
    second_name: Option<String>,
    /// A UCI option of the first engine, such as Hash=16
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    first_option: Vec<(String, String)>,
    /// A UCI option of the second engine
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    second_option: Vec<(String, String)>,
    /// A GTP command that the first engine is given before each game, such as "level 1"
    #[arg(long, value_name = "COMMAND")]
    first_setup: Vec<String>,
    /// A GTP command that the second engine is given before each game
    #[arg(long, value_name = "COMMAND")]
    second_setup: Vec<String>,
    /// What the first engine speaks: uci, gtp or nboard [default: uci in chess, gtp in other games]
    #[arg(long, value_name = "PROTOCOL")]
    first_protocol: Option<Protocol>,
    /// What the second engine speaks
    #[arg(long, value_name = "PROTOCOL")]
    second_protocol: Option<Protocol>,
    /// How many games are played: an even number has all pairs
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Nodes for each move (UCI): one number, or two as in 800..1200, between which it is drawn anew
    /// for each move, all magnitudes alike
    #[arg(long, value_name = "N")]
    nodes: Option<Dice>,
    /// Nodes for each move of the second engine, if they are others
    #[arg(long, value_name = "N", requires = "nodes")]
    second_nodes: Option<Dice>,
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
    patience: Duration,
    /// What games start from: a file of lines of moves, EPD or PGN; none; random:PLIES
    #[arg(long, value_name = "FILE", default_value = "none")]
    openings: Openings,
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
    /// Go on with an interrupted match, whose games are in the file
    #[arg(long, requires = "output", conflicts_with = "replace")]
    pub resume: bool,
    /// Replace the file if it is there
    #[arg(long, requires = "output")]
    pub replace: bool,
    /// A book that learns the games: each goes into it, with the best moves that it lacks, before
    /// the next one begins
    #[arg(long, value_name = "BOOK", conflicts_with = "concurrency")]
    learn: Option<PathBuf>,
    /// The engine that evaluates these moves [default: our own search]
    #[arg(long, value_name = "COMMAND", requires = "learn")]
    learn_engine: Option<Command>,
    /// Nodes of each of its searches (UCI and our own search) [default: 100000]
    #[arg(long, value_name = "N", requires = "learn", value_parser = clap::value_parser!(u64).range(1..))]
    learn_nodes: Option<u64>,
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
}

impl Arguments {
    /// What the match follows from.
    pub fn settings(&self) -> Result<Settings, String> {
        let first = self.player(
            &self.first,
            &self.first_name,
            &self.first_option,
            &self.first_setup,
            self.first_protocol,
        );
        let second = self.player(
            &self.second,
            &self.second_name,
            &self.second_option,
            &self.second_setup,
            self.second_protocol,
        );
        let mut players = [first, second];
        players[0].nodes = self.nodes.filter(|nodes| nodes.number().is_none());
        players[1].nodes = self.second_nodes.or(players[0].nodes);
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
                scoring: self.scoring(),
                komi: self.komi,
            },
            openings: self.openings.clone(),
            seed: self.seed,
            shuffle: self.shuffle,
            games: self.games,
        })
    }

    fn player(
        &self,
        command: &Command,
        name: &Option<String>,
        options: &[(String, String)],
        setup: &[String],
        protocol: Option<Protocol>,
    ) -> Player {
        let protocol = protocol.unwrap_or_else(|| Protocol::of(self.game.name()));
        let (options, setup) = (options.to_vec(), setup.to_vec());
        Player {
            name: name.clone(),
            launch: Launch {
                options,
                setup,
                komi: self.komi_of_go(),
                ..Launch::new(command.clone(), protocol)
            },
            nodes: None,
        }
    }

    /// The book that learns the games, if there is one.
    pub fn learner(&self) -> Option<Learner> {
        let book = self.learn.clone()?;
        let protocol = Protocol::of(self.game.name());
        let launch = self
            .learn_engine
            .clone()
            .map(|command| Launch { komi: self.komi_of_go(), ..Launch::new(command, protocol) });
        let limit = match self.learn_nodes {
            None => usual_limit(launch.as_ref().map(|launch| launch.protocol)),
            nodes => Limit { nodes, ..Limit::default() },
        };
        Some(Learner { book, launch, limit, patience: self.patience })
    }

    fn komi_of_go(&self) -> Option<Komi> {
        matches!(self.game, Known::Go(_)).then_some(self.komi)
    }

    fn scoring(&self) -> Scoring {
        self.referee.as_ref().map_or(Scoring::Area, |command| {
            Scoring::Referee(Box::new(Launch {
                komi: self.komi_of_go(),
                ..Launch::new(command.clone(), Protocol::Gtp)
            }))
        })
    }

    /// What the engines had for their moves, and who counted, for people.
    pub fn conditions(&self) -> String {
        let mut said = Vec::new();
        said.extend(self.nodes.map(|nodes| format!("{nodes} nodes a move")));
        said.extend(self.second_nodes.map(|nodes| format!("{nodes} for the second")));
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
    let known = Known::all().find(|known| known.name() == name);
    known.ok_or_else(|| match missing_feature(name) {
        Some(feature) => format!("this program was built without the feature `{feature}`"),
        None => format!("give one of {}", Known::names().join(", ")),
    })
}

fn option(text: &str) -> Result<(String, String), String> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn parsed(words: &str) -> Result<Arguments, String> {
        let parsed = CommandLine::try_parse_from(words.split_whitespace());
        Ok(parsed.map_err(|error| error.to_string())?.arguments.expect("no other verb"))
    }

    #[test]
    fn the_command_line_is_consistent() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn what_a_match_follows_from_is_said_by_words() {
        let arguments =
            parsed("tabia-match --first a --second b --nodes 500 --first-option Hash=4 --openings random:8 --games 10").unwrap();
        let settings = arguments.settings().unwrap();
        assert_eq!(settings.players[0].launch.options, [("Hash".to_owned(), "4".to_owned())]);
        assert_eq!(
            (settings.openings, settings.rules.allowance.nodes),
            (Openings::Random { plies: 8 }, Some(500))
        );
        assert_eq!(arguments.conditions(), "500 nodes a move");
    }

    #[test]
    fn what_does_not_go_together_is_refused() {
        assert!(
            parsed("tabia-match --first a --second b").unwrap().settings().is_err(),
            "no limit"
        );
        assert!(parsed("tabia-match --game go-9 --first a --second b").unwrap().settings().is_ok());
        for bad in [
            "--game shogi",
            "--clock 0",
            "--games 0",
            "--resume",
            "--margin -1",
            "--margin nan",
            "--movetime 1 --clock 5",
            "--concurrency 0",
            "mix matrix.tsv",
        ] {
            assert!(parsed(&format!("tabia-match --first a --second b {bad}")).is_err(), "{bad}");
        }
        for bad in ["", " a.tsv --rounds 0", " a.tsv --rule lcb", " --book a.tabia"] {
            assert!(
                CommandLine::try_parse_from(format!("tabia-match mix{bad}").split(' ')).is_err(),
                "{bad}"
            );
        }
        assert!(CommandLine::try_parse_from(["tabia-match", "--first", "a"]).is_err());
        assert!(CommandLine::try_parse_from(["tabia-match"]).is_err());
    }
}
