//! What the evals of a game's rows are told in: how an engine's eval becomes one.

use crate::answer::Eval;
use tabia_games::{is_chess, row_eval};

/// What the evals of a book's rows are told in.
///
/// ```
/// use tabia_engines::{Eval, EvalUnit};
///
/// let unit = EvalUnit::of("othello");
/// assert_eq!((unit.name(), unit.row_eval(Eval::Hundredths(-350))), ("discs", -4));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvalUnit {
    /// Hundredths of a pawn, or of a man in draughts.
    Centipawns,
    /// Discs ahead at the end of a game of Othello.
    Discs,
    /// Points ahead at the end of a game of Go.
    Points,
    /// Hundredths of what is counted in any other game.
    Hundredths,
}

impl EvalUnit {
    /// That of a game, by the name that books have for it.
    pub fn of(game: &str) -> Self {
        match game {
            "checkers" => Self::Centipawns,
            game if is_chess(game) => Self::Centipawns,
            "othello" => Self::Discs,
            game if game.starts_with("draughts-") => Self::Centipawns,
            game if game.starts_with("go-") => Self::Points,
            _ => Self::Hundredths,
        }
    }

    /// Its name in the fact `evals` of a book.
    pub fn name(self) -> &'static str {
        match self {
            Self::Centipawns => "centipawns",
            Self::Discs => "discs",
            Self::Points => "points",
            Self::Hundredths => "hundredths",
        }
    }

    /// What a row has for an engine's eval of its position, both seen from the side to move: whole
    /// units, halves rounded away from zero, from -30,000 to 30,000; a mate in n plies is 32,000 - n,
    /// or -(32,000 - n) for the side that is mated, n being at most 1,999.
    ///
    /// For the row of a position behind a move see [`Eval::behind`].
    pub fn row_eval(self, eval: Eval) -> i16 {
        match eval {
            Eval::Hundredths(hundredths) => row_eval::of_number(match self {
                Self::Centipawns | Self::Hundredths => hundredths,
                Self::Discs | Self::Points => (f64::from(hundredths) / 100.0).round() as i32,
            }),
            Eval::Mate(moves) => row_eval::of_mate_in_moves(moves),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_and_bounded() {
        for (unit, hundredths, wanted) in [
            (EvalUnit::of("chess"), -31, -31),
            (EvalUnit::of("draughts-10"), 1_000_000, 30_000),
            (EvalUnit::of("checkers"), i32::MIN, -30_000),
            (EvalUnit::of("othello"), 50, 1),
            (EvalUnit::of("othello"), -50, -1),
            (EvalUnit::of("othello"), 49, 0),
            (EvalUnit::of("othello"), -6400, -64),
            (EvalUnit::of("go-19"), 1250, 13),
            (EvalUnit::of("go-9"), i32::MAX, 30_000),
            (EvalUnit::of("connect-4"), 12, 12),
        ] {
            assert_eq!(
                unit.row_eval(Eval::Hundredths(hundredths)),
                wanted,
                "{unit:?} {hundredths}"
            );
        }
    }

    /// As `1. f3 e5 2. g4` is for Black, who mates in one, and what it is for White a move later.
    #[test]
    fn mates_are_told_in_plies() {
        for (moves, wanted) in [
            (1, 31_999),
            (2, 31_997),
            (0, -32_000),
            (-1, -31_998),
            (-3, -31_994),
            (1000, 30_001),
            (i32::MAX, 30_001),
            (i32::MIN, -30_001),
        ] {
            assert_eq!(EvalUnit::Centipawns.row_eval(Eval::Mate(moves)), wanted, "{moves}");
        }
        for moves in [1, 2, 30, -1, -2, -30] {
            let [here, behind] = [Eval::Mate(moves), Eval::Mate(moves).behind()]
                .map(|eval| i32::from(EvalUnit::Centipawns.row_eval(eval)));
            // A move later the mate is a ply nearer, and seen from the other side.
            assert_eq!(behind, -here - here.signum(), "{moves}");
        }
        assert_eq!(Eval::Hundredths(25).behind(), Eval::Hundredths(-25));
        assert_eq!(Eval::Hundredths(i32::MIN).behind(), Eval::Hundredths(i32::MAX));
    }
}
