//! Signals: the first that asks the process to end asks long work to stop and clean up, the second
//! ends the process at once.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;
use signal_hook::low_level::pipe;
use std::io;
use std::os::unix::net::UnixStream;
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
pub fn pipe() -> io::Result<(UnixStream, UnixStream)> {
    listen();
    let (told, teller) = UnixStream::pair()?;
    for signal in signals() {
        pipe::register(signal, teller.try_clone()?)?;
    }
    Ok((told, teller))
}

/// What has a byte for each SIGHUP from now on, which doesn't ask the process to end any more. It has
/// to be called before anything listens.
pub fn hangups() -> io::Result<UnixStream> {
    HANGUPS.store(true, Ordering::SeqCst);
    let (told, teller) = UnixStream::pair()?;
    pipe::register(SIGHUP, teller)?;
    Ok(told)
}

/// The signals that ask the process to end, but for those that the caller had ignored.
fn signals() -> impl Iterator<Item = i32> {
    static IGNORED: LazyLock<u64> = LazyLock::new(ignored);
    let ends = |signal: &i32| *signal != SIGHUP || !HANGUPS.load(Ordering::SeqCst);
    let signals = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(ends);
    signals.filter(|signal| *IGNORED & 1 << (signal - 1) == 0)
}

/// Makes a limit on the size of files an error of the write that meets it, instead of the end of
/// the process.
pub fn survive_large_files() {
    let _ = flag::register(SIGXFSZ, Arc::default());
}

/// What is set when the user wants to stop.
pub fn flag() -> &'static AtomicBool {
    &WANTED
}

/// Whether the user wants to stop.
pub fn wanted() -> bool {
    WANTED.load(Ordering::SeqCst)
}

/// The signals that this process ignores, the first in the lowest bit; none if the system doesn't
/// say.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
