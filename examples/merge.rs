//! Merges books into one, share by share, as many machines would do it, and joins the shares:
//! `cargo run --example merge -- OUT BOOK...`.

use std::path::PathBuf;
use tabia::{Book, BookSet, Env, Existing, MergeOptions, Share, merge};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let output = PathBuf::from(arguments.next().ok_or("usage: merge OUT BOOK...")?);
    let books = arguments.map(Book::open).collect::<Result<Vec<_>, _>>()?;

    let mut paths = Vec::new();
    for number in 0..4 {
        let path = output.with_extension(format!("{number}.tabia"));
        let options = MergeOptions {
            share: Share::new(2, number),
            existing: Existing::Replace,
            ..MergeOptions::default()
        };
        merge(&Env::default(), &path, &books, options)?;
        paths.push(path);
    }

    // The shares can be probed as one book ...
    let set = BookSet::open(&paths)?;
    println!("{} books of one share each, {} archives", set.books().len(), set.sources()?.len());

    // ... and joined: the same bytes as merging all at once.
    let shares = paths.iter().map(Book::open).collect::<Result<Vec<_>, _>>()?;
    let header = merge(
        &Env::default(),
        &output,
        &shares,
        MergeOptions { existing: Existing::Replace, ..MergeOptions::default() },
    )?;
    println!("{}: {}", output.display(), header.digest);
    paths.iter().try_for_each(std::fs::remove_file)?;
    Ok(())
}
