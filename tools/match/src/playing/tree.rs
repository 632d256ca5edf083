//! What games have shown: how often what was played, how it ended, and which positions are likely to
//! be reached.

use crate::played::PlayedGame;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use tabia::{Key, Keyed};
use tabia_engines::MoveHistory;
use tabia_games::{Game, Known, Node, Outcome, Side};
use tabia_grow::GameLine;
use tabia_play::choice::GameHistory;

/// Games of people that count as much as one reply of the pool, all together.
const ARCHIVE: f64 = 12.0;
/// How many replies all moves that were never seen count as, all together.
const FLOOR: f64 = 0.5;
/// Moves that were never seen are looked at where a game gets there more often than this.
const SELDOM: f64 = 0.002;

/// A game by its keys and codes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Record {
    /// Of each ply the position, the move and who made it.
    pub plies: Vec<(Key, u16, Side)>,
    pub outcome: Outcome,
    /// From which ply on moves were chosen by whoever made them.
    pub free: usize,
}

impl Record {
    /// A game that was just played.
    pub fn of<G: Game>(game: &PlayedGame<G>, max_ply: usize) -> Self {
        let facts = &game.facts;
        Self::along(&game.in_book(Keyed::Position), facts.outcome, facts.from as usize, max_ply)
    }

    /// The games of a file, in its order; how many plies of each were given isn't known.
    pub fn read(
        path: &Path,
        known: &Known,
        max_ply: usize,
    ) -> Result<Vec<Self>, tabia_grow::Error> {
        let start = GameHistory::start(known.clone(), Keyed::Position);
        let games = GameLine::read(known, Keyed::Position, &[path.to_owned()])?;
        let record =
            |game: &GameLine| Some(Self::along(&game.history(&start)?, game.outcome, 0, max_ply));
        Ok(games.iter().filter_map(record).collect())
    }

    fn along<G: Game>(
        game: &GameHistory<G>,
        outcome: Outcome,
        free: usize,
        max_ply: usize,
    ) -> Self {
        let ply = |(node, played): (&Node<G>, &G::Move)| {
            (node.key, node.code(played), node.position.side())
        };
        let plies = game.nodes().iter().zip(game.moves()).take(max_ply).map(ply).collect();
        Self { plies, outcome, free }
    }
}

/// A position that games have come to.
#[derive(Debug)]
pub(super) struct Place {
    pub key: Key,
    /// How many plies from the start.
    pub ply: usize,
    /// Who is to move; nobody where the game is over.
    pub side: Option<Side>,
    /// The place and the move that it was first reached by.
    from: Option<(usize, u16)>,
    /// Results of all games by the move made here, for the side to move.
    pub played: BTreeMap<u16, [u32; 3]>,
    /// How often the player, and the pool, chose a move here by themselves.
    pub chosen: [BTreeMap<u16, u32>; 2],
    /// How often people made a move here.
    pub archive: Option<BTreeMap<u16, u64>>,
    /// What the book says: a move, or that it has none; nothing before that was found out.
    pub book: Option<Option<u16>>,
    after: BTreeMap<u16, usize>,
}

/// Who made a move.
pub(super) const PLAYER: usize = 0;
pub(super) const POOL: usize = 1;

/// All positions that games have come to.
pub(super) struct Tree<G: Game> {
    start: Node<G>,
    places: Vec<Place>,
    of_key: HashMap<Key, usize>,
    /// Nothing is kept from here on.
    max_ply: usize,
}

/// A position that the next question is about, and how likely a game comes to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frontier {
    pub place: usize,
    pub reach: f64,
    /// Whether the pool is to move there.
    pub is_pools: bool,
}

/// How far a book goes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Reach {
    /// The likeliest position of all that something has to be found out about.
    pub next: Option<Frontier>,
    /// How many moves of the book are made in a game.
    pub book_moves: f64,
    /// How likely a game has come to no open question, by ply.
    pub covered: Vec<f64>,
}

impl<G: Game> Tree<G> {
    pub fn new(start: Node<G>, max_ply: usize) -> Self {
        let mut tree = Self { start, places: Vec::new(), of_key: HashMap::new(), max_ply };
        tree.place(tree.start.key, 0, Some(tree.start.position.side()), None);
        tree
    }

    fn place(
        &mut self,
        key: Key,
        ply: usize,
        side: Option<Side>,
        from: Option<(usize, u16)>,
    ) -> usize {
        *self.of_key.entry(key).or_insert_with(|| {
            self.places.push(Place {
                key,
                ply,
                side,
                from,
                played: BTreeMap::new(),
                chosen: [BTreeMap::new(), BTreeMap::new()],
                archive: None,
                book: None,
                after: BTreeMap::new(),
            });
            self.places.len() - 1
        })
    }

    pub fn at(&mut self, place: usize) -> &mut Place {
        &mut self.places[place]
    }

    /// The places that a place was first reached by, each with the move made there: the last first.
    fn before(&self, place: usize) -> impl Iterator<Item = (usize, u16)> {
        std::iter::successors(self.places[place].from, |(from, _)| self.places[*from].from)
    }

    /// A game that leads to a place, and the node at its end.
    pub fn line(&self, place: usize) -> (MoveHistory<G>, Node<G>) {
        let codes: Vec<u16> = self.before(place).map(|(_, code)| code).collect();
        let (mut history, mut node) =
            (MoveHistory::new(self.start.position.clone()), self.start.clone());
        for code in codes.into_iter().rev() {
            let Some(played) = node.move_of_code(code) else { break };
            history.play(&played);
            node = node.after(&played);
        }
        (history, node)
    }

    /// In which plies of a place's line an engine thought, where the book of `own` has no move: the pool
    /// in all of its own.
    pub fn thought(&self, place: usize, own: Side) -> Vec<bool> {
        let thinks = |(from, _): (usize, u16)| {
            let Place { side, book, .. } = &self.places[from];
            *side != Some(own) || !matches!(book, Some(Some(_)))
        };
        let mut thought: Vec<bool> = self.before(place).map(thinks).collect();
        thought.reverse();
        thought
    }

    /// Counts a game in which `own` is the player's side, and all moves from ply `free` on were
    /// chosen by whoever made them.
    pub fn count(&mut self, game: &Record, own: Side) {
        let (mut from, mut seen) = (None, Vec::new());
        for (ply, &(key, code, side)) in game.plies.iter().enumerate().take(self.max_ply) {
            let place = self.place(key, ply, Some(side), from);
            if let Some((before, code)) = from {
                self.places[before].after.insert(code, place);
            }
            from = Some((place, code));
            // However often a game comes back, it counts once.
            if seen.contains(&(key, code)) {
                continue;
            }
            seen.push((key, code));
            let counts = self.places[place].played.entry(code).or_default();
            let of_game = game.outcome.counts_for(side);
            *counts = [0, 1, 2].map(|at| counts[at] + of_game[at]);
            if ply >= game.free {
                let whose = if side == own { PLAYER } else { POOL };
                *self.places[place].chosen[whose].entry(code).or_default() += 1;
            }
        }
    }

    /// The place that a move leads to.
    pub fn after(&mut self, place: usize, code: u16) -> Option<usize> {
        if let Some(&after) = self.places[place].after.get(&code) {
            return Some(after);
        }
        let (node, ply) = (self.line(place).1, self.places[place].ply + 1);
        let node = node.after(&node.move_of_code(code)?);
        let side = node.position.outcome().is_none().then(|| node.position.side());
        let after = self.place(node.key, ply, side, Some((place, code)));
        self.places[place].after.insert(code, after);
        Some(after)
    }

    /// How likely each move is at a place where the player or the pool chooses: what was seen, what
    /// people play, and a little for all others where the place is reached often enough.
    fn choices(&self, place: usize, whose: usize, reach: f64) -> Vec<(u16, f64)> {
        let Place { chosen, archive, .. } = &self.places[place];
        let mut weights: BTreeMap<u16, f64> =
            chosen[whose].iter().map(|(&code, &times)| (code, f64::from(times))).collect();
        if whose == POOL {
            let people: u64 = archive.iter().flatten().map(|(_, &games)| games).sum();
            for (&code, &games) in archive.iter().flatten() {
                *weights.entry(code).or_default() += ARCHIVE * games as f64 / people as f64;
            }
            let legal = self.line(place).1.coded_moves();
            let others: Vec<u16> = legal
                .into_iter()
                .map(|(code, _)| code)
                .filter(|code| !weights.contains_key(code))
                .collect();
            let floor = FLOOR / others.len() as f64;
            let seen: f64 = weights.values().sum();
            if reach * floor / (seen + FLOOR) > SELDOM {
                weights.extend(others.into_iter().map(|code| (code, floor)));
            }
        }
        let all: f64 = weights.values().sum();
        weights.into_iter().map(|(code, weight)| (code, weight / all)).collect()
    }

    /// How likely games of a side come to which open question: its own moves are the book's, or its
    /// own where the book has none; the pool's are as likely as they were seen. Ways to one position
    /// add up, whatever the ply.
    pub fn reach(&mut self, own: Side, wanted: [u32; 2]) -> Reach {
        let mut open: BTreeMap<usize, (f64, bool)> = BTreeMap::new();
        let mut found = Reach::default();
        let mut layer: BTreeMap<usize, f64> = [(0, 1.0)].into();
        let mut lost = 0.0;
        for ply in 0..self.max_ply {
            let mut next: BTreeMap<usize, f64> = BTreeMap::new();
            for (place, reach) in layer {
                let Some(side) = self.places[place].side else { continue };
                let whose = if side == own { PLAYER } else { POOL };
                let is_known = match whose {
                    PLAYER => self.places[place].book.is_some(),
                    _ => {
                        self.places[place].chosen[POOL].values().sum::<u32>()
                            >= wanted[usize::from(ply > 0)]
                    }
                };
                if !is_known {
                    open.entry(place).or_insert((0.0, whose == POOL)).0 += reach;
                    lost += reach;
                    continue;
                }
                let choices = match self.places[place].book {
                    Some(Some(code)) if whose == PLAYER => {
                        found.book_moves += reach;
                        vec![(code, 1.0)]
                    }
                    _ => self.choices(place, whose, reach),
                };
                for (code, part) in choices {
                    if let Some(after) = self.after(place, code) {
                        *next.entry(after).or_default() += reach * part;
                    }
                }
            }
            layer = next;
            found.covered.push((1.0 - lost).max(0.0));
        }
        // The likeliest; of equal ones the one that was seen first.
        for (place, (reach, is_pools)) in open {
            if found.next.is_none_or(|best| reach > best.reach) {
                found.next = Some(Frontier { place, reach, is_pools });
            }
        }
        found
    }
}

#[cfg(all(test, feature = "connect"))]
mod tests {
    use super::*;
    use tabia_games::TicTacToe;

    /// A game of these moves, all chosen by whoever made them from ply `free` on.
    fn game(moves: &str, outcome: Outcome, free: usize) -> Record {
        let mut history = GameHistory::start(TicTacToe::start(), Keyed::Position);
        history.play_text(moves).unwrap();
        Record::along(&history, outcome, free, 9)
    }

    fn tree() -> Tree<TicTacToe> {
        Tree::new(Node::start(TicTacToe::start(), false), 5)
    }

    #[test]
    fn games_count_where_they_come_and_choices_where_they_are_free() {
        let mut tree = tree();
        tree.count(&game("b2 a1 c1", Outcome::FirstWins, 1), Side::First);
        tree.count(&game("b2 c3 a1", Outcome::Draw, 0), Side::First);
        let root = tree.at(0);
        assert_eq!(root.played.values().collect::<Vec<_>>(), [&[1, 1, 0]]);
        assert_eq!(root.chosen[PLAYER].values().sum::<u32>(), 1);
        let code = *root.played.first_key_value().unwrap().0;
        // The corners are images of each other.
        let after = tree.after(0, code).unwrap();
        let replies = tree.at(after);
        assert_eq!(replies.played.values().collect::<Vec<_>>(), [&[0, 1, 1]]);
        assert_eq!(
            replies.chosen,
            [BTreeMap::new(), [(*replies.played.first_key_value().unwrap().0, 2)].into()]
        );
        assert_eq!(tree.line(after).0.plies().len(), 1);
    }

    #[test]
    fn ways_to_a_position_add_up_and_the_likeliest_question_comes_next() {
        let mut tree = tree();
        // The pool opens; its two first moves lead to one position after two more.
        for moves in ["b2 a1 c3 b1", "b2 a1 c3 b1", "c3 a1 b2 b1"] {
            tree.count(&game(moves, Outcome::Draw, 0), Side::Second);
        }
        let reach = tree.reach(Side::Second, [9, 1]);
        assert_eq!(reach.next, Some(Frontier { place: 0, reach: 1.0, is_pools: true }));
        let answered =
            ["b2 a1 c3", "c3 a1 b2"].map(|moves| game(moves, Outcome::Draw, 0).plies[2].0);
        let codes: Vec<u16> = tree.at(0).chosen[POOL].keys().copied().collect();
        for code in codes {
            let place = tree.after(0, code).unwrap();
            let node = tree.line(place).1;
            let leads = |played: &_| answered.contains(&node.after(played).key);
            let (code, _) =
                node.coded_moves().into_iter().find(|(_, played)| leads(played)).unwrap();
            tree.at(place).book = Some(Some(code));
        }
        let reach = tree.reach(Side::Second, [1, 1]);
        let next = reach.next.unwrap();
        let met = game("b2 a1 c3 b1", Outcome::Draw, 0).plies[3].0;
        assert!(tree.at(next.place).key == met && !next.is_pools && next.reach > 0.5, "{reach:?}");
        assert!((reach.book_moves - 1.0).abs() < 0.2, "{reach:?}");
        assert!(reach.covered.windows(2).all(|pair| pair[0] >= pair[1]), "{reach:?}");
    }
}
