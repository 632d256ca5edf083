//! Where games leave a book, and what another book has that it lacks, against games replayed one by
//! one.

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
        assert_eq!((&coverage, whole.returned()), (&expected, returned));
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
            let mut board = Chess::start();
            exit.line.iter().for_each(|&code| board.play(&board.move_of_code(code).unwrap()));
            assert_eq!((board.key(), exit.from), (exit.key, Chess::start().key()));
        }
        assert!(top.windows(2).all(|pair| pair[0].games >= pair[1].games));
        assert_eq!(whole.top(3), top[..3]);
        let [one, two] = halves;
        let both = two.and(one);
        assert_eq!((both.top(usize::MAX), both.coverage()), (top, coverage));
        assert_eq!(both.returned(), whole.returned());
    }
}

#[test]
fn a_game_that_transposes_is_in_the_book_and_a_leaf_is_an_exit() {
    let (shelf, content) = (Shelf::new(), Content::of_games(["1 d4 d5 Nf3 Nf6", "1 Nf3 d5"]));
    let book = shelf.book("all", &content);
    let moves = KnownMoves::read(&OpenBook::at(book.path()).unwrap(), &quiet).unwrap();
    let mut games = GamesInBook::new(&moves, None);
    let left = |games: &mut GamesInBook<'_>, text: &str| {
        let game = plies(text);
        games.game(&game.0, game.1, (0, 0))
    };
    assert_eq!(left(&mut games, "1 Nf3 d5 d4 Nf6"), None, "d4 leads to a position with a move");
    assert_eq!(left(&mut games, "1 Nf3 d5 d4 Nf6 e3"), Some(4));
    assert_eq!(left(&mut games, "1 Nf3 d5 g3"), Some(2));
    assert_eq!(left(&mut games, "1 e4 d5 Nf3 Nf6 d4"), Some(0));
    assert_eq!(left(&mut games, "1 d3 d5 Nf3 Nf6 d4"), Some(0));
    assert_eq!(left(&mut games, "1"), None);
    let top = games.top(9);
    assert_eq!((top[0].games, top[0].line.len(), top[0].moves.len()), (2, 0, 2));
    let leaf = top.iter().find(|exit| exit.line.len() == 4).unwrap();
    assert!(!leaf.is_answered && top[0].is_answered);
    assert_eq!(games.returned(), 0);
    assert_eq!(left(&mut games, "1 d3 d5 Nf3 a6 d4 a5 a3"), Some(0));
    assert_eq!(left(&mut games, "1 a3 a6 Ra2 Ra7 Ra1 Ra8"), Some(0));
}

/// The games of a move, with the ply, the position and the code.
type AHole = (u64, usize, u64, u16);

/// The holes as the rows say, and the games that leave by them at each ply: the games of each move,
/// with the ply, the position and the code.
fn model(book: &Content, other: &Content, max_ply: usize) -> (Vec<AHole>, Vec<u64>) {
    let (ours, by_position) = (Rows::of(book), other.by_position());
    let mut boards = vec![Chess::start()];
    let (mut seen, mut holes) = (BTreeSet::from([boards[0].key()]), Vec::new());
    let mut on = Vec::new();
    for ply in 0..max_ply {
        let mut next = Vec::new();
        for board in boards {
            for row in by_position.get(&board.key()).into_iter().flatten() {
                on.resize(ply + 1, 0);
                on[ply] += row.counts().games();
                let after = board.after(&board.move_of_code(row.code()).unwrap());
                if !ours.moves.contains(&(board.key(), row.code()))
                    && !ours.answered.contains(&after.key())
                {
                    holes.push((row.counts().games(), ply, board.key(), row.code()));
                } else if seen.insert(after.key()) {
                    next.push(after);
                }
            }
        }
        boards = next;
    }
    holes.sort_by_key(|&(games, ply, key, code)| (Reverse(games), ply, key, code));
    (holes, on)
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
    for max_ply in [0, 1, 4, 99] {
        let (all, on) = model(&ours, &theirs, max_ply);
        let plan = HolesPlan { max_ply: max_ply as u32, side: None, count: 7 };
        let found = holes(&book, &other, plan);
        let top: Vec<_> = found
            .top
            .iter()
            .map(|hole| (hole.games, hole.line.len(), hole.key, hole.code))
            .collect();
        assert_eq!(top, all[..all.len().min(7)]);
        assert_eq!((found.holes, found.coverage.games), (all.len() as u64, 700));
        assert_eq!(found.coverage.on, on);
        for n in 0..12 {
            let gone: u64 = all.iter().filter(|hole| hole.1 < n).map(|hole| hole.0).sum();
            assert_eq!(sum(&found.coverage.left, n), gone);
        }
        for hole in &found.top {
            let mut board = Chess::start();
            hole.line.iter().for_each(|&code| board.play(&board.move_of_code(code).unwrap()));
            assert_eq!(board.key(), hole.key);
        }
    }
}

#[test]
fn without_transpositions_rows_say_what_games_say() {
    let shelf = Shelf::new();
    let ours = ["1 e4 e5 Nf3 Nc6 Bb5 a6", "1 e4 c5 Nf3 d6 d4 cxd4", "0 d4 d5 c4 e6 Nc3 Nf6"];
    let theirs = [
        "1 e4 e5 Nf3 Nc6 Bc4 Bc5",
        "1 e4 e5 Nf3 Nf6 Nxe5 d6",
        "1 e4 c5 Nf3 d6 d4 cxd4",
        "0 e4 e6 d4 d5 Nc3 Nf6",
        "0 d4 d5 c4 e6 Nf3 c5",
        "= b3 e5 Bb2 Nc6 e3 d5",
    ];
    let book = shelf.book("ours", &Content::of_games(ours));
    let other = shelf.book("theirs", &Content::of_games(theirs));
    let moves = KnownMoves::read(&OpenBook::at(book.path()).unwrap(), &quiet).unwrap();
    for side in [None, Some(Side::First), Some(Side::Second)] {
        let plan = HolesPlan { max_ply: 99, side, count: 5 };
        let by_rows = holes(&book, &other, plan).coverage;
        let mut games = GamesInBook::new(&moves, side);
        theirs.iter().map(|game| plies(game)).for_each(|(plies, last)| {
            games.game(&plies, last, (0, 0));
        });
        let by_games = games.coverage();
        assert_eq!((&by_rows.left, &by_rows.own), (&by_games.left, &by_games.own));
        for n in 0..9 {
            assert!((by_rows.answered(n) - by_games.answered(n)).abs() < 1e-12, "{side:?}, {n}");
        }
    }
}

#[test]
fn what_the_books_own_side_plays_is_no_hole() {
    let shelf = Shelf::new();
    let book = shelf.book("ours", &Content::of_games(["1 e4 e5 Nf3", "1 e4 c5 Nf3"]));
    let other = shelf.book(
        "theirs",
        &Content::of_games([
            "1 d4 d5",
            "1 e4 e5 Nf3 Nc6",
            "1 e4 e6 d4",
            "1 e4 e5 f4 exf4",
            "= e4 c5",
        ]),
    );
    let plan = HolesPlan { max_ply: 9, side: Some(Side::First), count: 9 };
    let found = holes(&book, &other, plan);
    let got = (found.coverage.own, found.coverage.left.clone());
    assert_eq!(got, (vec![1, 0, 1], vec![0, 1, 0, 1]));
    let top: Vec<_> =
        found.top.iter().map(|hole| (hole.games, hole.line.len(), hole.is_answered)).collect();
    assert_eq!(top, [(1, 1, true), (1, 3, false)]);
    let both = holes(&book, &other, HolesPlan { side: None, ..plan });
    assert_eq!((both.coverage.left, both.holes), (vec![1, 1, 1, 1], 4));
}
