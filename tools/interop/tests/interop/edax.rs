//! Edax's books: what records mean, what is refused, and what real ones say.

use crate::shared::{Content, counts, data, losses};
use proptest::prelude::*;
use tabia::{PositionRow, Row};
use tabia_games::{Game, Othello, Side};
use tabia_interop::edax::{self, Lines, Read, ReadError, lost};
use tabia_testing::Rng;

fn read(bytes: &[u8]) -> Result<(Content, Read), ReadError> {
    read_with(bytes, Lines::Count)
}

fn read_with(bytes: &[u8], lines: Lines) -> Result<(Content, Read), ReadError> {
    Content::read(|take| edax::read(bytes, &Othello::start(), lines, take))
}

fn file(records: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = b"XADEKOOB\x04\x04".to_vec();
    bytes.extend([0; 8]);
    let numbers = [21, 24, 2, 1, 0, records.len() as i32];
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    bytes.extend(records.iter().flatten());
    bytes
}

/// A record's bytes: discs, lines, value, links and leaf.
fn record(
    discs: [u64; 2],
    lines: [u32; 3],
    value: i16,
    links: &[(i8, u8)],
    leaf: (i8, u8),
) -> Vec<u8> {
    let mut bytes: Vec<u8> = discs.iter().flat_map(|discs| discs.to_le_bytes()).collect();
    bytes.extend(lines.iter().chain([&lines.iter().sum()]).flat_map(|number| number.to_le_bytes()));
    bytes.extend([value, value - 2, value + 2].iter().flat_map(|number| number.to_le_bytes()));
    bytes.extend([links.len() as u8, 21]);
    let links = links.iter().chain([&leaf]);
    bytes.extend(links.flat_map(|&(score, square)| [score.cast_unsigned(), square]));
    bytes
}

/// The discs of a position as the side to move sees them.
fn discs(position: &Othello) -> [u64; 2] {
    let [black, white] = position.discs();
    if position.side() == Side::First { [black, white] } else { [white, black] }
}

fn after(moves: &str) -> Othello {
    let mut position = Othello::start();
    moves.split_whitespace().for_each(|text| position.play(&position.parse_move(text).unwrap()));
    position
}

fn square(text: &str) -> u8 {
    let text = text.as_bytes();
    text[0].to_ascii_lowercase() - b'a' + 8 * (text[1] - b'1')
}

const NONE: (i8, u8) = (-127, 65);

/// The start with its four images of one move, and the position behind that, from which one move is
/// a leaf.
fn small() -> Vec<Vec<u8>> {
    let first = ["d3", "c4", "f5", "e6"].map(|text| (1, square(text)));
    vec![
        record(discs(&Othello::start()), [8, 4, 0], 1, &first, NONE),
        record(discs(&after("f5")), [0, 1, 2], -1, &[], (-1, square("d6"))),
    ]
}

#[test]
fn records_become_positions_and_moves() {
    let (content, read) = read(&file(&small())).unwrap();
    let (start, f5, leaf) = (Othello::start(), after("f5"), after("f5 d6"));
    let row = content.position(start.key()).unwrap();
    assert_eq!((row.counts(), row.eval(), row.depth()), (counts(8, 4, 0), Some(1), 21));
    assert!(row.flags().is_empty());
    // Four images of one move, each with what is behind it.
    let played = content.played(start.key(), start.code(&start.parse_move("f5").unwrap())).unwrap();
    assert_eq!(played.counts(), counts(8, 4, 0));
    assert_eq!(content.position(f5.key()).unwrap().counts(), counts(0, 1, 2));
    let row = content.position(leaf.key()).unwrap();
    assert_eq!((row.counts(), row.eval(), row.depth()), (counts(0, 0, 0), Some(1), 21));
    assert_eq!((content.positions.len(), content.moves.len()), (3, 2));
    assert_eq!((read.positions, read.links, read.leaves, read.passes), (2, 4, 1, 0));
    assert_eq!(read.lost, losses(lost::ALL, &[(lost::BOUNDS, 2)]));
    assert_eq!(read.lost.to_string(), "2 positions with bounds");
    // Lines are no games: without them the rows have the same evals and no counts.
    let (evals, read) = read_with(&file(&small()), Lines::LeaveOut).unwrap();
    let without = |row: &PositionRow| row.with_counts(Default::default());
    assert_eq!(evals.positions, content.positions.iter().map(without).collect::<Vec<_>>());
    assert!(evals.moves.iter().all(|row| row.counts().games() == 0));
    assert_eq!(read.lost, losses(lost::ALL, &[(lost::BOUNDS, 2), (lost::LINES, 2)]));
}

/// A game from the start to a position in which a side was passed over, by the first or the last
/// legal moves.
fn to_a_pass() -> Othello {
    for seed in 1u64.. {
        let (mut position, mut legal, mut rng) = (Othello::start(), Vec::new(), Rng::new(seed));
        loop {
            position.legal_moves(&mut legal);
            let Some(played) = legal.get(rng.index(legal.len().max(1))) else { break };
            let before = position.clone();
            position.play(played);
            if before.side() == position.side() && position.outcome().is_none() {
                return before;
            }
        }
    }
    unreachable!("games with passes are many")
}

#[test]
fn a_position_before_a_pass_is_the_one_behind_it() {
    let before = to_a_pass();
    let mut legal = Vec::new();
    before.legal_moves(&mut legal);
    let played = legal.into_iter().find(|played| {
        let mut behind = before.clone();
        behind.play(played);
        behind.side() == before.side() && behind.outcome().is_none()
    });
    let played = played.unwrap();
    let mut behind = before.clone();
    behind.play(&played);
    let [own, other] = discs(&behind);
    let parent = record(discs(&before), [3, 0, 1], 5, &[(5, played.square())], (-60, 65));
    let pass = record([other, own], [1, 0, 3], -5, &[(-5, 64)], NONE);
    let after = record([own, other], [3, 0, 1], 5, &[], NONE);
    for (records, positions) in
        [(vec![parent.clone(), pass.clone(), after], 3), (vec![parent, pass], 2)]
    {
        let (content, read) = read(&file(&records)).unwrap();
        assert_eq!((read.positions, read.passes, content.positions.len()), (positions, 1, 2));
        let row = content.position(behind.key()).unwrap();
        assert_eq!((row.counts(), row.eval()), (counts(3, 0, 1), Some(5)));
        let played = content.played(before.key(), before.code(&played)).unwrap();
        assert_eq!(played.counts(), counts(3, 0, 1));
        for reason in [lost::DIFFERING, lost::UNLINKED, lost::ILLEGAL, lost::REPEATED] {
            assert_eq!(read.lost.of(reason), 0, "{}", reason.name);
        }
    }
}

#[test]
fn what_is_odd_is_counted() {
    let f5 = discs(&after("f5"));
    let links = [(1, square("f5")), (1, square("f5")), (2, square("a1")), (0, 64)];
    let odd = [
        record(discs(&Othello::start()), [1, 0, 0], 300, &links, (3, 99)),
        record(f5, [0, 0, 0], 4, &[(1, square("d6"))], (0, square("f4"))),
        record(f5, [0, 0, 0], 4, &[], NONE),
    ];
    let (content, read) = read(&file(&odd)).unwrap();
    for (reason, count) in [
        (lost::MISSING, 0),
        (lost::REPEATED, 1),
        (lost::ILLEGAL, 3),
        (lost::DOUBLED, 1),
        (lost::UNCOVERED, 1),
        (lost::UNLINKED, 1),
        (lost::DIFFERING, 1),
        (lost::OUT_OF_RANGE, 1),
    ] {
        assert_eq!(read.lost.of(reason), count, "{}", reason.name);
    }
    assert_eq!(content.position(Othello::start().key()).unwrap().eval(), None);
    let mut short = file(&odd);
    short.truncate(42);
    assert_eq!(self::read(&short).unwrap().1.lost.of(lost::MISSING), 3);
}

#[test]
fn what_is_no_book_is_refused_and_where() {
    let bytes = file(&small());
    let refused = |bytes: &[u8]| read(bytes).map(|_| ()).unwrap_err().to_string();
    assert!(refused(b"").contains("no Edax book"));
    assert!(refused(b"EDAXBOOK and more").contains("no Edax book"));
    assert!(refused(&bytes[..41]).contains("41 bytes"));
    let second = 42 + 42 + 2 * 4;
    assert!(read(&bytes[..second]).is_ok());
    for length in (43..bytes.len()).filter(|&length| length != second) {
        let (record, at) = if length < second { (1, 42) } else { (2, second) };
        let expected = format!("position {record} at byte {at}: it is cut off");
        assert!(refused(&bytes[..length]).starts_with(&expected), "{length}");
    }
    let mut old = bytes.clone();
    old[8] = 3;
    assert!(refused(&old).contains("version 3"));
    let same = record([1, 1], [0, 0, 0], 0, &[], NONE);
    assert!(refused(&file(&[same])).contains("same squares"));
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(mut bytes: Vec<u8>, at in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8)) {
        let _ = read(&bytes);
        let mut edited = file(&small());
        at.iter().for_each(|(at, byte)| { let at = at.index(edited.len()); edited[at] = *byte; });
        if let Ok((content, read)) = read(&edited) {
            prop_assert!(content.positions.len() as u64 <= read.positions + read.links + read.leaves);
            prop_assert!(content.positions.iter().all(|row| row.eval().is_none_or(|eval| (-64..=64).contains(&eval))));
        }
        bytes.splice(..0, file(&[]));
        let _ = read(&bytes);
    }
}

/// Records, links with a position behind them, and leaves of real books.
#[test]
fn real_books_are_whole() {
    let books = [
        ("book.dat", [1941, 2075, 1920, 3]),
        ("book.dat.dev", [1941, 2036, 1920, 3]),
        ("book.dat.store", [95, 97, 89, 1]),
        ("test_book.dat", [38, 41, 36, 0]),
    ];
    for (name, counted) in books {
        let Some(bytes) = data(&format!("othello/books/{name}")) else { return };
        let (content, read) = read(&bytes).unwrap();
        assert_eq!([read.positions, read.links, read.leaves, read.passes], counted, "{name}");
        let some = [lost::BOUNDS, lost::OPEN_LINES].map(|reason| (reason, read.lost.of(reason)));
        assert_eq!(read.lost, losses(lost::ALL, &some), "{name}");
        assert!(content.moves.len() as u64 <= read.links + read.leaves);
    }
}

/// What Edax lists of a position: discs of both, whose move, value, lines that are played to the
/// end and the shares won and drawn, moves with scores.
struct Listing {
    setup: String,
    value: i16,
    full: u64,
    shares: [f64; 3],
    moves: Vec<(String, i16)>,
}

fn listings(text: &str) -> Vec<Listing> {
    let numbers = |line: &str| -> Vec<f64> {
        line.split(|sign: char| !(sign.is_ascii_digit() || matches!(sign, '.' | '-' | '+')))
            .filter_map(|word| word.parse().ok())
            .collect()
    };
    let mut listings = Vec::new();
    for shown in text.split(">book show").skip(1).filter(|shown| shown.contains("Best score")) {
        let line = |begin: &str| shown.lines().find(|line| line.starts_with(begin)).unwrap();
        let rows = (1..=8).map(|row| line(&format!("{row} ")));
        let squares = rows.flat_map(|row| row.split_whitespace().skip(1).take(8));
        let board = squares.collect::<String>().replace('.', "-").replace('*', "X");
        let side = if line("2 ").contains("* to move") { "X" } else { "O" };
        let lines = numbers(line("Lines: "));
        let moves = line("Moves: ").split(['[', ']', '<', '>']);
        let moves = moves.filter_map(|text| text.split_once(':')).filter(|(at, _)| at.len() == 2);
        let moves = moves.map(|(square, score)| (square.to_lowercase(), score.parse().unwrap()));
        let (setup, moves) = (format!("{board} {side}"), moves.collect());
        let value = numbers(line("Best score: "))[0] as i16;
        let (full, shares) = (lines[0] as u64, [lines[1], lines[2], lines[3]]);
        listings.push(Listing { setup, value, full, shares, moves });
    }
    listings
}

#[test]
fn a_real_book_says_what_edax_lists_of_it() {
    let (Some(bytes), Some(text)) =
        (data("othello/books/test_book.dat"), data("othello/books/test_book_show.txt"))
    else {
        return;
    };
    let (content, _) = read(&bytes).unwrap();
    let listings = listings(&String::from_utf8_lossy(&text));
    assert_eq!(listings.len(), 6);
    for listing in listings {
        let position = Othello::start().set_up(&listing.setup).unwrap();
        let row = content.position(position.key()).unwrap();
        let (setup, counts) = (&listing.setup, row.counts());
        assert_eq!((row.eval(), row.depth()), (Some(listing.value), 21), "{setup}");
        assert_eq!(counts.games(), listing.full, "{setup}");
        for (share, count) in listing.shares.iter().zip([counts.wins, counts.draws, counts.losses])
        {
            let found = 100.0 * f64::from(count) / listing.full as f64;
            assert!((share - found).abs() < 0.01, "{setup}: {counts:?}");
        }
        assert!(!listing.moves.is_empty());
        for (text, score) in &listing.moves {
            let played = position.parse_move(text).unwrap();
            assert!(content.played(position.key(), position.code(&played)).is_some(), "{text}");
            let mut behind = position.clone();
            behind.play(&played);
            let eval = content.position(behind.key()).unwrap().eval();
            assert_eq!(eval, Some(-score), "{setup} {text}");
        }
    }
}
