//! Where the games of archives leave a book.

use super::cover::{Cover, Gap, GapMove, write_gaps};
use super::{Args, Figures, show};
use crate::console::Console;
use crate::failure::{Done, Failure, failure};
use crate::lines::{named, replayed};
use crate::newfile::NewFile;
use crate::numbers::{counted, grouped, percent};
use crate::output::Output;
use crate::reading::{Oddities, Report};
use serde::Serialize;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;
use tabia::Book;
use tabia::format::Keyed;
use tabia_archives::{
    GameRecord, GameSink, IngestError, IngestProgress, Observer, Options, Origin, Skipped,
    UnknownResults, Wanted, Warning, ingest,
};
use tabia_build::{ArchiveList, BuildObserver, LeftOut, one_line};
use tabia_games::{Game, Known, Node, WithGame};
use tabia_play::explore::Numbers;
use tabia_play::{Exit, GamesInBook, KnownMoves, PlayedMove};

/// Follows the games, and shows what was found.
pub fn run(args: &Args, console: &Console, game: &Known, book: &Book) -> Done {
    show(args, &game.with(Following { args, console, game, book })?)
}

struct Following<'a> {
    args: &'a Args,
    console: &'a Console,
    game: &'a Known,
    book: &'a Book,
}

impl WithGame for Following<'_> {
    type Output = Done<Followed>;

    fn with<G: Game>(self, start: &G) -> Self::Output {
        let Self { args, console, game, book } = self;
        let side = args.side(game)?;
        let mut archives = ArchiveList::of(&args.archives)?;
        archives.leave_out_copies()?;
        let root = Node::start(start.clone(), book.header().keyed == Keyed::Line);
        let meter = console.meter();
        let known = KnownMoves::read(book, &|step| meter.trimming(step))?;
        let mut list = args.report.as_deref().map(|path| List::new(path, args, &archives, &root));
        let mut list = list.take().transpose()?;
        // A list is in the order of the archives, which one thread keeps.
        let threads = match &list {
            Some(_) => 1,
            None => args.threads.map_or_else(threads, usize::from),
        };
        let mut followers: Vec<_> = (0..threads)
            .map(|_| Follower {
                games: GamesInBook::new(&known, side),
                plies: Vec::new(),
                list: None,
            })
            .collect();
        followers[0].list = list.as_mut();
        let mut observer = ReportingObserver {
            report: Report::without_list(console, &meter),
            left_out: archives.left_out,
        };
        let stats = ingest(&archives.paths, &options(game, book), &mut followers, &mut observer)
            .map_err(stopped)?;
        let games = followers.into_iter().map(|follower| follower.games).reduce(GamesInBook::and);
        let games = games.unwrap_or_else(|| GamesInBook::new(&known, side));
        let all = games.coverage().games;
        if all == 0 {
            let why = match stats.games.skipped_games() {
                0 => "there is none in them".to_owned(),
                skipped => format!("{} can't be read as {}", counted(skipped, "game"), game.name()),
            };
            return Err(failure!("no game of these archives can be followed: {why}"));
        }
        observer.left_out.iter().for_each(|file| observer.report.left_out(file));
        let oddities = observer.report.finish();
        list.map_or(Ok(()), List::publish)?;
        let top = games.top(args.limit as usize);
        let cover = Cover::new(&games.coverage());
        Ok(Followed {
            stayed: all - cover.left - cover.left_by_own_side,
            cover,
            returned: games.returned(),
            skipped: stats.games.skipped_games(),
            oddities,
            exits: games.exits() as u64,
            top: top.iter().map(|exit| gap(&root, exit, all)).collect(),
        })
    }
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// How archives are read: all games, with the keys of the book.
fn options(game: &Known, book: &Book) -> Options {
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

/// Who hears of the reading.
struct ReportingObserver<'a> {
    report: Report<'a>,
    /// Files that are no archives of games: told at the end, unless none is.
    left_out: Vec<LeftOut>,
}

impl ReportingObserver<'_> {
    fn leave_out(&mut self, path: &Path, why: String) {
        self.left_out.push(LeftOut { path: path.to_owned(), why });
    }
}

impl Observer for ReportingObserver<'_> {
    fn skipped(&mut self, skipped: &Skipped) {
        self.report.skipped(skipped);
    }

    fn warned(&mut self, warning: &Warning) {
        self.report.warned(warning);
    }

    fn blank(&mut self, archive: &Path) {
        self.leave_out(archive, format!("{} is empty", archive.display()));
    }

    fn no_game(&mut self, archive: &Path) -> ControlFlow<()> {
        self.leave_out(archive, format!("there is no game in {}", archive.display()));
        ControlFlow::Continue(())
    }

    fn progress(&mut self, progress: &IngestProgress) -> ControlFlow<()> {
        self.report.progress(progress)
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

    /// The move by which a game left.
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
        file.publish()?;
        Ok(())
    }
}

/// An exit for people.
fn gap<G: Game>(root: &Node<G>, exit: &Exit, all: u64) -> Gap {
    let found = (exit.from == root.key).then(|| replayed(root, &exit.line)).flatten();
    let moved = |&(code, games): &(u16, u64)| GapMove {
        san: found.as_ref().and_then(|(node, _)| named(node, code)),
        code,
        games,
    };
    Gap {
        games: exit.games,
        share: exit.games as f64 / all.max(1) as f64,
        key: format!("{:016x}", exit.key),
        moves: exit.moves.iter().map(moved).collect(),
        line: found.map(|(_, moves)| moves),
        answered: exit.is_answered,
        numbers: Numbers::after(root.position.side(), 0),
    }
}

#[derive(Serialize)]
struct Followed {
    #[serde(flatten)]
    cover: Cover,
    /// Games that were in the book to their end.
    stayed: u64,
    /// Games that left, and came later to a position again at which the book has a move.
    returned: u64,
    /// Games that can't be read.
    skipped: u64,
    #[serde(flatten)]
    oddities: Oddities,
    /// How many exits there are.
    exits: u64,
    /// Those by which most games left.
    top: Vec<Gap>,
}

impl Figures for Followed {
    fn write(&self, out: &mut Output, plies: usize) -> io::Result<()> {
        let all = self.cover.games;
        let line = |out: &mut Output, name: &str, games: u64, what: &str| {
            writeln!(out, "{name:<11} {:>14}  {:>6}  {what}", grouped(games), percent(games, all))
        };
        writeln!(out, "games       {:>14}", grouped(all))?;
        line(out, "  stayed", self.stayed, "in the book to the end")?;
        line(out, "  left", self.cover.left, "by a move the book doesn't go on with")?;
        if self.cover.left_by_own_side > 0 {
            line(
                out,
                "  own side",
                self.cover.left_by_own_side,
                "by a move of the book's own side",
            )?;
        }
        if self.returned > 0 {
            writeln!(
                out,
                "  came back {:>14}  of those left, to where the book has a move",
                grouped(self.returned)
            )?;
        }
        if self.skipped > 0 {
            writeln!(out, "skipped     {:>14}  games that can't be read", grouped(self.skipped))?;
        }
        writeln!(out, "exits       {:>14}\n", grouped(self.exits))?;
        self.cover.write_plies(out, plies)?;
        if self.top.is_empty() {
            return Ok(());
        }
        write_gaps(out, "exits by which most games left", &self.top, self.cover.games)
    }

    fn draw(&self, out: &mut NewFile, title: &str, plies: usize) -> io::Result<()> {
        self.cover.draw(out, &format!("{title}: games answered within so many plies"), plies)
    }
}
