//! Visits that say more than how games ended: the players' ratings, and what engines thought of the position.

use crate::played::Played;
use crate::visit::{Collectable, Visit};
use tabia::{Key, Ratings, mix};
use tabia_games::Side;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// What a visit can say beyond games and marks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct More {
    /// An engine's eval for the side to move, and its depth.
    pub eval: Option<(i16, u8)>,
    /// Sums of ratings.
    pub ratings: Ratings,
}

impl More {
    /// Merges another one into this one, as rows do (M-1, M-2).
    pub fn absorb(&mut self, other: &Self) {
        self.eval = deeper(self.eval, other.eval);
        let (mine, other) = (&mut self.ratings, &other.ratings);
        mine.mover_sum += other.mover_sum;
        mine.opponent_sum += other.opponent_sum;
        mine.games = mine.games.saturating_add(other.games);
        mine.score += other.score;
    }
}

/// The deeper of two evals, at equal depth the lower (M-2).
fn deeper(first: Option<(i16, u8)>, second: Option<(i16, u8)>) -> Option<(i16, u8)> {
    let worth = |eval: Option<(i16, u8)>| eval.map(|(value, depth)| (depth, -i32::from(value)));
    if worth(second) > worth(first) { second } else { first }
}

/// A visit with more: of one that counts games, from the most significant bit on, the sum of the mover's ratings (48 bits), of the opponent's (48), and how
/// many games were rated (32); of one that counts none, an eval (16) and its depth (8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub struct RichVisit {
    visit: Visit,
    more: u128,
}

/// What an engine thought of the position with this key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyedEval {
    /// The position's key.
    pub key: Key,
    /// For the side to move, in the game's unit.
    pub value: i16,
    /// How deep the engine looked.
    pub depth: u8,
}

/// The greatest sum of ratings.
const MOST_SUM: u64 = (1 << 48) - 1;

impl RichVisit {
    /// A visit in a game with these ratings of the side to move and of the other one.
    fn rated(visit: Visit, ratings: Option<(u16, u16)>) -> Self {
        let more = ratings.map_or(0, |(mover, opponent)| packed(mover.into(), opponent.into(), 1));
        Self { visit, more }
    }

    /// An eval, which counts no game.
    fn of_eval(eval: &KeyedEval) -> Self {
        Self { visit: Visit::uncounted(eval.key), more: u128::from(eval.value as u16) << 8 | u128::from(eval.depth) }
    }

    /// Sums of the mover's and the opponent's ratings, and the number of games.
    fn sums(self) -> (u64, u64, u64) {
        ((self.more >> 80) as u64, (self.more >> 32) as u64 & MOST_SUM, self.more as u64 & u64::from(u32::MAX))
    }
}

fn packed(mover: u64, opponent: u64, games: u64) -> u128 {
    let sum = |sum: u64| u128::from(sum.min(MOST_SUM));
    sum(mover) << 80 | sum(opponent) << 32 | u128::from(games.min(u32::MAX.into()))
}

impl Collectable for RichVisit {
    const RICH: bool = true;

    #[inline(always)]
    fn visit(self) -> Visit {
        self.visit
    }

    fn more(self) -> More {
        if !self.visit.is_counted() {
            return More { eval: Some(((self.more >> 8) as u16 as i16, self.more as u8)), ..More::default() };
        }
        let (mover_sum, opponent_sum, games) = self.sums();
        // All games of a visit ended the same way.
        let [wins, draws, _] = self.visit.games().map(|games| u64::from(games > 0));
        let ratings = Ratings { mover_sum, opponent_sum, games: games as u32, score: games * (2 * wins + draws) };
        More { ratings, eval: None }
    }

    #[inline]
    fn absorb(&mut self, other: Self) -> bool {
        let is_same = self.visit.absorb(other.visit);
        if is_same && self.visit.is_counted() {
            let ((a, b, c), (x, y, z)) = (self.sums(), other.sums());
            self.more = packed(a + x, b + y, c + z);
        } else if is_same && deeper(self.more().eval, other.more().eval) == other.more().eval {
            self.more = other.more;
        }
        is_same
    }

    fn of_game<'a>(visits: &'a [Visit], game: &Played, evals: &[KeyedEval], buffer: &'a mut Vec<Self>) -> &'a [Self] {
        buffer.clear();
        buffer.extend(with_ratings(visits, game));
        buffer.extend(evals.iter().map(Self::of_eval));
        buffer
    }
}

/// The mover's and the opponent's rating at each of these visits, which stand in the order of the game's plies.
fn with_ratings(visits: &[Visit], game: &Played) -> impl Iterator<Item = RichVisit> {
    let mut rest = game.plies.iter().map(|ply| (ply.key, ply.code, ply.side)).chain([(game.last.0, 0, game.last.1)]);
    visits.iter().map(move |&visit| {
        let is_here = |&(key, code, _): &(u64, u16, Side)| mix(key) == visit.hash() && (!visit.is_of_move() || code == visit.code());
        let side = game.ratings.and_then(|_| rest.find(is_here)).map(|(.., side)| side);
        let ratings = game.ratings.zip(side).map(|([first, second], side)| match side {
            Side::First => (first, second),
            Side::Second => (second, first),
        });
        RichVisit::rated(visit, ratings)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_visits::{Tables, VisitMaker};
    use crate::played::Ply;
    use tabia_games::Outcome;

    /// 1 -10-> 2 -20-> 1 -10-> 2 -21-> 3, won by the first player.
    fn game() -> Played {
        let plies = [(1, 10), (2, 20), (1, 10), (2, 21)];
        let side = |index: usize| if index.is_multiple_of(2) { Side::First } else { Side::Second };
        let ply = |(index, (key, code))| Ply { key, code, side: side(index), marks: 0 };
        Played {
            plies: plies.into_iter().enumerate().map(ply).collect(),
            last: (3, Side::First),
            outcome: Outcome::FirstWins,
            ratings: Some([2000, 1500]),
            ..Played::default()
        }
    }

    fn visits() -> Vec<RichVisit> {
        let mut maker = VisitMaker::new(None, Tables { positions: true, moves: true });
        let game = game();
        RichVisit::of_game(maker.visits(&game), &game, &[], &mut Vec::new()).to_vec()
    }

    #[test]
    fn ratings_are_the_movers_and_the_opponents() {
        let ratings: Vec<_> = visits().iter().map(|visit| visit.more().ratings).collect();
        let first = Ratings { mover_sum: 2000, opponent_sum: 1500, games: 1, score: 2 };
        let second = Ratings { mover_sum: 1500, opponent_sum: 2000, games: 1, score: 0 };
        assert_eq!(ratings, [first, second, second, first]);
    }

    #[test]
    fn the_deeper_and_lower_eval_of_a_position_counts() {
        let eval = |key, value, depth| RichVisit::of_eval(&KeyedEval { key, value, depth });
        for (one, other, left) in
            [((30, 9), (20, 9), (20, 9)), ((-5, 9), (-7, 8), (-5, 9)), ((i16::MAX, 0), (i16::MIN + 1, 255), (i16::MIN + 1, 255))]
        {
            for (first, second) in [(one, other), (other, one)] {
                let mut first = eval(1, first.0, first.1);
                assert!(first.absorb(eval(1, second.0, second.1)));
                assert_eq!(first.more(), More { eval: Some(left), ..More::default() });
            }
        }
        assert!(!eval(1, 0, 0).absorb(eval(2, 0, 0)) && !eval(1, 0, 0).absorb(visits()[0]));
    }

    #[test]
    fn sums_of_ratings_saturate() {
        let mut visit = visits()[0];
        for _ in 0..60 {
            let same = visit;
            assert!(visit.absorb(same));
        }
        let Ratings { mover_sum, opponent_sum, games, .. } = visit.more().ratings;
        assert_eq!((mover_sum, opponent_sum, games), (MOST_SUM, MOST_SUM, u32::MAX));
    }
}
