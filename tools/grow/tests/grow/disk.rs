//! A disk that fails at each call in turn, once or for good: the book is sound afterwards, what was
//! acknowledged is there, and growing goes on to the bytes of a book that grew undisturbed.

use crate::laws::{Drawn, workers};
use crate::shelf::{Looks, Nobody, Shelf, batches, bytes, grow_by, opened, plan, rest, sound};
use crate::toy::{Place, key};
use std::cell::Cell;
use std::path::Path;
use tabia::{Env, Keyed, MoveRow, PositionRow};
use tabia_games::{Outcome, Side};
use tabia_grow::{Error, Plan, Progress, grow};
use tabia_play::choice::GameHistory;
use tabia_play::explore::{Explorable, OpenBook};
use tabia_testing::FaultyDisk;

fn drawn() -> Drawn {
    let place = |at: usize| {
        let is_over = at % 7 == 6;
        let moves = (1..=3).map(|step| (at * 2 + step * 3) % 20).filter(|&to| to != at);
        Place {
            side: if at.is_multiple_of(3) { Side::First } else { Side::Second },
            moves: if is_over { Vec::new() } else { moves.collect() },
            outcome: is_over.then_some(Outcome::Draw),
        }
    };
    let evals = (0..20).map(|at| (at * 29 % 71) as i16 - 30).collect();
    Drawn { places: (0..20).map(place).collect(), evals, is_sure: false }
}

/// All that a book, or a set, says of the game.
fn rows(path: &Path) -> Vec<(Option<PositionRow>, Vec<MoveRow>)> {
    let opened = OpenBook::at(path).unwrap();
    let book = opened.rows();
    let row = |at| (book.position(key(at)).unwrap(), book.moves(key(at)).unwrap().into_owned());
    (0..20).map(row).collect()
}

/// Grows on a disk that fails; how many expansions were acknowledged, and how it ended.
fn grow_on(
    disk: &FaultyDisk,
    (path, compact_at): (&Path, u64),
    drawn: &Drawn,
    plan: &Plan,
) -> (u64, Result<(), Error>) {
    let acknowledged = Cell::new(0);
    let watch = Looks(|progress: &Progress<'_>| {
        acknowledged.set(progress.grown.expansions);
        true
    });
    let grown = || {
        let env = Env { storage: disk, ..Env::default() };
        let mut book = opened(env, path, compact_at)?;
        let opening = GameHistory::start(drawn.toy(), Keyed::Position);
        let workers = workers(drawn, plan.in_flight, &[]);
        grow(disk, &mut book, opening, plan, workers, &watch).map(drop)
    };
    let ended = grown();
    (acknowledged.get(), ended)
}

/// Has something done on disks that fail at their n-th call, once or for good, until that is never met
/// any more; it says whether it went well.
fn on_failing_disks(mut done: impl FnMut(&FaultyDisk, &str) -> bool) {
    for kind in 0..2 {
        let (mut failed, mut went_well) = (0, 0);
        for calls in 0.. {
            let is_over = done(&FaultyDisk::after(calls, kind), &format!("{kind}, {calls}"));
            failed += u32::from(!is_over);
            // Some faults do no harm; none is met after the last call.
            went_well = if is_over { went_well + 1 } else { 0 };
            if went_well > 20 {
                break;
            }
        }
        assert!(failed > 30, "{failed} of the faults were met");
    }
}

#[test]
fn a_failing_disk_costs_nothing_that_was_acknowledged() {
    let (shelf, drawn) = (Shelf::new(), drawn());
    // The second is compacted in the middle: it then has other ancestors, but the same rows.
    for (in_flight, compact_at) in [(1, 1 << 20), (1, 700), (3, 1 << 20), (3, 700)] {
        let plan = Plan { in_flight, ..plan(8) };
        let path = shelf.book("expected.tabia", &[], &[]);
        grow_by(&path, &drawn.toy(), &plan, workers(&drawn, in_flight, &[]), &Nobody).unwrap();
        let (all, expected) = (batches(&path), bytes(&path));
        let expected_rows = rows(&path);
        assert_eq!(all, 8);
        std::fs::remove_file(&path).unwrap();
        on_failing_disks(|disk, fault| {
            let path = shelf.book("grows.tabia", &[], &[]);
            let (acknowledged, ended) = grow_on(disk, (&path, compact_at), &drawn, &plan);
            sound(&path);
            let found = batches(&path);
            assert!((acknowledged..=all).contains(&found), "{fault}: {acknowledged}, {found}");
            assert_eq!(drawn.lacking(OpenBook::at(&path).unwrap().rows()), Vec::<usize>::new());
            let left = rest(&plan, &path);
            let good = workers(&drawn, in_flight, &[]);
            grow_by(&path, &drawn.toy(), &left, good, &Nobody).unwrap();
            assert_eq!(rows(&path), expected_rows, "{in_flight} in flight, {fault}");
            if compact_at > 1000 {
                assert!(bytes(&path) == expected, "{in_flight} in flight, {fault}");
            }
            let litter = shelf.others("grows.tabia");
            assert!(litter.is_empty(), "{fault}: {litter:?}");
            shelf.clear();
            ended.is_ok()
        });
    }
}

#[test]
fn shares_of_a_book_grow_as_the_book_and_a_failing_disk_leaves_none_ahead_of_the_others() {
    let (shelf, drawn) = (Shelf::new(), drawn());
    for (in_flight, compact_at) in [(1, 1 << 20), (3, 400)] {
        let plan = Plan { in_flight, ..plan(8) };
        let good = || workers(&drawn, in_flight, &[]);
        let path = shelf.book("expected.tabia", &[], &[]);
        grow_by(&path, &drawn.toy(), &plan, good(), &Nobody).unwrap();
        let expected = rows(&path);
        shelf.clear();
        on_failing_disks(|disk, fault| {
            let path = shelf.shares();
            let (acknowledged, ended) = grow_on(disk, (&path, compact_at), &drawn, &plan);
            OpenBook::files(&path).unwrap().iter().for_each(|book| sound(book));
            match OpenBook::at(&path) {
                // Whoever reads meanwhile finds all that an expanded position promises.
                Ok(set) => assert_eq!(drawn.lacking(set.rows()), Vec::<usize>::new(), "{fault}"),
                Err(tabia::Error::Shares { .. }) => assert_eq!(acknowledged, 0, "{fault}"),
                Err(error) => panic!("{fault}: {error}"),
            }
            if ended.is_err() {
                // The same command.
                grow_by(&path, &drawn.toy(), &plan, good(), &Nobody).unwrap();
            }
            assert_eq!(rows(&path), expected, "{in_flight} in flight, {fault}");
            let litter: Vec<_> = path.read_dir().unwrap().map(|file| file.unwrap()).collect();
            let names = litter.iter().map(|file| file.file_name().into_string().unwrap());
            let is_ours =
                |name: &String| name.ends_with(".tabia") || name.ends_with(".tabia-journal");
            assert_eq!(names.filter(|name| !is_ours(name)).count(), 0, "{litter:?}");
            std::fs::remove_dir_all(&path).unwrap();
            ended.is_ok()
        });
    }
}
