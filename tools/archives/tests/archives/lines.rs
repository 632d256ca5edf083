//! Games one a line: what goes in, what doesn't and why, and that they count as those of PGN do.

use crate::shared::{Taken, file, is_the_same_however_read, player, take, take_file};
use proptest::prelude::*;
use tabia::format::Keyed;
use tabia_archives::filter::Filter;
use tabia_archives::{Filtered, Format, Options, Reason, UnknownResults, Wanted};
use tabia_games::{Chess, Game, Outcome};
use tabia_testing::{Rng, rows};

fn lines(options: Options) -> Options {
    Options { format: Some(Format::Lines), ..options }
}

fn taken(text: &[u8], options: Options, threads: usize) -> Taken {
    take_file("games.txt", text, &lines(options), threads)
}

fn taken_by_default(text: &str) -> Taken {
    taken(text.as_bytes(), Options::default(), 1)
}

#[test]
fn comments_blank_lines_and_mates_are_told_apart() {
    let text = "\u{feff}# two games\r\n\r\n  e4 e5 Nf3\tNc6 1-0  # good\r\n#\nf3 e5 g4 Qh4# 0-1#\nf3 e5 g4 Qh4# 0-1 #\n\n";
    let taken = taken_by_default(text);
    let fault = (Reason::Broken, 49, "`0-1#` can't be read as a move at ply 5");
    assert_eq!((taken.details(), taken.skipped[0].line), (vec![fault], 5));
    assert_eq!((taken.games_in(), taken.stats.games.plies), (2, 8));
}

#[test]
fn what_is_wrong_is_reported_with_its_place() {
    let cases = rows::<2>(
        "e4 Ke7 1-0 | illegal_move: `Ke7` is not legal at ply 2
        e4 e5 | no_result: it has no decided result
        e4 e5 * | no_result: it has no decided result
        1-0 | no_moves: it has no moves
        e4 0-1 e5 1-0 | broken: moves follow its result, after ply 1
        e4 -- Nf3 1-0 | null_move: `--` is a null move at ply 2
        hello 1-0 | broken: `hello` can't be read as a move at ply 1
        hello world | broken: `hello` can't be read as a move at ply 1",
    );
    let lines: Vec<&str> = cases.iter().map(|[line, _]| line.as_str()).collect();
    let text = format!("e4 e5 1-0\n{}\ne4 e5 1/2-1/2\n", lines.join("\n"));
    let taken = taken_by_default(&text);
    let found = taken.skipped.iter().map(|skipped| {
        let why = format!("{}: {}", skipped.reason, skipped.detail);
        (skipped.line, text[skipped.offset as usize..].lines().next().unwrap_or(""), why)
    });
    let expected = (2..).zip(&cases).map(|(line, [text, why])| (line, text.as_str(), why.clone()));
    assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    assert_eq!(taken.games_in(), 2);
}

#[test]
fn a_cut_off_last_line_has_no_result() {
    for text in ["e4 e5 1-0\ne4 e5 Nf", "e4 e5 1-0\ne4 e5 Nf3 ", "e4 e5 1-0\ne4 e5 1-"] {
        let taken = taken_by_default(text);
        let faults = vec![(Reason::NoResult, 10)];
        assert_eq!((taken.games_in(), taken.faults()), (1, faults), "{text:?}");
    }
    let counted = |text: &str| {
        let wanted = Wanted { unknown_results: UnknownResults::Count, ..Wanted::default() };
        let taken = taken(text.as_bytes(), Options { wanted, ..Options::default() }, 1);
        (taken.stats.games.plies, taken.faults())
    };
    assert_eq!(counted("e4 e5 Nf"), (2, vec![]));
    assert_eq!(counted("e4 e5 Nf\n"), (0, vec![(Reason::Broken, 0)]));
    assert_eq!(counted("e4 e5 Nf3 *"), (3, vec![]));
}

#[test]
fn filters_ask_for_what_lines_say() {
    let text = "e4 e5 1-0\ne4 0-1\nd4 1/2\nd4 d5 c4 1-0\n";
    let of = |filter: Filter| {
        let wanted = Wanted { filter, ..Wanted::default() };
        taken(text.as_bytes(), Options { wanted, ..Options::default() }, 1).stats.games
    };
    let wins = of(Filter { results: vec![Outcome::FirstWins], ..Filter::default() });
    assert_eq!((wins.games_in, wins.filtered(Filtered::Result)), (2, 2));
    let long = of(Filter { min_plies: 2, ..Filter::default() });
    assert_eq!((long.games_in, long.filtered(Filtered::Plies)), (2, 2));
    let named = of(player("Ada", None));
    assert_eq!((named.games_in, named.filtered(Filtered::Player)), (0, 4));
}

#[test]
fn text_without_a_game_is_no_archive() {
    let (_folder, path) = file("games.lines", b"Once upon a time\nthere was a king.\n");
    assert!(take(std::slice::from_ref(&path), &Options::default(), 1).is_err());
    // The file's name says what it is.
    let taken = take_file("games.lines", b"Once upon a time\ne4 1-0\n", &Options::default(), 1);
    assert_eq!((taken.games_in(), taken.faults()), (1, vec![(Reason::Broken, 0)]));
}

fn games(seed: u64, count: usize) -> (String, String) {
    let (mut lines, mut pgn, mut legal) = (String::new(), String::new(), Vec::new());
    let mut rng = Rng::new(seed);
    for _ in 0..count {
        let (mut board, mut moves) = (Chess::start(), Vec::new());
        for _ in 0..1 + rng.index(60) {
            board.legal_moves(&mut legal);
            let Some(played) = legal.get(rng.index(legal.len().clamp(1, 8))) else { break };
            let text = [board.notation(played), board.coordinates(played)];
            moves.push(rng.pick(&text).clone());
            board.play(played);
        }
        let result = rng.pick(&["1-0", "0-1", "1/2-1/2", "*"]);
        let moves = moves.join(" ");
        lines += &format!("{moves} {result}\n");
        pgn += &format!("[Event \"x\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n");
    }
    (lines, pgn)
}

/// Words and parts of such, between bars.
const WORDS: &[u8] = b"e4 |e5 |Nf3| |\n|\r\n|1-0|#|*|\xff|\xef\xbb\xbf|--|\0";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// The reader of PGN is another, and says the same.
    #[test]
    fn games_count_as_they_do_as_pgn(seed: u64, threads in 1usize..3, chunk_bytes in 1usize..3000, by_line: bool) {
        let (text, pgn) = games(seed, 20);
        let wanted = Wanted { keyed: if by_line { Keyed::Line } else { Keyed::Position }, ..Wanted::default() };
        let options = Options { wanted, chunk_bytes, ..Options::default() };
        let by_lines = taken(text.as_bytes(), options.clone(), threads);
        let by_pgn = take_file("games.pgn", pgn.as_bytes(), &options, 1);
        prop_assert_eq!(by_lines.rows, by_pgn.rows);
        prop_assert_eq!(by_lines.stats.games, by_pgn.stats.games);
    }

    #[test]
    fn any_bytes_are_read_alike_however_they_are_cut(
        words in prop::collection::vec(prop::sample::select(WORDS.split(|byte| *byte == b'|').collect::<Vec<_>>()), 0..60),
        chunk_bytes in 1usize..80,
    ) {
        let text = words.concat();
        let (_folder, path) = file("games.txt", &text);
        is_the_same_however_read(path, &lines(Options::default()), &[(2, chunk_bytes)]);
    }
}
