//! The book maker's word, and limits: they hold whatever the rule.

use crate::choice::stack::history;
use crate::memory::Memory;
use crate::shared::{name, player};
use tabia::{Keyed, Marks};
use tabia_games::Game;
use tabia_play::choice::Limits;

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
    let found = chosen(Limits { avoids_repetition: true, ..Limits::default() });
    assert_eq!(found.as_deref(), Some("e4"));
}
