//! PDN: its dialects by small texts written for it, the Open Checker Archive against an independent
//! replay, and a folder of files from many programs.

use crate::shared::{self, PerPly, Taken, each, files_under, numbers, take, take_file};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use tabia::Keyed;
use tabia_archives::{GameRecord, Options, Reason, Wanted};
use tabia_games::{Checkers, Game, Known};
use tabia_testing::{Sample, data, rows};

fn options(start: Checkers) -> Options {
    Options { game: Known::Checkers(start), ..Options::default() }
}

fn taken(start: Checkers, text: &str) -> Taken {
    take_file("games.pdn", text.as_bytes(), &options(start), 1)
}

#[test]
fn ratings_are_read_by_both_names() {
    let text = "[WhiteRating \"2300\"]\n[BlackRating \"2100\"]\n11-15 1-0\n\n[WhiteElo \"2200\"]\n[WhiteRating \"1\"]\n[BlackElo \"2000\"]\n11-15 1-0\n";
    let games = shared::games("games.pdn", text.as_bytes(), &options(Checkers::english()));
    let ratings: Vec<_> = games.iter().map(|(_, game)| game.ratings).collect();
    assert_eq!(ratings, [Some([2100, 2300]), Some([2000, 2200])], "Black is the first player");
}

/// The games as texts: outcome, and moves as PDN writes them.
fn games(start: Checkers, text: &str) -> Vec<String> {
    let games = shared::games("games.pdn", text.as_bytes(), &options(start.clone()));
    let shown = |(_, game): &(u64, GameRecord)| {
        let (mut text, mut position) = (format!("{:?}:", game.outcome), start.clone());
        for ply in &game.plies {
            let played = position.move_of_code(ply.code).filter(|_| position.key() == ply.key);
            let Some(played) = played else { return text + " (from a set-up position)" };
            let marks =
                if ply.marks.is_empty() { String::new() } else { format!("${}", ply.marks.bits()) };
            text += &format!(" {}{marks}", position.notation(&played));
            position.play(&played);
        }
        text
    };
    games.iter().map(shown).collect()
}

/// Why the only game of a text isn't counted.
fn fault(start: Checkers, text: &str) -> String {
    let found = taken(start, text);
    assert_eq!((found.games_in(), found.skipped.len()), (0, 1), "{text}");
    format!("{}: {}", found.skipped[0].reason, found.skipped[0].detail)
}

#[test]
fn movetext_is_read_in_its_dialects() {
    let expected = ["FirstWins: 11-15 23-19 8-11 22-17"];
    for text in [
        "[Result \"1-0\"]\n\n1. 11-15 23-19 2. 8-11 22-17 1-0\n",
        "1. 11-15 23-19 2. 8-11 22-17 1-0\n",
        "1.11-15 23-19 2.8-11 22-17\n1-0",
        "[Result \"1-0\"]\n1. 11-15 23-19 2. 8-11 22-17 *",
        "[Result \"1-0\"] 1.11-15 23-19 2.8-11 22-17",
        "11-15 23-19 8-11 22-17 1-0",
        "1. 11-15 1... 23-19 2. 8-11 2. ... 22-17 2-0",
        "1. 11-15 { text; 1-0 } 23-19 ; 9-13 1-0\n2. 8-11 (2. 9-13 { ) } 22-18 (24-20)) 22-17 1-0",
        "% a line\n1. 11 - 15 23 -19 2.  8- 11 22-17 1-0",
        "1. 1115 2319 2. 0811 2217 1-0",
        "1. 11-15* 23-19* 2. 8-11 22-17 1-0",
        "\u{feff}[Event \"x\"]\r\n[Result \"1-0\"]\r\n\r\n1. 11-15 23-19\r\n2. 8-11 22-17 1-0\r\n",
        "[Event \"x\"]\n[GameType \"21\"]\n[Result \"1-0\"]\n\n11-15 23-19 8-11 22-17",
        "[GameType \"21,B,8,8,N1,0\"]\n[Result \"1-0\"]\n11-15 23-19 8-11 22-17",
        "[GameType \"21\"]\n[FEN \"B:W21-32:B1-12.\"]\n[SetUp \"1\"]\n11-15 23-19 8-11 22-17 1-0",
    ] {
        assert_eq!(games(Checkers::english(), text), expected, "{text}");
    }
}

#[test]
fn i5_a_remark_glued_to_a_move_costs_no_game() {
    let expected = ["FirstWins: 11-15 23-19 8-11 22-17"];
    for text in [
        "1. 11-15 23-19 2. 8-11Remark 22-17 1-0\n",
        "1. 11-15 23-19Old Faithful, as they say 2. 8-11 22-17and wins 1-0\n",
        "1. 11-15 23-19 2. 8-11Good {more} 22-17 1-0\n",
    ] {
        assert_eq!(games(Checkers::english(), text), expected, "{text}");
    }
    // What is no legal move without its letters is as wrong as it was.
    let refused = fault(Checkers::english(), "1. 11-15 23-19 2. 8-12Remark 22-17 1-0\n");
    assert!(refused.starts_with("broken: "), "{refused}");
}

/// M6: it was read as a move.
#[test]
fn m6_what_the_result_tag_says_is_no_move() {
    for moves in ["1. 11-15 23-19 4-6", "1. 11-15 23-19 { drawn } 4-6"] {
        let text = format!("[Result \"4-6\"]\n\n{moves}\n");
        let why = fault(Checkers::english(), &text);
        assert_eq!(why, "no_result: its Result tag is `4-6`", "{text}");
    }
    // A legal move is one all the same.
    let text = "[Result \"9-13\"]\n\n1. 9-13 23-19 4-6\n";
    let refused = fault(Checkers::english(), text);
    assert!(refused.starts_with("illegal_move: `4-6`"), "{refused}");
}

/// W6: one guard for every format.
#[test]
fn w6_archives_in_another_notation_are_refused() {
    let refused = |name: &str, game: Known, text: &str, most: Option<u8>| {
        let (_folder, path) = shared::file(name, text.as_bytes());
        let options = Options { most_refused: most, ..Options::new(game) };
        take(&[path], &options, 2).err().map(|error| error.to_string())
    };
    let chess = || Options::default().game;
    let checkers = || Known::Checkers(Checkers::english());
    let go = || Known::Go(tabia_games::go::Go::start(9, Default::default()).expect("a size"));
    for (name, game, bad, good) in [
        // Squares from 0.
        ("games.pdn", checkers(), "[Result \"1-0\"]\n8-12 20-16 1-0\n\n", "11-15 1-0\n\n"),
        ("games.pgn", chess(), "[Result \"1-0\"]\n1. P-K4 P-K4 1-0\n\n", "1. e4 1-0\n\n"),
        ("games.sgf", go(), "(;SZ[9]RE[B+1];B[D4])\n", "(;SZ[9]RE[B+1];B[dd])\n"),
        // I5: moves as the Japanese write them, three of which are legal moves of chess by accident.
        ("games.lines", chess(), "7g7f 3c3d 2g2f 1-0\n", "e2e4 1-0\n"),
    ] {
        let text = bad.repeat(20) + &good.repeat(3);
        let error = refused(name, game.clone(), &text, Some(50)).unwrap_or_default();
        let said = ["20 of its 23 games", "in another notation"];
        assert!(said.iter().all(|said| error.contains(said)), "{name}: {error}");
        assert!(refused(name, game.clone(), &text, Some(86)).is_some(), "{name}");
        assert_eq!(refused(name, game.clone(), &text, Some(87)), None, "{name}: more are allowed");
        assert_eq!(refused(name, game.clone(), &text, None), None, "{name}: any are");
        let few = bad.repeat(16) + &good.repeat(3);
        assert_eq!(refused(name, game, &few, Some(50)), None, "{name}: of few it isn't told");
    }
    // Games without a result are of this notation all the same.
    let undecided = "e2e4 e7e5 *\n".repeat(30) + "e2e4 1-0\n";
    assert_eq!(refused("games.lines", chess(), &undecided, Some(50)), None);
}

#[test]
fn marks_are_kept_with_their_moves() {
    let expected = ["Draw: 32-28$1 19-23$2 28x19 14x23$16"];
    for text in [
        "1. 32-28! 19-23? 2. 28x19 14x23!? 1-1",
        "1. 32-28(!) 19-23 (?) 2. 28x19(!?!!!) 14x23 (!?) 1-1",
        "32-28 $1 19-23 $2 28x19 $7 14x23 $5 1-1",
    ] {
        assert_eq!(games(Checkers::international(), text), expected, "{text}");
    }
}

#[test]
fn captures_are_read_short_and_long() {
    let opening = "[FEN \"W:W26:B22,14,6,5\"]";
    for capture in ["26x1", "26x17x10x1", "26-17-10-1", "26:1", "26x 1", "26 x 17 x 10 x 1", "26-1"]
    {
        let found = taken(Checkers::english(), &format!("{opening}\n1. {capture} 5-9 0-1\n"));
        assert_eq!((found.games_in(), found.stats.games.plies), (1, 2), "{capture}");
    }
}

#[test]
fn results_are_the_first_players() {
    let outcome = |start: Checkers, result: &str, moves: &str| {
        games(start, &format!("[Result \"{result}\"]\n\n{moves} {result}\n"))
    };
    for (result, expected) in [
        ("1-0", "FirstWins"),
        ("2-0", "FirstWins"),
        ("0-1", "SecondWins"),
        ("0-2", "SecondWins"),
        ("1/2-1/2", "Draw"),
        ("1-1", "Draw"),
    ] {
        for (start, played) in
            [(Checkers::international(), "32-28"), (Checkers::english(), "11-15")]
        {
            let found = outcome(start, result, &format!("1. {played}"));
            assert_eq!(found, [format!("{expected}: {played}")], "{result}");
        }
    }
}

#[test]
fn several_games_without_tags_stand_apart() {
    let text = "1. 32-28 19-23 2-0\n\n1. 31-27 1-1\n\n1. 33-28 18-22 0-2\n1. 34-30 *\n";
    let expected = ["FirstWins: 32-28 19-23", "Draw: 31-27", "SecondWins: 33-28 18-22"];
    assert_eq!(games(Checkers::international(), text), expected);
}

/// Programs write lists of positions with the star on the line of the tag.
#[test]
fn tags_and_moves_on_one_line_are_games_of_their_own() {
    let text = "[FEN \"B:W19,32:B4,3\"] *\n[FEN \"W:W19,32:B4,3\"] 1. 19-15 1-0\n[FEN \"W:W19,32:B4,3\"] 1. 32-28 1/2-1/2\n";
    let found = taken(Checkers::english(), text);
    assert_eq!((found.games_in(), found.faults()), (2, vec![(Reason::NoMoves, 0)]));
}

#[test]
fn what_is_not_counted_is_reported_with_the_reason() {
    for [game, text, why] in rows(include_str!("faults/draughts.txt")) {
        let start = if game == "21" { Checkers::english() } else { Checkers::international() };
        assert_eq!(fault(start, &text), why, "{text}");
    }
}

/// A game and its image for the other side make the same rows, keyed by position and by line.
#[test]
fn a_game_and_its_image_make_the_same_rows() {
    let game = "[FEN \"B:W18,23-32:B1-11\"]\n\n1. 11-15 18x11 2. 8x15 23-19 3. 15-18 1-0\n";
    let image = "[FEN \"W:B15,10-1:W32-22\"]\n\n1. 22-18 15x22 2. 25x18 10-14 3. 18-15 0-1\n";
    let image = &image.replace("B15,10-1:W32-22", "B1-10,15:W22-32");
    for keyed in [Keyed::Position, Keyed::Line] {
        let wanted = Wanted { keyed, ..Wanted::default() };
        let options = Options { wanted, ..options(Checkers::english()) };
        let [rows, image_rows] =
            [game, image].map(|text| take_file("games.pdn", text.as_bytes(), &options, 1).rows);
        assert_eq!(rows.len(), 6 + 5);
        assert_eq!(rows, image_rows, "{keyed:?}");
    }
    let apart = [game, image].map(|text| taken(Checkers::english().with_images_apart(), text).rows);
    assert_ne!(apart[0], apart[1]);
}

/// What is to be known of an archive: games and positions by ply, and how games begin and end.
#[derive(Default)]
struct Counts {
    per_ply: PerPly,
    all: HashSet<u64>,
    plies: usize,
    first: BTreeMap<String, [usize; 3]>,
}

impl Counts {
    fn add(&mut self, start: &Checkers, game: &GameRecord) {
        let keys = || game.plies.iter().map(|ply| ply.key).chain([game.last.0]);
        self.per_ply.add(keys());
        self.all.extend(keys());
        self.plies += game.plies.len();
        let mut position = start.clone();
        for (ply, code) in game.plies.iter().map(|ply| ply.code).enumerate() {
            let played = position.move_of_code(code).expect("a legal move");
            if ply == 0 {
                let counts = self.first.entry(position.notation(&played)).or_default();
                counts[game.outcome as usize] += 1;
            }
            position.play(&played);
        }
        assert_eq!(position.key(), game.last.0);
        let ended = position.outcome();
        assert!(ended.is_none_or(|ended| ended == game.outcome), "{}", position.setup());
    }
}

fn counted(archive: &Path, start: Checkers) -> Counts {
    let mut counts = Counts::default();
    let options = options(start.clone());
    let (stats, skipped) =
        each(&[archive.to_owned()], &options, |_, game| counts.add(&start, game));
    assert_eq!((stats.games.games_in, skipped.len()), (18_067, 0));
    counts
}

/// Against `reference/checkers`, counted by a replay of its own.
#[test]
fn the_open_checker_archive() {
    let (Some(archive), Some(plies), Some(summary)) = (
        data("checkers/oca.pdn"),
        data("reference/checkers/plies_oca_dev.tsv"),
        data("reference/checkers/oca_dev.txt"),
    ) else {
        return;
    };
    let counts = counted(&archive, Checkers::english().with_images_apart());
    assert_eq!((counts.plies, counts.all.len()), (925_242, 541_159));
    let plies = numbers(&plies);
    for row in &plies {
        let [ply, reaching, distinct] = *row.as_slice() else { panic!("{row:?}") };
        let (per_ply, at) = (&counts.per_ply, ply as usize);
        let found = [per_ply.games[at] as u64, per_ply.positions[at].len() as u64];
        assert_eq!(found, [reaching, distinct], "after {ply} plies");
    }
    assert_eq!(plies.len(), 61);
    let summary = std::fs::read_to_string(summary).expect("a summary");
    for (text, [first, draws, second]) in &counts.first {
        let line = format!("\"{text}\": [{first}, {draws}, {second}, 0]");
        assert!(summary.contains(&line), "{line}");
    }
    assert_eq!(counts.first.len(), 7);
    if !Sample::one_in(3).takes() {
        return;
    }
    let together = counted(&archive, Checkers::english());
    println!("with images counted together: {} positions", together.all.len());
    assert_eq!((together.first, together.per_ply.games), (counts.first, counts.per_ply.games));
}

/// What comes of every file of the folder, read as English and as international draughts: how many
/// games are counted, and how many skipped by reason.
///
/// Looked at one by one, those of the other game apart. `no_moves`: lists of problems, and games
/// that have none (mrcd2007, nk2003). `illegal_move`: `10x26` and `32x7` (Tricks traps and shots),
/// `36x16` and `4x24` (schildpad) could each be two captures. `bad_position`: typing errors that
/// leave a man on its king row, and `?` for the side to move. mrcd and ussr1947 are Czech and
/// Russian draughts, Campionato is Italian draughts, whose first move is White's; without a
/// GameType tag English and Italian draughts show only by moves that aren't legal.
const DIALECTS: &str = include_str!("dialects.txt");

#[test]
fn every_file_is_read_or_refused_with_the_reason() {
    let Some(folder) = data("checkers") else { return };
    let mut table = Vec::new();
    for path in files_under(&folder).iter().filter(|path| !path.ends_with("oca.pdn")) {
        let found = [Checkers::english(), Checkers::international()].map(|start| {
            match take(std::slice::from_ref(path), &options(start), 1) {
                Ok(found) => {
                    let games = &found.stats.games;
                    assert_eq!(games.skipped_games(), found.skipped.len() as u64);
                    let reasons = Reason::ALL.map(|reason| (reason, games.skipped(reason)));
                    let reasons = reasons.iter().filter(|(_, count)| *count > 0);
                    let reasons = reasons.map(|(reason, count)| format!(", {count} {reason}"));
                    format!("{}{}", games.games_in, reasons.collect::<String>())
                }
                Err(error) => {
                    assert!(error.to_string().contains("there is no game in it"), "{error}");
                    "no game".to_owned()
                }
            }
        });
        let [english, international] = found;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        table.push([name, english, international]);
    }
    assert_eq!(table, rows(DIALECTS));
}
