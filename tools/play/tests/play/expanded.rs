//! Positions flagged `EXPANDED` and their deviations: counted by brute force, kept by trimming.

use crate::shared::{Content, Shelf, board, known, quiet, random_games};
use std::collections::{BTreeSet, HashMap};
use tabia::{Book, Counts, Env, Flags, MoveRow, PositionRow, Row};
use tabia_games::{Chess, Game, Side};
use tabia_play::{
    Expanded, Incomplete, Solution, Thresholds, Trim, TrimPlan, unexpand, unexpand_all,
};
use tabia_testing::Rng;

const NONE: Counts = Counts { wins: 0, draws: 0, losses: 0 };

fn look(book: &Book) -> Option<Expanded> {
    Expanded::of(book, &[Chess::start()], 1000, &quiet).unwrap()
}

fn keys(found: &Expanded) -> BTreeSet<u64> {
    found.incomplete.iter().map(|one| one.key).collect()
}

/// Games in which some positions are flagged; all of those have a deviation, with a move row or
/// without, but some if `holes`.
fn grown(seed: u64, holes: bool) -> Content {
    let games = random_games(seed, 40, 8);
    let mut content = Content::of_games(&games);
    let mut random = Rng::new(seed);
    let mut boards: HashMap<u64, Chess> = HashMap::new();
    for game in &games {
        let mut board = Chess::start();
        for text in game.split_whitespace().skip(1) {
            boards.insert(board.key(), board.clone());
            board.play(&board.parse_move(text).unwrap());
        }
    }
    let played = content.move_set();
    let mut keys: Vec<_> = boards.keys().copied().collect();
    keys.sort_unstable();
    for key in keys {
        if random.below(3) > 0 {
            continue;
        }
        let board = &boards[&key];
        let flags = if random.below(9) == 0 { Flags::PROVEN_DRAW } else { Flags::empty() }
            | Flags::EXPANDED;
        content.positions.push(PositionRow::new(key, NONE).with_flags(flags));
        let mut moves = board.legal();
        moves.retain(|one| !played.contains(&(key, board.code(one))));
        let one = random.pick(&moves);
        let behind = board.after(one);
        let worth = PositionRow::new(behind.key(), NONE).with_eval(random.below(90) as i16 - 45, 5);
        match random.below(if holes { 5 } else { 3 }) {
            0 => content.positions.push(worth),
            1 => content.positions.push(worth.with_flags(Flags::PROVEN_DRAW)),
            3 => {}
            kind => {
                let leaf = if kind == 4 { PositionRow::new(behind.key(), NONE) } else { worth };
                content.positions.push(leaf);
                content.moves.push(MoveRow::new(key, board.code(one), NONE));
            }
        }
    }
    content.settled()
}

/// The flagged positions that the book's moves lead to, and which are not complete.
fn by_hand(content: &Content) -> (BTreeSet<u64>, BTreeSet<u64>) {
    let (positions, moves) = (&content.positions, content.by_position());
    let find = |key| positions.iter().find(|row| row.key() == key);
    let mut seen: HashMap<u64, Chess> = HashMap::new();
    let mut now = vec![Chess::start()];
    let (mut flagged, mut bad) = (BTreeSet::new(), BTreeSet::new());
    while let Some(board) = now.pop() {
        if seen.insert(board.key(), board.clone()).is_some() {
            continue;
        }
        let known = |one: &_| {
            let rows = moves.get(&board.key()).map_or(&[][..], Vec::as_slice);
            rows.iter().find(|row| row.code() == board.code(one))
        };
        let row = find(board.key());
        let is_flagged = row.is_some_and(|row| row.flags().contains(Flags::EXPANDED));
        let is_proven = row.is_some_and(|row| row.flags().intersects(Flags::PROOFS));
        let (mut deviations, mut strangers) = (0, 0);
        for one in &board.legal() {
            let behind = board.after(one);
            let there = find(behind.key());
            let goes_on = moves.contains_key(&behind.key());
            if known(one).is_some() || is_flagged && (there.is_some() || goes_on) {
                now.push(behind);
            }
            strangers += usize::from(known(one).is_none() && there.is_none() && !goes_on);
            let has_value =
                |row: &&PositionRow| row.eval().is_some() || row.flags().intersects(Flags::PROOFS);
            let leaf = there.filter(has_value).filter(|row| !row.flags().contains(Flags::EXPANDED));
            let games = known(one).map_or(0, |row| row.counts().games());
            deviations += usize::from(leaf.is_some() && !goes_on && games == 0);
        }
        if is_flagged {
            flagged.insert(board.key());
            if !is_proven && deviations == 0 && strangers > 0 {
                bad.insert(board.key());
            }
        }
    }
    (flagged, bad)
}

#[test]
fn they_are_counted_as_by_brute_force() {
    let (shelf, mut bad, mut good) = (Shelf::new(), 0, 0);
    for seed in 0..30 {
        let content = grown(seed, true);
        let found = look(&shelf.book("grown", &content)).unwrap();
        let (flagged, wrong) = by_hand(&content);
        let all = content.positions.iter().filter(|row| row.flags().contains(Flags::EXPANDED));
        assert_eq!(found.positions, all.count() as u64);
        assert_eq!(found.positions - found.unreached, flagged.len() as u64, "{seed}");
        assert_eq!(keys(&found), wrong, "{seed}");
        bad += wrong.len();
        good += flagged.len() - wrong.len();
    }
    assert!(bad > 100 && good > 100, "{bad} {good}");
}

#[test]
fn a_line_leads_to_each_that_is_wrong() {
    let (shelf, mut content) = (Shelf::new(), Content::of_games(["1 e4 e5 Nf3", "1 e4 c5"]));
    assert_eq!(look(&shelf.book("plain", &content)), None);
    // Nothing leads to the last.
    let flagged = ["e4", "e4 e5", "d4"].map(|after| known(after, 20, Flags::EXPANDED));
    content.positions.extend(flagged);
    let book = shelf.book("bad", &content.settled());
    let wrong = |text: &str| {
        let line = text.split(' ').map(str::to_owned).collect();
        Incomplete { key: board(text).key(), line }
    };
    let found = look(&book).unwrap();
    assert_eq!((found.positions, found.unreached, found.unlisted), (3, 1, 0));
    assert_eq!(found.incomplete, [wrong("e4"), wrong("e4 e5")]);
    let short = Expanded::of(&book, &[Chess::start()], 1, &quiet).unwrap().unwrap();
    assert_eq!((short.incomplete.len(), short.unlisted, short.without_deviation()), (1, 1, 2));
}

#[test]
fn a_position_with_all_its_moves_needs_no_deviation() {
    let shelf = Shelf::new();
    let (mut content, moves) = (Content::of_games(["1 e4"]), Chess::start().legal());
    content.positions.push(known("", 10, Flags::EXPANDED));
    for one in &moves[..19] {
        let behind = Chess::start().after(one);
        let known =
            PositionRow::new(behind.key(), NONE).with_flags(Flags::EXPANDED | Flags::PROVEN_DRAW);
        content.positions.push(known);
    }
    let lacks_one = look(&shelf.book("19", &content.clone().settled())).unwrap();
    let behind = Chess::start().after(&moves[19]);
    let is_played = behind.key() == board("e4").key();
    assert_eq!(lacks_one.without_deviation(), u64::from(!is_played));
    content
        .positions
        .push(PositionRow::new(behind.key(), NONE).with_flags(Flags::EXPANDED | Flags::PROVEN_WIN));
    assert_eq!(look(&shelf.book("20", &content.settled())).unwrap().without_deviation(), 0);
}

/// Whatever is dropped, a position that is still flagged has its deviation still.
#[test]
fn trimmed_books_keep_deviations_or_the_flag_goes() {
    let (shelf, from) = (Shelf::new(), [Chess::start()]);
    let own = |min_games, keep| TrimPlan {
        own: Thresholds { min_games, keep, ..Thresholds::default() },
        ..TrimPlan::default()
    };
    let solution = |sides: &[Side]| TrimPlan {
        solution: Some(Solution { sides: sides.to_vec(), reply: Thresholds::default() }),
        ..own(0, Some(1))
    };
    let plans = [
        own(0, None),
        own(1, None),
        own(0, Some(2)),
        TrimPlan { max_ply: Some(3), ..own(0, None) },
        solution(&[Side::First]),
        solution(&[Side::First, Side::Second]),
    ];
    let (mut lost, mut kept) = (0, 0);
    for seed in 0..20 {
        let content = grown(seed, false);
        let book = shelf.book("grown", &content);
        let before = keys(&look(&book).unwrap());
        for plan in &plans {
            let trim = Trim::by_rows(&book, plan.clone(), &quiet).unwrap();
            let trim = trim.with_rules(&from, &quiet).unwrap();
            let by_rules = shelf.write(&trim, "rows").1;
            for trimmed in [shelf.walked(&book, plan, &from, "walked").1, by_rules] {
                let Some(now) = look(&trimmed) else { continue };
                let new: Vec<_> = keys(&now).difference(&before).copied().collect();
                assert!(new.is_empty(), "{seed} {plan:?}: {new:x?}");
                kept += now.positions;
                lost += Expanded::count(&book, &quiet).unwrap() - now.positions;
            }
        }
    }
    assert!(kept > 200 && lost > 200, "{kept} {lost}");
}

#[test]
fn the_flag_goes_from_what_is_not_known_to_be_complete() {
    let shelf = Shelf::new();
    let content = grown(3, true);
    let book = shelf.book("grown", &content);
    let found = look(&book).unwrap();
    drop(book);
    let wrong = found.without_deviation() + found.unreached;
    assert!(wrong > 0 && wrong < found.positions);
    let path = shelf.path("grown");
    let start = Chess::start();
    assert_eq!(unexpand(&Env::default(), &path, &start, &quiet).unwrap(), wrong);
    assert!(tabia::check(&Env::default(), &path).unwrap().ok());
    let after = Book::open(&path).unwrap();
    assert_eq!((after.journal().frames, look(&after).unwrap().without_deviation()), (0, 0));
    assert_eq!(look(&after).unwrap().positions, found.positions - wrong);
    let unflagged = |content: &Content| {
        let rows = content.positions.iter();
        rows.map(|row| row.with_flags(row.flags() - Flags::EXPANDED)).collect::<Vec<_>>()
    };
    assert_eq!(unflagged(&Content::of_book(&after)), unflagged(&content));
    assert_eq!(unexpand(&Env::default(), &path, &start, &quiet).unwrap(), 0);
    let left = found.positions - wrong;
    assert_eq!(unexpand_all(&Env::default(), &path, &quiet).unwrap(), left);
    assert_eq!(look(&Book::open(&path).unwrap()), None);
}
