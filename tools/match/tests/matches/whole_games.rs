//! Whole matches: the same with any number of workers, read back by tabia-archives, and what books
//! are counted as.

use crate::shared::{games, mocks, player};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use tabia::Keyed;
use tabia_engines::Protocol;
use tabia_games::go::Symmetry;
use tabia_games::{Checkers, Chess, ConnectFour, Game, Go, Known, Othello, Outcome, TicTacToe};
use tabia_grow::GameLine;
use tabia_match::{Openings, PlayedGame, Report, Settings};
use tabia_testing::program;

/// Where a game starts, the codes of its moves, and how it ended.
type Line = (u64, Vec<u16>, Outcome);

/// Plays a match of the game that starts here, and makes sure that archives' readers find its games
/// again in their text: the games, and the text.
fn read_back<G: Game>(
    start: G,
    known: fn(G) -> Known,
    ending: &str,
    settings: Settings,
    workers: usize,
) -> (Vec<PlayedGame<G>>, String) {
    let (games, text) = games(&start, settings, workers);
    let mut file = tempfile::Builder::new().suffix(ending).tempfile().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    let found = GameLine::read(&known(start), Keyed::Position, &[file.path().to_owned()]).unwrap();
    let found: Vec<Line> =
        found.into_iter().map(|line| (line.start, line.codes, line.outcome)).collect();
    assert_eq!(found, lines(&games));
    (games, text)
}

fn lines<G: Game>(games: &[PlayedGame<G>]) -> Vec<Line> {
    let line = |game: &PlayedGame<G>| {
        let codes = game.history.replay().map(|(position, played)| position.code(played));
        (game.history.start().key(), codes.collect(), game.facts.outcome)
    };
    games.iter().map(line).collect()
}

#[test]
fn chess_is_read_back_from_pgn() {
    let mut settings = mocks("uci chess --seed 1 --eval 30", "uci chess --seed 2 --book 3", 6);
    settings.openings = Openings::Random { plies: 5 };
    settings.players[0].name = Some("A \"quoted\\\" } name [x]".to_owned());
    let (_, text) = read_back(Chess::start(), Known::Chess, ".pgn", settings, 2);
    assert_eq!(text.matches("{book}").count(), 18, "{text}");
}

#[test]
fn chess_from_set_up_positions_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("suite.epd");
    let black = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - hmvc 0; fmvn 3;";
    std::fs::write(
        &file,
        format!("{black}\nbnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1\n"),
    )
    .unwrap();
    let mut settings = mocks("uci chess --seed 1", "uci chess --seed 2", 4);
    settings.openings = Openings::File(file);
    let (_, text) = read_back(Chess::start(), Known::Chess, ".pgn", settings, 1);
    assert!(text.contains("\n3... ") && text.contains("[Variant \"Chess960\"]"), "{text}");
}

#[test]
fn go_is_read_back_from_sgf() {
    let start = Go::start(7, Symmetry::Board).unwrap();
    let mut settings =
        mocks("gtp go-7 --seed 1 --length 12 --book 2", "gtp go-7 --seed 2 --length 20", 4);
    settings.openings = Openings::Random { plies: 3 };
    settings.players[1].name = Some("B\\ ] name".to_owned());
    let (games, _) = read_back(start, Known::Go, ".sgf", settings, 1);
    let holds = games.iter().all(|game| game.facts.shares[0].book_moves == 2);
    assert!(holds, "asked for behind each game");
}

#[test]
fn othello_is_read_back_from_ggf() {
    let mut settings = mocks("gtp othello --seed 1", "gtp othello --seed 2 illegal@25", 6);
    settings.openings = Openings::Random { plies: 6 };
    let (games, text) = read_back(Othello::start(), Known::Othello, ".ggf", settings, 1);
    let unfinished =
        games.iter().filter(|game| game.history.position().outcome().is_none()).count();
    assert_eq!(text.matches(":r]").count(), unfinished);
}

#[test]
fn draughts_are_read_back_from_pdn() {
    for start in [Checkers::english(), Checkers::international()] {
        let game = format!("gtp {} --seed", start.name());
        let mut settings = mocks(&format!("{game} 1 --book 2"), &format!("{game} 2 illegal@9"), 6);
        settings.openings = Openings::Random { plies: 4 };
        settings.players[0].name = Some("A \"quoted\\\" } name [x]".to_owned());
        let kind = if start.name() == "checkers" { "21" } else { "20" };
        let (games, text) = read_back(start, Known::Checkers, ".pdn", settings, 2);
        assert_eq!(text.matches(&format!("[GameType \"{kind}\"]")).count(), 6, "{text}");
        assert!(text.contains("illegal-move: `A1A8`"), "{text}");
        assert!(games.iter().all(|game| game.facts.shares[0].book_moves == 2), "asked for");
    }
}

#[test]
fn games_without_a_format_are_read_back_from_lines() {
    let mut settings = mocks("gtp connect4-5x4 --seed 1", "gtp connect4-5x4 --seed 2", 6);
    settings.openings = Openings::Random { plies: 2 };
    read_back(ConnectFour::start(5, 4).unwrap(), Known::ConnectFour, ".lines", settings, 1);
    let settings = mocks("gtp tic-tac-toe --seed 1", "gtp tic-tac-toe --seed 2 crash@3", 4);
    let (_, text) = read_back(TicTacToe::start(), Known::TicTacToe, ".lines", settings, 1);
    assert!(text.contains("# game 1: Mock 1 - Mock 2, crash: "), "{text}");
}

#[test]
fn the_number_of_workers_changes_nothing() {
    let of = |workers| {
        let mut settings = mocks("uci chess --seed 1", "uci chess --seeded", 9);
        settings.openings = Openings::Random { plies: 4 };
        let (games, _) = games(&Chess::start(), settings, workers);
        let facts: Vec<_> = games
            .iter()
            .map(|game| (game.facts.game, game.facts.opening, game.facts.first, game.facts.outcome))
            .collect();
        (facts, lines(&games))
    };
    let alone = of(1);
    let found = alone.0.iter().map(|facts| facts.0).collect::<Vec<_>>();
    assert_eq!(found, (1..=9).collect::<Vec<_>>(), "in order");
    assert_eq!(of(4), alone);
}

#[test]
fn engines_that_draw_are_told_another_seed_in_each_game() {
    let (games, _) =
        games(&Chess::start(), mocks("uci chess --seeded", "uci chess --seed 2", 8), 3);
    let different: BTreeSet<_> = lines(&games).into_iter().map(|(_, codes, _)| codes).collect();
    assert_eq!(different.len(), 8, "no game is another one");
}

#[test]
fn a_book_is_counted_in_moves_and_time() {
    let settings = mocks("uci chess --seed 1 --book 4 --slow 5", "uci chess --seed 2 --slow 5", 2);
    let (games, _) = games(&Chess::start(), settings, 1);
    let mut facts: BTreeMap<_, _> =
        games.iter().map(|game| (game.facts.game, game.facts.clone())).collect();
    for facts in facts.values_mut() {
        facts.shares[0].time = std::time::Duration::from_secs(3);
        facts.shares[1].time = std::time::Duration::from_secs(4);
    }
    let report = Report::new(
        "chess",
        "100 nodes a move".to_owned(),
        ["book".into(), "none".into()],
        2,
        &facts,
    );
    let [book, none] = &report.players;
    assert_eq!((book.book_moves_per_game, book.time_saved), (4.0, Some(0.25)));
    assert_eq!(book.book_share, 8.0 / book.moves as f64);
    assert_eq!((none.book_moves_per_game, none.time_saved), (0.0, None));
    assert_eq!(report.pairs.map(|pairs| pairs.iter().sum::<u32>()), Some(1));
    let text = report.to_string();
    let holds = text.contains("book moves 4.00 a game") && text.contains("time saved 25.0 %");
    assert!(holds, "{text}");
}

#[test]
fn stockfish_plays_by_our_rules() {
    let Some(stockfish) = program("stockfish") else { return };
    let mut settings = mocks("uci chess", "uci chess", 2);
    for each in &mut settings.players {
        *each = player(stockfish.to_str().unwrap().parse().unwrap(), Protocol::Uci);
    }
    settings.openings = Openings::Random { plies: 6 };
    let (games, text) = read_back(Chess::start(), Known::Chess, ".pgn", settings, 2);
    assert!(games.iter().all(|game| !game.facts.reason.is_fault()), "{text}");
}
