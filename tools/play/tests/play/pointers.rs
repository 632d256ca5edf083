//! The eight pointers of Chen and Zhang against the one place that [`Node`] follows.

use std::collections::{BTreeMap, BTreeSet};
use tabia::Key;
use tabia_games::go::{Go, Move, Symmetry};
use tabia_games::{Game, Node, line_next, line_start};
use tabia_play::Pointers;
use tabia_testing::Rng;

/// Moves by the place they are played from.
#[derive(Default)]
struct Tree(BTreeMap<Key, BTreeSet<u16>>);

impl Tree {
    fn codes(&self, key: Key) -> Vec<u16> {
        self.0.get(&key).into_iter().flatten().copied().collect()
    }

    fn holds(&self, key: Key, code: u16) -> bool {
        self.0.get(&key).is_some_and(|codes| codes.contains(&code))
    }

    /// A game in canonical form, as `build` keys it.
    fn insert(&mut self, start: &Go, moves: &[Move]) {
        let mut node = Node::start(*start, true);
        for played in moves {
            self.0.entry(node.key).or_default().insert(node.code(played));
            node = node.after(played);
        }
    }

    /// A game as it was written down.
    fn insert_as_is(&mut self, start: &Go, moves: &[Move]) {
        let mut line = line_start(start.key());
        for played in moves {
            let code = start.image(played, 0);
            self.0.entry(line).or_default().insert(code);
            line = line_next(line, code);
        }
    }
}

/// A short game, many of its moves on axes and diagonals, where images agree for long.
fn random_game(start: &Go, random: &mut Rng) -> Vec<Move> {
    let (mut game, mut moves) = (*start, Vec::new());
    for _ in 0..6 {
        let legal = game.legal();
        if legal.is_empty() {
            break;
        }
        let size = game.size() as u16;
        let on_lines = |point: u16| {
            point / size == size / 2 || point % size == size / 2 || point / size == point % size
        };
        let near: Vec<Move> =
            legal.iter().copied().filter(|played| played.point.is_none_or(on_lines)).collect();
        let from = if random.one_in(4) { &legal } else { &near };
        let played = *random.pick(from);
        moves.push(played);
        game.play(&played);
    }
    moves
}

fn image(start: &Go, moves: &[Move], symmetry: u32) -> Vec<Move> {
    let points = (start.size() * start.size()) as u16;
    let image = |played: &Move| Move {
        point: Some(start.image(played, symmetry)).filter(|&point| point < points),
        ..*played
    };
    moves.iter().map(image).collect()
}

fn known(tree: &Tree, pointers: &Pointers, game: &Go) -> BTreeSet<Option<u16>> {
    pointers
        .successors(game, |key| tree.codes(key))
        .into_iter()
        .map(|successor| successor.played.point)
        .collect()
}

#[test]
fn one_pointer_and_eight_know_the_same_moves_of_a_book_in_canonical_form() {
    for symmetry in [Symmetry::Board, Symmetry::BoardAndColors] {
        let (start, mut tree, mut random) =
            (Go::start(5, symmetry).expect("a size"), Tree::default(), Rng::new(1));
        let games: Vec<_> = (0..400).map(|_| random_game(&start, &mut random)).collect();
        games.iter().for_each(|moves| tree.insert(&start, moves));
        let (mut compared, mut many) = (0, 0);
        for number in 0..2_000 {
            let moves = if number % 2 == 0 {
                random_game(&start, &mut random)
            } else {
                image(&start, &games[number % 400], number as u32 / 7 % 8)
            };
            let (mut node, mut pointers, mut in_book) =
                (Node::start(start, true), Pointers::start(&start), true);
            for played in &moves {
                let (codes, here) = (tree.codes(node.key), known(&tree, &pointers, &node.position));
                let by_node: BTreeSet<Option<u16>> = moves_of(&codes, &node).collect();
                assert_eq!(here, by_node, "{:?}", node.position);
                assert_eq!(pointers.are_out(), !in_book);
                compared += here.len();
                many += usize::from(here.len() > codes.len());
                in_book &= tree.holds(node.key, node.code(played));
                pointers =
                    pointers.after(&node.position, played, |key, code| tree.holds(key, code));
                node = node.after(played);
            }
        }
        assert!(compared > 10_000 && many > 1_000, "{compared} {many}");
    }
}

/// All legal moves that the book has one of these codes for.
fn moves_of<'a>(codes: &'a [u16], node: &'a Node<Go>) -> impl Iterator<Item = Option<u16>> + 'a {
    let legal = node.position.legal();
    legal.into_iter().filter(|played| codes.contains(&node.code(played))).map(|played| played.point)
}

#[test]
fn eight_pointers_find_lines_in_any_orientation() {
    let (start, mut tree, mut random) =
        (Go::start(9, Symmetry::Board).expect("a size"), Tree::default(), Rng::new(2));
    for _ in 0..50 {
        let moves = random_game(&start, &mut random);
        tree.insert_as_is(&start, &moves);
        for symmetry in 0..8 {
            let (mut game, mut pointers) = (start, Pointers::start(&start));
            for played in image(&start, &moves, symmetry) {
                assert!(known(&tree, &pointers, &game).contains(&played.point));
                pointers = pointers.after(&game, &played, |key, code| tree.holds(key, code));
                game.play(&played);
            }
            assert!(!pointers.are_out());
        }
    }
}
