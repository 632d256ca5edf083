//! Sure ends are right: in random games with cycles, in which the side to move may be the same
//! twice, against retrograde analysis.

use crate::shared::{Rng, legal, nodes, ranked};
use std::sync::Arc;
use std::time::Duration;
use tabia_engines::{Ending, MoveHistory};
use tabia_games::{Game, Outcome, SetupError, Side, Trouble};

/// A game on a graph: who is to move chooses where to go. Some places end it.
#[derive(Clone, Debug)]
struct Walk {
    places: Arc<Vec<Place>>,
    at: usize,
}

#[derive(Clone, Debug)]
struct Place {
    side: Side,
    ways: Vec<usize>,
    end: Option<Outcome>,
}

impl Walk {
    fn random(count: usize, is_cyclic: bool, rng: &mut Rng) -> Self {
        let place = |at: usize, rng: &mut Rng| {
            let side = if rng.one_in(2) { Side::First } else { Side::Second };
            let is_end = at + 1 == count || rng.one_in(4) && at > 0;
            let ends = [Outcome::FirstWins, Outcome::Draw, Outcome::SecondWins];
            let target = |rng: &mut Rng| {
                if is_cyclic { rng.index(count) } else { at + 1 + rng.index(count - at - 1) }
            };
            let mut ways: Vec<usize> = Vec::new();
            if !is_end {
                ways.extend((0..=rng.index(3)).map(|_| target(rng)));
                ways.sort_unstable();
                ways.dedup();
            }
            Place { side, ways, end: is_end.then(|| *rng.pick(&ends)) }
        };
        Self { places: Arc::new((0..count).map(|at| place(at, rng)).collect()), at: 0 }
    }

    fn here(&self) -> &Place {
        &self.places[self.at]
    }

    fn at(&self, at: usize) -> Self {
        Self { at, ..self.clone() }
    }

    /// For each place who wins it by force; a draw where nobody does.
    fn solved(&self) -> Vec<Outcome> {
        let mut solved: Vec<Option<Outcome>> = self.places.iter().map(|place| place.end).collect();
        loop {
            let before = solved.clone();
            for (at, place) in self.places.iter().enumerate().filter(|(_, p)| p.end.is_none()) {
                let (wins, loses) =
                    (Outcome::won_by(place.side), Outcome::won_by(place.side.other()));
                if place.ways.iter().any(|&way| before[way] == Some(wins)) {
                    solved[at] = Some(wins);
                } else if place.ways.iter().all(|&way| before[way] == Some(loses)) {
                    solved[at] = Some(loses);
                }
            }
            if solved == before {
                return solved.into_iter().map(|end| end.unwrap_or(Outcome::Draw)).collect();
            }
        }
    }
}

impl Game for Walk {
    type Move = usize;

    fn name(&self) -> &'static str {
        "walk"
    }

    fn keys(&self) -> &'static str {
        "place"
    }

    fn sides(&self) -> [&'static str; 2] {
        ["A", "B"]
    }

    fn examples(&self) -> &'static str {
        "7"
    }

    fn set_up(&self, _: &str) -> Result<Self, SetupError> {
        Ok(self.at(0))
    }

    fn setup(&self) -> String {
        format!("{} of {:?}", self.at, self.places)
    }

    fn side(&self) -> Side {
        self.here().side
    }

    fn key(&self) -> u64 {
        (self.at as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn legal_moves(&self, moves: &mut Vec<usize>) {
        moves.clear();
        moves.extend(&self.here().ways);
    }

    fn play(&mut self, played: &usize) {
        self.at = *played;
    }

    fn image(&self, played: &usize, _: u32) -> u16 {
        *played as u16
    }

    fn read_move(&self, _: &[u8]) -> Result<usize, Trouble> {
        Err(Trouble::Unreadable)
    }

    fn notation(&self, played: &usize) -> String {
        played.to_string()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.here().end
    }

    fn diagram(&self) -> String {
        self.setup()
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
    let (mut engine, mut sure, mut open) = (tabia_search::engine::<Walk>(), [0; 3], 0);
    for seed in 0..1_500 {
        let mut rng = Rng::new(seed);
        let game = Walk::random(4 + rng.index(16), true, &mut rng);
        let solved = game.solved();
        let mut history = MoveHistory::new(game);
        for _ in 0..6 {
            let (position, moves) = (history.position().clone(), legal(history.position()));
            if moves.is_empty() {
                break;
            }
            let ranking = engine
                .rank(&history, &moves, moves.len(), &nodes(3_000), Duration::from_secs(60))
                .unwrap();
            for ranked in &ranking.moves {
                let is = ending(solved[ranked.played], position.side());
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

/// Without cycles everything is sure.
#[test]
fn games_that_end_are_solved() {
    let mut engine = tabia_search::engine::<Walk>();
    for seed in 0..500 {
        let mut rng = Rng::new(seed);
        let game = Walk::random(4 + rng.index(12), false, &mut rng);
        let (solved, moves) = (game.solved(), legal(&game));
        for ranked in ranked(&mut *engine, &game, moves.len(), &nodes(50_000)).moves {
            let is = ending(solved[ranked.played], game.side());
            assert_eq!(ranked.sure, Some(is), "seed {seed}, {}", game.setup());
        }
    }
}
