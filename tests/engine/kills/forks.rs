//! A lock ends with its writer, whatever children other threads of the process start meanwhile.

use super::versions::create;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use tabia::{Env, Writer};

const OPENS: u32 = 3_000;

/// A child that was forked and has not yet come to its program has all that was open, locks and
/// all, for a moment longer than its parent.
#[test]
fn d9_a_lock_does_not_outlive_its_writer_in_a_child() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.tabia");
    create(&path, 10, false);
    let is_done = AtomicBool::new(false);
    let children = std::thread::scope(|scope| {
        let start = || {
            let mut children = 0u64;
            while !is_done.load(Ordering::Relaxed) {
                assert!(Command::new("true").status().unwrap().success());
                children += 1;
            }
            children
        };
        let starting = scope.spawn(start);
        let refused = (0..OPENS).filter(|_| Writer::open(Env::default(), &path).is_err()).count();
        is_done.store(true, Ordering::Relaxed);
        assert_eq!(refused, 0);
        starting.join().unwrap()
    });
    println!(
        "{OPENS} writers one after the other, {children} children meanwhile: none was told that the book is locked"
    );
}
