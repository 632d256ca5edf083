//! Evaluations of lichess: which search counts, who sees it, what is left out, what is refused. The
//! lines are written by hand in the form that lichess documents; keys are those that python-chess
//! counts.

use crate::shared::{Content, losses};
use proptest::prelude::*;
use tabia::{Key, PositionRow, Row};
use tabia_games::{Chess, Game};
use tabia_interop::lichess_evals::{self, Read, ReadError, lost};

fn read_from(text: &str, min_depth: u32) -> Result<(Vec<PositionRow>, Read), ReadError> {
    let (content, read) = Content::read::<_, ReadError>(|take| {
        lichess_evals::read(text.as_bytes(), min_depth, take)
    })?;
    Ok((content.positions, read))
}

fn read(text: &str) -> (Vec<PositionRow>, Read) {
    read_from(text, 0).unwrap()
}

/// A line of one search with one variation.
fn line(fen: &str, value: &str, depth: u32) -> String {
    format!(
        r#"{{"fen":"{fen}","evals":[{{"pvs":[{{{value},"line":"e2e4 e7e5"}}],"knodes":1000,"depth":{depth}}}]}}{}"#,
        "\n"
    )
}

/// The key, eval and depth of the only row.
fn only(text: &str) -> (Key, i16, u8) {
    let (rows, _) = read(text);
    let [row] = rows[..] else { panic!("{rows:?}") };
    assert_eq!(row.counts().games(), 0);
    (row.key(), row.eval().unwrap(), row.depth())
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
/// After 1. e4, Black to move.
const E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";

#[test]
fn evals_are_seen_from_the_side_to_move() {
    assert_eq!(only(&line(START, r#""cp":21"#, 40)), (0x463b_9618_1691_fc9c, 21, 40));
    assert_eq!(only(&line(E4, r#""cp":21"#, 40)), (0x823c_9b50_fd11_4196, -21, 40));
    // White mates in 2 moves, in 3 plies from White's move and in 4 from Black's.
    assert_eq!(only(&line(START, r#""mate":2"#, 30)).1, 31_997);
    assert_eq!(only(&line(E4, r#""mate":2"#, 30)).1, -31_996);
    assert_eq!(only(&line(E4, r#""mate":-1"#, 30)).1, 31_999);
    assert_eq!(only(&line(START, r#""cp":-99999"#, 300)), (0x463b_9618_1691_fc9c, -30_000, 255));
}

#[test]
fn the_deepest_search_counts_then_the_one_with_most_nodes_then_the_lowest() {
    let search = |cp: i32, knodes: u64, depth: u32| {
        format!(r#"{{"pvs":[{{"cp":{cp}}},{{"cp":900}}],"knodes":{knodes},"depth":{depth}}}"#)
    };
    let best = |fen: &str, searches: &[String]| {
        only(&format!("{{\"fen\":\"{fen}\",\"evals\":[{}]}}", searches.join(","))).1
    };
    assert_eq!(best(START, &[search(5, 9000, 30), search(7, 10, 31), search(1, 9, 29)]), 7);
    assert_eq!(best(START, &[search(5, 9000, 30), search(7, 10, 30)]), 5);
    assert_eq!(best(START, &[search(7, 10, 30), search(5, 10, 30)]), 5);
    // The lowest for Black.
    assert_eq!(best(E4, &[search(7, 10, 30), search(5, 10, 30)]), -7);
    // A search without a variation says nothing, however deep.
    let empty = r#"{"pvs":[],"knodes":1,"depth":99}"#.to_owned();
    assert_eq!(best(START, &[empty, search(5, 1, 3)]), 5);
    // The same position twice: as when books are merged.
    assert_eq!(only(&(line(START, r#""cp":1"#, 20) + &line(START, r#""cp":2"#, 21))).1, 2);
}

/// With and without the square a position that can be taken en passant has its own key.
#[test]
fn en_passant_counts_where_a_pawn_stands_beside() {
    let taken = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6";
    assert_eq!(only(&line(taken, r#""cp":1"#, 1)).0, 0x22a4_8b5a_8e47_ff78);
    let (rows, read) = read(&line("7k/8/8/r2pP2K/8/8/8/8 w - -", r#""cp":1"#, 1));
    assert_eq!((rows.len(), read.lost), (1, losses(lost::ALL, &[(lost::EN_PASSANT, 1)])));
}

#[test]
fn what_has_no_row_is_counted() {
    let text = [
        line("8/8/8/8/8/8/8/8 w - -", r#""cp":1"#, 1),
        line("what", r#""cp":1"#, 1),
        format!("{{\"evals\":[],\"fen\":\"{START}\",\"more\":null}}\n\n"),
        line(START, r#""line":"e2e4""#, 7),
        line(E4, r#""cp":3"#, 7),
        line(START, r#""cp":3"#, 8).trim_end().to_owned(),
    ]
    .concat();
    let (rows, read) = read_from(&text, 8).unwrap();
    assert_eq!(rows.len(), 1);
    assert_eq!((read.lines, read.searches, read.rows, read.mates), (6, 5, 1, 0));
    let expected = [(lost::POSITIONS, 2), (lost::EMPTY, 2), (lost::SHALLOW, 1)];
    assert_eq!(read.lost, losses(lost::ALL, &expected));
}

#[test]
fn what_is_no_position_is_refused_with_its_line() {
    for bad in ["{\"fen\":1}", "{", "[]", "{\"fen\":\"x\",\"evals\":[{\"pvs\":[{\"cp\":1.5}]}]}"] {
        let error = read_from(&(line(START, r#""cp":1"#, 1) + bad), 0).unwrap_err();
        assert!(error.to_string().starts_with("line 2: "), "{error}");
    }
    let long = format!("{}{}", line(START, r#""cp":1"#, 1), "x".repeat(2 << 20));
    assert!(matches!(read_from(&long, 0), Err(ReadError::Long(2))));
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "(\\{\"fen\":\"[a-zA-Z0-9/ -]{0,40}\",\"evals\":\\[(\\{\"pvs\":\\[(\\{\"cp\":-?[0-9]{1,12}\\})?\\],\"knodes\":[0-9]{1,20},\"depth\":[0-9]{1,9}\\})?\\]\\}\n|.{0,30}\n){0,5}") {
        let _ = read_from(&text, 3);
    }

    /// Positions of games have the key that playing them gives, unless en passant isn't told.
    #[test]
    fn positions_have_the_keys_of_games(choices in prop::collection::vec(0usize..200, 0..60), cp in -400i32..400) {
        let mut position = Chess::start();
        for choice in choices {
            let mut legal = Vec::new();
            position.legal_moves(&mut legal);
            let Some(played) = legal.get(choice % legal.len().max(1)) else { break };
            position.play(played);
        }
        let four_fields = position.setup().split(' ').take(4).collect::<Vec<_>>().join(" ");
        prop_assert_eq!(only(&line(&four_fields, &format!("\"cp\":{cp}"), 9)).0, position.key());
    }
}
