//! `tabia learn`: an overlay that makes a player leave the lines of its book that it loses with.

mod self_play;
mod told;

use crate::console::{Console, Meter};
use crate::engine_choice::{EngineChoice, LimitChoice};
use crate::failure::{Done, Failure, Verdict, failure};
use crate::reading::{Color, side};
use crate::values::{Named, one_of};
use crate::{games, headings, interrupt, place, stray};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use tabia::Book;
use tabia_archives::filter::PlayerName;
use tabia_archives::{IngestProgress, Observer, Options};
use tabia_build::ArchiveList;
use tabia_engines::Command;
use tabia_games::{Game, Known, WithGame};
use tabia_grow::learning::{
    LearnError, LearnedList, Lesson, LostGame, LostGames, Overlay, Scaling, Shape, Whose, learn,
};
use tabia_match::Openings;
use tabia_play::choice::RuleSpec;
use told::Told;

/// Learn which lines of a book to leave, from games that were lost
///
/// For every game that the book's side lost, the counts of the moves that it played from the book are
/// scaled: of the i-th of n moves wins times 1 - 0.2 i/n, losses times 1 + 0.2 i/n (Rollason 2007). So
/// the end of the line becomes much less likely, its beginning a little. Games won and drawn change
/// nothing. What is learned stands in an overlay, which `tabia play BOOK --overlay OVERLAY` lays over
/// the book; the book stays as it is. Counts in an overlay are hundredths of games, and `merge` keeps
/// them apart from games.
///
/// A game is learned once, however often it is read: the file OVERLAY-learned knows which were. Moves
/// from the book are those that the book knows.
///
/// With --self-play an engine with book and overlay plays games against the same engine without them,
/// and learns after each. The games go to OVERLAY-games.pgn (.sgf in Go, .ggf in Othello). Ctrl-C ends
/// it at any time, and the same command goes on; a larger number of games goes on too:
/// `tabia learn mine.tabia --book masters.tabia --self-play 10000 --nodes 20000 -- stockfish`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia learn tuned.tabia --book masters.tabia --color white league.pgn
  tabia learn tuned.tabia --book masters.tabia --color black --rate 10 club.pgn")]
pub struct Args {
    /// The overlay; made if it isn't there
    #[arg(value_name = "OVERLAY")]
    overlay: PathBuf,
    /// The book that it is laid over
    #[arg(long, value_name = "BOOK")]
    book: PathBuf,
    /// Archives of finished games, as `tabia build` reads them
    #[arg(
        value_name = "ARCHIVE",
        conflicts_with = "self_play",
        required_unless_present = "self_play"
    )]
    archives: Vec<PathBuf>,
    /// Who played from the book
    ///
    /// Every word must be in the name, one of them whole; with = before it there are no others.
    #[arg(long, value_name = "NAME", conflicts_with = "self_play")]
    player: Option<PlayerName>,
    /// Which color played from the book
    ///
    /// With --player only games in which he had it are learned.
    #[arg(long, value_enum, value_name = "COLOR", conflicts_with = "self_play")]
    color: Option<Color>,
    /// By how many percent the last move's counts are scaled
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100))]
    rate: u32,
    /// How much of that earlier moves get
    #[arg(long, value_name = "SHAPE", value_parser = one_of(SHAPES), default_value = "linear")]
    shape: Shape,
    /// Play until there are so many games, and learn
    #[arg(long, value_name = "N", requires = "engine", value_parser = clap::value_parser!(u32).range(1..=1_000_000), help_heading = headings::SELF_PLAY)]
    self_play: Option<u32>,
    /// The rule by which the book's side plays
    ///
    /// As `tabia play --rule` takes it. explore=5 rejects the book's moves in 5 % of the turns, so that
    /// the engine tries something of its own.
    #[arg(long, value_name = "RULE", default_value = "random,explore=5", requires = "self_play", help_heading = headings::SELF_PLAY)]
    rule: RuleSpec,
    /// Another engine to play against, as in a shell
    ///
    /// Without it the same engine plays, without the book.
    #[arg(long, value_name = "COMMAND", requires = "self_play", help_heading = headings::SELF_PLAY)]
    opponent_engine: Option<Command>,
    /// What games start from
    ///
    /// A file of openings, none, or random:PLIES. Games from set-up positions aren't learned.
    #[arg(long, value_name = "FILE", default_value = "none", requires = "self_play", help_heading = headings::SELF_PLAY)]
    openings: Openings,
    /// Where chance comes from
    #[arg(long, value_name = "N", default_value_t = 1, requires = "self_play", help_heading = headings::SELF_PLAY)]
    seed: u64,
    /// A GTP engine that counts games
    ///
    /// Without it they are counted by area, with all stones taken for alive.
    #[arg(long, value_name = "COMMAND", requires = "self_play", help_heading = headings::GO)]
    referee: Option<Command>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten, next_help_heading = headings::SELF_PLAY)]
    limit: LimitChoice,
    #[command(flatten)]
    engine: EngineChoice,
}

const SHAPES: &[Named<Shape>] = &[
    ("linear", Shape::Linear, "i/n for the i-th of n moves"),
    ("square", Shape::Square, "(i/n)^2: less at the start"),
    ("flat", Shape::Flat, "All of it"),
];

/// Learns.
pub fn run(args: &Args, console: &Console) -> Done {
    let meter = console.meter();
    let book = Book::open(&args.book)?;
    stray::warn(console, &book);
    Overlay::check_book(&book)?;
    place::check_distinct(&args.overlay, [args.book.as_path()])?;
    let known = games::of(book.header(), &args.book)?;
    let told = match args.self_play {
        Some(games) => self_play::play(args, games, &book, &known, &meter)?,
        None => from_archives(args, &book, &known, &meter)?,
    };
    told.print(console, args.json)?;
    match told.was_stopped {
        true => Err(Failure::Stopped(
            "interrupted: what was learned is in the overlay, and the same command goes on"
                .to_owned(),
        )),
        false => Ok(Verdict::Fine),
    }
}

/// Learns from games that others played.
fn from_archives(args: &Args, book: &Book, known: &Known, meter: &Meter) -> Done<Told> {
    if args.player.is_none() && args.color.is_none() {
        return Err(failure!("who played from the book? give --player NAME, or --color"));
    }
    if args.color.is_none() && args.archives.iter().any(|path| path == Path::new("-")) {
        return Err(failure!(
            "standard input is read once, and games of a player twice: give --color too, or a file"
        ));
    }
    let archives = ArchiveList::of(&args.archives)?;
    let paths = || archives.paths.iter().map(PathBuf::as_path);
    place::check_distinct(&args.overlay, paths())?;
    if args.overlay.exists() {
        Overlay::check(&Book::open(&args.overlay)?, book)?;
    }
    let whose =
        Whose { player: args.player.clone(), side: args.color.map(|color| side(known, color)) };
    let options = Options::new(known.clone());
    let lost = LostGames::read(&archives.paths, &options, &whose, book, &mut Watching { meter })?;
    if lost.played == 0 {
        let who =
            whose.player.map_or("no game".to_owned(), |player| format!("no game of `{player}`"));
        return Err(failure!(
            "{}: {who} could be read there{}",
            archives.paths.first().map(|path| path.display().to_string()).unwrap_or_default(),
            if archives.paths.len() > 1 { ", nor in the others" } else { "" }
        ));
    }
    let mut told = Told::of(args);
    (told.games, told.skipped) = (lost.played, lost.skipped);
    args.make(book, meter)?;
    let mut lessons = Lessons::open(args, book, meter)?;
    known.clone().with(Learning { games: &lost.games, lessons: &mut lessons, told: &mut told })?;
    Ok(told)
}

impl Args {
    /// Makes the overlay, if it isn't there; whether it was made.
    fn make(&self, book: &Book, meter: &Meter) -> Done<bool> {
        let is_new = !self.overlay.exists();
        if is_new {
            Overlay::create(&meter.env(), &self.overlay, book)?;
        }
        Ok(is_new)
    }
}

/// What is needed to learn a game.
struct Lessons<'a> {
    book: &'a Book,
    overlay: Overlay<'a>,
    list: LearnedList,
    scaling: Scaling,
}

impl<'a> Lessons<'a> {
    fn open(args: &Args, book: &'a Book, meter: &'a Meter) -> Done<Self> {
        let overlay = Overlay::open(meter.env(), &args.overlay, book)?;
        stray::refuse(&args.overlay, overlay.header().digest)?;
        let list = LearnedList::open(&args.overlay, overlay.sequence())?;
        let scaling = Scaling { rate: args.rate, shape: args.shape };
        Ok(Self { book, overlay, list, scaling })
    }

    fn learn<G: Game>(&mut self, start: &G, game: &LostGame) -> Result<Lesson, LearnError> {
        learn(start, self.book, &mut self.overlay, &mut self.list, game, &self.scaling)
    }
}

/// Games to be learned, of any kind.
struct Learning<'a, 'b> {
    games: &'a [LostGame],
    lessons: &'a mut Lessons<'b>,
    told: &'a mut Told,
}

impl WithGame for Learning<'_, '_> {
    type Output = Done<()>;

    fn with<G: Game>(self, start: &G) -> Done<()> {
        for game in self.games {
            if interrupt::wanted() {
                self.told.was_stopped = true;
                return Ok(());
            }
            self.told.note(self.lessons.learn(start, game)?);
        }
        Ok(())
    }
}

/// Shows how far reading has come, and stops where the user wants it.
struct Watching<'a> {
    meter: &'a Meter,
}

impl Observer for Watching<'_> {
    fn progress(&mut self, progress: &IngestProgress) -> ControlFlow<()> {
        self.meter.reading(progress)
    }
}
