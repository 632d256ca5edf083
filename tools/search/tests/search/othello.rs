//! Othello's endgames: exact differences in discs.

use crate::shared::{Rng, depth, nodes, random, ranked};
use tabia_engines::{Ending, Eval};
use tabia_games::{Game, Othello, Side};
use tabia_search::engine;

/// By how many discs the mover is ahead at the end, looking at every move.
fn discs_ahead(position: &Othello, side: Side) -> i32 {
    let [black, white] = position.score().map(|discs| discs as i32);
    let ahead = if side == Side::First { black - white } else { white - black };
    let values = position.legal().into_iter().map(|played| {
        let next = position.after(&played);
        (next.side(), discs_ahead(&next, next.side()))
    });
    let seen = values.map(|(mover, value)| if mover == side { value } else { -value });
    seen.max().unwrap_or(ahead)
}

#[test]
fn endgames_are_those_of_a_plain_search() {
    let (mut engine, mut rng, mut passes) = (engine::<Othello>(), Rng::new(3), 0);
    for empties in 1..=8 {
        for _ in 0..(if empties < 8 { 12 } else { 5 }) {
            let position = random(&Othello::start(), 60 - empties, &mut rng);
            let moves = position.legal();
            let ranking = ranked(&mut *engine, &position, moves.len(), &depth(20));
            for ranked in ranking.moves {
                let next = position.after(&ranked.played);
                let value = discs_ahead(&next, next.side());
                passes += i32::from(next.side() == position.side());
                let value = if next.side() == position.side() { value } else { -value };
                assert_eq!(ranked.eval, Eval::Hundredths(100 * value), "{}", position.setup());
                assert_eq!(ranked.sure.map(|end| end as i32 - 1), Some(value.signum()));
            }
        }
    }
    assert!(passes > 3, "{passes}");
}

/// Number 40 of the endgames of the French federation's test: 20 empty squares.
#[test]
fn a_published_endgame_is_solved() {
    let position = Othello::start()
        .set_up("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X")
        .expect("a position");
    let best = ranked(&mut *engine::<Othello>(), &position, 1, &nodes(400_000_000)).moves.remove(0);
    assert_eq!(position.notation(&best.played), "a2");
    assert_eq!((best.eval, best.sure), (Eval::Hundredths(3_800), Some(Ending::Win)));
}
