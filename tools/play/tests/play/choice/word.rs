//! The book maker's word, and limits: they hold whatever the rule.

use crate::choice::stack::{history, judged};
use crate::memory::Memory;
use crate::shared::{name, player};
use tabia::Marks;
use tabia::format::Keyed;
use tabia_games::Game;
use tabia_play::choice::Limits;

const RULES: &str = "v q lcb nr progress reg wilson games random softmax(t=0.1) eval";

#[test]
fn never_is_never_played() {
    let book = Memory::new()
        .marked("e4 90/0/10", Marks::NEVER | Marks::ALWAYS)
        .behind("e4 90/0/10")
        .evals("e4 99");
    for rule in RULES.split(' ') {
        book.refuses(rule, "", "no move of the book may be played");
    }
    let decision = book.decided("v", "");
    assert_eq!(judged(&decision, "e4").out.as_deref(), Some("marked never"));
}

#[test]
fn always_is_played_whatever_the_rule_says() {
    let book = Memory::new()
        .here("1/0/1")
        .behind("e4 90/0/10")
        .made("e4 90/0/10")
        .marked("a4 0/0/0", Marks::ALWAYS | Marks::DUBIOUS);
    for rule in RULES.split(' ') {
        book.plays(rule, "", "a4");
    }
    let decision = book.decided("v", "");
    assert_eq!(judged(&decision, "e4").out.as_deref(), Some("another move is marked always"));
    assert_eq!(judged(&decision, "a4").out, None);
    let why = decision.choice.why;
    assert!(
        why.starts_with("marked always; the rule itself has no move: nothing is known"),
        "{why}"
    );
    // Of several the rule chooses, and where it doesn't the one with more games.
    let several = book.marked("b4 1/0/2", Marks::ALWAYS).behind("b4 1/0/2");
    several.plays("best", "", "b4");
    several.plays("v", "", "b4");
    several.behind("a4 1/0/0").plays("v", "", "a4");
}

#[test]
fn limits_hold_for_marked_moves_too() {
    let book = Memory::new().marked("a4 0/0/0", Marks::ALWAYS).made("e4 1/0/0, d4 2/0/0");
    let history = history("", Keyed::Position);
    let chosen = |limits: Limits<_>| {
        name(&history, &player(&book, "games", &history).decide(&history, &limits).unwrap())
    };
    let parse = |name: &str| history.present().position.parse_move(name).unwrap();
    assert_eq!(chosen(Limits { min_games: 5, ..Limits::default() }).as_deref(), Some("a4"));
    assert_eq!(
        chosen(Limits { among: Some(vec![parse("e4"), parse("d4")]), ..Limits::default() })
            .as_deref(),
        Some("d4")
    );
    assert_eq!(chosen(Limits { plies: Some(0), ..Limits::default() }), None);
}

#[test]
fn a_repetition_is_avoided_if_asked() {
    let book = Memory::new().made("Nf3 Nf6 Ng1 Ng8 Nf3 9/0/0, Nf3 Nf6 Ng1 Ng8 e4 1/0/0");
    let history = history("Nf3 Nf6 Ng1 Ng8", Keyed::Position);
    let player = player(&book, "games", &history);
    let chosen = |limits| name(&history, &player.decide(&history, &limits).unwrap());
    assert_eq!(chosen(Limits::default()).as_deref(), Some("Nf3"));
    assert_eq!(
        chosen(Limits { avoids_repetition: true, ..Limits::default() }).as_deref(),
        Some("e4")
    );
}
