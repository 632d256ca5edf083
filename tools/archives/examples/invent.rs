//! Chess games that nobody played, as many as are wanted, repeating as those of real archives do.
//!
//! `cargo run --release -p tabia-archives --example invent -- FIRST GAMES > FILE.pgn`: the games with the
//! numbers from FIRST on, of one endless archive; so several commands make pieces of it, of which
//! each game is the same whoever makes it.
//!
//! The moves of a position have an order of their own, drawn from its key, and are played by Zipf's
//! law: the n-th as often as n to the power of -[`steepness`]. Openings thus repeat as book moves
//! do, and after some 20 plies hardly a game goes on as another. One in [`COPIES`] games is a copy
//! of an earlier one, as in archives that were put together: nearly all positions that two games
//! reach in masters are theirs. Games have 40 to 140 plies, shorter ones more often.

use shakmaty::san::San;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Move, Position};
use std::error::Error;
use std::fmt::Write as _;
use std::io::{BufWriter, Write};
use tabia_testing::Rng;

/// Of so many games one is a copy.
const COPIES: u64 = 4;

/// How much more often the first moves of a position are played than the others, after so many plies.
fn steepness(ply: usize) -> f64 {
    match ply {
        0..8 => 1.7,
        8..20 => 1.4,
        _ => 0.9,
    }
}

/// A place in a list of `len`: the n-th place as often as n to the power of `-steepness`, by the inverse
/// of that law's integral.
fn place(rng: &mut Rng, len: usize, steepness: f64) -> usize {
    let power = 1.0 - steepness;
    let most = (len as f64 + 1.0).powf(power);
    // At least 0, less than 1.
    let unit = (rng.bits() >> 11) as f64 / (1u64 << 53) as f64;
    let drawn = (1.0 + unit * (most - 1.0)).powf(1.0 / power);
    (drawn as usize).clamp(1, len) - 1
}

/// The number of the game that this one is a copy of: its own, or an earlier one.
fn original(mut number: u64) -> u64 {
    loop {
        let mut rng = Rng::new(!number);
        if number == 0 || !rng.one_in(COPIES) {
            return number;
        }
        number = rng.below(number);
    }
}

/// A move of the position, drawn by its own order of them; none if none is left.
fn draw(position: &Chess, rng: &mut Rng, steepness: f64) -> Option<Move> {
    let Zobrist64(key) = position.zobrist_hash(EnPassantMode::Legal);
    let order = |to_play: &Move| {
        let from = to_play.from().map_or(64, u64::from);
        let role = to_play.promotion().map_or(0, |role| role as u64);
        tabia::mix(key ^ (from | u64::from(to_play.to()) << 8 | role << 16))
    };
    let mut moves = position.legal_moves();
    let place = (!moves.is_empty()).then(|| place(rng, moves.len(), steepness))?;
    Some(*moves.select_nth_unstable_by_key(place, order).1)
}

fn write_game(text: &mut String, number: u64) -> std::fmt::Result {
    let mut rng = Rng::new(original(number));
    let result = ["1-0", "1/2-1/2", "0-1"][*rng.pick(&[0, 0, 0, 1, 1, 1, 1, 2, 2, 2])];
    let plies = 40 + rng.index(101).min(rng.index(101));
    write!(text, "[Event \"?\"]\n[Round \"{number}\"]\n[Result \"{result}\"]\n\n")?;
    let mut position = Chess::default();
    for ply in 0..plies {
        let Some(to_play) = draw(&position, &mut rng, steepness(ply)) else { break };
        if ply % 2 == 0 {
            write!(text, "{}. ", ply / 2 + 1)?;
        }
        write!(text, "{} ", San::from_move(&position, to_play))?;
        position.play_unchecked(to_play);
    }
    writeln!(text, "{result}\n")
}

fn main() -> Result<(), Box<dyn Error>> {
    let numbers: Vec<u64> =
        std::env::args().skip(1).map(|text| text.parse()).collect::<Result<_, _>>()?;
    let [first, games] = numbers[..] else { return Err("say FIRST and GAMES".into()) };
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut text = String::new();
    for number in first..first + games {
        text.clear();
        write_game(&mut text, number)?;
        out.write_all(text.as_bytes())?;
    }
    Ok(out.flush()?)
}
