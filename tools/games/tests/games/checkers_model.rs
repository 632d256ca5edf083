//! The rules of draughts against a plain model: a board of letters in rows and columns, captures
//! square by square, written apart from the bitboards.

use crate::shared::{choices, played};
use proptest::prelude::*;
use std::collections::BTreeSet;
use tabia_games::{Checkers, Game, Outcome, Side};
use tabia_testing::whole;

pub fn starts() -> impl Strategy<Value = Checkers> {
    prop_oneof![Just(Checkers::english()), Just(Checkers::international())]
}

/// Any position, by what stands on each square and who is to move, as far as a board can hold it.
pub fn positions() -> impl Strategy<Value = Checkers> {
    let pieces = proptest::collection::vec(
        prop_oneof![6 => Just('.'), 2 => Just('w'), 2 => Just('b'), 1 => Just('W'), 1 => Just('B')],
        50,
    );
    (starts(), pieces, any::<bool>()).prop_map(|(start, pieces, white)| {
        let (squares, width) =
            (start.squares() as usize, if start.squares() == 32 { 4 } else { 5 });
        let mut texts = [Vec::new(), Vec::new()];
        for (index, piece) in pieces.into_iter().take(squares).enumerate() {
            let texts = &mut texts[usize::from(piece.eq_ignore_ascii_case(&'b'))];
            let is_crowned =
                (piece == 'w' && index < width) || (piece == 'b' && index >= squares - width);
            if piece != '.' && texts.len() < width * (width - 1) {
                let king = if piece.is_ascii_uppercase() || is_crowned { "K" } else { "" };
                texts.push(format!("{king}{}", index + 1));
            }
        }
        let [white_pieces, black_pieces] = texts.map(|texts| texts.join(","));
        let setup = format!("{}:W{white_pieces}:B{black_pieces}", if white { 'W' } else { 'B' });
        start.set_up(&setup).unwrap_or_else(|error| panic!("{error}"))
    })
}

/// `b w` for men, `B W` for kings, `.` for empty and a blank for light squares.
#[derive(Clone)]
struct Model {
    rows: Vec<Vec<char>>,
    black_to_move: bool,
}

const SIDES: [(i32, i32); 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

impl Model {
    fn size(&self) -> i32 {
        self.rows.len() as i32
    }

    fn is_flying(&self) -> bool {
        self.size() == 10
    }

    fn at(&self, (row, column): (i32, i32)) -> char {
        let row = usize::try_from(row).ok().and_then(|row| self.rows.get(row));
        row.and_then(|row| usize::try_from(column).ok().and_then(|column| row.get(column)))
            .copied()
            .unwrap_or(' ')
    }

    fn set(&mut self, (row, column): (i32, i32), piece: char) {
        self.rows[row as usize][column as usize] = piece;
    }

    fn is_own(&self, piece: char) -> bool {
        piece.to_ascii_lowercase() == if self.black_to_move { 'b' } else { 'w' }
    }

    fn is_enemy(&self, piece: char) -> bool {
        piece.is_ascii_alphabetic() && !self.is_own(piece)
    }

    /// The squares on which pieces can stand, in the order of their numbers.
    fn squares(&self) -> Vec<(i32, i32)> {
        let all =
            (0..self.size()).flat_map(|row| (0..self.size()).map(move |column| (row, column)));
        all.filter(|(row, column)| (row + column) % 2 == 1).collect()
    }

    /// Reads `W:W18,K27:B3` as the engine writes it.
    fn of(setup: &str, size: usize) -> Self {
        let rows = (0..size)
            .map(|row| {
                (0..size).map(|column| if (row + column) % 2 == 1 { '.' } else { ' ' }).collect()
            })
            .collect();
        let mut model = Self { rows, black_to_move: setup.starts_with('B') };
        let squares = model.squares();
        for part in setup.split(':').skip(1) {
            for item in part[1..].split(',').filter(|item| !item.is_empty()) {
                let (piece, number) = match item.strip_prefix('K') {
                    Some(number) => (part[..1].to_ascii_uppercase(), number),
                    None => (part[..1].to_ascii_lowercase(), item),
                };
                let number: usize = number.parse().expect("a number");
                model.set(squares[number - 1], piece.chars().next().expect("a letter"));
            }
        }
        model
    }

    fn text(&self) -> String {
        let pieces = |color: char| {
            let squares = self.squares().into_iter().enumerate();
            let squares = squares.map(|(index, square)| (index + 1, self.at(square)));
            let own = squares.filter(|(_, piece)| piece.to_ascii_lowercase() == color);
            own.map(|(number, piece)| format!("{}{number}", if piece == color { "" } else { "K" }))
                .collect::<Vec<_>>()
                .join(",")
        };
        format!("{}:W{}:B{}", if self.black_to_move { 'B' } else { 'W' }, pieces('w'), pieces('b'))
    }

    /// The board after a move, given by what was captured.
    fn after(&self, from: (i32, i32), to: (i32, i32), captured: &[(i32, i32)]) -> String {
        let mut next = self.clone();
        let piece = next.at(from);
        next.set(from, '.');
        captured.iter().for_each(|&square| next.set(square, '.'));
        let is_crowned = to.0 == if self.black_to_move { self.size() - 1 } else { 0 };
        next.set(to, if is_crowned { piece.to_ascii_uppercase() } else { piece });
        next.black_to_move = !self.black_to_move;
        next.text()
    }

    /// All boards after a legal move.
    fn successors(&self) -> BTreeSet<String> {
        let mut captures = Vec::new();
        for from in self.squares().into_iter().filter(|&square| self.is_own(self.at(square))) {
            let mut lifted = self.clone();
            lifted.set(from, '.');
            lifted.jumps(from, from, self.at(from), &mut Vec::new(), &mut captures);
        }
        if captures.is_empty() {
            return self.steps();
        }
        let most = captures.iter().map(|(_, _, captured)| captured.len()).max().unwrap_or(0);
        captures.retain(|(_, _, captured)| !self.is_flying() || captured.len() == most);
        captures.iter().map(|(from, to, captured)| self.after(*from, *to, captured)).collect()
    }

    fn jumps(
        &self,
        from: (i32, i32),
        at: (i32, i32),
        piece: char,
        captured: &mut Vec<(i32, i32)>,
        found: &mut Vec<Capture>,
    ) {
        let is_king = piece.is_ascii_uppercase();
        let forward = if self.black_to_move { 1 } else { -1 };
        let mut goes_on = false;
        for (down, right) in
            SIDES.into_iter().filter(|(down, _)| is_king || self.is_flying() || *down == forward)
        {
            let square = |distance: i32| (at.0 + down * distance, at.1 + right * distance);
            let reach = if is_king && self.is_flying() { self.size() } else { 1 };
            let Some(met) = (1..=reach).find(|&distance| self.at(square(distance)) != '.') else {
                continue;
            };
            if !self.is_enemy(self.at(square(met))) || captured.contains(&square(met)) {
                continue;
            }
            let landings =
                (met + 1..=met + reach).take_while(|&distance| self.at(square(distance)) == '.');
            for landing in landings {
                goes_on = true;
                captured.push(square(met));
                self.jumps(from, square(landing), piece, captured, found);
                captured.pop();
            }
        }
        if !goes_on && !captured.is_empty() {
            found.push((from, at, captured.clone()));
        }
    }

    fn steps(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let forward = if self.black_to_move { 1 } else { -1 };
        for from in self.squares().into_iter().filter(|&square| self.is_own(self.at(square))) {
            let is_king = self.at(from).is_ascii_uppercase();
            for (down, right) in SIDES.into_iter().filter(|(down, _)| is_king || *down == forward) {
                let reach = if is_king && self.is_flying() { self.size() } else { 1 };
                let square = |distance: i32| (from.0 + down * distance, from.1 + right * distance);
                let free = (1..=reach).take_while(|&distance| self.at(square(distance)) == '.');
                found.extend(free.map(|distance| self.after(from, square(distance), &[])));
            }
        }
        found
    }
}

type Capture = ((i32, i32), (i32, i32), Vec<(i32, i32)>);

fn agree(game: &Checkers) -> Result<(), TestCaseError> {
    let size = if game.squares() == 32 { 8 } else { 10 };
    let model = Model::of(&game.setup(), size);
    prop_assert_eq!(model.text(), game.setup());
    let expected = model.successors();
    let moves = game.legal();
    let found: BTreeSet<String> = moves.iter().map(|played| game.after(played).setup()).collect();
    prop_assert_eq!(&found, &expected, "{}", game.setup());
    prop_assert_eq!(found.len(), moves.len(), "a move stands there twice: {}", game.setup());
    let lost = if game.side() == Side::First { Outcome::SecondWins } else { Outcome::FirstWins };
    prop_assert_eq!(game.outcome(), expected.is_empty().then_some(lost));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if whole() { 1_000 } else { 250 }))]

    #[test]
    fn any_position(game in positions()) {
        agree(&game)?;
    }

    #[test]
    fn random_games(start in starts(), choices in choices(120)) {
        played(&start, &choices).iter().try_for_each(agree)?;
    }
}
