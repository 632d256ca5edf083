//! Making a book, and adding to one: the plan carried out.

use crate::archive_list::ArchiveList;
use crate::dedup::{BookFingerprints, Copies, Fingerprints, NewLines};
use crate::error::{BuildError, Result};
use crate::facts::facts_of;
use crate::game_collector::named_games;
use crate::parts::Parts;
use crate::plan::BuildPlan;
use crate::run::{BuildObserver, Outcome, Run};
use crate::skipped_list::{SharedList, locked};
use crate::whole::{NewFiles, missing};
use std::collections::HashSet;
use std::path::Path;
use std::sync::{Arc, PoisonError};
use tabia::format::{Digest, Header, Source};
use tabia::storage::folder_of;
use tabia::stream::{MinGames, RowSet};
use tabia::{
    AtomicFile, Beside, BookFile, BookFiles, Column, Duplicates, Env, Error, Fact, MoveRow, Writer,
};
use tabia_archives::{Filtered, Reason, Stats, formats};
use tabia_gamefile::{
    GameFile, GameFileHeader, GameSet, KeptGames, NewGameFile, SortedGames, UnpublishedGames,
    check_place, path_beside, united_games, write_games,
};
use tabia_games::Game;

/// The result of building a book.
#[derive(Debug)]
#[non_exhaustive]
pub struct Built {
    /// What the book says of itself.
    pub header: Header,
    /// What came of the games: how many were read, counted, skipped or filtered, for all archives
    /// and for each.
    pub games: Stats,
    /// Of each archive, how many games were left out as copies; none if that wasn't asked for.
    pub copies: Option<Copies>,
    /// What the file of games beside the book says of itself, if one was made.
    pub game_file: Option<GameFileHeader>,
    /// Games for which that file has no room: of more than 2^20 moves.
    pub too_large: u64,
}

/// Games that were added to a book.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Added {
    /// The sequence of the journal's frame that holds them; none if there was no archive to read.
    pub sequence: Option<u64>,
    /// What came of the games, for all archives and for each.
    pub games: Stats,
    /// Of each archive, how many games were left out as copies, of each other and of games in the
    /// book; none if that wasn't asked for.
    pub copies: Option<Copies>,
    /// Where copies are left out, the archives of the book whose games' copies couldn't be told,
    /// because the file with their fingerprints isn't there or lacks them: these counted again.
    pub untold: Vec<Source>,
    /// What the file of games beside the book says of itself now, if there is one.
    pub game_file: Option<GameFileHeader>,
}

impl BuildPlan {
    /// Makes a book of the games of these archives. It gets its name when it is whole and durable.
    ///
    /// # Errors
    /// [`BuildError`](crate::BuildError): the plan contradicts itself, an archive can't be used or
    /// was read already, an interrupted build is in the way, the book exists and is not to be
    /// replaced, or the observer asked to stop; errors of the engine and the system.
    pub fn build(
        &self,
        env: &Env<'_>,
        archives: &ArchiveList,
        book: &Path,
        observer: &mut dyn BuildObserver,
    ) -> Result<Built> {
        self.check()?;
        let known = self.dedup.map(|(_, by)| Fingerprints::new(env.storage, book, by));
        let known = known.transpose()?;
        let parts = Parts::new(*env, self, &archives.paths, book);
        if self.games.is_some() {
            check_place(&path_beside(book), self.existing)?;
        }
        let mut run = self.run(*env, archives, book, known.as_ref(), Some(parts));
        run.gathers_games = self.games.is_some();
        let done = run.run(observer);
        let Outcome { rows, stats, copies, new_lines, games, list } =
            done.map_err(|error| run.after(error))?;
        if stats.games.games_in == 0 && !self.allow_empty {
            publish(list)?;
            run.parts.iter().for_each(Parts::remove);
            return Err(no_game(self, &stats));
        }
        let too_large = games.as_ref().map_or(0, SortedGames::too_large);
        let written = || -> Result<(Header, Option<GameFileHeader>)> {
            let sources = self.sources(archives, &stats, &[])?;
            let facts = facts_of(self, &sources, self.games.is_some())?;
            let mut files = NewFiles::default();
            files.fingerprints = with_new(known.as_ref(), new_lines.as_ref(), &sources)?;
            // A row is there because of a game, so that at least one is no condition.
            let min_games = if self.min_games > 1 { self.min_games } else { 0 };
            let (positions, moves) = (
                MinGames { rows: rows.positions(), min_games },
                MinGames { rows: rows.moves(), min_games },
            );
            if let Some(games) = games {
                let kept = self.games.unwrap_or_default();
                files.games = Some(self.new_games(env, book, kept, games, &stats, &moves, None)?);
            }
            let mut new = self
                .new_book()
                .load(self.load)
                .filter(self.filter)
                .packed(self.packed)
                .sources(sources)
                .facts(facts);
            if self.tables.positions {
                new = new.positions(&positions);
            }
            if self.tables.moves {
                new = new.moves(&moves);
            }
            ready(&list)?;
            let (companions, game_file) = files.into_companions();
            Ok((new.write_with(env, book, self.existing, companions)?, game_file))
        };
        let (header, game_file) = written().map_err(|error| run.after(error))?;
        if let Some(parts) = &run.parts {
            parts.remove();
        }
        publish(list).map_err(|error| BuildError::AfterAll(Box::new(error)))?;
        Ok(Built { header, games: stats, copies, game_file, too_large })
    }

    /// Adds the games of these archives to a book, as one batch of its journal: all of them or, if
    /// anything fails, none. The plan has to fit the book, see [`BuildPlan::fit`].
    ///
    /// ```
    /// use tabia::{Env, Writer};
    /// use tabia_build::{ArchiveList, BuildPlan};
    /// use tabia_games::{Chess, Known};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let (games, more, path) = (folder.path().join("games.pgn"), folder.path().join("more.pgn"), folder.path().join("games.tabia"));
    /// # std::fs::write(&games, "[Result \"1-0\"]\n\n1. e4 e5 1-0\n")?;
    /// # std::fs::write(&more, "[Result \"0-1\"]\n\n1. e4 c5 0-1\n")?;
    /// let mut plan = BuildPlan::new(Known::Chess(Chess::start()));
    /// plan.build(&Env::default(), &ArchiveList::of(&[games])?, &path, &mut ())?;
    ///
    /// let mut writer = Writer::open(Env::default(), &path)?;
    /// plan.fit(writer.header());
    /// let added = plan.add(&Env::default(), &ArchiveList::of(&[more])?, &path, &mut writer, &mut ())?;
    /// assert_eq!((added.sequence, added.games.games.games_in), (Some(1), 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`BuildPlan::build`].
    pub fn add(
        &self,
        env: &Env<'_>,
        archives: &ArchiveList,
        book: &Path,
        writer: &mut Writer<'_>,
        observer: &mut dyn BuildObserver,
    ) -> Result<Added> {
        self.check()?;
        let is_counts = |fact: &&Fact| fact.is_of_book() && fact.name() == Fact::COUNTS;
        if let Some(counts) = writer.facts().iter().find(is_counts) {
            return Err(BuildError::Plan(format!(
                "{}: its counts are {}, and games are counted apart from them (M-8): add them to a book of games",
                book.display(),
                counts.value()
            )));
        }
        let known = writer.sources().to_vec();
        if archives.paths.is_empty() {
            return Ok(Added::default());
        }
        // What an earlier writer left is settled, so that all files have their own names.
        let files = BookFiles::of(book);
        let beside = GameFile::open_if_there(files.path(BookFile::Games))?;
        let (path, facts) = (files.path(BookFile::Fingerprints), writer.facts().to_vec());
        let fingerprints = BookFingerprints::open(env.storage, path, &known, facts)?;
        if self.beside == Beside::Refuse
            && let Some(file) = missing(book, &fingerprints, beside.as_ref()).into_iter().next()
        {
            return Err(BuildError::Missing { path: book.to_owned(), file });
        }
        let fingerprints = self.dedup.map(|(_, by)| fingerprints.by(by)).transpose()?;
        let untold = fingerprints.iter().flat_map(|found| found.unknown(&known)).collect();
        // A batch is written at once, so that it has no parts; those of the book, which an interrupted
        // build may have left, stay.
        let beside = beside.filter(|_| self.read.wanted.columns.has(Column::GAME));
        let mut run = self.run(*env, archives, book, fingerprints.as_ref(), None);
        run.gathers_games = beside.is_some();
        let Outcome { rows, stats, copies, new_lines, games, list } = run.run(observer)?;
        // Games that are not wanted or known already are none that can't be read.
        let unread = stats.games.games_read == stats.games.skipped_games();
        if stats.games.games_in == 0 && unread && !self.allow_empty {
            publish(list)?;
            return Err(no_game(self, &stats));
        }
        let mut files = NewFiles::default();
        let sources = self.sources(archives, &stats, &known)?;
        let facts = facts_of(self, &sources, beside.is_some())?;
        files.fingerprints = with_new(fingerprints.as_ref(), new_lines.as_ref(), &sources)?;
        let (positions, moves) = (rows.positions(), rows.moves());
        if let (Some(games), Some(beside)) = (games, &beside) {
            let kept = beside.header().kept;
            files.games =
                Some(self.new_games(env, book, kept, games, &stats, &moves, Some(beside))?);
        }
        let mut positions = self.tables.positions.then(|| positions.rows()).transpose()?;
        let mut moves = self.tables.moves.then(|| moves.rows()).transpose()?;
        ready(&list)?;
        let (companions, game_file) = files.into_companions();
        let (positions, moves) =
            (positions.as_mut().map(|rows| rows as _), moves.as_mut().map(|rows| rows as _));
        let sequence = writer.append_rows(positions, moves, &sources, &facts, companions)?;
        publish(list).map_err(|error| BuildError::AfterAll(Box::new(error)))?;
        Ok(Added { sequence: Some(sequence), games: stats, copies, untold, game_file })
    }

    fn run<'a>(
        &'a self,
        env: Env<'a>,
        archives: &'a ArchiveList,
        book: &'a Path,
        known: Option<&'a Fingerprints<'a>>,
        parts: Option<Parts<'a>>,
    ) -> Run<'a> {
        Run {
            plan: self,
            env,
            archives,
            folder: folder_of(book),
            known,
            parts,
            gathers_games: false,
            gathered: Vec::new(),
        }
    }

    /// The file of games beside the book, still to be published: those that were gathered and, if
    /// only those are kept, that these moves name; and those that it has already.
    #[expect(clippy::too_many_arguments, reason = "all of what a build knows goes into it")]
    fn new_games<'e>(
        &self,
        env: &Env<'e>,
        book: &Path,
        kept: KeptGames,
        gathered: SortedGames<'e>,
        stats: &Stats,
        moves: &dyn RowSet<MoveRow>,
        beside: Option<&GameFile>,
    ) -> Result<UnpublishedGames<'e>> {
        let archives: Vec<Digest> =
            stats.sources.iter().map(|source| Digest(source.digest)).collect();
        let games = match kept {
            KeptGames::All => gathered,
            KeptGames::Named => {
                let named = named_games(env, folder_of(book), moves, self.memory / 8)?;
                gathered.only_digests(named)
            }
        };
        let name = |text: &str| text.parse().expect("the names of games and keys are well formed");
        let new = NewGameFile {
            game: name(self.read.game.name()),
            keys: name(self.read.game.keys()),
            keyed: self.read.wanted.keyed,
            kept,
            memory: self.memory / 4,
            threads: self.threads,
        };
        let gathered = games.games(&archives);
        let sets = [Some(&gathered as &dyn GameSet), beside.map(|file| file as _)];
        let all = united_games(sets.into_iter().flatten().collect());
        Ok(write_games(env, &path_beside(book), &new, &all)?)
    }

    /// The archives as books remember them; none of them twice, and none that the book knows. Files
    /// without a game are none.
    fn sources(
        &self,
        archives: &ArchiveList,
        stats: &Stats,
        known: &[Source],
    ) -> Result<Vec<Source>> {
        let mut digests: HashSet<Digest> = known.iter().map(|source| source.digest).collect();
        let mut sources = Vec::new();
        for (path, read) in archives.paths.iter().zip(&stats.sources) {
            if read.games.games_read == 0 && self.read.slice.is_none() {
                continue;
            }
            let source = Source {
                digest: Digest(read.digest),
                games: read.games.games_in,
                name: read.name.clone(),
            };
            if !digests.insert(source.digest) && self.duplicates == Duplicates::Refuse {
                return Err(Error::DuplicateSource {
                    path: path.clone(),
                    name: source.name,
                    games: source.games,
                }
                .into());
            }
            sources.push(source);
        }
        Ok(sources)
    }
}

/// The fingerprints with those of new games, if there are any.
fn with_new<'a>(
    known: Option<&Fingerprints<'a>>,
    new: Option<&NewLines>,
    sources: &[Source],
) -> Result<Option<AtomicFile<'a>>> {
    Ok(known
        .zip(new)
        .map(|(known, new)| known.with_new(new, sources.iter().map(|source| source.digest)))
        .transpose()?)
}

/// Why no game was counted: the reasons with their numbers, the most frequent first; or what games
/// are read of.
fn no_game(plan: &BuildPlan, stats: &Stats) -> BuildError {
    let games = &stats.games;
    let skipped = Reason::ALL.into_iter().map(|reason| (games.skipped(reason), reason.name()));
    let filtered = Filtered::ALL.into_iter().map(|reason| (games.filtered(reason), reason.name()));
    let mut reasons: Vec<_> = skipped.chain(filtered).filter(|&(count, _)| count > 0).collect();
    reasons.sort_by_key(|&(count, _)| std::cmp::Reverse(count));
    let are_split = !plan.read.join_split;
    if games.games_read == 0 {
        let (game, formats) = (plan.read.game.name(), formats(&plan.read.game));
        let why = format!("give games of {game} as {formats}");
        return BuildError::NoGame { read: 0, why, are_split };
    }
    let why: Vec<_> = reasons.iter().map(|(count, name)| format!("{name} {count}")).collect();
    BuildError::NoGame { read: games.games_read, why: why.join(", "), are_split }
}

/// Makes the list of skipped games durable, so that nothing is left to do but to give it its name.
fn ready(list: &Option<SharedList<'_>>) -> Result<()> {
    list.as_ref().map_or(Ok(()), |list| locked(list).sync())
}

/// Gives the list of skipped games its name.
fn publish(list: Option<SharedList<'_>>) -> Result<()> {
    match list.and_then(Arc::into_inner) {
        Some(list) => list.into_inner().unwrap_or_else(PoisonError::into_inner).publish(),
        None => Ok(()),
    }
}
