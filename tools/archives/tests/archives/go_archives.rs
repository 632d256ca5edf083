//! The archives of Go games, read from their tar archives, against what an independent replay
//! counted: games and distinct positions per ply.

use crate::shared::{PerPly, each, numbers};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::Path;
use tabia_archives::{Options, Reason, Skipped, UnknownResults, Wanted};
use tabia_games::go::{Go, Move, Symmetry};
use tabia_games::{Game, Known, Side};
use tabia_testing::{Sample, data};

/// Plies that the reference has.
const PLIES: usize = 41;

/// What came of an archive: games and positions per ply, and the games that aren't counted.
struct Counted {
    counts: PerPly,
    skipped: Vec<Skipped>,
}

fn count(archive: &str, symmetry: Symmetry) -> Option<Counted> {
    let path = data(archive)?;
    let wanted = Wanted { unknown_results: UnknownResults::Count, ..Wanted::default() };
    let options = Options {
        game: Known::Go(Go::start(9, symmetry).expect("a size")),
        wanted,
        ..Options::default()
    };
    let mut counts = PerPly::default();
    let (_, skipped) = each(&[path], &options, |_, game| {
        counts.add(game.plies.iter().map(|ply| ply.key).chain([game.last.0]).take(PLIES));
    });
    Some(Counted { counts, skipped })
}

/// Games, positions and positions up to symmetry of every ply, by the independent replay.
fn reference(name: &str) -> Vec<[u64; 3]> {
    let path = data(&format!("reference/go9/{name}.tsv"));
    let rows = numbers(&path.expect("the reference lies with the data"));
    rows.iter().map(|columns| [columns[1], columns[2], columns[3]]).collect()
}

fn reasons(skipped: &[Skipped]) -> BTreeMap<&'static str, usize> {
    let mut reasons = BTreeMap::new();
    skipped.iter().for_each(|skipped| *reasons.entry(skipped.reason.name()).or_default() += 1);
    reasons
}

fn files(archive: &Path, is_wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let packed = std::fs::File::open(archive).expect("a file");
    let mut unpacked = tar::Archive::new(zstd::Decoder::new(packed).expect("zstd"));
    let mut found = Vec::new();
    for entry in unpacked.entries().expect("a tar archive") {
        let (mut entry, mut text) = (entry.expect("an entry"), String::new());
        if is_wanted(entry.path().expect("a name").to_str().expect("a name")) {
            entry.read_to_string(&mut text).expect("a text");
            found.push(text);
        }
    }
    found
}

/// The positions of a game up to a move that can't be played. For files of one variation and one
/// property a node.
fn positions_of(text: &str, mut go: Go) -> Vec<Go> {
    let mut positions = vec![go];
    for node in text.split(';') {
        let side = match node.get(..2) {
            Some("B[") => Side::First,
            Some("W[") => Side::Second,
            _ => continue,
        };
        let point = match node.as_bytes()[2..].split(|&byte| byte == b']').next() {
            Some([column, row]) => Some(u16::from(row - b'a') * 9 + u16::from(column - b'a')),
            Some([]) => None,
            _ => break,
        };
        if go.try_play(&Move { side, point }).is_err() {
            break;
        }
        positions.push(go);
    }
    positions
}

/// Adds games that didn't go in, as the independent replay did: up to moves that can't be played.
fn add(counted: &mut PerPly, texts: &[String], symmetry: Symmetry) {
    let start = Go::start(9, symmetry).expect("a size");
    for text in texts {
        counted.add(positions_of(text, start).iter().map(Game::key).take(PLIES));
    }
}

/// Compares an archive with the reference, ply by ply, both with and without symmetry. Returns what
/// isn't as it says: (ply, found, expected).
fn differences(
    archive: &str,
    name: &str,
    expected: &[(&str, usize)],
    unplayable: &[&str],
) -> Vec<(usize, [u64; 3], [u64; 3])> {
    let (Some(mut plain), Some(mut symmetric)) =
        (count(archive, Symmetry::None), count(archive, Symmetry::Board))
    else {
        return Vec::new();
    };
    assert_eq!(reasons(&plain.skipped), expected.iter().copied().collect(), "{archive}");
    let is_bad = |skipped: &&Skipped| {
        skipped.reason == Reason::IllegalMove || skipped.detail.contains("can't be read as a move")
    };
    let bad = plain.skipped.iter().filter(is_bad);
    let bad: BTreeSet<_> = bad.filter_map(|skipped| skipped.archive.rsplit(':').next()).collect();
    assert_eq!(bad, unplayable.iter().copied().collect(), "{archive}");
    let texts = match data(archive) {
        Some(path) if !unplayable.is_empty() => files(&path, |name| unplayable.contains(&name)),
        _ => Vec::new(),
    };
    add(&mut plain.counts, &texts, Symmetry::None);
    add(&mut symmetric.counts, &texts, Symmetry::Board);
    let without_moves =
        plain.skipped.iter().filter(|skipped| skipped.reason == Reason::NoMoves).count() as u64;
    assert_eq!(plain.counts.games[0] as u64 + without_moves, reference(name)[0][0], "{archive}");
    let mut differences = Vec::new();
    for (ply, expected) in reference(name).into_iter().enumerate().skip(1) {
        let positions = |counted: &Counted| counted.counts.positions[ply].len() as u64;
        let symmetric = if ply <= 20 { positions(&symmetric) } else { 0 };
        let found = [plain.counts.games[ply] as u64, positions(&plain), symmetric];
        if found != expected {
            differences.push((ply, found, expected));
        }
    }
    differences
}

#[test]
fn cgos_is_as_counted() {
    assert_eq!(differences("go9/cgos.tar.zst", "plies_cgos", &[("no_moves", 13)], &[]), []);
}

#[test]
fn gnugo_is_as_counted() {
    let reasons = [("broken", 1), ("other_game", 1232), ("set_up", 185)];
    assert_eq!(differences("go9/gnugo-mixed-sizes.tar.zst", "plies_gnugo", &reasons, &[]), []);
}

/// Two games can't be played to their ends: in one an "undefined" stands for a row, in the other a
/// stone is put on another one at ply 40, which the independent replay counted all the same. Four
/// others have single stones played to their death, which the rules of New Zealand allow.
#[test]
fn ogs_is_as_counted() {
    if !Sample::one_in(4).takes() {
        return;
    }
    let unplayable = ["ogs_all/ogs_1302929.sgf", "ogs_all/ogs_236201.sgf"];
    let reasons = [("broken", 85), ("illegal_move", 1), ("no_moves", 4560), ("set_up", 7845)];
    let found = differences("go9/ogs.tar.zst", "plies_ogs_all", &reasons, &unplayable);
    if data("go9/ogs.tar.zst").is_some() {
        assert_eq!(found, [(40, [86_248, 86_124, 0], [86_249, 86_125, 0])]);
    }
}

/// Area scoring with each game's own komi against the results that the server gave, of games that
/// were played to two passes and scored there.
#[test]
fn scores_of_finished_cgos_games_are_those_of_the_server() {
    let Some(path) = data("go9/cgos.tar.zst") else { return };
    let (mut games, mut winners, mut margins, mut passed) = (0, 0, 0, 0);
    for text in files(&path, |_| true) {
        let value = |name: &str| {
            let rest = text.split_once(name).and_then(|(_, rest)| rest.split_once(']'));
            rest.map_or("", |(value, _)| value)
        };
        let margin = match value("RE[").split_once('+') {
            _ if value("RE[") == "Draw" => 0.0,
            Some((side, points)) => match points.parse::<f64>() {
                Ok(points) if side == "B" => points,
                Ok(points) => -points,
                Err(_) => continue,
            },
            None => continue,
        };
        let start = Go::start(9, Symmetry::None).expect("a size");
        let go = positions_of(&text, start).pop().expect("a position");
        let score = go.score(value("KM[").parse().expect("a komi"));
        games += 1;
        passed += usize::from(go.outcome().is_some());
        winners += usize::from((score > 0.0) == (margin > 0.0) && (score < 0.0) == (margin < 0.0));
        margins += usize::from(score == margin);
    }
    println!(
        "{games} games with a score, {passed} of them end by two passes: the same winner in {winners}, the same points in {margins}"
    );
    assert!(games > 2_000);
    assert_eq!((passed, winners, margins), (games, games, games));
}
