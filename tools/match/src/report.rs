//! What came of a match.

use crate::estimate::Estimate;
use crate::facts::{EndReason, EngineFacts, Facts, result};
use crate::sprt::SprtReport;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use tabia_games::Side;

/// The results of a match, or of the games played so far.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The game.
    pub game: String,
    /// What the engines had for their moves, and who counted.
    pub conditions: String,
    /// Games played.
    pub games: u32,
    /// Games wanted.
    pub of: u32,
    /// Wins, draws and losses of the first engine.
    pub results: [u32; 3],
    /// How many pairs of games with one opening gave the first engine 0, 0.5, 1, 1.5 and 2 points;
    /// none if not all games have their partners.
    pub pairs: Option<[u32; 5]>,
    /// What that says of the engines' strength; none without games.
    pub estimate: Option<Estimate>,
    /// How far the test has come by which the match ends; none without one.
    pub sprt: Option<SprtReport>,
    /// How many games ended for which reason.
    pub reasons: BTreeMap<&'static str, u32>,
    /// Plies played after the openings, a game.
    pub plies_per_game: f64,
    /// The first and the second engine.
    pub players: [PlayerReport; 2],
    /// Each game.
    pub each: Vec<GameReport>,
}

/// The results of a match for one of the engines.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerReport {
    /// What it is called.
    pub name: String,
    /// Points, in halves where games were drawn.
    pub points: f64,
    /// Moves it made.
    pub moves: u64,
    /// Seconds it took for them.
    pub seconds: f64,
    /// Seconds it took for its moves, a game.
    pub seconds_per_game: f64,
    /// Moves that came from its book, a game.
    pub book_moves_per_game: f64,
    /// The share of its moves that came from its book, so without thinking.
    pub book_share: f64,
    /// The share of the other engine's time that it did without; none if it has no book moves, or
    /// the other one took no time.
    pub time_saved: Option<f64>,
    /// Its games as the first player.
    pub as_first: SideReport,
    /// Its games as the second player.
    pub as_second: SideReport,
    /// Games lost by a move that isn't legal.
    pub illegal_moves: u32,
    /// Games lost on time.
    pub time_losses: u32,
    /// Games lost by giving no answer.
    pub no_answers: u32,
    /// Games lost by a crash.
    pub crashes: u32,
}

/// The results of an engine with one of the sides.
#[derive(Clone, Debug, Serialize)]
pub struct SideReport {
    /// Its wins, draws and losses.
    pub results: [u32; 3],
    /// Moves that came from its book, a game.
    pub book_moves_per_game: f64,
    /// Seconds it took for its moves, a game.
    pub seconds_per_game: f64,
}

/// The result of a game.
#[derive(Clone, Debug, Serialize)]
pub struct GameReport {
    /// Which game, from 1.
    pub game: u32,
    /// Which opening, from 1.
    pub opening: u32,
    /// Whether the first engine was the first player.
    pub first_moves_first: bool,
    /// The result as files have it: `1-0` if the first player won.
    pub result: &'static str,
    /// Points of the first engine.
    pub points: f64,
    /// Why it ended.
    pub reason: &'static str,
    /// Plies, those of the opening included.
    pub plies: u32,
    /// Moves of the first and the second engine.
    pub moves: [u32; 2],
    /// Those of them that came from a book.
    pub book_moves: [u32; 2],
    /// Seconds that they took.
    pub seconds: [f64; 2],
}

impl Report {
    /// The report of these games, by their numbers.
    pub fn new(
        game: &str,
        conditions: String,
        names: [String; 2],
        of: u32,
        games: &BTreeMap<u32, Facts>,
    ) -> Self {
        let count = |half_points: u32| {
            games.values().filter(|facts| facts.half_points() == half_points).count() as u32
        };
        let results = [count(2), count(1), count(0)];
        let pairs = pairs(games);
        let [wins, draws, losses] = results;
        let estimate =
            pairs.map_or_else(|| Estimate::of_games([losses, draws, wins]), Estimate::of_pairs);
        let mut reasons = BTreeMap::new();
        for facts in games.values() {
            *reasons.entry(facts.reason.name()).or_insert(0) += 1;
        }
        let plies: u64 =
            games.values().map(|facts| u64::from(facts.plies.saturating_sub(facts.from))).sum();
        let [first, second] = names;
        Self {
            game: game.to_owned(),
            conditions,
            games: games.len() as u32,
            of,
            results,
            pairs,
            estimate,
            sprt: None,
            reasons,
            plies_per_game: ratio(plies as f64, games.len() as f64),
            players: [player(0, first, games), player(1, second, games)],
            each: games.values().map(GameReport::new).collect(),
        }
    }
}

impl GameReport {
    fn new(facts: &Facts) -> Self {
        let [a, b] = facts.shares;
        Self {
            game: facts.game,
            opening: facts.opening,
            first_moves_first: facts.first.index() == 0,
            result: result(facts.outcome),
            points: f64::from(facts.half_points()) / 2.0,
            reason: facts.reason.name(),
            plies: facts.plies,
            moves: [a.moves, b.moves],
            book_moves: [a.book_moves, b.book_moves],
            seconds: [a.time.as_secs_f64(), b.time.as_secs_f64()],
        }
    }
}

/// The points of pairs, if every game has its partner: games 1 and 2, 3 and 4.
fn pairs(games: &BTreeMap<u32, Facts>) -> Option<[u32; 5]> {
    let mut pairs = [0; 5];
    for (game, facts) in games {
        let partner = games.get(&(((game - 1) ^ 1) + 1))?;
        if game % 2 == 1 {
            pairs[(facts.half_points() + partner.half_points()) as usize] += 1;
        }
    }
    (!games.is_empty()).then_some(pairs)
}

fn player(at: usize, name: String, games: &BTreeMap<u32, Facts>) -> PlayerReport {
    let half_points: u32 = games
        .values()
        .map(|facts| if at == 0 { facts.half_points() } else { 2 - facts.half_points() })
        .sum();
    let sum = |of: usize, what: &dyn Fn(&EngineFacts) -> f64| {
        games.values().map(|facts| what(&facts.shares[of])).sum::<f64>()
    };
    let lost_by = |reason: EndReason| {
        let is_it = |facts: &&Facts| facts.loser() == Some(at) && facts.reason == reason;
        games.values().filter(is_it).count() as u32
    };
    let [moves, book_moves] =
        [sum(at, &|share| f64::from(share.moves)), sum(at, &|share| f64::from(share.book_moves))];
    let [seconds, others] = [at, 1 - at].map(|of| sum(of, &|share| share.time.as_secs_f64()));
    let count = games.len() as f64;
    PlayerReport {
        name,
        points: f64::from(half_points) / 2.0,
        moves: moves as u64,
        seconds,
        seconds_per_game: ratio(seconds, count),
        book_moves_per_game: ratio(book_moves, count),
        book_share: ratio(book_moves, moves),
        time_saved: (book_moves > 0.0 && others > 0.0).then(|| 1.0 - seconds / others),
        as_first: side(at, Side::First, games),
        as_second: side(at, Side::Second, games),
        illegal_moves: lost_by(EndReason::IllegalMove),
        time_losses: lost_by(EndReason::TimeOver),
        no_answers: lost_by(EndReason::NoAnswer),
        crashes: lost_by(EndReason::Crash),
    }
}

/// The games that an engine played with a side.
fn side(at: usize, side: Side, games: &BTreeMap<u32, Facts>) -> SideReport {
    let (mut results, mut count, mut book_moves, mut seconds) = ([0; 3], 0.0, 0.0, 0.0);
    for facts in games.values().filter(|facts| (facts.first == side) == (at == 0)) {
        let game = facts.outcome.counts_for(side);
        results = [0, 1, 2].map(|which| results[which] + game[which]);
        count += 1.0;
        book_moves += f64::from(facts.shares[at].book_moves);
        seconds += facts.shares[at].time.as_secs_f64();
    }
    SideReport {
        results,
        book_moves_per_game: ratio(book_moves, count),
        seconds_per_game: ratio(seconds, count),
    }
}

/// 0 of nothing.
fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = &self.players;
        let [wins, draws, losses] = self.results;
        writeln!(
            f,
            "{} against {}: {} of {} games of {}, {}",
            first.name, second.name, self.games, self.of, self.game, self.conditions
        )?;
        let Some(estimate) = &self.estimate else { return Ok(()) };
        writeln!(
            f,
            "  score      {} of {}: {wins} won, {draws} drawn, {losses} lost",
            first.points, self.games
        )?;
        write_estimate(f, estimate, self.pairs)?;
        self.sprt.as_ref().map_or(Ok(()), |sprt| writeln!(f, "  SPRT       {sprt}"))?;
        let reasons: Vec<String> =
            self.reasons.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
        writeln!(
            f,
            "  ended by   {}; {:.1} plies a game behind the openings",
            reasons.join(", "),
            self.plies_per_game
        )?;
        self.players.iter().try_for_each(|player| write_player(f, player))
    }
}

fn write_estimate(
    f: &mut fmt::Formatter<'_>,
    estimate: &Estimate,
    pairs: Option<[u32; 5]>,
) -> fmt::Result {
    let Estimate { score, score_error, elo, elo_interval, los, by_pairs } = estimate;
    let by = if *by_pairs { "pairs" } else { "games, as not all have their partners" };
    writeln!(
        f,
        "             {:.2} % ± {:.2} (95 %, by {by})",
        100.0 * score,
        100.0 * score_error
    )?;
    if let Some(pairs) = pairs {
        writeln!(f, "  pairs      {pairs:?} with 0, 0.5, 1, 1.5 and 2 points")?;
    }
    let infinite = |at_least: bool| if at_least { "+infinite" } else { "-infinite" }.to_owned();
    let shown = |elo: Option<f64>, is_high: bool| {
        elo.map_or_else(|| infinite(is_high), |elo| format!("{elo:+.1}"))
    };
    let [low, high] = elo_interval;
    writeln!(
        f,
        "  Elo        {} ({} to {}); stronger with a likelihood of {:.1} %",
        shown(*elo, *score > 0.5),
        shown(*low, *score >= 1.0),
        shown(*high, *score > 0.0),
        100.0 * los
    )
}

fn write_player(f: &mut fmt::Formatter<'_>, player: &PlayerReport) -> fmt::Result {
    let PlayerReport {
        name,
        moves,
        seconds,
        seconds_per_game,
        book_moves_per_game,
        book_share,
        time_saved,
        ..
    } = player;
    writeln!(f, "{name}")?;
    writeln!(f, "  time       {seconds:.1} s for {moves} moves, {seconds_per_game:.2} s a game")?;
    if *book_moves_per_game > 0.0 {
        writeln!(
            f,
            "  book moves {book_moves_per_game:.2} a game, {:.1} % of its moves without thinking",
            100.0 * book_share
        )?;
    }
    if let Some(saved) = time_saved {
        writeln!(f, "  time saved {:.1} % of what the other took", 100.0 * saved)?;
    }
    for (label, side) in [("as first", &player.as_first), ("as second", &player.as_second)] {
        let ([wins, draws, losses], seconds) = (side.results, side.seconds_per_game);
        write!(f, "  {label:10} {wins} won, {draws} drawn, {losses} lost; ")?;
        if *book_moves_per_game > 0.0 {
            write!(f, "{:.2} book moves and ", side.book_moves_per_game)?;
        }
        writeln!(f, "{seconds:.2} s a game")?;
    }
    let PlayerReport { illegal_moves, time_losses, no_answers, crashes, .. } = player;
    writeln!(
        f,
        "  faults     {illegal_moves} illegal moves, {time_losses} time losses, {no_answers} without an answer, {crashes} crashes"
    )
}

/// A line on a game that has just ended, with what the first and the second engine are called.
pub fn line(facts: &Facts, names: &[String; 2], detail: &str) -> String {
    let [white, black] = [0, 1].map(|side| &names[side ^ facts.first.index()]);
    let book: u32 = facts.shares.iter().map(|share| share.book_moves).sum();
    let book = if book > 0 { format!(", {book} book moves") } else { String::new() };
    let detail = if detail.is_empty() { String::new() } else { format!(": {detail}") };
    let (game, opening, plies, reason) = (facts.game, facts.opening, facts.plies, facts.reason);
    format!(
        "game {game} (opening {opening}): {white} - {black} {}, {plies} plies{book}, {reason}{detail}",
        result(facts.outcome)
    )
}
