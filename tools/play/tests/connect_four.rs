//! The worked example of a game: its rules against published counts, the laws of games, and the
//! book that is made of it.

#[path = "../examples/connect_four.rs"]
#[allow(dead_code, reason = "its `main` is for people")]
mod connect_four;
#[path = "../../games/tests/laws/mod.rs"]
mod laws;

use connect_four::{ConnectFour, build, explore, played, trim};
use std::collections::{BTreeMap, HashMap, HashSet};
use tabia::format::Keyed;
use tabia::{Book, Counts, Row, TableKind};
use tabia_games::{Game, Node, perft};

/// Distinct positions after 0, 1, 2 ... moves (OEIS A212693).
const POSITIONS: [usize; 9] = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184_275];

/// The set-up text of the mirror image.
fn mirror(setup: &str) -> String {
    let mirror = |row: &str| row.chars().rev().collect::<String>();
    setup.split('/').map(mirror).collect::<Vec<_>>().join("/")
}

#[test]
fn positions_are_as_many_as_are_published() {
    let mut boards = HashMap::from([(ConnectFour::start().setup(), ConnectFour::start())]);
    for expected in POSITIONS {
        assert_eq!(boards.len(), expected);
        let keys: HashSet<u64> = boards.values().map(Game::key).collect();
        let own_images = boards.keys().filter(|&setup| *setup == mirror(setup)).count();
        assert_eq!(
            keys.len(),
            (expected + own_images) / 2,
            "a board and its image have one key, others have others"
        );
        assert!(boards.iter().all(|(setup, board)| board.key() == boards[&mirror(setup)].key()));
        let mut next = HashMap::new();
        for board in boards.values() {
            let mut legal = Vec::new();
            board.legal_moves(&mut legal);
            for played in legal {
                let mut after = board.clone();
                after.play(&played);
                next.insert(after.setup(), after);
            }
        }
        boards = next;
    }
}

#[test]
fn leaves_are_as_many_as_are_published() {
    let counts: Vec<u64> = (0..=7).map(|depth| perft(&ConnectFour::start(), depth)).collect();
    assert_eq!(counts, [1, 7, 49, 343, 2401, 16807, 117_649, 823_536]);
}

#[test]
fn the_laws_hold() {
    for start in [ConnectFour::start(), ConnectFour::without_mirrors()] {
        laws::laws(&start, 42, 30);
        laws::ends_where_nothing_can_be_played(&start, 42, 200);
        laws::one_key_has_one_set_of_codes(&start, 42, 200);
    }
}

/// What games count, by a model that knows no symmetry but that of texts: for each position and
/// move, as the lesser of the two images, the mover's wins, draws and losses.
fn model(text: &str) -> BTreeMap<(String, String), [u64; 3]> {
    let mut counts = BTreeMap::new();
    for game in text.lines().filter(|line| !line.starts_with('#')) {
        let (moves, result) = game.rsplit_once(' ').unwrap();
        let mut board = ConnectFour::without_mirrors();
        for (ply, text) in moves.split(' ').enumerate() {
            let column = text.as_bytes()[0] - b'a';
            let images = [(board.setup(), column), (mirror(&board.setup()), 6 - column)];
            let (setup, column) = images.into_iter().min().unwrap();
            let count =
                counts.entry((setup, char::from(b'a' + column).to_string())).or_insert([0; 3]);
            let index = match (result, ply % 2) {
                ("1/2-1/2", _) => 1,
                ("1-0", 0) | ("0-1", 1) => 0,
                _ => 2,
            };
            count[index] += 1;
            board.play(&board.parse_move(text).unwrap());
        }
    }
    counts
}

fn counts_of(Counts { wins, draws, losses }: Counts) -> [u64; 3] {
    [wins, draws, losses].map(u64::from)
}

#[test]
fn a_book_counts_what_the_games_are() {
    let folder = tempfile::tempdir().unwrap();
    let text = played(300);
    let (book, faults) = build(&text, &ConnectFour::start(), &folder.path().join("games")).unwrap();
    assert_eq!(faults, [""; 0]);
    let expected = model(&text);
    assert_eq!(book.header().table(TableKind::Moves).unwrap().shape.rows, expected.len() as u64);
    for ((setup, column), counts) in expected {
        for (setup, column) in [
            (mirror(&setup), char::from(b'g' - (column.as_bytes()[0] - b'a')).to_string()),
            (setup, column),
        ] {
            let board = ConnectFour::start().set_up(&setup).unwrap();
            let code = board.code(&board.parse_move(&column).unwrap());
            let found = book.moves(board.key()).unwrap();
            let row = found
                .iter()
                .find(|row| row.code() == code)
                .unwrap_or_else(|| panic!("{setup} {column} isn't there"));
            assert_eq!(counts_of(row.counts()), counts, "{setup} {column}");
        }
    }
}

#[test]
fn exploring_shows_moves_as_they_are_on_the_board_at_hand() {
    let folder = tempfile::tempdir().unwrap();
    let text = "a a b c 1-0\ng g e 0-1 # the image of the second column is the sixth\ng g f *\nd 1/2-1/2\nd d d d d d d 1-0\n";
    let (book, faults) = build(text, &ConnectFour::start(), &folder.path().join("games")).unwrap();
    assert_eq!(faults, ["byte 68: it has no decided result", "byte 86: `d` is not legal at ply 7"]);
    let root = Node::start(ConnectFour::start(), book.header().keyed == Keyed::Line);
    let shown = |node: &Node<ConnectFour>| {
        explore(&book, node)
            .unwrap()
            .into_iter()
            .map(|(played, counts)| (played, counts_of(counts)))
            .collect::<Vec<_>>()
    };
    let after = |moves: &str| {
        moves.split(' ').fold(root.clone(), |node, text| {
            let played = node.position.parse_move(text).unwrap();
            node.after(&played)
        })
    };
    assert_eq!(shown(&root), [("a".to_owned(), [1, 0, 1]), ("d".to_owned(), [0, 1, 0])]);
    assert_eq!(shown(&after("a")), [("a".to_owned(), [1, 0, 1])]);
    assert_eq!(shown(&after("g")), [("g".to_owned(), [1, 0, 1])]);
    let behind = |moves: &str| shown(&after(moves)).into_iter().collect::<HashSet<_>>();
    assert_eq!(
        behind("a a"),
        HashSet::from([("b".to_owned(), [1, 0, 0]), ("c".to_owned(), [0, 0, 1])])
    );
    assert_eq!(
        behind("g g"),
        HashSet::from([("f".to_owned(), [1, 0, 0]), ("e".to_owned(), [0, 0, 1])])
    );
}

#[test]
fn a_trimmed_book_has_one_move_for_x_and_all_for_o() {
    let folder = tempfile::tempdir().unwrap();
    let start = ConnectFour::start();
    let (book, _) = build(&played(3_000), &start, &folder.path().join("games")).unwrap();
    let path = folder.path().join("x");
    let kept = trim(&book, &start, &path).unwrap();
    assert!(tabia::check(&tabia::Env::default(), &path).unwrap().ok());
    let small = Book::open(&path).unwrap();
    let root = Node::start(start, book.header().keyed == Keyed::Line);
    let first = explore(&small, &root).unwrap();
    let [(played, _)] = first.as_slice() else { panic!("{first:?}") };
    let after = root.after(&root.position.parse_move(played).unwrap());
    assert_eq!(explore(&small, &after).unwrap(), explore(&book, &after).unwrap());
    assert!(
        kept > 10 && kept < book.header().table(TableKind::Moves).unwrap().shape.rows / 10,
        "{kept}"
    );
}
