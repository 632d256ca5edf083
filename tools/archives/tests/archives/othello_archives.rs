//! Othello's archives: small ones of each format, with all that can be wrong. The real ones are in
//! `wthor.rs`.

use crate::shared::{
    Taken, costs_no_other, dates, file, games, is_the_same_however_read, player, take, take_file,
    take_path, tar,
};
use proptest::prelude::*;
use tabia_archives::filter::{Filter, TimeClass};
use tabia_archives::{ArchiveError, Options, Reason, UnknownResults, Wanted};
use tabia_games::{Game, Known, Othello, Outcome, Side};
use tabia_testing::rows;

fn othello() -> Options {
    Options { game: Known::Othello(Othello::start()), ..Options::default() }
}

fn taken(name: &str, content: &[u8], options: &Options) -> Taken {
    take_file(name, content, options, 1)
}

fn wanting(wanted: Wanted) -> Options {
    Options { wanted, ..othello() }
}

fn squares(moves: &str) -> Vec<&str> {
    (0..moves.len() / 2).map(|ply| &moves[2 * ply..2 * ply + 2]).collect()
}

fn key_after(moves: &str) -> u64 {
    let mut game = Othello::start();
    for text in squares(moves) {
        game.play(&game.read_move(text.as_bytes()).expect("a legal move"));
    }
    game.key()
}

// WTHOR

/// Black takes all discs with the ninth.
const WIPED_OUT: &str = "e6f4e3f6g5d6e7f5c5";
/// A whole game; Black has 26 discs.
const WHOLE: &str = "f5f6e6f4e3c5c6d6e7f7c3c7g3e8b5a4g5b4f8c4d8d3b3f3d2h3e2g4f2d7c8g6a3b6h6h5a7a6a5c2d1g2h7h8h1g8g7b8h2e1f1b2b7g1a1a2h4a8c1b1";

/// A file of games: their scores and moves.
fn wthor(board: u8, counted: u32, games: &[(u8, &str)]) -> Vec<u8> {
    let mut bytes = vec![20, 26, 11, 20];
    bytes.extend(counted.to_le_bytes());
    bytes.extend([0, 0, 0xe2, 0x07, board, 0, 24, 0]);
    for (index, (score, moves)) in games.iter().enumerate() {
        let mut game = [0; 68];
        (game[0], game[2], game[4]) = (1, index as u8, 2);
        (game[6], game[7]) = (*score, 32);
        for (byte, square) in game[8..].iter_mut().zip(moves.as_bytes().chunks(2)) {
            *byte = 10 * (square[1] - b'0') + (square[0].to_ascii_lowercase() - b'a' + 1);
        }
        bytes.extend(game);
    }
    bytes
}

#[test]
fn wthor_games_go_in_with_their_scores() {
    let content = wthor(8, 4, &[(64, WIPED_OUT), (26, WHOLE), (32, "f5d6"), (0, "d3")]);
    let found = games("games.wtb", &content, &othello());
    let facts: Vec<_> =
        found.iter().map(|(offset, game)| (*offset, game.plies.len(), game.outcome)).collect();
    let [black, draw, white] = [Outcome::FirstWins, Outcome::Draw, Outcome::SecondWins];
    assert_eq!(facts, [(16, 9, black), (84, 60, white), (152, 2, draw), (220, 1, white)]);
    assert_eq!(found[0].1.last, (key_after(WIPED_OUT), Side::Second));
    assert_eq!(found[3].1.plies[0].key, Othello::start().key());
    // A board of size 0 is the usual one.
    assert_eq!(games("games.wtb", &wthor(0, 1, &[(64, WIPED_OUT)]), &othello()).len(), 1);
}

#[test]
fn a_broken_game_of_wthor_costs_no_other() {
    let games = [(64, "f5f5"), (63, WIPED_OUT), (65, "f5"), (32, "")];
    let mut content =
        wthor(8, 7, &[&games[..], &[(32, "f5d6c3"), (40, "f5d6c3"), (40, "f5")]].concat());
    // An impossible square, and a move behind the end.
    content[16 + 68 * 4 + 8 + 1] = 99;
    content[16 + 68 * 5 + 8 + 1] = 0;
    let found = taken("games.wtb", &content, &othello());
    assert_eq!(found.games_in(), 1);
    let at = |game: u64| 16 + 68 * game;
    assert_eq!(
        found.details(),
        [
            (Reason::IllegalMove, at(0), "`f5` is not legal at ply 2"),
            (Reason::Broken, at(1), "it says that Black has 63 discs, and its moves lead to 64"),
            (Reason::Broken, at(2), "it says that Black has 65 discs"),
            (Reason::NoMoves, at(3), "it has no moves"),
            (Reason::Broken, at(4), "99 is no square at ply 2"),
            (Reason::Broken, at(5), "moves stand behind its end, after ply 1"),
        ]
    );
}

#[test]
fn a_wthor_file_that_is_cut_off_gives_its_whole_games_and_says_what_is_missing() {
    let content = wthor(8, 3, &[(64, WIPED_OUT), (26, WHOLE), (64, WIPED_OUT)]);
    for (length, whole) in
        [(16 + 68, 1), (16 + 68 + 1, 1), (16 + 2 * 68 + 67, 2), (16 + 3 * 68, 3), (17, 0)]
    {
        for chunk_bytes in [1, 100, 512 << 10] {
            let found =
                taken("games.wtb", &content[..length], &Options { chunk_bytes, ..othello() });
            assert_eq!(found.games_in(), whole, "{length} bytes");
            let detail =
                format!("the file ends after {whole} of the 3 games that its header counts");
            let expected = [(Reason::Broken, 16 + 68 * whole, detail.as_str())];
            assert_eq!(found.details(), expected[..usize::from(whole < 3)], "{length} bytes");
        }
    }
    let found = taken("games.wtb", &wthor(8, 1, &[(64, WIPED_OUT), (64, WIPED_OUT)]), &othello());
    assert_eq!(found.games_in(), 1);
    let why = "it stands behind the 1 games that its header counts";
    assert_eq!(found.details(), [(Reason::Broken, 84, why)]);
}

#[test]
fn a_wthor_file_of_another_board_is_reported_once() {
    let content = wthor(10, 3, &[(64, WIPED_OUT), (26, WHOLE), (64, WIPED_OUT)]);
    let found = taken("games.wtb", &content, &Options { chunk_bytes: 1, ..othello() });
    assert_eq!(found.games_in(), 0);
    let why = "its games are played on a board of 10x10, not 8x8";
    assert_eq!(found.details(), [(Reason::OtherGame, 152, why)]);
    // Called so, but something else.
    let text = [b"nothing of this kind".as_slice(), &[b'x'; 300]].concat();
    let found = taken("games.wtb", &text, &othello());
    assert_eq!(found.skipped.len(), 1);
    assert_eq!(found.skipped[0].detail, "it does not begin as WTHOR's files of games do");
}

/// A file of names, in Latin-1.
fn names(length: usize, names: &[&[u8]]) -> Vec<u8> {
    let mut bytes = vec![20, 26, 11, 20, 0, 0, 0, 0, names.len() as u8, 0, 0, 0, 0, 0, 0, 0];
    for name in names {
        let mut cell = vec![0; length];
        cell[..name.len()].copy_from_slice(name);
        bytes.extend(cell);
    }
    bytes
}

#[test]
fn wthors_names_stand_in_files_beside() {
    let content = wthor(8, 2, &[(64, WIPED_OUT), (63, WIPED_OUT)]);
    let (folder, path) = file("WTH_2018.WTB", &content);
    let beside = |name, names| std::fs::write(folder.path().join(name), names).expect("a file");
    beside("WTHOR.JOU", names(20, &[b"Ann", b"B\xe9la", b"Tam\xe1s Kov\xe1cs\0x"]));
    beside("wthor.trn", names(26, &[b"?", b"Open"]));
    let wanted = |filter| Wanted { filter, players: true, ..Wanted::default() };
    let with = |filter| take_path(&path, &wanting(wanted(filter)), 1);
    let found = with(Filter::default());
    assert_eq!(found.skipped[0].players, "Béla - Tamás Kovács, Open");
    let years = ["2018", "2019"].map(|since| with(dates(since, "")).games_in());
    assert_eq!(years, [1, 0]);
    let names = ["ann", "Kovács", "Zoe"].map(|name| with(player(name, None)).games_in());
    assert_eq!(names, [1, 1, 0]);
    // In a tar archive there are no names, but players are told apart all the same.
    let hash = |players: [u8; 2]| {
        let mut content = wthor(8, 1, &[(64, WIPED_OUT)]);
        (content[18], content[20]) = (players[0], players[1]);
        let options = wanting(wanted(Filter::default()));
        games("games.tar", &tar(&[("WTH_2018.WTB", content)]), &options)[0].1.players
    };
    assert_eq!(hash([1, 2]), hash([1, 2]));
    assert_ne!(hash([1, 2]), hash([2, 1]));
}

// text with tags

/// How many plies the games of a text have, and how they ended.
fn lengths_and_outcomes(name: &str, text: &str) -> Vec<(usize, Outcome)> {
    let found = games(name, text.as_bytes(), &othello());
    found.iter().map(|(_, game)| (game.plies.len(), game.outcome)).collect()
}

#[test]
fn text_with_tags_is_read_with_discs_for_results() {
    let text = "[Event \"x\"]\n[Black \"Ann\"]\n[White \"Bob\"]\n[Result \"26-38\"]\n\n1. F5 F6\n2. E6 F4\n\n\
        [Black \"Ann\"]\n\n1. f5 d6 {a comment} 2. c3 (2. c4) d3 $1 1-0\n\n\
        1. F5 F4 32-32\n\n[Result \"1/2-1/2\"]\n\n1. c4 c3\n";
    let [black, draw, white] = [Outcome::FirstWins, Outcome::Draw, Outcome::SecondWins];
    let found = lengths_and_outcomes("games.pgn", text);
    assert_eq!(found, [(4, white), (4, black), (2, draw), (2, draw)]);
}

#[test]
fn results_are_discs_or_points() {
    let outcome = |result: &str| {
        let text = format!("[Result \"{result}\"]\n\n1. F5 F6\n");
        games("games.pgn", text.as_bytes(), &othello()).first().map(|game| game.1.outcome)
    };
    for (results, expected) in [
        ("38-26| 33-31 |64-0", Some(Outcome::FirstWins)),
        ("26\u{2013}38|0-1", Some(Outcome::SecondWins)),
        ("30-30|1/2|\u{bd}-\u{bd}", Some(Outcome::Draw)),
        ("0-0|40-30|+38-26|38|*|?-?", None),
    ] {
        for result in results.split('|') {
            assert_eq!(outcome(result), expected, "{result}");
        }
    }
}

/// White's c1 leaves Black without a move.
const BLACK_PASSES: &str = "d3c3e6d2d1e1b2c1";

#[test]
fn written_passes_are_passed_over_where_they_are_due() {
    let moves = squares(BLACK_PASSES).join(" ");
    let text = |pass: &str| format!("[Result \"40-24\"]\n\n{moves} {pass} a3\n\n");
    for pass in ["", "--", "PA", "pass", "Pass pass"] {
        let found = games("games.pgn", text(pass).as_bytes(), &othello());
        assert_eq!(found.len(), 1, "{pass}");
        assert_eq!((found[0].1.plies.len(), found[0].1.plies[8].side), (9, Side::Second), "{pass}");
        assert_eq!(found[0].1.last.0, key_after(&format!("{BLACK_PASSES}a3")));
    }
    let found = taken("games.pgn", b"[Result \"40-24\"]\n\nf5 -- d6\n\n", &othello());
    assert_eq!(found.details(), [(Reason::NullMove, 0, "`--` is a null move at ply 2")]);
    // Behind the end of a game anybody may pass.
    let text = format!("[Result \"64-0\"]\n\n{} -- -- 64-0\n", squares(WIPED_OUT).join(" "));
    assert_eq!(games("games.pgn", text.as_bytes(), &othello()).len(), 1);
}

#[test]
fn other_games_and_set_up_positions_are_reported() {
    let text = "[Variant \"Anti\"]\n[Result \"1-0\"]\n\n1. F5\n\n\
        [FEN \"nonsense\"]\n[Result \"1-0\"]\n\n1. F5\n\n\
        [FEN \"---------------------------XO------OX--------------------------- X\"]\n[Result \"1-0\"]\n\n1. C5\n\n\
        [Variant \"Reversi\"]\n[Result \"1-0\"]\n\n1. e4 e5\n";
    let found = taken("games.pgn", text.as_bytes(), &othello());
    let reasons: Vec<Reason> = found.skipped.iter().map(|skipped| skipped.reason).collect();
    assert_eq!(reasons, [Reason::OtherGame, Reason::BadPosition, Reason::IllegalMove]);
    assert_eq!(found.games_in(), 1);
}

// GGF

const START: &str = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *";

fn ggf(kind: &str, board: &str, result: &str, moves: &str) -> String {
    format!(
        "(;GM[Othello]PC[GGS/os]DT[2004.09.18_05:54:38.MDT]PB[ann]PW[bob]RB[1837.5]RW[2203.1]TI[05:00//02:00]TY[{kind}]RE[{result}]BO[{board}]{moves};)\n"
    )
}

#[test]
fn ggf_games_go_in() {
    let turned = "8 -------- -------- -------- ---*O--- ---O*--- -------- -------- -------- *";
    let text = format!(
        "1 {}2 {}{}\n(;\nGM[Othello] PB[x]\nPW[y] RE[0.00] TY[8]\nB[c4]\n;)",
        ggf("8", START, "+12.00", "B[f5]W[d6//0.01]B[C3/2.50/1.2]"),
        ggf("s8r20", turned, "-64.00:t", "B[c5]").trim_end(),
        ggf("0", START, "+4:r", "B[d3]C[a comment (;]"),
    );
    let options = wanting(Wanted { evals: true, players: true, ..Wanted::default() });
    let found = games("games.ggf", text.as_bytes(), &options);
    let facts: Vec<_> =
        found.iter().map(|(_, game)| (game.plies.len(), game.outcome, game.ratings)).collect();
    let (ratings, black, white) = (Some([1837, 2203]), Outcome::FirstWins, Outcome::SecondWins);
    let rated = [(3, black, ratings), (1, white, ratings), (1, black, ratings)];
    assert_eq!(facts, [&rated[..], &[(1, Outcome::Draw, None)]].concat());
    let starts = text.match_indices("(;GM[").chain(text.match_indices("(;\nGM["));
    assert!(found.iter().map(|game| game.0).eq(starts.map(|(at, _)| at as u64)));
    assert_eq!(found[0].1.last.0, key_after("f5d6c3"));
    let evals: Vec<_> =
        found[0].1.evals.iter().map(|eval| (eval.plies, eval.value, eval.depth)).collect();
    assert_eq!(evals, [(2, 3, 0)]);
    let same = [1, 3].map(|other: usize| found[0].1.players == found[other].1.players);
    assert_eq!(same, [true, false]);
    // Chunks of any size hold the same.
    for chunk_bytes in [1, 7, 100] {
        let options = Options { chunk_bytes, ..options.clone() };
        let other = games("games.ggf", text.as_bytes(), &options);
        let place_and_end = |game: &(u64, tabia_archives::GameRecord)| (game.0, game.1.last);
        assert!(other.iter().map(place_and_end).eq(found.iter().map(place_and_end)));
    }
}

#[test]
fn a_broken_game_of_ggf_costs_no_other() {
    for [kind, board, moves, reason, detail] in rows(include_str!("faults/ggf.txt")) {
        let sound = ggf("8", START, "+12.00", "B[f5]W[d6]");
        let mut broken = ggf(&kind, &board.replace("START", START), "+2", &moves);
        if moves == "B[f5" {
            broken = broken.replace(";)", "");
        }
        let why = (reason.as_str(), detail.as_str());
        let skipped = costs_no_other("games.ggf", [&sound, &broken, &sound], &othello(), why);
        assert_eq!(skipped.players, "ann - bob");
    }
    let other = ggf("8", START, "+2", "B[f5]").replace("Othello", "Amazons");
    let found = taken("games.ggf", other.as_bytes(), &othello());
    assert_eq!(found.details(), [(Reason::OtherGame, 0, "it is a game of `Amazons`")]);
}

#[test]
fn the_last_game_of_ggf_may_be_cut_off() {
    let text = ggf("8", START, "+12.00", "B[f5]W[d6]");
    let cut = text.find("W[d6]").expect("a move");
    for (length, plies) in [(cut + 3, 1), (cut + 1, 1), (cut, 1), (cut + 5, 2)] {
        let found = games("games.ggf", &text.as_bytes()[..length], &othello());
        assert!(found.iter().map(|game| game.1.plies.len()).eq([plies]), "{length}");
    }
}

#[test]
fn ggf_says_who_and_when_and_how_fast() {
    let sound = ggf("8", START, "+2", "B[f5]");
    let with = |text: &str, filter: Filter| {
        let options = wanting(Wanted { filter, ..Wanted::default() });
        taken("games.ggf", text.as_bytes(), &options).games_in()
    };
    for (written, day, is_read) in [
        ("2004.09.18_05:54:38.MDT", "2004.09.18", true),
        ("2014-01-29 23:05:30 GMT", "2014.01.29", true),
        ("2000-4-6 11:13 EST", "2000.04.06", true),
        ("2009", "2009", true),
        ("945277754", "1999.12.15", true),
        ("951782399", "2000.02.28", true),
        ("951782400", "2000.02.29", true),
        ("yesterday", "2004.09.18", false),
        ("", "2004.09.18", false),
    ] {
        let text = sound.replace("2004.09.18_05:54:38.MDT", written);
        assert_eq!(with(&text, dates(day, day)), u64::from(is_read), "{written}");
        assert_eq!(with(&text, dates("2021", "2022")), 0, "{written}");
    }
    let with = |filter: Filter| with(&sound.repeat(2), filter);
    assert_eq!(["ann", "bob"].map(|name| with(player(name, Some(Side::First)))), [2, 0]);
    let speed = |class| Filter { time_controls: vec![class], ..Filter::default() };
    assert_eq!([TimeClass::Blitz, TimeClass::Bullet].map(|class| with(speed(class))), [2, 0]);
}

// transcripts

#[test]
fn transcripts_are_read_line_by_line() {
    let spaced = "F5 D6 C3".to_owned();
    let text = format!(
        "{WIPED_OUT}\n\n# a comment\n{}\r\n{WHOLE} 26-38\n{WHOLE} -12\n{WHOLE},26\nf5d6c3 1-0\n{spaced}: +4\n{BLACK_PASSES}paa3 0-64\n{BLACK_PASSES}passa3 32-32\n{BLACK_PASSES}--a3 1/2",
        WHOLE.to_uppercase()
    );
    let [black, draw, white] = [Outcome::FirstWins, Outcome::Draw, Outcome::SecondWins];
    let whole = [(60, white); 4];
    let others = [(3, black), (3, black), (9, white), (9, draw), (9, draw)];
    let expected = [&[(9, black)][..], &whole, &others].concat();
    assert_eq!(lengths_and_outcomes("games.txt", &text), expected);
    let found = games("games.txt", text.as_bytes(), &othello());
    assert_eq!(found[5].0, text.find("f5d6c3 ").expect("a line") as u64);
}

#[test]
fn a_broken_transcript_costs_no_other() {
    for [broken, reason, detail] in rows(include_str!("faults/transcripts.txt")) {
        let sound = format!("{WIPED_OUT}\n");
        let (texts, why) = ([&sound, &*broken, &format!("\n{sound}")], (&*reason, &*detail));
        assert_eq!(costs_no_other("games.txt", texts, &othello(), why).line, 2);
    }
    // Games without results count where results don't.
    let options = wanting(Wanted { unknown_results: UnknownResults::Count, ..Wanted::default() });
    assert_eq!(games("games.txt", b"f5d6c3d3\n", &options).len(), 1);
    // The last move may be cut off.
    assert_eq!(games("games.txt", b"f5d6c3d3c", &options)[0].1.plies.len(), 4);
}

// the whole lot

/// Games of any format are the same games, told by their content whatever they are called.
#[test]
fn all_formats_say_the_same() {
    let (whole, colors) = (squares(WHOLE), ["B", "W"].iter().cycle());
    let moves = whole.iter().zip(colors).map(|(text, color)| format!("{color}[{text}]"));
    let colored: String = moves.collect();
    let tagged = squares(WHOLE).join(" ").to_uppercase();
    let contents = [
        wthor(8, 1, &[(26, WHOLE)]),
        ggf("8", START, "-12", &colored).into_bytes(),
        WHOLE.to_owned().into_bytes(),
        format!("[Result \"26-38\"]\n\n{tagged}\n").into_bytes(),
    ];
    let rows: Vec<_> =
        contents.iter().map(|content| taken("games", content, &othello()).rows).collect();
    assert_eq!(rows[0].len(), 60 + 61);
    assert!(rows.iter().all(|other| *other == rows[0]));
}

#[test]
fn archives_of_other_games_are_no_archives() {
    let refused = |name: &str, content: &[u8], options: &Options| {
        let (_folder, path) = file(name, content);
        match take(&[path], options, 1) {
            Ok(found) => found.games_in() == 0,
            Err(error) => {
                matches!(error, tabia_archives::IngestError::Archive(ArchiveError::NoGame { .. }))
            }
        }
    };
    assert!(refused("games.wtb", &wthor(8, 1, &[(26, WHOLE)]), &Options::default()));
    assert!(refused("games.txt", b"f5d6c3d3c4f4\n", &Options::default()));
    assert!(refused("games.pgn", b"[Result \"1-0\"]\n\n1. e4 e5 1-0\n", &othello()));
    assert!(refused("games.sgf", b"(;GM[1]SZ[9];B[ee];W[cc])", &othello()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Bytes that are changed, lost or doubled never do more than make games broken.
    #[test]
    fn damaged_archives_are_read_without_panic(which in 0..4usize, changes in prop::collection::vec((any::<u16>(), any::<u8>(), 0..3u8), 1..12), chunk_bytes in 1..300usize) {
        let sound = [
            wthor(8, 3, &[(64, WIPED_OUT), (26, WHOLE), (64, WIPED_OUT)]),
            [ggf("8", START, "-12", "B[f5]W[d6/1.5/2]"), ggf("s8r20", START, "+2:r", "B[f5]W[f6]B[e6]")].concat().into_bytes(),
            format!("{WIPED_OUT} 64-0\n{WHOLE} -12\nf5d6c3 1-0\n").into_bytes(),
            b"[Black \"a\"]\n[Result \"26-38\"]\n\n1. F5 F6 2. E6 F4\n\n[Result \"1-0\"]\n\n1. C4\n".to_vec(),
        ];
        let mut content = sound[which].clone();
        for (at, byte, how) in changes {
            let at = usize::from(at) % content.len().max(1);
            match how {
                0 if at < content.len() => content[at] = byte,
                1 => content.insert(at.min(content.len()), byte),
                _ if at < content.len() => drop(content.remove(at)),
                _ => {}
            }
        }
        let name = ["games.wtb", "games.ggf", "games.txt", "games.pgn"][which];
        let (_folder, path) = file(name, &content);
        let options = wanting(Wanted { evals: true, players: true, ..Wanted::default() });
        is_the_same_however_read(path, &options, &[(1, chunk_bytes), (2, 1 << 20)]);
    }
}
