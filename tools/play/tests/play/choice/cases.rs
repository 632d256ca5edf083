//! Each rule in cases small enough to be computed by hand.

use crate::memory::{Memory, history, judged};
use crate::shared::{Shelf, code, decided, name, new_book, player};
use tabia::stream::Chunk;
use tabia::{
    Cells, Counts, Flags, Keyed, Marks, MoveRow, PositionRow, Ratings, Results, TableKind,
    WithCells,
};
use tabia_games::{Chess, Game, Othello};
use tabia_play::Error;
use tabia_play::choice::{Books, Figure, GameHistory, Limits, RowLookup, RuleSpec, Seed};

/// Follows the cases of `cases.txt`, each of which begins with a book of both tables without rows.
/// Its lines fill the book, or say of each of some rules what it chooses after some moves (none is
/// `-`): `plays` which move, `why` why that one, `refuses` why none, `draws` that there is one, and
/// `needs` why the rule can do nothing with the book. At the start `out` says why a move is out of
/// the question (`-`: it isn't), `few` that it was played too seldom, and `figures` all that is told
/// of it.
#[test]
fn cases_are_decided() {
    tabia_testing::scripts(include_str!("cases.txt"), |script| {
        let mut book = Memory::default();
        for line in script.lines().filter(|line| !line.is_empty() && !line.starts_with("//")) {
            let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
            match filled(&book, verb, rest) {
                Some(next) => book = next,
                None => ask(&book, verb, rest),
            }
        }
    });
}

/// A book with what a line adds to it; nothing if the line adds nothing.
fn filled(book: &Memory, verb: &str, rest: &str) -> Option<Memory> {
    let book = book.clone();
    let (word, behind) = rest.split_once(' ').unwrap_or((rest, ""));
    Some(match verb {
        "book" => Memory::default(),
        "by" => Memory { keyed: Keyed::Line, ..book },
        "only" if word == "moves" => book.only(TableKind::Moves),
        "only" => book.only(TableKind::Positions),
        "without" => Memory { results: Results::Unknown, ..book },
        "here" => book.here(rest),
        "behind" => book.behind(rest),
        "made" => book.made(rest),
        "played" => book.played(rest),
        "evals" => book.evals(rest),
        "marked" => book.marked(behind, word.split('|').filter_map(Marks::from_name).collect()),
        "flagged" => {
            let (eval, flag) = behind.split_once(' ').unwrap();
            book.eval(word, eval.parse().unwrap(), Flags::from_name(flag).unwrap())
        }
        "rated" => {
            let numbers: Vec<u64> = behind.split(' ').map(|text| text.parse().unwrap()).collect();
            let [mover, opponent, games, score] = numbers[..] else { panic!("{rest}") };
            let (mover_sum, opponent_sum) = (mover * games, opponent * games);
            let games = games as u32;
            book.rated(word, Ratings { mover_sum, opponent_sum, games, score })
        }
        _ => return None,
    })
}

/// Asks a book what a line says.
fn ask(book: &Memory, verb: &str, rest: &str) {
    let mut cells = rest
        .split(" | ")
        .map(|cell| cell.strip_prefix('-').filter(|rest| rest.is_empty()).unwrap_or(cell));
    let [rules, of, expected] = [(); 3].map(|()| cells.next().unwrap_or_default());
    for rule in rules.split(' ') {
        match verb {
            "plays" => book.plays(rule, of, expected),
            "refuses" => book.refuses(rule, of, expected),
            "why" => assert_eq!(book.chosen(rule, of).1, expected, "{rule}"),
            "draws" => assert!(book.chosen(rule, of).0.is_some(), "{rule}"),
            "needs" => assert_eq!(refusal(book, rule).unwrap_or_default(), of, "{rule}"),
            "out" => assert_eq!(book.out(rule, of).unwrap_or_default(), expected, "{rule}"),
            "few" => {
                let why = book.out(rule, of).unwrap_or_default();
                assert!(why.contains("are less than 1 % of the "), "{rule}: {why}");
            }
            "figures" => {
                let decision = book.decided(rule, "");
                let figures = judged(&decision, of).figures.iter().map(|(name, figure)| {
                    let shown = match figure {
                        Figure::Count(count) => count.to_string(),
                        Figure::Score(number) | Figure::Value(number) => {
                            ((number * 1e12).round() / 1e12).to_string()
                        }
                        Figure::Word(word) => word.clone(),
                    };
                    format!("{name} {shown}")
                });
                assert_eq!(figures.collect::<Vec<_>>().join(", "), expected, "{rule}");
            }
            _ => panic!("{verb} {rest}"),
        }
    }
}

/// What a rule says of books that it can't do with, behind the last colon.
fn refusal(book: &Memory, rule: &str) -> Option<&'static str> {
    let start = &history("", Keyed::Position).nodes()[0].clone();
    match rule.parse::<RuleSpec>().unwrap().prepare(book, None, start) {
        Err(Error::Rule { rule: said, why }) => {
            assert_eq!(said, rule);
            why.rsplit(": ").next()
        }
        Err(other) => panic!("{other}"),
        Ok(_) => None,
    }
}

/// Othello's first four moves are images of each other: one candidate, the move that people write.
#[test]
fn images_are_one_candidate() {
    let start = Othello::start();
    let history = GameHistory::start(start.clone(), Keyed::Position);
    let f5 = start.parse_move("f5").unwrap();
    let key = history.present().after(&f5).key;
    let mut book = Memory::default();
    book.add_position(PositionRow::new(key, Counts::new(1, 0, 2)));
    for rule in ["v", "random", "softmax,by=positions"] {
        let player = player(&book, rule, &history);
        let decision = player.decide(&history, &Limits::default()).unwrap();
        assert_eq!(decision.candidates.len(), 1);
        let asked = start.parse_move("c4").unwrap();
        let among = player
            .decide(&history, &Limits { among: Some(vec![asked]), ..Limits::default() })
            .unwrap();
        if let Some(played) = decision.played() {
            assert_eq!((played, among.played()), (&f5, Some(&asked)));
        }
    }
}

/// Where somebody had to pass, the player's last position is the one before the last move.
#[test]
fn a_pass_doesnt_hide_the_players_last_position() {
    let mut random = Seed::default().of_game();
    let mut passes = 0;
    for _ in 0..60 {
        let mut history = GameHistory::start(Othello::start(), Keyed::Position);
        loop {
            let legal = history.present().position.legal();
            let Some(played) = legal.get(random.below(legal.len() as u64) as usize) else { break };
            history.play(played);
            let side = history.present().position.side();
            let mut before =
                history.nodes().iter().rev().skip(1).map(|node| (node, node.position.side()));
            passes += u32::from(before.clone().next().is_some_and(|(_, other)| other == side));
            if let Some((expected, _)) = before.by_ref().take(2).find(|(_, other)| *other == side) {
                assert_eq!(history.own().next().unwrap().key, expected.key);
            }
        }
    }
    assert!(passes > 5, "{passes}");
}

/// Every name of the help is a rule, and every rule is named there.
#[test]
fn the_help_names_every_rule_in_a_line() {
    let help = RuleSpec::help();
    assert!(help.lines().all(|line| line.len() <= 98), "{help}");
    let rules = help.lines().skip(1).take_while(|line| line.starts_with("  "));
    for line in rules {
        let (names, means) = line.trim().split_once("  ").unwrap();
        assert!(!means.trim().is_empty(), "{line}");
        for name in names.split(", ").filter(|name| !name.starts_with("reg(")) {
            let name = name.trim_end_matches(" ...").replace("(...)", "");
            name.parse::<RuleSpec>().unwrap_or_else(|error| panic!("{line}: {error}"));
        }
    }
    let names = "x".parse::<RuleSpec>().unwrap_err().to_string();
    let names = names.split_once("give ").unwrap().1.split_once(", and behind").unwrap().0;
    for name in names.split([',', ' ']).filter(|name| !name.is_empty() && *name != "or") {
        let name = name.split('(').next().unwrap();
        assert!(help.contains(name), "{name}");
    }
    assert!(help.contains("epsilon=N") && help.contains("Buro 1999") && help.contains("Fierz"));
    assert!(!help.contains("default"));
}

/// Ratings come from the column of a book, and of several books from the one whose row speaks.
#[test]
fn ratings_are_read_from_books() {
    let shelf = Shelf::new();
    let start = Chess::start();
    // Of each move, the ratings of those who played it and of their opponents.
    let book = |name: &str, moves: &[(&str, u64, u64)]| {
        let row = |&(played, mover_sum, opponent_sum): &(&str, u64, u64)| {
            let row = MoveRow::new(start.key(), code("", played), Counts::new(1, 0, 0));
            let ratings = Ratings { mover_sum, opponent_sum, games: 1, score: 1 };
            WithCells { row, cells: Cells::NONE.with(ratings) }
        };
        let mut rows: Vec<_> = moves.iter().map(row).collect();
        rows.sort_by_key(|played| played.row.code());
        shelf.made(name, new_book().moves(&rows.into_iter().collect::<Chunk<MoveRow>>()))
    };
    let lower = book("lower", &[("e4", 2550, 2450), ("d4", 2000, 2300)]);
    let upper = book("upper", &[("d4", 2700, 2700)]);
    let chosen = |rows: &dyn RowLookup, rule: &str| {
        let history = history("", Keyed::Position);
        let decision = decided(rows, rule, &history);
        (name(&history, &decision).unwrap(), decision.choice.why)
    };
    let best = |played: &str, why: &str| (played.to_owned(), why.to_owned());
    assert_eq!(chosen(&lower, "rating,min-games=1"), best("e4", "rating 2550.0 is the best of 2"));
    assert_eq!(chosen(&lower, "gain,min-games=1"), best("d4", "gain +300.0 is the best of 2"));
    let both = Books::new(vec![Box::new(upper), Box::new(lower)]);
    assert_eq!(chosen(&both, "rating,min-games=1"), best("d4", "rating 2700.0 is the best of 2"));
}

#[test]
fn limits_hold_for_marked_moves_too() {
    let book = Memory::default().marked("a4 0/0/0", Marks::ALWAYS).made("e4 1/0/0, d4 2/0/0");
    let history = history("", Keyed::Position);
    let chosen = |limits: Limits<_>| {
        name(&history, &player(&book, "games", &history).decide(&history, &limits).unwrap())
    };
    let parse = |name: &str| history.present().position.parse_move(name).unwrap();
    assert_eq!(chosen(Limits { min_games: 5, ..Limits::default() }).as_deref(), Some("a4"));
    assert_eq!(
        chosen(Limits { among: Some(vec![parse("e4"), parse("d4")]), ..Limits::default() })
            .as_deref(),
        Some("d4")
    );
    assert_eq!(chosen(Limits { plies: Some(0), ..Limits::default() }), None);
}

#[test]
fn a_repetition_is_avoided_if_asked() {
    let book = Memory::default().made("Nf3 Nf6 Ng1 Ng8 Nf3 9/0/0, Nf3 Nf6 Ng1 Ng8 e4 1/0/0");
    let history = history("Nf3 Nf6 Ng1 Ng8", Keyed::Position);
    let player = player(&book, "games", &history);
    let chosen = |limits| name(&history, &player.decide(&history, &limits).unwrap());
    assert_eq!(chosen(Limits::default()).as_deref(), Some("Nf3"));
    let found = chosen(Limits { avoids_repetition: true, ..Limits::default() });
    assert_eq!(found.as_deref(), Some("e4"));
}

#[test]
fn of_equal_moves_the_first_is_taken() {
    let (played, why) = Memory::default().made("e4 1/0/1, d4 1/0/1").chosen("q", "");
    let said = "score 50 %, the same as 1 more, all in 2 games: the first of them";
    assert_eq!((played.as_deref(), why.as_str()), (Some("d4"), said));
}
