//! What growing a large book costs beside searching: reading it, choosing a leaf, memory.
//!
//! Makes a book of all positions of Connect Four on 7 x 6 up to a depth, each expanded but for the
//! last ones, which have evals drawn by their keys; then reads it as `tabia grow` does, and times what
//! happens once for each leaf. Run by:
//!
//! `cargo run --release -p tabia-grow --example growing_costs -- 8 10 12`

use std::collections::HashSet;
use std::time::Instant;
use tabia::{
    Batch, Book, Counts, Env, Existing, Flags, Keyed, MoveRow, NewBook, PositionRow, Row, Writer,
    mix,
};
use tabia_games::{ConnectFour, Game};
use tabia_grow::Tree;
use tabia_play::choice::GameHistory;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    println!(
        "| plies | positions | moves | book | read | graph, a position | solve | add a leaf | choose the next | its line |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for word in std::env::args().skip(1) {
        costs(word.parse()?)?;
    }
    Ok(())
}

fn costs(plies: u32) -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("full.tabia");
    let start = ConnectFour::start(7, 6).ok_or("no such board")?;
    let (mut positions, mut moves) = rows(&start, plies);
    positions.sort_unstable_by_key(Row::rank);
    moves.sort_unstable_by_key(Row::rank);
    NewBook::new(start.name().parse()?, start.keys().parse()?)
        .positions(&positions)
        .moves(&moves)
        .write(&Env::default(), &path, Existing::Refuse)?;
    let counts = (positions.len(), moves.len());
    drop((positions, moves));
    let book = Book::open(&path)?;
    let opening = GameHistory::start(start, Keyed::Position);
    let begun = Instant::now();
    let mut tree = Tree::read(&book, opening, 1)?;
    let read = begun.elapsed();
    let begun = Instant::now();
    tree.principal();
    let solve = begun.elapsed().as_secs_f64();
    let bytes = tree.graph().bytes() as f64 / f64::from(tree.graph().len());
    let (mut added, mut chosen, mut lines) = (Vec::new(), Vec::new(), Vec::new());
    for eval in 0..LEAVES {
        let leaf = tree.principal().1.last().copied().unwrap_or(0);
        // As bad as can be for whoever went there, so that another line is the best one next.
        let row = PositionRow::new(tree.graph().key(leaf), Counts::default());
        let row = row.with_eval(2000 + eval, 10);
        lines.push(timed(|| drop(tree.line(leaf))));
        let mut batch = Batch::new();
        batch.put_position(row);
        Writer::open(Env::default(), &path)?.append(&batch)?;
        let book = Book::open(&path)?;
        let mut refreshed = Ok(());
        added.push(timed(|| refreshed = tree.refresh(&book, &[row.key()])));
        refreshed?;
        chosen.push(timed(|| drop(tree.principal())));
    }
    let [added, chosen, lines] = [added, chosen, lines].map(median);
    println!(
        "| {plies} | {} | {} | {:.0} MB | {:.2} s | {bytes:.0} B | {:.2} ms | {:.3} ms | {:.3} ms | {:.3} ms |",
        counts.0,
        counts.1,
        std::fs::metadata(&path)?.len() as f64 / 1e6,
        read.as_secs_f64(),
        solve * 1e3,
        added * 1e3,
        chosen * 1e3,
        lines * 1e3,
    );
    Ok(())
}

/// Leaves that change, one after the other.
const LEAVES: i16 = 31;

/// Seconds that some work takes.
fn timed(work: impl FnOnce()) -> f64 {
    let begun = Instant::now();
    work();
    begun.elapsed().as_secs_f64()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The rows of all positions up to a depth.
fn rows(start: &ConnectFour, plies: u32) -> (Vec<PositionRow>, Vec<MoveRow>) {
    let (mut positions, mut moves) = (Vec::new(), Vec::new());
    let (mut level, mut seen) = (vec![start.clone()], HashSet::new());
    for ply in 0..=plies {
        let mut next = Vec::new();
        for position in level {
            let row = PositionRow::new(position.key(), Counts::default());
            if position.outcome().is_some() {
                positions.push(row.with_flags(Flags::PROVEN_LOSS));
                continue;
            }
            if ply == plies {
                let eval = (mix(position.key()) % 2001) as i16 - 1000;
                positions.push(row.with_eval(eval, 10));
                continue;
            }
            positions.push(row.with_flags(Flags::EXPANDED));
            let mut codes = HashSet::new();
            for played in &position.legal() {
                let code = position.code(played);
                if codes.insert(code) {
                    moves.push(MoveRow::new(position.key(), code, Counts::default()));
                }
                let after = position.after(played);
                if seen.insert(after.key()) {
                    next.push(after);
                }
            }
        }
        level = next;
    }
    (positions, moves)
}
