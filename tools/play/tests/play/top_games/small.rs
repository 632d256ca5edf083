//! Random small games of which many transpose, some are copies, and some go on where others end.

use crate::top_games::scan::{Scan, scan};
use std::collections::HashSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use tabia::format::Keyed;
use tabia::{Book, Column, Env, Existing};
use tabia_build::{ArchiveList, BuildPlan, KeptGames};
use tabia_gamefile::{GameFile, GameSet, StoredGame};
use tabia_games::{Checkers, Chess, Game, Go, Known, Othello, Replay, Side, WithGame};
use tabia_play::{GameFormat, TopGames, TopGamesPlan, game_text};
use tabia_testing::Rng;

/// Games as tags and moves, or as SGF.
struct Written(u64);

impl WithGame for Written {
    type Output = String;

    fn with<G: Game>(self, start: &G) -> String {
        let (mut random, mut text) = (Rng::new(self.0), String::new());
        for _ in 0..60 {
            let plies = 1 + random.index(7);
            let (mut position, mut words) = (start.clone(), Vec::new());
            for _ in 0..plies {
                let legal = position.legal();
                // Few moves, near the beginning and the end of the list.
                let choice = [0, 1, legal.len().saturating_sub(2)][random.index(3)];
                let Some(played) = legal.get(choice).cloned() else { break };
                words.push((position.side(), position.notation(&played)));
                position.play(&played);
            }
            let result = random.index(3);
            let elo = [0, 1, 2].map(|_| [0, 2400, 2500, 2600][random.index(4)]);
            let (names, year) = ([random.index(3), random.index(3)], 1990 + random.index(2));
            if start.name().starts_with("go-") {
                let size = &start.name()[3..];
                let result = ["B+1.5", "W+R", "0"][result];
                let _ = write!(
                    text,
                    "(;SZ[{size}]RE[{result}]DT[{year}]PB[P{}]PW[P{}]",
                    names[0], names[1]
                );
                let _ = write!(text, "BR[{}]WR[{}]", elo[0], elo[1]);
                for (side, word) in words {
                    let point = if word == "pass" { String::new() } else { point(&word, size) };
                    let _ =
                        write!(text, ";{}[{point}]", if side == Side::First { 'B' } else { 'W' });
                }
                text.push_str(")\n");
                continue;
            }
            let result = match (start.name(), result) {
                ("othello", result) => ["40-24", "32-32", "20-44"][result],
                (_, result) => ["1-0", "1/2-1/2", "0-1"][result],
            };
            let _ = writeln!(
                text,
                "[White \"P{}\"]\n[Black \"P{}\"]\n[Date \"{year}.05.??\"]",
                names[0], names[1]
            );
            let _ = writeln!(text, "[Event \"<script>{}\"]", random.index(4));
            let _ = writeln!(
                text,
                "[WhiteElo \"{}\"]\n[BlackElo \"{}\"]\n[Result \"{result}\"]\n",
                elo[0], elo[1]
            );
            for (number, (_, word)) in words.iter().enumerate() {
                if number.is_multiple_of(2) {
                    let _ = write!(text, "{}. ", number / 2 + 1);
                }
                let _ = write!(text, "{word} ");
            }
            let _ = writeln!(text, "{result}\n");
        }
        text
    }
}

/// A point as SGF has it.
fn point(vertex: &str, size: &str) -> String {
    let column = "ABCDEFGHJKLMNOPQRST".find(&vertex[..1]).unwrap() as u8;
    let row = size.parse::<u8>().unwrap() - vertex[1..].parse::<u8>().unwrap();
    [column, row].map(|number| char::from(b'a' + number)).iter().collect()
}

/// An archive of such games, in a folder.
fn archive(folder: &Path, known: &Known, seed: u64) -> PathBuf {
    let ending = if matches!(known, Known::Go(_)) { "sgf" } else { "pgn" };
    let path = folder.join(format!("{seed}.{ending}"));
    fs::write(&path, known.with(Written(seed))).unwrap();
    path
}

fn plan(known: &Known) -> BuildPlan {
    let mut plan = BuildPlan::new(known.clone());
    plan.read.wanted.columns = [Column::GAME].into_iter().collect();
    plan.games = Some(KeptGames::All);
    plan.threads = 2;
    plan.existing = Existing::Replace;
    plan
}

/// Compares the top games of every position of a book with a scan.
struct Comparing<'a> {
    book: &'a Book,
    file: &'a GameFile,
    scan: &'a Scan,
    keyed: Keyed,
}

impl WithGame for Comparing<'_> {
    type Output = usize;

    fn with<G: Game>(self, start: &G) -> usize {
        let plan = TopGamesPlan::of_book(self.book, start.sides()).unwrap();
        let (mut games, mut game) = (self.file.games().unwrap(), StoredGame::default());
        let mut seen = HashSet::new();
        while games.next(&mut game).unwrap() {
            let mut replay =
                Replay::start(start, &game.setup, &game.moves, self.keyed == Keyed::Line).unwrap();
            for ply in 0.. {
                if plan.max_ply.is_some_and(|most| ply > most) {
                    break;
                }
                let node = replay.node().clone();
                // Of positions that a book for one side doesn't have nothing is known.
                let is_known = plan.side.is_none_or(|side| side == node.position.side());
                if seen.insert(node.key) && is_known {
                    for count in [1, 4, 1000] {
                        let plan = TopGamesPlan { count, ..plan };
                        let top = TopGames::of(self.book, self.file, &node, &plan).unwrap();
                        let orders: Vec<_> = top.games.iter().map(|top| top.game.order()).collect();
                        assert_eq!(
                            orders,
                            self.scan.top(node.key, count),
                            "{}",
                            node.position.setup()
                        );
                        assert!(top.is_complete && top.missing == 0);
                    }
                }
                let Some(played) = replay.next_move() else { break };
                replay.play(&played);
            }
            assert!(plan.max_ply.is_some() || replay.left() == 0);
        }
        seen.len()
    }
}

/// Builds a book of these archives by this plan, and compares all its positions.
fn compare(folder: &Path, plan: &BuildPlan, archives: &[PathBuf]) -> usize {
    let path = folder.join("book.tabia");
    plan.build(&Env::default(), &ArchiveList::of(archives).unwrap(), &path, &mut ()).unwrap();
    let book = Book::open(&path).unwrap();
    let file = GameFile::beside(&book).unwrap().unwrap();
    let scan = scan(archives, &plan.read, Scan { max_ply: plan.max_ply, ..Scan::default() });
    let keyed = plan.read.wanted.keyed;
    plan.read.game.with(Comparing { book: &book, file: &file, scan: &scan, keyed })
}

fn all() -> [Known; 5] {
    let go = Go::all().find(|go| go.name() == "go-5").unwrap();
    let draughts = Checkers::all().find(|game| game.name() == "draughts-10").unwrap();
    [
        Known::Chess(Chess::start()),
        Known::Othello(Othello::all().next().unwrap()),
        Known::Checkers(Checkers::all().next().unwrap()),
        Known::Checkers(draughts),
        Known::Go(go),
    ]
}

#[test]
fn top_games_are_those_of_a_full_scan() {
    let folder = tempfile::tempdir().unwrap();
    for known in all() {
        for seed in 0..4 {
            let archives =
                [archive(folder.path(), &known, seed), archive(folder.path(), &known, seed + 100)];
            let mut plan = plan(&known);
            let positions = compare(folder.path(), &plan, &archives);
            assert!(positions > 30, "{known:?}: {positions}");
            plan.max_ply = Some(3);
            compare(folder.path(), &plan, &archives);
            plan.max_ply = None;
            plan.side = Some(if seed % 2 == 0 { Side::First } else { Side::Second });
            compare(folder.path(), &plan, &archives);
            plan.side = None;
            plan.read.wanted.keyed = Keyed::Line;
            compare(folder.path(), &plan, &archives);
            plan.read.wanted.keyed = Keyed::Position;
            plan.games = Some(KeptGames::Named);
            let path = folder.path().join("named.tabia");
            let list = ArchiveList::of(&archives).unwrap();
            plan.build(&Env::default(), &list, &path, &mut ()).unwrap();
            let named = GameFile::open(tabia_gamefile::path_beside(&path)).unwrap();
            let missing =
                tabia_build::missing_games(&Env::default(), &Book::open(&path).unwrap(), &named, 0);
            assert_eq!(missing.unwrap(), 0);
        }
    }
}

#[test]
fn the_order_of_archives_threads_and_memory_do_not_show() {
    let folder = tempfile::tempdir().unwrap();
    let known = Known::Chess(Chess::start());
    let archives: Vec<_> = (0..3).map(|seed| archive(folder.path(), &known, seed)).collect();
    let bytes = |archives: &[PathBuf], threads: usize, memory: usize, kept| {
        let mut plan = plan(&known);
        (plan.threads, plan.memory, plan.games) = (threads, memory, Some(kept));
        let path = folder.path().join("book.tabia");
        plan.build(&Env::default(), &ArchiveList::of(archives).unwrap(), &path, &mut ()).unwrap();
        fs::read(tabia_gamefile::path_beside(&path)).unwrap()
    };
    for kept in [KeptGames::All, KeptGames::Named] {
        let first = bytes(&archives, 1, 64 << 20, kept);
        let mut other = archives.clone();
        other.rotate_left(1);
        assert!(bytes(&other, 2, 1 << 20, kept) == first);
        other.reverse();
        assert!(bytes(&other, 3, 300 << 20, kept) == first);
    }
}

struct Texts<'a>(&'a GameFile, GameFormat);

impl WithGame for Texts<'_> {
    type Output = String;

    fn with<G: Game>(self, start: &G) -> String {
        let (mut games, mut game) = (self.0.games().unwrap(), StoredGame::default());
        let mut text = String::new();
        while games.next(&mut game).unwrap() {
            text.push_str(&game_text(start, &game, self.1).unwrap());
        }
        text
    }
}

#[test]
fn games_as_text_are_the_same_games_when_they_are_read() {
    let folder = tempfile::tempdir().unwrap();
    for known in all() {
        let archives = [archive(folder.path(), &known, 5)];
        let (plan, path) = (plan(&known), folder.path().join("book.tabia"));
        plan.build(&Env::default(), &ArchiveList::of(&archives).unwrap(), &path, &mut ()).unwrap();
        let file = GameFile::open(tabia_gamefile::path_beside(&path)).unwrap();
        let usual = GameFormat::of(known.name());
        let mut formats = vec![usual];
        if matches!(known, Known::Othello(_)) {
            formats.push(GameFormat::Pgn);
        }
        for format in formats {
            let ending = match format {
                GameFormat::Pgn => "pgn",
                GameFormat::Pdn => "pdn",
                GameFormat::Sgf => "sgf",
                GameFormat::Ggf => "ggf",
            };
            let again = folder.path().join(format!("again.{ending}"));
            fs::write(&again, known.with(Texts(&file, format))).unwrap();
            let path = folder.path().join("again.tabia");
            plan.build(&Env::default(), &ArchiveList::of(&[again]).unwrap(), &path, &mut ())
                .unwrap();
            let other = GameFile::open(tabia_gamefile::path_beside(&path)).unwrap();
            let all = |file: &GameFile| {
                let (mut games, mut game, mut all) =
                    (file.games().unwrap(), StoredGame::default(), Vec::new());
                while games.next(&mut game).unwrap() {
                    let event =
                        if format == GameFormat::Ggf { String::new() } else { game.event.clone() };
                    let players = game.players.clone();
                    all.push((
                        game.digest,
                        game.result,
                        game.ratings,
                        game.year,
                        event,
                        players,
                        game.moves.clone(),
                    ));
                }
                all
            };
            assert_eq!(all(&file), all(&other), "{known:?} {format:?}");
        }
    }
}
