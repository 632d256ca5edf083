//! Where the games of archives leave a book.

use super::Args;
use crate::console::Console;
use crate::failure::{Done, Failure, failure};
use crate::lines::{named, replayed};
use crate::newfile::NewFile;
use crate::numbers::counted;
use crate::reading::{Oddities, Report};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::thread::available_parallelism;
use tabia::format::Keyed;
use tabia_archives::{
    GameRecord, GameSink, IngestError, Options, Origin, UnknownResults, Wanted, ingest,
};
use tabia_build::{ArchiveList, BuildObserver, ReadingObserver, one_line};
use tabia_games::{Game, Known, Node};
use tabia_play::explore::Numbers;
use tabia_play::explore::{Explorable, OpenBook};
use tabia_play::text::Followed;
use tabia_play::{GamesInBook, KnownMoves, PlayedMove};

pub fn follow(
    game: &Known,
    args: &Args,
    book: &OpenBook,
    console: &Console,
) -> Done<Followed<Oddities>> {
    let side = args.side(game)?;
    let mut archives = ArchiveList::of(&args.archives)?;
    archives.leave_out_copies()?;
    let root = Node::start(game.clone(), book.header().keyed == Keyed::Line);
    let meter = console.meter();
    let known = KnownMoves::read(book, &|step| meter.trimming(step))?;
    let list = args.report.as_deref().map(|path| List::new(path, args, &archives, &root));
    let mut list = list.transpose()?;
    // A list is in the order of the archives, which one thread keeps.
    let threads = match &list {
        Some(_) => 1,
        None => {
            args.threads.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from)
        }
    };
    let follower =
        |_| Follower { games: GamesInBook::new(&known, side), plies: Vec::new(), list: None };
    let mut followers: Vec<_> = (0..threads).map(follower).collect();
    followers[0].list = list.as_mut();
    let mut report = Report::new(console, &meter, None).deferring();
    archives.left_out.iter().for_each(|file| report.left_out(file));
    let mut observer = ReadingObserver::new(&mut report);
    let stats = ingest(&archives.paths, &options(game, book), &mut followers, &mut observer)
        .map_err(stopped)?;
    let games = followers.into_iter().map(|follower| follower.games).reduce(GamesInBook::and);
    let games = games.unwrap_or_else(|| GamesInBook::new(&known, side));
    if games.coverage().games == 0 {
        let why = match stats.games.skipped_games() {
            0 => "there is none in them".to_owned(),
            skipped => format!("{} can't be read as {}", counted(skipped, "game"), game.name()),
        };
        return Err(failure!("no game of these archives can be followed: {why}"));
    }
    let oddities = report.finish();
    list.map_or(Ok(()), List::publish)?;
    let limit = args.limit as usize;
    Ok(Followed::new(&root, &games, limit, stats.games.skipped_games(), oddities))
}

/// How archives are read: all games, with the keys of the book.
fn options(game: &Known, book: &OpenBook) -> Options {
    let wanted = Wanted {
        keyed: book.header().keyed,
        unknown_results: UnknownResults::Count,
        ..Wanted::default()
    };
    Options { wanted, ..Options::new(game.clone()) }
}

fn stopped(error: IngestError<Failure>) -> Failure {
    match error {
        IngestError::Archive(error) => error.into(),
        IngestError::Sink(error) => error,
        IngestError::Stopped => Failure::Interrupted,
    }
}

/// Takes games.
struct Follower<'a, 'l, G: Game> {
    games: GamesInBook<'a>,
    plies: Vec<PlayedMove>,
    list: Option<&'l mut List<G>>,
}

impl<G: Game> GameSink for Follower<'_, '_, G> {
    type Error = Failure;

    fn game(&mut self, game: &GameRecord, origin: Origin) -> Done<()> {
        self.plies.clear();
        let plies = game.plies.iter();
        self.plies.extend(plies.map(|ply| PlayedMove {
            key: ply.key,
            code: ply.code,
            side: ply.side,
        }));
        let left = self.games.game(&self.plies, game.last.0, (origin.source, origin.offset));
        match &mut self.list {
            Some(list) => list.add(&self.plies, left, origin),
            None => Ok(()),
        }
    }
}

/// A file with a line for each game.
struct List<G: Game> {
    out: BufWriter<NewFile>,
    /// The archives, as they were given.
    names: Vec<String>,
    /// How many games of each were followed.
    games: Vec<u64>,
    root: Node<G>,
}

impl<G: Game> List<G> {
    fn new(path: &Path, args: &Args, archives: &ArchiveList, root: &Node<G>) -> Done<Self> {
        let file = NewFile::create(path, args.force)?;
        let names: Vec<String> =
            archives.paths.iter().map(|path| one_line(&path.display().to_string())).collect();
        let games = vec![0; names.len()];
        let mut list = Self { out: BufWriter::new(file), names, games, root: root.clone() };
        list.write("# archive\tgame\tbyte\tplies\tleft_at\tmove")?;
        Ok(list)
    }

    /// Writes a game down that left after so many plies, if it did.
    fn add(&mut self, plies: &[PlayedMove], left: Option<usize>, origin: Origin) -> Done<()> {
        let source = origin.source as usize;
        self.games[source] += 1;
        let mut line = format!(
            "{}\t{}\t{}\t{}",
            self.names[source],
            self.games[source],
            origin.offset,
            plies.len()
        );
        line += &match left {
            None => "\t\t".to_owned(),
            Some(left) => format!("\t{}\t{}", left + 1, self.moved(plies, left)),
        };
        self.write(&line)
    }

    fn moved(&self, plies: &[PlayedMove], left: usize) -> String {
        let codes: Vec<u16> = plies[..left].iter().map(|ply| ply.code).collect();
        let code = plies[left].code;
        let found = (plies[0].key == self.root.key).then(|| replayed(&self.root, &codes)).flatten();
        let name = found.and_then(|(node, _)| named(&node, code));
        let numbers = Numbers::after(self.root.position.side(), 0);
        name.map_or_else(|| format!("(code {code})"), |name| numbers.moved(left, &name, true))
    }

    fn write(&mut self, line: &str) -> Done<()> {
        writeln!(self.out, "{line}").map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &io::Error) -> Failure {
        Failure::system(self.out.get_ref().path(), "write", error)
    }

    fn publish(mut self) -> Done<()> {
        self.out.flush().map_err(|error| self.failed(&error))?;
        let file = self.out.into_inner().map_err(|error| Failure::Output(error.into_error()))?;
        file.publish().map(drop)
    }
}
