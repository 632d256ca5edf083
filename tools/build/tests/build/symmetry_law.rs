//! The law of symmetry: games and their images under a symmetry of the game give the same book,
//! byte for byte, keyed by position or by line; and what the book knows of a position is found
//! again on its image, for the moves of the board asked for.

use crate::shared::{build, file};
use proptest::prelude::*;
use tabia::bytes::Memory;
use tabia::format::Keyed;
use tabia::{Book, Env, Existing, NewBook};
use tabia_build::BuildPlan;
use tabia_games::go::Symmetry;
use tabia_games::{Checkers, Game, Go, Known, Othello, Side};

/// How a game's archives are written, and what the images of their games are.
trait Imaged: Game {
    /// How many images a game has, itself included.
    fn images(&self) -> u32;

    /// A game as a file of its usual archives, seen in an image: from the start by these moves,
    /// given by side and coordinates.
    fn written(&self, moves: &[(Side, String)], result: usize, image: u32) -> String;

    fn image_of(&self, coordinates: &str, image: u32) -> String;

    fn start_in(&self, image: u32) -> Self;

    /// Whether the rules forbid a move here by what was played before (ko), which is no part of a key.
    fn forbids_a_point(&self) -> bool {
        false
    }

    /// The file's name.
    const FILE: &'static str;
}

/// One of the eight images of a point on a square board.
fn turned([mut x, mut y]: [usize; 2], size: usize, image: u32) -> [usize; 2] {
    if image & 1 != 0 {
        x = size - 1 - x;
    }
    if image & 2 != 0 {
        y = size - 1 - y;
    }
    if image & 4 != 0 { [y, x] } else { [x, y] }
}

fn letter(index: usize) -> char {
    char::from(b'a' + index as u8)
}

impl Imaged for Othello {
    const FILE: &'static str = "games.pgn";

    fn images(&self) -> u32 {
        8
    }

    fn image_of(&self, square: &str, image: u32) -> String {
        let bytes = square.as_bytes();
        let [x, y] = turned([bytes[0] - b'a', bytes[1] - b'1'].map(usize::from), 8, image);
        format!("{}{}", letter(x), y + 1)
    }

    fn start_in(&self, image: u32) -> Self {
        let text = self.setup();
        let (squares, side) = text.split_at(64);
        let mut turned_squares = [' '; 64];
        for (index, disc) in squares.chars().enumerate() {
            let [x, y] = turned([index % 8, index / 8], 8, image);
            turned_squares[y * 8 + x] = disc;
        }
        self.set_up(&format!("{}{side}", turned_squares.iter().collect::<String>()))
            .expect("an image of the start")
    }

    fn written(&self, moves: &[(Side, String)], result: usize, image: u32) -> String {
        let moves: Vec<_> = moves.iter().map(|(_, square)| self.image_of(square, image)).collect();
        let result = ["40-24", "32-32", "24-40"][result];
        format!(
            "[FEN \"{}\"]\n[Result \"{result}\"]\n\n{}\n\n",
            self.start_in(image).setup(),
            moves.join(" ")
        )
    }
}

impl Imaged for Go {
    const FILE: &'static str = "games.sgf";

    fn images(&self) -> u32 {
        if self.symmetry() == Symmetry::BoardAndColors { 16 } else { 8 }
    }

    fn image_of(&self, point: &str, image: u32) -> String {
        if point == "pass" {
            return point.to_owned();
        }
        let [x, y] = turned(place(point), self.size(), image);
        let column = b"ABCDEFGHJKLMNOPQRST"[x];
        format!("{}{}", char::from(column), y + 1)
    }

    fn start_in(&self, image: u32) -> Self {
        if image < 8 { self.emptied() } else { self.emptied().turned(Side::Second) }
    }

    fn forbids_a_point(&self) -> bool {
        self.setup().split(' ').count() == 3
    }

    fn written(&self, moves: &[(Side, String)], result: usize, image: u32) -> String {
        let flips = image >= 8;
        let node = |(side, point): &(Side, String)| {
            let color = if (*side == Side::First) == flips { 'W' } else { 'B' };
            let at = match point.as_str() {
                "pass" => String::new(),
                point => {
                    let [x, y] = turned(place(point), self.size(), image);
                    format!("{}{}", letter(x), letter(self.size() - 1 - y))
                }
            };
            format!(";{color}[{at}]")
        };
        let moves: String = moves.iter().map(node).collect();
        let result = ["B+3", "Draw", "W+3"][if flips { 2 - result } else { result }];
        format!(
            "(;GM[1]SZ[{}]PL[{}]RE[{result}]{moves})\n",
            self.size(),
            if flips { 'W' } else { 'B' }
        )
    }
}

/// Column and row of a point, both from 0, the row from below.
fn place(point: &str) -> [usize; 2] {
    let (column, row) = point.split_at(1);
    let column = "ABCDEFGHJKLMNOPQRST".find(column).expect("a column");
    [column, row.parse::<usize>().expect("a row") - 1]
}

impl Imaged for Checkers {
    const FILE: &'static str = "games.pdn";

    fn images(&self) -> u32 {
        2
    }

    fn image_of(&self, played: &str, image: u32) -> String {
        if image == 0 {
            return played.to_owned();
        }
        let (mut text, mut number) = (String::new(), 0);
        for letter in played.chars().chain([' ']) {
            if let Some(digit) = letter.to_digit(10) {
                number = 10 * number + digit;
                continue;
            }
            if number > 0 {
                text += &(self.squares() + 1 - number).to_string();
            }
            number = 0;
            text.push(match letter {
                'W' => 'B',
                'B' => 'W',
                letter => letter,
            });
        }
        text.trim_end().to_owned()
    }

    fn start_in(&self, image: u32) -> Self {
        self.set_up(&self.image_of(&self.setup(), image)).expect("an image of the start")
    }

    fn written(&self, moves: &[(Side, String)], result: usize, image: u32) -> String {
        let moves: Vec<_> = moves.iter().map(|(_, played)| self.image_of(played, image)).collect();
        let result = ["1-0", "1/2-1/2", "0-1"][if image == 1 { 2 - result } else { result }];
        let kind = if self.squares() == 50 { 20 } else { 21 };
        format!(
            "[GameType \"{kind}\"]\n[FEN \"{}\"]\n[Result \"{result}\"]\n\n{} *\n\n",
            self.start_in(image).setup(),
            moves.join(" ")
        )
    }
}

/// A game by these choices among the legal moves.
fn played<G: Game>(start: &G, choices: &[u16]) -> Vec<(Side, String)> {
    let (mut position, mut legal, mut moves) = (start.clone(), Vec::new(), Vec::new());
    for &choice in choices {
        position.legal_moves(&mut legal);
        if legal.is_empty() {
            break;
        }
        let played = legal[usize::from(choice) % legal.len()].clone();
        moves.push((position.side(), position.coordinates(&played)));
        position.play(&played);
    }
    moves
}

/// The book of an archive, without its sources.
fn book_of<G: Imaged>(start: &G, text: &str, keyed: Keyed) -> Vec<u8> {
    let (folder, path) = file(G::FILE, text.as_bytes());
    let known = Known::of(start.name(), start.keys()).expect("a game that is known");
    let mut plan = BuildPlan::new(known);
    (plan.read.wanted.keyed, plan.threads, plan.memory) = (keyed, 1, 1 << 20);
    let built = build(&plan, &[path], &folder.path().join("book.tabia"));
    assert_eq!(built.games.games.skipped_games(), 0, "{text}");
    // Without its source: an image is another text.
    let (book, bare) = (
        Book::open(folder.path().join("book.tabia")).expect("a book"),
        folder.path().join("bare.tabia"),
    );
    let copy = NewBook::like(book.header()).tables_of(&book);
    copy.write(&Env::default(), &bare, Existing::Refuse).expect("a book");
    std::fs::read(bare).expect("a book")
}

/// What a book of positions knows on the way of a game is the same on an image of it, move for
/// move.
fn is_found_on_the_image<G: Imaged>(
    start: &G,
    book: &Book<Memory<Vec<u8>>>,
    moves: &[(Side, String)],
    image: u32,
) {
    let (mut here, mut there) = (start.clone(), start.start_in(image));
    let mut legal = Vec::new();
    for (_, played) in moves {
        assert_eq!(here.key(), there.key());
        let rows = book.moves(here.key()).expect("rows").to_vec();
        assert!(!rows.is_empty());
        here.legal_moves(&mut legal);
        for row in &rows {
            let Some(known) = here.move_of_code(row.code()) else {
                // It was played where the game came to the same stones with nothing forbidden.
                assert!(here.forbids_a_point() && there.move_of_code(row.code()).is_none());
                continue;
            };
            let its_image = there.parse_move(&start.image_of(&here.coordinates(&known), image));
            let of_code = there.move_of_code(row.code());
            for played in [its_image.expect("legal on the image"), of_code.expect("a legal move")] {
                assert_eq!(there.code(&played), row.code());
            }
        }
        let next = here.parse_move(played).expect("a legal move");
        assert!(rows.iter().any(|row| row.code() == here.code(&next)));
        here.play(&next);
        there.play(&there.parse_move(&start.image_of(played, image)).expect("legal on the image"));
    }
}

fn law<G: Imaged>(start: &G, games: &[(Vec<u16>, usize)], image: u32) {
    let games = games.iter().map(|(choices, result)| (played(start, choices), *result));
    let games: Vec<_> = games.filter(|game| !game.0.is_empty()).collect();
    let archive = |image: &dyn Fn(usize) -> u32| -> String {
        let numbered = games.iter().enumerate();
        numbered.map(|(at, (moves, result))| start.written(moves, *result, image(at))).collect()
    };
    let images = start.images();
    for keyed in [Keyed::Position, Keyed::Line] {
        let book = book_of(start, &archive(&|_| 0), keyed);
        let all = 1 + image % (images - 1);
        let what = format!("{} {} image {all} {keyed:?}", start.name(), start.keys());
        assert!(book == book_of(start, &archive(&|_| all), keyed), "{what}");
        // Each game in another image.
        let turned = archive(&|number| (number as u32 + image) % images);
        assert!(book == book_of(start, &turned, keyed), "{what}");
        if keyed == Keyed::Position {
            let book = Book::from_bytes(book).expect("a book");
            for (moves, _) in &games {
                is_found_on_the_image(start, &book, moves, image % images);
            }
        }
    }
}

/// A game that comes to the same stones twice, where the second time ko forbids the move that was
/// played the first time.
#[test]
fn ko_is_no_part_of_a_key() {
    let choices = [
        57754, 50105, 19994, 24965, 62514, 2642, 5964, 45208, 34995, 39601, 57871, 27871, 35773,
        55411, 26478, 31476, 24492, 21996, 36271, 34109, 50993, 29313, 36589, 55440, 52693, 40339,
        60968, 18702,
    ];
    let start = Go::start(4, Symmetry::BoardAndColors).expect("a board");
    law(&start, &[(choices.to_vec(), 1)], 8);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn games_and_their_images_give_the_same_book(
        games in prop::collection::vec((prop::collection::vec(any::<u16>(), 1..70), 0usize..3), 1..8),
        image in 1u32..16,
    ) {
        law(&Othello::start(), &games, image);
        for (size, symmetry) in [(5, Symmetry::Board), (9, Symmetry::Board), (4, Symmetry::BoardAndColors), (9, Symmetry::BoardAndColors)] {
            law(&Go::start(size, symmetry).expect("a board"), &games, image);
        }
        law(&Checkers::english(), &games, image);
        law(&Checkers::international(), &games, image);
    }

    /// Short games, most of whose positions are their own images.
    #[test]
    fn so_do_games_on_symmetric_boards(
        games in prop::collection::vec((prop::collection::vec(0u16..6, 1..5), 0usize..3), 1..30),
        image in 1u32..16,
    ) {
        law(&Othello::start(), &games, image);
        law(&Go::start(3, Symmetry::Board).expect("a board"), &games, image);
        law(&Go::start(3, Symmetry::BoardAndColors).expect("a board"), &games, image);
        law(&Checkers::english(), &games, image);
    }
}
