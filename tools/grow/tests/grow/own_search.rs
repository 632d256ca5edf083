//! Books that our own search grew: what they call proven is so, and every view of them says the same.

use crate::shelf::{Nobody, Shelf};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;
use tabia::storage::System;
use tabia::{Book, Env, Existing, Flags, Keyed, MoveRow, NewBook, PositionRow};
use tabia_build::{ArchiveList, BuildPlan};
use tabia_engines::Limit;
use tabia_games::{Game, Known, Node, Outcome};
use tabia_grow::{Budget, EngineWorker, EvalFact, GrowingBook, Plan, Stop, grow};
use tabia_play::TreePlan;
use tabia_play::choice::{Books, GameHistory, Limits, Player, RowLookup, RuleSpec, Seed};
use tabia_play::explore::{Answer, Decided, OpenBook, ShownTree, TreeFacts};

fn game(name: &str) -> Known {
    Known::all().find(|known| known.name() == name).unwrap()
}

/// Grows a book, which is made if it isn't there, until it is solved or by so many expansions.
fn grown(path: &Path, start: &Known, limit: Limit, expansions: Option<u64>) -> Stop {
    if !path.exists() {
        let (positions, moves) = (Vec::<PositionRow>::new(), Vec::<MoveRow>::new());
        let new = NewBook::new(start.name().parse().unwrap(), start.keys().parse().unwrap());
        let new = new.positions(&positions).moves(&moves);
        new.write(&Env::default(), path, Existing::Refuse).unwrap();
    }
    let mut book = GrowingBook::open(Env::default(), path, u64::MAX).unwrap();
    let budget = Budget { expansions, ..Budget::default() };
    let plan = Plan { budget, ..Plan::new(EvalFact::of("own", &limit, start.name())) };
    let starting = tabia_search::starting(None);
    let worker = EngineWorker::new(start, starting, limit, Duration::from_secs(60)).unwrap();
    let opening = GameHistory::start(start.clone(), Keyed::Position);
    grow(&System, &mut book, opening, &plan, vec![Box::new(worker)], &Nobody).unwrap().1
}

/// What a position is worth to the side to move: 1, 0 or -1, found by trying everything.
fn worth(node: &Node<Known>, known: &mut HashMap<u64, i32>) -> i32 {
    if let Some(&value) = known.get(&node.key) {
        return value;
    }
    let value = ended(node).unwrap_or_else(|| {
        moves(node).iter().map(|next| -worth(next, known)).max().expect("a move")
    });
    known.insert(node.key, value);
    value
}

fn ended(node: &Node<Known>) -> Option<i32> {
    let side = node.position.side();
    let worth = |winner| if winner == side { 1 } else { -1 };
    node.position.outcome().map(|outcome: Outcome| outcome.winner().map_or(0, worth))
}

fn moves(node: &Node<Known>) -> Vec<Node<Known>> {
    let mut legal = Vec::new();
    node.position.legal_moves(&mut legal);
    legal.iter().map(|played| node.after(played)).collect()
}

/// What the rows prove of a position: the least and the most that it is worth to the side to move,
/// moves that the book lacks being worth anything.
fn claimed(
    book: &Book,
    node: &Node<Known>,
    known: &mut HashMap<u64, (i32, i32)>,
    worths: &mut HashMap<u64, i32>,
) -> (i32, i32) {
    if let Some(&claimed) = known.get(&node.key) {
        return claimed;
    }
    let row = book.position(node.key).unwrap();
    let flags = row.map_or(Flags::empty(), |row| row.flags());
    let flag = [(Flags::PROVEN_WIN, 1), (Flags::PROVEN_DRAW, 0), (Flags::PROVEN_LOSS, -1)];
    let flagged = flag.iter().find_map(|&(flag, value)| flags.contains(flag).then_some(value));
    let claimed = match (flagged.or(ended(node)), row) {
        (Some(value), _) => (value, value),
        (None, None) => (-1, 1),
        (None, Some(_)) => {
            let next = moves(node);
            let next = next.iter().map(|next| claimed(book, next, known, worths));
            next.fold((-1, -1), |(least, most), (low, high)| (least.max(-high), most.max(-low)))
        }
    };
    let truth = worth(node, worths);
    assert!((claimed.0..=claimed.1).contains(&truth), "{}", node.position.diagram());
    known.insert(node.key, claimed);
    claimed
}

#[test]
fn what_is_solved_is_proven_move_by_move() {
    for (name, depth) in [("tic-tac-toe", 1), ("connect4-4x4", 6)] {
        let (shelf, start) = (Shelf::new(), game(name));
        let path = shelf.path("own.tabia");
        let limit = Limit { depth: Some(depth), ..Limit::default() };
        let stop = grown(&path, &start, limit, None);
        assert!(matches!(stop, Stop::Solved(_)), "{name}: {stop:?}");
        let root = Node::start(start, false);
        let book = Book::open(path).unwrap();
        let proven = claimed(&book, &root, &mut HashMap::new(), &mut HashMap::new());
        assert_eq!(proven, (0, 0), "{name}");
    }
}

/// Compares what a position, a tree and a rule say of all expanded positions; of how many a move was
/// chosen.
fn compares(path: &Path, start: &Known) -> usize {
    let rule: RuleSpec = "negamax(unknown=ignore)".parse().unwrap();
    let plan = TreePlan {
        max_ply: 1,
        min_games: 0,
        min_share: "0".parse().unwrap(),
        deviations: true,
        breadth: Some(999),
        max_nodes: 1000,
    };
    let opened = || Book::open(path).unwrap();
    let (book, rows) = (OpenBook::from(opened()), vec![Box::new(opened()) as Box<dyn RowLookup>]);
    let books = Books::new(rows);
    let mut open = vec![GameHistory::start(start.clone(), Keyed::Position)];
    let (mut seen, mut compared) = (BTreeSet::new(), 0);
    while let Some(history) = open.pop() {
        let node = history.present();
        if !seen.insert(node.key) {
            continue;
        }
        let line = node.position.diagram();
        let json = |told: serde_json::Result<Value>| told.unwrap();
        let at = Answer::new(&book, &history, &Default::default()).unwrap();
        let at = json(serde_json::to_value(&at));
        let select = rule.prepare(&books, None, &history.nodes()[0]).unwrap();
        let player = Player::new(&books, select, Seed::default());
        let decision = player.decide(&history, &Limits::default()).unwrap();
        let played = json(serde_json::to_value(Decided::new(&rule, &history, &decision)));
        let watch = |_| ControlFlow::Continue(());
        let shown = ShownTree::new(&book, start, &history, &plan, &watch).unwrap();
        let tree = json(serde_json::to_value(TreeFacts::new(&shown)));
        let number = |value: &Value| value.as_f64().map_or(value.clone(), Value::from);
        let of = |moves: &Value, code: &Value| {
            let mut moves = moves.as_array().unwrap().iter();
            moves.find(|one| one["code"] == *code).map(|one| number(&one["value"]))
        };
        let mut best = Vec::new();
        for judged in played["candidates"].as_array().unwrap() {
            let (code, value) = (&judged["code"], number(&judged["figures"]["value"]));
            if let Some(there) = of(&at["moves"], code) {
                assert_eq!(there, value, "{line}: {code}");
                assert_eq!(of(&tree["nodes"], code), Some(value.clone()), "{line}: {code}");
            }
            best.extend((judged["chosen"] == true).then_some(value));
        }
        assert_eq!(tree["nodes"][0]["value"], at["behind"]["value"], "{line}");
        assert_eq!(tree["evals"], at["behind"]["evals"], "{line}");
        if let [best] = &best[..] {
            assert_eq!(number(&at["behind"]["value"]), *best, "{line}");
            compared += 1;
        }
        let is_expanded = |one: &&Value| {
            let flags = one["position"]["flags"].as_array();
            flags.is_some_and(|flags| flags.contains(&"expanded".into()))
        };
        for one in at["moves"].as_array().unwrap().iter().filter(is_expanded) {
            let code = one["code"].as_u64().unwrap() as u16;
            let mut next = history.clone();
            next.play(&node.move_of_code(code).unwrap());
            open.push(next);
        }
    }
    compared
}

#[test]
fn every_view_says_what_negamax_plays_by() {
    let shelf = Shelf::new();
    let limit = Limit { nodes: Some(300), ..Limit::default() };
    let othello = game("othello");
    let own = shelf.path("own.tabia");
    grown(&own, &othello, limit, Some(25));
    assert!(compares(&own, &othello) > 10);
    let (sure, connect) = (shelf.path("sure.tabia"), game("connect4-4x4"));
    grown(&sure, &connect, Limit { depth: Some(4), ..Limit::default() }, Some(60));
    assert!(compares(&sure, &connect) > 10);
    let (played, games) = (shelf.path("played.tabia"), shelf.path("games.lines"));
    let lines = "f5 d6 c3 d3 c4 0-1\nf5 f6 e6 f4 1-0\nf5 d6 c4 d3 1-0\nf5 d6 c3 d3 1-0\n";
    std::fs::write(&games, lines).unwrap();
    let archives = ArchiveList::of(&[games]).unwrap();
    let plan = BuildPlan::new(othello.clone());
    plan.build(&Env::default(), &archives, &played, &mut ()).unwrap();
    // Where nothing is expanded nothing is said of it.
    let plain = OpenBook::from(Book::open(&played).unwrap());
    let start = GameHistory::start(othello.clone(), Keyed::Position);
    let plain = Answer::new(&plain, &start, &Default::default()).unwrap();
    let plain = serde_json::to_value(&plain).unwrap();
    assert!(plain["behind"].is_null() && plain["moves"][0]["value"].is_null(), "{plain}");
    assert!(plain["moves"][0]["games"].as_u64() > Some(0), "{plain}");
    grown(&played, &othello, limit, Some(12));
    assert!(compares(&played, &othello) > 5);
}
