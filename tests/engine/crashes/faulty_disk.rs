//! A faulty disk: it says that a book is durable and loses parts of it all the same, or changes
//! them. What is gone can't be brought back, but no answer may be wrong, and no damage may be taken
//! over into another book.

use super::model::{Content, ContentRows, Wrong, read};
use super::outcome::{Outcome, calmly, on_all, wrong};
use super::recovery::Bench;
use super::scenarios::{FIRST, Scenario, scenarios};
use tabia::{Book, Env, Row, check};
use tabia_testing::Sample;
use tabia_testing::crash::disk::{Disk, Event};
use tabia_testing::crash::fixture::{BOOK, Files, Fixture};
use tabia_testing::crash::power::{Platter, Random};

const LOSSES: u64 = 400;

/// What a scenario leaves, when all of it is there, and as it may be there when no sync did
/// anything.
fn lose(scenario: &Scenario, losses: u64, mut look: impl FnMut(&Fixture, &Files, &Files)) {
    let bench = Bench::new(scenario);
    bench.fixture.fill(&scenario.start);
    let disk = Disk::new(&bench.fixture, &scenario.start);
    let whole = bench.process(&disk, &scenario.expected, None, FIRST, scenario.work).unwrap();
    whole.result.unwrap();
    let mut platter = Platter::new(&scenario.start);
    disk.trace()
        .iter()
        .filter(|event| !matches!(event, Event::Sync { .. }))
        .for_each(|event| platter.take(event));
    let mut random = Random::new(7);
    for _ in 0..losses {
        look(&bench.fixture, &whole.files, &platter.hold(&mut random));
    }
}

/// Opens, reads and probes a book: an error, or what was written. Checking it finds that something
/// is wrong.
fn examine(fixture: &Fixture, content: &Content) -> Result<(), Wrong> {
    let reported = check(&Env::default(), &fixture.book()).is_ok_and(|report| report.ok());
    if reported {
        return Err(wrong("check finds nothing"));
    }
    let Ok(book) = Book::open(fixture.book()) else { return Ok(()) };
    let ContentRows { positions, moves, .. } = content.rows();
    for row in positions {
        if book.position(row.key()).is_ok_and(|answer| answer != Some(row)) {
            return Err(wrong(format!("a probe for {:016x} gives a wrong answer", row.key())));
        }
    }
    for row in moves.iter() {
        if book.moves_with_cells(row.row.key()).is_ok_and(|answer| !answer.contains(&row)) {
            let what =
                format!("a probe for the moves of {:016x} gives a wrong answer", row.row.key());
            return Err(wrong(what));
        }
    }
    match read(&fixture.book()) {
        Ok(there) if there != *content => Err(wrong("its rows are not those that were written")),
        _ => Ok(()),
    }
}

#[test]
fn no_answer_is_wrong_when_a_disk_is_faulty() {
    let names = ["build", "build with spills", "merge", "compact"];
    let books = scenarios().iter().filter(|scenario| names.contains(&scenario.name));
    let books: Vec<_> = books.collect();
    let losses = Sample::one_in(8).count(LOSSES);
    let outcome = on_all(&books, |scenario| {
        let mut outcome = Outcome::default();
        lose(scenario, losses, |fixture, whole, files| {
            fixture.fill(whole);
            let content = read(&fixture.book()).unwrap();
            if files.bytes(BOOK) != whole.bytes(BOOK) {
                fixture.fill(files);
                outcome.count("books with losses", 1);
                outcome.take(calmly(|| examine(fixture, &content)).flatten(), || {
                    scenario.name.to_owned()
                });
            }
        });
        outcome
    });
    outcome.finish("a faulty disk");
    assert!(outcome.get("books with losses") >= 5 * losses / 2);
}
