//! Lines drawn by chance (Buro 1999, section 6).

use crate::memory::Memory;
use crate::negamax::toy::Toy;
use crate::negamax::trees::{decide, drawn, figure, history};
use crate::shared::player;
use tabia::format::Keyed;
use tabia_play::choice::{Figure, GameHistory, Limits, Seed};

/// The first player has two moves: behind one are three lines, behind the other one, all worth 10
/// to 12; a third is worth 4.
fn wide() -> (Toy, Memory) {
    drawn("F123:! S4:! S:-10 S:-4 F5678:! S:-12 S:-11 S:-10 S:-9")
}

fn paths(memory: &Memory, toy: &Toy, through: &[usize], options: &str) -> Vec<Option<Figure>> {
    let decision = decide(memory, history(toy, through), options);
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
    let decision = decide(&memory, &toy, "epsilon=2");
    assert_eq!(figure(&decision, 0, "chance"), Some(Figure::Score(0.75)));
    // As often as that, with one seed and many games: four standard deviations of 4,000 draws are
    // 110.
    let start = history(&toy, &[]);
    let mut player = player(&memory, "negamax(epsilon=2)", &start);
    let mut drawn = |seed, game| {
        player.seed = Seed { seed, game };
        player.decide(&start, &Limits::default()).unwrap().choice
    };
    let first = (0..4_000).filter(|&game| drawn(5, game).chosen == Some(0)).count();
    assert!(first.abs_diff(3_000) < 110);
    assert_eq!(drawn(1, 1), drawn(1, 1));
}

/// Every move gives away 3: played with a tolerance of 5 anew each time, the value would drop
/// without end.
#[test]
fn the_tolerance_is_given_away_once_in_a_game() {
    // 20 at once; 17 behind 2 and 3; 14 behind 5; at the end 15 and 14, or after a mistake of the
    // second player 40.
    let (toy, memory) = drawn("F12:! S:-20 S3:! F45:! S:-17 S69:! F78:! S:-15 S:-14 Fa:! S:-40");
    let found = paths(&memory, &toy, &[], "epsilon=5");
    assert_eq!(found, [count(1), count(2)], "behind 2: 4, and 5 6 7");
    // The best so far is 20, not 17: what is worth 14 isn't good enough, though 17 - 5 is less.
    assert_eq!(paths(&memory, &toy, &[2, 3], "epsilon=5"), [count(1), count(1)]);
    assert_eq!(paths(&memory, &toy, &[2, 3, 5, 6], "epsilon=5"), [count(1), count(0)]);
    // A start that isn't at 0 has no better past.
    let from_6 = GameHistory::start(toy.stand(6), Keyed::Position);
    let late = decide(&memory, from_6, "epsilon=5");
    assert_eq!([figure(&late, 0, "paths"), figure(&late, 1, "paths")], [count(1), count(1)]);
    // The second player's mistake makes 40 the best so far; and a game that left the lines that are
    // good enough begins anew.
    assert_eq!(paths(&memory, &toy, &[2, 3, 5, 9], "epsilon=5"), [count(1)]);
    let anew = decide(&memory, history(&toy, &[2, 3, 5, 6]), "epsilon=1");
    assert_eq!(anew.choice.why, "drawn among the lines worth an eval of +14 to +15, the best now");
}

#[test]
fn what_is_sure_has_no_tolerance() {
    let (toy, won) = drawn("F123 S:l S:-32767 S:l");
    assert_eq!(paths(&won, &toy, &[], "epsilon=65535"), [count(1), count(0), count(1)]);
    let (toy, bad) = drawn("F123 S:w S:32767 S:0");
    assert_eq!(paths(&bad, &toy, &[], "epsilon=65535"), [count(0), count(1), count(1)]);
}
