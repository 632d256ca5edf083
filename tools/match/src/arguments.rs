//! The command line.

use crate::play_arguments::{PlayArguments, option};
use clap::{Parser, Subcommand};
use std::path::PathBuf;
use tabia_engines::{Command, Dice, Launch, Limit, Protocol};
use tabia_games::Game;
use tabia_grow::usual_limit;
use tabia_match::{Learner, Settings, Sprt};

/// Play games between two engines, each opening twice with sides swapped
///
/// Engines are commands as in a shell, in quotes:
/// `--first "tabia play --protocol uci masters.tabia -- stockfish"`. Chess and its variants are played
/// over UCI, all other games over GTP; `tabia engine --game checkers` is an engine for any of these. Illegal moves,
/// crashes, missing answers and time over are losses, and counted apart.
#[derive(Parser)]
#[command(
    name = "tabia-match",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    max_term_width = 100,
    after_help = "Examples:\n  \
        tabia-match --first \"tabia play --protocol uci masters.tabia -- stockfish\" \\\n      \
            --second stockfish --nodes 20000 --games 100 --output games.pgn\n  \
        tabia-match --first \"tabia play --protocol uci mine.tabia --rule negamax -- stockfish\" \\\n      \
            --second stockfish --nodes 1000 --learn mine.tabia --learn-engine stockfish\n  \
        tabia-match --game checkers --first \"tabia play --protocol gtp mine.tabia\" \\\n      \
            --second \"tabia engine --game checkers\" --openings random:4 --games 2000 --sprt 0:10\n  \
        tabia-match --game go-9 --first \"gnugo --mode gtp --level 10\" \\\n      \
            --second \"gnugo --mode gtp --level 1\" --openings random:2 --games 20 \\\n      \
            --referee \"gnugo --mode gtp --chinese-rules\"\n\n\
        Exit codes: 0 all games were played, 2 it could not be done, 130 interrupted."
)]
pub struct CommandLine {
    #[command(subcommand)]
    pub verb: Option<Verb>,
    #[command(flatten)]
    pub arguments: Option<Arguments>,
    #[command(flatten)]
    pub playing: PlayArguments,
}

/// What is done but playing a match.
#[derive(Subcommand)]
pub enum Verb {
    Mix(Box<crate::mix_command::MixArguments>),
    Tune(Box<crate::tune_command::TuneArguments>),
}

/// A match.
#[derive(clap::Args)]
pub struct Arguments {
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
    /// Nodes for each move of the second engine, if they are others
    #[arg(long, value_name = "N", requires = "nodes")]
    pub second_nodes: Option<Dice>,
    /// Play until it is known which is true: ELO0:ELO1 or ELO0:ELO1:ALPHA:BETA, such as 0:5, by a
    /// sequential test of pairs; --games is the most that are played
    #[arg(
        long,
        value_name = "TEST",
        allow_hyphen_values = true,
        requires = "games",
        conflicts_with = "learn"
    )]
    pub sprt: Option<Sprt>,
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
}

impl Arguments {
    /// What the match follows from.
    pub fn settings(&self, playing: &PlayArguments) -> Result<Settings, String> {
        if self.sprt.is_some() && !self.games.is_multiple_of(2) {
            return Err("--sprt tests pairs of games: give --games an even number".to_owned());
        }
        let mut first = playing.player(&self.first, self.first_protocol);
        let mut second = playing.player(&self.second, self.second_protocol);
        first.name.clone_from(&self.first_name);
        second.name.clone_from(&self.second_name);
        first.launch.options.clone_from(&self.first_option);
        second.launch.options.clone_from(&self.second_option);
        first.launch.setup.clone_from(&self.first_setup);
        second.launch.setup.clone_from(&self.second_setup);
        second.nodes = self.second_nodes.or(second.nodes);
        playing.settings([first, second], self.games)
    }

    /// The book that learns the games, if there is one.
    pub fn learner(&self, playing: &PlayArguments) -> Option<Learner> {
        let book = self.learn.clone()?;
        let protocol = Protocol::of(playing.game.name());
        let launch = self
            .learn_engine
            .clone()
            .map(|command| Launch { komi: playing.komi_of_go(), ..Launch::new(command, protocol) });
        let limit = match self.learn_nodes {
            None => usual_limit(launch.as_ref().map(|launch| launch.protocol)),
            nodes => Limit { nodes, ..Limit::default() },
        };
        Some(Learner { book, launch, limit, patience: playing.patience })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use tabia_match::Openings;

    fn parsed(words: &str) -> Result<CommandLine, String> {
        let words = words.split_whitespace();
        CommandLine::try_parse_from(words).map_err(|error| error.to_string())
    }

    fn settings(words: &str) -> Result<Settings, String> {
        let parsed = parsed(words)?;
        parsed.arguments.expect("no other verb").settings(&parsed.playing)
    }

    #[test]
    fn the_command_line_is_consistent() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn what_a_match_follows_from_is_said_by_words() {
        let words = "tabia-match --first a --second b --nodes 500 --first-option Hash=4 --openings random:8 --games 10";
        let settings = settings(words).unwrap();
        assert_eq!(settings.players[0].launch.options, [("Hash".to_owned(), "4".to_owned())]);
        let found = (settings.openings, settings.rules.allowance.nodes);
        assert_eq!(found, (Openings::Random { plies: 8 }, Some(500)));
        assert_eq!(parsed(words).unwrap().playing.conditions(None), "500 nodes a move");
    }

    #[test]
    fn what_does_not_go_together_is_refused() {
        assert!(settings("tabia-match --first a --second b").is_err(), "no limit");
        let go =
            |rest: &str| settings(&format!("tabia-match --game go-9 --first a --second b{rest}"));
        assert!(go("").is_ok());
        assert!(go(" --games 10 --sprt -3:1").is_ok());
        assert!(go(" --games 9 --sprt 0:5").is_err(), "half a pair");
        for bad in [
            "--game shogi",
            "--clock 0",
            "--games 0",
            "--resume",
            "--margin -1",
            "--margin nan",
            "--movetime 1 --clock 5",
            "--concurrency 0",
            "--sprt 0:5",
            "--games 10 --sprt 5:0",
            "--games 10 --sprt 0:5:0.5:0.05",
            "--games 10 --sprt 0:5 --learn book.tabia",
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
