//! What isn't ours under one of our names stays as it is.

use crate::works::{GAMES, MayBe, UNFINISHED, works};
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
fn what_has_the_name_of_a_file_in_the_making_stays() {
    let foreign = [
        user_file(b"mine"),
        user_file(b""),
        Entry::Link("notes.txt".to_owned()),
        Entry::Folder,
        Entry::Pipe,
    ];
    for work in works().iter().filter(|work| !work.start.has(UNFINISHED)) {
        for entry in &foreign {
            let (fixture, files) =
                (Fixture::new(), work.start.clone().and(UNFINISHED, entry.clone()));
            let (_, done) = work.on(&fixture, &files, &[]);
            let (name, what) = (work.name, format!("{entry:?}: {done:?}"));
            assert!(is_in_the_way(done), "{name}, {what}");
            assert_eq!(fixture.files(), files, "{}, {entry:?}", work.name);
        }
    }
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

#[test]
fn behind_a_link_the_file_is_replaced_that_it_leads_to() {
    for work in works() {
        let Some(old) = work.start.bytes(GAMES) else { continue };
        let mut files = work.start.clone().and("far.tabia-games", user_file(old));
        files.0.insert(GAMES.to_owned(), Entry::Link("far.tabia-games".to_owned()));
        files.0.remove(UNFINISHED);
        let fixture = Fixture::new();
        let (_, done) = work.on(&fixture, &files, &[]);
        done.unwrap_or_else(|error| panic!("{}: {error}", work.name));
        let mut after = fixture.files();
        assert_eq!(after.0.get(GAMES), files.0.get(GAMES), "{}", work.name);
        let new = after.0.remove("far.tabia-games").unwrap();
        after.0.insert(GAMES.to_owned(), new);
        work.judge(&after, MayBe::New, "behind a link");
    }
}
