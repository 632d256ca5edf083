//! Stockfish, GNU Go and GRhino, where they are installed: whole games by our rules.

use crate::shared::{history, installed};
use std::time::Duration;
use tabia_engines::{Answer, Command, Engine, Launch, Limit, MoveHistory, Protocol};
use tabia_games::go::Symmetry;
use tabia_games::{Chess, Game, Go, Othello};

const LONG: Duration = Duration::from_secs(120);

/// An engine against itself, to the end of the game or so many plies; all its moves are legal.
fn game<G: Game>(launch: &Launch, start: &G, limit: &Limit, most: usize) -> MoveHistory<G> {
    let mut engines = [launch.start::<G>().unwrap(), launch.start().unwrap()];
    let mut history = MoveHistory::new(start.clone());
    engines.iter_mut().for_each(|engine| engine.new_game(start).unwrap());
    while history.plies().len() < most && history.position().outcome().is_none() {
        let engine = &mut engines[history.position().side().index()];
        match engine.think(&history, limit, LONG).unwrap().answer {
            Answer::Move(played) => history.play(&played),
            Answer::Resigns => break,
            Answer::Illegal(text) => panic!("{text} in {}", history.position().setup()),
        }
    }
    history
}

fn launch(command: Command, protocol: Protocol) -> Launch {
    Launch { patience: LONG, ..Launch::new(command, protocol) }
}

#[track_caller]
fn stockfish() -> Option<Launch> {
    let mut launch = launch(installed("stockfish", "")?, Protocol::Uci);
    launch.options.push(("Hash".to_owned(), "4".to_owned()));
    Some(launch)
}

#[track_caller]
fn gnu_go() -> Option<Launch> {
    let command = installed("gnugo", "--mode gtp --level 1 --chinese-rules")?;
    let mut launch = launch(command, Protocol::Gtp);
    launch.setup.push("set_random_seed 1".to_owned());
    launch.komi = Some("7.5".parse().unwrap());
    Some(launch)
}

#[test]
fn stockfish_plays_chess() {
    let Some(launch) = stockfish() else { return };
    let nodes = Limit { nodes: Some(300), ..Limit::default() };
    assert_eq!(game(&launch, &Chess::start(), &nodes, 40).plies().len(), 40);
    let chess960 =
        Chess::from_setup("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9")
            .unwrap();
    assert_eq!(game(&launch, &chess960, &nodes, 20).plies().len(), 20);
    let mut uci = launch.uci().unwrap();
    uci.new_game().unwrap();
    uci.position(None, &[]).unwrap();
    // To a depth: of a search that is stopped the last line need not be that of the move.
    let depth = Limit { depth: Some(5), ..Limit::default() };
    let best = uci.go(&depth, LONG).unwrap();
    assert!(best.info.eval.is_some() && best.info.line.first() == Some(&best.text), "{best:?}");
}

#[test]
fn gnu_go_plays_go_and_counts() {
    let Some(launch) = gnu_go() else { return };
    let start = Go::start(9, Symmetry::Board).unwrap();
    assert!(game(&launch, &start, &Limit::default(), 30).plies().len() == 30);
    // All is decided: what its own games leave open may take it minutes to count.
    let start = Go::start(5, Symmetry::Board).unwrap();
    let history = history(&start, &["c3", "c4", "b4", "d3", "d4", "pass", "pass"]);
    let mut judge = launch.gtp().unwrap();
    judge.new_game(history.start()).unwrap();
    let score = judge.final_score(&history, LONG).unwrap();
    assert!(score.starts_with("B+") || score.starts_with("W+"), "{score}");
}

#[test]
fn grhino_plays_othello_the_same_way_up() {
    let Some(command) = installed("gtp-rhino", "--level 1 --book 0 --rand 3") else { return };
    let history =
        game(&launch(command.clone(), Protocol::Gtp), &Othello::start(), &Limit::default(), 60);
    assert!(history.position().outcome().is_some(), "played to its end");
    // It counts the same discs: the two boards were the same to the last one, passes included.
    let score = launch(command, Protocol::Gtp).gtp().unwrap().final_score(&history, LONG).unwrap();
    let [black, white] = history.position().discs().map(|discs| i64::from(discs.count_ones()));
    let wanted = match black - white {
        0 => "0".to_owned(),
        ahead if ahead > 0 => format!("B+{ahead}"),
        behind => format!("W+{}", -behind),
    };
    assert_eq!(score, wanted);
}

/// The best of all legal moves in a position, and of all but those.
fn ranked<G: Game>(
    launch: &Launch,
    history: &MoveHistory<G>,
    limit: &Limit,
) -> [Vec<(String, i64)>; 2] {
    let mut moves = history.position().legal();
    let best = |moves: &[G::Move]| {
        let mut engine = launch.start::<G>().unwrap();
        engine.new_game(history.start()).unwrap();
        engine.rank(history, moves, 3, limit, LONG).unwrap().moves
    };
    let first = best(&moves);
    moves.retain(|played| first.iter().all(|ranked| ranked.played != *played));
    [first, best(&moves)].map(|ranking| {
        let text = |played| history.position().notation(played);
        ranking.iter().map(|one| (text(&one.played), one.eval.hundredths())).collect()
    })
}

#[test]
fn stockfish_ranks_moves() {
    let Some(launch) = stockfish() else { return };
    let nodes = Limit { nodes: Some(5000), ..Limit::default() };
    let mate =
        Chess::from_setup("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
            .unwrap();
    let [first, rest] = ranked(&launch, &MoveHistory::new(mate), &nodes);
    assert!(first[0].0.starts_with("Qxf7") && first[0].1 > 1 << 30, "{first:?}");
    assert!(first[0].1 > first[1].1 && first[2].1 >= rest[0].1 - 50, "{first:?} {rest:?}");
}

#[test]
fn gnu_go_ranks_moves() {
    let Some(launch) = gnu_go() else { return };
    let history = history(&Go::start(9, Symmetry::Board).unwrap(), &["e5", "c3", "g3"]);
    let [first, rest] = ranked(&launch, &history, &Limit::default());
    assert_eq!((first.len(), rest.len()), (3, 3));
    assert!(first.iter().chain(&rest).all(|(_, points)| points.abs() < 8100), "{first:?} {rest:?}");
    assert_eq!(ranked(&launch, &history, &Limit::default()), [first, rest]);
}
