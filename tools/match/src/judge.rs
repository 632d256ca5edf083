//! Whether the rules of a game end it.

mod draughts;

use crate::facts::EndReason;
use draughts::Draughts;
use tabia_engines::MoveHistory;
#[cfg(feature = "chess")]
use tabia_games::Chess;
use tabia_games::{Game, Go, Othello, Outcome};

/// Plies without a capture or a pawn's move after which a game of chess is drawn.
const FIFTY_MOVES: u32 = 100;
/// How often a position comes until a game of chess or draughts is drawn.
const THREEFOLD: usize = 3;

/// Watches a game.
#[derive(Debug)]
pub(crate) struct Judge {
    most_plies: usize,
    /// The positions of chess and draughts so far that may come again; those of chess as it
    /// distinguishes them: en passant only where it is legal.
    seen: Vec<u128>,
    draughts: Draughts,
}

impl Judge {
    /// Watches a game that has come this far and may have `most_plies` plies.
    pub fn new<G: Game>(history: &MoveHistory<G>, most_plies: u32) -> Self {
        let mut judge = Self {
            most_plies: most_plies as usize,
            seen: Vec::new(),
            draughts: Draughts::default(),
        };
        history.replay().for_each(|(position, _)| judge.see(&position));
        judge.see(history.position());
        judge
    }

    /// Takes note of the position that a move has led to.
    pub fn see<G: Game>(&mut self, position: &G) {
        self.draughts.see(position);
        let (is_new, identity) = (self.draughts.has_progressed(), draughts::identity(position));
        #[cfg(feature = "chess")]
        let (is_new, identity) = match chess(position) {
            Some(chess) => (chess.position().halfmoves() == 0, Some(chess.repeats())),
            None => (is_new, identity),
        };
        if is_new {
            self.seen.clear();
        }
        self.seen.extend(identity);
    }

    /// How the game ended, if it has. A game of Go that is over is still to be counted.
    pub fn end<G: Game>(&self, history: &MoveHistory<G>) -> Option<(Outcome, EndReason)> {
        let position = history.position();
        if let Some(outcome) = position.outcome() {
            return Some((outcome, reason(position)));
        }
        let times = self.seen.iter().filter(|&seen| Some(seen) == self.seen.last()).count();
        if times >= THREEFOLD {
            return Some((Outcome::Draw, EndReason::Repetition));
        }
        #[cfg(feature = "chess")]
        if chess(position).is_some_and(|chess| chess.position().halfmoves() >= FIFTY_MOVES) {
            return Some((Outcome::Draw, EndReason::FiftyMoves));
        }
        if self.draughts.is_drawn() {
            return Some((Outcome::Draw, EndReason::NoProgress));
        }
        (history.plies().len() >= self.most_plies).then_some((Outcome::Draw, EndReason::PlyLimit))
    }
}

/// Why a game is over that is over by its rules.
fn reason<G: Game>(position: &G) -> EndReason {
    #[cfg(feature = "chess")]
    if let Some(chess) = chess(position) {
        return match chess.position() {
            position if position.is_variant_end() => EndReason::Goal,
            position if position.is_checkmate() => EndReason::Checkmate,
            position if position.is_stalemate() => EndReason::Stalemate,
            _ => EndReason::Material,
        };
    }
    let any = position.as_own();
    if any.is::<Go>() || any.is::<Othello>() { EndReason::Count } else { EndReason::NoMoves }
}

#[cfg(feature = "chess")]
fn chess<G: Game>(position: &G) -> Option<&Chess> {
    position.as_own().downcast_ref()
}

#[cfg(all(test, feature = "chess", feature = "draughts"))]
mod tests {
    use super::*;
    use tabia_games::Checkers;

    /// How a game of chess ended that starts from a position and goes on with these moves.
    fn end(setup: &str, moves: &str) -> Option<(Outcome, EndReason)> {
        end_of(Chess::from_setup(setup).unwrap(), moves)
    }

    /// Likewise, of any game.
    fn end_of<G: Game>(start: G, moves: &str) -> Option<(Outcome, EndReason)> {
        let mut history = MoveHistory::new(start);
        for text in moves.split_whitespace() {
            let played = history.position().parse_move(text).unwrap();
            history.play(&played);
        }
        Judge::new(&history, 20).end(&history)
    }

    #[test]
    fn chess_ends_by_all_its_rules() {
        let (won, drawn) =
            (|side, reason| Some((side, reason)), |reason| Some((Outcome::Draw, reason)));
        let long = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7";
        for (setup, moves, wanted) in [
            ("startpos", "f3 e5 g4 Qh4#", won(Outcome::SecondWins, EndReason::Checkmate)),
            ("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", "", drawn(EndReason::Stalemate)),
            ("7k/8/8/8/8/8/8/KN6 b - - 0 1", "", drawn(EndReason::Material)),
            ("7k/8/8/8/8/8/8/KR6 w - - 99 80", "Rb2", drawn(EndReason::FiftyMoves)),
            ("7k/8/8/8/8/8/8/KR6 w - - 98 80", "Rb2", None),
            // Mate comes first.
            (
                "6k1/5ppp/8/8/8/8/8/KR6 w - - 99 80",
                "Rb8#",
                won(Outcome::FirstWins, EndReason::Checkmate),
            ),
            ("startpos", "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1", None),
            ("startpos", "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", drawn(EndReason::Repetition)),
            ("startpos", long, drawn(EndReason::PlyLimit)),
        ] {
            assert_eq!(end(setup, moves), wanted, "{setup} {moves}");
        }
    }

    #[test]
    fn draughts_are_drawn_by_the_third_repetition() {
        let kings = Checkers::english().set_up("B:WK32,28:BK1").unwrap();
        let around = "1-6 32-27 6-1 27-32 ";
        let repetition = Some((Outcome::Draw, EndReason::Repetition));
        assert_eq!(end_of(kings.clone(), &around.repeat(2)), repetition);
        assert_eq!(end_of(kings.clone(), "1-6 32-27 6-1 27-32 1-6 32-27 6-1"), None);
        // A man's move makes all that was before another matter.
        assert_eq!(end_of(kings, &format!("{around}1-6 28-24 6-1 32-27 1-6 27-32 6-1")), None);
        let lost = Checkers::english().set_up("B:WK9:B5").unwrap();
        assert_eq!(end_of(lost, ""), None);
        let lost = Checkers::english().set_up("B:WK9,K14:B5").unwrap();
        assert_eq!(end_of(lost, ""), Some((Outcome::SecondWins, EndReason::NoMoves)));
    }

    #[test]
    fn a_double_step_that_nobody_can_take_makes_no_new_position() {
        // After e4 no black pawn can take en passant: the position is the same when it comes again.
        let moves = "e4 Nf6 Nf3 Ng8 Ng1 Nf6 Nf3 Ng8 Ng1";
        assert_eq!(end("startpos", moves), Some((Outcome::Draw, EndReason::Repetition)));
        // Here one can, so the first time was another position.
        let can_take = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1";
        assert_eq!(end(can_take, "e4 Kd8 Kd1 Ke8 Ke1 Kd8 Kd1 Ke8 Ke1"), None);
        let found = end(can_take, "e4 Kd8 Kd1 Ke8 Ke1 Kd8 Kd1 Ke8 Ke1 Kd8");
        assert_eq!(found, Some((Outcome::Draw, EndReason::Repetition)));
    }
}
