//! Monte-Carlo trees: what their counts say, whatever their memory, and what they find.

use std::collections::HashMap;
use std::time::Duration;
use tabia_engines::{Answer, Engine, Fault, Limit, MoveHistory};
use tabia_games::{Game, Go, Komi, Node, Othello, Side, TicTacToe, go::Symmetry};
use tabia_search::{EXPANDED_AT, MonteCarlo, PlayoutTree, Simulation, TreeLine};

fn simulation(games: u32) -> Simulation {
    Simulation { games, seed: 7, memory: 1 << 24, komi: Komi::SEVEN_AND_A_HALF }
}

fn lines<G: Game>(start: &G, simulation: &Simulation, least: u32) -> Vec<TreeLine> {
    let root = Node::start(start.clone(), true);
    PlayoutTree::grow(root, simulation, &mut |_| true).lines(least)
}

fn games(line: &TreeLine) -> u32 {
    line.results(Side::First).iter().sum()
}

/// What a tree says, so that two can be compared.
fn told(lines: &[TreeLine]) -> Vec<(u64, [u32; 3])> {
    lines.iter().map(|line| (line.key, line.results(Side::First))).collect()
}

/// The move that most games went through, as text, with the part of them that its side won.
fn best<G: Game>(start: &G, games: u32) -> (String, f64) {
    let root = Node::start(start.clone(), true);
    let tree = PlayoutTree::grow(root, &simulation(games), &mut |_| true);
    let (played, score) = tree.best().unwrap();
    (start.notation(played), score)
}

/// Each line's games are those of its moves and those that were played from it on, and each
/// side's wins are the other's losses.
fn check<G: Game>(start: &G, simulation: &Simulation) {
    let lines = lines(start, simulation, 0);
    assert_eq!(games(&lines[0]), simulation.games);
    let root = Node::start(start.clone(), true);
    let mut nodes = HashMap::from([(root.key, root)]);
    let mut behind: HashMap<u64, [u32; 4]> = HashMap::new();
    for line in &lines {
        let [wins, draws, losses] = line.results(Side::First);
        assert_eq!(line.results(Side::Second), [losses, draws, wins]);
        if let Some((key, side, code)) = line.before {
            let sum = behind.entry(key).or_default();
            *sum = [sum[0] + wins, sum[1] + draws, sum[2] + losses, sum[3] + 1];
            assert_eq!(nodes[&key].position.side(), side);
            let node = nodes[&key].after(&nodes[&key].move_of_code(code).unwrap());
            assert_eq!((node.key, node.position.side()), (line.key, line.side));
            nodes.insert(node.key, node);
        }
    }
    for line in lines.iter().filter(|line| behind.contains_key(&line.key)) {
        let [wins, draws, losses, moves] = behind[&line.key];
        let own = line.results(Side::First);
        let before = games(line) - (wins + draws + losses);
        // The root has moves at once, any other when so many games had passed through it.
        assert_eq!(before, if line.before.is_none() { 0 } else { EXPANDED_AT });
        assert!(own[0] >= wins && own[1] >= draws && own[2] >= losses);
        assert_eq!(moves as usize, nodes[&line.key].coded_moves().len());
    }
    // Fewer lines are the same lines.
    let often = told(&lines).into_iter().filter(|line| line.1.iter().sum::<u32>() >= 30);
    assert!(told(&self::lines(start, simulation, 30)) == often.collect::<Vec<_>>());
}

#[test]
fn counts_are_those_of_the_games() {
    check(&TicTacToe::start(), &simulation(5_000));
    check(&Othello::start(), &simulation(1_000));
    check(&Go::start(5, Symmetry::Board).unwrap(), &simulation(1_500));
}

#[test]
fn a_seed_makes_one_tree() {
    let start = Go::start(5, Symmetry::Board).unwrap();
    let one = told(&lines(&start, &simulation(500), 1));
    assert!(one == told(&lines(&start, &simulation(500), 1)));
    assert!(one != told(&lines(&start, &Simulation { seed: 8, ..simulation(500) }, 1)));
}

#[test]
fn a_full_tree_goes_on_learning() {
    let start = TicTacToe::start();
    let whole = lines(&start, &simulation(5_000), 1);
    for memory in [0, 1000, 4000] {
        let small = lines(&start, &Simulation { memory, ..simulation(5_000) }, 1);
        assert_eq!(games(&small[0]), 5_000);
        assert!(small.len() < whole.len(), "{memory}: {}", small.len());
    }
}

#[test]
fn whoever_watches_can_stop_it() {
    let root = || Node::start(TicTacToe::start(), true);
    let mut told = Vec::new();
    let mut watch = |more| {
        told.push(more);
        told.len() < 3
    };
    assert_eq!(PlayoutTree::grow(root(), &simulation(10_000), &mut watch).games(), 768);
    assert_eq!(told, [256; 3]);
    told.clear();
    let mut watch = |more| {
        told.push(more);
        true
    };
    assert_eq!(PlayoutTree::grow(root(), &simulation(600), &mut watch).games(), 600);
    assert_eq!(told, [256, 256, 88]);
}

#[test]
fn the_best_moves_are_found() {
    // One move wins at once, and all others let the other side win.
    let mut game = TicTacToe::start();
    for text in ["a1", "b1", "a2", "b2"] {
        game.play(&game.parse_move(text).unwrap());
    }
    let (played, score) = best(&game, 3_000);
    assert_eq!(played, "a3");
    assert!(score > 0.999, "{score}");
    // With best play tic-tac-toe is drawn.
    let start = TicTacToe::start();
    let (_, score) = best(&start, 60_000);
    assert!((0.49..0.57).contains(&score), "{score}");
    // Black has all of a board of 5x5 by the point in the middle (van der Werf 2003).
    let start = Go::start(5, Symmetry::Board).unwrap();
    let (played, score) = best(&start, 20_000);
    assert_eq!(played, "C3");
    assert!(score > 0.5, "{score}");
}

/// Nobody fills the two eyes that Black lives by, so all games end with Black's whole board.
#[test]
fn eyes_are_left_open() {
    let mut game = Go::start(3, Symmetry::None).unwrap();
    for point in
        ["B1", "pass", "B2", "pass", "B3", "pass", "A2", "pass", "C2", "pass", "A1", "pass"]
    {
        game.play(&game.parse_move(point).unwrap());
    }
    // Black has A3, C1 and C3 to itself.
    let lines = lines(&game, &Simulation { komi: "1".parse().unwrap(), ..simulation(2_000) }, 1);
    let root = Node::start(game, true);
    let pass = root.code(&game.parse_move("pass").unwrap());
    let passed = lines.iter().find(|line| line.before == Some((root.key, game.side(), pass)));
    let [wins, draws, losses] = passed.unwrap().results(Side::First);
    assert!(wins > 0);
    assert_eq!([draws, losses], [0, 0]);
}

#[test]
fn as_an_engine_it_plays_what_it_finds() {
    let mut history = MoveHistory::new(TicTacToe::start());
    for text in ["a1", "b1", "a2", "b2"] {
        let played = history.position().parse_move(text).unwrap();
        history.play(&played);
    }
    let limit = Limit { nodes: Some(1_000), ..Limit::default() };
    let mut engine: Box<dyn Engine<TicTacToe>> = Box::new(MonteCarlo::default());
    let thought = engine.think(&history, &limit, Duration::from_secs(60)).unwrap();
    let Answer::Move(played) = thought.answer else { panic!("a move") };
    assert_eq!(history.position().notation(&played), "a3");
    assert_eq!(thought.nodes, Some(1_000));
    // It has no evals of moves.
    let legal = history.position().legal();
    let refused = engine.rank(&history, &legal, 2, &limit, Duration::from_secs(60)).unwrap_err();
    assert!(matches!(refused.fault, Fault::Unsupported(_)));
}
