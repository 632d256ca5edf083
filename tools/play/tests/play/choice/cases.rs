//! Each rule in cases small enough to be computed by hand.

use crate::choice::stack::{history, judged};
use crate::memory::{Memory, counts};
use crate::shared::{Shelf, code, decided, name, new_book, player};
use tabia::format::{Keyed, Results};
use tabia::stream::Chunk;
use tabia::{Cells, Flags, Marks, MoveRow, PositionRow, Ratings, TableKind, WithCells};
use tabia_games::{Chess, Game, Othello};
use tabia_play::Error;
use tabia_play::choice::{Books, Figure, GameHistory, Limits, RowLookup, RuleSpec, Seed};

#[test]
fn v_takes_the_best_score_of_half_the_points_at_least() {
    // 6/10, 5.5/10 by draws, and 9/10 from which White is far away.
    let book = Memory::new().behind("e4 6/0/4, d4 3/5/2, c4 c5 9/0/1");
    book.plays("v", "", "e4");
    assert_eq!(book.chosen("v", "").1, "score 60 % is the best of 2");
    book.plays("v", "c4", "c5");
    book.refuses("v", "e4", "out of the book");
    let half = Memory::new().behind("e4 4/2/4, d4 4/1/5");
    half.plays("v", "", "e4");
    assert_eq!(half.out("v", "d4").as_deref(), Some("score 45 % is below 50 %"));
    let bad = Memory::new().behind("e4 4/0/5, d4 4/1/5, c4 2/0/9");
    bad.refuses("v", "", "d4 would be the best, but score 45 % is below 50 %");
    bad.plays("v,min=45", "", "d4");
    bad.plays("v,min=none,min-games=11", "", "c4");
}

#[test]
fn q_counts_what_was_played_and_v_where_it_leads() {
    let book = Memory::new().made("e4 1/0/2, d4 2/0/1").behind("e4 90/0/10, d4 40/0/60, c4 99/0/1");
    book.plays("v", "", "c4");
    book.plays("q", "", "d4");
    assert_eq!(book.out("q", "c4").as_deref(), Some("never played here"));
    let without_rows_behind = Memory::new().made("e4 2/0/1");
    without_rows_behind.refuses(
        "v",
        "",
        "nothing is known of any move: the position behind it isn't in the book",
    );
}

#[test]
fn rote_follows_the_way_of_the_game() {
    let lines = || Memory { keyed: Keyed::Line, ..Memory::new() };
    let book = lines().made("d4 Nf6 c4 3/0/1, d4 Nf6 Nf3 5/0/4, c4 Nf6 d4 0/0/9");
    book.plays("rote", "d4 Nf6", "c4");
    book.refuses("rote", "c4 Nf6", "d4 would be the best, but score 0 % is below 50 %");
    book.refuses("rote", "Nf3 Nf6", "out of the book");
    let without_moves =
        lines().behind("d4 Nf6 c4 3/0/1, d4 Nf6 Nf3 9/0/1").only(TableKind::Positions);
    without_moves.plays("rote", "d4 Nf6", "Nf3");
    assert_eq!(
        refusal(&Memory::new(), "rote"),
        Some("take `q`, or a book made with `build --keyed line`")
    );
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

#[test]
fn rules_say_which_tables_they_want() {
    let (positions, moves) =
        (Memory::new().only(TableKind::Positions), Memory::new().only(TableKind::Moves));
    for rule in ["v", "nr+lcb", "reg2", "progress+wilson,progress=yes"] {
        assert_eq!(refusal(&positions, rule), None);
    }
    for rule in ["v", "lcb", "nr", "reg", "wilson"] {
        assert_eq!(refusal(&moves, rule), Some("add `by=moves`"), "{rule}");
    }
    assert_eq!(
        (refusal(&positions, "q"), refusal(&moves, "eval")),
        (Some("add `by=positions`"), Some("take another rule, such as `q`"))
    );
    for rule in ["best", "games", "random", "softmax(t=0.1)"] {
        assert_eq!((refusal(&positions, rule), refusal(&moves, rule)), (None, None), "{rule}");
    }
    positions.behind("e4 1/0/1, d4 0/3/0").plays("games", "", "d4");
}

#[test]
fn lcb_takes_two_divided_by_the_root_of_the_games() {
    // 70/100 - 2/10 is 1/2 exactly; 2/2 - 2/√2 is below 0.
    let book = Memory::new().behind("e4 2/0/0, d4 70/0/30");
    book.plays("lcb", "", "d4");
    assert_eq!(book.chosen("lcb", "").1, "lcb 50 %, the only candidate");
    assert_eq!(book.out("lcb", "e4").as_deref(), Some("lcb -41.4 % is below 50 %"));
    let less = Memory::new().behind("e4 2/0/0, d4 69/1/30");
    less.refuses("lcb", "", "d4 would be the best, but lcb 49.5 % is below 50 %");
    less.plays("lcb,min=none,min-score=50", "", "d4");
    // 8/16 - 2/4 and 9/9 - 2/3 against 1/4 - 0: bounds 0, 1/3.
    let few = Memory::new().behind("e4 8/0/8, d4 9/0/0, c4 4/0/0");
    few.plays("lcb,min=none", "", "d4");
    let equal = Memory::new().behind("e4 8/0/8, d4 4/0/0, c4 6/0/3");
    equal.plays("lcb,min=none", "", "e4");
    assert_eq!(
        equal.chosen("lcb,min=none", "").1,
        "lcb 0 %, the same as 2 more, but in more games"
    );
}

/// Figure 2: after a move that nobody played the book knows one reply, since it leads back to where
/// games of another order of moves were even.
#[test]
fn the_papers_bad_case() {
    let book = Memory::new()
        .here("65/0/35")
        .behind("e4 60/0/40, d4 5/0/5")
        .here("d4 a6 5/0/5")
        .behind("d4 a6 e4 5/0/5");
    book.plays("v", "e4 a6", "d4");
    for rule in ["nr", "nr+lcb,min=none"] {
        book.refuses(rule, "e4 a6", "the game left the book at ply 2");
    }
    book.refuses("v,nr=known", "e4 a6", "the position itself isn't in the book");
    book.refuses(
        "progress",
        "e4 a6",
        "d4 would be the best, but score 50 % is no progress: it was 65 % before",
    );
    book.refuses("reg", "e4 a6", "is no progress");
    book.plays("reg,progress=no", "e4 a6", "d4");
    book.plays("nr", "", "e4");
    book.plays("nr", "d4 a6", "e4");
}

/// The algorithm as printed forgets that the game was out of the book; the sentence before it
/// doesn't.
#[test]
fn once_left_never_considered_again() {
    let book = Memory::new()
        .here("1/0/0")
        .behind("e4 1/0/0")
        .here("e4 e5 Nf3 Nc6 1/0/0")
        .behind("e4 e5 Nf3 Nc6 Bb5 1/0/0");
    book.plays("v,nr=known", "e4 e5 Nf3 Nc6", "Bb5");
    book.refuses("nr", "e4 e5 Nf3 Nc6", "the game left the book at ply 2");
    let moves_only =
        Memory::new().made("e4 1/0/0, e4 e5 1/0/0, e4 e5 Nf3 1/0/0").only(TableKind::Moves);
    moves_only.plays("q,nr=yes", "e4 e5", "Nf3");
    moves_only.refuses("q,nr=yes", "d4 d5", "out of the book");
}

#[test]
fn progress_is_more_than_two_plies_ago() {
    let before = |games| Memory::new().here(games).behind("e4 e5 Nf3 6/0/4, e4 e5 d4 5/0/4");
    before("5/0/5").plays("progress", "e4 e5", "Nf3");
    before("59/0/41").plays("progress", "e4 e5", "Nf3");
    let (played, why) = before("6/0/4").chosen("progress", "e4 e5");
    assert_eq!(
        (played, why.as_str()),
        (None, "Nf3 would be the best, but score 60 % is no progress: it was so before")
    );
    before("61/0/39").refuses("progress", "e4 e5", "it was 61 % before");
    // Nothing before, nothing known of it, no games there.
    Memory::new().behind("e4 5/0/5").plays("progress", "", "e4");
    Memory::new().behind("e4 e5 Nf3 5/0/5").plays("progress", "e4 e5", "Nf3");
    before("0/0/0").plays("progress", "e4 e5", "Nf3");
    // The mover's own last position, not the one between.
    before("5/0/5").here("e4 0/0/100").plays("progress", "e4 e5", "Nf3");
    // Without a positions table from all moves played there.
    let moves = Memory::new()
        .made("e4 5/0/5, d4 5/0/0, e4 e5 Nf3 6/0/4, e4 e5 d4 7/0/3")
        .only(TableKind::Moves);
    moves.plays("q,progress=yes", "e4 e5", "d4");
    moves.refuses("q,progress=yes,min-games=11", "e4 e5", "10 games are fewer than 11");
    moves.clone().made("c4 2/0/0").refuses("q,progress=yes", "e4 e5", "it was 70.6 % before");
}

#[test]
fn reg_adds_even_games() {
    // 1/1 is (1 + 1/2)/2 = 3/4; 16/20 is 16.5/21 = 11/14; with (100, 200): 101/201 and 116/220.
    let book = Memory::new().behind("e4 1/0/0, d4 16/0/4, c4 140/0/100");
    book.plays("v,min-share=0", "", "e4");
    book.plays("reg", "", "d4");
    // 140/240 is 240/440.
    book.plays("reg2", "", "c4");
    book.plays("reg(0,0),min-share=0", "", "e4");
    assert_eq!(book.chosen("reg,min-share=0", "").1, "reg 78.6 % is the best of 3");
    // 15/20 is 15.5/21, below 3/4; 17/22 is 17.5/23 ... and 1/1 equals 10/13: 10.5/14.
    let equal = Memory::new().behind("e4 1/0/0, d4 10/0/3");
    assert_eq!(equal.chosen("reg", "").1, "reg 75 %, the same as 1 more, but in more games");
    equal.plays("reg", "", "d4");
    // Before (5 + 1/2)/11 = 1/2 exactly.
    let progress = Memory::new().here("5/0/5").behind("e4 e5 Nf3 1/0/1, e4 e5 d4 0/3/1");
    progress.refuses(
        "reg",
        "e4 e5",
        "Nf3 would be the best, but reg 50 % is no progress: it was so before",
    );
    // A position without games isn't worth 1/2.
    Memory::new().behind("e4 0/0/0").refuses("reg", "", "no games");
}

#[test]
fn best_games_and_wilson() {
    let book = Memory::new().made("e4 3/0/0, d4 500/300/200, c4 10/0/2000");
    book.plays("best", "", "d4");
    book.plays("games", "", "c4");
    book.plays("wilson,by=moves", "", "d4");
    book.plays("q,min-share=0", "", "e4");
    book.refuses(
        "wilson,by=moves,min-score=100,min-games=4",
        "",
        "d4 would be the best, but score 65 % is below 100 %",
    );
    // Rollason: 700 wins and 300 losses rather than 8 and 2.
    let rollason = Memory::new().behind("e4 700/0/300, d4 8/0/2");
    for (rule, expected) in
        [("v,min-share=0", "d4"), ("wilson", "e4"), ("lcb", "e4"), ("reg2", "e4")]
    {
        rollason.plays(rule, "", expected);
    }
    Memory::new().behind("e4 44/0/56").refuses("wilson", "", "score 44 % is below 45 %");
    Memory::new().behind("e4 45/0/55").plays("wilson", "", "e4");
}

#[test]
fn eval_is_seen_by_the_player_of_the_move() {
    let book = Memory::new().evals("e4 30, d4 35, c4 10").made("a4 9/0/0");
    book.plays("eval,unknown=ignore", "", "d4");
    assert_eq!(book.chosen("eval,unknown=ignore", "").1, "eval +35 is the best of 3");
    book.plays("eval,min=35,unknown=ignore", "", "d4");
    book.refuses("eval,min=36", "", "d4 would be the best, but eval +35 is below +36");
    // Whoever made the move wins if who is to move behind it loses.
    let proven = book.eval("b4", -900, Flags::PROVEN_LOSS).eval("c4", 999, Flags::PROVEN_WIN);
    proven.plays("eval", "", "b4");
    assert_eq!(proven.chosen("eval", "").1, "eval win is the best of 4");
    let decision = proven.decided("eval", "");
    assert_eq!(
        judged(&decision, "c4").figures,
        [("games", Figure::Count(0)), ("eval", Figure::Word("loss".to_owned()))]
    );
    assert_eq!(
        judged(&decision, "a4").out.as_deref(),
        Some("the position behind it isn't in the book")
    );
}

#[test]
fn figures_of_every_candidate_are_told() {
    let book = Memory::new().behind("e4 70/0/30, d4 1/1/2");
    let decision = book.decided("lcb", "");
    let e4 = &judged(&decision, "e4").figures;
    assert_eq!(e4[..2], [("games", Figure::Count(100)), ("score", Figure::Score(0.7))]);
    assert!(matches!(e4[2], ("lcb", Figure::Score(bound)) if (bound - 0.5).abs() < 1e-12));
    assert_eq!(
        judged(&decision, "d4").figures[..2],
        [("games", Figure::Count(4)), ("score", Figure::Score(0.375))]
    );
}

#[test]
fn a_book_without_results_has_no_scores() {
    let book = Memory {
        results: Results::Unknown,
        ..Memory::new().made("e4 0/9/0, d4 0/8/0").behind("e4 0/9/0")
    };
    for rule in ["v", "lcb", "reg", "q", "softmax", "games,min-score=10", "negamax"] {
        book.refuses(rule, "", "doesn't know how its games ended");
    }
    book.plays("games", "", "e4");
    book.plays("best", "", "e4");
    for rule in ["games", "best"] {
        let decision = book.decided(rule, "");
        assert_eq!(judged(&decision, "e4").figures, [("games", Figure::Count(9))], "{rule}");
    }
}

/// Othello's first four moves are images of each other: one candidate, the move that people write.
#[test]
fn images_are_one_candidate() {
    let start = Othello::start();
    let history = GameHistory::start(start.clone(), Keyed::Position);
    let f5 = start.parse_move("f5").unwrap();
    let key = history.present().after(&f5).key;
    let mut book = Memory::new();
    book.add_position(PositionRow::new(key, counts(1, 0, 2)));
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
            let nodes = history.nodes();
            let side = history.present().position.side();
            let back = if nodes[nodes.len() - 2].position.side() == side { 2 } else { 3 };
            passes += u32::from(back == 2);
            let expected = nodes
                .len()
                .checked_sub(back)
                .map(|place| &nodes[place])
                .filter(|node| node.position.side() == side);
            if let Some(expected) = expected {
                assert_eq!(history.own().next().unwrap().key, expected.key);
            }
        }
    }
    assert!(passes > 5, "{passes}");
}

/// A grandmaster archive in which only 1. g4 was annotated with an eval: 1. e4, which everybody
/// plays, has none.
#[test]
fn nothing_is_chosen_where_what_is_unknown_was_played_more() {
    let book = Memory::new().played("e4 80/40/26, g4 1/0/2").evals("g4 -146");
    book.refuses("eval", "", "g4 would be chosen (eval -146, the only candidate), but it was played in 3 games, e4 in 146");
    book.refuses("negamax", "", "it was played in 3 games, e4 in 146");
    for rule in ["eval,unknown=ignore", "negamax(unknown=ignore)"] {
        book.plays(rule, "", "g4");
    }
    // What is known was played more, or wins for sure.
    let main_line = book.clone().made("d4 90/40/30").evals("d4 20");
    main_line.plays("eval", "", "d4");
    main_line.plays("negamax", "", "d4");
    let won = book.clone().eval("g4", -146, Flags::PROVEN_LOSS);
    won.plays("eval", "", "g4");
    won.plays("negamax", "", "g4");
    // A position without a row, in a book of both tables: by positions nothing is known of it.
    let rowless = Memory::new().made("e4 9/0/0").played("a4 2/0/0");
    rowless.refuses("v", "", "e4 in 9");
    rowless.plays("q", "", "e4");
}

/// What Fierz (2005) lists, from games of rated players.
#[test]
fn fierz_rules_go_by_ratings_and_marks() {
    let rated = |mover: u64, opponent: u64, games: u32, score: u64| Ratings {
        mover_sum: mover * u64::from(games),
        opponent_sum: opponent * u64::from(games),
        games,
        score,
    };
    // The strongest play e4 and score what they should; d4 is played by the weakest, who do best
    // for their rating; c4 has the best performance; a4 won the one game of a world champion.
    let book = Memory::new()
        .made("e4 20/0/20, d4 24/0/6, c4 25/0/5, a4 1/0/0")
        .rated("e4", rated(2600, 2600, 40, 40))
        .rated("d4", rated(2000, 2300, 30, 30))
        .rated("c4", rated(2500, 2400, 30, 50))
        .rated("a4", rated(2850, 2700, 1, 2));
    book.plays("rating", "", "e4");
    book.plays("gain", "", "d4");
    book.plays("performance", "", "c4");
    book.plays("rating,min-games=1", "", "a4");
    assert_eq!(book.chosen("gain", "").1, "gain +300.0 is the best of 3");
    let decision = book.decided("gain", "");
    assert_eq!(judged(&decision, "a4").out.as_deref(), Some("1 rated game is fewer than 20"));
    assert_eq!(
        judged(&decision, "d4").figures,
        [
            ("games", Figure::Count(30)),
            ("score", Figure::Score(0.8)),
            ("rated", Figure::Count(30)),
            ("gain", Figure::Value(300.0))
        ]
    );
    // A book without ratings says so; so does one in which the most played move has none.
    let unrated = Memory::new().made("e4 1/0/0");
    let expected = "take another rule, such as `wilson`, or build it with --ratings";
    assert_eq!(refusal(&unrated, "rating"), Some(expected));
    book.made("Nf3 50/0/0").refuses("rating", "", "Nf3 in 50");
    let marked = Memory::new()
        .made("e4 9/0/0")
        .marked("d4 1/0/9", Marks::GOOD)
        .marked("c4 1/0/0", Marks::BRILLIANT | Marks::BLUNDER)
        .marked("a4 99/0/0", Marks::DUBIOUS);
    marked.plays("marks", "", "d4");
    assert_eq!(marked.chosen("marks", "").1, "marks 2 is the best of 4");
    let unmarked = Memory::new().made("e4 9/0/0, d4 0/0/10");
    unmarked.plays("marks", "", "d4");
}

/// A move that won its only game isn't drawn at 99.8 %.
#[test]
fn rules_that_draw_by_scores_need_twenty_games() {
    let book = Memory::new().made("e4 60/20/40, d4 10/9/1, a4 1/0/0");
    for rule in ["softmax(t=0.05)", "softmax(of=lcb)", "random(score)"] {
        let decision = book.decided(rule, "");
        let judged = judged(&decision, "a4");
        assert_eq!(judged.out.as_deref(), Some("1 game is fewer than 20"), "{rule}");
        assert!(decision.choice.chosen.is_some(), "{rule}");
    }
    book.refuses("softmax", "e4", "out of the book");
    let open = book.decided("softmax(t=0.05),min-games=0,min-share=0", "");
    assert!(judged(&open, "a4").out.is_none());
    // In proportion to games the floor isn't needed.
    assert!(book.out("random", "a4").is_none());
}

/// A repertoire of one line before an archive: not mixed with it row by row.
#[test]
fn a_book_asked_first_answers_alone() {
    let mine = Memory::new().played("d4 1/0/0");
    let archive = Memory::new().played("d4 1/0/9, e4 9/0/0, d4 d5 3/0/3");
    let decided = |moves: &str| {
        let history = history(moves, Keyed::Position);
        let rule = "games".parse::<RuleSpec>().unwrap().prepare(&mine, None, history.present());
        let player = player(&archive, "games", &history).asking_first(&mine, rule.unwrap());
        let decision = player.decide(&history, &Limits::default()).unwrap();
        (name(&history, &decision), decision.candidates.len())
    };
    assert_eq!(decided(""), (Some("d4".to_owned()), 1));
    assert_eq!(decided("d4"), (Some("d5".to_owned()), 1), "mine ends there");
    assert_eq!(decided("a3"), (None, 0));
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
            let row = MoveRow::new(start.key(), code("", played), counts(1, 0, 0));
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

/// W7: unless told, no rule chooses a move of a few lucky games over one of thousands.
#[test]
fn w7_few_games_are_not_chosen_over_thousands() {
    let lucky = Ratings { mover_sum: 2700 * 30, opponent_sum: 2700 * 30, games: 30, score: 60 };
    let usual =
        Ratings { mover_sum: 2500 * 9_000, opponent_sum: 2500 * 9_000, games: 9_000, score: 9_900 };
    let book = Memory::new()
        .played("e4 6000/0/4000")
        .rated("e4", usual)
        .behind("Nh3 30/0/0")
        .marked("Nh3 30/0/0", Marks::GOOD)
        .rated("Nh3", lucky);
    let rules = "v q wilson reg reg(3,4) reg,progress=no nr nr+q v,min=10 softmax softmax(of=wilson) \
        random(score) random(wilson) rating performance gain marks negamax negamax(prior=1)";
    for rule in rules.split_whitespace() {
        book.plays(rule, "", "e4");
        let why = book.out(rule, "Nh3");
        let why = why.unwrap_or_default();
        assert!(why.contains("are less than 1 % of the "), "{rule}: {why}");
    }
    let why = book.out("q", "Nh3");
    let expected = "30 games are less than 1 % of the 10000 of the most played move";
    assert_eq!(why.as_deref(), Some(expected));
    for rule in ["v", "q", "wilson", "rating", "marks"] {
        book.plays(&format!("{rule},min-share=0"), "", "Nh3");
    }
    book.plays("negamax(min-share=0.3)", "", "Nh3");
    assert_eq!(book.chosen("negamax", "").1, "best by negamax, worth a score of 59 %");
    let decided = book.decided("negamax", "");
    assert_eq!(judged(&decided, "e4").figures[0], ("games", Figure::Count(10_000)));
    // An eval is no matter of games.
    let book = book.evals("e4 10, Nh3 30");
    ["eval", "negamax"].iter().for_each(|rule| book.plays(rule, "", "Nh3"));
    assert_eq!(book.chosen("negamax", "").1, "best by negamax, worth an eval of +30");
}
