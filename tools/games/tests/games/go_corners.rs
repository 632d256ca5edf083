//! Joseki: the sequences of a game's corners, and that their sixteen images count together.

use crate::go_symmetry::moved;
use proptest::prelude::*;
use tabia_games::go::{CornerMove, Go, Move, Symmetry};
use tabia_games::{CornerGame, Game, Line, Side};

fn start() -> Go {
    Go::start(19, Symmetry::BoardAndColors).expect("a size")
}

/// The moves of a text, which name their color: `Bq16`.
fn moves(text: &str) -> Vec<Move> {
    let read = |word: &str| {
        let side = if word.starts_with('B') { Side::First } else { Side::Second };
        start().turned(side).parse_move(&word[1..]).expect("a move")
    };
    text.split_whitespace().map(read).collect()
}

fn shown(sequence: &[CornerMove]) -> String {
    let name = |step: &CornerMove| {
        let side = if step.played.side == Side::First { 'B' } else { 'W' };
        let mark = if step.of.is_none() { "*" } else { "" };
        format!("{side}{}{mark}", start().notation(&step.played))
    };
    sequence.iter().map(name).collect::<Vec<_>>().join(" ")
}

/// The key of a sequence as a line, and of where it leads.
fn keys(sequence: &[CornerMove]) -> (u64, u64) {
    let first = start().turned(sequence[0].played.side);
    let (mut game, mut line) = (first, Line::start(&first));
    for step in sequence {
        line = line.after(&game, &step.played);
        game.play(&step.played);
    }
    (line.key(), game.key())
}

#[test]
fn each_corner_has_its_moves_and_passes_for_those_elsewhere() {
    let game = moves("BQ16 WD4 BQ4 WC16 BK10 WE17 BC6 WF3 Wpass BD8 WR14 BR17 WQ3 BR3 WR2 BP3");
    let corners = start().corners(&game, 9).map(|sequence| shown(&sequence));
    let [upper, lower] =
        [["WC16 Bpass* WE17", "BQ16 WR14 BR17"], ["WD4 BC6 WF3 BD8", "BQ4 WQ3 BR3 WR2 BP3"]];
    assert_eq!(corners, [upper, lower].as_flattened());
    let lengths = |lines| start().corners(&game, lines).map(|sequence| sequence.len());
    assert_eq!(lengths(3), [0, 1, 0, 2], "three lines from the edges");
    assert_eq!(lengths(0), [0; 4]);
    assert_eq!(start().corners(&game, 200), start().corners(&game, 9), "half of the board at most");
}

#[test]
fn a_sequence_ends_where_it_needs_the_stones_around_it() {
    // White takes A19 by a stone outside of the small corner; without it Black can't play there.
    let game = moves("BA19 WB19 BK10 WA18 BA19");
    // A stone was captured; its place is suicide.
    assert_eq!(shown(&start().corners(&game, 4)[0]), "BA19 WB19 Bpass* WA18");
    let game = moves("BA17 WB17 WA16 BB18 WA18 BA17");
    assert_eq!(shown(&start().corners(&game, 3)[0]), "BA17 WB17 BB18 WA18");
}

fn corner_games(moves: &[Move]) -> Vec<CornerGame<Go>> {
    let mut present = start();
    moves.iter().for_each(|played| present.try_play(played).expect("a legal move"));
    start().corner_games(moves, &present, 9)
}

#[test]
fn corners_are_games_with_the_same_side_to_move() {
    let played = moves("BQ16 WD4 BF3 WQ4 BR6");
    let games = corner_games(&played);
    let told: Vec<(&str, String, Option<usize>, usize)> = games
        .iter()
        .map(|corner| {
            let mut line = corner.start;
            let name = |played: &Move| {
                let text = line.notation(played);
                line.play(played);
                text
            };
            let moves: Vec<String> = corner.moves.iter().map(name).collect();
            assert_eq!(line.side(), Side::Second, "it is White's move on the whole board");
            (corner.name, moves.join(" "), corner.last, corner.legal.len())
        })
        .collect();
    let expected = [
        ("upper right", "Q16".to_owned(), Some(0), 80),
        ("lower left", "D4 F3".to_owned(), Some(2), 79),
        ("lower right", "Q4 R6".to_owned(), Some(4), 79),
        ("upper left", String::new(), None, 81),
    ];
    assert_eq!(told, expected);
    // White again: Black has moved elsewhere.
    let again = corner_games(&moves("BQ16 WD4 BF3 WQ4 BK10"));
    let of = |name: &str| again.iter().find(|corner| corner.name == name).unwrap();
    assert_eq!(of("lower right").moves.len(), 2);
    assert_eq!(of("lower right").moves[1], Move { side: Side::First, point: None });
}

/// Stones that a corner's own moves didn't put there, or that those around it took away.
#[test]
fn a_corner_with_other_stones_is_none() {
    let names = |games: Vec<CornerGame<Go>>| {
        games.iter().map(|corner| corner.name).collect::<Vec<_>>().join(", ")
    };
    // K is the tenth column: J10 lies in no corner of nine rows, and J11 is taken by its help.
    let taken = moves("BJ11 WH11 Bpass WJ12 Bpass WK11 Bpass WJ10");
    assert_eq!(names(corner_games(&taken)), "upper right, lower left, lower right");
    let handicap = start().arranged([(72, Some(Side::First))], Side::Second).unwrap();
    let left = handicap.corner_games(&[], &handicap, 9);
    assert_eq!(names(left), "lower left, lower right, upper left");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The corners of a game and of its image are the same sequences, in another order.
    #[test]
    fn sixteen_images_count_together(points in prop::collection::vec(0u16..361, 1..60), number in 0usize..16, region in 2usize..10) {
        let (mut game, mut played) = (start(), Vec::new());
        for point in points {
            let next = Move { side: game.side(), point: Some(point) };
            if game.try_play(&next).is_ok() {
                played.push(next);
            }
        }
        let keys_of = |moves: &[Move]| {
            let mut found: Vec<_> = start().corners(moves, region).iter().filter(|sequence| !sequence.is_empty()).map(|sequence| keys(sequence)).collect();
            found.sort_unstable();
            found
        };
        let image: Vec<_> = played.iter().map(|played| moved(19, played, number)).collect();
        prop_assert_eq!(keys_of(&played), keys_of(&image));
    }
}
