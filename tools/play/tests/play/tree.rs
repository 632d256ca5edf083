//! The tree of a book's lines, against the same asked of its rows one by one.

use crate::shared::{Content, Shelf, board, code, known, quiet};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use tabia::{Book, Counts, Flags, Marks, PositionRow, Row};
use tabia_games::{Chess, Game, Node};
use tabia_play::explore::{Explored, OpenBook};
use tabia_play::{Percent, Tree, TreePlan};

const ALL: TreePlan = TreePlan {
    max_ply: 6,
    min_games: 0,
    min_share: Percent::NONE,
    deviations: true,
    breadth: None,
    max_nodes: usize::MAX,
};

fn tree(book: &Book, from: &Chess, plan: &TreePlan) -> Tree {
    Tree::of(book, &Node::start(from.clone(), false), plan, &quiet).unwrap()
}

/// The least ply of each position that moves lead to that pass, and those moves: what a search finds
/// that looks at all rows again for each ply.
fn model(
    content: &Content,
    from: &Chess,
    plan: &TreePlan,
) -> (BTreeMap<u64, u32>, BTreeSet<(u64, u16)>) {
    let (by_position, mut plies) = (content.by_position(), BTreeMap::from([(from.key(), 0)]));
    let (mut boards, mut moves) = (vec![from.clone()], BTreeSet::new());
    for ply in 0..plan.max_ply {
        let mut next = Vec::new();
        for board in boards {
            let here = content.positions.iter().find(|row| row.key() == board.key()).unwrap();
            let mut rows = by_position.get(&board.key()).cloned().unwrap_or_default();
            rows.sort_by_key(|row| (std::cmp::Reverse(row.counts().games()), row.code()));
            let whole = here.counts().games() * u64::from(plan.min_share.hundredths());
            rows.retain(|row| {
                let games = row.counts().games();
                games >= plan.min_games && games * 10_000 >= whole
            });
            for row in rows.iter().take(plan.breadth.unwrap_or(usize::MAX)) {
                moves.insert((row.key(), row.code()));
                let after = board.after(&board.move_of_code(row.code()).unwrap());
                if let Entry::Vacant(new) = plies.entry(after.key()) {
                    new.insert(ply + 1);
                    next.push(after);
                }
            }
        }
        boards = next;
    }
    (plies, moves)
}

fn check(tree: &Tree, content: &Content, from: &Chess, plan: &TreePlan) {
    let (plies, moves) = model(content, from, plan);
    let followed: BTreeMap<u64, u32> = tree
        .nodes
        .iter()
        .filter(|node| node.same_as.is_none())
        .map(|node| (node.key, node.ply))
        .collect();
    assert_eq!(followed, plies, "{plan:?}");
    let found = followed.len();
    assert_eq!(found, tree.nodes.iter().filter(|node| node.same_as.is_none()).count(), "each once");
    let edge = |node: &tabia_play::TreeNode| {
        Some((tree.nodes[node.parent?].key, node.edge.as_ref()?.code))
    };
    let shown: Vec<_> = tree.nodes.iter().filter_map(edge).collect();
    assert_eq!(shown.iter().copied().collect::<BTreeSet<_>>(), moves, "{plan:?}");
    assert_eq!(shown.len(), moves.len(), "no move is there twice");
    let by_position = content.by_position();
    let games = |node: usize| tree.nodes[node].edge.as_ref().map_or(0, |edge| edge.counts.games());
    for (place, node) in tree.nodes.iter().enumerate() {
        if let Some(same) = node.same_as {
            let other = &tree.nodes[same];
            assert!(other.key == node.key && other.same_as.is_none() && other.ply <= node.ply);
            let is_by_most = other.ply < node.ply || games(same) >= games(place);
            assert!(is_by_most, "a position is followed where most games come to it");
            assert!(node.children.is_empty());
        }
        assert!(node.children.windows(2).all(|pair| games(pair[0]) >= games(pair[1])));
        assert!(node.children.iter().all(|&child| tree.nodes[child].parent == Some(place)));
        if node.same_as.is_none() && node.ply < plan.max_ply {
            let rows = by_position.get(&node.key).into_iter().flatten();
            let all: u64 = rows.map(|row| row.counts().games()).sum();
            let shown: u64 = node.children.iter().map(|&child| games(child)).sum();
            assert_eq!(shown + node.left_out.games, all);
        }
    }
}

#[test]
fn a_tree_has_the_moves_that_pass_and_every_position_once() {
    let (shelf, content) = (Shelf::new(), Content::random(11, 400, 9));
    let book = shelf.book("all", &content);
    let percent = |text: &str| text.parse().unwrap();
    for plan in [
        ALL,
        TreePlan { max_ply: 0, ..ALL },
        TreePlan { max_ply: 9, min_games: 3, ..ALL },
        TreePlan { min_share: percent("20"), ..ALL },
        TreePlan { breadth: Some(2), max_ply: 8, ..ALL },
        TreePlan { breadth: Some(3), min_games: 2, min_share: percent("12.5"), max_ply: 7, ..ALL },
    ] {
        for from in [Chess::start(), board("a3")] {
            if book.moves(from.key()).unwrap().is_empty() {
                continue;
            }
            check(&tree(&book, &from, &plan), &content, &from, &plan);
        }
    }
    let whole = tree(&book, &Chess::start(), &ALL);
    assert!(whole.nodes.iter().any(|node| node.same_as.is_some()), "there are transpositions");
    let line = whole.line(whole.nodes.len() - 1);
    assert_eq!((line[0], line.len()), (0, 7));
}

#[test]
fn foreign_moves_are_told_and_whoever_watches_can_stop() {
    let (shelf, content) = (Shelf::new(), Content::of_games(["1 e4 e5", "1 e4 c5"]));
    let content = content.with_move("", 0xffff, Counts::new(5, 0, 0), Marks::empty());
    let book = shelf.book("all", &content);
    let root = &tree(&book, &Chess::start(), &ALL).nodes[0];
    assert_eq!((root.games, root.left_out.illegal, root.children.len()), (2, 1, 1));
    let nowhere = tree(&book, &board("a3"), &ALL);
    assert_eq!((nowhere.nodes.len(), nowhere.nodes[0].games), (1, 0));
    let stop = |_| ControlFlow::Break(());
    let stopped = Tree::of(&book, &Node::start(Chess::start(), false), &ALL, &stop);
    assert!(matches!(stopped, Err(tabia::Error::Interrupted)));
}

/// Moves without games that lead to what is known and goes no further are shown whatever was asked
/// for of games; others are not.
#[test]
fn deviations_need_no_games() {
    let shelf = Shelf::new();
    let mut content = Content::of_games(["1 e4 e5 Nf3", "1 e4 c5"]);
    let known = |after: &str| PositionRow::new(board(after).key(), Counts::default());
    for (played, row) in [
        ("c6", known("e4 c6").with_eval(-25, 9)),
        ("d5", known("e4 d5").with_flags(Flags::PROVEN_WIN)),
        ("e6", known("e4 e6").with_eval(-20, 9).with_flags(Flags::EXPANDED)),
        ("a6", known("e4 a6")),
    ] {
        content.positions.push(row);
        content = content.with_move("e4", code("e4", played), Counts::default(), Marks::empty());
    }
    let book = shelf.book("all", &content.settled());
    let shown = |plan: &TreePlan| {
        let tree = tree(&book, &board("e4"), plan);
        let edges = tree.nodes.into_iter().filter_map(|node| node.edge);
        edges.map(|edge| (edge.san, edge.is_deviation)).collect::<BTreeSet<_>>()
    };
    let set = |moves: &[(&str, bool)]| {
        moves.iter().map(|&(san, is)| (san.to_owned(), is)).collect::<BTreeSet<_>>()
    };
    let often = TreePlan { max_ply: 1, min_games: 1, min_share: "5".parse().unwrap(), ..ALL };
    let played = [("e5", false), ("c5", false)];
    let deviations = [("c6", true), ("d5", true)];
    assert_eq!(shown(&often), set(&[played, deviations].concat()));
    assert_eq!(shown(&TreePlan { deviations: false, ..often }), set(&played));
    assert_eq!(shown(&TreePlan { breadth: Some(2), ..often }), set(&played));
    let all = [("e6", false), ("a6", false)];
    let all = [played, deviations, all].concat();
    assert_eq!(shown(&TreePlan { max_ply: 1, deviations: false, ..ALL }), set(&all));
}

/// M3: where no game was played, the best moves come first, by what is behind them.
#[test]
fn m3_a_grown_book_is_shown_by_its_evals() {
    let shelf = Shelf::new();
    let mut content = Content::default();
    let none = Flags::empty();
    // 1. e4 looks best by its own eval, and isn't by the reply 1... c5.
    for (before, played, eval, flags) in [
        ("", "a3", 40, none),
        ("", "b4", 70, none),
        ("", "d4", -25, none),
        ("", "e4", -90, Flags::EXPANDED),
        ("e4", "c5", 10, none),
        ("e4", "e5", 30, none),
    ] {
        let after = format!("{before} {played}");
        content.positions.push(known(after.trim(), eval, flags));
        content =
            content.with_move(before, code(before, played), Counts::default(), Marks::empty());
    }
    content.positions.push(known("", 20, Flags::EXPANDED));
    let book = shelf.book("all", &content.settled());
    let shown = |plan: &TreePlan| {
        let tree = tree(&book, &Chess::start(), plan);
        let mut names = Vec::new();
        let mut todo = vec![0];
        while let Some(node) = todo.pop() {
            names.extend(tree.nodes[node].edge.as_ref().map(|edge| edge.san.clone()));
            todo.extend(tree.nodes[node].children.iter().rev());
        }
        (names.join(" "), tree.nodes[0].left_out.moves)
    };
    let usual = TreePlan { min_games: 1, min_share: "5".parse().unwrap(), ..ALL };
    assert_eq!(shown(&usual), ("d4 e4 c5 e5 a3".to_owned(), 1));
    assert_eq!(shown(&TreePlan { breadth: Some(9), ..usual }), ("d4 e4 c5 e5 a3 b4".to_owned(), 0));
    assert_eq!(shown(&TreePlan { breadth: Some(1), ..usual }), ("d4".to_owned(), 3));
    assert_eq!(shown(&TreePlan { deviations: false, ..usual }), (String::new(), 4), "a record");
    let book = OpenBook::of(vec![book]).unwrap();
    let explored = Explored::new(&book, &Node::start(Chess::start(), false)).unwrap();
    let names: Vec<_> = explored.moves.iter().filter_map(|played| played.san.as_deref()).collect();
    assert_eq!(names, ["e4", "d4", "a3", "b4"], "by the evals that are shown");
}
