//! Games between two players: this search with so many nodes a move, or a GTP engine.
//!
//! `cargo run --release -p tabia-search --example contest -- GAME FIRST SECOND GAMES [PLIES]`
//!
//! A player is a number of nodes a move, `10000`, or a command of a GTP engine (Go and Othello), as
//! in `"gtp-rhino -l 1 -b 0 -r 2"`. Each opening, so many random plies (8 if nothing is said), is
//! played twice, with sides swapped, so GAMES should be even. What is printed is seen from FIRST:
//! games won, drawn and lost, the score with a 95 % interval (from the spread of the pairs' scores,
//! since two games of one opening aren't independent), and what the players used for a move.
//!
//! A game that comes to a position for the third time, or lasts 300 plies, is a draw. Openings depend
//! on their number alone: the same games are played again, unless an engine plays at random.

use std::collections::HashMap;
use std::error::Error;
use std::time::{Duration, Instant};
use tabia_engines::{Answer, Command, Engine, Launch, Limit, MoveHistory, Protocol};
use tabia_games::{Game, Known, Outcome, Side, WithGame};

type Failure = Box<dyn Error>;

/// How long an engine is waited for.
const PATIENCE: Duration = Duration::from_secs(120);

/// After how many plies a game is a draw.
const LONGEST: usize = 300;

/// A contest between two players in one game.
struct Contest {
    players: [String; 2],
    games: u64,
    plies: usize,
}

/// A player, with what it may use and what it has used.
struct Player<G: Game> {
    engine: Box<dyn Engine<G>>,
    limit: Limit,
    moves: u64,
    nodes: u64,
    time: Duration,
}

impl<G: Game> Player<G> {
    fn new(text: &str) -> Result<Self, Failure> {
        let (engine, limit): (Box<dyn Engine<G>>, _) = match text.parse() {
            Ok(nodes) => (tabia_search::engine(), Limit { nodes: Some(nodes), ..Limit::default() }),
            Err(_) => {
                let command: Command = text.parse()?;
                (Launch::new(command, Protocol::Gtp).start()?, Limit::default())
            }
        };
        Ok(Self { engine, limit, moves: 0, nodes: 0, time: Duration::ZERO })
    }

    /// Its move; none if it gives up or answers with no legal move.
    fn play(&mut self, history: &MoveHistory<G>) -> Result<Option<G::Move>, Failure> {
        let start = Instant::now();
        let thought = self.engine.think(history, &self.limit, PATIENCE)?;
        self.time += start.elapsed();
        self.moves += 1;
        self.nodes += thought.nodes.unwrap_or(0);
        Ok(match thought.answer {
            Answer::Move(played) => Some(played),
            Answer::Resigns | Answer::Illegal(_) => None,
        })
    }

    fn used(&self) -> String {
        let moves = self.moves.max(1);
        format!(
            "{}: {} nodes and {:.2} ms a move",
            self.engine.name(),
            self.nodes / moves,
            1e3 * self.time.as_secs_f64() / moves as f64
        )
    }
}

/// The start of a game after so many random plies, none of which ends it.
fn opening<G: Game>(start: &G, plies: usize, number: u64) -> MoveHistory<G> {
    let mut random = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    loop {
        let (mut history, mut moves) = (MoveHistory::new(start.clone()), Vec::new());
        while history.plies().len() < plies && history.position().outcome().is_none() {
            history.position().legal_moves(&mut moves);
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
            history.play(&moves[(random >> 33) as usize % moves.len()]);
        }
        if history.position().outcome().is_none() {
            return history;
        }
    }
}

/// Plays a game on from its opening; `players` are in the order of the sides.
fn game<G: Game>(
    mut history: MoveHistory<G>,
    mut players: [&mut Player<G>; 2],
) -> Result<Outcome, Failure> {
    let mut seen: HashMap<u64, u32> = HashMap::new();
    for player in &mut players {
        player.engine.new_game(history.start())?;
    }
    loop {
        let (position, side) = (history.position(), history.position().side());
        if let Some(outcome) = position.outcome() {
            return Ok(outcome);
        }
        let times = seen.entry(position.board_key()).or_default();
        *times += 1;
        if *times == 3 || history.plies().len() >= LONGEST {
            return Ok(Outcome::Draw);
        }
        match players[side.index()].play(&history)? {
            Some(played) => history.play(&played),
            None => return Ok(Outcome::won_by(side.other())),
        }
    }
}

/// Games won, drawn and lost, and the scores of pairs, by which the interval is found.
#[derive(Default)]
struct Tally {
    counts: [u32; 3],
    pairs: Vec<f64>,
}

impl Tally {
    /// The share of points, and half the width of its 95 % interval.
    fn score(&self) -> (f64, f64) {
        let pairs = self.pairs.len() as f64;
        let mean = self.pairs.iter().sum::<f64>() / pairs;
        let squares: f64 = self.pairs.iter().map(|score| (score - mean).powi(2)).sum();
        let error = (squares / (pairs - 1.0).max(1.0) / pairs).sqrt();
        (mean, 1.96 * error)
    }
}

impl WithGame for Contest {
    type Output = Result<(), Failure>;

    fn with<G: Game>(self, start: &G) -> Self::Output {
        let [first, second] = &self.players;
        let (mut first, mut second) = (Player::new(first)?, Player::new(second)?);
        let mut tally = Tally::default();
        for number in 0..self.games.div_ceil(2) {
            let mut points = 0.0;
            for side in [Side::First, Side::Second] {
                let history = opening(start, self.plies, number);
                let outcome = match side {
                    Side::First => game(history, [&mut first, &mut second])?,
                    Side::Second => game(history, [&mut second, &mut first])?,
                };
                let counts = outcome.counts_for(side);
                tally.counts = [0, 1, 2].map(|index| tally.counts[index] + counts[index]);
                points += f64::from(2 * counts[0] + counts[1]) / 2.0;
            }
            tally.pairs.push(points / 2.0);
        }
        let ([wins, draws, losses], (score, error)) = (tally.counts, tally.score());
        println!(
            "{}: {wins} won, {draws} drawn, {losses} lost: {:.1} % ± {:.1}",
            start.name(),
            100.0 * score,
            100.0 * error
        );
        println!("  {}\n  {}", first.used(), second.used());
        Ok(())
    }
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, first, second, games, rest @ ..] = &arguments[..] else {
        return Err("give a game, two players and a number of games".into());
    };
    let known = Known::all().find(|known| known.name() == game).ok_or("no such game")?;
    let plies = rest.first().map_or(Ok(8), |plies| plies.parse())?;
    let players = [first.clone(), second.clone()];
    known.with(Contest { players, games: games.parse()?, plies })
}
