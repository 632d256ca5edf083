//! What the process does at the system's limits, on memory, threads and the size of files: one
//! line, exit code 2, nothing left behind.

use crate::disk;
use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{self, Write};
use std::panic::{self, PanicHookInfo};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use tabia_build::one_line;

/// The exit code of a command that couldn't be done.
const FAILED: u8 = 2;

/// Does the work of the process.
pub fn within(work: impl FnOnce() -> ExitCode + panic::UnwindSafe) -> ExitCode {
    crate::interrupt::survive_large_files();
    panic::set_hook(Box::new(report_panic));
    panic::catch_unwind(work).unwrap_or(ExitCode::from(FAILED))
}

/// Says in one line why a thread ends. What it brings down with it comes later, and is not worth a
/// line.
fn report_panic(info: &PanicHookInfo<'_>) {
    static TOLD: AtomicBool = AtomicBool::new(false);
    if TOLD.swap(true, Ordering::SeqCst) {
        return;
    }
    crate::screen::restore();
    let message = info.payload_as_str().unwrap_or("it panicked");
    let place = info
        .location()
        .map_or_else(String::new, |location| format!(" ({}:{})", location.file(), location.line()));
    // The standard library's words where it takes for granted that there is room for a thread.
    let line = if message.starts_with("failed to spawn thread") {
        "cannot start a thread: raise the limits on memory and processes (ulimit), or use --threads 1".to_owned()
    } else {
        format!("this is a mistake in tabia: {message}{place}")
    };
    let _ = writeln!(io::stderr(), "tabia: {}", one_line(&line));
}

/// The system's allocator. Where that has nothing left, the process says so and ends.
struct Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

// SAFETY: all is done by the system's allocator, which keeps the trait's contract; what it returns
// is returned as it is, or not at all.
#[expect(
    unsafe_code,
    reason = "the trait is unsafe; without it a process that is out of memory can't clean up"
)]
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of the same method.
        or_end(unsafe { System.alloc(layout) })
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        or_end(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        or_end(unsafe { System.realloc(block, layout, size) })
    }
}

#[inline]
fn or_end(block: *mut u8) -> *mut u8 {
    if block.is_null() {
        end();
    }
    block
}

/// Ends a process that is out of memory, without asking for any.
#[cold]
fn end() {
    static ENDING: AtomicBool = AtomicBool::new(false);
    if !ENDING.swap(true, Ordering::SeqCst) {
        crate::screen::restore();
        let line = b"tabia: out of memory: give less with --memory or --threads, or raise the limit (ulimit)\n";
        crate::platform::write_error(line);
        disk::remove_unfinished();
    }
    signal_hook::low_level::exit(FAILED.into());
}
