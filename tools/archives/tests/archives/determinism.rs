//! The result never depends on threads, or on how the text is cut into chunks.

use crate::shared::{file, files_under, is_the_same_however_read, take_path};
use proptest::prelude::*;
use std::path::PathBuf;
use tabia_archives::{Options, Reason};
use tabia_games::{Checkers, Known};
use tabia_testing::data;

const PARTS: &[&str] = &[
    "[Event \"x\"]",
    "[Result \"1-0\"]",
    "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - -\"]",
    "[Site \"{\"]",
    "[%clk 1]",
    "\r\n",
    "\n\n",
    "1. e4",
    "xyzzy ",
];

/// Parts of one character, and words between spaces.
const SHORT: &str = "\n| |{|}|(|)|;|%| e5| Nf3| e4| --| 1-0| *|\"|\u{feff}|\u{bd}";

const PDN: &str = "11-15 23-19 |32-28 |1|2|3|9|0|-|x|:| |.|*|\n|-|{|}|(|)|[|]|;|%|$|!|?|/|\
    [FEN \"B:W26,K31:B22,14\"]\n|[FEN \"W:WK0-9:BK,3\"]\n|[GameType \"21\"]\n|[Result \"1-1\"]\n";

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_mixture_of_pgns_parts(parts in prop::collection::vec(prop::sample::select(PARTS.iter().copied().chain(SHORT.split('|')).collect::<Vec<_>>()), 0..80), chunk in 1usize..50) {
        let (_folder, path) = file("mixed.pgn", parts.concat().as_bytes());
        is_the_same_however_read(path, &Options::default(), &[(1, 1), (1, chunk), (2, chunk), (3, 7)]);
    }

    #[test]
    fn any_mixture_of_pdns_parts(parts in prop::collection::vec(prop::sample::select(PDN.split('|').collect::<Vec<_>>()), 0..80), chunk in 1usize..50) {
        let (_folder, path) = file("mixed.pdn", parts.concat().as_bytes());
        for start in [Checkers::english(), Checkers::international()] {
            is_the_same_however_read(path.clone(), &Options::new(Known::Checkers(start)), &[(2, chunk)]);
        }
    }
}

#[test]
fn lines_longer_than_the_look_ahead() {
    let spaces = " ".repeat(700);
    let text = format!(
        "{spaces}[Event \"a\"]\n{spaces}{{[Event \"b\"]\n\n{spaces}x}} 1. e4 {spaces} e5 1-0\n\n[{spaces}Event \"c\"]\n\n1. d4 1-0\n"
    );
    let (_folder, path) = file("long.pgn", text.as_bytes());
    let ways = [(1, 1), (1, 299), (1, 300), (1, 301), (2, 350), (1, 4096)];
    is_the_same_however_read(path, &Options::default(), &ways);
}

#[test]
fn games_too_long_are_found_so_however_read() {
    let good = "[Event \"good\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n";
    let of_length = |length: usize| {
        let frame = "[Event \"x\"]\n[Result \"1-0\"]\n\n1. e4 {} e5 1-0\n\n";
        frame.replace("{}", &format!("{{{}}}", "y".repeat(length - frame.len())))
    };
    let limit = tabia_archives::split::LONGEST;
    for (length, games) in
        [(limit - 1, 3), (limit, 3), (limit + 1, 2), (limit + 400, 2), (2 * limit, 2)]
    {
        let text = format!("{good}{}{good}", of_length(length));
        let (_folder, path) = file("long.pgn", text.as_bytes());
        let options = Options { chunk_bytes: 100_000, ..Options::default() };
        let taken = take_path(&path, &options, 2);
        let faults = vec![(Reason::Broken, good.len() as u64); 3 - games];
        assert_eq!((taken.games_in(), taken.faults()), (games as u64, faults), "{length}");
        is_the_same_however_read(path, &Options::default(), &[(1, 33_333), (2, 1 << 20)]);
    }
}

#[test]
fn the_odd_and_annotated_files() {
    let Some(folder) = data("chess") else { return };
    let folders = ["odd", "annotated", "sample"].map(|name| folder.join(name));
    let mut files: Vec<PathBuf> = folders.iter().flat_map(|folder| files_under(folder)).collect();
    files.push(folder.join("engines-chess960.pgn.zst"));
    for path in files {
        let ways = [(1, 1_000), (2, 10_000), (3, 100_000)];
        is_the_same_however_read(path, &Options::default(), &ways);
    }
}
