//! More games into a set of shares: as a book of their own, which is merged into each share.

use super::{Args, note_min_games};
use crate::console::Console;
use crate::disk::Disk;
use crate::facts::Facts;
use crate::failure::{Done, Failure, failure};
use crate::games;
use crate::numbers::seconds;
use crate::reading::{Report, summary};
use crate::verbs::merge::{Merging, open_all};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::slice;
use std::time::Instant;
use tabia::storage::Storage;
use tabia::{Beside, Book, BookFiles, Source};
use tabia_build::ArchiveList;
use tabia_build::whole::set_finding;
use tabia_gamefile::GameFile;

/// What the book of new games is called until it has gone into all shares: this, and how many archives the
/// set had before, which tells whether it has. That is no name of a book in a folder.
const NEW: &str = "adding-";

/// Adds the games; what there is to say of it, and how many they are.
pub fn add(args: &Args, console: &Console) -> Done<(Facts, u64)> {
    let (start, folder) = (Instant::now(), &args.book);
    let shares = open_all(slice::from_ref(folder), console)?;
    let Some(first) = shares.first() else { return Err(failure!("no share was found")) };
    let again = || shares.iter().map(|share| Book::open(share.path())).collect::<Result<_, _>>();
    let known = in_all(&shares)?;
    let (mut path, mut is_begun) = (folder.join(format!("{NEW}{}", first.sources()?.len())), false);
    // What is in all shares, and only has to be removed once nothing else is wrong.
    let (mut done, mut added) = (Vec::new(), Vec::new());
    for (there, before) in interrupted(folder)? {
        let new = Book::open(&there)?.sources()?;
        if is_in_all(&there, before, new.len(), &shares)? {
            done.push(there);
            added.extend(new);
        } else {
            (path, is_begun) = (there, true);
        }
    }
    let remove_done = || done.iter().try_for_each(|done| remove(done));
    let mut archives = args.reading.archives(&path, args.force)?;
    if let Some(what) = set_finding(again()?)?.filter(|_| !is_begun) {
        return Err(failure!("{what}"));
    }
    let game = games::of(first.header(), first.path())?;
    let known_by = if args.reading.allow_duplicate_sources { &added } else { &known };
    archives.leave_out_known(known_by)?;
    let mut plan = args.reading.plan(&game)?;
    plan.fit(first.header());
    if !args.differently {
        plan.read_as_before(&known, &first.facts()?)?;
    }
    plan.games = GameFile::beside(first)?.map(|file| file.header().kept);
    plan.part_bytes = None;
    let meter = console.meter_of_build(&plan);
    note_min_games(&meter, &first.facts()?);
    let report = || Report::new(console, &meter, Some(&plan));
    if archives.paths.is_empty() {
        remove_done()?;
        let mut oddities = report().finish();
        oddities.leave_out(&archives.left_out, &meter);
        let summary = summary(&Default::default(), None, &[], seconds(start.elapsed()));
        let facts = summary.and(oddities.facts());
        return Ok((facts.only_line("Nothing is new: the set has these archives already."), 0));
    }
    let (facts, games) = if is_begun {
        for left in unread(&path, folder, archives)? {
            meter.note(&format!(
                "{}: it was not read before that was interrupted: add it by itself",
                left.display()
            ));
        }
        let games = Book::open(&path)?.sources()?.iter().map(|source| source.games).sum();
        meter.note(&format!(
            "{}: the games were read before that was interrupted; now they go on into the shares",
            path.display()
        ));
        (Facts::default(), games)
    } else {
        let mut report = report();
        let made = plan.build(&meter.env(), &archives, &path, &mut report)?;
        let (games, copies) = (&made.games.games, made.copies.as_ref());
        let summary = summary(games, copies, &archives.paths, seconds(start.elapsed()));
        (summary.and(report.finish().facts()), games.games_in)
    };
    drop(meter);
    remove_done()?;
    let beside = if args.allow_missing { Beside::Leave } else { Beside::Refuse };
    let duplicates = args.reading.allow_duplicate_sources.into();
    let merging = Merging { books: slice::from_ref(&path), duplicates, beside };
    let merged = merging.to_set(folder, console).inspect_err(|_| {
        // Where no share was changed all is as it was.
        if again().is_ok_and(|shares| set_finding(shares).is_ok_and(|what| what.is_none())) {
            let _ = remove(&path);
        }
    })?;
    remove(&path)?;
    Ok((facts.and(merged), games))
}

/// Removes the book of new games, itself last.
fn remove(path: &Path) -> Done<()> {
    let mut files: Vec<_> = BookFiles::of(path).present().collect();
    files.sort();
    for (_, file) in files.iter().rev() {
        Disk.remove(file).map_err(|error| Failure::system(file, "remove", &error))?;
    }
    Ok(())
}

/// The books of new games that are there, and how many archives the set had before each.
fn interrupted(folder: &Path) -> Done<Vec<(PathBuf, usize)>> {
    let failed = |error| Failure::system(folder, "read", &error);
    let names = folder.read_dir().map_err(failed)?.map(|entry| Ok(entry?.file_name()));
    let names = names.collect::<std::io::Result<Vec<_>>>().map_err(failed)?;
    let before = |name: &OsString| name.to_str()?.strip_prefix(NEW)?.parse().ok();
    Ok(names.iter().filter_map(|name| Some((folder.join(name), before(name)?))).collect())
}

/// Whether the book of so many new archives has gone into all shares, which had some before.
fn is_in_all(path: &Path, before: usize, new: usize, shares: &[Book]) -> Done<bool> {
    let (after, mut all) = (before + new, true);
    for share in shares {
        let now = share.sources()?.len();
        if ![before, after].contains(&now) {
            return Err(failure!(
                "{}: it has {now} archives, and had {before} when adding was interrupted: whether those of {} are among them can't be told; remove that if they are, or go on by `tabia merge --into`",
                share.path().display(),
                path.display()
            ));
        }
        all &= now == after;
    }
    Ok(all)
}

fn is_among(sources: &[Source], source: &Source) -> bool {
    sources.iter().any(|other| other.digest == source.digest)
}

/// The archives that all shares have: where adding was interrupted, some have more.
fn in_all(shares: &[Book]) -> Done<Vec<Source>> {
    let all = shares.iter().map(Book::sources).collect::<Result<Vec<_>, _>>()?;
    let is_in_all = |source: &Source| all.iter().all(|others| is_among(others, source));
    Ok(all[0].iter().filter(|source| is_in_all(source)).cloned().collect())
}

/// Makes sure that the book of new games that is there has games of these archives alone; those that it
/// has none of.
fn unread(path: &Path, folder: &Path, mut archives: ArchiveList) -> Done<Vec<PathBuf>> {
    let (there, asked) = (Book::open(path)?.sources()?, archives.paths.len());
    archives.leave_out_known(&there)?;
    if asked - archives.paths.len() == there.len() {
        return Ok(archives.paths);
    }
    let names: Vec<_> = there.iter().map(|source| source.name.as_str()).collect();
    Err(failure!(
        "{0}: adding {1} was interrupted: give the same archives first, or go on by `tabia merge --into {2} {0}`",
        path.display(),
        names.join(", "),
        folder.display()
    ))
}
