//! Trees as text: what they mean, what is refused and where, and that they come back.

use crate::shared::{Content, losses, quiet};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use tabia::{
    Book, Counts, Env, Existing, Keyed, Marks, MoveRow, NewBook, PositionRow, Results, Row,
};
use tabia_games::go::Symmetry;
use tabia_games::{ConnectFour, Game, Go, Line, Othello, Side};
use tabia_interop::mcst::{self, Fault, ReadError, TextPosition, lost};
use tabia_interop::{Losses, WriteError};
use tabia_testing::{Rng, rows};

fn read<G: Game>(text: &str, start: &G) -> Result<(Content, mcst::Read), ReadError> {
    Content::read(|take| mcst::read(text.as_bytes(), start, take))
}

fn written<G: Game>(content: &Content, start: &G) -> (String, mcst::Written) {
    let (_folder, book) = content.book_of(start, Keyed::Line, Results::Known);
    let mut text = Vec::new();
    let written = mcst::write(&book, start, &mut text, quiet).unwrap();
    (String::from_utf8(text).unwrap(), written)
}

fn connect_four() -> ConnectFour {
    ConnectFour::start(7, 6).unwrap()
}

/// The key of a line, and the code of the last of its moves in it.
fn line(moves: &str) -> (u64, u64, u16) {
    let mut board = connect_four();
    let mut line = Line::start(&board);
    let (mut before, mut code) = (0, 0);
    for text in moves.split_whitespace() {
        let played = board.parse_move(text).unwrap();
        (before, code) = (line.key(), line.code(&board, &played));
        line = line.after(&board, &played);
        board.play(&played);
    }
    (line.key(), before, code)
}

fn counts(wins: u32, losses: u32) -> Counts {
    Counts::new(wins, 0, losses)
}

/// d (won 6 of 10), answered by c (won 1 of 3) and by its image e (won 2 of 4); a and its image g.
const TREE: &str = "{0 5 18 {+4 6 10 {-3 1 3} {-5 2 4}} {1 1 2}{+7 3 4 {-7 0 1}}}\n";

#[test]
fn a_tree_is_lines_whose_images_are_added() {
    let (content, found) = read(TREE, &connect_four()).unwrap();
    assert_eq!((found.nodes, found.plies, found.games), (7, 2, 18));
    let position =
        |moves: &str, wins, losses| PositionRow::new(line(moves).0, counts(wins, losses));
    let played = |moves: &str, wins, losses| {
        MoveRow::new(line(moves).1, line(moves).2, counts(wins, losses))
    };
    let expected = Content {
        // The root's wins are those of the second player; the first one is to move.
        positions: vec![
            PositionRow::new(line("").0, counts(13, 5)),
            position("d", 4, 6),
            position("d c", 4, 3),
            position("a", 2, 4),
            position("a a", 1, 0),
        ],
        moves: vec![played("d", 6, 4), played("d e", 3, 4), played("g", 4, 2), played("g g", 0, 1)],
    };
    assert_eq!(content, expected.settled());
}

#[test]
fn a_tree_comes_back_in_its_canonical_form() {
    let (content, _) = read(TREE, &connect_four()).unwrap();
    let (text, report) = written(&content, &connect_four());
    assert_eq!(text, "{0 5 18\n{+4 6 10\n{-3 3 7}}\n{+1 4 6\n{-1 0 1}}}\n");
    assert_eq!((report.nodes, report.plies, report.lost), (5, 2, Losses::new(lost::ALL)));
    assert_eq!(read(&text, &connect_four()).unwrap().0, content);
}

#[test]
fn space_is_free() {
    let (content, _) = read(TREE, &connect_four()).unwrap();
    for text in [
        "{0 5 18{+4 6 10{-3 1 3}{-5 2 4}}{+1 1 2}{7 3 4{-7 0 1}}}",
        "\r\n{ 0\t5\n18 { + 4 6 10 { - 3 1 3 } {-5 2 4}} {001 1 2} {7 3 4 {\n-\n7 00 1 } } }   \n",
    ] {
        assert_eq!(read(text, &connect_four()).unwrap().0, content, "{text}");
    }
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let full = "{0 0 0".to_owned() + &"{+4 0 0{-4 0 0".repeat(4);
    for [place, said, text] in rows(include_str!("mcst_faults.txt")) {
        let (line, column) = place.split_once(':').unwrap();
        let (line, column) = (line.parse().unwrap(), column.parse().unwrap());
        let (text, said) = (&*text.replace("FULL", &full), &*said);
        let error = read(text, &connect_four()).unwrap_err();
        let ReadError::Fault(at, fault) = &error else { panic!("{error}") };
        assert_eq!(*at, TextPosition { line, column }, "{text}: {error}");
        assert!(fault.to_string().contains(said), "{text}: {error}");
        assert!(error.to_string().starts_with(&format!("line {line}, column {column}: ")));
    }
    let greatest = "{0 4294967295 8589934590}";
    let (content, found) = read(greatest, &connect_four()).unwrap();
    assert_eq!(content.positions[0].counts(), counts(u32::MAX, u32::MAX));
    assert_eq!(found.games, 8_589_934_590);
    assert_eq!(written(&content, &connect_four()).0, "{0 4294967295 8589934590}\n");
}

/// Without a rule against repetition a game of Go on a small board goes on for ever, if nobody
/// passes who needn't.
#[test]
fn a_line_without_end_is_refused() {
    let start = Go::start(3, Symmetry::Board).unwrap();
    let (mut board, mut legal, mut text, mut rng) =
        (start, Vec::new(), "{0 0 0".to_owned(), Rng::new(1));
    for ply in 0..=mcst::DEEPEST {
        board.legal_moves(&mut legal);
        let stones: Vec<_> = legal.iter().filter(|played| played.point.is_some()).collect();
        let played = *stones.get(rng.index(stones.len().max(1))).copied().unwrap_or(&legal[0]);
        let point = played.point.map_or("pass".to_owned(), |point| (point + 1).to_string());
        let _ = write!(text, "\n{{{}{point} 0 0", if ply % 2 == 0 { '+' } else { '-' });
        board.play(&played);
    }
    let error = read(&text, &start).unwrap_err();
    let ReadError::Fault(at, fault) = error else { panic!("{error}") };
    let place = TextPosition { line: mcst::DEEPEST as u64 + 2, column: 2 };
    assert_eq!((at, fault), (place, Fault::Deep));
    let legal = text.rsplit_once('\n').unwrap().0.to_owned() + &"}".repeat(mcst::DEEPEST + 1);
    let (content, found) = read(&legal, &start).unwrap();
    assert_eq!((found.plies, content.positions.len()), (mcst::DEEPEST, mcst::DEEPEST + 1));
    let (again, report) = written(&content, &start);
    assert_eq!((report.plies, report.lost), (mcst::DEEPEST, Losses::new(lost::ALL)));
    assert_eq!(read(&again, &start).unwrap().0, content);
}

/// Table 1 of the paper: eight sequences that are images of each other, E5 D3 C5 first. The fourth
/// to play them adds to the others.
#[test]
fn the_papers_eight_sequences_are_one_line() {
    let start = Go::start(9, Symmetry::Board).unwrap();
    let number = |text: &str| {
        let column = "ABCDEFGHJ".find(&text[..1]).unwrap();
        (9 - text[1..].parse::<usize>().unwrap()) * 9 + column + 1
    };
    let behind =
        ["D3 C5", "C6 E7", "F7 G5", "G4 E3", "F3 G5", "G6 E7", "D7 C5", "C4 E3"].map(str::to_owned);
    let mut text = "{0 4 8".to_owned();
    for (game, sequence) in behind.iter().enumerate() {
        let (black, white) = (game % 2, 1 - game % 2);
        let [one, two, three] = ["E5", &sequence[..2], &sequence[3..]].map(number);
        text += &format!(" {{+{one} {black} 1 {{-{two} {white} 1 {{{three} {black} 1}}}}}}");
    }
    let (content, found) = read(&(text + "}"), &start).unwrap();
    assert_eq!((found.nodes, content.positions.len(), content.moves.len()), (25, 4, 3));
    assert!(content.moves.iter().all(|row| row.counts() == counts(4, 4)));
    // The canonical form is E5 F7 G5.
    let [one, two, three] = ["E5", "F7", "G5"].map(number);
    let canonical = format!("{{0 4 8\n{{+{one} 4 8\n{{-{two} 4 8\n{{+{three} 4 8}}}}}}}}\n");
    assert_eq!(written(&content, &start).0, canonical);
}

#[test]
fn a_pass_has_a_word_and_a_number() {
    let start = Go::start(9, Symmetry::Board).unwrap();
    let passes = |one: &str, two: &str| {
        read(&format!("{{0 1 3 {{{one} 2 3 {{{two} 0 1}}}}}}"), &start).unwrap().0
    };
    let expected = passes("+pass", "-pass");
    for (one, two) in [("+82", "-82"), ("82", "- PASS"), ("Pass", "-82")] {
        assert_eq!(passes(one, two), expected, "{one} {two}");
    }
    assert_eq!(written(&expected, &start).0, "{0 1 3\n{+pass 2 3\n{-pass 0 1}}}\n");
    for (text, said) in [
        ("{0 0 0{83 0 0}}", "`83` is not legal here (Black to move)"),
        ("{0 0 0{41 0 0{-41 0 0}}}", "`-41` is not legal here (White to move)"),
    ] {
        assert!(read(text, &start).unwrap_err().to_string().ends_with(said), "{text}");
    }
}

#[test]
fn what_a_tree_cannot_say_is_counted() {
    let (mut content, _) = read(TREE, &connect_four()).unwrap();
    let drawn = Counts::new(0, 2, 0);
    content.positions.push(PositionRow::new(line("d").0, drawn).with_eval(12, 3));
    content.moves.push(MoveRow::new(line("d").1, line("d").2, drawn).with_marks(Marks::GOOD));
    content.moves.push(MoveRow::new(line("").0, 99, counts(1, 1)));
    content.positions.push(PositionRow::new(7, counts(1, 1)));
    content.positions.push(PositionRow::new(line("g g").0, counts(1, 1)));
    let (text, report) = written(&content.settled(), &connect_four());
    assert_eq!(text, "{0 5 18\n{+4 6 10\n{-3 3 7}}\n{+1 4 6\n{-1 0 1}}}\n");
    let [draws, judged, marked] = [(lost::DRAWS, 2), (lost::JUDGED, 1), (lost::MARKED, 1)];
    let others = [draws, judged, marked, (lost::UNREACHED, 2), (lost::DIFFERING, 1)];
    assert_eq!(report.lost, losses(lost::ALL, &others));
}

#[test]
fn a_book_without_positions_is_a_tree_too() {
    let (content, _) = read(TREE, &connect_four()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (path, start) = (folder.path().join("moves"), connect_four());
    let new = NewBook::new(start.name().parse().unwrap(), start.keys().parse().unwrap())
        .keyed(Keyed::Line);
    new.moves(&content.moves).write(&Env::default(), &path, Existing::Refuse).unwrap();
    let mut text = Vec::new();
    let report = mcst::write(&Book::open(path).unwrap(), &start, &mut text, quiet).unwrap();
    assert_eq!(report.lost, Losses::new(lost::ALL));
    assert!(text.starts_with(b"{0 6 16\n{+4 6 10\n"), "the root is the sum of its moves");
}

#[test]
fn books_that_are_no_trees_are_refused() {
    let (content, _) = read(TREE, &connect_four()).unwrap();
    let (_folder, book) = content.book_of(&connect_four(), Keyed::Position, Results::Known);
    let refused = mcst::write(&book, &connect_four(), std::io::sink(), quiet).unwrap_err();
    assert!(matches!(refused, WriteError::ByPosition { .. }), "{refused}");
}

/// A tree of random games, or its image under a symmetry of the start: wins and games of every
/// line, given by the numbers of its moves, the second side's below 0.
fn random_tree<G: Game>(
    start: &G,
    seed: u64,
    games: usize,
    symmetry: u32,
) -> BTreeMap<Vec<i32>, [u32; 2]> {
    let mut rng = Rng::new(seed);
    let mut nodes: BTreeMap<Vec<i32>, [u32; 2]> = BTreeMap::new();
    for _ in 0..games {
        let (mut board, mut moves, mut legal) = (start.clone(), Vec::new(), Vec::new());
        let (first_wins, plies) = (rng.one_in(2), rng.below(40));
        for _ in 0..=plies {
            let node = nodes.entry(moves.clone()).or_default();
            let is_first = moves.last().is_some_and(|&last: &i32| last > 0);
            *node = [node[0] + u32::from(is_first == first_wins), node[1] + 1];
            board.legal_moves(&mut legal);
            let Some(played) = legal.get(rng.index(legal.len().min(9))) else { break };
            let number = i32::from(board.image(played, symmetry)) + 1;
            moves.push(if board.side() == Side::First { number } else { -number });
            board.play(played);
        }
    }
    nodes
}

/// A tree as text, made of lines in the order of their moves.
fn text_of(nodes: &BTreeMap<Vec<i32>, [u32; 2]>) -> String {
    let (mut text, mut open) = (String::new(), 0);
    for (moves, [wins, games]) in nodes {
        text += &"}".repeat(if text.is_empty() { 0 } else { open - moves.len() });
        open = moves.len() + 1;
        match moves.last() {
            None => text += &format!("{{0 {wins} {games}"),
            Some(played) => text += &format!("{{{played:+} {wins} {games}"),
        }
    }
    text + &"}".repeat(open)
}

/// Book to tree to book is the same book, byte for byte; and the text of a tree that was written
/// comes back as it is.
fn comes_back<G: Game>(start: &G, seed: u64, games: usize) {
    let nodes = random_tree(start, seed, games, 0);
    let (content, _) = read(&text_of(&nodes), start).unwrap();
    let (_folder, book) = content.book_of(start, Keyed::Line, Results::Known);
    let (text, report) = written(&content, start);
    assert_eq!(report.lost, Losses::new(lost::ALL));
    let (again, _) = read(&text, start).unwrap();
    let (_other_folder, other) = again.book_of(start, Keyed::Line, Results::Known);
    assert!(std::fs::read(book.path()).unwrap() == std::fs::read(other.path()).unwrap());
    assert_eq!(Content::of(&other), content);
    assert_eq!(written(&again, start).0, text);
}

fn images_are_one<G: Game>(start: &G, seed: u64, symmetry: u32) {
    let (one, other) = (random_tree(start, seed, 30, 0), random_tree(start, seed, 30, symmetry));
    assert_eq!(read(&text_of(&one), start).unwrap().0, read(&text_of(&other), start).unwrap().0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn books_come_back(seed: u64, games in 1usize..40, size in 2usize..8, symmetry in 0usize..3) {
        comes_back(&connect_four(), seed, games);
        comes_back(&Go::start(size, Symmetry::ALL[symmetry]).unwrap(), seed, games);
        comes_back(&Othello::start(), seed, games);
        comes_back(&Othello::without_symmetry(), seed, games);
    }

    /// The images of a tree are the same book.
    #[test]
    fn images_of_trees_are_one_book(seed: u64, symmetry in 1u32..8) {
        images_are_one(&connect_four(), seed, 1);
        images_are_one(&Go::start(9, Symmetry::Board).unwrap(), seed, symmetry);
    }

    #[test]
    fn any_text_is_a_tree_or_has_a_fault(words in prop::collection::vec(prop_oneof![
        Just("{"), Just("}"), Just("+"), Just("-"), Just("0"), Just("4"), Just(" "), Just("\n"), Just("pass"), Just("{0 1 2"), Just("{+4 1 2"), Just("{-4 1 2"), Just("é"),
    ], 0..40)) {
        let text = words.concat();
        match read(&text, &connect_four()) {
            Ok((content, _)) => prop_assert_eq!(read(&written(&content, &connect_four()).0, &connect_four()).unwrap().0, content),
            Err(error) => prop_assert!(error.to_string().starts_with("line ")),
        }
    }
}

/// The text of a tree says no size: what shows it is that no point is beyond those of 9x9.
#[test]
fn i5_a_tree_of_a_smaller_board_is_doubted() {
    let doubt = |text: &str, size: usize| {
        let start = Go::start(size, Symmetry::Board).unwrap();
        read(text, &start).unwrap().1.doubt(start.name()).map(|doubt| doubt.size)
    };
    let small = "{0 1 4 {+41 3 4 {-32 1 3 {+42 2 3 {-50 1 2}}}}}";
    assert_eq!((doubt(small, 9), doubt(small, 13), doubt(small, 19)), (None, Some(9), Some(9)));
    let middle = "{0 1 4 {+85 3 4 {-32 1 3 {+42 2 3 {-50 1 2}}}}}";
    assert_eq!((doubt(middle, 13), doubt(middle, 19)), (None, Some(13)));
    assert_eq!(doubt("{0 1 4 {+41 3 4 {-32 1 3 {+42 2 3}}}}", 13), None, "too few points");
}
