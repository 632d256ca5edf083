//! What is wanted of games, from the text of an archive to rows and counters: filters, sides,
//! evals, ratings, marks, keys of lines, unknown results.

use crate::shared::{
    self, Seen, Taken, dates, file, player, rated, take, take_file, take_path, take_text, unpacked,
};
use tabia::{Keyed, Marks};
use tabia_archives::filter::{Filter, RatingOf, TimeClass, Variant};
use tabia_archives::pgn::PgnReader;
use tabia_archives::reading::Reads;
use tabia_archives::{EvalComment, Filtered, GameRecord, Options, Reason, UnknownResults, Wanted};
use tabia_games::{Chess, Game, Outcome, Side, line_next, line_start};
use tabia_testing::data;

fn read(text: &[u8], wanted: &Wanted) -> Seen {
    shared::read(&mut PgnReader::new(Chess::start(), false, wanted.clone()), text, true).0
}

fn reasons(seen: &Seen) -> Vec<Reason> {
    seen.faults.iter().map(|(_, fault, _)| fault.reason).collect()
}

fn only_game(text: &str, wanted: &Wanted) -> GameRecord {
    let mut seen = read(text.as_bytes(), wanted);
    let counts = (seen.games.len(), seen.faults.len(), seen.filtered.len());
    assert_eq!(counts, (1, 0, 0), "{text}");
    seen.games.remove(0)
}

fn filtering(filter: Filter) -> Wanted {
    Wanted { filter, ..Wanted::default() }
}

fn take_wanted(text: &str, wanted: &Wanted) -> Taken {
    let options = Options { wanted: wanted.clone(), ..Options::default() };
    take_file("games.pgn", text.as_bytes(), &options, 1)
}

/// Why a filter leaves this game out, if it does.
fn why(filter: &Filter, tags: &str, moves: &str) -> Option<Filtered> {
    let text = format!("{tags}\n\n{moves}");
    let read = read(text.as_bytes(), &filtering(filter.clone()));
    assert_eq!((read.faults.len(), read.games.len() + read.filtered.len()), (0, 1), "{text}");
    read.filtered.first().copied()
}

#[test]
fn filters_read_their_tags() {
    let all = Filter::default;
    let speeds = |classes: &[TimeClass]| Filter { time_controls: classes.to_vec(), ..all() };
    let speed = |class| speeds(&[class]);
    let long = |min_plies| Filter { min_plies, ..all() };
    let ended = |results: &[Outcome]| Filter { results: results.to_vec(), ..all() };
    let either = |names: &[&str]| {
        let players = names.iter().map(|name| name.parse().expect("a name"));
        Filter { players: players.collect(), ..all() }
    };
    let elo = "[WhiteElo \"2400\"]\n[blackelo \"2300\"]\n[Result \"1-0\"]";
    let dated = "[Date \"2019.12.31\"]\n[UTCDate \"2020.01.01\"]\n[Result \"1-0\"]";
    let names = "[White \"Carlsen,M\"]\n[Black \"M\u{fc}ller, Karsten\"]\n[Result \"1-0\"]";
    let fast = "[TimeControl \"180+2\"]\n[Result \"1-0\"]";
    let nothing = "[Result \"1-0\"]";
    for (filter, tags, reason) in [
        (rated(Some(2300), None, RatingOf::Both), elo, None),
        (rated(Some(2350), None, RatingOf::Both), elo, Some(Filtered::Rating)),
        (rated(Some(2350), None, RatingOf::Either), elo, None),
        (rated(None, Some(2299), RatingOf::Either), elo, Some(Filtered::Rating)),
        (rated(Some(2350), Some(2350), RatingOf::Average), elo, None),
        (rated(Some(100), None, RatingOf::Either), nothing, Some(Filtered::Rating)),
        (dates("2020", "2020.01.01"), dated, None),
        (dates("", "2019"), dated, Some(Filtered::Date)),
        (dates("1900", ""), nothing, Some(Filtered::Date)),
        (player("Magnus Carlsen", None), names, None),
        (player("m\u{fc}ller", Some(Side::Second)), names, None),
        (player("m\u{fc}ller", Some(Side::First)), names, Some(Filtered::Color)),
        (player("Anand", None), names, Some(Filtered::Player)),
        (player("Anand", None), nothing, Some(Filtered::Player)),
        (player("Anand", Some(Side::First)), names, Some(Filtered::Player)),
        (either(&["Anand", "Carlsen"]), names, None),
        (ended(&[Outcome::FirstWins]), nothing, None),
        (ended(&[Outcome::Draw, Outcome::SecondWins]), nothing, Some(Filtered::Result)),
        (speeds(&[TimeClass::Rapid, TimeClass::Blitz]), fast, None),
        (speed(TimeClass::Blitz), fast, None),
        (speed(TimeClass::Bullet), fast, Some(Filtered::TimeControl)),
        (speed(TimeClass::Bullet), nothing, Some(Filtered::TimeControl)),
        (long(2), nothing, None),
        (long(3), nothing, Some(Filtered::Plies)),
    ] {
        assert_eq!(why(&filter, tags, "1. e4 e5 1-0"), reason, "{filter:?} {tags}");
    }
}

#[test]
fn names_in_latin_1_and_with_escapes_are_found() {
    for (name, text) in [
        ("m\u{fc}ller", &b"[Black \"M\xfcller, K\"]\n[Result \"1-0\"]\n\n1. e4 1-0"[..]),
        (
            "bela",
            br#"[White "The \"Great\" Bela"]
[Result "1-0"]

1. e4 1-0"#,
        ),
    ] {
        assert_eq!(read(text, &filtering(player(name, None))).games.len(), 1, "{name}");
    }
}

#[test]
fn results_come_from_the_tag_or_the_text() {
    let drawn = Filter { results: vec![Outcome::Draw], ..Filter::default() };
    assert_eq!(why(&drawn, "[Result \"1/2-1/2\"]", "1. e4 1-0"), None);
    assert_eq!(why(&drawn, "[Result \"1-0\"]", "1. e4 1/2-1/2"), Some(Filtered::Result));
    assert_eq!(why(&drawn, "[Event \"x\"]", "1. e4 1/2-1/2"), None);
    assert_eq!(why(&drawn, "[Event \"x\"]", "1. e4 0-1"), Some(Filtered::Result));
    let undecided = read(b"[Result \"*\"]\n\n1. e4 *", &filtering(drawn));
    assert_eq!(reasons(&undecided), [Reason::NoResult]);
}

const DRAWN_RANKS: &str =
    "[FEN \"nrkrbbnq/pppppppp/8/8/8/8/PPPPPPPP/NRKRBBNQ w DBdb - 0 1\"]\n[Result \"1-0\"]";

#[test]
fn chess960_is_told_by_its_tag_or_its_castling() {
    let [standard, drawn] = [Variant::Standard, Variant::Chess960]
        .map(|kind| Filter { variant: Some(kind), ..Filter::default() });
    let usual = "[Result \"1-0\"]";
    let by_tag = "[Variant \"Chess960\"]\n[Result \"1-0\"]";
    let set_up = "[FEN \"4k3/8/8/8/8/8/P7/4K2R w K - 0 1\"]\n[Result \"1-0\"]";
    for (tags, is_drawn) in [(usual, false), (set_up, false), (by_tag, true), (DRAWN_RANKS, true)] {
        let left_out = |filter| why(filter, tags, "1. a4 1-0");
        assert_eq!(left_out(&drawn), (!is_drawn).then_some(Filtered::Variant));
        assert_eq!(left_out(&standard), is_drawn.then_some(Filtered::Variant));
    }
    let other = b"[Variant \"Atomic\"]\n[Result \"1-0\"]\n\n1. e4 1-0";
    for filter in [standard, drawn, Filter::default()] {
        assert_eq!(reasons(&read(other, &filtering(filter))), [Reason::NotChess]);
    }
}

/// Filtered games are counted, not reported, and don't change how the games around them are found.
#[test]
fn what_is_filtered_is_no_skipped_game() {
    let good = "[WhiteElo \"2500\"]\n[BlackElo \"2500\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n";
    let weak = "[WhiteElo \"1500\"]\n[BlackElo \"1500\"]\n[Result \"1-0\"]\n\n1. e4 {a comment 1-0} e4 (1. d4 1-0) xyzzy 1-0\n\n";
    let apart = "[WhiteElo \"1500\"]\n[BlackElo \"1500\"]\n[Result \"1-0\"]\n\n\n1. e4 e5 1-0\n\n";
    let without_tags = "1. d4 d5 1-0\n\n";
    let text = [good, weak, good, apart, without_tags, good].concat();
    let wanted = filtering(rated(Some(2000), None, RatingOf::Both));
    let only_good = take_text([good; 3].concat().as_bytes());
    // Tags and moves apart are one game, or two.
    for (join_split, expected) in
        [(true, [(6, 5, 1, 0), (6, 3, 0, 3)]), (false, [(7, 4, 3, 0), (7, 3, 0, 4)])]
    {
        let (_folder, path) = file("games.pgn", text.as_bytes());
        let [all, some] = [Wanted::default(), wanted.clone()].map(|wanted| {
            let options = Options { wanted, join_split, ..Options::default() };
            take_path(&path, &options, 1)
        });
        let counted = [&all, &some].map(|taken| {
            let games = &taken.stats.games;
            (games.games_read, games.games_in, games.skipped_games(), games.filtered_games())
        });
        assert_eq!(counted, expected);
        let games = some.stats.games;
        assert_eq!(games.filtered(Filtered::Rating), expected[1].3);
        assert_eq!((some.skipped, games.plies), (vec![], 6));
        assert_eq!(some.rows, only_good.rows);
    }
}

#[test]
fn a_text_without_games_stays_one() {
    let (_folder, path) = file("notes.txt", b"nothing to see here\n");
    let wanted = filtering(Filter { min_plies: 3, ..player("Ada", None) });
    assert!(take(&[path], &Options { wanted, ..Options::default() }, 1).is_err());
}

#[test]
fn every_form_of_annotation_is_a_mark() {
    let marks = [
        (["!", " $1"], Marks::GOOD),
        (["?", " $2"], Marks::BAD),
        (["!!", " $3"], Marks::BRILLIANT),
        (["??", " $4"], Marks::BLUNDER),
        (["!?", " $5"], Marks::INTERESTING),
        (["?!", " $6"], Marks::DUBIOUS),
    ];
    let plain = marks.into_iter().flat_map(|(forms, mark)| forms.map(|form| (form, mark)));
    let rare = [
        (" $7 $146", Marks::empty()),
        ("$1$6", Marks::GOOD | Marks::DUBIOUS),
        (" {fine} $1", Marks::GOOD),
        ("?! $3 {x} $2", Marks::DUBIOUS | Marks::BRILLIANT | Marks::BAD),
        ("!! (1. d4?! d5 $2) 1...", Marks::BRILLIANT),
        (" (1. d4? {bad}) (1. c4 $4)", Marks::empty()),
        ("!!!", Marks::empty()),
    ];
    for (form, mark) in plain.chain(rare) {
        for gap in ["", " "] {
            let game = only_game(&format!("1. e4{gap}{form} e5 1-0"), &Wanted::default());
            let marks = game.plies.iter().map(|ply| ply.marks);
            assert!(marks.eq([mark, Marks::empty()]), "{gap}{form}");
        }
    }
}

#[test]
fn ratings_are_both_or_none() {
    let ratings = |tags: &str| {
        only_game(&format!("{tags}[Result \"1-0\"]\n\n1. e4 1-0"), &Wanted::default()).ratings
    };
    assert_eq!(ratings("[WhiteElo \"2851\"]\n[BlackElo \"2790\"]\n"), Some([2851, 2790]));
    assert_eq!(ratings("[WHITEELO \"2851\"]\n[BlackElo \"?\"]\n"), None);
    assert_eq!(ratings("[BlackElo \"2790\"]\n"), None);
    assert_eq!(ratings("[WhiteElo \"0\"]\n[BlackElo \"2790\"]\n"), None);
    assert_eq!(ratings(""), None);
    let text =
        b"[WhiteElo \"2851\"]\n[BlackElo \"2790\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n1. d4 1-0";
    let games = read(text, &Wanted::default()).games;
    assert!(games.iter().map(|game| game.ratings).eq([Some([2851, 2790]), None]));
}

#[test]
fn who_played_and_when_has_a_hash() {
    let hash_of = |text: &[u8], players| {
        let mut text = text.to_vec();
        text.extend(b"[Result \"1-0\"]\n\n1. e4 1-0");
        read(&text, &Wanted { players, ..Wanted::default() }).games[0].players
    };
    let hash = |tags: &str| hash_of(tags.as_bytes(), true);
    let one = hash("[White \"Carlsen, Magnus\"]\n[Black \"Anand, V\"]\n[Date \"2014.11.08\"]\n");
    let same = "[UTCDate \"2014-11-08\"]\n[Black \"ANAND,V\"]\n[White \"carlsen,  magnus\"]\n";
    assert_eq!(one, hash(same));
    for other in [
        "[White \"Carlsen, Magnus\"]\n[Black \"Anand, V\"]\n[Date \"2014.11.09\"]\n",
        "[White \"Carlsen, Magnus\"]\n[Black \"Anand, V\"]\n[Date \"2014.11.??\"]\n",
        "[White \"Carlsen, Magnus\"]\n[Black \"Anand, V\"]\n",
        "[White \"Anand, V\"]\n[Black \"Carlsen, Magnus\"]\n[Date \"2014.11.08\"]\n",
        "[White \"Carlsen, MagnusAnand, V\"]\n[Date \"2014.11.08\"]\n",
        "",
    ] {
        assert_ne!(one, hash(other), "{other}");
    }
    assert_eq!(hash(""), hash("[White \"?\"]\n[Black \"\"]\n[Date \"????.??.??\"]\n"));
    let in_latin_1 = hash_of(b"[White \"M\xdcLLER\"]\n", true);
    assert_eq!(hash("[White \"M\u{fc}ller\"]\n"), in_latin_1);
    assert_eq!(hash_of(b"[White \"Ada\"]\n", false), 0);
}

#[test]
fn evals_go_to_their_positions() {
    let wanted = Wanted { evals: true, ..Wanted::default() };
    let eval = |(plies, value, depth)| EvalComment { plies, value, depth };
    let set_up = "[Result \"1-0\"]\n\n";
    for (moves, evals) in [
        (
            "1. e4 { [%eval 0.3,20] [%clk 0:01:00] } e5 {[%eval -0.25]} 2. Nf3 {[%eval #-4]} 1-0",
            &[(1, -30, 20), (2, -25, 0), (3, 31_993, 0)][..],
        ),
        (
            "1. e4 {+0.31/21 4.1s} e5 {-0.20/18 1s} 2. Nf3 {book} Nc6 {+M7/30 0.5s} 1-0",
            &[(0, 31, 21), (1, -20, 18), (3, 31_993, 30)],
        ),
        (
            "{WhiteEngineOptions: Hash=1;}\n1. e4 {book, mb=+0} e5 {d=28, sd=40, wv=-0.29, mb=+0,} 2. Nf3 {d=30, wv=-0.10,} 1-0",
            &[(1, 29, 28), (2, -10, 30)],
        ),
        (
            "1. e4 {[%eval 0.3]} {+0.20/9 1s} (1. d4 {[%eval 9.9]}) e5 ({[%eval 8.8]} 1... c5) ; [%eval 7.7]\n 1-0",
            &[(1, -30, 0), (0, 20, 9)],
        ),
        (&format!("{set_up}{{[%eval 0.2] +0.1/2}} 1. e4 1-0"), &[(0, 20, 0)]),
        // No move yet that it could be of.
        (&format!("{set_up}{{+0.10/20 1s}} 1. e4 1-0"), &[]),
    ] {
        let expected: Vec<_> = evals.iter().copied().map(eval).collect();
        assert_eq!(only_game(moves, &wanted).evals, expected, "{moves}");
    }
    assert_eq!(only_game("1. e4 {[%eval 0.3]} 1-0", &Wanted::default()).evals, []);
}

#[test]
fn evals_are_for_the_side_to_move_when_black_begins() {
    let wanted = Wanted { evals: true, ..Wanted::default() };
    let text = "[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"]\n[Result \"1-0\"]\n\n1... e5 {[%eval 0.4]} 2. Nf3 {wv=0.30, d=3} 1-0";
    let evals: Vec<_> =
        only_game(text, &wanted).evals.iter().map(|eval| (eval.plies, eval.value)).collect();
    assert_eq!(evals, [(1, 40), (1, 30)]);
    let black = text.replace("2. Nf3 {", "2. Nf3 Nc6 {");
    assert_eq!(only_game(&black, &wanted).evals[1].value, -30);
}

#[test]
fn lines_have_keys_of_their_own() {
    let wanted = Wanted { keyed: Keyed::Line, ..Wanted::default() };
    let game = only_game("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 1-0", &wanted);
    let mut line = line_start(Chess::start().key());
    for ply in &game.plies {
        assert_eq!(ply.key, line);
        line = line_next(line, ply.code);
    }
    assert_eq!(game.last, (line, Side::Second));
    let taken = take_wanted("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 1-0", &wanted);
    assert_eq!(taken.rows.len(), 11, "a position that comes back is another node");
    assert_eq!(take_text(b"1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 1-0").rows.len(), 8);
    let set_up = only_game(&format!("{DRAWN_RANKS}\n\n1. a4 1-0"), &wanted);
    let plain = only_game(&format!("{DRAWN_RANKS}\n\n1. a4 1-0"), &Wanted::default());
    assert_eq!(set_up.plies[0].key, line_start(plain.plies[0].key));
}

#[test]
fn games_without_a_result_count_if_wanted_and_then_all_are_draws() {
    let text = "[Result \"1-0\"]\n\n1. e4 1-0\n\n[Result \"*\"]\n\n1. d4 *\n\n[Event \"x\"]\n\n1. c4\n\n[Result \"*\"]\n\n*\n";
    assert_eq!(take_text(text.as_bytes()).faults().len(), 3);
    let wanted = Wanted { unknown_results: UnknownResults::Count, ..Wanted::default() };
    let taken = take_wanted(text, &wanted);
    assert_eq!((taken.stats.games.games_in, taken.stats.games.skipped(Reason::NoMoves)), (3, 1));
    assert!(taken.rows.iter().all(|row| row.2 == [0, 1, 0]));
    let filter = Filter { results: vec![Outcome::FirstWins], ..Filter::default() };
    let games = take_wanted(text, &Wanted { filter, ..wanted }).stats.games;
    // The filter sees how it really ended.
    assert_eq!((games.games_in, games.filtered(Filtered::Result)), (1, 2));
}

/// Every eval of the real archives is found.
#[test]
fn evals_of_real_archives() {
    let wanted = Wanted { evals: true, ..Wanted::default() };
    let count = |text: &[u8], what: &[u8]| memchr::memmem::find_iter(text, what).count();
    for (path, what) in [
        ("chess/sample/lichess.pgn", &b"[%eval "[..]),
        ("chess/engines-tcec.pgn.zst", b" wv="),
        ("chess/engines-chess960.pgn.zst", b" wv="),
    ] {
        let Some(text) = data(path).map(|path| unpacked(&path)) else { continue };
        let games = games_of(&text, &wanted);
        let reasons = reasons(&games);
        assert!(reasons.iter().all(|&reason| reason == Reason::NoMoves), "{path}: {reasons:?}");
        let evals: usize = games.games.iter().map(|game| game.evals.len()).sum();
        let all = count(&text, what);
        assert!(evals > 0 && evals == all, "{path}: {evals} of {all}");
    }
}

/// All games of a text, cut at blank lines before tags.
fn games_of(text: &[u8], wanted: &Wanted) -> Seen {
    let mut games = Seen::default();
    let mut reader = PgnReader::new(Chess::start(), false, wanted.clone());
    let mut starts: Vec<usize> = memchr::memmem::find_iter(text, b"[Event \"").collect();
    starts.push(text.len());
    for piece in starts.windows(2) {
        reader.read(&text[piece[0]..piece[1]], true, &mut games).expect("nobody stops it");
    }
    games
}
