//! What a match is: who plays whom, from which openings, by which rules.

use crate::error::Error;
use crate::game_runner::Pairing;
use crate::openings::Openings;
use crate::settings::{Rules, Scoring, Settings};
use std::fmt::Write;
use tabia::mix;
use tabia_engines::{Launch, Limit, MoveHistory};
use tabia_games::{Game, Side};
use xxhash_rust::xxh3::Xxh3;

/// A match that can be played.
#[derive(Clone, Debug)]
pub struct Contest<G: Game> {
    /// What it follows from.
    pub settings: Settings,
    openings: Vec<MoveHistory<G>>,
    digest: u64,
}

impl<G: Game> Contest<G> {
    /// A match of the game that starts from this position.
    ///
    /// # Errors
    /// If its openings can't be read or found.
    pub fn new(start: &G, settings: Settings) -> Result<Self, Error> {
        let openings = settings.openings.read(
            start,
            settings.seed,
            settings.shuffle,
            settings.games.div_ceil(2).max(1) as usize,
        )?;
        let digest = digest(start, &settings, &openings);
        Ok(Self { settings, openings, digest })
    }

    /// A digest of all that its games follow from, but for how many there are.
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// Lets the digest be of this too.
    pub(crate) fn add_to_digest(&mut self, text: &str) {
        let mut digest = Xxh3::with_seed(self.digest);
        digest.update(text.as_bytes());
        self.digest = digest.digest();
    }

    /// How many openings there are. If there are fewer than pairs of games, they are taken again.
    pub fn openings(&self) -> usize {
        self.openings.len()
    }

    /// A game of it, from 1. Its seed, below 2^31, is its own, whichever worker plays it.
    pub(crate) fn pairing(&self, game: u32) -> Pairing<'_, G> {
        let number = (game as usize - 1) / 2 % self.openings.len();
        Pairing {
            contest: self.digest,
            game,
            opening: &self.openings[number],
            thought: &[],
            opening_number: number as u32 + 1,
            seats: [0, 1],
            // The side that moves first from the game's start in odd ones.
            first: if game % 2 == 1 { Side::First } else { Side::Second },
            seed: (mix(mix(self.settings.seed).wrapping_add(u64::from(game))) >> 33) as u32,
        }
    }
}

fn digest<G: Game>(start: &G, settings: &Settings, openings: &[MoveHistory<G>]) -> u64 {
    let Settings { players, rules, openings: source, seed, shuffle, games: _ } = settings;
    let Rules { allowance, margin, patience: _, most_plies, adjudication, scoring, komi } = rules;
    let Limit { nodes, depth, movetime, clock } = allowance;
    let clock = clock.map(|clock| clock.control);
    let mut text = format!(
        "{} Allowance {{ nodes: {nodes:?}, depth: {depth:?}, movetime: {movetime:?}, clock: {clock:?} }} \
         {margin:?} {most_plies} {adjudication:?} {komi}\n",
        start.name()
    );
    for player in players {
        describe(&mut text, &player.launch);
        let _ = player.nodes.map_or(Ok(()), |dice| writeln!(text, "nodes {dice}"));
    }
    if let Scoring::Referee(launch) = scoring {
        describe(&mut text, launch);
    }
    let mut digest = Xxh3::new();
    match source {
        Openings::None => {}
        Openings::Random { plies } => drop(write!(text, "random {plies} {seed}")),
        Openings::File(_) => {
            let _ = write!(text, "file {:?}", shuffle.then_some(seed));
            for opening in openings {
                digest.update(opening.start().setup().as_bytes());
                opening.replay().for_each(|(before, played)| {
                    digest.update(before.coordinates(played).as_bytes())
                });
            }
        }
    }
    digest.update(text.as_bytes());
    digest.digest()
}

fn describe(text: &mut String, launch: &Launch) {
    let Launch { command, protocol, options, setup, komi, patience: _ } = launch;
    let _ = writeln!(text, "{command} {protocol} {options:?} {setup:?} {komi:?}");
}
