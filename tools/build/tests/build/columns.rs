//! Columns beside moves: what is known of ratings, games and years goes to the right moves, and
//! depends on the games alone; so do digests of games.

use crate::shared::{Rows, build, file, folder_in_memory, rows_of};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tabia::format::Keyed;
use tabia::stream::Chunk;
use tabia::{BestGame, Columns, Duplicates, MoveRow, Ratings, Row, TableKind, Years};
use tabia_archives::{GameRecord, GameSink, Observer, Options, Skipped, Wanted, ingest};
use tabia_build::BuildPlan;
use tabia_build::dedup::{Dedup, SameBy};
use tabia_games::go::Symmetry;
use tabia_games::{Checkers, Chess, Game, Go, Known, Othello};

struct NoneSkipped;

impl Observer for NoneSkipped {
    fn skipped(&mut self, skipped: &Skipped) {
        panic!("{skipped}");
    }
}

/// Keeps the digests and years of games.
#[derive(Default)]
struct Digests(Vec<(u64, u16)>);

impl GameSink for Digests {
    type Error = std::convert::Infallible;

    fn game(&mut self, game: &GameRecord, _: tabia_archives::Origin) -> Result<(), Self::Error> {
        self.0.push((game.digest, game.year));
        Ok(())
    }
}

fn sets() -> Vec<Columns> {
    let all = ["ratings", "game", "years"].map(|name| tabia::Column::of_name(name).expect(name));
    let has = |set: usize, index: usize| set >> index & 1 == 1;
    let columns = |set| (0..3).filter(|&index| has(set, index)).map(|index| all[index]).collect();
    (0..8).map(columns).collect()
}

fn every() -> Columns {
    sets()[7]
}

fn wanting(columns: Columns, options: Options) -> Options {
    Options { wanted: Wanted { columns, ..options.wanted.clone() }, ..options }
}

/// How archives are read.
#[derive(Clone, Copy, Debug)]
struct How {
    threads: usize,
    memory: usize,
    dedup: Option<(Dedup, SameBy)>,
}

const PLAINLY: How = How { threads: 1, memory: 1 << 24, dedup: None };

fn rows(archives: &[PathBuf], options: &Options, how: How) -> Rows {
    let folder = folder_in_memory();
    let path = folder.path().join("book.tabia");
    let mut plan = BuildPlan::new(options.game.clone());
    (plan.threads, plan.memory, plan.dedup) = (how.threads, how.memory, how.dedup);
    (plan.read, plan.duplicates, plan.part_bytes) = (options.clone(), Duplicates::Allow, None);
    let built = build(&plan, archives, &path);
    assert_eq!(built.header.columns(TableKind::Moves), options.wanted.columns);
    rows_of(&path)
}

fn chess_rows(text: &str, columns: Columns) -> Chunk<MoveRow> {
    let (_folder, path) = file("games.pgn", text.as_bytes());
    rows(&[path], &wanting(columns, Options::default()), PLAINLY).1
}

/// What the columns say of a move from the start.
fn said_of(
    moves: &Chunk<MoveRow>,
    text: &str,
) -> (Option<Ratings>, Option<BestGame>, Option<Years>) {
    let start = Chess::start();
    let wanted = (start.key(), start.code(&start.parse_move(text).expect("a move")));
    let found = moves.iter().find(|row| (row.row.key(), row.row.code()) == wanted).expect("a row");
    (found.cells.get(), found.cells.get(), found.cells.get())
}

/// Two rated games with 1. e4 and one without ratings or a date; one with 1. d4 whose date is not
/// known.
const GAMES: &str = r#"
[White "Tal, Mikhail"]
[Black "Botvinnik, Mikhail"]
[Date "1960.03.15"]
[WhiteElo "2500"]
[BlackElo "2600"]
[Result "1-0"]

1. e4 c6 1-0

[White "A"]
[Black "B"]
[Date "2026.??.??"]
[WhiteElo "2800"]
[BlackElo "2700"]
[Result "0-1"]

1. e4 e5 0-1

[Result "1/2-1/2"]

1. e4 e5 1/2-1/2

[White "C"]
[Date "????.??.??"]
[Result "1-0"]

1. d4 1-0
"#;

#[test]
fn moves_have_the_first_and_the_last_year_and_the_best_game() {
    let moves = chess_rows(GAMES, every());
    let (ratings, game, years) = said_of(&moves, "e4");
    assert_eq!(ratings, Some(Ratings { mover_sum: 5300, opponent_sum: 5300, games: 2, score: 2 }));
    assert_eq!(years, Some(Years { first: Some(1960), last: Some(2026) }));
    let best = digests(GAMES, "games.pgn", Options::default())[1];
    assert_eq!(game, Some(BestGame { rank: 5500, digest: best }));
    let (ratings, game, years) = said_of(&moves, "d4");
    assert_eq!((ratings, years), (Some(Ratings::default()), Some(Years::default())));
    assert!(game.is_some_and(|game| game.rank == 0 && game.digest != 0));
}

#[test]
fn years_are_those_of_the_date_or_else_of_the_utc_date() {
    let of = |tags: &str| {
        let text = format!("{tags}\n[Result \"1-0\"]\n\n1. e4 1-0\n");
        said_of(&chess_rows(&text, sets()[4]), "e4").2.expect("years").first
    };
    assert_eq!(of("[Date \"2019.12.31\"]\n[UTCDate \"2020.01.01\"]"), Some(2019));
    assert_eq!(of("[Date \"????.??.??\"]\n[UTCDate \"2020.01.01\"]"), Some(2020));
    assert_eq!(of("[Date \"0000.00.00\"]"), None);
    assert_eq!(of("[EventDate \"1999.01.01\"]"), None);
}

#[test]
fn any_columns_together_say_what_they_say_alone() {
    let (_folder, path) = file("games.pgn", GAMES.as_bytes());
    let archives = [path];
    let of = |columns| rows(&archives, &wanting(columns, Options::default()), PLAINLY);
    let (positions, all) = of(every());
    for columns in sets() {
        let (some_positions, some) = of(columns);
        assert!(some_positions == positions && some.rows() == all.rows());
        assert_eq!(some.columns(), columns);
        let cells = all.iter().map(|row| row.cells.to(columns));
        assert!(some.iter().map(|row| row.cells).eq(cells), "{columns}");
    }
}

/// The digests and years of the games of an archive, none of which may be skipped.
fn digests_and_years_of(path: PathBuf, options: &Options) -> Vec<(u64, u16)> {
    let mut sinks = [Digests::default()];
    ingest(&[path], options, &mut sinks, &mut NoneSkipped)
        .unwrap_or_else(|error| panic!("{error}"));
    let [Digests(digests)] = sinks;
    digests
}

fn digests_and_years(text: impl AsRef<[u8]>, name: &str, options: Options) -> Vec<(u64, u16)> {
    let (_folder, path) = file(name, text.as_ref());
    digests_and_years_of(path, &wanting(every(), options))
}

fn digests(text: impl AsRef<[u8]>, name: &str, options: Options) -> Vec<u64> {
    digests_and_years(text, name, options).into_iter().map(|(digest, _)| digest).collect()
}

#[test]
fn a_game_has_one_digest_however_its_archive_writes_it() {
    let plain = "[White \"Tal, Mikhail\"]\n[Black \"Botvinnik, M\"]\n[Date \"1960.03.15\"]\n[Result \"1-0\"]\n\n1. e4 c6 2. Nf3 d5 1-0\n";
    let other = "[Result \"1-0\"]\n[ECO \"B11\"]\n[Annotator \"?\"]\n[Date \"1960-03-15\"]\n[UTCDate \"1960.03.16\"]\n[Black \" botvinnik,M\"]\n\
                 [WhiteElo \"2500\"]\n[White \"Tal,  Mikhail\"]\n\n{ A comment. } 1.e2e4! c6 (1... e5 2. Nf3) 2. Ng1-f3 $1 ; more\n d5\n{Black resigns} 1-0\n";
    let [plain, other] = [plain, other].map(|text| digests(text, "games.pgn", Options::default()));
    assert_eq!(plain, other);
    assert!(plain.len() == 1 && plain[0] != 0 && plain[0] < 1 << 48);
    let set_up = |fen: &str| format!("[FEN \"{fen}\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n");
    let [one, two, three] = ["4K3 w - - 0 1", "4K3 w - -", "3K4 w - - 0 1"].map(|end| {
        let text = set_up(&format!("4k3/8/8/8/8/8/4P3/{end}"));
        digests(text, "games.pgn", Options::default())
    });
    assert!(one == two && one != three, "counters of moves are no part of a start, pieces are");
    let line = digests("e4 c6 1-0\n", "a.lines", Options::default());
    assert_eq!(line, digests("1. e4 c6 1-0\n", "a.pgn", Options::default()));
}

/// The digest of a game is the same for a book of any keys, and whatever its filters and its depth
/// are.
#[test]
fn digests_dont_depend_on_the_book() {
    let othello = "[White \"W\"]\n[Black \"B\"]\n[Date \"2018\"]\n[Result \"1-0\"]\n\n1. F5 D6 2. C3 D3 1-0\n";
    let go = "(;GM[1]SZ[9]PB[B]PW[W]DT[1933-10-16]RE[B+1];B[cc];W[gg];B[cg];W[gc];B[ee])";
    let pdn = "[White \"W\"]\n[Black \"B\"]\n[Date \"1997.06.17\"]\n[Result \"1-0\"]\n\n1. 11-15 23-19 2. 8-11 22-17 1-0\n";
    let go_in = |symmetry| Known::Go(Go::start(9, symmetry).expect("a board"));
    let boards = [Othello::start(), Othello::without_symmetry()].map(Known::Othello);
    let goes = [Symmetry::None, Symmetry::Board, Symmetry::BoardAndColors].map(go_in);
    let (together, apart) = (Checkers::english(), Checkers::english().with_images_apart());
    let cases: [(&str, &str, u16, Vec<Known>); 4] = [
        (GAMES, "a.pgn", 1960, vec![Known::Chess(Chess::start())]),
        (othello, "a.pgn", 2018, boards.into()),
        (go, "a.sgf", 1933, goes.into()),
        (pdn, "a.pdn", 1997, [together, apart].map(Known::Checkers).into()),
    ];
    for (text, name, year, games) in cases {
        let mut all = BTreeSet::new();
        for game in games {
            for keyed in [Keyed::Position, Keyed::Line] {
                let wanted = Wanted { keyed, ..Wanted::default() };
                let options = Options { game: game.clone(), wanted, ..Options::default() };
                let found = digests_and_years(text, name, options);
                assert_eq!(found[0].1, year, "{name}");
                all.insert(found);
            }
        }
        assert_eq!(all.len(), 1, "{name}");
    }
}

#[test]
fn ggf_and_wthor_have_years_and_digests_of_their_own() {
    let othello = || Options { game: Known::Othello(Othello::start()), ..Options::default() };
    let ggf = "(;GM[Othello]PC[x]DT[2004.09.18_05:54:38.MDT]PB[a]PW[b]RE[+4.00]TY[8]B[f5]W[d6];)";
    assert_eq!(digests_and_years(ggf, "a.ggf", othello())[0].1, 2004);
    let pgn =
        "[Black \"a\"]\n[White \"b\"]\n[Date \"2004.09.18\"]\n[Result \"1-0\"]\n\nF5 D6 1-0\n";
    assert_eq!(digests(ggf, "a.ggf", othello()), digests(pgn, "a.pgn", othello()));

    // A header of WTHOR: 1 game of 1999; players 7 and 9; 33 discs; f5, d6.
    let mut wthor = vec![20, 5, 1, 1, 1, 0, 0, 0, 0, 0, 207, 7, 8, 0, 0, 24];
    wthor.extend_from_slice(&[0, 0, 7, 0, 9, 0, 33, 33, 56, 64]);
    wthor.resize(16 + 68, 0);
    let alone = digests_and_years(&wthor, "WTH_1999.wtb", othello());
    assert_eq!(alone[0].1, 1999);
    let tags =
        "[Black \"#7\"]\n[White \"#9\"]\n[Date \"1999\"]\n[Result \"33-31\"]\n\nF5 D6 33-31\n";
    // Players of WTHOR are their numbers.
    assert_eq!(alone[0].0, digests(tags, "a.pgn", othello())[0]);
    // With a file of names beside it.
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("WTH_1999.wtb");
    std::fs::write(&path, &wthor).expect("a file");
    let mut names = vec![20, 5, 1, 1, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0];
    (0..10).for_each(|number| {
        names.extend_from_slice(format!("{:<20}", format!("Player {number}\0")).as_bytes())
    });
    std::fs::write(folder.path().join("WTHOR.JOU"), names).expect("a file");
    assert_eq!(digests_and_years_of(path, &wanting(every(), othello())), alone);
}

/// In Go a move out of turn is one behind a pass, written or not.
#[test]
fn passes_of_go_count_in_a_digest_whether_they_are_written_or_not() {
    let of = |moves: &str| {
        let game = Known::Go(Go::start(9, Symmetry::Board).expect("a board"));
        let options = Options { game, ..Options::default() };
        digests(format!("(;GM[1]SZ[9]RE[B+1]{moves})"), "a.sgf", options)
    };
    assert_eq!(of(";B[cc];B[gg]"), of(";B[cc];W[];B[gg]"));
    assert_ne!(of(";B[cc];B[gg]"), of(";B[cc];W[gg]"));
}

/// All four sequences of a game's corners belong to that game.
#[test]
fn corners_have_the_digest_of_their_game() {
    let wanted = Wanted { corners: Some(4), keyed: Keyed::Line, ..Wanted::default() };
    let game = || Known::Go(Go::start(9, Symmetry::BoardAndColors).expect("a board"));
    let text = "(;GM[1]SZ[9]DT[1933]RE[B+1];B[cc];W[gg];B[cg];W[gc])";
    let corners =
        digests_and_years(text, "a.sgf", Options { game: game(), wanted, ..Options::default() });
    let whole = digests_and_years(text, "a.sgf", Options { game: game(), ..Options::default() });
    assert_eq!(corners, vec![whole[0]; 4]);
}

/// A made-up game: which moves, whose ratings, which year, which players.
type Made = (u8, u8, Option<u16>, u8);

fn game_of(&(moves, ratings, year, players): &Made) -> String {
    let open = ["e4 e5 Nf3", "e4 e5 Nf3 Nc6", "e4 e5 Nf3 Nc6 Bb5 a6"];
    let others = ["Nf3 Nf6 Ng1 Ng8 Nf3", "d4 d5", "e4 c5", "d4", "c4 e5"];
    let openings = [&open[..], &others].concat();
    let date = year.map_or("????.??.??".to_owned(), |year| format!("{year}.??.??"));
    let (white, black) = (2000 + u16::from(ratings), 2400 - u16::from(ratings) / 2);
    let elo = match ratings % 4 {
        0 => String::new(),
        1 => format!("[WhiteElo \"{white}\"]\n"),
        _ => format!("[WhiteElo \"{white}\"]\n[BlackElo \"{black}\"]\n"),
    };
    let result = ["1-0", "0-1", "1/2-1/2"][usize::from(ratings) % 3];
    let opening = openings[usize::from(moves) % openings.len()];
    format!(
        "[White \"Player {}\"]\n[Date \"{date}\"]\n{elo}[Result \"{result}\"]\n\n{opening} {result}\n\n",
        players % 3
    )
}

fn archive(folder: &Path, name: &str, games: &[Made]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, games.iter().map(game_of).collect::<String>()).expect("a file");
    path
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Threads, memory, the order of archives and where they are cut never show, and do not decide which
    /// copy of a game counts.
    #[test]
    fn cells_depend_on_the_games_alone(
        games in prop::collection::vec((any::<u8>(), any::<u8>(), prop::option::of(1900u16..2030), any::<u8>()), 1..60),
        cut in any::<prop::sample::Index>(),
        set in 1usize..8,
        threads in 1usize..4,
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let whole = [archive(folder.path(), "whole.pgn", &games)];
        let (first, second) = games.split_at(cut.index(games.len() + 1));
        let parts = [archive(folder.path(), "b.pgn", second), archive(folder.path(), "a.pgn", first)];
        let options = Options { chunk_bytes: 300, ..wanting(sets()[set], Options::default()) };
        let dedups = [None, Some((Dedup::Exact, SameBy::Moves)), Some((Dedup::Prefix, SameBy::Moves)), Some((Dedup::Exact, SameBy::MovesAndPlayers))];
        for dedup in dedups {
            let options = Options { wanted: Wanted { players: dedup.is_some(), ..options.wanted.clone() }, ..options.clone() };
            let expected = rows(&whole, &options, How { dedup, ..PLAINLY });
            for (archives, memory) in [(&whole[..], 0), (&parts[..], 1 << 20), (&[parts[1].clone(), parts[0].clone()][..], 0)] {
                let found = rows(archives, &options, How { threads, memory, dedup });
                prop_assert!(found == expected, "{dedup:?} {memory}");
            }
        }
    }
}

/// Every sink is one for columns too.
#[test]
fn games_are_handed_on_without_digests_if_those_arent_wanted() {
    let (_folder, path) = file("games.pgn", GAMES.as_bytes());
    assert_eq!(digests_and_years_of(path, &Options::default()), [(0, 0); 4]);
}
