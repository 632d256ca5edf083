//! Games of an engine with book and overlay against one without: the overlay learns each that the
//! book's side lost before the next one begins.

use crate::book_player::BookPlayer;
use crate::contest::Contest;
use crate::error::Error;
use crate::games_file::GamesFile;
use crate::record::record;
use crate::run::{TRIES, play_one, play_soundly};
use crate::settings::{Player, Settings};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use tabia_archives::{Observer, Options};
use tabia_engines::{Command, Launch};
use tabia_games::Known;
use tabia_grow::learning::{
    LearnError, Lessons, LostGame, LostGames, Occurrences, Span, Summary, Whose,
};

/// What the engine with the book is called in the file of games, and the other one.
const NAMES: [&str; 2] = ["book", "opponent"];

/// A match from which an overlay learns.
pub struct SelfPlay<'a> {
    /// The game.
    pub known: &'a Known,
    /// The match: the book's side is the first player.
    pub settings: Settings,
    /// The file of its games: a match that was interrupted goes on where this ends.
    pub file: &'a Path,
    /// Ends it before the next move when it is set.
    pub stop: &'a AtomicBool,
}

/// Why playing and learning goes no further. What was played is in the file, and learned.
#[derive(Debug, thiserror::Error)]
pub enum SelfPlayError {
    /// A game can't be learned.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// A game can't be played.
    #[error(transparent)]
    Match(#[from] Error),
    /// The games of the file are of another match.
    #[error("{}: has games that were played otherwise, with another engine, book, limit, rule or seed: move it away, or take another overlay", .0.display())]
    OtherGames(PathBuf),
    /// An engine failed in a game again and again.
    #[error("game {game} failed {TRIES} times: {why}; the games before it are learned")]
    Failed {
        /// Which game.
        game: u32,
        /// What happened the last time.
        why: String,
    },
}

impl<'a> SelfPlay<'a> {
    /// The file of the games that an overlay learns from; none if games of this kind aren't written
    /// with who played.
    pub fn file_of(overlay: &Path, known: &Known) -> Option<PathBuf> {
        let ending = match known {
            Known::Chess(_) => "pgn",
            Known::Othello(_) => "ggf",
            Known::Go(_) => "sgf",
            Known::Checkers(_) => "pdn",
            _ => return None,
        };
        let mut name = OsString::from(overlay);
        name.push(format!("-games.{ending}"));
        Some(name.into())
    }

    /// The players: the engine behind the book, and another one, or the same engine without.
    ///
    /// # Errors
    /// As [`BookPlayer::before`].
    pub fn players(
        book: &BookPlayer,
        engine: Launch,
        other: Option<&Command>,
    ) -> Result<[Player; 2], Error> {
        let with_book = book.before(&engine)?;
        let opponent = match other {
            None => engine,
            Some(command) => Launch {
                command: command.clone(),
                options: Vec::new(),
                setup: Vec::new(),
                ..engine
            },
        };
        let player =
            |name: &str, launch| Player { name: Some(name.to_owned()), launch, nodes: None };
        Ok([player(NAMES[0], with_book), player(NAMES[1], opponent)])
    }

    /// Plays the games that aren't in the file yet, and learns them and those of the file that
    /// aren't learned; whether it wasn't stopped. Calls `each` after a game, with the hundred that
    /// it ends.
    ///
    /// # Errors
    /// [`SelfPlayError`].
    pub fn play(
        self,
        lessons: &mut Lessons<'_>,
        summary: &mut Summary,
        observer: &mut dyn Observer,
        each: &mut dyn FnMut(u64, Option<&Span>),
    ) -> Result<bool, SelfPlayError> {
        let contest = Contest::new(self.known, self.settings.clone())?;
        let (mut file, done) =
            GamesFile::resume(self.file, contest.digest()).map_err(|error| match error {
                Error::OtherMatch(path) => SelfPlayError::OtherGames(path),
                error => error.into(),
            })?;
        for facts in done.values() {
            summary.count(facts.half_points());
        }
        let mut before = Occurrences::default();
        if !done.is_empty() {
            let whose = Whose { player: NAMES[0].parse().ok(), side: None };
            let (options, archives) = (Options::new(self.known.clone()), [self.file.to_owned()]);
            let lost = LostGames::read(&archives, &options, &whose, lessons.book(), observer)?;
            for game in &lost.games {
                summary.note(lessons.learn(self.known, game)?);
            }
            before = lost.occurrences;
        }
        for game in (1..=self.settings.games).filter(|game| !done.contains_key(game)) {
            let played = play_soundly(
                game,
                || play_one(&contest, game, self.stop),
                |game| game.facts.reason.is_fault(),
            );
            let played = played.map_err(|error| match error {
                Error::Void { game, why, .. } => SelfPlayError::Failed { game, why },
                error => error.into(),
            });
            let Some((game, _)) = played? else { return Ok(false) };
            file.append(&record(&game, &contest.settings)?)?;
            if game.facts.loser() == Some(0) {
                let line = game.in_book(lessons.book().header().keyed);
                let plies = line.nodes().iter().zip(line.moves());
                let plies = plies.map(|(node, played)| (node.key, node.code(played))).collect();
                let lost = LostGame::of(game.facts.first, plies, &mut before);
                summary.note(lessons.learn(self.known, &lost)?);
            }
            let games = summary.games + 1;
            each(games, summary.count(game.facts.half_points()));
        }
        Ok(true)
    }
}
