//! A disk that lies: it says that a book is durable and loses parts of it all the same, or changes
//! them. What is gone can't be brought back, but no answer may be wrong, and no damage may be taken
//! over into another book.

use crate::disk::{Disk, Event};
use crate::ground::{BOOK, Files, Ground};
use crate::model::{Content, OLD, Wrong, base, read, read_all};
use crate::outcome::{Outcome, calmly, on_all, wrong};
use crate::power::{Dice, Platter};
use crate::recovery::Bench;
use crate::scenarios::{FIRST, Scenario, scenarios};
use tabia::{Book, Env, Row, check};

/// How often a scenario's book loses something.
const LOSSES: usize = 400;

/// What a scenario leaves, when all of it is there, and as it may be there when no sync did
/// anything.
fn lose(scenario: &Scenario, mut look: impl FnMut(&Ground, &Files, &Files)) {
    let bench = Bench::new(scenario);
    bench.ground.lay(&scenario.start);
    let disk = Disk::new(&bench.ground, &scenario.start);
    let whole = bench.process(&disk, &scenario.expected, None, FIRST, scenario.work).unwrap();
    whole.result.unwrap();
    let mut platter = Platter::new(&scenario.start);
    disk.trace()
        .iter()
        .filter(|event| !matches!(event, Event::Sync { .. }))
        .for_each(|event| platter.take(event));
    let mut dice = Dice::new(7);
    for _ in 0..LOSSES {
        look(&bench.ground, &whole.files, &platter.hold(&mut dice));
    }
}

/// Opens, reads and probes a book: an error, or what was written. Checking it finds that something
/// is wrong.
fn examine(ground: &Ground, content: &Content) -> Result<(), Wrong> {
    let reported = check(&Env::default(), &ground.book()).is_ok_and(|report| report.ok());
    if reported {
        return Err(wrong("check finds nothing"));
    }
    let Ok(book) = Book::open(ground.book()) else { return Ok(()) };
    for row in content.positions.values() {
        if book.position(row.key()).is_ok_and(|answer| answer != Some(*row)) {
            return Err(wrong(format!("a probe for {:016x} gives a wrong answer", row.key())));
        }
    }
    for row in content.moves.values() {
        if book.moves_with_cells(row.row.key()).is_ok_and(|answer| !answer.contains(row)) {
            return Err(wrong(format!(
                "a probe for the moves of {:016x} gives a wrong answer",
                row.row.key()
            )));
        }
    }
    match read(&ground.book()) {
        Ok(there) if there != *content => Err(wrong("its rows are not those that were written")),
        _ => Ok(()),
    }
}

#[test]
fn no_answer_is_wrong_when_a_disk_lies() {
    let books: Vec<_> = scenarios()
        .iter()
        .filter(|scenario| {
            ["build", "build with spills", "merge", "compact"].contains(&scenario.name)
        })
        .collect();
    let outcome = on_all(&books, |scenario| {
        let mut outcome = Outcome::default();
        lose(scenario, |ground, whole, files| {
            ground.lay(whole);
            let content = read(&ground.book()).unwrap();
            if files.bytes(BOOK) != whole.bytes(BOOK) {
                ground.lay(files);
                outcome.count("books with losses", 1);
                outcome.take(calmly(|| examine(ground, &content)).flatten(), || {
                    scenario.name.to_owned()
                });
            }
        });
        outcome
    });
    outcome.finish("a disk that lies");
    assert!(outcome.get("books with losses") >= 1_000);
}

#[test]
fn nothing_is_streamed_from_a_block_that_has_changed() {
    let ground = Ground::new();
    base(OLD).write(&ground.book());
    let mut bytes = std::fs::read(ground.book()).unwrap();
    let content = read(&ground.book()).unwrap();
    let mut refused = 0;
    for place in 0..bytes.len() {
        let bit = 1 << (place % 8);
        bytes[place] ^= bit;
        match Book::from_bytes(&bytes).and_then(|book| read_all(&book)) {
            Ok(there) => assert_eq!(there, content, "byte {place}"),
            Err(_) => refused += 1,
        }
        bytes[place] ^= bit;
    }
    println!(
        "{} bytes changed: {refused} times nothing was read, never anything wrong",
        bytes.len()
    );
    assert!(refused > 2_000);
}
