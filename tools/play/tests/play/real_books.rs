//! What negamax and `wilson` play from books of real games, if `../shared/data` is there.

use crate::shared::{decided, name};
use std::io::Write;
use std::path::{Path, PathBuf};
use tabia::{Book, Env};
use tabia_archives::Input;
use tabia_build::{ArchiveList, BuildPlan};
use tabia_games::{Game, Known, with_game};
use tabia_play::choice::{Candidate, Figure, GameHistory};
use tabia_testing::data;

/// A book of the first plies of these archives.
fn book(folder: &Path, game: &str, archives: &[PathBuf]) -> Book {
    let (path, list) = (folder.join("book.tabia"), ArchiveList::of(archives).unwrap());
    let mut plan = BuildPlan::new(known(game));
    plan.max_ply = Some(20);
    plan.build(&Env::default(), &list, &path, &mut ()).unwrap();
    Book::open(path).unwrap()
}

/// A game by its name, with the keys it usually has.
fn known(game: &str) -> Known {
    Known::all().find(|known| known.name() == game).unwrap()
}

/// Eight plies of what `wilson` plays after some moves.
fn play_on<G: Game>(start: &G, book: &Book, after: &str) {
    let keyed = book.header().keyed;
    let mut history = GameHistory::start(start.clone(), keyed);
    history.play_text(after).unwrap();
    for ply in 0..8 {
        let [wilson, negamax] =
            ["wilson,min-score=0", "negamax"].map(|rule| decided(book, rule, &history));
        let (expected, found) = (name(&history, &wilson), name(&history, &negamax));
        assert_eq!(found, expected, "ply {ply}: {:?}", negamax.choice.why);
        let chosen = &negamax.candidates[negamax.choice.chosen.unwrap()];
        let known = chosen.reached.unwrap().counts;
        let points = 2 * u64::from(known.wins) + u64::from(known.draws);
        // Where every move was played in a few games only there is none to be preferred.
        let games = |candidate: &Candidate<G::Move>| {
            candidate.reached.map_or(0, |reached| reached.counts.games())
        };
        let is_thin = negamax.candidates.iter().all(|candidate| games(candidate) < 10);
        let holds = is_thin || known.games() >= 10 && points * 100 >= known.games() * 2 * 40;
        assert!(holds, "ply {ply}: {found:?} {known:?}");
        // No archive proves anything.
        let mut words = negamax.choice.judged.iter().flat_map(|judged| &judged.figures);
        let is_sure =
            |(name, figure): &(&str, Figure)| *name == "value" && matches!(figure, Figure::Word(_));
        assert!(!words.any(is_sure));
        history.play(&chosen.played.clone());
    }
}

fn lines(game: &str, archives: &[PathBuf], after: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let book = book(folder.path(), game, archives);
    for after in after {
        println!("{game} after {after:?}");
        with_game!(known(game), start => play_on(start, &book, after));
    }
}

/// Finding P1: after f5 d6 negamax held c7 for won, and c4, c5 and c6 for lost.
#[test]
fn othello_of_wthor() {
    let names = (2000..=2020).map(|year| data(&format!("othello/wthor/WTH_{year}.wtb")));
    if let Some(archives) = names.collect::<Option<Vec<_>>>() {
        lines("othello", &archives, &["", "f5 d6", "f5 f6"]);
    }
}

/// Finding P1: on 18,104 master games negamax played 1. d3.
#[test]
fn chess_of_masters() {
    let Some(archive) = data("chess/masters.pgn.zst") else { return };
    let (mut text, mut input) = (Vec::new(), Input::open(&archive).unwrap());
    input.read(12 << 20, &mut text).unwrap();
    let whole = start_of_last_game(&text);
    let folder = tempfile::tempdir().unwrap();
    let slice = folder.path().join("slice.pgn");
    std::fs::File::create(&slice).unwrap().write_all(&text[..whole]).unwrap();
    lines("chess", &[slice], &["", "e4", "d4 Nf6"]);
}

/// Where the last game of a part of an archive begins, which may be cut.
fn start_of_last_game(text: &[u8]) -> usize {
    let head = b"\n[Event ";
    text.windows(head.len()).rposition(|window| window == head).unwrap_or(text.len())
}

#[test]
fn go_of_ogs() {
    if let Some(archive) = data("go9/ogs.tar.zst") {
        lines("go-9", &[archive], &["", "E5"]);
    }
}
