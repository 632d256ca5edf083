//! By how many moves without progress games of draughts are drawn: by the rules of the World Checkers
//! and Draughts Federation (WCDF), and by the FMJD's of international draughts. What players have to
//! claim there happens here by itself.
//!
//! - English: 40 moves of each side without a man's move or a capture.
//! - International: 25 such moves; 16 from when one king is left against three pieces with a king
//!   among them, captures or not; 5 from when it has two or fewer against it.

use tabia_games::{Checkers, Game};

/// Plies without progress after which a game is drawn.
const QUIET: [u32; 2] = [2 * 40, 2 * 25];
/// Plies of international draughts after which a game with few pieces is drawn.
const THREE_TO_ONE: u32 = 2 * 16;
const TWO_TO_ONE: u32 = 2 * 5;

/// How long a game of draughts has made no progress; nothing of other games.
#[derive(Debug, Default)]
pub(super) struct Draughts {
    before: Option<Material>,
    is_international: bool,
    /// Plies without a man's move or a capture.
    quiet: u32,
    /// Plies since there were so few pieces, if there are.
    three_to_one: Option<u32>,
    two_to_one: Option<u32>,
}

/// What progress is seen by: men, and how many pieces and kings there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Material {
    men: [u64; 2],
    pieces: [u32; 2],
    kings: [u32; 2],
}

impl Draughts {
    /// Takes note of a position that a move has led to, or with which the game begins.
    pub fn see<G: Game>(&mut self, position: &G) {
        #[cfg(feature = "draughts")]
        if let Some(position) = position.as_own().downcast_ref::<Checkers>() {
            self.is_international = position.squares() == 50;
            let (men, kings) = (position.men(), position.kings().map(u64::count_ones));
            let pieces = [0, 1].map(|side| men[side].count_ones() + kings[side]);
            let material = Material { men, pieces, kings };
            self.quiet = if self.before == Some(material) { self.quiet + 1 } else { 0 };
            self.three_to_one = since(self.three_to_one, material.is_to_one_king(3));
            self.two_to_one = since(self.two_to_one, material.is_to_one_king(2));
            self.before = Some(material);
        }
    }

    /// Whether the last move was a man's or a capture, so that no position can come again.
    pub fn has_progressed(&self) -> bool {
        self.before.is_some() && self.quiet == 0
    }

    /// Whether the game is drawn.
    pub fn is_drawn(&self) -> bool {
        let reaches = |plies: Option<u32>, most| plies.is_some_and(|plies| plies >= most);
        self.quiet >= QUIET[usize::from(self.is_international)]
            || self.is_international
                && (reaches(self.three_to_one, THREE_TO_ONE)
                    || reaches(self.two_to_one, TWO_TO_ONE))
    }
}

impl Material {
    /// Whether one side has nothing but a king, and the other so many pieces at most with a king among
    /// them.
    fn is_to_one_king(&self, most: u32) -> bool {
        [0, 1].into_iter().any(|side| {
            let is_alone = self.pieces[side] == 1 && self.kings[side] == 1;
            is_alone && self.kings[1 - side] > 0 && self.pieces[1 - side] <= most
        })
    }
}

/// One ply more since something is so, if it was or is now.
fn since(plies: Option<u32>, is_now: bool) -> Option<u32> {
    plies.map(|plies| plies + 1).or(is_now.then_some(0))
}

/// What is equal for equal positions with the same side to move.
pub(super) fn identity<G: Game>(position: &G) -> Option<u128> {
    let is_draughts = position.as_own().is::<Checkers>();
    is_draughts.then(|| position.board_key().into())
}

#[cfg(all(test, feature = "draughts"))]
mod tests {
    use super::*;

    /// After how many plies a game is drawn in which these positions come in turn.
    fn drawn(start: &Checkers, setups: &[&str]) -> u32 {
        let mut draughts = Draughts::default();
        let positions = setups.iter().map(|setup| start.set_up(setup).unwrap());
        for (plies, position) in positions.cycle().take(500).enumerate() {
            draughts.see(&position);
            if draughts.is_drawn() {
                return plies as u32;
            }
        }
        panic!("never drawn");
    }

    #[test]
    fn games_are_drawn_by_the_moves_of_both_sides() {
        let (english, international) = (Checkers::english(), Checkers::international());
        assert_eq!(drawn(&english, &["B:WK32,28:BK1", "W:WK32,28:BK6"]), 80);
        assert_eq!(drawn(&english, &["B:WK32:BK1", "W:WK32:BK6"]), 80);
        for (setups, plies) in [
            (["W:WK46,K47,K48,31:BK3", "B:WK41,K47,K48,31:BK3"], 50),
            (["W:WK46,47,48:BK3", "B:WK41,47,48:BK3"], 32),
            (["W:WK46,K47:BK3", "B:WK41,K47:BK3"], 10),
            (["W:WK46:BK3", "B:WK41:BK3"], 10),
            (["W:WK46:B23", "B:WK41:B23"], 50),
        ] {
            assert_eq!(drawn(&international, &setups), plies, "{setups:?}");
        }
    }

    #[test]
    fn a_mans_move_and_a_capture_are_progress() {
        let english = Checkers::english();
        let see = |setups: &[&str]| {
            let mut draughts = Draughts::default();
            setups.iter().for_each(|setup| draughts.see(&english.set_up(setup).unwrap()));
            (draughts.quiet, draughts.has_progressed())
        };
        assert_eq!(see(&["B:WK32,28:BK1", "W:WK32,28:BK6"]), (1, false));
        assert_eq!(see(&["W:WK32,28:BK1", "B:WK32,24:BK1"]), (0, true));
        assert_eq!(see(&["W:WK32,28:BK27,K1", "B:WK23,28:BK1"]), (0, true));
        // A game of another kind never makes any.
        let mut draughts = Draughts::default();
        draughts.see(&tabia_games::TicTacToe::start());
        assert!(!draughts.has_progressed() && !draughts.is_drawn());
    }

    /// What is taken does not give the weaker side's counter back.
    #[test]
    fn captures_among_few_pieces_begin_no_new_count() {
        let start = Checkers::international();
        let mut draughts = Draughts::default();
        let mut see = |setup: &str, times: usize| {
            let position = start.set_up(setup).unwrap();
            (0..times).for_each(|_| draughts.see(&position));
            draughts.is_drawn()
        };
        assert!(!see("W:WK46,K47,K48:BK3", 30));
        assert!(!see("B:WK46,K47:BK3", 2));
        assert!(see("B:WK46,K47:BK3", 1), "32 plies since there were three");
    }
}
