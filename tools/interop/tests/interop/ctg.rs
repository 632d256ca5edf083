//! ChessBase's books: pages written here from the description, whatever can be wrong with them, and
//! a real one.

use crate::shared::{Content, after, counts, data, losses};
use proptest::prelude::*;
use tabia::{Marks, Results, Row};
use tabia_games::{Chess, Game, Side};
use tabia_interop::Losses;
use tabia_interop::ctg::{self, Fault, Files, Read, ReadError, lost};

fn read(files: Files<'_>) -> Result<(Content, Read), ReadError> {
    let mut rows = 0;
    let (content, read) = Content::read(|take| {
        ctg::read(files, |row| {
            rows += 1;
            take(row)
        })
    })?;
    let merged = content.positions.len() + content.moves.len();
    assert_eq!(merged, rows, "no two rows are of the same position or move");
    Ok((content, read))
}

fn only(ctg: &[u8]) -> Files<'_> {
    Files { ctg, cto: None, ctb: None }
}

/// A position's board, bit by bit, put together from its FEN.
fn board(position: &Chess) -> Vec<u8> {
    let setup = position.setup();
    let fields: Vec<&str> = setup.split(' ').collect();
    let mut ranks: Vec<Vec<char>> = fields[0].split('/').rev().map(spread).collect();
    let mut rights: String = fields[2].replace('-', "");
    if position.side() == Side::Second {
        ranks.reverse();
        ranks.iter_mut().flatten().for_each(|letter| *letter = swapped(*letter));
        rights = rights.chars().map(swapped).collect();
    }
    let mut passing = fields[3].bytes().next().filter(|&file| file != b'-').map(|file| file - b'a');
    let is_left = ranks.iter().any(|rank| rank[..4].contains(&'K'));
    if rights.is_empty() && is_left {
        ranks.iter_mut().for_each(|rank| rank.reverse());
        passing = passing.map(|file| 7 - file);
    }
    let mut bits: String =
        (0..8).flat_map(|file| ranks.iter().map(move |rank| bits_of(rank[file]))).collect();
    let mut tail = passing.map_or(String::new(), |file| format!("{file:03b}"));
    if !rights.is_empty() {
        tail.extend("kqKQ".chars().map(|right| if rights.contains(right) { '1' } else { '0' }));
    }
    // With nothing behind the board a byte that ends with it is followed by an empty one.
    let padding =
        if tail.is_empty() { 8 - bits.len() % 8 } else { (16 - (bits.len() + tail.len()) % 8) % 8 };
    bits += &"0".repeat(padding);
    bits += &tail;
    let byte = |at| u8::from_str_radix(&bits[at..at + 8], 2).unwrap();
    let mut bytes: Vec<u8> = (0..bits.len()).step_by(8).map(byte).collect();
    let head = (bytes.len() as u8 + 1)
        | if passing.is_some() { 32 } else { 0 }
        | if rights.is_empty() { 0 } else { 64 };
    bytes.insert(0, head);
    bytes
}

fn spread(rank: &str) -> Vec<char> {
    let squares =
        |letter: char| letter.to_digit(10).map_or(vec![letter], |empty| vec!['.'; empty as usize]);
    rank.chars().flat_map(squares).collect()
}

fn swapped(letter: char) -> char {
    if letter.is_ascii_uppercase() {
        letter.to_ascii_lowercase()
    } else {
        letter.to_ascii_uppercase()
    }
}

fn bits_of(letter: char) -> &'static str {
    match letter {
        'P' => "110",
        'p' => "111",
        'N' => "10010",
        'n' => "10011",
        'B' => "10100",
        'b' => "10101",
        'R' => "10110",
        'r' => "10111",
        'Q' => "100010",
        'q' => "100011",
        'K' => "100000",
        'k' => "100001",
        _ => "0",
    }
}

/// What is behind a position: games, losses, wins, draws; and the recommendation.
type Recorded = ([u32; 4], u8);

fn entry(position: &Chess, moves: &[u8], (counts, recommendation): Recorded) -> Vec<u8> {
    let mut bytes = board(position);
    bytes.push(moves.len() as u8 + 1);
    bytes.extend(moves);
    bytes.extend(counts.iter().flat_map(|number| number.to_be_bytes()[1..].to_vec()));
    bytes.extend([0; 18]);
    bytes.extend([recommendation, 0, 0]);
    bytes
}

fn pages(entries: &[Vec<Vec<u8>>]) -> Vec<u8> {
    let mut bytes = vec![0; 4096];
    bytes[28..32].copy_from_slice(&77u32.to_be_bytes());
    for page in entries {
        let content = page.concat();
        let mut page =
            [(page.len() as u16).to_be_bytes(), (content.len() as u16 + 4).to_be_bytes()].concat();
        page.extend(content);
        page.resize(4096, 0);
        bytes.extend(page);
    }
    bytes
}

/// A line of moves, each by its code, as a book with one position more than moves.
fn line(moves: &str, codes: &[u8]) -> Vec<u8> {
    let words: Vec<&str> = moves.split(' ').collect();
    let entries = (0..=words.len()).map(|ply| {
        let played: Vec<u8> = codes.get(ply).map_or(Vec::new(), |&code| vec![code, 0]);
        entry(&after(&words[..ply].join(" ")), &played, ([9, 3, 2, 1], 0))
    });
    // Several pages, since not all fit on one.
    pages(&entries.collect::<Vec<_>>().chunks(40).map(<[_]>::to_vec).collect::<Vec<_>>())
}

/// Each move of a line must come out of its code.
fn check_line(moves: &str, codes: &[u8]) {
    let words: Vec<&str> = moves.split(' ').collect();
    assert_eq!(words.len(), codes.len());
    let bytes = line(moves, codes);
    let (content, read) = read(only(&bytes)).unwrap_or_else(|error| panic!("{error}"));
    let all = words.len() as u64;
    assert_eq!((read.positions, read.reached, read.moves), (all + 1, all + 1, all), "{moves}");
    assert_eq!(read.lost, losses(lost::ALL, &[(lost::UNDECIDED, 3 * (all + 1))]), "{moves}");
    for ply in 0..words.len() {
        let row = content.move_behind(&words[..ply].join(" "), words[ply]);
        // The position behind it lost three games: the mover won them.
        assert_eq!(row.expect(words[ply]).counts(), counts(3, 1, 2));
    }
}

#[test]
fn pieces_of_both_sides_move_and_castle() {
    let short = [95, 95, 243, 52, 202, 202, 107, 243, 207, 107];
    check_line("e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6 d3 O-O", &short);
    let long = [230, 230, 52, 52, 13, 13, 157, 157, 246, 246];
    check_line("d4 d5 Nc3 Nc6 Bf4 Bf5 Qd3 Qd6 O-O-O O-O-O", &long);
}

#[test]
fn boards_are_mirrored_once_nobody_may_castle() {
    // Behind Ke7 Black sees its king on the e file, and White's goes to d3 next: on the mirrored
    // board the g1 knight is the first one.
    check_line("e4 e5 Ke2 Ke7 Kd3 Kd6 Nf3 Nf6", &[95, 95, 19, 19, 223, 223, 52, 52]);
    // Rights of one side are enough for the board to stay as it is: White's first rook is that on
    // a1.
    check_line("e4 e5 Ke2 Nf6 Kd3 a5 Kc3 a4 a3", &[95, 95, 19, 243, 223, 219, 151, 236, 236]);
}

#[test]
fn pawns_take_in_passing_and_become_queens() {
    check_line("e4 a6 e5 d5 exd6", &[95, 236, 187, 230, 222]);
    check_line("h4 g5 hxg5 h6 gxh6 Nf6 h7 Rg8 h8=Q", &[74, 200, 36, 24, 20, 243, 163, 33, 163]);
}

/// Whichever of the two codes is six files and which is six ranks: h8 to f8 is not possible, h8 to
/// h6 is.
#[test]
fn an_unclear_code_is_the_move_that_is_legal() {
    for unclear in [26, 249] {
        let codes = [74, 200, 36, 24, 20, 243, 163, 33, 163, 236, unclear];
        check_line("h4 g5 hxg5 h6 gxh6 Nf6 h7 Rg8 h8=Q a6 Qh6", &codes);
    }
}

#[test]
fn marks_are_annotations_and_recommendations() {
    let e4 = |annotation: u8, recommendation| {
        let entries = [
            entry(&after(""), &[95, annotation], ([2, 0, 1, 0], 0)),
            entry(&after("e4"), &[], ([1, 1, 0, 0], recommendation)),
        ];
        let bytes = pages(&[entries.to_vec()]);
        let (content, read) = read(only(&bytes)).unwrap();
        let row = content.move_behind("", "e4").unwrap();
        (row.marks(), read.lost.of(lost::ANNOTATIONS))
    };
    for (annotation, recommendation, marks, odd) in [
        (1, 0, Marks::GOOD, 0),
        (2, 0, Marks::BAD, 0),
        (3, 0, Marks::BRILLIANT, 0),
        (4, 0, Marks::BLUNDER, 0),
        (5, 0, Marks::INTERESTING, 0),
        (6, 0, Marks::DUBIOUS, 0),
        (0xe0, 0, Marks::empty(), 0),
        (0, 64, Marks::NEVER, 0),
        (0, 128, Marks::ALWAYS, 0),
        (1, 128, Marks::GOOD | Marks::ALWAYS, 0),
        (2, 128, Marks::BAD, 1),
        (8, 0, Marks::empty(), 1),
        (0, 0xa4, Marks::empty(), 1),
    ] {
        assert_eq!(e4(annotation, recommendation), (marks, odd), "{annotation} {recommendation}");
    }
}

#[test]
fn what_is_odd_is_counted() {
    let start = entry(&after(""), &[95, 0, 2, 0, 107, 0, 230, 0, 95, 0], ([5, 0, 9, 0], 0));
    let lone = entry(&after("d4 d5"), &[], ([0; 4], 0));
    let e4 = entry(&after("e4"), &[], ([1, 0, 1, 0], 0));
    let bytes = pages(&[vec![start.clone(), start], vec![lone, e4]]);
    let (content, found) = read(only(&bytes)).unwrap();
    let [repeated, unreached] = [(lost::REPEATED, 1), (lost::UNREACHED, 1)];
    let [unknown, illegal, uncounted] =
        [(lost::UNKNOWN, 1), (lost::ILLEGAL, 2), (lost::UNCOUNTED, 1)];
    let others = [repeated, unreached, unknown, illegal, uncounted, (lost::CONTRADICTORY, 1)];
    assert_eq!((found.positions, found.reached, found.moves, found.games), (4, 2, 2, 77));
    assert_eq!(found.lost, losses(lost::ALL, &others));
    assert_eq!(content.move_behind("", "d4").unwrap().counts(), counts(0, 0, 0));
    let (told, first) = (found.lost.to_string(), "1 positions there more than once; 1 positions");
    assert!(told.starts_with(&format!("{first} not reached")), "{told}");
    // The second page has no place: e4 leads nowhere.
    let mut cto = vec![0; 16];
    cto.extend([0u32, u32::MAX].iter().flat_map(|page| page.to_be_bytes()));
    let ctb = [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1]].concat();
    let (_, found) = read(Files { ctg: &bytes, cto: Some(&cto), ctb: Some(&ctb) }).unwrap();
    let of = |reason| found.lost.of(reason);
    assert_eq!((found.positions, of(lost::UNLISTED), of(lost::UNCOUNTED)), (2, 1, 2));
}

#[test]
fn i2_what_is_not_understood_is_refused_with_its_place() {
    let start = entry(&after(""), &[95, 0], ([1, 0, 0, 0], 0));
    let length = start.len();
    let refused = |edit: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = pages(&[vec![], vec![start.clone(), start.clone()]]);
        edit(&mut bytes);
        read(only(&bytes)).map(|_| ()).unwrap_err()
    };
    let fault = |offset, fault| ReadError::Fault { page: 2, offset, fault };
    let used = 2 * length as u16 + 4;
    assert_eq!(refused(&|bytes| bytes.truncate(5000)), ReadError::Length(5000));
    assert_eq!(refused(&|bytes| bytes.clear()), ReadError::Length(0));
    assert_eq!(refused(&|bytes| bytes[8194] = 0xff), fault(2, Fault::Used(0xff00 | used & 0xff)));
    assert_eq!(refused(&|bytes| bytes[8193] = 1), fault(4 + length, Fault::End(used)));
    assert_eq!(refused(&|bytes| bytes[8193] = 3), fault(4 + 2 * length, Fault::Cut));
    assert_eq!(refused(&|bytes| bytes[8196] |= 128), fault(4, Fault::Length(start[0] | 128)));
    assert_eq!(refused(&|bytes| bytes[8196] = 0x41), fault(4, Fault::Length(0x41)));
    assert_eq!(refused(&|bytes| bytes[8196] = 0x44), fault(4, Fault::Board(4)));
    assert_eq!(refused(&|bytes| bytes[8196 + 22] = 4), fault(4, Fault::Moves(4)));
    let told = refused(&|bytes| bytes[8196 + length] = 0xc0).to_string();
    assert_eq!(told, format!("page 2, byte {} of it: 0xc0 is no length of a board", 4 + length));
    let bytes = pages(&[vec![start]]);
    let files = |cto, ctb| {
        let files = Files { ctg: &bytes, cto: Some(cto), ctb: Some(ctb) };
        read(files).map(drop).unwrap_err().to_string()
    };
    assert!(files(&[0; 15], &[0; 12]).contains(".cto"));
    assert!(files(&[0; 20], &[0; 11]).contains("11 bytes"));
    let mut ctb = vec![0; 12];
    // Real books have more than the two bounds there, which are checked all the same (I2).
    ctb.extend([0xff; 20]);
    let found = read(Files { ctg: &bytes, cto: Some(&[0; 20]), ctb: Some(&ctb) });
    assert_eq!(found.unwrap().1.positions, 1);
    ctb[11] = 9;
    assert!(files(&[0; 20], &ctb).contains("0 to 9"));
}

proptest! {
    #[test]
    fn any_pages_are_read_or_refused(edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6)) {
        let mut bytes = line("e4 e5 Ke2 Ke7 Kd3 Kd6 Nf3 Nf6", &[95, 95, 19, 19, 223, 223, 52, 52]);
        let end = 4100 + 9 * 60;
        edits.iter().for_each(|(at, byte)| bytes[4096 + at.index(end - 4096)] = *byte);
        if let Ok((content, read)) = read(only(&bytes)) {
            prop_assert_eq!((content.positions.len(), content.moves.len()), (read.reached as usize, read.moves as usize));
            prop_assert!(read.positions <= 65_535);
        }
    }

    /// Boards of any legal position are found again by the walk.
    #[test]
    fn boards_of_any_game_are_found(choices in prop::collection::vec(any::<u8>(), 1..60)) {
        let (mut position, mut legal, mut seen) = (Chess::start(), Vec::new(), vec![entry(&after(""), &[], ([1, 0, 0, 1], 0))]);
        for choice in choices {
            position.legal_moves(&mut legal);
            let Some(played) = legal.get(usize::from(choice) % legal.len().max(1)) else { break };
            position.play(played);
            seen.push(entry(&position, &[], ([1, 0, 0, 1], 0)));
        }
        let pages = pages(&seen.chunks(40).map(<[_]>::to_vec).collect::<Vec<_>>());
        let (_, read) = read(only(&pages)).unwrap();
        prop_assert_eq!(read.positions, seen.len() as u64);
        prop_assert_eq!(read.positions - read.lost.of(lost::REPEATED), read.reached + read.lost.of(lost::UNREACHED));
    }
}

#[test]
fn a_real_book_is_read_to_its_last_byte() {
    let names = ["ctg", "cto", "ctb"].map(|ending| data(&format!("books/ctg/simple.{ending}")));
    let [Some(ctg), Some(cto), Some(ctb)] = names else { return };
    let (content, read) = read(Files { ctg: &ctg, cto: Some(&cto), ctb: Some(&ctb) }).unwrap();
    assert_eq!((read.positions, read.reached, read.moves, read.games), (4, 4, 3, 1));
    assert_eq!((read.results, read.lost), (Results::Unknown, Losses::new(lost::ALL)));
    for (moves, draws) in [("", 2), ("e4", 1), ("d4", 1), ("d4 d5", 1)] {
        assert_eq!(content.behind(moves).unwrap().counts(), counts(0, draws, 0), "{moves}");
    }
    assert!(content.move_behind("d4", "d5").is_some());
}
