//! Connect Four and tic-tac-toe against published counts, how games end, and what is refused.

use crate::shared::{after, positions};
use tabia_games::{ConnectFour, Game, Outcome, Side, TicTacToe};

fn connect_four(columns: u32, cells: u32) -> ConnectFour {
    ConnectFour::start(columns, cells).expect("a size")
}

/// OEIS A212693.
#[test]
fn positions_of_connect_four_are_as_many_as_published() {
    let start = connect_four(7, 6).with_images_apart();
    assert_eq!(positions(&start, 8), [1, 7, 49, 238, 1_120, 4_263, 16_422, 54_859, 184_275]);
}

/// Tromp counts 161,029 positions of 4x4.
#[test]
fn positions_of_the_smallest_board_are_as_many_as_published() {
    let counts = positions(&connect_four(4, 4).with_images_apart(), 16);
    assert_eq!(counts.iter().sum::<usize>(), 161_029);
}

#[test]
fn games_and_positions_of_tic_tac_toe_are_as_many_as_published() {
    fn games(position: &TicTacToe) -> u64 {
        if position.outcome().is_some() {
            return 1;
        }
        position.legal().iter().map(|played| games(&position.after(played))).sum()
    }
    assert_eq!(games(&TicTacToe::start()), 255_168);
    assert_eq!(positions(&TicTacToe::without_symmetry(), 9).iter().sum::<usize>(), 5_478);
    assert_eq!(positions(&TicTacToe::start(), 9).iter().sum::<usize>(), 765);
}

#[test]
fn games_end_as_their_lines_say() {
    let start = connect_four(7, 6);
    for (moves, outcome) in [
        ("4 1 4 1 4 1", None),
        ("4 1 4 1 4 1 4", Some(Outcome::FirstWins)),
        ("1 2 1 3 1 4 7 5", Some(Outcome::SecondWins)),
        ("1 2 2 3 3 4 3 4 4 7 4", Some(Outcome::FirstWins)),
        ("7 6 6 5 5 4 5 4 4 1 4", Some(Outcome::FirstWins)),
    ] {
        let end = after(&start, moves);
        assert_eq!(end.outcome(), outcome, "{moves}\n{}", end.diagram());
    }
    let full = after(&TicTacToe::start(), "b2 a1 c1 a3 a2 c2 b1 b3 c3");
    assert_eq!(full.outcome(), Some(Outcome::Draw));
    let won = after(&TicTacToe::start(), "a1 b1 b2 c1 c3");
    assert_eq!((won.outcome(), won.side()), (Some(Outcome::FirstWins), Side::Second));
}

#[test]
fn boards_that_no_game_has_are_refused() {
    let start = connect_four(4, 4);
    for (text, why) in [
        ("4/4/4", "3 rows"),
        ("4/4/4/5", "4 cells"),
        ("4/4/4/3", "4 cells"),
        ("4/4/4/3Z", "`Z`"),
        ("4/4/X3/4", "hangs"),
        ("4/4/4/XX2", "O has 0"),
        ("4/4/4/O3", "X has as many"),
        ("4/4/OOO1/XXXX/", "5 rows"),
    ] {
        let Err(error) = start.set_up(text) else { panic!("{text} is taken for a position") };
        assert!(error.why.contains(why), "{text}: {error}");
    }
    assert!(start.set_up("4/O3/OOO1/XXXX").is_err(), "who is to move has won");
    for bad in ["", "...", ".../.../....", ".../.../..Z", "XXX/.../...", "XXX/OOO/..."] {
        assert!(TicTacToe::start().set_up(bad).is_err(), "{bad}");
    }
    assert_eq!(ConnectFour::start(9, 9).map(|start| start.setup()), None);
    assert_eq!(ConnectFour::all().next().map(|start| start.name()), Some("connect4-7x6"));
}
