//! Matches of our own search against itself, through the command: every game that has no engine of its
//! own is played to its end, from books and with learning, too.

use crate::stage::Stage;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tabia_engines::{Command, Launch, Limit, MoveHistory, Protocol};
use tabia_games::{Checkers, Game, Known, Othello, with_game};
use tabia_match::{
    Contest, EndReason, Learner, Openings, PlayedGame, Player, Rules, Settings, run,
};

const LONG: Duration = Duration::from_secs(120);

/// How the command is started with these arguments, as an engine that speaks GTP.
fn launch(args: &str) -> Launch {
    let command: Command = format!("'{}' {args}", env!("CARGO_BIN_EXE_tabia")).parse().unwrap();
    Launch { patience: LONG, ..Launch::new(command, Protocol::Gtp) }
}

/// A match between two commands.
fn contest<G: Game>(start: &G, players: [&str; 2], games: u32, openings: Openings) -> Contest<G> {
    let players = players.map(|args| Player { name: None, launch: launch(args), nodes: None });
    let rules = Rules { patience: LONG, ..Rules::default() };
    let settings = Settings { players, rules, openings, seed: 1, shuffle: false, games };
    Contest::new(start, settings).unwrap()
}

/// The games of a match, without those of these numbers.
fn play<G: Game>(contest: &Contest<G>, without: &BTreeSet<u32>) -> Vec<PlayedGame<G>> {
    let mut games = Vec::new();
    run(contest, without, 1, &AtomicBool::new(false), |game| {
        games.push(game);
        Ok(())
    })
    .unwrap();
    games
}

fn moves<G: Game>(game: &PlayedGame<G>) -> Vec<String> {
    game.history.replay().map(|(position, played)| position.notation(played)).collect()
}

/// Why the games of two searches of this game ended, which are played twice.
fn reasons<G: Game>(start: &G) -> BTreeSet<EndReason> {
    let engine = |nodes| format!("engine --game {} --nodes {nodes}", start.name());
    let (first, second) = (engine(20), engine(60));
    let contest = contest(start, [&first, &second], 4, Openings::Random { plies: 2 });
    let games = play(&contest, &BTreeSet::new());
    let again = play(&contest, &BTreeSet::new());
    assert!(games.iter().map(moves).eq(again.iter().map(moves)), "{}", start.name());
    games.iter().map(|game| game.facts.reason).collect()
}

#[test]
fn every_game_but_chess_is_played_to_its_end_and_the_same_again() {
    for name in ["checkers", "draughts-10", "connect4-7x6", "tic-tac-toe", "othello", "go-5"] {
        let known = Known::all().find(|known| known.name() == name).unwrap();
        let reasons = with_game!(known, start => reasons(start));
        assert!(reasons.iter().all(|reason| !reason.is_fault()), "{name}: {reasons:?}");
    }
}

/// What moves are worth is the same by GTP as within the process, but for what GTP can't say.
#[test]
fn moves_are_ranked_over_gtp_as_within() {
    fn ranked<G: Game>(start: G, line: &str) {
        let mut history = MoveHistory::new(start.clone());
        for word in line.split(' ') {
            let played = history.position().parse_move(word).unwrap();
            history.play(&played);
        }
        let mut among = Vec::new();
        history.position().legal_moves(&mut among);
        let mut engine =
            launch(&format!("engine --game {} --nodes 500", start.name())).start::<G>().unwrap();
        engine.new_game(&start).unwrap();
        let theirs = engine.rank(&history, &among, 3, &Limit::default(), LONG).unwrap();
        let limit = Limit { nodes: Some(500), ..Limit::default() };
        let mut own = tabia_search::engine::<G>();
        let ours = own.rank(&history, &among, 3, &limit, LONG).unwrap();
        let shown = |ranking: &tabia_engines::Ranking<G::Move>| {
            let each = ranking.moves.iter().map(|one| (one.played.clone(), one.eval));
            (each.collect::<Vec<_>>(), ranking.nodes)
        };
        assert_eq!(shown(&theirs), shown(&ours));
    }
    ranked(Checkers::english(), "11-15 22-18 15x22");
    ranked(Checkers::international(), "32-28 19-23 28x19");
    ranked(Othello::start(), "f5 d6 c3");
}

/// A player with a book that learns each game loses none twice in the same way, though its opponent,
/// who looks further, always answers the same (Buro 1999).
#[test]
fn draughts_are_not_lost_twice_in_the_same_way() {
    let stage = Stage::new();
    stage.good("grow -q mine.tabia --game checkers --depth 1 --budget 0expansions");
    let book = stage.path("mine.tabia");
    let first = format!(
        "play -q --protocol gtp '{}' --rule negamax -- '{}' engine --game checkers --depth 1",
        book.display(),
        env!("CARGO_BIN_EXE_tabia")
    );
    let start = Checkers::english();
    let players = [first.as_str(), "engine --game checkers --depth 3"];
    let contest = contest(&start, players, 8, Openings::None);
    let limit = Limit { nodes: Some(100), ..Limit::default() };
    let learner = Learner { book, launch: None, limit, patience: LONG };
    let mut lost = Vec::new();
    for number in 1..=8 {
        let others = (1..=8).filter(|&other| other != number).collect();
        for game in play(&contest, &others) {
            assert!(!game.facts.reason.is_fault(), "{:?}", game.facts);
            let note = |note: &str| println!("{note}");
            learner.learn(&game, contest.digest(), &AtomicBool::new(false), &note).unwrap();
            lost.extend((game.facts.loser() == Some(0)).then(|| moves(&game)));
        }
    }
    let different: BTreeSet<_> = lost.iter().collect();
    assert!(lost.len() > 1, "the opponent is better");
    assert_eq!(different.len(), lost.len());
}
