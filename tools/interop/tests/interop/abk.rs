//! Arena's books: what nodes mean, what is refused or cut off, and that they come back.

use crate::shared::{Content, after, code, counts, data, losses, quiet};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use tabia::{Book, Keyed, Marks, MoveRow, Results, Row};
use tabia_games::{Chess, Game, Othello};
use tabia_interop::abk::{self, Header, Limits, Node, Read, ReadError, Written, left_out, lost};
use tabia_interop::polyglot;
use tabia_interop::{Losses, WriteError};

fn read(bytes: &[u8], keyed: Keyed) -> Result<(Content, Read), ReadError> {
    Content::read(|take| abk::read(bytes, keyed, take))
}

fn write(book: &Book, limits: Limits) -> (Vec<u8>, Written) {
    let mut bytes = Vec::new();
    let written = abk::write(book, Header::default(), limits, &mut bytes, quiet).unwrap();
    (bytes, written)
}

/// A node's bytes, put together by hand.
fn node(uci: &str, [priority, games, won, lost]: [u32; 4], [child, sibling]: [i32; 2]) -> [u8; 28] {
    let square = |text: &[u8]| (text[0] - b'a') + 8 * (text[1] - b'1');
    let text = uci.as_bytes();
    let number = |role: &u8| b".rnbq".iter().position(|known| known == role).unwrap() as u8;
    let promotion = text.get(4).map_or(0, number);
    let mut bytes = [square(&text[..2]), square(&text[2..4]), promotion, priority as u8].to_vec();
    let numbers = [games, won, lost, 0, child.cast_unsigned(), sibling.cast_unsigned()];
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    bytes.try_into().unwrap()
}

fn file(nodes: &[[u8; 28]]) -> Vec<u8> {
    let mut bytes = vec![0; 900 * 28];
    bytes[..4].copy_from_slice(b"\x03ABK");
    bytes.extend(nodes.iter().flatten());
    bytes
}

/// e4 (10 games, 5 won, 2 lost), answered by e5 and c5; d4, not to be played.
fn small() -> Vec<u8> {
    let nodes = [
        node("e2e4", [5, 10, 5, 2], [901, 903]),
        node("e7e5", [9, 6, 2, 2], [-1, 902]),
        node("c7c5", [5, 4, 3, 0], [-1, -1]),
        node("d2d4", [0, 1, 0, 1], [-1, -1]),
    ];
    file(&nodes)
}

#[test]
fn counts_are_whites_and_become_the_movers() {
    let (content, read) = read(&small(), Keyed::Position).unwrap();
    let played = |before, played| content.move_behind(before, played).unwrap();
    assert_eq!(played("", "e4").counts(), counts(5, 3, 2));
    assert_eq!(played("e4", "e5").counts(), counts(2, 2, 2));
    assert_eq!(played("e4", "c5").counts(), counts(0, 1, 3));
    assert_eq!(played("", "d4").marks(), Marks::NEVER);
    assert_eq!(played("", "e4").marks(), Marks::empty());
    for (moves, counted) in
        [("", counts(5, 3, 3)), ("e4", counts(2, 3, 5)), ("e4 c5", counts(3, 1, 0))]
    {
        assert_eq!(content.behind(moves).unwrap().counts(), counted);
    }
    assert_eq!((read.nodes, read.plies, read.games, read.results), (4, 2, 11, Results::Known));
    assert_eq!(read.lost, losses(lost::ALL, &[(lost::PRIORITIES, 1)]));
    assert_eq!(read.lost.to_string(), "1 priorities");
    assert_eq!(Losses::new(lost::ALL).to_string(), "nothing");
}

#[test]
fn a_file_without_results_makes_counts_without_results() {
    let bytes =
        file(&[node("e2e4", [0, 7, 0, 0], [901, -1]), node("e7e5", [0, 3, 0, 0], [-1, -1])]);
    let (content, read) = read(&bytes, Keyed::Line).unwrap();
    assert_eq!(read.results, Results::Unknown);
    let won_or_lost = |row: &MoveRow| row.counts().wins + row.counts().losses;
    assert!(content.moves.iter().all(|row| won_or_lost(row) == 0 && row.marks().is_empty()));
    let (_folder, book) = content.book(Keyed::Line, read.results);
    let (again, _) = self::read(&write(&book, Limits::default()).0, Keyed::Line).unwrap();
    assert_eq!(again, content);
}

#[test]
fn transpositions_are_added_by_position_and_apart_by_line() {
    let line = |first: [&str; 3], at: i32, beside: i32, games: u32| {
        [
            node(first[0], [5, games, 1, 0], [at + 1, beside]),
            node(first[1], [5, games, 1, 0], [at + 2, -1]),
            node(first[2], [5, games, 1, 0], [-1, -1]),
        ]
    };
    let one = line(["e2e4", "e7e5", "g1f3"], 900, 903, 3);
    let nodes = [one, line(["g1f3", "e7e5", "e2e4"], 903, -1, 4)].concat();
    let end = after("e4 e5 Nf3").key();
    let (by_position, _) = read(&file(&nodes), Keyed::Position).unwrap();
    assert_eq!(by_position.position(end).unwrap().counts(), counts(0, 5, 2));
    assert_eq!(by_position.positions.len(), 6);
    let (by_line, _) = read(&file(&nodes), Keyed::Line).unwrap();
    assert_eq!((by_line.positions.len(), by_line.position(end)), (7, None));
}

/// The nodes of one line, from a slot on, with a link from the first to the move beside it.
fn line(moves: &str, at: i32, beside: i32) -> Vec<[u8; 28]> {
    let last = moves.split(' ').count() as i32 - 1;
    let link =
        |ply: i32| [if ply < last { at + ply + 1 } else { -1 }, if ply == 0 { beside } else { -1 }];
    moves.split(' ').zip(0..).map(|(played, ply)| node(played, [5, 2, 1, 0], link(ply))).collect()
}

/// What a pawn becomes on h8, and both ways to castle.
fn odd_moves() -> Vec<[u8; 28]> {
    let mut nodes = line("h2h4 g7g5 h4g5 h7h6 g5h6 g8f6 h6h7 h8g8 h7h8q", 900, 912);
    let others = ["r", "b", "n"].map(|role| node(&format!("h7h8{role}"), [5, 2, 1, 0], [-1, -1]));
    nodes.extend(others);
    for (node, sibling) in nodes[8..11].iter_mut().zip(909i32..) {
        node[24..].copy_from_slice(&sibling.to_le_bytes());
    }
    nodes.extend(line("g1f3 b8c6 g2g3 b7b6 f1g2 c8b7 e1g1 e7e6 a2a3 d8e7 a3a4 e8c8", 912, -1));
    nodes
}

#[test]
fn promotions_and_castling_come_back() {
    let (content, read) = read(&file(&odd_moves()), Keyed::Line).unwrap();
    assert_eq!((read.nodes, read.plies, read.lost), (24, 12, Losses::new(lost::ALL)));
    let (by_position, _) = self::read(&file(&odd_moves()), Keyed::Position).unwrap();
    let before = "h4 g5 hxg5 h6 gxh6 Nf6 h7 Rg8";
    for (role, number) in [("Q", 4), ("R", 3), ("B", 2), ("N", 1)] {
        let code = code(before, &format!("h8={role}"));
        assert_eq!(code >> 12, number);
        assert!(by_position.played(after(before).key(), code).is_some());
    }
    assert!(by_position.move_behind("Nf3 Nc6 g3 b6 Bg2 Bb7", "O-O").is_some());
    let (_folder, book) = content.book(Keyed::Line, Results::Known);
    let (bytes, written) = write(&book, Limits::default());
    assert_eq!((written.nodes, written.lost.any()), (24, false));
    assert_eq!(self::read(&bytes, Keyed::Line).unwrap().0, content);
    assert_eq!(moves_of(&bytes), moves_of(&file(&odd_moves())));
    let taken = nodes_of(&bytes).into_iter().map(|node| ((node.from, node.to), node.taken));
    let taken: BTreeMap<(u8, u8), i8> = taken.collect();
    assert_eq!(taken[&(31, 38)], 6, "White takes a pawn");
    assert_eq!((taken[&(38, 47)], taken[&(6, 21)]), (6, 0));
}

/// The nodes of a file that a walk by its links comes to, without boards.
fn nodes_of(bytes: &[u8]) -> Vec<Node> {
    let all: Vec<Node> = bytes[900 * 28..].as_chunks().0.iter().map(Node::read).collect();
    let (mut open, mut nodes) = (vec![900], Vec::new());
    while let Some(slot) = open.pop() {
        let node = all[slot as usize - 900];
        open.extend(node.sibling);
        if !node.is_deleted {
            open.extend(node.child);
            nodes.push(node);
        }
    }
    nodes
}

/// What nodes say of their moves, sorted.
fn moves_of(bytes: &[u8]) -> Vec<(u8, u8, i8, [u32; 3])> {
    let said = |node: Node| (node.from, node.to, node.promotion, [node.games, node.won, node.lost]);
    let mut moves: Vec<_> = nodes_of(bytes).into_iter().map(said).collect();
    moves.sort_unstable();
    moves
}

#[test]
fn what_is_wrong_is_cut_off_and_counted() {
    let nodes = [
        node("e2e4", [5, 1, 1, 1], [901, 902]), // more results than games
        node("e7e4", [5, 1, 0, 0], [904, 900]), // illegal; then a link back
        node("d2d4", [5, 1, 0, 0], [902, 5000]), // a link to itself, and one out of the file
        node("a2a3", [5, 1, 0, 0], [-1, -1]),   // never reached
        node("a7a6", [5, 1, 0, 0], [-1, -1]),   // behind an illegal move
    ];
    let (content, read) = read(&file(&nodes), Keyed::Position).unwrap();
    assert_eq!((read.nodes, content.moves.len()), (2, 2));
    let [illegal, tangled] = [(lost::ILLEGAL, 1), (lost::TANGLED, 3)];
    let others = [illegal, tangled, (lost::UNREACHED, 2), (lost::CONTRADICTORY, 1)];
    assert_eq!(read.lost, losses(lost::ALL, &others));
    assert_eq!(content.move_behind("", "e4").unwrap().counts(), counts(1, 0, 1));
    let mut deleted = nodes;
    deleted[0][19] = 1;
    let (content, read) = self::read(&file(&deleted), Keyed::Position).unwrap();
    assert_eq!([lost::DELETED, lost::UNREACHED].map(|reason| read.lost.of(reason)), [1, 3]);
    assert_eq!(content.moves.len(), 1);
}

#[test]
fn a_line_without_end_is_cut_off() {
    let moves = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let child = |at| if at < 4999 { 901 + at } else { -1 };
    let node = |at| node(moves[at as usize % 4], [5, 1, 0, 0], [child(at), -1]);
    let nodes: Vec<_> = (0..5000).map(node).collect();
    let (_, read) = read(&file(&nodes), Keyed::Line).unwrap();
    assert_eq!((read.nodes, read.plies, read.lost.of(lost::UNREACHED)), (4096, 4096, 904));
}

#[test]
fn what_is_no_book_is_refused() {
    let refused = |bytes: &[u8]| read(bytes, Keyed::Line).map(|_| ()).unwrap_err().to_string();
    let small = small();
    assert!(refused(b"").contains("begins with []"));
    assert!(refused(b"\x03ABC").contains("03, 41, 42, 43"));
    for length in [4, 25_199, small.len() - 1] {
        assert!(refused(&small[..length]).contains("cut off"), "{length}");
    }
    let mut wide = small.clone();
    wide[8] = 32;
    assert!(refused(&wide).contains("32 bytes"));
    let (content, read) = read(&small[..25_200], Keyed::Line).unwrap();
    assert_eq!((content, read.nodes), (Content::default(), 0));
}

#[test]
fn headers_come_back() {
    let (comment, author) = ("Ganz schön".into(), "β".into());
    let header = Header { comment, author, plies: 9, nodes: 7, least_games: 2 };
    let bytes = header.to_bytes();
    assert_eq!(bytes.len(), 25_200);
    assert_eq!(Header::read(&bytes).unwrap(), Header { author: "?".into(), ..header });
    let long = Header { comment: "x".repeat(500), author: "y".repeat(500), ..Header::default() };
    let read = Header::read(&long.to_bytes()).unwrap();
    assert_eq!((read.comment.len(), read.author.len()), (120, 80));
}

/// Knights go out and back: the moves of a book whose graph has a cycle.
fn circling() -> Content {
    let mut content = Content::default();
    let mut position = Chess::start();
    for text in ["Nf3", "Nf6", "Ng1", "Ng8"] {
        let played = position.parse_move(text).unwrap();
        let row = MoveRow::new(position.key(), position.code(&played), counts(0, 9, 0));
        content.moves.push(row.with_marks(Marks::GOOD));
        position.play(&played);
    }
    let foreign = MoveRow::new(0x1234, 1, counts(1, 0, 0));
    content.moves.extend([foreign, MoveRow::new(Chess::start().key(), 4095, counts(1, 0, 0))]);
    content.settled()
}

#[test]
fn a_line_ends_where_a_position_comes_back() {
    let (_folder, book) = circling().book(Keyed::Position, Results::Known);
    let (bytes, written) = write(&book, Limits::default());
    assert_eq!((written.nodes, written.plies), (4, 4));
    let [unwritten, repeated] = [(left_out::UNWRITTEN, 2), (left_out::REPEATED, 1)];
    let others = [unwritten, repeated, (left_out::ILLEGAL, 1), (left_out::MARKED, 4)];
    assert_eq!(written.lost, losses(left_out::ALL, &others));
    assert_eq!(nodes_of(&bytes).iter().map(|node| node.priority).collect::<Vec<_>>(), [7; 4]);
}

#[test]
fn limits_keep_what_was_played_most() {
    let (content, _) = read(&small(), Keyed::Line).unwrap();
    let (_folder, book) = content.book(Keyed::Line, Results::Known);
    let nodes = |limits| nodes_of(&write(&book, limits).0);
    let games = |limits| nodes(limits).iter().map(|node| node.games).collect::<BTreeSet<_>>();
    let all = Limits::default();
    assert_eq!(games(Limits { nodes: 2, ..all }), BTreeSet::from([10, 6]));
    assert_eq!(games(Limits { plies: 1, ..all }), BTreeSet::from([10, 1]));
    assert_eq!(games(Limits { breadth: 1, ..all }), BTreeSet::from([10, 6]));
    assert_eq!(games(Limits { games: 4, ..all }), BTreeSet::from([10, 6, 4]));
    assert_eq!(write(&book, Limits { nodes: 0, ..all }).0.len(), 25_200);
    assert_eq!(write(&book, Limits { plies: 0, ..all }).1.lost.of(left_out::UNWRITTEN), 4);
    assert_eq!(nodes(all).iter().find(|node| node.games == 1).unwrap().priority, 0);
}

#[test]
fn a_book_of_another_game_is_refused() {
    let empty = Content::default();
    let (_folder, book) = empty.book_of(&Othello::start(), Keyed::Position, Results::Known);
    let (header, limits) = (Header::default(), Limits::default());
    let error = abk::write(&book, header, limits, Vec::new(), quiet).unwrap_err();
    assert!(matches!(&error, WriteError::Game(_, game) if game == "othello"), "{error}");
}

/// Games by the numbers of their moves among the legal ones, as a tree of nodes.
fn tree(games: &[(Vec<u8>, u8)]) -> Vec<[u8; 28]> {
    #[derive(Default)]
    struct Branch {
        counts: [u32; 3],
        moves: BTreeMap<u16, (String, Branch)>,
    }
    fn put(branch: &Branch, nodes: &mut Vec<[u8; 28]>) {
        let last = branch.moves.len().saturating_sub(1);
        for (index, (uci, behind)) in branch.moves.values().enumerate() {
            let at = nodes.len();
            nodes.push([0; 28]);
            put(behind, nodes);
            let [won, drawn, lost] = behind.counts;
            let child = if behind.moves.is_empty() { -1 } else { at as i32 + 901 };
            let sibling = if index == last { -1 } else { nodes.len() as i32 + 900 };
            nodes[at] = node(uci, [5, won + drawn + lost, won, lost], [child, sibling]);
        }
    }
    let mut root = Branch::default();
    for (choices, outcome) in games {
        let (mut position, mut branch, mut legal) = (Chess::start(), &mut root, Vec::new());
        for &choice in choices {
            position.legal_moves(&mut legal);
            let Some(played) = legal.get(usize::from(choice) % legal.len().max(1)) else { break };
            let entry = branch.moves.entry(position.code(played));
            branch =
                &mut entry.or_insert_with(|| (position.coordinates(played), Branch::default())).1;
            branch.counts[usize::from(outcome % 3)] += 1;
            position.play(played);
        }
    }
    let mut nodes = Vec::new();
    put(&root, &mut nodes);
    nodes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn trees_of_games_come_back(mut games in prop::collection::vec((prop::collection::vec(0u8..4, 1..12), 0u8..3), 1..12)) {
        // One game at least has a winner, so that results are known.
        games[0].1 = 0;
        let bytes = file(&tree(&games));
        let (content, read) = read(&bytes, Keyed::Line).unwrap();
        prop_assert!(!read.lost.any());
        prop_assert_eq!(read.games, games.len() as u64);
        let (_folder, book) = content.book(Keyed::Line, read.results);
        let (written, told) = write(&book, Limits::default());
        prop_assert!(!told.lost.any());
        prop_assert_eq!(moves_of(&written), moves_of(&bytes));
        prop_assert_eq!(self::read(&written, Keyed::Line).unwrap().0, content);
    }

    #[test]
    fn each_node_of_any_file_is_told_of_once(
        nodes in prop::collection::vec((0usize..6, 0u32..3, 0u32..3, 899i32..912, 899i32..912, any::<bool>()), 0..12),
        at: prop::sample::Index,
        byte: u8,
    ) {
        let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "d2d4", "a1a8"];
        let made = nodes.iter().map(|&(played, games, won, child, sibling, is_deleted)| {
            let mut bytes = node(moves[played], [5, games, won, 0], [child, sibling]);
            bytes[19] = u8::from(is_deleted && games == 0);
            bytes
        });
        let mut bytes = file(&made.collect::<Vec<_>>());
        if !nodes.is_empty() {
            let at = 25_200 + at.index(nodes.len() * 28);
            bytes[at] = byte;
        }
        for keyed in [Keyed::Line, Keyed::Position] {
            let (content, read) = read(&bytes, keyed).unwrap();
            let [deleted, illegal, unreached] = [lost::DELETED, lost::ILLEGAL, lost::UNREACHED].map(|reason| read.lost.of(reason));
            prop_assert_eq!(read.nodes + deleted + illegal + unreached, nodes.len() as u64);
            prop_assert!(content.moves.len() as u64 <= read.nodes);
        }
    }
}

/// Perfect2021 is there as an Arena book and as Polyglot's. The numbers are those of a walk with
/// python-chess, which also has the same games at each move.
#[test]
fn a_real_book_agrees_with_its_polyglot_form_and_comes_back() {
    let (Some(bytes), Some(other)) =
        (data("books/perfect2021-Perfect2021.abk"), data("books/perfect2021-Perfect2021.bin"))
    else {
        return;
    };
    let (content, read) = read(&bytes, Keyed::Position).unwrap();
    assert_eq!((read.nodes, read.plies, read.games), (9073, 30, 2092));
    assert_eq!(read.results, Results::Unknown);
    let lost = [(lost::DELETED, 29), (lost::UNREACHED, 469), (lost::PRIORITIES, 567)];
    assert_eq!(read.lost, losses(lost::ALL, &lost));
    // The header doesn't count deleted nodes.
    assert_eq!((read.header.plies, read.header.nodes), (30, 9571 - 29));
    assert_eq!((content.moves.len(), content.positions.len()), (5470, 5143));
    let ours: BTreeSet<(u64, u16)> =
        content.moves.iter().map(|row| (row.key(), row.code())).collect();
    let mut theirs = BTreeSet::new();
    polyglot::read(&other[..], |entry| -> std::io::Result<()> {
        theirs.insert((entry.key, entry.code));
        Ok(())
    })
    .unwrap();
    assert_eq!((theirs.len(), ours.intersection(&theirs).count()), (5387, 5351));

    let (content, _) = self::read(&bytes, Keyed::Line).unwrap();
    let (_folder, book) = content.book(Keyed::Line, Results::Unknown);
    let (written, told) = write(&book, Limits::default());
    assert_eq!((told.nodes, told.lost.any()), (9073, false));
    assert_eq!(moves_of(&written), moves_of(&bytes));
    let taken = |bytes: &[u8]| {
        let mut taken: Vec<_> =
            nodes_of(bytes).iter().map(|node| (node.from, node.to, node.taken)).collect();
        taken.sort_unstable();
        taken
    };
    assert_eq!(taken(&written), taken(&bytes), "what is taken");
    assert_eq!(self::read(&written, Keyed::Line).unwrap().0, content);
    assert_eq!(Content::of(&book), content);
}
