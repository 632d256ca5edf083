//! Growing by playing, with engines that spoil their games.

use crate::learning::empty;
use crate::shared::{mock_command, player};
use tabia_engines::{Limit, Protocol};
use tabia_games::{Game, Known};
use tabia_grow::Budget;
use tabia_match::playing::{Plan, Playing};
use tabia_match::{Error, Rules};

#[test]
fn games_that_an_engine_spoils_count_for_nothing() {
    for (fault, said) in [("illegal@3", "illegal-move"), ("crash@2", "crash")] {
        let folder = tempfile::tempdir().unwrap();
        let book = folder.path().join("book.tabia");
        empty(&book, "checkers", "tabia-draughts");
        let of = |arguments: &str| player(mock_command(arguments), Protocol::Gtp);
        let known = Known::all().find(|known| known.name() == "checkers").unwrap();
        let plan = Plan {
            players: vec![
                of("gtp checkers"),
                of(&format!("gtp checkers {fault}")),
                of("gtp checkers"),
            ],
            rules: Rules::default(),
            archive: None,
            deep: Limit::default(),
            margin: 60,
            side: None,
            max_ply: 8,
            seed: 1,
            workers: 2,
            budget: Budget { expansions: Some(1), ..Budget::default() },
        };
        let playing = Playing {
            plan: &plan,
            book: &book,
            known: &known,
            archive: None,
            is_stopped: &|| false,
            step: &|_| {},
            note: &|_| {},
        };
        let error = playing.grow().unwrap_err();
        let holds = matches!(&error, Error::Void { tries: 3, why, .. } if why.contains(said));
        assert!(holds, "{error}");
        let games = tabia_match::GamesFile::resume(&folder.path().join("book.tabia-games.pdn"), 0);
        assert!(games.is_ok_and(|(_, games)| games.is_empty()));
    }
}
