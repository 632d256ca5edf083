//! A player and its opponents, of which a plan is made.

use super::Plan;
use crate::adjudication::Adjudication;
use crate::settings::{Player, Rules};
use std::time::Duration;
use tabia_engines::{Command, Dice, Launch, Limit, Protocol};
use tabia_games::{Komi, is_chess};
use tabia_grow::Budget;

/// How many times as deep the search is that finds moves to try.
const DEEPER: u64 = 40;
/// Plies of a game of the pool's, after which it is drawn or counted.
const MOST_PLIES: u32 = 400;

/// Who plays the games of a book, and how.
#[derive(Clone, Debug)]
pub struct Pool<'a> {
    /// The game.
    pub game: &'a str,
    /// The player's engine; our own search if there is none.
    pub engine: Option<Launch>,
    /// The program whose first argument `engine` makes it our own search.
    pub own_program: &'a str,
    /// Engines to play against, in turn; the player itself, thinking between a quarter and four times
    /// as long, if there are none.
    pub opponents: &'a [Command],
    /// Nodes of a move, about.
    pub nodes: u64,
    /// White's komi in Go.
    pub komi: Komi,
    /// How long a move is waited for.
    pub patience: Duration,
}

impl Pool<'_> {
    /// A plan for a book of this player's against this pool: of both sides, without a budget, of 24
    /// plies.
    ///
    /// # Errors
    /// What is missing, in words.
    pub fn plan(&self) -> Result<Plan, &'static str> {
        let Self { game, engine, nodes, .. } = self;
        if engine.is_none() && is_chess(game) {
            return Err("which engine plays? give one that speaks UCI behind `--`");
        }
        let (usual, varied) = (Dice::around(*nodes, 1.25, 1.2), Dice::around(*nodes, 4.0, 4.0));
        let named = |nodes: Dice| format!("tabia engine with {nodes} nodes a move");
        let mut players = vec![self.player(engine, usual, &named(usual))?];
        for command in self.opponents {
            let usual =
                || Launch { komi: self.komi(), ..Launch::new(command.clone(), Protocol::of(game)) };
            let like = engine.clone().unwrap_or_else(usual);
            let (command, options, setup) = (command.clone(), Vec::new(), Vec::new());
            let launch = Launch { command, options, setup, ..like };
            players.push(self.player(&Some(launch), varied, "")?);
        }
        if self.opponents.is_empty() {
            players.push(self.player(engine, varied, &named(varied))?);
        }
        let deeper = nodes.saturating_mul(DEEPER);
        players.push(self.player(engine, Dice::around(deeper, 1.0, 1.0), "")?);
        let is_uci = engine.as_ref().is_some_and(|launch| launch.protocol == Protocol::Uci);
        let win = "700:3".parse().ok().filter(|_| is_uci);
        let is_fine = is_chess(game) || *game == "checkers" || game.starts_with("draughts");
        Ok(Plan {
            players,
            rules: Rules {
                patience: self.patience,
                most_plies: MOST_PLIES,
                adjudication: Adjudication { win, draw: None },
                komi: self.komi,
                ..Rules::default()
            },
            archive: None,
            deep: Limit { nodes: is_uci.then_some(deeper), ..Limit::default() },
            margin: if is_fine { 60 } else { 300 },
            side: None,
            max_ply: 24,
            seed: 1,
            workers: 1,
            budget: Budget::default(),
        })
    }

    fn komi(&self) -> Option<Komi> {
        self.game.starts_with("go-").then_some(self.komi)
    }

    /// What an engine of UCI may search is said with each question, to our own when it is started.
    fn player(
        &self,
        engine: &Option<Launch>,
        nodes: Dice,
        name: &str,
    ) -> Result<Player, &'static str> {
        if let Some(launch) = engine {
            let nodes = (launch.protocol == Protocol::Uci).then_some(nodes);
            return Ok(Player { name: None, launch: launch.clone(), nodes });
        }
        let nodes = nodes.to_string();
        let words = [self.own_program, "engine", "--game", self.game, "--nodes", &nodes];
        let command = Command::new(words.map(str::to_owned)).ok_or("this program has no name")?;
        let launch = Launch { komi: self.komi(), ..Launch::new(command, Protocol::Gtp) };
        Ok(Player { name: Some(name.to_owned()), launch, nodes: None })
    }
}
