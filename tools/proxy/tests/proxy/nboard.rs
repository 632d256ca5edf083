//! NBoard's protocol by scripts.

use crate::shared::act;
use tabia_games::Othello;
use tabia_proxy::{NBoard, ProxyProtocol};
use tabia_testing::scripts;

fn with(script: &str) -> tabia_proxy::SessionReport {
    let start = Othello::start();
    let (lines, script) = (["f5 d6 c3 d3 c4", "f5 f6"], script.replace("GAME", GAME));
    act(&start, &lines, &script, |settings| NBoard::new(settings, start.clone())).stats().report()
}

const GAME: &str = "(;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TI[5:00//2:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]";

#[test]
fn a_move_of_the_book_comes_at_once() {
    let report = with(include_str!("scripts/nboard_moves.txt"));
    let all = report.all;
    let found = (report.games, all.book_moves, all.engine_moves, all.engine_seconds);
    assert_eq!(found, (1, 3, 1, 0.002));
}

#[test]
fn scripts_are_followed() {
    scripts(include_str!("scripts/nboard.txt"), |script| _ = with(script));
}
