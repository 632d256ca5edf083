//! NBoard's protocol: with an engine that speaks it, and with that behind a book, as `tabia play`
//! puts it there.

use crate::shared::{launch, rank};
use std::time::Duration;
use tabia_engines::{
    Answer, Ending, Engine, Error, Eval, Fault, Limit, MoveHistory, Protocol, Ranked,
};
use tabia_games::{Chess, Game, Othello, othello::Disc};

const LONG: Duration = Duration::from_secs(20);

/// A game of so many plies.
fn game(plies: usize) -> MoveHistory<Othello> {
    crate::shared::game(&Othello::start(), plies)
}

fn evals(ranked: &[Ranked<Disc>]) -> Vec<(Disc, Eval)> {
    ranked.iter().map(|one| (one.played, one.eval)).collect()
}

#[test]
fn whole_games_are_played_and_what_it_says_is_kept() {
    let mut engine: Box<dyn Engine<Othello>> =
        launch("nboard othello --eval -150 --book 1 --seed 4").start().unwrap();
    let mut history = game(0);
    engine.new_game(history.start()).unwrap();
    let depth = Limit { depth: Some(9), ..Limit::default() };
    let mut thoughts = Vec::new();
    while history.position().outcome().is_none() {
        let thought = engine.think(&history, &depth, LONG).unwrap();
        let Answer::Move(played) = thought.answer else { panic!("{:?}", thought.answer) };
        thoughts.push((thought.is_book, thought.eval, thought.depth, thought.nodes));
        history.play(&played);
    }
    assert_eq!(engine.name(), "Mock 4 of depth 9");
    assert_eq!(thoughts[0], (true, None, None, None));
    let searched = (false, Some(Eval::Hundredths(-150)), Some(9), Some(1000));
    assert!(thoughts.len() > 40 && thoughts[1..].iter().all(|thought| *thought == searched));
}

#[test]
fn the_best_of_some_moves_are_found_among_all() {
    let history = game(12);
    let moves = history.position().legal();
    let all = rank("uci othello --lines 300", &history, &moves, 300).unwrap();
    assert!(all.len() > 5, "{}", all.len());
    let found = evals(&rank("nboard othello --lines 64", &history, &moves, 64).unwrap());
    assert_eq!(found, evals(&all));
    let few = rank("nboard othello --lines 64", &history, &moves, 2).unwrap();
    assert_eq!(evals(&few), evals(&all[..2]));
    assert!(few.iter().all(|one| one.depth == Some(7) && one.sure.is_none()));
    // The best ones aren't asked for.
    let rest: Vec<_> = moves
        .iter()
        .filter(|played| all[..3].iter().all(|best| best.played != **played))
        .copied()
        .collect();
    let ranked = rank("nboard othello --lines 64", &history, &rest, 2).unwrap();
    assert_eq!(evals(&ranked), evals(&all[3..5]));
    assert_eq!(rank("nboard othello --lines 64", &history, &[], 2).unwrap(), []);
}

/// An engine that says no more than its best move: the others are worth what the best answer to each
/// isn't.
#[test]
fn moves_that_it_says_nothing_of_are_played() {
    for plies in [12, 40, 50] {
        let history = game(plies);
        let moves = history.position().legal();
        let all = rank("nboard othello --lines 1", &history, &moves, 64).unwrap();
        let best = &rank("uci othello --lines 300", &history, &moves, 1).unwrap()[0];
        assert_eq!(all.len(), moves.len());
        assert!(all.is_sorted_by(|a, b| a.eval.hundredths() >= b.eval.hundredths()));
        for one in &all {
            let mut behind = history.clone();
            behind.play(&one.played);
            let replies = behind.position().legal();
            let same = behind.position().side() == history.position().side();
            let wanted = match rank("uci othello --lines 300", &behind, &replies, 1) {
                _ if one.played == best.played => best.eval.hundredths(),
                Ok(replies) if same => replies[0].eval.hundredths(),
                Ok(replies) => -replies[0].eval.hundredths(),
                Err(error) => panic!("{error}"),
            };
            assert_eq!(one.eval.hundredths(), wanted, "{plies}");
        }
    }
}

#[test]
fn a_move_that_ends_the_game_is_worth_its_discs() {
    // White's last move: it takes h1 and all of the first row, or what else there is.
    let start = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOXXXXXX- O";
    let start = Othello::start().set_up(start).unwrap();
    let history = MoveHistory::new(start);
    let moves = history.position().legal();
    assert_eq!(moves.len(), 1);
    let mut behind = history.clone();
    behind.play(&moves[0]);
    let [black, white] = behind.position().score().map(|discs| discs as i32);
    // An engine that names the move says itself what it is worth.
    let ranked = rank("nboard othello --lines 0", &history, &moves, 1).unwrap();
    assert_eq!(evals(&ranked), [(moves[0], Eval::Hundredths(100 * (white - black)))]);
    assert_eq!((ranked[0].sure, ranked[0].depth), (Some(Ending::Loss), Some(1)));
}

#[test]
fn what_the_protocol_cannot_say_is_refused() {
    let history = game(3);
    let mut engine: Box<dyn Engine<Othello>> = launch("nboard othello").start().unwrap();
    engine.new_game(history.start()).unwrap();
    let mut think =
        |limit: Limit| engine.think(&history, &limit, LONG).map(|thought| thought.answer);
    let unsupported = |answer| matches!(answer, Err(Error { fault: Fault::Unsupported(_), .. }));
    assert!(unsupported(think(Limit { nodes: Some(5), ..Limit::default() })));
    assert!(unsupported(think(Limit { movetime: Some(LONG), ..Limit::default() })));
    assert!(think(Limit::default()).is_ok());
    assert!(think(Limit { depth: Some(3), ..Limit::default() }).is_ok());
    assert!(unsupported(think(Limit::default())), "there is no way back from a depth");
    let mut chess: Box<dyn Engine<Chess>> = launch("nboard chess").start().unwrap();
    let refused = chess.new_game(&Chess::start()).unwrap_err();
    assert!(matches!(refused.fault, Fault::Unsupported(_)), "{refused}");
    let mut with_option = launch("nboard othello");
    with_option.options.push(("Hash".to_owned(), "1".to_owned()));
    assert!(with_option.start::<Othello>().is_err());
    assert_eq!(Protocol::NBoard.to_string().parse(), Ok(Protocol::NBoard));
}

#[test]
fn engines_that_fail_are_errors() {
    let history = game(4);
    let moves = history.position().legal();
    let fault =
        |fault: &str| rank(&format!("nboard othello --lines 9 {fault}"), &history, &moves, 2);
    assert!(matches!(fault("crash@1").unwrap_err().fault, Fault::Ended(_)));
    assert!(matches!(fault("longline@1").unwrap_err().fault, Fault::Flood(..)));
    let error = fault("outside@1").unwrap_err().to_string();
    assert!(error.contains("`A1`") && error.contains("a legal move"), "{error}");
    // Where nothing is said of any move each is looked at.
    assert_eq!(fault("scoreless@1").unwrap().len(), 2);
    let mut silent = launch("nboard othello hang@0");
    silent.patience = Duration::from_millis(300);
    assert!(silent.start::<Othello>().err().unwrap().is_silence());
    let mut engine: Box<dyn Engine<Othello>> = launch("nboard othello illegal@1").start().unwrap();
    engine.new_game(history.start()).unwrap();
    let thought = engine.think(&history, &Limit::default(), LONG).unwrap();
    assert_eq!(thought.answer, Answer::Illegal("A1A8".to_owned()));
}
