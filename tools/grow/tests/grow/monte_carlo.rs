//! Books of Monte-Carlo trees: their rows are the sums of their trees, however growing was cut.

use crate::shelf::{Shelf, bytes};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tabia::{Book, Counts, Env, Existing, Keyed, MoveRow, NewBook, PositionRow, Row, mix};
use tabia_games::{Game, Komi, Node, TicTacToe};
use tabia_grow::{Budget, Grove, GrowingBook, Stages, WIDTHS, grow_stages};
use tabia_search::{EXPANDED_AT, PlayoutTree, Simulation};

/// Counts by key and, of moves, code.
type Rows = BTreeMap<(u64, Option<u16>), [u32; 3]>;

fn stages(games: u32, max_ply: u32) -> Stages {
    Stages {
        games,
        max_ply,
        seed: 3,
        komi: Komi::SEVEN_AND_A_HALF,
        workers: 1,
        memory: 1 << 26,
        budget: Budget::default(),
    }
}

fn empty(shelf: &Shelf, name: &str, game: &impl Game) -> PathBuf {
    let path = shelf.path(name);
    let new = NewBook::new(game.name().parse().unwrap(), game.keys().parse().unwrap());
    let (positions, moves) = (Vec::<PositionRow>::new(), Vec::<MoveRow>::new());
    let new = new.keyed(Keyed::Line).positions(&positions).moves(&moves);
    new.write(&Env::default(), &path, Existing::Refuse).unwrap();
    path
}

fn grow(path: &Path, start: &impl Game, stages: &Stages) -> Grove {
    let mut book = GrowingBook::open(Env::default(), path, u64::MAX).unwrap();
    grow_stages(&mut book, start, stages, &|_| true).unwrap()
}

/// The rows that all trees make, in words of the paper: a tree of the start, then of its best moves,
/// then of the best replies.
fn expected<G: Game>(start: &G, stages: &Stages) -> (u64, Rows) {
    let mut rows = Rows::new();
    let mut trees = 0;
    let mut level = vec![vec![Node::start(start.clone(), true)]];
    for ply in 0..=stages.max_ply as usize {
        for line in &level {
            let root = line.last().unwrap();
            let of = [root.key, stages.games.into(), 750];
            let seed = of.iter().fold(mix(stages.seed), |seed, of| mix(seed ^ of));
            let simulation =
                Simulation { games: stages.games, seed, memory: 1 << 26, komi: stages.komi };
            let tree = PlayoutTree::grow(root.clone(), &simulation, &mut |_| true);
            trees += 1;
            let mut add = |key, code, counts: [u32; 3]| {
                let row = rows.entry((key, code)).or_default();
                *row = [0, 1, 2].map(|at| row[at] + counts[at]);
            };
            let lines = tree.lines(EXPANDED_AT);
            for pair in line.windows(2) {
                let side = pair[0].position.side();
                let moves = pair[0].coded_moves().into_iter();
                let code = moves.map(|(code, played)| (code, pair[0].after(&played).key));
                let code = code.filter(|(_, key)| *key == pair[1].key).map(|(code, _)| code).next();
                add(pair[0].key, None, lines[0].results(side));
                add(pair[0].key, code, lines[0].results(side));
            }
            for line in &lines {
                add(line.key, None, line.results(line.side));
                if let Some((key, side, code)) = line.before {
                    add(key, Some(code), line.results(side));
                }
            }
        }
        let mut next = Vec::new();
        for line in &level {
            let node = line.last().unwrap();
            // The lower end of Wilson's interval, by hand.
            let bound = |code| {
                let [wins, draws, losses] = rows[&(node.key, Some(code))].map(f64::from);
                let games = wins + draws + losses;
                let (score, z) = ((wins + draws / 2.0) / games, 1.96);
                let spread = (score * (1.0 - score) / games + z * z / (4.0 * games * games)).sqrt();
                (score + z * z / (2.0 * games) - z * spread) / (1.0 + z * z / games)
            };
            let mut moves = node.coded_moves();
            moves.retain(|(code, _)| rows.contains_key(&(node.key, Some(*code))));
            moves.sort_by(|a, b| bound(b.0).total_cmp(&bound(a.0)).then(a.0.cmp(&b.0)));
            for (_, played) in moves.iter().take(WIDTHS[ply.min(3)]) {
                let after = node.after(played);
                if after.position.outcome().is_none() {
                    next.push([line.clone(), vec![after]].concat());
                }
            }
        }
        level = next;
    }
    (trees, rows)
}

fn rows(path: &Path) -> Rows {
    let book = Book::open(path).unwrap();
    let counts = |Counts { wins, draws, losses }| [wins, draws, losses];
    let positions = book.all_positions().unwrap().map(|row| row.unwrap().row);
    let moves = book.all_moves().unwrap().map(|row| row.unwrap().row);
    let positions = positions.map(|row| ((row.key(), None), counts(row.counts())));
    let moves = moves.map(|row| ((row.key(), Some(row.code())), counts(row.counts())));
    positions.chain(moves).collect()
}

#[test]
fn rows_are_the_sums_of_the_trees() {
    let shelf = Shelf::new();
    let (start, stages) = (TicTacToe::start(), stages(600, 3));
    let path = empty(&shelf, "trees.tabia", &start);
    let grove = grow(&path, &start, &stages);
    let (trees, expected) = expected(&start, &stages);
    assert!(rows(&path) == expected);
    assert_eq!((grove.trees, grove.games, grove.stopped), (trees, 600 * trees, "nothing left"));
    assert_eq!(grove.positions, expected.keys().filter(|(_, code)| code.is_none()).count() as u64);
    let book = Book::open(&path).unwrap();
    assert_eq!(book.sources().unwrap().iter().map(|source| source.games).sum::<u64>(), grove.games);
    // Nothing is left to do.
    let again = grow(&path, &start, &stages);
    assert_eq!((again.trees, again.games, again.positions), (0, 0, 0));
    assert_eq!(again.line, grove.line);
    // Trees of another seed are others.
    let other = grow(&path, &start, &Stages { seed: 4, ..stages });
    assert!(other.trees >= trees, "{}", other.trees);
    let all = rows(&path)[&(Node::start(start, true).key, None)];
    assert_eq!(u64::from(all.iter().sum::<u32>()), 600 * (trees + other.trees));
}

#[test]
fn growing_in_parts_by_any_number_of_workers_makes_the_same_book() {
    let shelf = Shelf::new();
    let (start, stages) = (TicTacToe::start(), stages(500, 3));
    let path = empty(&shelf, "whole.tabia", &start);
    let trees = grow(&path, &start, &stages).trees;
    let whole = (bytes(&path), rows(&path));
    assert!(trees >= 10, "{trees}");
    for (workers, part) in [(1, 1), (2, 3), (3, 4), (8, u64::MAX)] {
        let name = format!("{workers}-{part}.tabia");
        let path = empty(&shelf, &name, &start);
        let budget = Budget { expansions: Some(part), ..Budget::default() };
        let mut all = 0;
        loop {
            let grove = grow(&path, &start, &Stages { workers, budget, ..stages });
            all += grove.trees;
            if grove.stopped == "nothing left" {
                break;
            }
            assert_eq!(grove.trees, part);
        }
        assert_eq!(all, trees);
        assert!((bytes(&path), rows(&path)) == whole, "{name}");
    }
}

#[test]
fn what_was_interrupted_leaves_whole_trees() {
    let shelf = Shelf::new();
    let (start, stages) = (TicTacToe::start(), stages(20_000, 1));
    let path = empty(&shelf, "cut.tabia", &start);
    let mut book = GrowingBook::open(Env::default(), &path, u64::MAX).unwrap();
    let grove = grow_stages(&mut book, &start, &stages, &|grove| grove.trees < 2).unwrap();
    drop(book);
    assert_eq!((grove.trees, grove.stopped), (2, "interrupted"));
    grow(&path, &start, &stages);
    assert!(rows(&path) == expected(&start, &stages).1);
}
