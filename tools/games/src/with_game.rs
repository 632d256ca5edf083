//! Work with a game, whichever it is, where it is written down once.

/// Does something with a [`Known`](crate::Known) game, whichever it is: `start` is then the position it
/// starts from, of the game's own type, and represents the game. Where the work stands elsewhere there
/// is [`WithGame`](crate::WithGame).
///
/// ```
/// use tabia_games::{Game, Known, with_game};
///
/// fn first_moves<G: Game>(start: &G) -> usize {
///     start.legal().len()
/// }
///
/// for known in Known::all().filter(|known| known.name() == "chess") {
///     assert_eq!(with_game!(known, start => first_moves(start)), 20);
/// }
/// ```
#[macro_export]
macro_rules! with_game {
    ($known:expr, $start:ident => $work:expr) => {
        match &$known {
            $crate::Known::Chess($start) => $work,
            $crate::Known::Othello($start) => $work,
            $crate::Known::Go($start) => $work,
            $crate::Known::Checkers($start) => $work,
            $crate::Known::ConnectFour($start) => $work,
            $crate::Known::TicTacToe($start) => $work,
        }
    };
}
