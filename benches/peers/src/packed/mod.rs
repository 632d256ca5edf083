//! A packed book beside a plain one of the same rows, raw reads, odht and LMDB.

mod books;
mod cold;
mod contests;
pub mod duel;
mod larger;
mod limit;
mod probes;

use crate::args::Args;
use crate::report::Report;
use anyhow::Result;
use books::Books;

pub fn run(report: &mut Report, args: &Args) -> Result<()> {
    let books = Books::build(report, args)?;
    if args.wants("packed") {
        contests::run(report, args, &books)?;
        cold::run(report, args, &books)?;
    }
    if args.wants("larger") {
        larger::run(report, args, &books)?;
    }
    books.remove()
}
