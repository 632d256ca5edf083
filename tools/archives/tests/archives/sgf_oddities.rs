//! SGF as it is written by programs and people: what goes in, what doesn't, and why.

use crate::shared::{
    Seen, Taken, dates, file, is_the_same_however_read, rated, read, take_file, tar,
};
use proptest::prelude::*;
use tabia::{Keyed, Marks};
use tabia_archives::filter::{Filter, RatingOf};
use tabia_archives::reading::Content;
use tabia_archives::sgf::SgfReader;
use tabia_archives::{GameRecord, Options, Reason, Scored, UnknownResults, Wanted};
use tabia_games::go::{Go, Symmetry};
use tabia_games::{Game, Known, Outcome, Side};
use tabia_testing::rows;

fn start(symmetry: Symmetry) -> Go {
    Go::start(9, symmetry).expect("a size")
}

fn read_as(text: &[u8], wanted: Wanted, is_last: bool) -> Seen {
    read(&mut SgfReader::new(start(Symmetry::None), wanted), text, is_last).0
}

fn game(text: &str) -> GameRecord {
    let mut seen = read_as(text.as_bytes(), Wanted::default(), false);
    assert_eq!((seen.games.len(), seen.faults.len()), (1, 0), "{text}: {:?}", seen.faults);
    seen.games.pop().expect("a game")
}

/// Why the one game of a text isn't counted: `reason: detail`.
fn fault_as(text: &str, wanted: &Wanted) -> String {
    let mut seen = read_as(text.as_bytes(), wanted.clone(), false);
    assert_eq!((seen.games.len(), seen.faults.len()), (0, 1), "{text}");
    let (_, fault, _) = seen.faults.pop().expect("a fault");
    format!("{}: {}", fault.reason, fault.detail)
}

/// Checks why games aren't counted, each in a text of its own.
fn faults(wanted: &Wanted, table: &str) {
    for [text, why] in rows(table) {
        assert_eq!(fault_as(&text, wanted), why, "{text}");
    }
}

/// The moves of a game as GTP has them, with the colors.
fn moves(game: &GameRecord) -> String {
    let go = start(Symmetry::None);
    let name = |ply: &tabia_archives::Ply| {
        let point = Some(ply.code).filter(|&code| code < 81);
        let played = tabia_games::go::Move { side: ply.side, point };
        format!("{}{}", if ply.side == Side::First { 'B' } else { 'W' }, go.notation(&played))
    };
    game.plies.iter().map(name).collect::<Vec<_>>().join(" ")
}

fn codes(text: &str) -> String {
    moves(&game(text))
}

fn outcome(text: &str, wanted: Wanted) -> Option<Outcome> {
    read_as(text.as_bytes(), wanted, false).games.first().map(|game| game.outcome)
}

#[test]
fn the_first_variation_is_the_main_line_however_deep() {
    assert_eq!(codes("(;GM[1]SZ[9]RE[B+R];B[ee];W[cc];B[])"), "BE5 WC7 Bpass");
    assert_eq!(codes("(;SZ[9]RE[B+R];B[ee](;W[cc](;B[gg])(;B[aa]))(;W[dd];B[ff]))"), "BE5 WC7 BG3");
    assert_eq!(codes("(;SZ[9]RE[B+R]B[ee];W[tt])"), "BE5 Wpass", "a move in the root");
    let deep = format!("(;SZ[9]RE[W+1]{}{}", "(;B[];W[]".repeat(5_000), ")".repeat(5_001));
    assert_eq!(game(&deep).plies.len(), 10_000);
}

#[test]
fn names_are_their_capitals() {
    let text = "(;GaMe[1]SiZe[9]REsult[W+2]KoMi[5.5]PlayerBlack[A]Black[ee];White[cc];Black[tt])";
    assert_eq!(codes(text), "BE5 WC7 Bpass");
    assert_eq!(game(text).outcome, Outcome::SecondWins);
    assert_eq!(codes("(;SZ[9:9]RE[0]KGSDE[aa]KO[]MN[7]PL[W];B[ee]KO[];MN[3]W[dd])"), "BE5 WD6");
}

#[test]
fn values_may_hold_anything_that_is_escaped() {
    assert_eq!(codes(r"(;SZ[9]RE[B+R]C[(;B[aa\];W[bb\]) \\];B[ee]C[a\]b;W[cc\]])"), "BE5");
    assert_eq!(codes("\u{feff}(;SZ[9]RE[B+R] \n ; \r\n B [ee] \t[ff];W\n[ dd ])"), "BE5 WD6");
    // All but the first bracket of a name were not escaped.
    assert_eq!(codes(r"(;SZ[9]RE[B+R]PW[[\]=[]];B[ee])"), "BE5");
    let text = b"(;SZ[9]RE[Void]PB[M\xfcller\\]]PW[\xe6\x9d\x8e\nx];B[ee])";
    let seen = read_as(text, Wanted::default(), false);
    assert_eq!(seen.faults[0].2, "M\u{fc}ller] - \u{674e} x");
}

#[test]
fn i5_brackets_that_names_forget_to_escape_cost_no_game() {
    for name in ["Ann [A] Lee", "[A] Lee", "Ann [1 dan] (Bob) lee [x] y", "a]b, c", "Ann :] Lee"] {
        let text = format!("(;GM[1]SZ[9]PB[{name}]PW[Bob]\n RE[B+1];B[ee];W[cc])");
        assert_eq!(codes(&text), "BE5 WC7", "{name}");
        let mut seen = read_as(text.replace("B+1", "?").as_bytes(), Wanted::default(), false);
        let (_, _, players) = seen.faults.pop().expect("a game without a result");
        assert_eq!(players, format!("{name} - Bob"));
    }
    // A bracket that closes a value is none of those: text behind it breaks the game as before.
    for text in [
        "(;GM[1]SZ[9]RE[B+1]C[a] text ;B[ee];W[cc])",
        "(;GM[1]SZ[9]RE[B+1]C[a] text\nC[b];B[ee];W[cc])",
    ] {
        let why = fault_as(text, &Wanted::default());
        assert!(why.starts_with("broken: "), "{text}: {why}");
    }
    assert_eq!(codes("(;GM[1]xy[z]SZ[9] RE [B+1];B[ee]\n;W[cc] C[x] N[y])"), "BE5 WC7");
}

#[test]
fn marks_are_those_of_the_node_with_the_move() {
    let text = "(;SZ[9]RE[B+R];B[ee]TE[1];TE[2]W[cc];B[aa]BM[1];W[bb]BM[2];B[dd]DO[];IT[]W[ff];TE[1]C[no move];B[gg])";
    let found: Vec<Marks> = game(text).plies.iter().map(|ply| ply.marks).collect();
    let (good, bad) = ([Marks::GOOD, Marks::BRILLIANT], [Marks::BAD, Marks::BLUNDER]);
    let doubtful = [Marks::DUBIOUS, Marks::INTERESTING];
    assert_eq!(found, [&good[..], &bad, &doubtful, &[Marks::empty()]].concat());
}

#[test]
fn what_is_not_counted_has_its_reason() {
    faults(&Wanted::default(), include_str!("faults/go.txt"));
}

#[test]
fn a_file_cut_off_counts_as_far_as_it_goes() {
    for text in [
        "(;SZ[9]RE[B+R];B[ee];W[cc]",
        "(;SZ[9]RE[B+R];B[ee];W[cc];B[d",
        "(;SZ[9]RE[B+R];B[ee](;W[cc];C[",
        "(;SZ[9]RE[B+R];B[ee];W[cc];B",
    ] {
        let seen = read_as(text.as_bytes(), Wanted::default(), true);
        assert!(seen.games.iter().map(moves).eq(["BE5 WC7"]), "{text}: {:?}", seen.faults);
    }
}

#[test]
fn moves_out_of_turn_are_those_of_their_color() {
    let found = game("(;SZ[9]HA[2]RE[B+R];B[ee];B[cc];W[gg];W[])");
    assert_eq!(moves(&found), "BE5 BC7 WG3 Wpass");
    // As if the other side had passed, whose pass isn't written down.
    let passed = game("(;SZ[9]RE[B+R];B[ee];W[];B[cc];W[gg];B[];W[])");
    let keys = |game: &GameRecord, plies: &[usize]| {
        plies.iter().map(|&ply| game.plies[ply].key).collect::<Vec<_>>()
    };
    assert_eq!(keys(&found, &[0, 1, 2, 3]), keys(&passed, &[0, 2, 3, 5]));
    assert_eq!(found.last, passed.last);
    let lines = |text: &str| {
        let wanted = Wanted { keyed: Keyed::Line, ..Wanted::default() };
        read_as(text.as_bytes(), wanted, false).games.pop().expect("a game").last.0
    };
    assert_eq!(lines("(;SZ[9]RE[B+R];B[ee];B[cc])"), lines("(;SZ[9]RE[B+R];B[ee];W[];B[cc])"));
    assert_ne!(lines("(;SZ[9]RE[B+R];B[ee];B[cc])"), lines("(;SZ[9]RE[B+R];B[ee];W[cc])"));
}

#[test]
fn set_up_games_are_taken_if_wanted() {
    let text = "(;SZ[9]RE[W+R]HA[3]AB[cc][gg:gg]AB[aa:ba]AW[ii]AE[ba];W[ee];B[dd])";
    let why = fault_as(text, &Wanted::default());
    assert_eq!(why, "set_up: stones are set up before its first move");
    let wanted = Wanted { set_up: true, ..Wanted::default() };
    let found = read_as(text.as_bytes(), wanted.clone(), false).games.pop().expect("a game");
    let go = start(Symmetry::None).set_up("X8/9/2X6/9/9/9/6X2/9/8O w").expect("a position");
    assert_eq!((found.plies[0].key, found.plies[0].side), (go.key(), Side::Second));
    faults(
        &wanted,
        "(;SZ[9]AB[ab:ba]AW[aa];B[ee]) | bad_position: a chain of its set-up stones has no liberty
        (;SZ[9]AB[zz];B[ee]) | broken: `zz` can't be read as points of the board, after ply 0
        (;SZ[9]AB[cc];B[ee];AW[dd];W[gg]) | bad_position: stones are set up before ply 2",
    );
    let many = format!("(;SZ[9]RE[B+R]AB{};B[ee])", "[aa:ii]".repeat(1_000));
    assert_eq!(fault_as(&many, &wanted), "broken: far too many stones are set up, after ply 0");
    // Behind the last move they are annotations. A handicap without its stones is no game.
    assert_eq!(codes("(;SZ[9]RE[B+R];B[ee];W[cc];AE[ee]AW[aa])"), "BE5 WC7");
    let why = fault_as("(;SZ[9]RE[B+R]HA[3]AB[];W[cc])", &Wanted::default());
    assert_eq!(why, "set_up: stones are set up before its first move");
}

/// W2: SGF gives the properties of a node no order.
#[test]
fn w2_all_of_a_node_is_read_before_it_is_used() {
    let wanted = Wanted { set_up: true, ..Wanted::default() };
    let found = |text: &str| {
        let seen = read_as(text.as_bytes(), wanted.clone(), false);
        let plies = |game: &GameRecord| {
            game.plies.iter().map(|ply| (ply.key, ply.code, ply.marks)).collect::<Vec<_>>()
        };
        let games = seen.games.iter().map(|game| (game.outcome, plies(game), game.last));
        (games.collect::<Vec<_>>(), seen.faults.len())
    };
    for [text, same] in rows(
        "(;RE[B+1]AB[aa][bb]AW[dd]SZ[9];B[gc];W[ee]) | (;SZ[9]RE[B+1]AB[aa][bb]AW[dd];B[gc];W[ee])
        (;RE[B+1]AB[aa:bb]AE[bb]SZ[9];B[gc]) | (;SZ[9]RE[B+1]AB[aa][ab][ba];B[gc])
        (;B[gc]AB[aa]RE[B+1]SZ[9];W[ee]) | (;SZ[9]RE[B+1]AB[aa];B[gc];W[ee])
        (;TE[1]B[gc]RU[NZ]RE[B+1]SZ[9]) | (;SZ[9]RE[B+1]RU[NZ]B[gc]TE[1])
        (;AB[aa]RE[B+1]GM[1];AW[dd]SZ[9];B[gc]) | (;SZ[9]RE[B+1]AB[aa]AW[dd];B[gc])",
    ) {
        assert_eq!(found(&text), found(&same), "{text}");
        assert_eq!(found(&text).0.len(), 1, "{text}");
    }
    faults(
        &wanted,
        "(;AB[ss]RE[B+1]SZ[9];B[ee]) | broken: `ss` can't be read as points of the board, after ply 0
        (;AB[aa:jj]RE[B+1]SZ[9];B[ee]) | broken: `aa:jj` can't be read as points of the board, after ply 0
        (;AB[cc]RE[B+1];B[ee]) | other_game: its board is 19x19 (go-19), not 9x9
        (;SZ[9]RE[B+1];B[ee];B[cc]AW[dd]) | bad_position: stones are set up before ply 2
        (;SZ[9]RE[B+1];B[ee];AW[dd]B[cc]) | bad_position: stones are set up before ply 2",
    );
    // Stones that are set up in one variation don't stand in another.
    let wanted = Wanted { variations: true, ..wanted };
    let text = b"(;SZ[9]RE[B+1](;AB[aa];B[ee])(;AB[bb];B[ee])(;AB[bb]AB[ss];B[ee]))";
    let seen = read_as(text, wanted, false);
    let key = |text: &str| start(Symmetry::None).set_up(text).expect("a position").key();
    assert_eq!(seen.games[0].plies[0].key, key("X8/9/9/9/9/9/9/9/9 b"));
    assert_eq!(seen.games[1].plies[0].key, key("9/1X7/9/9/9/9/9/9/9 b"));
    assert_eq!((seen.games.len(), seen.faults.len()), (2, 1));
}

#[test]
fn suicide_is_legal_where_the_rules_say_so() {
    let moves = ";B[aa];W[ba];B[];W[bb];B[];W[ac];B[ab]";
    for rules in ["NZ", "New Zealand", "GOE", "Ing", "Tromp-Taylor", "Tromp/Taylor", "tromp_taylor"]
    {
        assert_eq!(game(&format!("(;SZ[9]RE[B+R]RU[{rules}]{moves})")).plies.len(), 7, "{rules}");
    }
    for rules in ["Japanese", "Chinese", "AGA", "Korean", ""] {
        let why = fault_as(&format!("(;SZ[9]RE[B+R]RU[{rules}]{moves})"), &Wanted::default());
        assert!(why.starts_with("illegal_move: "), "{rules}: {why}");
    }
    // One stone alone: where it is legal it is a pass by another name.
    let single = ";B[];W[ba];B[];W[ab];B[aa];W[ee]";
    assert_eq!(game(&format!("(;SZ[9]RE[B+R]RU[NZ]{single})")).plies.len(), 6);
    let why = fault_as(&format!("(;SZ[9]RE[B+R]RU[GOE]{single})"), &Wanted::default());
    assert!(why.starts_with("illegal_move: "), "{why}");
}

/// Black has 63 points, White 18: 45 apart.
const DIVIDED: &str = ";B[ag];W[ah];B[bg];W[bh];B[cg];W[ch];B[dg];W[dh];B[eg];W[eh];B[fg];W[fh];B[gg];W[gh];B[hg];W[hh];B[ig];W[ih]";

#[test]
fn games_are_scored_where_that_is_wanted() {
    let scored = |scored: Scored, komi: Option<&str>| Wanted {
        scored,
        komi: komi.map(|komi| komi.parse().expect("a komi")),
        ..Wanted::default()
    };
    let unknown = || scored(Scored::Unknown, None);
    let counted = Wanted { unknown_results: UnknownResults::Count, ..Wanted::default() };
    let open = ("KM[45]", "");
    let finished = ("KM[45.5]", ";B[];W[]");
    let [first, draw, second] = [Outcome::FirstWins, Outcome::Draw, Outcome::SecondWins].map(Some);
    for ((said, end), wanted, expected, why) in [
        (open, Wanted::default(), None, "it hasn't ended"),
        (finished, Wanted::default(), second, "by its own komi"),
        (finished, scored(Scored::Never, None), None, "never"),
        (finished, scored(Scored::Finished, Some("7.5")), first, "by another komi"),
        (open, unknown(), draw, "it needn't have ended"),
        (("RE[W+R]", ""), unknown(), second, "its result is known"),
        (("RE[W+R]", ""), scored(Scored::All, None), first, "7.5 where no komi is said"),
        (("RE[?]", ";B[];W[]"), Wanted::default(), first, "as good as no result"),
        (("RE[Void]", ";B[];W[]"), unknown(), None, "a result that is none"),
        (open, counted, draw, "all count as draws"),
    ] {
        let text = format!("(;SZ[9]{said}{DIVIDED}{end})");
        assert_eq!(outcome(&text, wanted), expected, "{why}: {text}");
    }
}

/// Black has 45 points and White 36: with a komi of 7.5 Black wins by area.
#[test]
fn i6_games_that_ended_by_passes_are_scored_and_the_rest_believed() {
    let wanted = || Wanted { scored: Scored::Passes, ..Wanted::default() };
    for (end, said, expected) in [
        (";B[];W[]", "RE[W+3]", Some(Outcome::FirstWins)),
        (";B[];W[]", "RE[B+0]", Some(Outcome::FirstWins)),
        (";B[];W[]", "", Some(Outcome::FirstWins)),
        (";B[]", "RE[W+R]", Some(Outcome::SecondWins)),
        ("", "RE[W+T]", Some(Outcome::SecondWins)),
        ("", "RE[B+0]", Some(Outcome::Draw)),
        ("", "", None),
    ] {
        let text = format!("(;SZ[9]{said}{DIVIDED}{end})");
        assert_eq!(outcome(&text, wanted()), expected, "{text}");
    }
    // A filter by result sees what was scored.
    let filter = Filter { results: vec![Outcome::FirstWins], ..Filter::default() };
    let text = format!("(;SZ[9]RE[W+3]{DIVIDED};B[];W[])");
    assert_eq!(outcome(&text, Wanted { filter, ..wanted() }), Some(Outcome::FirstWins));
}

#[test]
fn ratings_names_and_dates_are_read() {
    let text = "(;SZ[9]RE[W+R]DT[2018-10-07]PW[Ada]PB[Bo]WR[2981]BR[2549];B[ee])";
    let wanted = Wanted { players: true, ..Wanted::default() };
    let read =
        |text: &str| read_as(text.as_bytes(), wanted.clone(), false).games.pop().expect("a game");
    assert_eq!(read(text).ratings, Some([2549, 2981]));
    assert_eq!(read(&text.replace("2549", "5k")).ratings, None);
    let players = |text: &str| read(text).players;
    assert_eq!(players(text), players(&text.replace("Ada", " a da").replace("DT", "DaTe")));
    assert_ne!(players(text), players(&text.replace("2018", "2019")));
    let all = Filter::default;
    let ratings = |min| rated(Some(min), None, RatingOf::Both);
    let results = |outcome| Filter { results: vec![outcome], ..all() };
    for (takes, leaves_out) in [
        (dates("2018.10.07", ""), dates("2018.10.08", "")),
        (ratings(2549), ratings(2550)),
        (results(Outcome::SecondWins), results(Outcome::FirstWins)),
        (Filter { min_plies: 1, ..all() }, Filter { min_plies: 2, ..all() }),
    ] {
        let filtered = [&takes, &leaves_out].map(|filter| {
            let wanted = Wanted { filter: filter.clone(), ..Wanted::default() };
            read_as(text.as_bytes(), wanted, false).filtered.len()
        });
        assert_eq!(filtered, [0, 1], "{takes:?} {leaves_out:?}");
    }
}

fn options() -> Options {
    Options { game: Known::Go(start(Symmetry::Board)), ..Options::default() }
}

fn taken(text: &[u8], chunk_bytes: usize) -> Taken {
    take_file("games.sgf", text, &Options { chunk_bytes, ..options() }, 2)
}

const GAME: &str = "(;GM[1]FF[4]SZ[9]RE[B+R]\nC[a \\] (;GM[1\\]\n(;GM[1\\]];B[ee]\n(;W[cc]C[\n(;B[dd\\]])\n(;W[dd]))\n";

#[test]
fn games_of_one_file_are_cut_apart_and_a_broken_one_costs_no_other() {
    let unclosed = "(;FF[4]GM[1]SZ[9]RE[W+R];B[ee](;W[cc]\n";
    let in_value = "(;GM[1]SZ[9]RE[W+R];B[ee]C[never closed (;W[cc]\n";
    let text = format!(
        "\u{feff}{GAME}junk ] ) [{GAME}{GAME}{unclosed}{GAME}{in_value}{GAME} ( ;SZ[9]RE[B+R];B[aa])(;SZ[9]RE[0];B[bb])"
    );
    let whole = taken(text.as_bytes(), 512 << 10);
    assert_eq!((whole.stats.games.games_read, whole.games_in()), (9, 7));
    let starts: Vec<usize> =
        [unclosed, in_value].iter().map(|game| text.find(game).expect("it is there")).collect();
    let broken = [0, 1].map(|game| (Reason::Broken, starts[game] as u64));
    assert_eq!(whole.faults(), broken);
    let (_folder, path) = file("games.sgf", text.as_bytes());
    is_the_same_however_read(path, &options(), &[1, 2, 3, 7, 20, 64, 300].map(|bytes| (2, bytes)));
}

#[test]
fn archives_of_other_formats_are_reported() {
    let content = tar(&[
        ("a.sgf", GAME.into()),
        ("b.pgn", b"[Event \"x\"]\n\n1. e4 1-0\n".to_vec()),
        ("c.sgf", b"<html>".to_vec()),
    ]);
    let found = take_file("games.tar", &content, &options(), 1);
    assert_eq!(found.games_in(), 1);
    let reasons = found.skipped.iter().map(|skipped| skipped.reason);
    assert!(reasons.eq([Reason::OtherGame, Reason::Broken]));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Whatever stands there, it is read to its end, and games that are whole go in.
    #[test]
    fn any_text_is_read(pieces in prop::collection::vec(prop::sample::select(vec!["(", ")", ";", "[", "]", "\\", "B", "W[cc]", ";B[ee]", "AB[aa:bb]",
        "SZ[9]", "RE[B+1]", "GM[1]", "\n", "(;GM[1]SZ[9]", "tt", ":", "é", "C[x]"]), 0..60), is_last: bool, set_up: bool) {
        let text = pieces.concat();
        let wanted = Wanted { set_up, unknown_results: UnknownResults::Count, scored: Scored::All, ..Wanted::default() };
        read_as(text.as_bytes(), wanted, is_last);
        let more = format!("{text}\n{GAME}{GAME}");
        let found = taken(more.as_bytes(), 50);
        prop_assert!(found.games_in() >= 2, "{more}");
        let again = taken(more.as_bytes(), 1 << 20);
        prop_assert_eq!(found.rows, again.rows);
        prop_assert_eq!(found.skipped.len(), again.skipped.len());
    }
}

#[test]
fn blank_and_foreign_texts_are_distinguished() {
    for (text, content) in [
        ("", Content::Blank),
        (" \n", Content::Blank),
        ("hello (there)", Content::Other),
        ("(;)", Content::Games),
    ] {
        let mut reader = SgfReader::new(start(Symmetry::None), Wanted::default());
        assert_eq!(read(&mut reader, text.as_bytes(), true).1, content, "{text}");
    }
}

#[test]
fn corners_go_in_as_games_of_their_own() {
    let large = |corners| {
        let wanted = Wanted { corners, players: true, ..Wanted::default() };
        SgfReader::new(Go::start(19, Symmetry::BoardAndColors).expect("a size"), wanted)
    };
    let read = |mut reader: SgfReader, text: &str| read(&mut reader, text.as_bytes(), false).0;
    let seen = read(large(Some(9)), "(;RE[B+R];B[pd];W[dp]TE[1];B[dd];W[jj];B[qf];W[fq];B[])");
    let said = |game: &GameRecord| game.plies.iter().map(|ply| (ply.side, ply.marks)).collect();
    let plies: Vec<Vec<_>> = seen.games.iter().map(said).collect();
    let (black, white) = (Side::First, Side::Second);
    let plain = |sides: &[Side]| sides.iter().map(|&side| (side, Marks::empty())).collect();
    let mut expected: [Vec<_>; 3] =
        [&[black][..], &[black, white, black], &[white, black, white]].map(plain);
    expected[2][0].1 = Marks::GOOD;
    assert_eq!(plies, expected);
    assert!(seen.games.iter().all(|game| game.outcome == Outcome::FirstWins));
    let end = |game: &GameRecord| (game.last.0, game.plies[0].key);
    assert_eq!(end(&seen.games[1]), end(&seen.games[2]), "one joseki in two colors");
    assert_ne!(seen.games[1].players, seen.games[2].players);
    let none = read(large(Some(3)), "(;RE[B+R];B[jj])");
    let why = none.faults[0].1.detail.as_str();
    assert_eq!((none.games.len(), why), (0, "it has no moves in its corners"));
    assert_eq!(read(large(None), "(;RE[B+R];B[jj])").games.len(), 1);
}
