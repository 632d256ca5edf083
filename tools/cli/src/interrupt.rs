//! Ctrl-C: the first asks long work to stop and clean up, the second ends the process at once.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

static WANTED: AtomicBool = AtomicBool::new(false);
static LISTENING: Once = Once::new();

/// Listens from now on. Where the caller had signals ignored (`nohup`, a job in the background), they stay ignored.
pub fn listen() {
    LISTENING.call_once(|| {
        let _ = ctrlc::try_set_handler(|| {
            if WANTED.swap(true, Ordering::SeqCst) {
                std::process::exit(130);
            }
        });
    });
}

/// What is set when the user wants to stop.
pub fn flag() -> &'static AtomicBool {
    &WANTED
}

/// Whether the user wants to stop.
pub fn wanted() -> bool {
    WANTED.load(Ordering::SeqCst)
}
