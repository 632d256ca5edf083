//! Signals: the first that asks the process to end asks long work to stop and clean up, the second
//! ends the process at once.

use crate::platform;
use signal_hook::flag;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Once};

static WANTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
static LISTENING: Once = Once::new();
/// Whether SIGHUP means something else than the end.
static HANGUPS: AtomicBool = AtomicBool::new(false);

/// The process's exit code when it was interrupted.
pub const EXIT_CODE: u8 = 130;

/// Listens from now on, to Ctrl-C, to the end of the terminal, and to being asked to end. A signal
/// that the caller had ignored (`nohup`, Ctrl-C for a job in the background) stays ignored, and
/// only that one.
pub fn listen() {
    LISTENING.call_once(|| {
        for signal in signals() {
            // What can't be listened to ends the process, as if this weren't here.
            let _ =
                flag::register_conditional_shutdown(signal, EXIT_CODE.into(), Arc::clone(&WANTED));
            let _ = flag::register(signal, Arc::clone(&WANTED));
        }
    });
}

/// What can be read from as soon as the process is asked to end, for those who wait for pipes, and its
/// other end: what is written there asks for the same. A second signal ends the process at once, as
/// always.
pub fn pipe() -> io::Result<(platform::Told, platform::Teller)> {
    listen();
    platform::pipe_of(signals())
}

/// What has a byte for each SIGHUP from now on, which doesn't ask the process to end any more. It has
/// to be called before anything listens.
#[cfg(feature = "serve")]
pub fn hangups() -> io::Result<platform::Told> {
    HANGUPS.store(true, Ordering::SeqCst);
    platform::pipe_of(std::iter::once(signal_hook::consts::SIGHUP)).map(|(told, _)| told)
}

/// The signals that ask the process to end, but for those that the caller had ignored.
fn signals() -> impl Iterator<Item = i32> {
    static IGNORED: LazyLock<u64> = LazyLock::new(platform::ignored);
    let not_ending = usize::from(HANGUPS.load(Ordering::SeqCst));
    let signals = platform::ENDING.into_iter().skip(not_ending);
    signals.filter(|signal| *IGNORED & 1 << (signal - 1) == 0)
}

/// Makes a limit on the size of files an error of the write that meets it, instead of the end of
/// the process.
pub fn survive_large_files() {
    let _ = platform::TOO_LARGE.map(|signal| flag::register(signal, Arc::default()));
}

/// What is set when the user wants to stop.
pub fn flag() -> &'static AtomicBool {
    &WANTED
}

/// Whether the user wants to stop.
pub fn wanted() -> bool {
    WANTED.load(Ordering::SeqCst)
}
