//! What isn't ours under one of our names stays as it is. Under that of a file in the making, and behind
//! a link, that is the business of [`tabia::AtomicFile`], and tested with books.

use crate::works::{GAMES, works};
use std::sync::Arc;
use tabia::Existing;
use tabia_gamefile::{GameFileError, check_place};
use tabia_testing::crash::fixture::{Entry, Files, Fixture};

fn user_file(bytes: &[u8]) -> Entry {
    Entry::File { bytes: Arc::new(bytes.to_vec()), unfinished: false }
}

fn is_in_the_way<T>(done: Result<T, GameFileError>) -> bool {
    matches!(done, Err(GameFileError::Engine(tabia::Error::InTheWay { .. })))
}

#[test]
fn no_file_of_games_takes_the_place_of_anything_else() {
    let fixture = Fixture::new();
    let place = fixture.folder().join(GAMES);
    check_place(&place, Existing::Refuse).unwrap();
    let foreign = [
        user_file(b"a user's list of games"),
        user_file(b"short"),
        user_file(b""),
        Entry::Folder,
        Entry::Pipe,
        Entry::Link("notes.txt".to_owned()),
    ];
    for entry in foreign {
        let files = Files::default().with("notes.txt", b"my notes".to_vec());
        let files = files.and(GAMES, entry.clone());
        fixture.fill(&files);
        let said = check_place(&place, Existing::Replace);
        let what = format!("{entry:?}: {said:?}");
        assert!(is_in_the_way(said), "{what}");
        assert_eq!(fixture.files(), files);
    }
}

#[test]
fn another_file_of_games_is_replaced_only_where_that_is_asked_for() {
    let fixture = Fixture::new();
    let old = works().iter().find_map(|work| Some(work.start.bytes(GAMES)?.to_vec()));
    fixture.fill(&Files::default().with(GAMES, old.unwrap()));
    let place = fixture.folder().join(GAMES);
    check_place(&place, Existing::Replace).unwrap();
    let said = check_place(&place, Existing::Refuse);
    assert!(matches!(said, Err(GameFileError::Engine(tabia::Error::Exists { .. }))), "{said:?}");
}
