//! Sure ends are right: in random games with cycles, in which the side to move may be the same
//! twice, against retrograde analysis.

use crate::shared::{Rng, nodes};
use crate::toy::{Place, Toy};
use std::time::Duration;
use tabia_engines::{Ending, MoveHistory};
use tabia_games::{Game, Outcome, Side};

/// A game on a graph, and who wins each of its places by force; a draw where nobody does.
fn random(count: usize, rng: &mut Rng) -> (Toy, Vec<Place>, Vec<Outcome>) {
    let place = |at: usize, rng: &mut Rng| {
        let side = if rng.one_in(2) { Side::First } else { Side::Second };
        let is_end = at + 1 == count || rng.one_in(4) && at > 0;
        let ends = [Outcome::FirstWins, Outcome::Draw, Outcome::SecondWins];
        let mut moves: Vec<usize> = Vec::new();
        if !is_end {
            moves.extend((0..=rng.index(3)).map(|_| rng.index(count)));
            moves.sort_unstable();
            moves.dedup();
        }
        Place { side, moves, outcome: is_end.then(|| *rng.pick(&ends)) }
    };
    let places: Vec<Place> = (0..count).map(|at| place(at, rng)).collect();
    let solved = solved(&places);
    (Toy::new(places.clone()), places, solved)
}

fn solved(places: &[Place]) -> Vec<Outcome> {
    let mut solved: Vec<Option<Outcome>> = places.iter().map(|place| place.outcome).collect();
    loop {
        let before = solved.clone();
        for (at, place) in places.iter().enumerate().filter(|(_, p)| p.outcome.is_none()) {
            let (wins, loses) = (Outcome::won_by(place.side), Outcome::won_by(place.side.other()));
            if place.moves.iter().any(|&to| before[to] == Some(wins)) {
                solved[at] = Some(wins);
            } else if place.moves.iter().all(|&to| before[to] == Some(loses)) {
                solved[at] = Some(loses);
            }
        }
        if solved == before {
            return solved.into_iter().map(|end| end.unwrap_or(Outcome::Draw)).collect();
        }
    }
}

fn ending(outcome: Outcome, side: Side) -> Ending {
    match outcome.winner() {
        None => Ending::Draw,
        Some(winner) if winner == side => Ending::Win,
        Some(_) => Ending::Loss,
    }
}

/// What is sure is so, whatever was played before.
#[test]
fn sure_ends_are_right_where_games_repeat() {
    let (mut engine, mut sure, mut open) = (tabia_search::engine::<Toy>(), [0; 3], 0);
    for seed in 0..1_500 {
        let mut rng = Rng::new(seed);
        let (game, places, solved) = random(4 + rng.index(16), &mut rng);
        let mut history = MoveHistory::new(game);
        for _ in 0..6 {
            let (position, moves) = (history.position().clone(), history.position().legal());
            if moves.is_empty() {
                break;
            }
            let ranking = engine
                .rank(&history, &moves, moves.len(), &nodes(3_000), Duration::from_secs(60))
                .unwrap();
            for ranked in &ranking.moves {
                let is = ending(
                    solved[places[position.at].moves[usize::from(ranked.played.0)]],
                    position.side(),
                );
                match ranked.sure {
                    Some(end) => {
                        assert_eq!(end, is, "seed {seed}, {}", position.setup());
                        sure[end as usize] += 1;
                    }
                    None => open += 1,
                }
            }
            history.play(&moves[rng.index(moves.len())]);
        }
    }
    assert!(sure.iter().all(|&count| count > 300) && open > 300, "{sure:?} {open}");
}
