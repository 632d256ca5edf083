//! Combinations that a beginner sees, and values as those of plain searches.

use crate::shared::{Rng, depth, eval, nodes, plain_move, random, ranked};
use tabia_engines::{Ending, Eval};
use tabia_games::{Checkers, Chess, Game, Go, Othello, go::Symmetry};
use tabia_search::{
    ChessKnowledge, DraughtsKnowledge, Evaluate, GoKnowledge, Options, OthelloKnowledge, Search,
    engine,
};

/// The best move of a set-up position, as people write it, with what is thought of it.
fn best<G: Game>(start: &G, text: &str) -> (String, Eval, Option<Ending>) {
    let position = start.set_up(text).expect("a position");
    let best = ranked(&mut *engine::<G>(), &position, 1, &nodes(50_000)).moves.remove(0);
    (position.notation(&best.played), best.eval, best.sure)
}

#[test]
fn mates_are_found() {
    for (text, wanted, moves) in [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "Rd8#", 1),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "Ra6", 2),
    ] {
        let (played, eval, sure) = best(&Chess::start(), text);
        assert_eq!((eval, sure), (Eval::Mate(moves), Some(Ending::Win)), "{text}: {played}");
        assert_eq!(played, wanted, "{text}");
    }
    let (_, eval, sure) = best(&Chess::start(), "7k/8/6K1/8/8/8/8/R7 b - - 0 1");
    assert_eq!((eval, sure), (Eval::Mate(-1), Some(Ending::Loss)));
}

#[test]
fn pieces_are_not_given_away() {
    for (text, wanted) in [
        ("4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1", "Nxd5"),
        ("r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "Nc7+"),
    ] {
        assert_eq!(best(&Chess::start(), text).0, wanted, "{text}");
    }
}

/// A man is given for two, whichever way it is captured; the last piece is captured.
#[test]
fn combinations_of_draughts_are_found() {
    let english = Checkers::english();
    let position = english.set_up("W:W23,27,28,31,32:B15,16,1,2,3").expect("a position");
    let ranking = ranked(&mut *engine(), &position, 9, &nodes(50_000));
    let mut moves = ranking.moves.iter();
    let given = moves.find(|ranked| position.notation(&ranked.played) == "23-19").expect("it");
    assert!(given.eval.hundredths() > 80, "{given:?}");
    let (_, eval, sure) = best(&english, "B:W18:B14");
    assert_eq!((eval, sure), (Eval::Mate(1), Some(Ending::Win)));
    let (_, eval, sure) = best(&Checkers::international(), "W:WK46:B41,32,14");
    assert_eq!((eval, sure), (Eval::Mate(1), Some(Ending::Win)), "46x37x28x10 or another way");
}

/// All moves have the values of a plain search to the same depth.
fn values_are_plain<G: Game, E: Evaluate<G>>(
    start: &G,
    make: impl Fn() -> E,
    plies: &[usize],
    deep: u32,
) {
    let mut rng = Rng::new(5);
    for &plies in plies {
        let position = random(start, plies, &mut rng);
        let mut search = Search::new(make(), Options { entries: 0, ..Options::default() });
        let moves = position.legal();
        for ranked in ranked(&mut search, &position, moves.len(), &depth(deep)).moves {
            let value = plain_move(&mut make(), &position, &ranked.played, deep as i32, 0);
            assert_eq!(ranked.eval, eval(value), "{} {:?}", position.setup(), ranked.played);
        }
    }
}

#[test]
fn values_are_those_of_plain_searches() {
    let endgame = Chess::from_setup("4k3/pp3p2/2n5/8/8/3B4/P4PP1/4K3 w - - 0 1").expect("a FEN");
    values_are_plain(&endgame, || ChessKnowledge, &[0, 1, 5, 10, 20], 2);
    values_are_plain(&Checkers::english(), || DraughtsKnowledge, &[0, 10, 20, 30, 40, 50], 4);
    values_are_plain(&Checkers::international(), || DraughtsKnowledge, &[0, 10, 20, 40, 60], 3);
    let go = Go::start(5, Symmetry::Board).expect("a size");
    values_are_plain(&go, || GoKnowledge, &[0, 5, 10, 20], 2);
    // Sides need not alternate.
    let late = [10, 20, 30, 40, 50, 50, 50, 52, 52, 52];
    values_are_plain(&Othello::start(), OthelloKnowledge::default, &late, 3);
}

#[test]
fn stones_are_captured_in_go() {
    let start = Go::start(9, Symmetry::Board).expect("a size");
    let (played, _, sure) = best(&start, "9/9/9/2OOOOO2/1OXXXXXO1/2OOOO3/9/1X5X1/9 w");
    assert_eq!((played.as_str(), sure), ("G4", None));
}
