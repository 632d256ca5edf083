//! `tabia learn`: an overlay that makes a player leave the lines of its book that it loses with.

use crate::engine_choice::{EngineChoice, LimitChoice, own_program};
use crate::prelude::*;
use crate::reading::{Color, side};
use std::fs;
use tabia_archives::Options;
use tabia_archives::filter::PlayerName;
use tabia_engines::{Command, Launch, Protocol};
use tabia_grow::learning::{Lessons, LostGames, Overlay, Scaling, Shape, Span, Summary, Whose};
use tabia_match::{BookPlayer, Openings, Rules, Scoring, SelfPlay, Settings};
use tabia_play::choice::RuleSpec;

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
/// and learns after each. The games go to OVERLAY-games.pgn (.sgf in Go, .ggf in Othello, .pdn in draughts). Ctrl-C ends
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
    let learning = Learning { args, book: &book, known: &known, meter: &meter };
    let (summary, is_whole) = match args.self_play {
        Some(games) => learning.self_play(games)?,
        None => learning.archives()?,
    };
    Output::of_summary(console).show(args.json, &summary, Summary::write)?;
    if is_whole {
        return Ok(Verdict::Fine);
    }
    let said = "interrupted: what was learned is in the overlay, and the same command goes on";
    Err(Failure::Stopped(said.to_owned()))
}

#[derive(Clone, Copy)]
struct Learning<'a> {
    args: &'a Args,
    book: &'a Book,
    known: &'a Known,
    meter: &'a Meter,
}

/// What was learned, and whether it wasn't stopped.
type Learned = (Summary, bool);

impl<'a> Learning<'a> {
    /// Learns from games that others played.
    fn archives(&self) -> Done<Learned> {
        let Self { args, book, known, meter } = *self;
        if args.player.is_none() && args.color.is_none() {
            return Err(failure!("who played from the book? give --player NAME, or --color"));
        }
        if args.color.is_none() && args.archives.iter().any(|path| path == Path::new("-")) {
            return Err(failure!(
                "standard input is read once, and games of a player twice: give --color too, or a file"
            ));
        }
        let archives = ArchiveList::of(&args.archives)?;
        place::check_distinct(&args.overlay, archives.paths.iter().map(PathBuf::as_path))?;
        self.check_overlay()?;
        let whose =
            Whose { player: args.player.clone(), side: args.color.map(|color| side(known, color)) };
        let options = Options::new(known.clone());
        let lost = LostGames::read(&archives.paths, &options, &whose, book, &mut { meter })?;
        if lost.played == 0 {
            let who = whose
                .player
                .map_or("no game".to_owned(), |player| format!("no game of `{player}`"));
            return Err(failure!(
                "{}: {who} could be read there{}",
                archives.paths.first().map(|path| path.display().to_string()).unwrap_or_default(),
                if archives.paths.len() > 1 { ", nor in the others" } else { "" }
            ));
        }
        let mut summary = Summary::new(&args.overlay);
        (summary.games, summary.skipped) = (lost.played, lost.skipped);
        self.make_overlay()?;
        let mut lessons = self.lessons()?;
        for game in &lost.games {
            if interrupt::wanted() {
                return Ok((summary, false));
            }
            summary.note(lessons.learn(known, game)?);
        }
        Ok((summary, true))
    }

    /// Plays until there are so many games, and learns after each.
    fn self_play(self, games: u32) -> Done<Learned> {
        let Self { args, known, .. } = self;
        let Some(file) = SelfPlay::file_of(&args.overlay, known) else {
            let (book, game) = (args.book.display(), known.name());
            return Err(failure!(
                "{book}: games of {game} are not written with who played, so none can be learned"
            ));
        };
        self.check_overlay()?;
        let is_new = [self.make_overlay()?, !file.exists()];
        let learned = self.play(games, &file);
        let is_empty = || fs::metadata(&file).is_ok_and(|file| file.len() == 0);
        if learned.is_err() && is_new == [true, true] && is_empty() {
            // No game could be played. What can't be removed stays.
            let _ = fs::remove_file(&file);
            let _ = fs::remove_file(&args.overlay);
        }
        learned
    }

    fn check_overlay(&self) -> Done<()> {
        if self.args.overlay.exists() {
            Overlay::check(&Book::open(&self.args.overlay)?, self.book)?;
        }
        Ok(())
    }

    /// Makes the overlay, if it isn't there; whether it was made.
    fn make_overlay(&self) -> Done<bool> {
        let is_new = !self.args.overlay.exists();
        if is_new {
            Overlay::create(&self.meter.env(), &self.args.overlay, self.book)?;
        }
        Ok(is_new)
    }

    fn lessons(&self) -> Done<Lessons<'a>> {
        let Args { overlay, rate, shape, .. } = self.args;
        let scaling = Scaling { rate: *rate, shape: *shape };
        let lessons = Lessons::open(self.meter.env(), overlay, self.book, scaling)?;
        stray::refuse(overlay, lessons.overlay().header().digest)?;
        Ok(lessons)
    }

    /// Plays until there are so many games in the file, and learns after each.
    fn play(&self, all: u32, file: &Path) -> Done<Learned> {
        let Self { args, known, meter, .. } = *self;
        let mut lessons = self.lessons()?;
        let settings = self.settings(all)?;
        let playing = SelfPlay { known, settings, file, stop: interrupt::flag() };
        let mut summary = Summary::new(&args.overlay);
        let each = &mut |games: u64, span: Option<&Span>| {
            span.into_iter().for_each(|span| meter.note(&span.to_string()));
            meter.growing([games, all.into()], || vec![format!("{games} of {all} games")]);
        };
        let is_whole = playing.play(&mut lessons, &mut summary, &mut { meter }, each)?;
        Ok((summary, is_whole))
    }

    /// The match of which a game is learned after the other.
    fn settings(&self, games: u32) -> Done<Settings> {
        let Args { openings, seed, referee, limit, engine, .. } = self.args;
        let launch = engine.launch(self.known.name())?;
        let launch = launch.ok_or_else(|| failure!("which engine plays? give it behind `--`"))?;
        let komi = launch.komi;
        let scoring = referee.as_ref().map_or(Scoring::Area, |command| {
            let launch = Launch::new(command.clone(), Protocol::Gtp);
            Scoring::Referee(Box::new(Launch { komi, ..launch }))
        });
        let allowance = limit.limit(Some(launch.protocol));
        let (patience, komi) = (limit.patience(), komi.unwrap_or_default());
        let book = BookPlayer {
            program: own_program()?,
            book: self.args.book.clone(),
            overlay: Some(self.args.overlay.clone()),
            rule: self.args.rule.clone(),
            seed: *seed,
        };
        Ok(Settings {
            players: SelfPlay::players(&book, launch, self.args.opponent_engine.as_ref())?,
            rules: Rules { allowance, patience, scoring, komi, ..Rules::default() },
            openings: openings.clone(),
            seed: *seed,
            shuffle: false,
            games,
        })
    }
}
