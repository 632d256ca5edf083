//! Variations, each as a game of its own with the moves that lead to it.

use crate::shared::{self, Seen};
use tabia::Marks;
use tabia_archives::filter::Filter;
use tabia_archives::pgn::PgnReader;
use tabia_archives::reading::Fault;
use tabia_archives::sgf::SgfReader;
use tabia_archives::{EvalComment, GameRecord, UnknownResults, Wanted};
use tabia_games::go::{Go, Symmetry};
use tabia_games::{Checkers, Chess, Game, Outcome};

/// What came of a text, a line each: games, then faults, then what was filtered.
fn lines<G: Game>(start: &G, seen: &Seen) -> Vec<String> {
    let game = |(game, at): (&GameRecord, &usize)| {
        let (mut position, mut line) = (start.clone(), format!("{at}:"));
        for ply in &game.plies {
            let played = position.move_of_code(ply.code).filter(|_| position.key() == ply.key);
            let played = played.expect("a move of the position");
            line += &format!(" {}{}", position.notation(&played), mark(ply.marks));
            position.play(&played);
        }
        assert_eq!(game.last, (position.key(), position.side()), "{line}");
        line
    };
    let fault = |(at, fault, players): &(usize, Fault, String)| {
        format!("{at}: {}: {} ({players})", fault.reason, fault.detail)
    };
    let games = seen.games.iter().zip(&seen.places).map(game);
    let filtered = seen.filtered.iter().map(|reason| format!("filtered: {reason}"));
    games.chain(seen.faults.iter().map(fault)).chain(filtered).collect()
}

fn mark(marks: Marks) -> &'static str {
    match marks {
        Marks::GOOD => "!",
        Marks::BAD => "?",
        _ => "",
    }
}

fn wanted() -> Wanted {
    Wanted { variations: true, unknown_results: UnknownResults::Count, ..Wanted::default() }
}

fn chess_with(text: &str, wanted: Wanted, is_last: bool) -> (Seen, Vec<String>) {
    let mut reader = PgnReader::new(Chess::start(), true, wanted);
    let (seen, _) = shared::read(&mut reader, text.as_bytes(), is_last);
    let lines = lines(&Chess::start(), &seen);
    (seen, lines)
}

/// The lines of a text of PGN, without their places.
fn chess(text: &str) -> Vec<String> {
    let (_, lines) = chess_with(text, wanted(), true);
    let rest = |line: &String| line.split_once(": ").map_or(line.clone(), |(_, rest)| rest.into());
    lines.iter().map(rest).collect()
}

fn go_with(text: &str, wanted: Wanted) -> (Seen, Vec<String>) {
    let start = Go::start(9, Symmetry::None).expect("a size");
    let (seen, _) = shared::read(&mut SgfReader::new(start, wanted), text.as_bytes(), true);
    let lines = lines(&start, &seen);
    (seen, lines)
}

#[test]
fn each_variation_is_a_game_with_the_moves_that_lead_to_it() {
    for text in [
        "1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) (1... e6 2. d4) 2. Nf3 *",
        "1.e4 {x} e5 ({y ( } 1...c5 2.Nf3 {z} ( ; ) a line\n2.c3 d5)2...d6)(1...e6 2.d4 1-0) 2.Nf3 1/2-1/2",
        "[Event \"x\"]\n[Result \"*\"]\n\n1. e4 e5 (1... c5 2. Nf3 (2. c3 d5 *) 2... d6 *) (1... e6 2. d4 0-1) 2. Nf3",
        "e4 e5 ( c5 Nf3 ( c3 d5 ) d6 ) () ( {only words} ) ( e6 d4 ) Nf3 )",
    ] {
        assert_eq!(chess(text), ["e4 e5 Nf3", "e4 c5 c3 d5", "e4 c5 Nf3 d6", "e4 e6 d4"], "{text}");
    }
}

#[test]
fn marks_belong_to_the_move_before_them() {
    let text = "1. e4! e5 $1 (1... c5? 2. Nf3!) ($2 1... e6) 2. Nf3? (! 2. Nc3) 2... Nc6 *";
    assert_eq!(chess(text), ["e4! e5! Nf3? Nc6", "e4! c5? Nf3!", "e4! e6", "e4! e5! Nc3"]);
}

#[test]
fn a_variation_has_its_own_evals_and_no_player() {
    let wanted = Wanted { evals: true, players: true, ..wanted() };
    let text = "[White \"A\"]\n[Black \"B\"]\n[WhiteElo \"2000\"]\n[BlackElo \"2100\"]\n[Date \"2020.01.02\"]\n[Result \"1-0\"]\n\n1. e4 {[%eval 0.3]} e5 {[%eval 0.4]} ({[%eval 5]} 1... c5 {[%eval 0.5]} 2. Nf3 {[%eval 0.6]}) 2. d4 {[%eval 0.7]} 1-0";
    let (read, lines) = chess_with(text, wanted, true);
    let evals = |game: &GameRecord| -> Vec<(u32, i16)> {
        game.evals.iter().map(|eval: &EvalComment| (eval.plies, eval.value)).collect()
    };
    let [main, variation] = &read.games[..] else { panic!("{lines:?}") };
    assert_eq!(evals(main), [(1, -30), (2, 40), (3, -70)]);
    assert_eq!(evals(variation), [(1, -30), (2, 50), (3, -60)]);
    assert_eq!(main.ratings, Some([2000, 2100]));
    assert_eq!((variation.ratings, variation.year, variation.digest), (None, 0, 0));
    assert_eq!(variation.players, main.players);
    assert_eq!((main.outcome, variation.outcome), (Outcome::Draw, Outcome::Draw));
    assert_eq!(read.variations, 1);
}

#[test]
fn a_variation_that_is_no_line_costs_nothing_else() {
    let text = "[White \"A\"]\n\n1. e4 e5 (1... c5 2. Nf9 (2. c3) d6) (better was 1... e6) (1... d5 2. exd5 (2. -- Nf6)) 2. Nf3 *";
    let expected = [
        "e4 e5 Nf3",
        "e4 d5 exd5",
        "broken: in a variation: `Nf9` can't be read as a move at ply 3 (A - )",
        "broken: in a variation: `better` can't be read as a move at ply 2 (A - )",
        "null_move: in a variation: `--` is a null move at ply 3 (A - )",
    ];
    assert_eq!(chess(text), expected);
    // Before any move there is none that a variation could replace.
    assert_eq!(chess("(1. d4) 1. e4 ((1. c4) 1. Nf3) e5 *"), ["e4 e5", "Nf3"]);
    // The game itself has to be one.
    assert_eq!(chess("1. e4 (1. d4 d5) e9 *").len(), 1);
}

#[test]
fn the_end_of_an_archive_ends_its_variations() {
    let text = "1. e4 e5 (1... c5 2. Nf3 (2. c3";
    let (_, cut) = chess_with(text, wanted(), true);
    assert_eq!(cut, ["0: e4 e5", "25: e4 c5 c3", "9: e4 c5 Nf3"]);
    let text = "1. e4 e5 (1... c5 2. Nf3 ";
    let (_, inside) = chess_with(text, wanted(), false);
    assert_eq!(inside, ["0: broken: a variation is never closed, after ply 2 ()"]);
}

#[test]
fn variations_that_are_left_out_are_counted() {
    let text = "1. e4 e5 (1... c5 (1... d5) 2. Nf3) 2. Nf3 1-0\n\n1. d4 (1. c4) *\n";
    let (read, _) = chess_with(text, Wanted::default(), true);
    assert_eq!((read.variations_left_out, read.variations, read.games.len()), (2, 0, 1));
    let sgf = "(;SZ[9]RE[B+1];B[aa](;W[bb];B[cc](;W[dd])(;W[ee]))(;W[ff])(;W[gg]))";
    let (read, _) = go_with(sgf, Wanted::default());
    assert_eq!((read.variations_left_out, read.variations, read.games.len()), (3, 0, 1));
}

#[test]
fn filters_judge_games_by_their_tags_and_lines_by_their_length() {
    let with = |filter| Wanted { filter, ..wanted() };
    let text = "[White \"A\"]\n\n1. e4 e5 (1... c5) 2. Nf3 *";
    let (_, short) = chess_with(text, with(Filter { min_plies: 3, ..Filter::default() }), true);
    assert_eq!(short, ["0: e4 e5 Nf3", "filtered: plies"]);
    let player = with(shared::player("C", None));
    assert_eq!(chess_with(text, player, true).1, ["filtered: player"]);
}

#[test]
fn deep_and_long_variations_end_somewhere() {
    let deep = "1. Nf3 (1. Nc3 (".repeat(6_000);
    let (read, lines) = chess_with(&deep, wanted(), true);
    let refused = lines.iter().filter(|line| line.contains("nested more than")).count();
    assert_eq!((refused, read.games.len() > 1), (1, true), "{:?}", lines.last());
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(5_000);
    let long = format!("{shuffle} Nf3 {} *", "(Nc3) ".repeat(1_000));
    let mut reader = PgnReader::new(Chess::start(), true, wanted());
    let (seen, _) = shared::read(&mut reader, long.as_bytes(), true);
    // All that fit, and a word about the rest.
    assert_eq!((seen.games.len(), seen.faults.len()), (1 + (1 << 24) / 20_001, 1));
}

#[test]
fn trees_of_go_are_read_from_the_root_to_every_leaf() {
    let (read, found) = go_with(
        "(;SZ[9](;B[aa];W[bb](;B[cc]TE[1];W[dd])(;B[ee])(;C[words only]))(;B[ff];W[gg](;B[hh])(;B[ii]))(;B[aa];W[aa];B[bb](;W[cc])))",
        wanted(),
    );
    let illegal = "94: illegal_move: in a variation: `W[aa]` is not legal at ply 2 ()";
    let lines = ["0: A9 B8 C7! D6", "39: A9 B8 E5", "77: F4 G3 H2", "85: F4 G3 J1", illegal];
    assert_eq!(found, lines);
    assert_eq!(read.variations, 4);
    // Stones that are set up are there in every line.
    let set_up = Wanted { set_up: true, ..wanted() };
    let start = Go::start(9, Symmetry::None).expect("a size");
    let text = "(;SZ[9]AB[aa][bb](;W[cc])(;W[dd])(;W[aa]))";
    let (seen, _) = shared::read(&mut SgfReader::new(start, set_up), text.as_bytes(), true);
    let faults = seen.faults.iter().map(|(at, _, _)| *at);
    assert_eq!((seen.places, faults.collect::<Vec<_>>()), (vec![0, 25], vec![33]));
    let deep = format!("(;SZ[9]{}{}", "(;B[aa]".repeat(20_000), ")".repeat(20_001));
    assert_eq!(go_with(&deep, wanted()).0.variations, 0, "an illegal main line");
}

#[test]
fn draughts_have_variations_too() {
    let start = Checkers::english();
    let text = "1. 11-15 23-19 (1... 22-18 2. 15x22 25x18) 2. 8-11 (2. 9-13) *";
    let mut reader = PgnReader::new(start.clone(), true, wanted());
    let (seen, _) = shared::read(&mut reader, text.as_bytes(), true);
    let expected = ["0: 11-15 23-19 8-11", "15: 11-15 22-18 15x22 25x18", "51: 11-15 23-19 9-13"];
    assert_eq!(lines(&start, &seen), expected);
}
