//! Games of an engine with book and overlay against one without, learned one after the other.

use super::told::Told;
use super::{Args, Lessons, Watching};
use crate::console::Meter;
use crate::failure::{Done, Failure, failure};
use crate::interrupt;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use tabia::{Book, Keyed};
use tabia_archives::Options;
use tabia_engines::{Command, Launch, Protocol};
use tabia_games::{Game, Known, Node, WithGame};
use tabia_grow::learning::{LostGame, LostGames, Occurrences, Overlay, Whose};
use tabia_match::{
    Allowance, Contest, Error, Facts, GamesFile, PlayedGame, Player, Rules, Scoring, Settings,
    record,
};

/// What the engine with the book is called in the file of games, and the other one.
const NAMES: [&str; 2] = ["book", "opponent"];
/// How often a game is tried in which an engine crashes or says what it may not.
const TRIES: u32 = 3;

/// Plays until there are so many games, and learns after each.
pub fn play(args: &Args, games: u32, book: &Book, known: &Known, meter: &Meter) -> Done<Told> {
    let Some(ending) = ending(known) else {
        let (book, game) = (args.book.display(), known.name());
        return Err(failure!("{book}: no protocol is known here for engines of {game}"));
    };
    if args.overlay.exists() {
        Overlay::check(&Book::open(&args.overlay)?, book)?;
    }
    let mut name = OsString::from(&args.overlay);
    name.push(format!("-games.{ending}"));
    let file = PathBuf::from(name);
    let is_new = [args.make(book, meter)?, !file.exists()];
    let playing = Playing { args, games, book, known, meter, file: &file };
    let told = known.clone().with(playing);
    if told.is_err() && is_new == [true, true] {
        clear_away(args, &file);
    }
    told
}

/// How names of files with games end that are played here.
fn ending(known: &Known) -> Option<&'static str> {
    match known {
        Known::Chess(_) => Some("pgn"),
        Known::Othello(_) => Some("ggf"),
        Known::Go(_) => Some("sgf"),
        _ => None,
    }
}

/// Removes what was made for games none of which could be played. What can't be removed stays.
fn clear_away(args: &Args, file: &Path) {
    if fs::metadata(file).is_ok_and(|file| file.len() == 0) {
        let _ = fs::remove_file(file);
        let _ = fs::remove_file(&args.overlay);
    }
}

struct Playing<'a> {
    args: &'a Args,
    games: u32,
    book: &'a Book,
    known: &'a Known,
    meter: &'a Meter,
    file: &'a Path,
}

impl WithGame for Playing<'_> {
    type Output = Done<Told>;

    fn with<G: Game>(self, start: &G) -> Done<Told> {
        let mut lessons = Lessons::open(self.args, self.book, self.meter)?;
        let contest = Contest::new(start, self.settings(start)?).map_err(told_of)?;
        let (mut file, done) =
            GamesFile::resume(self.file, contest.digest()).map_err(|error| match error {
                Error::OtherMatch { path } => failure!(
                    "{}: has games that were played otherwise, with another engine, book, limit, rule or seed: move it away, or take another overlay",
                    path.display()
                ),
                error => told_of(error),
            })?;
        let mut told = Told::of(self.args);
        done.values().for_each(|facts| drop(told.count(facts)));
        let mut before = Occurrences::default();
        if !done.is_empty() {
            before = self.learn_played(start, &mut lessons, &mut told)?;
        }
        let mut played: BTreeSet<u32> = (1..=self.games).collect();
        for game in (1..=self.games).filter(|game| !done.contains_key(game)) {
            played.remove(&game);
            let Some(game) = self.play(&contest, &played, game)? else {
                told.was_stopped = true;
                return Ok(told);
            };
            played.insert(game.facts.game);
            let text = record(&game, &contest.settings).map_err(told_of)?;
            file.append(&text).map_err(told_of)?;
            if game.facts.loser() == Some(0) {
                let lost = lost_game(start, self.book.header().keyed, &game, &mut before);
                told.note(lessons.learn(start, &lost)?);
            }
            let line = told.count(&game.facts);
            line.into_iter().for_each(|line| self.meter.note(&line));
            let (games, all) = (told.games, u64::from(self.games));
            self.meter.growing(games, all, || vec![format!("{games} of {all} games")]);
        }
        Ok(told)
    }
}

impl Playing<'_> {
    /// Learns the games that were played before, as far as they weren't learned.
    fn learn_played<G: Game>(
        &self,
        start: &G,
        lessons: &mut Lessons<'_>,
        told: &mut Told,
    ) -> Done<Occurrences> {
        let whose = Whose { player: NAMES[0].parse().ok(), side: None };
        let options = Options::new(self.known.clone());
        let archives = [self.file.to_owned()];
        let mut watching = Watching { meter: self.meter };
        let lost = LostGames::read(&archives, &options, &whose, self.book, &mut watching)?;
        for game in &lost.games {
            told.note(lessons.learn(start, game)?);
        }
        Ok(lost.occurrences)
    }

    /// Plays a game, again if an engine failed in it; none if the user wants to stop.
    fn play<G: Game>(
        &self,
        contest: &Contest<G>,
        others: &BTreeSet<u32>,
        game: u32,
    ) -> Done<Option<PlayedGame<G>>> {
        let mut last = None;
        for _ in 0..TRIES {
            let mut played = None;
            let ran = tabia_match::run(contest, others, 1, interrupt::flag(), |game| {
                played = Some(game);
                Ok(())
            });
            if interrupt::wanted() {
                return Ok(None);
            }
            ran.map_err(told_of)?;
            match played {
                Some(played) if played.facts.reason.fault().is_none() => return Ok(Some(played)),
                played => last = played,
            }
        }
        let failed = |played: PlayedGame<G>| {
            let Facts { reason, .. } = played.facts;
            let loser = played.facts.loser().map_or("an engine", |loser| NAMES[loser]);
            format!(": {loser} lost it by {reason}: {}", played.detail)
        };
        Err(failure!(
            "game {game} failed {TRIES} times{}; the games before it are learned",
            last.map(failed).unwrap_or_default()
        ))
    }

    fn settings<G: Game>(&self, start: &G) -> Done<Settings> {
        let Args { openings, seed, referee, limit, engine, .. } = self.args;
        let launch = engine.launch(start.name())?;
        let launch = launch.ok_or_else(|| failure!("which engine plays? give it behind `--`"))?;
        let opponent = match &self.args.opponent_engine {
            Some(command) => Launch {
                command: command.clone(),
                options: Vec::new(),
                setup: Vec::new(),
                ..launch.clone()
            },
            None => launch.clone(),
        };
        let komi = launch.komi.unwrap_or_default();
        let scoring = referee.as_ref().map_or(Scoring::Area, |command| {
            Scoring::Referee(Box::new(Launch {
                komi: launch.komi,
                ..Launch::new(command.clone(), Protocol::Gtp)
            }))
        });
        let each = limit.limit(Some(launch.protocol));
        let allowance = Allowance {
            nodes: each.nodes,
            depth: each.depth,
            movetime: each.movetime,
            clock: None,
        };
        let rules =
            Rules { allowance, patience: limit.patience(), scoring, komi, ..Rules::default() };
        let with_book = Launch { command: self.with_book(&launch)?, ..launch };
        let [first, second] = [(NAMES[0], with_book), (NAMES[1], opponent)]
            .map(|(name, launch)| Player { name: Some(name.to_owned()), launch });
        Ok(Settings {
            players: [first, second],
            rules,
            openings: openings.clone(),
            seed: *seed,
            shuffle: false,
            games: self.games,
        })
    }

    /// This command as a proxy before the engine, with book and overlay.
    fn with_book(&self, launch: &Launch) -> Done<Command> {
        let args = self.args;
        let tabia = std::env::current_exe()
            .map_err(|error| failure!("the command itself can't be found: {error}"))?;
        let mut words = vec![tabia.into_os_string(), "play".into(), "--quiet".into()];
        words.extend(["--protocol".into(), launch.protocol.to_string().into()]);
        words.extend(["--rule".into(), args.rule.to_string().into()]);
        words.extend(["--seed".into(), args.seed.to_string().into()]);
        words.extend(["--overlay".into(), args.overlay.clone().into_os_string()]);
        words.extend([args.book.clone().into_os_string(), "--".into()]);
        let engine = [launch.command.program()].into_iter();
        let engine = engine.chain(launch.command.arguments().iter().map(String::as_str));
        words.extend(engine.map(OsString::from));
        let words: Option<Vec<String>> =
            words.into_iter().map(|word| word.into_string().ok()).collect();
        words
            .and_then(Command::new)
            .ok_or_else(|| failure!("the name of book or overlay is no text"))
    }
}

/// A game that the book's side lost, as its file says it.
fn lost_game<G: Game>(
    start: &G,
    keyed: Keyed,
    game: &PlayedGame<G>,
    before: &mut Occurrences,
) -> LostGame {
    let from = game.history.start().clone();
    debug_assert_eq!(from.name(), start.name());
    let mut node = Node::start(from, keyed == Keyed::Line);
    let mut plies = Vec::with_capacity(game.history.plies().len());
    for (_, played) in game.history.plies() {
        plies.push((node.key, node.code(played)));
        node = node.after(played);
    }
    LostGame::of(game.facts.first, plies, before)
}

fn told_of(error: Error) -> Failure {
    failure!("{error}")
}
