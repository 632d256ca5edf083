//! Lines drawn by chance (Buro 1999, section 6).

use crate::negamax::book_rows::Memory;
use crate::negamax::toy::{Toy, key};
use crate::negamax::trees::{FIRST, SECOND, all_moves, decide, expanded, figure, history, toy};
use tabia::row::Flags;
use tabia_play::choice::{Figure, Seed};

/// The first player has two moves: behind one are three lines, behind the other one, all worth 10
/// to 12; a third is worth 4.
fn wide() -> (Toy, Memory) {
    let toy = toy(&[
        (FIRST, &[1, 2, 3]),
        (SECOND, &[4]),
        (SECOND, &[]),
        (SECOND, &[]),
        (FIRST, &[5, 6, 7, 8]),
        (SECOND, &[]),
        (SECOND, &[]),
        (SECOND, &[]),
        (SECOND, &[]),
    ]);
    let evals = [(2, -10), (3, -4), (5, -12), (6, -11), (7, -10), (8, -9)];
    let memory = evals.iter().fold(all_moves(&toy, 9), |memory, &(at, eval)| {
        memory.with_eval(key(at), eval, Flags::empty())
    });
    let memory = expanded(memory, &[0, 1, 4]);
    (toy, memory)
}

fn paths(memory: &Memory, toy: &Toy, through: &[usize], options: &str) -> Vec<Option<Figure>> {
    let decision = decide(memory, &history(toy, through), options, Seed::default());
    (0..decision.candidates.len()).map(|place| figure(&decision, place, "paths")).collect()
}

fn count(number: u64) -> Option<Figure> {
    Some(Figure::Count(number))
}

#[test]
fn every_line_within_the_tolerance_is_equally_likely() {
    let (toy, memory) = wide();
    assert_eq!(paths(&memory, &toy, &[], "epsilon=2"), [count(3), count(1), count(0)]);
    assert_eq!(paths(&memory, &toy, &[], "epsilon=0"), [count(1), count(0), count(0)]);
    assert_eq!(paths(&memory, &toy, &[], "epsilon=8"), [count(4), count(1), count(1)]);
    let decision = decide(&memory, &history(&toy, &[]), "epsilon=2", Seed::default());
    assert_eq!(figure(&decision, 0, "chance"), Some(Figure::Score(0.75)));
    // As often as that, with one seed and many games: four standard deviations of 4,000 draws are
    // 110.
    let drawn = (0..4_000).filter(|&game| {
        decide(&memory, &history(&toy, &[]), "epsilon=2", Seed { seed: 5, game }).choice.chosen
            == Some(0)
    });
    assert!(drawn.count().abs_diff(3_000) < 110);
    let twice = [(); 2].map(|()| {
        decide(&memory, &history(&toy, &[]), "epsilon=2", Seed { seed: 1, game: 1 }).choice
    });
    assert_eq!(twice[0], twice[1]);
}

/// Every move gives away 3: played with a tolerance of 5 anew each time, the value would drop
/// without end.
#[test]
fn the_tolerance_is_given_away_once_in_a_game() {
    let toy = toy(&[
        (FIRST, &[1, 2]),
        (SECOND, &[]),
        (SECOND, &[3]),
        (FIRST, &[4, 5]),
        (SECOND, &[]),
        (SECOND, &[6, 9]),
        (FIRST, &[7, 8]),
        (SECOND, &[]),
        (SECOND, &[]),
        (FIRST, &[10]),
        (SECOND, &[]),
    ]);
    // 20 at once; 17 behind 2 and 3; 14 behind 5; at the end 15 and 14, or after a mistake of the
    // second player 40.
    let evals = [(1, -20), (4, -17), (7, -15), (8, -14), (10, -40)];
    let memory = evals.iter().fold(all_moves(&toy, 11), |memory, &(at, eval)| {
        memory.with_eval(key(at), eval, Flags::empty())
    });
    let memory = expanded(memory, &[0, 2, 3, 5, 6, 9]);
    assert_eq!(
        paths(&memory, &toy, &[], "epsilon=5"),
        [count(1), count(2)],
        "behind 2: 4, and 5 6 7"
    );
    // The best so far is 20, not 17: what is worth 14 isn't good enough, though 17 - 5 is less.
    assert_eq!(paths(&memory, &toy, &[2, 3], "epsilon=5"), [count(1), count(1)]);
    assert_eq!(paths(&memory, &toy, &[2, 3, 5, 6], "epsilon=5"), [count(1), count(0)]);
    // A start that isn't at 0 has no better past.
    let late = crate::negamax::trees::decide(
        &memory,
        &tabia_play::choice::GameHistory::start(toy.stand(6), tabia::format::Keyed::Position),
        "epsilon=5",
        Seed::default(),
    );
    assert_eq!([figure(&late, 0, "paths"), figure(&late, 1, "paths")], [count(1), count(1)]);
    // The second player's mistake makes 40 the best so far; and a game that left the lines that are
    // good enough begins anew.
    assert_eq!(paths(&memory, &toy, &[2, 3, 5, 9], "epsilon=5"), [count(1)]);
    let anew = decide(&memory, &history(&toy, &[2, 3, 5, 6]), "epsilon=1", Seed::default());
    assert_eq!(anew.choice.why, "drawn among the lines worth an eval of +14 to +15, the best now");
}

#[test]
fn what_is_sure_has_no_tolerance() {
    let toy = toy(&[(FIRST, &[1, 2, 3]), (SECOND, &[]), (SECOND, &[]), (SECOND, &[])]);
    let won = all_moves(&toy, 4)
        .with_flags(key(1), Flags::PROVEN_LOSS)
        .with_eval(key(2), -32_767, Flags::empty())
        .with_flags(key(3), Flags::PROVEN_LOSS);
    assert_eq!(paths(&won, &toy, &[], "epsilon=65535"), [count(1), count(0), count(1)]);
    let bad = all_moves(&toy, 4)
        .with_flags(key(1), Flags::PROVEN_WIN)
        .with_eval(key(2), 32_767, Flags::empty())
        .with_eval(key(3), 0, Flags::empty());
    assert_eq!(paths(&bad, &toy, &[], "epsilon=65535"), [count(0), count(1), count(1)]);
}
