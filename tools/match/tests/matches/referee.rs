//! Every way a game may end: by the rules, and by what an engine does wrong.

use crate::shared::{games, mock_command, mocks, player};
use std::collections::BTreeSet;
use std::process::Command;
use std::time::Duration;
use tabia_engines::{Clock, Limit, Protocol};
use tabia_games::go::Symmetry;
use tabia_games::{Chess, Go, Komi, Othello, Outcome, Side};
use tabia_match::{EndReason, Error, Openings, Report, Scoring, Settings};

/// How the two games of a pair of mocks end: which engine lost, and why.
fn ends(settings: Settings) -> Vec<(Option<usize>, EndReason)> {
    games(&Chess::start(), settings, 1)
        .0
        .iter()
        .map(|game| (game.facts.loser(), game.facts.reason))
        .collect()
}

#[test]
fn what_an_engine_does_wrong_loses_its_game_and_is_counted_apart() {
    // Illegal moves, time losses, missing answers and crashes.
    let (illegal, silent, crashed) = ([2, 0, 0, 0], [0, 0, 2, 0], [0, 0, 0, 2]);
    for (fault, reason, counted) in [
        ("illegal@3", EndReason::IllegalMove, illegal),
        ("nothing@1", EndReason::IllegalMove, illegal),
        ("crash@2", EndReason::Crash, crashed),
        ("close@2", EndReason::Crash, crashed),
        ("binary@2", EndReason::Crash, crashed),
        ("longline@2", EndReason::Crash, crashed),
        ("hang@2", EndReason::NoAnswer, silent),
    ] {
        let mut settings = mocks(&format!("uci chess --seed 1 {fault}"), "uci chess --seed 2", 2);
        if fault == "hang@2" {
            settings.rules.patience = Duration::from_secs(3);
        }
        let (games, text) = games(&Chess::start(), settings, 1);
        let found: Vec<_> =
            games.iter().map(|game| (game.facts.loser(), game.facts.reason)).collect();
        let wanted = [(Some(0), reason); 2];
        assert_eq!(found, wanted, "{fault}: with both sides, its engine started anew");
        let facts = games.iter().map(|game| (game.facts.game, game.facts.clone())).collect();
        let report = Report::new("chess", String::new(), ["a".into(), "b".into()], 2, &facts);
        let found = report.players.map(|player| {
            [player.illegal_moves, player.time_losses, player.no_answers, player.crashes]
        });
        assert_eq!((found, report.results), ([counted, [0; 4]], [0, 0, 2]), "{fault}");
        if fault == "crash@2" {
            let holds =
                text.contains("out of cheese") && text.contains("[Termination \"abandoned\"]");
            assert!(holds, "{text}");
        }
    }
}

#[test]
fn time_over_is_a_loss_with_a_clock_and_with_a_time_a_move() {
    let mut settings = mocks("uci chess --seed 1 --slow 700", "uci chess --seed 2", 1);
    settings.rules.allowance =
        Limit { clock: "0.5".parse().ok().map(Clock::start), ..Limit::default() };
    settings.rules.margin = Duration::from_millis(10);
    assert_eq!(ends(settings.clone()), [(Some(0), EndReason::TimeOver)]);
    settings.rules.allowance =
        Limit { movetime: Some(Duration::from_millis(200)), ..Limit::default() };
    assert_eq!(ends(settings.clone()), [(Some(0), EndReason::TimeOver)], "late");
    settings.players[0].launch.command = mock_command("uci chess hang@2");
    assert_eq!(ends(settings), [(Some(0), EndReason::TimeOver)], "never");
    assert!(EndReason::TimeOver.is_fault());
}

#[test]
fn games_end_by_the_rules_and_by_agreement() {
    let mut settings = mocks("uci chess --seed 1", "uci chess --seed 2", 1);
    assert_eq!(ends(settings.clone()), [(None, EndReason::PlyLimit)]);
    settings.rules.adjudication.draw = "10:3:5".parse().ok();
    let found = ends(settings.clone());
    assert_eq!(found, [(None, EndReason::PlyLimit)], "without evals nobody agrees");
    let [level, ahead, behind] =
        [0, 700, -700].map(|eval| mock_command(&format!("uci chess --eval {eval}")));
    for player in &mut settings.players {
        player.launch.command = level.clone();
    }
    let (drawn, _) = games(&Chess::start(), settings.clone(), 1);
    assert_eq!((drawn[0].facts.reason, drawn[0].facts.plies), (EndReason::AdjudicatedDraw, 10));
    settings.rules.adjudication.win = "600:4".parse().ok();
    (settings.players[0].launch.command, settings.players[1].launch.command) = (behind, ahead);
    let (won, text) = games(&Chess::start(), settings, 1);
    let found = (won[0].facts.reason, won[0].facts.plies, won[0].facts.outcome);
    assert_eq!(found, (EndReason::AdjudicatedWin, 8, Outcome::SecondWins));
    let holds = text.contains("[Termination \"adjudication\"]") && text.contains("{-7.00/7 ");
    assert!(holds, "{text}");
}

/// Random games end by all the rules there are; python-chess says where and why.
#[test]
fn python_chess_agrees_with_every_end() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/legality.py");
    // The one of tests/workspace.sh has the package.
    let python = std::env::var_os("TABIA_PYTHON").unwrap_or_else(|| "python3".into());
    let imported = Command::new(&python).args(["-c", "import chess"]).output();
    if !imported.is_ok_and(|output| output.status.success()) {
        return tabia_testing::skip("python3 with the package chess is not installed");
    }
    let folder = tempfile::tempdir().unwrap();
    let [suite, file] = ["suite.epd", "games.pgn"].map(|name| folder.path().join(name));
    // Bare endings come to their ends sooner than the start position.
    let endings = [
        "k7/8/K7/8/8/8/8/7R w - -",
        "4k3/8/8/8/3p4/8/4P3/4K3 w - -",
        "7k/8/8/8/8/8/8/KRR5 w - -",
        "8/P6k/8/8/8/8/p6K/8 w - -",
    ];
    std::fs::write(&suite, endings.map(|line| format!("{line}\n")).concat() + "e4 e5\nd4 d5\n")
        .unwrap();
    let mut settings = mocks("uci chess --seed 1", "uci chess --seed 2", 60);
    (settings.rules.most_plies, settings.openings) = (500, Openings::File(suite));
    let mut text = String::new();
    let mut reasons = BTreeSet::new();
    for seed in 1..=5 {
        settings.players[0].launch.command = mock_command(&format!("uci chess --seed {seed}"));
        settings.games = 12;
        let (played, written) = games(&Chess::start(), settings.clone(), 2);
        reasons.extend(played.iter().map(|game| game.facts.reason));
        text.push_str(&written);
    }
    std::fs::write(&file, text).unwrap();
    let checked = Command::new(&python).arg(script).arg(&file).arg("60").output().unwrap();
    assert!(
        checked.status.success(),
        "{}{}",
        String::from_utf8_lossy(&checked.stdout),
        String::from_utf8_lossy(&checked.stderr)
    );
    assert!(reasons.len() >= 4, "{reasons:?}");
}

#[test]
fn go_is_counted_by_us_or_by_a_referee() {
    let start = Go::start(5, Symmetry::Board).unwrap();
    let mut settings = mocks("gtp go-5 --seed 1 --length 5", "gtp go-5 --seed 2 --length 5", 2);
    let (by_area, _) = games(&start, settings.clone(), 1);
    for game in &by_area {
        let ahead = game.history.position().score(Komi::SEVEN_AND_A_HALF);
        let found = game.facts.outcome;
        assert_eq!(found, if ahead > 0.0 { Outcome::FirstWins } else { Outcome::SecondWins });
        assert_eq!(
            game.score.as_deref(),
            Some(format!("{}+{}", if ahead > 0.0 { 'B' } else { 'W' }, ahead.abs()).as_str())
        );
        assert_eq!((game.facts.reason, game.facts.plies), (EndReason::Count, 12));
    }
    let referee = player(mock_command("gtp go-5 --length 5"), Protocol::Gtp).launch;
    settings.rules.scoring = Scoring::Referee(Box::new(referee));
    let (by_referee, text) = games(&start, settings, 1);
    assert!(
        by_referee.iter().all(|game| game.facts.outcome == Outcome::FirstWins
            && game.score.as_deref() == Some("B+3.5"))
    );
    assert!(text.contains("RE[B+3.5]") && !text.contains("RU["), "{text}");
}

#[test]
fn resigning_loses_in_go() {
    let start = Go::start(5, Symmetry::Board).unwrap();
    let (games, text) =
        games(&start, mocks("gtp go-5 --seed 1 resign@3", "gtp go-5 --seed 2 --length 9", 2), 1);
    assert!(
        games.iter().all(
            |game| (game.facts.loser(), game.facts.reason) == (Some(0), EndReason::Resignation)
        )
    );
    assert!(text.contains("RE[W+R]") && text.contains("RE[B+R]"), "{text}");
}

#[test]
fn othello_is_counted_in_discs() {
    let (games, _) =
        games(&Othello::start(), mocks("gtp othello --seed 1", "gtp othello --seed 2", 4), 2);
    let mut seen = Vec::new();
    for game in games {
        let [black, white] = game.history.position().discs().map(u64::count_ones);
        assert_eq!(game.facts.reason, EndReason::Count);
        assert_eq!(
            game.facts.outcome.winner(),
            match black.cmp(&white) {
                std::cmp::Ordering::Greater => Some(Side::First),
                std::cmp::Ordering::Equal => None,
                std::cmp::Ordering::Less => Some(Side::Second),
            }
        );
        seen.push(game.facts.first);
    }
    assert_eq!(seen, [Side::First, Side::Second, Side::First, Side::Second], "sides are swapped");
}

#[test]
fn what_an_engine_cannot_be_asked_ends_the_match() {
    let mut settings = mocks("gtp go-5", "gtp go-5", 2);
    settings.rules.allowance.nodes = Some(10);
    let contest =
        tabia_match::Contest::new(&Go::start(5, Symmetry::Board).unwrap(), settings).unwrap();
    let stop = std::sync::atomic::AtomicBool::new(false);
    let ended =
        tabia_match::run(&contest, &std::collections::BTreeSet::new(), 2, &stop, |_| Ok(()));
    let Err(Error::Engine(error)) = ended else { panic!("{ended:?}") };
    assert!(matches!(error.fault, tabia_engines::Fault::Unsupported(_)), "{error}");
}
