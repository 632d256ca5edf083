//! En passant that a FEN doesn't tell of.

use crate::Chess;
use shakmaty::{Color, EnPassantMode, File, FromSetup, Position, Rank, Square};

impl Chess {
    /// Whether a FEN that names en passant squares only where a capture is legal could be of another
    /// position: one with another key, after a step of two squares by a pawn that a pinned pawn stands
    /// beside. In such a FEN both look alike.
    ///
    /// ```
    /// use tabia_games::{Chess, Game};
    ///
    /// let position = |fen| Chess::from_setup(fen);
    /// // Black's d5 may have come from d7 or d6: the e5 pawn, pinned by the rook, can't take it.
    /// assert!(position("4r2k/8/8/3pP3/8/8/8/4K3 w - - 0 1")?.hides_en_passant());
    /// // It could, so that the FEN would say d6 if d5 came from d7.
    /// assert!(!position("7k/8/8/3pP3/8/8/8/4K3 w - - 0 1")?.hides_en_passant());
    /// # Ok::<(), tabia_games::SetupError>(())
    /// ```
    pub fn hides_en_passant(&self) -> bool {
        let Some(position) = self.standard() else { return false };
        let mover = position.turn();
        let (step, behind) = match mover {
            Color::White => (Rank::Sixth, [Rank::Fifth, Rank::Seventh]),
            Color::Black => (Rank::Third, [Rank::Fourth, Rank::Second]),
        };
        let board = position.board();
        let pawns = |color| board.by_color(color) & board.pawns();
        let is_candidate = |file: &File| {
            let at = |rank| Square::from_coords(*file, rank);
            let beside = [-1, 1].into_iter().filter_map(|by| file.offset(by));
            let mut beside = beside.map(|file| Square::from_coords(file, behind[0]));
            pawns(!mover).contains(at(behind[0]))
                && beside.any(|square| pawns(mover).contains(square))
                && !board.occupied().contains(at(step))
                && !board.occupied().contains(at(behind[1]))
        };
        position.pseudo_legal_ep_square().is_none()
            && File::ALL.iter().filter(|file| is_candidate(file)).any(|&file| {
                let mut setup = position.to_setup(EnPassantMode::Always);
                setup.ep_square = Some(Square::from_coords(file, step));
                shakmaty::Chess::from_setup(setup, position.castles().mode()).is_ok_and(|after| {
                    after.pseudo_legal_ep_square().is_some() && after.legal_ep_square().is_none()
                })
            })
    }
}
