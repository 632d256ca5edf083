//! The top games of 200 positions of the master games, against a full scan of the archive, if
//! `../shared/data` is there. It takes minutes:
//! `cargo test --release -p tabia-play --test play -- --ignored --nocapture`

use crate::top_games::scan::{Scan, scan};
use std::collections::HashMap;
use std::time::Instant;
use tabia::{Book, Column, Env, Existing};
use tabia_build::{ArchiveList, BuildPlan, KeptGames};
use tabia_gamefile::GameFile;
use tabia_games::{Chess, Known, Node, Replay};
use tabia_play::{TopGames, TopGamesPlan};
use tabia_testing::{Rng, data};

#[test]
#[ignore = "minutes"]
fn top_games_of_200_positions_of_masters_are_those_of_a_full_scan() {
    let Some(data) = data("chess/masters.pgn.zst") else { return };
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = folder.path().join("masters.tabia");
    let archives = [data];
    let mut plan = BuildPlan::new(Known::Chess(Chess::start()));
    plan.read.wanted.columns = [Column::GAME].into_iter().collect();
    plan.games = Some(KeptGames::All);
    plan.existing = Existing::Replace;
    let built =
        plan.build(&Env::default(), &ArchiveList::of(&archives).unwrap(), &path, &mut ()).unwrap();
    let header = built.game_file.unwrap();
    println!(
        "{} games, {} plies, {} names, {} frames, {} bytes, {:.1} bytes a game; the book has {} bytes",
        header.games,
        header.plies,
        header.names,
        header.frames,
        header.file_length,
        header.bytes_per_game().unwrap(),
        built.header.file_length
    );
    let book = Book::open(&path).unwrap();
    let file = GameFile::beside(&book).unwrap().unwrap();
    let nodes = nodes(&file);
    let only: HashMap<u64, Vec<_>> = nodes.iter().map(|node| (node.key, Vec::new())).collect();
    let scan = scan(&archives, &plan.read, Scan { only: Some(only), ..Scan::default() });
    let (mut times, mut rows, mut games, mut most) = (Vec::new(), Vec::new(), 0, 0);
    for node in &nodes {
        let plan = TopGamesPlan { count: 15, ..TopGamesPlan::default() };
        let start = Instant::now();
        let top = TopGames::of(&book, &file, node, &plan).unwrap();
        times.push(start.elapsed());
        rows.push(top.rows);
        let orders: Vec<_> = top.games.iter().map(|top| top.game.order()).collect();
        assert!(top.is_complete && top.missing == 0);
        assert_eq!(orders, scan.top(node.key, 15), "{node:?}");
        games += orders.len();
        most = most.max(scan.top(node.key, usize::MAX).len());
    }
    times.sort_unstable();
    rows.sort_unstable();
    println!("rows looked at: median {}, 95 % {}, most {}", rows[100], rows[190], rows[199]);
    println!(
        "{} positions, {games} games, all as scanned; up to {most} games a position; median {:?}, most {:?}",
        nodes.len(),
        times[times.len() / 2],
        times[times.len() - 1]
    );
}

/// 200 positions: the start, and of games in steps through the file one after 1 to 40 plies each.
fn nodes(file: &GameFile) -> Vec<Node<Chess>> {
    let mut nodes = vec![Node::start(Chess::start(), false)];
    let mut random = Rng::new(0);
    while nodes.len() < 200 {
        let game = file.game(random.below(file.header().games)).unwrap();
        let mut replay = Replay::start(&Chess::start(), &game.setup, &game.moves, false).unwrap();
        for _ in 0..1 + nodes.len() % 40 {
            let Some(played) = replay.next_move() else { break };
            replay.play(&played);
        }
        if nodes.iter().all(|node| node.key != replay.node().key) {
            nodes.push(replay.node().clone());
        }
    }
    nodes
}
