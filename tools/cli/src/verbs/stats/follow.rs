//! Where the games of archives leave a book.

use super::Args;
use crate::newfile::NewFile;
use crate::numbers::counted;
use crate::prelude::*;
use crate::reading::{Oddities, Report};
use std::io::{BufWriter, Write};
use std::thread::available_parallelism;
use tabia::format::Keyed;
use tabia_archives::IngestError;
use tabia_build::{ArchiveList, BuildObserver, ReadingObserver, one_line};
use tabia_games::{Game, Known, Node};
use tabia_grow::{Following, GameList};
use tabia_play::KnownMoves;
use tabia_play::explore::{Explorable, OpenBook};
use tabia_play::text::Followed;

pub fn follow(
    game: &Known,
    args: &Args,
    book: &OpenBook,
    console: &Console,
) -> Done<Followed<Oddities>> {
    let (side, keyed) = (args.side(game)?, book.header().keyed);
    let mut archives = ArchiveList::of(&args.archives)?;
    archives.leave_out_copies()?;
    let root = Node::start(game.clone(), keyed == Keyed::Line);
    let meter = console.meter();
    let known = &KnownMoves::read(book, &|step| meter.trimming(step))?;
    let file = args.report.as_deref().map(|path| NewFile::create(path, args.force)).transpose()?;
    let mut file = file.map(BufWriter::new);
    let path = args.report.as_deref().unwrap_or(Path::new(""));
    let failed = |error| Failure::system(path, "write", &error);
    let name = |path: &std::path::PathBuf| one_line(&path.display().to_string());
    let names = archives.paths.iter().map(name).collect();
    let list = file.as_mut().map(|file| GameList::new(file, names, &root).map_err(failed));
    let mut list = list.transpose()?;
    let threads =
        args.threads.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from);
    let mut report = Report::new(console, &meter, None).deferring();
    archives.left_out.iter().for_each(|file| report.left_out(file));
    let mut observer = ReadingObserver::new(&mut report);
    let (games, skipped) = Following { game, keyed, known, side, threads }
        .archives(&archives.paths, list.as_mut(), &mut observer)
        .map_err(|error| match error {
            IngestError::Archive(error) => error.into(),
            IngestError::Sink(error) => failed(error),
            IngestError::Stopped => Failure::Interrupted,
        })?;
    if games.coverage().games == 0 {
        let why = match skipped {
            0 => "there is none in them".to_owned(),
            skipped => format!("{} can't be read as {}", counted(skipped, "game"), game.name()),
        };
        return Err(failure!("no game of these archives can be followed: {why}"));
    }
    let oddities = report.finish();
    if let Some(mut file) = file {
        file.flush().map_err(failed)?;
        file.into_inner().map_err(|error| Failure::Output(error.into_error()))?.publish()?;
    }
    Ok(Followed::new(&root, &games, args.limit as usize, skipped, oddities))
}
