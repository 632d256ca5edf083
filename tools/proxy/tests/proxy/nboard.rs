//! NBoard's protocol by scripts.

use crate::shared::{Scene, scripts, settings, stack};
use tabia_games::Othello;
use tabia_proxy::{NBoard, ProxyProtocol};

fn with(script: &str) -> tabia_proxy::SessionReport {
    let start = Othello::start();
    let (_folder, stack) = stack(&start, &["f5 d6 c3 d3 c4", "f5 f6"]);
    let mut scene = Scene::new(NBoard::new(settings(), start), &stack);
    scene.follow(&script.replace("GAME", GAME));
    scene.protocol.stats().report()
}

const GAME: &str = "(;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TI[5:00//2:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]";

#[test]
fn a_move_of_the_book_comes_at_once() {
    let report = with(
        "
        G> nboard 2
        E< set myname mock
        G> set game GAME;)
        G> ping 1
        E< pong 1
        G go
        < status tabia book F5...
        < === F5
        G> move F5/0.0/0.01
        G> move d6
        G go
        < status tabia book C3...
        < === C3
        G> set game GAMEB[F5//1.2]W[D6/2.5];)
        G go
        < status tabia book C3...
        < === C3
        G move e3
        > move e3
        ! `e3` is not legal here: the engine decides
        G> go
        E< status thinking
        E< === E3/1.0/2.0
        G> hint 3
        E< search E3 1.0 0 5
        ",
    );
    let all = report.all;
    assert_eq!(
        (report.games, all.book_moves, all.engine_moves, all.engine_seconds),
        (1, 3, 1, 0.002)
    );
}

#[test]
fn scripts_are_followed() {
    scripts(include_str!("scripts/nboard.txt"), |script| _ = with(script));
}
