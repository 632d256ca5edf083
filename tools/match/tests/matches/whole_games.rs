//! Whole matches: the same with any number of workers, read back by tabia-archives, and what books
//! are counted as.

use crate::shared::{games, mocks, player};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io::Write;
use std::path::PathBuf;
use tabia_archives::{GameRecord, GameSink, Options, Origin, ingest};
use tabia_engines::Protocol;
use tabia_games::go::Symmetry;
use tabia_games::{Checkers, Chess, ConnectFour, Game, Go, Known, Othello, Outcome, TicTacToe};
use tabia_match::{Openings, PlayedGame, Report};
use tabia_testing::program;

/// What archives' readers have of games: the keys of the positions moved from, the codes, and how
/// each ended.
#[derive(Default)]
struct Read(Vec<(Vec<(u64, u16)>, Outcome)>);

impl GameSink for Read {
    type Error = Infallible;

    fn game(&mut self, game: &GameRecord, _: Origin) -> Result<(), Infallible> {
        self.0.push((game.plies.iter().map(|ply| (ply.key, ply.code)).collect(), game.outcome));
        Ok(())
    }
}

/// Games as archives' readers find them in a text.
fn read_back(text: &str, ending: &str, game: Known) -> Read {
    let mut file = tempfile::Builder::new().suffix(ending).tempfile().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    let (options, mut read) = (Options { game, ..Options::default() }, [Read::default()]);
    ingest(&[PathBuf::from(file.path())], &options, &mut read, &mut ()).unwrap();
    let [read] = read;
    read
}

fn as_read<G: Game>(games: &[PlayedGame<G>]) -> Vec<(Vec<(u64, u16)>, Outcome)> {
    let plies = |game: &PlayedGame<G>| {
        game.history
            .replay()
            .map(|(position, played)| (position.key(), position.code(played)))
            .collect()
    };
    games.iter().map(|game| (plies(game), game.facts.outcome)).collect()
}

#[test]
fn chess_is_read_back_from_pgn() {
    let mut settings = mocks("uci chess --seed 1 --eval 30", "uci chess --seed 2 --book 3", 6);
    settings.openings = Openings::Random { plies: 5 };
    settings.players[0].name = Some("A \"quoted\\\" } name [x]".to_owned());
    let (games, text) = games(&Chess::start(), settings, 2);
    assert_eq!(read_back(&text, ".pgn", Known::Chess(Chess::start())).0, as_read(&games));
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
    let (games, text) = games(&Chess::start(), settings, 1);
    assert_eq!(read_back(&text, ".pgn", Known::Chess(Chess::start())).0, as_read(&games));
    assert!(text.contains("\n3... ") && text.contains("[Variant \"Chess960\"]"), "{text}");
}

#[test]
fn go_is_read_back_from_sgf() {
    let start = Go::start(7, Symmetry::Board).unwrap();
    let mut settings =
        mocks("gtp go-7 --seed 1 --length 12 --book 2", "gtp go-7 --seed 2 --length 20", 4);
    settings.openings = Openings::Random { plies: 3 };
    settings.players[1].name = Some("B\\ ] name".to_owned());
    let (games, text) = games(&start, settings, 1);
    assert_eq!(read_back(&text, ".sgf", Known::Go(start)).0, as_read(&games));
    let holds = games.iter().all(|game| game.facts.shares[0].book_moves == 2);
    assert!(holds, "asked for behind each game");
}

#[test]
fn othello_is_read_back_from_ggf() {
    let mut settings = mocks("gtp othello --seed 1", "gtp othello --seed 2 illegal@25", 6);
    settings.openings = Openings::Random { plies: 6 };
    let (games, text) = games(&Othello::start(), settings, 1);
    assert_eq!(read_back(&text, ".ggf", Known::Othello(Othello::start())).0, as_read(&games));
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
        let (games, text) = games(&start, settings, 2);
        assert_eq!(read_back(&text, ".pdn", Known::Checkers(start.clone())).0, as_read(&games));
        let kind = if start.name() == "checkers" { "21" } else { "20" };
        assert_eq!(text.matches(&format!("[GameType \"{kind}\"]")).count(), 6, "{text}");
        assert!(text.contains("illegal-move: `A1A8`"), "{text}");
        assert!(games.iter().all(|game| game.facts.shares[0].book_moves == 2), "asked for");
    }
}

#[test]
fn games_without_a_format_are_read_back_from_lines() {
    let mut settings = mocks("gtp connect4-5x4 --seed 1", "gtp connect4-5x4 --seed 2", 6);
    settings.openings = Openings::Random { plies: 2 };
    let start = ConnectFour::start(5, 4).unwrap();
    let (found, text) = games(&start, settings, 1);
    assert_eq!(read_back(&text, ".lines", Known::ConnectFour(start)).0, as_read(&found));
    let settings = mocks("gtp tic-tac-toe --seed 1", "gtp tic-tac-toe --seed 2 crash@3", 4);
    let (found, text) = games(&TicTacToe::start(), settings, 1);
    let known = Known::TicTacToe(TicTacToe::start());
    assert_eq!(read_back(&text, ".lines", known).0, as_read(&found));
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
        (facts, as_read(&games))
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
    let lines: std::collections::BTreeSet<_> =
        as_read(&games).into_iter().map(|game| format!("{game:?}")).collect();
    assert_eq!(lines.len(), 8, "no game is another one");
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
    let (games, text) = games(&Chess::start(), settings, 2);
    assert!(games.iter().all(|game| !game.facts.reason.is_fault()), "{text}");
    assert_eq!(read_back(&text, ".pgn", Known::Chess(Chess::start())).0, as_read(&games));
}

#[test]
fn grhino_plays_by_our_rules() {
    let Some(grhino) = program("gtp-rhino") else { return };
    let mut settings = mocks("gtp othello", "gtp othello", 2);
    for each in &mut settings.players {
        *each = player(format!("{} --level 1", grhino.display()).parse().unwrap(), Protocol::Gtp);
    }
    let (games, text) = games(&Othello::start(), settings, 2);
    assert!(games.iter().all(|game| game.facts.reason == tabia_match::EndReason::Count), "{text}");
}
