//! The top games of positions against a full scan of the archives they are from: random small games of
//! which many transpose, some are copies, and some go on where others end; and the master games.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use tabia::{Book, Column, Env, Existing, Keyed};
use tabia_archives::{GameRecord, GameSink, Observer, Options, Origin, ingest};
use tabia_build::{ArchiveList, BuildPlan, KeptGames};
use tabia_gamefile::{GameFile, GameSet, StoredGame};
use tabia_games::{Checkers, Chess, Game, Go, Known, Node, Othello, Replay, Side, with_game};
use tabia_play::{GameFormat, TopGames, TopGamesPlan, game_text, sgf};
use tabia_testing::{Rng, data};

/// Rank and digest of a game.
type Order = (u16, u64);

/// For each key the games that pass it, by reading archives: slow, and without book and file of games.
#[derive(Default)]
struct Scan {
    /// How many plies of a game count.
    max_ply: Option<u32>,
    /// The keys that are asked for; all if none.
    only: Option<HashSet<u64>>,
    games: HashMap<u64, Vec<Order>>,
}

impl Scan {
    fn of(self, archives: &[PathBuf], read: &Options) -> Self {
        let mut read = read.clone();
        read.wanted.columns = read.wanted.columns.with(Column::GAME);
        let mut sinks = [self];
        ingest(archives, &read, &mut sinks, &mut Nobody).unwrap();
        let [scan] = sinks;
        scan
    }

    /// The best games of a key.
    fn top(&self, key: u64, count: usize) -> Vec<Order> {
        let mut all = self.games.get(&key).cloned().unwrap_or_default();
        // Of copies of a game, some with ratings, the better one counts.
        all.sort_unstable_by(|one, other| other.cmp(one));
        let mut seen = HashSet::new();
        all.retain(|&(_, digest)| seen.insert(digest));
        all.truncate(count);
        all
    }
}

impl GameSink for Scan {
    type Error = std::convert::Infallible;

    fn game(&mut self, game: &GameRecord, _: Origin) -> Result<(), Self::Error> {
        let rank = game.ratings.map_or(0, |[first, second]| first.saturating_add(second));
        let most = self.max_ply.map_or(usize::MAX, |plies| plies as usize);
        let keys = game.plies.iter().map(|ply| ply.key).chain([game.last.0]);
        let keys: HashSet<u64> = keys.take(most.saturating_add(1)).collect();
        for key in keys {
            if self.only.as_ref().is_none_or(|only| only.contains(&key)) {
                self.games.entry(key).or_default().push((rank, game.digest));
            }
        }
        Ok(())
    }
}

struct Nobody;

impl Observer for Nobody {}

/// Games as tags and moves, or as SGF.
fn written<G: Game>(start: &G, seed: u64) -> String {
    let (mut random, mut text) = (Rng::new(seed), String::new());
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
        let (result, name) = (random.index(3), start.name());
        let [white, black] = [0, 1].map(|_| [0, 2400, 2500, 2600][random.index(4)]);
        let (one, other, year) = (random.index(3), random.index(3), 1990 + random.index(2));
        let mut moves = String::new();
        if let Some(size) = name.strip_prefix("go-") {
            for (side, word) in words {
                let point = sgf::point(&word, size.parse().unwrap());
                let side = if side == Side::First { 'B' } else { 'W' };
                let _ = write!(moves, ";{side}[{point}]");
            }
            let result = ["B+1.5", "W+R", "0"][result];
            let _ = writeln!(
                text,
                "(;SZ[{size}]RE[{result}]DT[{year}]PB[P{one}]PW[P{other}]BR[{white}]WR[{black}]{moves})"
            );
            continue;
        }
        for (number, (_, word)) in words.iter().enumerate() {
            let before = if number.is_multiple_of(2) {
                format!("{}. ", number / 2 + 1)
            } else {
                String::new()
            };
            let _ = write!(moves, "{before}{word} ");
        }
        let results =
            if name == "othello" { ["40-24", "32-32", "20-44"] } else { ["1-0", "1/2-1/2", "0-1"] };
        let _ = writeln!(
            text,
            "[White \"P{one}\"]\n[Black \"P{other}\"]\n[Date \"{year}.05.??\"]\n\
                 [Event \"<script>{}\"]\n[WhiteElo \"{white}\"]\n[BlackElo \"{black}\"]\n\
                 [Result \"{result}\"]\n\n{moves}{result}\n",
            random.index(4),
            result = results[result],
        );
    }
    text
}

/// An archive of such games, in a folder.
fn archive(folder: &Path, known: &Known, seed: u64) -> PathBuf {
    let ending = if matches!(known, Known::Go(_)) { "sgf" } else { "pgn" };
    let path = folder.join(format!("{seed}.{ending}"));
    fs::write(&path, with_game!(known, start => written(start, seed))).unwrap();
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

/// All games of a file.
fn stored(file: &GameFile) -> Vec<StoredGame> {
    let (mut games, mut game) = (file.games().unwrap(), StoredGame::default());
    let next = || games.next(&mut game).unwrap().then(|| game.clone());
    std::iter::from_fn(next).collect()
}

/// Compares the top games of every position of a book with a scan.
fn compared<G: Game>(start: &G, book: &Book, file: &GameFile, scan: &Scan) -> usize {
    let by_line = book.header().keyed == Keyed::Line;
    let plan = TopGamesPlan::of_book(book, start.sides()).unwrap();
    let mut seen = HashSet::new();
    for game in stored(file) {
        let mut replay = Replay::start(start, &game.setup, &game.moves, by_line).unwrap();
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
                    let top = TopGames::of(book, file, &node, &plan).unwrap();
                    let orders: Vec<_> = top.games.iter().map(|top| top.game.order()).collect();
                    assert_eq!(orders, scan.top(node.key, count), "{}", node.position.setup());
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

/// A book of these archives by this plan, and its games.
fn built(plan: &BuildPlan, archives: &[PathBuf], path: &Path) -> (Book, GameFile) {
    plan.build(&Env::default(), &ArchiveList::of(archives).unwrap(), path, &mut ()).unwrap();
    let book = Book::open(path).unwrap();
    let file = GameFile::beside(&book).unwrap().unwrap();
    (book, file)
}

/// Builds a book of these archives by this plan, and compares all its positions.
fn compare(folder: &Path, plan: &BuildPlan, archives: &[PathBuf]) -> usize {
    let (book, file) = built(plan, archives, &folder.join("book.tabia"));
    let scan = Scan { max_ply: plan.max_ply, ..Scan::default() }.of(archives, &plan.read);
    with_game!(plan.read.game, start => compared(start, &book, &file, &scan))
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
            let (book, named) = built(&plan, &archives, &folder.path().join("named.tabia"));
            let missing = tabia_build::missing_games(&Env::default(), &book, &named, 0);
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
        built(&plan, archives, &path);
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

#[test]
fn games_as_text_are_the_same_games_when_they_are_read() {
    let folder = tempfile::tempdir().unwrap();
    for known in all() {
        let archives = [archive(folder.path(), &known, 5)];
        let plan = plan(&known);
        let (_, file) = built(&plan, &archives, &folder.path().join("book.tabia"));
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
            let text =
                |game: &StoredGame| with_game!(known, start => game_text(start, game, format));
            let texts: Result<String, _> = stored(&file).iter().map(text).collect();
            fs::write(&again, texts.unwrap()).unwrap();
            let (_, other) = built(&plan, &[again], &folder.path().join("again.tabia"));
            let all = |file: &GameFile| -> Vec<_> {
                let said = |game: StoredGame| {
                    let event = Some(game.event).filter(|_| format != GameFormat::Ggf);
                    let facts = (game.digest, game.result, game.ratings, game.year);
                    (facts, event, game.players, game.moves)
                };
                stored(file).into_iter().map(said).collect()
            };
            assert_eq!(all(&file), all(&other), "{known:?} {format:?}");
        }
    }
}

/// Of 200 positions of the master games, if `../shared/data` is there. It takes minutes:
/// `cargo test --release -p tabia-play --test play -- --ignored`
#[test]
#[ignore = "minutes"]
fn top_games_of_200_positions_of_masters_are_those_of_a_full_scan() {
    let Some(data) = data("chess/masters.pgn.zst") else { return };
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let (archives, plan) = ([data], plan(&Known::Chess(Chess::start())));
    let (book, file) = built(&plan, &archives, &folder.path().join("masters.tabia"));
    let nodes = nodes(&file);
    let only = Some(nodes.iter().map(|node| node.key).collect());
    let scan = Scan { only, ..Scan::default() }.of(&archives, &plan.read);
    for node in &nodes {
        let plan = TopGamesPlan { count: 15, ..TopGamesPlan::default() };
        let top = TopGames::of(&book, &file, node, &plan).unwrap();
        let orders: Vec<_> = top.games.iter().map(|top| top.game.order()).collect();
        assert!(top.is_complete && top.missing == 0);
        assert_eq!(orders, scan.top(node.key, 15), "{node:?}");
    }
}

/// 200 positions: the start, and of games in steps through the file one after 1 to 40 plies each.
fn nodes(file: &GameFile) -> Vec<Node<Chess>> {
    let mut nodes = vec![Node::start(Chess::start(), false)];
    let mut random = Rng::new(0);
    while nodes.len() < 200 {
        let game = file.game(random.below(file.header().games)).unwrap();
        let mut replay = Replay::start(&Chess::start(), &game.setup, &game.moves, false).unwrap();
        for _ in 0..1 + nodes.len() % 40 {
            let Some(played) = replay.next_move() else { break };
            replay.play(&played);
        }
        if nodes.iter().all(|node| node.key != replay.node().key) {
            nodes.push(replay.node().clone());
        }
    }
    nodes
}
