//! Trees drawn by hand: Buro's figure 1 and what his sections 3, 4 and 6 say of leaves, draws and
//! deviations.

use crate::memory::{Memory, counts};
use crate::negamax::toy::{Place, Step, Toy, key};
use crate::shared::{decided, player};
use tabia::format::Keyed;
use tabia::row::{Flags, Marks};
use tabia::{Counts, MoveRow, PositionRow};
use tabia_games::{Outcome, Side};
use tabia_play::choice::{Decision, Figure, GameHistory, Negamax, NegamaxOptions};

/// A graph: of each position who is to move, F or S, and where its moves lead, a digit each (`a` is
/// position 10). And a book with all its moves, and with what stands behind a colon: an eval, `!` for
/// the flag `EXPANDED`, `w`, `d` or `l` for a proven win, draw or loss, `p` for a public draw. At `#`
/// the first player has won by the rules.
pub fn drawn(text: &str) -> (Toy, Memory) {
    let (mut places, mut memory) = (Vec::new(), Memory::default());
    for (at, word) in text.split(' ').enumerate() {
        let (graph, said) = word.split_once(':').unwrap_or((word, ""));
        let side = if graph.starts_with('F') { Side::First } else { Side::Second };
        let moves = graph[1..].chars().map(|to| to.to_digit(36).expect("a position") as usize);
        let outcome = said.contains('#').then_some(Outcome::FirstWins);
        places.push(Place { side, moves: moves.collect(), outcome });
        memory = memory.with_moves(key(at), 0..graph.len() as u16 - 1);
        for (_, flag) in FLAGS.into_iter().filter(|(sign, _)| said.contains(*sign)) {
            memory = memory.flagged(flag, &[at]);
        }
        if let Ok(eval) = said.trim_matches(|sign| "!wdlp#".contains(sign)).parse() {
            memory = memory.worth(&[(at, eval)]);
        }
    }
    (Toy::new(places), memory)
}

const FLAGS: [(char, Flags); 5] = [
    ('!', Flags::EXPANDED),
    ('w', Flags::PROVEN_WIN),
    ('d', Flags::PROVEN_DRAW),
    ('l', Flags::PROVEN_LOSS),
    ('p', Flags::PUBLIC_DRAW),
];

/// A graph alone.
pub fn toy(text: &str) -> Toy {
    drawn(text).0
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

impl From<&Toy> for GameHistory<Toy> {
    fn from(toy: &Toy) -> Self {
        history(toy, &[])
    }
}

pub fn decide(
    memory: &Memory,
    history: impl Into<GameHistory<Toy>>,
    options: &str,
) -> Decision<Step> {
    decided(memory, &format!("negamax({options})"), &history.into())
}

/// Where the chosen move leads, and the line behind it.
pub fn chosen(
    memory: &Memory,
    history: impl Into<GameHistory<Toy>>,
    options: &str,
) -> (Option<usize>, String) {
    let history = history.into();
    let decision = decided(memory, &format!("negamax({options})"), &history);
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
    assert_eq!(chosen(&t1, &toy, ""), (Some(1), "1 4".to_owned()));
    // v3 has become worse for the first player, who still prefers it: 3 is more than -2. The second
    // player prefers it to the new deviation.
    assert_eq!(chosen(&t2, &toy, ""), (Some(1), "1 4 5".to_owned()));
    let value = |memory: &Memory| figure(&decide(memory, &toy, ""), 0, "value");
    assert_eq!((value(&t1), value(&t2)), (Some(Figure::Value(5.0)), Some(Figure::Value(3.0))));
    // Had expanding v3 shown that it is better for the first player than it seemed, v4 would be the
    // new deviation of v2.
    let mut better = t2;
    better.positions.insert(key(5), PositionRow::new(key(5), Counts::default()).with_eval(-9, 1));
    assert_eq!(chosen(&better, &toy, ""), (Some(1), "1 7".to_owned()));
}

#[test]
fn leaves_are_won_drawn_lost_or_have_an_eval() {
    let (toy, memory) = drawn("F1234:! S:w S:20 S:d S");
    // The last leaf is unknown: it isn't chosen, whatever the others are worth.
    assert_eq!(chosen(&memory, &toy, "").0, Some(3));
    let decision = decide(&memory, &toy, "");
    assert_eq!(told(&decision, "value"), "loss -20 0 none");
    let why = decision.choice.judged[3].out.as_deref();
    assert_eq!(why, Some("the position behind it has no eval"));
    let decision = decide(&memory.flagged(Flags::PROVEN_LOSS, &[4]), &toy, "");
    assert_eq!(told(&decision, "value"), "loss -20 0 win");
    assert_eq!(decision.choice.why, "best by negamax, worth win");
}

#[test]
fn a_draw_is_what_is_asked_for() {
    // A leaf worth 20, one worth -20, a public draw, a private one.
    let (toy, memory) = drawn("F1234:! S:-20 S:20 S:dp S:d");
    let to = |options: &str| chosen(&memory, &toy, options).0;
    assert_eq!(to(""), Some(1));
    assert_eq!(to("draws=win"), Some(3), "public and private draws are equal: the least code");
    assert_eq!(to("public=loss,private=win"), Some(4));
    assert_eq!(to("draws=loss,for=second"), Some(3), "the other side's loss");
    for (options, expected) in [
        ("draws=win", "win or draw"),
        ("draws=loss", "loss or draw"),
        ("draws=loss,for=second", "win or draw"),
    ] {
        let found = figure(&decide(&memory, &toy, options), 2, "value");
        assert_eq!(found, Some(Figure::Word(expected.to_owned())), "{options}");
    }
    let (toy, without_wins) = drawn("F1234:! S S:20 S:d S");
    assert_eq!(chosen(&without_wins, &toy, "").0, Some(3));
    let needed = chosen(&without_wins, &toy, "draws=loss").0;
    assert_eq!(needed, Some(2), "when a win is needed, worse is better than a draw");
}

#[test]
fn p2_a_draw_that_a_game_of_the_book_came_to_is_public_by_itself() {
    let (toy, mut memory) = drawn("F12:! S:d S:d");
    let keeps_away = "public=loss,private=win";
    memory.add_position(PositionRow::new(key(2), counts(2, 0, 1)));
    assert_eq!(chosen(&memory, &toy, keeps_away).0, Some(1), "no drawn game yet");
    memory.add_position(PositionRow::new(key(1), counts(1, 1, 0)));
    assert_eq!(chosen(&memory, &toy, keeps_away).0, Some(2));
}

#[test]
fn a_position_that_is_not_expanded_has_its_eval_for_the_moves_the_book_lacks() {
    let (toy, memory) = drawn("F12:! S3:10 S:5 F:30");
    // The second player would lose 30 with the only move of the book, and has moves worth 10 that
    // it lacks.
    assert_eq!(chosen(&memory, &toy, "").0, Some(2));
    assert_eq!(chosen(&memory, &toy, "unexpanded=moves").0, Some(1));
    let expanded = memory.flagged(Flags::EXPANDED, &[1]);
    assert_eq!(chosen(&expanded, &toy, ""), (Some(1), "1 3".to_owned()));
}

/// Finding P10. Second has a move from 1 to 3; all figures are First's. 1 was searched to depth 20
/// and is worth +10 to First, 2 is worth 0. That 3 is worth -80 counts only if it was searched as
/// deeply: to depth 19.
#[test]
fn a_shallow_eval_does_not_overrule_a_deep_one() {
    let (toy, memory) = drawn("F12 S3 S F");
    let eval = |at: usize, eval: i16, depth: u8| {
        PositionRow::new(key(at), Counts::default()).with_eval(eval, depth)
    };
    let with = |behind: PositionRow| {
        let mut memory = memory.clone();
        for row in [eval(1, -10, 20), eval(2, 0, 20), behind] {
            memory.add_position(row);
        }
        (chosen(&memory, &toy, "").0, told(&decide(&memory, &toy, ""), "value"))
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
    let (toy, memory) = drawn("F12:! S3:! S:-31997 F:31998");
    assert_eq!(told(&decide(&memory, &toy, ""), "value"), "31996 31996");
    let (to, line) = chosen(&memory, &toy, "");
    assert_eq!((to, line.as_str()), (Some(2), "2"), "that in the fewest moves of the book");
    // All lines are as good within a tolerance, though mates come nearer on their way.
    assert_eq!(told(&decide(&memory, &toy, "epsilon=0"), "paths"), "1 1");
}

#[test]
fn the_book_is_left_where_it_says_that_something_else_is_better() {
    let toy = toy("F111 S");
    let memory = Memory::default().with_moves(key(0), [0, 1]).worth(&[(1, 4)]);
    let with_eval = memory.clone().worth(&[(0, 3)]);
    assert_eq!(
        chosen(&with_eval, &toy, ""),
        (None, "the position is worth an eval of +3, the best move of the book -4".to_owned())
    );
    assert_eq!(chosen(&with_eval, &toy, "unexpanded=moves").0, Some(1));
    assert_eq!(chosen(&memory.clone().worth(&[(0, -4)]), &toy, "").0, Some(1), "equal: the book");
    let lost = memory.flagged(Flags::EXPANDED, &[0]).flagged(Flags::PROVEN_WIN, &[1]);
    // The third move leads to the same known position, so the book doesn't lack it.
    assert_eq!(chosen(&lost, &toy, "").0, Some(1));
    let other = self::toy("F12 S S");
    let lost = Memory::default().with_moves(key(0), [0]).flagged(Flags::PROVEN_WIN, &[1]);
    assert_eq!(
        chosen(&lost, &other, ""),
        (None, "all moves of the book are worth loss".to_owned())
    );
    let proven = lost.flagged(Flags::PROVEN_LOSS, &[0]);
    assert_eq!(chosen(&proven, &other, "").0, Some(1));
}

#[test]
fn the_shortest_win_and_the_longest_loss_are_played_and_equal_moves_are_told() {
    let (toy, all) = drawn("F12 S3:! S F4:! S");
    let ended = |proof| all.clone().flagged(proof, &[2, 4]);
    let won = ended(Flags::PROVEN_LOSS);
    assert_eq!(chosen(&won, &toy, ""), (Some(2), "2".to_owned()));
    let decision = decide(&won, &toy, "");
    assert_eq!(decision.choice.why, "one of 2 moves that are best by negamax, worth win");
    assert_eq!(told(&decision, "plies"), "3 1");
    let lost = ended(Flags::PROVEN_WIN);
    assert_eq!(chosen(&lost, &toy, ""), (Some(1), "1 3 4".to_owned()));
    // Draws: the one with most games, whose line doesn't matter.
    let mut drawn = ended(Flags::PROVEN_DRAW);
    assert_eq!(chosen(&drawn, &toy, "").0, Some(1));
    drawn.add_move(MoveRow::new(key(0), 1, counts(1, 1, 1)));
    assert_eq!(chosen(&drawn, &toy, "").0, Some(2));
}

#[test]
fn a_won_circle_is_left_and_a_drawn_one_may_be_run() {
    // 0 and 1 go round; 0 can also win by 2.
    let (round, won) = drawn("F12:! S0:! S:l");
    assert_eq!(chosen(&won, &round, "").0, Some(2));
    let (round, lost) = drawn("F12:! S0:! S:w");
    assert_eq!(chosen(&lost, &round, ""), (Some(1), "1 0".to_owned()));
    let decision = decide(&lost, &round, "");
    assert_eq!(figure(&decision, 0, "end"), Some(Figure::Word("repetition".to_owned())));
    // An eval that stands for moves the book lacks, and a circle that comes back to it: the book is
    // left the second time.
    let (open, memory) = drawn("F1:5 S0:!");
    assert_eq!(chosen(&memory, &open, "").0, Some(1));
    assert_eq!(chosen(&memory, history(&open, &[1, 0]), "").0, None);
}

#[test]
fn the_book_makers_word_holds_for_the_own_side_only() {
    let (toy, mut memory) = drawn("F12 S34:! S:0 F56:! F:90 S:-50 S:10");
    assert_eq!(chosen(&memory, &toy, ""), (Some(1), "1 3 5".to_owned()));
    // The second player may well play what is marked never in the first player's book.
    memory.add_move(MoveRow::new(key(1), 0, Counts::default()).with_marks(Marks::NEVER));
    assert_eq!(chosen(&memory, &toy, ""), (Some(1), "1 3 5".to_owned()));
    memory.add_move(MoveRow::new(key(3), 0, Counts::default()).with_marks(Marks::NEVER));
    assert_eq!(chosen(&memory, &toy, ""), (Some(2), "2".to_owned()));
    // A player who is always to play to 1 looks no further than what is left there.
    memory.add_move(MoveRow::new(key(0), 0, Counts::default()).with_marks(Marks::ALWAYS));
    assert_eq!(chosen(&memory, &toy, ""), (Some(1), "1 3 6".to_owned()));
}

#[test]
fn a_book_of_games_is_worth_its_scores() {
    let (toy, mut memory) = drawn("F12 S3 S F");
    let row = |at, wins, losses| PositionRow::new(key(at), counts(wins, 0, losses));
    let rows = [row(0, 6, 6), row(1, 3, 0), row(2, 2, 7), row(3, 0, 3)];
    rows.into_iter().for_each(|row| memory.add_position(row));
    // What is not flagged EXPANDED has its own record, with few games held against who went there:
    // 2 lost 2 of 9 there, 1 lost 3 of 3, whatever was played behind it.
    let decision = decide(&memory, &toy, "");
    assert_eq!(told(&decision, "value"), "0 0.4526");
    // Backed up through all, and without the bound:
    let decision = decide(&memory, &toy, "unexpanded=moves,prior=1,min-games=0");
    // Half of 1 - (2 - 7) / (9 + 1); the other leaf lost 3 of 3: half of 1 - 3 / (3 + 1).
    assert_eq!(told(&decision, "value"), "0.125 0.75");
    assert_eq!(chosen(&memory, &toy, "prior=200").0, Some(2));
    assert_eq!(
        chosen(&memory, &toy, "unexpanded=moves,min-games=4"),
        (Some(2), "2".to_owned()),
        "1 isn't read, so nothing is known of it"
    );
    // A single eval makes it a book of evals; scores are never compared with it.
    let with_eval = memory.clone().worth(&[(1, 1)]);
    assert_eq!(chosen(&with_eval, &toy, "unknown=ignore").0, Some(1));
    assert_eq!(chosen(&with_eval, &toy, "values=score").0, Some(2));
    // Without rows for positions, moves tell how the games ended that came there.
    let mut moves = Memory::default();
    moves.add_move(MoveRow::new(key(0), 0, counts(0, 0, 3)));
    moves.add_move(MoveRow::new(key(0), 1, counts(7, 0, 2)));
    let decision = decide(&moves, &toy, "prior=1");
    assert_eq!(told(&decision, "value"), "0.125 0.75");
}

/// Finding P1: one game that the second player lost by the rules, among a hundred that it won.
#[test]
fn single_games_prove_nothing() {
    let (toy, mut memory) = drawn("F12 S3 S F4 S:#");
    let row = |at, wins, losses| PositionRow::new(key(at), counts(wins, 0, losses));
    let rows = [row(0, 60, 41), row(1, 60, 1), row(2, 0, 40), row(3, 1, 0), row(4, 0, 1)];
    rows.into_iter().for_each(|row| memory.add_position(row));
    let decision = decide(&memory, &toy, "");
    assert_eq!(decision.played(), Some(&Step(1)));
    assert!(decision.choice.why.starts_with("best by negamax, worth "), "{:?}", decision.choice);
    assert!(!decision.choice.why.contains("win"), "{:?}", decision.choice);
    let rule = Negamax::prepare(&memory, None, &toy.node(), NegamaxOptions::default()).unwrap();
    assert_eq!(rule.size(), (3, 2), "nothing is read beyond the moves at hand");
    // The old way: the one game is a proof.
    assert_eq!(chosen(&memory, &toy, "unexpanded=moves,min-games=0").0, Some(1));
    assert_eq!(
        chosen(&memory, &toy, "unexpanded=moves").0,
        Some(2),
        "20 games, as for rules that draw"
    );
    // Where the book is complete, and says so, it is one.
    let complete = memory.flagged(Flags::EXPANDED, &[0, 1, 3]);
    assert_eq!(chosen(&complete, &toy, ""), (Some(1), "1 3 4".to_owned()));
}

/// Finding P4: the second player's reply to 1, worth 900 to it, was played in another order only.
#[test]
fn a_reply_that_nobody_played_there_is_found_where_evals_are() {
    let toy = toy("F12 S3 S3 F");
    let moves = Memory::default().with_moves(key(0), [0, 1]).with_moves(key(2), [0]);
    let memory = moves.worth(&[(1, -50), (2, -20), (3, -900)]);
    let value = |options| figure(&decide(&memory, &toy, options), 0, "value");
    assert_eq!(value(""), Some(Figure::Value(-900.0)));
    assert_eq!(value("transpositions=no"), Some(Figure::Value(50.0)));
    // A move that nobody played is weighed, and not said to be unknown.
    let unplayed = Memory::default().worth(&[(1, -50)]);
    let decision = decide(&unplayed, &toy, "");
    assert_eq!(decision.choice.why, "best by negamax, worth an eval of +50");
    assert!(decision.choice.judged.iter().all(|judged| judged.out.is_none()));
    // Where its eval isn't asked for, that is said.
    for (options, why) in [
        ("transpositions=no", "nobody played it (transpositions=no)"),
        ("values=score", "no game came to the position behind it"),
    ] {
        let decision = decide(&unplayed, &toy, options);
        assert_eq!(decision.choice.judged[0].out.as_deref(), Some(why));
        assert!(decision.choice.why.ends_with(why), "{}", decision.choice.why);
    }
}

/// Finding P3: a book that was cut says EXPANDED of a position whose deviation is gone.
#[test]
fn expanded_is_not_believed_where_a_move_leads_to_nothing() {
    let (toy, whole) = drawn("F12 S34:!20 S:0 F:40 F:-25");
    let value = |memory: &Memory| figure(&decide(memory, &toy, ""), 0, "value");
    assert_eq!(value(&whole), Some(Figure::Value(-25.0)));
    let mut cut = whole;
    cut.positions.remove(&key(4));
    assert_eq!(value(&cut), Some(Figure::Value(-20.0)), "its own eval, and not the move left");
}

#[test]
fn a_book_without_expanded_positions_says_so() {
    let (toy, memory) = drawn("F1 S:5");
    let note = |memory: &Memory, options: &str| {
        player(memory, &format!("negamax({options})"), &history(&toy, &[])).note()
    };
    assert!(note(&memory, "").is_some_and(|note| note.contains("no position flagged EXPANDED")));
    assert_eq!(note(&memory, "unexpanded=moves"), None);
    assert_eq!(note(&memory.flagged(Flags::EXPANDED, &[0]), ""), None);
}

#[test]
fn the_rules_say_how_a_game_ended() {
    let (toy, memory) = drawn("F12 S:-500 S:#500");
    assert_eq!(chosen(&memory, &toy, "").0, Some(2));
}
