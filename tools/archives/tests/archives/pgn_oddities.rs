//! PGN as it is found: every oddity goes in or is skipped for a reason, and costs no other game.

use crate::shared::{Taken, costs_no_other, take_file, take_text};
use tabia::row::Marks;
use tabia_archives::{Options, Reason};
use tabia_games::{Chess, Game};
use tabia_testing::rows;

/// The moves that went in, as UCI from the start, sorted by nothing: good for archives of one game.
fn only_game(text: &str) -> Taken {
    let taken = take_text(text.as_bytes());
    assert_eq!(taken.faults(), [], "{text}");
    assert_eq!(taken.games_in(), 1, "{text}");
    taken
}

fn key_after(moves: &str) -> u64 {
    let mut game = Chess::start();
    for text in moves.split_whitespace() {
        let played = game.parse_move(text).expect("a legal move");
        game.play(&played);
    }
    game.key()
}

/// Makes sure that the text is one game of these moves, White winning.
fn is_game_of(text: &str, moves: &str) {
    let taken = only_game(text);
    let plies = moves.split_whitespace().count();
    assert_eq!(taken.stats.games.plies, plies as u64, "{text}");
    let last = key_after(moves);
    let won = if plies.is_multiple_of(2) { [1, 0, 0] } else { [0, 0, 1] };
    assert!(taken.rows.contains(&(last, 0xffff, won, Marks::empty())), "{text}");
}

#[test]
fn comments_variations_and_numbers_are_no_moves() {
    for text in [
        "1. e4 e5 2. Nf3 1-0",
        "1.e4 e5 2.Nf3 1-0",
        "1 e4 1... e5 2 Nf3 1-0",
        "e4 e5 Nf3 1-0",
        "1. e4! e5?! 2. Nf3!! $14 $1 +- 1-0",
        "1. e4 {good} e5 {[%clk 0:01:00] (x) ; } 2. Nf3 1-0",
        "1. e4 (1. d4 d5 (1... Nf6 2. c4 {) ( }) 2. c4) 1... e5 2. Nf3 1-0",
        "1. e4 ; e5 is { good ( \n1... e5\n% an escape { line\n2. Nf3 1-0",
        "1. e4 e5\n\n2. Nf3 1-0",
        "1. e4 e5\r\n2. Nf3\r\n1-0\r\n",
        "1. e4 e5 2. Nf3\0\0 1-0\0\x1a",
        "1. e4 e5 2. Nf31-0",
        "\u{feff}1. e4 e5 2. Nf3 1-0",
        "\u{feff}\n\n  1. e4 e5 2. Nf3 1-0",
        "1. e4 e5 2. Nf3 {a comment } } 1-0",
        "1. e4 (1. d4)) e5 2. Nf3 1-0",
        "1. e4 e5 2. Nf3 [%eval 0.3] = 1-0",
        "1. e4 e5 2. Nf3 1\u{2013}0",
        "e2e4 e7e5 g1f3 1-0",
        "[Event \"x\"]\n[White \"a \\\"b\\\" c\"]\n[Black \"an \"inner\" quote\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0",
        "[Event \"x\"]\n\n[Site \"y\"]\n\n1. e4 e5 2. Nf3 1-0",
        "   [Event \"x\"] [Site \"y\"]\n   [Result \"1-0\"]\n 1. e4 e5 2. Nf3 *",
        "[Event \"x\"]\n[WhiteElo 2500]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3",
        "[event \"x\"]\n[RESULT \"1-0\"]\n\n1. e4 e5 2. Nf3 0-1",
    ] {
        is_game_of(text, "e4 e5 Nf3");
    }
    is_game_of("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. 0-0 1-0", "e4 e5 Nf3 Nc6 Bb5 a6 O-O");
}

#[test]
fn the_result_is_the_tags_and_else_the_texts() {
    let counts = |text: &str| {
        let taken = only_game(text);
        let start = Chess::start().key();
        taken.rows.iter().find(|row| row.0 == start && row.1 == 0xffff).map(|row| row.2)
    };
    for [text, winner] in rows(
        r#"
        [Result "0-1"]\n\n1. e4 1-0 | black
        [Result "1/2-1/2"]\n\n1. e4 * | none
        [Result "1/2"]\n\n1. e4 | none
        [Event "x"]\n\n1. e4 1/2 | none
        [Event "x"]\n\n1. e4 ½-½ | none
        1. e4 0-1 | black
        "#,
    ) {
        let expected = if winner == "none" { [0, 1, 0] } else { [0, 0, 1] };
        assert_eq!(counts(&text), Some(expected), "{text}");
    }
}

#[test]
fn what_has_no_decided_result_is_skipped_and_never_a_draw() {
    for text in [
        "[Result \"*\"]\n\n1. e4 1-0",
        "[Result \"?\"]\n\n1. e4 1-0",
        "[Result \"\"]\n\n1. e4 1-0",
        "[Result \"1-1\"]\n\n1. e4 1-0",
        "[Event \"x\"]\n\n1. e4 *",
        "[Event \"x\"]\n\n1. e4",
        "1. e4 *",
        "1. e4 e5\n",
    ] {
        let taken = take_text(text.as_bytes());
        assert_eq!(taken.faults(), [(Reason::NoResult, 0)], "{text}");
        assert_eq!(taken.rows, [], "{text}");
        assert_eq!(taken.stats.games.skipped(Reason::NoResult), 1);
    }
}

/// A game that is skipped, its reason, and what the report says.
const FAULTS: &str = include_str!("faults/pgn.txt");

#[test]
fn a_broken_game_is_reported_with_its_byte_and_never_costs_its_neighbours() {
    let good = "[Event \"good\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0";
    for [fault, reason, detail] in rows(FAULTS) {
        for (gap, newline) in [("\n\n", "\n"), ("\n\n", "\r\n"), ("\n\n\n\n", "\n")] {
            let texts = [format!("{good}{gap}"), fault.clone(), format!("{gap}{good}\n")]
                .map(|text| text.replace('\n', newline));
            let (what, players) = detail.split_once(" (").unwrap_or((&detail, ""));
            let why = (reason.as_str(), what);
            let parts = [0, 1, 2].map(|part| texts[part].as_str());
            let skipped = costs_no_other("games.pgn", parts, &Options::default(), why);
            assert!(skipped.to_string().contains(players), "{skipped}");
        }
    }
}

#[test]
fn text_that_belongs_to_nothing_is_no_game_but_breaks_the_one_it_stands_in() {
    let taken = take_text(b"Event \"x\"]\n\n1. e4 e5 1-0\n\n[Result \"1-0\"]\n\n1. d4 1-0\n");
    assert_eq!(taken.faults(), [(Reason::Broken, 0)]);
    assert_eq!(taken.games_in(), 1);
    let taken = take_text(
        b"Games of the month\n==================\n\n[Result \"1-0\"]\n\n1. d4 1-0\n\nThe end.\n",
    );
    assert_eq!(taken.faults(), []);
    assert_eq!((taken.stats.games.games_read, taken.games_in()), (1, 1));
}

#[test]
fn games_without_tags_end_at_their_results() {
    let taken = take_text(b"1. e4 e5 1-0\n1. d4 d5 0-1 1. c4 1/2-1/2\n\n1. Nf3 *\n\n{a remark}\n\n1. Nc3 Nc3 1-0\n\n1. b3 1-0");
    assert_eq!(taken.faults(), [(Reason::NoResult, 41), (Reason::IllegalMove, 51)]);
    assert_eq!(taken.games_in(), 4);
    assert_eq!(taken.stats.games.games_read, 6);
}

#[test]
fn an_event_line_after_a_blank_one_ends_a_comment_that_is_never_closed() {
    let text = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 {oh\n\n[Event \"b\"]\n[Result \"0-1\"]\n\n1. d4 {fine\n[Event \"no\"]\n[Site \"game\"] } d5 0-1\n";
    let taken = take_text(text.as_bytes());
    assert_eq!(taken.faults(), [(Reason::Broken, 0)]);
    assert_eq!(taken.games_in(), 1);
    assert_eq!(taken.stats.games.plies, 2);
}

#[test]
fn a_game_cut_off_at_the_end_counts_by_its_tag() {
    for (text, plies) in [
        ("[Result \"1-0\"]\n\n1. e4 e5 2. Nf", 2),
        ("[Result \"1-0\"]\n\n1. e4 e5 2.", 2),
        ("[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 {a comm", 3),
        ("[Result \"1-0\"]\n\n1. e4 e5 (1... c5 2. N", 2),
        ("[Result \"1-0\"]\n\n1. e4 e5 2. Nf3", 3),
        ("[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. O-", 4),
    ] {
        let taken = only_game(text);
        assert_eq!(taken.stats.games.plies, plies, "{text}");
    }
    // Only what touches the end may be cut.
    assert_eq!(take_text(b"[Result \"1-0\"]\n\n1. e4 e5 2. Nf\n").faults(), [(Reason::Broken, 0)]);
}

#[test]
fn chess960_and_set_up_positions() {
    let text = "[Event \"DFRC\"]\n[Variant \"fischerandom\"]\n[SetUp \"1\"]\n[FEN \"nrnbkrbq/pppppppp/8/8/8/8/PPPPPPPP/NNQBRKBR w KQkq - 0 1\"]\n[Result \"1-0\"]\n\n1. g3 g6 2. Bd4 1-0\n";
    let fault = take_text(text.as_bytes());
    assert_eq!(fault.faults(), [(Reason::IllegalMove, 0)]);
    let castles = "[Variant \"Chess 960\"]\n[FEN \"1rk4r/8/8/8/8/8/8/1RK4R w HBhb - 0 1\"]\n[Result \"1-0\"]\n\n1. O-O O-O-O 2. Rb7 1-0\n";
    let taken = only_game(castles);
    assert_eq!(taken.stats.games.plies, 3);
    let codes: Vec<u16> =
        taken.rows.iter().map(|row| row.1).filter(|code| *code != 0xffff).collect();
    assert!(codes.contains(&0o0207), "{codes:?}");
    assert!(codes.contains(&0o7271), "{codes:?}");
    for variant in
        ["Standard", "chess", "From Position", "normal", "Fischer Random", "FischerRandom", ""]
    {
        only_game(&format!(
            "[Variant \"{variant}\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - -\"]\n[Result \"1-0\"]\n\n1. e4 1-0"
        ));
    }
}

#[test]
fn latin_1_names_are_shown_and_long_lines_are_fine() {
    let taken =
        take_text(b"[White \"M\xfcller\"]\n[Black \"Caf\xc3\xa9\"]\n[Result \"1-0\"]\n\n1. e5 1-0");
    assert_eq!(taken.skipped[0].players, "M\u{fc}ller - Caf\u{e9}");
    let long = format!(
        "[Event \"{}\"]\n[Result \"1-0\"]\n\n1. e4 {{{}}} e5 1-0\n",
        "x".repeat(100_000),
        "y ".repeat(500_000)
    );
    only_game(&long);
}

#[test]
fn two_blank_lines_between_tags_and_moves_make_two_games_only_if_that_is_asked_for() {
    let text = "[Event \"x\"]\n[Result \"1-0\"]\n\n\n1. e4 e5 1-0\n\n[Event \"y\"]\n[Result \"1-0\"]\n\n1. d4 1-0\n";
    let apart = Options { join_split: false, ..Options::default() };
    let taken = take_file("games.pgn", text.as_bytes(), &apart, 1);
    let body = text.find("1. e4").expect("it is there") as u64;
    assert_eq!(taken.faults(), [(Reason::NoMoves, 0), (Reason::NoResult, body)]);
    assert_eq!((taken.stats.games.games_read, taken.games_in()), (3, 1));
    let taken = take_text(text.as_bytes());
    assert_eq!(taken.faults(), []);
    let games = taken.stats.games;
    assert_eq!((games.games_read, games.plies, games.joined), (2, 3, 1));
    // Tags without moves at the end of a file, and moves without tags, are joined to nothing.
    let alone = b"1. d4 1-0\n\n\n1. e4 1-0\n\n[Event \"x\"]\n[Result \"1-0\"]\n\n\n";
    assert_eq!(take_text(alone).stats.games.joined, 0);
}
