//! Our reading of SGF against the crate sgf-parse on real archives: main lines have the same moves.

use crate::shared::read;
use sgf_parse::go::{Move, Prop};
use sgf_parse::{GameTree, SgfNode};
use std::collections::BTreeMap;
use std::io::Read;
use tabia_archives::sgf::SgfReader;
use tabia_archives::{GameRecord, UnknownResults, Wanted};
use tabia_games::Side;
use tabia_games::go::{Go, Symmetry};
use tabia_testing::data;

/// Colors and codes of the games that count.
fn ours(text: &[u8], size: usize) -> Vec<Vec<(Side, u16)>> {
    let wanted =
        Wanted { unknown_results: UnknownResults::Count, set_up: true, ..Wanted::default() };
    let start = Go::start(size, Symmetry::None).expect("a size");
    let (seen, _) = read(&mut SgfReader::new(start, wanted), text, true);
    let moves = |game: &GameRecord| game.plies.iter().map(|ply| (ply.side, ply.code)).collect();
    seen.games.iter().map(moves).collect()
}

/// The moves of the main line, without recursion, and the board's size.
fn theirs(root: &SgfNode<Prop>) -> (u8, Vec<(Side, u16)>) {
    let size = root
        .properties()
        .find_map(
            |property| if let Prop::SZ((columns, _)) = property { Some(*columns) } else { None },
        )
        .unwrap_or(19);
    let (mut moves, mut node) = (Vec::new(), Some(root));
    while let Some(here) = node {
        for property in here.properties() {
            let (side, played) = match property {
                Prop::B(played) => (Side::First, played),
                Prop::W(played) => (Side::Second, played),
                _ => continue,
            };
            let pass = u16::from(size) * u16::from(size);
            moves.push((
                side,
                match played {
                    Move::Pass => pass,
                    Move::Move(point) if point.x < size && point.y < size => {
                        u16::from(point.y) * u16::from(size) + u16::from(point.x)
                    }
                    // `tt` on a board up to 19x19.
                    Move::Move(_) => pass,
                },
            ));
        }
        node = here.children().next();
    }
    (size, moves)
}

/// Every so many files of an archive: how many were read the same, or by one of us alone.
fn compare(archive: &str, every: usize) -> BTreeMap<&'static str, u32> {
    let mut counts = BTreeMap::new();
    let Some(path) = data(archive) else { return counts };
    let unpacked = zstd::Decoder::new(std::fs::File::open(path).expect("a file")).expect("zstd");
    for entry in tar::Archive::new(unpacked).entries().expect("a tar archive").step_by(every) {
        let mut entry = entry.expect("an entry");
        let (name, mut bytes) = (entry.path().expect("a name").display().to_string(), Vec::new());
        entry.read_to_end(&mut bytes).expect("a file");
        let text = String::from_utf8_lossy(&bytes);
        let Ok(trees) = sgf_parse::parse(&text) else {
            let read = [9, 19].iter().any(|&size| !ours(&bytes, size).is_empty());
            *counts.entry(if read { "ours only" } else { "neither" }).or_default() += 1;
            continue;
        };
        for tree in &trees {
            let GameTree::GoGame(root) = tree else { continue };
            let (size, moves) = theirs(root);
            if moves.is_empty() || trees.len() > 1 {
                continue;
            }
            let found = ours(&bytes, size.into());
            match found.as_slice() {
                [found] => {
                    assert!(*found == moves, "{name}");
                    *counts.entry("same").or_default() += 1;
                }
                _ => *counts.entry("theirs only").or_default() += 1,
            }
        }
    }
    counts
}

#[test]
fn main_lines_are_those_of_sgf_parse() {
    for (archive, every) in
        [("go9/cgos.tar.zst", 3), ("go9/gnugo-mixed-sizes.tar.zst", 1), ("go9/ogs.tar.zst", 40)]
    {
        println!("{archive}: {:?}", compare(archive, every));
    }
}
