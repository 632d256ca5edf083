//! The big archive of master games, against what an independent replay counted, if `../shared/data`
//! is there: every line of 1 to 3 plies, and what is skipped.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::Path;
use tabia::{Book, Env, Existing, Row};
use tabia_archives::{GameCounts, Input, Reason};
use tabia_build::{ArchiveList, BuildPlan};
use tabia_games::{Chess, Game, Known, Node};

/// Wins of White, draws, wins of Black, by the moves before and the move.
type Lines = BTreeMap<(String, String), [i64; 3]>;

#[test]
fn every_line_of_three_plies_is_as_an_independent_replay_counted() {
    let (Some(archive), Some(oracle)) = (
        tabia_testing::data("chess/masters.pgn.zst"),
        tabia_testing::data("reference/chess_counts/oracle_pgnm2024.tsv"),
    ) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let [path, list] = ["m.tabia", "skipped.tsv"].map(|name| folder.path().join(name));
    let mut text = Vec::new();
    Input::open_any(&archive).unwrap().read_to_end(&mut text).unwrap();
    let mut expected = read_oracle(&std::fs::read_to_string(oracle).unwrap());
    let build = |join_split| {
        let mut plan = BuildPlan::new(Known::Chess(Chess::start()));
        (plan.memory, plan.existing) = (56 << 20, Existing::Replace);
        (plan.read.join_split, plan.skipped_list) = (join_split, Some(list.clone()));
        let archives = ArchiveList::of(std::slice::from_ref(&archive)).unwrap();
        plan.build(&Env::default(), &archives, &path, &mut ()).unwrap().games.games
    };
    // The independent replay took tags and moves that two blank lines part for two games.
    let built = build(false);
    let skipped = BTreeMap::from([("no_result", 362), ("no_moves", 275), ("illegal_move", 2)]);
    assert_eq!((built.games_read, skipped_of(&built)), (415_536, skipped));
    correct(&mut expected, &std::fs::read_to_string(&list).unwrap(), &text);
    compare(&path, &expected);
    if !tabia_testing::whole() {
        return;
    }
    let built = build(true);
    let skipped = BTreeMap::from([("no_result", 87), ("illegal_move", 2)]);
    assert_eq!((built.games_read, skipped_of(&built)), (415_536 - 275, skipped));
    assert_eq!((built.games_in, built.plies), (415_172, 34_132_858));
    let text = String::from_utf8_lossy(&text);
    for (at, _) in text.match_indices("]\r\n\r\n\r\n") {
        let game = text[..at].rfind("[Event ").unwrap();
        add_line(&mut expected, text[game..].as_bytes(), 1);
    }
    compare(&path, &expected);
}

fn skipped_of(games: &GameCounts) -> BTreeMap<&'static str, u64> {
    let all = Reason::ALL.iter().map(|&reason| (reason.name(), games.skipped(reason)));
    all.filter(|(_, skipped)| *skipped > 0).collect()
}

/// Asks the book for all moves of these lines.
fn compare(path: &Path, expected: &Lines) {
    let (book, mut found) = (Book::open(path).unwrap(), Lines::new());
    let befores: BTreeSet<&String> = expected.keys().map(|(before, _)| before).collect();
    for before in befores {
        let start = Node::start(Chess::start(), false);
        let node = before
            .split_whitespace()
            .fold(start, |node, played| node.after(&node.position.parse_move(played).unwrap()));
        for row in book.moves(node.key).unwrap().iter() {
            let counts = row.counts();
            let mut counts = [counts.wins, counts.draws, counts.losses].map(i64::from);
            if before.split_whitespace().count() % 2 == 1 {
                counts.reverse();
            }
            let played = node.position.notation(&node.move_of_code(row.code()).unwrap());
            found.insert((before.clone(), plain(&played)), counts);
        }
    }
    assert_eq!(found.len(), expected.len());
    for (line, counts) in &found {
        assert_eq!(expected.get(line), Some(counts), "{line:?}");
    }
}

fn read_oracle(text: &str) -> Lines {
    let line = |line: &str| {
        let (line, counts) = line.split_once('\t')?;
        let (before, played) = line.split_once('>')?;
        let counts: Vec<i64> = counts.split('\t').map(|count| count.parse().unwrap()).collect();
        Some(((before.to_owned(), played.to_owned()), [counts[0], counts[1], counts[2]]))
    };
    text.lines().filter(|line| !line.starts_with('#')).filter_map(line).collect()
}

/// The replay counted lines of games, the beginnings of illegal ones too; a book counts positions,
/// however reached.
fn correct(expected: &mut Lines, skipped: &str, text: &[u8]) {
    for line in skipped
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>())
        .filter(|line| line[2] == "illegal_move")
    {
        add_line(expected, &text[line[1].parse().unwrap()..], -1);
    }
    // Two games come to these positions by a move lost on either side.
    for (before, played, counts) in [("Nf3 Nf6", "c4", 0), ("e4 e5", "Nc3", 1)] {
        expected.get_mut(&(before.to_owned(), played.to_owned())).unwrap()[counts] += 1;
    }
    expected.retain(|_, counts| *counts != [0; 3]);
}

/// Adds the first three plies of the game that starts this text, so many times.
fn add_line(lines: &mut Lines, text: &[u8], times: i64) {
    let text = String::from_utf8_lossy(&text[..text.len().min(4000)]);
    let result = text.split("[Result \"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let counts = ["1-0", "1/2-1/2", "0-1"].iter().position(|name| *name == result).unwrap();
    let body: Vec<&str> = text
        .lines()
        .skip_while(|line| line.is_empty() || line.starts_with('['))
        .take_while(|line| !line.is_empty())
        .collect();
    let body = body.join(" ").replace('.', " ");
    let moves = body
        .split_whitespace()
        .filter(|word| !word.starts_with(|letter: char| letter.is_ascii_digit()));
    let (mut position, mut before) = (Chess::start(), Vec::new());
    for played in moves.take(3) {
        let played = position.parse_move(played).unwrap();
        let name = plain(&position.notation(&played));
        lines.entry((before.join(" "), name.clone())).or_default()[counts] += times;
        before.push(name);
        position.play(&played);
    }
}

/// A move without what it does to the king, as the replay wrote it.
fn plain(san: &str) -> String {
    san.trim_end_matches(['+', '#']).to_owned()
}
