//! What has to be found out to expand a leaf, so that the tree is complete again.
//!
//! At the leaf: what moves are worth of which the book knows nothing but that they are there, and
//! the best of those that it doesn't have, two if it has none (Buro 1999, section 4); or what all of
//! them are worth (Fierz 2005). At expanded positions for which the leaf was the last deviation: the
//! best of the moves left. Moves that end the game are added without asking; where one wins, no more
//! is asked.

use crate::task::{Question, Task};
use crate::tree::{Lines, Tree};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use tabia::{Flags, Key};
use tabia_games::{Game, Node, Side};

/// The expansion of one leaf.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expansion {
    /// The leaf.
    pub leaf: Key,
    /// Who is to move there.
    pub second: bool,
    /// What is asked of an engine.
    pub asked: Vec<Asked>,
    /// Moves that end the game, which the book doesn't have.
    pub ends: Vec<Found>,
}

/// A question, and what its moves lead to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The question.
    pub question: Question,
    /// The position that it is about.
    pub from: Key,
    /// Who is to move there.
    pub second: bool,
    /// Where each of its moves leads, in their order.
    pub targets: Vec<Target>,
    /// Whether the book doesn't have these moves.
    pub is_new: bool,
}

/// Where a move leads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// The move's code.
    pub code: u16,
    /// The position.
    pub key: Key,
    /// Whether the other side is to move there.
    pub turns: bool,
    /// The flags that say how the game ended, if it did, seen by the side to move there.
    pub ended: u8,
}

/// A move from a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The position.
    pub from: Key,
    /// Where the move leads.
    pub target: Target,
}

impl Expansion {
    /// Who is to move at the leaf.
    #[must_use]
    pub fn side(&self) -> Side {
        if self.second { Side::Second } else { Side::First }
    }

    /// The questions as a task with this number.
    #[must_use]
    pub fn task(&self, id: u64) -> Task {
        Task { id, questions: self.asked.iter().map(|asked| asked.question.clone()).collect() }
    }

    /// Whether its questions are about positions after this one, its moves lead where it says, and
    /// it leaves out no move of the leaf: so for one that was read from a file.
    #[must_use]
    pub fn fits<G: Game>(&self, tree: &Tree<G>) -> bool {
        let lines = tree.lines();
        self.asked.iter().all(|asked| asked.fits(&tree.opening().nodes()[0]))
            && self.ends.iter().all(|found| found.fits(tree, &lines))
            && self.has_all_moves(tree, &lines)
    }

    /// Whether each move of the leaf is in the book, asked for, or ends the game; or one that does
    /// is won.
    fn has_all_moves<G: Game>(&self, tree: &Tree<G>, lines: &Lines) -> bool {
        let graph = tree.graph();
        let Some(at) = graph.find(self.leaf, self.side()) else { return false };
        let asked = self.asked.iter().filter(|asked| asked.is_new && asked.is_at(self));
        let asked = asked.flat_map(|asked| asked.targets.iter().map(|target| target.code));
        let ends = || self.ends.iter().filter(|found| found.from == self.leaf);
        let found: HashSet<u16> = (asked.chain(ends().map(|found| found.target.code)))
            .chain(graph.moves(at).iter().map(|edge| edge.code))
            .collect();
        let is_won = |target: &Target| {
            let winner = if target.turns { Flags::PROVEN_LOSS } else { Flags::PROVEN_WIN };
            target.ended == winner.bits()
        };
        ends().any(|found| is_won(&found.target))
            || legal(&tree.node(&lines.codes(at))).iter().all(|(code, _)| found.contains(code))
    }

    /// Where moves lead that are asked for and that the book doesn't have, and who is to move there.
    pub fn found_by_asking(&self) -> impl Iterator<Item = (Key, Side)> {
        self.asked.iter().filter(|asked| asked.is_new).flat_map(|asked| {
            let side = |target: &Target| match asked.second != target.turns {
                true => Side::Second,
                false => Side::First,
            };
            asked.targets.iter().map(move |target| (target.key, side(target)))
        })
    }

    /// Positions for which a deviation is asked, besides the leaf.
    pub fn others(&self) -> impl Iterator<Item = (Key, bool)> {
        let leaf = (self.leaf, self.second);
        self.asked
            .iter()
            .map(|asked| (asked.from, asked.second))
            .filter(move |place| *place != leaf)
    }
}

impl Found {
    fn fits<G: Game>(&self, tree: &Tree<G>, lines: &Lines) -> bool {
        let graph = tree.graph();
        let places = [Side::First, Side::Second].into_iter();
        places.filter_map(|side| graph.find(self.from, side)).any(|at| {
            let node = tree.node(&lines.codes(at));
            let played = node.move_of_code(self.target.code);
            played.is_some_and(|played| {
                let next = node.after(&played);
                self.target.ended != 0 && target(&node, self.target.code, &next) == self.target
            })
        })
    }
}

impl Asked {
    fn is_at(&self, expansion: &Expansion) -> bool {
        (self.from, self.second) == (expansion.leaf, expansion.second)
    }

    fn fits<G: Game>(&self, start: &Node<G>) -> bool {
        let mut node = start.clone();
        for word in &self.question.line {
            let Ok(played) = node.position.parse_move(word) else { return false };
            node = node.after(&played);
        }
        let leads_there = |(word, expected): (&String, &Target)| {
            node.position.parse_move(word).is_ok_and(|played| {
                target(&node, node.code(&played), &node.after(&played)) == *expected
            })
        };
        node.key == self.from
            && (1..=self.targets.len()).contains(&self.question.count)
            && self.second == (node.position.side() == Side::Second)
            && self.targets.len() == self.question.among.len()
            && self.question.among.iter().zip(&self.targets).all(leads_there)
    }
}

/// A place where questions are asked: a node of the tree with its board.
struct Place<G: Game> {
    at: u32,
    node: Node<G>,
    line: Vec<String>,
}

/// What an expansion is made from.
pub struct Expanding<'a, G: Game> {
    /// The tree.
    pub tree: &'a Tree<G>,
    /// Its lines.
    pub lines: &'a Lines,
    /// Leaves that are being expanded.
    pub in_flight: &'a HashSet<(Key, bool)>,
    /// Expanded positions for which a deviation is being looked for.
    pub waiting: &'a HashSet<(Key, bool)>,
    /// Whether all moves of the leaf are to be evaluated.
    pub in_full: bool,
}

impl<G: Game> Expanding<'_, G> {
    /// What has to be found out at a leaf, and before it.
    #[must_use]
    pub fn of(&self, leaf: u32) -> Expansion {
        let graph = self.tree.graph();
        let (key, second) = self.name(leaf);
        let mut expansion = Expansion { leaf: key, second, asked: Vec::new(), ends: Vec::new() };
        self.ask_at_leaf(leaf, &mut expansion);
        for before in self.tree.expanded_before(leaf).filter(|&before| before != leaf) {
            let will_be_expanded = |at: u32| at == leaf || self.in_flight.contains(&self.name(at));
            if !graph.is_full(before)
                && graph.proof(before).is_none()
                && !self.waiting.contains(&self.name(before))
                && !self.tree.has_deviation(before, will_be_expanded)
            {
                let place = self.place(before);
                self.ask_for_new(&place, 1, false, &mut expansion);
            }
        }
        expansion
    }

    fn ask_at_leaf(&self, leaf: u32, expansion: &mut Expansion) {
        let place = self.place(leaf);
        for code in self.tree.unvalued(leaf) {
            let legal = legal(&place.node).into_iter().find(|(known, _)| *known == code);
            let asked: Vec<_> = legal.into_iter().collect();
            self.ask(&place, &asked, 1, false, expansion);
        }
        let graph = self.tree.graph();
        if self.in_full {
            self.ask_for_new(&place, usize::MAX, true, expansion);
        } else if !graph.is_expanded(leaf) {
            let count = if graph.moves(leaf).is_empty() { 2 } else { 1 };
            self.ask_for_new(&place, count, true, expansion);
        } else if expansion.asked.is_empty() {
            // It was chosen as all is lost that the book has, or as it has no deviation.
            self.ask_for_new(&place, 1, true, expansion);
        }
    }

    /// Asks for the best of the moves that the book doesn't have.
    fn ask_for_new(
        &self,
        place: &Place<G>,
        count: usize,
        is_leaf: bool,
        expansion: &mut Expansion,
    ) {
        let known = self.tree.graph().moves(place.at);
        let is_new = |code: u16| known.iter().all(|edge| edge.code != code);
        let new: Vec<(u16, G::Move)> =
            legal(&place.node).into_iter().filter(|(code, _)| is_new(*code)).collect();
        if new.is_empty() {
            return;
        }
        let side = place.node.position.side();
        let end = |(code, played): &(u16, G::Move)| {
            let next = place.node.after(played);
            let outcome = next.position.outcome()?;
            Some((outcome.winner() == Some(side), target(&place.node, *code, &next)))
        };
        let (ends, open): (Vec<_>, Vec<_>) =
            new.into_iter().map(|one| (end(&one), one)).partition(|(end, _)| end.is_some());
        let ends: Vec<(bool, Target)> = ends.into_iter().filter_map(|(end, _)| end).collect();
        let open: Vec<_> = open.into_iter().map(|(_, one)| one).collect();
        let from = place.node.key;
        if let Some((_, target)) = ends.iter().find(|(wins, _)| *wins) {
            expansion.ends.push(Found { from, target: target.clone() });
            return;
        }
        let has_ends = !ends.is_empty();
        expansion.ends.extend(ends.into_iter().map(|(_, target)| Found { from, target }));
        if is_leaf && count == usize::MAX {
            // One by one, each as deep as all others.
            for one in &open {
                self.ask(place, std::slice::from_ref(one), 1, true, expansion);
            }
        } else if !open.is_empty() {
            let count = if has_ends { 1 } else { count.min(open.len()) };
            self.ask(place, &open, count, true, expansion);
        }
    }

    fn ask(
        &self,
        place: &Place<G>,
        among: &[(u16, G::Move)],
        count: usize,
        is_new: bool,
        expansion: &mut Expansion,
    ) {
        let position = &place.node.position;
        let words = among.iter().map(|(_, played)| position.coordinates(played)).collect();
        let to =
            |(code, played): &(u16, G::Move)| target(&place.node, *code, &place.node.after(played));
        expansion.asked.push(Asked {
            question: Question { line: place.line.clone(), among: words, count },
            from: place.node.key,
            second: position.side() == Side::Second,
            targets: among.iter().map(to).collect(),
            is_new,
        });
    }

    fn place(&self, at: u32) -> Place<G> {
        let opening = self.tree.opening();
        let moves = opening.nodes().iter().zip(opening.moves());
        let words = moves.map(|(node, played)| node.position.coordinates(played));
        let (mut node, mut line) = (self.tree.root().clone(), words.collect::<Vec<_>>());
        for code in self.lines.codes(at) {
            // The graph has moves that are legal only.
            let Some(played) = node.move_of_code(code) else { break };
            line.push(node.position.coordinates(&played));
            node = node.after(&played);
        }
        Place { at, node, line }
    }

    fn name(&self, at: u32) -> (Key, bool) {
        let graph = self.tree.graph();
        (graph.key(at), graph.side(at) == Side::Second)
    }
}

/// The legal moves by their codes, in ascending order; of images of each other one.
fn legal<G: Game>(node: &Node<G>) -> Vec<(u16, G::Move)> {
    let mut legal = Vec::new();
    node.position.legal_moves(&mut legal);
    let mut coded: Vec<_> = legal.into_iter().map(|played| (node.code(&played), played)).collect();
    coded.sort_by_key(|&(code, _)| code);
    coded.dedup_by_key(|&mut (code, _)| code);
    coded
}

fn target<G: Game>(from: &Node<G>, code: u16, next: &Node<G>) -> Target {
    let side = next.position.side();
    let ended = next.position.outcome().map_or(Flags::empty(), |outcome| match outcome.winner() {
        None => Flags::PROVEN_DRAW,
        Some(winner) if winner == side => Flags::PROVEN_WIN,
        Some(_) => Flags::PROVEN_LOSS,
    });
    Target { code, key: next.key, turns: side != from.position.side(), ended: ended.bits() }
}
