//! Where games leave a book, and what another book has that it lacks, against plain replays.

use crate::shared::{Content, Shelf, quiet, random_games};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use tabia::{Book, Row};
use tabia_games::{Chess, Game, Node, Side};
use tabia_play::explore::OpenBook;
use tabia_play::{Coverage, GamesInBook, Holes, HolesPlan, KnownMoves, PlayedMove};

/// The plies of a game, and the key of its last position.
fn plies(game: &str) -> (Vec<PlayedMove>, u64) {
    let mut board = Chess::start();
    let plies = game.split_whitespace().skip(1).map(|text| {
        let played = board.parse_move(text).unwrap();
        let ply = PlayedMove { key: board.key(), code: board.code(&played), side: board.side() };
        board.play(&played);
        ply
    });
    let plies = plies.collect();
    (plies, board.key())
}

/// What the rows say: the moves that are there, and the positions that have one.
struct Rows {
    moves: BTreeSet<(u64, u16)>,
    answered: BTreeSet<u64>,
}

impl Rows {
    fn of(content: &Content) -> Self {
        Self {
            moves: content.move_set().into_iter().collect(),
            answered: content.moves.iter().map(Row::key).collect(),
        }
    }

    /// After how many plies a game leaves.
    fn left(&self, (plies, last): &(Vec<PlayedMove>, u64)) -> Option<usize> {
        let keys: Vec<u64> = plies.iter().map(|ply| ply.key).chain([*last]).collect();
        let goes_on = |place: &usize| {
            self.moves.contains(&(keys[*place], plies[*place].code))
                || self.answered.contains(&keys[place + 1])
        };
        (0..plies.len()).find(|place| !goes_on(place))
    }
}

fn sum(list: &[u64], plies: usize) -> u64 {
    list.iter().take(plies).sum()
}

fn after_codes(line: &[u16]) -> Chess {
    line.iter().fold(Chess::start(), |board, &code| board.after(&board.move_of_code(code).unwrap()))
}

#[test]
fn games_leave_where_a_replay_says() {
    let shelf = Shelf::new();
    let (known, others) = (random_games(31, 150, 8), random_games(32, 600, 12));
    let content = Content::of_games(&known);
    let (book, rows) = (shelf.book("all", &content), Rows::of(&content));
    let moves = KnownMoves::read(&OpenBook::at(book.path()).unwrap(), &quiet).unwrap();
    assert!(moves.bytes() > 0);
    for side in [None, Some(Side::First), Some(Side::Second)] {
        let mut expected = Coverage { games: others.len() as u64, ..Coverage::default() };
        let (mut exits, mut returned) = (BTreeMap::<u64, BTreeMap<u16, u64>>::new(), 0);
        let mut halves = [GamesInBook::new(&moves, side), GamesInBook::new(&moves, side)];
        let mut whole = GamesInBook::new(&moves, side);
        for (number, text) in others.iter().enumerate() {
            let game = plies(text);
            let left = rows.left(&game);
            assert_eq!(whole.game(&game.0, game.1, (0, number as u64)), left, "{text}");
            halves[number % 2].game(&game.0, game.1, (0, number as u64));
            let Some(left) = left else { continue };
            let PlayedMove { key, code, side: mover } = game.0[left];
            let list = if side == Some(mover) { &mut expected.own } else { &mut expected.left };
            list.resize(list.len().max(left + 1), 0);
            list[left] += 1;
            if side != Some(mover) {
                *exits.entry(key).or_default().entry(code).or_default() += 1;
            }
            let mut later = game.0[left + 1..].iter().map(|ply| ply.key).chain([game.1]).skip(1);
            returned += u64::from(later.any(|key| rows.answered.contains(&key)));
        }
        let mut on = expected.games;
        for n in 0..expected.left.len().max(expected.own.len()) {
            expected.on.push(on);
            on -= [&expected.left, &expected.own]
                .iter()
                .map(|list| list.get(n).copied().unwrap_or(0))
                .sum::<u64>();
        }
        let coverage = whole.coverage();
        assert_eq!((&coverage, whole.returned), (&expected, returned));
        assert!(sum(&expected.left, 99) > 50 && (side.is_none() || sum(&expected.own, 99) > 50));
        for n in 0..14 {
            let share = match side {
                None => 1.0 - sum(&expected.left, n) as f64 / expected.games as f64,
                Some(_) => (0..n.min(expected.left.len()))
                    .map(|n| 1.0 - expected.left[n] as f64 / expected.on[n] as f64)
                    .product(),
            };
            assert!((coverage.answered(n) - share).abs() < 1e-12, "{n} plies");
        }
        let top = whole.top(usize::MAX);
        assert_eq!((top.len(), whole.exits()), (exits.len(), exits.len()));
        for exit in &top {
            let moves: BTreeMap<u16, u64> = exit.moves.iter().copied().collect();
            assert_eq!(moves, exits[&exit.key]);
            assert_eq!(exit.games, moves.values().sum::<u64>());
            assert_eq!(exit.is_answered, rows.answered.contains(&exit.key));
            let key = after_codes(&exit.line).key();
            assert_eq!((key, exit.from), (exit.key, Chess::start().key()));
        }
        assert!(top.windows(2).all(|pair| pair[0].games >= pair[1].games));
        assert_eq!(whole.top(3), top[..3]);
        let [one, two] = halves;
        let both = two.and(one);
        assert_eq!((both.top(usize::MAX), both.coverage()), (top, coverage));
        assert_eq!(both.returned, whole.returned);
    }
}

/// The games of a move, with the ply, the position, the code, and whether the book has other moves.
type AHole = (u64, usize, u64, u16, bool);

/// The holes as the rows say, the moves of the book's own side that leave it, and the games at each ply.
fn model(
    book: &Content,
    other: &Content,
    max_ply: usize,
    side: Option<Side>,
) -> ([Vec<AHole>; 2], Vec<u64>) {
    let (ours, by_position) = (Rows::of(book), other.by_position());
    let mut boards = vec![Chess::start()];
    let (mut seen, mut left) = (BTreeSet::from([boards[0].key()]), [Vec::new(), Vec::new()]);
    let mut on = Vec::new();
    for ply in 0..max_ply {
        let mut next = Vec::new();
        for board in boards {
            for row in by_position.get(&board.key()).into_iter().flatten() {
                on.resize(ply + 1, 0);
                on[ply] += row.counts().games();
                let (key, code) = (board.key(), row.code());
                let after = board.after(&board.move_of_code(code).unwrap());
                if !ours.moves.contains(&(key, code)) && !ours.answered.contains(&after.key()) {
                    let is_answered = ours.answered.contains(&key);
                    let hole = (row.counts().games(), ply, key, code, is_answered);
                    left[usize::from(side == Some(board.side()))].push(hole);
                } else if seen.insert(after.key()) {
                    next.push(after);
                }
            }
        }
        boards = next;
    }
    left[0].sort_by_key(|&(games, ply, key, code, _)| (Reverse(games), ply, key, code));
    (left, on)
}

fn holes(book: &Book, other: &Book, plan: HolesPlan) -> Holes {
    Holes::of(book, other, &Node::start(Chess::start(), false), &plan, &quiet).unwrap()
}

#[test]
fn holes_are_the_moves_that_only_the_other_book_goes_on_with() {
    let shelf = Shelf::new();
    let (known, others) = (random_games(41, 100, 7), random_games(42, 700, 10));
    let [ours, theirs] = [&known, &others].map(Content::of_games);
    let (book, other) = (shelf.book("ours", &ours), shelf.book("theirs", &theirs));
    let (first, second) = (Some(Side::First), Some(Side::Second));
    for (max_ply, side) in [(0, None), (1, None), (4, second), (99, None), (99, first)] {
        let ([all, own], on) = model(&ours, &theirs, max_ply, side);
        let found = holes(&book, &other, HolesPlan { max_ply: max_ply as u32, side, count: 7 });
        let top = found
            .top
            .iter()
            .map(|hole| (hole.games, hole.line.len(), hole.key, hole.code, hole.is_answered));
        assert_eq!(top.collect::<Vec<_>>(), all[..all.len().min(7)]);
        assert_eq!((found.holes, found.coverage.games), (all.len() as u64, 700));
        assert_eq!(found.coverage.on, on);
        assert!(own.is_empty() == side.is_none());
        for n in 0..12 {
            let gone = |list: &[AHole]| -> u64 {
                list.iter().filter(|hole| hole.1 < n).map(|hole| hole.0).sum()
            };
            let found = [&found.coverage.left, &found.coverage.own].map(|list| sum(list, n));
            assert_eq!(found, [gone(&all), gone(&own)]);
        }
        for hole in &found.top {
            assert_eq!(after_codes(&hole.line).key(), hole.key);
        }
    }
}
