//! What reports need of a game, and the one line that says it in a games' file.
//!
//! `tabia-match 1 contest=89ab... game=3 opening=2 first=black result=0-1 reason=checkmate plies=83
//! from=8 moves=37,38 book=5,0 micros=90210,117345`: of the two numbers the first belongs to the
//! first engine, whichever side it had.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;
use tabia_archives::named;
use tabia_games::{Outcome, Side};

/// What the line begins with.
pub(crate) const MARK: &str = "tabia-match 1 ";

/// What reports need of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Of which match: a digest of all that its games follow from.
    pub contest: u64,
    /// Which game of it, from 1.
    pub game: u32,
    /// Which of its openings, from 1.
    pub opening: u32,
    /// What the first engine played.
    pub first: Side,
    /// How it ended.
    pub outcome: Outcome,
    /// Why.
    pub reason: EndReason,
    /// How many plies it has, those of its opening included.
    pub plies: u32,
    /// How many plies its opening has.
    pub from: u32,
    /// What the first and the second engine did.
    pub shares: [EngineFacts; 2],
}

/// An engine's figures in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EngineFacts {
    /// Moves it was asked for and gave.
    pub moves: u32,
    /// Moves of these that it said came from a Tabia book.
    pub book_moves: u32,
    /// How long it took for them.
    pub time: Duration,
}

named! {
    /// Why a game ended.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum EndReason {
        /// Checkmate.
        Checkmate = "checkmate",
        /// Stalemate.
        Stalemate = "stalemate",
        /// A position occurred for the third time.
        Repetition = "repetition",
        /// Fifty moves of both without a capture or a pawn's move.
        FiftyMoves = "fifty-moves",
        /// As many moves as the rules of draughts allow without a man's move or a capture, or with a
        /// few pieces left.
        NoProgress = "no-progress",
        /// Neither side has what it takes to mate.
        Material = "material",
        /// What wins a variant of chess: a king on the hill, the third check, no pieces left.
        Goal = "goal",
        /// Points or discs were counted.
        Count = "count",
        /// The side to move has no move.
        NoMoves = "no-moves",
        /// A player gave up.
        Resignation = "resignation",
        /// Both engines thought it decided.
        AdjudicatedWin = "adjudicated-win",
        /// Both engines thought it level.
        AdjudicatedDraw = "adjudicated-draw",
        /// It had as many plies as a game may.
        PlyLimit = "ply-limit",
        /// A player answered with something that is no legal move.
        IllegalMove = "illegal-move",
        /// A player's time was over.
        TimeOver = "time-over",
        /// A player without a clock gave no answer.
        NoAnswer = "no-answer",
        /// A player's program ended, or said what no engine says.
        Crash = "crash",
    }
}

impl EndReason {
    /// Whether the loser did something wrong, which is why the game ended.
    pub const fn is_fault(self) -> bool {
        matches!(self, Self::IllegalMove | Self::TimeOver | Self::NoAnswer | Self::Crash)
    }
}

impl Facts {
    /// Twice the points of the first engine.
    pub fn half_points(&self) -> u32 {
        half_points(self.outcome, self.first)
    }

    /// Which engine lost: 0 or 1.
    pub fn loser(&self) -> Option<usize> {
        self.outcome.winner().map(|winner| usize::from(winner == self.first))
    }
}

/// Twice the points of a side.
pub(crate) fn half_points(outcome: Outcome, side: Side) -> u32 {
    let [wins, draws, _] = outcome.counts_for(side);
    2 * wins + draws
}

/// How an outcome is written.
pub(crate) fn result(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::FirstWins => "1-0",
        Outcome::Draw => "1/2-1/2",
        Outcome::SecondWins => "0-1",
    }
}

fn outcome(text: &str) -> Option<Outcome> {
    [Outcome::FirstWins, Outcome::Draw, Outcome::SecondWins]
        .into_iter()
        .find(|&outcome| result(outcome) == text)
}

/// What the two sides are called in facts.
const SIDES: [&str; 2] = ["first", "second"];

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { contest, game, opening, first, outcome, reason, plies, from, shares: [a, b] } =
            self;
        let (side, outcome) = (SIDES[first.index()], result(*outcome));
        write!(
            f,
            "{MARK}contest={contest:016x} game={game} opening={opening} first={side} result={outcome} reason={reason} "
        )?;
        write!(
            f,
            "plies={plies} from={from} moves={},{} book={},{} ",
            a.moves, b.moves, a.book_moves, b.book_moves
        )?;
        write!(f, "micros={},{}", a.time.as_micros(), b.time.as_micros())
    }
}

/// The facts that a line says; none if it is no such line.
pub(crate) fn read(text: &str) -> Option<Facts> {
    let words = text.strip_prefix(MARK)?.split_ascii_whitespace();
    let fields: BTreeMap<&str, &str> = words.map_while(|word| word.split_once('=')).collect();
    let number = |name: &str| fields.get(name)?.parse::<u32>().ok();
    let (moves, book) = (pair::<u32>(fields.get("moves")?)?, pair::<u32>(fields.get("book")?)?);
    let micros = pair::<u64>(fields.get("micros")?)?;
    let share = |at: usize| EngineFacts {
        moves: moves[at],
        book_moves: book[at],
        time: Duration::from_micros(micros[at]),
    };
    let first = SIDES.iter().position(|side| fields.get("first") == Some(side))?;
    Some(Facts {
        contest: u64::from_str_radix(fields.get("contest")?, 16).ok()?,
        game: number("game").filter(|&game| game > 0)?,
        opening: number("opening").filter(|&opening| opening > 0)?,
        first: [Side::First, Side::Second][first],
        outcome: outcome(fields.get("result")?)?,
        reason: EndReason::ALL.into_iter().find(|one| fields.get("reason") == Some(&one.name()))?,
        plies: number("plies")?,
        from: number("from")?,
        shares: [share(0), share(1)],
    })
}

/// Two numbers with a comma between them.
fn pair<T: FromStr>(text: &str) -> Option<[T; 2]> {
    let (a, b) = text.split_once(',')?;
    Some([a.parse().ok()?, b.parse().ok()?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn facts() -> impl Strategy<Value = Facts> {
        let share = (any::<[u32; 2]>(), 0..u64::MAX).prop_map(|([moves, book_moves], micros)| {
            EngineFacts { moves, book_moves, time: Duration::from_micros(micros) }
        });
        let ends = (
            prop::sample::select(vec![Outcome::FirstWins, Outcome::Draw, Outcome::SecondWins]),
            0..EndReason::ALL.len(),
        );
        (any::<u64>(), 1..u32::MAX, any::<bool>(), ends, [share.clone(), share], any::<[u32; 2]>())
            .prop_map(|(contest, game, is_first, (outcome, reason), shares, [plies, from])| {
                let first = if is_first { Side::First } else { Side::Second };
                let reason = EndReason::ALL[reason];
                Facts { contest, game, opening: game, first, outcome, reason, plies, from, shares }
            })
    }

    proptest! {
        #[test]
        fn facts_come_back_from_their_line(facts in facts()) {
            let line = facts.to_string();
            let is_plain = !line.contains(['{', '}', '[', ']', '(', ')', '\n', ';', '\\']);
            prop_assert!(is_plain);
            prop_assert_eq!(read(&line), Some(facts));
        }

        #[test]
        fn any_other_text_is_refused(text in "(tabia-match 1 )?([a-z]{1,8}=[-0-9a-z,/]{0,9} ?){0,12}\\PC{0,20}") {
            prop_assert_eq!(read(&text), None);
        }
    }

    #[test]
    fn points_are_those_of_the_first_engine() {
        let text = "tabia-match 1 contest=ff game=2 opening=1 first=second result=0-1 reason=time-over plies=9 from=0 moves=4,5 book=0,0 micros=1,2";
        let facts = read(text).unwrap();
        assert_eq!((facts.half_points(), facts.loser()), (2, Some(1)));
        let lost = Facts { outcome: Outcome::FirstWins, ..facts.clone() };
        assert_eq!((lost.half_points(), lost.loser()), (0, Some(0)));
        let drawn = Facts { outcome: Outcome::Draw, ..facts };
        assert_eq!((drawn.half_points(), drawn.loser()), (1, None));
    }
}
