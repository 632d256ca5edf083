//! A position with its moves from books whose pages are not in memory: a packed book looks at one
//! page, a plain one at one of each table.

use super::books::Books;
use super::probes::Both;
use crate::args::Args;
use crate::cold::{Contender, Spent, Watch, rounds};
use crate::disk;
use crate::games::both_answer;
use crate::ours::file_length;
use crate::raw;
use crate::report::{Compared, Report, Rival};
use anyhow::Result;
use std::path::Path;
use tabia::format::PAGE;

/// Pages of the packed book for each probe of a round: so few probes that hardly two want the same
/// page.
const PAGES_A_PROBE: u64 = 100;
/// How many probes are asked for at once.
const BATCHES: [usize; 2] = [1, crate::measure::BATCH];
/// What part of a plain book's pages a packed one may bring in: half (issue 17), and a hundredth for
/// groups and rows that stand beyond their home, of which chance gives one book more than the other.
const BUDGET: f64 = 0.51;

/// Asks a book, with the disk told of a whole batch beforehand.
fn ask(path: &Path, watch: &mut Watch<'_>, keys: &[u64], batch: usize) -> Result<u64> {
    let book = raw::map_book(path)?;
    let both = Both::new(&book);
    watch.start()?;
    let sum = both.ask(keys, batch);
    watch.stop()?;
    Ok(sum)
}

pub fn run(report: &mut Report, args: &Args, books: &Books) -> Result<()> {
    for path in [&books.packed, &books.plain] {
        disk::sync(path)?;
    }
    let most = (file_length(&books.packed)? / PAGE / PAGES_A_PROBE) as usize;
    let count = most.clamp(1, args.probes).next_multiple_of(256);
    report.note(format!(
        "Packed, cold: {count} probes a round, one for every {PAGES_A_PROBE} pages of the packed book; pages of both books are dropped before each round. \
         Batches call Book::will_need_with_moves first."
    ));
    for batch in BATCHES {
        line(report, args, books, batch, count)?;
    }
    Ok(())
}

fn line(report: &mut Report, args: &Args, books: &Books, batch: usize, count: usize) -> Result<()> {
    let ask_of = |path: &Path| {
        let path = path.to_owned();
        move |watch: &mut Watch<'_>, keys: &[u64]| ask(&path, watch, keys, batch)
    };
    let (ask_ours, ask_theirs) = (ask_of(&books.packed), ask_of(&books.plain));
    let ours = Contender { file: &books.packed, ask: &ask_ours };
    let theirs = Contender { file: &books.plain, ask: &ask_theirs };
    let rounds = rounds(report, args, both_answer, count, &ours, |queries| theirs.run(queries))?;
    let name = format!(
        "packed: position and moves, cold hit, {}",
        if batch == 1 { "one at a time".to_owned() } else { format!("batches of {batch}") }
    );
    report.add(name.clone(), Rival::new("plain", Compared::Cost(None)), rounds.times);
    let each = |spent: Spent| spent.pages as f64 / rounds.probes as f64;
    let rival = Rival::new("plain", Compared::Cost(Some(BUDGET)));
    let (ours, theirs) = (each(rounds.ours), each(rounds.theirs));
    report.add_figures(format!("{name}: brings in"), ours, rival, theirs, "pages");
    Ok(())
}
