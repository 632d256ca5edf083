//! Trees drawn by hand: Buro's figure 1 and what his sections 3, 4 and 6 say of leaves, draws and
//! deviations.

use crate::memory::{Memory, counts};
use crate::negamax::toy::{Place, Step, Toy, key};
use crate::shared::{decided, player};
use tabia::format::Keyed;
use tabia::row::{Flags, Marks};
use tabia::{Counts, MoveRow, PositionRow};
use tabia_games::Side;
use tabia_play::choice::{Decision, Figure, GameHistory, Negamax, NegamaxOptions};

/// A graph: of each position who is to move, F or S, and where its moves lead, a digit each (`a` is
/// position 10).
pub fn toy(text: &str) -> Toy {
    let place = |word: &str| {
        let side = if word.starts_with('F') { Side::First } else { Side::Second };
        let moves = word[1..].chars().map(|to| to.to_digit(36).expect("a position") as usize);
        Place { side, moves: moves.collect(), outcome: None }
    };
    Toy::new(text.split(' ').map(place).collect())
}

/// A book with all moves of such a graph.
pub fn all_moves(toy: &Toy, positions: usize) -> Memory {
    (0..positions).fold(Memory::default(), |memory, at| {
        let moves = toy.stand(at).place().moves.len() as u16;
        if moves == 0 { memory } else { memory.with_moves(key(at), 0..moves) }
    })
}

/// A game that begins at position 0, after moves to these positions.
pub fn history(toy: &Toy, through: &[usize]) -> GameHistory<Toy> {
    let mut history = GameHistory::start(toy.clone(), Keyed::Position);
    for to in through {
        let moves = &history.present().position.place().moves;
        let place = moves.iter().position(|there| there == to).expect("a move there");
        history.play(&Step(place as u16));
    }
    history
}

pub fn decide(memory: &Memory, history: &GameHistory<Toy>, options: &str) -> Decision<Step> {
    decided(memory, &format!("negamax({options})"), history)
}

/// Where the chosen move leads, and the line behind it.
pub fn chosen(
    memory: &Memory,
    history: &GameHistory<Toy>,
    options: &str,
) -> (Option<usize>, String) {
    let decision = decide(memory, history, options);
    let moves = &history.present().position.place().moves;
    let to = decision.played().map(|played| moves[usize::from(played.0)]);
    match decision.choice.chosen.and_then(|place| figure(&decision, place, "line")) {
        Some(Figure::Word(line)) => (to, line),
        _ => (to, decision.choice.why),
    }
}

pub fn figure(decision: &Decision<Step>, place: usize, name: &str) -> Option<Figure> {
    let mut figures = decision.choice.judged[place].figures.iter();
    figures.find(|(other, _)| *other == name).map(|(_, figure)| figure.clone())
}

/// A figure of each candidate, as text.
fn told(decision: &Decision<Step>, name: &str) -> String {
    let told = |place| match figure(decision, place, name) {
        Some(Figure::Word(word)) => word,
        Some(Figure::Value(number) | Figure::Score(number)) => number.to_string(),
        Some(Figure::Count(count)) => count.to_string(),
        None => "none".to_owned(),
    };
    (0..decision.candidates.len()).map(told).collect::<Vec<_>>().join(" ")
}

/// The paper's text has none of the figure's numbers. This tree has all that the text says of it:
/// the best path of T1 is v1 v2 v3; v3 is a leaf and was reached by a deviation; to complete T2, v3
/// gets its best and second best move and v2 its next best deviation; then v4 is expanded next.
/// Here v1 is 0, v2 is 1, v3 is 4, and T2 also has 5, 6 (moves at v3) and 7 (the deviation at v2).
fn figure_1() -> (Toy, Memory, Memory) {
    let toy = toy("F12 S347 S F F56 S S F");
    let t1 = Memory::default()
        .with_moves(key(0), [0, 1])
        .with_moves(key(1), [0, 1])
        .flagged(Flags::EXPANDED, &[0, 1])
        // The best deviation of v1, worth -2 there; the variation of v2 ends in a win for v1's
        // side; v3.
        .worth(&[(2, 2)])
        .flagged(Flags::PROVEN_WIN, &[3])
        .worth(&[(4, 5)]);
    let t2 = t1
        .clone()
        .with_moves(key(4), [0, 1])
        .with_moves(key(1), [2])
        .flagged(Flags::EXPANDED, &[4])
        .worth(&[(5, -3), (6, -1), (7, 4)]);
    (toy, t1, t2)
}

#[test]
fn figure_1_the_principal_leaf_of_t1_is_v3_and_then_that_of_t2_is_v4() {
    let (toy, t1, t2) = figure_1();
    let start = history(&toy, &[]);
    assert_eq!(chosen(&t1, &start, ""), (Some(1), "1 4".to_owned()));
    // v3 has become worse for the first player, who still prefers it: 3 is more than -2. The second
    // player prefers it to the new deviation.
    assert_eq!(chosen(&t2, &start, ""), (Some(1), "1 4 5".to_owned()));
    let value = |memory: &Memory| figure(&decide(memory, &start, ""), 0, "value");
    assert_eq!((value(&t1), value(&t2)), (Some(Figure::Value(5.0)), Some(Figure::Value(3.0))));
    // Had expanding v3 shown that it is better for the first player than it seemed, v4 would be the
    // new deviation of v2.
    let mut better = t2;
    better.positions.insert(key(5), PositionRow::new(key(5), Counts::default()).with_eval(-9, 1));
    assert_eq!(chosen(&better, &start, ""), (Some(1), "1 7".to_owned()));
}

#[test]
fn leaves_are_won_drawn_lost_or_have_an_eval() {
    let toy = toy("F1234 S S S S");
    let start = history(&toy, &[]);
    let memory = all_moves(&toy, 5)
        .flagged(Flags::EXPANDED, &[0])
        .flagged(Flags::PROVEN_WIN, &[1])
        .worth(&[(2, 20)])
        .flagged(Flags::PROVEN_DRAW, &[3]);
    // The last leaf is unknown: it isn't chosen, whatever the others are worth.
    assert_eq!(chosen(&memory, &start, "").0, Some(3));
    let decision = decide(&memory, &start, "");
    assert_eq!(told(&decision, "value"), "loss -20 0 none");
    let why = decision.choice.judged[3].out.as_deref();
    assert_eq!(why, Some("the position behind it has no eval"));
    let decision = decide(&memory.flagged(Flags::PROVEN_LOSS, &[4]), &start, "");
    assert_eq!(told(&decision, "value"), "loss -20 0 win");
    assert_eq!(decision.choice.why, "best by negamax, worth win");
}

#[test]
fn a_draw_is_what_is_asked_for() {
    // A leaf worth 20, one worth -20, a public draw, a private one.
    let toy = toy("F1234 S S S S");
    let start = history(&toy, &[]);
    let memory = all_moves(&toy, 5)
        .flagged(Flags::EXPANDED, &[0])
        .worth(&[(1, -20), (2, 20)])
        .flagged(Flags::PROVEN_DRAW | Flags::PUBLIC_DRAW, &[3])
        .flagged(Flags::PROVEN_DRAW, &[4]);
    let to = |options: &str| chosen(&memory, &start, options).0;
    assert_eq!(to(""), Some(1));
    assert_eq!(to("draws=win"), Some(3), "public and private draws are equal: the least code");
    assert_eq!(to("public=loss,private=win"), Some(4));
    assert_eq!(to("draws=loss,for=second"), Some(3), "the other side's loss");
    for (options, expected) in [
        ("draws=win", "win or draw"),
        ("draws=loss", "loss or draw"),
        ("draws=loss,for=second", "win or draw"),
    ] {
        let found = figure(&decide(&memory, &start, options), 2, "value");
        assert_eq!(found, Some(Figure::Word(expected.to_owned())), "{options}");
    }
    let without_wins = all_moves(&toy, 5)
        .flagged(Flags::EXPANDED, &[0])
        .worth(&[(2, 20)])
        .flagged(Flags::PROVEN_DRAW, &[3]);
    assert_eq!(chosen(&without_wins, &start, "").0, Some(3));
    let needed = chosen(&without_wins, &start, "draws=loss").0;
    assert_eq!(needed, Some(2), "when a win is needed, worse is better than a draw");
}

#[test]
fn p2_a_draw_that_a_game_of_the_book_came_to_is_public_by_itself() {
    let toy = toy("F12 S S");
    let start = history(&toy, &[]);
    let mut memory =
        all_moves(&toy, 3).flagged(Flags::EXPANDED, &[0]).flagged(Flags::PROVEN_DRAW, &[1, 2]);
    let keeps_away = "public=loss,private=win";
    memory.add_position(PositionRow::new(key(2), counts(2, 0, 1)));
    assert_eq!(chosen(&memory, &start, keeps_away).0, Some(1), "no drawn game yet");
    memory.add_position(PositionRow::new(key(1), counts(1, 1, 0)));
    assert_eq!(chosen(&memory, &start, keeps_away).0, Some(2));
}

#[test]
fn a_position_that_is_not_expanded_has_its_eval_for_the_moves_the_book_lacks() {
    let toy = toy("F12 S3 S F");
    let start = history(&toy, &[]);
    let memory =
        all_moves(&toy, 4).flagged(Flags::EXPANDED, &[0]).worth(&[(1, 10), (2, 5), (3, 30)]);
    // The second player would lose 30 with the only move of the book, and has moves worth 10 that
    // it lacks.
    assert_eq!(chosen(&memory, &start, "").0, Some(2));
    assert_eq!(chosen(&memory, &start, "unexpanded=moves").0, Some(1));
    let expanded = memory.flagged(Flags::EXPANDED, &[1]);
    assert_eq!(chosen(&expanded, &start, ""), (Some(1), "1 3".to_owned()));
}

/// Finding P10. Second has a move from 1 to 3; all figures are First's. 1 was searched to depth 20
/// and is worth +10 to First, 2 is worth 0. That 3 is worth -80 counts only if it was searched as
/// deeply: to depth 19.
#[test]
fn a_shallow_eval_does_not_overrule_a_deep_one() {
    let toy = toy("F12 S3 S F");
    let eval = |at: usize, eval: i16, depth: u8| {
        PositionRow::new(key(at), Counts::default()).with_eval(eval, depth)
    };
    let with = |behind: PositionRow| {
        let mut memory = all_moves(&toy, 4);
        for row in [eval(1, -10, 20), eval(2, 0, 20), behind] {
            memory.add_position(row);
        }
        let start = history(&toy, &[]);
        (chosen(&memory, &start, "").0, told(&decide(&memory, &start, ""), "value"))
    };
    let expected = |to, values: &str| (Some(to), values.to_owned());
    assert_eq!(with(eval(3, -80, 18)), expected(1, "10 0"));
    assert_eq!(with(eval(3, -80, 19)), expected(2, "-80 0"));
    assert_eq!(with(eval(3, -80, 0).with_flags(Flags::EXPANDED)), expected(2, "-80 0"));
    let lost = eval(3, 80, 0).with_flags(Flags::PROVEN_LOSS);
    assert_eq!(with(lost), expected(2, "loss 0"));
}

/// Finding P10: a mate in 3 plies is one in 4 before the move.
#[test]
fn mates_are_told_from_where_they_are_played() {
    let toy = toy("F12 S3 S F");
    let memory =
        all_moves(&toy, 4).flagged(Flags::EXPANDED, &[0, 1]).worth(&[(2, -31_997), (3, 31_998)]);
    let decision = decide(&memory, &history(&toy, &[]), "");
    assert_eq!(told(&decision, "value"), "31996 31996");
    let (to, line) = chosen(&memory, &history(&toy, &[]), "");
    assert_eq!((to, line.as_str()), (Some(2), "2"), "that in the fewest moves of the book");
    // All lines are as good within a tolerance, though mates come nearer on their way.
    let drawn = decide(&memory, &history(&toy, &[]), "epsilon=0");
    assert_eq!(told(&drawn, "paths"), "1 1");
}

#[test]
fn the_book_is_left_where_it_says_that_something_else_is_better() {
    let toy = toy("F111 S");
    let start = history(&toy, &[]);
    let memory = Memory::default().with_moves(key(0), [0, 1]).worth(&[(1, 4)]);
    let with_eval = memory.clone().worth(&[(0, 3)]);
    assert_eq!(
        chosen(&with_eval, &start, ""),
        (None, "the position is worth an eval of +3, the best move of the book -4".to_owned())
    );
    assert_eq!(chosen(&with_eval, &start, "unexpanded=moves").0, Some(1));
    assert_eq!(chosen(&memory.clone().worth(&[(0, -4)]), &start, "").0, Some(1), "equal: the book");
    let lost = memory.flagged(Flags::EXPANDED, &[0]).flagged(Flags::PROVEN_WIN, &[1]);
    // The third move leads to the same known position, so the book doesn't lack it.
    assert_eq!(chosen(&lost, &start, "").0, Some(1));
    let other = self::toy("F12 S S");
    let lost = Memory::default().with_moves(key(0), [0]).flagged(Flags::PROVEN_WIN, &[1]);
    assert_eq!(
        chosen(&lost, &history(&other, &[]), ""),
        (None, "all moves of the book are worth loss".to_owned())
    );
    let proven = lost.flagged(Flags::PROVEN_LOSS, &[0]);
    assert_eq!(chosen(&proven, &history(&other, &[]), "").0, Some(1));
}

#[test]
fn the_shortest_win_and_the_longest_loss_are_played_and_equal_moves_are_told() {
    let long_and_short = toy("F12 S3 S F4 S");
    let start = history(&long_and_short, &[]);
    let all = all_moves(&long_and_short, 5).flagged(Flags::EXPANDED, &[1, 3]);
    let ended = |proof| all.clone().flagged(proof, &[2, 4]);
    let won = ended(Flags::PROVEN_LOSS);
    assert_eq!(chosen(&won, &start, ""), (Some(2), "2".to_owned()));
    let decision = decide(&won, &start, "");
    assert_eq!(decision.choice.why, "one of 2 moves that are best by negamax, worth win");
    assert_eq!(told(&decision, "plies"), "3 1");
    let lost = ended(Flags::PROVEN_WIN);
    assert_eq!(chosen(&lost, &start, ""), (Some(1), "1 3 4".to_owned()));
    // Draws: the one with most games, whose line doesn't matter.
    let mut drawn = ended(Flags::PROVEN_DRAW);
    assert_eq!(chosen(&drawn, &start, "").0, Some(1));
    drawn.add_move(MoveRow::new(key(0), 1, counts(1, 1, 1)));
    assert_eq!(chosen(&drawn, &start, "").0, Some(2));
}

#[test]
fn a_won_circle_is_left_and_a_drawn_one_may_be_run() {
    // 0 and 1 go round; 0 can also win by 2.
    let round = toy("F12 S0 S");
    let start = history(&round, &[]);
    let all = all_moves(&round, 3).flagged(Flags::EXPANDED, &[0, 1]);
    let won = all.clone().flagged(Flags::PROVEN_LOSS, &[2]);
    assert_eq!(chosen(&won, &start, "").0, Some(2));
    let lost = all.flagged(Flags::PROVEN_WIN, &[2]);
    assert_eq!(chosen(&lost, &start, ""), (Some(1), "1 0".to_owned()));
    let decision = decide(&lost, &start, "");
    assert_eq!(figure(&decision, 0, "end"), Some(Figure::Word("repetition".to_owned())));
    // An eval that stands for moves the book lacks, and a circle that comes back to it: the book is
    // left the second time.
    let open = toy("F1 S0");
    let memory = all_moves(&open, 2).worth(&[(0, 5)]).flagged(Flags::EXPANDED, &[1]);
    assert_eq!(chosen(&memory, &history(&open, &[]), "").0, Some(1));
    assert_eq!(chosen(&memory, &history(&open, &[1, 0]), "").0, None);
}

#[test]
fn the_book_makers_word_holds_for_the_own_side_only() {
    let toy = toy("F12 S34 S F56 F S S");
    let evals = [(2, 0), (4, 90), (5, -50), (6, 10)];
    let mut memory = all_moves(&toy, 7).flagged(Flags::EXPANDED, &[1, 3]).worth(&evals);
    let start = history(&toy, &[]);
    assert_eq!(chosen(&memory, &start, ""), (Some(1), "1 3 5".to_owned()));
    // The second player may well play what is marked never in the first player's book.
    memory.add_move(MoveRow::new(key(1), 0, Counts::default()).with_marks(Marks::NEVER));
    assert_eq!(chosen(&memory, &start, ""), (Some(1), "1 3 5".to_owned()));
    memory.add_move(MoveRow::new(key(3), 0, Counts::default()).with_marks(Marks::NEVER));
    assert_eq!(chosen(&memory, &start, ""), (Some(2), "2".to_owned()));
    // A player who is always to play to 1 looks no further than what is left there.
    memory.add_move(MoveRow::new(key(0), 0, Counts::default()).with_marks(Marks::ALWAYS));
    assert_eq!(chosen(&memory, &start, ""), (Some(1), "1 3 6".to_owned()));
}

#[test]
fn a_book_of_games_is_worth_its_scores() {
    let toy = toy("F12 S3 S F");
    let row = |at, wins, losses| PositionRow::new(key(at), counts(wins, 0, losses));
    let mut memory = all_moves(&toy, 4);
    let rows = [row(0, 6, 6), row(1, 3, 0), row(2, 2, 7), row(3, 0, 3)];
    rows.into_iter().for_each(|row| memory.add_position(row));
    let start = history(&toy, &[]);
    // What is not flagged EXPANDED has its own record, with few games held against who went there:
    // 2 lost 2 of 9 there, 1 lost 3 of 3, whatever was played behind it.
    let decision = decide(&memory, &start, "");
    assert_eq!(told(&decision, "value"), "0 0.4526");
    // Backed up through all, and without the bound:
    let decision = decide(&memory, &start, "unexpanded=moves,prior=1,min-games=0");
    // Half of 1 - (2 - 7) / (9 + 1); the other leaf lost 3 of 3: half of 1 - 3 / (3 + 1).
    assert_eq!(told(&decision, "value"), "0.125 0.75");
    assert_eq!(chosen(&memory, &start, "prior=200").0, Some(2));
    assert_eq!(
        chosen(&memory, &start, "unexpanded=moves,min-games=4"),
        (Some(2), "2".to_owned()),
        "1 isn't read, so nothing is known of it"
    );
    // A single eval makes it a book of evals; scores are never compared with it.
    let with_eval = memory.clone().worth(&[(1, 1)]);
    assert_eq!(chosen(&with_eval, &start, "unknown=ignore").0, Some(1));
    assert_eq!(chosen(&with_eval, &start, "values=score").0, Some(2));
    // Without rows for positions, moves tell how the games ended that came there.
    let mut moves = Memory::default();
    moves.add_move(MoveRow::new(key(0), 0, counts(0, 0, 3)));
    moves.add_move(MoveRow::new(key(0), 1, counts(7, 0, 2)));
    let decision = decide(&moves, &start, "prior=1");
    assert_eq!(told(&decision, "value"), "0.125 0.75");
}

/// Finding P1: one game that the second player lost by the rules, among a hundred that it won.
#[test]
fn single_games_prove_nothing() {
    let toy = toy("F12 S3 S F4 S").won_at(4);
    let row = |at, wins, losses| PositionRow::new(key(at), counts(wins, 0, losses));
    let mut memory = all_moves(&toy, 5);
    let rows = [row(0, 60, 41), row(1, 60, 1), row(2, 0, 40), row(3, 1, 0), row(4, 0, 1)];
    rows.into_iter().for_each(|row| memory.add_position(row));
    let start = history(&toy, &[]);
    let decision = decide(&memory, &start, "");
    assert_eq!(decision.played(), Some(&Step(1)));
    assert!(decision.choice.why.starts_with("best by negamax, worth "), "{:?}", decision.choice);
    assert!(!decision.choice.why.contains("win"), "{:?}", decision.choice);
    let rule = Negamax::prepare(&memory, None, &toy.node(), NegamaxOptions::default()).unwrap();
    assert_eq!(rule.size(), (3, 2), "nothing is read beyond the moves at hand");
    // The old way: the one game is a proof.
    assert_eq!(chosen(&memory, &start, "unexpanded=moves,min-games=0").0, Some(1));
    assert_eq!(
        chosen(&memory, &start, "unexpanded=moves").0,
        Some(2),
        "20 games, as for rules that draw"
    );
    // Where the book is complete, and says so, it is one.
    let complete = memory.flagged(Flags::EXPANDED, &[0, 1, 3]);
    assert_eq!(chosen(&complete, &start, ""), (Some(1), "1 3 4".to_owned()));
}

/// Finding P4: the second player's reply to 1, worth 900 to it, was played in another order only.
#[test]
fn a_reply_that_nobody_played_there_is_found_where_evals_are() {
    let toy = toy("F12 S3 S3 F");
    let moves = Memory::default().with_moves(key(0), [0, 1]).with_moves(key(2), [0]);
    let memory = moves.worth(&[(1, -50), (2, -20), (3, -900)]);
    let start = history(&toy, &[]);
    let value = |options| figure(&decide(&memory, &start, options), 0, "value");
    assert_eq!(value(""), Some(Figure::Value(-900.0)));
    assert_eq!(value("transpositions=no"), Some(Figure::Value(50.0)));
    // A move that nobody played is weighed, and not said to be unknown.
    let unplayed = Memory::default().worth(&[(1, -50)]);
    let decision = decide(&unplayed, &start, "");
    assert_eq!(decision.choice.why, "best by negamax, worth an eval of +50");
    assert!(decision.choice.judged.iter().all(|judged| judged.out.is_none()));
    // Where its eval isn't asked for, that is said.
    for (options, why) in [
        ("transpositions=no", "nobody played it (transpositions=no)"),
        ("values=score", "no game came to the position behind it"),
    ] {
        let decision = decide(&unplayed, &start, options);
        assert_eq!(decision.choice.judged[0].out.as_deref(), Some(why));
        assert!(decision.choice.why.ends_with(why), "{}", decision.choice.why);
    }
}

/// Finding P3: a book that was cut says EXPANDED of a position whose deviation is gone.
#[test]
fn expanded_is_not_believed_where_a_move_leads_to_nothing() {
    let toy = toy("F12 S34 S F F");
    let evals = [(2, 0), (3, 40), (4, -25)];
    let whole = all_moves(&toy, 5).with_eval(key(1), 20, Flags::EXPANDED).worth(&evals);
    let start = history(&toy, &[]);
    let value = |memory: &Memory| figure(&decide(memory, &start, ""), 0, "value");
    assert_eq!(value(&whole), Some(Figure::Value(-25.0)));
    let mut cut = whole;
    cut.positions.remove(&key(4));
    assert_eq!(value(&cut), Some(Figure::Value(-20.0)), "its own eval, and not the move left");
}

#[test]
fn a_book_without_expanded_positions_says_so() {
    let toy = toy("F1 S");
    let memory = all_moves(&toy, 2).worth(&[(1, 5)]);
    let note = |memory: &Memory, options: &str| {
        player(memory, &format!("negamax({options})"), &history(&toy, &[])).note()
    };
    assert!(note(&memory, "").is_some_and(|note| note.contains("no position flagged EXPANDED")));
    assert_eq!(note(&memory, "unexpanded=moves"), None);
    assert_eq!(note(&memory.flagged(Flags::EXPANDED, &[0]), ""), None);
}

#[test]
fn the_rules_say_how_a_game_ended() {
    let toy = toy("F12 S S").won_at(2);
    let memory = all_moves(&toy, 3).worth(&[(1, -500), (2, 500)]);
    assert_eq!(chosen(&memory, &history(&toy, &[]), "").0, Some(2));
}
