//! Solution trees: whoever plays by one has a move against every reply for as long as the book it
//! comes from knows an acceptable one.

use crate::shared::{Content, Shelf, board, code};
use std::collections::{BTreeMap, HashSet};
use tabia::{Book, Counts, Marks, MoveRow, Row};
use tabia_games::{Chess, Game, Side};
use tabia_play::{Order, Solution, Thresholds, TrimPlan, TrimReason};

const FIRST: [Side; 1] = [Side::First];
const SECOND: [Side; 1] = [Side::Second];
const BOTH: [Side; 2] = [Side::First, Side::Second];

fn plan(sides: &[Side], keep: u32, min_games: u64, min_score: &str) -> TrimPlan {
    let own = Thresholds {
        min_games,
        min_score: min_score.parse().unwrap(),
        keep: Some(keep),
        order: Order::Score,
    };
    let solution = Solution { sides: sides.to_vec(), reply: Thresholds::default() };
    TrimPlan { own, solution: Some(solution), ..TrimPlan::default() }
}

/// Points of a hundred games, rounded nowhere: numerator and denominator.
fn score(row: &MoveRow) -> (u128, u128) {
    let Counts { wins, draws, .. } = row.counts();
    (100 * (2 * u128::from(wins) + u128::from(draws)), 2 * u128::from(row.counts().games()))
}

/// Plays by the trimmed book against every reply of its source, and makes sure that it always has
/// the moves it shall have; the rows it met.
struct Player<'a> {
    source: &'a BTreeMap<u64, Vec<MoveRow>>,
    trimmed: &'a BTreeMap<u64, Vec<MoveRow>>,
    plan: &'a TrimPlan,
    side: Side,
    seen: HashSet<u64>,
    met: HashSet<(u64, u16)>,
    /// Lines that ended because the source knows no acceptable move.
    ends: u64,
}

impl Player<'_> {
    fn play(&mut self, board: &Chess) {
        if !self.seen.insert(board.key()) {
            return;
        }
        let nothing = Vec::new();
        let known = self.source.get(&board.key()).unwrap_or(&nothing);
        let kept = self.trimmed.get(&board.key()).unwrap_or(&nothing);
        let followed = if board.side() == self.side {
            self.own(known, kept)
        } else {
            self.replies(known, kept)
        };
        for row in followed {
            self.met.insert((row.key(), row.code()));
            let next = board.after(&board.move_of_code(row.code()).expect("games are legal"));
            self.play(&next);
        }
    }

    /// The best acceptable moves, as many as there shall be, are in the book, and followed.
    fn own(&mut self, known: &[MoveRow], kept: &[MoveRow]) -> Vec<MoveRow> {
        let mut acceptable: Vec<MoveRow> = known.to_vec();
        let (min_games, min_score) = (self.plan.own.min_games, self.plan.own.min_score);
        acceptable.retain(|row| {
            let (points, all) = score(row);
            let least = u128::from(min_score.hundredths()) * all;
            row.counts().games() >= min_games && 100 * points >= least
        });
        acceptable.sort_by(|a, b| {
            let (a_score, b_score) = (score(a), score(b));
            let by_score = (b_score.0 * a_score.1).cmp(&(a_score.0 * b_score.1));
            by_score.then(b.counts().games().cmp(&a.counts().games())).then(a.code().cmp(&b.code()))
        });
        acceptable.truncate(self.plan.own.keep.unwrap() as usize);
        self.ends += u64::from(acceptable.is_empty());
        acceptable.sort_by_key(MoveRow::code);
        let holds = acceptable.iter().all(|row| kept.contains(row));
        assert!(holds, "{acceptable:?} are best, {kept:?} are kept");
        acceptable
    }

    fn replies(&self, known: &[MoveRow], kept: &[MoveRow]) -> Vec<MoveRow> {
        let min_games = self.plan.solution.as_ref().unwrap().reply.min_games;
        let asked = known.iter().filter(|row| row.counts().games() >= min_games);
        asked
            .inspect(|reply| assert!(kept.contains(reply), "{reply:?} has no answer"))
            .copied()
            .collect()
    }
}

/// Plays as each of the sides; all rows that are met, which must be all the rows there are.
fn play(source: &Book, trimmed: &Book, plan: &TrimPlan) -> u64 {
    let (source, trimmed) = (Content::of_book(source), Content::of_book(trimmed));
    let (by_source, by_trimmed) = (source.by_position(), trimmed.by_position());
    let (mut met, mut seen, mut ends) = (HashSet::new(), HashSet::new(), 0);
    for &side in &plan.solution.as_ref().unwrap().sides {
        let mut player = Player {
            source: &by_source,
            trimmed: &by_trimmed,
            plan,
            side,
            seen: HashSet::new(),
            met: HashSet::new(),
            ends: 0,
        };
        player.play(&Chess::start());
        met.extend(player.met);
        seen.extend(player.seen);
        ends += player.ends;
    }
    assert_eq!(trimmed.move_set(), met, "nothing but what is met is kept");
    let reached: HashSet<u64> = source.position_set().intersection(&seen).copied().collect();
    assert_eq!(trimmed.position_set(), reached);
    assert!(
        trimmed.positions.iter().all(|row| source.positions.contains(row))
            && trimmed.moves.iter().all(|row| source.moves.contains(row))
    );
    ends
}

#[test]
fn a_solution_tree_is_playable_to_the_end_against_every_reply() {
    let stack = Shelf::new();
    let book = stack.book("all", &Content::random(7, 600, 14));
    let mut sizes = Vec::new();
    for sides in [&FIRST[..], &SECOND, &BOTH] {
        for (keep, min_games, min_score, min_reply_games) in
            [(1, 2, "25", 0), (2, 2, "25", 0), (3, 5, "25", 0), (1, 0, "0", 0), (2, 2, "0", 3)]
        {
            let mut plan = plan(sides, keep, min_games, min_score);
            plan.solution.as_mut().unwrap().reply.min_games = min_reply_games;
            let (stats, trimmed) = stack.walk(&book, &plan, "trimmed");
            let ends = play(&book, &trimmed, &plan);
            let (kept, before) = (stats.moves.unwrap().kept, stats.moves.unwrap().before());
            let holds = kept > 10 && kept < before / 2 && (ends > 0 || min_games == 0);
            assert!(holds, "{kept} of {before}, {ends} ends: a tree of its own");
            assert_eq!((kept, before), (trimmed_rows(&trimmed), trimmed_rows(&book)));
            sizes.push(kept);
        }
    }
    assert!(sizes[0] < sizes[1], "more moves, larger tree: {sizes:?}");
}

fn trimmed_rows(book: &Book) -> u64 {
    Content::of_book(book).moves.len() as u64
}

const CLUB: [&str; 6] = [
    "1 e4 e5 Nf3 Nc6",
    "1 e4 e5 Nf3 d6",
    "0 e4 c5 Nf3 d6",
    "0 d4 d5 c4 e6",
    "= d4 d5 c4 c6",
    "1 c4 e5 Nc3 Nf6",
];

/// The moves kept at a position, as codes.
fn kept_after(book: &Book, after: &str) -> Vec<u16> {
    book.moves(board(after).key()).unwrap().iter().map(MoveRow::code).collect()
}

#[test]
fn the_best_move_is_kept_and_every_reply_to_it() {
    let stack = Shelf::new();
    let book = stack.book("club", &Content::of_games(CLUB));
    // c4 won its only game; with two games at least, e4 (2 of 3) is best.
    let (stats, white) = stack.walk(&book, &plan(&FIRST, 1, 2, "0"), "white");
    assert_eq!(kept_after(&white, ""), [code("", "e4")]);
    assert_eq!(kept_after(&white, "e4").len(), 2, "both replies");
    assert_eq!(kept_after(&white, "e4 e5"), [code("e4 e5", "Nf3")]);
    let found = kept_after(&white, "e4 c5");
    assert_eq!(found, [0u16; 0], "played once only: the line ends, its reply is kept");
    assert!(white.position(board("e4 c5").key()).unwrap().is_some());
    let moves = stats.moves.unwrap();
    let found = (moves.gone(TrimReason::Games), moves.gone(TrimReason::NotBest));
    assert_eq!(found, (2, 1), "c4 and Nf3 after e4 c5; d4");
    // d4 d5 c4 e6, d4 d5 c4 c6, c4 e5 Nc3 Nf6, e4 c5 Nf3 d6: all but the first moves.
    assert_eq!((moves.kept, moves.gone(TrimReason::Unreached)), (6, 8));
    let (_, black) = stack.walk(&book, &plan(&SECOND, 1, 1, "0"), "black");
    assert_eq!(kept_after(&black, "").len(), 3);
    assert_eq!(kept_after(&black, "e4"), [code("e4", "c5")]);
}

#[test]
fn the_book_makers_word_counts_for_the_books_side_only() {
    let stack = Shelf::new();
    let nothing = Counts::default();
    let marked = Content::of_games(CLUB)
        .with_move("", code("", "e4"), nothing, Marks::NEVER)
        .with_move("", code("", "g4"), nothing, Marks::ALWAYS)
        .with_move("", code("", "f3"), nothing, Marks::ALWAYS | Marks::NEVER);
    let book = stack.book("marked", &marked);
    let (stats, white) = stack.walk(&book, &plan(&FIRST, 1, 2, "25"), "white");
    let found = kept_after(&white, "");
    assert_eq!(found, [code("", "g4")], "always is the one best move, with no games at all");
    assert_eq!(stats.moves.unwrap().gone(TrimReason::Never), 2);
    let (_, two) = stack.walk(&book, &plan(&FIRST, 2, 1, "0"), "two");
    assert_eq!(kept_after(&two, "").len(), 2);
    let (_, black) = stack.walk(&book, &plan(&SECOND, 1, 1, "0"), "black");
    assert_eq!(kept_after(&black, "").len(), 5, "as replies they are moves like others");
}

#[test]
fn a_code_that_is_no_move_there_takes_no_ones_place() {
    let stack = Shelf::new();
    let great = Counts { wins: 1000, draws: 0, losses: 0 };
    // The bishop's leap over its pawn, and codes that no move of any position has.
    let content = [code("e4 e5", "Bb5"), 0, 0xffff, 0x7fff].into_iter().fold(
        Content::of_games(CLUB),
        |content, code| {
            content.with_move("", code, great, Marks::empty()).with_move(
                "e4",
                code,
                great,
                Marks::ALWAYS,
            )
        },
    );
    let book = stack.book("hostile", &content);
    let (stats, white) = stack.walk(&book, &plan(&FIRST, 1, 2, "0"), "white");
    assert_eq!(kept_after(&white, ""), [code("", "e4")]);
    assert_eq!(kept_after(&white, "e4").len(), 2);
    assert_eq!(stats.moves.unwrap().gone(TrimReason::Illegal), 8);
    let (_, clean) = stack.walk(
        &stack.book("club", &Content::of_games(CLUB)),
        &plan(&FIRST, 1, 2, "0"),
        "clean",
    );
    assert_eq!(Content::of_book(&clean).moves, Content::of_book(&white).moves);
}
